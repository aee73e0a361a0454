//! `devices` for a terminal.

use super::lists::indented;
use super::{Paint, together};
use crate::document::{DeviceEntry, DeviceValue, DevicesResult, Document};

pub(crate) fn devices(document: &Document<DevicesResult>, paint: Paint) -> String {
    let entries = &document.result.devices;
    if let [DeviceEntry { toml: Some(text), .. }] = entries.as_slice() {
        return text.clone();
    }
    let mut out = String::new();
    for entry in entries {
        out.push_str(&format!("{}  {}\n", paint.strong(&entry.name), kind(entry)));
        out.push_str(&indented(&entry.title, 4));
        if !entry.values.is_empty() {
            out.push_str(&indented(&values(entry), 4));
        }
    }
    out.push_str(
        "\nIn a scenario: device.NAME.like = \"sata-ssd\", compression.like = \"MS_XPRESS\".\n",
    );
    out.push_str("How sure each value is and where it comes from, as a table to paste:\n");
    out.push_str("    bakcast devices --show sata-ssd\n");
    out
}

/// The law of a device, or that it is an algorithm.
fn kind(entry: &DeviceEntry) -> String {
    match entry.law {
        Some(law) => format!("{}, {law}", entry.kind),
        None => entry.kind.to_string(),
    }
}

/// The values in one line, by the last of their keys; the law has just been said.
pub(crate) fn values(entry: &DeviceEntry) -> String {
    let law = entry.law.map(|law| format!("{law}.")).unwrap_or_default();
    let one = |value: &DeviceValue| {
        let key = value.key.strip_prefix(&law).unwrap_or(&value.key);
        together(&format!("{key} {}", value.value))
    };
    entry.values.iter().map(one).collect::<Vec<_>>().join(", ")
}
