//! Writers: one per backup file.
//!
//! Writers take filled buffers from one shared queue, so a faster file takes more (or each in its
//! turn: the engine's documentation and its trace output disagree, so it is a switch). Without
//! compression a raw buffer is written as it is. With it, a writer copies encoded bytes into a
//! media buffer and writes that when it is full (or writes the encoded buffer in place); copying
//! costs no time (assumption: memory is far faster than any device). A writer keeps up to a depth
//! of writes outstanding.

use super::job::{Job, Scene};
use super::resources::Progress;
use crate::device::{Direction, Transfer};
use crate::wait::{ThreadClock, ThreadState};

/// One writer.
#[derive(Debug)]
pub(super) struct Writer {
    pub(super) name: String,
    pub(super) outstanding: u32,
    /// Bytes of writes under way.
    pub(super) in_flight: u64,
    /// Bytes in the media buffer being filled.
    pub(super) fill: u64,
    pub(super) has_media: bool,
    /// Bytes taken from the queue and not yet in a media buffer.
    pub(super) pending: u64,
    /// The encoded buffer those bytes still occupy.
    pub(super) holds_chunk: bool,
    pub(super) is_ready: bool,
    pub(super) awaits_media: bool,
    /// Bytes asked to be written: the place of the next write in the file.
    pub(super) offset: u64,
    pub(super) written: u64,
    pub(super) position: f64,
    /// Devices and links on its path.
    pub(super) devices: Vec<usize>,
    pub(super) clock: ThreadClock,
}

impl Writer {
    pub(super) fn is_done(&self) -> bool {
        self.outstanding == 0 && self.fill == 0 && self.pending == 0
    }

    /// Whether the writer could take more from the queue.
    fn could_take(&self, job_writing: &super::job::Writing, direct: bool) -> bool {
        if direct {
            return self.outstanding < job_writing.depth;
        }
        !self.holds_chunk && !self.is_full(job_writing)
    }

    /// The media buffer is full and may not be written yet.
    fn is_full(&self, job_writing: &super::job::Writing) -> bool {
        self.has_media
            && self.outstanding >= job_writing.depth
            && (self.fill == job_writing.transfer_size || !job_writing.collected)
            && self.fill > 0
    }
}

impl Job {
    /// All writers stand in line for filled buffers.
    pub(super) fn begin_writing(&mut self, scene: &mut Scene<'_>) {
        for thread in 0..self.writers.len() {
            self.offer_writer(thread);
            self.note_writer(thread, scene);
        }
    }

    /// Buffers are written as they come, without media buffers.
    fn is_direct(&self) -> bool {
        self.writing.in_place || !self.encodes()
    }

    fn offer_writer(&mut self, index: usize) {
        let direct = self.is_direct();
        let writer = &mut self.writers[index];
        if !writer.is_ready && writer.could_take(&self.writing, direct) {
            writer.is_ready = true;
            self.ready_writers.push_back(index as u16);
        }
    }

    /// Hands waiting bytes to writers.
    pub(super) fn pump_writers(&mut self, scene: &mut Scene<'_>) {
        while !self.chunks.is_empty() {
            let Some(index) = self.next_writer() else { break };
            let Some(bytes) = self.chunks.pop_front() else { break };
            if self.is_direct() {
                self.write(index, bytes, scene);
            } else {
                let writer = &mut self.writers[index];
                writer.pending = bytes;
                writer.holds_chunk = true;
                self.collect(index, scene);
            }
            self.offer_writer(index);
            self.note_writer(index, scene);
        }
    }

    /// The writer that takes next, taken out of its line.
    fn next_writer(&mut self) -> Option<usize> {
        let direct = self.is_direct();
        for _ in 0..self.ready_writers.len() {
            let index = usize::from(*self.ready_writers.front()?);
            let writer = &self.writers[index];
            let takes = writer.could_take(&self.writing, direct);
            let has_room = direct || writer.has_media || self.may_take_media();
            let is_its_turn = !self.writing.turns || index == self.next_turn;
            self.ready_writers.pop_front();
            self.writers[index].is_ready = false;
            if takes && has_room && is_its_turn {
                self.next_turn = (index + 1) % self.writers.len();
                return Some(index);
            }
            self.offer_writer(index);
        }
        None
    }

    /// A free media buffer that no waiting writer has a claim on.
    fn may_take_media(&self) -> bool {
        self.media.free > 0 && self.media_waiters.is_empty()
    }

