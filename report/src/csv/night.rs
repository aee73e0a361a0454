//! A night as CSV: one row a job; a schedule as the table of jobs it is.

use crate::ReportError;
use crate::document::{Document, JobResult, NightResult, ScheduleResult};

const HEADINGS: [&str; 17] = [
    "job",
    "server",
    "database",
    "read_bytes",
    "begin_seconds",
    "finish_seconds",
    "finish_low_seconds",
    "finish_high_seconds",
    "seconds",
    "alone_seconds",
    "stretch",
    "queued_seconds",
    "waited_at",
    "waited_at_seconds",
    "waited_for",
    "waited_for_seconds",
    "buffer_memory_bytes",
];

pub(crate) fn night(document: &Document<NightResult>) -> Result<String, ReportError> {
    let head = HEADINGS.map(str::to_string).to_vec();
    let rows: Vec<Vec<String>> =
        [head].into_iter().chain(document.result.night.jobs.iter().map(row)).collect();
    super::written(&rows)
}

fn row(job: &JobResult) -> Vec<String> {
    let number = |number: f64| number.to_string();
    let perhaps = |value: Option<f64>| value.map(number).unwrap_or_default();
    vec![
        job.name.clone(),
        job.server.clone(),
        job.database.clone(),
        job.read_bytes.to_string(),
        number(job.begin_seconds),
        number(job.finish_seconds),
        number(job.finish_low_seconds),
        number(job.finish_high_seconds),
        number(job.seconds),
        number(job.alone_seconds),
        number(job.stretch),
        number(job.queued_seconds),
        job.waited_at.clone().unwrap_or_default(),
        perhaps(job.waited_at_seconds),
        job.waited_for.clone().unwrap_or_default(),
        perhaps(job.waited_for_seconds),
        job.buffer_memory_bytes.to_string(),
    ]
}

/// The table that `jobs` of the scenario takes.
#[allow(clippy::unnecessary_wraps, reason = "as every format of every result")]
pub(crate) fn schedule(document: &Document<ScheduleResult>) -> Result<String, ReportError> {
    Ok(document.result.table.clone())
}
