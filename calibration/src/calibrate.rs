//! A scenario fitted to a user's own runs.

use std::sync::atomic::{AtomicU64, Ordering};

use bakcast_scenarios::predict::PredictOptions;
use bakcast_scenarios::{Document, Loaded, Set};
use rayon::prelude::*;
use toml_edit::{DocumentMut, TableLike};

use crate::choice::{can_be_free, choose, free_knob, value_at};
use crate::design::{Design, Question, Sheet, runs_that_would_tell};
use crate::ensemble::{Ensemble, ensemble};
use crate::error::CalibrationError;
use crate::fit::{Fit, FitOptions, Progress, Stopped, Tell, fit};
use crate::left_out::{LeftOut, leave_out};
use crate::parameters::{Parameter, parameters};
use crate::problem::{Case, Free, Observation, Problem, Quantity, round};
use crate::rewrite::rewrite_scenario;
use crate::runs::{Figure, MeasuredRun, RunsError};

/// How a calibration goes about it.
#[derive(Debug, Clone, PartialEq)]
pub struct CalibrateOptions {
    /// The search and the draws.
    pub fit: FitOptions,
    /// Seed of all random streams, and nights of each configuration.
    pub predict: PredictOptions,
    /// Relative standard deviation of durations, as expected beforehand: what two runs of one
    /// configuration differ by, and what the model leaves out.
    pub error: f64,
    /// Standard deviation of the clock in seconds; absent: read off the digits of each duration.
    pub clock_seconds: Option<f64>,
    /// Knobs that are free as well, or with another expectation.
    pub free: Vec<FreeKnob>,
    /// Knobs that are not.
    pub fixed: Vec<String>,
    /// So many further runs are proposed, to answer this question.
    pub design: Option<(usize, Question)>,
}

impl CalibrateOptions {
    /// Nights of each configuration while fitting.
    pub const REPLICATIONS: u32 = 8;
    /// Two runs of one configuration differ by a few per cent in published tables; assumption.
    pub const ERROR: f64 = 0.04;
}

/// A knob that is declared free.
#[derive(Debug, Clone, PartialEq)]
pub struct FreeKnob {
    /// Its path.
    pub path: String,
    /// What is expected of it, in the unit of the scenario; absent: the scenario's value.
    pub value: Option<f64>,
    /// One standard deviation of that expectation, as a factor; absent: that of its kind.
    pub factor: Option<f64>,
    /// Bounds, in the unit of the scenario.
    pub bounds: Option<(f64, f64)>,
}

/// A measured figure and what the fit makes of it.
#[derive(Debug, Clone, PartialEq)]
pub struct CalibratedRow {
    /// The run.
    pub run: String,
    /// What was measured.
    pub quantity: Quantity,
    /// As measured.
    pub measured: f64,
    /// Median with the best values.
    pub predicted: f64,
    /// predicted / measured - 1.
    pub relative_error: f64,
    /// Median, and 90 % range of a measurement, of a fit that has not seen the run.
    pub left_out: Option<(f64, f64, f64)>,
    /// The knob that the run alone identifies, which is why it is not left out.
    pub alone_identifies: Option<String>,
}

/// What a calibration found.
#[derive(Debug, Clone, PartialEq)]
pub struct Calibration {
    /// Runs, and configurations among them that differ.
    pub runs: usize,
    /// The latter.
    pub configurations: usize,
    /// Every free knob.
    pub parameters: Vec<Parameter>,
    /// Every measured figure.
    pub rows: Vec<CalibratedRow>,
    /// Relative standard deviation of durations about the fit.
    pub error: f64,
    /// Why the search ended.
    pub stopped: Stopped,
    /// Times all runs were simulated.
    pub evaluations: u64,
    /// Draws from the posterior, and how many equally weighted ones they are worth.
    pub draws: usize,
    /// The latter.
    pub effective_draws: f64,
    /// Further runs, if they were asked for.
    pub design: Option<Design>,
    /// The ensemble.
    pub ensemble: Ensemble,
    /// The scenario with fitted values and the ensemble.
    pub fitted_scenario: String,
}

