//! How the servers of a station spend their time: working, starved or blocked.
//!
//! Working: serving. Blocked: idle although there is work, because the stage behind has no free
//! buffer. Starved: idle for want of work. "Starved behind it, blocked before it" points at a
//! bottleneck without any figure.

use bakcast_sim::{SimTime, Span};

use crate::wait::in_proportion;

/// Server time by state, in whole nanoseconds x servers.
#[derive(Debug, Clone, Default)]
pub struct StationClock {
    servers: u64,
    working: Level,
    blocked: Level,
    skipped: StationTimes,
}

/// A number of servers that changes in steps, and the time they spend.
///
/// The time up to `now` is n(now) x now less the sum of step x time of the step, so a step costs
/// one product; the sum is taken modulo 2^64, which the time itself does not exceed.
#[derive(Debug, Clone, Copy, Default)]
struct Level {
    servers: u64,
    steps: u64,
}

impl Level {
    #[inline]
    fn set(&mut self, now: SimTime, servers: u64) {
        let step = servers.wrapping_sub(self.servers);
        self.steps = self.steps.wrapping_add(step.wrapping_mul(now.as_nanos()));
        self.servers = servers;
    }

    fn until(self, now: SimTime) -> u64 {
        self.servers.wrapping_mul(now.as_nanos()).wrapping_sub(self.steps)
    }
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
        let busy = u64::from(busy);
        let blocked = if blocked { self.servers - busy } else { 0 };
        if self.working.servers != busy {
            self.working.set(now, busy);
        }
        if self.blocked.servers != blocked {
            self.blocked.set(now, blocked);
        }
    }

    /// Servers that are blocked now.
    pub(crate) fn blocked(&self) -> u64 {
        self.blocked.servers
    }

    /// Servers began and ceased to serve, one by one, and now `busy` do: `steps` is the sum of the
    /// times, in nanoseconds, at which one began less those at which one ceased, modulo 2^64.
    pub fn note_steps(&mut self, busy: u32, steps: u64) {
        self.working.servers = u64::from(busy);
        self.working.steps = self.working.steps.wrapping_add(steps);
    }

    /// Server time up to `now`.
    #[must_use]
    pub fn totals(&self, now: SimTime) -> StationTimes {
        let all = now.as_nanos() * self.servers;
        let (working, blocked) = (self.working.until(now), self.blocked.until(now));
        StationTimes {
            working_ns: working + self.skipped.working_ns,
            starved_ns: all - working - blocked + self.skipped.starved_ns,
            blocked_ns: blocked + self.skipped.blocked_ns,
        }
    }

    /// Adds the server time of `skipped` nanoseconds, spent as that between `from` and `to` was.
    pub fn extend(&mut self, from: &StationTimes, to: &StationTimes, skipped: u64) {
        let parts = [
            to.working_ns - from.working_ns,
            to.starved_ns - from.starved_ns,
            to.blocked_ns - from.blocked_ns,
        ];
        let shares = in_proportion(&parts, skipped * self.servers);
        self.skipped.working_ns += shares[0];
        self.skipped.starved_ns += shares[1];
        self.skipped.blocked_ns += shares[2];
    }

    /// Server time of the whole run; `skipped` is what [`StationClock::extend`] added.
    ///
    /// # Panics
    /// If the server times do not sum to servers x elapsed: our bug.
    #[must_use]
    pub fn finish(&self, now: SimTime, skipped: Span) -> StationTimes {
        let times = self.totals(now);
        let elapsed = (now.as_nanos() + skipped.as_nanos()) * self.servers;
        assert_eq!(times.sum(), elapsed, "a station lost server time");
        times
    }
}

/// Server time by state, in nanoseconds x servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StationTimes {
    /// Serving.
    pub working_ns: u64,
    /// Idle for want of work.
    pub starved_ns: u64,
    /// Idle although there is work.
    pub blocked_ns: u64,
}

impl StationTimes {
    /// All server time.
    #[must_use]
    pub fn sum(&self) -> u64 {
        self.working_ns + self.starved_ns + self.blocked_ns
    }

    /// As shares of all server time; nothing if there is none.
    #[must_use]
    pub fn shares(&self) -> StationShares {
        let sum = self.sum();
        if sum == 0 {
            return StationShares::default();
        }
        let share = |ns: u64| ns as f64 / sum as f64;
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

    /// Whether the device is blocked now.
    pub(crate) fn is_blocked(&self) -> bool {
        self.blocked_since.is_some()
    }

    /// Time by state up to `now`. Services are counted when they begin to queue, so working time
    /// may run ahead of the clock until all of them have ended.
    #[must_use]
    pub fn totals(&self, now: SimTime) -> DeviceTimes {
        let blocked = self.blocked_since.map_or(0, |since| now.since(since).as_nanos());
        DeviceTimes { working_ns: self.working_ns, blocked_ns: self.blocked_ns + blocked }
    }

    /// Adds `skipped` nanoseconds, spent as the `window` nanoseconds between `from` and `to` were.
    pub fn extend(&mut self, from: &DeviceTimes, to: &DeviceTimes, window: u64, skipped: u64) {
        let working = (to.working_ns - from.working_ns).min(window);
        let blocked = (to.blocked_ns - from.blocked_ns).min(window - working);
        let shares = in_proportion(&[working, blocked, window - working - blocked], skipped);
        self.working_ns += shares[0];
        self.blocked_ns += shares[1];
    }

    /// Time of the whole run, when every service has ended; `skipped` is what
    /// [`DeviceClock::extend`] added.
    ///
    /// # Panics
    /// If the device worked and was blocked for longer than the run: our bug.
    #[must_use]
    pub fn finish(&self, now: SimTime, skipped: Span) -> StationTimes {
        let DeviceTimes { working_ns, blocked_ns } = self.totals(now);
        let idle = (now.as_nanos() + skipped.as_nanos()).checked_sub(working_ns + blocked_ns);
        let starved_ns = idle.expect("a device worked longer than the run");
        StationTimes { working_ns, starved_ns, blocked_ns }
    }
}

/// Time of a device by state, in nanoseconds; the rest is starved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DeviceTimes {
    /// Serving.
    pub working_ns: u64,
    /// Idle although there is work.
    pub blocked_ns: u64,
}
