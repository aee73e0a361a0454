//! Processor sharing: one capacity divided equally among the jobs that are there.
//!
//! A network link, a disk array behind many connections, a processor under a scheduler with short
//! slices. With n jobs present each progresses at
//!
//! ```text
//!   min(per_job, capacity / n)    units of work a second
//! ```
//!
//! where `per_job` is the most one job can use, e.g. what one connection carries.
//!
//! As all jobs progress alike, it is enough to keep one number v, the work a job would have got
//! had it been there from the beginning: a job that arrives at v with work w is done when v reaches
//! v + w, whatever comes and goes meanwhile (the virtual time of Parekh and Gallager, A generalized
//! processor sharing approach to flow control, 1993). The jobs lie in a heap by the v at which they
//! are done, so each arrival and completion costs O(log n) and none touches the others.
//!
//! Work is fractional; a completion is rounded up to a whole nanosecond, so no job ends early.
//! Unequal weights and rates that depend on n in another way are left out.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::mem;

use crate::station::{StationCounts, StationStatistics};
use crate::stats::Area;
use crate::time::{SimTime, Span};

#[cfg(test)]
mod reference;
#[cfg(test)]
mod tests;

/// When v exceeds an arriving job's work by this factor it is counted from zero again: otherwise
/// ever fewer of its 53 binary digits would be left for the job.
const REBASE_RATIO: f64 = (1u64 << 20) as f64;

/// One capacity shared equally by any number of jobs of a small type such as an index.
///
/// ```
/// use bakcast_sim::{SharedStation, SimTime};
///
/// // 100 units a second, at most 80 for one job.
/// let at = |seconds: f64| SimTime::from_nanos((seconds * 1e9) as u64);
/// let mut link = SharedStation::new(100.0, 80.0);
/// link.arrive(at(0.0), "Ada", 120.0);
/// link.arrive(at(1.0), "Bob", 100.0); // from here on 50 each; Ada has 40 to go
/// assert_eq!(link.next_completion(), Some(at(1.8)));
/// assert_eq!(link.complete(at(1.8)), "Ada");
/// assert_eq!(link.next_completion(), Some(at(2.55))); // Bob had 60 to go, at 80
/// ```
#[derive(Clone, Debug)]
pub struct SharedStation<J: Copy> {
    capacity: f64,
    per_job: f64,
    jobs: BinaryHeap<Entry<J>>,
    /// The work v that every job would have got by `changed`.
    progress: f64,
    changed: SimTime,
    arrivals: u64,
    present: Area,
    busy: Area,
    delivered: f64,
}

impl<J: Copy> SharedStation<J> {
    /// An idle station that does `capacity` units of work a second altogether and at most
    /// `per_job` for one job; infinity for the latter means that one job can use it all.
    ///
    /// # Panics
    ///
    /// If `capacity` is not positive and finite or `per_job` is not positive.
    pub fn new(capacity: f64, per_job: f64) -> Self {
        assert!(capacity > 0.0 && capacity.is_finite(), "a capacity cannot be {capacity}");
        assert!(per_job > 0.0, "the most for one job cannot be {per_job}");
        SharedStation {
            capacity,
            per_job,
            jobs: BinaryHeap::new(),
            progress: 0.0,
            changed: SimTime::ZERO,
            arrivals: 0,
            present: Area::default(),
            busy: Area::default(),
            delivered: 0.0,
        }
    }

    /// A job arrives that needs `work` units. [`SharedStation::next_completion`] may change.
    ///
    /// # Panics
    ///
    /// If `work` is negative or not finite, or `now` is before the last arrival or completion.
    pub fn arrive(&mut self, now: SimTime, job: J, work: f64) {
        assert!(work >= 0.0 && work.is_finite(), "the work of a job cannot be {work}");
        self.advance(now);
        if self.progress > REBASE_RATIO * work {
            self.rebase();
        }
        if self.jobs.is_empty() {
            self.busy.rise(now);
        }
        self.jobs.push(Entry { done: self.progress + work, sequence: self.arrivals, job });
        self.arrivals += 1;
        self.present.rise(now);
    }

