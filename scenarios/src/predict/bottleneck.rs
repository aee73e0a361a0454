//! What limits a prediction: found by taking each part away, not by the highest busy figure.
//!
//! A stage is all stations of one role (all sources, the processors, all targets), the fixed cost,
//! or the number of backup buffers. Its gain is the time saved, paired on the same random numbers,
//! when that stage alone costs nothing (buffers: when there are plenty). The bottleneck is the
//! stage with the largest gain, if that is worth naming and clearly ahead of the next; otherwise
//! the pipeline is balanced.

use bakcast_models::outcome::StationRole;
use bakcast_models::pipeline::{BackupError, Relief};
use bakcast_sim::try_replicate;

use super::summary::Accumulator;
use super::{Night, OperationPrediction, PredictOptions, Prediction, night};
use crate::resolve::Resolved;

/// One stage and what it costs.
#[derive(Debug, Clone, PartialEq)]
pub struct Stage {
    /// What it is: a role as printed, or `buffers`.
    pub name: &'static str,
    /// Its stations; none for buffers.
    pub stations: Vec<String>,
    /// Seconds saved if the stage cost nothing, mean over paired runs.
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
    /// Every stage with its gain, the largest gain first.
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
/// Paired runs for each stage: gains are differences on the same random numbers.
const REPLICATIONS: u32 = 8;

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
) -> Result<Analysis, BackupError> {
    let count = REPLICATIONS.min(options.replications) as usize;
    let backup = candidates(resolved, &prediction.backup, true);
    let verify = prediction.verify.as_ref().map_or(Vec::new(), |v| candidates(resolved, v, false));
    let all: Vec<&Candidate> = backup.iter().chain(&verify).collect();
    let nights = try_replicate((all.len() * count) as u64, |index| {
        let relief = &all[index as usize / count].relief;
        night(resolved, options.seed, index % count as u64, relief)
    })?;
    let mut events = 0;
    for night in &nights {
        events += night.backup.events + night.verify.as_ref().map_or(0, |v| v.events);
    }
    let (of_backup, of_verify) = nights.split_at(backup.len() * count);
    let backup = weigh(backup, of_backup, count, &prediction.backup, |n| Some(&n.backup));
    let verify = prediction
        .verify
        .as_ref()
        .map(|v| weigh(verify, of_verify, count, v, |n| n.verify.as_ref()));
    Ok(Analysis { backup: Some(backup), verify, events })
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
    nights: &[Night],
    count: usize,
    operation: &OperationPrediction,
    pick: impl Fn(&Night) -> Option<&bakcast_models::outcome::Outcome>,
) -> Bottleneck {
    let base = mean(&operation.elapsed_seconds[..count.min(operation.elapsed_seconds.len())]);
    let mut stages = Vec::new();
    for (candidate, nights) in candidates.into_iter().zip(nights.chunks(count.max(1))) {
        let mut relieved = Accumulator::default();
        nights.iter().filter_map(&pick).for_each(|outcome| relieved.add(outcome));
        let busiest = relieved
            .stations()
            .into_iter()
            .filter(|s| !candidate.stations.contains(&s.name))
            .max_by(|a, b| a.working.total_cmp(&b.working));
        stages.push(Stage {
            name: candidate.name,
            stations: candidate.stations,
            gain_seconds: base - relieved.mean_seconds(),
            next: busiest.map(|s| NextBottleneck { station: s.name, utilization: s.working }),
        });
    }
    stages.sort_by(|a, b| b.gain_seconds.total_cmp(&a.gain_seconds));
    let first = stages.first().map_or(0.0, |s| s.gain_seconds);
    let second = stages.get(1).map_or(0.0, |s| s.gain_seconds);
    let clear = first >= WORTH_NAMING * base && second <= CLEARLY_AHEAD * first;
    Bottleneck { stage: clear.then_some(0), stages }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / (values.len() as f64).max(1.0)
}
