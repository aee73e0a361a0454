//! Texts of pictures: what others have written made harmless, and cut where there is no room.

use unicode_segmentation::UnicodeSegmentation;

use super::font;

/// First-strong isolate: what follows has the direction of its own first letter.
const ISOLATE: char = '\u{2068}';
/// The end of what is isolated.
const POP: char = '\u{2069}';
/// Where something was cut out.
const ELLIPSIS: &str = "\u{2026}";
/// A name of more characters is cut before anything is measured.
const LONGEST: usize = 400;

/// A name that somebody else has given, safe beside other words: without control characters and
/// marks of direction, and isolated if some of it runs from right to left.
#[must_use]
pub fn name(text: &str) -> String {
    let clean: String = text.chars().take(LONGEST).map(harmless).filter(|c| *c != '\0').collect();
    if clean.chars().any(is_right_to_left) { format!("{ISOLATE}{clean}{POP}") } else { clean }
}

/// A text whose names were isolated by [`name`], or should have been: what is not for a picture is
/// taken out, isolating marks are left in.
pub(super) fn drawn(text: &str) -> String {
    let kept = |c: char| if c == ISOLATE || c == POP { c } else { harmless(c) };
    text.chars().map(kept).filter(|c| *c != '\0').collect()
}

/// What stands for a character: itself, a space for what breaks lines, nothing (NUL) for marks of
/// direction, and the sign for what is no character for what neither XML nor a reader can take.
fn harmless(character: char) -> char {
    match character {
        '\t' | '\n' | '\r' | '\u{2028}' | '\u{2029}' | '\u{85}' => ' ',
        '\u{200e}'
        | '\u{200f}'
        | '\u{061c}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}' => '\0',
        '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
        c if c.is_control() => '\u{fffd}',
        c => c,
    }
}

/// Whether a letter runs from right to left: Hebrew, Arabic and their neighbours.
fn is_right_to_left(character: char) -> bool {
    matches!(u32::from(character),
        0x0590..=0x08ff | 0xfb1d..=0xfdff | 0xfe70..=0xfeff | 0x1_0800..=0x1_0fff
        | 0x1_e800..=0x1_efff)
}

/// A text no wider than `room` pixels: as it is, or with its middle cut out.
pub(super) fn fitted(text: &str, room: f64, size: f64, bold: bool) -> String {
    if font::width(text, size, bold) <= room {
        return text.to_string();
    }
    let bare: String = text.chars().filter(|c| *c != ISOLATE && *c != POP).collect();
    let letters: Vec<&str> = bare.graphemes(true).collect();
    let widths: Vec<f64> = letters.iter().map(|letter| font::width(letter, size, bold)).collect();
    let mut left = room - font::width(ELLIPSIS, size, bold);
    let (mut head, mut tail) = (0, letters.len());
    // In turn from both ends, until the next one has no room.
    while head < tail {
        let from_head = head <= letters.len() - tail;
        let next = if from_head { head } else { tail - 1 };
        if widths[next] > left {
            break;
        }
        left -= widths[next];
        if from_head {
            head += 1;
        } else {
            tail -= 1;
        }
    }
    let start = letters[..head].concat();
    let cut = format!("{}{ELLIPSIS}{}", start.trim_end(), letters[tail..].concat().trim_start());
    if cut.chars().any(is_right_to_left) { format!("{ISOLATE}{cut}{POP}") } else { cut }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_turn_what_stands_beside_it() {
        assert_eq!(name("a\u{202e}b\u{0}c\nd"), "ab\u{fffd}c d");
        let hebrew = name("\u{5d2}\u{5d9}\u{5d1}\u{5d5}\u{5d9}\u{2069}");
        assert!(hebrew.starts_with(ISOLATE) && hebrew.ends_with(POP), "{hebrew:?}");
        assert_eq!(hebrew.matches(POP).count(), 1);
        assert_eq!(name(&"x".repeat(10_000)).len(), LONGEST);
    }

    #[test]
    fn a_long_name_keeps_its_ends() {
        let long = format!("begin{}end", "\u{6570}".repeat(60));
        let short = fitted(&long, 120.0, 12.0, false);
        assert!(short.starts_with("begin") && short.ends_with("end"), "{short}");
        assert!(short.contains(ELLIPSIS) && font::width(&short, 12.0, false) <= 120.0);
        assert_eq!(fitted("short", 120.0, 12.0, false), "short");
        assert!(font::width(&fitted(&long, 1.0, 12.0, false), 12.0, false) < 13.0);
    }

    #[test]
    fn what_is_cut_stays_isolated() {
        let long = name(&"\u{627}\u{644}".repeat(80));
        let short = fitted(&long, 100.0, 12.0, false);
        assert!(short.starts_with(ISOLATE) && short.ends_with(POP), "{short:?}");
        assert_eq!(short.matches(ISOLATE).count(), short.matches(POP).count());
    }
}
