//! Processors and the workers that compress or decompress on them.
//!
//! Workers = min(processors, encoded buffers in flight): each needs a filled raw buffer, a free
//! encoded buffer for the result, and a processor. Processor time of a buffer = bytes / rate of
//! one processor x variability. The number of workers is our assumption: it is not published, and
//! this fits what is (parallel for a single file, more with more buffers).

use bakcast_sim::{Distribution, Slot, Span, Stream};

use super::job::{Ended, Job, Scene};
use crate::quantity::real;
use crate::station_clock::StationClock;

/// The processors that workers run on.
pub(super) struct Processors {
    pub(super) servers: u32,
    /// Idle ones; which of them works next makes no difference.
    idle: Vec<u32>,
    /// The slot of each worker's end, and the bytes of the buffer it works on.
    workers: Vec<(Slot, u64)>,
    pub(super) clock: StationClock,
    pub(super) bytes: u64,
    pub(super) completions: u64,
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
            servers: setting.servers,
            idle: (0..setting.servers).rev().collect(),
            workers: (0..setting.servers as usize)
                .map(|server| (Slot::new(setting.first_slot + server), 0))
                .collect(),
            clock: StationClock::new(setting.servers),
            bytes: 0,
            completions: 0,
            speed: setting.speed,
            relieved: setting.relieved,
            variability: setting.variability,
            service: setting.service,
        }
    }

    /// Workers at work.
    #[inline]
    pub(super) fn busy(&self) -> u32 {
        self.servers - self.idle.len() as u32
    }

    #[inline]
    fn hold(&mut self, seconds: f64) -> Span {
        let vary = self.variability.as_ref().map_or(1.0, |v| v.sample(&mut self.service));
        if self.relieved { Span::ZERO } else { Span::from_seconds(seconds * vary / self.speed) }
    }

    /// A worker takes a buffer of `bytes`; returns the slot of its end, and the time it takes.
    #[inline]
    fn begin(&mut self, server: u32, bytes: u64, seconds_per_byte: f64) -> (Slot, Span) {
        let hold = self.hold(real(bytes) * seconds_per_byte);
        let worker = &mut self.workers[server as usize];
        worker.1 = bytes;
        (worker.0, hold)
    }

    /// A worker is done with its buffer; returns its bytes.
    #[inline]
    fn end(&mut self, server: u32) -> u64 {
        let (_, bytes) = self.workers[server as usize];
        self.idle.push(server);
        self.bytes += bytes;
        self.completions += 1;
        bytes
    }

    /// Whether this worker would be the next to work: the last one that became idle.
    #[inline]
    pub(super) fn is_next(&self, server: u32) -> bool {
        self.idle.last() == Some(&server)
    }
}

impl Job {
    /// Puts idle workers to work on filled raw buffers.
    #[inline(always)]
    pub(super) fn start_workers(&mut self, scene: &mut Scene<'_>) {
        let Some(work) = self.work else { return };
        while !self.filled.is_empty() && (!self.encodes || self.encoded.free > 0) {
            let Some(server) = scene.processors.idle.pop() else { break };
            let Some(bytes) = self.filled.pop() else { break };
            self.encoded.free -= u32::from(self.encodes);
            let (slot, hold) = scene.processors.begin(server, bytes, work.seconds_per_byte);
            scene.calendar.schedule(slot, scene.now + hold);
        }
        self.note_workers(scene);
    }

    /// A worker has finished its buffer. What that sets going is up to [`Job::go_on`].
    #[inline(always)]
    pub(super) fn work_ended(
        &mut self,
        server: u32,
        slot: Slot,
        processors: &mut Processors,
    ) -> Ended {
        let bytes = processors.end(server);
        self.worked_bytes += bytes;
        self.raw.give();
        if let Some(ratio) = self.work.and_then(|w| w.ratio) {
            let encoded = self.encoded_so_far(ratio) - self.encoded_bytes;
            self.encoded_bytes += encoded;
            if !self.top_up(encoded) {
                self.chunks.push(encoded);
            }
        }
        Ended::Work { server, slot }
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
    #[inline]
    fn encoded_so_far(&self, ratio: f64) -> u64 {
        if self.worked_bytes == self.database_bytes {
            return self.encoded_total;
        }
        ((real(self.worked_bytes) / ratio) as i64).cast_unsigned().min(self.encoded_total)
    }

    /// Brings the workers' shares up to date.
    #[inline]
    fn note_workers(&self, scene: &mut Scene<'_>) {
        let blocked = self.encodes && self.encoded.free == 0 && !self.filled.is_empty();
        scene.processors.clock.note(scene.now, scene.processors.busy(), blocked);
    }
}
