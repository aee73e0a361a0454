//! `predict` as CSV: one row an operation.

use serde::Serialize;

use super::rows;
use crate::ReportError;
use crate::document::{Document, PredictResult};

/// One operation.
#[derive(Debug, Serialize)]
struct Row<'a> {
    scenario: &'a str,
    operation: &'static str,
    seconds: f64,
    low_seconds: f64,
    high_seconds: f64,
    level: f64,
    read_bytes: Option<u64>,
    written_bytes: Option<u64>,
    read_bytes_per_second: Option<f64>,
    written_bytes_per_second: Option<f64>,
    buffer_count: Option<u32>,
    buffer_memory_bytes: Option<u64>,
    max_transfer_size_bytes: Option<u64>,
    processor_cores_mean: Option<f64>,
    bottleneck: Option<&'a str>,
    seed: u64,
    replications: u32,
}

pub(crate) fn predict(document: &Document<PredictResult>) -> Result<String, ReportError> {
    let result = &document.result;
    let total = Row {
        scenario: &result.scenario,
        operation: "total",
        seconds: result.total.seconds,
        low_seconds: result.total.low_seconds,
        high_seconds: result.total.high_seconds,
        level: result.level,
        read_bytes: None,
        written_bytes: None,
        read_bytes_per_second: None,
        written_bytes_per_second: None,
        buffer_count: None,
        buffer_memory_bytes: None,
        max_transfer_size_bytes: None,
        processor_cores_mean: None,
        bottleneck: None,
        seed: document.seed,
        replications: document.replications,
    };
    let backup = Row {
        operation: "backup",
        seconds: result.backup.seconds,
        low_seconds: result.backup.low_seconds,
        high_seconds: result.backup.high_seconds,
        read_bytes: Some(result.read_bytes),
        written_bytes: Some(result.written_bytes),
        read_bytes_per_second: result.read_bytes_per_second,
        written_bytes_per_second: result.written_bytes_per_second,
        buffer_count: Some(result.buffer_count),
        buffer_memory_bytes: Some(result.buffer_memory_bytes),
        max_transfer_size_bytes: Some(result.max_transfer_size_bytes),
        processor_cores_mean: Some(result.processor_cores_mean),
        bottleneck: result.bottleneck.as_deref(),
        ..total
    };
    let verify = result.verify.as_ref().map(|verify| Row {
        operation: "verify",
        seconds: verify.seconds,
        low_seconds: verify.low_seconds,
        high_seconds: verify.high_seconds,
        read_bytes: Some(verify.read_bytes),
        read_bytes_per_second: verify.read_bytes_per_second,
        buffer_count: verify.buffer_count,
        processor_cores_mean: Some(verify.processor_cores_mean),
        bottleneck: verify.bottleneck.as_deref(),
        ..total
    });
    let all: Vec<Row<'_>> = [Some(backup), verify, Some(total)].into_iter().flatten().collect();
    rows(&all)
}
