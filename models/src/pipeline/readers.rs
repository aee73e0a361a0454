//! Readers: one per volume in a backup, one per backup file in a verification.
//!
//! A reader keeps up to a depth of reads outstanding, each into a free raw buffer of its own, and
//! reads its stream from beginning to end. Free buffers go to the readers in the order in which
//! they came to need one.

use super::job::{Ended, Job, Scene};
use crate::device::{Direction, Transfer};
use crate::wait::{ThreadClock, ThreadState};

/// One reader.
#[derive(Debug)]
pub(super) struct Reader {
    pub(super) name: String,
    /// Bytes not yet asked for.
    pub(super) left: u64,
    pub(super) outstanding: u32,
    pub(super) offset: u64,
    /// Devices and links on its path.
    pub(super) devices: Vec<usize>,
    pub(super) is_ready: bool,
    pub(super) clock: ThreadClock,
}

impl Reader {
    pub(super) fn is_done(&self) -> bool {
        self.left == 0 && self.outstanding == 0
    }

    /// Whether the reader could use another buffer.
    #[inline]
    fn could_read(&self, depth: u32) -> bool {
        self.left > 0 && self.outstanding < depth
    }

    #[inline]
    fn state(&self, depth: u32) -> ThreadState {
        if self.could_read(depth) {
            ThreadState::AwaitingBuffer
        } else if self.outstanding > 0 {
            ThreadState::AwaitingRead
        } else {
            ThreadState::Finished
        }
    }
}

impl Job {
    /// All readers set out.
    pub(super) fn begin_reading(&mut self, scene: &mut Scene<'_>) {
        for thread in 0..self.readers.len() as u16 {
            self.offer_reader(thread);
        }
        self.pump_readers(scene);
        for thread in 0..self.readers.len() {
            self.note_reader(thread, scene);
        }
    }

    /// The reader stands in line for a free buffer if it could use one.
    #[inline]
    fn offer_reader(&mut self, thread: u16) {
        let reader = &mut self.readers[usize::from(thread)];
        if !reader.is_ready && reader.could_read(self.read_depth) {
            reader.is_ready = true;
            self.ready_readers.push(thread);
        }
    }

    /// Hands free buffers to the readers in line.
    #[inline(always)]
    pub(super) fn pump_readers(&mut self, scene: &mut Scene<'_>) {
        while let Some(thread) = self.ready_readers.front() {
            if !self.raw.take() {
                return;
            }
            self.read(thread, scene);
            let reader = &mut self.readers[usize::from(thread)];
            if reader.could_read(self.read_depth) {
                self.ready_readers.rotate();
            } else {
                reader.is_ready = false;
                self.ready_readers.pop();
            }
            self.note_reader(usize::from(thread), scene);
        }
    }

    #[inline(always)]
    fn read(&mut self, thread: u16, scene: &mut Scene<'_>) {
        let reader = &mut self.readers[usize::from(thread)];
        let bytes = reader.left.min(self.read_size);
        let transfer =
            Transfer { bytes, thread, direction: Direction::Read, offset: reader.offset };
        reader.left -= bytes;
        reader.offset += bytes;
        reader.outstanding += 1;
        let done = scene.resources.begin(scene.now, transfer, scene.calendar);
        assert!(done.is_none(), "a source without a device");
    }

    /// A read has ended: its buffer is filled. What that sets going is up to [`Job::go_on`].
    #[inline(always)]
    pub(super) fn read_ended(&mut self, transfer: &Transfer) -> Ended {
        let reader = &mut self.readers[usize::from(transfer.thread)];
        reader.outstanding -= 1;
        self.reading -= u32::from(reader.is_done());
        self.read_bytes += transfer.bytes;
        if self.work.is_some() {
            self.filled.push(transfer.bytes);
        } else if self.writers.is_empty() {
            self.raw.give();
        } else {
            self.chunks.push(transfer.bytes);
        }
        self.offer_reader(transfer.thread);
        Ended::Read { thread: transfer.thread }
    }

    /// Brings the reader's state up to date.
    #[inline(always)]
    pub(super) fn note_reader(&mut self, thread: usize, scene: &mut Scene<'_>) {
        let reader = &mut self.readers[thread];
        let (before, after) = (reader.clock.state(), reader.state(self.read_depth));
        if before != after {
            reader.clock.enter(scene.now, after);
            let waits = |state| state == ThreadState::AwaitingBuffer;
            if waits(before) != waits(after) {
                scene.resources.reader_blocked(scene.now, &reader.devices, waits(after));
            }
        }
    }
}
