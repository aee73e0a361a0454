//! Totals of a run at one moment: two of them make a window, and say how to skip ahead.
//!
//! All jobs of a run are skipped together, each by its own share.

use bakcast_sim::SimTime;

use super::crew::{Crew, Parts};
use super::devices::DeviceInUse;
use super::forward::{tail_bytes, zone_step};
use super::job::Job;
use super::shares::proportion;
use crate::station_clock::{DeviceTimes, StationTimes};
use crate::wait::{ThreadTimes, in_proportion};

/// Totals of a run at one moment.
pub(super) struct Window {
    at: SimTime,
    crews: Vec<CrewTotals>,
    devices: Vec<DeviceTotals>,
}

/// Totals of one job.
struct CrewTotals {
    /// The job has begun and has not ended.
    under_way: bool,
    readers: Vec<(u64, ThreadTimes)>,
    writers: Vec<(u64, ThreadTimes)>,
    processor: StationTimes,
    processor_completions: u64,
}

impl CrewTotals {
    fn take(at: SimTime, crew: &Crew) -> Self {
        let Crew { job, processors, .. } = crew;
        CrewTotals {
            under_way: crew.is_under_way,
            readers: job.readers.iter().map(|r| (r.offset, r.clock.totals(at))).collect(),
            writers: job.writers.iter().map(|w| (w.written, w.clock.totals(at))).collect(),
            processor: processors.clock.totals(at),
            processor_completions: processors.completions,
        }
    }

    /// Bytes each reader has read since `from`.
    fn moved(&self, from: &CrewTotals) -> Vec<u64> {
        self.readers.iter().zip(&from.readers).map(|(to, from)| to.0 - from.0).collect()
    }

    /// Moves the job on; returns the bytes handed to each writer.
    fn skip(
        &self,
        from: &CrewTotals,
        readers: &[u64],
        crew: &mut Crew,
        devices: &[DeviceInUse],
    ) -> Vec<u64> {
        let Crew { job, processors, .. } = crew;
        for (reader, bytes) in job.readers.iter_mut().zip(readers) {
            reader.left -= bytes;
            reader.offset += bytes;
        }
        let bytes = readers.iter().sum();
        job.read_bytes += bytes;
        let handed_on = job.skip_work(bytes);
        if job.work.is_some() {
            processors.bytes += bytes;
            let completions = processors.completions - from.processor_completions;
            let moved = self.moved(from).iter().sum();
            processors.completions += scaled(completions, bytes, moved);
        }
        if job.writing.dealt {
            let shares = job.skip_dealing(handed_on);
            job.written_bytes += handed_on;
            return hand_over(job, shares);
        }
        let written: Vec<u64> =
            self.writers.iter().zip(&from.writers).map(|(to, from)| to.0 - from.0).collect();
        let (writers, size) = (&job.writers, job.writing.transfer_size);
        let shares = in_proportion(&proportion(&written, writers, size, devices), handed_on);
        if !job.writers.is_empty() {
            job.written_bytes += handed_on;
        }
        hand_over(job, shares)
    }

    /// Lets `skipped` nanoseconds pass, spent as since `from`.
    fn extend(&self, from: &CrewTotals, skipped: u64, crew: &mut Crew) {
        // At the end of the run it may be done.
        if !from.under_way {
            return;
        }
        let Crew { job, processors, .. } = crew;
        for ((reader, to), from) in job.readers.iter_mut().zip(&self.readers).zip(&from.readers) {
            reader.clock.extend(&from.1, &to.1, skipped);
        }
        for ((writer, to), from) in job.writers.iter_mut().zip(&self.writers).zip(&from.writers) {
            writer.clock.extend(&from.1, &to.1, skipped);
        }
        processors.clock.extend(&from.processor, &self.processor, skipped);
        crew.skipped_ns += skipped;
    }
}

