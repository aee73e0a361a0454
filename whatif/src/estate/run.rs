//! A night from its first job to its last: fluid between events, in whole nanoseconds.
//!
//! Events are begins and ends of jobs and of their parts. Between them every rate stays as it is,
//! so the next end is known; at each, the rates are found anew ([`super::fluid`]). A job waits for
//! its start, for the jobs before it and for its turn on its server; then come a fixed time, its
//! bytes, a fixed time, and the same for its verification.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use super::fluid::{Flow, Rates, rates};

/// A backup or a verification, as one night has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Leg {
    /// Nanoseconds before its first byte.
    pub start: u64,
    /// Bytes it moves.
    pub bytes: f64,
    /// At which rate, and what it takes of the stations.
    pub flow: Flow,
    /// Nanoseconds after its last byte.
    pub finish: u64,
    /// Bytes of buffers it holds.
    pub memory: u64,
}

impl Leg {
    /// Nanoseconds it takes alone.
    #[must_use]
    pub fn alone(&self) -> u64 {
        self.start + nanos(self.bytes / self.flow.alone) + self.finish
    }
}

/// What there is to do in one night, in whatever order.
#[derive(Debug, Clone, PartialEq)]
pub struct Work {
    /// The parts of each job, one after the other.
    pub jobs: Vec<Vec<Leg>>,
    /// Seconds a second that each station gives.
    pub capacities: Vec<f64>,
}

/// When jobs may begin.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Order {
    /// Nanoseconds from the beginning of the night before which a job does not begin.
    pub starts: Vec<u64>,
    /// The jobs that must have ended before.
    pub after: Vec<Vec<usize>>,
    /// The server of each job.
    pub server: Vec<usize>,
    /// The most jobs of each server at once.
    pub at_once: Vec<Option<u32>>,
}

/// When what happened, in nanoseconds from the beginning of the night.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Times {
    /// When each job could have begun but for its turn.
    pub ready: Vec<u64>,
    /// When each job began.
    pub begin: Vec<u64>,
    /// When each job ended.
    pub finish: Vec<u64>,
    /// Seconds that each station was at work.
    pub busy: Vec<f64>,
}

impl Times {
    /// When the last job ended.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.finish.iter().copied().max().unwrap_or(0)
    }
}

/// What is noted of one night beside its times.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Record {
    /// Seconds each job lost at each station.
    pub lost: Vec<BTreeMap<usize, f64>>,
    /// Seconds each job lost for each other.
    pub blame: Vec<BTreeMap<usize, f64>>,
    /// Seconds in which each station was full.
    pub full: Vec<f64>,
    /// The most of each station in use at once, in seconds a second.
    pub peak: Vec<f64>,
    /// The most memory of buffers at once, of all servers.
    pub memory: u64,
    /// The most memory of buffers at once, on each server.
    pub server_memory: Vec<u64>,
    /// The most jobs at once.
    pub at_once: usize,
}

/// Seconds as nanoseconds.
#[must_use]
pub fn nanos(seconds: f64) -> u64 {
    (seconds * 1e9).round().clamp(0.0, 9e18) as u64
}

/// Runs the night.
///
/// # Panics
///
/// If jobs wait for one another in a circle.
#[must_use]
pub fn run(work: &Work, order: &Order, record: Option<&mut Record>) -> Times {
    let mut night = Night::new(work, order, record);
    night.begin();
    while night.step() {}
    let waiting = night.times.finish.iter().zip(&night.is_done).any(|(_, done)| !done);
    assert!(!waiting, "jobs wait for one another in a circle");
    night.times
}

/// What a job is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Nothing yet, or all done.
    Idle,
    /// Before the bytes of a part.
    Starting(usize),
    /// Its bytes.
    Moving(usize),
    /// After them.
    Finishing(usize),
}

struct Night<'a> {
    work: &'a Work,
    order: &'a Order,
    record: Option<&'a mut Record>,
    now: u64,
    stage: Vec<Stage>,
    is_done: Vec<bool>,
    /// Jobs before each that have not ended.
    before: Vec<usize>,
    later: Vec<Vec<usize>>,
    /// Whether the time of each has come.
    is_time: Vec<bool>,
    /// Ready jobs of each server that wait for their turn, by start and then by number.
    queue: Vec<BTreeSet<(u64, usize)>>,
    running: Vec<u32>,
    /// Ends of what takes a known time.
    alarms: BinaryHeap<Reverse<(u64, usize)>>,
    /// Jobs whose bytes move, in order of their number.
    moving: Vec<usize>,
    left: Vec<f64>,
    /// When each that moves will have moved all, at the rates it has.
    ends: Vec<u64>,
    found: Rates,
    times: Times,
}

