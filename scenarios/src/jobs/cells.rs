//! A table as text (RFC 4180) in cells that know where they stand.
//!
//! Separated by commas, semicolons or tabs, whichever the heading has most of. Lines that begin
//! with `#` are comments.

use crate::place::{JOBS, Place};

/// A cell.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Cell {
    /// Without quotes, and without blanks around it.
    pub(super) text: String,
    pub(super) place: Place,
}

/// A row with at least one cell.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row {
    pub(super) cells: Vec<Cell>,
}

impl Row {
    /// From its first cell to its last one.
    pub(super) fn place(&self) -> Place {
        let start = self.cells.first().map_or(0, |cell| cell.place.start);
        let end = self.cells.last().map_or(start, |cell| cell.place.end);
        Place { source: JOBS, start, end }
    }
}

/// The rows that hold anything; the place of a quote that is never closed.
pub(super) fn rows(text: &str) -> Result<Vec<Row>, Place> {
    let separator = separator(text);
    let mut rows = Vec::new();
    let mut at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with('#') {
            at += rest.find('\n').map_or(rest.len(), |end| end + 1);
            continue;
        }
        let mut cells = Vec::new();
        loop {
            let (cell, next) = cell(text, at, separator)?;
            cells.push(cell);
            at = next;
            if text[at..].starts_with(separator) {
                at += separator.len_utf8();
                continue;
            }
            at += text[at..].find('\n').map_or(text.len() - at, |end| end + 1);
            break;
        }
        if cells.iter().any(|cell| !cell.text.is_empty()) {
            rows.push(Row { cells });
        }
    }
    Ok(rows)
}

fn separator(text: &str) -> char {
    let text = text.trim_start_matches('\u{feff}');
    let head = text.lines().find(|line| !line.starts_with('#') && !line.trim().is_empty());
    let count = |separator: char| head.map_or(0, |head| head.matches(separator).count());
    // The first of those that are there most often.
    [',', ';', '\t'].into_iter().rev().max_by_key(|separator| count(*separator)).unwrap_or(',')
}

/// The cell that begins at a byte, and where what follows it begins.
fn cell(text: &str, at: usize, separator: char) -> Result<(Cell, usize), Place> {
    let blank = |c: char| c.is_whitespace() && c != separator && c != '\n' && c != '\r';
    let start = at + text[at..].len() - text[at..].trim_start_matches(blank).len();
    let ends = |c: char| c == separator || c == '\n' || c == '\r';
    if !text[start..].starts_with('"') {
        let end = start + text[start..].find(ends).unwrap_or(text.len() - start);
        let shown = text[start..end].trim_end();
        let place = Place { source: JOBS, start, end: start + shown.len() };
        return Ok((Cell { text: shown.to_string(), place }, end));
    }
    let mut value = String::new();
    let mut from = start + 1;
    loop {
        let place = Place { source: JOBS, start, end: start + 1 };
        let quote = from + text[from..].find('"').ok_or(place)?;
        value.push_str(&text[from..quote]);
        from = quote + 1;
        if !text[from..].starts_with('"') {
            break;
        }
        value.push('"');
        from += 1;
    }
    let next = from + text[from..].find(ends).unwrap_or(text.len() - from);
    let place = Place { source: JOBS, start, end: from };
    Ok((Cell { text: value.trim().to_string(), place }, next))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Vec<String>> {
        let rows = rows(text).unwrap();
        rows.into_iter().map(|row| row.cells.into_iter().map(|cell| cell.text).collect()).collect()
    }

    #[test]
    fn quotes_blanks_comments_and_other_separators_are_understood() {
        let expected = vec![vec!["a", "b"], vec!["x, y", "say \"z\""]];
        for text in [
            "a,b\n\"x, y\",\"say \"\"z\"\"\"\n",
            "\u{feff}# notes\r\na ; b\r\n\r\nx, y;\"say \"\"z\"\"\"\r\n",
            "a\tb\nx, y\t \"say \"\"z\"\"\"",
        ] {
            assert_eq!(read(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_cell_knows_its_bytes_and_an_open_quote_is_found() {
        let text = "a,b\n1,\"2 µs\"\n";
        let rows = rows(text).unwrap();
        let place = rows[1].cells[1].place;
        assert_eq!(&text[place.start..place.end], "\"2 µs\"");
        assert_eq!(super::rows("a,b\n1,\"2").unwrap_err().start, 6);
        assert!(super::rows("").unwrap().is_empty());
    }
}
