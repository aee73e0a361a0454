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
            buffer_count_place: None,
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

    /// The statement, which knows where its BUFFERCOUNT stands.
    pub(super) fn finished(self) -> Statement {
        let buffer_count_place = self.options.get("BUFFERCOUNT").cloned();
        Statement { buffer_count_place, ..self.statement }
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
    let is_size = name.to_uppercase().ends_with("SIZE");
    let accepted = if is_size {
        "a whole number of bytes without unit, e.g. 4194304 for 4 MiB"
    } else {
        "a whole number without unit"
    };
    let meant = meant(text.trim()).filter(|_| is_size);
    let wrong = problem(ProblemKind::WrongType, span, name, message).found(shown);
    let wrong = wrong.accepted(accepted);
    problems.report(wrong.suggestion(meant.map(|bytes| format!("`{name} = {bytes}`"))));
    None
}

/// The bytes of a size written otherwise: `4MB`, `4194304.0`, `0x400000`.
fn meant(text: &str) -> Option<u64> {
    let text = text.to_ascii_lowercase();
    if let Some(digits) = text.strip_prefix("0x") {
        return u64::from_str_radix(digits, 16).ok();
    }
    let end = text.find(|c: char| !c.is_ascii_digit())?;
    let (digits, unit) = text.split_at(end);
    let scale = match unit.trim() {
        "k" | "kb" | "kib" => 1 << 10,
        "m" | "mb" | "mib" => 1 << 20,
        fraction if fraction.strip_prefix('.')?.bytes().all(|digit| digit == b'0') => 1,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(scale)
}
