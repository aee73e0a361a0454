//! The search for a schedule: list scheduling, then small changes as long as they help.
//!
//! To begin with, the longest jobs go first, each to the lane that is free soonest, counted in time
//! alone, for many numbers of lanes. From the best of these on, jobs are moved from the lane that
//! ends last, swapped, or a server gets a lane more or less; what ends the night sooner is kept.
//! Every try is a simulation of a few nights. The random numbers have a seed, and tries are
//! counted, not timed: the same scenario gives the same schedule everywhere.

use bakcast_sim::{Stream, replicate};

use super::Estate;
use super::run::{Order, run};
use super::schedule::ScheduleLimits;

/// Nights that a try is run in.
const NIGHTS: usize = 4;
/// Fruitless tries in a row after which nothing more is hoped for.
const FRUITLESS: u32 = 100;

/// Jobs that follow one another.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Lanes {
    pub(super) lanes: Vec<Vec<usize>>,
}

/// What a search found.
pub(super) struct Found {
    pub(super) lanes: Lanes,
    pub(super) tried: u32,
    pub(super) is_exhausted: bool,
}

impl Lanes {
    /// When jobs begin then; those that are fixed stay where they are.
    pub(super) fn order(&self, estate: &Estate) -> Order {
        let mut order = estate.order();
        for lane in &self.lanes {
            for (at, job) in lane.iter().enumerate() {
                order.starts[*job] = 0;
                order.after[*job] = at.checked_sub(1).map(|at| lane[at]).into_iter().collect();
            }
        }
        order
    }
}

struct Search<'a> {
    estate: &'a Estate,
    limits: &'a ScheduleLimits,
    /// Seconds of each job alone.
    alone: Vec<f64>,
    /// Jobs whose start may be changed, the longest first, by server.
    jobs: Vec<Vec<usize>>,
    tried: u32,
    tries: u32,
}

pub(super) fn search(
    estate: &Estate,
    limits: &ScheduleLimits,
    tries: u32,
    stream: &mut Stream,
) -> Found {
    let alone: Vec<f64> = estate.works[0]
        .jobs
        .iter()
        .map(|legs| legs.iter().map(|leg| leg.alone() as f64 / 1e9).sum())
        .collect();
    let mut jobs = vec![Vec::new(); estate.night.servers.len()];
    for (index, job) in estate.night.jobs.iter().enumerate().filter(|(_, job)| !job.fixed) {
        jobs[job.server].push(index);
    }
    for own in &mut jobs {
        own.sort_by(|a, b| alone[*b].total_cmp(&alone[*a]).then(a.cmp(b)));
    }
    let mut search = Search { estate, limits, alone, jobs, tried: 0, tries };
    let (mut best, mut end) = search.first();
    let mut fruitless = 0;
    while search.tried < tries && fruitless < FRUITLESS {
        let Some(next) = search.changed(&best, stream) else { break };
        let next_end = search.end(&next);
        if next_end < end * (1.0 - 1e-9) {
            (best, end, fruitless) = (next, next_end, 0);
        } else {
            fruitless += 1;
        }
    }
    let is_exhausted = fruitless < FRUITLESS && search.tried >= tries;
    Found { lanes: best, tried: search.tried, is_exhausted }
}

