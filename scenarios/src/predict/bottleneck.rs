//! What limits a prediction: found by taking each part away, not by the highest busy figure.
//!
//! A stage is all stations of one role (all sources, the processors, all targets), the fixed cost,
//! the number of backup buffers, or the other jobs at the same time. Its gain is the time saved,
//! paired on the same random numbers, when that stage alone costs nothing (buffers: when there are
//! plenty; other jobs: when there are none). The bottleneck is the stage with the largest gain, if
//! that is worth naming and clearly ahead of the next; otherwise the pipeline is balanced. Settings
//! (too few buffers, other jobs) come before a station that would save as much.

use std::sync::Arc;

use bakcast_models::outcome::{Outcome, StationRole};
use bakcast_models::pipeline::Relief;

use super::summary::Accumulator;
use super::{OperationPrediction, Prediction};
use crate::resolve::Resolved;

/// One stage and what it costs.
#[derive(Debug, Clone, PartialEq)]
pub struct Stage {
    /// What it is: a role as printed, `buffers` or `other jobs`.
    pub name: &'static str,
    /// Its stations; none for buffers and other jobs.
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

/// A gain below this share of the duration is not worth naming.
const WORTH_NAMING: f64 = 0.05;
/// The next stage's gain must stay below this share of the first, or neither is the bottleneck.
const CLEARLY_AHEAD: f64 = 0.75;
/// The stage that is a setting, not a station. If plenty of buffers save about as much as the best
/// station would, the pipeline is throttled by that setting: with few buffers every station's time
/// counts, and the setting costs nothing to change.
const BUFFERS: &str = "buffers";
/// Another setting: when the other jobs run. They cost time by what they ask of the stations, so a
/// station that both need gains as well if it costs nothing; to move a job costs nothing either.
const OTHER_JOBS: &str = "other jobs";
/// The fixed cost is a bottleneck only where it is most of the time; otherwise it is no stage that
/// data pass through, and saving it hides nothing of what limits the rate.
const MOST_OF_THE_TIME: f64 = 0.5;
/// Paired runs for each stage: gains are differences on the same random numbers.
pub(super) const REPLICATIONS: usize = 8;

/// What one stage is made of.
struct Candidate {
    name: &'static str,
    stations: Vec<String>,
    relief: Relief,
}

/// The runs that find out what limits a prediction: every candidate of the backup, then of the
/// verification, then of the restore, each so many times.
pub(super) struct Questions {
    of_backup: Vec<Candidate>,
    of_verify: Vec<Candidate>,
    of_restore: Vec<Candidate>,
    count: usize,
    /// The backups of the first nights: what verifications and restores find.
    first: Vec<Arc<Outcome>>,
}

/// One of those runs.
pub(super) struct Question<'a> {
    /// The night it is paired with.
    pub(super) replication: u64,
    pub(super) relief: &'a Relief,
    pub(super) asks: Asks<'a>,
}

/// What is run: a backup, or what is done with the files of one.
pub(super) enum Asks<'a> {
    Backup,
    Verify(&'a Outcome),
    Restore(&'a Outcome),
}

impl Questions {
    pub(super) fn new(
        resolved: &Resolved,
        prediction: &Prediction,
        first: Vec<Arc<Outcome>>,
    ) -> Self {
        let (verify, restore) = (prediction.verify.as_ref(), prediction.restore.as_ref());
        Questions {
            of_backup: candidates(resolved, &prediction.backup, true),
            // The server takes no number of buffers for a verification, but for a restore.
            of_verify: verify.map_or(Vec::new(), |v| candidates(resolved, v, false)),
            of_restore: restore.map_or(Vec::new(), |r| candidates(resolved, r, true)),
            count: first.len(),
            first,
        }
    }

    /// How many runs they take.
    pub(super) fn len(&self) -> usize {
        (self.of_backup.len() + self.of_verify.len() + self.of_restore.len()) * self.count
    }

    /// One run by its number.
    pub(super) fn at(&self, number: usize) -> Question<'_> {
        let (index, replication) = (number / self.count, number % self.count);
        let backup = &*self.first[replication];
        let restores = self.of_backup.len() + self.of_verify.len();
        let (candidate, asks) = if index >= restores {
            (&self.of_restore[index - restores], Asks::Restore(backup))
        } else if let Some(index) = index.checked_sub(self.of_backup.len()) {
            (&self.of_verify[index], Asks::Verify(backup))
        } else {
            (&self.of_backup[index], Asks::Backup)
        };
        Question { replication: replication as u64, relief: &candidate.relief, asks }
    }
}

