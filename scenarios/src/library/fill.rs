//! Putting the values of an entry where a scenario writes none.

use super::{LibraryEntry, LibraryKind, library_entry, names};
use crate::check::LAWS;
use crate::place::Place;
use crate::problem::{Problem, ProblemKind, Problems};
use crate::tree::{Node, Table, Value};
use crate::words;

/// Fills in what the library says of every device and compression that is like an entry. A name
/// that no entry has is left for the check of values.
pub(crate) fn fill_in(root: &mut Table, problems: &mut Problems) {
    if let Some(devices) = inside(root, "device") {
        for (name, entry) in devices.iter_mut() {
            if let Value::Table(device) = &mut entry.node.value {
                fill_device(name, device, problems);
            }
        }
    }
    fill_compression(root);
    if let Some(jobs) = inside(root, "beside") {
        for entry in jobs.values_mut() {
            if let Value::Table(job) = &mut entry.node.value {
                fill_compression(job);
            }
        }
    }
}

fn inside<'a>(table: &'a mut Table, key: &str) -> Option<&'a mut Table> {
    match &mut table.get_mut(key)?.node.value {
        Value::Table(inner) => Some(inner),
        _ => None,
    }
}

/// What a table is like, and where it says so.
fn like(kind: LibraryKind, table: &Table) -> Option<(&'static LibraryEntry, Place)> {
    let node: &Node = &table.get("like")?.node;
    Some((library_entry(kind, node.text()?)?, node.place))
}

fn fill_device(name: &str, device: &mut Table, problems: &mut Problems) {
    let Some((entry, place)) = like(LibraryKind::Device, device) else { return };
    let own: Vec<_> = LAWS.into_iter().filter(|law| device.contains_key(*law)).collect();
    match own.iter().find(|law| Some(**law) != entry.law) {
        Some(other) => problems.report(other_law(name, entry, other, place)),
        None => overlay(device, &entry.table),
    }
}

fn fill_compression(root: &mut Table) {
    if let Some(compression) = inside(root, "compression")
        && let Some((entry, _)) = like(LibraryKind::Algorithm, compression)
    {
        overlay(compression, &entry.table);
    }
}

/// Copies what is not there.
fn overlay(own: &mut Table, from: &Table) {
    for (key, entry) in from {
        match own.get_mut(key).map(|own| &mut own.node.value) {
            None => {
                own.insert(key.clone(), entry.clone());
            }
            Some(Value::Table(own)) => {
                if let Some(from) = entry.node.table() {
                    overlay(own, from);
                }
            }
            Some(_) => {}
        }
    }
}

/// A device that is one thing and said to be like another.
fn other_law(name: &str, entry: &LibraryEntry, own: &str, place: Place) -> Problem {
    let like = &entry.name;
    let law = entry.law.unwrap_or_default();
    let path = format!("device.{name}.like");
    let message = format!(
        "device `{}` is a `{own}`, but `{like}`, which it is like, is a `{law}`",
        words::shown(name)
    );
    let of_law = names(LibraryKind::Device).into_iter().filter(|name| {
        library_entry(LibraryKind::Device, name).is_some_and(|entry| entry.law == Some(own))
    });
    let others = words::listed(of_law);
    Problem::new(ProblemKind::OtherLaw, place, &path, message)
        .found(format!("\"{like}\""))
        .accepted(format!("{others}; or no `device.{name}.{own}` (with --set: `=default`)"))
}

/// The paths that an assignment states, given the path it sets. Who says what a device is like says
/// what it is, all of it; who says what a compression is like states its rates, but not what the
/// data are.
pub(crate) fn stated_by_like(keys: Vec<String>) -> Vec<Vec<String>> {
    let is = |at: usize, key: &str| keys.get(at).is_some_and(|own| own == key);
    if keys.last().is_none_or(|last| last != "like") {
        return vec![keys];
    }
    if is(0, "device") && keys.len() == 3 {
        return vec![keys[..2].to_vec()];
    }
    let above = &keys[..keys.len() - 1];
    let rates = ["rate", "decompression_rate"];
    rates.map(|rate| above.iter().cloned().chain([rate.to_string()]).collect()).to_vec()
}