/// Counts what was handed to each writer as written.
fn hand_over(job: &mut Job, shares: Vec<u64>) -> Vec<u64> {
    for (writer, bytes) in job.writers.iter_mut().zip(&shares) {
        writer.written += bytes;
        writer.offset += bytes;
    }
    shares
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
    /// Bytes of each reader of each job.
    readers: Vec<Vec<u64>>,
    /// Bytes of all readers.
    pub(super) bytes: u64,
    /// Whether the rate changes on the way.
    pub(super) drifts: bool,
    /// Whether it ends where burst credit would.
    pub(super) spends_credit: bool,
}

impl Window {
    pub(super) fn take(parts: &Parts<'_>) -> Self {
        let at = parts.now;
        let device = |d: &DeviceInUse| DeviceTotals {
            times: d.clock.totals(at),
            completions: d.completions,
            bytes: d.bytes,
            written: d.holder.written(),
        };
        Window {
            at,
            crews: parts.crews.iter().map(|crew| CrewTotals::take(at, crew)).collect(),
            devices: parts.devices.iter().map(device).collect(),
        }
    }

    /// Whether the job that is asked about was under way.
    pub(super) fn has_main(&self) -> bool {
        self.crews.first().is_some_and(|crew| crew.under_way)
    }

    /// Whether a drive has been written to since here so little that its pauses, which are worth
    /// more than `share` of the time, cannot have shown in what was measured.
    pub(super) fn misses_pauses(&self, parts: &Parts<'_>, share: f64) -> bool {
        let elapsed = parts.now.since(self.at).as_seconds();
        self.devices.iter().zip(parts.devices.iter()).any(|(from, device)| {
            let written = device.holder.written() - from.written;
            let pauses = device.holder.stalls(written);
            pauses.is_some_and(|(count, seconds)| {
                count < PAUSES_MIN && count * seconds > share * elapsed
            })
        })
    }

    /// Bytes read half way from here to `to`.
    pub(super) fn middle(&self, to: &Window) -> f64 {
        let readers = |w: &Window| w.crews.iter().flat_map(|crew| &crew.readers).map(|r| r.0).sum();
        let (begin, end): (u64, u64) = (readers(self), readers(to));
        0.5 * (begin as f64 + end as f64)
    }

    fn nanos(&self, from: &Window) -> u64 {
        self.at.since(from.at).as_nanos()
    }

    /// The largest step from here that stays within the regime, at the rates since `from`, and ends
    /// before `until`. Where the rate drifts, enough is kept back to settle and to measure once
    /// more before the end.
    pub(super) fn step(
        &self,
        from: &Window,
        settle_bytes: u64,
        parts: &Parts<'_>,
        until: Option<SimTime>,
    ) -> Step {
        let zoned =
            |d: &DeviceInUse| d.bytes > 0 && d.holder.zone_stretch(zone_step(), d.bytes).is_some();
        let drifting = parts.devices.iter().any(zoned);
        let tail = |job: &Job| {
            let tail = tail_bytes(job.read_size, job.readers.len());
            if drifting { settle_bytes + 5 * tail } else { tail }
        };
        // In windows: how many times what was moved since `from` may be skipped.
        let mut windows = f64::INFINITY;
        if let Some(until) = until {
            // The window itself is kept back, as before any change.
            windows = until.since(self.at).as_seconds() * 1e9 / self.nanos(from) as f64 - 1.0;
        }
        let moved: Vec<Vec<u64>> =
            self.crews.iter().zip(&from.crews).map(|(to, from)| to.moved(from)).collect();
        for (crew, moved) in parts.crews.iter().zip(&moved).filter(|(c, _)| c.is_under_way) {
            let readers = crew.job.readers.iter().zip(moved);
            for (reader, moved) in readers.filter(|(r, _)| r.left > 0) {
                let spare = reader.left.saturating_sub(tail(&crew.job));
                windows = windows.min(spare as f64 / (*moved).max(1) as f64);
            }
        }
        let (drifts, spends_credit) = self.limit_by_devices(from, parts.devices, &mut windows);
        let of_crew = |(crew, moved): (&Crew, &Vec<u64>)| {
            let job = &crew.job;
            let whole = |bytes: f64| (bytes as u64) / job.read_size * job.read_size;
            let readers = job.readers.iter().zip(moved);
            let bytes = readers.map(|(reader, moved)| {
                let spare = reader.left.saturating_sub(tail(job));
                whole(windows.max(0.0) * *moved as f64).min(whole(spare as f64))
            });
            bytes.collect::<Vec<u64>>()
        };
        let readers: Vec<Vec<u64>> = parts.crews.iter().zip(&moved).map(of_crew).collect();
        Step { bytes: readers.iter().flatten().sum(), readers, drifts, spends_credit }
    }

