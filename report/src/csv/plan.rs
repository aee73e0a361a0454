//! `plan` as CSV: one row a month, of a schedule one for each kind of backup.

use super::rows;
use crate::ReportError;
use crate::document::{Document, MonthResult, PlanResult};

/// A month of one kind of backup.
#[derive(serde::Serialize)]
struct Row {
    kind: &'static str,
    month: u32,
    size_bytes: f64,
    median_seconds: Option<f64>,
    low_seconds: Option<f64>,
    high_seconds: Option<f64>,
    probability_fits: f64,
}

pub(crate) fn plan(document: &Document<PlanResult>) -> Result<String, ReportError> {
    let result = &document.result;
    let Some(schedule) = &result.schedule else { return rows(&all(("full", &result.months))) };
    let kinds = schedule.kinds.iter().map(|own| (own.kind, &own.months));
    rows(&kinds.flat_map(all).collect::<Vec<_>>())
}

fn all((kind, months): (&'static str, &Vec<MonthResult>)) -> Vec<Row> {
    let row = |own: &MonthResult| Row {
        kind,
        month: own.month,
        size_bytes: own.size_bytes,
        median_seconds: own.median_seconds,
        low_seconds: own.low_seconds,
        high_seconds: own.high_seconds,
        probability_fits: own.probability_fits,
    };
    months.iter().map(row).collect()
}
