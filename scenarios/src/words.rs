//! Words for messages: the nearest known word, text from outside made harmless.

/// Longest word that is compared with others: a key of a megabyte is no misspelling.
const LONGEST: usize = 64;
/// Most words that one word is compared with.
const MOST: usize = 100;

/// What SQL Server people write for a knob that has another name here.
const OTHER_NAMES: [(&str, &str); 3] =
    [("maxtransfersize", "transfersize"), ("cores", "logicalprocessors"), ("files", "stripes")];

/// The one of `known` that `word` was probably meant to be.
#[must_use]
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.chars().count() > LONGEST {
        return None;
    }
    let word = folded(word);
    let distances = known.into_iter().take(MOST).map(|candidate| {
        let distance = strsim::osa_distance(&word, &folded(candidate));
        (distance, candidate)
    });
    let (distance, candidate) = distances.min_by_key(|(distance, _)| *distance)?;
    let allowed = (word.chars().count() / 3).max(1);
    // Of a word of one or two letters nothing is left after one change.
    let is_near = distance <= allowed && distance < word.chars().count().max(1);
    (is_near && !is_other_number(&word, &folded(candidate))).then_some(candidate)
}

/// Whether two words differ in nothing but a number, which is no misspelling: `s9` and `s1`.
fn is_other_number(one: &str, other: &str) -> bool {
    let letters = |word: &str| word.chars().filter(|c| !is_of_number(*c)).collect::<String>();
    let digits = |word: &str| {
        let mut digits: Vec<char> = word.chars().filter(|c| is_of_number(*c)).collect();
        digits.sort_unstable();
        digits
    };
    letters(one) == letters(other) && digits(one) != digits(other)
}

const fn is_of_number(character: char) -> bool {
    character.is_ascii_digit() || character == '.'
}

/// Whether two names differ only in case, `_`, `-` and blanks, or are names of one thing.
pub(crate) fn same_name(one: &str, other: &str) -> bool {
    one.len() <= LONGEST && folded(one) == folded(other)
}

fn folded(word: &str) -> String {
    let kept = word.chars().filter(|c| !matches!(c, '_' | '-' | ' '));
    let folded: String = kept.flat_map(char::to_lowercase).collect();
    let other = OTHER_NAMES.iter().find(|(name, _)| *name == folded);
    other.map_or(folded, |(_, ours)| (*ours).to_string())
}

/// Whether a character steers a terminal or an editor instead of being seen: control characters
/// and those that turn the direction of writing.
pub(crate) fn is_hidden(character: char) -> bool {
    character.is_control() || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Text from outside, on one line and at most 60 characters long.
#[must_use]
pub fn shown(text: &str) -> String {
    const MOST_SHOWN: usize = 60;
    let mut shown = String::new();
    for (count, character) in text.chars().enumerate() {
        if count == MOST_SHOWN {
            shown.push('…');
            break;
        }
        if is_hidden(character) {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    shown
}

/// `a`, `b` and `c`, at most 12 of them.
pub(crate) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    const MOST_LISTED: usize = 12;
    let mut names = names.into_iter();
    let first = names.by_ref().take(MOST_LISTED).map(|name| format!("`{}`", shown(name)));
    let listed = first.collect::<Vec<_>>().join(", ");
    match (listed.is_empty(), names.count()) {
        (true, _) => "none".to_string(),
        (false, 0) => listed,
        (false, more) => format!("{listed} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelled_word_finds_its_neighbour() {
        let known = ["buffer_count", "transfer_size", "stripes"];
        assert_eq!(nearest("bufer_count", known), Some("buffer_count"));
        assert_eq!(nearest("BUFFERCOUNT", known), Some("buffer_count"));
        assert_eq!(nearest("MaxTransferSize", known), Some("transfer_size"));
        assert_eq!(nearest("colour", known), None);
        assert_eq!(nearest("", known), None);
        assert_eq!(nearest(&"x".repeat(1 << 20), known), None);
    }

    #[test]
    fn another_number_is_no_misspelling() {
        assert_eq!(nearest("s9", ["s1", "s2"]), None);
        assert_eq!(nearest("4194304.0", ["4194304"]), None);
        assert_eq!(nearest("AES_265", ["AES_128", "AES_256"]), Some("AES_256"));
        assert_eq!(nearest("sever1", ["server1"]), Some("server1"));
    }

    #[test]
    fn text_from_outside_is_shown_on_one_short_line() {
        assert_eq!(shown("a\nb\u{1b}[31m"), "a\\nb\\u{1b}[31m");
        assert_eq!(shown("a\u{202e}b"), "a\\u{202e}b");
        assert_eq!(shown(&"y".repeat(100)).chars().count(), 61);
    }

    #[test]
    fn lists_stay_short() {
        let names: Vec<_> = (0..20).map(|n| n.to_string()).collect();
        assert!(listed(names.iter().map(String::as_str)).ends_with("`11` and 8 more"));
        assert_eq!(listed([]), "none");
    }
}
