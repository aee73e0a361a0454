//! What a job needs of the stations it acts on, however their ends are found.
//!
//! There are two ways. [`Facilities`](super::facilities::Facilities) schedules every end in a
//! calendar and serves any pipeline. [`Lines`](super::lines::Lines) computes ends by recursion and
//! merges them, where every station is a FIFO queue.

use bakcast_sim::SimTime;

use super::devices::DeviceInUse;
use super::processors::Processors;
use crate::device::Transfer;

/// Stations that transfers and buffers go to.
pub(super) trait Stations {
    /// A transfer sets out on the path of its thread; returned at once if nothing lies on it.
    fn begin(
        &mut self,
        now: SimTime,
        transfer: Transfer,
        devices: &mut [DeviceInUse],
    ) -> Option<Transfer>;

    /// A worker will be done with a buffer of `bytes` at `end`.
    fn work(&mut self, end: SimTime, bytes: u64);
}

/// What has ended.
#[derive(Debug, Clone, Copy)]
pub(super) enum Ended {
    /// A transfer, at the end of its path.
    Transfer { thread: u16, bytes: u64 },
    /// Work on a buffer of so many bytes.
    Work { bytes: u64 },
}

/// What a job acts on.
pub(super) struct Scene<'a, S: Stations> {
    pub(super) now: SimTime,
    pub(super) stations: &'a mut S,
    pub(super) devices: &'a mut [DeviceInUse],
    pub(super) processors: &'a mut Processors,
}
