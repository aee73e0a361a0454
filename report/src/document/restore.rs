//! The restore that `predict` found.

use bakcast_scenarios::predict::OperationPrediction;
use bakcast_scenarios::{Loaded, Restoration};
use serde::Serialize;

use super::operation::{self, Limits};
use super::{DurationResult, NextBottleneckResult, StageResult, StationResult, WaitResult};

/// The restore of a backup, on another day.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RestoreResult {
    /// Half of all runs are faster.
    pub seconds: f64,
    /// Lower end of the range.
    pub low_seconds: f64,
    /// Upper end of the range.
    pub high_seconds: f64,
    /// Bytes read from backup files.
    pub read_bytes: u64,
    /// Bytes read, divided by the median duration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_bytes_per_second: Option<f64>,
    /// Bytes written to the volumes; zeroes do not count.
    pub written_bytes: u64,
    /// Bytes written, divided by the median duration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written_bytes_per_second: Option<f64>,
    /// Bytes zeroed before the copy.
    pub zeroed_bytes: u64,
    /// Buffers of one set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buffer_count: Option<u32>,
    /// Whether the scenario has other jobs: it is another day, so they are left out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub without_other_jobs: bool,
    /// Processors busy with decompression, mean over the run.
    pub processor_cores_mean: f64,
    /// The limiting station, `buffers` or `balanced`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bottleneck: Option<String>,
    /// What is busiest once that is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_bottleneck: Option<NextBottleneckResult>,
    /// Every stage with what its removal gains, the largest gain first.
    pub stages: Vec<StageResult>,
    /// Stations in use.
    pub stations: Vec<StationResult>,
    /// Waits by side.
    pub waits: Vec<WaitResult>,
}

impl RestoreResult {
    pub(super) fn new(loaded: &Loaded, operation: &OperationPrediction) -> Self {
        let limits = Limits::of(operation);
        let restoration: Option<&Restoration> = loaded.resolved.restoration.as_ref();
        RestoreResult {
            seconds: operation.seconds.median,
            low_seconds: operation.seconds.low,
            high_seconds: operation.seconds.high,
            read_bytes: operation.read_bytes,
            read_bytes_per_second: operation::rate(operation.read_bytes, operation.seconds),
            written_bytes: operation.written_bytes,
            written_bytes_per_second: operation::rate(operation.written_bytes, operation.seconds),
            zeroed_bytes: restoration.map_or(0, |restoration| restoration.zeroed.get()),
            buffer_count: restoration.map(|restoration| restoration.buffer_count),
            without_other_jobs: !loaded.resolved.backup.beside.is_empty(),
            processor_cores_mean: operation.processor_cores_mean,
            stations: limits.stations(operation),
            bottleneck: limits.bottleneck,
            next_bottleneck: limits.next,
            stages: limits.stages,
            waits: operation::waits(operation),
        }
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
