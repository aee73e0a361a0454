//! The warnings of a scenario.

use std::collections::BTreeSet;

use bakcast_models::device::Device;
use bakcast_models::plan::{Backup, Place, Volume};
use bakcast_models::quantity::Bytes;

use super::{Resolved, writes_to_nul};
use crate::warning::{Warning, WarningCode};
use crate::words;

/// Buffer memory from which on an instance may run out of address space or starve its cache.
const LARGE_MEMORY: Bytes = Bytes::mebibytes(1024);

const GIBIBYTE: f64 = (1u64 << 30) as f64;

/// What to look at twice. `verify_enabled` is the knob as written.
pub(super) fn warnings(resolved: &Resolved, verify_enabled: Option<bool>) -> Vec<Warning> {
    let jobs = jobs(resolved);
    let each = |warning: fn(&Resolved, &Job<'_>) -> Option<Warning>| {
        jobs.iter().filter_map(move |job| warning(resolved, job)).collect::<Vec<_>>()
    };
    let warnings = [
        each(source_is_target),
        each(link_is_last),
        large_memory(resolved).into_iter().collect(),
        each(fewer_buffers_than_stripes),
        each(buffers_exceed_data),
        nul_not_verified(resolved, verify_enabled).into_iter().collect(),
        each(block_sizes_differ),
    ];
    warnings.into_iter().flatten().chain(capacity_exceeded(resolved)).collect()
}

/// One of several backups at the same time.
struct Job<'a> {
    /// What its warnings begin with; nothing for the backup that is asked about.
    before: String,
    backup: &'a Backup,
}

fn jobs(resolved: &Resolved) -> Vec<Job<'_>> {
    let main = Job { before: String::new(), backup: &resolved.backup };
    let others = resolved.backup.beside.iter().map(|other| Job {
        before: format!("job `{}`: ", words::shown(&other.name)),
        backup: &other.backup,
    });
    [main].into_iter().chain(others).collect()
}

fn warning(code: WarningCode, text: String, hint: &str) -> Option<Warning> {
    Some(Warning { code, text, hint: hint.to_string() })
}

fn source_is_target(resolved: &Resolved, job: &Job<'_>) -> Option<Warning> {
    let Job { before, backup } = job;
    let sources: BTreeSet<_> = backup.volumes.iter().map(|volume| volume.place.device).collect();
    let targets: BTreeSet<_> = backup.stripes.iter().map(|place| place.device).collect();
    let devices = &resolved.machine.devices;
    let both = sources.intersection(&targets).filter_map(|index| devices.get(*index));
    let names: Vec<_> = both.map(|device| device.name.as_str()).collect();
    if names.is_empty() {
        return None;
    }
    warning(
        WarningCode::SourceIsTarget,
        format!("{before}data and backup are on one device: {}", words::listed(names)),
        "a failure of it takes both; put the backup on a device of its own",
    )
}

/// Volumes or backup files on a link, as if the disks behind it took no time.
fn link_is_last(resolved: &Resolved, job: &Job<'_>) -> Option<Warning> {
    let Job { before, backup } = job;
    let volumes = backup.volumes.iter().map(|volume| volume.place.device);
    let last: BTreeSet<_> = volumes.chain(backup.stripes.iter().map(|p| p.device)).collect();
    let devices = last.iter().filter_map(|index| resolved.machine.devices.get(*index));
    let links = devices.filter(|device| matches!(device.law, Device::Link(_)));
    let names: Vec<_> = links.map(|device| device.name.as_str()).collect();
    let first = *names.first()?;
    warning(
        WarningCode::LinkIsLast,
        format!("{before}no disk lies behind the network: {}", words::listed(names.clone())),
        &format!("name the disks of the share, with `via = [\"{first}\"]`"),
    )
}

fn large_memory(resolved: &Resolved) -> Option<Warning> {
    let buffers = resolved.backup.buffers;
    let memory = resolved.backup.memory_of_all_jobs();
    if memory <= LARGE_MEMORY {
        return None;
    }
    let mebibytes = memory.get() >> 20;
    let count = resolved.backup.jobs().count();
    let text = if count > 1 {
        format!(
            "the buffers of {count} backups at once take {mebibytes} MiB outside the page cache"
        )
    } else {
        format!(
            "the backup buffers take {mebibytes} MiB outside the page cache ({} buffers of {}, {} \
             sets)",
            buffers.count, buffers.transfer_size, buffers.sets
        )
    };
    warning(
        WarningCode::LargeBufferMemory,
        text,
        "lower BUFFERCOUNT or MAXTRANSFERSIZE unless the server has memory to spare",
    )
}

fn fewer_buffers_than_stripes(_: &Resolved, job: &Job<'_>) -> Option<Warning> {
    let Job { before, backup } = job;
    let (count, stripes) = (backup.buffers.count, backup.stripes.len());
    if usize::try_from(count).is_ok_and(|count| count >= stripes) {
        return None;
    }
    warning(
        WarningCode::FewerBuffersThanStripes,
        format!("{before}{count} buffers for {stripes} backup files: some writers always wait"),
        "leave BUFFERCOUNT to the engine, or give it at least 5 for each file",
    )
}

