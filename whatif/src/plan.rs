//! When a window is no longer enough, and which changes win how many months.
//!
//! A database that grows by a share `g` a month is `exp(m ln(1 + g))` times as large after m
//! months. What is not known of the growth is a normal distribution of `ln(1 + g)`, of which the
//! bounds hold nine cases of ten. A month is a mixture: every night of the scenario (its luck, and
//! of an ensemble its parameter set) with each of 31 growths that are equally likely. The window
//! **fits** with the share of the mixture that ends within it, read off as quantiles are
//! (type 7), so that it fits with 95 % exactly where the 95 % quantile is no longer than the
//! window.
//! It **stops fitting** in the first month in which that is less than what is required.
//!
//! Sizes are simulated at a few factors ([`Curve`]), and again on both sides of the month that was
//! found until that no longer moves: of the growth in the middle the answer is that of a prediction
//! at that very size.

mod changes;
mod curve;
mod mixture;

use std::sync::Arc;

use bakcast_scenarios::predict::{Asked, Refused};
use bakcast_scenarios::{Loaded, Set, WarningCode};

use crate::compare::CompareError;
use crate::recommend::Subject;
use crate::runner::{Cancelled, GoOn, Operation, Runner};

pub use changes::{CostClass, PlanChange};
pub use curve::Curve;
pub use mixture::normal_quantile;

use mixture::Mixture;

/// Growths that stand for all: quantiles of their distribution.
const GROWTHS: usize = 31;
/// Sizes are added this often at most.
const ROUNDS: usize = 6;

/// How fast a database grows: shares of a month.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Growth {
    /// In the middle.
    pub per_month: f64,
    /// In nine cases of ten it is no less.
    pub low: f64,
    /// And no more.
    pub high: f64,
}

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Ahead {
    /// Time there is.
    pub window_seconds: f64,
    /// What has to be done within it.
    pub operation: Operation,
    /// How fast the data grow.
    pub growth: Growth,
    /// Months to look ahead.
    pub months: u32,
    /// The share of nights that has to fit.
    pub probability: f64,
    /// Whether changes are sought.
    pub changes: bool,
}

/// One month.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Month {
    /// Months from now.
    pub month: u32,
    /// The factor of size, by the growth in the middle.
    pub factor: f64,
    /// Bytes of the database then.
    pub bytes: f64,
    /// Duration: median, lower and upper end of the range; absent where it cannot be run.
    pub seconds: Option<(f64, f64, f64)>,
    /// With which probability it fits.
    pub fits: f64,
}

/// The month in which the window is no longer enough; absent: not within the months asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stop {
    /// With all that is not known.
    pub month: Option<u32>,
    /// With the growth at its upper bound.
    pub low: Option<u32>,
    /// With the growth at its lower bound.
    pub high: Option<u32>,
}

/// The answer.
#[derive(Debug, Clone)]
pub struct Plan {
    /// What was asked.
    pub ahead: Ahead,
    /// The scenario now.
    pub loaded: Loaded,
    /// Month by month, from 0, which is now.
    pub months: Vec<Month>,
    /// When it stops fitting.
    pub stop: Stop,
    /// The largest relative error that was found where a simulated size lay between others; absent
    /// where none did.
    pub error: Option<f64>,
    /// Sizes simulated, as factors.
    pub factors: Vec<f64>,
    /// The first month in which a disk is too small, with what is said of it.
    pub full: Option<(u32, String)>,
    /// What wins months, the cheapest first.
    pub changes: Vec<PlanChange>,
}

/// Why there is no plan.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// Somebody said so.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The scenario is refused.
    #[error("the scenario itself cannot be run: {0}")]
    Refused(Arc<Refused>),
    /// The scenario has no such operation.
    #[error("the scenario has no {}", .0.name())]
    NoOperation(Operation),
    /// Settings cannot be sought.
    #[error(transparent)]
    Settings(#[from] CompareError),
}

/// A scenario with other settings, to be run at other sizes.
pub(crate) struct Sized<'r, 'a> {
    runner: &'r Runner<'a>,
    operation: Operation,
    /// The knob and the bytes of each volume.
    volumes: Vec<(String, f64)>,
    changed: Vec<Set>,
}

impl Growth {
    fn logarithm(share: f64) -> f64 {
        libm::log1p(share)
    }

    /// The rate of the logarithm of size at a quantile of the standard normal distribution.
    fn at(&self, z: f64) -> f64 {
        let spread = Growth::logarithm(self.high) - Growth::logarithm(self.low);
        Growth::logarithm(self.per_month) + z * spread / (2.0 * normal_quantile(0.95))
    }

    /// Whether it is known.
    fn is_certain(&self) -> bool {
        self.high <= self.low
    }

    /// Rates that are equally likely.
    fn rates(&self) -> Vec<f64> {
        let count = if self.is_certain() { 1 } else { GROWTHS };
        let z = |j: usize| normal_quantile((j as f64 + 0.5) / count as f64);
        (0..count).map(|j| if count == 1 { self.at(0.0) } else { self.at(z(j)) }).collect()
    }
}

/// The factor of size after some months; beyond what can be simulated it is no larger.
fn factor(rate: f64, month: u32) -> f64 {
    libm::exp(rate * f64::from(month)).clamp(1e-6, 1e12)
}

impl Growth {
    /// The factor of size after some months, by the growth in the middle.
    #[must_use]
    pub fn factor(&self, month: u32) -> f64 {
        factor(self.at(0.0), month)
    }
}

