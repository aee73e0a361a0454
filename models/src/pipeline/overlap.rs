//! A latency that overlaps with that of other transfers, up to a number of them at a time.
//!
//! It is a station of `depth` servers, first come first served, that all take the same time. So
//! transfers leave it in the order in which they came, and when is known at once:
//!
//! ```text
//! ready(n) = max(arrival(n), ready(n - depth)) + latency
//! ```

use bakcast_sim::{SimTime, Span};

/// The latency of a device.
pub(super) struct Overlap {
    span: Span,
    /// When the last `depth` transfers left, in a ring; empty: there are never so many.
    left: Box<[SimTime]>,
    next: usize,
}

impl Overlap {
    /// A latency for up to `depth` of at most `requests` transfers at a time.
    pub(super) fn new(span: Span, depth: u32, requests: u32) -> Self {
        let limits = span > Span::ZERO && depth < requests;
        let servers = if limits { depth.max(1) as usize } else { 0 };
        Overlap { span, left: vec![SimTime::ZERO; servers].into_boxed_slice(), next: 0 }
    }

    /// When the latency of a transfer that arrives now would be over.
    #[inline(always)]
    pub(super) fn ready(&self, now: SimTime) -> SimTime {
        match self.left.get(self.next) {
            None => now + self.span,
            Some(left) => now.max(*left) + self.span,
        }
    }

    /// A transfer arrives; returns when its latency is over.
    #[inline(always)]
    pub(super) fn pass(&mut self, now: SimTime) -> SimTime {
        let ready = self.ready(now);
        if let Some(left) = self.left.get_mut(self.next) {
            *left = ready;
            self.next = if self.next + 1 == self.left.len() { 0 } else { self.next + 1 };
        }
        ready
    }
}

#[cfg(test)]
mod tests {
    use bakcast_sim::{Station, Streams};

    use super::*;

    #[test]
    fn transfers_leave_as_they_leave_a_station_of_so_many_servers() {
        let span = Span::from_nanos(1000);
        for depth in 1..5 {
            let mut random = Streams::new(1, u64::from(depth)).named("overlap");
            let (mut overlap, mut station) =
                (Overlap::new(span, depth, 100), Station::new(depth as usize));
            let (mut now, mut ends) = (SimTime::ZERO, Vec::new());
            let mut left = Vec::new();
            let mut expected = Vec::new();
            for job in 0..500_usize {
                now += Span::from_seconds(250e-9 * random.exponential());
                while let Some(&(end, server)) = ends.iter().min().filter(|(end, _)| *end <= now) {
                    ends.retain(|other| *other != (end, server));
                    let (done, next) = station.depart(end, server);
                    left.push((done, end));
                    ends.extend(next.map(|_: usize| (end + span, server)));
                }
                ends.extend(station.arrive(now, job).map(|server| (now + span, server)));
                expected.push((job, overlap.pass(now)));
            }
            assert!(left.len() > 100);
            assert_eq!(left, expected[..left.len()]);
        }
    }

    #[test]
    fn where_there_are_never_so_many_all_overlap() {
        let mut overlap = Overlap::new(Span::from_nanos(7), 4, 4);
        let at = SimTime::from_nanos;
        assert!((0..10).all(|n| overlap.pass(at(n)) == at(n + 7)));
    }
}
