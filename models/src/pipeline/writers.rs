//! Writers: one per backup file, or in a restore one per volume.
//!
//! Writers take filled buffers from one shared queue, so a faster file takes more (or each in its
//! turn: the engine's documentation and its trace output disagree, so it is a switch). Without
//! compression a raw buffer is written as it is. With it, a writer copies encoded bytes into a
//! media buffer and writes that when it is full (or writes the encoded buffer in place); copying
//! costs no time (assumption: memory is far faster than any device). A writer keeps up to a depth
//! of writes outstanding.

use super::job::{Job, Writing};
use super::stations::{Scene, Stations};
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
    /// Bytes it has to write, and how many of them it has not yet taken, if bytes are dealt.
    pub(super) total: u64,
    pub(super) left: u64,
    /// Bytes to be zeroed for which no write has begun.
    pub(super) to_zero: u64,
    /// Devices and links on its path.
    pub(super) devices: Vec<usize>,
    pub(super) clock: ThreadClock,
}

impl Writer {
    pub(super) fn is_done(&self) -> bool {
        self.outstanding == 0 && self.fill == 0 && self.pending == 0
    }

    /// Whether the writer could take more from the queue.
    #[inline]
    fn could_take(&self, writing: &Writing, direct: bool) -> bool {
        if direct {
            return self.outstanding < writing.depth;
        }
        !self.holds_chunk && !self.is_full(writing)
    }

    /// The media buffer that is being filled stays so with these bytes in it.
    #[inline]
    fn has_room(&self, bytes: u64, writing: &Writing) -> bool {
        self.has_media && bytes < writing.transfer_size - self.fill
    }

    /// The media buffer is full and may not be written yet.
    #[inline]
    fn is_full(&self, writing: &Writing) -> bool {
        self.has_media && self.outstanding >= writing.depth && self.is_due(writing)
    }

    /// What is in the media buffer should be written as soon as the depth allows.
    #[inline]
    fn is_due(&self, writing: &Writing) -> bool {
        self.fill == writing.transfer_size || (!writing.collected && self.fill > 0)
    }
}

impl Job {
    /// All writers stand in line for filled buffers.
    pub(super) fn begin_writing<S: Stations>(&mut self, scene: &mut Scene<'_, S>) {
        self.begin_dealing();
        for index in 0..self.writers.len() {
            self.line_up(index, scene);
        }
    }

    /// The writer stands in line if it could take a filled buffer, and its state is brought up to
    /// date.
    #[inline]
    fn line_up<S: Stations>(&mut self, index: usize, scene: &mut Scene<'_, S>) {
        let writer = &mut self.writers[index];
        if !writer.is_ready && writer.could_take(&self.writing, self.is_direct) {
            writer.is_ready = true;
            self.ready_writers.push(index as u16);
        }
        self.note_writer(index, scene);
    }

    /// The usual case of encoded bytes in short: none wait before them, and they go into the media
    /// buffer of the first writer in line without filling it. False if it is another case.
    #[inline(always)]
    pub(super) fn top_up(&mut self, bytes: u64) -> bool {
        if !self.writing.collected || self.writing.dealt || !self.chunks.is_empty() {
            return false;
        }
        let Some(thread) = self.ready_writers.front() else { return false };
        let writer = &mut self.writers[usize::from(thread)];
        let takes = !writer.holds_chunk && writer.has_room(bytes, &self.writing);
        if !takes || self.writing.turns.is_some_and(|turn| turn != thread) {
            return false;
        }
        writer.fill += bytes;
        self.encoded.give();
        self.ready_writers.rotate();
        self.pass_turn(thread);
        true
    }

    /// Whether all writers stand in line for filled buffers and none waits for a media buffer.
    #[inline]
    pub(super) fn all_in_line(&self) -> bool {
        self.ready_writers.len() == self.writers.len() && self.media_waiters.is_empty()
    }

