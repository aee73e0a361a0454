//! Does it hurt to back up to the device that holds the database?
//!
//! Before, both are one device, as they are or as they would be; after, they are not: the target is
//! the scenario's own, another device of it, or one more of the same.

use bakcast_scenarios::schema::Scenario;
use bakcast_scenarios::{Loaded, Set};

use super::judge::OTHER_SORT;
use super::striping::law;
use super::{Alternative, AskError, Plan, Rule};
use crate::paired::THRESHOLD;
use crate::runner::Operation;

pub(super) fn plan(loaded: &Loaded) -> Result<Plan, AskError> {
    let scenario = &loaded.scenario;
    let Some(source) = scenario.volume.values().next().map(|volume| &volume.device) else {
        return Err(AskError::NotAsked("the database has no volume".to_string()));
    };
    let is_source = |name: &String| scenario.volume.values().any(|v| v.device == *name);
    let stripes = &scenario.backup.stripes;
    let shared = stripes.iter().any(is_source);
    let to = |devices: &[String]| Set::new("backup.stripes", devices.join(","));
    let operation = match loaded.resolved.verification {
        Some(_) => Operation::Total,
        None => Operation::Backup,
    };
    let of = |before: Alternative, alternatives: Vec<Alternative>| Plan {
        before,
        alternatives,
        rule: Rule::Gain,
        operation,
        threshold: THRESHOLD,
    };
    if !shared {
        let label = format!("the backup on {source}, where the database is");
        let before =
            Alternative::new(label, "shared", vec![to(&vec![source.clone(); stripes.len()])]);
        let after = Alternative::new(format!("{} as it is", named(stripes)), "apart", Vec::new());
        return Ok(of(before, vec![after]));
    }
    let before = Alternative::new(format!("{} as it is", named(stripes)), "shared", Vec::new());
    let mut alternatives: Vec<Alternative> = others(scenario)
        .map(|name| {
            let apart = |stripe: &String| if is_source(stripe) { name } else { stripe }.clone();
            let devices: Vec<String> = stripes.iter().map(apart).collect();
            let kind =
                if law(scenario, name) == law(scenario, source) { "apart" } else { OTHER_SORT };
            Alternative::new(format!("the backup on {name}"), kind, vec![to(&devices)])
        })
        .collect();
    if let Some(twin) = twin(scenario, source) {
        let apart =
            |stripe: &String| if is_source(stripe) { TWIN.to_string() } else { stripe.clone() };
        let devices: Vec<String> = stripes.iter().map(apart).collect();
        let label = format!("the backup on another device like {source}");
        alternatives.push(Alternative::new(label, "twin", vec![twin, to(&devices)]));
    }
    Ok(of(before, alternatives))
}

/// What one more of the same is called.
const TWIN: &str = "another";

fn named(stripes: &[String]) -> String {
    let mut names: Vec<&str> = stripes.iter().map(String::as_str).collect();
    names.dedup();
    format!("the backup on {}", names.join("+"))
}

/// Devices that could be written to instead.
fn others(scenario: &Scenario) -> impl Iterator<Item = &String> {
    let on_path = |name: &String| scenario.device.values().any(|device| device.via.contains(name));
    let is_source = |name: &String| scenario.volume.values().any(|volume| volume.device == *name);
    let possible = scenario
        .device
        .iter()
        .filter(move |(name, device)| device.null.is_none() && !on_path(name) && !is_source(name));
    possible.map(|(name, _)| name)
}

/// One more device with the values of this one; nothing if there is one of that name.
fn twin(scenario: &Scenario, source: &str) -> Option<Set> {
    let device = scenario.device.get(source).filter(|_| !scenario.device.contains_key(TWIN))?;
    let value = toml::Value::try_from(device).ok()?;
    Some(Set::new(format!("device.{TWIN}"), value.to_string()))
}
