//! A device in use: its law, what it did last, and its random streams.

use bakcast_sim::{Distribution, SimTime, Span, Stream, Streams, Variates};

use super::capped::Bucket;
use super::solid_state::Wear;
use super::{Device, Interruptions, OtherLoad, Transfer};
use crate::outcome::CreditOutcome;
use crate::quantity::{Factor, Fraction};

/// Answers how long a device is held by each transfer in turn.
///
/// Variability is drawn from one stream per (device, thread): two configurations that serve the
/// threads in another order still meet the same draws, so their comparison stays paired.
#[derive(Debug)]
pub(crate) struct Holder {
    law: Device,
    /// Speed of this run relative to the mean, from the run-to-run variation.
    speed: f64,
    relieved: bool,
    /// Variation of each thread's transfers; empty: there is none.
    variation: Vec<Variates>,
    /// Where each thread's stream begins.
    positions: Vec<f64>,
    last_thread: Option<u16>,
    positioning: Stream,
    wear: Wear,
    bucket: Bucket,
    /// Others whose requests go before; none: the device is there for backups alone.
    others: Option<Box<Interruptions>>,
    /// Share of it that others leave, from 0 to 1.
    left: f64,
}

/// What each of several writes costs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SteadyWrite {
    /// Seconds of bandwidth before variation.
    seconds: f64,
    /// Bytes that the drive moves.
    amplified: f64,
    speed: f64,
}

/// What the surroundings tell a device before a run.
pub(crate) struct Setting<'a> {
    /// Where random numbers come from.
    pub(crate) streams: &'a Streams<'a>,
    /// Name of the device: names its streams.
    pub(crate) name: &'a str,
    /// Spread of its speed from run to run.
    pub(crate) run_to_run: Fraction,
    /// Where on its device the stream of each thread begins, 0 (outer edge) to 1; readers first,
    /// then writers.
    pub(crate) positions: &'a [f64],
    /// Whether BLOCKSIZE is 64 KiB.
    pub(crate) large_block: bool,
    /// What-if: the device costs no time at all.
    pub(crate) relieved: bool,
    /// What others ask of it.
    pub(crate) others: Option<OtherLoad>,
}

impl Holder {
    /// A device at the start of a run.
    #[must_use]
    pub(crate) fn new(law: &Device, setting: &Setting<'_>) -> Self {
        let named = |what: &str| setting.streams.named(&format!("device/{}/{what}", setting.name));
        let variability = law.variability().get();
        let threads = if variability > 0.0 { 0..setting.positions.len() } else { 0..0 };
        let unit = unit_mean(variability);
        let thread = |t| format!("device/{}/thread/{t}", setting.name);
        let variates = |t| setting.streams.variates(&thread(t), &unit);
        let speed = run_speed(&mut named("run"), setting.run_to_run);
        let queues = !setting.relieved && !matches!(law, Device::Link(_) | Device::Null(_));
        let others = setting.others.filter(|_| queues).map(|load| {
            let back_s = law.positioning_s() / speed;
            Box::new(Interruptions::new(load, back_s, setting.name, setting.streams))
        });
        let left = 1.0 - setting.others.map_or(0.0, OtherLoad::share);
        Holder {
            law: law.clone(),
            speed,
            relieved: setting.relieved,
            variation: threads.map(variates).collect(),
            positions: setting.positions.to_vec(),
            last_thread: None,
            positioning: named("positioning"),
            wear: Wear::new(law, named("stall"), setting),
            bucket: Bucket::new(law, speed * left, setting.relieved),
            others,
            left,
        }
    }

    /// How long the device is held by `transfer`, which it takes up at `begin`: never before the
    /// end of the transfer before it.
    pub(crate) fn hold(&mut self, transfer: &Transfer, begin: SimTime) -> Span {
        if self.others.is_some() {
            return self.hold_among_others(transfer, begin);
        }
        let turned = self.last_thread.is_some_and(|last| last != transfer.thread);
        let seconds = self.alone_s(transfer, begin, turned);
        let span = if self.relieved { Span::ZERO } else { Span::from_seconds(seconds) };
        if matches!(self.law, Device::Capped(_)) {
            self.bucket.settle(begin + span);
        }
        span
    }

    /// Seconds the transfer takes in this run with the device to itself; `turned`: another stream
    /// was served before.
    #[inline(always)]
    fn alone_s(&mut self, transfer: &Transfer, begin: SimTime, turned: bool) -> f64 {
        let thread = usize::from(transfer.thread);
        let vary = self.variation.get_mut(thread).map_or(1.0, Variates::next);
        let seconds = match &self.law {
            Device::Spindle(disk) => {
                let positioning =
                    if turned { disk.positioning_s(&mut self.positioning) } else { 0.0 };
                let position = self.positions[thread];
                positioning + disk.transfer_s(transfer, position) * vary
            }
            Device::SolidState(drive) => {
                let (bandwidth, stall) = drive.hold_s(transfer, &mut self.wear);
                bandwidth * vary + stall
            }
            Device::FixedRate(device) => device.hold_s(transfer.bytes) * vary,
            Device::Capped(volume) => self.bucket.hold_s(volume, transfer.bytes, begin) * vary,
            // A link divides its rate among transfers, NUL holds none: neither queues here.
            Device::Link(_) | Device::Null(_) => 0.0,
        };
        self.last_thread = Some(transfer.thread);
        seconds / self.speed
    }

