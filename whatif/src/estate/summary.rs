//! What the nights come to: when the last job ends, what each waited for and for whom, and what
//! would let the night end sooner.
//!
//! Times are over all nights. Who waited for whom, and what was full, is told of the night whose
//! end is the median one.

use std::collections::BTreeMap;

use bakcast_scenarios::predict::Range;

use super::Estate;
use super::run::{Order, Record, Times, Work, run};

/// A night of many jobs, over all runs.
#[derive(Debug, Clone, PartialEq)]
pub struct NightPrediction {
    /// From the beginning of the night to the end of its last job.
    pub seconds: Range,
    /// The end of each night, in order of replication.
    pub end_seconds: Vec<f64>,
    /// The jobs, in the order of their names.
    pub jobs: Vec<JobPrediction>,
    /// Shared stations that are in use, the one with the most seconds lost at it first.
    pub stations: Vec<NightStation>,
    /// What keeps the night from ending sooner.
    pub limit: NightLimit,
    /// When the night would end without that.
    pub end_without_seconds: f64,
    /// The most jobs at once.
    pub at_once: usize,
    /// The most memory that buffers take at once, on all servers together.
    pub memory_bytes: u64,
    /// The server whose buffers take most at once, and how much.
    pub largest_memory: (String, u64),
    /// The server with the most processors busy at once, how many, and of how many.
    pub busiest_processors: Option<(String, f64, u32)>,
    /// Bytes that all jobs read.
    pub read_bytes: u64,
}

/// One job of it.
#[derive(Debug, Clone, PartialEq)]
pub struct JobPrediction {
    /// As the scenario calls it.
    pub name: String,
    /// Its server; empty: none is named.
    pub server: String,
    /// Its database.
    pub database: String,
    /// Bytes it reads.
    pub read_bytes: u64,
    /// When it begins.
    pub begin: Range,
    /// When it ends.
    pub finish: Range,
    /// Seconds from its begin to its end, median.
    pub seconds: f64,
    /// The same if it were alone, median.
    pub alone_seconds: f64,
    /// How many times longer than alone, median.
    pub stretch: f64,
    /// Seconds it waited for its turn on its server, median.
    pub queued_seconds: f64,
    /// The station it lost most seconds at, and how many.
    pub waited_at: Option<(String, f64)>,
    /// The job it lost most seconds for, and how many.
    pub waited_for: Option<(String, f64)>,
    /// Memory of its buffers.
    pub memory_bytes: u64,
}

/// One station.
#[derive(Debug, Clone, PartialEq)]
pub struct NightStation {
    /// As the scenario calls it.
    pub name: String,
    /// Share of the night at work, mean over nights.
    pub utilization: f64,
    /// Share of the night in which it could give no more.
    pub full: f64,
    /// Seconds that all jobs together lost at it.
    pub lost_seconds: f64,
    /// Jobs that use it.
    pub jobs: usize,
}

/// What keeps a night from ending sooner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NightLimit {
    /// A station that jobs share.
    Station(String),
    /// Jobs that come one after the other: those before this one, the last to end.
    Order(String),
    /// One job, which takes so long alone.
    Job(String),
}

/// What ends a night sooner by so much counts.
const COUNTS: f64 = 1.02;
/// Stations that are looked at.
const LOOKED_AT: usize = 6;

fn seconds(nanos: u64) -> f64 {
    nanos as f64 / 1e9
}

pub(super) fn summary(estate: &Estate, order: &Order) -> NightPrediction {
    let nights = estate.times(order);
    let ends: Vec<f64> = nights.iter().map(|times| seconds(times.end())).collect();
    let median = median_night(&ends);
    let mut record = Record::default();
    let times = run(&estate.works[median], order, Some(&mut record));
    let end = seconds(times.end());
    let stations = stations(estate, &nights, &record, end);
    let (limit, end_without_seconds) = limit(estate, order, median, &times, &stations);
    let named = |server: usize| estate.night.servers[server].name.clone();
    let largest = record.server_memory.iter().enumerate().rev().max_by_key(|(_, bytes)| **bytes);
    NightPrediction {
        seconds: Range::of(&ends, estate.level),
        jobs: jobs(estate, &nights, &record),
        stations,
        limit,
        end_without_seconds,
        at_once: record.at_once,
        memory_bytes: record.memory,
        largest_memory: largest
            .map_or((String::new(), 0), |(server, bytes)| (named(server), *bytes)),
        busiest_processors: busiest_processors(estate, &record),
        read_bytes: estate.night.jobs.iter().map(|j| j.backup.database_bytes().get()).sum(),
        end_seconds: ends,
    }
}

/// The night with the end in the middle.
fn median_night(ends: &[f64]) -> usize {
    let mut by_end: Vec<usize> = (0..ends.len()).collect();
    by_end.sort_by(|a, b| ends[*a].total_cmp(&ends[*b]));
    by_end.get(ends.len().saturating_sub(1) / 2).copied().unwrap_or(0)
}

fn busiest_processors(estate: &Estate, record: &Record) -> Option<(String, f64, u32)> {
    let devices = estate.stations.len() - estate.night.servers.len();
    let servers = estate.night.servers.iter().enumerate();
    let busy = servers.map(|(index, server)| {
        let peak = record.peak.get(devices + index).copied().unwrap_or(0.0);
        (server.name.clone(), peak, server.processor.count)
    });
    busy.filter(|(_, peak, _)| *peak > 0.0).max_by(|a, b| a.1.total_cmp(&b.1))
}

