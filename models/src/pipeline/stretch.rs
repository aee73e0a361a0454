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
use super::lines::{First, Lines};
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
    /// The sum of those that were taken before.
    total: Span,
}

impl Holds {
    fn new(seconds: f64) -> Self {
        Holds { spans: [Span::ZERO; AHEAD], length: 0, taken: 0, seconds, total: Span::ZERO }
    }

    /// The next one; `None` if more have to be computed.
    #[inline(always)]
    fn next(&mut self) -> Option<Span> {
        if self.taken >= self.length {
            return None;
        }
        let span = self.spans[self.taken % AHEAD];
        self.taken = self.taken.wrapping_add(1);
        Some(span)
    }

    /// Computes more.
    #[inline(never)]
    fn refill(&mut self, (mut variates, speed): (Option<&mut Variates>, Option<f64>)) {
        if let Some(variates) = &mut variates {
            variates.skip(self.taken);
        }
        self.add_up();
        let constant = [1.0; AHEAD];
        let ahead = variates.map_or(&constant[..], |variates| variates.ahead());
        self.length = ahead.len().min(AHEAD);
        match (speed, ahead.first_chunk()) {
            (None, _) => self.spans = [Span::ZERO; AHEAD],
            (Some(speed), Some(ahead)) => self.set(ahead, speed),
            (Some(speed), None) => {
                let mut all = [1.0; AHEAD];
                all.iter_mut().zip(ahead).for_each(|(vary, ahead)| *vary = *ahead);
                self.set(&all, speed);
            }
        }
    }

    #[inline(always)]
    fn set(&mut self, vary: &[f64; AHEAD], speed: f64) {
        let seconds = vary.map(|vary| self.seconds * vary / speed);
        Span::from_seconds_each(&seconds, &mut self.spans);
    }

    /// The one that comes next is this.
    fn refill_with(&mut self, span: Span) {
        self.add_up();
        (self.spans[0], self.length) = (span, 1);
    }

    /// Those that were taken count.
    fn add_up(&mut self) {
        // No overflow: all spans together are less than the time of the run.
        let taken = self.spans[..self.taken].iter();
        let taken = taken.fold(0, |sum: u64, span| sum.wrapping_add(span.as_nanos()));
        self.total += Span::from_nanos(taken);
        self.taken = 0;
    }
}

/// What one reader and the workers have at hand.
///
/// After every event the reader has as many reads under way as it may, or there is no raw buffer,
/// and there are as many workers at work as may be, or there is no filled buffer.
struct Hand {
    /// Free raw buffers.
    raw: u32,
    /// Filled buffers that wait for a worker.
    filled: u32,
    /// Workers at work, and how many there may be: processors, and encoded buffers that are not at
    /// the writers.
    busy: u32,
    limit: u32,
    /// Encoded buffers that are not at the writers.
    encoded: u32,
    /// Whether the workers' clock has to be brought up to date after every event, because some
    /// wait for encoded buffers or did so before.
    blocked: bool,
    /// Reads under way.
    reading: u32,
    read_depth: u32,
    /// Reads to begin before the last one or two are left, now and in the beginning.
    to_begin: u64,
    all_to_begin: u64,
    /// Reads to end before the stretch does, now and in the beginning.
    to_end: u64,
    all_to_end: u64,
    /// Writes that have ended.
    written: u64,
    /// Buffers worked on of which the writers know.
    settled: u64,
    /// Buffers for whose encoded bytes writers are certain to have room, now and when that was
    /// found: the difference has been worked on.
    quick: u64,
    promised: u64,
    /// What [`StationClock::note_steps`](crate::station_clock::StationClock::note_steps) needs.
    steps: u64,
    /// The end that comes next on any device but the source.
    next: u64,
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
    #[inline(never)]
    pub(super) fn run(mut self, until: u64, begin: SimTime) -> (u64, Option<SimTime>) {
        let mut hand = self.take_up(until);
        let mut now = begin;
        while hand.to_begin > 0 && hand.to_end > 0 {
            let first = match self.lines.first_of_two(hand.next) {
                Some(first) => first,
                None => match self.lines.first() {
                    Some(first) => first,
                    None => return (self.put_down(now, &mut hand), None),
                },
            };
            now = first.0;
            match first.1 {
                First::Worker => self.end_work(now, &mut hand),
                First::Line(0) => {
                    let (thread, bytes) = self.lines.leave(0, now, self.devices);
                    if thread == 0 {
                        self.end_read(now, &mut hand);
                    } else {
                        self.end_write(now, (thread, bytes), 0, &mut hand);
                    }
                }
                First::Line(line) => {
                    let done = self.lines.leave(line, now, self.devices);
                    self.end_write(now, done, line, &mut hand);
                }
            }
            if hand.blocked {
                self.note_workers(now, &mut hand);
            }
        }
        (self.put_down(now, &mut hand), Some(now))
    }