    /// [`Holder::hold`] where the requests of others go before.
    #[inline(never)]
    fn hold_among_others(&mut self, transfer: &Transfer, begin: SimTime) -> Span {
        let Some(mut others) = self.others.take() else { return Span::ZERO };
        let met = others.meet(begin);
        let turned = self.last_thread.is_some_and(|last| last != transfer.thread);
        let mut seconds = self.alone_s(transfer, begin, turned);
        if met.elsewhere && !turned {
            seconds += others.way_back_s();
        }
        let span = others.complete(met, begin, seconds);
        self.others = Some(others);
        // What came in while others were served is theirs.
        self.bucket.settle(begin + span);
        span
    }

    /// Share of the time of transfers in which others were served, from 0 to 1.
    #[must_use]
    pub(crate) fn taken_by_others(&self) -> f64 {
        match &self.others {
            Some(others) => others.taken(),
            None if self.is_link() => 1.0 - self.left,
            None => 0.0,
        }
    }

    /// Share of a link that others leave, from 0 to 1: their packets are so many and so short that
    /// they are a lower rate, and no interruptions.
    #[must_use]
    pub(crate) fn left(&self) -> f64 {
        self.left
    }

    /// Whether transfers share it.
    pub(crate) fn is_link(&self) -> bool {
        matches!(self.law, Device::Link(_))
    }

    /// Seconds of a read before variation, if they depend on nothing but its bytes.
    #[must_use]
    pub(crate) fn steady_read_s(&self, bytes: u64) -> Option<f64> {
        match &self.law {
            _ if self.others.is_some() => None,
            Device::SolidState(drive) => Some(drive.read_s(bytes)),
            Device::FixedRate(device) => Some(device.hold_s(bytes)),
            Device::Spindle(_) | Device::Capped(_) | Device::Link(_) | Device::Null(_) => None,
        }
    }

    /// What a write costs, if it depends on nothing but its bytes and what the drive has gone
    /// through; and for how many writes in a row, as many as are [skipped](Holder::skip) when they
    /// have been [written](Holder::write).
    #[must_use]
    pub(crate) fn steady_write(&self, bytes: u64) -> Option<(SteadyWrite, u64)> {
        let Device::SolidState(drive) = &self.law else { return None };
        if self.relieved || self.others.is_some() {
            return None;
        }
        let (seconds, amplified, writes) = drive.steady_write(bytes, &self.wear);
        Some((SteadyWrite { seconds, amplified, speed: self.speed }, writes))
    }

    /// How long the drive is held by the next of the writes of one thread that are all like this.
    #[inline(always)]
    pub(crate) fn write(&mut self, thread: u16, write: SteadyWrite) -> Span {
        let vary = self.variation.get_mut(usize::from(thread)).map_or(1.0, Variates::next);
        let mut seconds = write.seconds * vary;
        if self.wear.comes_to_pause(write.amplified) {
            seconds += self.pauses_s();
        }
        Span::from_seconds(seconds / write.speed)
    }

    /// Seconds of the pauses to which the drive has come.
    #[cold]
    #[inline(never)]
    fn pauses_s(&mut self) -> f64 {
        let Device::SolidState(drive) = &self.law else { return 0.0 };
        drive.pauses_s(&mut self.wear)
    }

    /// What makes holds of transfers of one thread out of their seconds before variation: the
    /// variation, if there is one, and the speed, if they take any time at all.
    #[inline]
    pub(crate) fn pace(&mut self, thread: u16) -> (Option<&mut Variates>, Option<f64>) {
        let speed = (!self.relieved).then_some(self.speed);
        (self.variation.get_mut(usize::from(thread)), speed)
    }

    /// Time before a transfer takes up the device, and for how many transfers it overlaps.
    #[must_use]
    pub(crate) fn latency(&self) -> (Span, u32) {
        match &self.law {
            _ if self.relieved => (Span::ZERO, u32::MAX),
            Device::SolidState(drive) => (drive.latency.span(), drive.depth),
            Device::Capped(volume) => (volume.latency.span(), u32::MAX),
            Device::Spindle(_) | Device::FixedRate(_) | Device::Link(_) | Device::Null(_) => {
                (Span::ZERO, u32::MAX)
            }
        }
    }

    /// Whether the other device is of the same kind: the same law with the same figures.
    #[must_use]
    pub(crate) fn is_like(&self, other: &Holder) -> bool {
        let load = |holder: &Holder| holder.others.as_ref().map(|others| others.load());
        self.law == other.law && self.relieved == other.relieved && load(self) == load(other)
    }

    /// What a round trip of `span` takes in this run.
    #[must_use]
    pub(crate) fn round_trip(&self, span: Span) -> Span {
        if self.relieved { Span::ZERO } else { Span::from_seconds(span.as_seconds() / self.speed) }
    }

