//! Where one alternative ends and the next begins.

/// Splits at `;` or `|` if either stands outside of brackets and quotes, else at `,`. Blanks around
/// an alternative are no part of it; a separator at the end ends the last alternative. `None`:
/// brackets or quotes are left open.
pub(super) fn alternatives(text: &str) -> Option<Vec<&str>> {
    let marks = separators(text)?;
    let is_strong = |mark: char| mark == ';' || mark == '|';
    let strong = marks.iter().any(|(_, mark)| is_strong(*mark));
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, mark) in marks {
        if is_strong(mark) == strong {
            parts.push(text[start..at].trim());
            start = at + mark.len_utf8();
        }
    }
    let rest = text[start..].trim();
    if !(rest.is_empty() && strong && !parts.is_empty()) {
        parts.push(rest);
    }
    Some(parts)
}

/// Every `,`, `;` and `|` outside of brackets and quotes.
fn separators(text: &str) -> Option<Vec<(usize, char)>> {
    let mut found = Vec::new();
    let mut open = Vec::new();
    let mut quote = None;
    let mut escaped = false;
    for (at, character) in text.char_indices() {
        match (quote, character) {
            (Some('"'), '\\') if !escaped => {
                escaped = true;
                continue;
            }
            (Some(mark), _) if character == mark && !escaped => quote = None,
            (None, '"' | '\'') => quote = Some(character),
            (None, '[') => open.push(']'),
            (None, '{') => open.push('}'),
            (None, ']' | '}') if open.pop() != Some(character) => return None,
            (None, ',' | ';' | '|') if open.is_empty() => found.push((at, character)),
            _ => {}
        }
        escaped = false;
    }
    (open.is_empty() && quote.is_none()).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_separate_unless_something_stronger_does() {
        assert_eq!(alternatives("1, 2,3").unwrap(), ["1", "2", "3"]);
        assert_eq!(alternatives("d1|d1,d2").unwrap(), ["d1", "d1,d2"]);
        assert_eq!(alternatives("d1;d1,d2|d3").unwrap(), ["d1", "d1,d2", "d3"]);
        assert_eq!(alternatives("d1,d2;").unwrap(), ["d1,d2"]);
        assert_eq!(alternatives("[d1,d2],[d3]").unwrap(), ["[d1,d2]", "[d3]"]);
        assert_eq!(alternatives("{a=1, b=\";\"};{a=2}").unwrap(), ["{a=1, b=\";\"}", "{a=2}"]);
        assert_eq!(alternatives("").unwrap(), [""]);
        assert_eq!(alternatives("1,,2,").unwrap(), ["1", "", "2", ""]);
        assert_eq!(alternatives(";").unwrap(), [""]);
    }

    #[test]
    fn what_is_left_open_is_said_to_be() {
        for text in ["{a=1", "[1,2", "a]", "\"x", "'x", "{]", "\"\\\""] {
            assert_eq!(alternatives(text), None, "{text}");
        }
    }
}