/// Fits a scenario to runs.
///
/// # Errors
/// If the scenario or a run's settings are wrong, if nothing could be fitted, or if no starting
/// point can be computed.
pub fn calibrate(
    document: &Document,
    variant: Option<&str>,
    sets: &[Set],
    runs: &[MeasuredRun],
    options: &CalibrateOptions,
    tell: Tell<'_>,
) -> Result<Calibration, CalibrationError> {
    let base = document.load(variant, sets)?;
    let (problem, names) = problem(document, variant, sets, runs, options)?;
    let fit = fit(&problem, &options.fit, tell)?;
    let rows = rows(&problem, &names, &fit, &options.fit, tell)?;
    let mut parameters = parameters(&problem, &fit);
    let asked =
        Case { name: base.name.clone(), variant: variant.map(str::to_string), sets: sets.to_vec() };
    let sheet = |question| {
        tell(Progress { phase: "looking for runs that would tell more", done: 0, of: 1 });
        Sheet::after(&base, &problem, &fit, &asked, question)
    };
    if parameters.iter().any(|p| !p.identified) {
        let sheet = sheet(Question::Total)?;
        for (parameter, run) in parameters.iter_mut().zip(runs_that_would_tell(&sheet)) {
            if !parameter.identified {
                parameter.run_that_would_tell = run;
            }
        }
    }
    let design = match options.design {
        Some((count, question)) => Some(sheet(question)?.propose(count, question)),
        None => None,
    };
    let ensemble = ensemble(&problem, &fit, source(&problem, &fit, runs.len()));
    let text = with_sets(document.text(), sets, &base)?;
    let fitted_sets = fitted_sets(&problem, &fit);
    Ok(Calibration {
        runs: runs.len(),
        configurations: problem.cases.len(),
        parameters,
        rows,
        error: fit.error_to_come(),
        stopped: fit.stopped,
        evaluations: fit.evaluations,
        draws: fit.posterior.draws.len(),
        effective_draws: fit.posterior.effective(),
        design,
        fitted_scenario: rewrite_scenario(&text, &fitted_sets, Some(&ensemble))?,
        ensemble,
    })
}

/// What the scenario is fitted to, as its file says it.
fn source(problem: &Problem, fit: &Fit, runs: usize) -> String {
    format!(
        "fitted to {} measurements of {runs} runs; durations scatter by {} % about the fit",
        problem.observations.len(),
        round(100.0 * fit.error_to_come(), 1)
    )
}

/// The text of a scenario with values replaced as they were given, in the types of the schema.
fn with_sets(text: &str, sets: &[Set], base: &Loaded) -> Result<String, CalibrationError> {
    let unwritable = |what: String| CalibrationError::Rewrite(what);
    let mut document: DocumentMut =
        text.parse().map_err(|error: toml_edit::TomlError| unwritable(error.to_string()))?;
    let written = serde_json::to_value(&base.scenario).unwrap_or_default();
    for set in sets {
        let mut keys: Vec<&str> = set.path.split('.').collect();
        let Some(last) = keys.pop() else { continue };
        let found = set.path.split('.').try_fold(&written, |value, key| value.get(key));
        let value = found.filter(|value| !value.is_null());
        let mut table = document.as_table_mut() as &mut dyn TableLike;
        for key in keys {
            let inner = table.entry(key).or_insert_with(toml_edit::table);
            table = inner.as_table_like_mut().ok_or_else(|| unwritable(set.to_string()))?;
        }
        // What is `default` now is not written any more. JSON of such values is TOML as well.
        match value.map(|value| value.to_string().parse::<toml_edit::Value>()) {
            Some(Ok(value)) => {
                table.insert(last, toml_edit::value(value));
            }
            Some(Err(error)) => return Err(unwritable(format!("{set}: {error}"))),
            None => {
                table.remove(last);
            }
        }
    }
    Ok(document.to_string())
}

/// What was fitted.
fn fitted_sets(problem: &Problem, fit: &Fit) -> Vec<Set> {
    let mut all = Vec::new();
    for (free, x) in problem.free.iter().zip(&fit.best) {
        let value = free.text(free.value(*x, 4));
        all.extend(free.paths.iter().map(|path| Set::new(path, value.clone())));
    }
    // A speed cannot vary by more than all of itself; whoever scatters so is told of it otherwise.
    let error = format!("{} %", round(100.0 * fit.error_to_come(), 1).min(100.0));
    let spread = problem.still.iter().filter(|set| set.path.ends_with("run_to_run"));
    all.extend(spread.map(|set| Set::new(&set.path, error.clone())));
    all
}

