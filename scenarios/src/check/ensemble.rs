//! The ensemble by itself: paths that lead to numbers, values that these accept, lists of one
//! length.

use std::collections::BTreeMap;

use super::value::check_leaf;
use crate::ensemble::{Line, parameters};
use crate::path::{self, Target};
use crate::place::Place;
use crate::problem::{Problem, ProblemKind, Problems};
use crate::shape::{Kind, Shape};
use crate::tree::{Node, Table, Value};
use crate::words;

/// Most values, each counted once for every path that takes it: each is checked.
pub(crate) const MOST_VALUES: usize = 1 << 16;

/// Reports every problem of the ensemble itself.
pub(super) fn check(root: &Table, problems: &mut Problems) {
    let Some(ensemble) = root.get("ensemble").and_then(|entry| entry.node.table()) else { return };
    let mut check = Ensemble { owners: BTreeMap::new(), first: None, values: 0, problems };
    for parameter in parameters(ensemble) {
        check.length(parameter.name, parameter.list);
        for path in parameter.paths {
            check.line(&parameter.line(path), path, parameter.name, parameter.unit_place);
        }
    }
}

struct Ensemble<'a> {
    /// The parameter each path belongs to.
    owners: BTreeMap<String, &'a str>,
    /// The first parameter and how many values it has.
    first: Option<(&'a str, usize)>,
    values: usize,
    problems: &'a mut Problems,
}

impl<'a> Ensemble<'a> {
    /// Every list as long as the first.
    fn length(&mut self, name: &'a str, list: Option<&Node>) {
        let Some(list) = list else { return };
        let found = list.items().len();
        let (first, length) = *self.first.get_or_insert((name, found));
        if found == length {
            return;
        }
        let path = format!("ensemble.parameter.{name}.values");
        let message = format!("`{path}` has {found} values, those of `{first}` are {length}");
        let problem = Problem::new(ProblemKind::OutOfRange, list.place, &path, message);
        let accepted = format!("{length} values, one for each member, as `{first}` has");
        self.problems.report(problem.found(format!("{found} values")).accepted(accepted));
    }

    /// One path and the values it takes.
    fn line(&mut self, line: &Line<'_>, path: &Node, owner: &'a str, unit: Place) {
        let Some(text) = path.text() else { return };
        let target = match path::resolve(text, path.place) {
            Ok(target) => target,
            Err(problem) => return self.problems.report(*problem),
        };
        let Shape::Leaf(kind) = target.shape else {
            return self.no_number(&target, path, "it is a table");
        };
        if !kind.is_number() {
            return self.no_number(&target, path, &format!("it takes {}", kind.accepted()));
        }
        self.owned_once(&target, path, owner);
        let before = self.values;
        self.values += line.values.len();
        if self.values > MOST_VALUES {
            if before <= MOST_VALUES {
                self.too_many(path, owner);
            }
            return;
        }
        self.values_of(line, kind, &target, owner, unit);
    }

    /// What is wrong with its values; what is wrong with their unit is said once.
    fn values_of(
        &mut self,
        line: &Line<'_>,
        kind: &Kind,
        target: &Target,
        owner: &str,
        unit: Place,
    ) {
        let path = target.path();
        for value in line.values {
            let Some(node) = line.node(value) else {
                self.no_value(value, owner);
                continue;
            };
            let Some(problem) = check_leaf(kind, &node, &path) else { continue };
            let is_unit = kind.units().any(|unit| unit == line.unit);
            let is_plain = line.unit.is_empty() && !kind.has_unit();
            if is_unit || is_plain || problem.kind == ProblemKind::OutOfRange {
                self.problems.report(problem);
                continue;
            }
            self.problems.report(of_unit(&problem, line.unit, kind, owner, unit));
            return;
        }
    }

    fn no_value(&mut self, value: &Node, owner: &str) {
        let alone = Node { value: Value::List(vec![value.clone()]), ..*value };
        let kind = Kind::Numbers { min: 1, max: usize::MAX };
        let path = format!("ensemble.parameter.{owner}.values");
        if let Some(problem) = check_leaf(&kind, &alone, &path) {
            self.problems.report(problem.accepted("a number"));
        }
    }

    fn no_number(&mut self, target: &Target, path: &Node, reason: &str) {
        let target = words::shown(&target.path());
        let message = format!("`{target}` is no number: {reason}");
        let problem = Problem::new(ProblemKind::NotAccepted, path.place, &target, message)
            .found(path.shown())
            .accepted("paths of knobs that take a number, with or without a unit");
        self.problems.report(problem);
    }

    fn owned_once(&mut self, target: &Target, path: &Node, owner: &'a str) {
        let target = target.path();
        let Some(other) = self.owners.insert(target.clone(), owner) else { return };
        let target = words::shown(&target);
        let message = if other == owner {
            format!("`{target}` stands twice among the paths of `{owner}`")
        } else {
            format!("`{target}` takes values of two parameters, `{other}` and `{owner}`")
        };
        let problem = Problem::new(ProblemKind::DuplicateKey, path.place, &target, message);
        self.problems.report(problem.found(path.shown()).accepted("each knob once"));
    }

    fn too_many(&mut self, path: &Node, owner: &str) {
        let named = format!("ensemble.parameter.{owner}.paths");
        let message = format!(
            "the ensemble has more than {MOST_VALUES} values, counted once for each path they go to"
        );
        let problem = Problem::new(ProblemKind::OutOfRange, path.place, &named, message);
        self.problems.report(problem.accepted("fewer members, or fewer paths"));
    }
}

/// What is wrong with the unit of a parameter, as its first value shows.
fn of_unit(value: &Problem, found: &str, kind: &Kind, owner: &str, place: Place) -> Problem {
    let (named, path) = (format!("ensemble.parameter.{owner}.unit"), &value.path);
    let shown = words::shown(found);
    let message = match found {
        "" => format!("`{named}` is missing: `{path}` needs a unit"),
        _ if kind.has_unit() => format!("`{named}`: `{path}` is not measured in `{shown}`"),
        _ => format!("`{named}`: `{path}` is a plain number, found `{shown}`"),
    };
    let units: Vec<_> = kind.units().map(|unit| format!("`\"{unit}\"`")).collect();
    let accepted = match units.as_slice() {
        [] => "no `unit` at all".to_string(),
        units => format!("one of {}", units.join(", ")),
    };
    // The value with the unit it was probably meant in.
    let meant = value.suggestion.as_deref().and_then(|text| text.rsplit(' ').next());
    let meant = meant.map(|unit| unit.trim_matches(['`', '"']));
    let meant = meant.filter(|meant| kind.units().any(|unit| unit == *meant));
    Problem::new(ProblemKind::NotAccepted, place, &named, message)
        .found(shown)
        .accepted(accepted)
        .suggestion(meant.map(|unit| format!("`\"{unit}\"`")))
}
