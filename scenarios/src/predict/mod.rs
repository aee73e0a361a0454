//! Running a scenario: replications, summed up into a prediction.
//!
//! One replication is one night: the speeds of devices and processors are drawn once, then the
//! backup runs, with other jobs beside it if there are any, then the verification of what it wrote,
//! without them, and then its restore. That is in fact another day's work: it is no part of the
//! total, and burst credit is what it was at first; but the speeds are those of the night, so that
//! the operations can be compared. A prediction is the distribution over nights. Everything is run
//! by one batch runner ([`predict_each`]): replications are independent and run in parallel; sums
//! are taken in the order of their index, so the result does not depend on the number of threads.

mod batch;
mod beside;
mod bottleneck;
mod carried;
mod credit;
mod kept;
mod luck;
mod memo;
mod one_night;
mod precision;
mod summary;
mod tried;

pub use batch::{Asked, predict_each};
pub use beside::BesideSummary;
pub use bottleneck::{Bottleneck, NextBottleneck, Stage};
pub use credit::CreditSummary;
pub use kept::Kept;
pub use luck::with_streams;
pub use one_night::OneNight;
pub use precision::{CONFIDENCE, Precision, Reached};
pub use summary::{OperationPrediction, Range, StationSummary, WaitSummary};
pub use tried::{Refused, try_each};

use bakcast_models::pipeline::{BackupError, Relief, Terms};

use batch::Common;

use crate::load::Loaded;
use crate::resolve::Resolved;

/// How a scenario is run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PredictOptions {
    /// Seed of all random streams.
    pub seed: u64,
    /// Nights simulated, at least 1; with a precision, the least of them.
    pub replications: u32,
    /// Share of nights that the range covers, above 0 and below 1.
    pub level: f64,
    /// Every transfer is simulated; otherwise the middle of long runs is carried forward.
    pub exact: bool,
    /// Long runs are carried forward sooner: for thousands of runs of which none is shown.
    pub rough: bool,
    /// Nights are added until the medians are known so well.
    pub precision: Option<Precision>,
}

impl PredictOptions {
    /// What is done if nothing else is asked for.
    pub const DEFAULT: PredictOptions = PredictOptions {
        seed: 1,
        replications: 32,
        level: 0.9,
        exact: false,
        rough: false,
        precision: None,
    };

    fn terms(&self, relief: Relief) -> Terms {
        Terms { relief, exact: self.exact, rough: self.rough, ..Terms::USUAL }
    }
}

impl Default for PredictOptions {
    fn default() -> Self {
        PredictOptions::DEFAULT
    }
}

/// Most replications of one prediction.
pub const REPLICATIONS_MAX: u32 = 100_000;

/// What a scenario comes to.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// The backup.
    pub backup: OperationPrediction,
    /// The verification, if there is one.
    pub verify: Option<OperationPrediction>,
    /// The restore, if there is one.
    pub restore: Option<OperationPrediction>,
    /// Backup and verification, one after the other.
    pub total_seconds: Range,
    /// Events of all runs, of those shared with other configurations as well.
    pub events: u64,
    /// Bytes carried forward at a measured rate instead of being simulated, over all runs.
    pub extrapolated_bytes: u64,
    /// How well the medians are known, if a precision was asked for.
    pub precision: Option<Reached>,
}

impl Prediction {
    /// Nights simulated.
    #[must_use]
    pub fn replications(&self) -> u32 {
        u32::try_from(self.backup.elapsed_seconds.len()).unwrap_or(u32::MAX)
    }
}

impl AsRef<Resolved> for Resolved {
    fn as_ref(&self) -> &Resolved {
        self
    }
}

impl AsRef<Resolved> for Loaded {
    fn as_ref(&self) -> &Resolved {
        &self.resolved
    }
}

/// Predicts durations, and says what limits them.
///
/// # Errors
/// [`BackupError`] if the scenario is too large to simulate.
pub fn predict(resolved: &Resolved, options: &PredictOptions) -> Result<Prediction, BackupError> {
    batch::one(resolved, &Common { options, asked: Asked::Limits, memo: None })
}

/// Predicts durations alone, without asking what limits them: what fits and sweeps need.
///
/// # Errors
/// [`BackupError`] if the scenario is too large to simulate.
pub fn durations(resolved: &Resolved, options: &PredictOptions) -> Result<Prediction, BackupError> {
    batch::one(resolved, &Common { options, asked: Asked::Durations, memo: None })
}
