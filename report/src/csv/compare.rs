//! `compare` as CSV: one row a configuration, the reference first.

use super::written;
use crate::ReportError;
use crate::document::{CompareResult, CompareRow, Document, DurationResult};

/// Columns after the settings.
const HEADINGS: [&str; 26] = [
    "reference",
    "operation",
    "seconds",
    "low_seconds",
    "high_seconds",
    "ratio",
    "ratio_low",
    "ratio_high",
    "difference_seconds",
    "real",
    "worth",
    "bottleneck",
    "backup_seconds",
    "verify_seconds",
    "restore_seconds",
    "total_seconds",
    "read_bytes",
    "written_bytes",
    "read_bytes_per_second",
    "written_bytes_per_second",
    "buffer_count",
    "max_transfer_size_bytes",
    "buffer_memory_bytes",
    "processor_cores_mean",
    "meets_requirements",
    "error",
];

pub(crate) fn compare(document: &Document<CompareResult>) -> Result<String, ReportError> {
    let result = &document.result;
    let headings = result.paths.iter().cloned().chain(HEADINGS.map(str::to_string));
    let mut rows = vec![headings.collect()];
    rows.extend(result.rows.iter().map(|row| cells(result, row)));
    written(&rows)
}

fn cells(result: &CompareResult, row: &CompareRow) -> Vec<String> {
    let setting = |path: &String| row.settings.get(path).unwrap_or_default().to_string();
    let mut cells: Vec<String> = result.paths.iter().map(setting).collect();
    let time = row.duration(result.operation);
    let of = |operation: &str| text(row.duration(operation).map(|time| time.seconds));
    let end = |end: fn(DurationResult) -> f64| text(time.map(end));
    let predict = row.predict.as_ref();
    let judged = predict.filter(|predict| !predict.requirements.is_empty());
    cells.extend([
        row.is_reference.to_string(),
        result.operation.to_string(),
        end(|time| time.seconds),
        end(|time| time.low_seconds),
        end(|time| time.high_seconds),
        text(row.ratio),
        text(row.ratio_low),
        text(row.ratio_high),
        text(row.difference_seconds),
        text(row.real),
        text(row.worth),
        text(row.bottleneck(result.operation)),
        of("backup"),
        of("verify"),
        of("restore"),
        of("total"),
        text(predict.map(|p| p.read_bytes)),
        text(predict.map(|p| p.written_bytes)),
        text(predict.and_then(|p| p.read_bytes_per_second)),
        text(predict.and_then(|p| p.written_bytes_per_second)),
        text(predict.map(|p| p.buffer_count)),
        text(predict.map(|p| p.max_transfer_size_bytes)),
        text(predict.map(|p| p.buffer_memory_bytes)),
        text(predict.map(|p| p.processor_cores_mean)),
        text(judged.map(|_| row.fits())),
        text(row.error.as_deref()),
    ]);
    cells
}

fn text<T: ToString>(value: Option<T>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}
