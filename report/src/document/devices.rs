//! What `devices` lists: the library.

use bakcast_scenarios::{LibraryEntry, LibraryValue};
use serde::Serialize;
use serde_json::Value;

/// The devices and algorithms of the library.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DevicesResult {
    /// One entry a device or algorithm.
    pub devices: Vec<DeviceEntry>,
}

/// A device or an algorithm.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DeviceEntry {
    /// What `like` calls it.
    pub name: String,
    /// `device` or `algorithm`.
    pub kind: &'static str,
    /// What it is, in one line.
    pub title: String,
    /// Where its values come from.
    pub source: String,
    /// The law of a device.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub law: Option<&'static str>,
    /// Its values as a table of a scenario, each number with its unit in the key.
    pub table: Value,
    /// Its values as they are written, and how sure each is.
    pub values: Vec<DeviceValue>,
    /// The tables to paste into a scenario; only where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub toml: Option<String>,
}

/// One value.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DeviceValue {
    /// Its key, below the table that says `like`.
    pub key: String,
    /// The value with its unit.
    pub value: String,
    /// How sure it is: one standard deviation, as a factor.
    pub factor: f64,
    /// Why it is what it is, and no surer.
    pub reason: String,
    /// Where it comes from.
    pub source: String,
}

impl From<&LibraryEntry> for DeviceEntry {
    fn from(entry: &LibraryEntry) -> Self {
        DeviceEntry {
            name: entry.name.clone(),
            kind: entry.kind.as_str(),
            title: entry.title.clone(),
            source: entry.source.clone(),
            law: entry.law,
            table: entry.values_json(),
            values: entry.values.iter().map(DeviceValue::from).collect(),
            toml: None,
        }
    }
}

impl From<&LibraryValue> for DeviceValue {
    fn from(value: &LibraryValue) -> Self {
        DeviceValue {
            key: value.key.clone(),
            value: value.value.clone(),
            factor: value.factor,
            reason: value.reason.clone(),
            source: value.source.clone(),
        }
    }
}
