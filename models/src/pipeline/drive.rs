//! The long middle of a job without work whose source and targets are one solid state drive.
//!
//! Nothing is under way but what is in the one line, so transfers end in the order in which they
//! began, whatever they take: what happens next depends on counts alone, and when on a recursion.
//! What [`Direct`](super::direct::Direct) would do happens here with the line, the counts and the
//! cost of a write at hand.

use bakcast_sim::{Ring, SimTime};

use super::devices::{DeviceInUse, note_reader_blocked};
use super::job::Job;
use super::lines::{Lines, Queue};
use super::reading::Reading;
use super::writers::Writer;
use crate::device::{Holder, SteadyWrite};
use crate::wait::ThreadState;

/// What a write of full size takes, if all transfers of the job queue in one line whose writes take
/// as long as the last one but for chance; and how many of them do.
pub(super) fn steady_write(
    job: &Job,
    devices: &[DeviceInUse],
    lines: &Lines,
) -> Option<(SteadyWrite, u64)> {
    let [reader] = &job.readers[..] else { return None };
    let is_alone = lines.is_one() && reader.devices.len() == 1 && !job.writers.is_empty();
    let holder = &devices[lines.device_of(0)?].holder;
    holder.steady_read_s(job.read_size)?;
    if is_alone { holder.steady_write(job.read_size) } else { None }
}

/// The drive and its line.
struct Drive<'a> {
    queue: Queue<'a>,
    holder: &'a mut Holder,
    write: SteadyWrite,
    /// Bytes of every transfer.
    size: u64,
    /// Nanoseconds of writes, modulo 2^64.
    busy_ns: u64,
    /// Writes that have begun, and how many may.
    begun: u64,
    may_begin: u64,
}

impl Drive<'_> {
    /// A read begins.
    #[inline(always)]
    fn read(&mut self, now: SimTime, reading: &mut Reading) {
        let hold = loop {
            match reading.holds.next() {
                Some(hold) => break hold,
                None => reading.holds.refill(self.holder.pace(0)),
            }
        };
        reading.to_begin = reading.to_begin.wrapping_sub(1);
        self.queue.join(now, hold, (self.size, 0));
    }

    /// A writer begins a write.
    #[inline(always)]
    fn write(&mut self, now: SimTime, thread: u16, writer: &mut Writer) {
        writer.offset = writer.offset.wrapping_add(self.size);
        let hold = self.holder.write(thread, self.write);
        self.busy_ns = self.busy_ns.wrapping_add(hold.as_nanos());
        self.begun = self.begun.wrapping_add(1);
        self.queue.join(now, hold, (self.size, thread));
    }
}

/// As [`Direct::run`](super::direct::Direct::run), but for the reading; returns the writes that
/// ended, the time of the last event, and whether anything is under way.
#[inline(never)]
pub(super) fn run(
    reading: &mut Reading,
    begin: SimTime,
    (write, may_begin): (SteadyWrite, u64),
    (job, devices, lines): (&mut Job, &mut [DeviceInUse], &mut Lines),
) -> (u64, SimTime, bool) {
    let size = job.read_size;
    let source = reading.source;
    let mut drive = Drive {
        queue: lines.take_up(),
        holder: &mut devices[source].holder,
        write,
        size,
        busy_ns: 0,
        begun: 0,
        may_begin,
    };
    let mut middle = Middle { filled: job.chunks.len(), written: 0, depth: job.writing.depth };
    let read_all = reading.is_full();
    let mut now = begin;
    let mut is_under_way = true;
    while reading.goes_on() && drive.begun < drive.may_begin {
        let Some((end, thread)) = drive.queue.leave() else {
            is_under_way = false;
            break;
        };
        now = end;
        if thread == 0 {
            middle.hand_to_writer(now, &mut drive, &mut job.writers, &mut job.ready_writers);
            middle.end_read(now, &mut drive, reading, job);
        } else {
            middle.end_write(now, thread, &mut drive, job);
            middle.give(now, &mut drive, reading, job);
        }
    }
    // What has been asked for and is not under way any more has been written.
    for writer in &mut job.writers {
        writer.in_flight = u64::from(writer.outstanding) * size;
        writer.written = writer.offset - writer.in_flight;
        writer.is_ready = writer.outstanding < middle.depth;
    }
    let Drive { queue, busy_ns, begun, .. } = drive;
    let left = queue.put_down();
    lines.put_down(left);
    let device = &mut devices[source];
    device.holder.skip(0, begun * size, 0.0);
    device.clock.work(bakcast_sim::Span::from_nanos(busy_ns));
    device.completions += middle.written;
    device.bytes += middle.written * size;
    job.written_bytes += middle.written * size;
    if !is_under_way {
        device.note_present(now, 0);
    }
    if reading.is_full() != read_all {
        note_reader_blocked(now, &job.readers[0].devices, read_all, devices);
    }
    job.chunks.set_usual(middle.filled);
    (middle.written, now, is_under_way)
}

