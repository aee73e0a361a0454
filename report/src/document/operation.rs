//! Parts that `predict` and `explain` share.

use bakcast_models::plan::Machine;
use bakcast_scenarios::Loaded;
use bakcast_scenarios::predict::{
    Bottleneck, NextBottleneck, OperationPrediction, Range, Stage, StationSummary, WaitSummary,
};
use serde::Serialize;

/// A duration with its range.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct DurationResult {
    /// Half of all runs are faster.
    pub seconds: f64,
    /// Lower end of the range.
    pub low_seconds: f64,
    /// Upper end of the range.
    pub high_seconds: f64,
}

impl From<Range> for DurationResult {
    fn from(range: Range) -> Self {
        DurationResult { seconds: range.median, low_seconds: range.low, high_seconds: range.high }
    }
}

/// One station, mean over runs: as all jobs used it until the operation ended.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StationResult {
    /// As the scenario calls it.
    pub name: String,
    /// What it is.
    pub role: &'static str,
    /// Identical servers.
    pub servers: u32,
    /// Share of server time spent serving.
    pub utilization: f64,
    /// The same, by the name it has beside the next two.
    pub working: f64,
    /// Share of server time idle for want of work.
    pub starved: f64,
    /// Share of server time idle although there is work.
    pub blocked: f64,
    /// Server seconds of service in one run.
    pub busy_seconds: f64,
    /// Part of it in which users and other load were served; absent: none goes before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub others_seconds: Option<f64>,
    /// Transfers or buffers served in one run.
    pub completions: f64,
    /// Bytes served in one run.
    pub bytes: f64,
    /// Seconds saved if its stage cost nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_gain_seconds: Option<f64>,
}

/// One stage: all stations of one role, the buffers, or the other jobs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StageResult {
    /// What it is.
    pub name: &'static str,
    /// Its stations; none for buffers and other jobs.
    pub stations: Vec<String>,
    /// Seconds saved if it cost nothing.
    pub gain_seconds: f64,
    /// What is busiest then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<NextBottleneckResult>,
}

/// The station that is busiest once a stage costs nothing.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NextBottleneckResult {
    /// As the scenario calls it.
    pub station: String,
    /// Its utilization then.
    pub utilization: f64,
}

/// One kind of waiting on one side.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WaitResult {
    /// Which side.
    pub side: &'static str,
    /// What its threads did.
    pub state: &'static str,
    /// What the server calls it; absent where the server does not show it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wait_type: Option<&'static str>,
    /// Thread seconds in one run.
    pub seconds: f64,
}

impl From<&NextBottleneck> for NextBottleneckResult {
    fn from(next: &NextBottleneck) -> Self {
        NextBottleneckResult { station: next.station.clone(), utilization: next.utilization }
    }
}

impl From<&Stage> for StageResult {
    fn from(stage: &Stage) -> Self {
        StageResult {
            name: stage.name,
            stations: stage.stations.clone(),
            gain_seconds: stage.gain_seconds,
            next: stage.next.as_ref().map(NextBottleneckResult::from),
        }
    }
}

impl From<&WaitSummary> for WaitResult {
    fn from(wait: &WaitSummary) -> Self {
        WaitResult {
            side: wait.side.name(),
            state: wait.state.name(),
            wait_type: wait.wait_type,
            seconds: wait.seconds,
        }
    }
}

/// What limits an operation, as documents carry it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Limits {
    pub(super) bottleneck: Option<String>,
    pub(super) next: Option<NextBottleneckResult>,
    pub(super) stages: Vec<StageResult>,
}

impl Limits {
    pub(super) fn of(operation: &OperationPrediction) -> Self {
        let bottleneck = operation.bottleneck.as_ref();
        let stages = bottleneck.map_or(&[][..], |b| &b.stages);
        Limits {
            bottleneck: bottleneck.map(Bottleneck::name),
            next: bottleneck.and_then(Bottleneck::next).map(NextBottleneckResult::from),
            stages: stages.iter().map(StageResult::from).collect(),
        }
    }

    pub(super) fn station(&self, station: &StationSummary) -> StationResult {
        let stage = self.stages.iter().find(|stage| stage.stations.contains(&station.name));
        StationResult {
            name: station.name.clone(),
            role: station.role.name(),
            servers: station.servers,
            utilization: station.working,
            working: station.working,
            starved: station.starved,
            blocked: station.blocked,
            busy_seconds: station.busy_seconds,
            others_seconds: Some(station.others_seconds).filter(|seconds| *seconds > 0.0),
            completions: station.completions,
            bytes: station.bytes,
            next_gain_seconds: stage.map(|stage| stage.gain_seconds),
        }
    }

    pub(super) fn stations(&self, operation: &OperationPrediction) -> Vec<StationResult> {
        operation.stations.iter().map(|station| self.station(station)).collect()
    }
}

/// Users and other load on a station, as the scenario states it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OtherLoadResult {
    /// The device, link or `processor`.
    pub station: String,
    /// Share of its time that they take while no backup runs.
    pub share: f64,
}

impl OtherLoadResult {
    /// The other load on the stations that an operation uses.
    pub(super) fn all(loaded: &Loaded, operations: &[Option<&OperationPrediction>]) -> Vec<Self> {
        let Machine { devices, processor } = &loaded.resolved.machine;
        let of_devices = devices.iter().map(|device| (device.name.as_str(), device.others));
        let all = of_devices.chain([("processor", processor.others)]);
        let is_used = |name: &str| {
            let mut stations = operations.iter().flatten().flat_map(|o| &o.stations);
            stations.any(|station| station.name == name)
        };
        let used = all.filter(|(name, _)| is_used(name));
        used.filter_map(|(name, others)| {
            Some(OtherLoadResult { station: name.to_string(), share: others?.share() })
        })
        .collect()
    }
}

pub(super) fn waits(operation: &OperationPrediction) -> Vec<WaitResult> {
    operation.waits.iter().map(WaitResult::from).collect()
}

/// Bytes per second over the median duration.
pub(super) fn rate(bytes: u64, duration: Range) -> Option<f64> {
    (duration.median > 0.0).then(|| bytes as f64 / duration.median)
}
