//! Processors and the workers that compress or decompress on them.
//!
//! Workers = min(processors, encoded buffers in flight): each needs a filled raw buffer, a free
//! encoded buffer for the result, and a processor. Processor time of a buffer = bytes / rate of
//! one processor x variability, longer where processors share cores
//! ([`crowding`](crate::plan::Processor::crowding)): by how many are at work when the buffer is
//! begun, for the whole of it. What that comes to is interrupted by other users of the processor
//! ([`Users`]), who go before. The number of workers is our assumption: it is not published, and
//! this fits what is (parallel for a single file, more with more buffers).

use bakcast_sim::{Span, Variates};

use super::job::Job;
use super::stations::{Scene, Stations};
use crate::device::Users;
use crate::quantity::real;
use crate::station_clock::StationClock;

/// The processors that workers run on.
pub(super) struct Processors {
    pub(super) servers: u32,
    /// Workers at work.
    pub(super) busy: u32,
    /// Processors that other jobs keep busy.
    pub(super) elsewhere: u32,
    pub(super) clock: StationClock,
    pub(super) bytes: u64,
    pub(super) completions: u64,
    setting: ProcessorSetting,
}

/// How processors are set up for a run.
pub(super) struct ProcessorSetting {
    pub(super) servers: u32,
    pub(super) speed: f64,
    pub(super) relieved: bool,
    /// How many times longer work takes with so many processors busy; empty if they share no cores.
    pub(super) crowding: Vec<f64>,
    /// Variation from buffer to buffer; `None`: there is none.
    pub(super) variation: Option<Variates>,
    /// Others who go before the workers; `None`: there are none.
    pub(super) users: Option<Users>,
}

impl Processors {
    pub(super) fn new(setting: ProcessorSetting) -> Self {
        Processors {
            servers: setting.servers,
            busy: 0,
            elsewhere: 0,
            clock: StationClock::new(setting.servers),
            bytes: 0,
            completions: 0,
            setting,
        }
    }

    /// How long a worker takes for what takes `seconds` in the mean.
    #[inline(always)]
    pub(super) fn hold(&mut self, seconds: f64) -> Span {
        let ProcessorSetting { speed, relieved, variation, .. } = &mut self.setting;
        let vary = variation.as_mut().map_or(1.0, Variates::next);
        let alone =
            if *relieved { Span::ZERO } else { Span::from_seconds(seconds * vary / *speed) };
        self.crowded(alone, self.busy)
    }

    /// How long that takes which one processor alone does in `alone`, with so many workers at work.
    #[inline(always)]
    pub(super) fn crowded(&mut self, alone: Span, busy: u32) -> Span {
        let span = match self.setting.crowding.get(busy.wrapping_add(self.elsewhere) as usize) {
            Some(longer) => Span::from_seconds(alone.as_seconds() * longer),
            None => alone,
        };
        match &mut self.setting.users {
            Some(users) => users.complete(span),
            None => span,
        }
    }

    /// Share of the workers' time in which others were served, from 0 to 1.
    pub(super) fn taken_by_others(&self) -> f64 {
        self.setting.users.as_ref().map_or(0.0, Users::taken)
    }

    /// Their speed in this run relative to the usual one, if they take any time.
    pub(super) fn speed(&self) -> Option<f64> {
        (!self.setting.relieved).then_some(self.setting.speed)
    }

    /// What [`Processors::hold`] makes of the mean: the variation, if there is one, and the speed,
    /// if work takes any time at all.
    #[inline]
    pub(super) fn pace(&mut self) -> (Option<&mut Variates>, Option<f64>) {
        let ProcessorSetting { speed, relieved, variation, .. } = &mut self.setting;
        (variation.as_mut(), (!*relieved).then_some(*speed))
    }
}

impl Job {
    /// A worker, and a buffer for its result, are free.
    #[inline(always)]
    fn can_work(&self, processors: &Processors) -> bool {
        processors.busy < processors.servers && (!self.encodes || self.encoded.free > 0)
    }

    /// A buffer waits for nothing but a worker.
    pub(super) fn has_work(&self) -> bool {
        !self.filled.is_empty() && (!self.encodes || self.encoded.free > 0)
    }

    /// A worker begins with a filled raw buffer.
    #[inline(always)]
    fn begin_work<S: Stations>(&mut self, bytes: u64, seconds: f64, scene: &mut Scene<'_, S>) {
        self.encoded.free -= u32::from(self.encodes);
        scene.processors.busy += 1;
        let hold = scene.processors.hold(seconds);
        scene.stations.work(scene.now + hold, bytes);
    }

    /// A filled raw buffer goes to a worker, or waits for one.
    #[inline(always)]
    pub(super) fn hand_to_worker<S: Stations>(&mut self, bytes: u64, scene: &mut Scene<'_, S>) {
        let Some(work) = self.work else { return };
        if self.filled.is_empty() && self.can_work(scene.processors) {
            self.begin_work(bytes, real(bytes) * work.seconds_per_byte, scene);
        } else {
            self.filled.push(bytes);
        }
        self.note_workers(scene);
    }

    /// Puts idle workers to work on filled raw buffers.
    #[inline(always)]
    pub(super) fn start_workers<S: Stations>(&mut self, scene: &mut Scene<'_, S>) {
        let Some(work) = self.work else { return };
        while !self.filled.is_empty() && self.can_work(scene.processors) {
            let Some(bytes) = self.filled.pop() else { break };
            self.begin_work(bytes, real(bytes) * work.seconds_per_byte, scene);
        }
        self.note_workers(scene);
    }

    /// A worker has finished its buffer.
    #[inline(always)]
    pub(super) fn end_work(&mut self, bytes: u64, processors: &mut Processors) {
        processors.busy -= 1;
        processors.bytes += bytes;
        processors.completions += 1;
        self.worked_bytes += bytes;
        self.raw.give();
        if let Some(encoded) = self.encode(self.worked_bytes)
            && !self.top_up(encoded)
        {
            self.chunks.push(encoded);
        }
    }

    /// So many bytes have been worked on; returns what that adds to the encoded ones, or `None` if
    /// the result is thrown away.
    #[inline(always)]
    pub(super) fn encode(&mut self, worked_bytes: u64) -> Option<u64> {
        let ratio = self.work.and_then(|w| w.ratio)?;
        let encoded = self.encoded_of(worked_bytes, ratio) - self.encoded_bytes;
        self.encoded_bytes += encoded;
        Some(encoded)
    }

    /// Counts `bytes` as worked on that were carried forward; returns what that hands to writers.
    pub(super) fn skip_work(&mut self, bytes: u64) -> u64 {
        if self.work.is_none() {
            return bytes;
        }
        self.worked_bytes += bytes;
        self.encode(self.worked_bytes).unwrap_or(0)
    }

    /// Encoded bytes of all raw bytes worked on: rounding never adds up, and the total is exact.
    #[inline(always)]
    pub(super) fn encoded_of(&self, worked_bytes: u64, ratio: f64) -> u64 {
        if worked_bytes == self.database_bytes {
            return self.encoded_total;
        }
        ((real(worked_bytes) / ratio) as i64).cast_unsigned().min(self.encoded_total)
    }

    /// Brings the workers' shares up to date.
    #[inline(always)]
    fn note_workers<S: Stations>(&self, scene: &mut Scene<'_, S>) {
        let blocked = self.encodes && self.encoded.free == 0 && !self.filled.is_empty();
        let busy = scene.processors.busy;
        scene.processors.clock.note(scene.now, busy, blocked);
    }
}
