//! `devices` as CSV: one row a value; an entry without values has one row.

use serde::Serialize;

use super::rows;
use crate::ReportError;
use crate::document::{DeviceValue, DevicesResult, Document};

/// One value of one entry.
#[derive(Debug, Serialize)]
struct Row<'a> {
    name: &'a str,
    kind: &'a str,
    law: Option<&'a str>,
    title: &'a str,
    key: Option<&'a str>,
    value: Option<&'a str>,
    factor: Option<f64>,
    reason: Option<&'a str>,
    source: &'a str,
}

pub(crate) fn devices(document: &Document<DevicesResult>) -> Result<String, ReportError> {
    let mut all = Vec::new();
    for entry in &document.result.devices {
        let row = |value: Option<&'_ DeviceValue>| Row {
            name: &entry.name,
            kind: entry.kind,
            law: entry.law,
            title: &entry.title,
            key: None,
            value: None,
            factor: value.map(|value| value.factor),
            reason: None,
            source: &entry.source,
        };
        if entry.values.is_empty() {
            all.push(row(None));
        }
        all.extend(entry.values.iter().map(|value| Row {
            key: Some(&value.key),
            value: Some(&value.value),
            reason: Some(&value.reason),
            source: &value.source,
            ..row(Some(value))
        }));
    }
    rows(&all)
}
