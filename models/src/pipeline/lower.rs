//! From a plan to a run: threads, buffers, stations and streams.

use bakcast_sim::{Ring, Span, Streams};

use super::crew::{Crew, Regime};
use super::devices::DeviceInUse;
use super::facilities::Facilities;
use super::forward::{Forward, WORTH_IT};
use super::job::{Backlog, Job, Pool, Work, Writing};
use super::lines::Lines;
use super::processors::{ProcessorSetting, Processors};
use super::readers::Reader;
use super::simulation::{Simulation, Way};
use super::writers::Writer;
use super::{BackupError, PLENTY, Relief, TRANSFERS_MAX, Terms};
use crate::device::{Device, Holder, Setting, run_speed, slowest_factor, unit_mean};
use crate::plan::{
    Backup, Compression, Coordinator, EncodedWrites, Machine, Place, Verify, Workers, WriterQueue,
};
use crate::quantity::Period;
use crate::station_clock::DeviceClock;
use crate::wait::{ThreadClock, ThreadState};

/// A stream of transfers: who, where, how much.
struct Stream<'a> {
    name: String,
    place: &'a Place,
    bytes: u64,
}

/// What both kinds of job state about themselves.
struct Outline<'a> {
    sources: Vec<Stream<'a>>,
    targets: Vec<Stream<'a>>,
    read_size: u64,
    read_depth: u32,
    raw_buffers: u32,
    encoded_buffers: u32,
    work: Option<Work>,
    /// Workers there may be, processors aside.
    workers_max: u32,
    compression: Option<&'a Compression>,
    writing: Writing,
    large_block: bool,
    database_bytes: u64,
    coordinator: Coordinator,
}

/// A backup, ready to run.
pub(super) fn backup(
    machine: &Machine,
    backup: &Backup,
    streams: &Streams,
    terms: &Terms,
) -> Result<(Simulation, Way), BackupError> {
    let rules = backup.rules;
    let compression = backup.compression.as_ref();
    let plenty = if terms.relief.buffers { PLENTY } else { 1 };
    let buffers = backup.buffers.count.max(1).saturating_mul(plenty);
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
    let outline = Outline {
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
    };
    build(machine, &outline, streams, terms)
}

/// A verification, ready to run.
pub(super) fn verify(
    machine: &Machine,
    verify: &Verify,
    streams: &Streams,
    terms: &Terms,
) -> Result<(Simulation, Way), BackupError> {
    let compression = verify.compression.as_ref();
    let plenty = if terms.relief.buffers { PLENTY } else { 1 };
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
    let outline = Outline {
        sources,
        targets: Vec::new(),
        read_size: verify.transfer_size.get(),
        read_depth: verify.read_depth,
        raw_buffers: verify.buffer_count.max(1).saturating_mul(plenty),
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
    };
    build(machine, &outline, streams, terms)
}

fn build(
    machine: &Machine,
    outline: &Outline<'_>,
    streams: &Streams,
    terms: &Terms,
) -> Result<(Simulation, Way), BackupError> {
    let transfers =
        outline.sources.iter().map(|s| s.bytes.div_ceil(outline.read_size.max(1))).sum::<u64>();
    if terms.exact && transfers > TRANSFERS_MAX {
        return Err(BackupError::TooManyTransfers { transfers, limit: TRANSFERS_MAX });
    }
    let days = slowest_seconds(machine, outline) / 86_400.0;
    if days > DAYS_MAX {
        return Err(BackupError::TooLong { days: days as u64 });
    }
    let devices = devices(machine, outline, streams, &terms.relief);
    let crew = crew(machine, outline, streams, &terms.relief);
    let forward = (!terms.exact && transfers >= WORTH_IT).then(|| {
        let regime = Regime { reading: vec![Some(crew.job.reading)], changes: 0 };
        let mut draw = streams.named("forward");
        Forward::new(outline.content_bytes(), outline.read_size, regime, &mut draw)
    });
    let way = way(machine, outline, &devices, crew.processors.servers, terms);
    let device_names = machine.devices.iter().map(|d| d.name.clone()).collect();
    Ok((Simulation { crew, devices, forward, device_names }, way))
}

