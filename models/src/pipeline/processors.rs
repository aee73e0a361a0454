//! Processors and the workers that compress or decompress on them.
//!
//! Workers = min(processors, encoded buffers in flight): each needs a filled raw buffer, a free
//! encoded buffer for the result, and a processor. Processor time of a buffer = bytes / rate of
//! one processor x variability. The number of workers is our assumption: it is not published, and
//! this fits what is (parallel for a single file, more with more buffers).

use bakcast_sim::{Distribution, Slot, Span, Station, Stream};

use super::job::{Job, Scene};
use crate::station_clock::StationClock;

/// The processors that workers run on.
pub(super) struct Processors {
    pub(super) station: Station<u64>,
    pub(super) clock: StationClock,
    pub(super) bytes: u64,
    pub(super) completions: u64,
    first_slot: usize,
    speed: f64,
    relieved: bool,
    variability: Option<Distribution>,
    service: Stream,
}

/// How processors are set up for a run.
pub(super) struct ProcessorSetting {
    pub(super) servers: u32,
    pub(super) first_slot: usize,
    pub(super) speed: f64,
    pub(super) relieved: bool,
    pub(super) variability: Option<Distribution>,
    pub(super) service: Stream,
}

impl Processors {
    pub(super) fn new(setting: ProcessorSetting) -> Self {
        Processors {
            station: Station::new(setting.servers as usize),
            clock: StationClock::new(setting.servers),
            bytes: 0,
            completions: 0,
            first_slot: setting.first_slot,
            speed: setting.speed,
            relieved: setting.relieved,
            variability: setting.variability,
            service: setting.service,
        }
    }

    /// Workers at work.
    #[inline]
    pub(super) fn busy(&self) -> u32 {
        self.station.busy_servers() as u32
    }

    /// Whether a worker is free.
    fn has_idle(&self) -> bool {
        self.station.busy_servers() < self.station.servers()
    }

    fn hold(&mut self, seconds: f64) -> Span {
        let vary = self.variability.as_ref().map_or(1.0, |v| v.sample(&mut self.service));
        if self.relieved { Span::ZERO } else { Span::from_seconds(seconds * vary / self.speed) }
    }
}

impl Job {
    /// Puts idle workers to work on filled raw buffers.
    pub(super) fn start_workers(&mut self, scene: &mut Scene<'_>) {
        let Some(work) = self.work else { return };
        let encodes = work.ratio.is_some();
        while scene.processors.has_idle() {
            if self.filled.is_empty() || (encodes && !self.encoded.take()) {
                break;
            }
            let Some(bytes) = self.filled.pop_front() else { break };
            let hold = scene.processors.hold(bytes as f64 * work.seconds_per_byte);
            if let Some(server) = scene.processors.station.arrive(scene.now, bytes) {
                let slot = Slot::new(scene.processors.first_slot + server);
                scene.calendar.schedule(slot, scene.now + hold);
            }
        }
        self.note_workers(scene);
    }

    /// A worker has finished its buffer.
    pub(super) fn work_ended(&mut self, server: u32, slot: Slot, scene: &mut Scene<'_>) {
        scene.calendar.cancel(slot);
        let (bytes, _) = scene.processors.station.depart(scene.now, server as usize);
        scene.processors.bytes += bytes;
        scene.processors.completions += 1;
        self.worked_bytes += bytes;
        self.raw.give();
        if let Some(ratio) = self.work.and_then(|w| w.ratio) {
            let encoded = self.encoded_so_far(ratio) - self.encoded_bytes;
            self.encoded_bytes += encoded;
            self.chunks.push_back(encoded);
            self.pump_writers(scene);
        }
        self.start_workers(scene);
        self.pump_readers(scene);
    }

    /// Counts `bytes` as worked on that were carried forward; returns what that hands to writers.
    pub(super) fn skip_work(&mut self, bytes: u64) -> u64 {
        let Some(work) = self.work else { return bytes };
        self.worked_bytes += bytes;
        let Some(ratio) = work.ratio else { return 0 };
        let encoded = self.encoded_so_far(ratio) - self.encoded_bytes;
        self.encoded_bytes += encoded;
        encoded
    }

    /// Encoded bytes of all raw bytes worked on so far: rounding never adds up, and the total is
    /// exact.
    fn encoded_so_far(&self, ratio: f64) -> u64 {
        if self.worked_bytes == self.database_bytes {
            return self.encoded_total;
        }
        ((self.worked_bytes as f64 / ratio) as u64).min(self.encoded_total)
    }

    /// Brings the workers' shares up to date.
    fn note_workers(&self, scene: &mut Scene<'_>) {
        let blocked = self.encodes() && self.encoded.free == 0 && !self.filled.is_empty();
        scene.processors.clock.note(scene.now, scene.processors.busy(), blocked);
    }
}
