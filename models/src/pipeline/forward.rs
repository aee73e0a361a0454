//! Carrying the middle of a long run forward.
//!
//! A backup of 100 TB is 10^8 transfers that all do the same. Once the pipeline is past its fill,
//! the run is measured in batches until its rate is known to a stated precision; then most of what
//! is left is skipped in one step: every reader and writer moves on by its share of the bytes, and
//! the clocks move on by the time those bytes take at the measured rate, spent as in the measured
//! window. Fill and drain are simulated in full.
//!
//! What ends a regime ends a step: a volume that is read to its end, a fast cache that fills, burst
//! credit that runs dry, a slower zone of a disk. Each regime is measured anew. Along a disk's
//! zones the rate drifts: there a step's rate is interpolated between the window before it and the
//! one after.
//!
//! The estimate of each run is off by its sampling error, and a long run varies by less than a
//! short window shows. Both are handed out ([`Carried`]) so that a set of runs can be put right:
//! see the summary of a prediction.

use bakcast_sim::{SimTime, Span, Stream};

use super::crew::{Parts, Regime};
use super::window::Window;
use crate::outcome::Carried;

/// When a window is long enough.
#[derive(Debug, Clone, Copy)]
struct Enough {
    /// Relative standard error of the rate.
    error: f64,
    /// Transfers at which measuring ends, precise enough or not.
    transfers: u64,
}

/// For the duration of a job.
const ENOUGH: Enough = Enough { error: 0.005, transfers: 1 << 15 };
/// For what a part of the pipeline costs: of that, a few per cent of the whole are worth naming.
/// For fits as well: their nights are many, and scatter more.
const ENOUGH_ROUGH: Enough = Enough { error: 0.015, transfers: 1 << 13 };
/// Share of the bytes read by which buffers empty in a window if they do so for good.
const EMPTYING: f64 = 0.03;
/// Batches of one window: between this and twice as many.
const BATCHES: usize = 32;
/// Batches merged into groups, to see correlation from batch to batch.
const GROUPS: usize = 8;
/// Transfers of the first batches.
const BATCH_MIN: u64 = 32;
/// Transfers that all readers of a job keep for the end, and the fewest of each.
const TAIL: u64 = 256;
const TAIL_MIN: u64 = 32;
/// Change of a disk's zone rate within one step.
const ZONE_STEP: f64 = 0.05;
/// How often all buffers could have been filled before a pipeline counts as settled.
const FILLS: u64 = 1;

/// What is being done.
enum Stage {
    /// Nothing will be skipped any more, or not until the regime changes.
    Waiting,
    /// The pipeline fills, or settles after a step.
    Settling,
    /// Batches are timed.
    Measuring,
}

/// A step whose time is still to be interpolated with the window after it.
struct Owed {
    bytes: u64,
    /// Bytes read at the middle of the step.
    middle: f64,
    from: Window,
    to: Window,
    rate: Rate,
}

/// What a run is like when it begins.
pub(super) struct Setting {
    /// Raw bytes that all buffers hold.
    pub(super) content: u64,
    /// Bytes of the largest transfer.
    pub(super) read_size: u64,
    pub(super) regime: Regime,
    /// A part of the pipeline costs nothing.
    pub(super) rough: bool,
}

impl Owed {
    /// What the step takes at the rate before it.
    fn nanos(&self) -> u64 {
        Span::from_seconds(self.bytes as f64 * self.rate.seconds_per_byte).as_nanos()
    }
}

/// Watches a run and carries it forward where that is worth it.
pub(super) struct Forward {
    stage: Stage,
    /// Bytes read at which to look again.
    next: u64,
    read_size: u64,
    enough: Enough,
    settle_bytes: u64,
    batch_bytes: u64,
    batch_begin: (SimTime, u64),
    /// Nanoseconds and bytes of each batch.
    batches: Vec<(u64, u64)>,
    /// Bytes in buffers at the beginning of the window and at the end of each batch.
    levels: Vec<f64>,
    window: Option<Window>,
    /// Windows measured so far. The more regimes there are, the less each of them weighs.
    windows: u64,
    regime: Regime,
    owed: Option<Owed>,
    skipped_ns: u64,
    /// What the caller has been told of it.
    told_ns: u64,
    carried: Carried,
}

