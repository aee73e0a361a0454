//! Do several backup files help: on the same device, on others?
//!
//! One file is the configuration before, whatever the scenario has; what it has is one of the
//! alternatives. On the same device files help where something limits each of them and not the
//! device (a ceiling of a connection, a writer with few writes outstanding, the number of buffers,
//! which grows with the files); they hurt where the device loses by them.

use std::collections::BTreeSet;

use bakcast_scenarios::schema::Scenario;
use bakcast_scenarios::{Loaded, Set};

use super::{Alternative, AskError, AskOptions, Plan, Rule};
use crate::paired::THRESHOLD;
use crate::recommend::is_read;
use crate::runner::Operation;

/// Numbers of files on one device.
const FILES: [usize; 3] = [2, 4, 8];
/// Other devices that files go to.
const MOST_DEVICES: usize = 7;

pub(super) fn plan(loaded: &Loaded, options: &AskOptions) -> Result<Plan, AskError> {
    let scenario = &loaded.scenario;
    let Some(first) = scenario.backup.stripes.first() else {
        return Err(AskError::NotAsked("the backup has no file".to_string()));
    };
    let mut alternatives: Vec<Alternative> = Vec::new();
    let mut add = |label: String, kind, devices: &[&str]| {
        let stripes = stripes(devices);
        let one = Alternative::new(label, kind, vec![stripes]);
        if alternatives.iter().all(|other| other.sets != one.sets) {
            alternatives.push(one);
        }
    };
    for count in FILES {
        add(format!("{count} files on {first}"), "same-device", &vec![first.as_str(); count]);
    }
    let others = others(scenario, first, options)?;
    for count in 1..=others.len() {
        let devices: Vec<&str> =
            std::iter::once(first.as_str()).chain(others[..count].iter().copied()).collect();
        let label = format!("{} files on {}", devices.len(), devices.join("+"));
        add(label, "other-devices", &devices);
    }
    if !others.is_empty() {
        let each: Vec<&str> =
            std::iter::once(first.as_str()).chain(others.iter().copied()).collect();
        let twice: Vec<&str> = each.iter().chain(&each).copied().collect();
        let label = format!("{} files, two on each of {}", twice.len(), each.join("+"));
        add(label, "other-devices", &twice);
    }
    let present: Vec<&str> = scenario.backup.stripes.iter().map(String::as_str).collect();
    if present.len() > 1 {
        let several = present.iter().collect::<BTreeSet<_>>().len() > 1;
        let kind = if several { "other-devices" } else { "same-device" };
        add(format!("the {} files as they are", present.len()), kind, &present);
    }
    let operation = match loaded.resolved.verification {
        Some(_) => Operation::Total,
        None => Operation::Backup,
    };
    let before = Alternative::new(format!("1 file on {first}"), "one", vec![stripes(&[first])]);
    Ok(Plan { before, alternatives, rule: Rule::Gain, operation, threshold: THRESHOLD })
}

fn stripes(devices: &[&str]) -> Set {
    Set::new("backup.stripes", devices.join(","))
}

/// The law of a device, as far as it tells devices of one sort from others.
pub(super) fn law(scenario: &Scenario, name: &str) -> [bool; 6] {
    scenario.device.get(name).map_or([false; 6], |device| {
        [
            device.spindle.is_some(),
            device.solid_state.is_some(),
            device.link.is_some(),
            device.fixed_rate.is_some(),
            device.capped.is_some(),
            device.null.is_some(),
        ]
    })
}

/// Devices that further files can go to: those named, or those of the same sort that nothing else
/// is done with.
fn others<'a>(
    scenario: &'a Scenario,
    first: &str,
    options: &'a AskOptions,
) -> Result<Vec<&'a str>, AskError> {
    if !options.devices.is_empty() {
        let unknown = options.devices.iter().find(|name| !scenario.device.contains_key(*name));
        if let Some(name) = unknown {
            let shown = bakcast_scenarios::shown_word(name);
            let known: Vec<&str> = scenario.device.keys().map(String::as_str).collect();
            return Err(AskError::NotAsked(format!(
                "there is no device `{shown}`; there are {}",
                known.join(", ")
            )));
        }
        let named = options.devices.iter().map(String::as_str).filter(|name| *name != first);
        return Ok(named.take(MOST_DEVICES).collect());
    }
    let on_path = |name: &str| {
        scenario.device.values().any(|device| device.via.iter().any(|via| via == name))
    };
    let own = law(scenario, first);
    let others = scenario.device.keys().map(String::as_str).filter(|name| {
        *name != first
            && !is_read(scenario, name)
            && !on_path(name)
            && law(scenario, name) == own
            && scenario.device.get(*name).is_some_and(|device| device.null.is_none())
    });
    Ok(others.take(MOST_DEVICES).collect())
}
