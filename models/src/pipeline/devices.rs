//! Devices and links during a run: what is counted of them, whoever times their transfers.

use bakcast_sim::SimTime;

use super::overlap::Overlap;
use crate::device::Holder;
use crate::station_clock::DeviceClock;

/// A device or link during a run.
pub(super) struct DeviceInUse {
    pub(super) holder: Holder,
    pub(super) clock: DeviceClock,
    pub(super) completions: u64,
    pub(super) bytes: u64,
    pub(super) reads: bool,
    pub(super) writes: bool,
    /// Unfinished readers on it that wait for a free buffer.
    pub(super) blocked_readers: u32,
    /// Whether transfers are on it: 0 or 1.
    pub(super) present: u32,
    /// The most transfers that can be on it at once.
    pub(super) requests: u32,
    /// Transfers pass it without a station, and nothing is counted: NUL.
    pub(super) is_null: bool,
}

impl DeviceInUse {
    /// From `now` on, so many transfers are on the device (none, or some).
    #[inline]
    pub(super) fn note_present(&mut self, now: SimTime, present: u32) {
        self.present = present;
        self.note_blocked(now);
    }

    #[inline]
    fn note_blocked(&mut self, now: SimTime) {
        self.clock.note_blocked(now, self.present == 0 && self.blocked_readers > 0);
    }

    /// The latency before its bandwidth.
    pub(super) fn latency(&self) -> Overlap {
        let (span, depth) = self.holder.latency();
        Overlap::new(span, depth, self.requests)
    }

    /// A transfer of `bytes` has been served.
    #[inline]
    pub(super) fn count(&mut self, bytes: u64) {
        self.completions += 1;
        self.bytes += bytes;
    }
}

/// A reader on this path began or ceased to wait for a free buffer.
#[inline]
pub(super) fn note_reader_blocked(
    now: SimTime,
    path: &[usize],
    blocked: bool,
    devices: &mut [DeviceInUse],
) {
    for &device in path {
        let device = &mut devices[device];
        if blocked {
            device.blocked_readers += 1;
        } else {
            device.blocked_readers -= 1;
        }
        device.note_blocked(now);
    }
}

/// Changes that made a device another one, so far.
pub(super) fn device_changes(devices: &[DeviceInUse]) -> u32 {
    devices.iter().map(|d| d.holder.changes()).sum()
}