    fn take_up(&mut self, until: u64) -> Hand {
        let reader = &self.job.readers[0];
        let to_begin = (reader.left - 1) / self.size;
        let to_end = until.saturating_sub(self.job.read_bytes).div_ceil(self.size);
        let mut hand = Hand {
            raw: self.job.raw.free,
            filled: self.job.filled.len(),
            busy: self.processors.busy,
            limit: self.processors.servers,
            encoded: 0,
            blocked: true,
            reading: reader.outstanding,
            read_depth: self.job.read_depth,
            to_begin,
            all_to_begin: to_begin,
            to_end,
            all_to_end: to_end,
            written: 0,
            settled: 0,
            quick: 0,
            promised: 0,
            steps: 0,
            next: self.lines.next_of_others(),
        };
        self.promise(&mut hand);
        hand
    }

    /// The counts go back to where everybody looks them up; a read that is none of the stretch's
    /// begins if it can. Returns the events.
    fn put_down(mut self, now: SimTime, hand: &mut Hand) -> u64 {
        self.settle(hand);
        self.note_workers(now, hand);
        let job = self.job;
        let reader = &mut job.readers[0];
        let begun = (hand.all_to_begin - hand.to_begin) * self.size;
        reader.offset += begun;
        reader.left -= begun;
        reader.outstanding = hand.reading;
        reader.is_ready = hand.reading < hand.read_depth;
        job.ready_readers.pop();
        if reader.is_ready {
            job.ready_readers.push(0);
        }
        job.raw.free = hand.raw;
        job.filled.set_usual(hand.filled);
        let ended = hand.all_to_end - hand.to_end;
        job.read_bytes += ended * self.size;
        let source = &mut self.devices[self.source];
        source.completions += ended;
        source.bytes += ended * self.size;
        if self.is_steady
            && let Some(variates) = source.holder.pace(0).0
        {
            variates.skip(self.reads.taken);
        }
        self.reads.add_up();
        source.clock.work(self.reads.total);
        if let Some(variates) = self.processors.pace().0 {
            variates.skip(self.works.taken);
        }
        self.processors.completions += hand.settled;
        self.processors.bytes += hand.settled * self.size;
        let (devices, processors) = (self.devices, self.processors);
        job.pump_readers(&mut Scene { now, stations: self.lines, devices, processors });
        hand.settled + ended + hand.written
    }

    /// A read has ended. None of the counts can overflow: each is one of buffers.
    #[inline(always)]
    fn end_read(&mut self, now: SimTime, hand: &mut Hand) {
        hand.to_end = hand.to_end.wrapping_sub(1);
        if hand.busy < hand.limit {
            hand.busy = hand.busy.wrapping_add(1);
            hand.steps = hand.steps.wrapping_add(now.as_nanos());
            self.work(now);
        } else {
            hand.filled = hand.filled.wrapping_add(1);
        }
        if hand.raw > 0 {
            hand.raw = hand.raw.wrapping_sub(1);
            self.read(now, hand);
        } else {
            let were_all = hand.reading == hand.read_depth;
            hand.reading = hand.reading.wrapping_sub(1);
            if were_all {
                self.note_reader(now, ThreadState::AwaitingBuffer);
            }
        }
    }

    /// A worker has finished its buffer.
    #[inline(always)]
    fn end_work(&mut self, now: SimTime, hand: &mut Hand) {
        self.lines.end_work();
        if hand.quick == 0 {
            self.hand_on(now, hand);
        } else {
            hand.quick = hand.quick.wrapping_sub(1);
            if hand.filled > 0 {
                hand.filled = hand.filled.wrapping_sub(1);
                self.work(now);
            } else {
                hand.busy = hand.busy.wrapping_sub(1);
                hand.steps = hand.steps.wrapping_sub(now.as_nanos());
            }
        }
        if hand.reading < hand.read_depth {
            hand.reading = hand.reading.wrapping_add(1);
            self.read(now, hand);
            if hand.reading == hand.read_depth {
                self.note_reader(now, ThreadState::AwaitingRead);
            }
        } else {
            hand.raw = hand.raw.wrapping_add(1);
        }
    }

