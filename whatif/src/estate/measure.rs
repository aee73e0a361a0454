//! What each job wants of each station, measured with the pipeline itself.
//!
//! Jobs that differ in nothing but their size are of one sort. Each sort is simulated alone, in
//! every night, with the speeds that devices have in that night, at a few sizes; between them the
//! time is a straight line. One small and one large size do, unless a device changes with what it
//! has moved (zones of a disk, a fast cache, burst credit): then sizes stand close together.
//!
//! Where disks turn between streams, or drives write more for several, jobs are simulated beside
//! one another as well: see [`super::disturb`].

use std::collections::{BTreeMap, BTreeSet};

use bakcast_models::device::Device;
use bakcast_models::outcome::{Outcome, StationRole};
use bakcast_models::pipeline::{BackupError, Terms, simulate_backup, simulate_verify};
use bakcast_models::plan::{Backup, Machine, Place, Verify};
use bakcast_models::quantity::{Bytes, Period};
use bakcast_scenarios::predict::{PredictOptions, with_streams};
use bakcast_scenarios::{Night, Resolved};
use bakcast_sim::{Streams, try_replicate};

use super::disturb::{Curves, curves};
use super::fluid::{Curve, Flow, Use};
use super::run::{Leg, Work, nanos};

/// The small size: large enough to fill the pipeline.
const SMALL: u64 = 64 << 20;
/// The large size, where the time is a straight line: the middle of long runs is carried forward.
const LARGE: u64 = 32 << 30;

/// A sort of jobs: all that are alike but for their size.
struct Sort {
    /// One of its jobs.
    example: usize,
    /// Bytes of its smallest and of its largest job.
    least: u64,
    most: u64,
    /// Sizes it is simulated at.
    sizes: Vec<u64>,
}

/// What a sort does at one size in one night.
struct Point {
    backup: Part,
    verify: Option<Part>,
}

/// A backup or a verification.
struct Part {
    /// Bytes its readers read.
    bytes: f64,
    /// Seconds without the fixed cost.
    seconds: f64,
    uses: Vec<Use>,
}

/// The work of each night.
pub(super) fn measure(
    resolved: &Resolved,
    night: &Night,
    options: &PredictOptions,
) -> Result<Vec<Work>, BackupError> {
    let (sorts, of_job) = sorts(resolved, night);
    let examples: Vec<usize> = sorts.iter().map(|sort| sort.example).collect();
    let curves = curves(resolved, night, &examples, options)?;
    let nights = u64::from(options.replications.max(1));
    let members: Vec<_> = (0..nights).map(|r| resolved.of_night(r)).collect();
    let tasks: Vec<(u64, usize, usize)> = (0..nights)
        .flat_map(|r| {
            let sorts = sorts.iter().enumerate();
            sorts.flat_map(move |(s, sort)| (0..sort.sizes.len()).map(move |at| (r, s, at)))
        })
        .collect();
    let points = try_replicate(tasks.len() as u64, |task| {
        let (r, s, at) = tasks[task as usize];
        let member = &members[r as usize];
        let of_member = member.night.as_deref().unwrap_or(night);
        let job = member.of_job(of_member, sorts[s].example);
        let run = |streams: &Streams<'_>| point(&job, of_member, &sorts[s], at, options, streams);
        with_streams(options.seed, r, run)
    })?;
    let mut points = points.into_iter();
    let works = members.iter().map(|member| {
        let of_member = member.night.as_deref().unwrap_or(night);
        let of_sort = |sort: &Sort| points.by_ref().take(sort.sizes.len()).collect::<Vec<_>>();
        let table: Vec<Vec<Point>> = sorts.iter().map(of_sort).collect();
        let jobs = of_member.jobs.iter().enumerate().map(|(index, job)| {
            let sort = of_job[index];
            legs(&table[sort], &curves[sort], job)
        });
        let jobs: Vec<Vec<Leg>> = jobs.collect();
        let servers = of_member.servers.iter().map(|s| f64::from(s.processor.count.max(1)));
        let devices = member.machine.devices.iter().map(|_| 1.0);
        let mut work = Work { jobs, capacities: devices.chain(servers).collect() };
        no_faster_alone(&mut work);
        work
    });
    Ok(works.collect())
}

/// The sorts of jobs, and the sort of each job.
fn sorts(resolved: &Resolved, night: &Night) -> (Vec<Sort>, Vec<usize>) {
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    let mut sorts: Vec<Sort> = Vec::new();
    let mut of_job = Vec::new();
    for (index, job) in night.jobs.iter().enumerate() {
        let mut plan = job.backup.clone();
        // Of several volumes, the proportions count.
        if let [volume] = plan.volumes.as_mut_slice() {
            volume.bytes = Bytes::ZERO;
        }
        let key = format!("{} {plan:?} {:?}", job.server, job.verification);
        let bytes = job.backup.database_bytes().get();
        let sort = *known.entry(key).or_insert(sorts.len());
        if sort == sorts.len() {
            sorts.push(Sort { example: index, least: bytes, most: bytes, sizes: Vec::new() });
        }
        let own = &mut sorts[sort];
        (own.least, own.most) = (own.least.min(bytes), own.most.max(bytes));
        of_job.push(sort);
    }
    for sort in &mut sorts {
        let backup = &night.jobs[sort.example].backup;
        sort.sizes = sizes(sort.least, sort.most, changes_with_bytes(resolved, backup));
    }
    (sorts, of_job)
}

