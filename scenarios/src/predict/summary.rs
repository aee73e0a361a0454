//! Outcomes of many runs as means and ranges.

use std::collections::BTreeMap;

use bakcast_models::outcome::{Outcome, StationOutcome, StationRole};
use bakcast_models::wait::{Side, ThreadState, wait_type};
use bakcast_sim::{quantile, quantile_to_come};

use super::beside::{self, BesideSummary, BesideSums};
use super::bottleneck::Bottleneck;
use super::carried::{CarriedPart, put_right};
use super::credit::{CreditSummary, CreditSums};

/// A distribution as its median and the range that holds the stated share of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// Half of all runs are faster.
    pub median: f64,
    /// Lower end of the range.
    pub low: f64,
    /// Upper end of the range.
    pub high: f64,
}

impl Range {
    /// The range that one more value lies in with probability `level`, as far as there are values
    /// enough to say so: of n values at most (n - 1) / (n + 1). Empty values give a range of zeros.
    #[must_use]
    pub fn of(values: &[f64], level: f64) -> Self {
        let end = |p: f64| quantile_to_come(values, p).unwrap_or(0.0);
        let tail = (1.0 - level) / 2.0;
        let median = quantile(values, 0.5).unwrap_or(0.0);
        Range { median, low: end(tail), high: end(1.0 - tail) }
    }
}

/// One station, mean over runs.
#[derive(Debug, Clone, PartialEq)]
pub struct StationSummary {
    /// As the scenario calls it.
    pub name: String,
    /// What it is.
    pub role: StationRole,
    /// Identical servers.
    pub servers: u32,
    /// Share of server time spent serving: the utilization.
    pub working: f64,
    /// Share of server time idle for want of work.
    pub starved: f64,
    /// Share of server time idle although there is work.
    pub blocked: f64,
    /// Server seconds of service in one run: the service demand.
    pub busy_seconds: f64,
    /// Part of them in which users and other load were served that go before.
    pub others_seconds: f64,
    /// Transfers or buffers served in one run.
    pub completions: f64,
    /// Bytes served in one run.
    pub bytes: f64,
}

impl StationSummary {
    /// Servers that serve, in the mean, but for what others take of them.
    fn own_servers(&self) -> f64 {
        let busy = self.working * f64::from(self.servers);
        let others = self.others_seconds / self.busy_seconds;
        if others > 0.0 { busy * (1.0 - others) } else { busy }
    }
}

/// One kind of waiting on one side, mean over runs.
#[derive(Debug, Clone, PartialEq)]
pub struct WaitSummary {
    /// Which side.
    pub side: Side,
    /// What the threads of that side did.
    pub state: ThreadState,
    /// What the server calls it, if it shows it.
    pub wait_type: Option<&'static str>,
    /// Thread seconds in one run, all threads of the side together.
    pub seconds: f64,
}

/// A backup, a verification or a restore, over all runs.
#[derive(Debug, Clone, PartialEq)]
pub struct OperationPrediction {
    /// Duration.
    pub seconds: Range,
    /// Duration of each run, in order of replication.
    pub elapsed_seconds: Vec<f64>,
    /// Bytes read from the source, mean over runs: members of an ensemble may differ in it.
    pub read_bytes: u64,
    /// Bytes written to backup files, or to volumes; mean over runs.
    pub written_bytes: u64,
    /// Bytes in each backup file, or on each volume, mean over runs.
    pub stripe_bytes: Vec<f64>,
    /// Stations in use.
    pub stations: Vec<StationSummary>,
    /// Burst credit of each device, in the order of the machine; absent where there is none.
    pub credits: Vec<Option<CreditSummary>>,
    /// Waits by side.
    pub waits: Vec<WaitSummary>,
    /// Processors busy with compression, of all jobs at the time, mean over the run; without what
    /// users take of them.
    pub processor_cores_mean: f64,
    /// Other jobs at the same time; a verification or a restore has none.
    pub beside: Vec<BesideSummary>,
    /// What limits it; absent if it was not asked.
    pub bottleneck: Option<Bottleneck>,
}

/// Sums outcomes up in the order in which they are added.
#[derive(Debug, Default)]
pub(super) struct Accumulator {
    elapsed: Vec<f64>,
    carried: Vec<Option<CarriedPart>>,
    read_bytes: u128,
    written_bytes: u128,
    stripe_bytes: Vec<f64>,
    stations: Vec<StationSummary>,
    credits: Vec<Option<CreditSums>>,
    waits: BTreeMap<(Side, ThreadState), f64>,
    beside: Vec<BesideSums>,
    events: u64,
}

