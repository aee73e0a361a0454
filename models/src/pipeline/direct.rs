//! The long middle of a job with one reader and no work: what is read is written as it is, or it
//! is a verification and nothing more is done with it.

use bakcast_sim::SimTime;

use super::devices::DeviceInUse;
use super::drive;
use super::job::Job;
use super::lines::{First, Lines};
use super::processors::Processors;
use super::reading::Reading;
use super::stations::{Scene, Stations};
use crate::device::{Direction, Transfer};
use crate::wait::ThreadState;

/// Whether buffers are written as they are read, if at all, by whoever is free, to devices that
/// take time.
pub(super) fn is_direct(job: &Job, lines: &Lines) -> bool {
    let thread = |index| (job.readers.len() + index) as u16;
    let timed = (0..job.writers.len()).all(|index| lines.device_of(thread(index)).is_some());
    let in_turns = job.writing.turns.is_some() && job.writers.len() > 1;
    job.work.is_none() && timed && !in_turns && job.chunks.is_usual()
}

/// A job without work, between two looks at it.
///
/// After every event there is no filled buffer, or no writer in line for it.
pub(super) struct Direct<'a> {
    job: &'a mut Job,
    devices: &'a mut [DeviceInUse],
    lines: &'a mut Lines,
    /// Bytes of every transfer.
    size: u64,
    /// What is read is written: it is no verification.
    has_writers: bool,
    /// Filled buffers that wait for a writer.
    filled: u32,
    /// Writes that have ended.
    written: u64,
    /// The end that comes next on any device but the source.
    next: u64,
}

impl<'a> Direct<'a> {
    pub(super) fn new(
        job: &'a mut Job,
        devices: &'a mut [DeviceInUse],
        lines: &'a mut Lines,
    ) -> Self {
        let (size, filled, next) = (job.read_size, job.chunks.len(), lines.next_of_others());
        let has_writers = !job.writers.is_empty();
        Direct { job, devices, lines, size, has_writers, filled, written: 0, next }
    }

    /// As [`Stretch::run`](super::stretch::Stretch::run).
    #[inline(never)]
    pub(super) fn run(
        mut self,
        mut reading: Reading,
        begin: SimTime,
        processors: &mut Processors,
    ) -> (u64, Option<SimTime>) {
        if let Some(write) = drive::steady_write(self.job, self.devices, self.lines) {
            let Direct { job, devices, lines, .. } = self;
            let parts = (&mut *job, &mut *devices, &mut *lines);
            let (written, now, is_under_way) = drive::run(&mut reading, begin, write, parts);
            let ended = reading.put_down(job, devices);
            job.pump_readers(&mut Scene { now, stations: lines, devices, processors });
            return (ended + written, is_under_way.then_some(now));
        }
        let mut now = begin;
        let mut is_under_way = true;
        while reading.goes_on() {
            let Some((at, line)) = self.first() else {
                is_under_way = false;
                break;
            };
            now = at;
            let (thread, bytes) = self.lines.leave(line, now, self.devices);
            if thread == 0 {
                if self.has_writers {
                    self.filled += 1;
                    self.hand_to_writers(now);
                } else {
                    reading.give_back();
                }
                reading.end_read(now, self.job, self.lines, self.devices);
            } else {
                self.end_write(now, (thread, bytes), line);
                reading.give(now, self.job, self.lines, self.devices);
            }
        }
        let ended = reading.put_down(self.job, self.devices);
        let Direct { job, devices, lines, filled, written, .. } = self;
        job.chunks.set_usual(filled);
        job.pump_readers(&mut Scene { now, stations: lines, devices, processors });
        (ended + written, is_under_way.then_some(now))
    }

    /// The line whose first transfer ends next.
    #[inline(always)]
    fn first(&self) -> Option<(SimTime, usize)> {
        let first = self.lines.first_of_two(self.next).or_else(|| self.lines.first());
        first.map(|(at, first)| match first {
            First::Line(line) => (at, line),
            First::Worker => unreachable!("nobody works"),
        })
    }

    /// Writers in line take what is filled.
    #[inline(always)]
    fn hand_to_writers(&mut self, now: SimTime) {
        while self.filled > 0
            && let Some(thread) = self.job.ready_writers.pop()
        {
            self.filled -= 1;
            self.write(now, usize::from(thread));
        }
    }

    #[inline(always)]
    fn write(&mut self, now: SimTime, index: usize) {
        let writer = &mut self.job.writers[index];
        let (bytes, thread, direction) = (self.size, index as u16 + 1, Direction::Write);
        let transfer = Transfer { bytes, thread, direction, offset: writer.offset };
        writer.offset += bytes;
        writer.in_flight += bytes;
        writer.outstanding += 1;
        writer.is_ready = writer.outstanding < self.job.writing.depth;
        if writer.is_ready {
            self.job.ready_writers.push(index as u16);
        }
        writer.clock.enter(now, ThreadState::AwaitingWrite);
        self.lines.begin(now, transfer, self.devices);
        self.next = self.lines.next_of_others();
    }

    /// A write has ended; its raw buffer is still to be given back.
    #[inline(always)]
    fn end_write(&mut self, now: SimTime, (thread, bytes): (u16, u64), line: usize) {
        self.lines.count(line, bytes, self.devices);
        self.written += 1;
        self.job.written_bytes += bytes;
        let index = thread - 1;
        let writer = &mut self.job.writers[usize::from(index)];
        writer.outstanding -= 1;
        writer.in_flight -= bytes;
        writer.written += bytes;
        if !writer.is_ready {
            writer.is_ready = true;
            self.job.ready_writers.push(index);
        }
        if writer.outstanding == 0 {
            writer.clock.enter(now, ThreadState::AwaitingFilledBuffer);
        }
        self.next = self.lines.next_of_others();
        self.hand_to_writers(now);
    }
}
