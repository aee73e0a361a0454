//! What `explain` finds.

use bakcast_scenarios::Loaded;
use bakcast_scenarios::predict::{OperationPrediction, PredictOptions};
use bakcast_whatif::{Bounds, Explanation, Knee, OperationExplanation, Theory};
use serde::Serialize;

use super::operation::{self, Limits};
use super::sensitivity::expected_waits;
use super::{
    DurationResult, ExpectedWait, NextBottleneckResult, OtherLoadResult, PrecisionResult,
    RequirementResult, SensitivityResult, StageResult, StationResult, UncertaintyResult,
    WaitResult,
};

/// Where the time of a scenario goes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExplainResult {
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
    /// How well the medians are known, if a precision was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub precision: Option<PrecisionResult>,
    /// What the fit leaves open, if the scenario says so: nights have it in them, demands, bounds
    /// and theory have the values of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uncertainty: Option<UncertaintyResult>,
    /// Requirements, each met or not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<RequirementResult>,
    /// Events simulated for the durations and what limits them.
    pub events: u64,
    /// Bytes carried forward without being simulated.
    pub extrapolated_bytes: u64,
    /// Other jobs at the same time. Demands, bounds and theory are those of the backup alone; how
    /// stations spend their time, gains and the knee are with the others. A verification is
    /// without them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_jobs: Vec<String>,
    /// Users and other load that go before it; demands, bounds and theory have them in them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_load: Vec<OtherLoadResult>,
    /// What each number of the scenario does to the durations, the largest effect first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sensitivity: Vec<SensitivityResult>,
    /// Whether the text shows it.
    #[serde(skip)]
    pub shows_sensitivity: bool,
    /// The backup.
    pub backup: ExplainedOperation,
    /// The verification, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verify: Option<ExplainedOperation>,
}

/// Where the time of one operation goes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExplainedOperation {
    /// Half of all runs are faster.
    pub seconds: f64,
    /// Lower end of the range.
    pub low_seconds: f64,
    /// Upper end of the range.
    pub high_seconds: f64,
    /// Bytes read.
    pub read_bytes: u64,
    /// Bytes read, divided by the median duration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_bytes_per_second: Option<f64>,
    /// The limiting station, or `balanced`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bottleneck: Option<String>,
    /// What is busiest once that is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_bottleneck: Option<NextBottleneckResult>,
    /// Every stage with what its removal gains, the largest gain first.
    pub stages: Vec<StageResult>,
    /// Buffers that circulate.
    pub buffer_count: u32,
    /// Buffer cycles of one run: transfers read.
    pub cycles: f64,
    /// Stations in use.
    pub stations: Vec<ExplainedStation>,
    /// What no run can beat.
    pub bounds: BoundsResult,
    /// What queueing theory says of the same pipeline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theory: Option<TheoryResult>,
    /// How the duration depends on the number of buffers.
    pub knee: KneeResult,
    /// Waits by side.
    pub waits: Vec<WaitResult>,
    /// What a server's own `sys.dm_os_wait_stats` should gain in one run if this holds, all
    /// threads together, the most first.
    pub expected_waits: Vec<ExpectedWait>,
}

/// One station with what it is asked for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExplainedStation {
    /// How it spends its time.
    #[serde(flatten)]
    pub station: StationResult,
    /// Server seconds it gives to the whole job, in a run of median duration.
    pub demand_seconds: f64,
    /// Server seconds it gives to one cycle.
    pub demand_seconds_per_cycle: f64,
    /// Seconds the job would take if this station alone counted.
    pub alone_seconds: f64,
}

/// What no run can beat.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BoundsResult {
    /// The station with the most work for each of its servers.
    pub busiest_station: String,
    /// Rate of reading that it allows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub station_bytes_per_second: Option<f64>,
    /// Rate of reading that the number of buffers allows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buffers_bytes_per_second: Option<f64>,
    /// Seconds below which no run can end.
    pub elapsed_seconds: f64,
    /// Seconds of one cycle in which nothing waits.
    pub cycle_seconds: f64,
    /// Buffers from which on the busiest station is the limit.
    pub buffers_needed: f64,
}

