//! `bounds`: what operational laws say of a run, for drawing them beside it.
//!
//! Two bounds on throughput, from the demands of the stations: 1 / largest demand per server, and
//! buffers / (demands and latencies in a row). And Little's law, which holds for any pipeline: the
//! buffers that circulate are throughput times the time of one round.

use bakcast_report::document::{BoundsResult, TheoryResult};
use bakcast_scenarios::predict::{OperationPrediction, durations};
use bakcast_whatif::{Demand, Footing, footings};
use serde::Serialize;

use crate::choice::Choice;
use crate::envelope::{of_run, of_scenario, run_of, written};
use crate::failure::Failure;
use crate::predict::given;
use crate::request::Request;
use crate::work;

/// What laws say of a scenario.
#[derive(Debug, Serialize)]
struct BoundsOf {
    scenario: String,
    title: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    set: Vec<String>,
    backup: OperationBounds,
    #[serde(skip_serializing_if = "Option::is_none")]
    verify: Option<OperationBounds>,
}

/// What laws say of one operation.
#[derive(Debug, Serialize)]
struct OperationBounds {
    /// Median duration.
    seconds: f64,
    read_bytes: u64,
    /// Rounds of a buffer in one run: transfers read.
    cycles: f64,
    stations: Vec<StationDemand>,
    bounds: BoundsResult,
    #[serde(skip_serializing_if = "Option::is_none")]
    theory: Option<TheoryResult>,
    little: Little,
}

/// What one station is asked for.
#[derive(Debug, Serialize)]
struct StationDemand {
    name: String,
    role: &'static str,
    servers: u32,
    demand_seconds: f64,
    demand_seconds_per_cycle: f64,
    alone_seconds: f64,
}

/// Little's law for the buffers of one set: `buffer_count` = rounds per second times the seconds of
/// a round, of which some are spent waiting.
#[derive(Debug, Serialize)]
struct Little {
    buffer_count: u32,
    cycles_per_second: f64,
    cycle_seconds: f64,
    /// Of a round without any waiting; for compressed backups, waiting in other sets is none.
    cycle_without_waiting_seconds: f64,
}

impl From<&Demand> for StationDemand {
    fn from(demand: &Demand) -> Self {
        StationDemand {
            name: demand.station.clone(),
            role: demand.role.name(),
            servers: demand.servers,
            demand_seconds: demand.job_seconds,
            demand_seconds_per_cycle: demand.cycle_seconds,
            alone_seconds: demand.alone_seconds,
        }
    }
}

impl OperationBounds {
    fn new(operation: &OperationPrediction, footing: &Footing) -> Self {
        let seconds = operation.seconds.median;
        // A round takes as long as it takes to hand every buffer out once.
        let cycles_per_second = footing.cycles / seconds.max(f64::MIN_POSITIVE);
        OperationBounds {
            seconds,
            read_bytes: operation.read_bytes,
            cycles: footing.cycles,
            stations: footing.demands.iter().map(StationDemand::from).collect(),
            bounds: (&footing.bounds).into(),
            theory: footing.theory.as_ref().map(TheoryResult::from),
            little: Little {
                buffer_count: footing.buffer_count,
                cycles_per_second,
                cycle_seconds: f64::from(footing.buffer_count) / cycles_per_second,
                cycle_without_waiting_seconds: footing.bounds.cycle_seconds,
            },
        }
    }
}

pub(crate) fn run(request: &Request) -> Result<String, Failure> {
    let options = request.options()?;
    let loaded = Choice::new(request)?.load()?;
    work::check(&loaded.resolved, &options, 2)?;
    let prediction = durations(&loaded.resolved, &options)?;
    let (backup, verify) = footings(&loaded.resolved, &prediction, &options)?;
    let verify = prediction.verify.as_ref().zip(verify.as_ref());
    let result = BoundsOf {
        scenario: loaded.name.clone(),
        title: loaded.resolved.title.clone(),
        set: given(request)?,
        backup: OperationBounds::new(&prediction.backup, &backup),
        verify: verify.map(|(operation, footing)| OperationBounds::new(operation, footing)),
    };
    let warnings = of_scenario(&loaded).chain(of_run(&options, None)).collect();
    written(run_of("bounds", &options, &loaded), warnings, result)
}
