//! A solid state drive.
//!
//! A transfer first waits out the latency, which overlaps with that of others up to `depth`; then
//! it holds the drive's one bandwidth, shared by reads and writes:
//!
//! hold time = (command time + bytes x amplification / rate of its direction) x variability
//! + stall.
//!
//! - *Amplification* (writes): 1 + `stream_amplification` x (write streams on the drive - 1).
//!   Streams that interleave make the drive move more than is written. Article 1, rows 8 and 9.
//! - *Stall*: after an amount written (amplification counted) the drive stops for a time, reads as
//!   well: garbage collection, a cache flush. Amount and time are gamma distributed around their
//!   means. Only many buffers hide it. Article 1, rows 2, 3 and 4.
//! - *Fast cache*: the first bytes of a run go at the full write rate, those after at the rate
//!   behind the cache.
//! - *Large block*: the effect of BLOCKSIZE = 64 KiB seen on one machine only (article 1, row 7;
//!   641 public runs elsewhere show none), as a further amplification. 1 = no effect, the default.

use bakcast_sim::{Distribution, Stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::holder::{Setting, unit_mean};
use super::{Device, Direction, Transfer};
use crate::quantity::{ByteRate, Bytes, Factor, Period, real};

/// Parameters of a solid state drive.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SolidState {
    /// Sequential read rate.
    pub read_rate: ByteRate,
    /// Sequential write rate.
    pub write_rate: ByteRate,
    /// Time from command to data, overlapping with that of other commands.
    #[serde(default = "default_latency")]
    pub latency: Period,
    /// Time each command holds the drive beside its data: favours large transfers.
    #[serde(default)]
    pub command_time: Period,
    /// Commands whose latency may overlap.
    #[serde(default = "default_depth")]
    #[schemars(range(min = 1, max = 1024))]
    pub depth: u32,
    /// Extra bytes the drive moves per byte written, for each further write stream.
    #[serde(default = "default_stream_amplification")]
    pub stream_amplification: Factor,
    /// Pauses caused by writing; absent: none.
    #[serde(default)]
    pub stall: Option<Stall>,
    /// A fast region that fills while writing; absent: the write rate holds for ever.
    #[serde(default)]
    pub fast_cache: Option<FastCache>,
    /// Bytes the drive moves per byte written with BLOCKSIZE = 64 KiB (an effect of one machine).
    #[serde(default = "default_large_block_amplification")]
    pub large_block_amplification: Factor,
    /// Coefficient of variation of the hold time from transfer to transfer.
    #[serde(default = "default_variability")]
    pub variability: Factor,
}

/// Pauses of a solid state drive.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stall {
    /// Mean length of a pause.
    pub mean: Period,
    /// Mean amount written between pauses, at least 64 KiB.
    pub every: Bytes,
    /// Coefficient of variation of both the lengths and the amounts between.
    #[serde(default = "default_stall_variability")]
    pub variability: Factor,
}

/// Pauses of one drive are alike: its cache and its erase blocks do not change (assumption; the
/// rows of article 1 are too smooth for exponential pauses, which would scatter them by 8 %).
fn default_stall_variability() -> Factor {
    Factor::tenths(3)
}

/// The fast region of a solid state drive.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FastCache {
    /// Bytes it takes before it is full.
    pub size: Bytes,
    /// Write rate once it is full.
    pub write_rate_after: ByteRate,
}

/// Enterprise drives print 92 to 150 us for a read at depth 1 (sources in `docs/architecture.md`).
fn default_latency() -> Period {
    Period::from_nanos(100_000)
}

/// Queue depth at which benchmarks print a drive's sequential rates.
fn default_depth() -> u32 {
    32
}

/// No loss unless measured: public rows show both loss and gain from further files.
fn default_stream_amplification() -> Factor {
    Factor::ZERO
}

/// BLOCKSIZE makes no difference to a disk unless measured.
fn default_large_block_amplification() -> Factor {
    Factor::ONE
}

/// Transfers of a solid state drive vary less than its stalls; assumption.
fn default_variability() -> Factor {
    Factor::tenths(5)
}

/// The last write: most are like it, and need not be computed again.
#[derive(Debug, Default)]
struct Write {
    bytes: u64,
    rate_bits: u64,
    amplification_bits: u64,
    /// Bytes that the drive moves.
    amplified: f64,
    /// Seconds of bandwidth.
    seconds: f64,
}

/// What writing has done to the drive so far in this run.
#[derive(Debug)]
pub(super) struct Wear {
    /// Bytes the drive moves per byte written.
    amplification: f64,
    /// Streams written at the moment.
    streams: u32,
    /// Further bytes for each stream beyond the first, and of all those for the block size.
    by_stream: f64,
    by_block: f64,
    written: u64,
    last: Write,
    /// Amplified bytes still to be written before the next pause.
    to_next_stall: f64,
    /// Variation of pauses, mean 1.
    variability: Distribution,
    stall: Stream,
}

impl Wear {
    pub(super) fn new(law: &Device, mut stall: Stream, setting: &Setting<'_>) -> Self {
        let (mut by_stream, mut by_block, mut to_next_stall) = (0.0, 1.0, f64::INFINITY);
        let mut variability = unit_mean(0.0);
        if let Device::SolidState(drive) = law {
            by_stream = drive.stream_amplification.get();
            if setting.large_block {
                by_block = drive.large_block_amplification.get();
            }
            if let Some(pause) = &drive.stall {
                variability = unit_mean(pause.variability.get());
                // A run begins anywhere between two pauses.
                to_next_stall = pause.every() * stall.uniform();
            }
        }
        let amplification = by_block;
        let (streams, written) = (0, 0);
        Wear {
            amplification,
            streams,
            by_stream,
            by_block,
            written,
            last: Write::default(),
            to_next_stall,
            variability,
            stall,
        }
    }

