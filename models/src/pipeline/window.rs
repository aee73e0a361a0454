//! Totals of a run at one moment: two of them make a window, and say how to skip ahead.

use bakcast_sim::SimTime;

use super::devices::DeviceInUse;
use super::forward::{tail_bytes, zone_step};
use super::job::Job;
use super::processors::Processors;
use crate::station_clock::{DeviceTimes, StationTimes};
use crate::wait::{ThreadTimes, in_proportion};

/// Totals of a run at one moment.
pub(super) struct Window {
    at: SimTime,
    readers: Vec<(u64, ThreadTimes)>,
    writers: Vec<(u64, ThreadTimes)>,
    devices: Vec<DeviceTotals>,
    processor: StationTimes,
    processor_completions: u64,
}

#[derive(Clone, Copy)]
struct DeviceTotals {
    times: DeviceTimes,
    completions: u64,
    bytes: u64,
    written: u64,
}

/// Pauses of a drive that a window must hold before its rate counts.
const PAUSES_MIN: f64 = 32.0;

/// How far to skip.
pub(super) struct Step {
    /// Bytes of each reader.
    readers: Vec<u64>,
    /// Bytes of all readers.
    pub(super) bytes: u64,
    /// Whether the rate changes on the way.
    pub(super) drifts: bool,
    /// Whether it ends where burst credit would.
    pub(super) spends_credit: bool,
}

impl Window {
    pub(super) fn take(
        at: SimTime,
        job: &Job,
        devices: &[DeviceInUse],
        processors: &mut Processors,
    ) -> Self {
        let device = |d: &DeviceInUse| DeviceTotals {
            times: d.clock.totals(at),
            completions: d.completions,
            bytes: d.bytes,
            written: d.holder.written(),
        };
        Window {
            at,
            readers: job.readers.iter().map(|r| (r.offset, r.clock.totals(at))).collect(),
            writers: job.writers.iter().map(|w| (w.written, w.clock.totals(at))).collect(),
            devices: devices.iter().map(device).collect(),
            processor: processors.clock.totals(at),
            processor_completions: processors.completions,
        }
    }

    /// Whether a drive has been written to since here so little that its pauses, which are worth
    /// more than `share` of the time, cannot have shown in what was measured.
    pub(super) fn misses_pauses(&self, now: SimTime, devices: &[DeviceInUse], share: f64) -> bool {
        let elapsed = now.since(self.at).as_seconds();
        self.devices.iter().zip(devices).any(|(from, device)| {
            let written = device.holder.written() - from.written;
            let pauses = device.holder.stalls(written);
            pauses.is_some_and(|(count, seconds)| {
                count < PAUSES_MIN && count * seconds > share * elapsed
            })
        })
    }

    /// Bytes read half way from here to `to`.
    pub(super) fn middle(&self, to: &Window) -> f64 {
        let read = |w: &Window| w.readers.iter().map(|r| r.0 as f64).sum::<f64>();
        0.5 * (read(self) + read(to))
    }

    fn nanos(&self, from: &Window) -> u64 {
        self.at.since(from.at).as_nanos()
    }

    /// The largest step from here that stays within the regime, at the rates since `from`. Where
    /// the rate drifts, enough is kept back to settle and to measure once more before the end.
    pub(super) fn step(
        &self,
        from: &Window,
        settle_bytes: u64,
        job: &Job,
        devices: &[DeviceInUse],
    ) -> Step {
        let zoned =
            |d: &DeviceInUse| d.bytes > 0 && d.holder.zone_stretch(zone_step(), d.bytes).is_some();
        let drifting = devices.iter().any(zoned);
        let again = if drifting { settle_bytes + 4 * tail_bytes(job.read_size) } else { 0 };
        let tail = tail_bytes(job.read_size) + again;
        let moved: Vec<u64> =
            self.readers.iter().zip(&from.readers).map(|(to, from)| to.0 - from.0).collect();
        // In windows: how many times what was moved since `from` may be skipped.
        let mut windows = f64::INFINITY;
        for (reader, moved) in job.readers.iter().zip(&moved).filter(|(r, _)| r.left > 0) {
            let spare = reader.left.saturating_sub(tail);
            windows = windows.min(spare as f64 / (*moved).max(1) as f64);
        }
        let (mut drifts, mut spends_credit) = (false, false);
        for (index, device) in devices.iter().enumerate() {
            let written = self.devices[index].written - from.devices[index].written;
            if let (Some(room), true) = (device.holder.cache_room(), written > 0) {
                // The window itself is kept back, so that the change is simulated.
                windows = windows.min(room as f64 / written as f64 - 1.0);
            }
            let bytes = self.devices[index].bytes - from.devices[index].bytes;
            if let Some(lasts) = device.holder.credit_lasts(bytes, self.nanos(from) as f64 * 1e-9) {
                // As with a cache: the edge is simulated.
                spends_credit |= lasts - 1.0 < windows;
                windows = windows.min(lasts - 1.0);
            }
            if let (Some(stretch), true) =
                (device.holder.zone_stretch(zone_step(), device.bytes), bytes > 0)
            {
                drifts = true;
                windows = windows.min(stretch / bytes as f64);
            }
        }
        let whole = |bytes: f64| (bytes as u64) / job.read_size * job.read_size;
        let readers: Vec<u64> = job
            .readers
            .iter()
            .zip(&moved)
            .map(|(reader, moved)| {
                let spare = reader.left.saturating_sub(tail);
                whole(windows.max(0.0) * *moved as f64).min(whole(spare as f64))
            })
            .collect();
        Step { bytes: readers.iter().sum(), readers, drifts, spends_credit }
    }

