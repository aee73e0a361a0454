//! Which runs to make next: those that leave least doubt about the question asked.
//!
//! All that is known of the knobs is a set of points (draws from the posterior, or from the priors
//! if nothing was measured yet). At each of them every candidate is simulated. In logarithms the
//! figures of candidates, the answer to the question and the knobs themselves are then jointly
//! distributed; taking them for jointly normal, a measurement y with error variance r leaves of the
//! covariance S (Kalman's update)
//!
//! ```text
//! S' = S - S[.,y] S[y,.] / (S[y,y] + r)
//! ```
//!
//! Runs are chosen one after the other, each the one after which the variance of the answer is
//! least; of runs that are nearly as good the shorter one. Costs: candidates x points simulations,
//! then arithmetic.

use bakcast_models::pipeline::BackupError;
use bakcast_scenarios::{Document, Loaded, Set};
use bakcast_sim::Streams;
use rayon::prelude::*;

use crate::calibrate::{CalibrateOptions, free_knobs, still};
use crate::candidates::{Candidate, candidates};
use crate::error::CalibrationError;
use crate::fit::Fit;
use crate::matrix::Matrix;
use crate::problem::{Axis, Case, Problem, Quantity, Wanted};

/// Points at which candidates are simulated.
const POINTS: usize = 96;
/// Nights of each candidate at each point.
const REPLICATIONS: u32 = 2;
/// A run that leaves so much more variance, but takes less time, is preferred.
const NEARLY: f64 = 0.03;

/// What is to be known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Question {
    /// How long the scenario's backup takes.
    Backup,
    /// How long its verification takes.
    Verify,
    /// Both together.
    #[default]
    Total,
    /// How long any backup on this machine takes: the mean over all candidates.
    Any,
}

/// A run that is proposed.
#[derive(Debug, Clone, PartialEq)]
pub struct ProposedRun {
    /// What it is, in a few words.
    pub name: String,
    /// The settings that make it.
    pub sets: Vec<Set>,
    /// The BACKUP statement, and what verifies its files if they are verified as well.
    pub statement: String,
    /// The backup files are verified as well.
    pub verified: bool,
    /// How long the backup, and its verification, are expected to take, in seconds.
    pub expected_seconds: f64,
    /// Relative standard deviation of the answer after this run and those before it.
    pub doubt_after: f64,
}

/// Runs that are proposed.
#[derive(Debug, Clone, PartialEq)]
pub struct Design {
    /// What they are to tell.
    pub question: Question,
    /// In the order in which they tell most.
    pub runs: Vec<ProposedRun>,
    /// Relative standard deviation of the answer before any of them.
    pub doubt_before: f64,
    /// Runs that were considered.
    pub considered: usize,
}

/// The figures of all candidates at all points, in logarithms.
pub(crate) struct Sheet {
    candidates: Vec<Candidate>,
    /// What each column is: a figure of a candidate.
    columns: Vec<Wanted>,
    /// Covariances of the columns, then of the answers, then of the knobs.
    covariance: Matrix,
    means: Vec<f64>,
    answers: usize,
    knobs: usize,
    /// Relative standard deviation of durations.
    error: f64,
}

/// Proposes `count` runs for a scenario of which nothing is measured yet.
///
/// # Errors
/// If the scenario is wrong or none of the candidates can be simulated.
pub fn design(
    document: &Document,
    variant: Option<&str>,
    sets: &[Set],
    options: &CalibrateOptions,
    count: usize,
    question: Question,
) -> Result<Design, CalibrationError> {
    let base = document.load(variant, sets)?;
    let candidates = candidates(document, &base, variant, sets);
    let loaded: Vec<Loaded> = candidates.iter().map(|c| c.loaded.clone()).collect();
    let all: Vec<Loaded> = std::iter::once(base.clone()).chain(loaded).collect();
    let problem = Problem {
        document: document.clone(),
        cases: Vec::new(),
        observations: Vec::new(),
        free: free_knobs(&base, &all, options)?,
        still: still(&base),
        error: options.error,
        options: options.predict,
    };
    let points = prior_points(&problem.axes(), options.fit.seed);
    let asked =
        Case { name: base.name.clone(), variant: variant.map(str::to_string), sets: sets.to_vec() };
    let sheet = Sheet::new(&base, &problem, candidates, &asked, question, &points)?;
    Ok(sheet.propose(count, question))
}

/// Points drawn from the priors.
fn prior_points(axes: &[Axis], seed: u64) -> Vec<Vec<f64>> {
    let mut random = Streams::new(seed, 0).named("calibration/design");
    let mut draw =
        |axis: &Axis| (axis.prior + axis.prior_sd * random.normal()).clamp(axis.low, axis.high);
    (0..POINTS).map(|_| axes.iter().map(&mut draw).collect()).collect()
}