    /// How many times in a row [`Job::top_up`] is certain to succeed with fewer than `bytes`.
    pub(super) fn room_for(&self, bytes: u64) -> u64 {
        let has_turns = self.writing.turns.is_some() && self.writers.len() > 1;
        if !self.writing.collected || has_turns || !self.chunks.is_empty() {
            return 0;
        }
        let mut room = u64::MAX;
        for thread in self.ready_writers.iter() {
            let writer = &self.writers[usize::from(thread)];
            if writer.holds_chunk || !writer.has_media {
                return 0;
            }
            room = room.min(self.writing.transfer_size - writer.fill);
        }
        match self.ready_writers.len() as u64 {
            0 => 0,
            _ if room < bytes => 0,
            writers => writers * (room / bytes),
        }
    }

    /// Does [`Job::top_up`] with so many buffers of `bytes` raw ones, where that is certain to
    /// succeed, but for the encoded buffers, which have been given back.
    pub(super) fn fill_up(&mut self, buffers: u64, bytes: u64) {
        let Some(ratio) = self.work.and_then(|work| work.ratio) else {
            self.worked_bytes += buffers * bytes;
            return;
        };
        let writers = self.ready_writers.len() as u64;
        // A single writer takes all of them, several take them in turn.
        let (buffers, bytes) = if writers == 1 { (1, buffers * bytes) } else { (buffers, bytes) };
        let (mut worked, mut encoded) = (self.worked_bytes, self.encoded_bytes);
        let mut left = buffers;
        while left > 0 {
            let before = left;
            for thread in self.ready_writers.iter().take(left as usize) {
                worked += bytes;
                let all = self.encoded_of(worked, ratio);
                let writer = &mut self.writers[usize::from(thread)];
                writer.fill += all - encoded;
                debug_assert!(writer.fill < self.writing.transfer_size, "there is room");
                encoded = all;
                left -= 1;
            }
            assert!(left < before, "nobody has room for what was promised");
        }
        (self.worked_bytes, self.encoded_bytes) = (worked, encoded);
        for _ in 0..buffers % writers {
            self.ready_writers.rotate();
        }
    }

    /// After this writer, it is the next one's turn.
    #[inline]
    fn pass_turn(&mut self, thread: u16) {
        if let Some(turn) = &mut self.writing.turns
            && !self.writing.dealt
        {
            *turn = if usize::from(thread) + 1 == self.writers.len() { 0 } else { thread + 1 };
        }
    }

    /// Hands waiting bytes to writers.
    #[inline(always)]
    pub(super) fn pump_writers<S: Stations>(&mut self, scene: &mut Scene<'_, S>) {
        while !self.chunks.is_empty() {
            let Some(index) = self.next_writer() else { break };
            let Some(bytes) = self.chunks.pop() else { break };
            let bytes = if self.writing.dealt { self.deal(index, bytes) } else { bytes };
            self.writers[index].is_ready = false;
            self.ready_writers.pop();
            if self.is_direct {
                self.write(index, bytes, scene);
            } else {
                let writer = &mut self.writers[index];
                writer.pending = bytes;
                writer.holds_chunk = true;
                self.collect(index, scene);
            }
            self.line_up(index, scene);
        }
    }

    /// The writer that takes next: it comes to the head of the line.
    #[inline]
    fn next_writer(&mut self) -> Option<usize> {
        let may_take_media = self.may_take_media();
        for _ in 0..self.ready_writers.len() {
            let thread = self.ready_writers.front()?;
            let index = usize::from(thread);
            let writer = &mut self.writers[index];
            let takes = writer.could_take(&self.writing, self.is_direct);
            let has_room = self.is_direct || writer.has_media || may_take_media;
            if takes && has_room && self.writing.turns.is_none_or(|turn| turn == thread) {
                self.pass_turn(thread);
                return Some(index);
            }
            writer.is_ready = takes;
            if takes {
                self.ready_writers.rotate();
            } else {
                self.ready_writers.pop();
            }
        }
        None
    }

    /// A free media buffer that no waiting writer has a claim on.
    fn may_take_media(&self) -> bool {
        self.media.free > 0 && self.media_waiters.is_empty()
    }