impl Forward {
    pub(super) fn new(setting: Setting, draw: &mut Stream) -> Self {
        let settle_bytes = FILLS * setting.content + BATCH_MIN * setting.read_size;
        Forward {
            stage: Stage::Settling,
            next: settle_bytes,
            read_size: setting.read_size,
            enough: if setting.rough { ENOUGH_ROUGH } else { ENOUGH },
            settle_bytes,
            batch_bytes: BATCH_MIN * setting.read_size,
            batch_begin: (SimTime::ZERO, 0),
            batches: Vec::with_capacity(2 * BATCHES),
            levels: Vec::new(),
            window: None,
            windows: 0,
            regime: setting.regime,
            owed: None,
            skipped_ns: 0,
            told_ns: 0,
            carried: Carried { draw: draw.normal(), ..Carried::default() },
        }
    }

    /// Bytes read, by all jobs, at which [`Forward::look`] wants to be called.
    #[inline]
    pub(super) fn next(&self) -> u64 {
        self.next
    }

    /// The run has come to where it was to be looked at. Nothing is skipped beyond `until`, when
    /// another job begins. Returns the nanoseconds by which more has been skipped, as far as is
    /// known: what a step took may turn out a little different later.
    pub(super) fn look(&mut self, parts: &mut Parts<'_>, until: Option<SimTime>) -> i64 {
        self.watch(parts, until);
        let owed = self.owed.as_ref().map_or(0, Owed::nanos);
        let told = self.told_ns;
        self.told_ns = self.skipped_ns + owed;
        self.told_ns.cast_signed() - told.cast_signed()
    }

    fn watch(&mut self, parts: &mut Parts<'_>, until: Option<SimTime>) {
        let regime = parts.regime();
        let (now, read) = (parts.now, parts.read_bytes());
        if regime != self.regime {
            self.regime = regime;
            self.pay_cut_short(parts);
            self.settle(read);
            return;
        }
        match self.stage {
            Stage::Waiting => self.next = read + self.batch_bytes,
            Stage::Settling => {
                self.window = Some(Window::take(parts));
                self.levels = vec![parts.held_bytes()];
                self.stage = Stage::Measuring;
                self.batch_begin = (now, read);
                self.next = read + self.batch_bytes;
            }
            Stage::Measuring => {
                let (begin, begin_read) = self.batch_begin;
                self.batches.push((now.since(begin).as_nanos(), read - begin_read));
                self.levels.push(parts.held_bytes());
                self.batch_begin = (now, read);
                self.next = read + self.batch_bytes;
                if self.batches.len() >= BATCHES && self.batches.len().is_multiple_of(GROUPS) {
                    self.weigh(parts, until);
                }
            }
        }
    }

    fn settle(&mut self, read: u64) {
        self.stage = Stage::Settling;
        self.batches.clear();
        self.batch_bytes = BATCH_MIN * self.read_size;
        self.next = read + self.settle_bytes;
    }

