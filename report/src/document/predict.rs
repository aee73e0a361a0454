//! What `predict` finds.

use bakcast_scenarios::Loaded;
use bakcast_scenarios::predict::{OperationPrediction, PredictOptions, Prediction};
use bakcast_whatif::{next_to_try, processor_share};
use serde::Serialize;

use super::operation::{self, Limits};
use super::{
    BesideResult, DurationResult, NextBottleneckResult, OtherLoadResult, PrecisionResult,
    RestoreResult, StageResult, StationResult, UncertaintyResult, WaitResult,
};
use crate::number;

/// The durations of a scenario and what limits them. What has no operation in its name is the
/// backup's.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PredictResult {
    /// Name and variant.
    pub scenario: String,
    /// What it is, in one line.
    pub title: String,
    /// Values that were replaced on the command line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<String>,
    /// The statement whose settings were taken, as it was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sql: Option<String>,
    /// What was read of it and has no effect.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Share of runs that the ranges cover.
    pub level: f64,
    /// The backup.
    pub backup: DurationResult,
    /// The verification, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verify: Option<VerifyResult>,
    /// Backup and verification, one after the other.
    pub total: DurationResult,
    /// The restore, if there is one: another day's work, and no part of the total.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restore: Option<RestoreResult>,
    /// Other jobs at the same time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<BesideResult>,
    /// Users and other load that go before it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_load: Vec<OtherLoadResult>,
    /// Requirements, each met or not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<RequirementResult>,
    /// Bytes read from the source.
    pub read_bytes: u64,
    /// Bytes written to backup files.
    pub written_bytes: u64,
    /// Bytes read, divided by the median duration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_bytes_per_second: Option<f64>,
    /// Bytes written, divided by the median duration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written_bytes_per_second: Option<f64>,
    /// Volumes read, each by a thread of its own.
    #[serde(skip)]
    pub volume_count: usize,
    /// Mean bytes of each backup file.
    pub stripe_bytes: Vec<f64>,
    /// Memory of all sets of buffers.
    pub buffer_memory_bytes: u64,
    /// Memory of the buffers of all jobs, if they run at once; absent if there is one job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all_jobs_buffer_memory_bytes: Option<u64>,
    /// Buffers of one set.
    pub buffer_count: u32,
    /// Sets of buffers.
    pub buffer_sets: u32,
    /// Most bytes one transfer moves.
    pub max_transfer_size_bytes: u64,
    /// Processors busy with compression, of all jobs at the time, mean over the run.
    pub processor_cores_mean: f64,
    /// Share of all processors that is busy, of backup and verification the larger one.
    #[serde(skip)]
    pub processor_share: f64,
    /// The limiting station, a setting, or `balanced`.
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
    /// The one setting to try first.
    #[serde(rename = "try", skip_serializing_if = "Option::is_none")]
    pub next_try: Option<TryResult>,
    /// How well the medians are known, if a precision was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub precision: Option<PrecisionResult>,
    /// What the fit leaves open, if the scenario says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uncertainty: Option<UncertaintyResult>,
    /// Events simulated.
    pub events: u64,
    /// Bytes carried forward without being simulated.
    pub extrapolated_bytes: u64,
    /// The BACKUP statement it stands for.
    pub statement: String,
    /// The RESTORE statement, if a restore is predicted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restore_statement: Option<String>,
}

/// The verification of a backup.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VerifyResult {
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
    /// Buffers for reading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buffer_count: Option<u32>,
    /// Whether the scenario has other jobs: they are left out, as if they had ended.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub without_other_jobs: bool,
    /// Processors busy with decompression, mean over the run.
    pub processor_cores_mean: f64,
    /// The limiting station, or `balanced`.
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

/// A requirement, judged.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RequirementResult {
    /// As it was given.
    pub requirement: String,
    /// backup, verify, restore, total, memory, cpu or files.
    pub operation: &'static str,
    /// The limit of a duration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit_seconds: Option<f64>,
    /// What was held against it: the upper end of the range; absent if there is no such operation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judged_seconds: Option<f64>,
    /// The limit of an amount of memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit_bytes: Option<u64>,
    /// What was held against it: the buffers of all jobs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judged_bytes: Option<u64>,
    /// The limit of the share of the processors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit_share: Option<f64>,
    /// What was held against it: of backup and verification the larger one, mean over the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judged_share: Option<f64>,
    /// The limit of the number of backup files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit_files: Option<u64>,
    /// What was held against it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judged_files: Option<u64>,
    /// Whether it is met.
    pub met: bool,
}

/// The one setting to try first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TryResult {
    /// The knob.
    pub path: String,
    /// Its value.
    pub value: String,
    /// What it stands for, in words.
    pub what: String,
}