/// What is to be fitted, and the run of each measured figure.
fn problem(
    document: &Document,
    variant: Option<&str>,
    sets: &[Set],
    runs: &[MeasuredRun],
    options: &CalibrateOptions,
) -> Result<(Problem, Vec<String>), CalibrationError> {
    let base = document.load(variant, sets)?;
    let mut cases: Vec<Case> = Vec::new();
    let mut loaded: Vec<Loaded> = Vec::new();
    let (mut observations, mut names) = (Vec::new(), Vec::new());
    let (mut problems, mut firsts) = (Vec::new(), Vec::new());
    for (index, run) in runs.iter().enumerate() {
        let all: Vec<Set> = sets.iter().chain(&run.sets).cloned().collect();
        let variant = run.variant.clone().or_else(|| variant.map(str::to_string));
        let known = cases.iter().position(|c| c.variant == variant && c.sets == all);
        let case = match known {
            Some(case) => case,
            None => match document.load(variant.as_deref(), &all) {
                Ok(one) => {
                    loaded.push(one);
                    firsts.push(index);
                    cases.push(Case { name: run.name.clone(), variant, sets: all });
                    cases.len() - 1
                }
                Err(error) => {
                    problems.push(format!("{}: {error}", run.place));
                    continue;
                }
            },
        };
        match observe(run, case, &loaded[case], options) {
            Ok(more) => {
                names.extend(more.iter().map(|_| run.name.clone()));
                observations.extend(more);
            }
            Err(problem) => problems.push(problem),
        }
    }
    if !problems.is_empty() {
        return Err(RunsError::Problems(problems).into());
    }
    let free = free_knobs(&base, &loaded, options)?;
    let given = sets.iter().filter(|set| free.iter().any(|f| f.paths.contains(&set.path)));
    let given: Vec<&Set> = given.collect();
    // What is set for all runs is what is expected of a free knob; what a run itself states holds.
    for (case, run) in cases.iter_mut().zip(&firsts) {
        let stated = &runs[*run].sets;
        case.sets.retain(|set| !given.contains(&set) || stated.contains(set));
    }
    for case in &mut cases {
        state_what_a_variant_states(document, &base, &free, case)?;
    }
    let problem = Problem {
        document: document.clone(),
        cases,
        observations,
        free,
        still: still(&base),
        error: options.error,
        options: options.predict,
    };
    Ok((problem, names))
}

/// A knob that a variant gives another value than the scenario is not free in runs of it: the value
/// is stated, as if the run had a column for it.
fn state_what_a_variant_states(
    document: &Document,
    base: &Loaded,
    free: &[Free],
    case: &mut Case,
) -> Result<(), CalibrationError> {
    let Some(variant) = &case.variant else { return Ok(()) };
    let of_variant = document.load(Some(variant), &[])?;
    let written = |loaded: &Loaded| serde_json::to_value(&loaded.scenario).unwrap_or_default();
    let (of_variant, of_base) = (written(&of_variant), written(base));
    for path in free.iter().flat_map(|free| &free.paths) {
        let (Some(stated), Some(general)) = (value_at(&of_variant, path), value_at(&of_base, path))
        else {
            continue;
        };
        if stated != general && !case.sets.iter().any(|set| set.path == *path) {
            let value = format!("{} {}", stated.0, stated.1).trim_end().to_string();
            case.sets.push(Set::new(path, value));
        }
    }
    Ok(())
}

/// Variation from night to night, off, and the scenario's own ensemble, taken away.
pub(crate) fn still(base: &Loaded) -> Vec<Set> {
    let devices = base.resolved.machine.devices.iter();
    let mut still: Vec<Set> =
        devices.map(|d| Set::new(format!("device.{}.run_to_run", d.name), "0 %")).collect();
    still.push(Set::new("processor.run_to_run", "0 %"));
    still.push(Set::new("ensemble", "default"));
    still
}

/// What a run says of its configuration.
fn observe(
    run: &MeasuredRun,
    case: usize,
    loaded: &Loaded,
    options: &CalibrateOptions,
) -> Result<Vec<Observation>, String> {
    let resolved = &loaded.resolved;
    let mut observations = Vec::new();
    for measured in &run.measured {
        let (quantity, value, rounding) = match measured.figure {
            Figure::Is(quantity) => (quantity, measured.value, measured.rounding),
            Figure::Throughput(bytes) => {
                let all = resolved.database_bytes().get() as f64;
                let seconds = all / (measured.value * f64::from(bytes));
                (Quantity::Backup, seconds, seconds * measured.rounding / measured.value)
            }
        };
        // A size that is known anyway, and processors that have nothing to do, say nothing.
        let compressed = resolved.backup.compression.is_some();
        let of_compression =
            matches!(quantity, Quantity::WrittenBytes | Quantity::ProcessorPercent);
        if of_compression && !compressed {
            continue;
        }
        let (there, name) = match quantity {
            Quantity::Verify => (resolved.verification.is_some(), "verify"),
            Quantity::Restore => (resolved.restoration.is_some(), "restore"),
            _ => (true, ""),
        };
        if !there {
            return Err(format!(
                "{}: a {} was measured, but the scenario has none for these settings: is \
                 `{name}.enabled` false, or does a stripe go to NUL?",
                run.place,
                quantity.name()
            ));
        }
        // The difference of two readings of a clock that rounds.
        let clock = rounding * libm::sqrt(2.0 / 3.0);
        let rounding = match options.clock_seconds {
            Some(clock) if quantity.is_duration() => clock,
            _ => clock,
        };
        let relative_sd = quantity.relative_sd();
        observations.push(Observation { case, quantity, value, rounding, relative_sd });
    }
    let twice = observations.iter().enumerate().find(|(i, o)| {
        observations[..*i].iter().any(|before: &Observation| before.quantity == o.quantity)
    });
    match twice {
        Some((_, o)) => Err(format!(
            "{}: the {} is given twice, as a duration and as a throughput",
            run.place,
            o.quantity.name()
        )),
        None => Ok(observations),
    }
}

