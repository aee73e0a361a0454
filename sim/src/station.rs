//! A station: identical servers in front of one queue, first come first served.
//!
//! The station decides who is served and counts; how long a service takes is the caller's affair,
//! who schedules its end in the calendar and calls [`Station::depart`] when it comes. Every change
//! of the numbers waiting and in service enters an exact integer area, so the operational laws
//! (Denning and Buzen, The operational analysis of queueing network models, 1978) hold to the
//! nanosecond: utilization = busy time / (servers × elapsed), mean number = sum of stays / elapsed.

// `arrive` and `depart` are always inlined: the stations of a model behave differently, and with
// copies of its own for each the processor guesses its branches better (measured on the reference
// network: 15.4 against 13.5 million completions a second).

use std::mem;

use crate::free_set::FreeSet;
use crate::ring::Ring;
use crate::stats::Area;
use crate::time::{SimTime, Span};

/// Identical servers with one FIFO queue, for jobs of a small type such as an index.
///
/// ```
/// use bakcast_sim::{SimTime, Station};
///
/// let at = SimTime::from_nanos;
/// let mut till = Station::new(1);
/// assert_eq!(till.arrive(at(0), "Ada"), Some(0)); // server 0 takes her at once
/// assert_eq!(till.arrive(at(1), "Bob"), None); // he waits
/// assert_eq!(till.depart(at(5), 0), ("Ada", Some("Bob")));
/// assert_eq!(till.depart(at(9), 0), ("Bob", None));
/// assert_eq!(till.statistics(at(10)).utilization, 0.9);
/// ```
#[derive(Clone, Debug)]
pub struct Station<J: Copy> {
    free: FreeSet,
    serving: Box<[Option<J>]>,
    queue: Ring<J>,
    arrivals: u64,
    busy: Area,
    waiting: Area,
    changed: SimTime,
}

impl<J: Copy> Station<J> {
    /// An empty station of `servers` servers.
    ///
    /// # Panics
    ///
    /// If there are no servers: nobody would ever leave.
    pub fn new(servers: usize) -> Self {
        assert!(servers > 0, "a station needs a server");
        Station {
            free: FreeSet::all(servers),
            serving: vec![None; servers].into_boxed_slice(),
            queue: Ring::new(),
            arrivals: 0,
            busy: Area::default(),
            waiting: Area::default(),
            changed: SimTime::ZERO,
        }
    }

    /// A job arrives. Returns the server that takes it at once, the lowest free one, or `None` if
    /// the job waits. Calls on one station must come in order of time.
    #[inline(always)]
    pub fn arrive(&mut self, now: SimTime, job: J) -> Option<usize> {
        self.pass_time(now);
        // A check would cost more than the count, which no run brings near 2^64.
        self.arrivals = self.arrivals.wrapping_add(1);
        let server = self.free.take_lowest();
        match server {
            Some(server) => {
                self.serving[server] = Some(job);
                self.busy.rise(now);
            }
            None => {
                self.queue.push(job);
                self.waiting.rise(now);
            }
        }
        server
    }

    /// A server finishes. Returns the finished job and the job this server takes next, if one
    /// waits.
    ///
    /// # Panics
    ///
    /// If this server is idle or does not exist.
    #[inline(always)]
    pub fn depart(&mut self, now: SimTime, server: usize) -> (J, Option<J>) {
        self.pass_time(now);
        let next = self.queue.pop();
        let done = mem::replace(&mut self.serving[server], next);
        let done = done.expect("an idle server cannot finish a job");
        match next {
            Some(_) => self.waiting.fall(now),
            None => {
                self.free.put_back(server);
                self.busy.fall(now);
            }
        }
        (done, next)
    }

    /// Jobs waiting, those in service not counted.
    #[inline]
    pub fn queue_len(&self) -> usize {
        self.queue.len()
    }

    /// Servers at work.
    #[inline]
    pub fn busy_servers(&self) -> usize {
        self.free.taken()
    }

    /// Servers altogether.
    #[inline]
    pub fn servers(&self) -> usize {
        self.free.places()
    }

    /// The job `server` is working on, if any.
    ///
    /// # Panics
    ///
    /// If there is no such server.
    #[inline]
    pub fn job(&self, server: usize) -> Option<J> {
        self.serving[server]
    }

