//! One value replaced by its path: `--set PATH=VALUE`, a variant, an axis of a sweep.

use std::fmt;

use crate::check::{LAWS, check_assignment, flag_meant};
use crate::error::ScenarioError;
use crate::path::{self, Target};
use crate::place::Place;
use crate::problem::{Problem, ProblemKind, Problems};
use crate::shape::{Kind, Shape};
use crate::tree::{self, Entry, Node, Origin, Table, Value};
use crate::words;

/// An assignment as the command line takes it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Set {
    /// The knob, e.g. `backup.buffer_count` or `device.d1.spindle.read_rate`.
    pub path: String,
    /// The value: TOML, or the plain text of it. `default` takes the value away.
    pub value: String,
}

impl Set {
    /// The assignment of `value` to `path`; both are checked when a scenario is loaded.
    #[must_use]
    pub fn new(path: impl Into<String>, value: impl Into<String>) -> Self {
        Set { path: path.into(), value: value.into() }
    }

    /// Reads `PATH=VALUE`.
    ///
    /// # Errors
    ///
    /// [`ScenarioError::NotAnAssignment`] if there is no `=`, or nothing before it.
    pub fn parse(text: &str) -> Result<Self, ScenarioError> {
        match text.split_once('=') {
            Some((path, value)) if !path.trim().is_empty() => {
                Ok(Set::new(path.trim(), value.trim()))
            }
            _ => Err(ScenarioError::NotAnAssignment { found: words::shown(text) }),
        }
    }

    /// What is wrong with it whatever the scenario: a path that leads nowhere, a value that its
    /// knob does not take.
    ///
    /// # Errors
    ///
    /// The [`Problem`].
    pub fn check(&self) -> Result<(), Box<Problem>> {
        let place = Place { source: 0, start: 0, end: self.path.len() };
        let target = path::resolve(&self.path, place)?;
        let node = read(&target, &self.value, Origin { source: 0, offset: place.end + 1 });
        check_assignment(&target, &node).map_or(Ok(()), |problem| Err(Box::new(problem)))
    }
}

impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.path, self.value)
    }
}

/// Applies the assignments in their order; a later one wins.
/// `first` is the index of the first among the sources.
pub(crate) fn apply(sets: &[Set], first: usize, root: &mut Table, problems: &mut Problems) {
    for (index, set) in sets.iter().enumerate() {
        if let Err(problem) = apply_one(set, first + index, root) {
            problems.report(*problem);
        }
    }
}

fn apply_one(set: &Set, source: usize, root: &mut Table) -> Result<(), Box<Problem>> {
    let key_place = Place { source, start: 0, end: set.path.len() };
    let target = path::resolve(&set.path, key_place)?;
    let origin = Origin { source, offset: set.path.len() + 1 };
    assign(root, &target, read(&target, &set.value, origin), key_place)
}

/// Applies the values of a variant.
pub(crate) fn apply_variant(set: &Table, root: &mut Table, problems: &mut Problems) {
    for assignment in path::assignments(set) {
        let done =
            assignment.and_then(|(target, node)| assign(root, &target, node.clone(), node.place));
        if let Err(problem) = done {
            problems.report(*problem);
        }
    }
}

/// Puts what a set says below `keys`, unless something is there; what takes a value away says
/// nothing.
pub(crate) fn fill_in(root: &mut Table, keys: &[&str], set: &Set, path: &str, place: Place) {
    let keys: Vec<&str> = keys.iter().copied().chain(path.split('.')).collect();
    if set.value == "default" || tree::find(root, &keys).is_some() {
        return;
    }
    let Some(shape) = path::shape_of(&keys) else { return };
    let keys: Vec<String> = keys.into_iter().map(str::to_string).collect();
    let target = Target { keys, shape };
    let mut node = read(&target, &set.value, Origin { source: place.source, offset: 0 });
    node.move_to(place);
    insert(root, &target.keys, node, place);
}

/// Puts a value where the path leads, or takes away what is there.
fn assign(
    root: &mut Table,
    target: &Target,
    node: Node,
    key_place: Place,
) -> Result<(), Box<Problem>> {
    refuse_other_law(root, target, key_place)?;
    if let Some(problem) = check_assignment(target, &node) {
        return Err(Box::new(problem));
    }
    let of_paths = target.keys.first().is_some_and(|key| key == "paths");
    let takes_away = match target.shape {
        Shape::Leaf(_) if of_paths => node.text() == Some("default"),
        Shape::Leaf(kind) => path::is_default(node.text(), kind),
        Shape::Table(_) | Shape::Named(_) => node.text() == Some("default"),
    };
    if takes_away {
        remove(root, &target.keys);
    } else {
        insert(root, &target.keys, node, key_place);
    }
    Ok(())
}