/// Everybody who works for a job.
fn crew(machine: &Machine, outline: &Outline<'_>, streams: &Streams, relief: &Relief) -> Crew {
    let fixed = |period: Period| if relief.fixed_cost { Span::ZERO } else { period.span() };
    Crew {
        job: job(outline),
        processors: processors(machine, outline, streams, relief),
        coordinator: ThreadClock::new(ThreadState::Starting),
        start: fixed(outline.coordinator.start),
        finish: fixed(outline.coordinator.finish),
        is_under_way: false,
        skipped_ns: 0,
    }
}

/// How ends are found: by recursion where that can express the stations.
fn way(
    machine: &Machine,
    outline: &Outline<'_>,
    devices: &[DeviceInUse],
    servers: u32,
    terms: &Terms,
) -> Way {
    let laws: Vec<&Device> = machine.devices.iter().map(|d| &d.law).collect();
    let reads = outline.sources.iter().map(|s| path(s.place, true));
    let writes = outline.targets.iter().map(|s| path(s.place, false));
    let paths: Vec<Vec<usize>> = reads.chain(writes).collect();
    let requests = outline.transfers_under_way() as usize;
    if !terms.scheduled
        && let Some(lines) = Lines::new(devices, &laws, &paths, requests, servers)
    {
        return Way::Lines(lines);
    }
    let mut facilities = Facilities::new(devices, &laws, requests, servers, 1);
    paths.iter().for_each(|path| facilities.add_path(path));
    Way::Facilities(facilities)
}

/// The most days a run may come to: simulated time is counted in nanoseconds, in 64 bits, which end
/// after ten times as many.
const DAYS_MAX: f64 = 20_000.0;

/// A time no run exceeds: every byte on every device it may touch, one after the other, each device
/// as slow as its run-to-run variation makes it once in a thousand million runs.
fn slowest_seconds(machine: &Machine, outline: &Outline<'_>) -> f64 {
    let bytes = outline.sources.iter().map(|s| s.bytes).sum::<u64>() as f64;
    let transfers = bytes / (outline.read_size.max(1) as f64) + outline.sources.len() as f64;
    let streams = outline.targets.len() as f64;
    let in_use = |device: usize| outline.streams().any(|s| uses(s.place, device));
    let devices = machine.devices.iter().enumerate().filter(|(index, _)| in_use(*index));
    let on_devices = devices.map(|(_, d)| {
        d.law.slowest_seconds(bytes, transfers, streams) * slowest_factor(d.run_to_run)
    });
    let work = outline.work.map_or(0.0, |w| w.seconds_per_byte * bytes);
    on_devices.sum::<f64>() + work * slowest_factor(machine.processor.run_to_run)
}

impl<'a> Outline<'a> {
    /// Sources and targets.
    fn streams(&self) -> impl Iterator<Item = &Stream<'a>> {
        self.sources.iter().chain(&self.targets)
    }

    /// Raw bytes that all buffers together can hold.
    fn content_bytes(&self) -> u64 {
        let ratio = self.work.and_then(|w| w.ratio).unwrap_or(1.0).max(1.0);
        let media = f64::from(self.media_buffers()) * self.writing.transfer_size as f64 * ratio;
        let raw = u64::from(self.raw_buffers + self.encoded_buffers) * self.read_size;
        raw + media as u64
    }

    /// The most transfers that can be under way at once.
    fn transfers_under_way(&self) -> u32 {
        let by_depth = self.sources.len() as u32 * self.read_depth
            + self.targets.len() as u32 * self.writing.depth;
        by_depth.min(self.raw_buffers + self.media_buffers() + self.encoded_buffers)
    }

    /// Media buffers: as many as encoded ones, but one for each writer at the least, or writers
    /// with half a buffer could keep each other from ever finishing it (assumption).
    fn media_buffers(&self) -> u32 {
        if self.encoded_buffers == 0 || self.writing.in_place {
            return 0;
        }
        self.encoded_buffers.max(self.targets.len() as u32)
    }
}

