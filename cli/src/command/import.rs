//! `import`: what users already have, read.

use std::io;
use std::path::{Path, PathBuf};

use bakcast_imports::{
    self as imports, Backup, BackupKind, History, HistoryFilter, Import as Imported, ImportError,
    RunsOptions, StarterOptions, device_profile, import_from, starter,
};
use bakcast_report::Document;
use bakcast_report::document::{GrowthResult, ImportResult, ImportedBackup, ImportedFile};
use bakcast_report::text::quoted;
use bakcast_scenarios::predict::PredictOptions;
use bakcast_scenarios::{nearest_word, shown_word};

use super::{run_without_scenario, usage};
use crate::args::{Import, OnOff};
use crate::exit::{Exit, Failure};
use crate::output::{Outputs, Reply};

/// Names that a message lists.
const MOST_NAMES: usize = 8;
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
    known_like(arguments)?;
    let files = read.iter().map(|import| ImportedFile::new(import, arguments.explain)).collect();
    let mut history = imports::join(read);
    let filter = HistoryFilter {
        database: arguments.database.as_deref(),
        server: arguments.server.as_deref(),
    };
    chosen(&history, filter)?;
    history.backups.retain(|backup| filter.takes(backup));
    let (toml, assumed) = if wants_toml {
        let (toml, assumed) = tables(arguments, read, &history)?;
        (Some(toml), assumed)
    } else {
        (None, Vec::new())
    };
    let device_of = |path: &str| Some(imports::place_of(path).name);
    let options = RunsOptions { filter, device_of: Some(&device_of), size_knob: Some(SIZE) };
    let runs = imports::runs_table(&history, &options);
    let unknown = imports::options_unknown(&history.backups);
    let result = ImportResult {
        files,
        backups: history.backups.iter().map(ImportedBackup::from).collect(),
        notes: history.notes.iter().chain(&runs.notes).cloned().chain(unknown).collect(),
        assumed,
        growth: growths(&history, filter),
        runs_csv: (runs.runs > 0).then_some(runs.csv),
        toml: None,
        next: Vec::new(),
    };
    Ok((result, toml))
}

/// A scenario out of a history, or a device out of benchmark files.
fn tables(
    arguments: &Import,
    read: &[Imported],
    history: &History,
) -> Result<(String, Vec<String>), Failure> {
    let input = |error: &dyn std::fmt::Display| Failure::new(Exit::Input, error);
    if history.backups.is_empty() {
        let name = arguments.device.as_deref().unwrap_or(MEASURED);
        let profile = device_profile(name, read, arguments.like.as_deref());
        let profile = profile.map_err(|error| input(&error))?;
        return Ok((profile.toml, profile.cautions));
    }
    let options = StarterOptions {
        size_bytes: arguments.size.map(bakcast_models::quantity::Bytes::get),
        processors: arguments.processors,
        compression: arguments.compression.map(|choice| choice == OnOff::On),
        device: arguments.device.clone(),
    };
    let started = starter(&history.backups, read, &options).map_err(|error| input(&error))?;
    Ok((started.toml, started.assumptions))
}

/// A misspelt name of the library would be passed over in silence where there is a history.
fn known_like(arguments: &Import) -> Result<(), Failure> {
    let Some(like) = &arguments.like else { return Ok(()) };
    let names = || bakcast_scenarios::library().iter().map(|entry| entry.name.as_str());
    if names().any(|name| name == like) {
        return Ok(());
    }
    let meant = nearest_word(like, names());
    let meant = meant.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    let like = shown_word(like);
    Err(Failure::usage(format!("--like: the library has no `{like}`{meant} (`bakcast devices`)")))
}

/// A database or a server that no backup is of is a mistake.
fn chosen(history: &History, filter: HistoryFilter<'_>) -> Result<(), Failure> {
    let none = |filter: HistoryFilter<'_>| !history.backups.iter().any(|b| filter.takes(b));
    if history.backups.is_empty() || !none(filter) {
        return Ok(());
    }
    let list = |name: &dyn Fn(&Backup) -> Option<String>| {
        let names: std::collections::BTreeSet<String> =
            history.backups.iter().filter_map(name).map(|name| shown_word(&name)).collect();
        names.into_iter().take(MOST_NAMES).collect::<Vec<_>>().join(", ")
    };
    let databases = list(&|backup| Some(backup.database.to_string()));
    let servers = list(&|backup| backup.server.as_deref().map(str::to_string));
    let mut text = "no backup in these files is of ".to_string();
    let asked = [("database", filter.database), ("server", filter.server)];
    let asked = asked
        .iter()
        .filter_map(|(what, name)| name.map(|name| format!("{what} `{}`", shown_word(name))));
    text.push_str(&asked.collect::<Vec<_>>().join(" and "));
    text.push_str(&format!("; databases: {databases}"));
    if !servers.is_empty() {
        text.push_str(&format!("; servers: {servers}"));
    }
    Err(Failure::new(Exit::Input, text))
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
    let read = result.files.iter().filter(|file| !file.used.is_empty() && file.refused.is_none());
    let files: Vec<String> = read.map(|file| quoted(&file.file)).collect();
    if files.is_empty() || arguments.files.iter().any(|file| file == Path::new("-")) {
        return Vec::new();
    }
    let files = files.join(" ");
    if result.runs_csv.is_none() {
        if result.files.iter().all(|file| file.rates.is_empty()) || scenario.is_some() {
            return Vec::new();
        }
        let device = arguments.device.as_deref().unwrap_or("d1");
        return vec![format!("bakcast import {files} --device {device} -o device.toml")];
    }
    let options = options_of(arguments, result);
    let csv = outputs.files().iter().find(|file| file.extension().is_some_and(|e| e == "csv"));
    let csv = csv.map(|csv| quoted(&csv.display().to_string()));
    let calibrate = |scenario: &str, runs: &str| {
        vec![format!("bakcast calibrate --scenario {scenario} --runs {runs} -o fitted.toml")]
    };
    let runs = result.files.iter().filter(|file| file.rates.is_empty() && !file.used.is_empty());
    let runs: Vec<String> = runs.map(|file| quoted(&file.file)).collect();
    match (scenario.map(quoted), csv) {
        (Some(scenario), Some(csv)) => calibrate(&scenario, &csv),
        (Some(scenario), None) => calibrate(&scenario, &runs.join(" ")),
        (None, Some(csv)) => calibrate("mine.toml", &csv),
        (None, None) => vec![format!("bakcast import {files}{options} -o mine.toml -o runs.csv")],
    }
}

/// The options that were given, and the database that has most to tell if there are several.
fn options_of(arguments: &Import, result: &ImportResult) -> String {
    let usable =
        result.backups.iter().filter(|b| b.unusable.is_none() && b.backup_seconds.is_some());
    let mut counts: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
    for backup in usable {
        *counts.entry(&backup.database).or_default() += 1;
    }
    let most = counts.iter().max_by_key(|(_, count)| **count).filter(|_| counts.len() > 1);
    let database = arguments.database.as_deref().or(most.map(|(name, _)| *name));
    let mut text = String::new();
    let given = [
        ("--database", database.map(str::to_string)),
        ("--server", arguments.server.clone()),
        ("--device", arguments.device.clone()),
        ("--size", arguments.size.map(|size| format!("{}B", size.get()))),
        ("--processors", arguments.processors.map(|count| count.to_string())),
    ];
    for (option, value) in given {
        if let Some(value) = value {
            text.push_str(&format!(" {option} {}", quoted(&value)));
        }
    }
    text
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
