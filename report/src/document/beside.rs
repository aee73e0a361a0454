//! Other jobs at the same time.

use bakcast_scenarios::Loaded;
use bakcast_scenarios::predict::{OperationPrediction, Range};
use serde::Serialize;

use super::{DurationResult, operation};

/// A job that runs at the same time as the backup.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BesideResult {
    /// As the scenario calls it.
    pub name: String,
    /// Seconds from the beginning of the backup to its own.
    pub starts_seconds: f64,
    /// Its duration: half of all runs are faster.
    pub seconds: f64,
    /// Lower end of the range.
    pub low_seconds: f64,
    /// Upper end of the range.
    pub high_seconds: f64,
    /// Its end in the median, in seconds from the beginning of the backup.
    pub end_seconds: f64,
    /// Share of runs in which the backup still runs when it begins.
    pub overlap_fraction: f64,
    /// Bytes read from its source.
    pub read_bytes: u64,
    /// Bytes written to its backup files.
    pub written_bytes: u64,
    /// Bytes read, divided by the median duration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_bytes_per_second: Option<f64>,
    /// Bytes written, divided by the median duration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written_bytes_per_second: Option<f64>,
    /// Buffers of one set.
    pub buffer_count: u32,
    /// Memory of all its sets of buffers.
    pub buffer_memory_bytes: u64,
    /// Most bytes one of its transfers moves.
    pub max_transfer_size_bytes: u64,
    /// The BACKUP statement it stands for.
    pub statement: String,
}

impl BesideResult {
    /// Every job beside the backup.
    pub(super) fn all(loaded: &Loaded, backup: &OperationPrediction) -> Vec<Self> {
        let plans = &loaded.resolved.backup.beside;
        let jobs = backup.beside.iter().zip(plans).zip(loaded.statements_beside());
        let result = jobs.map(|((job, plan), statement)| {
            let Range { median, low, high } = job.seconds;
            let buffers = plan.backup.buffers;
            BesideResult {
                name: job.name.clone(),
                starts_seconds: job.starts_seconds,
                seconds: median,
                low_seconds: low,
                high_seconds: high,
                end_seconds: job.end_seconds(),
                overlap_fraction: job.overlap,
                read_bytes: job.read_bytes,
                written_bytes: job.written_bytes,
                read_bytes_per_second: operation::rate(job.read_bytes, job.seconds),
                written_bytes_per_second: operation::rate(job.written_bytes, job.seconds),
                buffer_count: buffers.count,
                buffer_memory_bytes: buffers.memory().get(),
                max_transfer_size_bytes: buffers.transfer_size.get(),
                statement,
            }
        });
        result.collect()
    }

    /// Its duration alone.
    #[must_use]
    pub fn duration(&self) -> DurationResult {
        DurationResult {
            seconds: self.seconds,
            low_seconds: self.low_seconds,
            high_seconds: self.high_seconds,
        }
    }
}