/// Whether a device is another one after so many bytes.
fn changes_with_bytes(resolved: &Resolved, backup: &Backup) -> bool {
    devices_of(backup).iter().any(|index| match &resolved.machine.devices[*index].law {
        Device::Spindle(disk) => disk.capacity.is_some() && disk.inner_rate.get() < 1.0,
        Device::SolidState(drive) => drive.fast_cache.is_some(),
        Device::Capped(volume) => volume.burst.is_some(),
        Device::Link(_) | Device::FixedRate(_) | Device::Null(_) => false,
    })
}

/// Devices and links of a backup.
pub(super) fn devices_of(backup: &Backup) -> BTreeSet<usize> {
    let volumes = backup.volumes.iter().map(|volume| &volume.place);
    volumes.chain(&backup.stripes).flat_map(on_path).collect()
}

fn on_path(place: &Place) -> impl Iterator<Item = usize> + '_ {
    place.via.iter().copied().chain([place.device])
}

/// Sizes to simulate, rising.
fn sizes(least: u64, most: u64, close: bool) -> Vec<u64> {
    let small = least.clamp(1, SMALL);
    let mut sizes = vec![small];
    if close {
        let mut size = small;
        while size < most / 2 {
            size *= 2;
            if size > least / 2 {
                sizes.push(size);
            }
        }
        sizes.push(most);
    } else {
        sizes.push(most.min(LARGE));
    }
    sizes.dedup();
    sizes
}

/// A backup of so many bytes.
pub(super) fn sized(backup: &Backup, bytes: u64) -> Backup {
    let mut backup = backup.clone();
    let all = backup.database_bytes().get();
    if let [volume] = backup.volumes.as_mut_slice() {
        volume.bytes = Bytes::new(bytes);
    } else if all > 0 {
        for volume in &mut backup.volumes {
            let share = u128::from(volume.bytes.get()) * u128::from(bytes) / u128::from(all);
            volume.bytes = Bytes::new(share as u64);
        }
    }
    backup
}

pub(super) fn terms(options: &PredictOptions) -> Terms {
    Terms { exact: options.exact, ..Terms::USUAL }
}

/// Simulates a sort alone at one of its sizes.
fn point(
    job: &Resolved,
    night: &Night,
    sort: &Sort,
    at: usize,
    options: &PredictOptions,
    streams: &Streams<'_>,
) -> Result<Point, BackupError> {
    let mut one = job.clone();
    one.backup = sized(&job.backup, sort.sizes[at]);
    let devices = one.machine.devices.len();
    let processor = devices + night.jobs[sort.example].server;
    // Carried forward sooner: rates of one night are known to one or two per cent, which their
    // scatter from night to night hides, and the fluid that they go into is no more exact.
    let terms = Terms { rough: true, ..terms(options) };
    let outcome = simulate_backup(&one.machine, &one.backup, streams, &terms)?;
    let verify = match one.verify(&outcome.stripe_bytes) {
        Some(plan) => {
            let credits = outcome.credits.iter().map(|credit| credit.map(|credit| credit.left));
            let machine = one.machine.left_with(credits);
            let outcome = simulate_verify(&machine, &plan, streams, &terms)?;
            Some(part(&machine, &outcome, &Streamed::verify(&plan), processor))
        }
        None => None,
    };
    let backup = part(&one.machine, &outcome, &Streamed::backup(&one.backup), processor);
    Ok(Point { backup, verify })
}

/// Where the streams of an operation are, and how many requests they keep outstanding.
struct Streamed<'a> {
    /// Place, requests outstanding.
    streams: Vec<(&'a Place, f64)>,
    transfer: f64,
    fixed: f64,
    most_requests: f64,
}

impl<'a> Streamed<'a> {
    fn backup(backup: &'a Backup) -> Self {
        let (read, write) = (backup.rules.read_depth, backup.rules.write_depth);
        let reads = backup.volumes.iter().map(|v| (&v.place, f64::from(read)));
        let writes = backup.stripes.iter().map(|place| (place, f64::from(write)));
        Streamed {
            streams: reads.chain(writes).collect(),
            transfer: backup.buffers.transfer_size.as_f64(),
            fixed: fixed(backup.coordinator.start, backup.coordinator.finish),
            most_requests: f64::from(backup.buffers.count.max(1)),
        }
    }

    fn verify(verify: &'a Verify) -> Self {
        let depth = f64::from(verify.read_depth);
        Streamed {
            streams: verify.stripes.iter().map(|(place, _)| (place, depth)).collect(),
            transfer: verify.transfer_size.as_f64(),
            fixed: fixed(verify.coordinator.start, verify.coordinator.finish),
            most_requests: f64::from(verify.buffer_count.max(1)),
        }
    }
}

fn fixed(start: Period, finish: Period) -> f64 {
    start.as_seconds() + finish.as_seconds()
}

