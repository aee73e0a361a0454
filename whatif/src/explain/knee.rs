//! The knee in buffers: from which number on more of them hardly help.
//!
//! Found by running the scenario again with other numbers of buffers, on the same random numbers,
//! so that the differences are those of the buffers alone.

use bakcast_models::pipeline::{BackupError, Terms, simulate_verify};
use bakcast_models::plan::Buffers;
use bakcast_models::quantity::Bytes;
use bakcast_scenarios::Resolved;
use bakcast_scenarios::predict::{Asked, Kept, PredictOptions, Prediction, with_streams};
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
/// The same where each takes long.
const FEWER: u32 = 4;
/// Events from which on a run takes long.
const MANY_EVENTS: u64 = 131_072;
/// Transfers for which so many runs are still made. In exact mode all are simulated.
const TRANSFERS: f64 = 262_144.0;

/// Runs the scenario with every number of buffers: the backup, and the verification of the files
/// that the backup writes as it is.
pub(super) fn knees(
    resolved: &Resolved,
    prediction: &Prediction,
    options: &PredictOptions,
    kept: &Kept,
) -> Result<Knees, BackupError> {
    let replications = replications(resolved, prediction, options);
    let options = PredictOptions { replications, precision: None, ..*options };
    let memory = |count: u32| Buffers { count, ..resolved.backup.buffers }.memory().get();
    let backup = knee(&memory, &backup_seconds(resolved, &options, kept)?);
    let verify = match &resolved.verification {
        Some(plan) => {
            let memory = |count: u32| u64::from(count) * plan.transfer_size.get();
            Some(knee(&memory, &verify_seconds(resolved, &options, kept)?))
        }
        None => None,
    };
    Ok(Knees { backup, verify })
}

fn replications(resolved: &Resolved, prediction: &Prediction, options: &PredictOptions) -> u32 {
    let transfers =
        resolved.database_bytes().as_f64() / resolved.backup.buffers.transfer_size.as_f64();
    let affordable = (TRANSFERS / transfers.max(1.0)).clamp(1.0, f64::from(REPLICATIONS)) as u32;
    let is_long = prediction.events / u64::from(prediction.replications()).max(1) > MANY_EVENTS;
    let most = match (options.exact, is_long) {
        (true, _) => affordable,
        (false, true) => FEWER,
        (false, false) => REPLICATIONS,
    };
    most.min(options.replications).max(1)
}

/// Mean duration of the backup with each number of buffers.
fn backup_seconds(
    resolved: &Resolved,
    options: &PredictOptions,
    kept: &Kept,
) -> Result<Vec<f64>, BackupError> {
    let with_buffers = |step: u64| {
        let mut changed = resolved.clone();
        changed.backup.buffers.count = 1 << step;
        changed.verification = None;
        Ok::<Resolved, BackupError>(changed)
    };
    let mut seconds = Vec::new();
    let steps = u64::from(STEPS);
    kept.predict_each(steps, with_buffers, options, Asked::Durations, |_, _, prediction| {
        seconds.push(mean(&prediction.backup.elapsed_seconds));
        Ok::<(), BackupError>(())
    })?;
    Ok(seconds)
}

/// Mean duration of the verification with each number of buffers. The files are those of the
/// backup with its own buffers: how it shares its bytes out depends on its buffers, and other files
/// would be another verification. So is the burst credit it leaves.
fn verify_seconds(
    resolved: &Resolved,
    options: &PredictOptions,
    kept: &Kept,
) -> Result<Vec<f64>, BackupError> {
    let mut alone = resolved.clone();
    alone.verification = None;
    let backup = kept.predict(&alone, options, Asked::Durations)?.backup;
    let stripes = whole_bytes(&backup.stripe_bytes, backup.written_bytes);
    let credits = backup.credits.iter().map(|credit| credit.map(|credit| credit.left));
    let credits: Vec<_> = credits.collect();
    let terms = Terms { exact: options.exact, ..Terms::USUAL };
    let each = u64::from(options.replications);
    let runs: Vec<f64> = try_replicate(u64::from(STEPS) * each, |run| {
        let night = resolved.of_night(run % each);
        let machine = night.machine.left_with(credits.iter().copied());
        let mut plan = night.verify(&stripes).expect("there is a verification");
        plan.buffer_count = 1 << (run / each);
        with_streams(options.seed, run % each, |streams| {
            let outcome = simulate_verify(&machine, &plan, streams, &terms)?;
            Ok::<f64, BackupError>(outcome.elapsed.as_seconds())
        })
    })?;
    Ok(runs.chunks(options.replications as usize).map(mean).collect())
}

/// Mean sizes as whole bytes whose sum is `total`: each ends where the sum so far, rounded, does.
fn whole_bytes(means: &[f64], total: u64) -> Vec<Bytes> {
    let mut sum = 0.0;
    let mut given = 0;
    let mut sizes: Vec<u64> = Vec::with_capacity(means.len());
    for mean in means {
        sum += mean;
        let end = (sum.round().max(0.0) as u64).clamp(given, total.max(given));
        sizes.push(end - given);
        given = end;
    }
    if let Some(last) = sizes.last_mut() {
        *last += total.saturating_sub(given);
    }
    sizes.into_iter().map(Bytes::new).collect()
}

/// `seconds` are the mean durations with each number of buffers.
fn knee(memory: &dyn Fn(u32) -> u64, seconds: &[f64]) -> Knee {
    let point = |(step, seconds): (usize, &f64)| {
        let buffer_count = 1 << step;
        KneePoint { buffer_count, memory_bytes: memory(buffer_count), seconds: *seconds }
    };
    let points: Vec<KneePoint> = seconds.iter().enumerate().map(point).collect();
    let best = points.iter().map(|p| p.seconds).fold(f64::INFINITY, f64::min);
    let good = points.iter().find(|p| p.seconds <= best * (1.0 + TOLERANCE));
    Knee { buffer_count: good.map_or(1, |p| p.buffer_count), points }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / (values.len() as f64).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_in_whole_bytes_sum_to_all_that_was_written() {
        let sizes = whole_bytes(&[3.4, 3.4, 3.2], 10);
        assert_eq!(sizes.iter().map(|size| size.get()).collect::<Vec<_>>(), [3, 4, 3]);
        let sizes = whole_bytes(&[0.2, 0.2], 1);
        assert_eq!(sizes.iter().map(|size| size.get()).sum::<u64>(), 1);
        assert!(whole_bytes(&[], 0).is_empty());
    }
}