    /// Skips if the window is good enough, goes on measuring if not.
    fn weigh(&mut self, parts: &mut Parts<'_>, until: Option<SimTime>) {
        let bytes: u64 = self.batches.iter().map(|b| b.1).sum();
        let rate = Rate::of(&self.batches).drained(bytes as f64, &self.levels, parts.grain_bytes());
        let longest = (self.enough.transfers / self.windows.max(1)).max(BATCH_MIN * BATCHES as u64);
        let long_enough = bytes >= longest * self.read_size;
        let misses = |w: &Window| w.misses_pauses(parts, self.enough.error);
        let blind = self.window.as_ref().is_some_and(misses);
        if blind || (rate.error > self.enough.error * rate.seconds_per_byte && !long_enough) {
            if self.batches.len() == 2 * BATCHES {
                self.merge();
            }
            return;
        }
        self.windows += 1;
        let Some(from) = self.window.take() else { return };
        let to = Window::take(parts);
        self.pay(Some((&from, &to, &rate)), parts);
        let step = to.step(&from, self.settle_bytes, parts, until);
        if step.bytes < bytes && step.spends_credit {
            // The edge is near, or a level that comes and goes only looked so: look once more.
            self.windows -= 1;
            self.settle(parts.read_bytes());
            return;
        }
        if step.bytes < bytes {
            // What is left is not worth a step: until the regime changes, simulate it.
            self.stage = Stage::Waiting;
            return;
        }
        to.skip(&from, &step, parts);
        if from.has_main() {
            self.carried.bytes += step.bytes;
            self.vary(step.bytes, &rate);
        }
        let middle = parts.read_bytes() as f64 - 0.5 * step.bytes as f64;
        self.owed = Some(Owed { bytes: step.bytes, middle, from, to, rate });
        if !step.drifts {
            self.pay(None, parts);
        }
        self.settle(parts.read_bytes());
    }

    /// Neighbouring batches become one, twice as long.
    fn merge(&mut self) {
        let pairs = self.batches.chunks(2);
        self.batches = pairs
            .map(|pair| (pair.iter().map(|b| b.0).sum(), pair.iter().map(|b| b.1).sum()))
            .collect();
        self.batches.reserve(BATCHES);
        self.batch_bytes *= 2;
    }

    /// The time of the last step: at the rate before it, or between that and the rate after it by
    /// how far its middle lies from the middles of both windows.
    fn pay(&mut self, after: Option<(&Window, &Window, &Rate)>, parts: &mut Parts<'_>) {
        let Some(owed) = self.owed.take() else { return };
        let mut share = 0.0;
        if let Some((from, to, rate)) = after {
            let (begin, end) = (owed.from.middle(&owed.to), from.middle(to));
            share = ((owed.middle - begin) / (end - begin).max(1.0)).clamp(0.0, 1.0);
            let seconds = share * owed.bytes as f64 * rate.seconds_per_byte;
            self.charge(seconds, from, to, parts);
            // Devices were told the time at the rate before the step.
            let told = share * owed.bytes as f64 * owed.rate.seconds_per_byte;
            parts.devices.iter_mut().for_each(|d| d.holder.correct(seconds - told));
        }
        let seconds = (1.0 - share) * owed.bytes as f64 * owed.rate.seconds_per_byte;
        self.charge(seconds, &owed.from, &owed.to, parts);
    }

    /// Pays what is owed when a regime or the run ends: a window that this cut short still says
    /// where the rate went.
    fn pay_cut_short(&mut self, parts: &mut Parts<'_>) {
        let after = self.window.take().filter(|_| self.batches.len() >= GROUPS);
        match after {
            Some(from) => {
                let to = Window::take(parts);
                let rate = Rate::of(&self.batches);
                self.pay(Some((&from, &to, &rate)), parts);
            }
            None => self.pay(None, parts),
        }
    }

    /// Lets seconds pass, spent as between the two totals.
    fn charge(&mut self, seconds: f64, from: &Window, to: &Window, parts: &mut Parts<'_>) {
        let skipped = Span::from_seconds(seconds).as_nanos();
        to.extend(from, skipped, parts);
        self.skipped_ns += skipped;
        if from.has_main() {
            self.carried.seconds += seconds;
        }
    }

    /// Adds up the two kinds of variation of a step.
    fn vary(&mut self, bytes: u64, rate: &Rate) {
        let length = |a: f64, b: f64| libm::sqrt(a * a + b * b);
        let estimate = bytes as f64 * rate.natural / libm::sqrt(rate.bytes);
        let natural = rate.natural * libm::sqrt(bytes as f64);
        self.carried.estimate_seconds = length(self.carried.estimate_seconds, estimate);
        self.carried.natural_seconds = length(self.carried.natural_seconds, natural);
    }

