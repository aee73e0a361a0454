//! What queueing theory says: the pipeline as a closed network with exponential service.
//!
//! The stations that hold a raw buffer, and the latency, make the network; the buffers are its
//! customers; mean value analysis solves it exactly. The stations beyond, which empty buffers of
//! other sets, only bound the rate. What the theory leaves out: service that varies less than
//! exponential or comes in stalls, reads of one reader in a row, the filling and the draining.

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

/// Solves the network; nothing if it has no station.
pub(super) fn solve(circuit: &Loop, buffer_count: u32) -> Option<Theory> {
    let held = circuit.demands.iter().filter(|demand| demand.held_seconds > 0.0);
    let mut stations: Vec<Station> = held
        .map(|d| Station::Queue { demand: d.held_seconds, servers: d.servers.max(1) as usize })
        .collect();
    stations.push(Station::Delay { demand: circuit.latency_seconds });
    let customers = buffer_count.clamp(1, MOST_CUSTOMERS) as usize;
    let solved = mean_value_analysis(&stations, customers).ok()?;
    let cycles_per_second = solved.last()?.throughput;
    let timed = circuit.demands.iter().filter(|d| d.role != StationRole::FixedCost);
    let slowest = timed.map(|d| d.alone_seconds).fold(0.0, f64::max);
    let copying = f64::max(circuit.cycles / cycles_per_second, slowest);
    let seconds = copying + circuit.fixed_seconds;
    Some(Theory { bytes_per_second: circuit.read_bytes / copying, seconds })
}
