//! `recommend` as CSV: one row a setting, the present ones first.

use super::written;
use crate::ReportError;
use crate::document::{Document, RecommendResult, StepResult};

const HEADINGS: [&str; 15] = [
    "role",
    "change",
    "compression",
    "stripes",
    "buffer_count",
    "transfer_size_bytes",
    "operation",
    "seconds",
    "low_seconds",
    "high_seconds",
    "ratio",
    "ratio_low",
    "ratio_high",
    "buffer_memory_bytes",
    "processor_share",
];

pub(crate) fn recommend(document: &Document<RecommendResult>) -> Result<String, ReportError> {
    let result = &document.result;
    let mut rows = vec![HEADINGS.map(str::to_string).to_vec()];
    let mut add = |role: &str, step: &StepResult| rows.push(cells(role, step, result.operation));
    add("present", &result.present);
    let (steps, last) = result.ladder.split_at(result.ladder.len().saturating_sub(1));
    steps.iter().for_each(|step| add("step", step));
    last.iter().for_each(|step| add("choice", step));
    result.nearest.iter().for_each(|step| add("nearest", step));
    result.beyond.iter().for_each(|step| add("beyond", step));
    result.alternatives.iter().for_each(|step| add("alternative", step));
    written(&rows)
}

fn cells(role: &str, step: &StepResult, operation: &str) -> Vec<String> {
    fn text<T: ToString>(value: Option<T>) -> String {
        value.map(|value| value.to_string()).unwrap_or_default()
    }
    vec![
        role.to_string(),
        step.change.clone(),
        step.settings.compression.to_string(),
        step.settings.stripes.join("+"),
        text(step.settings.buffer_count),
        text(step.settings.transfer_size_bytes),
        operation.to_string(),
        step.seconds.to_string(),
        step.low_seconds.to_string(),
        step.high_seconds.to_string(),
        text(step.ratio),
        text(step.ratio_low),
        text(step.ratio_high),
        step.buffer_memory_bytes.to_string(),
        step.processor_share.to_string(),
    ]
}
