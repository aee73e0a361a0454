//! `ask` as CSV: one alternative a row.

use serde::Serialize;

use super::rows;
use crate::ReportError;
use crate::document::{AskResult, Document};

#[derive(Serialize)]
struct Row<'a> {
    scenario: &'a str,
    question: &'static str,
    answer: &'static str,
    operation: &'static str,
    alternative: &'a str,
    kind: &'static str,
    set: String,
    is_told_of: bool,
    seconds: Option<f64>,
    ratio: Option<f64>,
    ratio_low: Option<f64>,
    ratio_high: Option<f64>,
    buffer_memory_bytes: Option<u64>,
}

pub(crate) fn ask(document: &Document<AskResult>) -> Result<String, ReportError> {
    let result = &document.result;
    let row = |one: &crate::document::AlternativeResult| one.gain;
    let all: Vec<Row<'_>> = result
        .alternatives
        .iter()
        .map(|one| Row {
            scenario: &result.scenario,
            question: result.question,
            answer: result.answer,
            operation: result.operation,
            alternative: &one.label,
            kind: one.kind,
            set: one.set.join(" "),
            is_told_of: one.label == result.after.label,
            seconds: one.seconds,
            ratio: row(one).map(|gain| gain.ratio),
            ratio_low: row(one).and_then(|gain| gain.ratio_low),
            ratio_high: row(one).and_then(|gain| gain.ratio_high),
            buffer_memory_bytes: one.buffer_memory_bytes,
        })
        .collect();
    rows(&all)
}
