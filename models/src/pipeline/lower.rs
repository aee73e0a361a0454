//! From a plan to a run: threads, buffers, stations and streams.

use bakcast_sim::{Ring, Span, Streams};

use super::crew::{Crew, Regime};
use super::devices::DeviceInUse;
use super::facilities::Facilities;
use super::forward::{self, Forward};
use super::job::{Backlog, Job, Pool};
use super::journal::Journal;
use super::lines::Lines;
use super::outline::{self, Outline};
use super::processors::{ProcessorSetting, Processors};
use super::readers::Reader;
use super::simulation::{Simulation, Way};
use super::together::{Career, Together};
use super::writers::Writer;
use super::{BackupError, Relief, TRANSFERS_MAX, Terms};
use crate::device::{Device, Holder, Setting, Users, run_speed, slowest_factor, unit_mean};
use crate::plan::{Backup, Machine, Place};
use crate::quantity::Period;
use crate::station_clock::DeviceClock;
use crate::wait::{ThreadClock, ThreadState};

/// A job that has the machine to itself, ready to run.
pub(super) fn one(
    machine: &Machine,
    outline: &Outline<'_>,
    streams: &Streams,
    terms: &Terms,
) -> Result<(Simulation, Way), BackupError> {
    let simulation = alone(machine, outline, streams, terms)?;
    let (devices, servers) = (&simulation.devices, simulation.crew.processors.servers);
    let way = way(machine, outline, devices, servers, terms);
    Ok((simulation, way))
}

/// A job that has the machine to itself, and the stations for it, ready to be watched.
pub(super) fn one_scheduled<J: Journal>(
    machine: &Machine,
    outline: &Outline<'_>,
    streams: &Streams,
    terms: &Terms,
) -> Result<(Simulation, Facilities<J>), BackupError> {
    let simulation = alone(machine, outline, streams, terms)?;
    let (devices, servers) = (&simulation.devices, simulation.crew.processors.servers);
    let facilities = facilities(machine, &paths(outline), devices, servers);
    Ok((simulation, facilities))
}

fn alone(
    machine: &Machine,
    outline: &Outline<'_>,
    streams: &Streams,
    terms: &Terms,
) -> Result<Simulation, BackupError> {
    let outlines = std::slice::from_ref(outline);
    check(machine, outlines, 0.0, terms)?;
    let mut devices = devices(machine, outlines, streams, &terms.relief);
    for device in outline.targets.iter().flat_map(|target| on_path(target.place)) {
        devices[device].holder.change_streams(true);
    }
    let crew = crew(machine, outline, "", streams, &terms.relief);
    let forward = carried_forward(std::slice::from_ref(&crew), outlines, streams, terms);
    Ok(Simulation { crew, devices, forward, device_names: device_names(machine) })
}

/// A backup and those beside it, ready to run.
pub(super) fn several<J: Journal>(
    machine: &Machine,
    backup: &Backup,
    streams: &Streams,
    terms: &Terms,
) -> Result<Together<J>, BackupError> {
    let relief = &terms.relief;
    // Only the backup that is asked about is relieved of what is its own.
    let usual = Relief { buffers: false, fixed_cost: false, ..relief.clone() };
    let beside = backup.beside.iter();
    let jobs = beside.map(|b| (b.name.as_str(), b.starts.span(), &b.backup, &usual));
    let jobs: Vec<_> = [("", Span::ZERO, backup, relief)].into_iter().chain(jobs).collect();
    let outlines: Vec<Outline<'_>> =
        jobs.iter().map(|(_, _, backup, relief)| outline::backup(backup, relief)).collect();
    let latest = jobs.iter().map(|(_, starts, ..)| starts.as_seconds()).fold(0.0, f64::max);
    check(machine, &outlines, latest, terms)?;
    let (mut crews, mut careers, mut threads) = (Vec::new(), Vec::new(), 0);
    for ((name, starts, _, relief), outline) in jobs.iter().zip(&outlines) {
        let crew = crew(machine, outline, name, streams, relief);
        let workers = crew.processors.servers;
        careers.push(Career::new((*name).to_string(), *starts, crew.start, threads, workers));
        threads += outline.streams().count() as u16;
        crews.push(crew);
    }
    let devices = devices(machine, &outlines, streams, relief);
    let laws: Vec<&Device> = machine.devices.iter().map(|d| &d.law).collect();
    let processors = machine.processor.count.max(1);
    let works = crews.iter().zip(&careers).filter(|(crew, _)| crew.job.work.is_some());
    let workers = works.map(|(_, career)| career.workers).sum::<u32>();
    let count = crews.len() as u16;
    let mut facilities = Facilities::new(&devices, &laws, workers.min(processors), count);
    for path in outlines.iter().flat_map(paths) {
        facilities.add_path(&path);
    }
    let forward = carried_forward(&crews, &outlines, streams, terms);
    let device_names = device_names(machine);
    Ok(Together {
        crews,
        careers,
        devices,
        facilities,
        processors,
        forward,
        device_names,
        main_alone: terms.main_alone,
    })
}

