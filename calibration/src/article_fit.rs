//! Fitting an article's scenario to its table, and asking what the fit is worth.

use std::sync::atomic::{AtomicU64, Ordering};

use bakcast_scenarios::Set;
use bakcast_scenarios::predict::PredictOptions;
use rayon::prelude::*;

use crate::article::Article;
use crate::ensemble::{Ensemble, ensemble};
use crate::error::CalibrationError;
use crate::fit::{Fit, FitOptions, Progress, Tell, fit};
use crate::left_out::{LeftOut, Unseen, leave_out};
use crate::parameters::parameters;
use crate::problem::{Case, Observation, Problem, round, significant};
use crate::record::{FoldRecord, LeftOutRecord, Record, RowRecord};

/// What a fit found: what is stored, and what goes into the scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct FittedArticle {
    /// What is stored.
    pub record: Record,
    /// Knobs with their fitted values, variation from night to night included.
    pub sets: Vec<Set>,
    /// Knobs that are fitted for one row alone, by the row.
    pub row_sets: Vec<(String, Set)>,
    /// All parameter sets that are consistent with the table.
    pub ensemble: Ensemble,
}

impl Article {
    /// What is to be fitted: every row that is not set aside.
    ///
    /// # Errors
    /// If the scenario cannot be read.
    pub fn problem(&self, seed: u64) -> Result<Problem, CalibrationError> {
        let case = |name: &str| Case {
            name: name.to_string(),
            variant: Some(name.to_string()),
            sets: Vec::new(),
        };
        let names: Vec<&str> = self.row_names();
        let cases: Vec<Case> = names.iter().map(|name| case(name)).collect();
        let fitted = self.measurements.iter().filter(|m| !self.unfitted.contains_key(&m.row));
        let observation = |m: &crate::table::Measurement| Observation {
            case: names.iter().position(|name| *name == m.row).unwrap_or(0),
            quantity: m.quantity,
            value: m.value,
            rounding: if m.quantity.is_duration() { self.clock_seconds } else { 0.0 },
            relative_sd: m.quantity.relative_sd(),
        };
        let mut still: Vec<Set> = self.spread.iter().map(|path| Set::new(path, "0 %")).collect();
        still.push(Set::new("ensemble", "default"));
        Ok(Problem {
            document: self.document()?,
            observations: fitted.map(observation).collect(),
            cases,
            free: self.free.clone(),
            still,
            error: self.model_error_percent / 100.0,
            options: PredictOptions {
                seed,
                replications: self.replications,
                ..PredictOptions::DEFAULT
            },
        })
    }
}

/// Fits the article's scenario to its table, leaves out each row in turn, and each of its folds.
///
/// # Errors
/// If the scenario cannot be run, or no start gets anywhere.
pub fn fit_article(
    article: &Article,
    options: &FitOptions,
    tell: Tell<'_>,
) -> Result<FittedArticle, CalibrationError> {
    let problem = article.problem(options.seed)?;
    let folds = groups(article, &problem);
    let (record, fit) = fit_problem(&article.id, &problem, &folds, options, tell)?;
    let error_percent = record.error_percent;
    let (mut sets, mut row_sets) = (Vec::new(), Vec::new());
    for (free, x) in problem.free.iter().zip(&fit.best) {
        let value = free.text(free.value(*x, 4));
        for path in &free.paths {
            let set = Set::new(path, value.clone());
            if free.rows.is_empty() {
                sets.push(set.clone());
            }
            row_sets.extend(free.rows.iter().map(|row| (row.clone(), set.clone())));
        }
    }
    sets.extend(article.spread.iter().map(|path| Set::new(path, format!("{error_percent} %"))));
    let source = format!(
        "fitted to {} measurements of {}; durations scatter by {error_percent} % about the fit",
        problem.observations.len(),
        article.id
    );
    Ok(FittedArticle { record, sets, row_sets, ensemble: ensemble(&problem, &fit, source) })
}

/// Fits a problem, leaves out each of its configurations in turn, and each of these groups.
pub(crate) fn fit_problem(
    name: &str,
    problem: &Problem,
    groups: &[Group],
    options: &FitOptions,
    tell: Tell<'_>,
) -> Result<(Record, Fit), CalibrationError> {
    let fit = fit(problem, options, tell)?;
    let values: Vec<f64> =
        problem.free.iter().zip(&fit.best).map(|(free, x)| free.value(*x, 4)).collect();
    let mut rows = rows(problem, &values)?;
    leave_out_rows(problem, &fit, options, &mut rows, tell);
    let record = Record {
        article: name.to_string(),
        seed: options.seed,
        replications: problem.options.replications,
        evaluations: fit.evaluations,
        stopped: fit.stopped.name().to_string(),
        objective: round(fit.cost, 4),
        error_percent: round(100.0 * fit.error_to_come(), 1),
        draws: fit.posterior.draws.len(),
        effective_draws: round(fit.posterior.effective(), 1),
        parameter: parameters(problem, &fit),
        row: rows,
        fold: folds(groups, problem, &fit, options, tell),
    };
    Ok((record, fit))
}

