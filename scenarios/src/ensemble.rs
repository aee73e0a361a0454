//! An ensemble as written, and how it fits the rest of the scenario.
//!
//! What is stated is not uncertain: a knob that a variant or an assignment sets takes no value of
//! the ensemble. What is left is put into the scenario and checked there, as assignments are. Of
//! the checks that span several values only a few can tell one member from another; these are
//! made for every member, the others once for all.

use std::collections::BTreeSet;

use crate::check;
use crate::library::stated_by_like;
use crate::path::{self, Target};
use crate::place::Place;
use crate::problem::{Problem, ProblemKind, Problems};
use crate::schema::{is_stated, keys_of};
use crate::set::{self, Set};
use crate::shape::{self, Shape};
use crate::tree::{self, Node, Table, Value};
use crate::words;

/// A parameter as written.
pub(crate) struct Parameter<'a> {
    pub(crate) name: &'a str,
    pub(crate) paths: &'a [Node],
    unit: &'a str,
    /// Where its unit stands, or its name if it has none.
    pub(crate) unit_place: Place,
    pub(crate) list: Option<&'a Node>,
}

/// One knob that takes values of the ensemble.
pub(crate) struct Line<'a> {
    keys: Vec<&'a str>,
    path: &'a Node,
    pub(crate) unit: &'a str,
    pub(crate) values: &'a [Node],
}

/// The parameters of the table `[ensemble]`, in the order in which they were written.
pub(crate) fn parameters(ensemble: &Table) -> Vec<Parameter<'_>> {
    let entries = tree::entries_in_order(ensemble, "parameter").into_iter();
    entries
        .filter_map(|(name, entry)| {
            let table = entry.node.table()?;
            let node = |key: &str| table.get(key).map(|entry| &entry.node);
            let unit = node("unit");
            Some(Parameter {
                name,
                paths: node("paths").map_or(&[][..], Node::items),
                unit: unit.and_then(Node::text).unwrap_or_default(),
                unit_place: unit.map_or(entry.key_place, |unit| unit.place),
                list: node("values").filter(|node| matches!(node.value, Value::List(_))),
            })
        })
        .collect()
}

impl<'a> Parameter<'a> {
    /// What one of its paths takes.
    pub(crate) fn line(&self, path: &'a Node) -> Line<'a> {
        Line {
            keys: keys_of(path.text().unwrap_or_default()),
            path,
            unit: self.unit,
            values: self.list.map_or(&[][..], Node::items),
        }
    }
}

impl Line<'_> {
    /// One of its values as an assignment would write it, in its own place; nothing if it is no
    /// number.
    pub(crate) fn node(&self, value: &Node) -> Option<Node> {
        let number = value.number()?;
        let whole = number.fract() == 0.0 && number.abs() < 9e15;
        let written = match self.unit {
            "" if whole => Value::Integer(number as i64),
            "" => Value::Float(number),
            unit => Value::Text(format!("{number} {unit}")),
        };
        Some(Node { value: written, place: value.place })
    }

    /// Its least and its largest value.
    fn extremes(&self) -> Option<[Node; 2]> {
        let numbers = || self.values.iter().filter(|value| value.number().is_some());
        let order = |a: &&Node, b: &&Node| {
            let of = |node: &Node| node.number().unwrap_or_default();
            of(a).total_cmp(&of(b))
        };
        let (least, largest) = (numbers().min_by(order)?, numbers().max_by(order)?);
        Some([self.node(least)?, self.node(largest)?])
    }
}

/// The paths that a variant and assignments set.
pub(crate) fn stated(root: &Table, variant: Option<&str>, sets: &[Set]) -> Vec<Vec<String>> {
    let set = variant.and_then(|variant| tree::find(root, &["variant", variant, "set"]));
    let of_variant = set.and_then(Node::table).map(path::assignments).unwrap_or_default();
    let of_variant = of_variant.into_iter().flatten();
    let of_variant = of_variant.flat_map(|(target, _)| stated_by_like(target.keys));
    of_variant.chain(sets.iter().flat_map(stated_by)).collect()
}

/// The paths that an assignment sets.
pub(crate) fn stated_by(set: &Set) -> Vec<Vec<String>> {
    stated_by_like(keys_of(&set.path).into_iter().map(str::to_string).collect())
}

/// Whether values of a knob may or may not fit those of others: rates of a burst, the sum of sizes.
/// They have to be checked again when others change.
pub(crate) fn spans(keys: &[&str]) -> bool {
    keys.contains(&"capped") || keys.last() == Some(&"size")
}