impl Sheet {
    /// The sheet of a scenario that was fitted: what further runs would tell of the case `asked`.
    pub(crate) fn after(
        base: &Loaded,
        problem: &Problem,
        fit: &Fit,
        asked: &Case,
        question: Question,
    ) -> Result<Self, CalibrationError> {
        let variant = asked.variant.as_deref();
        let candidates = candidates(&problem.document, base, variant, &asked.sets);
        let points = fit.posterior.members(POINTS.min(fit.posterior.draws.len()));
        let fitted = Problem { error: fit.error, ..problem.clone() };
        Sheet::new(base, &fitted, candidates, asked, question, &points)
    }

    fn new(
        base: &Loaded,
        problem: &Problem,
        candidates: Vec<Candidate>,
        asked: &Case,
        question: Question,
        points: &[Vec<f64>],
    ) -> Result<Self, CalibrationError> {
        let mut columns: Vec<Wanted> = Vec::new();
        for (index, candidate) in candidates.iter().enumerate() {
            columns.extend(figures(&candidate.loaded).into_iter().map(|q| (index, q)));
        }
        let mut cases: Vec<Case> = candidates.iter().map(|c| c.case.clone()).collect();
        cases.push(asked.clone());
        // What is set for all runs is what is expected of a free knob.
        let is_free = |set: &Set| problem.free.iter().any(|free| free.paths.contains(&set.path));
        cases.iter_mut().for_each(|case| case.sets.retain(|set| !is_free(set)));
        let of_asked = (cases.len() - 1, question.quantity(base));
        let wanted: Vec<Wanted> = columns.iter().copied().chain([of_asked]).collect();
        let mut options = problem.options;
        options.replications = REPLICATIONS;
        let problem = Problem { cases, options, ..problem.clone() };
        let ready = problem.ready(&wanted)?;
        let logs = |point: &Vec<f64>| {
            let figures = ready.predict(point, &wanted).ok()?;
            figures.iter().all(|f| *f > 0.0).then(|| {
                let logs = figures.iter().map(|f| libm::log(*f));
                let knobs = point.iter().map(|x| x * std::f64::consts::LN_10);
                logs.chain(knobs).collect::<Vec<f64>>()
            })
        };
        let rows: Vec<Vec<f64>> = points.par_iter().filter_map(logs).collect();
        if rows.len() < 8 {
            return Err(BackupError::TooLong { days: 1000 }.into());
        }
        let (means, covariance) = moments(&rows);
        let knobs = problem.free.len();
        let error = problem.error;
        let sheet = Sheet { candidates, columns, covariance, means, answers: 1, knobs, error };
        Ok(if question == Question::Any { sheet.ask_for_any() } else { sheet })
    }

    /// The answers are the durations of all candidates.
    fn ask_for_any(mut self) -> Self {
        let backups: Vec<usize> = (0..self.columns.len())
            .filter(|column| self.columns[*column].1.is_duration())
            .collect();
        let first = self.columns.len();
        let order: Vec<usize> = (0..first)
            .chain(backups.iter().copied())
            .chain(first + 1..self.covariance.len())
            .collect();
        let old = &self.covariance;
        self.covariance =
            order.iter().map(|a| order.iter().map(|b| old[*a][*b]).collect()).collect();
        self.means = order.iter().map(|a| self.means[*a]).collect();
        self.answers = backups.len();
        self
    }

    /// The error variance of a column.
    fn noise(&self, column: usize) -> f64 {
        let sd = self.columns[column].1.relative_sd().unwrap_or(self.error);
        sd * sd
    }

    /// The covariance after all figures of a candidate are measured.
    fn after_run(&self, covariance: &Matrix, candidate: usize) -> Matrix {
        let mut left = covariance.clone();
        for column in (0..self.columns.len()).filter(|c| self.columns[*c].0 == candidate) {
            let total = left[column][column] + self.noise(column);
            let row = left[column].clone();
            for (a, line) in left.iter_mut().enumerate() {
                let share = row[a] / total;
                line.iter_mut().zip(&row).for_each(|(s, b)| *s -= share * b);
            }
        }
        left
    }

    /// Mean variance of the answers.
    fn doubt(&self, covariance: &Matrix) -> f64 {
        let first = self.columns.len();
        let answers = first..first + self.answers;
        answers.map(|a| covariance[a][a].max(0.0)).sum::<f64>() / self.answers as f64
    }

    /// Expected seconds of a run: backup, then verification.
    fn seconds(&self, candidate: usize) -> f64 {
        let columns = self.columns.iter().zip(&self.means);
        columns
            .filter(|((of, quantity), _)| *of == candidate && quantity.is_duration())
            .map(|(_, mean)| libm::exp(*mean))
            .sum()
    }

