//! Tests of the whole way from a text to a resolved scenario.

mod batch;
mod beside;
mod capacity;
mod capped;
mod carried;
mod ensemble;
mod inputs;
mod jobs;
mod library;
mod others;
mod problems;
mod refused;
mod restore;
mod robust;
mod sets;
mod shipped;

use crate::{Document, Loaded, Problem, ProblemKind, ScenarioError, Set};

/// A scenario that is right and small; tests break it in one place.
const SMALL: &str = r#"title = "small"

[volume.data]
device = "source"
size = "6 GiB"

[device.source.fixed_rate]
rate = "400 MB/s"

[device.target.spindle]
read_rate = "120 MB/s"
write_rate = "110 MB/s"

[processor]
logical_processors = 4

[compression]
ratio = 3.5

[backup]
stripes = ["target"]
"#;

fn load(text: &str) -> Result<Loaded, ScenarioError> {
    load_with(text, None, &[])
}

fn load_with(text: &str, variant: Option<&str>, sets: &[&str]) -> Result<Loaded, ScenarioError> {
    let sets: Vec<_> = sets.iter().map(|set| Set::parse(set).unwrap()).collect();
    Document::from_bytes("test.toml", text.as_bytes().to_vec())?.load(variant, &sets)
}

/// The small scenario with one part of its text replaced.
fn small_with(from: &str, to: &str) -> String {
    assert!(SMALL.contains(from), "{from} is not in the text");
    SMALL.replacen(from, to, 1)
}

fn problems(text: &str) -> Vec<Problem> {
    problems_of(load(text))
}

fn problems_of(result: Result<Loaded, ScenarioError>) -> Vec<Problem> {
    match result {
        Ok(loaded) => panic!("no problem found in {}", loaded.to_toml()),
        Err(ScenarioError::Problems(problems)) => problems.iter().cloned().collect(),
        Err(other) => panic!("{other}"),
    }
}

/// The one problem of a text.
fn problem(text: &str) -> Problem {
    only(problems(text))
}

fn only(mut problems: Vec<Problem>) -> Problem {
    assert_eq!(problems.len(), 1, "{problems:#?}");
    problems.remove(0)
}

fn kinds(problems: &[Problem]) -> Vec<ProblemKind> {
    problems.iter().map(|problem| problem.kind).collect()
}
