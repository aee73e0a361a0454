//! How the servers of a station spend their time: working, starved or blocked.
//!
//! Working: serving. Blocked: idle although there is work, because the stage behind has no free
//! buffer. Starved: idle for want of work. "Starved behind it, blocked before it" points at a
//! bottleneck without any figure.

use bakcast_sim::{SimTime, Span};

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

/// How a device spends its time, its service times being known when they begin to queue.
///
/// Working time is added service by service; blocked is the time in which nothing is on the device
/// while a reader on it waits for a free buffer; the rest is starved.
#[derive(Debug, Clone, Default)]
pub struct DeviceClock {
    working_ns: u64,
    blocked_ns: u64,
    blocked_since: Option<SimTime>,
}

impl DeviceClock {
    /// The device serves for `span`, now or later.
    #[inline]
    pub fn work(&mut self, span: Span) {
        self.working_ns += span.as_nanos();
    }

    /// From `now` on the device is blocked, or is not.
    #[inline]
    pub fn note_blocked(&mut self, now: SimTime, blocked: bool) {
        match (self.blocked_since, blocked) {
            (None, true) => self.blocked_since = Some(now),
            (Some(since), false) => {
                self.blocked_ns += now.since(since).as_nanos();
                self.blocked_since = None;
            }
            _ => {}
        }
    }

    /// Time spent serving.
    #[must_use]
    pub fn working(&self) -> Span {
        Span::from_nanos(self.working_ns)
    }

    /// Shares up to `now`, when every service has ended.
    ///
    /// # Panics
    /// If the device worked and was blocked for longer than the run: our bug.
    #[must_use]
    pub fn finish(&mut self, now: SimTime) -> StationShares {
        self.note_blocked(now, false);
        let total = now.as_nanos();
        let idle = total.checked_sub(self.working_ns + self.blocked_ns);
        let starved_ns = idle.expect("a device worked longer than the run");
        if total == 0 {
            return StationShares::default();
        }
        let share = |ns: u64| ns as f64 / total as f64;
        StationShares {
            working: share(self.working_ns),
            starved: share(starved_ns),
            blocked: share(self.blocked_ns),
        }
    }
}
