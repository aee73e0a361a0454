//! What the commands ask: loading a scenario, predicting it, and predicting many configurations.

use anyhow::{Context, Result};
use bakcast_scenarios::predict::{
    Asked, PredictOptions, Prediction, predict as predict_all, predict_each,
};
use bakcast_scenarios::{Document, Scenario, ScenarioOrigin, Set};
use bakcast_sim::Span;

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
    let counts: Vec<u32> = (1..=25).map(|count| 4 * count).collect();
    prepare_batch(grid(&counts, &[None]), 4)
}

/// The same at the size of a question that somebody asks: 125 numbers of buffers, with compression
/// and without, 10,000 configurations run 16 times each.
pub(crate) fn batch_10000() -> Result<Prepared> {
    let counts: Vec<u32> = (1..=125).map(|count| 2 * count).collect();
    prepare_batch(grid(&counts, &[Some(true), Some(false)]), 16)
}

/// Bytes are those that all backups read once; events of shared runs count wherever they are used.
fn prepare_batch(grid: Vec<Configuration>, replications: u32) -> Result<Prepared> {
    let document = matrix()?;
    let options = PredictOptions { replications, ..PredictOptions::default() };
    Ok(Box::new(move || {
        let base = document.base(Some("2"))?;
        let mut sum = Done::default();
        let load = |index: u64| base.with(&grid[index as usize].sets());
        predict_each(grid.len() as u64, load, &options, Asked::Durations, |_, _, prediction| {
            let Done { events, bytes, nanoseconds } = done(&prediction);
            sum.events += events;
            sum.bytes += bytes;
            sum.nanoseconds += nanoseconds;
            anyhow::Ok(())
        })?;
        Ok(sum)
    }))
}

/// One point of a grid.
#[derive(Clone, Copy)]
struct Configuration {
    buffers: u32,
    half_mebibytes: u32,
    stripes: usize,
    compression: Option<bool>,
}

impl Configuration {
    fn sets(self) -> Vec<Set> {
        let Configuration { buffers, half_mebibytes, stripes, compression } = self;
        let mut sets = vec![
            Set::new("backup.buffer_count", buffers.to_string()),
            Set::new("backup.transfer_size", format!("{} KiB", 512 * half_mebibytes)),
            Set::new("backup.stripes", vec!["nvme"; stripes].join(",")),
        ];
        sets.extend(compression.map(|on| Set::new("backup.compression", on.to_string())));
        sets
    }
}

/// These numbers of buffers with 8 transfer sizes, 1 to 5 stripes and these settings of
/// compression.
fn grid(counts: &[u32], compressions: &[Option<bool>]) -> Vec<Configuration> {
    let mut grid = Vec::new();
    for &buffers in counts {
        for half_mebibytes in 1..=8 {
            for stripes in 1..=5 {
                grid.extend(compressions.iter().map(|&compression| Configuration {
                    buffers,
                    half_mebibytes,
                    stripes,
                    compression,
                }));
            }
        }
    }
    grid
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
