//! What is wrong with a scenario: every problem of it, each with its place and a way out.

mod render;

use std::collections::BTreeSet;
use std::fmt;

use crate::place::{Place, Sources};

/// Most problems kept of one scenario; a file with more is not a scenario.
const MOST_KEPT: usize = 1000;

/// The sort of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ProblemKind {
    /// The text is not TOML.
    Syntax,
    /// A key or a table stands twice.
    DuplicateKey,
    /// A key or path that does not exist.
    UnknownKey,
    /// A key without which the scenario says nothing.
    MissingKey,
    /// Text for a number, a list for a text and the like.
    WrongType,
    /// A number that needs its unit.
    MissingUnit,
    /// Not one of the accepted values.
    NotAccepted,
    /// A value beyond its range.
    OutOfRange,
    /// A name with characters that names may not have.
    BadName,
    /// A device without a law.
    NoLaw,
    /// A device with two laws: two devices of one name.
    SeveralLaws,
    /// A value for another law than the device has.
    OtherLaw,
    /// A device that is named but not described.
    UnknownDevice,
    /// A device described by assignments only and used by nothing.
    UnusedDevice,
    /// A device that cannot do what it is named for.
    UnfitDevice,
    /// Compression is on, but what it makes of the data is not stated.
    NoCompression,
    /// A verification is asked for where nothing is kept.
    NotVerifiable,
    /// A restore is asked for where nothing is kept.
    NotRestorable,
    /// Options or settings that exclude each other.
    Contradiction,
    /// A path of a statement that leads to no device.
    NotMapped,
    /// A value that only the server knows, where it is needed.
    Unresolved,
    /// A statement that a scenario does not model.
    NotModelled,
    /// A table of jobs that cannot be read.
    Unreadable,
    /// Jobs that do not fit together: no such server, no such job, jobs that wait for each other.
    UnfitJob,
    /// Our own checker and reader disagree.
    Internal,
}

/// One problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The sort of problem.
    pub kind: ProblemKind,
    /// The file, the shipped scenario, the file of the library or the assignment it stands in.
    pub file: String,
    /// Line, from 1; absent in an assignment.
    pub line: Option<usize>,
    /// Column in characters, from 1; absent in an assignment.
    pub column: Option<usize>,
    /// The knob, with dots between keys; empty for the file as a whole.
    pub path: String,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What was found; empty if something is missing.
    pub found: String,
    /// What is accepted; empty if the message says it all.
    pub accepted: String,
    /// What to write instead.
    pub suggestion: Option<String>,
    place: Option<Place>,
}

impl Problem {
    pub(crate) fn new(kind: ProblemKind, place: Place, path: &str, message: String) -> Self {
        Problem {
            kind,
            file: String::new(),
            line: None,
            column: None,
            path: crate::words::shown(path),
            message,
            found: String::new(),
            accepted: String::new(),
            suggestion: None,
            place: Some(place),
        }
    }

    pub(crate) fn found(mut self, found: String) -> Self {
        self.found = found;
        self
    }

    pub(crate) fn accepted(mut self, accepted: impl Into<String>) -> Self {
        self.accepted = accepted.into();
        self
    }

    pub(crate) fn suggestion(mut self, suggestion: Option<String>) -> Self {
        self.suggestion = suggestion;
        self
    }

    /// The bytes of the text it stands in.
    pub(crate) fn span(&self) -> Option<std::ops::Range<usize>> {
        self.place.map(|place| place.start..place.end)
    }

    /// Fills in file, line and column from the place.
    fn located(mut self, sources: &Sources) -> Self {
        let Some((place, source)) =
            self.place.and_then(|place| sources.of(place).map(|source| (place, source)))
        else {
            return self;
        };
        if place.has_lines() {
            let (line, column) = source.line_and_column(place.start);
            self.file.clone_from(&source.name);
            (self.line, self.column) = (Some(line), Some(column));
        } else {
            self.file = format!("{} {}", source.name, source.text);
        }
        self
    }
}

impl fmt::Display for Problem {
    /// On one line: place, sentence, what is accepted, what to write.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let (Some(line), Some(column)) = (self.line, self.column) {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", self.message)?;
        if !self.accepted.is_empty() {
            write!(f, "; accepted: {}", self.accepted)?;
        }
        match &self.suggestion {
            Some(suggestion) => write!(f, "; did you mean {suggestion}?"),
            None => Ok(()),
        }
    }
}

/// Every problem of one scenario, with the texts they stand in.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Problems {
    sources: Sources,
    list: Vec<Problem>,
    /// Problems found beyond those kept.
    left_out: usize,
    seen: BTreeSet<(ProblemKind, Place, String)>,
}

impl Problems {
    pub(crate) fn of(sources: Sources) -> Self {
        Problems { sources, ..Problems::default() }
    }

    /// Adds the table of jobs to the texts that problems stand in.
    pub(crate) fn add_jobs(&mut self, name: &str, text: &str) {
        self.sources.add_jobs(name, text);
    }

    /// Where bytes of a text stand that is the value at a place; the whole value where it was
    /// written otherwise than it reads.
    pub(crate) fn within(&self, value: Place, text: &str, span: std::ops::Range<usize>) -> Place {
        let source = self.sources.of(value);
        let written = source.and_then(|source| source.text.get(value.start..value.end));
        let Some(at) = written.and_then(|written| written.find(text)) else { return value };
        let start = value.start + at;
        Place { start: start + span.start, end: start + span.end, ..value }
    }

    /// Keeps a problem, unless the same one is known already.
    pub(crate) fn report(&mut self, problem: Problem) {
        let last_key = problem.path.rsplit('.').next().unwrap_or("").to_string();
        let known =
            problem.place.is_some_and(|place| !self.seen.insert((problem.kind, place, last_key)));
        if known {
            return;
        }
        if self.list.len() == MOST_KEPT {
            self.left_out += 1;
            return;
        }
        self.list.push(problem.located(&self.sources));
    }

    /// The problems in the order of their places.
    pub(crate) fn sorted(mut self) -> Self {
        self.list.sort_by_key(|problem| problem.place);
        self
    }

    /// The problems, in the order of their places.
    pub fn iter(&self) -> impl Iterator<Item = &Problem> {
        self.list.iter()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len() + self.left_out
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The problems with the lines they stand in, at most 20 of them, in colour or plain.
    #[must_use]
    pub fn render(&self, colour: bool) -> String {
        render::render(self, colour)
    }
}

impl fmt::Display for Problems {
    /// One line a problem, at most 20 of them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.list.iter().take(render::MOST_SHOWN);
        for (index, problem) in shown.enumerate() {
            let line_break = if index == 0 { "" } else { "\n" };
            write!(f, "{line_break}{problem}")?;
        }
        match self.len().saturating_sub(render::MOST_SHOWN) {
            0 => Ok(()),
            more => write!(f, "\nand {more} more"),
        }
    }
}