/// Counts of buffers and writes: none of them can overflow.
struct Middle {
    /// Filled buffers that wait for a writer: some only if no writer stands in line.
    filled: u32,
    /// Writes that have ended.
    written: u64,
    /// Writes of a writer at a time.
    depth: u32,
}

impl Middle {
    /// A read has ended: the first writer in line takes the buffer, if there is one.
    #[inline(always)]
    fn hand_to_writer(
        &mut self,
        now: SimTime,
        drive: &mut Drive<'_>,
        writers: &mut [Writer],
        in_line: &mut Ring<u16>,
    ) {
        let Some(index) = in_line.pop() else {
            self.filled = self.filled.wrapping_add(1);
            return;
        };
        let writer = &mut writers[usize::from(index)];
        writer.outstanding = writer.outstanding.wrapping_add(1);
        if writer.outstanding < self.depth {
            in_line.push(index);
        }
        writer.clock.enter(now, ThreadState::AwaitingWrite);
        drive.write(now, index + 1, writer);
    }

    /// The reader reads on, if there is a raw buffer.
    #[inline(always)]
    fn end_read(
        &mut self,
        now: SimTime,
        drive: &mut Drive<'_>,
        reading: &mut Reading,
        job: &mut Job,
    ) {
        reading.to_end = reading.to_end.wrapping_sub(1);
        if reading.raw > 0 {
            reading.raw = reading.raw.wrapping_sub(1);
            drive.read(now, reading);
        } else {
            reading.outstanding = reading.outstanding.wrapping_sub(1);
            job.readers[0].clock.enter(now, ThreadState::AwaitingBuffer);
        }
    }

    /// A write has ended: its writer takes the next buffer or stands in line. Where buffers wait,
    /// no other writer is in line, and this one has as many writes under way as before.
    #[inline(always)]
    fn end_write(&mut self, now: SimTime, thread: u16, drive: &mut Drive<'_>, job: &mut Job) {
        self.written = self.written.wrapping_add(1);
        let index = thread.wrapping_sub(1);
        let writer = &mut job.writers[usize::from(index)];
        if self.filled > 0 {
            self.filled = self.filled.wrapping_sub(1);
            drive.write(now, thread, writer);
            return;
        }
        if writer.outstanding == self.depth {
            job.ready_writers.push(index);
        }
        writer.outstanding = writer.outstanding.wrapping_sub(1);
        if writer.outstanding == 0 {
            writer.clock.enter(now, ThreadState::AwaitingFilledBuffer);
        }
    }

    /// A raw buffer is free, and the reader takes it if it can use it.
    #[inline(always)]
    fn give(&mut self, now: SimTime, drive: &mut Drive<'_>, reading: &mut Reading, job: &mut Job) {
        if reading.is_full() {
            reading.raw = reading.raw.wrapping_add(1);
            return;
        }
        reading.outstanding = reading.outstanding.wrapping_add(1);
        drive.read(now, reading);
        if reading.is_full() {
            job.readers[0].clock.enter(now, ThreadState::AwaitingRead);
        }
    }
}
