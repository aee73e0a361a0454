//! The statements of the jobs of a night: `sql` of `[job.NAME]`, or a column of the table of jobs.
//!
//! What a statement says becomes knobs of its job before anything is checked, as rows of a table
//! do; what the job says itself wins over it, as `--set` does over `--sql`. What it leaves out is
//! the engine's default and not that of `[backup]` (`resolve/night.rs`), save compression, which
//! it leaves to the server.

use std::collections::BTreeMap;

use bakcast_models::quantity::Fraction;
use serde::Deserialize;

use super::apply::{Translation, translated};
use super::parse_named;
use crate::place::Place;
use crate::problem::{Problem, ProblemKind, Problems};
use crate::schema::{Compression, Database, Scenario, Volume};
use crate::set::{self, Set};
use crate::tree::{self, Node, Table};
use crate::warning::Warning;
use crate::words;

/// What a scenario without its jobs has.
const NOT_COMMON: [&str; 7] = ["job", "jobs", "server", "beside", "volume", "ensemble", "variant"];

/// What was said of the statements of jobs.
#[derive(Debug, Default)]
pub(crate) struct Said {
    /// What the model does not have of them.
    pub(crate) warnings: Vec<Warning>,
    /// What was read and has no effect.
    pub(crate) notes: Vec<String>,
}

/// A job with a statement.
struct Stated {
    name: String,
    text: String,
    place: Place,
}

/// Fills in what the statements of jobs say.
pub(crate) fn fill_in(root: &mut Table, problems: &mut Problems) -> Said {
    let stated = stated(root);
    if stated.is_empty() {
        return Said::default();
    }
    // What is wrong with the rest is reported with the rest.
    let common = root.iter().filter(|(key, _)| !NOT_COMMON.contains(&key.as_str()));
    let common: Table = common.map(|(key, entry)| (key.clone(), entry.clone())).collect();
    let Ok(mut scenario) = Scenario::deserialize(tree::plain(&common)) else {
        return Said::default();
    };
    let data = scenario.compression.clone();
    let mut all = Vec::new();
    for job in stated {
        let table = tree::find(root, &["job", &job.name]).and_then(Node::table);
        let Some(table) = table else { continue };
        as_job(&mut scenario, data.as_ref(), table);
        match translate(&scenario, &job.text) {
            Ok(said) => {
                apply(&said.sets, &job, root, problems);
                all.push((job.name, said));
            }
            Err(found) => found.iter().for_each(|own| problems.report(placed(own, &job, problems))),
        }
    }
    together(all)
}

/// The jobs with statements, in the order in which they were written.
fn stated(root: &Table) -> Vec<Stated> {
    let jobs = tree::entries_in_order(root, "job").into_iter();
    let stated = jobs.filter_map(|(name, entry)| {
        let node = &entry.node.table()?.get("sql")?.node;
        let text = node.text()?.to_string();
        Some(Stated { name: name.to_string(), text, place: node.place })
    });
    stated.collect()
}

fn translate(scenario: &Scenario, text: &str) -> Result<Translation, Box<Problems>> {
    let statements = parse_named("sql", text).map_err(|problems| problems.0)?;
    translated(scenario, ("sql", text), &statements)
}

/// Makes the scenario that of one job, as far as statements ask.
fn as_job(scenario: &mut Scenario, data: Option<&Compression>, job: &Table) {
    let own = tree::find(job, &["compression"]).and_then(Node::table);
    let own = own.and_then(|table| Compression::deserialize(tree::plain(table)).ok());
    scenario.compression = own.or_else(|| data.cloned());
    if let Some(name) = tree::find(job, &["database"]).and_then(Node::text) {
        scenario.database.name = name.to_string();
    } else {
        scenario.database = Database::default();
    }
    let text = |key: &str| tree::find(job, &[key]).and_then(Node::text);
    let size = text("size").and_then(|size| size.parse().ok());
    let device = text("device").unwrap_or_default().to_string();
    let volume = size.map(|size| Volume { device, size, position: Fraction::default() });
    let volumes = volume.map(|volume| ("data".to_string(), volume));
    scenario.volume = volumes.into_iter().collect::<BTreeMap<_, _>>();
}

/// A problem of a statement as one of the file it stands in.
fn placed(own: &Problem, job: &Stated, problems: &Problems) -> Problem {
    let place = own.span().map_or(job.place, |span| problems.within(job.place, &job.text, span));
    let path = format!("job.{}.sql", job.name);
    let message = format!("job `{}`: {}", words::shown(&job.name), own.message);
    Problem::new(own.kind, place, &path, message)
        .found(own.found.clone())
        .accepted(own.accepted.clone())
        .suggestion(own.suggestion.clone())
}

/// Puts what a statement sets into the table of its job, where that says nothing itself.
fn apply(sets: &[Set], job: &Stated, root: &mut Table, problems: &mut Problems) {
    for set in sets {
        let path = match set.path.as_str() {
            "database.name" => "database",
            "verify.enabled" => "verify",
            path if path.starts_with("device.") => {
                set::fill_in(root, &[], set, path, job.place);
                continue;
            }
            path if path.starts_with("restore.") => {
                let message = format!("job `{}`: a night restores nothing", job.name);
                let place = job.place;
                let path = format!("job.{}.sql", job.name);
                let problem = Problem::new(ProblemKind::NotModelled, place, &path, message);
                problems.report(problem.accepted("`BACKUP DATABASE`, `RESTORE VERIFYONLY`"));
                continue;
            }
            path => path,
        };
        set::fill_in(root, &["job", &job.name], set, path, job.place);
    }
}

/// What was said of several jobs in the same words is said once.
fn together(all: Vec<(String, Translation)>) -> Said {
    let mut warnings: Vec<(Warning, Vec<String>)> = Vec::new();
    let mut notes: Vec<(String, Vec<String>)> = Vec::new();
    for (name, said) in all {
        for warning in said.warnings {
            add(&mut warnings, warning, &name);
        }
        for note in said.notes {
            add(&mut notes, note, &name);
        }
    }
    let warnings = warnings.into_iter().map(|(warning, jobs)| Warning {
        text: format!("{}: {}", of(&jobs), warning.text),
        ..warning
    });
    let notes = notes.into_iter().map(|(note, jobs)| format!("{}: {note}", of(&jobs)));
    Said { warnings: warnings.collect(), notes: notes.collect() }
}

fn add<T: PartialEq>(all: &mut Vec<(T, Vec<String>)>, one: T, job: &str) {
    match all.iter_mut().find(|(known, _)| *known == one) {
        Some((_, jobs)) => jobs.push(job.to_string()),
        None => all.push((one, vec![job.to_string()])),
    }
}

/// Job `a`, or job `a` and 3 others.
fn of(jobs: &[String]) -> String {
    let first = words::shown(jobs.first().map_or("", String::as_str));
    match jobs.len() {
        0 | 1 => format!("job `{first}`"),
        2 => format!("job `{first}` and another"),
        count => format!("job `{first}` and {} others", count - 1),
    }
}
