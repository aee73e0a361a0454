//! Others at a device: users, scans, whatever is no backup and goes before it.
//!
//! Their requests come as a Poisson stream, take exponential times of mean m, and keep the device
//! busy for a share u of the time while no backup runs, so they come at the rate a = u / m. They go
//! before the transfers of backups, which wait and then go on where they were (preemptive resume).
//! A transfer that alone takes h is then done after its *completion time*
//!
//! ```text
//! C = h + the times of all requests that come during C
//! E[C] = h / (1 - u)            Var[C] = h x 2 u m / (1 - u)^3
//! ```
//!
//! A disk has to go back to the place of the backup as well: once for each time it was interrupted,
//! which takes a positioning P; who comes while it goes back is served before it. With X, the
//! request that interrupts and the way back,
//!
//! ```text
//! E[C] = h (1 + a E[P]) / (1 - u)
//! Var[C] = h a (E[X^2] / (1 - u)^2 + 2 u m E[X] / (1 - u)^3)
//! ```
//!
//! A transfer that comes while no other is there may meet others at work; a disk that has served
//! anybody since the last transfer is elsewhere, and has to be positioned first.
//!
//! Requests come at moments of their own, whatever backups do. So a completion is followed request
//! by request, exactly, and two configurations that are compared meet the same users. So do two
//! loads: the requests of the smaller one are among those of the larger one. Only where hundreds of
//! requests fall into one transfer, or into the time between two, is C drawn from a normal law with
//! the mean and the variance above, or what is met from its stationary law.
//!
//! Left out: that others wear a drive, fill its cache or use up burst credit beyond what comes in
//! while they are served, that their load changes in the course of a backup, and that a device
//! which is asked by many at once reorders or merges what waits.

use bakcast_sim::{SimTime, Span, Stream, Streams};

use crate::quantity::{Fraction, Period};

/// What others ask of a device, or of each processor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OtherLoad {
    /// Share of its time that they take while no backup runs; at most [`OtherLoad::MOST`].
    pub share: Fraction,
    /// Mean time that one of their requests takes.
    pub request: Period,
}

impl OtherLoad {
    /// The largest share: beyond it backups hardly get on, and what they take is anybody's guess.
    pub const MOST: Fraction = Fraction::percent(90);
    /// The shortest mean time of a request.
    pub const SHORTEST: Period = Period::from_nanos(10_000);
    /// The longest.
    pub const LONGEST: Period = Period::from_nanos(10_000_000_000);

    /// The share as a number, from 0 to that of [`OtherLoad::MOST`].
    #[must_use]
    pub fn share(self) -> f64 {
        self.share.get().min(Self::MOST.get())
    }

    /// Seconds of a request in the mean.
    fn request_s(self) -> f64 {
        self.request.clamp(Self::SHORTEST, Self::LONGEST).as_seconds()
    }

    /// How many times longer a transfer takes in the mean, where it costs `positioning_s` seconds
    /// to go back to it.
    #[must_use]
    pub fn longer(self, positioning_s: f64) -> f64 {
        let share = self.share();
        (1.0 + share / self.request_s() * positioning_s) / (1.0 - share)
    }

    /// Variance of the completion time for each second that a transfer takes alone, in seconds;
    /// the way back lasts from nothing to twice its mean, all alike likely.
    fn variance_per_second(self, positioning_s: f64) -> f64 {
        let (share, request) = (self.share(), self.request_s());
        let left = 1.0 - share;
        let first = request + positioning_s;
        let first_squared = 2.0 * request * first + 4.0 / 3.0 * positioning_s * positioning_s;
        let busy =
            first_squared / (left * left) + 2.0 * share * request * first / (left * left * left);
        share / request * busy
    }
}

/// Where the layers of a load end: each holds the requests between two of these shares.
const LAYERS: [f64; 5] = [OtherLoad::MOST.get(), 0.225, 0.056_25, 0.014_062_5, 0.0];

/// More requests than that (kept or not) are not followed one by one; of those kept, at least a
/// quarter, it is hundreds.
const MANY: f64 = 1024.0;

/// The requests of others between two shares of the load: a part of a Poisson stream.
#[derive(Debug)]
struct Layer {
    stream: Stream,
    /// Requests per second, and the share of them that is kept.
    rate: f64,
    keep: f64,
    /// The next one: seconds from now, whether it is kept, and what it takes as a multiple of the
    /// mean.
    next_s: f64,
    is_kept: bool,
    length: f64,
}

