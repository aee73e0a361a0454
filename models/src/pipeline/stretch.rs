//! The long middle of a job with one reader whose buffers are worked on.
//!
//! From the first transfer to the last but a few such a job repeats itself: every transfer is of
//! full size, and one reader either has a buffer or waits for one. Here that middle runs with its
//! counts at hand instead of looked up; what happens is what [`Job::go_on`] would do, to the
//! nanosecond (a test holds both to it).

use bakcast_sim::SimTime;

use super::devices::{DeviceInUse, note_reader_blocked};
use super::job::Job;
use super::lines::{First, Lines};
use super::processors::Processors;
use super::stations::{Scene, Stations};
use crate::device::{Direction, Transfer};
use crate::quantity::real;
use crate::wait::ThreadState;

/// What one reader and the workers have at hand.
struct Hand {
    /// Free raw buffers.
    raw: u32,
    /// Filled buffers that wait for a worker.
    filled: u32,
    /// Workers at work.
    busy: u32,
    /// Reads under way.
    reading: u32,
    /// Whether the reader waits for a buffer.
    waits: bool,
    /// Bytes not yet asked for.
    left: u64,
    read_bytes: u64,
    worked_bytes: u64,
    completions: u64,
}

/// A job with one reader, between two looks at it.
pub(super) struct Stretch<'a> {
    pub(super) job: &'a mut Job,
    pub(super) devices: &'a mut [DeviceInUse],
    pub(super) processors: &'a mut Processors,
    pub(super) lines: &'a mut Lines,
    hand: Hand,
    /// Bytes of every transfer.
    size: u64,
    /// Mean processor time of a buffer.
    work_seconds: f64,
}

impl<'a> Stretch<'a> {
    /// The stretch that begins here, if one does.
    pub(super) fn begin(
        job: &'a mut Job,
        devices: &'a mut [DeviceInUse],
        processors: &'a mut Processors,
        lines: &'a mut Lines,
    ) -> Option<Self> {
        let [reader] = &mut job.readers[..] else { return None };
        let work = job.work?;
        if reader.left <= job.read_size || !job.filled.is_usual() {
            return None;
        }
        let hand = Hand {
            raw: job.raw.free,
            filled: job.filled.len(),
            busy: processors.busy,
            reading: reader.outstanding,
            waits: reader.is_ready,
            left: reader.left,
            read_bytes: job.read_bytes,
            worked_bytes: job.worked_bytes,
            completions: 0,
        };
        let size = job.read_size;
        let work_seconds = real(size) * work.seconds_per_byte;
        Some(Stretch { job, devices, processors, lines, hand, size, work_seconds })
    }

    /// Runs until so many bytes are read or the last transfer is near; returns the events and the
    /// time of the last one. Nothing is under way any more if that is `None`.
    pub(super) fn run(mut self, until: u64, begin: SimTime) -> (u64, Option<SimTime>) {
        let mut now = Some(begin);
        let mut events = 0;
        while self.hand.left > self.size && self.hand.read_bytes < until {
            let Some((at, first)) = self.lines.first() else {
                now = None;
                break;
            };
            now = Some(at);
            events += 1;
            match first {
                First::Worker => self.end_work(at),
                First::Line(line) => {
                    let (thread, bytes) = self.lines.depart(line, at, self.devices);
                    if thread == 0 { self.end_read(at) } else { self.end_write(at, thread, bytes) }
                }
            }
        }
        self.put_down();
        (events, now)
    }

    /// The counts go back to where everybody looks them up.
    fn put_down(self) {
        let (job, hand) = (self.job, self.hand);
        let reader = &mut job.readers[0];
        reader.offset += reader.left - hand.left;
        reader.left = hand.left;
        reader.outstanding = hand.reading;
        job.ready_readers.pop();
        reader.is_ready = hand.waits;
        if hand.waits {
            job.ready_readers.push(0);
        }
        job.raw.free = hand.raw;
        job.filled.set_usual(hand.filled);
        job.read_bytes = hand.read_bytes;
        job.worked_bytes = hand.worked_bytes;
        self.processors.busy = hand.busy;
        self.processors.completions += hand.completions;
        self.processors.bytes += hand.completions * self.size;
    }

    #[inline(always)]
    fn end_read(&mut self, now: SimTime) {
        self.hand.reading -= 1;
        self.hand.read_bytes += self.size;
        self.hand.filled += 1;
        self.start_workers(now);
        self.hand.waits = self.hand.left > 0;
        self.read_on(now);
    }

    #[inline(always)]
    fn end_work(&mut self, now: SimTime) {
        self.lines.end_work();
        self.hand.busy -= 1;
        self.hand.completions += 1;
        self.hand.worked_bytes += self.size;
        self.hand.raw += 1;
        if let Some(encoded) = self.job.encode(self.hand.worked_bytes)
            && !self.job.top_up(encoded)
        {
            self.hand_to_writers(now, encoded);
        }
        self.start_workers(now);
        self.read_on(now);
    }

    #[inline(never)]
    fn hand_to_writers(&mut self, now: SimTime, encoded: u64) {
        self.job.chunks.push(encoded);
        let (devices, processors) = (&mut *self.devices, &mut *self.processors);
        self.job.pump_writers(&mut Scene { now, stations: self.lines, devices, processors });
    }

    #[inline(never)]
    fn end_write(&mut self, now: SimTime, thread: u16, bytes: u64) {
        let (devices, processors) = (&mut *self.devices, &mut *self.processors);
        let mut scene = Scene { now, stations: &mut *self.lines, devices, processors };
        self.job.end_write(thread, bytes, &mut scene);
        self.job.pump_writers(&mut scene);
        self.start_workers(now);
    }

    #[inline(always)]
    fn start_workers(&mut self, now: SimTime) {
        let Hand { filled, busy, .. } = &mut self.hand;
        let job = &mut *self.job;
        while *filled > 0
            && *busy < self.processors.servers
            && (!job.encodes || job.encoded.free > 0)
        {
            *filled -= 1;
            *busy += 1;
            job.encoded.free -= u32::from(job.encodes);
            let hold = self.processors.hold(self.work_seconds);
            self.lines.work(now + hold, self.size);
        }
        let blocked = job.encodes && job.encoded.free == 0 && *filled > 0;
        self.processors.clock.note(now, *busy, blocked);
    }

    /// The reader, if it waits for buffers, takes those there are; its state is brought up to date.
    #[inline(always)]
    fn read_on(&mut self, now: SimTime) {
        while self.hand.waits && self.hand.raw > 0 {
            let reader = &self.job.readers[0];
            let offset = reader.offset + (reader.left - self.hand.left);
            // The last transfer may be shorter; its end is none of the stretch's.
            let bytes = self.hand.left.min(self.size);
            self.hand.raw -= 1;
            self.hand.reading += 1;
            self.hand.left -= bytes;
            self.hand.waits = self.hand.reading < self.job.read_depth && self.hand.left > 0;
            let transfer = Transfer { bytes, thread: 0, direction: Direction::Read, offset };
            self.lines.begin(now, transfer, self.devices);
        }
        let state = if self.hand.waits {
            ThreadState::AwaitingBuffer
        } else {
            ThreadState::AwaitingRead
        };
        let reader = &mut self.job.readers[0];
        if reader.clock.state() != state {
            reader.clock.enter(now, state);
            note_reader_blocked(now, &reader.devices, self.hand.waits, self.devices);
        }
    }
}