    /// Moves the writer's pending bytes into media buffers, writing each that is full.
    fn collect(&mut self, index: usize, scene: &mut Scene<'_>) {
        loop {
            let writing = self.writing;
            let writer = &mut self.writers[index];
            if writer.is_full(&writing) {
                return;
            }
            if writer.pending > 0 {
                if !writer.has_media {
                    if !self.media.take() {
                        self.await_media(index);
                        return;
                    }
                    writer.has_media = true;
                }
                let moved = writer.pending.min(writing.transfer_size - writer.fill);
                writer.fill += moved;
                writer.pending -= moved;
            }
            let all_moved = writer.pending == 0;
            if all_moved && writer.holds_chunk {
                writer.holds_chunk = false;
                self.encoded.give();
            }
            let due = writer.fill == writing.transfer_size
                || (!writing.collected && all_moved && writer.fill > 0);
            if due && writer.outstanding < writing.depth {
                self.flush(index, scene);
            }
            if all_moved {
                return;
            }
        }
    }

    fn await_media(&mut self, index: usize) {
        if !self.writers[index].awaits_media {
            self.writers[index].awaits_media = true;
            self.media_waiters.push_back(index as u16);
        }
    }

    /// Writes what is in the writer's media buffer.
    fn flush(&mut self, index: usize, scene: &mut Scene<'_>) {
        let writer = &mut self.writers[index];
        let bytes = std::mem::take(&mut writer.fill);
        writer.has_media = false;
        self.write(index, bytes, scene);
    }

    fn write(&mut self, index: usize, bytes: u64, scene: &mut Scene<'_>) {
        let thread = (self.readers.len() + index) as u16;
        let writer = &mut self.writers[index];
        let transfer = Transfer {
            bytes,
            thread,
            direction: Direction::Write,
            position: writer.position,
            offset: writer.offset,
        };
        writer.offset += bytes;
        writer.outstanding += 1;
        writer.in_flight += bytes;
        if let Progress::Done(done) = scene.resources.begin(scene.now, transfer, scene.calendar) {
            self.settle(index, done.bytes);
        }
    }

    /// The bytes are written and their buffer is free again.
    fn settle(&mut self, index: usize, bytes: u64) {
        let writer = &mut self.writers[index];
        writer.outstanding -= 1;
        writer.in_flight -= bytes;
        writer.written += bytes;
        self.written_bytes += bytes;
        if !self.encodes() {
            self.raw.give();
        } else if self.writing.in_place {
            self.encoded.give();
        } else {
            self.media.give();
        }
    }

    /// A write has ended.
    pub(super) fn write_ended(&mut self, transfer: &Transfer, scene: &mut Scene<'_>) {
        let index = usize::from(transfer.thread) - self.readers.len();
        self.settle(index, transfer.bytes);
        if self.is_direct() {
            self.offer_writer(index);
        } else {
            self.go_on(index, scene);
            self.serve_media_waiters(scene);
        }
        self.pump_writers(scene);
        if self.encodes() {
            self.start_workers(scene);
        } else {
            self.pump_readers(scene);
        }
        self.note_writer(index, scene);
    }

    /// A writer whose write has ended writes what it had to hold back.
    fn go_on(&mut self, index: usize, scene: &mut Scene<'_>) {
        let writing = self.writing;
        let writer = &self.writers[index];
        let due = writer.fill == writing.transfer_size || (!writing.collected && writer.fill > 0);
        if due && writer.outstanding < writing.depth {
            self.flush(index, scene);
        }
        if self.writers[index].holds_chunk && !self.writers[index].awaits_media {
            self.collect(index, scene);
        }
        self.offer_writer(index);
        self.note_writer(index, scene);
    }

    fn serve_media_waiters(&mut self, scene: &mut Scene<'_>) {
        while self.media.free > 0 {
            let Some(index) = self.media_waiters.pop_front() else { return };
            let index = usize::from(index);
            self.writers[index].awaits_media = false;
            self.collect(index, scene);
            self.offer_writer(index);
            self.note_writer(index, scene);
        }
    }

    /// When nothing more will come, writers write what they have collected.
    pub(super) fn flush_rest(&mut self, scene: &mut Scene<'_>) {
        if !self.input_done(scene.processors) {
            return;
        }
        for index in 0..self.writers.len() {
            let writer = &self.writers[index];
            let ready = writer.fill > 0 && writer.pending == 0;
            if ready && writer.outstanding < self.writing.depth {
                self.flush(index, scene);
            }
            self.note_writer(index, scene);
        }
    }

    /// Brings the writer's state up to date.
    fn note_writer(&mut self, index: usize, scene: &mut Scene<'_>) {
        let direct = self.is_direct();
        let done = self.writers[index].is_done() && self.input_done(scene.processors);
        let writer = &mut self.writers[index];
        let waits_for_writes = writer.awaits_media || !writer.could_take(&self.writing, direct);
        let state = if done {
            ThreadState::Finished
        } else if waits_for_writes {
            ThreadState::AwaitingWrite
        } else {
            ThreadState::AwaitingFilledBuffer
        };
        writer.clock.enter(scene.now, state);
    }
}
