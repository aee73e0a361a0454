//! Each key and value by itself: unknown keys, missing keys, values of the wrong sort.

use super::value::check_leaf;
use crate::knob;
use crate::path::{self, Target};
use crate::place::{FILE, Place};
use crate::problem::{Problem, ProblemKind, Problems};
use crate::shape::{Field, Kind, Shape};
use crate::tree::{Node, Table, Value};
use crate::words;

/// Longest name of a device, volume or variant.
const LONGEST_NAME: usize = 64;

/// Longest beginning of a path.
const LONGEST_PATH: usize = 259;

/// Names that results give to stations that are no devices, and what those are.
const STATIONS: [(&str, &str); 2] = [
    ("processor", "results call the processors of the host so"),
    ("buffers", "results call the backup buffers so"),
];

/// A walk down a tree along its shape.
pub(super) struct Walk<'a> {
    problems: &'a mut Problems,
    /// Keys from the root to here.
    keys: Vec<String>,
    /// What an entry that only assignments wrote was probably meant to be.
    meant: Option<String>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(problems: &'a mut Problems) -> Self {
        Walk { problems, keys: Vec::new(), meant: None }
    }

    fn path(&self) -> String {
        self.keys.join(".")
    }

    fn path_to(&self, key: &str) -> String {
        self.keys.iter().map(String::as_str).chain([key]).collect::<Vec<_>>().join(".")
    }

    fn node(&mut self, shape: &Shape, node: &Node, key: &str, key_place: Place) {
        self.keys.push(key.to_string());
        match (shape, &node.value) {
            (Shape::Leaf(Kind::Assignments), Value::Table(table)) => {
                check_assignments(table, self.problems);
            }
            (Shape::Leaf(kind), _) => {
                if let Some(problem) = check_leaf(kind, node, &self.path()) {
                    self.problems.report(problem);
                }
            }
            (Shape::Table(_), Value::Table(table)) => self.table(shape, table, key_place),
            (Shape::Named(item), Value::Table(table)) => self.named(item, table),
            (Shape::Table(_) | Shape::Named(_), _) => {
                let problem = table_expected(&self.path(), node, shape);
                self.problems.report(problem);
            }
        }
        self.keys.pop();
    }

    /// A table whose keys are known; `place` is where it begins.
    pub(super) fn table(&mut self, shape: &Shape, table: &Table, place: Place) {
        let Shape::Table(fields) = shape else { return };
        for (key, entry) in table {
            match shape.field(key) {
                Some(field) => self.node(&field.shape, &entry.node, key, entry.key_place),
                None => self.unknown_key(fields, key, entry.key_place),
            }
        }
        for field in fields.iter().filter(|field| field.required) {
            if !table.contains_key(&field.key) {
                self.missing_key(field, place);
            }
        }
    }

    /// A table of entries with names of the user's.
    fn named(&mut self, item: &Shape, table: &Table) {
        for (name, entry) in table {
            let of_paths = self.keys.first().is_some_and(|key| key == "paths");
            if of_paths && !is_beginning(name) {
                self.bad_beginning(name, entry.key_place);
            }
            let of_variant = self.keys.first().is_some_and(|key| key == "variant");
            if !of_paths && !is_name(name, of_variant) {
                self.bad_name(name, entry.key_place);
            }
            let of_device = self.keys.first().is_some_and(|key| key == "device");
            let station = STATIONS.iter().find(|(station, _)| of_device && *station == name);
            if let Some((_, reason)) = station {
                self.name_of_station(name, reason, entry.key_place);
            }
            if entry.key_place.is_assigned() {
                let written = table.iter().filter(|(_, other)| other.key_place.source == FILE);
                let near = words::nearest(name, written.map(|(name, _)| name.as_str()));
                self.meant = near.map(|near| format!("`{}`", self.path_to(near)));
            }
            self.node(item, &entry.node, name, entry.key_place);
            self.meant = None;
        }
    }

    fn unknown_key(&mut self, fields: &[Field], key: &str, place: Place) {
        let known: Vec<_> = fields.iter().map(|field| field.key.as_str()).collect();
        let near = words::nearest(key, known.iter().copied()).map(|near| self.path_to(near));
        let elsewhere = || knob::elsewhere(key).map(|knob| knob.path.clone());
        let path = self.path_to(key);
        let inside = match self.keys.last() {
            Some(_) => format!("in `{}`", words::shown(&self.path())),
            None => "at the top of a scenario".to_string(),
        };
        let message = format!("unknown key `{}` {inside}", words::shown(key));
        let problem = Problem::new(ProblemKind::UnknownKey, place, &path, message)
            .found(words::shown(key))
            .accepted(words::listed(known))
            .suggestion(near.or_else(elsewhere).map(|path| format!("`{path}`")));
        self.problems.report(problem);
    }

    fn missing_key(&mut self, field: &Field, place: Place) {
        let path = self.path_to(&field.key);
        let comment = field.comment.trim_end_matches('.');
        let message = format!("`{}` is missing: {comment}", words::shown(&path));
        let accepted = match &field.shape {
            Shape::Leaf(kind) => kind.accepted(),
            Shape::Table(_) => format!("a table `[{path}]`"),
            Shape::Named(_) => format!("at least one table `[{path}.NAME]`"),
        };
        let problem = Problem::new(ProblemKind::MissingKey, place, &path, message)
            .accepted(accepted)
            .suggestion(self.meant.clone());
        self.problems.report(problem);
    }

    fn bad_name(&mut self, name: &str, place: Place) {
        let message = format!("`{}` cannot be a name", words::shown(name));
        let problem = Problem::new(ProblemKind::BadName, place, &self.path_to(name), message)
            .found(words::shown(name))
            .accepted(format!("1 to {LONGEST_NAME} letters, digits, `_` and `-`"));
        self.problems.report(problem);
    }

    fn bad_beginning(&mut self, name: &str, place: Place) {
        let message = format!("no path begins with `{}`", words::shown(name));
        let problem = Problem::new(ProblemKind::BadName, place, &self.path_to(name), message)
            .found(words::shown(name))
            .accepted(format!("1 to {LONGEST_PATH} characters, e.g. `E:`, `\\\\server\\share`"));
        self.problems.report(problem);
    }

    fn name_of_station(&mut self, name: &str, reason: &str, place: Place) {
        let message = format!("a device cannot be called `{name}`: {reason}");
        let problem = Problem::new(ProblemKind::BadName, place, &self.path_to(name), message)
            .found(name.to_string())
            .accepted("any other name");
        self.problems.report(problem);
    }
}

