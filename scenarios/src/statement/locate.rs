//! Lines and columns of what was read, found in one pass as long as places come in order.

use super::draft::Draft;

/// A place in a text that is known already.
struct Known<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    column: usize,
}

impl Known<'_> {
    fn of(&mut self, at: usize) -> (usize, usize) {
        if at < self.at {
            (self.at, self.line, self.column) = (0, 1, 1);
        }
        for character in self.text.get(self.at..at).unwrap_or_default().chars() {
            if character == '\n' {
                (self.line, self.column) = (self.line + 1, 1);
            } else {
                self.column += 1;
            }
        }
        self.at = at.min(self.text.len());
        (self.line, self.column)
    }
}

/// Fills in the lines and columns of statements, notes and unresolved values.
pub(super) fn locate(text: &str, drafts: &mut [Draft]) {
    let begin = || Known { text, at: 0, line: 1, column: 1 };
    let (mut of_statements, mut of_notes, mut of_values) = (begin(), begin(), begin());
    for Draft { statement, .. } in drafts {
        (statement.line, statement.column) = of_statements.of(statement.span.start);
        statement.notes.sort_by_key(|note| note.span.start);
        for note in &mut statement.notes {
            (note.line, note.column) = of_notes.of(note.span.start);
        }
        statement.unresolved.sort_by_key(|value| value.span.start);
        for value in &mut statement.unresolved {
            (value.line, value.column) = of_values.of(value.span.start);
        }
    }
}