/// Looks ahead.
///
/// # Errors
/// [`PlanError`]
pub fn plan(subject: &Subject<'_>, ahead: &Ahead, go_on: GoOn<'_>) -> Result<Plan, PlanError> {
    let runner = subject.runner(subject.options, Asked::Durations);
    let refused = |error| PlanError::Refused(Arc::new(Refused::from(error)));
    let loaded = runner.load(&crate::Configuration::default()).map_err(refused)?;
    let volumes = volumes(&loaded);
    let operation = ahead.operation;
    let sized = Sized { runner: &runner, operation, volumes, changed: Vec::new() };
    let (curve, stop, error) = look(&sized, ahead, go_on)?;
    let bytes = loaded.resolved.database_bytes().as_f64();
    let level = subject.options.level;
    let months = months(&curve, ahead, bytes, level);
    let full = full(&sized, ahead, &loaded);
    let changes = match stop.month {
        Some(month) if ahead.changes => changes::seek(subject, &sized, ahead, month, go_on)?,
        _ => Vec::new(),
    };
    let factors = curve.factors().to_vec();
    Ok(Plan { ahead: ahead.clone(), loaded, months, stop, error, factors, full, changes })
}

fn volumes(loaded: &Loaded) -> Vec<(String, f64)> {
    let volumes = loaded.scenario.volume.iter();
    volumes.map(|(name, v)| (format!("volume.{name}.size"), v.size.bytes().as_f64())).collect()
}

/// The curve, when it stops fitting, and how far between two sizes it was off.
fn look(
    sized: &Sized<'_, '_>,
    ahead: &Ahead,
    go_on: GoOn<'_>,
) -> Result<(Curve, Stop, Option<f64>), PlanError> {
    let rates = ahead.growth.rates();
    let end = |rate: &f64| factor(*rate, ahead.months);
    let largest = rates.iter().map(end).fold(1.0, f64::max);
    let smallest = rates.iter().map(end).fold(1.0, f64::min);
    let mut curve = Curve::simulate(sized, (smallest, largest), ahead.window_seconds, go_on)?;
    let mut error: Option<f64> = None;
    let middle = ahead.growth.at(0.0);
    for _ in 0..ROUNDS {
        let around = match stop_with(&curve, ahead, &rates) {
            Some(month) => vec![month.saturating_sub(1), month],
            None => vec![ahead.months / 2],
        };
        let factors: Vec<f64> = around.iter().map(|month| factor(middle, *month)).collect();
        let new = factors.iter().copied().filter(|factor| !curve.factors().contains(factor));
        let new: Vec<f64> = new.filter(|factor| *factor <= largest).collect();
        if new.is_empty() {
            break;
        }
        let guessed: Vec<f64> = new.iter().map(|factor| median(curve.at(*factor))).collect();
        curve.try_factors(sized, &new, go_on)?;
        for (factor, guess) in new.iter().zip(guessed) {
            let found = median(curve.at(*factor));
            if found.is_finite() && guess.is_finite() {
                error = Some(error.unwrap_or(0.0).max((guess / found - 1.0).abs()));
            }
        }
    }
    let stop = Stop {
        month: stop_with(&curve, ahead, &rates),
        low: stop_with(&curve, ahead, &[ahead.growth.at(normal_quantile(0.95))]),
        high: stop_with(&curve, ahead, &[ahead.growth.at(normal_quantile(0.05))]),
    };
    Ok((curve, stop, error))
}

/// The first month in which too few fit.
fn stop_with(curve: &Curve, ahead: &Ahead, rates: &[f64]) -> Option<u32> {
    (0..=ahead.months).find(|month| {
        let mixture = Mixture::of(curve, rates, *month);
        mixture.share_within(ahead.window_seconds) < ahead.probability
    })
}

fn median(nights: impl Iterator<Item = f64>) -> f64 {
    Mixture::new(nights.collect()).quantile(0.5)
}

fn months(curve: &Curve, ahead: &Ahead, bytes: f64, level: f64) -> Vec<Month> {
    let rates = ahead.growth.rates();
    let middle = ahead.growth.at(0.0);
    let tail = (1.0 - level) / 2.0;
    let one = |month: u32| {
        let mixture = Mixture::of(curve, &rates, month);
        let factor = factor(middle, month);
        let at = |p: f64| mixture.quantile(p);
        let seconds = (at(0.5), at(tail), at(1.0 - tail));
        let known = seconds.0.is_finite() && seconds.1.is_finite() && seconds.2.is_finite();
        Month {
            month,
            factor,
            bytes: bytes * factor,
            seconds: known.then_some(seconds),
            fits: mixture.share_within(ahead.window_seconds),
        }
    };
    (0..=ahead.months).map(one).collect()
}

/// The first month in which a disk does not hold what lies on it, unless that is so already.
fn full(sized: &Sized<'_, '_>, ahead: &Ahead, now: &Loaded) -> Option<(u32, String)> {
    let of_capacity =
        [WarningCode::VolumeExceedsCapacity, WarningCode::BackupExceedsCapacity].as_slice();
    let text = |loaded: &Loaded| {
        let mut warnings = loaded.resolved.warnings.iter();
        warnings.find(|w| of_capacity.contains(&w.code)).map(|w| w.text.clone())
    };
    if text(now).is_some() {
        return None;
    }
    let middle = ahead.growth.at(0.0);
    (1..=ahead.months).find_map(|month| {
        let loaded = sized.runner.load(&sized.configuration(factor(middle, month))).ok()?;
        Some((month, text(&loaded)?))
    })
}
