//! `import`: what users already have, read.

use std::io;
use std::path::{Path, PathBuf};

use bakcast_imports::{
    self as imports, BackupKind, History, HistoryFilter, Import as Imported, ImportError,
    RunsOptions, StarterOptions, device_profile, import_from, starter,
};
use bakcast_report::Document;
use bakcast_report::document::{GrowthResult, ImportResult, ImportedBackup, ImportedFile};
use bakcast_report::text::quoted;
use bakcast_scenarios::nearest_word;
use bakcast_scenarios::predict::PredictOptions;

use super::{run_without_scenario, usage};
use crate::args::{Import, OnOff};
use crate::exit::{Exit, Failure};
use crate::output::{Outputs, Reply};

/// Databases whose growth is told.
const MOST_GROWTHS: usize = 5;
/// Device of a profile that has no name.
const MEASURED: &str = "measured";
/// The size of the database, in a scenario that is made here.
const SIZE: &str = "volume.data.size";

pub(super) fn run(
    arguments: &Import,
    options: &PredictOptions,
    outputs: &Outputs,
) -> Result<Reply, Failure> {
    if let Some(name) = &arguments.queries {
        return queries(name.as_deref(), outputs);
    }
    if arguments.files.is_empty() {
        return Err(usage::files_missing());
    }
    let wants_toml = outputs.formats_or_tables()?;
    refuse_to_overwrite(arguments, outputs)?;
    let (read, problems) = read_all(&arguments.files, arguments);
    if read.is_empty() {
        return Err(Failure::new(Exit::Input, problems.join("\nerror: ")));
    }
    let (result, toml) = result(arguments, &read, wants_toml.is_some())?;
    let next = next(arguments, &result, wants_toml.as_deref(), outputs);
    let run = run_without_scenario("import", options);
    let document = Document::new(run, Vec::new(), ImportResult { next, ..result });
    let mut reply = outputs.reply_with_scenario(&document, toml.as_deref())?;
    if !problems.is_empty() || read.iter().any(|import| import.refused.is_some()) {
        reply.exit = Exit::Input;
    }
    reply.unmet = (!problems.is_empty()).then(|| format!("error: {}", problems.join("\nerror: ")));
    Ok(reply)
}

/// Every file that can be read, and what is wrong with the others.
fn read_all(files: &[PathBuf], arguments: &Import) -> (Vec<Imported>, Vec<String>) {
    let (mut read, mut problems) = (Vec::new(), Vec::new());
    for file in files {
        match read_one(file, arguments) {
            Ok(import) => read.push(import),
            Err(error) => problems.push(error.to_string()),
        }
    }
    (read, problems)
}

fn read_one(file: &Path, arguments: &Import) -> Result<Imported, ImportError> {
    if file == Path::new("-") {
        return import_from("standard input", io::stdin().lock(), &arguments.options());
    }
    imports::import(file, &arguments.options())
}

/// What the files come to together, and the tables of a scenario if a file of them is wanted.
fn result(
    arguments: &Import,
    read: &[Imported],
    wants_toml: bool,
) -> Result<(ImportResult, Option<String>), Failure> {
    let files = read.iter().map(|import| ImportedFile::new(import, arguments.explain)).collect();
    let mut history = imports::join(read);
    let filter = HistoryFilter {
        database: arguments.database.as_deref(),
        server: arguments.server.as_deref(),
    };
    history.backups.retain(|backup| filter.takes(backup));
    let toml = if wants_toml { Some(tables(arguments, read, &history)?) } else { None };
    let device_of = |path: &str| Some(imports::place_of(path).name);
    let options = RunsOptions { filter, device_of: Some(&device_of), size_knob: Some(SIZE) };
    let runs = imports::runs_table(&history, &options);
    let result = ImportResult {
        files,
        backups: history.backups.iter().map(ImportedBackup::from).collect(),
        notes: history.notes.iter().chain(&runs.notes).cloned().collect(),
        growth: growths(&history, filter),
        runs_csv: (runs.runs > 0).then_some(runs.csv),
        toml: None,
        next: Vec::new(),
    };
    Ok((result, toml))
}

