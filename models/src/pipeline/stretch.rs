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
    job: &'a mut Job,
    devices: &'a mut [DeviceInUse],
    processors: &'a mut Processors,
    lines: &'a mut Lines,
    /// Bytes of every transfer.
    size: u64,
    /// Mean processor time of a buffer.
    work_seconds: f64,
    /// Mean time of a read, if it depends on nothing.
    read_seconds: Option<f64>,
}

impl<'a> Stretch<'a> {
    /// The stretch that begins here, if one does.
    pub(super) fn begin(
        job: &'a mut Job,
        devices: &'a mut [DeviceInUse],
        processors: &'a mut Processors,
        lines: &'a mut Lines,
    ) -> Option<Self> {
        let [reader] = &job.readers[..] else { return None };
        let work = job.work?;
        if reader.left <= job.read_size || !job.filled.is_usual() {
            return None;
        }
        let size = job.read_size;
        let work_seconds = real(size) * work.seconds_per_byte;
        let source = &devices[lines.device_of(0)?].holder;
        let read_seconds = source.steady_read_s(size);
        Some(Stretch { job, devices, processors, lines, size, work_seconds, read_seconds })
    }

    /// Runs until so many bytes are read or the last transfer is near; returns the events and the
    /// time of the last one. Nothing is under way any more if that is `None`.
    pub(super) fn run(mut self, until: u64, begin: SimTime) -> (u64, Option<SimTime>) {
        let mut hand = self.take_up();
        let mut now = Some(begin);
        let mut events = 0;
        while hand.left > self.size && hand.read_bytes < until {
            let Some((at, first)) = self.lines.first() else {
                now = None;
                break;
            };
            now = Some(at);
            events += 1;
            match first {
                First::Worker => self.end_work(at, &mut hand),
                First::Line(line) => {
                    let (thread, bytes) = self.lines.depart(line, at, self.devices);
                    if thread == 0 {
                        hand.reading -= 1;
                        hand.read_bytes += self.size;
                        hand.filled += 1;
                        hand.waits = true;
                    } else {
                        self.end_write(at, thread, bytes);
                    }
                }
            }
            self.start_workers(at, &mut hand);
            self.read_on(at, &mut hand);
        }
        self.put_down(&hand);
        (events, now)
    }

    fn take_up(&self) -> Hand {
        let reader = &self.job.readers[0];
        Hand {
            raw: self.job.raw.free,
            filled: self.job.filled.len(),
            busy: self.processors.busy,
            reading: reader.outstanding,
            waits: reader.is_ready,
            left: reader.left,
            read_bytes: self.job.read_bytes,
            worked_bytes: self.job.worked_bytes,
            completions: 0,
        }
    }

    /// The counts go back to where everybody looks them up.
    fn put_down(self, hand: &Hand) {
        let job = self.job;
        let reader = &mut job.readers[0];
        reader.offset += reader.left - hand.left;
        reader.left = hand.left;
        reader.outstanding = hand.reading;
        reader.is_ready = hand.waits;
        job.ready_readers.pop();
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
    fn end_work(&mut self, now: SimTime, hand: &mut Hand) {
        self.lines.end_work();
        hand.busy -= 1;
        hand.completions += 1;
        hand.worked_bytes += self.size;
        hand.raw += 1;
        if let Some(encoded) = self.job.encode(hand.worked_bytes)
            && !self.job.top_up(encoded)
        {
            self.hand_to_writers(now, encoded);
        }
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
    }

    #[inline(always)]
    fn start_workers(&mut self, now: SimTime, hand: &mut Hand) {
        let job = &mut *self.job;
        let encodes = job.encodes;
        while hand.filled > 0
            && hand.busy < self.processors.servers
            && (!encodes || job.encoded.free > 0)
        {
            hand.filled -= 1;
            hand.busy += 1;
            job.encoded.free -= u32::from(encodes);
            let hold = self.processors.hold(self.work_seconds);
            self.lines.work(now + hold, self.size);
        }
        let blocked = encodes && job.encoded.free == 0 && hand.filled > 0;
        self.processors.clock.note(now, hand.busy, blocked);
    }

    /// The reader, if it waits for buffers, takes those there are; its state is brought up to date.
    #[inline(always)]
    fn read_on(&mut self, now: SimTime, hand: &mut Hand) {
        while hand.waits && hand.raw > 0 {
            hand.raw -= 1;
            hand.reading += 1;
            match self.read_seconds {
                Some(seconds) if hand.left >= self.size => {
                    hand.left -= self.size;
                    self.lines.begin_steady(now, self.size, 0, seconds, self.devices);
                }
                _ => hand.left -= self.read(now, hand.left),
            }
            hand.waits = hand.reading < self.job.read_depth && hand.left > 0;
        }
        let state =
            if hand.waits { ThreadState::AwaitingBuffer } else { ThreadState::AwaitingRead };
        let reader = &mut self.job.readers[0];
        if reader.clock.state() != state {
            reader.clock.enter(now, state);
            note_reader_blocked(now, &reader.devices, hand.waits, self.devices);
        }
    }

    /// A read whose time depends on where the device is, or the last one, which may be shorter: its
    /// end is none of the stretch's. Returns its bytes.
    #[inline(never)]
    fn read(&mut self, now: SimTime, left: u64) -> u64 {
        let reader = &self.job.readers[0];
        let offset = reader.offset + (reader.left - left);
        let bytes = left.min(self.size);
        let transfer = Transfer { bytes, thread: 0, direction: Direction::Read, offset };
        self.lines.begin(now, transfer, self.devices);
        bytes
    }
}
