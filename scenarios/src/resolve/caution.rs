//! The warnings of a scenario.

use std::collections::BTreeSet;

use bakcast_models::device::Device;
use bakcast_models::quantity::Bytes;

use super::{Resolved, writes_to_nul};
use crate::warning::{Warning, WarningCode};
use crate::words;

/// Buffer memory from which on an instance may run out of address space or starve its cache.
const LARGE_MEMORY: Bytes = Bytes::mebibytes(1024);

/// What to look at twice. `verify_enabled` is the knob as written.
pub(super) fn warnings(resolved: &Resolved, verify_enabled: Option<bool>) -> Vec<Warning> {
    let warnings = [
        source_is_target(resolved),
        large_memory(resolved),
        fewer_buffers_than_stripes(resolved),
        buffers_exceed_data(resolved),
        nul_not_verified(resolved, verify_enabled),
        volume_exceeds_capacity(resolved),
    ];
    warnings.into_iter().flatten().collect()
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

fn volume_exceeds_capacity(resolved: &Resolved) -> Option<Warning> {
    let exceeding = resolved.backup.volumes.iter().find_map(|volume| {
        let device = resolved.machine.devices.get(volume.place.device)?;
        let Device::Spindle(spindle) = &device.law else { return None };
        let capacity = spindle.capacity.filter(|capacity| *capacity < volume.bytes)?;
        Some((volume, device, capacity))
    });
    let (volume, device, capacity) = exceeding?;
    warning(
        WarningCode::VolumeExceedsCapacity,
        format!(
            "volume `{}` holds {}, but its disk `{}` only {capacity}",
            volume.name, volume.bytes, device.name
        ),
        "correct `capacity` or `size`",
    )
}