/// What the answers come to so far.
#[derive(Default)]
pub(super) struct Answers {
    sums: Vec<Accumulator>,
    taken: usize,
}

impl Answers {
    /// Takes the next answer, in the order of the questions.
    pub(super) fn add(&mut self, questions: &Questions, outcome: &Outcome) {
        if self.taken.is_multiple_of(questions.count) {
            self.sums.push(Accumulator::default());
        }
        self.taken += 1;
        if let Some(sum) = self.sums.last_mut() {
            sum.add(outcome);
        }
    }

    /// Says in the prediction what limits it.
    pub(super) fn conclude(&self, questions: &Questions, prediction: &mut Prediction) {
        let (of_backup, of_verify) = (&questions.of_backup, &questions.of_verify);
        let (backups, others) = self.sums.split_at(of_backup.len());
        let (verifies, restores) = others.split_at(of_verify.len());
        prediction.events += self.sums.iter().map(Accumulator::events).sum::<u64>();
        let backup = &mut prediction.backup;
        backup.bottleneck = Some(weigh(of_backup, backups, questions.count, backup));
        if let Some(verify) = &mut prediction.verify {
            verify.bottleneck = Some(weigh(of_verify, verifies, questions.count, verify));
        }
        if let Some(restore) = &mut prediction.restore {
            let of_restore = &questions.of_restore;
            restore.bottleneck = Some(weigh(of_restore, restores, questions.count, restore));
        }
    }
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
            ..Relief::NONE
        };
        candidates.push(Candidate { name: role.name(), stations, relief });
    }
    if with_buffers {
        let relief = Relief { buffers: true, ..Relief::NONE };
        candidates.push(Candidate { name: BUFFERS, stations: Vec::new(), relief });
    }
    if !operation.beside.is_empty() {
        let relief = Relief { beside: true, ..Relief::NONE };
        candidates.push(Candidate { name: OTHER_JOBS, stations: Vec::new(), relief });
    }
    candidates
}

/// Orders the stages by gain and says which, if any, is the bottleneck.
fn weigh(
    candidates: &[Candidate],
    sums: &[Accumulator],
    count: usize,
    operation: &OperationPrediction,
) -> Bottleneck {
    let base = mean(&operation.elapsed_seconds[..count.min(operation.elapsed_seconds.len())]);
    let whole = operation.seconds.median;
    let stages = candidates.iter().zip(sums).map(|(candidate, relieved)| {
        let busiest = relieved
            .stations()
            .into_iter()
            .filter(|s| !candidate.stations.contains(&s.name))
            .max_by(|a, b| a.working.total_cmp(&b.working));
        Stage {
            name: candidate.name,
            stations: candidate.stations.clone(),
            gain_seconds: saved(base, relieved.mean_seconds()) * whole,
            next: busiest.map(|s| NextBottleneck { station: s.name, utilization: s.working }),
        }
    });
    order(stages.collect(), whole)
}

/// The share saved of a mean duration; nothing can be saved of none.
fn saved(base: f64, relieved: f64) -> f64 {
    let saved = 1.0 - relieved / base;
    if base > 0.0 && saved.is_finite() { saved } else { 0.0 }
}

