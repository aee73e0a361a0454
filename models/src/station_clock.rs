//! How the servers of a station spend their time: working, starved or blocked.
//!
//! Working: serving. Blocked: idle although there is work, because the stage behind has no free
//! buffer. Starved: idle for want of work. "Starved behind it, blocked before it" points at a
//! bottleneck without any figure.

use bakcast_sim::SimTime;

/// Server time by state, in whole nanoseconds x servers.
#[derive(Debug, Clone, Default)]
pub struct StationClock {
    servers: u64,
    busy: u64,
    blocked: bool,
    since: SimTime,
    working_ns: u64,
    starved_ns: u64,
    blocked_ns: u64,
}

/// Shares of server time; they sum to 1 unless no time has passed.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StationShares {
    /// Serving.
    pub working: f64,
    /// Idle for want of work.
    pub starved: f64,
    /// Idle although there is work.
    pub blocked: f64,
}

impl StationClock {
    /// A station of `servers` idle servers.
    #[must_use]
    pub fn new(servers: u32) -> Self {
        StationClock { servers: u64::from(servers), ..Default::default() }
    }

    /// From `now` on, `busy` servers serve and the others are blocked or starved.
    #[inline]
    pub fn note(&mut self, now: SimTime, busy: u32, blocked: bool) {
        self.advance(now);
        self.busy = u64::from(busy);
        self.blocked = blocked;
    }

    /// As [`StationClock::note`], the number of busy servers unchanged.
    #[inline]
    pub fn note_blocked(&mut self, now: SimTime, blocked: bool) {
        if blocked != self.blocked {
            self.advance(now);
            self.blocked = blocked;
        }
    }

    #[inline]
    fn advance(&mut self, now: SimTime) {
        let dt = now.since(self.since).as_nanos();
        self.since = now;
        let idle = dt * (self.servers - self.busy);
        self.working_ns += dt * self.busy;
        if self.blocked {
            self.blocked_ns += idle;
        } else {
            self.starved_ns += idle;
        }
    }

    /// Server time spent serving so far, in nanoseconds.
    #[must_use]
    pub fn working_ns(&self) -> u64 {
        self.working_ns
    }

    /// Shares up to `now`.
    ///
    /// # Panics
    /// If the server times do not sum to servers x elapsed: our bug.
    #[must_use]
    pub fn finish(&mut self, now: SimTime) -> StationShares {
        self.advance(now);
        let total = now.as_nanos() * self.servers;
        assert_eq!(
            self.working_ns + self.starved_ns + self.blocked_ns,
            total,
            "a station lost server time"
        );
        if total == 0 {
            return StationShares::default();
        }
        let share = |ns: u64| ns as f64 / total as f64;
        StationShares {
            working: share(self.working_ns),
            starved: share(self.starved_ns),
            blocked: share(self.blocked_ns),
        }
    }
}
