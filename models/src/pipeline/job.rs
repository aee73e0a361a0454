//! One job: the threads and buffers of a backup, a verification or a restore.
//!
//! The same parts serve all. A backup reads volumes, works on buffers if it compresses, and
//! writes backup files; a verification reads backup files, works on buffers if they are
//! compressed, and writes nothing; a restore does that and writes volumes. What a worker makes of a
//! raw buffer is called encoded here, be it compressed or decompressed.
//!
//! Raw buffers: free -> being read -> filled -> (worked on | written) -> free.
//! Encoded buffers: free -> being filled by a worker -> encoded -> taken by a writer -> free.
//! Media buffers: free -> being filled by a writer -> being written -> free.

use bakcast_sim::Ring;

use super::processors::Processors;
use super::readers::Reader;
use super::stations::{Ended, Scene, Stations};
use super::writers::Writer;

/// A set of buffers of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pool {
    pub(super) count: u32,
    pub(super) free: u32,
}

impl Pool {
    pub(super) fn new(count: u32) -> Self {
        Pool { count, free: count }
    }

    /// Takes a free buffer; false if there is none.
    #[inline]
    pub(super) fn take(&mut self) -> bool {
        if self.free == 0 {
            return false;
        }
        self.free -= 1;
        true
    }

    /// Gives a buffer back.
    #[inline]
    pub(super) fn give(&mut self) {
        self.free += 1;
    }
}

/// Buffers in line, first come first served, of which nearly all hold the same number of bytes: a
/// count of those, and behind them whatever came once another one had come.
#[derive(Debug)]
pub(super) struct Backlog {
    usual: u64,
    count: u32,
    rest: Ring<u64>,
}

impl Backlog {
    /// Nobody in line; buffers usually hold `usual` bytes.
    pub(super) fn new(usual: u64) -> Self {
        Backlog { usual, count: 0, rest: Ring::new() }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, bytes: u64) {
        if bytes == self.usual && self.rest.is_empty() {
            self.count += 1;
        } else {
            self.rest.push(bytes);
        }
    }

    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<u64> {
        if self.count == 0 {
            return self.rest.pop();
        }
        self.count -= 1;
        Some(self.usual)
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0 && self.rest.is_empty()
    }

    /// Whether all of them hold the usual number of bytes.
    pub(super) fn is_usual(&self) -> bool {
        self.rest.is_empty()
    }

    /// Now so many are in line, all of them usual.
    pub(super) fn set_usual(&mut self, count: u32) {
        self.count = count;
    }

    pub(super) fn len(&self) -> u32 {
        self.count + self.rest.len() as u32
    }

    /// Bytes in all of them.
    pub(super) fn bytes(&self) -> u64 {
        self.usual * u64::from(self.count) + self.rest.iter().sum::<u64>()
    }
}

/// Work done on each filled raw buffer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Work {
    /// Processor seconds per raw byte.
    pub(super) seconds_per_byte: f64,
    /// Raw bytes per encoded byte; `None`: the result is thrown away, as in a verification.
    pub(super) ratio: Option<f64>,
}

/// How writers go about it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Writing {
    /// Bytes of one write.
    pub(super) transfer_size: u64,
    /// Writes outstanding per writer.
    pub(super) depth: u32,
    /// Encoded bytes are collected into full writes.
    pub(super) collected: bool,
    /// Encoded buffers are written as they are, without media buffers.
    pub(super) in_place: bool,
    /// Writers take in turns: whose turn it is.
    pub(super) turns: Option<u16>,
    /// Each writer has an amount of its own to write, and the turn is that of the one that lags
    /// behind most.
    pub(super) dealt: bool,
}

/// Threads and buffers of one job.
pub(super) struct Job {
    pub(super) readers: Vec<Reader>,
    /// Readers that have not yet read everything.
    pub(super) reading: u32,
    /// Readers that could read if they had a buffer, in the order they came to that.
    pub(super) ready_readers: Ring<u16>,
    pub(super) read_size: u64,
    pub(super) read_depth: u32,
    pub(super) raw: Pool,
    pub(super) work: Option<Work>,
    /// Buffers are encoded and written.
    pub(super) encodes: bool,
    /// Filled raw buffers that wait for a worker.
    pub(super) filled: Backlog,
    pub(super) encoded: Pool,
    /// Bytes that wait for a writer: encoded, or raw without compression.
    pub(super) chunks: Backlog,
    pub(super) media: Pool,
    pub(super) writers: Vec<Writer>,
    pub(super) ready_writers: Ring<u16>,
    /// Writers that have bytes but no media buffer to put them in.
    pub(super) media_waiters: Ring<u16>,
    pub(super) writing: Writing,
    /// Buffers are written as they come, without media buffers.
    pub(super) is_direct: bool,
    pub(super) read_bytes: u64,
    pub(super) worked_bytes: u64,
    pub(super) encoded_bytes: u64,
    pub(super) written_bytes: u64,
    /// Writers that still zero their files: before that has ended nothing is read.
    pub(super) zeroing: u32,
    /// Bytes of all sources.
    pub(super) database_bytes: u64,
    /// Encoded bytes of the whole job.
    pub(super) encoded_total: u64,
}

