//! Devices and compression algorithms by kind: what a scenario takes with `like`.
//!
//! An entry has a table of values as a scenario would write it, and says of each value how sure it
//! is and why. Where a scenario says `like`, the values of the entry stand wherever it writes none
//! ([`fill_in`]); its own values win, one by one. That happens to the tree, before anything is
//! checked, so that a value of the library is checked, shown, set and fitted like any other. What
//! a scenario wrote itself is kept apart until then: `like` itself can be set.

mod fill;
mod prior;
mod toml_text;

use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::Value as Json;

use crate::check::LAWS;
use crate::place::{ALGORITHMS, DEVICES};
use crate::schema::{Compression, Device, Scenario};
use crate::tree::{self, Node, Table};

pub(crate) use fill::{fill_in, stated_by_like};
pub use prior::{Prior, prior_of};

/// The text of the devices, and what it is called in messages.
pub(crate) const DEVICES_FILE: (&str, &str) =
    ("library/devices.toml", include_str!("../library/devices.toml"));
/// The text of the algorithms, and what it is called in messages.
pub(crate) const ALGORITHMS_FILE: (&str, &str) =
    ("library/algorithms.toml", include_str!("../library/algorithms.toml"));

/// Keys of an entry that are no values.
const ABOUT: [&str; 3] = ["title", "source", "known"];

/// What an entry describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LibraryKind {
    /// A device, a link or a cap: for `device.NAME.like`.
    Device,
    /// A compression algorithm: for `compression.like`.
    Algorithm,
}

/// A device or an algorithm.
#[derive(Debug)]
pub struct LibraryEntry {
    /// What it describes.
    pub kind: LibraryKind,
    /// What `like` calls it.
    pub name: String,
    /// What it is, in one line.
    pub title: String,
    /// Where its values come from.
    pub source: String,
    /// The law of a device; absent: an algorithm.
    pub law: Option<&'static str>,
    /// Its values, in the order in which they are written.
    pub values: Vec<LibraryValue>,
    /// The values as a scenario would write them.
    pub(crate) table: Table,
}

/// One value of an entry.
#[derive(Debug, Clone, PartialEq)]
pub struct LibraryValue {
    /// Its key, with dots, below the table that says `like`: `spindle.read_rate`.
    pub key: String,
    /// The value as it is written, with its unit.
    pub value: String,
    /// How sure it is: one standard deviation, as a factor.
    pub factor: f64,
    /// Why it is what it is, and no surer.
    pub reason: String,
    /// Where it comes from.
    pub source: String,
    /// Whether it is written without quotes.
    is_plain: bool,
}

/// What is expected of a knob that has the value of an entry.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LibraryPrior<'a> {
    /// One standard deviation, as a factor.
    pub factor: f64,
    /// Why the value is what it is, and no surer.
    pub reason: &'a str,
    /// Where it comes from.
    pub source: &'a str,
}

/// How sure a value is, as the files say it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    factor: f64,
    reason: String,
    source: Option<String>,
}

impl LibraryKind {
    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            LibraryKind::Device => "device",
            LibraryKind::Algorithm => "algorithm",
        }
    }
}

/// Every entry: the devices, then the algorithms, in the order of their files.
///
/// # Panics
/// If the embedded files cannot be read: our bug, and a test reads them.
#[must_use]
pub fn library() -> &'static [LibraryEntry] {
    static ENTRIES: LazyLock<Vec<LibraryEntry>> = LazyLock::new(|| {
        let devices = read(LibraryKind::Device, DEVICES_FILE.1, DEVICES);
        let algorithms = read(LibraryKind::Algorithm, ALGORITHMS_FILE.1, ALGORITHMS);
        devices.into_iter().chain(algorithms).collect()
    });
    &ENTRIES
}

/// The entry that `like` calls so.
#[must_use]
pub fn library_entry(kind: LibraryKind, name: &str) -> Option<&'static LibraryEntry> {
    library().iter().find(|entry| entry.kind == kind && entry.name == name)
}

/// The names of the entries of one kind, for the schema.
pub(crate) fn names(kind: LibraryKind) -> Vec<&'static str> {
    let of_kind = library().iter().filter(|entry| entry.kind == kind);
    of_kind.map(|entry| entry.name.as_str()).collect()
}

