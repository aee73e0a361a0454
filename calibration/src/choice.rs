//! Which knobs a fit to a user's own runs may turn.
//!
//! Those that decide how long the runs took and that nobody can read off a statement: the rates of
//! devices, links and compressor, what a disk loses between streams, the fixed cost. Devices whose
//! laws the scenario states alike are taken for alike and move as one. Whether the runs then say
//! anything about a knob is for the fit to find out: what they do not see stays at its prior, with
//! its uncertainty.

use std::collections::BTreeMap;

use bakcast_models::device::Device;
use bakcast_models::plan::{Backup, Machine, Place};
use bakcast_scenarios::{Loaded, find_knob};
use serde_json::Value;

use crate::error::CalibrationError;
use crate::priors::prior_in;
use crate::problem::Free;

/// A knob's bounds are so many standard deviations of its prior away from it.
const BOUNDS: f64 = 4.0;

/// What the runs do with the machine.
#[derive(Debug, Clone, PartialEq, Default)]
struct Use {
    /// By device: whether it is read, written, or visited on the way.
    read: Vec<bool>,
    written: Vec<bool>,
    way: Vec<bool>,
    /// Most streams at once on it, readers and writers.
    streams: Vec<usize>,
    /// Most write streams at once.
    write_streams: Vec<usize>,
    compressed: bool,
    decompressed: bool,
}

impl Use {
    fn of(loaded: &[Loaded], machine: &Machine) -> Self {
        let count = machine.devices.len();
        let mut all = Use {
            read: vec![false; count],
            written: vec![false; count],
            way: vec![false; count],
            streams: vec![0; count],
            write_streams: vec![0; count],
            ..Use::default()
        };
        for one in loaded {
            // A run may have devices that the others have not; those of the scenario keep their
            // names, not their numbers.
            let devices = &one.resolved.machine.devices;
            let number = |device: usize| {
                machine.devices.iter().position(|known| known.name == devices[device].name)
            };
            all.add(&one.resolved.backup, one.resolved.verification.is_some(), &number);
        }
        all
    }

    fn add(&mut self, backup: &Backup, verified: bool, number: &dyn Fn(usize) -> Option<usize>) {
        let mut streams = vec![0; self.read.len()];
        let mut writes = vec![0; self.read.len()];
        let mut way = |place: &Place| {
            place.via.iter().filter_map(|via| number(*via)).for_each(|via| self.way[via] = true);
        };
        backup.volumes.iter().for_each(|volume| way(&volume.place));
        backup.stripes.iter().for_each(&mut way);
        for device in backup.volumes.iter().filter_map(|v| number(v.place.device)) {
            self.read[device] = true;
            streams[device] += 1;
        }
        for device in backup.stripes.iter().filter_map(|stripe| number(stripe.device)) {
            self.written[device] = true;
            self.read[device] |= verified;
            streams[device] += 1;
            writes[device] += 1;
        }
        for device in 0..streams.len() {
            self.streams[device] = self.streams[device].max(streams[device]);
            self.write_streams[device] = self.write_streams[device].max(writes[device]);
        }
        self.compressed |= backup.compression.is_some();
        self.decompressed |= verified && backup.compression.is_some();
    }

    /// Knobs of a device that decide how long the runs took, by the end of their paths.
    fn keys(&self, device: usize, law: &Device) -> Vec<&'static str> {
        let (read, written) = (self.read[device], self.written[device]);
        let several = self.streams[device] > 1;
        match law {
            Device::Spindle(_) => kept([
                (read, "spindle.read_rate"),
                (written, "spindle.write_rate"),
                (several, "spindle.positioning"),
            ]),
            Device::SolidState(drive) => kept([
                (read, "solid_state.read_rate"),
                (written, "solid_state.write_rate"),
                (
                    self.write_streams[device] > 1 && drive.stream_amplification.get() > 0.0,
                    "solid_state.stream_amplification",
                ),
                (drive.stall.is_some() && written, "solid_state.stall.mean"),
                (drive.stall.is_some() && written, "solid_state.stall.every"),
            ]),
            Device::Link(link) => {
                kept([(true, "link.rate"), (link.per_connection.is_some(), "link.per_connection")])
            }
            Device::FixedRate(_) => kept([(true, "fixed_rate.rate")]),
            Device::Capped(_) => kept([(true, "capped.rate")]),
            Device::Null(_) => Vec::new(),
        }
    }
}

