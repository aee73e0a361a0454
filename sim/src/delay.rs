//! A pure delay: as many servers as there are jobs, so nobody waits.
//!
//! Think times, propagation, fixed latencies. The caller gives every job a calendar slot of its
//! own; the delay only counts.

use crate::station::{StationCounts, StationStatistics};
use crate::stats::Area;
use crate::time::SimTime;

/// Counts jobs that stay for a while without competing for anything.
///
/// ```
/// use bakcast_sim::{Delay, SimTime};
///
/// let at = SimTime::from_nanos;
/// let mut pause = Delay::new();
/// pause.arrive(at(0));
/// pause.arrive(at(5));
/// pause.depart(at(10));
/// assert_eq!(pause.statistics(at(20)).busy, 10 + 15);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Delay {
    present: u64,
    arrivals: u64,
    busy: Area,
    changed: SimTime,
}

impl Delay {
    /// An empty delay.
    pub fn new() -> Self {
        Delay::default()
    }

    /// A job arrives. Calls on one delay must come in order of time.
    #[inline]
    pub fn arrive(&mut self, now: SimTime) {
        self.pass_time(now);
        self.present += 1;
        self.arrivals += 1;
        self.busy.rise(now);
    }

    /// A job leaves.
    ///
    /// # Panics
    ///
    /// If nobody is there.
    #[inline]
    pub fn depart(&mut self, now: SimTime) {
        self.pass_time(now);
        assert!(self.present > 0, "nobody is there to leave");
        self.present -= 1;
        self.busy.fall(now);
    }

    /// Jobs that are there.
    #[inline]
    pub fn present(&self) -> u64 {
        self.present
    }

    /// What has been counted from the start of the run to `now`. `servers` and `utilization` are
    /// 0, for want of a number of servers to divide by; `mean_jobs` is the mean number present.
    ///
    /// # Panics
    ///
    /// If `now` is before the last arrival or departure.
    pub fn statistics(&self, now: SimTime) -> StationStatistics {
        assert!(self.changed <= now, "{now} is before the last change at {}", self.changed);
        StationCounts {
            servers: 0,
            elapsed: now.since(SimTime::ZERO),
            arrivals: self.arrivals,
            completions: self.arrivals - self.present,
            busy: self.busy.until(now, self.present),
            waiting: 0,
        }
        .into()
    }

    #[inline]
    fn pass_time(&mut self, now: SimTime) {
        debug_assert!(self.changed <= now, "{now} is before the last change at {}", self.changed);
        self.changed = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stays_add_up() {
        let at = SimTime::from_nanos;
        let mut delay = Delay::new();
        for start in [0, 10, 20] {
            delay.arrive(at(start));
        }
        delay.depart(at(30));
        delay.depart(at(50));
        let statistics = delay.statistics(at(100));
        assert_eq!((statistics.arrivals, statistics.completions, delay.present()), (3, 2, 1));
        assert_eq!(statistics.busy, (30 + 50 + 100) - (10 + 20));
        assert!(statistics.utilization == 0.0 && statistics.mean_queue == 0.0);
    }

    #[test]
    #[should_panic(expected = "nobody is there")]
    fn nobody_leaves_an_empty_delay() {
        Delay::new().depart(SimTime::ZERO);
    }
}