    /// Lowers `windows` to where a device becomes another one. Returns whether rates drift on the
    /// way, and whether burst credit would be gone.
    fn limit_by_devices(
        &self,
        from: &Window,
        devices: &[DeviceInUse],
        windows: &mut f64,
    ) -> (bool, bool) {
        let seconds = self.nanos(from) as f64 * 1e-9;
        let (mut drifts, mut spends_credit) = (false, false);
        for (index, device) in devices.iter().enumerate() {
            let written = self.devices[index].written - from.devices[index].written;
            if let (Some(room), true) = (device.holder.cache_room(), written > 0) {
                // The window itself is kept back, so that the change is simulated.
                *windows = windows.min(room as f64 / written as f64 - 1.0);
            }
            let bytes = self.devices[index].bytes - from.devices[index].bytes;
            if let Some(lasts) = device.holder.credit_lasts(bytes, seconds) {
                // As with a cache: the edge is simulated.
                spends_credit |= lasts - 1.0 < *windows;
                *windows = windows.min(lasts - 1.0);
            }
            if let (Some(stretch), true) =
                (device.holder.zone_stretch(zone_step(), device.bytes), bytes > 0)
            {
                drifts = true;
                *windows = windows.min(stretch / bytes as f64);
            }
        }
        (drifts, spends_credit)
    }

    /// Moves readers, workers and writers on; no time passes.
    pub(super) fn skip(&self, from: &Window, step: &Step, parts: &mut Parts<'_>) {
        let mut added = vec![(0, 0); parts.devices.len()];
        for (index, crew) in parts.crews.iter_mut().enumerate() {
            let readers = &step.readers[index];
            let shares = self.crews[index].skip(&from.crews[index], readers, crew, parts.devices);
            for (reader, bytes) in crew.job.readers.iter().zip(readers) {
                reader.devices.iter().for_each(|d| added[*d].0 += bytes);
            }
            for (writer, bytes) in crew.job.writers.iter().zip(&shares) {
                writer.devices.iter().for_each(|d| added[*d].1 += bytes);
            }
        }
        let moved: u64 =
            self.crews.iter().zip(&from.crews).flat_map(|(to, from)| to.moved(from)).sum();
        let seconds = self.nanos(from) as f64 * 1e-9 * step.bytes as f64 / moved.max(1) as f64;
        for (index, device) in parts.devices.iter_mut().enumerate() {
            // NUL has no station to pass, and counts nothing.
            if device.is_null {
                continue;
            }
            let (read, written) = added[index];
            device.bytes += read + written;
            let completions = self.devices[index].completions - from.devices[index].completions;
            device.completions += scaled(completions, step.bytes, moved);
            device.holder.skip(read, written, seconds);
        }
    }

    /// Lets `skipped` nanoseconds pass, spent as since `from`.
    pub(super) fn extend(&self, from: &Window, skipped: u64, parts: &mut Parts<'_>) {
        let crews = parts.crews.iter_mut().zip(self.crews.iter().zip(&from.crews));
        crews.for_each(|(crew, (to, from))| to.extend(from, skipped, crew));
        let window = self.nanos(from);
        for (index, device) in parts.devices.iter_mut().enumerate() {
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