fn kept<const N: usize>(candidates: [(bool, &'static str); N]) -> Vec<&'static str> {
    candidates.into_iter().filter(|(keep, _)| *keep).map(|(_, key)| key).collect()
}

/// The knobs that a fit to runs of these configurations may turn.
///
/// # Errors
/// If the runs use nothing of which a knob could be fitted.
pub(crate) fn choose(base: &Loaded, runs: &[Loaded]) -> Result<Vec<Free>, CalibrationError> {
    let machine = &base.resolved.machine;
    let usage = Use::of(runs, machine);
    let written = serde_json::to_value(&base.scenario).unwrap_or(Value::Null);
    // Devices that are stated alike, by what is stated of them and what is done with them.
    let mut groups: BTreeMap<(String, &'static str), Vec<String>> = BTreeMap::new();
    let mut order = Vec::new();
    for (index, device) in machine.devices.iter().enumerate() {
        if !(usage.read[index] || usage.written[index] || usage.way[index]) {
            continue;
        }
        for key in usage.keys(index, &device.law) {
            let path = format!("device.{}.{key}", device.name);
            let group = (format!("{:?}", device.law), key);
            let paths = groups.entry(group.clone()).or_default();
            if paths.is_empty() {
                order.push(group);
            }
            paths.push(path);
        }
    }
    let mut all: Vec<Vec<String>> = order.iter().filter_map(|group| groups.remove(group)).collect();
    let general = [
        (usage.compressed, "compression.rate"),
        (usage.compressed, "compression.ratio"),
        (usage.decompressed, "compression.decompression_rate"),
        (true, "engine.start"),
    ];
    all.extend(kept(general).into_iter().map(|path| vec![path.to_string()]));
    let free: Vec<Free> = all.into_iter().filter_map(|paths| free_knob(paths, &written)).collect();
    if free.is_empty() {
        let reason = "the runs use no device, link or processor that has a rate".to_string();
        return Err(CalibrationError::NothingFree { reason });
    }
    Ok(free)
}

/// A knob at the value that the scenario states, with the prior that the library or its kind has.
pub(crate) fn free_knob(paths: Vec<String>, written: &Value) -> Option<Free> {
    let path = paths.first()?;
    let (prior, unit) = value_at(written, path)?;
    let expected = prior_in(written, &paths)?;
    let reach = libm::pow(expected.factor, BOUNDS);
    let (least, most) = limits(path);
    Some(Free {
        low: (prior / reach).max(least),
        high: (prior * reach).min(most),
        prior,
        prior_factor: expected.factor,
        reason: expected.reason,
        unit,
        paths,
        rows: Vec::new(),
    })
}

/// What no value of a knob can be below or above, in its own unit.
fn limits(path: &str) -> (f64, f64) {
    if path.ends_with("compression.ratio") { (0.9, 500.0) } else { (1e-12, 1e15) }
}

/// The number at a path of a scenario as it is written, and its unit.
pub(crate) fn value_at(written: &Value, path: &str) -> Option<(f64, String)> {
    let value = path.split('.').try_fold(written, |value, key| value.get(key))?;
    if let Some(number) = value.as_f64() {
        return (number > 0.0).then(|| (number, String::new()));
    }
    let text = value.as_str()?.trim();
    let end =
        text.find(|c: char| !(c.is_ascii_digit() || "+-.eE".contains(c))).unwrap_or(text.len());
    let number: f64 = text[..end].parse().ok().filter(|n: &f64| n.is_finite() && *n > 0.0)?;
    Some((number, text[end..].trim().to_string()))
}

/// Whether a path leads to a number that a fit may turn.
pub(crate) fn can_be_free(path: &str) -> bool {
    find_knob(path).is_some_and(bakcast_scenarios::Knob::is_number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bakcast_scenarios::Scenario;

    fn chosen(scenario: &str) -> Vec<Vec<String>> {
        let loaded = Scenario::load_reference(scenario, &[]).expect("a shipped scenario");
        let free = choose(&loaded, std::slice::from_ref(&loaded)).expect("knobs");
        assert!(free.iter().all(|f| f.low < f.prior && f.prior < f.high && f.prior_factor > 1.0));
        free.into_iter().map(|free| free.paths).collect()
    }

    #[test]
    fn rates_that_decide_are_free_and_devices_that_are_stated_alike_move_as_one() {
        let paths = chosen("usb3-laptop:2.4");
        let with = |end: &str| paths.iter().find(|p| p[0].ends_with(end)).cloned();
        assert_eq!(with("spindle.write_rate").map(|p| p.len()), Some(3));
        assert_eq!(with("solid_state.read_rate").map(|p| p.len()), Some(1));
        assert!(with("compression.rate").is_some() && with("decompression_rate").is_some());
        // One stream a disk: nothing turns.
        assert!(with("positioning").is_none(), "{paths:?}");
        assert!(chosen("usb3-laptop:same-drive").iter().any(|p| p[0].ends_with("positioning")));
    }

    #[test]
    fn a_number_is_read_with_its_unit() {
        let written = serde_json::json!({ "a": { "rate": "84.66 MB/s", "ratio": 3.5, "b": true } });
        assert_eq!(value_at(&written, "a.rate"), Some((84.66, "MB/s".to_string())));
        assert_eq!(value_at(&written, "a.ratio"), Some((3.5, String::new())));
        assert_eq!(value_at(&written, "a.b"), None);
        assert_eq!(value_at(&written, "a.none"), None);
    }
}
