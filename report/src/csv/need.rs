//! `need` as CSV: one number a row.

use serde::Serialize;

use super::rows;
use crate::ReportError;
use crate::document::{Document, NeedResult, RateResult};

#[derive(Serialize)]
struct Row<'a> {
    scenario: &'a str,
    operation: &'static str,
    window_seconds: f64,
    sort: &'static str,
    part: &'static str,
    can_be_met: bool,
    parameter: &'a str,
    paths: String,
    now: &'a str,
    value: &'a str,
    bytes_per_second: Option<f64>,
    high_seconds: Option<f64>,
    device: &'a str,
}

pub(crate) fn need(document: &Document<NeedResult>) -> Result<String, ReportError> {
    let result = &document.result;
    let blank = || Row {
        scenario: &result.scenario,
        operation: result.operation,
        window_seconds: result.window_seconds,
        sort: "alone",
        part: "",
        can_be_met: false,
        parameter: "",
        paths: String::new(),
        now: "",
        value: "",
        bytes_per_second: None,
        high_seconds: None,
        device: "",
    };
    let mut all = Vec::new();
    for part in &result.one_at_a_time {
        let device = part.device.as_ref().map_or("", |device| device.name.as_str());
        let base = Row { part: part.part, device, high_seconds: part.high_seconds, ..blank() };
        if part.rates.is_empty() {
            let high_seconds = Some(part.high_seconds_at_best);
            all.push(Row { high_seconds, paths: String::new(), ..base });
            continue;
        }
        all.extend(part.rates.iter().map(|one| with(&base, one)));
    }
    if let Some(balanced) = &result.balanced {
        let base = Row { sort: "balanced", high_seconds: balanced.high_seconds, ..blank() };
        all.extend(balanced.rates.iter().map(|one| Row { part: one.part, ..with(&base, one) }));
    }
    rows(&all)
}

fn with<'a>(base: &Row<'a>, one: &'a RateResult) -> Row<'a> {
    Row {
        can_be_met: true,
        parameter: &one.parameter,
        paths: one.paths.join(" "),
        now: &one.now,
        value: &one.value,
        bytes_per_second: one.bytes_per_second,
        ..*base
    }
}