/// A scenario out of a history, or a device out of benchmark files.
fn tables(arguments: &Import, read: &[Imported], history: &History) -> Result<String, Failure> {
    let input = |error: &dyn std::fmt::Display| Failure::new(Exit::Input, error);
    if history.backups.is_empty() {
        let name = arguments.device.as_deref().unwrap_or(MEASURED);
        let profile = device_profile(name, read, arguments.like.as_deref());
        return profile.map(|profile| profile.toml).map_err(|error| input(&error));
    }
    let options = StarterOptions {
        size_bytes: arguments.size.map(bakcast_models::quantity::Bytes::get),
        processors: arguments.processors,
        compression: arguments.compression.map(|choice| choice == OnOff::On),
        device: arguments.device.clone(),
    };
    let started = starter(&history.backups, read, &options).map_err(|error| input(&error))?;
    Ok(started.toml)
}

/// Growth of the databases that have full backups.
fn growths(history: &History, filter: HistoryFilter<'_>) -> Vec<GrowthResult> {
    let full = history.backups.iter().filter(|backup| backup.kind == BackupKind::Full);
    let mut databases: Vec<&str> = full.map(|backup| &*backup.database).collect();
    databases.sort_unstable();
    databases.dedup();
    let growth = |database: &&str| {
        let filter = HistoryFilter { database: Some(database), ..filter };
        GrowthResult::new(database, &imports::growth(history, filter))
    };
    databases.iter().take(MOST_GROWTHS).map(growth).collect()
}

/// What to type next.
fn next(
    arguments: &Import,
    result: &ImportResult,
    scenario: Option<&str>,
    outputs: &Outputs,
) -> Vec<String> {
    let files: Vec<String> =
        arguments.files.iter().map(|file| quoted(&file.display().to_string())).collect();
    let files = files.join(" ");
    if result.runs_csv.is_none() {
        if result.files.iter().all(|file| file.rates.is_empty()) || scenario.is_some() {
            return Vec::new();
        }
        let device = arguments.device.as_deref().unwrap_or("d1");
        return vec![format!("bakcast import {files} --device {device} -o device.toml")];
    }
    let csv = outputs.files().iter().find(|file| file.extension().is_some_and(|e| e == "csv"));
    match (scenario, csv) {
        (Some(scenario), Some(csv)) => vec![format!(
            "bakcast calibrate --scenario {} --runs {} -o fitted.toml",
            quoted(scenario),
            quoted(&csv.display().to_string())
        )],
        _ => vec![format!("bakcast import {files} -o mine.toml -o runs.csv")],
    }
}

fn refuse_to_overwrite(arguments: &Import, outputs: &Outputs) -> Result<(), Failure> {
    let real = |path: &PathBuf| std::fs::canonicalize(path).ok();
    let inputs: Vec<PathBuf> = arguments.files.iter().filter_map(real).collect();
    for file in outputs.files() {
        if real(file).is_some_and(|target| inputs.contains(&target)) {
            return Err(Failure::usage(format!(
                "-o would overwrite `{}`, which is read: write to another file",
                file.display()
            )));
        }
    }
    Ok(())
}

/// Queries and commands to run, all or one.
fn queries(name: Option<&str>, outputs: &Outputs) -> Result<Reply, Failure> {
    let chosen: Vec<_> =
        imports::QUERIES.iter().filter(|query| name.is_none_or(|n| n == query.name)).collect();
    if let (Some(name), []) = (name, chosen.as_slice()) {
        let names = || imports::QUERIES.iter().map(|query| query.name);
        let meant = nearest_word(name, names());
        let meant = meant.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        let known = names().collect::<Vec<_>>().join(", ");
        return Err(Failure::usage(format!("no query is called `{name}`{meant} (known: {known})")));
    }
    let comment = |language: &str| match language {
        "T-SQL" => "--",
        "cmd" => "rem",
        _ => "#",
    };
    let one = |query: &&imports::Query| {
        let mark = comment(query.language);
        format!("{mark} {}: {}\n{}\n", query.name, query.purpose, query.text)
    };
    let text = chosen.iter().map(one).collect::<Vec<_>>().join("\n");
    outputs.verbatim(text, &[bakcast_report::Format::Text])
}