/// Refuses what is too much for one run; `latest_s` is when its last job begins.
fn check(
    machine: &Machine,
    outlines: &[Outline<'_>],
    latest_s: f64,
    terms: &Terms,
) -> Result<(), BackupError> {
    let transfers = outlines.iter().map(Outline::transfers_each_way).fold(0, u64::saturating_add);
    if terms.exact && transfers > TRANSFERS_MAX {
        return Err(BackupError::TooManyTransfers { transfers, limit: TRANSFERS_MAX });
    }
    let writes = outlines.iter().map(|outline| outline.zeroing().1).fold(0, u64::saturating_add);
    if writes > TRANSFERS_MAX {
        return Err(BackupError::TooMuchToZero { transfers: writes, limit: TRANSFERS_MAX });
    }
    let seconds = outlines.iter().map(|outline| slowest_seconds(machine, outline)).sum::<f64>();
    let days = (latest_s + seconds) / 86_400.0;
    if days > DAYS_MAX {
        return Err(BackupError::TooLong { days: days as u64 });
    }
    Ok(())
}

/// Carries the run forward, if it is long enough for that.
fn carried_forward(
    crews: &[Crew],
    outlines: &[Outline<'_>],
    streams: &Streams,
    terms: &Terms,
) -> Option<Forward> {
    let transfers = outlines.iter().map(Outline::transfers).fold(0, u64::saturating_add);
    if terms.exact || transfers < forward::worth_it(terms.rough) {
        return None;
    }
    let main = |index: usize, crew: &Crew| (index == 0).then_some(crew.job.reading);
    let reading = crews.iter().enumerate().map(|(index, crew)| main(index, crew)).collect();
    let setting = forward::Setting {
        content: outlines.iter().map(Outline::content_bytes).sum(),
        read_size: outlines.iter().map(|outline| outline.read_size).max().unwrap_or(1),
        regime: Regime { reading, changes: 0 },
        rough: terms.rough || terms.relief != Relief::NONE,
    };
    Some(Forward::new(setting, &mut streams.named("forward")))
}

fn device_names(machine: &Machine) -> Vec<String> {
    machine.devices.iter().map(|d| d.name.clone()).collect()
}

/// Everybody who works for a job.
fn crew(
    machine: &Machine,
    outline: &Outline<'_>,
    name: &str,
    streams: &Streams,
    relief: &Relief,
) -> Crew {
    let fixed = |period: Period| if relief.fixed_cost { Span::ZERO } else { period.span() };
    Crew {
        job: job(outline),
        processors: processors(machine, outline, name, streams, relief),
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
    let paths = paths(outline);
    if !terms.scheduled
        && let Some(lines) = Lines::new(devices, &laws, &paths, servers)
    {
        return Way::Lines(lines);
    }
    Way::Facilities(facilities(machine, &paths, devices, servers))
}

/// Stations of one job whose ends lie in a calendar.
fn facilities<J: Journal>(
    machine: &Machine,
    paths: &[Vec<usize>],
    devices: &[DeviceInUse],
    servers: u32,
) -> Facilities<J> {
    let laws: Vec<&Device> = machine.devices.iter().map(|d| &d.law).collect();
    let mut facilities = Facilities::new(devices, &laws, servers, 1);
    paths.iter().for_each(|path| facilities.add_path(path));
    facilities
}

/// The most days a run may come to: simulated time is counted in nanoseconds, in 64 bits, which end
/// after ten times as many.
const DAYS_MAX: f64 = 20_000.0;

/// A time no run exceeds: every byte on every device it may touch, one after the other, each device
/// as slow as its run-to-run variation makes it once in a thousand million runs.
fn slowest_seconds(machine: &Machine, outline: &Outline<'_>) -> f64 {
    let (zeroed, zero_writes) = outline.zeroing();
    let bytes = (outline.bytes_moved() + zeroed) as f64;
    let threads = outline.streams().count() as f64;
    let transfers = bytes / (outline.read_size.max(1) as f64) + threads + zero_writes as f64;
    let streams = outline.targets.len() as f64;
    let in_use = |device: usize| outline.streams().any(|s| s.place.leads_over(device));
    let devices = machine.devices.iter().enumerate().filter(|(index, _)| in_use(*index));
    let on_devices = devices.map(|(_, d)| {
        let longer = d.others.map_or(1.0, |o| 2.0 * o.longer(d.law.positioning_s()));
        d.law.slowest_seconds(bytes, transfers, streams) * slowest_factor(d.run_to_run) * longer
    });
    let read = outline.database_bytes as f64;
    let work = outline.work.map_or(0.0, |w| w.seconds_per_byte * read);
    let longer = machine.processor.others.map_or(1.0, |others| 2.0 * others.longer(0.0));
    on_devices.sum::<f64>() + work * slowest_factor(machine.processor.run_to_run) * longer
}

fn devices(
    machine: &Machine,
    outlines: &[Outline<'_>],
    streams: &Streams,
    relief: &Relief,
) -> Vec<DeviceInUse> {
    let all = outlines.iter().flat_map(Outline::streams);
    let positions: Vec<f64> = all.map(|s| s.place.position.get()).collect();
    // What a device is to the job that is asked about.
    let outline = &outlines[0];
    let in_use = machine.devices.iter().enumerate().map(|(index, device)| {
        let setting = Setting {
            streams,
            name: &device.name,
            run_to_run: device.run_to_run,
            positions: &positions,
            large_block: outline.large_block,
            relieved: relief.devices.contains(&index),
            others: device.others,
        };
        DeviceInUse {
            holder: Holder::new(&device.law, &setting),
            clock: DeviceClock::default(),
            completions: 0,
            bytes: 0,
            reads: outline.sources.iter().any(|s| s.place.leads_over(index)),
            writes: outline.targets.iter().any(|t| t.place.leads_over(index)),
            blocked_readers: 0,
            requests: outlines.iter().map(|outline| outline.transfers_on(index)).sum(),
            present: 0,
            is_null: matches!(device.law, Device::Null(_)),
        }
    });
    in_use.collect()
}

/// The paths of all threads of a job.
fn paths(outline: &Outline<'_>) -> Vec<Vec<usize>> {
    let reads = outline.sources.iter().map(|s| path(s.place, true));
    reads.chain(outline.targets.iter().map(|s| path(s.place, false))).collect()
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
    name: &str,
    streams: &Streams,
    relief: &Relief,
) -> Processors {
    let servers = machine.processor.count.min(outline.workers_max).max(1);
    let servers = if outline.work.is_some() { servers } else { 1 };
    let variation = outline.compression.map_or(0.0, |c| c.variability.get());
    let mut run = streams.named("processor/run");
    let of = if name.is_empty() { String::new() } else { format!("beside/{name}/") };
    let (service, others) = (format!("{of}processor/service"), format!("{of}processor/others"));
    let load = machine.processor.others.filter(|_| !relief.processor);
    Processors::new(ProcessorSetting {
        servers,
        speed: run_speed(&mut run, machine.processor.run_to_run),
        relieved: relief.processor,
        crowding: machine.processor.crowding(),
        variation: (variation > 0.0).then(|| streams.variates(&service, &unit_mean(variation))),
        users: load.map(|load| Users::new(load, streams.named(&others))),
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
    let zeroed = |index: usize| outline.zeroed.get(index).copied().unwrap_or(0);
    let writers = outline.targets.iter().enumerate().map(|(index, target)| Writer {
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
        total: target.bytes,
        left: target.bytes,
        to_zero: zeroed(index),
        devices: on_path(target.place),
        clock: ThreadClock::new(ThreadState::Starting),
    });
    let encodes = outline.work.is_some_and(|w| w.ratio.is_some());
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
        zeroing: outline.zeroed.iter().filter(|bytes| **bytes > 0).count() as u32,
        database_bytes: outline.database_bytes,
        encoded_total: outline.encoded_total,
    }
}
