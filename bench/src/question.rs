//! What the commands ask: loading a scenario, predicting it, and predicting many configurations.

use anyhow::{Context, Result};
use bakcast_scenarios::predict::{PredictOptions, Prediction, durations, predict as predict_all};
use bakcast_scenarios::{Document, Scenario, ScenarioOrigin, Set};
use bakcast_sim::{Span, try_replicate};

use crate::{Done, Prepared};

/// How often a scenario is loaded in one run.
const LOADS: u64 = 10;

/// A scenario with nine variants, from its text to what can be simulated. Each load counts as an
/// event, the bytes are those of the database.
pub(crate) fn scenario_load() -> Result<Prepared> {
    let document = matrix()?;
    let sets = [Set::new("backup.buffer_count", "64"), Set::new("volume.data.size", "1 TiB")];
    Ok(Box::new(move || {
        let mut done = Done::default();
        for _ in 0..LOADS {
            let loaded = document.load(Some("9"), &sets)?;
            let volumes = loaded.resolved.backup.volumes.iter();
            done.bytes += volumes.map(|volume| volume.bytes.get()).sum::<u64>();
            done.events += 1;
        }
        Ok(done)
    }))
}

/// The whole of `bakcast predict nvme-knob-matrix:2`: 32 replications of backup and verification,
/// and the runs that find the bottleneck.
pub(crate) fn predict() -> Result<Prepared> {
    let resolved = Scenario::load_reference("nvme-knob-matrix:2", &[])?.resolved;
    Ok(Box::new(move || Ok(done(&predict_all(&resolved, &PredictOptions::default())?))))
}

/// Row 2 of the matrix with 25 numbers of buffers, 8 transfer sizes and 1 to 5 stripes: 1000
/// configurations, each loaded, and run 4 times without asking for the bottleneck.
pub(crate) fn batch() -> Result<Prepared> {
    let document = matrix()?;
    let options = PredictOptions { replications: 4, ..PredictOptions::default() };
    let configurations = configurations();
    Ok(Box::new(move || {
        let each = try_replicate(configurations.len() as u64, |index| -> Result<Done> {
            let resolved = document.load(Some("2"), &configurations[index as usize])?.resolved;
            Ok(done(&durations(&resolved, &options)?))
        })?;
        let sum = |sum: Done, done: Done| Done {
            events: sum.events + done.events,
            bytes: sum.bytes + done.bytes,
            nanoseconds: sum.nanoseconds + done.nanoseconds,
        };
        Ok(each.into_iter().fold(Done::default(), sum))
    }))
}

fn configurations() -> Vec<[Set; 3]> {
    let mut configurations = Vec::new();
    for buffers in (1..=25).map(|count| 4 * count) {
        for half_mebibytes in 1..=8 {
            for stripes in 1..=5 {
                configurations.push([
                    Set::new("backup.buffer_count", buffers.to_string()),
                    Set::new("backup.transfer_size", format!("{} KiB", 512 * half_mebibytes)),
                    Set::new("backup.stripes", vec!["nvme"; stripes].join(",")),
                ]);
            }
        }
    }
    configurations
}

fn matrix() -> Result<Document> {
    Document::open(&ScenarioOrigin::parse("nvme-knob-matrix")).context("the matrix is shipped")
}

/// Bytes are those of one run; the time is the sum over all backups.
fn done(prediction: &Prediction) -> Done {
    let seconds: f64 = prediction.backup.elapsed_seconds.iter().sum();
    Done {
        events: prediction.events,
        bytes: prediction.backup.read_bytes,
        nanoseconds: Span::from_seconds(seconds).as_nanos(),
    }
}