    /// One more stream is written, or one less.
    pub(super) fn change_streams(&mut self, more: bool) {
        self.streams = if more { self.streams + 1 } else { self.streams - 1 };
        let further = f64::from(self.streams.saturating_sub(1));
        self.amplification = (1.0 + self.by_stream * further) * self.by_block;
    }

    /// Bytes written so far.
    pub(super) fn written(&self) -> u64 {
        self.written
    }

    /// Pauses to be expected in so many bytes written.
    pub(super) fn stalls(&self, written: u64, stall: &Stall) -> f64 {
        written as f64 * self.amplification / stall.every()
    }

    /// Counts bytes as written whose time was taken elsewhere.
    pub(super) fn skip(&mut self, bytes: u64) {
        self.written += bytes;
    }

    /// The drive moves bytes of writes; whether it comes to a pause, which it never does without
    /// any.
    #[inline(always)]
    pub(super) fn comes_to_pause(&mut self, amplified: f64) -> bool {
        self.to_next_stall -= amplified;
        self.to_next_stall < 0.0
    }

    /// A quantity of pauses: its mean, varied.
    fn vary(&mut self, mean: f64) -> f64 {
        mean * self.variability.sample(&mut self.stall)
    }
}

impl Stall {
    /// Mean amplified bytes between pauses; the lower bound keeps a transfer from falling into
    /// more pauses than anyone would wait for.
    fn every(&self) -> f64 {
        self.every.as_f64().max(65536.0)
    }
}

impl SolidState {
    /// Seconds of bandwidth (before variability) and of pauses that the transfer takes.
    pub(super) fn hold_s(&self, transfer: &Transfer, wear: &mut Wear) -> (f64, f64) {
        if transfer.direction == Direction::Read {
            return (self.read_s(transfer.bytes), 0.0);
        }
        let rate = self.write_rate_after(wear.written);
        wear.written += transfer.bytes;
        let (bytes, rate_bits) = (transfer.bytes, rate.get().to_bits());
        let last = &wear.last;
        // One by one: as an array they would be written and read back.
        let is_like_last = last.bytes == bytes
            && last.rate_bits == rate_bits
            && last.amplification_bits == wear.amplification.to_bits();
        if !is_like_last {
            let (seconds, amplified) = self.write_s(bytes, rate, wear);
            let amplification_bits = wear.amplification.to_bits();
            wear.last = Write { bytes, rate_bits, amplification_bits, amplified, seconds };
        }
        (wear.last.seconds, self.stalls_s(wear.last.amplified, wear))
    }

    /// The rate of a write before which so many bytes have been written.
    #[inline]
    fn write_rate_after(&self, written: u64) -> ByteRate {
        match &self.fast_cache {
            Some(cache) if written >= cache.size.get() => cache.write_rate_after,
            _ => self.write_rate,
        }
    }

    /// Seconds of bandwidth that a write takes, before variability, and the bytes it moves.
    fn write_s(&self, bytes: u64, rate: ByteRate, wear: &Wear) -> (f64, f64) {
        let amplified = real(bytes) * wear.amplification;
        (self.command_time.as_seconds() + amplified / rate.get(), amplified)
    }

    /// Seconds of bandwidth that the next writes take, before variability, the bytes each of them
    /// moves, and how many they are.
    pub(super) fn steady_write(&self, bytes: u64, wear: &Wear) -> (f64, f64, u64) {
        let (seconds, amplified) = self.write_s(bytes, self.write_rate_after(wear.written), wear);
        let room =
            self.fast_cache.as_ref().map_or(0, |c| c.size.get().saturating_sub(wear.written));
        (seconds, amplified, if room > 0 { room.div_ceil(bytes) } else { u64::MAX })
    }

    /// Seconds of bandwidth that a read takes, before variability.
    pub(super) fn read_s(&self, bytes: u64) -> f64 {
        self.command_time.as_seconds() + real(bytes) / self.read_rate.get()
    }

    /// Every byte read and written at the slowest rate, with the amplification of so many streams.
    pub(super) fn slowest_seconds(&self, bytes: f64, transfers: f64, write_streams: f64) -> f64 {
        let cached = self.fast_cache.as_ref().map_or(f64::INFINITY, |c| c.write_rate_after.get());
        let amplification = (1.0 + self.stream_amplification.get() * write_streams)
            * self.large_block_amplification.get().max(1.0);
        let written = bytes * amplification;
        let stalls = self.stall.as_ref().map_or(0.0, |s| written / s.every() * s.mean.as_seconds());
        let command = self.latency.as_seconds() + self.command_time.as_seconds();
        bytes / self.read_rate.get()
            + written / self.write_rate.get().min(cached)
            + stalls
            + 2.0 * transfers * command
    }

    /// Seconds of the pauses that fall into `amplified` bytes written.
    fn stalls_s(&self, amplified: f64, wear: &mut Wear) -> f64 {
        if wear.comes_to_pause(amplified) { self.pauses_s(wear) } else { 0.0 }
    }

    /// Seconds of the pauses to which the drive has come.
    pub(super) fn pauses_s(&self, wear: &mut Wear) -> f64 {
        let Some(stall) = &self.stall else { return 0.0 };
        let mut seconds = 0.0;
        while wear.to_next_stall < 0.0 {
            seconds += wear.vary(stall.mean.as_seconds());
            wear.to_next_stall += wear.vary(stall.every()).max(1.0);
        }
        seconds
    }
}