/// Rows that are predicted from the others, and what the others are.
pub(crate) struct Group {
    fitted_on: String,
    rows: Vec<String>,
}

/// The fitted rows with the values as they are stored.
fn rows(problem: &Problem, values: &[f64]) -> Result<Vec<RowRecord>, CalibrationError> {
    let point: Vec<f64> = values.iter().map(|value| libm::log10(*value)).collect();
    let predicted = problem.predict(&point, &problem.wanted())?;
    let row = |(predicted, o): (&f64, &Observation)| RowRecord {
        row: problem.cases[o.case].name.clone(),
        operation: o.quantity,
        measured: significant(o.value, 6),
        predicted: significant(*predicted, 6),
        relative_error: round(predicted / o.value - 1.0, 4),
        left_out: None,
        alone_identifies: None,
    };
    Ok(predicted.iter().zip(&problem.observations).map(row).collect())
}

fn leave_out_rows(
    problem: &Problem,
    fit: &Fit,
    options: &FitOptions,
    rows: &mut [RowRecord],
    tell: Tell<'_>,
) {
    let mut measured: Vec<usize> = problem.observations.iter().map(|o| o.case).collect();
    measured.dedup();
    let (done, of) = (AtomicU64::new(0), measured.len() as u64);
    let one = |case: &usize| {
        let found = leave_out(problem, fit, options, &|c| c == *case);
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        tell(Progress { phase: "leaving rows out", done, of });
        found
    };
    let found: Vec<Option<LeftOut>> = measured.par_iter().map(one).collect();
    for left in found.into_iter().flatten() {
        for unseen in &left.unseen {
            let row = &mut rows[unseen.observation];
            match left.rests_on_group {
                Some(index) => row.alone_identifies = Some(problem.free[index].name().to_string()),
                None => row.left_out = Some(record_of(problem, unseen)),
            }
        }
    }
}

fn record_of(problem: &Problem, unseen: &Unseen) -> LeftOutRecord {
    let measured = problem.observations[unseen.observation].value;
    LeftOutRecord {
        predicted: significant(unseen.median, 6),
        low: significant(unseen.low, 6),
        high: significant(unseen.high, 6),
        relative_error: round(unseen.median / measured - 1.0, 4),
    }
}

/// Each part of the table, predicted from the rest and the rest from it; and the whole table, from
/// the priors alone.
fn groups(article: &Article, problem: &Problem) -> Vec<Group> {
    let measured =
        |name: &&String| problem.observations.iter().any(|o| problem.cases[o.case].name == **name);
    let all: Vec<String> =
        problem.cases.iter().map(|case| &case.name).filter(measured).cloned().collect();
    let mut groups = Vec::new();
    for fold in &article.fold {
        let rest = all.iter().filter(|row| !fold.rows.contains(row)).cloned().collect();
        groups.push(Group { fitted_on: fold.name.clone(), rows: rest });
        let fitted_on = format!("all but {}", fold.name);
        groups.push(Group { fitted_on, rows: fold.rows.clone() });
    }
    groups.push(Group { fitted_on: "nothing: priors alone".to_string(), rows: all });
    groups
}

fn folds(
    groups: &[Group],
    problem: &Problem,
    fit: &Fit,
    options: &FitOptions,
    tell: Tell<'_>,
) -> Vec<FoldRecord> {
    let (done, of) = (AtomicU64::new(0), groups.len() as u64);
    let one = |group: &Group| {
        let is_in = |case: usize| group.rows.contains(&problem.cases[case].name);
        let left = leave_out(problem, fit, options, &is_in)?;
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        tell(Progress { phase: "leaving parts out", done, of });
        Some(fold_record(problem, group, &left))
    };
    groups.par_iter().filter_map(one).collect()
}

fn fold_record(problem: &Problem, group: &Group, left: &LeftOut) -> FoldRecord {
    let measured = |u: &Unseen| problem.observations[u.observation].value;
    let errors: Vec<f64> = left.unseen.iter().map(|u| u.median / measured(u) - 1.0).collect();
    let inside = left.unseen.iter().filter(|u| (u.low..=u.high).contains(&measured(u))).count();
    let count = errors.len().max(1) as f64;
    let mean = errors.iter().map(|error| error.abs()).sum::<f64>() / count;
    FoldRecord {
        fitted_on: group.fitted_on.clone(),
        rows: group.rows.clone(),
        mean_absolute_relative_error: round(mean, 4),
        max_absolute_relative_error: round(
            errors.iter().fold(0.0, |most: f64, error| most.max(error.abs())),
            4,
        ),
        relative_errors: errors.iter().map(|error| round(*error, 4)).collect(),
        coverage: round(inside as f64 / count, 3),
    }
}
