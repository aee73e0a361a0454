//! What of a machine and its data could be other than it is: the levers of a scenario.
//!
//! A lever is one number, or the same number of several devices that are alike: they move as one.
//! Only what some configuration in question uses is a lever.

use std::collections::{BTreeMap, BTreeSet};

use bakcast_models::quantity::ByteRate;
use bakcast_scenarios::schema::{Device, Scenario};
use bakcast_scenarios::{Loaded, Set};

/// Which part of the pipeline a lever belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LeverSide {
    /// Devices that are read by the backup.
    Source,
    /// Links and caps on the way.
    Path,
    /// Devices that are written to by the backup.
    Target,
    /// Processors and the compressor.
    Processor,
    /// Options of the statement.
    Option,
}

/// What sort of number it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeverUnit {
    /// Bytes a second.
    Rate,
    /// Seconds.
    Time,
    /// Bytes.
    Bytes,
    /// A plain number.
    Plain,
    /// A whole number.
    Count,
}

/// A number that could be another.
#[derive(Debug, Clone, PartialEq)]
pub struct Lever {
    /// What it is, in words: `write rate of d2`.
    pub name: String,
    /// The knobs that move as one.
    pub paths: Vec<String>,
    /// Its value, in bytes, seconds or as it is.
    pub now: f64,
    /// What sort of number it is.
    pub unit: LeverUnit,
    /// Where it belongs.
    pub side: LeverSide,
    /// The least it can be.
    least: f64,
    /// The most it can be.
    most: f64,
}

/// A value of a lever, as it is written.
#[derive(Debug, Clone, PartialEq)]
pub struct LeverValue {
    /// The number, rounded to what is written.
    pub number: f64,
    /// As `--set` takes it.
    pub text: String,
    /// The assignments that make it so.
    pub sets: Vec<Set>,
}

impl Lever {
    /// A lever by its name and knobs, its value, what it is, and its range.
    pub(crate) fn new(
        (name, paths): (String, Vec<String>),
        now: f64,
        (unit, side): (LeverUnit, LeverSide),
        (least, most): (f64, f64),
    ) -> Self {
        Lever { name, paths, now, unit, side, least, most }
    }

    /// A value near `wanted`: what can be written, within what the knob takes.
    #[must_use]
    pub fn at(&self, wanted: f64) -> LeverValue {
        let wanted = wanted.clamp(self.least, self.most);
        let (number, text) = written(wanted, self.unit);
        let sets = self.paths.iter().map(|path| Set::new(path.clone(), text.clone())).collect();
        LeverValue { number, text, sets }
    }

    /// The value it has, as it is written.
    #[must_use]
    pub fn now_text(&self) -> String {
        written(self.now, self.unit).1
    }

    /// The last part of its path, from the law on: `solid_state.write_rate`.
    #[must_use]
    pub fn key(&self) -> &str {
        let path = self.paths.first().map_or("", String::as_str);
        match path.strip_prefix("device.").and_then(|rest| rest.split_once('.')) {
            Some((_, key)) => key,
            None => path,
        }
    }
}

/// A number with four digits and its unit, and the number that this is.
fn written(value: f64, unit: LeverUnit) -> (f64, String) {
    let (size, name) = match unit {
        LeverUnit::Rate => (1e6, "MB/s"),
        LeverUnit::Time if value < 1.0 => (1e-3, "ms"),
        LeverUnit::Time => (1.0, "s"),
        LeverUnit::Bytes if value < 1_048_576.0 => (1024.0, "KiB"),
        LeverUnit::Bytes => (1_048_576.0, "MiB"),
        LeverUnit::Plain => (1.0, ""),
        LeverUnit::Count => return (value.round(), format!("{:.0}", value.round())),
    };
    let short: f64 = format!("{:.3e}", value / size).parse().unwrap_or(value / size);
    let text = if name.is_empty() { format!("{short}") } else { format!("{short} {name}") };
    (short * size, text)
}

/// What devices are to a backup.
#[derive(Debug, Default)]
struct Roles {
    source: BTreeSet<String>,
    target: BTreeSet<String>,
    path: BTreeSet<String>,
    compresses: bool,
    verifies: bool,
}

impl Roles {
    fn of(configurations: &[&Loaded]) -> Self {
        let mut roles = Roles::default();
        for loaded in configurations {
            let scenario = &loaded.scenario;
            roles.compresses |= scenario.backup.compression;
            roles.verifies |= loaded.resolved.verification.is_some();
            roles.source.extend(scenario.volume.values().map(|volume| volume.device.clone()));
            roles.target.extend(scenario.backup.stripes.iter().cloned());
            let used = roles.source.iter().chain(&roles.target);
            let via = used.filter_map(|name| scenario.device.get(name)).flat_map(|d| &d.via);
            let via: Vec<String> = via.cloned().collect();
            roles.path.extend(via);
        }
        roles
    }
}

