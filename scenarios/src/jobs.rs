//! The jobs of a night from a table in a file of its own: each row is another way to write a table
//! `[job.NAME]`.
//!
//! Rows become tables of the tree before anything is checked, each cell with its place, so that
//! checks, messages with their lines and `--set job.NAME.size=...` need to know nothing of it. A
//! cell wins over what `[job.NAME]` of the scenario says, for a table of jobs is what schedules are
//! written to; an assignment wins over both. An empty cell says nothing.

mod cells;
mod columns;
mod write;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::load::{Document, LARGEST_FILE};
use crate::place::{JOBS, Place};
use crate::problem::{Problem, ProblemKind, Problems};
use crate::shipped;
use crate::text::decode_text;
use crate::tree::{Entry, Node, Table, Value};
use crate::words;

use cells::{Cell, Row};
use columns::Column;

pub use columns::{JobColumn, job_columns};
pub use write::JobPlace;

/// Most jobs of a night.
pub const MOST_JOBS: usize = 5000;

/// Where a document finds the files it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Companions {
    /// Shipped with it.
    Shipped,
    /// In the folder of the scenario.
    Folder(PathBuf),
}

/// Puts the rows of the table that `jobs` names where `[job]` is.
pub(crate) fn fill_in(companions: &Companions, root: &mut Table, problems: &mut Problems) {
    // Anything but a text is reported with the other values.
    let Some(path) = root.get("jobs").and_then(|entry| entry.node.text().map(str::to_string))
    else {
        return;
    };
    let Some(entry) = root.remove("jobs") else { return };
    let place = entry.node.place;
    match read(companions, &path, place) {
        Ok((name, text)) => {
            problems.add_jobs(&name, &text);
            if !add_rows(&text, root, problems) {
                // So that nobody misses volumes.
                root.insert("jobs".to_string(), entry);
            }
        }
        Err(reason) => {
            let message = format!("`jobs`: cannot read `{}`: {reason}", words::shown(&path));
            problems.report(
                Problem::new(ProblemKind::Unreadable, place, "jobs", message)
                    .found(format!("\"{}\"", words::shown(&path)))
                    .accepted("a CSV file as a path from the scenario's own file"),
            );
            root.insert("jobs".to_string(), entry);
        }
    }
}

/// The name and the text of the table.
fn read(companions: &Companions, path: &str, place: Place) -> Result<(String, String), String> {
    let folder = match companions {
        // Who assigns a file names it as seen from where he is.
        _ if place.is_assigned() => Path::new(""),
        Companions::Shipped => {
            let text = shipped::find_table(path).ok_or("it is not shipped with the scenario")?;
            return Ok((path.to_string(), text.to_string()));
        }
        Companions::Folder(folder) => folder.as_path(),
    };
    let path = folder.join(path);
    let name = path.display().to_string();
    let about = std::fs::metadata(&path).map_err(|error| error.to_string())?;
    if about.is_dir() {
        return Err("it is a folder".to_string());
    }
    // A pipe may never end, and opening one may never return.
    if !about.is_file() {
        return Err("it is no regular file".to_string());
    }
    let file = File::open(&path).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    file.take(LARGEST_FILE + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(format!("it is larger than {} KiB", LARGEST_FILE / 1024));
    }
    let text = decode_text(&bytes);
    let text = text.map_err(|error| {
        format!("it is not UTF-8 text (byte {}): {}", error.offset, error.reason)
    })?;
    Ok((name, text))
}

/// Adds the rows; whether there are any to add.
fn add_rows(text: &str, root: &mut Table, problems: &mut Problems) -> bool {
    let rows = match cells::rows(text) {
        Ok(rows) => rows,
        Err(place) => {
            let message = "a quoted cell has no end".to_string();
            problems.report(Problem::new(ProblemKind::Syntax, place, "jobs", message));
            return false;
        }
    };
    let Some((head, rows)) = rows.split_first() else {
        let place = Place { source: JOBS, start: 0, end: 0 };
        let message = "the table of jobs is empty".to_string();
        let problem = Problem::new(ProblemKind::MissingKey, place, "jobs", message);
        problems.report(problem.accepted(columns::accepted()));
        return false;
    };
    let columns = columns::of(head, problems);
    let job = root.entry("job".to_string()).or_insert_with(|| Entry {
        key_place: head.place(),
        node: Node { value: Value::Table(Table::new()), place: head.place() },
    });
    // A `job` that is no table is reported as such.
    let Value::Table(jobs) = &mut job.node.value else { return false };
    let mut names = std::collections::BTreeSet::new();
    for (number, row) in rows.iter().enumerate() {
        if number == MOST_JOBS {
            let message = format!("more than {MOST_JOBS} jobs");
            problems.report(Problem::new(ProblemKind::OutOfRange, row.place(), "jobs", message));
            return true;
        }
        if row.cells.len() != head.cells.len() {
            let (found, wanted) = (row.cells.len(), head.cells.len());
            let message = format!("{found} cells where the heading has {wanted}");
            problems.report(Problem::new(ProblemKind::Syntax, row.place(), "jobs", message));
            continue;
        }
        let Some(name) = columns::name(&columns, row) else {
            let message = "a job without a name".to_string();
            let problem = Problem::new(ProblemKind::MissingKey, row.place(), "jobs", message);
            problems.report(problem.accepted("a cell `job`, or one `database`"));
            continue;
        };
        if !names.insert(name.clone()) {
            let message = format!("job `{}` stands twice", words::shown(&name));
            let problem = Problem::new(ProblemKind::DuplicateKey, row.place(), "jobs", message);
            problems.report(problem.accepted("each job once; `job` may name what `database` not"));
            continue;
        }
        add_row(jobs, &name, &columns, row);
    }
    let is_refused = jobs.is_empty() && !rows.is_empty();
    if is_refused {
        // What is wrong with the rows is said: nobody misses a job besides.
        root.remove("job");
    }
    !is_refused
}

/// Puts the cells of a row into the table of its job.
fn add_row(jobs: &mut Table, name: &str, columns: &[Option<Column>], row: &Row) {
    let place = row.place();
    let blank = || Node { value: Value::Table(Table::new()), place };
    let entry =
        jobs.entry(name.to_string()).or_insert_with(|| Entry { key_place: place, node: blank() });
    let Value::Table(job) = &mut entry.node.value else { return };
    for (column, cell) in columns.iter().zip(&row.cells) {
        let Some(column) = column else { continue };
        if !cell.text.is_empty() && !column.keys().is_empty() {
            insert(job, &column.keys(), cell, column.value(cell));
        }
    }
}

/// Puts a value where the keys lead, unless an assignment did.
fn insert(table: &mut Table, keys: &[&str], cell: &Cell, value: Value) {
    let place = cell.place;
    let Some((key, rest)) = keys.split_first() else { return };
    if !rest.is_empty() {
        let node = Node { value: Value::Table(Table::new()), place };
        let entry = table.entry((*key).to_string()).or_insert(Entry { key_place: place, node });
        if let Value::Table(inner) = &mut entry.node.value {
            insert(inner, rest, cell, value);
        }
        return;
    }
    let is_assigned = table.get(*key).is_some_and(|entry| entry.node.place.is_assigned());
    if !is_assigned {
        let node = Node { value, place };
        table.insert((*key).to_string(), Entry { key_place: place, node });
    }
}

impl Document {
    /// Fills in the jobs that a table of its own holds.
    pub(crate) fn fill_in_jobs(&self, root: &mut Table, problems: &mut Problems) {
        fill_in(&self.companions, root, problems);
    }
}
