//! Where a value was written: a range of bytes in the scenario file or in an assignment.

use std::sync::LazyLock;

use crate::library::{ALGORITHMS_FILE, DEVICES_FILE};

/// A range of bytes in one of the [`Sources`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) source: usize,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// One text that values come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Source {
    /// A file name, the name of a shipped scenario, or `--set`.
    pub(crate) name: String,
    pub(crate) text: String,
    /// Where each line begins.
    lines: Vec<usize>,
}

/// All texts of one scenario: the file first, then the assignments.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Sources {
    texts: Vec<Source>,
    /// The table of its jobs.
    jobs: Option<Source>,
}

/// Index of the scenario file among the sources.
pub(crate) const FILE: usize = 0;
/// Index of the table of jobs, which is a file of its own.
pub(crate) const JOBS: usize = usize::MAX - 2;
/// Index of the devices of the library, which are no text of the scenario.
pub(crate) const DEVICES: usize = usize::MAX - 1;
/// Index of the algorithms of the library.
pub(crate) const ALGORITHMS: usize = usize::MAX;

/// The texts of the library.
static LIBRARY: LazyLock<[Source; 2]> =
    LazyLock::new(|| [DEVICES_FILE, ALGORITHMS_FILE].map(|(name, text)| Source::new(name, text)));

impl Source {
    fn new(name: &str, text: &str) -> Self {
        let after_breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let lines = std::iter::once(0).chain(after_breaks.map(|(at, _)| at + 1)).collect();
        Source { name: name.to_string(), text: text.to_string(), lines }
    }

    /// Index of the line that holds the byte at `at`.
    fn line_index(&self, at: usize) -> usize {
        self.lines.partition_point(|start| *start <= at).saturating_sub(1)
    }

    /// Line and column of a byte, both counted from 1; columns count characters.
    pub(crate) fn line_and_column(&self, at: usize) -> (usize, usize) {
        let line = self.line_index(at);
        let start = self.lines.get(line).copied().unwrap_or(0);
        let column = self.text.get(start..at).map_or(0, |before| before.chars().count());
        (line + 1, column + 1)
    }

    /// The bytes of the line that holds the byte at `at`, without its line break.
    pub(crate) fn line_range(&self, at: usize) -> std::ops::Range<usize> {
        let line = self.line_index(at);
        let start = self.lines.get(line).copied().unwrap_or(0);
        let end = self.lines.get(line + 1).map_or(self.text.len(), |next| next - 1);
        start..end.max(start)
    }
}

impl Place {
    /// Whether it lies in a file, of which lines can be told, and not in an assignment.
    pub(crate) fn has_lines(self) -> bool {
        matches!(self.source, FILE | JOBS | DEVICES | ALGORITHMS)
    }

    /// Whether it lies in an assignment.
    pub(crate) fn is_assigned(self) -> bool {
        !self.has_lines()
    }
}

impl Sources {
    /// Adds a text; returns its index.
    pub(crate) fn add(&mut self, name: &str, text: &str) -> usize {
        self.texts.push(Source::new(name, text));
        self.texts.len() - 1
    }

    /// Adds the table of jobs.
    pub(crate) fn add_jobs(&mut self, name: &str, text: &str) {
        self.jobs = Some(Source::new(name, text));
    }

    /// The text a place lies in.
    pub(crate) fn of(&self, place: Place) -> Option<&Source> {
        match place.source {
            DEVICES => Some(&LIBRARY[0]),
            ALGORITHMS => Some(&LIBRARY[1]),
            JOBS => self.jobs.as_ref(),
            source => self.texts.get(source),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one_and_in_characters() {
        let source = Source::new("x.toml", "a\nµb = 1\r\n\nc");
        assert_eq!(source.line_and_column(0), (1, 1));
        assert_eq!(source.line_and_column(2), (2, 1));
        assert_eq!(source.line_and_column(4), (2, 2));
        assert_eq!(source.line_and_column(source.text.len()), (4, 2));
        assert_eq!(&source.text[source.line_range(4)], "µb = 1\r");
        assert_eq!(&source.text[source.line_range(source.text.len())], "c");
    }
}
