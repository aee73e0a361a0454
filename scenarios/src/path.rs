//! Paths of knobs, as `--set` and variants name them.

use std::collections::BTreeMap;

use crate::knob;
use crate::place::Place;
use crate::problem::{Problem, ProblemKind};
use crate::shape::{self, Kind, Shape};
use crate::tree::{Node, Table, Value};
use crate::words;

/// A path that exists.
#[derive(Debug)]
pub(crate) struct Target {
    /// The keys, names of devices and volumes among them.
    pub(crate) keys: Vec<String>,
    pub(crate) shape: &'static Shape,
}

impl Target {
    pub(crate) fn path(&self) -> String {
        self.keys.join(".")
    }
}

/// Where `path` leads.
pub(crate) fn resolve(path: &str, place: Place) -> Result<Target, Box<Problem>> {
    // What stands in `[paths]` has dots of its own.
    let keys: Vec<_> = match path.trim_start().split_once('.') {
        Some((first, rest)) if first.trim() == "paths" => vec!["paths", rest.trim()],
        _ => path.split('.').map(str::trim).collect(),
    };
    if keys.first() == Some(&"variant") {
        let message = "a variant is not set by path, it is chosen as NAME:VARIANT".to_string();
        return Err(Box::new(Problem::new(ProblemKind::UnknownKey, place, path, message)));
    }
    let mut shape = shape::scenario();
    for (depth, key) in keys.iter().enumerate() {
        shape = match shape {
            Shape::Named(item) if !key.is_empty() => item,
            other => match other.field(key) {
                Some(field) => &field.shape,
                None => return Err(Box::new(unknown(&keys, depth, other, place))),
            },
        };
    }
    let keys: Vec<_> = keys.into_iter().map(str::to_string).collect();
    Ok(Target { keys, shape })
}

/// The shape of what keys lead to, if they lead somewhere.
pub(crate) fn shape_of(keys: &[&str]) -> Option<&'static Shape> {
    keys.iter().try_fold(shape::scenario(), |shape, key| match shape {
        Shape::Named(item) => Some(&**item),
        other => other.field(key).map(|field| &field.shape),
    })
}

fn unknown(keys: &[&str], depth: usize, shape: &Shape, place: Place) -> Problem {
    let path = keys.join(".");
    let known: Vec<_> = match shape {
        Shape::Table(fields) => fields.iter().map(|field| field.key.as_str()).collect(),
        Shape::Named(_) | Shape::Leaf(_) => Vec::new(),
    };
    let near = words::nearest(keys[depth], known.iter().copied()).map(|near| {
        let rest = &keys[depth + 1..];
        [&keys[..depth], &[near], rest].concat().join(".")
    });
    let last = keys.last().copied().unwrap_or("");
    let near = near.or_else(|| knob::elsewhere(last).map(|knob| knob.path.clone()));
    let message = format!("there is no knob `{}`", words::shown(&path));
    let accepted = match shape {
        Shape::Table(_) if depth == 0 => format!("paths that begin with {}", words::listed(known)),
        Shape::Table(_) => {
            let begin = words::shown(&keys[..depth].join("."));
            format!("after `{begin}.`: {}", words::listed(known))
        }
        Shape::Named(_) => "a name after the dot".to_string(),
        Shape::Leaf(_) => {
            format!("`{}`, which has nothing below it", words::shown(&keys[..depth].join(".")))
        }
    };
    Problem::new(ProblemKind::UnknownKey, place, &path, message)
        .found(words::shown(&path))
        .accepted(accepted)
        .suggestion(near.map(|path| format!("`{path}`")))
}

/// One value of a variant and where it goes, or why it goes nowhere.
pub(crate) type Assignment<'a> = Result<(Target, &'a Node), Box<Problem>>;

/// The values of a variant's `set`. Keys may hold dots in quotes or be nested tables: both
/// `"backup.buffer_count" = 64` and `backup.buffer_count = 64`.
pub(crate) fn assignments<'a>(table: &'a Table) -> Vec<Assignment<'a>> {
    let mut found = Vec::new();
    collect(table, "", &mut found);
    let mut first: BTreeMap<String, Place> = BTreeMap::new();
    for (place, assignment) in &found {
        if let Ok((target, _)) = assignment {
            let first = first.entry(target.path()).or_insert(*place);
            *first = (*first).min(*place);
        }
    }
    let once = |(place, assignment): (Place, Assignment<'a>)| {
        let (target, node) = assignment?;
        let path = target.path();
        if first.get(&path) == Some(&place) {
            return Ok((target, node));
        }
        let message = format!("`{}` stands twice", words::shown(&path));
        let problem = Problem::new(ProblemKind::DuplicateKey, place, &path, message);
        Err(Box::new(problem.found(words::shown(&path)).accepted("each knob once")))
    };
    found.into_iter().map(once).collect()
}

fn collect<'a>(table: &'a Table, before: &str, found: &mut Vec<(Place, Assignment<'a>)>) {
    for (key, entry) in table {
        let path = if before.is_empty() { key.clone() } else { format!("{before}.{key}") };
        match &entry.node.value {
            Value::Table(inner) if !inner.is_empty() => collect(inner, &path, found),
            _ => {
                let target = resolve(&path, entry.key_place);
                found.push((entry.key_place, target.map(|target| (target, &entry.node))));
            }
        }
    }
}

/// Whether a value takes the knob away instead of setting it. A text may be called "default".
pub(crate) fn is_default(text: Option<&str>, kind: &Kind) -> bool {
    text == Some("default") && *kind != Kind::Text
}