    /// Moves readers, workers and writers on; no time passes.
    pub(super) fn skip(
        &self,
        from: &Window,
        step: &Step,
        job: &mut Job,
        devices: &mut [DeviceInUse],
        processors: &mut Processors,
    ) {
        for (reader, bytes) in job.readers.iter_mut().zip(&step.readers) {
            reader.left -= bytes;
            reader.offset += bytes;
        }
        job.read_bytes += step.bytes;
        let handed_on = job.skip_work(step.bytes);
        if job.work.is_some() {
            processors.bytes += step.bytes;
            let completions = processors.completions - from.processor_completions;
            processors.completions += scaled(completions, step.bytes, self.read_since(from));
        }
        let written: Vec<u64> =
            self.writers.iter().zip(&from.writers).map(|(to, from)| to.0 - from.0).collect();
        let shares = in_proportion(&written, handed_on);
        for (writer, bytes) in job.writers.iter_mut().zip(&shares) {
            writer.written += bytes;
            writer.offset += bytes;
        }
        if !job.writers.is_empty() {
            job.written_bytes += handed_on;
        }
        self.skip_devices(from, step, &shares, job, devices);
    }

    fn skip_devices(
        &self,
        from: &Window,
        step: &Step,
        shares: &[u64],
        job: &Job,
        devices: &mut [DeviceInUse],
    ) {
        let window = self.read_since(from);
        let seconds = self.nanos(from) as f64 * 1e-9 * step.bytes as f64 / window.max(1) as f64;
        let mut added = vec![(0, 0); devices.len()];
        for (reader, bytes) in job.readers.iter().zip(&step.readers) {
            reader.devices.iter().for_each(|d| added[*d].0 += bytes);
        }
        for (writer, bytes) in job.writers.iter().zip(shares) {
            writer.devices.iter().for_each(|d| added[*d].1 += bytes);
        }
        for (index, device) in devices.iter_mut().enumerate() {
            // NUL has no station to pass, and counts nothing.
            if device.is_null {
                continue;
            }
            let (read, written) = added[index];
            device.bytes += read + written;
            let completions = self.devices[index].completions - from.devices[index].completions;
            device.completions += scaled(completions, step.bytes, window);
            device.holder.skip(read, written, seconds);
        }
    }

    fn read_since(&self, from: &Window) -> u64 {
        self.readers.iter().zip(&from.readers).map(|(to, from)| to.0 - from.0).sum()
    }

    /// Lets `skipped` nanoseconds pass, spent as since `from`.
    pub(super) fn extend(
        &self,
        from: &Window,
        skipped: u64,
        job: &mut Job,
        devices: &mut [DeviceInUse],
        processors: &mut Processors,
    ) {
        for ((reader, to), from) in job.readers.iter_mut().zip(&self.readers).zip(&from.readers) {
            reader.clock.extend(&from.1, &to.1, skipped);
        }
        for ((writer, to), from) in job.writers.iter_mut().zip(&self.writers).zip(&from.writers) {
            writer.clock.extend(&from.1, &to.1, skipped);
        }
        processors.clock.extend(&from.processor, &self.processor, skipped);
        let window = self.nanos(from);
        for (index, device) in devices.iter_mut().enumerate() {
            let (from, to) = (&from.devices[index].times, &self.devices[index].times);
            device.clock.extend(from, to, window, skipped);
        }
    }
}

/// `count` of `window` bytes, for `bytes` bytes.
fn scaled(count: u64, bytes: u64, window: u64) -> u64 {
    let product = u128::from(count) * u128::from(bytes) / u128::from(window.max(1));
    u64::try_from(product).unwrap_or(u64::MAX)
}