impl Search<'_> {
    /// Mean end over a few nights.
    fn end(&mut self, lanes: &Lanes) -> f64 {
        self.tried += 1;
        let order = lanes.order(self.estate);
        let nights = self.estate.works.len().min(NIGHTS);
        let end = |r: u64| run(&self.estate.works[r as usize], &order, None).end() as f64 / 1e9;
        replicate(nights as u64, end).iter().sum::<f64>() / (nights as f64).max(1.0)
    }

    /// The best of the lists.
    fn first(&mut self) -> (Lanes, f64) {
        let mut candidates: Vec<Lanes> = Vec::new();
        let servers = self.jobs.iter().filter(|jobs| !jobs.is_empty()).count();
        let at_once = self.limits.at_once.map_or(usize::MAX, |most| most.max(1) as usize);
        if at_once < servers {
            for count in 1..=at_once {
                candidates.push(self.across(count));
            }
        } else {
            for each in [1, 2, 3, 4, 6, 8, 12, 16, 32] {
                candidates.push(self.per_server(|_| each));
            }
            // As many as the share of the server in all there is to do.
            let load = |jobs: &Vec<usize>| jobs.iter().map(|j| self.alone[*j]).sum::<f64>();
            let loads: Vec<f64> = self.jobs.iter().map(load).collect();
            let most = loads.iter().copied().fold(0.0, f64::max).max(1e-9);
            for each in [2_u32, 3, 4, 6, 8] {
                let lanes = |s: usize| ((loads[s] / most * f64::from(each)).ceil() as usize).max(1);
                candidates.push(self.per_server(lanes));
            }
        }
        candidates.dedup();
        candidates.retain(|lanes| self.fits(lanes));
        if candidates.is_empty() {
            candidates.push(self.across(1));
        }
        let mut best: Option<(Lanes, f64)> = None;
        for lanes in candidates {
            if best.is_some() && self.tried >= self.tries {
                break;
            }
            let end = self.end(&lanes);
            if best.as_ref().is_none_or(|(_, least)| end < *least) {
                best = Some((lanes, end));
            }
        }
        best.expect("there is a first candidate")
    }

    /// The longest first, each to the lane that is free soonest.
    fn dealt(&self, jobs: &[usize], count: usize) -> Vec<Vec<usize>> {
        let mut lanes = vec![(0.0_f64, Vec::new()); count.clamp(1, jobs.len().max(1))];
        for job in jobs {
            let soonest = (0..lanes.len()).min_by(|a, b| lanes[*a].0.total_cmp(&lanes[*b].0));
            if let Some((until, lane)) = soonest.map(|at| &mut lanes[at]) {
                *until += self.alone[*job];
                lane.push(*job);
            }
        }
        lanes.into_iter().map(|(_, lane)| lane).filter(|lane| !lane.is_empty()).collect()
    }

    /// So many lanes for each server, as far as it allows.
    fn per_server(&self, count: impl Fn(usize) -> usize) -> Lanes {
        let lanes = self.jobs.iter().enumerate().flat_map(|(server, jobs)| {
            let most = self.estate.night.servers[server].at_once.map_or(usize::MAX, |n| n as usize);
            self.dealt(jobs, count(server).min(most))
        });
        Lanes { lanes: lanes.collect() }
    }

    /// So many lanes for all servers together.
    fn across(&self, count: usize) -> Lanes {
        let mut jobs: Vec<usize> = self.jobs.iter().flatten().copied().collect();
        jobs.sort_by(|a, b| self.alone[*b].total_cmp(&self.alone[*a]).then(a.cmp(b)));
        Lanes { lanes: self.dealt(&jobs, count) }
    }

    /// Whether the limits are kept, whatever meets.
    fn fits(&self, lanes: &Lanes) -> bool {
        let night = &self.estate.night;
        let fixed: Vec<usize> =
            (0..night.jobs.len()).filter(|job| night.jobs[*job].fixed).collect();
        let at_once = lanes.lanes.len() + fixed.len();
        if self.limits.at_once.is_some_and(|most| at_once > most.max(1) as usize) {
            return false;
        }
        let Some(most) = self.limits.memory else { return true };
        let mut memory = vec![0_u64; night.servers.len()];
        let of = |job: &usize| night.jobs[*job].backup.buffers.memory().get();
        let lanes = lanes.lanes.iter().map(Vec::as_slice).chain(fixed.chunks(1));
        for lane in lanes {
            for (server, sum) in memory.iter_mut().enumerate() {
                let own = lane.iter().filter(|job| night.jobs[**job].server == server);
                *sum += own.map(of).max().unwrap_or(0);
            }
        }
        memory.iter().all(|sum| *sum <= most)
    }

    /// A small change that keeps to the limits; nothing if none was found.
    fn changed(&self, lanes: &Lanes, stream: &mut Stream) -> Option<Lanes> {
        (0..50).find_map(|_| self.one_change(lanes, stream).filter(|next| self.fits(next)))
    }

    fn one_change(&self, lanes: &Lanes, stream: &mut Stream) -> Option<Lanes> {
        let mut next = lanes.clone();
        let count = next.lanes.len();
        let last = self.last_lane(&next, stream)?;
        let server = |job: usize| self.estate.night.jobs[job].server;
        let crosses = self.limits.at_once.is_some_and(|most| (most as usize) < self.jobs.len());
        let like = |at: usize, next: &Lanes| {
            crosses
                || next.lanes[at].first().map(|j| server(*j))
                    == next.lanes[last].first().map(|j| server(*j))
        };
        let from = stream.below(next.lanes[last].len());
        match stream.below(4) {
            // To another lane.
            0 => {
                let other = stream.below(count);
                if other == last || !like(other, &next) {
                    return None;
                }
                let job = next.lanes[last].remove(from);
                let at = stream.below(next.lanes[other].len() + 1);
                next.lanes[other].insert(at, job);
            }
            // With one of another lane.
            1 => {
                let other = stream.below(count);
                if other == last || !like(other, &next) || next.lanes[other].is_empty() {
                    return None;
                }
                let at = stream.below(next.lanes[other].len());
                let job = next.lanes[last][from];
                next.lanes[last][from] = std::mem::replace(&mut next.lanes[other][at], job);
            }
            // Within its lane.
            2 => {
                let job = next.lanes[last].remove(from);
                let at = stream.below(next.lanes[last].len() + 1);
                next.lanes[last].insert(at, job);
            }
            // A lane more for its server.
            _ => {
                let own = server(next.lanes[last][0]);
                let lanes_of = next.lanes.iter().filter(|l| server(l[0]) == own).count();
                let most = self.estate.night.servers[own].at_once;
                let is_full = most.is_some_and(|most| lanes_of >= most as usize);
                if crosses || is_full || next.lanes[last].len() < 2 {
                    return None;
                }
                next.lanes.retain(|lane| server(lane[0]) != own);
                next.lanes.extend(self.dealt(&self.jobs[own], lanes_of + 1));
            }
        }
        next.lanes.retain(|lane| !lane.is_empty());
        (next != *lanes).then_some(next)
    }

    /// One of the lanes with the most to do, mostly the first of them.
    fn last_lane(&self, lanes: &Lanes, stream: &mut Stream) -> Option<usize> {
        let load = |lane: &Vec<usize>| lane.iter().map(|job| self.alone[*job]).sum::<f64>();
        let loads: Vec<f64> = lanes.lanes.iter().map(load).collect();
        let mut by_load: Vec<usize> = (0..loads.len()).collect();
        by_load.sort_by(|a, b| loads[*b].total_cmp(&loads[*a]));
        let among = by_load.len().min(1 + stream.below(4));
        by_load.get(stream.below(among.max(1))).copied()
    }
}