impl RequirementResult {
    /// How far it is from its limit, on either side of it, in words; nothing where there is nothing
    /// to hold against it.
    #[must_use]
    pub fn margin(&self) -> Option<String> {
        let seconds = self.limit_seconds.zip(self.judged_seconds);
        let memory = self.limit_bytes.zip(self.judged_bytes);
        let share = self.limit_share.zip(self.judged_share);
        let files = self.limit_files.zip(self.judged_files);
        let seconds = seconds.map(|(limit, judged)| number::duration((limit - judged).abs()));
        seconds
            .or_else(|| memory.map(|(limit, own)| number::bytes(limit.abs_diff(own) as f64)))
            .or_else(|| share.map(|(limit, own)| number::percent((limit - own).abs())))
            .or_else(|| files.map(|(limit, own)| format!("{} files", limit.abs_diff(own))))
    }
}

impl PredictResult {
    /// What was done for it in so many runs: events, and the share of the bytes that was carried
    /// forward instead of being simulated.
    pub(crate) fn work(&self, replications: u32) -> String {
        let verified = self.verify.as_ref().map_or(0, |verify| verify.read_bytes);
        let restored = self.restore.as_ref().map_or(0, |restore| restore.read_bytes);
        let read = (self.read_bytes + verified + restored) as f64 * f64::from(replications);
        let events = format!("{} events", self.events);
        if self.extrapolated_bytes == 0 || read <= 0.0 {
            return events;
        }
        let share = 100.0 * (self.extrapolated_bytes as f64 / read).min(1.0);
        format!("{events}, {share:.0} % carried forward")
    }

    /// The result of a prediction.
    #[must_use]
    pub fn new(loaded: &Loaded, prediction: &Prediction, options: &PredictOptions) -> Self {
        let backup = &prediction.backup;
        let limits = Limits::of(backup);
        let buffers = loaded.resolved.backup.buffers;
        let next_try = next_to_try(loaded, prediction);
        let verification = loaded.resolved.verification.as_ref();
        let beside = BesideResult::all(loaded, backup);
        let verify = |operation| VerifyResult {
            without_other_jobs: !beside.is_empty(),
            ..VerifyResult::new(operation, verification.map(|v| v.buffer_count))
        };
        let memory = loaded.resolved.backup.memory_of_all_jobs().get();
        PredictResult {
            scenario: loaded.name.clone(),
            title: loaded.resolved.title.clone(),
            set: Vec::new(),
            sql: None,
            notes: loaded.notes.clone(),
            level: options.level,
            backup: backup.seconds.into(),
            verify: prediction.verify.as_ref().map(verify),
            total: prediction.total_seconds.into(),
            restore: prediction.restore.as_ref().map(|r| RestoreResult::new(loaded, r)),
            all_jobs_buffer_memory_bytes: (!beside.is_empty()).then_some(memory),
            beside,
            other_load: OtherLoadResult::all(loaded, &[Some(backup), prediction.verify.as_ref()]),
            requirements: Vec::new(),
            read_bytes: backup.read_bytes,
            written_bytes: backup.written_bytes,
            read_bytes_per_second: operation::rate(backup.read_bytes, backup.seconds),
            written_bytes_per_second: operation::rate(backup.written_bytes, backup.seconds),
            volume_count: loaded.resolved.backup.volumes.len(),
            stripe_bytes: backup.stripe_bytes.clone(),
            buffer_memory_bytes: buffers.memory().get(),
            buffer_count: buffers.count,
            buffer_sets: buffers.sets,
            max_transfer_size_bytes: buffers.transfer_size.get(),
            processor_cores_mean: backup.processor_cores_mean,
            processor_share: processor_share(loaded, prediction),
            stations: limits.stations(backup),
            bottleneck: limits.bottleneck,
            next_bottleneck: limits.next,
            stages: limits.stages,
            waits: operation::waits(backup),
            next_try: next_try.map(|t| TryResult { path: t.path, value: t.value, what: t.what }),
            precision: PrecisionResult::new(
                prediction.precision,
                options,
                prediction.replications(),
            ),
            uncertainty: UncertaintyResult::of(loaded),
            events: prediction.events,
            extrapolated_bytes: prediction.extrapolated_bytes,
            statement: loaded.statement(),
            restore_statement: loaded.restore_statement(),
        }
    }
}

impl VerifyResult {
    fn new(operation: &OperationPrediction, buffer_count: Option<u32>) -> Self {
        let limits = Limits::of(operation);
        VerifyResult {
            seconds: operation.seconds.median,
            low_seconds: operation.seconds.low,
            high_seconds: operation.seconds.high,
            read_bytes: operation.read_bytes,
            read_bytes_per_second: operation::rate(operation.read_bytes, operation.seconds),
            buffer_count,
            without_other_jobs: false,
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
