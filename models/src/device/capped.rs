//! A volume, or a host, with a provider's limits: bytes and operations a second, and burst credit.
//!
//! Reads and writes share the limits. After a latency, which overlaps with that of others, each
//! transfer of b bytes is let through at
//!
//! ```text
//! burst rate B, while there is credit      sustained rate R, when there is none
//! ```
//!
//! and never faster than `operations` allows: at b / (n / operations per second), where n = b /
//! operation size, rounded up. The credit is a token bucket. It gains R bytes a second, whether
//! anything is moved or not, up to its size, and loses each byte that is moved: at B it falls by
//! B - R, and lasts for level / (B - R) seconds. A transfer that crosses the edge takes part of
//! each:
//!
//! ```text
//! hold time = (b / B                                 if b <= q, where q = B x level / (B - R)
//!              level / (B - R) + (b - q) / R         otherwise) x variability
//! ```
//!
//! So a full bucket of C bytes carries C x B / (B - R) bytes at the burst rate. Whatever makes a
//! transfer longer or shorter (variability, a slow night) scales the provider's clock as a whole:
//! it is no chance to save credit. Others on the same limits ([`others`](super::OtherLoad)) use
//! what comes in while they are served, so of that gain the share that they leave remains. Left
//! out: a burst of operations (`operations` holds at all times).

use bakcast_sim::SimTime;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Device;
use crate::outcome::CreditOutcome;
use crate::quantity::{ByteRate, Bytes, Factor, Fraction, Period, real};

/// Parameters of a capped volume.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Capped {
    /// Bytes per second that are always allowed, reads and writes together.
    pub rate: ByteRate,
    /// A limit on operations, reads and writes together; absent: none.
    #[serde(default)]
    pub operations: Option<Operations>,
    /// A higher rate for as long as credit lasts; absent: none.
    #[serde(default)]
    pub burst: Option<Burst>,
    /// Time from request to data, overlapping with that of other requests; `0 ms` for a cap on the
    /// way.
    #[serde(default = "default_latency")]
    pub latency: Period,
    /// Coefficient of variation of the hold time from transfer to transfer.
    #[serde(default = "default_variability")]
    pub variability: Factor,
}

/// A provider's limit on operations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Operations {
    /// Operations per second, burst or not.
    #[schemars(range(min = 1, max = 10_000_000))]
    pub per_second: u32,
    /// Most bytes that count as one operation; a larger transfer counts as several.
    #[serde(default = "default_operation_size")]
    pub size: Bytes,
}

/// Burst credit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Burst {
    /// Bytes per second while there is credit; at least the rate that is always allowed.
    pub rate: ByteRate,
    /// Bytes that a full bucket lets pass above the rate that is always allowed: (burst rate -
    /// rate) x the time a full burst lasts.
    pub credit: Bytes,
    /// Share of the credit that is there when the backup begins.
    #[serde(default = "default_initial")]
    pub initial: Fraction,
}

/// Providers promise "low single-digit millisecond latencies" (sources in `docs/architecture.md`).
fn default_latency() -> Period {
    Period::from_nanos(2_000_000)
}

/// A rate that is a limit is kept to exactly.
fn default_variability() -> Factor {
    Factor::ZERO
}

/// Above 256 KiB a transfer counts as several of that size, two providers write (sources in
/// `docs/architecture.md`).
fn default_operation_size() -> Bytes {
    Bytes::kibibytes(256)
}

/// A volume that did little all day has its bucket full: it fills in less than a day.
fn default_initial() -> Fraction {
    Fraction::percent(100)
}

impl Burst {
    /// Begins with another share of the credit, from 0 to 1.
    pub(crate) fn begin_with(&mut self, share: f64) {
        self.initial = Fraction::new(share.clamp(0.0, 1.0)).unwrap_or(self.initial);
    }
}

impl Capped {
    /// Bytes per second that the limit on operations allows in transfers of `bytes`; infinite if
    /// there is none.
    #[must_use]
    pub fn operations_limit(&self, bytes: f64) -> f64 {
        let Some(Operations { per_second, size }) = &self.operations else { return f64::INFINITY };
        let operations = (bytes / size.as_f64().max(1.0)).ceil().max(1.0);
        bytes * f64::from(*per_second) / operations
    }

    /// Bytes that pass at the burst rate when the bucket is as full as at the beginning, if none
    /// is asked for in between; absent: there is no end to it, or no burst.
    #[must_use]
    pub fn burst_bytes(&self) -> Option<f64> {
        let burst = self.burst.as_ref()?;
        let fall = burst.rate.get() - self.rate.get();
        let level = burst.credit.as_f64() * burst.initial.get();
        (fall > 0.0).then(|| level * burst.rate.get() / fall)
    }

    /// Every byte read and written without credit, every transfer with its latency.
    pub(super) fn slowest_seconds(&self, bytes: f64, transfers: f64) -> f64 {
        let counted = |o: &Operations| {
            (bytes / o.size.as_f64().max(1.0) + transfers) / f64::from(o.per_second)
        };
        let operations = self.operations.as_ref().map_or(0.0, counted);
        2.0 * (bytes / self.rate.get() + operations + transfers * self.latency.as_seconds())
    }
}

