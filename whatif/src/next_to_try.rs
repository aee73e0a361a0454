//! The one setting to try first.
//!
//! What can be changed tonight comes before what has to be bought: another hour if other jobs are
//! the bottleneck, then buffers, then compression, then the stage whose removal gains most.

use bakcast_models::device::{Capped, Device};
use bakcast_models::quantity::ByteRate;
use bakcast_scenarios::predict::{Prediction, Stage};
use bakcast_scenarios::{Loaded, Resolved};

/// A setting to try, and what it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextToTry {
    /// The knob.
    pub path: String,
    /// Its value.
    pub value: String,
    /// What it stands for, in words.
    pub what: String,
}

/// A gain below this share of the duration is not worth a try.
const WORTH_TRYING: f64 = 0.05;
/// Buffers worth a try where the engine's own number is small.
const MANY_BUFFERS: u32 = 64;
/// No suggestion goes beyond this many buffers.
const MOST_BUFFERS: u32 = 1024;

/// The setting to try first; none if nothing is worth it, or only the fixed cost is.
#[must_use]
pub fn next_to_try(loaded: &Loaded, prediction: &Prediction) -> Option<NextToTry> {
    let stages = &prediction.backup.bottleneck.as_ref()?.stages;
    let worth = WORTH_TRYING * prediction.backup.seconds.median;
    let worthy = || stages.iter().filter(|stage| stage.gain_seconds > worth);
    let buffers = worthy().any(|s| s.name == "buffers").then(|| more_buffers(&loaded.resolved));
    let writing = worthy().any(|stage| stage.name.ends_with("target"));
    let compression = writing.then(|| compression(loaded));
    let limit = prediction.backup.bottleneck.as_ref()?;
    let others = (limit.stage == Some(0) && stages.first().is_some_and(|s| s.name == "other jobs"))
        .then(|| another_hour(prediction));
    let hardware = || worthy().find_map(|stage| hardware(&loaded.resolved, prediction, stage));
    others.flatten().or(buffers.flatten()).or(compression.flatten()).or_else(hardware)
}

/// The first job that meets the backup, once that is done: the upper end of its range with the
/// others is late enough without this one.
fn another_hour(prediction: &Prediction) -> Option<NextToTry> {
    let backup = &prediction.backup;
    let meeting = backup.beside.iter().filter(|job| job.meets());
    let first = meeting.min_by(|a, b| a.starts_seconds.total_cmp(&b.starts_seconds))?;
    let seconds = backup.seconds.high;
    let value = if seconds < 60.0 {
        format!("{:.0} s", seconds.ceil())
    } else {
        format!("{:.0} min", (seconds / 60.0).ceil())
    };
    Some(NextToTry {
        path: format!("beside.{}.starts", first.name),
        value,
        what: format!("{} once this backup is done", first.name),
    })
}

fn more_buffers(resolved: &Resolved) -> Option<NextToTry> {
    let now = resolved.backup.buffers.count;
    let count = MANY_BUFFERS.max(now.saturating_mul(4)).min(MOST_BUFFERS);
    (count > now).then(|| NextToTry {
        path: "backup.buffer_count".to_string(),
        value: count.to_string(),
        what: "more buffers".to_string(),
    })
}

/// Compression, where it is off but the scenario says what it would do.
fn compression(loaded: &Loaded) -> Option<NextToTry> {
    let possible = loaded.resolved.backup.compression.is_none();
    (possible && loaded.scenario.compression.is_some()).then(|| NextToTry {
        path: "backup.compression".to_string(),
        value: "true".to_string(),
        what: "fewer bytes to write".to_string(),
    })
}

/// The busiest device of a stage, or more processors: of several devices on the way the others
/// could be as fast as one likes.
fn hardware(resolved: &Resolved, prediction: &Prediction, stage: &Stage) -> Option<NextToTry> {
    let working = |name: &String| {
        let of_name = prediction.backup.stations.iter().find(|s| s.name == *name);
        of_name.map_or(0.0, |station| station.working)
    };
    // Of equals the first.
    let busiest = stage.stations.iter().rev().max_by(|a, b| working(a).total_cmp(&working(b)));
    match (stage.name, busiest) {
        ("processor", _) => Some(NextToTry {
            path: "processor.logical_processors".to_string(),
            value: resolved.machine.processor.count.saturating_mul(2).min(1024).to_string(),
            what: "twice the cores".to_string(),
        }),
        (role, Some(device)) => faster_device(resolved, device, role == "source"),
        _ => None,
    }
}

/// The device twice as fast.
fn faster_device(resolved: &Resolved, name: &str, reads: bool) -> Option<NextToTry> {
    let law = &resolved.machine.devices.iter().find(|d| d.name == name)?.law;
    let (key, rate) = match law {
        Device::Spindle(disk) if reads => ("read_rate", disk.read_rate),
        Device::Spindle(disk) => ("write_rate", disk.write_rate),
        Device::SolidState(drive) if reads => ("read_rate", drive.read_rate),
        Device::SolidState(drive) => ("write_rate", drive.write_rate),
        Device::Link(link) => ("rate", link.rate),
        Device::FixedRate(device) => ("rate", device.rate),
        Device::Capped(volume) => return higher_limit(resolved, name, volume),
        Device::Null(_) => return None,
    };
    let twice = ByteRate::new(2.0 * rate.get())?;
    Some(NextToTry {
        path: format!("device.{name}.{}.{key}", law.law()),
        value: twice.to_string(),
        what: format!("{name} twice as fast"),
    })
}

/// The limit that binds, twice as high, but no higher than the burst that goes with it.
fn higher_limit(resolved: &Resolved, name: &str, volume: &Capped) -> Option<NextToTry> {
    let path = |key: &str| format!("device.{name}.capped.{key}");
    let transfer = resolved.backup.buffers.transfer_size.as_f64();
    if let Some(operations) = &volume.operations
        && volume.operations_limit(transfer) < volume.rate.get()
    {
        return Some(NextToTry {
            path: path("operations.per_second"),
            value: operations.per_second.saturating_mul(2).to_string(),
            what: format!("{name} with twice the operations"),
        });
    }
    let twice = ByteRate::new(2.0 * volume.rate.get())?;
    let burst = volume.burst.as_ref().map(|burst| burst.rate).filter(|burst| *burst < twice);
    if burst == Some(volume.rate) {
        return None;
    }
    let what = match burst {
        Some(_) => format!("{name} at its burst rate all the time"),
        None => format!("{name} twice as fast"),
    };
    Some(NextToTry { path: path("rate"), value: burst.unwrap_or(twice).to_string(), what })
}
