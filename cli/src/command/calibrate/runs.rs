//! The runs of `calibrate`: tables, and whatever `import` reads.

use bakcast_calibration::{CalibrationError, MeasuredRun, RunsError, parse_runs, read_runs};
use bakcast_imports::{
    self as imports, HistoryFilter, Import, ImportError, ImportOptions, RunsOptions,
};
use bakcast_report::Warning;
use bakcast_scenarios::Loaded;

use crate::args::Calibrate;
use crate::exit::Failure;

/// Databases that a message names.
const MOST_NAMES: usize = 5;

/// All runs of all files, and what was left out of them; or all that is wrong with them.
pub(super) fn runs(
    arguments: &Calibrate,
    loaded: &Loaded,
) -> Result<(Vec<MeasuredRun>, Vec<Warning>), Failure> {
    let options = ImportOptions { date_order: arguments.date_format.map(Into::into) };
    let (mut runs, mut problems, mut imported) = (Vec::new(), Vec::new(), Vec::new());
    for path in &arguments.runs {
        match imports::import(path, &options) {
            Ok(import) => imported.push(import),
            Err(ImportError::Unknown { .. } | ImportError::Unreadable { .. }) => {
                match read_runs(path) {
                    Ok(more) => runs.extend(more),
                    Err(RunsError::Problems(more)) => problems.extend(more),
                    Err(error) => problems.push(error.to_string()),
                }
            }
            Err(error) => problems.push(error.to_string()),
        }
    }
    let mut warnings = Vec::new();
    if !imported.is_empty() {
        match of_history(arguments, loaded, &imported) {
            Ok((more, notes)) => {
                runs.extend(more);
                warnings = notes;
            }
            Err(more) => problems.extend(more),
        }
    }
    if problems.is_empty() {
        return Ok((runs, warnings));
    }
    Err(CalibrationError::from(RunsError::Problems(problems)).into())
}

/// The runs of histories and logs, each once.
fn of_history(
    arguments: &Calibrate,
    loaded: &Loaded,
    imported: &[Import],
) -> Result<(Vec<MeasuredRun>, Vec<Warning>), Vec<String>> {
    let history = imports::join(imported);
    let names: Vec<String> = imported.iter().map(|import| import.file.clone()).collect();
    let names = names.join(", ");
    let database = match &arguments.database {
        Some(database) => Some(database.clone()),
        None => database_of(&history, loaded, &names)?,
    };
    let filter = HistoryFilter { database: database.as_deref(), server: None };
    let device_of = |path: &str| loaded.scenario.device_of_path(path);
    let size_knob = size_knob(loaded);
    let options =
        RunsOptions { filter, device_of: Some(&device_of), size_knob: size_knob.as_deref() };
    let table = imports::runs_table(&history, &options);
    if table.runs == 0 {
        let accounts = imported.iter().map(|import| {
            format!("`{}`: no run in it can be used ({})", import.file, import.account().line())
        });
        return Err(accounts.collect());
    }
    let runs = parse_runs(&names, &table.csv).map_err(|error| match error {
        RunsError::Problems(problems) => problems,
        other => vec![other.to_string()],
    })?;
    let told = imported.iter().map(|import| (import.file.clone(), import.account()));
    let left_out = told
        .filter(|(_, account)| !account.ignored.is_empty())
        .map(|(file, account)| format!("`{file}`: left out {}", account.ignored.join(", ")));
    let chosen: Vec<_> =
        history.backups.iter().filter(|backup| filter.takes(backup)).cloned().collect();
    let said = imports::options_unknown(&chosen).into_iter().chain(another(&chosen, loaded));
    let warnings = table.notes.iter().cloned().chain(said).chain(left_out).map(|text| Warning {
        code: "import",
        text,
        hint: "`bakcast import` shows what is read of the files".to_string(),
    });
    Ok((runs, warnings.collect()))
}

/// The database of the scenario if the history has it, or the only one that there is.
fn database_of(
    history: &imports::History,
    loaded: &Loaded,
    files: &str,
) -> Result<Option<String>, Vec<String>> {
    let usable = history.backups.iter().filter(|backup| backup.unusable.is_none());
    let mut names: Vec<&str> = usable.map(|backup| &*backup.database).collect();
    names.sort_unstable();
    names.dedup();
    let own = &loaded.scenario.database.name;
    if let Some(name) = names.iter().find(|name| name.eq_ignore_ascii_case(own)) {
        return Ok(Some((*name).to_string()));
    }
    if names.len() <= 1 {
        return Ok(None);
    }
    let shown: Vec<String> =
        names.iter().take(MOST_NAMES).map(|name| bakcast_scenarios::shown_word(name)).collect();
    Err(vec![format!(
        "{files}: backups of {} databases ({}), and none is called `{}` as the scenario's is: \
         choose one with --database",
        names.len(),
        shown.join(", "),
        bakcast_scenarios::shown_word(own)
    )])
}

/// Whether the history is one of another database than the scenario.
fn another(backups: &[imports::Backup], loaded: &Loaded) -> Option<String> {
    let own = &loaded.scenario.database.name;
    let other = backups.iter().find(|backup| !backup.database.eq_ignore_ascii_case(own))?;
    let (own, other) =
        (bakcast_scenarios::shown_word(own), bakcast_scenarios::shown_word(&other.database));
    Some(format!("the runs are those of database `{other}`, the scenario is one of `{own}`"))
}

/// The knob of the database's size, if the scenario has one volume.
fn size_knob(loaded: &Loaded) -> Option<String> {
    let mut volumes = loaded.scenario.volume.keys();
    match (volumes.next(), volumes.next()) {
        (Some(name), None) => Some(format!("volume.{name}.size")),
        _ => None,
    }
}