    pub(crate) fn propose(&self, count: usize, question: Question) -> Design {
        let mut covariance = self.covariance.clone();
        let doubt_before = libm::sqrt(self.doubt(&covariance));
        let mut runs = Vec::new();
        let mut taken = vec![false; self.candidates.len()];
        for _ in 0..count.min(self.candidates.len()) {
            let options: Vec<(usize, f64, Matrix)> = (0..self.candidates.len())
                .filter(|candidate| !taken[*candidate])
                .map(|candidate| {
                    let after = self.after_run(&covariance, candidate);
                    (candidate, self.doubt(&after), after)
                })
                .collect();
            let least = options.iter().map(|(_, doubt, _)| *doubt).fold(f64::INFINITY, f64::min);
            let now = self.doubt(&covariance);
            let nearly = least + NEARLY * (now - least).max(0.0);
            let best = options
                .into_iter()
                .filter(|(_, doubt, _)| *doubt <= nearly)
                .min_by(|a, b| self.seconds(a.0).total_cmp(&self.seconds(b.0)));
            let Some((candidate, doubt, after)) = best else { break };
            taken[candidate] = true;
            covariance = after;
            let Candidate { case, own, loaded } = &self.candidates[candidate];
            runs.push(ProposedRun {
                name: case.name.clone(),
                sets: own.clone(),
                statement: statements(loaded),
                verified: loaded.resolved.verification.is_some(),
                expected_seconds: self.seconds(candidate),
                doubt_after: libm::sqrt(doubt),
            });
        }
        Design { question, runs, doubt_before, considered: self.candidates.len() }
    }
}

impl Question {
    /// As given on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Question::Backup => "backup",
            Question::Verify => "verify",
            Question::Total => "total",
            Question::Any => "any",
        }
    }

    fn quantity(self, base: &Loaded) -> Quantity {
        let verified = base.resolved.verification.is_some();
        match self {
            Question::Verify if verified => Quantity::Verify,
            Question::Total => Quantity::Total,
            Question::Backup | Question::Verify | Question::Any => Quantity::Backup,
        }
    }
}

/// The BACKUP statement, and below it what verifies the files if they are verified.
fn statements(loaded: &Loaded) -> String {
    let backup = loaded.statement();
    let files = backup.split_once("\nTO ").and_then(|(_, rest)| rest.rsplit_once("\nWITH "));
    match files {
        Some((files, _)) if loaded.resolved.verification.is_some() => {
            format!("{backup}\nRESTORE VERIFYONLY\nFROM {};", files.replace(",\n   ", ",\n     "))
        }
        _ => backup,
    }
}

/// What a run of these settings tells: durations, and the size if it is compressed.
fn figures(loaded: &Loaded) -> Vec<Quantity> {
    let resolved = &loaded.resolved;
    let mut figures = vec![Quantity::Backup];
    if resolved.verification.is_some() {
        figures.push(Quantity::Verify);
    }
    if resolved.backup.compression.is_some() {
        figures.push(Quantity::WrittenBytes);
    }
    figures
}

/// Means and covariances of columns over rows.
fn moments(rows: &[Vec<f64>]) -> (Vec<f64>, Matrix) {
    let (count, n) = (rows.len() as f64, rows.first().map_or(0, Vec::len));
    let means: Vec<f64> =
        (0..n).map(|c| rows.iter().map(|row| row[c]).sum::<f64>() / count).collect();
    let entry = |a: usize, b: usize| {
        let product = |row: &Vec<f64>| (row[a] - means[a]) * (row[b] - means[b]);
        rows.iter().map(product).sum::<f64>() / (count - 1.0)
    };
    let covariance = (0..n).map(|a| (0..n).map(|b| entry(a, b)).collect()).collect();
    (means, covariance)
}

/// For each knob the run that would leave least doubt about it, if one would leave clearly less.
pub(crate) fn runs_that_would_tell(sheet: &Sheet) -> Vec<Option<String>> {
    /// Share of the variance that may be left.
    const CLEARLY_LESS: f64 = 0.7;
    let first = sheet.covariance.len() - sheet.knobs;
    let after: Vec<Matrix> = (0..sheet.candidates.len())
        .map(|candidate| sheet.after_run(&sheet.covariance, candidate))
        .collect();
    let best = |knob: usize| {
        let at = first + knob;
        let left = after.iter().map(|covariance| covariance[at][at]).enumerate();
        let (candidate, left) = left.min_by(|a, b| a.1.total_cmp(&b.1))?;
        let name = || sheet.candidates[candidate].case.name.clone();
        (left < CLEARLY_LESS * sheet.covariance[at][at]).then(name)
    };
    (0..sheet.knobs).map(best).collect()
}
