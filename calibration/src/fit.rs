//! Fitting: the best point, how far durations scatter about it, and all points that are
//! consistent with the measurements.
//!
//! A global search without derivatives ([`crate::explore`]) finds the valleys, a local one
//! ([`crate::search`]) their floors. The prior of each knob is one more measurement, so a knob that
//! the runs do not see stays where device facts put it, with the uncertainty those have.
//!
//! How far durations scatter is expected beforehand and learnt ([`Target::log_posterior`]): it is
//! integrated out of the posterior, so that few measurements leave wide intervals.

use rayon::prelude::*;

use crate::error::CalibrationError;
use crate::explore::{Budget, explore};
use crate::matrix::Matrix;
use crate::posterior::{Known, Posterior, curvature, merged, sample, sample_again};
use crate::problem::Problem;
use crate::search::{Found, descend, descend_but};
use crate::target::Target;

/// Points of the global search from which the local one starts.
const STARTS: usize = 3;
/// Standard deviations of a prior at which a knob is held to see whether others make up for it.
const FAR: f64 = 1.3;
/// What explains the measurements so little worse is another explanation: e^-3 times as likely.
const NEARLY: f64 = 6.0;
/// Other explanations that are looked into.
const OTHERS: usize = 4;
/// A valley that is deeper by so much is another one: a draw that is e^1 times as likely.
const DEEPER: f64 = 2.0;
/// Times that the draws may find a deeper one.
const RESTARTS: usize = 3;
/// Times the scatter is learnt and the best point found again.
const ROUNDS: usize = 1;

/// How thoroughly a fit goes about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FitOptions {
    /// Seed of the search and of the draws; the runs have that of the problem.
    pub seed: u64,
    /// Points of a generation of the global search.
    pub population: usize,
    /// Most generations.
    pub generations: u64,
    /// Draws from the posterior.
    pub draws: usize,
    /// Most draws for each group of measurements that is left out, beside those for all.
    pub left_out_draws: usize,
    /// Whether each knob that seems known is held elsewhere, to see whether the others can make up
    /// for it: two stations may each explain what was measured.
    pub profiles: bool,
}

impl FitOptions {
    /// What is done if nothing else is asked for.
    pub const DEFAULT: FitOptions = FitOptions {
        seed: 1,
        population: 20,
        generations: 15,
        draws: 256,
        left_out_draws: 156,
        profiles: false,
    };

    /// What is done with a user's own runs: fewer than those of an article, and nobody has looked
    /// at what else might explain them.
    pub const OWN_RUNS: FitOptions = FitOptions { profiles: true, ..FitOptions::DEFAULT };
}

impl Default for FitOptions {
    fn default() -> Self {
        FitOptions::DEFAULT
    }
}

/// Why a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// Nothing changed any more.
    Converged,
    /// Its budget was spent.
    Budget,
}

impl Stopped {
    /// As printed.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Stopped::Converged => "converged",
            Stopped::Budget => "budget spent",
        }
    }
}

/// What a fit is doing: for whoever watches.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// What is going on.
    pub phase: &'static str,
    /// Steps done.
    pub done: u64,
    /// Of so many, if that is known.
    pub of: u64,
}

/// Told what a fit is doing.
pub type Tell<'a> = &'a (dyn Fn(Progress) + Sync);

/// What a fit found.
#[derive(Debug, Clone)]
pub(crate) struct Fit {
    /// The best point.
    pub(crate) best: Vec<f64>,
    /// Sum of squared residuals there, priors included.
    pub(crate) cost: f64,
    /// Relative standard deviation of durations.
    pub(crate) error: f64,
    /// Measurements that this is learnt from.
    pub(crate) freedom: f64,
    /// Why the searches ended.
    pub(crate) stopped: Stopped,
    /// Times all configurations were simulated.
    pub(crate) evaluations: u64,
    /// All points consistent with the measurements.
    pub(crate) posterior: Posterior,
    /// All that was simulated to find them.
    pub(crate) known: Known,
}

/// Fits from nothing: global search, local search, posterior.
pub(crate) fn fit(
    problem: &Problem,
    options: &FitOptions,
    tell: Tell<'_>,
) -> Result<Fit, CalibrationError> {
    let mut target = Target::of(problem, &|_| false);
    let budget = Budget { population: options.population, generations: options.generations };
    let generation = std::sync::atomic::AtomicU64::new(0);
    let explored = explore(&target, options.seed, budget, &|_| {
        let done = generation.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        tell(Progress { phase: "searching", done, of: options.generations });
    });
    let priors: Vec<f64> = target.axes().iter().map(|axis| axis.prior).collect();
    let mut starts = vec![priors.clone()];
    starts.extend(explored.points.into_iter().take(STARTS));
    tell(Progress { phase: "descending", done: 0, of: 1 });
    let found: Vec<Option<Found>> =
        starts.par_iter().map(|start| descend(&target, start)).collect();
    let best = found.into_iter().flatten().min_by(|a, b| a.cost.total_cmp(&b.cost));
    let Some(best) = best else {
        let reason = problem.predict(&priors, &problem.wanted()).err();
        let reason =
            reason.map_or_else(|| "a search left its bounds".to_string(), |e| e.to_string());
        return Err(CalibrationError::NothingFitted { reason });
    };
    let stopped =
        if explored.converged && best.converged { Stopped::Converged } else { Stopped::Budget };
    let mut best = settle(&mut target, best).ok_or_else(no_posterior)?;
    tell(Progress { phase: "drawing", done: 0, of: 1 });
    let drawn = sample(&target, &best.point, options.draws, options.seed);
    let (mut posterior, mut known) = drawn.ok_or_else(no_posterior)?;
    if options.profiles {
        for _ in 0..RESTARTS {
            let Some(better) = better(&target, &best, &posterior) else { break };
            best = settle(&mut target, better).ok_or_else(no_posterior)?;
            let drawn = sample(&target, &best.point, options.draws, options.seed);
            (posterior, known) = drawn.ok_or_else(no_posterior)?;
        }
        tell(Progress { phase: "looking at other explanations", done: 0, of: 1 });
        let others = others(&target, &best, &posterior);
        let sampled =
            |other: &Found| Some(sample(&target, &other.point, options.draws / 2, options.seed)?.0);
        let mut parts: Vec<Posterior> = others.par_iter().filter_map(sampled).collect();
        parts.insert(0, posterior);
        posterior = merged(parts).ok_or_else(no_posterior)?;
    }
    Ok(Fit {
        cost: best.cost,
        error: posterior.scatter(),
        freedom: target.freedom(),
        stopped,
        evaluations: target.evaluations(),
        posterior,
        known,
        best: best.point,
    })
}

