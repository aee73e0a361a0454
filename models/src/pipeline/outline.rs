//! What backup, verification and restore have in common: streams, buffers, work and rules of a job.

use super::job::{Work, Writing};
use super::{Relief, plenty};
use crate::plan::{
    Backup, Compression, Coordinator, EncodedWrites, Place, Restore, Verify, Workers, WriterQueue,
};
use crate::quantity::Bytes;
use crate::wait::in_proportion;

/// A stream of transfers: who, where, how much. What a backup file will hold is not known before.
pub(super) struct Stream<'a> {
    pub(super) name: String,
    pub(super) place: &'a Place,
    pub(super) bytes: u64,
}

/// What every kind of job states about itself.
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
    /// Bytes of all sources.
    pub(super) database_bytes: u64,
    /// Bytes of all targets.
    pub(super) encoded_total: u64,
    /// Bytes that each target is zeroed by before the first read; empty: none.
    pub(super) zeroed: Vec<u64>,
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
    let ratio = compression.map_or(1.0, |c| c.ratio.get());
    let database_bytes = backup.volumes.iter().map(|v| v.bytes.get()).sum();
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
            dealt: false,
        },
        large_block: backup.large_block,
        database_bytes,
        encoded_total: (database_bytes as f64 / ratio).round() as u64,
        zeroed: Vec::new(),
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
    let sources = files(&verify.stripes);
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
            dealt: false,
        },
        large_block: false,
        database_bytes: encoded,
        encoded_total: encoded,
        zeroed: Vec::new(),
        coordinator: verify.coordinator,
    }
}

/// Of a restore: a job whose sources are backup files and whose targets are volumes. A worker
/// decompresses a raw buffer, which makes of it as many bytes as there were before compression;
/// its writer takes them into full writes. So the encoded buffers of a backup are the
/// decompressed ones here, and as many as raw ones (assumption: no printed buffer configuration of
/// a restore was found).
pub(super) fn restore<'a>(restore: &'a Restore, relief: &Relief) -> Outline<'a> {
    let compression = restore.compression.as_ref();
    let sources = files(&restore.stripes);
    let encoded: u64 = sources.iter().map(|s| s.bytes).sum();
    let database = if encoded == 0 { 0 } else { restore.database_bytes().get() };
    let expansion = database as f64 / (encoded as f64).max(1.0);
    let work = compression.map(|c| Work {
        seconds_per_byte: expansion / c.decompression_rate.get(),
        ratio: Some(1.0 / expansion.max(f64::MIN_POSITIVE)),
    });
    let targets: Vec<Stream<'_>> = restore
        .volumes
        .iter()
        .map(|v| Stream { name: v.name.clone(), place: &v.place, bytes: v.bytes.get() })
        .collect();
    let sizes: Vec<u64> = targets.iter().map(|volume| volume.bytes).collect();
    let zeroed = restore.zeroed.get();
    let buffers = buffers(restore.buffer_count, relief);
    let dealt = targets.len() > 1;
    Outline {
        sources,
        targets,
        read_size: restore.transfer_size.get(),
        read_depth: restore.read_depth,
        raw_buffers: buffers,
        encoded_buffers: if work.is_some() { buffers } else { 0 },
        work,
        workers_max: buffers,
        compression,
        writing: Writing {
            transfer_size: restore.transfer_size.get(),
            depth: restore.write_depth,
            collected: true,
            in_place: false,
            turns: None,
            dealt,
        },
        large_block: false,
        database_bytes: encoded,
        encoded_total: database,
        zeroed: if zeroed > 0 { in_proportion(&sizes, zeroed) } else { Vec::new() },
        coordinator: restore.coordinator,
    }
}

/// Backup files as sources.
fn files(stripes: &[(Place, Bytes)]) -> Vec<Stream<'_>> {
    let files = stripes.iter().enumerate().map(|(index, (place, bytes))| Stream {
        name: format!("stripe {}", index + 1),
        place,
        bytes: bytes.get(),
    });
    files.collect()
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

    /// The most bytes that pass its sources, or its targets.
    pub(super) fn bytes_moved(&self) -> u64 {
        let bytes = |streams: &[Stream<'_>]| streams.iter().map(|s| s.bytes).sum::<u64>();
        bytes(&self.sources).max(bytes(&self.targets))
    }

    /// The most transfers that its sources, or its targets, take: what is decompressed is more
    /// than what is read.
    pub(super) fn transfers_each_way(&self) -> u64 {
        let size = self.writing.transfer_size.max(1);
        let writes = self.targets.iter().map(|t| t.bytes.div_ceil(size)).sum();
        self.transfers().max(writes)
    }

    /// Bytes zeroed, and the writes that takes.
    pub(super) fn zeroing(&self) -> (u64, u64) {
        let size = self.writing.transfer_size.max(1);
        let writes = self.zeroed.iter().map(|bytes| bytes.div_ceil(size));
        (self.zeroed.iter().sum(), writes.fold(0, u64::saturating_add))
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
        let targets = self.targets.len() as u32;
        let by_depth = self.sources.len() as u32 * self.read_depth + targets * self.writing.depth;
        // Zeroes need no buffers.
        if !self.zeroed.is_empty() {
            return by_depth;
        }
        // A buffer with the end of a volume counts as two.
        let ends = if self.writing.dealt { targets } else { 0 };
        by_depth.min(self.raw_buffers + self.media_buffers() + self.encoded_buffers + ends)
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