/// One number of one device.
struct Entry {
    key: String,
    what: &'static str,
    now: f64,
    unit: LeverUnit,
    side: LeverSide,
}

/// The levers of configurations of one scenario, devices before processors before options.
#[must_use]
pub fn levers(configurations: &[&Loaded]) -> Vec<Lever> {
    let Some(first) = configurations.first() else { return Vec::new() };
    let scenario = &first.scenario;
    let roles = Roles::of(configurations);
    let mut found: Vec<(Entry, Vec<String>)> = Vec::new();
    for (name, device) in &scenario.device {
        for entry in entries(name, device, &roles) {
            let same = found.iter_mut().find(|(other, _)| {
                (&other.key, other.side) == (&entry.key, entry.side)
                    && other.now.to_bits() == entry.now.to_bits()
            });
            match same {
                Some((_, names)) => names.push(name.clone()),
                None => found.push((entry, vec![name.clone()])),
            }
        }
    }
    let mut levers: Vec<Lever> = found.into_iter().map(of_devices).collect();
    levers.sort_by_key(|lever| lever.side);
    levers.extend(of_host(scenario, &roles));
    levers.push(buffers(first));
    levers
}

fn of_devices((entry, names): (Entry, Vec<String>)) -> Lever {
    let paths = names.iter().map(|name| format!("device.{name}.{}", entry.key)).collect();
    let whose = match names.len() {
        1..=3 => names.join("+"),
        many => format!("{many} devices"),
    };
    let (least, most) = match entry.unit {
        LeverUnit::Rate => (1e3, 1e12),
        LeverUnit::Time => (1e-9, 1e4),
        LeverUnit::Bytes => (65536.0, 1e15),
        LeverUnit::Plain => (0.0, 100.0),
        LeverUnit::Count => (1.0, 1e6),
    };
    let name = format!("{} of {whose}", entry.what);
    Lever { name, paths, now: entry.now, unit: entry.unit, side: entry.side, least, most }
}

/// The numbers of one device that count for what it is used for.
fn entries(name: &str, device: &Device, roles: &Roles) -> Vec<Entry> {
    let (reads, writes) = (roles.source.contains(name), roles.target.contains(name));
    let on_path = roles.path.contains(name);
    let side = match (reads, writes, on_path) {
        (_, _, true) => LeverSide::Path,
        (_, true, _) => LeverSide::Target,
        _ => LeverSide::Source,
    };
    if !(reads || writes || on_path) {
        return Vec::new();
    }
    let is_read = reads || (writes && roles.verifies);
    let numbers = of_drive(device, is_read, writes).into_iter().chain(of_way(device));
    let entry =
        |(key, what, now, unit): Number| Entry { key: key.to_string(), what, now, unit, side };
    numbers.filter(|(_, _, now, _)| *now > 0.0).map(entry).collect()
}

/// The key of a number, what it is, its value and its unit.
type Number = (&'static str, &'static str, f64, LeverUnit);

/// The numbers of a disk or a drive.
fn of_drive(device: &Device, is_read: bool, is_written: bool) -> Vec<Number> {
    use LeverUnit::{Bytes, Plain, Rate, Time};
    let mut all: Vec<Number> = Vec::new();
    if let Some(disk) = &device.spindle {
        if is_read {
            all.push(("spindle.read_rate", "read rate", disk.read_rate.get(), Rate));
        }
        if is_written {
            all.push(("spindle.write_rate", "write rate", disk.write_rate.get(), Rate));
        }
        let turn = disk.positioning.as_seconds();
        all.push(("spindle.positioning", "time to turn to another stream", turn, Time));
    }
    let Some(drive) = &device.solid_state else { return all };
    if is_read {
        all.push(("solid_state.read_rate", "read rate", drive.read_rate.get(), Rate));
    }
    all.push(("solid_state.latency", "latency", drive.latency.as_seconds(), Time));
    if is_written {
        all.push(("solid_state.write_rate", "write rate", drive.write_rate.get(), Rate));
        let command = drive.command_time.as_seconds();
        all.push(("solid_state.command_time", "time of a command", command, Time));
        let loss = drive.stream_amplification.get();
        all.push(("solid_state.stream_amplification", "loss by each further file", loss, Plain));
    }
    if let Some(stall) = drive.stall.as_ref().filter(|_| is_written) {
        let mean = stall.mean.as_seconds();
        all.push(("solid_state.stall.mean", "length of the pauses", mean, Time));
        let every = stall.every.as_f64();
        all.push(("solid_state.stall.every", "data between pauses", every, Bytes));
    }
    all
}

