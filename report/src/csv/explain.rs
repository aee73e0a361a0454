//! `explain` as CSV: one row a station of each operation.

use serde::Serialize;

use super::rows;
use crate::ReportError;
use crate::document::{Document, ExplainResult, ExplainedOperation, ExplainedStation};

/// One station.
#[derive(Debug, Serialize)]
struct Row<'a> {
    scenario: &'a str,
    operation: &'static str,
    station: &'a str,
    role: &'static str,
    servers: u32,
    utilization: f64,
    starved: f64,
    blocked: f64,
    demand_seconds: f64,
    demand_seconds_per_cycle: f64,
    alone_seconds: f64,
    next_gain_seconds: Option<f64>,
    operation_seconds: f64,
    bottleneck: Option<&'a str>,
    knee_buffer_count: u32,
    parameter_sets: Option<usize>,
}

pub(crate) fn explain(document: &Document<ExplainResult>) -> Result<String, ReportError> {
    let result = &document.result;
    let sets = result.uncertainty.as_ref().map(|uncertainty| uncertainty.members);
    let row = |name, operation, station| row(&result.scenario, name, operation, station, sets);
    let mut all: Vec<_> =
        result.backup.stations.iter().map(|s| row("backup", &result.backup, s)).collect();
    if let Some(verify) = &result.verify {
        all.extend(verify.stations.iter().map(|s| row("verify", verify, s)));
    }
    rows(&all)
}

fn row<'a>(
    scenario: &'a str,
    name: &'static str,
    operation: &'a ExplainedOperation,
    explained: &'a ExplainedStation,
    parameter_sets: Option<usize>,
) -> Row<'a> {
    let station = &explained.station;
    Row {
        scenario,
        operation: name,
        station: &station.name,
        role: station.role,
        servers: station.servers,
        utilization: station.utilization,
        starved: station.starved,
        blocked: station.blocked,
        demand_seconds: explained.demand_seconds,
        demand_seconds_per_cycle: explained.demand_seconds_per_cycle,
        alone_seconds: explained.alone_seconds,
        next_gain_seconds: station.next_gain_seconds,
        operation_seconds: operation.seconds,
        bottleneck: operation.bottleneck.as_deref(),
        knee_buffer_count: operation.knee.buffer_count,
        parameter_sets,
    }
}