    /// The run is over: settles what is owed and says what was carried forward.
    pub(super) fn finish(&mut self, parts: &mut Parts<'_>) -> Option<Carried> {
        self.pay_cut_short(parts);
        (self.carried.bytes > 0).then_some(self.carried)
    }
}

/// A measured rate.
struct Rate {
    seconds_per_byte: f64,
    /// Standard error of that, on the safe side.
    error: f64,
    /// Standard deviation of the time of a stretch, per square root of its bytes.
    natural: f64,
    /// Bytes it was measured on.
    bytes: f64,
}

impl Rate {
    /// From the times of batches: mean, and the standard error by batch means. Batches that follow
    /// each other are alike, or make good for each other, so that only groups of them say how runs
    /// vary: the fewer, the less biased, but the more they scatter. The error is taken from two
    /// sizes, and the larger one decides when to stop; the variation, of which all runs together
    /// will take the mean, from the fewest.
    fn of(batches: &[(u64, u64)]) -> Self {
        let coarse = Self::spread(&grouped(batches, GROUPS));
        let finer = Self::spread(&grouped(batches, 2 * GROUPS));
        let natural = Self::spread(&grouped(batches, GROUPS / 2));
        let (nanos, bytes) = sums(batches);
        Rate {
            seconds_per_byte: nanos / bytes * 1e-9,
            error: finer.max(coarse) / libm::sqrt(bytes),
            natural,
            bytes,
        }
    }

    /// The rate at which bytes are drained. As long as buffers fill, more is read than the rest of
    /// the pipeline will ever sustain; where they only come and go it is the same in the mean.
    /// Buffers that empty for good are held back by reading. `levels` are the bytes in buffers from
    /// the beginning to the end of the window, in which `read` bytes were read; they change by the
    /// `grain`.
    fn drained(self, read: f64, levels: &[f64], grain: f64) -> Self {
        let (Some(begin), Some(end)) = (levels.first(), levels.last()) else { return self };
        let all = end - begin;
        if all.abs() < grain || all < -EMPTYING * read {
            return self;
        }
        let more = read / (read - all).max(0.01 * read);
        Rate { seconds_per_byte: more * self.seconds_per_byte, ..self }
    }

    /// Standard deviation of the time per square root of bytes, in seconds.
    fn spread(batches: &[(u64, u64)]) -> f64 {
        let (nanos, bytes) = sums(batches);
        let rate = nanos / bytes;
        let squares: f64 = batches
            .iter()
            .map(|(ns, b)| {
                let off = *ns as f64 - rate * *b as f64;
                off * off / *b as f64
            })
            .sum();
        1e-9 * libm::sqrt(squares / (batches.len() as f64 - 1.0).max(1.0))
    }
}

/// Batches merged into so many groups.
fn grouped(batches: &[(u64, u64)], groups: usize) -> Vec<(u64, u64)> {
    batches
        .chunks((batches.len() / groups).max(1))
        .map(|group| (group.iter().map(|b| b.0).sum(), group.iter().map(|b| b.1).sum()))
        .collect()
}

fn sums(batches: &[(u64, u64)]) -> (f64, f64) {
    let nanos: u64 = batches.iter().map(|b| b.0).sum();
    let bytes: u64 = batches.iter().map(|b| b.1).sum();
    (nanos as f64, (bytes as f64).max(1.0))
}

/// Reads below which a run is simulated in full.
const WORTH_IT: u64 = 1 << 15;
/// The same of a rough run.
const WORTH_IT_ROUGH: u64 = 1 << 13;

/// Reads below which a run is simulated in full.
pub(super) const fn worth_it(rough: bool) -> u64 {
    if rough { WORTH_IT_ROUGH } else { WORTH_IT }
}

/// Bytes each of so many readers keeps for the end.
pub(super) fn tail_bytes(read_size: u64, readers: usize) -> u64 {
    (TAIL / (readers as u64).max(1)).max(TAIL_MIN) * read_size
}

/// Change of a zone's rate that one step may bridge.
pub(super) const fn zone_step() -> f64 {
    ZONE_STEP
}