fn buffers_exceed_data(_: &Resolved, job: &Job<'_>) -> Option<Warning> {
    let Job { before, backup } = job;
    let (buffers, database) = (backup.buffers, backup.database_bytes());
    let one_set = u64::from(buffers.count).saturating_mul(buffers.transfer_size.get());
    if one_set <= database.get() {
        return None;
    }
    warning(
        WarningCode::BuffersExceedData,
        format!(
            "{before}one set of buffers holds {} MiB, more than the {database} there is to read",
            one_set >> 20,
        ),
        "the further buffers are never used; lower BUFFERCOUNT",
    )
}

fn nul_not_verified(resolved: &Resolved, verify_enabled: Option<bool>) -> Option<Warning> {
    if verify_enabled.is_some() || !writes_to_nul(&resolved.machine, &resolved.backup) {
        return None;
    }
    warning(
        WarningCode::NulNotVerified,
        "a backup written to NUL cannot be verified; no verification is predicted".to_string(),
        "write `enabled = false` under `[verify]` to say so yourself",
    )
}

/// The loss with large blocks follows the backup that is asked about.
fn block_sizes_differ(resolved: &Resolved, job: &Job<'_>) -> Option<Warning> {
    let large_block = resolved.backup.large_block;
    let suffers = |place: &Place| {
        let device = resolved.machine.devices.get(place.device);
        let law = device.map(|device| &device.law);
        matches!(law, Some(Device::SolidState(drive))
            if (drive.large_block_amplification.get() - 1.0).abs() > f64::EPSILON)
    };
    if job.backup.large_block == large_block || !job.backup.stripes.iter().any(suffers) {
        return None;
    }
    let taken = if large_block { "64 KiB" } else { "less than 64 KiB" };
    warning(
        WarningCode::BlockSizesDiffer,
        format!(
            "{}its BLOCKSIZE is not that of the backup beside it; what that costs the drive is \
             taken as with {taken}",
            job.before
        ),
        "write the same `block_size` for all jobs",
    )
}

/// One warning for each disk that is too small for what lies on it.
fn capacity_exceeded(resolved: &Resolved) -> impl Iterator<Item = Warning> {
    let devices = resolved.machine.devices.iter().enumerate();
    devices.filter_map(|(index, device)| {
        let Device::Spindle(spindle) = &device.law else { return None };
        let capacity = spindle.capacity?;
        volumes_exceed(resolved, index, &device.name, capacity)
            .or_else(|| backup_exceeds(resolved, index, &device.name, capacity))
    })
}

/// The volumes of all jobs on a device.
fn volumes_on(resolved: &Resolved, device: usize) -> impl Iterator<Item = &Volume> {
    let volumes = resolved.backup.jobs().flat_map(|job| &job.volumes);
    volumes.filter(move |volume| volume.place.device == device)
}

/// About so many bytes of backup files of all jobs on a device; each job's are equally large.
fn files_on(resolved: &Resolved, device: usize) -> f64 {
    let of_job = |job: &Backup| {
        let here = job.stripes.iter().filter(|place| place.device == device).count();
        let share = here as f64 / job.stripes.len() as f64;
        let ratio = job.compression.as_ref().map_or(1.0, |compression| compression.ratio.get());
        job.database_bytes().as_f64() / ratio * share
    };
    resolved.backup.jobs().map(of_job).sum()
}

fn volumes_exceed(
    resolved: &Resolved,
    device: usize,
    name: &str,
    capacity: Bytes,
) -> Option<Warning> {
    let sum: Bytes = volumes_on(resolved, device).map(|volume| volume.bytes).sum();
    if sum <= capacity {
        return None;
    }
    let names = volumes_on(resolved, device).map(|volume| volume.name.as_str());
    let count = volumes_on(resolved, device).count();
    let (volumes, hold) = if count == 1 { ("volume", "holds") } else { ("volumes", "hold") };
    let names = words::listed(names);
    warning(
        WarningCode::VolumeExceedsCapacity,
        format!("{volumes} {names} {hold} {sum}, but the disk `{name}` only {capacity}"),
        "correct `capacity` or `size`",
    )
}

/// The backup files beside the volumes.
fn backup_exceeds(
    resolved: &Resolved,
    device: usize,
    name: &str,
    capacity: Bytes,
) -> Option<Warning> {
    let files = files_on(resolved, device);
    let volumes: Bytes = volumes_on(resolved, device).map(|volume| volume.bytes).sum();
    if files <= 0.0 || volumes.as_f64() + files <= capacity.as_f64() {
        return None;
    }
    let beside = if volumes.is_zero() {
        String::new()
    } else {
        format!(" beside the {volumes} of the database")
    };
    warning(
        WarningCode::BackupExceedsCapacity,
        format!(
            "about {:.1} GiB of backup go to the disk `{name}`{beside}, which holds only \
             {capacity}",
            files / GIBIBYTE
        ),
        "correct `capacity`, or write the backup to a larger disk or to more disks",
    )
}
