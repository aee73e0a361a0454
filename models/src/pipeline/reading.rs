//! One reader with its counts at hand, for the long middle of a job.
//!
//! Every transfer is of full size, and after every event the reader has as many reads under way as
//! it may, or there is no raw buffer. What nobody asks for meanwhile is added up at the end; times
//! are computed some at a time.

use bakcast_sim::{SimTime, Span, Variates};

use super::devices::{DeviceInUse, note_reader_blocked};
use super::job::Job;
use super::lines::Lines;
use crate::device::{Direction, Transfer};
use crate::wait::ThreadState;

/// Times computed at once.
const AHEAD: usize = 64;

/// The times of what comes next.
pub(super) struct Holds {
    spans: [Span; AHEAD],
    length: usize,
    taken: usize,
    /// Seconds of each before variation.
    seconds: f64,
    /// The sum of those that were taken before.
    total: Span,
}

impl Holds {
    pub(super) fn new(seconds: f64) -> Self {
        Holds { spans: [Span::ZERO; AHEAD], length: 0, taken: 0, seconds, total: Span::ZERO }
    }

    /// The next one; `None` if more have to be computed.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<Span> {
        if self.taken >= self.length {
            return None;
        }
        let span = self.spans[self.taken % AHEAD];
        self.taken = self.taken.wrapping_add(1);
        Some(span)
    }

    /// Computes more.
    #[inline(never)]
    pub(super) fn refill(&mut self, (mut variates, speed): (Option<&mut Variates>, Option<f64>)) {
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
        let mut seconds = [0.0; AHEAD];
        for (seconds, vary) in seconds.iter_mut().zip(vary) {
            *seconds = self.seconds * vary / speed;
        }
        Span::fill_from_seconds(&mut self.spans, &seconds, 1.0);
    }

    /// The one that comes next is this.
    fn refill_with(&mut self, span: Span) {
        self.add_up();
        (self.spans[0], self.length) = (span, 1);
    }

    /// Hands out the variates of those that were taken; returns the sum of all taken.
    pub(super) fn put_down(&mut self, variates: Option<&mut Variates>) -> Span {
        if let Some(variates) = variates {
            variates.skip(self.taken);
        }
        self.add_up();
        self.total
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

/// One reader, whose counts are those of buffers: none of them can overflow.
pub(super) struct Reading {
    /// Free raw buffers.
    pub(super) raw: u32,
    /// Reads under way.
    pub(super) outstanding: u32,
    depth: u32,
    /// Reads to begin before the last one or two are left, now and in the beginning.
    pub(super) to_begin: u64,
    all_to_begin: u64,
    /// Reads to end before somebody wants to look, now and in the beginning.
    pub(super) to_end: u64,
    all_to_end: u64,
    /// Bytes of every transfer.
    size: u64,
    pub(super) source: usize,
    /// Whether the time of a read depends on nothing.
    is_steady: bool,
    pub(super) holds: Holds,
}

impl Reading {
    /// The reading of a job, if there is one reader and more than the last read to begin, until so
    /// many bytes are read.
    pub(super) fn take_up(
        job: &Job,
        devices: &[DeviceInUse],
        lines: &Lines,
        until: u64,
    ) -> Option<Self> {
        let [reader] = &job.readers[..] else { return None };
        let size = job.read_size;
        if reader.left <= size {
            return None;
        }
        let source = lines.device_of(0)?;
        let seconds = devices[source].holder.steady_read_s(size);
        let to_begin = (reader.left - 1) / size;
        let to_end = until.saturating_sub(job.read_bytes).div_ceil(size);
        Some(Reading {
            raw: job.raw.free,
            outstanding: reader.outstanding,
            depth: job.read_depth,
            to_begin,
            all_to_begin: to_begin,
            to_end,
            all_to_end: to_end,
            size,
            source,
            is_steady: seconds.is_some(),
            holds: Holds::new(seconds.unwrap_or(0.0)),
        })
    }

    /// Whether it goes on: neither is the last read near, nor does anybody want to look.
    #[inline(always)]
    pub(super) fn goes_on(&self) -> bool {
        self.to_begin > 0 && self.to_end > 0
    }

    /// Whether as many reads are under way as may be.
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.outstanding == self.depth
    }

    /// The counts go back to where everybody looks them up; returns the reads that have ended.
    pub(super) fn put_down(&mut self, job: &mut Job, devices: &mut [DeviceInUse]) -> u64 {
        let reader = &mut job.readers[0];
        let begun = (self.all_to_begin - self.to_begin) * self.size;
        reader.offset += begun;
        reader.left -= begun;
        reader.outstanding = self.outstanding;
        reader.is_ready = self.outstanding < self.depth;
        job.ready_readers.pop();
        if reader.is_ready {
            job.ready_readers.push(0);
        }
        job.raw.free = self.raw;
        let ended = self.all_to_end - self.to_end;
        job.read_bytes += ended * self.size;
        let source = &mut devices[self.source];
        source.completions += ended;
        source.bytes += ended * self.size;
        let variates = if self.is_steady { source.holder.pace(0).0 } else { None };
        source.clock.work(self.holds.put_down(variates));
        ended
    }

    /// A read has ended, and what that sets going elsewhere has been: the reader reads on.
    #[inline(always)]
    pub(super) fn end_read(
        &mut self,
        now: SimTime,
        job: &mut Job,
        lines: &mut Lines,
        devices: &mut [DeviceInUse],
    ) {
        self.to_end = self.to_end.wrapping_sub(1);
        if self.raw > 0 {
            self.raw = self.raw.wrapping_sub(1);
            self.read(now, job, lines, devices);
        } else {
            let were_all = self.outstanding == self.depth;
            self.outstanding = self.outstanding.wrapping_sub(1);
            if were_all {
                self.note(now, ThreadState::AwaitingBuffer, job, devices);
            }
        }
    }

    /// The buffer of a read that ends is free at once.
    #[inline(always)]
    pub(super) fn give_back(&mut self) {
        self.raw = self.raw.wrapping_add(1);
    }

    /// A raw buffer is free, and the reader takes it if it can use it.
    #[inline(always)]
    pub(super) fn give(
        &mut self,
        now: SimTime,
        job: &mut Job,
        lines: &mut Lines,
        devices: &mut [DeviceInUse],
    ) {
        if self.outstanding == self.depth {
            self.raw = self.raw.wrapping_add(1);
            return;
        }
        self.outstanding = self.outstanding.wrapping_add(1);
        self.read(now, job, lines, devices);
        if self.outstanding == self.depth {
            self.note(now, ThreadState::AwaitingRead, job, devices);
        }
    }

    #[inline(always)]
    fn read(&mut self, now: SimTime, job: &Job, lines: &mut Lines, devices: &mut [DeviceInUse]) {
        let hold = loop {
            match self.holds.next() {
                Some(hold) => break hold,
                None => self.time(lines.begin_in(0, now), job, devices),
            }
        };
        self.to_begin = self.to_begin.wrapping_sub(1);
        lines.join(0, now, hold, (self.size, 0), devices);
    }

    #[inline(never)]
    fn note(&self, now: SimTime, state: ThreadState, job: &mut Job, devices: &mut [DeviceInUse]) {
        let reader = &mut job.readers[0];
        reader.clock.enter(now, state);
        let waits = state == ThreadState::AwaitingBuffer;
        note_reader_blocked(now, &reader.devices, waits, devices);
    }

    /// Computes the times of the next reads: of the very next one, which the device takes up at
    /// `begin`, if it depends on what the device is about.
    #[inline(never)]
    fn time(&mut self, begin: SimTime, job: &Job, devices: &mut [DeviceInUse]) {
        let source = &mut devices[self.source];
        if self.is_steady {
            self.holds.refill(source.holder.pace(0));
            return;
        }
        let begun = self.all_to_begin - self.to_begin;
        let offset = job.readers[0].offset + begun * self.size;
        let (bytes, direction) = (self.size, Direction::Read);
        let transfer = Transfer { bytes, thread: 0, direction, offset };
        self.holds.refill_with(source.holder.hold(&transfer, begin));
    }
}
