//! What queueing theory says: the pipeline as a closed network with exponential service.
//!
//! All stations and the latency make one loop; the buffers of one set are its customers; mean
//! value analysis solves it exactly. What the theory leaves out: that compression has three sets of
//! buffers, so that a slow writer does not hold the reader's; service that varies less than
//! exponential, or comes in stalls; that one reader reads in order; the filling and the draining.

use bakcast_models::outcome::StationRole;
use bakcast_sim::{Demand as Station, mean_value_analysis};

use super::demand::Loop;

/// The same pipeline as a closed network with exponential service, solved exactly.
#[derive(Debug, Clone, PartialEq)]
pub struct Theory {
    /// Bytes read per second.
    pub bytes_per_second: f64,
    /// Seconds of the job, fixed cost included.
    pub seconds: f64,
}

/// Most customers solved for; with so many buffers the busiest station is the limit anyway.
const MOST_CUSTOMERS: u32 = 1024;

/// Solves the network; nothing if it asks for no time.
pub(super) fn solve(circuit: &Loop, buffer_count: u32) -> Option<Theory> {
    let queues = circuit.demands.iter().filter(|demand| demand.role != StationRole::FixedCost);
    let mut stations: Vec<Station> = queues
        .map(|d| Station::Queue { demand: d.cycle_seconds, servers: d.servers.max(1) as usize })
        .collect();
    stations.push(Station::Delay { demand: circuit.latency_seconds });
    let customers = buffer_count.clamp(1, MOST_CUSTOMERS) as usize;
    let solved = mean_value_analysis(&stations, customers).ok()?;
    let copying = circuit.cycles / solved.last()?.throughput;
    let seconds = copying + circuit.fixed_seconds;
    let rate = circuit.read_bytes / copying;
    (rate.is_finite() && seconds.is_finite()).then_some(Theory { bytes_per_second: rate, seconds })
}