    /// Bytes written to a solid state drive so far.
    #[must_use]
    pub(crate) fn written(&self) -> u64 {
        self.wear.written()
    }

    /// Counts bytes that were carried forward, and the seconds that took.
    pub(crate) fn skip(&mut self, read: u64, written: u64, seconds: f64) {
        self.wear.skip(written);
        self.bucket.skip(read + written, seconds);
    }

    /// What was carried forward took so many seconds more than [`Holder::skip`] was told.
    pub(crate) fn correct(&mut self, seconds: f64) {
        self.bucket.correct(seconds);
    }

    /// Pauses to be expected in so many bytes written, and their mean length in seconds.
    #[must_use]
    pub(crate) fn stalls(&self, written: u64) -> Option<(f64, f64)> {
        let Device::SolidState(drive) = &self.law else { return None };
        let stall = drive.stall.as_ref()?;
        Some((self.wear.stalls(written, stall), stall.mean.as_seconds() / self.speed))
    }

    /// Bytes until the fast cache is full; `None` if there is none, or it is full.
    #[must_use]
    pub(crate) fn cache_room(&self) -> Option<u64> {
        let Device::SolidState(drive) = &self.law else { return None };
        let size = drive.fast_cache.as_ref()?.size.get();
        size.checked_sub(self.written()).filter(|room| *room > 0)
    }

    /// How many times `bytes` may be moved, each in `seconds`, before burst credit runs dry; `None`
    /// if there is none, or more than that uses up.
    #[must_use]
    pub(crate) fn credit_lasts(&self, bytes: u64, seconds: f64) -> Option<f64> {
        self.bucket.lasts(bytes, seconds)
    }

    /// What has become of the burst credit; `None` if there is no burst.
    #[must_use]
    pub(crate) fn credit(&self) -> Option<CreditOutcome> {
        self.bucket.outcome()
    }

    /// Changes so far that made the device another one: its fast cache was full, its burst credit
    /// ran dry or came back. What was measured before one of them does not hold after it.
    #[must_use]
    pub(crate) fn changes(&self) -> u32 {
        u32::from(self.cache_is_full()) + self.bucket.changes()
    }

    /// Whether there is a fast cache and it is full.
    fn cache_is_full(&self) -> bool {
        let Device::SolidState(drive) = &self.law else { return false };
        drive.fast_cache.is_some() && self.cache_room().is_none()
    }

    /// Bytes over which the rate of a disk's zones changes by no more than `share` of itself;
    /// `None` if it stays. `moved` bytes have passed: beyond the capacity there is no further zone.
    #[must_use]
    pub(crate) fn zone_stretch(&self, share: f64, moved: u64) -> Option<f64> {
        let Device::Spindle(disk) = &self.law else { return None };
        let (inner, capacity) = (disk.inner_rate.get(), disk.capacity?.as_f64());
        let changes = inner < 1.0 && (moved as f64) < 2.0 * capacity;
        changes.then(|| capacity * share * inner.max(0.1) / (1.0 - inner))
    }

    /// One more stream is written to the device, or one less.
    pub(crate) fn change_streams(&mut self, more: bool) {
        self.wear.change_streams(more);
    }

    /// Whether the device costs no time in this run (what-if).
    #[must_use]
    pub(crate) fn is_relieved(&self) -> bool {
        self.relieved
    }

    /// Speed of this run relative to the mean.
    #[must_use]
    pub(crate) fn speed(&self) -> f64 {
        self.speed
    }
}

/// Speed of one run: log-normal with median 1, so half of all runs are slower than the mean one.
///
/// speed = exp(s z), z standard normal, s^2 = ln(1 + v^2) for a coefficient of variation v.
pub(crate) fn run_speed(stream: &mut Stream, run_to_run: Fraction) -> f64 {
    let variation = run_to_run.get();
    let sigma = libm::sqrt(libm::log1p(variation * variation));
    libm::exp(sigma * stream.normal())
}

/// How many times longer than usual the slowest of a thousand million runs takes: six standard
/// deviations of the speed's logarithm.
pub(crate) fn slowest_factor(run_to_run: Fraction) -> f64 {
    let variation = run_to_run.get();
    libm::exp(6.0 * libm::sqrt(libm::log1p(variation * variation)))
}

/// Gamma with mean 1: positive, and exponential at a coefficient of variation of 1.
pub(crate) fn unit_mean(variation: f64) -> Distribution {
    Distribution::gamma(1.0, variation).expect("the range of a factor keeps it valid")
}

impl Device {
    /// Mean seconds it takes to go back to the place of a stream.
    pub(crate) fn positioning_s(&self) -> f64 {
        match self {
            Device::Spindle(disk) => disk.positioning.as_seconds(),
            _ => 0.0,
        }
    }

    /// Coefficient of variation of the hold time.
    fn variability(&self) -> Factor {
        match self {
            Device::Spindle(disk) => disk.variability,
            Device::SolidState(drive) => drive.variability,
            Device::FixedRate(device) => device.variability,
            Device::Capped(volume) => volume.variability,
            Device::Link(_) | Device::Null(_) => Factor::ZERO,
        }
    }
}
