//! A single server whose service times are known on arrival.
//!
//! Where jobs are served one at a time in the order in which they come, and the service time does
//! not depend on what happens meanwhile, the end of a service follows at once:
//!
//! ```text
//! end = max(ready, end of the job before) + service
//! ```
//!
//! (Lindley's recursion.) So a job costs one event, its end, instead of one for each step on the
//! way: a constant latency before the server, which overlaps with that of other jobs, is merely a
//! later `ready`. A [`Station`](crate::Station) of one server gives the same times with more work.

use crate::ring::Ring;
use crate::time::{SimTime, Span};

/// One server, first come first served, service times known on arrival.
///
/// ```
/// use bakcast_sim::{Line, SimTime, Span};
///
/// let at = SimTime::from_nanos;
/// let mut till = Line::new();
/// assert_eq!(till.arrive(at(0), Span::from_nanos(5), "Ada"), Some(at(5)));
/// assert_eq!(till.arrive(at(1), Span::from_nanos(4), "Bob"), None); // behind Ada
/// assert_eq!(till.depart(), ("Ada", Some(at(9))));
/// assert_eq!(till.depart(), ("Bob", None));
/// ```
#[derive(Clone, Debug)]
pub struct Line<J: Copy> {
    queue: Ring<(SimTime, J)>,
    free_at: SimTime,
}

impl<J: Copy> Line<J> {
    /// An empty line.
    #[must_use]
    pub fn new() -> Self {
        Line { queue: Ring::new(), free_at: SimTime::ZERO }
    }

    /// When the service of a job begins that can be served from `ready` on and arrives now: a
    /// service time may depend on it.
    #[inline]
    #[must_use]
    pub fn begin(&self, ready: SimTime) -> SimTime {
        self.free_at.max(ready)
    }

    /// A job arrives that can be served from `ready` on, which is never earlier than for the job
    /// before it. Returns its end if it is the only job: the next end to schedule.
    #[inline]
    pub fn arrive(&mut self, ready: SimTime, service: Span, job: J) -> Option<SimTime> {
        let end = self.begin(ready) + service;
        self.free_at = end;
        let first = self.queue.is_empty();
        self.queue.push((end, job));
        first.then_some(end)
    }

    /// The first job's service ends. Returns it, and the end of the next one.
    ///
    /// # Panics
    ///
    /// If nobody is in the line.
    #[inline]
    pub fn depart(&mut self) -> (J, Option<SimTime>) {
        let (_, job) = self.queue.pop().expect("nobody is in the line");
        (job, self.queue.front().map(|(end, _)| end))
    }

    /// Jobs in service or waiting.
    #[inline]
    #[must_use]
    pub fn present(&self) -> usize {
        self.queue.len()
    }
}

impl<J: Copy> Default for Line<J> {
    fn default() -> Self {
        Line::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Station, Streams};

    #[test]
    fn a_line_ends_services_when_a_station_of_one_server_does() {
        let mut random = Streams::new(1, 0).named("line");
        let (mut line, mut station) = (Line::new(), Station::new(1));
        let mut arrivals = Vec::new();
        let mut at = SimTime::ZERO;
        for job in 0..1000_usize {
            at += Span::from_seconds(random.exponential());
            arrivals.push((at, Span::from_seconds(0.9 * random.exponential()), job));
        }
        // The station, by hand: its ends in order.
        let (mut ends, mut pending) = (Vec::new(), None);
        for &(at, service, job) in &arrivals {
            while let Some(end) = pending.filter(|end| *end <= at) {
                let (done, next) = station.depart(end, 0);
                ends.push((end, done));
                pending = next.map(|next: usize| end + arrivals[next].1);
            }
            if station.arrive(at, job).is_some() {
                pending = Some(at + service);
            }
        }
        let mut line_ends = Vec::new();
        let mut next = None;
        for &(at, service, job) in &arrivals {
            while let Some(end) = next.filter(|end| *end <= at) {
                let (done, after) = line.depart();
                line_ends.push((end, done));
                next = after;
            }
            next = line.arrive(at, service, job).or(next);
        }
        assert!(ends.len() > 900);
        assert_eq!(ends, line_ends);
    }
}