/// A dry bucket counts as filled again when it holds this share of its credit ...
const WET_SHARE: f64 = 0.25;
/// ... and so many transfers: what comes and goes around the edge is no change.
const WET_TRANSFERS: f64 = 256.0;
/// Changes after which a bucket that empties and fills again and again is taken as it comes.
const CHANGES_MAX: u32 = 16;
/// Below this share of what is moved, the gain of a dry bucket is not told from none.
const STEADY: f64 = 0.02;

/// The credit of a device during a run; a device without a burst has none, and is never dry.
#[derive(Debug)]
pub(super) struct Bucket {
    /// Bytes of credit.
    level: f64,
    /// Most of it.
    credit: f64,
    /// Bytes per second it gains.
    gain: f64,
    /// When the level was that: the end of the last transfer.
    settled: SimTime,
    /// Whether it has run dry, and not filled again since.
    dry: bool,
    /// How often that has changed.
    changes: u32,
    /// Bytes moved, and those until it first ran dry.
    moved: u64,
    dry_after: Option<u64>,
    /// Bytes of credit at the beginning.
    began: f64,
}

impl Bucket {
    /// The bucket of a device at the start of a run whose speed is `speed` times the mean. Where
    /// the device costs no time (`relieved`), there is no credit to use up.
    pub(super) fn new(law: &Device, speed: f64, relieved: bool) -> Self {
        let (mut level, mut credit, mut gain) = (0.0, 0.0, 0.0);
        if let Device::Capped(Capped { rate, burst: Some(burst), .. }) = law
            && !relieved
        {
            credit = burst.credit.as_f64();
            level = credit * burst.initial.get();
            gain = rate.get() * speed;
        }
        Bucket {
            level,
            credit,
            gain,
            settled: SimTime::ZERO,
            // With nothing in it, the first transfer says so.
            dry: credit <= 0.0,
            changes: 0,
            moved: 0,
            dry_after: None,
            began: level,
        }
    }

    /// Seconds a transfer that begins at `begin` holds the volume, before variability and speed.
    pub(super) fn hold_s(&mut self, volume: &Capped, bytes: u64, begin: SimTime) -> f64 {
        self.moved += bytes;
        let idle = begin.since(self.settled).as_seconds();
        self.level = (self.level + self.gain * idle).min(self.credit);
        let (bytes, rate) = (real(bytes), volume.rate.get());
        let limit = volume.operations_limit(bytes);
        let burst = volume.burst.as_ref().map_or(rate, |burst| burst.rate.get()).min(limit);
        let fall = burst - rate;
        let quick = if fall > 0.0 { burst * (self.level / fall) } else { f64::INFINITY };
        if bytes <= quick {
            let seconds = bytes / burst;
            self.level = (self.level + rate * seconds - bytes).clamp(0.0, self.credit);
            self.fill_again(bytes);
            return seconds;
        }
        let seconds = self.level / fall + (bytes - quick) / rate;
        self.level = 0.0;
        self.run_dry();
        seconds
    }

    /// The transfer last asked about ends at `end`.
    pub(super) fn settle(&mut self, end: SimTime) {
        self.settled = end;
    }

    fn run_dry(&mut self) {
        if !self.dry {
            self.dry = true;
            self.changes += 1;
            self.dry_after = self.dry_after.or(Some(self.moved));
        }
    }

    fn fill_again(&mut self, bytes: f64) {
        let enough = (WET_SHARE * self.credit).max(WET_TRANSFERS * bytes);
        if self.dry && self.level >= enough && self.changes < CHANGES_MAX {
            self.dry = false;
            self.changes += 1;
        }
    }

    /// How often the bucket has run dry or filled again.
    pub(super) fn changes(&self) -> u32 {
        self.changes
    }

    /// How many times `bytes` may be moved, each in `seconds`, before the bucket is dry; `None` if
    /// it is, or if that does not empty it.
    pub(super) fn lasts(&self, bytes: u64, seconds: f64) -> Option<f64> {
        let fall = real(bytes) - self.gain * seconds;
        (!self.dry && fall > 0.0).then(|| self.level / fall)
    }

    /// Bytes moved in so many seconds that were carried forward.
    pub(super) fn skip(&mut self, bytes: u64, seconds: f64) {
        self.moved += bytes;
        let bytes = real(bytes);
        let change = self.gain * seconds - bytes;
        if !self.dry || change > STEADY * bytes {
            self.level = (self.level + change).clamp(0.0, self.credit);
        }
    }

    /// Seconds by which what was carried forward took longer than [`Bucket::skip`] was told.
    pub(super) fn correct(&mut self, seconds: f64) {
        if !self.dry {
            self.level = (self.level + self.gain * seconds).clamp(0.0, self.credit);
        }
    }

    /// What has become of the credit; `None` without a burst.
    pub(super) fn outcome(&self) -> Option<CreditOutcome> {
        (self.credit > 0.0).then(|| CreditOutcome {
            left: self.level / self.credit,
            dry_after: self.dry_after.filter(|_| self.began > 0.0).map(Bytes::new),
        })
    }
}

#[cfg(test)]
mod tests;