    /// Moves the writer's pending bytes into media buffers, writing each that is full.
    fn collect<S: Stations>(&mut self, index: usize, scene: &mut Scene<'_, S>) {
        loop {
            let writer = &mut self.writers[index];
            if writer.is_full(&self.writing) {
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
                let moved = writer.pending.min(self.writing.transfer_size - writer.fill);
                writer.fill += moved;
                writer.pending -= moved;
            }
            let all_moved = writer.pending == 0;
            if all_moved && writer.holds_chunk {
                writer.holds_chunk = false;
                self.encoded.give();
            }
            if writer.is_due(&self.writing) && writer.outstanding < self.writing.depth {
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
            self.media_waiters.push(index as u16);
        }
    }

    /// Writes what is in the writer's media buffer.
    fn flush<S: Stations>(&mut self, index: usize, scene: &mut Scene<'_, S>) {
        let writer = &mut self.writers[index];
        let bytes = std::mem::take(&mut writer.fill);
        writer.has_media = false;
        self.write(index, bytes, scene);
    }

    fn write<S: Stations>(&mut self, index: usize, bytes: u64, scene: &mut Scene<'_, S>) {
        let thread = (self.readers.len() + index) as u16;
        let writer = &mut self.writers[index];
        let transfer =
            Transfer { bytes, thread, direction: Direction::Write, offset: writer.offset };
        writer.offset += bytes;
        writer.outstanding += 1;
        writer.in_flight += bytes;
        if let Some(done) = scene.stations.begin(scene.now, transfer, scene.devices) {
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
        if !self.encodes {
            self.raw.give();
        } else if self.writing.in_place {
            self.encoded.give();
        } else {
            self.media.give();
        }
    }

    /// A write has ended: the buffer it was from is free, and its writer may go on.
    #[inline(always)]
    pub(super) fn end_write<S: Stations>(
        &mut self,
        thread: u16,
        bytes: u64,
        scene: &mut Scene<'_, S>,
    ) {
        let index = usize::from(thread) - self.readers.len();
        self.settle(index, bytes);
        if self.is_direct {
            self.line_up(index, scene);
        } else {
            self.resume(index, scene);
            self.serve_media_waiters(scene);
        }
    }

    /// A writer whose write has ended writes what it had to hold back.
    fn resume<S: Stations>(&mut self, index: usize, scene: &mut Scene<'_, S>) {
        let writer = &self.writers[index];
        if writer.is_due(&self.writing) && writer.outstanding < self.writing.depth {
            self.flush(index, scene);
        }
        if self.writers[index].holds_chunk && !self.writers[index].awaits_media {
            self.collect(index, scene);
        }
        self.line_up(index, scene);
    }

    fn serve_media_waiters<S: Stations>(&mut self, scene: &mut Scene<'_, S>) {
        while self.media.free > 0 {
            let Some(index) = self.media_waiters.pop() else { return };
            let index = usize::from(index);
            self.writers[index].awaits_media = false;
            self.collect(index, scene);
            self.line_up(index, scene);
        }
    }

    /// When nothing more will come, writers write what they have collected, and end.
    pub(super) fn flush_rest<S: Stations>(&mut self, scene: &mut Scene<'_, S>) {
        if !self.input_done(scene.processors) {
            return;
        }
        for index in 0..self.writers.len() {
            let writer = &self.writers[index];
            let ready = writer.fill > 0 && writer.pending == 0;
            if ready && writer.outstanding < self.writing.depth {
                self.flush(index, scene);
            }
            if self.writers[index].is_done() {
                self.writers[index].clock.enter(scene.now, ThreadState::Finished);
            } else {
                self.note_writer(index, scene);
            }
        }
    }

    /// Brings the state of a writer up to date that has not ended.
    #[inline]
    fn note_writer<S: Stations>(&mut self, index: usize, scene: &mut Scene<'_, S>) {
        let writer = &mut self.writers[index];
        // With a write under way the thread waits for that: what else it could take depends on
        // buffers that its own side still holds. A fast target has hardly ever one under way.
        let state = if writer.awaits_media || writer.outstanding > 0 {
            ThreadState::AwaitingWrite
        } else {
            ThreadState::AwaitingFilledBuffer
        };
        writer.clock.enter(scene.now, state);
    }
}
