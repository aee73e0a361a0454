//! The knee in buffers: from which number on more of them hardly help.
//!
//! Found by running the scenario again with other numbers of buffers, on the same random numbers,
//! so that the differences are those of the buffers alone.

use bakcast_models::pipeline::BackupError;
use bakcast_models::plan::Buffers;
use bakcast_scenarios::Resolved;
use bakcast_scenarios::predict::{OperationPrediction, PredictOptions, Prediction, durations};
use bakcast_sim::try_replicate;

/// How the duration depends on the number of buffers.
#[derive(Debug, Clone, PartialEq)]
pub struct Knee {
    /// The smallest number tried whose duration is within 2 % of the best.
    pub buffer_count: u32,
    /// Every number tried, in ascending order.
    pub points: Vec<KneePoint>,
}

/// One number of buffers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KneePoint {
    /// Buffers of one set.
    pub buffer_count: u32,
    /// Memory of all sets.
    pub memory_bytes: u64,
    /// Duration, mean over the runs.
    pub seconds: f64,
}

/// Both operations.
pub(super) struct Knees {
    pub(super) backup: Knee,
    pub(super) verify: Option<Knee>,
}

/// Numbers of buffers tried: 1, 2, 4, ... 1024.
const STEPS: u32 = 11;
/// A duration this much above the best is as good as it.
const TOLERANCE: f64 = 0.02;
/// Most runs of each number: differences on the same random numbers settle fast.
const REPLICATIONS: u32 = 8;
/// Transfers simulated for each number, unless one run alone needs more.
const TRANSFERS: f64 = 262_144.0;

/// Runs the scenario with every number of buffers, given to both operations.
pub(super) fn knees(resolved: &Resolved, options: &PredictOptions) -> Result<Knees, BackupError> {
    let transfers =
        resolved.database_bytes().as_f64() / resolved.backup.buffers.transfer_size.as_f64();
    let affordable = (TRANSFERS / transfers.max(1.0)).clamp(1.0, f64::from(REPLICATIONS)) as u32;
    let options = PredictOptions { replications: affordable.min(options.replications), ..*options };
    let runs: Vec<(u32, Prediction)> = try_replicate(u64::from(STEPS), |step| {
        let count = 1 << step;
        durations(&with_buffers(resolved, count), &options).map(|prediction| (count, prediction))
    })?;
    let verify = resolved.verification.as_ref().map(|plan| {
        let memory = |count: u32| u64::from(count) * plan.transfer_size.get();
        knee(
            runs.iter().filter_map(|(count, p)| Some((*count, memory(*count), p.verify.as_ref()?))),
        )
    });
    let memory = |count: u32| Buffers { count, ..resolved.backup.buffers }.memory().get();
    let backup = knee(runs.iter().map(|(count, p)| (*count, memory(*count), &p.backup)));
    Ok(Knees { backup, verify })
}

fn with_buffers(resolved: &Resolved, count: u32) -> Resolved {
    let mut changed = resolved.clone();
    changed.backup.buffers.count = count;
    if let Some(verification) = &mut changed.verification {
        verification.buffer_count = count;
    }
    changed
}

fn knee<'a>(runs: impl Iterator<Item = (u32, u64, &'a OperationPrediction)>) -> Knee {
    let point = |(buffer_count, memory_bytes, operation): (u32, u64, &OperationPrediction)| {
        KneePoint { buffer_count, memory_bytes, seconds: mean(&operation.elapsed_seconds) }
    };
    let points: Vec<KneePoint> = runs.map(point).collect();
    let best = points.iter().map(|p| p.seconds).fold(f64::INFINITY, f64::min);
    let good = points.iter().find(|p| p.seconds <= best * (1.0 + TOLERANCE));
    Knee { buffer_count: good.map_or(1, |p| p.buffer_count), points }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / (values.len() as f64).max(1.0)
}
