//! The long middle of a job with one reader whose buffers are worked on.
//!
//! From the first transfer to the last but a few such a job repeats itself: every transfer is of
//! full size, and one reader either has a buffer or waits for one. Here that middle runs with its
//! counts at hand instead of looked up; what happens is what [`Job::go_on`] would do, to the
//! nanosecond (a test holds both to it).
//!
//! What nobody asks for meanwhile is not kept up to date: totals are added up at the end, and so
//! are encoded bytes that writers are certain to have room for. The times of reads and of work are
//! computed some at a time.

use bakcast_sim::{SimTime, Span, Variates};

use super::devices::{DeviceInUse, note_reader_blocked};
use super::job::Job;
use super::lines::{First, Lines, Next};
use super::processors::Processors;
use super::stations::{Scene, Stations};
use crate::device::{Direction, Transfer};
use crate::quantity::real;
use crate::wait::ThreadState;

/// Times computed at once.
const AHEAD: usize = 64;

/// The times of what comes next.
struct Holds {
    spans: [Span; AHEAD],
    length: usize,
    taken: usize,
    /// Seconds of each before variation.
    seconds: f64,
}

impl Holds {
    fn new(seconds: f64) -> Self {
        Holds { spans: [Span::ZERO; AHEAD], length: 0, taken: 0, seconds }
    }

    /// The next one; `None` if more have to be computed.
    #[inline(always)]
    fn next(&mut self) -> Option<Span> {
        if self.taken >= self.length {
            return None;
        }
        let span = self.spans[self.taken % AHEAD];
        self.taken += 1;
        Some(span)
    }

    /// Computes more.
    #[inline(never)]
    fn refill(&mut self, (mut variates, speed): (Option<&mut Variates>, Option<f64>)) {
        if let Some(variates) = &mut variates {
            variates.skip(self.taken);
        }
        let constant = [1.0; AHEAD];
        let ahead = variates.map_or(&constant[..], |variates| variates.ahead());
        self.length = ahead.len().min(AHEAD);
        self.taken = 0;
        for (span, vary) in self.spans.iter_mut().zip(ahead) {
            *span =
                speed.map_or(Span::ZERO, |speed| Span::from_seconds(self.seconds * vary / speed));
        }
    }

    /// Hands out the variates of those that were taken.
    fn put_down(&self, (variates, _): (Option<&mut Variates>, Option<f64>)) {
        if let Some(variates) = variates {
            variates.skip(self.taken);
        }
    }
}

/// What one reader and the workers have at hand.
struct Hand {
    /// Free raw buffers.
    raw: u32,
    /// Filled buffers that wait for a worker.
    filled: u32,
    /// Workers at work, and of how many.
    busy: u32,
    servers: u32,
    /// Free encoded buffers; without end if there is no need of them.
    encoded: u32,
    /// Whether workers wait for encoded buffers, as far as their clock knows.
    blocked: bool,
    /// Reads under way.
    reading: u32,
    read_depth: u32,
    /// Whether the reader waits for a buffer, and whether its clock says so.
    waits: bool,
    noted_waits: bool,
    /// Reads to begin before the last one or two are left.
    to_begin: u64,
    /// Reads to end before the stretch does.
    to_end: u64,
    /// Reads begun and ended.
    begun: u64,
    ended: u64,
    /// Time of the reads begun.
    reading_for: Span,
    /// Buffers worked on.
    worked: u64,
    /// How many of them the writers know of.
    settled: u64,
    /// Buffers for whose encoded bytes writers are certain to have room.
    quick: u64,
    /// What [`StationClock::note_steps`](crate::station_clock::StationClock::note_steps) needs.
    steps: u64,
    /// The end that comes next on any device but the source.
    next: Next,
}

