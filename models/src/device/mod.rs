//! Devices and links: how long each holds a transfer.
//!
//! One file a law. A law knows bytes, not queues: it answers how long the device is held by this
//! transfer, given what it did last. Queues, servers and statistics belong to `bakcast_sim`'s
//! stations. A new device is one new file and one line in [`Device`].

mod capped;
mod fixed_rate;
mod holder;
mod link;
mod null;
mod others;
mod solid_state;
mod spindle;

pub use capped::{Burst, Capped, Operations};
pub use fixed_rate::FixedRate;
pub(crate) use holder::{Holder, Setting, SteadyWrite, run_speed, slowest_factor, unit_mean};
pub use link::Link;
pub use null::Null;
pub use others::OtherLoad;
pub(crate) use others::{Interruptions, Users};
pub use solid_state::{FastCache, SolidState, Stall};
pub use spindle::Spindle;

/// Which way the data go, seen from the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From the device.
    Read,
    /// To the device.
    Write,
}

/// One transfer as a device sees it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Transfer {
    /// Bytes it moves.
    pub(crate) bytes: u64,
    /// The reader or writer it belongs to: the stream of sequential transfers.
    pub(crate) thread: u16,
    /// Which way.
    pub(crate) direction: Direction,
    /// Bytes of the stream before this transfer.
    pub(crate) offset: u64,
}

/// Every device law there is.
#[derive(Debug, Clone, PartialEq)]
pub enum Device {
    /// A rotating disk.
    Spindle(Spindle),
    /// A solid state drive.
    SolidState(SolidState),
    /// A network link or a share.
    Link(Link),
    /// A device that is nothing but its rate.
    FixedRate(FixedRate),
    /// A volume or host with a provider's limits.
    Capped(Capped),
    /// The NUL device.
    Null(Null),
}

impl Device {
    /// A time that reading and writing so many bytes in so many transfers never exceeds, but for
    /// rare draws: what keeps a run within the range of simulated time.
    pub(crate) fn slowest_seconds(&self, bytes: f64, transfers: f64, write_streams: f64) -> f64 {
        match self {
            Device::Spindle(disk) => disk.slowest_seconds(bytes, transfers),
            Device::SolidState(drive) => drive.slowest_seconds(bytes, transfers, write_streams),
            Device::Link(link) => {
                let ceiling = link.per_connection.unwrap_or(link.rate).get();
                bytes / ceiling.min(link.rate.get()) + transfers * link.round_trip.as_seconds()
            }
            Device::FixedRate(device) => 2.0 * bytes / device.rate.get(),
            Device::Capped(volume) => volume.slowest_seconds(bytes, transfers),
            Device::Null(_) => 0.0,
        }
    }

    /// The name of the law, as written in a scenario.
    #[must_use]
    pub const fn law(&self) -> &'static str {
        match self {
            Device::Spindle(_) => "spindle",
            Device::SolidState(_) => "solid_state",
            Device::Link(_) => "link",
            Device::FixedRate(_) => "fixed_rate",
            Device::Capped(_) => "capped",
            Device::Null(_) => "null",
        }
    }
}