impl Layer {
    /// The next request, as seen at a moment at which all before have come; each takes three draws
    /// of the stream, whatever the load.
    fn go_on(&mut self) {
        self.next_s += self.stream.exponential() / self.rate;
        self.is_kept = self.stream.uniform() < self.keep;
        self.length = self.stream.exponential();
    }
}

/// What a transfer meets.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Met {
    /// Seconds of work of others that is there before it.
    work_s: f64,
    /// Whether others have been served since the last transfer.
    pub(crate) elsewhere: bool,
}

/// The others at one device in the course of a run.
#[derive(Debug)]
pub(crate) struct Interruptions {
    load: OtherLoad,
    /// Seconds to go back to the place of a backup, in the mean.
    positioning_s: f64,
    layers: Vec<Layer>,
    /// Requests per second of all layers, kept or not.
    rate: f64,
    /// What is drawn where requests are not followed one by one, and ways back.
    many: Stream,
    back: Stream,
    /// The end of the last transfer, when none of the others was there: the moment from which
    /// layers count.
    free_at: SimTime,
    /// Seconds of transfers alone, and with all that came between.
    alone_s: f64,
    held_s: f64,
}

impl Interruptions {
    /// The others of a device at the start of a run.
    pub(crate) fn new(
        load: OtherLoad,
        positioning_s: f64,
        name: &str,
        streams: &Streams<'_>,
    ) -> Self {
        let named = |what: &str| streams.named(&format!("device/{name}/others/{what}"));
        let (share, request_s) = (load.share(), load.request_s());
        let bounds = LAYERS.iter().zip(&LAYERS[1..]).enumerate();
        let layers =
            bounds.filter(|(_, (_, below))| share > **below).map(|(index, (to, below))| {
                let mut layer = Layer {
                    stream: named(&index.to_string()),
                    rate: (to - below) / request_s,
                    keep: ((share - below) / (to - below)).min(1.0),
                    next_s: 0.0,
                    is_kept: false,
                    length: 0.0,
                };
                layer.go_on();
                layer
            });
        let layers: Vec<_> = layers.collect();
        Interruptions {
            load,
            positioning_s,
            rate: layers.iter().map(|layer| layer.rate).sum(),
            layers,
            many: named("many"),
            back: named("back"),
            free_at: SimTime::ZERO,
            alone_s: 0.0,
            held_s: 0.0,
        }
    }

    /// A transfer is taken up at `begin`, never before the last one was done.
    pub(crate) fn meet(&mut self, begin: SimTime) -> Met {
        let gap = begin.since(self.free_at).as_seconds();
        if gap <= 0.0 {
            // Whoever comes at this very moment interrupts the transfer.
            return Met { work_s: 0.0, elsewhere: false };
        }
        if self.rate * gap > MANY {
            self.begin_anew();
            let share = self.load.share();
            let is_busy = self.many.uniform() < share;
            let work_s = self.many.exponential() * self.load.request_s() / (1.0 - share);
            return Met { work_s: if is_busy { work_s } else { 0.0 }, elsewhere: true };
        }
        let (mut now, mut work_s, mut elsewhere) = (0.0, 0.0, false);
        while let Some((at, length)) = self.next_until(gap) {
            work_s = f64::max(work_s - (at - now), 0.0);
            now = at;
            if let Some(length) = length {
                work_s += length;
                elsewhere = true;
            }
        }
        self.pass(gap);
        Met { work_s: f64::max(work_s - (gap - now), 0.0), elsewhere }
    }

    /// Seconds of a way back.
    pub(crate) fn way_back_s(&mut self) -> f64 {
        2.0 * self.positioning_s * self.back.uniform()
    }

    /// How long a transfer holds the device that met so much, begins at `begin` and alone takes
    /// `alone_s` seconds.
    pub(crate) fn complete(&mut self, met: Met, begin: SimTime, alone_s: f64) -> Span {
        let longer = self.load.longer(self.positioning_s);
        let usual = alone_s * longer + met.work_s * self.load.longer(0.0);
        let is_long = self.rate * usual > MANY;
        let seconds = if is_long {
            let of_own = alone_s * self.load.variance_per_second(self.positioning_s);
            let of_others = met.work_s * self.load.variance_per_second(0.0);
            let spread = libm::sqrt(of_own + of_others) * self.many.normal();
            (usual + spread).max(alone_s + met.work_s)
        } else {
            self.follow(met.work_s, alone_s)
        };
        let span = Span::from_seconds(seconds);
        if is_long {
            self.begin_anew();
        } else {
            self.pass(span.as_seconds());
        }
        self.free_at = begin + span;
        self.alone_s += alone_s;
        self.held_s += span.as_seconds();
        span
    }