/// Puts the stages in order and says which, if any, is the bottleneck of a run of `whole` seconds.
fn order(mut stages: Vec<Stage>, whole: f64) -> Bottleneck {
    let set_aside = |s: &Stage| is_fixed(s) && s.gain_seconds < MOST_OF_THE_TIME * whole;
    stages.sort_by(|a, b| {
        let by_gain = b.gain_seconds.total_cmp(&a.gain_seconds);
        set_aside(a).cmp(&set_aside(b)).then(by_gain)
    });
    let first = stages.first().map_or(0.0, |s| s.gain_seconds);
    let worth_naming = first >= WORTH_NAMING * whole;
    let close = |s: &Stage| s.gain_seconds > CLEARLY_AHEAD * first;
    if let Some(at) = stages.iter().position(|s| is_setting(s) && close(s)) {
        let setting = stages.remove(at);
        stages.insert(0, setting);
        return Bottleneck { stage: worth_naming.then_some(0), stages };
    }
    let rival = stages.get(1).is_some_and(|s| !set_aside(s) && close(s));
    Bottleneck { stage: (worth_naming && !rival).then_some(0), stages }
}

fn is_setting(stage: &Stage) -> bool {
    [BUFFERS, OTHER_JOBS].contains(&stage.name)
}

fn is_fixed(stage: &Stage) -> bool {
    stage.name == StationRole::FixedCost.name()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / (values.len() as f64).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bottleneck(gains: &[(&'static str, f64)]) -> Bottleneck {
        let stage = |(name, gain): &(&'static str, f64)| Stage {
            name,
            stations: match *name {
                BUFFERS | OTHER_JOBS => Vec::new(),
                station => vec![station.to_string()],
            },
            gain_seconds: *gain,
            next: None,
        };
        order(gains.iter().map(stage).collect(), 100.0)
    }

    #[test]
    fn the_stage_clearly_ahead_is_the_bottleneck() {
        let found = bottleneck(&[("source", 3.0), ("processor", 40.0), (BUFFERS, 5.0)]);
        assert_eq!(found.name(), "processor");
        assert_eq!(found.stages[0].name, "processor");
    }

    #[test]
    fn stages_that_would_save_alike_are_balanced_and_so_is_a_pipeline_with_nothing_to_save() {
        assert_eq!(bottleneck(&[("source", 40.0), ("target", 35.0)]).name(), "balanced");
        assert_eq!(bottleneck(&[("source", 2.0), ("target", 0.1)]).name(), "balanced");
    }

    #[test]
    fn nothing_is_saved_of_a_run_that_takes_no_time() {
        assert!(saved(0.0, 0.0).abs() < f64::EPSILON);
        assert!((saved(4.0, 1.0) - 0.75).abs() < f64::EPSILON);
    }

    #[test]
    fn too_few_buffers_come_before_the_stations_they_throttle() {
        let found = bottleneck(&[("source", 10.0), ("processor", 80.0), (BUFFERS, 72.0)]);
        assert_eq!(found.name(), "buffers");
        let found = bottleneck(&[("processor", 80.0), (BUFFERS, 20.0)]);
        assert_eq!(found.name(), "processor");
    }

    #[test]
    fn other_jobs_come_before_the_stations_that_they_share() {
        let found = bottleneck(&[("target", 60.0), (OTHER_JOBS, 50.0), ("source", 5.0)]);
        assert_eq!(found.name(), "other jobs");
        // What the jobs share would be slow without them as well.
        assert_eq!(bottleneck(&[("target", 90.0), (OTHER_JOBS, 40.0)]).name(), "target");
        let found = bottleneck(&[("target", 40.0), ("source", 35.0), (OTHER_JOBS, 20.0)]);
        assert_eq!(found.name(), "balanced");
        // Of two settings the one that saves more.
        let found = bottleneck(&[(BUFFERS, 30.0), (OTHER_JOBS, 35.0), ("target", 36.0)]);
        assert_eq!(found.name(), "other jobs");
    }

    #[test]
    fn a_fixed_cost_is_named_only_where_it_is_most_of_the_time() {
        let fixed = StationRole::FixedCost.name();
        assert_eq!(bottleneck(&[(fixed, 20.0), ("target", 1.0)]).name(), "balanced");
        assert_eq!(bottleneck(&[(fixed, 20.0), ("target", 12.0)]).name(), "target");
        assert_eq!(bottleneck(&[(fixed, 70.0), ("target", 12.0)]).name(), fixed);
    }
}
