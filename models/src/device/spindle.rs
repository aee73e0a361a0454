//! A rotating disk.
//!
//! Hold time = positioning (only when another stream than last time is served) + bytes / rate at
//! the position of the data x variability. A stream is one sequence of sequential transfers: the
//! reader of a volume, the writer of a backup file. Interleaving a reader and a writer, or several
//! stripes, on one disk pays the positioning at every change; a lone sequential stream never does.
//!
//! Zones: rate(p) = outer rate x (1 - (1 - inner) x p), where p runs from 0 at the outer edge to 1
//! at the inner one and moves on with the bytes transferred if the capacity is given. Linear in
//! the capacity, which is close enough to the steps of real drives. Command queueing (a disk that
//! reorders what waits) is left out: positioning is then the mean over what the drive makes of it.

use bakcast_sim::Stream;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Direction, Transfer};
use crate::quantity::{ByteRate, Bytes, Factor, Fraction, Period, real};

/// Parameters of a rotating disk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Spindle {
    /// Sequential read rate at the outer edge.
    pub read_rate: ByteRate,
    /// Sequential write rate at the outer edge.
    pub write_rate: ByteRate,
    /// Mean time lost when the disk turns from one stream to another.
    #[serde(default = "default_positioning")]
    pub positioning: Period,
    /// Rate at the innermost zone as a share of the rate at the outer edge.
    #[serde(default = "default_inner_rate")]
    pub inner_rate: Fraction,
    /// Capacity of the disk: lets a long stream move inwards; absent: it stays where it began.
    #[serde(default)]
    pub capacity: Option<Bytes>,
    /// Coefficient of variation of the hold time from transfer to transfer.
    #[serde(default = "default_variability")]
    pub variability: Factor,
}

/// Short seek and half a turn of a 5400 to 7200 rpm disk (printed: 8 to 13 ms a full average seek,
/// 4 to 5.5 ms half a turn; streams of one backup lie close together; sources in
/// `docs/architecture.md`).
fn default_positioning() -> Period {
    Period::from_nanos(8_000_000)
}

/// Data sheets print about half the outer rate for the inner zone (82 to 150, 122 to 204 MB/s).
fn default_inner_rate() -> Fraction {
    Fraction::percent(55)
}

/// Sequential transfers of 1 MiB on a spindle vary little; assumption.
fn default_variability() -> Factor {
    Factor::tenths(2)
}

impl Spindle {
    /// Seconds the disk is held by the transfer itself, before variability and positioning; `begin`
    /// is where its stream begins, from 0 (outer edge) to 1.
    pub(super) fn transfer_s(&self, transfer: &Transfer, begin: f64) -> f64 {
        let outer = match transfer.direction {
            Direction::Read => self.read_rate,
            Direction::Write => self.write_rate,
        };
        let moved = self.capacity.map_or(0.0, |all| real(transfer.offset) / all.as_f64().max(1.0));
        let position = (begin + moved).min(1.0);
        let zone = 1.0 - (1.0 - self.inner_rate.get()) * position;
        real(transfer.bytes) / (outer.get() * zone.max(MIN_ZONE))
    }

    /// Every byte read and written in the slowest zone, every transfer after a change of stream.
    pub(super) fn slowest_seconds(&self, bytes: f64, transfers: f64) -> f64 {
        let zone = self.inner_rate.get().max(MIN_ZONE);
        bytes / (self.read_rate.get() * zone)
            + bytes / (self.write_rate.get() * zone)
            + 2.0 * transfers * self.positioning.as_seconds()
    }

    /// Seconds lost by turning to another stream: uniform around the mean, from nothing (the head
    /// is there, the sector just comes) to twice the mean (far, and the sector has just gone).
    pub(super) fn positioning_s(&self, stream: &mut Stream) -> f64 {
        2.0 * self.positioning.as_seconds() * stream.uniform()
    }
}

/// An inner rate of 0 % would hold the disk for ever; no drive falls below a tenth.
const MIN_ZONE: f64 = 0.1;
