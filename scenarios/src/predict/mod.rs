//! Running a scenario: replications, summed up into a prediction.
//!
//! One replication is one night: the speeds of devices and processors are drawn once, then the
//! backup runs, with other jobs beside it if there are any, then the verification of what it wrote,
//! without them. A prediction is the distribution over nights. Replications are independent and run
//! in parallel; sums are taken in the order of their index, so the result does not depend on the
//! number of threads.

mod beside;
mod bottleneck;
mod carried;
mod credit;
mod luck;
mod summary;

pub use beside::BesideSummary;
pub use bottleneck::{Bottleneck, NextBottleneck, Stage};
pub use credit::CreditSummary;
pub use luck::with_streams;
pub use summary::{OperationPrediction, Range, StationSummary, WaitSummary};

use bakcast_models::outcome::Outcome;
use bakcast_models::pipeline::{BackupError, Relief, Terms, simulate_backup, simulate_verify};
use bakcast_models::plan::Machine;
use bakcast_models::quantity::Bytes;
use bakcast_sim::try_replicate;

use crate::resolve::Resolved;
use summary::Accumulator;

/// How a scenario is run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PredictOptions {
    /// Seed of all random streams.
    pub seed: u64,
    /// Nights simulated, at least 1.
    pub replications: u32,
    /// Share of nights that the range covers, above 0 and below 1.
    pub level: f64,
    /// Every transfer is simulated; otherwise the middle of long runs is carried forward.
    pub exact: bool,
}

impl PredictOptions {
    fn terms(&self, relief: Relief) -> Terms {
        Terms { relief, exact: self.exact, ..Terms::USUAL }
    }
}

impl Default for PredictOptions {
    fn default() -> Self {
        PredictOptions { seed: 1, replications: 32, level: 0.9, exact: false }
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
    /// Both, one after the other.
    pub total_seconds: Range,
    /// Events simulated.
    pub events: u64,
    /// Bytes carried forward at a measured rate instead of being simulated, over all runs.
    pub extrapolated_bytes: u64,
}

/// One night.
struct Night {
    backup: Outcome,
    verify: Option<Outcome>,
}

/// What a backup leaves to its verification.
struct Left {
    machine: Machine,
    stripe_bytes: Vec<Bytes>,
}

impl Left {
    /// The machine as the backup leaves it, and the files it wrote.
    fn by(backup: &Outcome, machine: &Machine) -> Self {
        let credits = backup.credits.iter().map(|credit| credit.map(|credit| credit.left));
        Left { machine: machine.left_with(credits), stripe_bytes: backup.stripe_bytes.clone() }
    }
}

/// Nights run before they are summed up: bounds the memory however many are asked for.
const CHUNK: u32 = 256;

/// Runs one night of a scenario.
///
/// # Errors
/// [`BackupError`] if it is too large to simulate.
fn night(
    resolved: &Resolved,
    options: &PredictOptions,
    replication: u64,
) -> Result<Night, BackupError> {
    let (machine, terms) = (&resolved.machine, &options.terms(Relief::NONE));
    with_streams(options.seed, replication, |streams| {
        let backup = simulate_backup(machine, &resolved.backup, streams, terms)?;
        let left = Left::by(&backup, machine);
        let verify = match resolved.verify(&left.stripe_bytes) {
            Some(plan) => Some(simulate_verify(&left.machine, &plan, streams, terms)?),
            None => None,
        };
        Ok(Night { backup, verify })
    })
}

/// Predicts durations, and says what limits them.
///
/// # Errors
/// [`BackupError`] if the scenario is too large to simulate.
pub fn predict(resolved: &Resolved, options: &PredictOptions) -> Result<Prediction, BackupError> {
    let (mut prediction, first_left) = nights(resolved, options)?;
    let mut analysis = bottleneck::analyse(resolved, options, &prediction, &first_left)?;
    prediction.backup.bottleneck = analysis.backup.take();
    if let Some(verify) = &mut prediction.verify {
        verify.bottleneck = analysis.verify.take();
    }
    prediction.events += analysis.events;
    Ok(prediction)
}

/// Predicts durations alone, without asking what limits them: what fits and sweeps need.
///
/// # Errors
/// [`BackupError`] if the scenario is too large to simulate.
pub fn durations(resolved: &Resolved, options: &PredictOptions) -> Result<Prediction, BackupError> {
    nights(resolved, options).map(|(prediction, _)| prediction)
}

/// The prediction, and what the backups of the first nights left.
fn nights(
    resolved: &Resolved,
    options: &PredictOptions,
) -> Result<(Prediction, Vec<Left>), BackupError> {
    let mut backup = Accumulator::default();
    let mut verify = Accumulator::default();
    let mut first_left = Vec::new();
    let mut begun = 0;
    while begun < options.replications {
        let count = CHUNK.min(options.replications - begun);
        let first = u64::from(begun);
        let nights =
            try_replicate(u64::from(count), |index| night(resolved, options, first + index))?;
        for night in nights {
            backup.add(&night.backup);
            if let Some(outcome) = &night.verify {
                verify.add(outcome);
            }
            if first_left.len() < bottleneck::REPLICATIONS as usize {
                first_left.push(Left::by(&night.backup, &resolved.machine));
            }
        }
        begun += count;
    }
    let events = backup.events() + verify.events();
    let extrapolated_bytes = backup.carried_bytes().saturating_add(verify.carried_bytes());
    let any_verify = verify.any();
    let (backup, verify) = (backup.finish(options.level), verify.finish(options.level));
    let both = backup.elapsed_seconds.iter().zip(&verify.elapsed_seconds);
    let totals: Vec<f64> = match any_verify {
        true => both.map(|(backup, verify)| backup + verify).collect(),
        false => backup.elapsed_seconds.clone(),
    };
    let prediction = Prediction {
        backup,
        verify: any_verify.then_some(verify),
        total_seconds: Range::of(&totals, options.level),
        events,
        extrapolated_bytes,
    };
    Ok((prediction, first_left))
}