/// The same pipeline as a closed network with exponential service, solved exactly.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TheoryResult {
    /// Rate of reading.
    pub read_bytes_per_second: f64,
    /// Duration of the job, fixed cost included.
    pub seconds: f64,
}

/// How the duration depends on the number of buffers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KneeResult {
    /// The smallest number tried whose duration is within 2 % of the best.
    pub buffer_count: u32,
    /// Every number tried.
    pub points: Vec<KneePointResult>,
}

/// One number of buffers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct KneePointResult {
    /// Buffers of one set.
    pub buffer_count: u32,
    /// Memory of all sets.
    pub buffer_memory_bytes: u64,
    /// Duration, mean over the runs.
    pub seconds: f64,
}

impl ExplainResult {
    /// The result of an explanation.
    #[must_use]
    pub fn new(loaded: &Loaded, explanation: &Explanation, options: &PredictOptions) -> Self {
        let prediction = &explanation.prediction;
        let verify = prediction.verify.as_ref().zip(explanation.verify.as_ref());
        ExplainResult {
            scenario: loaded.name.clone(),
            title: loaded.resolved.title.clone(),
            set: Vec::new(),
            sql: None,
            requirements: Vec::new(),
            notes: loaded.notes.clone(),
            level: options.level,
            uncertainty: UncertaintyResult::of(loaded),
            events: prediction.events,
            extrapolated_bytes: prediction.extrapolated_bytes,
            precision: PrecisionResult::new(
                prediction.precision,
                options,
                prediction.replications(),
            ),
            other_jobs: prediction.backup.beside.iter().map(|job| job.name.clone()).collect(),
            other_load: OtherLoadResult::all(
                loaded,
                &[Some(&prediction.backup), prediction.verify.as_ref()],
            ),
            sensitivity: Vec::new(),
            shows_sensitivity: false,
            backup: ExplainedOperation::new(&prediction.backup, &explanation.backup),
            verify: verify.map(|(operation, why)| ExplainedOperation::new(operation, why)),
        }
    }
}

impl ExplainedOperation {
    fn new(operation: &OperationPrediction, why: &OperationExplanation) -> Self {
        let limits = Limits::of(operation);
        let stations = operation.stations.iter().zip(&why.demands);
        let stations = stations.map(|(station, demand)| ExplainedStation {
            station: limits.station(station),
            demand_seconds: demand.job_seconds,
            demand_seconds_per_cycle: demand.cycle_seconds,
            alone_seconds: demand.alone_seconds,
        });
        ExplainedOperation {
            seconds: operation.seconds.median,
            low_seconds: operation.seconds.low,
            high_seconds: operation.seconds.high,
            read_bytes: operation.read_bytes,
            read_bytes_per_second: operation::rate(operation.read_bytes, operation.seconds),
            stations: stations.collect(),
            bottleneck: limits.bottleneck,
            next_bottleneck: limits.next,
            stages: limits.stages,
            buffer_count: why.buffer_count,
            cycles: why.cycles,
            bounds: (&why.bounds).into(),
            theory: why.theory.as_ref().map(TheoryResult::from),
            knee: (&why.knee).into(),
            waits: operation::waits(operation),
            expected_waits: expected_waits(operation),
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

impl From<&Bounds> for BoundsResult {
    fn from(bounds: &Bounds) -> Self {
        BoundsResult {
            busiest_station: bounds.busiest.clone(),
            station_bytes_per_second: bounds.station_bytes_per_second,
            buffers_bytes_per_second: bounds.buffers_bytes_per_second,
            elapsed_seconds: bounds.elapsed_seconds,
            cycle_seconds: bounds.cycle_seconds,
            buffers_needed: bounds.buffers_needed,
        }
    }
}

impl From<&Theory> for TheoryResult {
    fn from(theory: &Theory) -> Self {
        TheoryResult { read_bytes_per_second: theory.bytes_per_second, seconds: theory.seconds }
    }
}

impl From<&Knee> for KneeResult {
    fn from(knee: &Knee) -> Self {
        let points = knee.points.iter().map(|point| KneePointResult {
            buffer_count: point.buffer_count,
            buffer_memory_bytes: point.memory_bytes,
            seconds: point.seconds,
        });
        KneeResult { buffer_count: knee.buffer_count, points: points.collect() }
    }
}