    /// Share of the time of transfers in which others were served, from 0 to 1.
    pub(crate) fn taken(&self) -> f64 {
        if self.held_s > 0.0 { (1.0 - self.alone_s / self.held_s).clamp(0.0, 1.0) } else { 0.0 }
    }

    /// What is asked of the device.
    pub(crate) fn load(&self) -> OtherLoad {
        self.load
    }

    /// Seconds until so much work of others and then so much of the backup's own is done.
    fn follow(&mut self, mut before_s: f64, mut own_s: f64) -> f64 {
        let mut now = 0.0;
        while let Some((at, length)) = self.next_until(now + before_s + own_s) {
            let passed = at - now;
            now = at;
            let of_others = before_s.min(passed);
            before_s -= of_others;
            own_s = (own_s - (passed - of_others)).max(0.0);
            if let Some(length) = length {
                if before_s <= 0.0 && self.positioning_s > 0.0 {
                    before_s += self.way_back_s();
                }
                before_s += length;
            }
        }
        now + before_s + own_s
    }

    /// The next request of any layer, if it comes within so many seconds from when layers count:
    /// when, and what it takes if it is kept.
    fn next_until(&mut self, until_s: f64) -> Option<(f64, Option<f64>)> {
        let request_s = self.load.request_s();
        let soonest = |a: &&mut Layer, b: &&mut Layer| a.next_s.total_cmp(&b.next_s);
        let layer = self.layers.iter_mut().min_by(soonest)?;
        if layer.next_s > until_s {
            return None;
        }
        let next = (layer.next_s, layer.is_kept.then_some(layer.length * request_s));
        layer.go_on();
        Some(next)
    }

    /// So many seconds have passed in which every request has come that was to come.
    fn pass(&mut self, seconds: f64) {
        // A time in whole nanoseconds may end a trifle after a request that it has not met.
        self.layers.iter_mut().for_each(|layer| layer.next_s = (layer.next_s - seconds).max(0.0));
    }

    /// What was not followed has passed: streams without memory begin anew.
    fn begin_anew(&mut self) {
        for layer in &mut self.layers {
            layer.next_s = 0.0;
            layer.go_on();
        }
    }
}

/// Users who share processors with the workers of a backup and go before them.
///
/// A worker stays on its processor, as the database's schedulers have it, and begins a buffer on
/// one where nobody else is at work; what comes there meanwhile goes before it. So a buffer that
/// alone takes h is done after a completion time as above, without a way back. Draws are one stream
/// for each buffer: more load never makes a buffer's completion shorter.
#[derive(Debug)]
pub(crate) struct Users {
    load: OtherLoad,
    stream: Stream,
    alone_s: f64,
    held_s: f64,
}

impl Users {
    /// Users of each processor, whose luck is that of `stream`.
    pub(crate) fn new(load: OtherLoad, stream: Stream) -> Self {
        Users { load, stream, alone_s: 0.0, held_s: 0.0 }
    }

    /// How long that takes which the processor alone does in `alone`.
    pub(crate) fn complete(&mut self, alone: Span) -> Span {
        let mut luck = self.stream.split();
        let (share, request_s) = (self.load.share(), self.load.request_s());
        let alone_s = alone.as_seconds();
        let usual = alone_s * self.load.longer(0.0);
        let mut done = alone_s;
        if usual * share / request_s > MANY / 4.0 {
            let spread = libm::sqrt(alone_s * self.load.variance_per_second(0.0));
            done = (usual + spread * luck.normal()).max(alone_s);
        } else {
            let mut comes = luck.exponential() * request_s / share;
            while comes < done {
                done += luck.exponential() * request_s;
                comes += luck.exponential() * request_s / share;
            }
        }
        self.alone_s += alone_s;
        self.held_s += done;
        Span::from_seconds(done)
    }

    /// Share of the time of workers in which users were served, from 0 to 1.
    pub(crate) fn taken(&self) -> f64 {
        if self.held_s > 0.0 { 1.0 - self.alone_s / self.held_s } else { 0.0 }
    }
}

#[cfg(test)]
mod tests;