/// A job with one reader, between two looks at it.
pub(super) struct Stretch<'a> {
    job: &'a mut Job,
    devices: &'a mut [DeviceInUse],
    processors: &'a mut Processors,
    lines: &'a mut Lines,
    /// Bytes of every transfer.
    size: u64,
    source: usize,
    /// Whether the time of a read depends on nothing.
    is_steady: bool,
    reads: Holds,
    works: Holds,
    /// An encoded buffer has fewer bytes.
    encoded_below: u64,
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
        let size = job.read_size;
        if reader.left <= size || !job.filled.is_usual() {
            return None;
        }
        let source = lines.device_of(0)?;
        let read_seconds = devices[source].holder.steady_read_s(size);
        // Rounding adds one at the most; what more floating-point numbers add, far less than the
        // last term.
        let encoded = work.ratio.map_or(0.0, |ratio| real(size) / ratio);
        let encoded_below = encoded as u64 + 3 + (job.database_bytes >> 48);
        Some(Stretch {
            job,
            devices,
            processors,
            lines,
            size,
            source,
            is_steady: read_seconds.is_some(),
            reads: Holds::new(read_seconds.unwrap_or(0.0)),
            works: Holds::new(real(size) * work.seconds_per_byte),
            encoded_below,
        })
    }

    /// Runs until so many bytes are read or the last transfer is near; returns the events and the
    /// time of the last one. Nothing is under way any more if that is `None`.
    pub(super) fn run(mut self, until: u64, begin: SimTime) -> (u64, Option<SimTime>) {
        let mut hand = self.take_up(until);
        let mut now = begin;
        let mut events = 0;
        while hand.to_begin > 0 && hand.to_end > 0 {
            let Some((at, first)) = self.lines.first_of_three(hand.next) else {
                self.put_down(now, &mut hand);
                return (events, None);
            };
            now = at;
            events += 1;
            match first {
                First::Worker => self.end_work(now, &mut hand),
                First::Line(line) => {
                    let (thread, bytes) = self.lines.leave(line, now, self.devices);
                    if thread == 0 {
                        hand.reading -= 1;
                        hand.ended += 1;
                        hand.to_end -= 1;
                        hand.filled += 1;
                        hand.waits = true;
                    } else {
                        self.end_write(now, (thread, bytes), line, &mut hand);
                    }
                }
            }
            self.start_workers(now, &mut hand);
            self.read_on(now, &mut hand);
        }
        self.put_down(now, &mut hand);
        (events, Some(now))
    }

    fn take_up(&mut self, until: u64) -> Hand {
        let reader = &self.job.readers[0];
        let mut hand = Hand {
            raw: self.job.raw.free,
            filled: self.job.filled.len(),
            busy: self.processors.busy,
            servers: self.processors.servers,
            encoded: if self.job.encodes { self.job.encoded.free } else { u32::MAX / 2 },
            blocked: true,
            reading: reader.outstanding,
            read_depth: self.job.read_depth,
            waits: reader.is_ready,
            noted_waits: reader.clock.state() == ThreadState::AwaitingBuffer,
            to_begin: (reader.left - 1) / self.size,
            to_end: until.saturating_sub(self.job.read_bytes).div_ceil(self.size),
            begun: 0,
            ended: 0,
            reading_for: Span::ZERO,
            worked: 0,
            settled: 0,
            quick: 0,
            steps: 0,
            next: self.lines.next_of_others(),
        };
        self.promise(&mut hand);
        hand
    }

    /// The counts go back to where everybody looks them up; a read that is none of the stretch's
    /// begins if it can.
    fn put_down(mut self, now: SimTime, hand: &mut Hand) {
        self.settle(hand);
        self.note_workers(now, hand);
        let job = self.job;
        let reader = &mut job.readers[0];
        let begun = hand.begun * self.size;
        reader.offset += begun;
        reader.left -= begun;
        reader.outstanding = hand.reading;
        reader.is_ready = hand.waits;
        job.ready_readers.pop();
        if hand.waits {
            job.ready_readers.push(0);
        }
        job.raw.free = hand.raw;
        job.filled.set_usual(hand.filled);
        job.read_bytes += hand.ended * self.size;
        let source = &mut self.devices[self.source];
        source.completions += hand.ended;
        source.bytes += hand.ended * self.size;
        if self.is_steady {
            source.clock.work(hand.reading_for);
            self.reads.put_down(source.holder.pace(0));
        }
        self.works.put_down(self.processors.pace());
        self.processors.busy = hand.busy;
        self.processors.completions += hand.worked;
        self.processors.bytes += hand.worked * self.size;
        let (devices, processors) = (self.devices, self.processors);
        job.pump_readers(&mut Scene { now, stations: self.lines, devices, processors });
    }

    #[inline(always)]
    fn end_work(&mut self, now: SimTime, hand: &mut Hand) {
        self.lines.end_work();
        hand.busy -= 1;
        hand.steps = hand.steps.wrapping_sub(now.as_nanos());
        hand.worked += 1;
        hand.raw += 1;
        if hand.quick > 0 {
            hand.quick -= 1;
            hand.encoded += 1;
        } else {
            self.hand_on(now, hand);
        }
    }

    /// The writers come to know of all buffers worked on, for which they have room.
    fn settle(&mut self, hand: &mut Hand) {
        let job = &mut *self.job;
        if job.encodes {
            job.encoded.free = hand.encoded;
        }
        while hand.settled < hand.worked {
            // Several writers take them in turn.
            let in_turn = job.encodes && job.ready_writers.len() > 1;
            let buffers = if in_turn { 1 } else { hand.worked - hand.settled };
            hand.settled += buffers;
            job.worked_bytes += buffers * self.size;
            if let Some(encoded) = job.encode(job.worked_bytes) {
                job.fill_up(encoded);
            }
        }
        hand.quick = 0;
    }

    /// How many buffers the writers in line are certain to have room for.
    fn promise(&mut self, hand: &mut Hand) {
        hand.quick = if self.job.encodes {
            hand.encoded = self.job.encoded.free;
            self.job.room_for(self.encoded_below)
        } else {
            u64::MAX
        };
    }

    /// A buffer is encoded for which there may be no room.
    #[inline(never)]
    fn hand_on(&mut self, now: SimTime, hand: &mut Hand) {
        hand.worked -= 1;
        self.settle(hand);
        hand.worked += 1;
        hand.settled += 1;
        self.job.worked_bytes += self.size;
        let Some(encoded) = self.job.encode(self.job.worked_bytes) else { return };
        if self.job.top_up(encoded) {
            hand.encoded = self.job.encoded.free;
            return;
        }
        self.job.chunks.push(encoded);
        let (devices, processors) = (&mut *self.devices, &mut *self.processors);
        self.job.pump_writers(&mut Scene { now, stations: self.lines, devices, processors });
        self.promise(hand);
        hand.next = self.lines.next_of_others();
    }

    #[inline(never)]
    fn end_write(
        &mut self,
        now: SimTime,
        (thread, bytes): (u16, u64),
        line: usize,
        hand: &mut Hand,
    ) {
        self.settle(hand);
        self.lines.count(line, bytes, self.devices);
        let (devices, processors) = (&mut *self.devices, &mut *self.processors);
        let mut scene = Scene { now, stations: &mut *self.lines, devices, processors };
        self.job.end_write(thread, bytes, &mut scene);
        self.job.pump_writers(&mut scene);
        self.promise(hand);
        hand.next = self.lines.next_of_others();
    }

    #[inline(always)]
    fn start_workers(&mut self, now: SimTime, hand: &mut Hand) {
        while hand.filled > 0 && hand.busy < hand.servers && hand.encoded > 0 {
            hand.filled -= 1;
            hand.busy += 1;
            hand.encoded -= 1;
            hand.steps = hand.steps.wrapping_add(now.as_nanos());
            let hold = loop {
                match self.works.next() {
                    Some(hold) => break hold,
                    None => self.works.refill(self.processors.pace()),
                }
            };
            self.lines.work(now + hold, self.size);
        }
        if hand.blocked || (hand.filled > 0 && hand.busy < hand.servers) {
            self.note_workers(now, hand);
        }
    }

    /// Brings the workers' clock up to date.
    #[inline(never)]
    fn note_workers(&mut self, now: SimTime, hand: &mut Hand) {
        // An idle worker and a filled buffer: what is missing is an encoded one.
        hand.blocked = hand.filled > 0 && hand.busy < hand.servers;
        self.processors.clock.note_steps(hand.busy, std::mem::take(&mut hand.steps));
        self.processors.clock.note(now, hand.busy, hand.blocked);
    }

    /// The reader, if it waits for buffers, takes those there are; its state is brought up to date.
    #[inline(always)]
    fn read_on(&mut self, now: SimTime, hand: &mut Hand) {
        while hand.waits && hand.raw > 0 && hand.to_begin > 0 {
            let hold = loop {
                match self.reads.next() {
                    Some(hold) => break hold,
                    None => self.time_reads(hand),
                }
            };
            hand.raw -= 1;
            hand.reading += 1;
            hand.to_begin -= 1;
            hand.begun += 1;
            hand.reading_for += hold;
            self.lines.join(0, now, hold, (self.size, 0), self.devices);
            hand.waits = hand.reading < hand.read_depth;
        }
        if hand.waits != hand.noted_waits {
            self.note_reader(now, hand);
        }
    }

    #[inline(always)]
    fn note_reader(&mut self, now: SimTime, hand: &mut Hand) {
        hand.noted_waits = hand.waits;
        let state =
            if hand.waits { ThreadState::AwaitingBuffer } else { ThreadState::AwaitingRead };
        let reader = &mut self.job.readers[0];
        reader.clock.enter(now, state);
        note_reader_blocked(now, &reader.devices, hand.waits, self.devices);
    }

    /// Computes the times of the next reads: of the very next one, if it depends on where the
    /// device is.
    #[inline(never)]
    fn time_reads(&mut self, hand: &Hand) {
        let source = &mut self.devices[self.source];
        if self.is_steady {
            self.reads.refill(source.holder.pace(0));
            return;
        }
        let offset = self.job.readers[0].offset + hand.begun * self.size;
        let (bytes, direction) = (self.size, Direction::Read);
        let hold = source.holder.hold(&Transfer { bytes, thread: 0, direction, offset });
        source.clock.work(hold);
        (self.reads.spans[0], self.reads.length, self.reads.taken) = (hold, 1, 0);
    }
}