/// The knobs that decide, those that were declared free, without those that were fixed.
pub(crate) fn free_knobs(
    base: &Loaded,
    loaded: &[Loaded],
    options: &CalibrateOptions,
) -> Result<Vec<Free>, CalibrationError> {
    let mut free = choose(base, loaded)?;
    let written = serde_json::to_value(&base.scenario).unwrap_or_default();
    for asked in &options.free {
        let known = free.iter_mut().find(|f| f.paths.contains(&asked.path));
        match known {
            Some(known) => asked.change(known),
            None => {
                let new = can_be_free(&asked.path).then(|| vec![asked.path.clone()]);
                let new = new.and_then(|paths| free_knob(paths, &written));
                let mut new = new.ok_or_else(|| {
                    let path = &asked.path;
                    let reason = format!(
                        "`{path}` is no number above zero in the scenario; only a number can be \
                         free: write one, or give it one with `--set {path}=VALUE`"
                    );
                    CalibrationError::NothingFree { reason }
                })?;
                asked.change(&mut new);
                free.push(new);
            }
        }
    }
    for fixed in &options.fixed {
        for one in &mut free {
            one.paths.retain(|path| path != fixed);
        }
    }
    free.retain(|one| !one.paths.is_empty());
    if free.is_empty() {
        let reason = "every knob is fixed".to_string();
        return Err(CalibrationError::NothingFree { reason });
    }
    Ok(free)
}

impl FreeKnob {
    fn change(&self, free: &mut Free) {
        let reach = free.high / free.prior;
        if let Some(value) = self.value {
            (free.low, free.prior, free.high) = (value / reach, value, value * reach);
        }
        free.prior_factor = self.factor.unwrap_or(free.prior_factor);
        if self.value.is_some() || self.factor.is_some() {
            free.reason = "as declared".to_string();
        }
        if let Some((low, high)) = self.bounds {
            (free.low, free.high) = (low, high);
            free.prior = free.prior.clamp(low, high);
        }
    }
}

/// Groups of configurations that are left out, at most.
const MOST_GROUPS: usize = 16;

fn rows(
    problem: &Problem,
    names: &[String],
    fit: &Fit,
    options: &FitOptions,
    tell: Tell<'_>,
) -> Result<Vec<CalibratedRow>, CalibrationError> {
    let predicted = problem.predict(&fit.best, &problem.wanted())?;
    let row = |((o, predicted), name): ((&Observation, &f64), &String)| CalibratedRow {
        run: name.clone(),
        quantity: o.quantity,
        measured: o.value,
        predicted: *predicted,
        relative_error: predicted / o.value - 1.0,
        left_out: None,
        alone_identifies: None,
    };
    let measured = problem.observations.iter().zip(&predicted).zip(names);
    let mut rows: Vec<CalibratedRow> = measured.map(row).collect();
    if problem.cases.len() < 2 {
        return Ok(rows);
    }
    // Of many configurations several are left out at a time, or it would take too long.
    let groups = problem.cases.len().min(MOST_GROUPS);
    let (done, of) = (AtomicU64::new(0), groups as u64);
    let one = |group: usize| {
        let found = leave_out(problem, fit, options, &|case| case % groups == group);
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        tell(Progress { phase: "leaving runs out", done, of });
        found
    };
    let found: Vec<Option<LeftOut>> = (0..groups).into_par_iter().map(one).collect();
    for left in found.into_iter().flatten() {
        for unseen in &left.unseen {
            let row = &mut rows[unseen.observation];
            match left.rests_on_group {
                Some(index) => row.alone_identifies = Some(problem.free[index].name().to_string()),
                None => row.left_out = Some((unseen.median, unseen.low, unseen.high)),
            }
        }
    }
    Ok(rows)
}
