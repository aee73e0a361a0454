//! `validate` as CSV: one row a measured duration.

use serde::Serialize;

use super::rows;
use crate::ReportError;
use crate::document::{Document, ValidateResult};

/// One measured duration.
#[derive(Debug, Serialize)]
struct Row<'a> {
    article: &'a str,
    row: &'a str,
    operation: &'static str,
    measured_seconds: f64,
    predicted_seconds: f64,
    low_seconds: f64,
    high_seconds: f64,
    relative_error: f64,
    fitted: bool,
    left_out_predicted_seconds: Option<f64>,
    left_out_low_seconds: Option<f64>,
    left_out_high_seconds: Option<f64>,
    left_out_relative_error: Option<f64>,
    alone_identifies: Option<&'a str>,
}

pub(crate) fn validate(document: &Document<ValidateResult>) -> Result<String, ReportError> {
    let mut all = Vec::new();
    for article in document.result.all() {
        let fitted = article.rows.iter().map(|row| (row, true));
        let unfitted = article.unfitted_rows.iter().map(|row| (row, false));
        all.extend(fitted.chain(unfitted).map(|(row, fitted)| Row {
            article: &article.id,
            row: &row.row,
            operation: row.operation.name(),
            measured_seconds: row.measured_seconds,
            predicted_seconds: row.predicted_seconds,
            low_seconds: row.low_seconds,
            high_seconds: row.high_seconds,
            relative_error: row.relative_error,
            fitted,
            left_out_predicted_seconds: row.left_out_predicted_seconds,
            left_out_low_seconds: row.left_out_low_seconds,
            left_out_high_seconds: row.left_out_high_seconds,
            left_out_relative_error: row.left_out_relative_error,
            alone_identifies: row.alone_identifies.as_deref(),
        }));
    }
    rows(&all)
}