impl Job {
    /// Something has ended: sets going whatever can go on after that.
    ///
    /// The order matters: among equal times the end found first comes first.
    #[inline(always)]
    pub(super) fn go_on<S: Stations>(&mut self, ended: Ended, scene: &mut Scene<'_, S>) {
        match ended {
            Ended::Transfer { thread, bytes } if usize::from(thread) < self.readers.len() => {
                self.end_read(thread, bytes, scene);
                return;
            }
            Ended::Transfer { thread, .. } if self.zeroing > 0 => {
                self.end_zeroing(thread, scene);
                return;
            }
            Ended::Transfer { thread, bytes } => self.end_write(thread, bytes, scene),
            Ended::Work { bytes } => self.end_work(bytes, scene.processors),
        }
        self.pump_writers(scene);
        self.start_workers(scene);
        self.pump_readers(scene);
    }

    /// Nothing is left to read, to work on or to hand to a writer.
    #[inline]
    pub(super) fn input_done(&self, processors: &Processors) -> bool {
        self.reading == 0
            && self.zeroing == 0
            && self.chunks.is_empty()
            && self.filled.is_empty()
            && processors.busy == 0
    }

    /// Raw bytes in buffers: read, and neither written nor, in a verification, worked on.
    pub(super) fn held_bytes(&self) -> f64 {
        let drained = if !self.writers.is_empty() {
            let ratio = self.work.and_then(|work| work.ratio).unwrap_or(1.0);
            self.written_bytes as f64 * ratio
        } else if self.work.is_some() {
            self.worked_bytes as f64
        } else {
            self.read_bytes as f64
        };
        self.read_bytes as f64 - drained
    }

    /// Raw bytes that leave buffers at once: one write of every writer, or one read.
    pub(super) fn grain_bytes(&self) -> f64 {
        let ratio = self.work.and_then(|work| work.ratio).unwrap_or(1.0);
        let writes = self.writers.len() as f64 * self.writing.transfer_size as f64 * ratio;
        writes.max(self.read_size as f64)
    }

    /// Nothing is left at all.
    pub(super) fn is_done(&self, processors: &Processors) -> bool {
        self.input_done(processors) && self.writers.iter().all(Writer::is_done)
    }

    /// Every buffer is somewhere, and only once; no byte is lost.
    ///
    /// # Panics
    /// If not: our bug.
    pub(super) fn assert_conservation(&self, processors: &Processors) {
        let reading: u32 = self.readers.iter().map(|r| r.outstanding).sum();
        // Zeroes are in no buffer.
        let writing: u32 = match self.zeroing {
            0 => self.writers.iter().map(|w| w.outstanding).sum(),
            _ => 0,
        };
        let holding = self.writers.iter().filter(|w| w.holds_chunk).count() as u32;
        let filling = self.writers.iter().filter(|w| w.has_media).count() as u32;
        let (filled, chunks) = (self.filled.len(), self.chunks.len());
        let busy = processors.busy;
        let drained = if self.work.is_some() { busy } else { chunks + writing };
        assert_eq!(
            self.raw.free + reading + filled + drained,
            self.raw.count,
            "raw buffers: free + filling + filled + draining"
        );
        if self.encodes {
            let in_place = if self.writing.in_place { writing } else { 0 };
            assert_eq!(self.encoded.free + busy + chunks + holding + in_place, self.encoded.count);
            assert_eq!(self.media.free + filling + writing - in_place, self.media.count);
        }
        let unwritten: u64 = self.writers.iter().map(|w| w.fill + w.pending + w.in_flight).sum();
        let queued: u64 = self.chunks.bytes();
        let handed_on = if self.encodes { self.encoded_bytes } else { self.read_bytes };
        if !self.writers.is_empty() {
            assert_eq!(handed_on, queued + unwritten + self.written_bytes, "bytes on their way");
        }
    }

    /// The counts that explain why a job stands still.
    pub(super) fn describe(&self) -> String {
        let threads = |states: Vec<String>| states.join(", ");
        let readers = self.readers.iter().map(|r| {
            format!("{} ({} left, {} under way)", r.clock.state().name(), r.left, r.outstanding)
        });
        let writers = self.writers.iter().map(|w| {
            format!(
                "{} ({} pending, {} under way)",
                w.clock.state().name(),
                w.pending,
                w.outstanding
            )
        });
        format!(
            "raw buffers {} free of {}, {} filled; encoded {} free of {}, {} waiting; media {} \
             free of {}; readers: {}; writers: {}",
            self.raw.free,
            self.raw.count,
            self.filled.len(),
            self.encoded.free,
            self.encoded.count,
            self.chunks.len(),
            self.media.free,
            self.media.count,
            threads(readers.collect()),
            threads(writers.collect()),
        )
    }
}
