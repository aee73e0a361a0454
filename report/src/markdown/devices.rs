//! `devices` as Markdown.

use super::table;
use crate::document::{DeviceEntry, DevicesResult, Document};
use crate::text::device_values;

pub(crate) fn devices(document: &Document<DevicesResult>) -> String {
    let entries = &document.result.devices;
    if let [DeviceEntry { toml: Some(text), .. }] = entries.as_slice() {
        return format!("```toml\n{text}```\n");
    }
    let row = |entry: &DeviceEntry| {
        vec![
            format!("`{}`", entry.name),
            entry.kind.to_string(),
            entry.law.unwrap_or_default().to_string(),
            entry.title.clone(),
            device_values(entry).replace('\u{a0}', " "),
            entry.source.clone(),
        ]
    };
    let rows: Vec<_> = entries.iter().map(row).collect();
    let text = table(&["name", "kind", "law", "title", "values", "source"], 6, &rows);
    format!("{text}\n{} devices and algorithms.\n", rows.len())
}