/// Whether the way to a place leads over the device.
fn uses(place: &Place, device: usize) -> bool {
    place.device == device || place.via.contains(&device)
}

fn devices(
    machine: &Machine,
    outline: &Outline<'_>,
    streams: &Streams,
    relief: &Relief,
) -> Vec<DeviceInUse> {
    let positions: Vec<f64> = outline.streams().map(|s| s.place.position.get()).collect();
    let in_use = machine.devices.iter().enumerate().map(|(index, device)| {
        let writers = outline.targets.iter().filter(|t| uses(t.place, index)).count();
        let setting = Setting {
            streams,
            name: &device.name,
            run_to_run: device.run_to_run,
            positions: &positions,
            write_streams: writers as u32,
            large_block: outline.large_block,
            relieved: relief.devices.contains(&index),
        };
        DeviceInUse {
            holder: Holder::new(&device.law, &setting),
            clock: DeviceClock::default(),
            completions: 0,
            bytes: 0,
            reads: outline.sources.iter().any(|s| uses(s.place, index)),
            writes: writers > 0,
            blocked_readers: 0,
            present: 0,
            is_null: matches!(device.law, Device::Null(_)),
        }
    });
    in_use.collect()
}

/// Devices and links in order of travel: outwards for writes, the way back for reads.
fn path(place: &Place, reading: bool) -> Vec<usize> {
    let mut path = on_path(place);
    if reading {
        path.reverse();
    }
    path
}

fn processors(
    machine: &Machine,
    outline: &Outline<'_>,
    streams: &Streams,
    relief: &Relief,
) -> Processors {
    let servers = machine.processor.count.min(outline.workers_max).max(1);
    let servers = if outline.work.is_some() { servers } else { 1 };
    let variation = outline.compression.map_or(0.0, |c| c.variability.get());
    let mut run = streams.named("processor/run");
    Processors::new(ProcessorSetting {
        servers,
        speed: run_speed(&mut run, machine.processor.run_to_run),
        relieved: relief.processor,
        variation: (variation > 0.0)
            .then(|| streams.variates("processor/service", &unit_mean(variation))),
    })
}

/// Devices and links on the way to a place.
fn on_path(place: &Place) -> Vec<usize> {
    place.via.iter().copied().chain([place.device]).collect()
}

fn job(outline: &Outline<'_>) -> Job {
    let readers = outline.sources.iter().map(|source| Reader {
        name: source.name.clone(),
        left: source.bytes,
        outstanding: 0,
        offset: 0,
        devices: on_path(source.place),
        is_ready: false,
        clock: ThreadClock::new(ThreadState::Starting),
    });
    let writers = outline.targets.iter().map(|target| Writer {
        name: target.name.clone(),
        outstanding: 0,
        in_flight: 0,
        fill: 0,
        has_media: false,
        pending: 0,
        holds_chunk: false,
        is_ready: false,
        awaits_media: false,
        offset: 0,
        written: 0,
        devices: on_path(target.place),
        clock: ThreadClock::new(ThreadState::Starting),
    });
    let encodes = outline.work.is_some_and(|w| w.ratio.is_some());
    let ratio = outline.work.and_then(|w| w.ratio).unwrap_or(1.0);
    Job {
        reading: outline.sources.iter().filter(|s| s.bytes > 0).count() as u32,
        readers: readers.collect(),
        ready_readers: Ring::new(),
        read_size: outline.read_size,
        read_depth: outline.read_depth,
        raw: Pool::new(outline.raw_buffers),
        work: outline.work,
        encodes,
        filled: Backlog::new(outline.read_size),
        encoded: Pool::new(outline.encoded_buffers),
        chunks: Backlog::new(outline.read_size),
        media: Pool::new(outline.media_buffers()),
        writers: writers.collect(),
        ready_writers: Ring::new(),
        media_waiters: Ring::new(),
        is_direct: outline.writing.in_place || !encodes,
        writing: outline.writing,
        read_bytes: 0,
        worked_bytes: 0,
        encoded_bytes: 0,
        written_bytes: 0,
        database_bytes: outline.database_bytes,
        encoded_total: (outline.database_bytes as f64 / ratio).round() as u64,
    }
}