/// What is expected of the knob at this path: nothing unless its device or its compression is like
/// an entry and it has the value of that entry. Of a value of its own the scenario knows more, or
/// something else, than the library does.
#[must_use]
pub fn prior_for(scenario: &Scenario, path: &str) -> Option<LibraryPrior<'static>> {
    let keys: Vec<&str> = path.split('.').map(str::trim).collect();
    let of_device = |name: &str| {
        let device = scenario.device.get(name)?;
        Some((LibraryKind::Device, device.like.clone()?, serde_json::to_value(device).ok()?))
    };
    let of_data = |data: Option<&Compression>| {
        let data = data?;
        Some((LibraryKind::Algorithm, data.like.clone()?, serde_json::to_value(data).ok()?))
    };
    let (found, rest) = match keys.as_slice() {
        ["device", name, rest @ ..] => (of_device(name), rest),
        ["compression", rest @ ..] => (of_data(scenario.compression.as_ref()), rest),
        ["beside", name, "compression", rest @ ..] => {
            (of_data(scenario.beside.get(*name)?.compression.as_ref()), rest)
        }
        _ => return None,
    };
    let (kind, like, written) = found?;
    let entry = library_entry(kind, &like)?;
    let key = rest.join(".");
    let value = entry.values.iter().find(|value| value.key == key)?;
    let at = |json: &Json| rest.iter().try_fold(json, |json, key| json.get(key)).cloned();
    let is_own = at(&written)? != at(&entry.as_read()?)?;
    let LibraryValue { factor, reason, source, .. } = value;
    (!is_own).then_some(LibraryPrior { factor: *factor, reason, source })
}

impl LibraryEntry {
    /// The entry as a scenario has it once it is read, with the defaults of what it leaves out.
    fn as_read(&self) -> Option<Json> {
        let mut table = tree::plain(&self.table);
        match self.kind {
            LibraryKind::Device => serde_json::to_value(Device::deserialize(table).ok()?).ok(),
            LibraryKind::Algorithm => {
                table.insert("ratio".to_string(), toml::Value::Float(1.0));
                serde_json::to_value(Compression::deserialize(table).ok()?).ok()
            }
        }
    }
}

/// The entries of a file.
fn read(kind: LibraryKind, text: &str, source: usize) -> Vec<LibraryEntry> {
    let (root, errors) = tree::parse(text, source);
    assert!(errors.is_empty(), "the library cannot be read: {errors:?}");
    let mut entries: Vec<_> = root.into_iter().collect();
    entries.sort_by_key(|(_, entry)| entry.key_place);
    let tables = entries.into_iter().filter_map(|(name, entry)| match entry.node.value {
        tree::Value::Table(table) => Some((name, table)),
        _ => None,
    });
    tables.map(|(name, table)| entry(kind, name, table)).collect()
}

fn entry(kind: LibraryKind, name: String, mut table: Table) -> LibraryEntry {
    let text = |key: &str| tree::find(&table, &[key]).and_then(Node::text).unwrap_or_default();
    let (title, source) = (text("title").to_string(), text("source").to_string());
    let known = tree::find(&table, &["known"]).and_then(Node::table).cloned().unwrap_or_default();
    for key in ABOUT {
        table.remove(key);
    }
    let law = LAWS.into_iter().find(|law| table.contains_key(*law));
    let mut leaves = Vec::new();
    collect(&table, "", &mut leaves);
    leaves.sort_by_key(|(_, node)| node.place);
    let value = |(key, node): (String, &Node)| {
        let known = known.get(&key).and_then(|entry| entry.node.table());
        let known = known.and_then(|table| Known::deserialize(tree::plain(table)).ok());
        let known = known.unwrap_or_else(|| panic!("how sure is `{key}` of `{name}`?"));
        LibraryValue {
            key,
            value: node.text().map_or_else(|| node.shown(), str::to_string),
            factor: known.factor,
            reason: known.reason,
            source: known.source.unwrap_or_else(|| source.clone()),
            is_plain: node.text().is_none(),
        }
    };
    let values: Vec<_> = leaves.into_iter().map(value).collect();
    assert_eq!(values.len(), known.len(), "`{name}` knows more than it says");
    LibraryEntry { kind, name, title, source, law, values, table }
}

/// Every value of a table, with its path.
fn collect<'a>(table: &'a Table, before: &str, found: &mut Vec<(String, &'a Node)>) {
    for (key, entry) in table {
        let path = if before.is_empty() { key.clone() } else { format!("{before}.{key}") };
        match entry.node.table() {
            Some(inner) => collect(inner, &path, found),
            None => found.push((path, &entry.node)),
        }
    }
}