/// What an operation took of each station, for each byte its readers read.
fn part(machine: &Machine, outcome: &Outcome, streamed: &Streamed<'_>, processor: usize) -> Part {
    let bytes = outcome.read_bytes.as_f64();
    let per_byte = |seconds: f64| if bytes > 0.0 { seconds / bytes } else { 0.0 };
    let mut speeds = outcome.speeds.iter().copied();
    let mut uses = Vec::new();
    for station in &outcome.stations {
        let at = machine.devices.iter().position(|d| d.name == station.name);
        let at = at.filter(|_| station.role != StationRole::Processor);
        let law = at.map(|index| &machine.devices[index].law);
        let (index, demand, weight, streams) = match (station.role, at, law) {
            (StationRole::FixedCost, ..) | (_, _, Some(Device::Null(_))) => continue,
            (StationRole::Processor, ..) => {
                let share = streamed.transfer;
                (processor, per_byte(station.busy.as_seconds()), share, 1.0)
            }
            (_, Some(index), Some(law)) => {
                let speed = speeds.next().unwrap_or(1.0);
                let on = streamed.streams.iter().filter(|(place, _)| place.leads_over(index));
                let (count, requests) =
                    on.fold((0.0, 0.0), |(count, sum), (_, depth)| (count + 1.0, sum + depth));
                let carried = per_byte(station.bytes.as_f64());
                let weight = match law {
                    Device::Link(_) => count,
                    _ => f64::min(requests, streamed.most_requests),
                };
                let left = machine.devices[index].left();
                let seconds = match law {
                    Device::Link(link) => station.bytes.as_f64() / (link.rate.get() * speed * left),
                    _ => station.busy.as_seconds(),
                };
                let weight = weight * streamed.transfer / carried.max(1e-12);
                (index, per_byte(seconds), weight, count)
            }
            _ => continue,
        };
        let transfers = per_byte(station.completions as f64);
        let reads = station.role == StationRole::Source;
        uses.push(Use { station: index, demand, weight, transfers, streams, reads, curve: None });
    }
    let seconds = (outcome.elapsed.as_seconds() - streamed.fixed).max(1e-9);
    Part { bytes, seconds, uses }
}

/// The parts of a job, of the points of its sort.
fn legs(points: &[Point], curves: &Curves, job: &bakcast_scenarios::NightJob) -> Vec<Leg> {
    let bytes = job.backup.database_bytes().as_f64();
    let all: Vec<&Part> = points.iter().map(|point| &point.backup).collect();
    let coordinator = job.backup.coordinator;
    let backup = leg(&all, bytes, &curves[0], job.backup.buffers.memory().get(), coordinator);
    let verifies: Vec<&Part> = points.iter().filter_map(|p| p.verify.as_ref()).collect();
    let verify = job.verification.as_ref().filter(|_| !verifies.is_empty()).map(|plan| {
        let ratio = job.backup.compression.as_ref().map_or(1.0, |c| c.ratio.get());
        let memory = u64::from(plan.buffer_count) * plan.transfer_size.get();
        leg(&verifies, bytes / ratio, &curves[1], memory, coordinator)
    });
    [backup].into_iter().chain(verify).collect()
}

fn leg(
    parts: &[&Part],
    bytes: f64,
    curves: &BTreeMap<usize, Curve>,
    memory: u64,
    coordinator: bakcast_models::plan::Coordinator,
) -> Leg {
    let seconds = seconds_at(parts, bytes).max(1e-9);
    let largest = parts.last().map_or(&[][..], |part| &part.uses);
    let uses = largest.iter().map(|u| Use { curve: curves.get(&u.station).copied(), ..*u });
    let flow = Flow { alone: (bytes / seconds).max(1e-9), uses: uses.collect() };
    Leg {
        start: nanos(coordinator.start.as_seconds()),
        bytes,
        flow,
        finish: nanos(coordinator.finish.as_seconds()),
        memory,
    }
}

/// Seconds for so many bytes: on the line between the sizes beside it, or beyond the last ones.
fn seconds_at(parts: &[&Part], bytes: f64) -> f64 {
    match parts {
        [] => 0.0,
        [one] => one.seconds * bytes / one.bytes.max(1.0),
        _ => {
            let above = parts.partition_point(|part| part.bytes < bytes);
            let above = above.clamp(1, parts.len() - 1);
            let (a, b) = (parts[above - 1], parts[above]);
            let slope = (b.seconds - a.seconds) / (b.bytes - a.bytes).max(1.0);
            let on_line = a.seconds + slope * (bytes - a.bytes);
            if bytes < a.bytes { a.seconds * bytes / a.bytes.max(1.0) } else { on_line }
        }
    }
}

/// A job alone waits for nothing: what it takes of a station at its own rate is no more than there
/// is. Demands are those of a large job, rates those of its own size.
fn no_faster_alone(work: &mut Work) {
    for leg in work.jobs.iter_mut().flatten() {
        for u in &mut leg.flow.uses {
            let most = work.capacities[u.station] / leg.flow.alone;
            u.demand = u.demand.min(most);
        }
    }
}