fn stations(estate: &Estate, nights: &[Times], record: &Record, end: f64) -> Vec<NightStation> {
    let count = estate.stations.len();
    let mut users = vec![0; count];
    for legs in &estate.works[0].jobs {
        let mut own: Vec<usize> =
            legs.iter().flat_map(|leg| leg.flow.uses.iter().map(|u| u.station)).collect();
        own.sort_unstable();
        own.dedup();
        own.into_iter().for_each(|station| users[station] += 1);
    }
    let mut lost = vec![0.0; count];
    for (station, seconds) in record.lost.iter().flatten() {
        lost[*station] += seconds;
    }
    let utilization = |station: usize| {
        let share = |(times, work): (&Times, &Work)| {
            let all = seconds(times.end()) * work.capacities[station];
            if all > 0.0 { times.busy[station] / all } else { 0.0 }
        };
        nights.iter().zip(&estate.works).map(share).sum::<f64>() / (nights.len() as f64).max(1.0)
    };
    let used = (0..count).filter(|station| users[*station] > 0);
    let mut stations: Vec<NightStation> = used
        .map(|station| NightStation {
            name: estate.stations[station].clone(),
            utilization: utilization(station),
            full: if end > 0.0 { (record.full[station] / end).min(1.0) } else { 0.0 },
            lost_seconds: lost[station],
            jobs: users[station],
        })
        .collect();
    stations.sort_by(|a, b| {
        b.lost_seconds.total_cmp(&a.lost_seconds).then(b.utilization.total_cmp(&a.utilization))
    });
    stations
}

/// What would end the night soonest if it were no limit, and when it would end then.
fn limit(
    estate: &Estate,
    order: &Order,
    night: usize,
    times: &Times,
    stations: &[NightStation],
) -> (NightLimit, f64) {
    let work = &estate.works[night];
    let end = seconds(times.end());
    let candidates = stations.iter().filter(|s| s.lost_seconds > 0.0).take(LOOKED_AT);
    let best = candidates
        .map(|station| {
            let mut freed = work.clone();
            let at = estate.stations.iter().position(|name| *name == station.name);
            if let Some(at) = at {
                freed.capacities[at] = f64::MAX / 1e100;
            }
            (station.name.clone(), seconds(run(&freed, order, None).end()))
        })
        .min_by(|a, b| a.1.total_cmp(&b.1));
    let last = (0..times.finish.len()).rev().max_by_key(|job| times.finish[*job]).unwrap_or(0);
    let name = |job: usize| estate.night.jobs.get(job).map_or(String::new(), |j| j.name.clone());
    // As if no job waited for another.
    let mut free = order.clone();
    free.after.iter_mut().for_each(Vec::clear);
    free.at_once.fill(None);
    let unordered = seconds(run(work, &free, None).end());
    let counts = |sooner: f64| end > sooner * COUNTS;
    match best {
        Some((station, sooner)) if counts(sooner) && sooner <= unordered => {
            (NightLimit::Station(station), sooner)
        }
        _ if counts(unordered) => (NightLimit::Order(name(last)), unordered),
        Some((station, sooner)) if counts(sooner) => (NightLimit::Station(station), sooner),
        _ => (NightLimit::Job(name(last)), end),
    }
}

fn jobs(estate: &Estate, nights: &[Times], record: &Record) -> Vec<JobPrediction> {
    let most = |seconds: &BTreeMap<usize, f64>| {
        let most = seconds.iter().rev().max_by(|a, b| a.1.total_cmp(b.1));
        most.map(|(index, seconds)| (*index, *seconds))
    };
    let of = |index: usize| {
        let job = &estate.night.jobs[index];
        let each = |value: &dyn Fn(&Times) -> f64| {
            let values: Vec<f64> = nights.iter().map(value).collect();
            Range::of(&values, estate.level)
        };
        let alone: Vec<f64> = estate
            .works
            .iter()
            .map(|work| seconds(work.jobs[index].iter().map(super::run::Leg::alone).sum()))
            .collect();
        let lasted = |times: &Times| seconds(times.finish[index] - times.begin[index]);
        let stretch: Vec<f64> = nights
            .iter()
            .zip(&alone)
            .map(|(times, alone)| lasted(times) / alone.max(1e-9))
            .collect();
        JobPrediction {
            name: job.name.clone(),
            server: estate.night.servers[job.server].name.clone(),
            database: job.database.clone(),
            read_bytes: job.backup.database_bytes().get(),
            begin: each(&|times| seconds(times.begin[index])),
            finish: each(&|times| seconds(times.finish[index])),
            seconds: each(&lasted).median,
            alone_seconds: Range::of(&alone, estate.level).median,
            stretch: Range::of(&stretch, estate.level).median,
            queued_seconds: each(&|t| seconds(t.begin[index] - t.ready[index])).median,
            waited_at: most(&record.lost[index])
                .map(|(station, lost)| (estate.stations[station].clone(), lost)),
            waited_for: most(&record.blame[index])
                .map(|(other, lost)| (estate.night.jobs[other].name.clone(), lost)),
            memory_bytes: job.backup.buffers.memory().get(),
        }
    };
    (0..estate.night.jobs.len()).map(of).collect()
}