impl<'a> Night<'a> {
    fn new(work: &'a Work, order: &'a Order, mut record: Option<&'a mut Record>) -> Self {
        let count = work.jobs.len();
        let (servers, stations) = (order.at_once.len(), work.capacities.len());
        let mut later = vec![Vec::new(); count];
        for (job, before) in order.after.iter().enumerate() {
            before.iter().for_each(|other| later[*other].push(job));
        }
        if let Some(record) = record.as_deref_mut() {
            *record = Record {
                lost: vec![BTreeMap::new(); count],
                blame: vec![BTreeMap::new(); count],
                full: vec![0.0; stations],
                peak: vec![0.0; stations],
                server_memory: vec![0; servers],
                ..Record::default()
            };
        }
        Night {
            work,
            order,
            record,
            now: 0,
            stage: vec![Stage::Idle; count],
            is_done: vec![false; count],
            before: order.after.iter().map(Vec::len).collect(),
            later,
            is_time: vec![false; count],
            queue: vec![BTreeSet::new(); servers],
            running: vec![0; servers],
            alarms: order.starts.iter().enumerate().map(|(i, at)| Reverse((*at, i))).collect(),
            moving: Vec::new(),
            left: vec![0.0; count],
            ends: vec![u64::MAX; count],
            found: Rates::default(),
            times: Times {
                ready: vec![0; count],
                begin: vec![0; count],
                finish: vec![0; count],
                busy: vec![0.0; stations],
            },
        }
    }

    fn begin(&mut self) {
        self.alarms_of_now();
        self.share();
    }

    /// On to the next event; nothing if there is none.
    fn step(&mut self) -> bool {
        let moved = self.moving.iter().map(|job| self.ends[*job]).min();
        let alarm = self.alarms.peek().map(|Reverse((at, _))| *at);
        let Some(next) = [moved, alarm].into_iter().flatten().min() else { return false };
        self.pass(next);
        let ended: Vec<usize> =
            self.moving.iter().copied().filter(|job| self.ends[*job] <= next).collect();
        self.moving.retain(|job| self.ends[*job] > next);
        let mut changed = !ended.is_empty();
        for job in ended {
            self.ends[job] = u64::MAX;
            if let Stage::Moving(leg) = self.stage[job] {
                self.stage[job] = Stage::Finishing(leg);
                let finish = self.work.jobs[job][leg].finish;
                self.alarms.push(Reverse((next + finish, job)));
            }
        }
        changed |= self.alarms_of_now();
        if changed {
            self.share();
        }
        true
    }

    /// Lets time pass at the rates there are.
    fn pass(&mut self, until: u64) {
        let seconds = (until - self.now) as f64 / 1e9;
        if seconds > 0.0 {
            for (job, rate) in self.moving.iter().zip(&self.found.rates) {
                self.left[*job] = (self.left[*job] - rate * seconds).max(0.0);
            }
            for ((job, rate), factors) in
                self.moving.iter().zip(&self.found.rates).zip(&self.found.factors)
            {
                let flow = self.flow(*job);
                for (u, factor) in flow.uses.iter().zip(factors) {
                    self.times.busy[u.station] += rate * u.demand * factor * seconds;
                }
            }
            if self.record.is_some() {
                self.note(seconds);
            }
        }
        self.now = until;
    }