/// The numbers of what may stand anywhere on the way.
fn of_way(device: &Device) -> Vec<Number> {
    use LeverUnit::{Count, Rate};
    let mut all: Vec<Number> = Vec::new();
    if let Some(link) = &device.link {
        all.push(("link.rate", "rate", link.rate.get(), Rate));
        let one = link.per_connection.map_or(0.0, ByteRate::get);
        all.push(("link.per_connection", "rate of one connection", one, Rate));
    }
    if let Some(fixed) = &device.fixed_rate {
        all.push(("fixed_rate.rate", "rate", fixed.rate.get(), Rate));
    }
    if let Some(capped) = &device.capped {
        all.push(("capped.rate", "rate", capped.rate.get(), Rate));
        if let Some(operations) = &capped.operations {
            let now = f64::from(operations.per_second);
            all.push(("capped.operations.per_second", "operations a second", now, Count));
        }
    }
    all
}

/// Processors and the compressor, where anything is compressed.
fn of_host(scenario: &Scenario, roles: &Roles) -> Vec<Lever> {
    let Some(compression) = scenario.compression.as_ref().filter(|_| roles.compresses) else {
        return Vec::new();
    };
    let lever = |name: &str, path: &str, now: f64, unit, (least, most)| Lever {
        name: name.to_string(),
        paths: vec![path.to_string()],
        now,
        unit,
        side: LeverSide::Processor,
        least,
        most,
    };
    let rates = (1e3, 1e12);
    let count = f64::from(scenario.processor.logical_processors);
    let mut levers = vec![
        lever(
            "number of processors",
            "processor.logical_processors",
            count,
            LeverUnit::Count,
            (1.0, 1024.0),
        ),
        lever(
            "compression rate of a processor",
            "compression.rate",
            compression.rate.get(),
            LeverUnit::Rate,
            rates,
        ),
        lever(
            "compression ratio",
            "compression.ratio",
            compression.ratio.get(),
            LeverUnit::Plain,
            (1.0, 1000.0),
        ),
    ];
    if roles.verifies {
        let rate = compression.decompression_rate.get();
        let path = "compression.decompression_rate";
        levers.push(lever("decompression rate of a processor", path, rate, LeverUnit::Rate, rates));
    }
    levers
}

/// The number of buffers, stated or not.
fn buffers(loaded: &Loaded) -> Lever {
    Lever {
        name: "number of buffers".to_string(),
        paths: vec!["backup.buffer_count".to_string()],
        now: f64::from(loaded.resolved.backup.buffers.count),
        unit: LeverUnit::Count,
        side: LeverSide::Option,
        least: 1.0,
        most: 4096.0,
    }
}

/// Levers by the first of their knobs.
#[must_use]
pub(crate) fn by_path(levers: &[Lever]) -> BTreeMap<&str, &Lever> {
    let each = levers.iter().flat_map(|lever| {
        let paths = lever.paths.iter();
        paths.map(move |path| (path.as_str(), lever))
    });
    each.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_a_scenario_takes_them_and_read_as_the_same_number() {
        for (value, unit, text) in [
            (90e6, LeverUnit::Rate, "90 MB/s"),
            (123.456e6, LeverUnit::Rate, "123.5 MB/s"),
            (0.012_34, LeverUnit::Time, "12.34 ms"),
            (2.5, LeverUnit::Time, "2.5 s"),
            (3.0, LeverUnit::Plain, "3"),
            (6.6, LeverUnit::Count, "7"),
            (73_728_000.0, LeverUnit::Bytes, "70.31 MiB"),
        ] {
            assert_eq!(written(value, unit).1, text);
            assert_eq!(written(written(value, unit).0, unit).1, text);
        }
    }

    #[test]
    fn devices_that_are_alike_move_as_one_and_unused_ones_do_not_count() {
        let loaded = Scenario::load_reference("usb3-laptop:2.2", &[]).unwrap();
        let levers = levers(&[&loaded]);
        let names: Vec<&str> = levers.iter().map(|lever| lever.name.as_str()).collect();
        assert!(names.contains(&"write rate of d1+d2+d3"), "{names:?}");
        assert!(names.contains(&"read rate of ssd"), "{names:?}");
        assert!(!names.iter().any(|name| name.contains("compression")), "{names:?}");
        for lever in &levers {
            for set in lever.at(lever.now * 1.3).sets {
                set.check().unwrap();
            }
        }
    }
}
