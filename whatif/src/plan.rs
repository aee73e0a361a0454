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
mod look;
mod mixture;
mod routine;

use std::sync::Arc;

use bakcast_scenarios::predict::{Asked, Refused};
use bakcast_scenarios::{Loaded, WarningCode};

use crate::compare::CompareError;
use crate::recommend::Subject;
use crate::runner::{Cancelled, GoOn, Operation, Ran};

pub use changes::{CostClass, PlanChange};
pub use curve::Curve;
pub use mixture::normal_quantile;
pub use routine::{BackupKind, Changed, Differential, LogBackups, Routine, often};

use look::{KindLooked, Looked, Sized};
use mixture::Mixture;

/// Growths that stand for all: quantiles of their distribution.
const GROWTHS: usize = 31;

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
    /// Which backups are made and how often; absent: full ones, of which nothing more is known.
    pub routine: Option<Routine>,
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

/// A kind of backup, and how long it fits.
#[derive(Debug, Clone)]
pub struct KindPlan {
    /// Which.
    pub kind: BackupKind,
    /// Time there is for one of them.
    pub limit_seconds: f64,
    /// Month by month, from 0, which is now.
    pub months: Vec<Month>,
    /// When it stops fitting.
    pub stop: Stop,
    /// The largest of them now, by itself.
    pub now: Arc<Ran>,
}

/// The answer.
#[derive(Debug, Clone)]
pub struct Plan {
    /// What was asked.
    pub ahead: Ahead,
    /// The scenario now.
    pub loaded: Loaded,
    /// Month by month, from 0, which is now: of the kind that is the first to stop fitting.
    pub months: Vec<Month>,
    /// When the first of the kinds stops fitting.
    pub stop: Stop,
    /// Index of the kind that is the first to stop fitting; of the full backup if none does.
    pub first: usize,
    /// Each kind of backup, the full one first.
    pub kinds: Vec<KindPlan>,
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
    /// A night of many jobs.
    #[error(
        "a night of many jobs cannot be planned ahead; hold it against a window as it is \
         (`predict --require 'night<=6h'`), or plan one backup in a scenario of its own"
    )]
    Night,
    /// The log is on a device that there is not.
    #[error("--schedule: there is no device `{name}`; accepted: {accepted}")]
    NoDevice {
        /// Its name.
        name: String,
        /// Those there are.
        accepted: String,
    },
    /// Settings cannot be sought.
    #[error(transparent)]
    Settings(#[from] CompareError),
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
    if loaded.resolved.night.is_some() {
        return Err(PlanError::Night);
    }
    let all = Sized::all(&runner, ahead, &loaded)?;
    let looked = Looked::at(&all, ahead, go_on)?;
    let kinds = kinds(&all, &looked, ahead, (&loaded, subject.options.level), go_on)?;
    let stop = looked.stop();
    let first = looked.first_to_stop();
    let full = full(&all[0], ahead, &loaded);
    let changes = match stop.month {
        Some(month) if ahead.changes => changes::seek(subject, (&all, first), ahead, month, go_on)?,
        _ => Vec::new(),
    };
    let months = kinds[first].months.clone();
    let (factors, error) = (looked.kinds[first].curve.factors().to_vec(), looked.error());
    let ahead = ahead.clone();
    Ok(Plan { ahead, loaded, months, stop, first, kinds, error, factors, full, changes })
}

/// What is told of each kind of backup.
fn kinds(
    all: &[Sized<'_, '_>],
    looked: &Looked,
    ahead: &Ahead,
    (loaded, level): (&Loaded, f64),
    go_on: GoOn<'_>,
) -> Result<Vec<KindPlan>, PlanError> {
    let bytes = loaded.resolved.database_bytes().as_f64();
    let one = |(index, (sized, own)): (usize, (&Sized<'_, '_>, &KindLooked))| {
        let outcomes = sized.runner.run(&[sized.configuration(1.0)], go_on)?;
        let ran = outcomes.into_iter().next().and_then(Result::ok);
        let now = ran.ok_or(PlanError::NoOperation(sized.operation))?;
        let rates = ahead.growth.rates();
        let months = (0..=ahead.months).map(|month| {
            let mixture = Mixture::of(looked.course(index), &rates, month);
            at_month(&mixture, own.limit_seconds, (month, ahead.growth.factor(month), bytes), level)
        });
        Ok(KindPlan {
            kind: own.kind,
            limit_seconds: own.limit_seconds,
            months: months.collect(),
            stop: own.stop,
            now,
        })
    };
    all.iter().zip(&looked.kinds).enumerate().map(one).collect()
}

/// What a month comes to.
fn at_month(
    mixture: &Mixture,
    limit_seconds: f64,
    (month, factor, bytes): (u32, f64, f64),
    level: f64,
) -> Month {
    let tail = (1.0 - level) / 2.0;
    let at = |p: f64| mixture.quantile(p);
    let seconds = (at(0.5), at(tail), at(1.0 - tail));
    let known = seconds.0.is_finite() && seconds.1.is_finite() && seconds.2.is_finite();
    Month {
        month,
        factor,
        bytes: bytes * factor,
        seconds: known.then_some(seconds),
        fits: mixture.share_within(limit_seconds),
    }
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