    fn flow(&self, job: usize) -> &'a Flow {
        let leg = match self.stage[job] {
            Stage::Moving(leg) | Stage::Starting(leg) | Stage::Finishing(leg) => leg,
            Stage::Idle => 0,
        };
        let work: &'a Work = self.work;
        &work.jobs[job][leg].flow
    }

    /// Everything whose time has come; whether the rates change by it.
    fn alarms_of_now(&mut self) -> bool {
        let mut changed = false;
        while let Some(Reverse((at, job))) = self.alarms.peek().copied() {
            if at > self.now {
                break;
            }
            self.alarms.pop();
            match self.stage[job] {
                Stage::Idle => {
                    self.is_time[job] = true;
                    self.ready(job);
                }
                Stage::Starting(leg) => {
                    self.stage[job] = Stage::Moving(leg);
                    self.left[job] = self.work.jobs[job][leg].bytes;
                    let at = self.moving.partition_point(|other| *other < job);
                    self.moving.insert(at, job);
                    changed = true;
                }
                Stage::Finishing(leg) if leg + 1 < self.work.jobs[job].len() => {
                    self.start(job, leg + 1);
                }
                Stage::Finishing(_) => self.end(job),
                Stage::Moving(_) => unreachable!("bytes that move have no alarm"),
            }
        }
        changed
    }

    /// If nothing but its turn is missing, a job queues for it.
    fn ready(&mut self, job: usize) {
        if self.before[job] > 0 || !self.is_time[job] {
            return;
        }
        self.times.ready[job] = self.now;
        let server = self.order.server[job];
        self.queue[server].insert((self.order.starts[job], job));
        self.admit(server);
    }

    fn admit(&mut self, server: usize) {
        let most = self.order.at_once[server].unwrap_or(u32::MAX);
        while self.running[server] < most {
            let Some((_, job)) = self.queue[server].pop_first() else { return };
            self.running[server] += 1;
            self.times.begin[job] = self.now;
            self.start(job, 0);
        }
    }

    fn start(&mut self, job: usize, leg: usize) {
        let Some(part) = self.work.jobs[job].get(leg) else { return self.end(job) };
        self.stage[job] = Stage::Starting(leg);
        self.alarms.push(Reverse((self.now + part.start, job)));
        self.note_memory();
    }

    fn end(&mut self, job: usize) {
        self.stage[job] = Stage::Idle;
        self.is_done[job] = true;
        self.times.finish[job] = self.now;
        let server = self.order.server[job];
        self.running[server] -= 1;
        for other in std::mem::take(&mut self.later[job]) {
            self.before[other] -= 1;
            self.ready(other);
        }
        self.admit(server);
    }

    /// The rates from now on, and the ends that follow from them.
    fn share(&mut self) {
        let flows: Vec<&Flow> = self.moving.iter().map(|job| self.flow(*job)).collect();
        self.found = rates(&flows, &self.work.capacities);
        for (job, rate) in self.moving.iter().zip(&self.found.rates) {
            let left = self.left[*job];
            let seconds = if left <= 0.0 || *rate > 0.0 { left / rate.max(1e-9) } else { 1e9 };
            // Never at once, so that time goes on.
            self.ends[*job] = self.now + nanos(seconds).max(u64::from(left > 0.0));
        }
    }

    fn note_memory(&mut self) {
        let Some(record) = self.record.as_deref_mut() else { return };
        let mut on = vec![0; self.running.len()];
        let mut count = 0;
        for (job, stage) in self.stage.iter().enumerate() {
            let (Stage::Starting(leg) | Stage::Moving(leg) | Stage::Finishing(leg)) = stage else {
                continue;
            };
            on[self.order.server[job]] += self.work.jobs[job][*leg].memory;
            count += 1;
        }
        record.memory = record.memory.max(on.iter().sum());
        record.at_once = record.at_once.max(count);
        for (most, now) in record.server_memory.iter_mut().zip(on) {
            *most = (*most).max(now);
        }
    }

    /// Who lost what to whom in the time that passed.
    fn note(&mut self, seconds: f64) {
        let capacities = &self.work.capacities;
        let mut used = vec![0.0; capacities.len()];
        let mut users: Vec<Vec<(usize, f64)>> = vec![Vec::new(); capacities.len()];
        for (at, job) in self.moving.iter().enumerate() {
            for (u, factor) in self.flow(*job).uses.iter().zip(&self.found.factors[at]) {
                let taken = self.found.rates[at] * u.demand * factor;
                used[u.station] += taken;
                users[u.station].push((*job, taken));
            }
        }
        let lost: Vec<(usize, f64, Option<usize>)> = self
            .moving
            .iter()
            .zip(&self.found.rates)
            .map(|(job, rate)| {
                let flow = self.flow(*job);
                let lost = seconds * (1.0 - rate / flow.alone).max(0.0);
                let fill = |u: &&super::fluid::Use| used[u.station] / capacities[u.station];
                let on = flow.uses.iter().filter(|u| u.demand > 0.0);
                let on = on.max_by(|a, b| fill(a).total_cmp(&fill(b)));
                (*job, lost, on.map(|u| u.station))
            })
            .collect();
        let Some(record) = self.record.as_deref_mut() else { return };
        for (station, used) in used.iter().enumerate() {
            record.peak[station] = record.peak[station].max(*used);
            if *used >= capacities[station] * (1.0 - 1e-6) {
                record.full[station] += seconds;
            }
        }
        for (job, lost, station) in lost {
            let Some(station) = station.filter(|_| lost > 1e-9 * seconds) else { continue };
            *record.lost[job].entry(station).or_default() += lost;
            let others = || users[station].iter().filter(|(other, _)| *other != job);
            let sum: f64 = others().map(|(_, taken)| taken).sum();
            for (other, taken) in others().filter(|_| sum > 0.0) {
                *record.blame[job].entry(*other).or_default() += lost * taken / sum;
            }
        }
    }
}