    /// What has been counted from the start of the run to `now`.
    ///
    /// # Panics
    ///
    /// If `now` is before the last arrival or departure.
    pub fn statistics(&self, now: SimTime) -> StationStatistics {
        assert!(self.changed <= now, "{now} is before the last change at {}", self.changed);
        let (busy, waiting) = (self.busy_servers() as u64, self.queue_len() as u64);
        StationCounts {
            servers: self.servers(),
            elapsed: now.since(SimTime::ZERO),
            arrivals: self.arrivals,
            completions: self.arrivals - waiting - busy,
            busy: self.busy.until(now, busy),
            waiting: self.waiting.until(now, waiting),
        }
        .into()
    }

    #[inline]
    fn pass_time(&mut self, now: SimTime) {
        debug_assert!(self.changed <= now, "{now} is before the last change at {}", self.changed);
        self.changed = now;
    }
}

/// What a station counted over some stretch of time.
///
/// Counts and areas are exact; the means are computed from them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StationStatistics {
    /// Servers of the station; 0 for a [`Delay`](crate::Delay), which has no such number.
    pub servers: usize,
    /// The stretch of time.
    pub elapsed: Span,
    /// Jobs that arrived.
    pub arrivals: u64,
    /// Jobs that left.
    pub completions: u64,
    /// Server time spent at work, in server-nanoseconds.
    pub busy: u128,
    /// Time jobs spent waiting before service, in job-nanoseconds.
    pub waiting: u128,
    /// `busy / (servers × elapsed)`, from 0 to 1; 0 if no time has passed or there is no number
    /// of servers.
    pub utilization: f64,
    /// Time average of jobs waiting.
    pub mean_queue: f64,
    /// Time average of jobs waiting or in service.
    pub mean_jobs: f64,
    /// Mean stay in seconds by Little's law, `(waiting + busy) / completions`: exact if the
    /// station was empty at both ends of the stretch, otherwise jobs that are still there count
    /// with the time they have spent. `None` before the first completion.
    pub mean_response: Option<f64>,
}

impl StationStatistics {
    /// The stretch from `earlier`, a statistic of the same station, to this one: what a
    /// steady-state estimate uses to leave out a warm-up.
    ///
    /// # Panics
    ///
    /// If `earlier` is later.
    pub fn since(&self, earlier: &StationStatistics) -> StationStatistics {
        StationCounts {
            servers: self.servers,
            elapsed: self.elapsed - earlier.elapsed,
            arrivals: self.arrivals - earlier.arrivals,
            completions: self.completions - earlier.completions,
            busy: self.busy - earlier.busy,
            waiting: self.waiting - earlier.waiting,
        }
        .into()
    }

    /// Completions per second; 0 if no time has passed.
    pub fn throughput(&self) -> f64 {
        self.completions as f64 * per_nanosecond(self.elapsed) * 1e9
    }
}

/// The exact part of [`StationStatistics`].
pub(crate) struct StationCounts {
    pub(crate) servers: usize,
    pub(crate) elapsed: Span,
    pub(crate) arrivals: u64,
    pub(crate) completions: u64,
    pub(crate) busy: u128,
    pub(crate) waiting: u128,
}

impl From<StationCounts> for StationStatistics {
    fn from(counts: StationCounts) -> Self {
        let StationCounts { servers, elapsed, arrivals, completions, busy, waiting } = counts;
        let present = (busy + waiting) as f64;
        let rate = per_nanosecond(elapsed);
        StationStatistics {
            servers,
            elapsed,
            arrivals,
            completions,
            busy,
            waiting,
            utilization: if servers == 0 { 0.0 } else { busy as f64 * rate / servers as f64 },
            mean_queue: waiting as f64 * rate,
            mean_jobs: present * rate,
            mean_response: (completions > 0).then(|| present / completions as f64 / 1e9),
        }
    }
}

/// 1 / `elapsed` in 1/ns, or 0 if no time has passed, which makes every average 0 as well.
fn per_nanosecond(elapsed: Span) -> f64 {
    if elapsed == Span::ZERO { 0.0 } else { 1.0 / elapsed.as_nanos() as f64 }
}

#[cfg(test)]
mod tests;
