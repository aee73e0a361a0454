//! The one font that is built in: a subset of DejaVu Sans, for widths and for pixels.
//!
//! Widths are those of this font. It is one of the widest, so that what fits here also fits where
//! a viewer of an SVG takes another one. A character that the font does not have is as wide as a
//! terminal would make it, and a bitmap shows a box in its place.

use std::sync::LazyLock;

use ab_glyph::{Font, FontRef, Glyph, point};
use unicode_width::UnicodeWidthChar;

/// The subset; which characters it has is said in `docs/plots.md`, its licence stands beside it.
static SUBSET: &[u8] = include_bytes!("font/dejavu-sans-subset.ttf");

/// Families for viewers of an SVG: that font, the one it is made after, then any.
pub(super) const FAMILIES: &str = "DejaVu Sans, Verdana, Arial, sans-serif";
/// How much wider bold letters are at most.
const BOLD: f64 = 1.13;
/// Width of a character that the font does not have and that takes one column, in em.
const NARROW: f64 = 0.8;
/// Width of one that takes two columns, in em.
const WIDE: f64 = 1.06;

static FONT: LazyLock<FontRef<'static>> =
    LazyLock::new(|| FontRef::try_from_slice(SUBSET).expect("the built-in font is whole"));

/// Whether the font has a character, or it needs no glyph.
#[cfg(test)]
fn has(character: char) -> bool {
    character.is_whitespace() || columns(character) == 0 || FONT.glyph_id(character).0 != 0
}

/// Columns that a terminal gives a character.
fn columns(character: char) -> usize {
    character.width().unwrap_or(0)
}

/// Width of a character in em.
fn em(character: char) -> f64 {
    let columns = columns(character);
    if columns == 0 {
        return 0.0;
    }
    let glyph = FONT.glyph_id(character);
    match (glyph.0, columns) {
        (0, 1) => NARROW,
        (0, _) => WIDE,
        _ => f64::from(FONT.h_advance_unscaled(glyph)) / units_per_em(),
    }
}

fn units_per_em() -> f64 {
    f64::from(FONT.units_per_em().unwrap_or(2048.0))
}

/// Width of a text in pixels.
pub(super) fn width(text: &str, size: f64, bold: bool) -> f64 {
    let ems: f64 = text.chars().map(em).sum();
    ems * size * if bold { BOLD } else { 1.0 }
}

/// Draws a text from its left end on a baseline: `dot` is told pixels and how far each is covered.
/// Returns how many characters the font does not have; each is a box.
pub(super) fn draw(
    text: &str,
    (left, baseline): (f64, f64),
    (size, bold): (f64, bool),
    mut dot: impl FnMut(i32, i32, f64),
) -> usize {
    let mut missing = 0;
    let mut x = left;
    for character in text.chars() {
        let advance = em(character) * size * if bold { BOLD } else { 1.0 };
        if character.is_whitespace() || columns(character) == 0 {
            x += advance;
            continue;
        }
        let id = FONT.glyph_id(character);
        if id.0 == 0 {
            missing += 1;
            hollow((x, baseline), (advance, size), &mut dot);
        } else {
            // Bold is drawn twice, a little apart: one font is enough.
            let strokes: &[f64] = if bold { &[0.0, 0.055] } else { &[0.0] };
            let inset = if bold { advance * (1.0 - 1.0 / BOLD) * 0.3 } else { 0.0 };
            for shift in strokes {
                outline(id, (x + inset + shift * size, baseline), size, &mut dot);
            }
        }
        x += advance;
    }
    missing
}

fn outline(
    id: ab_glyph::GlyphId,
    (x, y): (f64, f64),
    size: f64,
    dot: &mut impl FnMut(i32, i32, f64),
) {
    let height = f64::from(FONT.height_unscaled()) / units_per_em();
    let scale = (size * height) as f32;
    let glyph: Glyph = id.with_scale_and_position(scale, point(x as f32, y as f32));
    if let Some(outlined) = FONT.outline_glyph(glyph) {
        let bounds = outlined.px_bounds();
        let (left, top) = (bounds.min.x as i32, bounds.min.y as i32);
        outlined.draw(|x, y, coverage| {
            dot(left + x as i32, top + y as i32, f64::from(coverage).min(1.0));
        });
    }
}

/// The box that stands for a character.
fn hollow(
    (x, baseline): (f64, f64),
    (advance, size): (f64, f64),
    dot: &mut impl FnMut(i32, i32, f64),
) {
    let stroke = (size * 0.07).max(1.0) as i32;
    let (left, right) = ((x + size * 0.08) as i32, (x + advance - size * 0.08) as i32);
    let (top, bottom) = ((baseline - size * 0.72) as i32, baseline as i32);
    for y in top..=bottom {
        for x in left..=right {
            let edge = (x - left).min(right - x).min(y - top).min(bottom - y);
            if edge < stroke {
                dot(x, y, 1.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_that_the_program_writes_itself_is_there() {
        let own = "AZaz09 \u{b1}\u{b7}\u{d7}\u{2026}\u{2013}\u{2264}\u{2265}\u{2192}\u{2212}\u{b5}";
        let missing: String = own.chars().filter(|character| !has(*character)).collect();
        assert_eq!(missing, "");
        let scripts = "\u{c4}\u{df}\u{152}\u{20ac}\u{2122}\u{201e}\u{3a9}\u{416}\u{1ef9}";
        assert!(scripts.chars().all(has));
        assert!(!has('\u{6570}') && !has('\u{5d0}'));
    }

    #[test]
    fn widths_follow_the_font_and_what_it_lacks_is_as_wide_as_in_a_terminal() {
        assert!(width("iiii", 10.0, false) < width("mmmm", 10.0, false));
        assert!(width("\u{6570}", 10.0, false) > 10.0);
        assert!((width("e\u{301}", 10.0, false) - width("e", 10.0, false)).abs() < 1e-9);
        assert!(width("a", 10.0, true) > width("a", 10.0, false));
    }

    #[test]
    fn a_character_that_is_not_there_is_a_box_and_counted() {
        let mut dots = 0;
        let missing = draw("a\u{6570}b", (0.0, 20.0), (20.0, false), |_, _, _| dots += 1);
        assert_eq!(missing, 1);
        assert!(dots > 100, "{dots}");
    }
}
