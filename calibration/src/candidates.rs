//! Runs that could be made to learn more: settings of the statement and nothing that a DBA would
//! not try at night.

use bakcast_models::device::Device;
use bakcast_scenarios::{Document, Loaded, Set};

use crate::problem::Case;

/// Backup buffers of all sets may take so many bytes in a proposed run.
const MOST_MEMORY: u64 = 1 << 30;
/// The name of the NUL device where the scenario has none.
const NUL: &str = "nul";

/// A run that could be made.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    pub(crate) case: Case,
    /// What of its settings makes it this run: without those that all runs share.
    pub(crate) own: Vec<Set>,
    pub(crate) loaded: Loaded,
}

/// All runs worth considering: files as they are, one file on each target, four on the first, one
/// on every target, none at all (NUL); with and without compression; default and large buffers.
pub(crate) fn candidates(
    document: &Document,
    base: &Loaded,
    variant: Option<&str>,
    sets: &[Set],
) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = Vec::new();
    for (files, stripes) in targets(base) {
        for (compressed, compression) in compressions(base) {
            for (buffers, buffer_sets) in buffers() {
                let own: Vec<Set> = [&stripes[..], &compression[..], &buffer_sets[..]].concat();
                let all = [sets, &own[..]].concat();
                let Ok(loaded) = document.load(variant, &all) else { continue };
                let memory = loaded.resolved.backup.buffers.memory().get();
                let same = |c: &Candidate| {
                    c.loaded.resolved.backup == loaded.resolved.backup
                        && c.loaded.resolved.machine == loaded.resolved.machine
                };
                if memory > MOST_MEMORY || found.iter().any(same) {
                    continue;
                }
                let name = [files.as_str(), compressed, buffers].join(", ");
                let variant = variant.map(str::to_string);
                let case = Case { name, variant, sets: all };
                found.push(Candidate { case, own, loaded });
            }
        }
    }
    found
}

/// Where the files could go.
fn targets(base: &Loaded) -> Vec<(String, Vec<Set>)> {
    let stated = &base.scenario.backup.stripes;
    let mut devices: Vec<&String> = Vec::new();
    for device in stated {
        let is_nul = base.scenario.device.get(device).is_some_and(|d| d.null.is_some());
        if !devices.contains(&device) && !is_nul {
            devices.push(device);
        }
    }
    let to = |files: &[&String]| {
        let names: Vec<&str> = files.iter().map(|name| name.as_str()).collect();
        vec![Set::new("backup.stripes", names.join(","))]
    };
    let mut targets = vec![("files as they are".to_string(), Vec::new())];
    for device in devices.iter().take(8) {
        targets.push((format!("one file on {device}"), to(&[device])));
    }
    if let Some(first) = devices.first().copied() {
        targets.push((format!("four files on {first}"), to(&[first; 4])));
    }
    if devices.len() > 1 {
        targets.push(("one file on every target".to_string(), to(&devices)));
    }
    let machine = &base.resolved.machine;
    let nul = machine.devices.iter().find(|d| matches!(d.law, Device::Null(_)));
    let name = nul.map_or(NUL, |device| &device.name);
    let mut sets = Vec::new();
    if nul.is_none() && !base.scenario.device.contains_key(NUL) {
        sets.push(Set::new(format!("device.{NUL}.null"), "{}"));
    }
    sets.push(Set::new("backup.stripes", name));
    targets.push(("to NUL".to_string(), sets));
    targets
}

fn compressions(base: &Loaded) -> Vec<(&'static str, Vec<Set>)> {
    let set = |on: &str| vec![Set::new("backup.compression", on)];
    match base.scenario.compression {
        Some(_) => vec![("compressed", set("true")), ("not compressed", set("false"))],
        None => vec![("not compressed", set("false"))],
    }
}

fn buffers() -> [(&'static str, Vec<Set>); 3] {
    let count = |count: &str| Set::new("backup.buffer_count", count);
    let size = Set::new("backup.transfer_size", "4 MiB");
    [
        ("default buffers", vec![count("default"), Set::new("backup.transfer_size", "default")]),
        ("BUFFERCOUNT = 50", vec![count("50"), Set::new("backup.transfer_size", "default")]),
        ("BUFFERCOUNT = 50 and MAXTRANSFERSIZE = 4 MB", vec![count("50"), size]),
    ]
}
