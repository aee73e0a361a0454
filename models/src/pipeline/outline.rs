//! What a backup and a verification have in common: streams, buffers, work and rules of a job.

use super::job::{Work, Writing};
use super::{Relief, plenty};
use crate::plan::{
    Backup, Compression, Coordinator, EncodedWrites, Place, Verify, Workers, WriterQueue,
};

/// A stream of transfers: who, where, how much.
pub(super) struct Stream<'a> {
    pub(super) name: String,
    pub(super) place: &'a Place,
    pub(super) bytes: u64,
}

/// What both kinds of job state about themselves.
pub(super) struct Outline<'a> {
    pub(super) sources: Vec<Stream<'a>>,
    pub(super) targets: Vec<Stream<'a>>,
    pub(super) read_size: u64,
    pub(super) read_depth: u32,
    pub(super) raw_buffers: u32,
    pub(super) encoded_buffers: u32,
    pub(super) work: Option<Work>,
    /// Workers there may be, processors aside.
    pub(super) workers_max: u32,
    pub(super) compression: Option<&'a Compression>,
    pub(super) writing: Writing,
    pub(super) large_block: bool,
    pub(super) database_bytes: u64,
    pub(super) coordinator: Coordinator,
}

/// Of a backup.
pub(super) fn backup<'a>(backup: &'a Backup, relief: &Relief) -> Outline<'a> {
    let rules = backup.rules;
    let compression = backup.compression.as_ref();
    let buffers = buffers(backup.buffers.count, relief);
    let sources = backup.volumes.iter().map(|volume| Stream {
        name: volume.name.clone(),
        place: &volume.place,
        bytes: volume.bytes.get(),
    });
    let targets = backup.stripes.iter().enumerate().map(|(index, place)| Stream {
        name: format!("stripe {}", index + 1),
        place,
        bytes: 0,
    });
    let work = compression
        .map(|c| Work { seconds_per_byte: 1.0 / c.rate.get(), ratio: Some(c.ratio.get()) });
    Outline {
        sources: sources.collect(),
        targets: targets.collect(),
        read_size: backup.buffers.transfer_size.get(),
        read_depth: rules.read_depth,
        raw_buffers: buffers,
        encoded_buffers: buffers,
        work,
        workers_max: match rules.workers {
            Workers::ProcessorsAndBuffers => buffers,
            Workers::Processors => u32::MAX,
        },
        compression,
        writing: Writing {
            transfer_size: backup.buffers.transfer_size.get(),
            depth: rules.write_depth,
            collected: rules.encoded_writes == EncodedWrites::Collected,
            in_place: rules.encoded_writes == EncodedWrites::InPlace,
            turns: (rules.writer_queue == WriterQueue::Turns).then_some(0),
        },
        large_block: backup.large_block,
        database_bytes: backup.volumes.iter().map(|v| v.bytes.get()).sum(),
        coordinator: backup.coordinator,
    }
}

/// Buffers of one set.
fn buffers(count: u32, relief: &Relief) -> u32 {
    if relief.buffers { plenty(count) } else { count.max(1) }
}

/// Of a verification.
pub(super) fn verification<'a>(verify: &'a Verify, relief: &Relief) -> Outline<'a> {
    let compression = verify.compression.as_ref();
    let sources = verify.stripes.iter().enumerate().map(|(index, (place, bytes))| Stream {
        name: format!("stripe {}", index + 1),
        place,
        bytes: bytes.get(),
    });
    let sources: Vec<Stream<'_>> = sources.collect();
    let encoded: u64 = sources.iter().map(|s| s.bytes).sum();
    let expansion = verify.database_bytes.as_f64() / (encoded as f64).max(1.0);
    let work = compression
        .map(|c| Work { seconds_per_byte: expansion / c.decompression_rate.get(), ratio: None });
    Outline {
        sources,
        targets: Vec::new(),
        read_size: verify.transfer_size.get(),
        read_depth: verify.read_depth,
        raw_buffers: buffers(verify.buffer_count, relief),
        encoded_buffers: 0,
        work,
        workers_max: verify.buffer_count.max(1),
        compression,
        writing: Writing {
            transfer_size: 1,
            depth: 1,
            collected: false,
            in_place: false,
            turns: None,
        },
        large_block: false,
        database_bytes: encoded,
        coordinator: verify.coordinator,
    }
}

impl<'a> Outline<'a> {
    /// Sources and targets.
    pub(super) fn streams(&self) -> impl Iterator<Item = &Stream<'a>> {
        self.sources.iter().chain(&self.targets)
    }

    /// Transfers that its sources hold.
    pub(super) fn transfers(&self) -> u64 {
        self.sources.iter().map(|s| s.bytes.div_ceil(self.read_size.max(1))).sum()
    }

    /// Raw bytes that all buffers together can hold.
    pub(super) fn content_bytes(&self) -> u64 {
        let ratio = self.work.and_then(|w| w.ratio).unwrap_or(1.0).max(1.0);
        let media = f64::from(self.media_buffers()) * self.writing.transfer_size as f64 * ratio;
        let raw = u64::from(self.raw_buffers + self.encoded_buffers) * self.read_size;
        raw + media as u64
    }

    /// The most transfers that can be under way at once.
    pub(super) fn transfers_under_way(&self) -> u32 {
        let by_depth = self.sources.len() as u32 * self.read_depth
            + self.targets.len() as u32 * self.writing.depth;
        by_depth.min(self.raw_buffers + self.media_buffers() + self.encoded_buffers)
    }

    /// The most transfers that can be on a device at once.
    pub(super) fn transfers_on(&self, device: usize) -> u32 {
        let on = |streams: &[Stream<'_>]| {
            streams.iter().filter(|stream| stream.place.leads_over(device)).count() as u32
        };
        let by_depth = on(&self.sources) * self.read_depth + on(&self.targets) * self.writing.depth;
        by_depth.min(self.transfers_under_way())
    }

    /// Media buffers: as many as encoded ones, but one for each writer at the least, or writers
    /// with half a buffer could keep each other from ever finishing it (assumption).
    pub(super) fn media_buffers(&self) -> u32 {
        if self.encoded_buffers == 0 || self.writing.in_place {
            return 0;
        }
        self.encoded_buffers.max(self.targets.len() as u32)
    }
}
