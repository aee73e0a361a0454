//! `predict` as CSV: one row an operation, and one for each job beside the backup.

use serde::Serialize;

use super::rows;
use crate::ReportError;
use crate::document::{BesideResult, Document, PredictResult, RestoreResult};

/// One operation.
#[derive(Debug, Clone, Serialize)]
struct Row<'a> {
    scenario: &'a str,
    operation: String,
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
    starts_seconds: Option<f64>,
    events: Option<u64>,
    extrapolated_bytes: Option<u64>,
    parameter_sets: Option<usize>,
}

pub(crate) fn predict(document: &Document<PredictResult>) -> Result<String, ReportError> {
    let result = &document.result;
    let total = Row {
        scenario: &result.scenario,
        operation: "total".to_string(),
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
        starts_seconds: None,
        events: None,
        extrapolated_bytes: None,
        parameter_sets: result.uncertainty.as_ref().map(|uncertainty| uncertainty.members),
    };
    let backup = Row {
        operation: "backup".to_string(),
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
        ..total.clone()
    };
    let verify = result.verify.as_ref().map(|verify| Row {
        operation: "verify".to_string(),
        seconds: verify.seconds,
        low_seconds: verify.low_seconds,
        high_seconds: verify.high_seconds,
        read_bytes: Some(verify.read_bytes),
        read_bytes_per_second: verify.read_bytes_per_second,
        buffer_count: verify.buffer_count,
        processor_cores_mean: Some(verify.processor_cores_mean),
        bottleneck: verify.bottleneck.as_deref(),
        ..total.clone()
    });
    let restore = result.restore.as_ref().map(|restore| restored(restore, &total));
    let beside = result.beside.iter().map(|job| beside(job, &total));
    let all = [Some(backup), verify, restore].into_iter().flatten().chain(beside);
    let (events, extrapolated_bytes) = (Some(result.events), Some(result.extrapolated_bytes));
    let whole = Row { events, extrapolated_bytes, ..total.clone() };
    let all: Vec<Row<'_>> = all.chain([whole]).collect();
    rows(&all)
}

/// The restore, which is no part of the total.
fn restored<'a>(restore: &'a RestoreResult, total: &Row<'a>) -> Row<'a> {
    Row {
        operation: "restore".to_string(),
        seconds: restore.seconds,
        low_seconds: restore.low_seconds,
        high_seconds: restore.high_seconds,
        read_bytes: Some(restore.read_bytes),
        written_bytes: Some(restore.written_bytes),
        read_bytes_per_second: restore.read_bytes_per_second,
        written_bytes_per_second: restore.written_bytes_per_second,
        buffer_count: restore.buffer_count,
        processor_cores_mean: Some(restore.processor_cores_mean),
        bottleneck: restore.bottleneck.as_deref(),
        ..total.clone()
    }
}

/// A job beside the backup, called by its table.
fn beside<'a>(job: &BesideResult, total: &Row<'a>) -> Row<'a> {
    Row {
        operation: format!("beside.{}", job.name),
        seconds: job.seconds,
        low_seconds: job.low_seconds,
        high_seconds: job.high_seconds,
        read_bytes: Some(job.read_bytes),
        written_bytes: Some(job.written_bytes),
        read_bytes_per_second: job.read_bytes_per_second,
        written_bytes_per_second: job.written_bytes_per_second,
        buffer_count: Some(job.buffer_count),
        buffer_memory_bytes: Some(job.buffer_memory_bytes),
        max_transfer_size_bytes: Some(job.max_transfer_size_bytes),
        starts_seconds: Some(job.starts_seconds),
        ..total.clone()
    }
}