/// Fits anew without the configurations for which `is_left_out` is true, with the help of what was
/// simulated for all.
pub(crate) fn fit_without(
    problem: &Problem,
    full: &Fit,
    draws: usize,
    seed: u64,
    is_left_out: &dyn Fn(usize) -> bool,
) -> Option<Fit> {
    let mut target = Target::of(problem, is_left_out);
    let settle = |target: &mut Target<'_>, start: &[f64]| {
        let found = descend(target, start)?;
        Some(settle(target, found)?.point)
    };
    let known = full.known.clone();
    let (posterior, best) = sample_again(&mut target, &full.best, known, draws, seed, &settle)?;
    Some(Fit {
        cost: f64::NAN,
        error: posterior.scatter(),
        freedom: target.freedom(),
        stopped: Stopped::Converged,
        evaluations: target.evaluations(),
        posterior,
        known: Known::default(),
        best,
    })
}

/// The floor of a valley that a draw has hit upon, if it is deeper than the one that the searches
/// have found: few starts do not find every valley, hundreds of draws see more of the land.
fn better(target: &Target<'_>, best: &Found, posterior: &Posterior) -> Option<Found> {
    let cost = |draw: &crate::posterior::Draw| target.cost(&draw.point, &draw.figures);
    let costs = posterior.draws.iter().map(|draw| (cost(draw), &draw.point));
    let (cost, point) = costs.min_by(|a, b| a.0.total_cmp(&b.0))?;
    if cost > best.cost - DEEPER {
        return None;
    }
    descend(target, point).filter(|found| found.cost < best.cost - DEEPER)
}

/// Points that explain the measurements nearly as well, each with one knob far from where the draws
/// have it: at the tenth or the ninetieth per cent of its prior.
fn others(target: &Target<'_>, best: &Found, posterior: &Posterior) -> Vec<Found> {
    let places: Vec<(usize, f64)> = target
        .axes()
        .iter()
        .enumerate()
        .flat_map(|(index, axis)| {
            let end = |p: f64| posterior.quantile(p, |draw| draw.point[index]);
            let (low, high) = (axis.prior - FAR * axis.prior_sd, axis.prior + FAR * axis.prior_sd);
            let below = (end(0.05) > low && low > axis.low).then_some((index, low));
            let above = (end(0.95) < high && high < axis.high).then_some((index, high));
            [below, above].into_iter().flatten()
        })
        .collect();
    let held = |(index, place): &(usize, f64)| {
        let mut start = best.point.clone();
        start[*index] = *place;
        descend_but(target, &start, Some(*index))
    };
    let found: Vec<Option<Found>> = places.par_iter().map(held).collect();
    let mut near: Vec<Found> =
        found.into_iter().flatten().filter(|f| f.cost < best.cost + NEARLY).collect();
    near.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    near.truncate(OTHERS);
    near
}

fn no_posterior() -> CalibrationError {
    let reason = "no draw around the best point could be computed".to_string();
    CalibrationError::NothingFitted { reason }
}

/// Learns how far durations scatter, and finds the best point again.
fn settle(target: &mut Target<'_>, found: Found) -> Option<Found> {
    let mut best = found;
    for _ in 0..ROUNDS {
        let figures = target.figures(&best.point)?;
        let covariance = curvature(target, &best.point)?;
        target.sd = target.scatter_about(&figures, determined(target, &covariance));
        best = descend(target, &best.point)?;
    }
    Some(best)
}

/// How many parameters the measurements determine: shares of the prior variances that are gone.
fn determined(target: &Target<'_>, covariance: &Matrix) -> f64 {
    let axes = target.axes().iter().enumerate();
    let shares = axes.map(|(i, axis)| 1.0 - covariance[i][i] / (axis.prior_sd * axis.prior_sd));
    shares.map(|share| share.clamp(0.0, 1.0)).sum()
}

impl Fit {
    /// Standard deviation of what is still to come, as a share: that about the fit, and that it is
    /// itself known from few measurements (of a t distribution with so many degrees of freedom).
    pub(crate) fn error_to_come(&self) -> f64 {
        self.error * libm::sqrt(self.freedom / (self.freedom - 2.0))
    }
}
