//! A statement while it is read, with the place of everything that rules may find fault with.

use std::collections::BTreeMap;
use std::ops::Range;

use super::MOST_PROBLEMS;
use super::model::{Note, Statement, StatementForm, StatementKind, Target, Unresolved};
use crate::place::{FILE, Place};
use crate::problem::{Problem, ProblemKind, Problems};
use crate::words;

/// Most of a written value that a message repeats.
const MOST_REPEATED: usize = 256;

/// A statement while it is read.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    pub(super) statement: Statement,
    /// Where each option stands, by its name.
    pub(super) options: BTreeMap<String, Range<usize>>,
}

/// A problem at a span of the text.
pub(super) fn problem(
    kind: ProblemKind,
    span: &Range<usize>,
    path: &str,
    message: impl Into<String>,
) -> Problem {
    let place = Place { source: FILE, start: span.start, end: span.end };
    Problem::new(kind, place, path, message.into())
}

/// Whether a text has so many problems that reading on says nothing more.
pub(super) fn is_hopeless(problems: &Problems) -> bool {
    problems.len() >= MOST_PROBLEMS
}

impl Draft {
    pub(super) fn new(form: StatementForm, kind: StatementKind, span: Range<usize>) -> Self {
        let statement = Statement {
            form,
            kind,
            words: String::new(),
            database: None,
            parts: Vec::new(),
            targets: Vec::new(),
            mirrors: Vec::new(),
            compression: None,
            algorithm: None,
            level: None,
            buffer_count: None,
            transfer_size: None,
            block_size: None,
            checksum: None,
            copy_only: false,
            differential: false,
            snapshot: false,
            encryption: None,
            credential: None,
            stats: None,
            verify: None,
            notes: Vec::new(),
            unresolved: Vec::new(),
            line: 1,
            column: 1,
            span,
        };
        Draft { statement, options: BTreeMap::new() }
    }

    pub(super) fn note(&mut self, span: &Range<usize>, text: impl Into<String>) {
        let note = Note { text: text.into(), line: 1, column: 1, span: span.clone() };
        self.statement.notes.push(note);
    }

    /// Notes a value that only the server knows.
    pub(super) fn unresolved(&mut self, what: &str, value: &str, span: &Range<usize>) {
        self.statement.unresolved.push(Unresolved {
            what: what.to_string(),
            value: words::shown(value),
            line: 1,
            column: 1,
            span: span.clone(),
        });
    }

    /// Enters an option; reports one that stands twice.
    pub(super) fn enter(&mut self, name: &str, span: &Range<usize>, problems: &mut Problems) {
        if self.options.contains_key(name) {
            let message = format!("`{name}` stands twice");
            let twice = problem(ProblemKind::Contradiction, span, name, message);
            problems.report(twice.found(name.to_string()).accepted("each option once"));
        } else {
            self.options.insert(name.to_string(), span.clone());
        }
    }

    /// Where an option stands, or the statement if it does not.
    pub(super) fn place_of(&self, name: &str) -> Range<usize> {
        self.options.get(name).unwrap_or(&self.statement.span).clone()
    }

    /// Every target, those of mirrors too.
    pub(super) fn all_targets(&self) -> impl Iterator<Item = &Target> {
        self.statement.targets.iter().chain(self.statement.mirrors.iter().flatten())
    }
}

/// A whole number as it was written; reports one that is none.
pub(super) fn whole(
    name: &str,
    text: &str,
    span: &Range<usize>,
    problems: &mut Problems,
) -> Option<u64> {
    if let Ok(number) = text.trim().parse() {
        return Some(number);
    }
    let shown = words::shown(text.get(..MOST_REPEATED).unwrap_or(text));
    let message = format!("`{name}` is a whole number, found `{shown}`");
    let digits: String = text.chars().take(20).filter(char::is_ascii_digit).collect();
    let meant = (!digits.is_empty() && digits.len() < 10).then_some(digits);
    let wrong = problem(ProblemKind::WrongType, span, name, message)
        .found(shown)
        .accepted("a whole number without unit: sizes are in bytes")
        .suggestion(meant.map(|digits| format!("`{name} = {digits}`")));
    problems.report(wrong);
    None
}