/// The knobs that take values of the ensemble where these are set otherwise.
fn lines<'a>(ensemble: &'a Table, stated: &[Vec<String>]) -> Vec<Line<'a>> {
    let parameters = parameters(ensemble).into_iter();
    let lines = parameters.flat_map(|parameter| {
        let paths = parameter.paths.iter();
        paths.map(|path| parameter.line(path)).collect::<Vec<_>>()
    });
    lines.filter(|line| !is_stated(&line.keys, stated)).collect()
}

/// Reports what of the ensemble does not fit the rest of the scenario, which may have problems of
/// its own.
pub(crate) fn fit(root: &Table, ensemble: &Table, stated: &[Vec<String>], problems: &mut Problems) {
    let lines = lines(ensemble, stated);
    // Reported where the ensemble is checked by itself.
    if lines.iter().map(|line| line.values.len()).sum::<usize>() > check::MOST_VALUES {
        return;
    }
    let mut least = root.clone();
    least.remove("ensemble");
    least.remove("variant");
    let mut largest = least.clone();
    for line in &lines {
        let Ok(target) = path::resolve(line.path.text().unwrap_or_default(), line.path.place)
        else {
            continue;
        };
        let (keys, place) = (&target.keys, line.path.place);
        let unfit = unknown_name(root, &target, place)
            .or_else(|| set::refuse_other_law(root, &target, place).err().map(|problem| *problem));
        if let Some(problem) = unfit {
            problems.report(problem);
        } else if let Some([low, high]) = line.extremes()
            // Reported already, where the ensemble is checked by itself.
            && [&low, &high].iter().all(|node| check::check_assignment(&target, node).is_none())
        {
            set::insert(&mut least, keys, low, place);
            set::insert(&mut largest, keys, high, place);
        }
    }
    check::check(&least, problems);
    check::check(&largest, problems);
    bursts(root, &lines, problems);
}

/// A device, volume or job that is not there.
fn unknown_name(root: &Table, target: &Target, place: Place) -> Option<Problem> {
    let (mut shape, mut table) = (shape::scenario(), Some(root));
    for (depth, key) in target.keys.iter().enumerate() {
        let entry = table.and_then(|table| table.get(key));
        shape = match shape {
            Shape::Named(item) => {
                if entry.is_none() {
                    return Some(unknown(table, target, depth, place));
                }
                item
            }
            other => &other.field(key)?.shape,
        };
        table = entry.and_then(|entry| entry.node.table());
    }
    None
}

fn unknown(table: Option<&Table>, target: &Target, depth: usize, place: Place) -> Problem {
    let names: Vec<_> = table.into_iter().flatten().map(|(name, _)| name.as_str()).collect();
    let (keys, path) = (&target.keys, target.path());
    let near = keys.get(depth).and_then(|key| words::nearest(key, names.iter().copied()));
    let near = near.map(|near| {
        let mut keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        keys[depth] = near;
        format!("`{}`", keys.join("."))
    });
    let above = keys[..depth].join(".");
    let message = format!("there is no `{}`", words::shown(&keys[..=depth].join(".")));
    let accepted = if names.is_empty() {
        format!("names that stand below `{above}`: there are none")
    } else {
        format!("after `{above}.`: {}", words::listed(names))
    };
    let kind = if above == "device" { ProblemKind::UnknownDevice } else { ProblemKind::UnknownKey };
    Problem::new(kind, place, &path, message)
        .found(words::shown(&path))
        .accepted(accepted)
        .suggestion(near)
}

/// Bursts that some member makes slower than what is always allowed.
fn bursts(root: &Table, lines: &[Line<'_>], problems: &mut Problems) {
    let rates: Vec<_> = lines
        .iter()
        .filter(|line| {
            let keys = &line.keys;
            matches!(keys[..], ["device", _, "capped", "rate"])
                || matches!(keys[..], ["device", _, "capped", "burst", "rate"])
        })
        .collect();
    let devices: BTreeSet<&str> = rates.iter().map(|line| line.keys[1]).collect();
    for name in devices {
        let of_device = || rates.iter().filter(|line| line.keys[1] == name);
        let Some(device) = tree::find(root, &["device", name]).and_then(Node::table) else {
            continue;
        };
        if tree::find(device, &["capped", "burst", "rate"]).is_none() {
            continue;
        }
        let mut device = device.clone();
        let members = of_device().map(|line| line.values.len()).min().unwrap_or(0);
        for member in 0..members {
            for line in of_device() {
                let keys: Vec<_> = line.keys[2..].iter().map(|key| (*key).to_string()).collect();
                if let Some(node) = line.values.get(member).and_then(|value| line.node(value)) {
                    set::insert(&mut device, &keys, node, line.path.place);
                }
            }
            if let Some(problem) = check::burst_below_rate(name, &device) {
                problems.report(problem);
            }
        }
    }
}