/// A value for `device.d1.spindle` says nothing about a `d1` that is a solid state drive.
pub(crate) fn refuse_other_law(
    root: &Table,
    target: &Target,
    place: Place,
) -> Result<(), Box<Problem>> {
    let [first, name, law, ..] = target.keys.as_slice() else { return Ok(()) };
    if first != "device" || !LAWS.contains(&law.as_str()) {
        return Ok(());
    }
    let device = tree::find(root, &["device", name]).and_then(Node::table);
    let has = |law: &&str| device.is_some_and(|table| table.contains_key(*law));
    if has(&law.as_str()) {
        return Ok(());
    }
    let Some(own) = LAWS.into_iter().find(|own| has(own)) else { return Ok(()) };
    let path = target.path();
    let message = format!("device `{}` is a `{own}`, not a `{law}`", words::shown(name));
    let same_key = target.keys.get(3).map(|key| format!("device.{name}.{own}.{key}"));
    let same_key = same_key.filter(|path| crate::knob::find(path).is_some());
    let problem = Problem::new(ProblemKind::OtherLaw, place, &path, message)
        .accepted(format!(
            "values of `device.{name}.{own}`; to make it a `{law}`, first set \
             `device.{name}.{own}=default`"
        ))
        .suggestion(same_key.map(|path| format!("`{path}`")));
    Err(Box::new(problem))
}

/// Puts a value where the keys lead.
pub(crate) fn insert(root: &mut Table, keys: &[String], node: Node, key_place: Place) {
    let Some((key, rest)) = keys.split_first() else { return };
    if rest.is_empty() {
        let key_place = root.get(key).map_or(key_place, |entry| entry.key_place);
        root.insert(key.clone(), Entry { key_place, node });
        return;
    }
    let entry = root.entry(key.clone()).or_insert_with(|| Entry {
        key_place,
        node: Node { value: Value::Table(Table::new()), place: key_place },
    });
    // What stands in the way is no table, which is a problem reported where it was written.
    if let Value::Table(table) = &mut entry.node.value {
        insert(table, rest, node, key_place);
    }
}

fn remove(root: &mut Table, keys: &[String]) {
    match keys {
        [] => {}
        [key] => {
            root.remove(key);
        }
        [key, rest @ ..] => {
            if let Some(Entry { node: Node { value: Value::Table(table), .. }, .. }) =
                root.get_mut(key)
            {
                remove(table, rest);
            }
        }
    }
}

/// The value as TOML if it parses as what the knob needs, else as text.
fn read(target: &Target, text: &str, origin: Origin) -> Node {
    let place =
        Place { source: origin.source, start: origin.offset, end: origin.offset + text.len() };
    let plain = |value| Node { value, place };
    let parsed = || tree::parse_value(text, origin);
    let value = match target.shape {
        _ if text == "default" => Value::Text(text.to_string()),
        Shape::Leaf(Kind::Flag) => match flag_meant(text) {
            Some(flag) => Value::Flag(flag),
            None => Value::Text(text.to_string()),
        },
        Shape::Leaf(Kind::Count { .. } | Kind::Number(_)) => match parsed() {
            Some(node) if !matches!(node.value, Value::Table(_) | Value::List(_)) => return node,
            _ => Value::Text(text.to_string()),
        },
        Shape::Leaf(Kind::Numbers { .. }) => {
            // As a list, with its bracket where the `=` is.
            let before = Origin { offset: origin.offset.saturating_sub(1), ..origin };
            let list = || tree::parse_value(&format!("[{text}]"), before);
            match parsed().filter(|node| matches!(node.value, Value::List(_))).or_else(list) {
                Some(node) => return node,
                None => Value::Text(text.to_string()),
            }
        }
        Shape::Leaf(Kind::Names { .. } | Kind::Paths { .. } | Kind::Jobs) => match parsed() {
            Some(node @ Node { value: Value::List(_), .. }) => return node,
            _ => Value::List(split(text, origin)),
        },
        Shape::Leaf(
            Kind::Text | Kind::Statement | Kind::Choice(_) | Kind::Quantity(_) | Kind::Assignments,
        ) => match parsed() {
            Some(node @ Node { value: Value::Text(_), .. }) => return node,
            _ => Value::Text(text.to_string()),
        },
        Shape::Table(_) | Shape::Named(_) => match parsed() {
            Some(node @ Node { value: Value::Table(_), .. }) => return node,
            _ => Value::Text(text.to_string()),
        },
    };
    plain(value)
}

/// `d1,d2` as a list of texts.
fn split(text: &str, origin: Origin) -> Vec<Node> {
    let mut items = Vec::new();
    let mut at = 0;
    for part in text.split(',') {
        let name = part.trim();
        let start = origin.offset + at + (part.len() - part.trim_start().len());
        let place = Place { source: origin.source, start, end: start + name.len() };
        at += part.len() + 1;
        if !name.is_empty() {
            let name = name.trim_matches('"').to_string();
            items.push(Node { value: Value::Text(name), place });
        }
    }
    items
}
