//! One record of a delimited text, piece by piece, so that a quote that is never closed costs no
//! more than a bounded look ahead.

use std::collections::VecDeque;
use std::io::{self, BufRead};

use crate::source::next_line;

/// Most bytes of a record that runs over several lines, and most lines of it.
const LONGEST_RECORD: usize = 256 << 10;
const MOST_LINES: usize = 2_000;

/// The cells of a record.
#[derive(Debug, Default)]
pub(crate) struct Row {
    text: String,
    ends: Vec<usize>,
    /// Line on which it begins, from 1.
    pub(crate) line: u64,
}

impl Row {
    /// How many cells it has.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// A cell without blanks around it.
    pub(crate) fn cell(&self, index: usize) -> Option<&str> {
        let end = *self.ends.get(index)?;
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        Some(self.text[start..end].trim())
    }

    /// All cells.
    pub(crate) fn cells(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).filter_map(|index| self.cell(index))
    }

    /// Whether no cell or only one has anything in it.
    pub(crate) fn is_noise(&self) -> bool {
        self.cells().filter(|cell| !cell.is_empty()).count() < 2
    }

    /// Makes one cell of several that a delimiter in a text without quotes has parted.
    pub(crate) fn unite(&mut self, first: usize, more: usize, delimiter: char) {
        let start = if first == 0 { 0 } else { self.ends[first - 1] };
        let last = (first + more).min(self.len().saturating_sub(1));
        let (before, after) =
            (self.text[..start].to_string(), self.text[self.ends[last]..].to_string());
        let mut united = String::new();
        let mut from = start;
        for end in &self.ends[first..=last] {
            if from > start {
                united.push(delimiter);
            }
            united.push_str(&self.text[from..*end]);
            from = *end;
        }
        let grown = united.len();
        let old_end = self.ends[last];
        self.ends.drain(first..last);
        self.ends[first] = start + grown;
        for end in &mut self.ends[first + 1..] {
            *end = *end - old_end + start + grown;
        }
        self.text = before + &united + &after;
    }

    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }

    pub(super) fn push(&mut self, cell: &str) {
        self.text.push_str(cell);
        self.end_cell();
    }

    fn end_cell(&mut self) {
        self.ends.push(self.text.len());
    }

    fn cell_is_empty(&self) -> bool {
        self.text.len() == self.ends.last().copied().unwrap_or(0)
    }

    /// Adds the cells of a line; true if a quote is still open at its end.
    fn add(&mut self, line: &str, delimiter: char, mut quoted: bool, quotes: bool) -> bool {
        let mut rest = line;
        loop {
            if quoted {
                let Some(end) = rest.find('"') else {
                    self.text.push_str(rest);
                    return true;
                };
                self.text.push_str(&rest[..end]);
                rest = &rest[end + 1..];
                if let Some(after) = rest.strip_prefix('"') {
                    self.text.push('"');
                    rest = after;
                } else {
                    quoted = false;
                }
                continue;
            }
            if quotes && self.cell_is_empty() && rest.starts_with('"') {
                quoted = true;
                rest = &rest[1..];
                continue;
            }
            let end = rest.find(delimiter);
            self.text.push_str(&rest[..end.unwrap_or(rest.len())]);
            self.end_cell();
            match end {
                Some(end) => rest = &rest[end + delimiter.len_utf8()..],
                None => return false,
            }
        }
    }
}

/// Lines of a file with their numbers, some of which may have been read ahead.
pub(crate) struct Lines<R> {
    reader: R,
    ahead: VecDeque<String>,
    /// Lines ahead that belong to a quote that was never closed: each is a record of its own.
    single: usize,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(reader: R) -> Self {
        Self { reader, ahead: VecDeque::new(), single: 0, number: 0 }
    }

    /// Number of the line that came last, from 1.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// The next line; false at the end.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn next(&mut self, line: &mut String) -> io::Result<bool> {
        let more = match self.ahead.pop_front() {
            Some(ahead) => {
                *line = ahead;
                true
            }
            None => next_line(&mut self.reader, line)?,
        };
        self.number += u64::from(more);
        Ok(more)
    }

    /// The next record of a delimited text; false at the end.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn next_record(
        &mut self,
        line: &mut String,
        row: &mut Row,
        delimiter: char,
    ) -> io::Result<bool> {
        row.clear();
        let single = self.single > 0;
        self.single = self.single.saturating_sub(1);
        if !self.next(line)? {
            return Ok(false);
        }
        row.line = self.number;
        if !row.add(line, delimiter, false, true) {
            return Ok(true);
        }
        if !single && self.close_quote(row, delimiter, line.len())? {
            return Ok(true);
        }
        row.clear();
        row.add(line, delimiter, false, false);
        Ok(true)
    }

    /// Adds lines until the open quote is closed. If it is not, they stay ahead, and false.
    fn close_quote(
        &mut self,
        row: &mut Row,
        delimiter: char,
        mut bytes: usize,
    ) -> io::Result<bool> {
        let mut open = true;
        let mut taken = 0;
        while open && bytes < LONGEST_RECORD && taken < MOST_LINES {
            if taken == self.ahead.len() {
                let mut line = String::new();
                if !next_line(&mut self.reader, &mut line)? {
                    break;
                }
                self.ahead.push_back(line);
            }
            let line = &self.ahead[taken];
            row.text.push('\n');
            bytes += line.len() + 1;
            open = row.add(line, delimiter, true, true);
            taken += 1;
        }
        if open {
            self.single = taken;
            return Ok(false);
        }
        self.ahead.drain(..taken);
        self.number += taken as u64;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(text: &str) -> Vec<Vec<String>> {
        let mut lines = Lines::new(text.as_bytes());
        let (mut line, mut row, mut all) = (String::new(), Row::default(), Vec::new());
        while lines.next_record(&mut line, &mut row, ',').expect("readable") {
            all.push(row.cells().map(str::to_string).collect());
        }
        all
    }

    #[test]
    fn quotes_hold_delimiters_quotes_and_lines_together() {
        let text = "a,\"b,\"\"c\"\"\nd\",e\n,\n";
        assert_eq!(records(text), [vec!["a", "b,\"c\"\nd", "e"], vec!["", ""]]);
    }

    #[test]
    fn a_quote_that_is_never_closed_costs_one_record() {
        let text = format!("a,\"b\n{}", "c,d\n".repeat(5_000));
        let all = records(&text);
        assert_eq!(all.len(), 5_001);
        assert_eq!((all[0][1].as_str(), all[5_000][1].as_str()), ("\"b", "d"));
    }

    #[test]
    fn parted_cells_are_united() {
        let mut row = Row::default();
        for cell in ["1", "a", " b", "c", "é"] {
            row.push(cell);
        }
        row.unite(1, 2, ',');
        assert_eq!(row.cells().collect::<Vec<_>>(), ["1", "a, b,c", "é"]);
        row.unite(0, 9, ';');
        assert_eq!(row.cells().collect::<Vec<_>>(), ["1;a, b,c;é"]);
    }
}