/// A value where a table should be.
pub(super) fn table_expected(path: &str, node: &Node, shape: &Shape) -> Problem {
    let message = format!("`{}` is a table, found {}", words::shown(path), node.sort());
    let accepted = match shape {
        Shape::Table(fields) if fields.is_empty() => "an empty table `{}`".to_string(),
        Shape::Table(fields) => {
            format!("keys {}", words::listed(fields.iter().map(|field| field.key.as_str())))
        }
        Shape::Named(_) | Shape::Leaf(_) => "tables with names of your own".to_string(),
    };
    Problem::new(ProblemKind::WrongType, node.place, path, message)
        .found(node.shown())
        .accepted(accepted)
}

/// Names have no dot (paths would be ambiguous), but those of variants, which paths never name.
fn is_name(name: &str, of_variant: bool) -> bool {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-') || (of_variant && c == '.');
    !name.is_empty() && name.chars().count() <= LONGEST_NAME && name.chars().all(fits)
}

/// Whether a path may begin so.
fn is_beginning(name: &str) -> bool {
    let length = name.chars().count();
    !name.trim().is_empty() && length <= LONGEST_PATH && !name.chars().any(words::is_hidden)
}

/// The values of a variant, each by itself.
pub(crate) fn check_assignments(table: &Table, problems: &mut Problems) {
    for assignment in path::assignments(table) {
        let problem = match assignment {
            Ok((target, node)) => check_assignment(&target, node),
            Err(problem) => Some(*problem),
        };
        if let Some(problem) = problem {
            problems.report(problem);
        }
    }
}

/// What is wrong with one value for one path, taken by itself.
pub(crate) fn check_assignment(target: &Target, node: &Node) -> Option<Problem> {
    match target.shape {
        Shape::Leaf(kind) if path::is_default(node.text(), kind) => None,
        Shape::Leaf(kind) => check_leaf(kind, node, &target.path()),
        Shape::Table(_) | Shape::Named(_) => {
            let fits = node.table().is_some() || node.text() == Some("default");
            (!fits).then(|| table_expected(&target.path(), node, target.shape))
        }
    }
}
