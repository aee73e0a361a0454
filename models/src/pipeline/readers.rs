//! Readers: one per volume in a backup, one per backup file in a verification or a restore.
//!
//! A reader keeps up to a depth of reads outstanding, each into a free raw buffer of its own, and
//! reads its stream from beginning to end. Free buffers go to the readers in the order in which
//! they came to need one.

use super::devices::note_reader_blocked;
use super::job::Job;
use super::stations::{Scene, Stations};
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
    pub(super) fn begin_reading<S: Stations>(&mut self, scene: &mut Scene<'_, S>) {
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
    pub(super) fn pump_readers<S: Stations>(&mut self, scene: &mut Scene<'_, S>) {
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

    /// The next transfer of a reader that has a buffer for it.
    #[inline(always)]
    fn read<S: Stations>(&mut self, thread: u16, scene: &mut Scene<'_, S>) {
        let reader = &mut self.readers[usize::from(thread)];
        let bytes = reader.left.min(self.read_size);
        let transfer =
            Transfer { bytes, thread, direction: Direction::Read, offset: reader.offset };
        reader.left -= bytes;
        reader.offset += bytes;
        reader.outstanding += 1;
        let done = scene.stations.begin(scene.now, transfer, scene.devices);
        assert!(done.is_none(), "a source without a device");
    }

    /// A read has ended: its buffer is filled, and the reader may go on.
    #[inline(always)]
    pub(super) fn end_read<S: Stations>(
        &mut self,
        thread: u16,
        bytes: u64,
        scene: &mut Scene<'_, S>,
    ) {
        let reader = &mut self.readers[usize::from(thread)];
        reader.outstanding -= 1;
        self.reading -= u32::from(reader.is_done());
        self.read_bytes += bytes;
        if self.work.is_some() {
            // Raw buffers that are to be encoded are none of the writers' business.
            self.hand_to_worker(bytes, scene);
        } else if self.writers.is_empty() {
            self.raw.give();
        } else {
            self.chunks.push(bytes);
            self.pump_writers(scene);
        }
        self.continue_reading(thread, scene);
        self.note_reader(usize::from(thread), scene);
    }

    /// The reader reads on if there is a buffer for it, or stands in line for one.
    #[inline(always)]
    fn continue_reading<S: Stations>(&mut self, thread: u16, scene: &mut Scene<'_, S>) {
        let reader = &self.readers[usize::from(thread)];
        // As a rule it is the only one in line, and asks for no more than one.
        let alone = self.ready_readers.is_empty() && reader.outstanding + 1 >= self.read_depth;
        if alone && self.raw.free > 0 && reader.could_read(self.read_depth) {
            self.raw.free -= 1;
            self.read(thread, scene);
            return;
        }
        self.offer_reader(thread);
        self.pump_readers(scene);
    }

    /// Brings the reader's state up to date.
    #[inline(always)]
    pub(super) fn note_reader<S: Stations>(&mut self, thread: usize, scene: &mut Scene<'_, S>) {
        let reader = &mut self.readers[thread];
        let (before, after) = (reader.clock.state(), reader.state(self.read_depth));
        if before != after {
            reader.clock.enter(scene.now, after);
            let waits = |state| state == ThreadState::AwaitingBuffer;
            if waits(before) != waits(after) {
                note_reader_blocked(scene.now, &reader.devices, waits(after), scene.devices);
            }
        }
    }
}
