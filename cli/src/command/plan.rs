//! `plan`: when a window is no longer enough.

use std::path::Path;
use std::sync::Mutex;

use bakcast_imports::{self as imports, HistoryFilter, ImportOptions, import_from};
use bakcast_report::Document;
use bakcast_report::document::PlanResult;
use bakcast_scenarios::Set;
use bakcast_scenarios::predict::{Asked, PredictOptions};
use bakcast_whatif::{Ahead, Configuration, Growth, Ran, Subject, plan};

use super::opened::Opened;
use super::{given, run_of, run_warnings};
use crate::args::Plan;
use crate::exit::{Exit, Failure};
use crate::interrupt::Interrupt;
use crate::output::{Outputs, Reply};
use crate::progress::Bar;
use crate::requirement::{Figures, unmet};

pub(super) fn run(
    arguments: &Plan,
    options: &PredictOptions,
    outputs: &Outputs,
) -> Result<Reply, Failure> {
    outputs.formats()?;
    let opened = Opened::new("plan", &arguments.choice)?;
    let (document, variant, sets) = opened.parts();
    let loaded = opened.load()?;
    let (growth, source) = growth(arguments)?;
    let subject = Subject { document, variant, sets, options: *options };
    let ahead = Ahead {
        window_seconds: arguments.window,
        operation: arguments.operation.into(),
        growth,
        months: arguments.months,
        probability: arguments.require_probability.unwrap_or(0.5 + 0.5 * options.level),
        changes: true,
        routine: arguments.schedule.clone(),
    };
    Interrupt::at_once();
    let bar = Mutex::new(Bar::new(outputs.watched()));
    let go_on = |done, of| {
        if let Ok(bar) = bar.lock() {
            bar.done("looking ahead", (0, done, of));
        }
        true
    };
    let found = plan(&subject, &ahead, &go_on)?;
    drop(bar);
    let mut result = PlanResult::new(&found, options.level, source);
    result.set = given(&arguments.choice);
    if !arguments.require.is_empty() {
        let last = last_month(&subject, &ahead)?;
        let figures = Figures::of(&last.loaded, &last.prediction);
        result.requirements = arguments.require.iter().map(|l| l.judge(&figures)).collect();
    }
    let unmet = unmet(&result.requirements, options.level);
    let today = result.stops_fitting.month == Some(0);
    let run = run_of("plan", options, &loaded);
    let of_scenario = loaded.resolved.warnings.iter().map(bakcast_report::Warning::from);
    let warnings = of_scenario.chain(run_warnings(options, None)).collect();
    let answer = result.answer.clone();
    let mut reply = outputs.reply(&Document::new(run, warnings, result))?;
    if today || unmet.is_some() {
        reply.exit = Exit::NotMet;
    }
    reply.unmet = unmet.or_else(|| today.then(|| format!("not met: {answer}")));
    Ok(reply)
}

/// The scenario in the last month.
fn last_month(subject: &Subject<'_>, ahead: &Ahead) -> Result<Ran, Failure> {
    let runner = subject.runner(subject.options, Asked::Durations);
    let now = runner.load(&Configuration::default())?;
    let factor = ahead.growth.factor(ahead.months);
    let size = |bytes: f64| format!("{:.0} B", (bytes * factor).round().max(1.0));
    let volumes = now.scenario.volume.iter();
    let sets = volumes
        .map(|(name, v)| Set::new(format!("volume.{name}.size"), size(v.size.bytes().as_f64())))
        .collect();
    let loaded = runner.load(&Configuration { sets, ..Configuration::default() })?;
    let prediction = bakcast_scenarios::predict::durations(&loaded.resolved, runner.options())?;
    Ok(Ran::new(loaded, prediction))
}

/// The growth that was given, or that of a history with where it comes from.
pub(super) fn growth(arguments: &Plan) -> Result<(Growth, Option<String>), Failure> {
    if let Some(rate) = arguments.growth {
        let (low, high) = rate.bounds;
        return Ok((Growth { per_month: rate.middle(), low, high }, None));
    }
    let mut read = Vec::new();
    for file in &arguments.history {
        let options = ImportOptions::default();
        let import = if file == Path::new("-") {
            import_from("standard input", std::io::stdin().lock(), &options)
        } else {
            imports::import(file, &options)
        };
        read.push(import.map_err(|error| Failure::new(Exit::Input, error))?);
    }
    let history = imports::join(&read);
    let filter = HistoryFilter { database: arguments.database.as_deref(), server: None };
    one_database(&history, filter)?;
    let found = imports::growth(&history, filter).map_err(|error| {
        Failure::new(Exit::Input, format!("--history: {error}; or give --growth 3%/month"))
    })?;
    let (low, high) = found.bounds;
    let source = format!(
        "{} full backups from {} to {}",
        found.points.len(),
        found.from.date(),
        found.to.date()
    );
    Ok((Growth { per_month: found.per_month, low, high }, Some(source)))
}

/// Sizes of several databases in one line are no growth.
fn one_database(history: &imports::History, filter: HistoryFilter<'_>) -> Result<(), Failure> {
    let taken = history.backups.iter().filter(|backup| filter.takes(backup));
    let mut names: Vec<&str> = taken.map(|backup| &*backup.database).collect();
    names.sort_unstable();
    names.dedup();
    if names.len() < 2 {
        return Ok(());
    }
    Err(Failure::new(
        Exit::Input,
        format!(
            "--history: backups of {} databases; say which is meant, e.g. --database {}",
            names.len(),
            names[0]
        ),
    ))
}
