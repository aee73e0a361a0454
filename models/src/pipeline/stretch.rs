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

use bakcast_sim::SimTime;

use super::devices::DeviceInUse;
use super::direct::{Direct, is_direct};
use super::job::{Job, Work};
use super::lines::{First, Lines};
use super::processors::Processors;
use super::reading::{Holds, Reading};
use super::stations::{Scene, Stations};
use crate::quantity::real;

/// What workers and writers have at hand.
///
/// After every event there are as many workers at work as may be, or there is no filled buffer.
struct Hand {
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

/// The middle of a job with one reader, between two looks at it.
pub(super) struct Stretch<'a> {
    job: &'a mut Job,
    devices: &'a mut [DeviceInUse],
    processors: &'a mut Processors,
    lines: &'a mut Lines,
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
        let is_usual = match job.work {
            Some(_) => job.filled.is_usual(),
            None => is_direct(job, lines),
        };
        let is_usual = is_usual && job.zeroing == 0;
        let begins = is_usual && reader.left > job.read_size && lines.device_of(0).is_some();
        begins.then_some(Stretch { job, devices, processors, lines })
    }

    /// Runs until so many bytes are read or the last transfer is near; returns the events and the
    /// time of the last one. Nothing is under way any more if that is `None`.
    pub(super) fn run(self, until: u64, begin: SimTime) -> (u64, Option<SimTime>) {
        let Stretch { job, devices, processors, lines } = self;
        let Some(reading) = Reading::take_up(job, devices, lines, until) else {
            return (0, Some(begin));
        };
        match job.work {
            Some(work) => Worked::new(job, devices, processors, lines, work).run(reading, begin),
            None => Direct::new(job, devices, lines).run(reading, begin, processors),
        }
    }
}

/// A job with one reader whose buffers are worked on, between two looks at it.
struct Worked<'a> {
    job: &'a mut Job,
    devices: &'a mut [DeviceInUse],
    processors: &'a mut Processors,
    lines: &'a mut Lines,
    /// Bytes of every transfer.
    size: u64,
    works: Holds,
    /// An encoded buffer has fewer bytes.
    encoded_below: u64,
}

impl<'a> Worked<'a> {
    fn new(
        job: &'a mut Job,
        devices: &'a mut [DeviceInUse],
        processors: &'a mut Processors,
        lines: &'a mut Lines,
        work: Work,
    ) -> Self {
        let size = job.read_size;
        // Rounding adds one at the most; what more floating-point numbers add, far less than the
        // last term.
        let encoded = work.ratio.map_or(0.0, |ratio| real(size) / ratio);
        let encoded_below = encoded as u64 + 3 + (job.database_bytes >> 48);
        Worked {
            job,
            devices,
            processors,
            lines,
            size,
            works: Holds::new(real(size) * work.seconds_per_byte),
            encoded_below,
        }
    }

    /// Runs until so many bytes are read or the last transfer is near; returns the events and the
    /// time of the last one. Nothing is under way any more if that is `None`.
    #[inline(never)]
    fn run(mut self, mut reading: Reading, begin: SimTime) -> (u64, Option<SimTime>) {
        let mut hand = self.take_up();
        let mut now = begin;
        while reading.goes_on() {
            let first = match self.lines.first_of_two(hand.next) {
                Some(first) => first,
                None => match self.lines.first() {
                    Some(first) => first,
                    None => return (self.put_down(now, &mut hand, &mut reading), None),
                },
            };
            now = first.0;
            match first.1 {
                First::Worker => {
                    self.end_work(now, &mut hand);
                    reading.give(now, self.job, self.lines, self.devices);
                }
                First::Line(0) => {
                    let (thread, bytes) = self.lines.leave(0, now, self.devices);
                    if thread == 0 {
                        self.hand_to_worker(now, &mut hand);
                        reading.end_read(now, self.job, self.lines, self.devices);
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
        (self.put_down(now, &mut hand, &mut reading), Some(now))
    }

    fn take_up(&mut self) -> Hand {
        let mut hand = Hand {
            filled: self.job.filled.len(),
            busy: self.processors.busy,
            limit: self.processors.servers,
            encoded: 0,
            blocked: true,
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
    fn put_down(mut self, now: SimTime, hand: &mut Hand, reading: &mut Reading) -> u64 {
        self.settle(hand);
        self.note_workers(now, hand);
        let job = self.job;
        let ended = reading.put_down(job, self.devices);
        job.filled.set_usual(hand.filled);
        self.works.put_down(self.processors.pace().0);
        self.processors.completions += hand.settled;
        self.processors.bytes += hand.settled * self.size;
        let (devices, processors) = (self.devices, self.processors);
        job.pump_readers(&mut Scene { now, stations: self.lines, devices, processors });
        hand.settled + ended + hand.written
    }

    /// A read has ended: a worker takes the buffer, or it waits for one.
    #[inline(always)]
    fn hand_to_worker(&mut self, now: SimTime, hand: &mut Hand) {
        if hand.busy < hand.limit {
            hand.busy = hand.busy.wrapping_add(1);
            hand.steps = hand.steps.wrapping_add(now.as_nanos());
            self.work(now, hand.busy);
        } else {
            hand.filled = hand.filled.wrapping_add(1);
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
                self.work(now, hand.busy);
            } else {
                hand.busy = hand.busy.wrapping_sub(1);
                hand.steps = hand.steps.wrapping_sub(now.as_nanos());
            }
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
        hand.written += 1;
        self.lines.count(line, bytes, self.devices);
        // Writers that all stand in line and have room are not held up, and none joins them.
        let is_alone = hand.promised > 0 && self.job.all_in_line();
        if !is_alone {
            self.settle(hand);
        }
        let (devices, processors) = (&mut *self.devices, &mut *self.processors);
        let mut scene = Scene { now, stations: &mut *self.lines, devices, processors };
        self.job.end_write(thread, bytes, &mut scene);
        if is_alone {
            hand.next = self.lines.next_of_others();
            return;
        }
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
            self.work(now, hand.busy);
        }
    }

    /// A worker, one of so many that are at work, begins with a buffer.
    #[inline(always)]
    fn work(&mut self, now: SimTime, busy: u32) {
        let hold = loop {
            match self.works.next() {
                Some(hold) => break hold,
                None => self.works.refill(self.processors.pace()),
            }
        };
        self.lines.work(now + self.processors.crowded(hold, busy), self.size);
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
}
