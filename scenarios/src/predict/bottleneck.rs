//! What limits a prediction: found by taking each part away, not by the highest busy figure.
//!
//! A stage is all stations of one role (all sources, the processors, all targets), the fixed cost,
//! or the number of backup buffers. Its gain is the time saved, paired on the same random numbers,
//! when that stage alone costs nothing (buffers: when there are plenty). The bottleneck is the
//! stage with the largest gain, if that is worth naming and clearly ahead of the next; otherwise
//! the pipeline is balanced.

use bakcast_models::outcome::{Outcome, StationRole};
use bakcast_models::pipeline::{BackupError, Relief, simulate_backup, simulate_verify};
use bakcast_models::quantity::Bytes;
use bakcast_sim::{Streams, try_replicate};

use super::summary::Accumulator;
use super::{OperationPrediction, PredictOptions, Prediction};
use crate::resolve::Resolved;

/// One stage and what it costs.
#[derive(Debug, Clone, PartialEq)]
pub struct Stage {
    /// What it is: a role as printed, or `buffers`.
    pub name: &'static str,
    /// Its stations; none for buffers.
    pub stations: Vec<String>,
    /// Seconds of the median duration saved if the stage cost nothing: the share saved in the mean
    /// over paired runs, times the median.
    pub gain_seconds: f64,
    /// The station busiest once the stage costs nothing.
    pub next: Option<NextBottleneck>,
}

/// The station that is busiest once a stage costs nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct NextBottleneck {
    /// As the scenario calls it.
    pub station: String,
    /// Its utilization then.
    pub utilization: f64,
}

/// What limits an operation.
#[derive(Debug, Clone, PartialEq)]
pub struct Bottleneck {
    /// Index in `stages`; `None`: balanced.
    pub stage: Option<usize>,
    /// Every stage with its gain, the largest gain first; the fixed cost last unless it is most of
    /// the time.
    pub stages: Vec<Stage>,
}

impl Bottleneck {
    /// The limiting station (several joined by `+`), or `balanced`.
    #[must_use]
    pub fn name(&self) -> String {
        match self.stage.and_then(|index| self.stages.get(index)) {
            Some(stage) if !stage.stations.is_empty() => stage.stations.join("+"),
            Some(stage) => stage.name.to_string(),
            None => "balanced".to_string(),
        }
    }

    /// What is busiest once the bottleneck is gone.
    #[must_use]
    pub fn next(&self) -> Option<&NextBottleneck> {
        self.stages.get(self.stage.unwrap_or(0))?.next.as_ref()
    }
}

/// What limits both operations, and the events it took to find out.
pub(super) struct Analysis {
    pub(super) backup: Option<Bottleneck>,
    pub(super) verify: Option<Bottleneck>,
    pub(super) events: u64,
}

/// A gain below this share of the duration is not worth naming.
const WORTH_NAMING: f64 = 0.05;
/// The next stage's gain must stay below this share of the first, or neither is the bottleneck.
const CLEARLY_AHEAD: f64 = 0.75;
/// The fixed cost is a bottleneck only where it is most of the time; otherwise it is no stage that
/// data pass through, and saving it hides nothing of what limits the rate.
const MOST_OF_THE_TIME: f64 = 0.5;
/// Paired runs for each stage: gains are differences on the same random numbers.
pub(super) const REPLICATIONS: u32 = 8;

/// What one stage is made of.
struct Candidate {
    name: &'static str,
    stations: Vec<String>,
    relief: Relief,
}

/// Takes each stage of both operations away in turn.
pub(super) fn analyse(
    resolved: &Resolved,
    options: &PredictOptions,
    prediction: &Prediction,
    first_stripes: &[Vec<Bytes>],
) -> Result<Analysis, BackupError> {
    let count = REPLICATIONS.min(options.replications) as usize;
    let of_backup = candidates(resolved, &prediction.backup, true);
    let of_verify =
        prediction.verify.as_ref().map_or(Vec::new(), |v| candidates(resolved, v, false));
    let backups = relieved(&of_backup, count, |replication, relief| {
        let streams = Streams::new(options.seed, replication as u64);
        let terms = options.terms(relief.clone());
        simulate_backup(&resolved.machine, &resolved.backup, &streams, &terms)
    })?;
    let verifies = relieved(&of_verify, count, |replication, relief| {
        let streams = Streams::new(options.seed, replication as u64);
        let plan = resolved.verify(&first_stripes[replication]);
        let plan = plan.expect("what has candidates is verified");
        let terms = options.terms(relief.clone());
        simulate_verify(&resolved.machine, &plan, &streams, &terms)
    })?;
    let events = backups.iter().chain(&verifies).map(|outcome| outcome.events).sum();
    let backup = weigh(of_backup, &backups, count, &prediction.backup);
    let verify = prediction.verify.as_ref().map(|v| weigh(of_verify, &verifies, count, v));
    Ok(Analysis { backup: Some(backup), verify, events })
}