    /// The writers come to know of all buffers worked on, for which they have room.
    fn settle(&mut self, hand: &mut Hand) {
        let buffers = hand.promised - hand.quick;
        (hand.promised, hand.quick) = (0, 0);
        hand.settled += buffers;
        let job = &mut *self.job;
        self.processors.busy = hand.busy;
        if buffers > 0 {
            job.fill_up(buffers, self.size);
        }
        if job.encodes {
            // As many as are not at the writers are at work or free.
            job.encoded.free = hand.encoded - hand.busy;
        }
    }

    /// How many buffers the writers in line are certain to have room for, and how many workers may
    /// be at work.
    fn promise(&mut self, hand: &mut Hand) {
        let (job, servers) = (&*self.job, self.processors.servers);
        if job.encodes {
            hand.quick = job.room_for(self.encoded_below);
            hand.encoded = job.encoded.free + hand.busy;
        } else {
            (hand.quick, hand.encoded) = (u64::MAX, u32::MAX);
        }
        hand.promised = hand.quick;
        hand.limit = servers.min(hand.encoded);
        hand.blocked |= hand.limit < servers;
    }

    /// A buffer is encoded for which there may be no room.
    #[inline(never)]
    fn hand_on(&mut self, now: SimTime, hand: &mut Hand) {
        self.settle(hand);
        hand.busy -= 1;
        hand.steps = hand.steps.wrapping_sub(now.as_nanos());
        hand.settled += 1;
        self.job.worked_bytes += self.size;
        if let Some(encoded) = self.job.encode(self.job.worked_bytes)
            && !self.job.top_up(encoded)
        {
            self.job.chunks.push(encoded);
            let (devices, processors) = (&mut *self.devices, &mut *self.processors);
            self.job.pump_writers(&mut Scene { now, stations: self.lines, devices, processors });
        }
        self.promise(hand);
        hand.next = self.lines.next_of_others();
        self.start_workers(now, hand);
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
        hand.written += 1;
        self.lines.count(line, bytes, self.devices);
        let (devices, processors) = (&mut *self.devices, &mut *self.processors);
        let mut scene = Scene { now, stations: &mut *self.lines, devices, processors };
        self.job.end_write(thread, bytes, &mut scene);
        self.job.pump_writers(&mut scene);
        self.promise(hand);
        hand.next = self.lines.next_of_others();
        self.start_workers(now, hand);
    }

    /// Puts idle workers to work on filled buffers.
    #[inline(always)]
    fn start_workers(&mut self, now: SimTime, hand: &mut Hand) {
        while hand.filled > 0 && hand.busy < hand.limit {
            hand.filled -= 1;
            hand.busy += 1;
            hand.steps = hand.steps.wrapping_add(now.as_nanos());
            self.work(now);
        }
    }

    /// A worker begins with a buffer.
    #[inline(always)]
    fn work(&mut self, now: SimTime) {
        let hold = loop {
            match self.works.next() {
                Some(hold) => break hold,
                None => self.works.refill(self.processors.pace()),
            }
        };
        self.lines.work(now + hold, self.size);
    }

    /// Brings the workers' clock up to date.
    #[inline(never)]
    fn note_workers(&mut self, now: SimTime, hand: &mut Hand) {
        let servers = self.processors.servers;
        hand.blocked = hand.limit < servers;
        // A filled buffer waits and a worker is idle: what is missing is an encoded one.
        let blocked = hand.filled > 0 && hand.busy < servers;
        self.processors.clock.note_steps(hand.busy, std::mem::take(&mut hand.steps));
        self.processors.clock.note(now, hand.busy, blocked);
    }

    /// A read begins.
    #[inline(always)]
    fn read(&mut self, now: SimTime, hand: &mut Hand) {
        let hold = loop {
            match self.reads.next() {
                Some(hold) => break hold,
                None => self.time_reads(hand),
            }
        };
        hand.to_begin = hand.to_begin.wrapping_sub(1);
        self.lines.join(0, now, hold, (self.size, 0), self.devices);
    }

    #[inline(never)]
    fn note_reader(&mut self, now: SimTime, state: ThreadState) {
        let reader = &mut self.job.readers[0];
        reader.clock.enter(now, state);
        let waits = state == ThreadState::AwaitingBuffer;
        note_reader_blocked(now, &reader.devices, waits, self.devices);
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
        let begun = hand.all_to_begin - hand.to_begin;
        let offset = self.job.readers[0].offset + begun * self.size;
        let (bytes, direction) = (self.size, Direction::Read);
        let transfer = Transfer { bytes, thread: 0, direction, offset };
        self.reads.refill_with(source.holder.hold(&transfer));
    }
}