    /// When the next job is done if nobody arrives before: for the calendar. Jobs that are done
    /// together are due one after the other at the same time, first come first.
    pub fn next_completion(&self) -> Option<SimTime> {
        let left = self.jobs.peek()?.done - self.progress;
        if left <= 0.0 {
            return Some(self.changed);
        }
        // The conversion saturates: a job that takes for ever is due at the end of time.
        let nanos = libm::ceil(left / self.rate() * 1e9) as u64;
        Some(SimTime::from_nanos(self.changed.as_nanos().saturating_add(nanos)))
    }

    /// Takes away the job that is done `now`, at the time [`SharedStation::next_completion`] told.
    ///
    /// # Panics
    ///
    /// If no job is there or none is done yet.
    pub fn complete(&mut self, now: SimTime) -> J {
        let due = self.next_completion();
        assert!(due.is_some_and(|due| due <= now), "no job is done at {now}; the next is {due:?}");
        self.advance(now);
        let entry = self.jobs.pop().expect("a job is due");
        self.present.fall(now);
        if self.jobs.is_empty() {
            self.busy.fall(now);
            self.progress = 0.0;
        }
        entry.job
    }

    /// Jobs that are there.
    pub fn present(&self) -> usize {
        self.jobs.len()
    }

    /// What each of the present jobs gets now, in units of work a second; `capacity` or `per_job`,
    /// whichever is less, if there is none.
    pub fn rate(&self) -> f64 {
        self.per_job.min(self.capacity / self.jobs.len().max(1) as f64)
    }

    /// Units of work done from the start of the run to `now`. Rounding completions up lets the
    /// last nanosecond of a job count in full.
    pub fn delivered(&self, now: SimTime) -> f64 {
        self.delivered + self.rate() * self.jobs.len() as f64 * now.since(self.changed).as_seconds()
    }

    /// What has been counted from the start of the run to `now`: as of one server that is busy
    /// while any job is there. All jobs are in service, so `busy` and `utilization` tell of that
    /// server, `waiting` of the time of jobs beside the first, and `mean_jobs` of all jobs. How
    /// much of the capacity was used, [`SharedStation::delivered`] tells.
    ///
    /// # Panics
    ///
    /// If `now` is before the last arrival or completion.
    pub fn statistics(&self, now: SimTime) -> StationStatistics {
        assert!(self.changed <= now, "{now} is before the last change at {}", self.changed);
        let present = self.jobs.len() as u64;
        let busy = self.busy.until(now, u64::from(present > 0));
        StationCounts {
            servers: 1,
            elapsed: now.since(SimTime::ZERO),
            arrivals: self.arrivals,
            completions: self.arrivals - present,
            busy,
            waiting: self.present.until(now, present) - busy,
        }
        .into()
    }

    /// Lets the present jobs progress up to `now`.
    fn advance(&mut self, now: SimTime) {
        let elapsed: Span = now.since(self.changed);
        self.changed = now;
        if elapsed == Span::ZERO || self.jobs.is_empty() {
            return;
        }
        let each = self.rate() * elapsed.as_seconds();
        self.progress += each;
        self.delivered += each * self.jobs.len() as f64;
    }

    /// Counts v from zero again. Subtracting keeps the order, up to ties, which the order of
    /// arrival decides; the heap's memory is used again.
    #[cold]
    fn rebase(&mut self) {
        let mut entries = mem::take(&mut self.jobs).into_vec();
        for entry in &mut entries {
            entry.done -= self.progress;
        }
        self.jobs = entries.into();
        self.progress = 0.0;
    }
}

/// A present job, ordered for a heap that yields the largest: done first, then arrived first.
#[derive(Clone, Copy, Debug)]
struct Entry<J> {
    done: f64,
    sequence: u64,
    job: J,
}

impl<J> Ord for Entry<J> {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_work = other.done.total_cmp(&self.done);
        by_work.then_with(|| other.sequence.cmp(&self.sequence))
    }
}

impl<J> PartialOrd for Entry<J> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<J> PartialEq for Entry<J> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<J> Eq for Entry<J> {}