/// Runs every candidate's relief `count` times, candidate by candidate.
fn relieved(
    candidates: &[Candidate],
    count: usize,
    run: impl Fn(usize, &Relief) -> Result<Outcome, BackupError> + Sync,
) -> Result<Vec<Outcome>, BackupError> {
    try_replicate((candidates.len() * count) as u64, |index| {
        let index = index as usize;
        run(index % count, &candidates[index / count].relief)
    })
}

fn candidates(
    resolved: &Resolved,
    operation: &OperationPrediction,
    with_buffers: bool,
) -> Vec<Candidate> {
    let roles = [
        StationRole::Source,
        StationRole::SourceAndTarget,
        StationRole::Processor,
        StationRole::Target,
        StationRole::FixedCost,
    ];
    let mut candidates = Vec::new();
    for role in roles {
        let stations: Vec<String> =
            operation.stations.iter().filter(|s| s.role == role).map(|s| s.name.clone()).collect();
        if stations.is_empty() {
            continue;
        }
        let devices = resolved.machine.devices.iter().enumerate();
        let relief = Relief {
            devices: devices
                .filter(|(_, d)| stations.contains(&d.name) && role != StationRole::Processor)
                .map(|(index, _)| index)
                .collect(),
            processor: role == StationRole::Processor,
            fixed_cost: role == StationRole::FixedCost,
            buffers: false,
        };
        candidates.push(Candidate { name: role.name(), stations, relief });
    }
    if with_buffers {
        let relief = Relief { buffers: true, ..Relief::NONE };
        candidates.push(Candidate { name: "buffers", stations: Vec::new(), relief });
    }
    candidates
}

/// Orders the stages by gain and says which, if any, is the bottleneck.
fn weigh(
    candidates: Vec<Candidate>,
    outcomes: &[Outcome],
    count: usize,
    operation: &OperationPrediction,
) -> Bottleneck {
    let base = mean(&operation.elapsed_seconds[..count.min(operation.elapsed_seconds.len())]);
    let whole = operation.seconds.median;
    let mut stages = Vec::new();
    for (candidate, outcomes) in candidates.into_iter().zip(outcomes.chunks(count.max(1))) {
        let mut relieved = Accumulator::default();
        outcomes.iter().for_each(|outcome| relieved.add(outcome));
        let busiest = relieved
            .stations()
            .into_iter()
            .filter(|s| !candidate.stations.contains(&s.name))
            .max_by(|a, b| a.working.total_cmp(&b.working));
        stages.push(Stage {
            name: candidate.name,
            stations: candidate.stations,
            gain_seconds: (1.0 - relieved.mean_seconds() / base) * whole,
            next: busiest.map(|s| NextBottleneck { station: s.name, utilization: s.working }),
        });
    }
    stages.sort_by(|a, b| {
        let place =
            |s: &Stage| (is_fixed(s) && s.gain_seconds < MOST_OF_THE_TIME * whole, -s.gain_seconds);
        let (a, b) = (place(a), place(b));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    let first = stages.first().map_or(0.0, |s| s.gain_seconds);
    let second = stages.get(1).filter(|s| !is_fixed(s)).map_or(0.0, |s| s.gain_seconds);
    let clear = first >= WORTH_NAMING * whole && second <= CLEARLY_AHEAD * first;
    Bottleneck { stage: clear.then_some(0), stages }
}

fn is_fixed(stage: &Stage) -> bool {
    stage.name == StationRole::FixedCost.name()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / (values.len() as f64).max(1.0)
}
