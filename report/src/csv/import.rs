//! `import` as CSV: the table of runs that `calibrate` takes, if there are backups; else one row a
//! rate.

use serde::Serialize;

use super::rows;
use crate::ReportError;
use crate::document::{Document, ImportResult};

/// One rate.
#[derive(Debug, Serialize)]
struct Row<'a> {
    file: &'a str,
    label: &'a str,
    target: Option<&'a str>,
    direction: &'a str,
    pattern: &'a str,
    bytes_per_second: f64,
    block_bytes: Option<u64>,
    depth: Option<u32>,
    jobs: u32,
    seconds: Option<f64>,
    direct: Option<bool>,
    mixed: bool,
    usable: bool,
}

pub(crate) fn import(document: &Document<ImportResult>) -> Result<String, ReportError> {
    let result = &document.result;
    if let Some(runs) = &result.runs_csv {
        return Ok(runs.clone());
    }
    let mut all = Vec::new();
    for file in &result.files {
        all.extend(file.rates.iter().map(|rate| Row {
            file: &file.file,
            label: &rate.label,
            target: rate.target.as_deref(),
            direction: rate.direction,
            pattern: rate.pattern,
            bytes_per_second: rate.bytes_per_second,
            block_bytes: rate.block_bytes,
            depth: rate.depth,
            jobs: rate.jobs,
            seconds: rate.seconds,
            direct: rate.direct,
            mixed: rate.mixed,
            usable: rate.usable && file.refused.is_none(),
        }));
    }
    rows(&all)
}
