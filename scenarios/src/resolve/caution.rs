//! The warnings of a scenario.

use std::collections::BTreeSet;

use bakcast_models::device::Device;
use bakcast_models::plan::Volume;
use bakcast_models::quantity::Bytes;

use super::{Resolved, writes_to_nul};
use crate::warning::{Warning, WarningCode};
use crate::words;

/// Buffer memory from which on an instance may run out of address space or starve its cache.
const LARGE_MEMORY: Bytes = Bytes::mebibytes(1024);

const GIBIBYTE: f64 = (1u64 << 30) as f64;

/// What to look at twice. `verify_enabled` is the knob as written.
pub(super) fn warnings(resolved: &Resolved, verify_enabled: Option<bool>) -> Vec<Warning> {
    let warnings = [
        source_is_target(resolved),
        large_memory(resolved),
        fewer_buffers_than_stripes(resolved),
        buffers_exceed_data(resolved),
        nul_not_verified(resolved, verify_enabled),
    ];
    warnings.into_iter().flatten().chain(capacity_exceeded(resolved)).collect()
}

fn warning(code: WarningCode, text: String, hint: &str) -> Option<Warning> {
    Some(Warning { code, text, hint: hint.to_string() })
}

fn source_is_target(resolved: &Resolved) -> Option<Warning> {
    let backup = &resolved.backup;
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
        format!("data and backup are on one device: {}", words::listed(names)),
        "a failure of it takes both; put the backup on a device of its own",
    )
}

fn large_memory(resolved: &Resolved) -> Option<Warning> {
    let buffers = resolved.backup.buffers;
    let memory = buffers.memory();
    if memory <= LARGE_MEMORY {
        return None;
    }
    warning(
        WarningCode::LargeBufferMemory,
        format!(
            "the backup buffers take {} MiB outside the page cache ({} buffers of {}, {} sets)",
            memory.get() >> 20,
            buffers.count,
            buffers.transfer_size,
            buffers.sets
        ),
        "lower BUFFERCOUNT or MAXTRANSFERSIZE unless the server has memory to spare",
    )
}

fn fewer_buffers_than_stripes(resolved: &Resolved) -> Option<Warning> {
    let (count, stripes) = (resolved.backup.buffers.count, resolved.backup.stripes.len());
    if usize::try_from(count).is_ok_and(|count| count >= stripes) {
        return None;
    }
    warning(
        WarningCode::FewerBuffersThanStripes,
        format!("{count} buffers for {stripes} backup files: some writers always wait"),
        "leave BUFFERCOUNT to the engine, or give it at least 5 for each file",
    )
}

fn buffers_exceed_data(resolved: &Resolved) -> Option<Warning> {
    let buffers = resolved.backup.buffers;
    let one_set = u64::from(buffers.count).saturating_mul(buffers.transfer_size.get());
    if one_set <= resolved.database_bytes().get() {
        return None;
    }
    warning(
        WarningCode::BuffersExceedData,
        format!(
            "one set of buffers holds {} MiB, more than the {} there is to read",
            one_set >> 20,
            resolved.database_bytes()
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

fn volumes_on(resolved: &Resolved, device: usize) -> impl Iterator<Item = &Volume> {
    let volumes = resolved.backup.volumes.iter();
    volumes.filter(move |volume| volume.place.device == device)
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

/// The backup files, equally large, beside the volumes.
fn backup_exceeds(
    resolved: &Resolved,
    device: usize,
    name: &str,
    capacity: Bytes,
) -> Option<Warning> {
    let backup = &resolved.backup;
    let here = backup.stripes.iter().filter(|place| place.device == device).count();
    let share = here as f64 / backup.stripes.len() as f64;
    let ratio = backup.compression.as_ref().map_or(1.0, |compression| compression.ratio.get());
    let files = resolved.database_bytes().as_f64() / ratio * share;
    let volumes: Bytes = volumes_on(resolved, device).map(|volume| volume.bytes).sum();
    if here == 0 || volumes.as_f64() + files <= capacity.as_f64() {
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
