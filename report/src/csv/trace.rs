//! What `trace` comes to, as CSV: one operation a row. The table of transfers is
//! [`Transfers`](crate::timeline::Transfers).

use serde::Serialize;

use super::rows;
use crate::ReportError;
use crate::document::{Document, TraceResult};

#[derive(Serialize)]
struct Row<'a> {
    scenario: &'a str,
    night: u64,
    operation: &'static str,
    elapsed_seconds: f64,
    read_bytes: u64,
    written_bytes: u64,
    transfers: u64,
    events: u64,
}

pub(crate) fn trace(document: &Document<TraceResult>) -> Result<String, ReportError> {
    let result = &document.result;
    let row = |operation: &crate::document::TracedOperation| Row {
        scenario: &result.scenario,
        night: result.night,
        operation: operation.operation,
        elapsed_seconds: operation.elapsed_seconds,
        read_bytes: operation.read_bytes,
        written_bytes: operation.written_bytes,
        transfers: operation.transfers,
        events: operation.events,
    };
    rows(&result.operations.iter().map(row).collect::<Vec<_>>())
}