impl Accumulator {
    pub(super) fn add(&mut self, outcome: &Outcome) {
        if self.elapsed.is_empty() {
            self.stripe_bytes = vec![0.0; outcome.stripe_bytes.len()];
            self.stations = outcome.stations.iter().map(blank).collect();
            self.credits =
                outcome.credits.iter().map(|c| c.map(|_| CreditSums::default())).collect();
        }
        self.read_bytes += u128::from(outcome.read_bytes.get());
        self.written_bytes += u128::from(outcome.written_bytes.get());
        self.elapsed.push(outcome.elapsed.as_seconds());
        let speeds = || outcome.speeds.clone();
        let carried = outcome.carried.map(|carried| CarriedPart { carried, speeds: speeds() });
        self.carried.push(carried);
        self.events += outcome.events;
        for (sum, bytes) in self.stripe_bytes.iter_mut().zip(&outcome.stripe_bytes) {
            *sum += bytes.as_f64();
        }
        for (sum, station) in self.stations.iter_mut().zip(&outcome.stations) {
            sum.working += station.shares.working;
            sum.starved += station.shares.starved;
            sum.blocked += station.shares.blocked;
            sum.busy_seconds += station.busy.as_seconds();
            sum.others_seconds += station.others.as_seconds();
            sum.completions += station.completions as f64;
            sum.bytes += station.bytes.as_f64();
        }
        for (sums, credit) in
            self.credits.iter_mut().flatten().zip(outcome.credits.iter().flatten())
        {
            sums.add(*credit);
        }
        beside::add(&mut self.beside, outcome);
        for thread in &outcome.threads {
            for (state, span) in &thread.spent {
                *self.waits.entry((thread.side, *state)).or_default() += span.as_seconds();
            }
        }
    }

    pub(super) fn events(&self) -> u64 {
        self.events
    }

    /// Bytes carried forward in all runs.
    pub(super) fn carried_bytes(&self) -> u64 {
        self.carried.iter().flatten().map(|part| part.carried.bytes).fold(0, u64::saturating_add)
    }

    pub(super) fn any(&self) -> bool {
        !self.elapsed.is_empty()
    }

    pub(super) fn stations(&self) -> Vec<StationSummary> {
        let share = 1.0 / (self.elapsed.len() as f64).max(1.0);
        let mean = |station: &StationSummary| StationSummary {
            working: station.working * share,
            starved: station.starved * share,
            blocked: station.blocked * share,
            busy_seconds: station.busy_seconds * share,
            others_seconds: station.others_seconds * share,
            completions: station.completions * share,
            bytes: station.bytes * share,
            ..station.clone()
        };
        self.stations.iter().map(mean).collect()
    }

    /// Durations as they are reported, in order of replication.
    pub(super) fn seconds(&self) -> Vec<f64> {
        put_right(&self.elapsed, &self.carried)
    }

    pub(super) fn mean_seconds(&self) -> f64 {
        let elapsed = self.seconds();
        elapsed.iter().sum::<f64>() / (elapsed.len() as f64).max(1.0)
    }

    pub(super) fn finish(self, level: f64) -> OperationPrediction {
        let share = 1.0 / (self.elapsed.len() as f64).max(1.0);
        let stations = self.stations();
        let cores = stations.iter().filter(|s| s.role == StationRole::Processor);
        let waits = self.waits.iter().map(|((side, state), seconds)| WaitSummary {
            side: *side,
            state: *state,
            wait_type: wait_type(*state),
            seconds: seconds * share,
        });
        let elapsed_seconds = self.seconds();
        OperationPrediction {
            seconds: Range::of(&elapsed_seconds, level),
            read_bytes: mean_bytes(self.read_bytes, self.elapsed.len()),
            written_bytes: mean_bytes(self.written_bytes, self.elapsed.len()),
            stripe_bytes: self.stripe_bytes.iter().map(|sum| sum * share).collect(),
            // From 0, for a sum of nothing is -0.
            processor_cores_mean: cores.fold(0.0, |sum, s| sum + s.own_servers()),
            waits: waits.collect(),
            beside: self.beside.into_iter().map(|job| job.finish(level)).collect(),
            credits: self.credits.iter().map(|c| c.map(|c| c.summary(share))).collect(),
            stations,
            elapsed_seconds,
            bottleneck: None,
        }
    }
}

/// The mean over so many runs, to the nearest byte: that of equal numbers is that number.
pub(super) fn mean_bytes(sum: u128, runs: usize) -> u64 {
    let runs = (runs as u128).max(1);
    u64::try_from((sum + runs / 2) / runs).unwrap_or(u64::MAX)
}

fn blank(station: &StationOutcome) -> StationSummary {
    StationSummary {
        name: station.name.clone(),
        role: station.role,
        servers: station.servers,
        working: 0.0,
        starved: 0.0,
        blocked: 0.0,
        busy_seconds: 0.0,
        others_seconds: 0.0,
        completions: 0.0,
        bytes: 0.0,
    }
}
