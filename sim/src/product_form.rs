//! Exact answers for closed networks of exponential stations.
//!
//! A fixed number of jobs circulate through stations. If services are exponential and queues first
//! come first served (or services are arbitrary at delays), the equilibrium has product form
//! (Gordon and Newell, Closed queueing systems with exponential servers, 1967; Baskett, Chandy,
//! Muntz and Palacios, 1975) and depends on the stations' demands only. Two independent methods
//! are here, [`mean_value_analysis`] and [`convolution`], and bounds that need no solving:
//! [`asymptotic_bounds`] and [`balanced_job_bounds`].
//!
//! A real pipeline is not exponential. These answers are for checking the simulator, for a first
//! estimate, and for seeing where a simulation's answer comes from.

mod bounds;
mod convolution;
mod mva;
#[cfg(test)]
mod tests;

pub use bounds::{Bounds, asymptotic_bounds, balanced_job_bounds};
pub use convolution::convolution;
pub use mva::mean_value_analysis;

use thiserror::Error;

/// A station as the exact methods see it. Demands are in seconds: the mean service time of one
/// visit times the mean number of visits in one cycle of a job.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Demand {
    /// `servers` identical exponential servers with one queue.
    Queue {
        /// Service demand in seconds a cycle.
        demand: f64,
        /// Number of servers.
        servers: usize,
    },
    /// A delay without queueing: think time.
    Delay {
        /// Mean delay in seconds a cycle.
        demand: f64,
    },
}

impl Demand {
    /// Seconds of service that a job gets here in one cycle.
    pub fn demand(&self) -> f64 {
        match *self {
            Demand::Queue { demand, .. } | Demand::Delay { demand } => demand,
        }
    }

    /// Servers that work when `jobs` are there.
    fn active(&self, jobs: usize) -> f64 {
        match *self {
            Demand::Queue { servers, .. } => jobs.min(servers) as f64,
            Demand::Delay { .. } => jobs as f64,
        }
    }

    /// The time between completions when all servers work, which no throughput can beat.
    fn saturated(&self) -> f64 {
        match *self {
            Demand::Queue { demand, servers } => demand / servers as f64,
            Demand::Delay { .. } => 0.0,
        }
    }
}

/// The equilibrium of a closed network.
#[derive(Clone, Debug, PartialEq)]
pub struct Equilibrium {
    /// Jobs in the network.
    pub population: usize,
    /// Cycles completed a second.
    pub throughput: f64,
    /// Mean time of one cycle in seconds, `population / throughput`.
    pub cycle_time: f64,
    /// The stations, in the order given.
    pub stations: Vec<StationEquilibrium>,
}

/// One station in equilibrium.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StationEquilibrium {
    /// Mean busy servers divided by servers; 0 for a delay.
    pub utilization: f64,
    /// Mean number of jobs waiting or in service.
    pub mean_jobs: f64,
    /// Mean time a job spends here in one cycle, in seconds.
    pub residence: f64,
}

/// Why a network has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum ProductFormError {
    /// There are no stations.
    #[error("a network needs a station")]
    NoStations,
    /// A demand is negative or not finite.
    #[error("station {station} has a demand of {demand} s; it must be finite and not negative")]
    InvalidDemand {
        /// Its place in the list, counted from 0.
        station: usize,
        /// What was given, in seconds.
        demand: f64,
    },
    /// A station has no servers.
    #[error("station {station} has no servers")]
    NoServers {
        /// Its place in the list, counted from 0.
        station: usize,
    },
    /// All demands are zero, so jobs would circulate infinitely fast.
    #[error("no station has a demand above zero")]
    NoDemand,
    /// Mean value analysis visits every subset of the stations with several servers.
    #[error("{count} stations have several servers; mean value analysis takes up to {max}")]
    TooManyMultiServers {
        /// How many there are.
        count: usize,
        /// How many are possible.
        max: usize,
    },
    /// The normalization constant left the range of floating-point numbers.
    #[error("the normalization constant for {population} jobs is out of range")]
    OutOfRange {
        /// The smallest population for which that happened.
        population: usize,
    },
    /// Balanced job bounds hold for stations of one server.
    #[error("balanced job bounds need single servers, but station {station} has {servers}")]
    MultiServer {
        /// Its place in the list, counted from 0.
        station: usize,
        /// Its servers.
        servers: usize,
    },
}

fn check(stations: &[Demand]) -> Result<(), ProductFormError> {
    if stations.is_empty() {
        return Err(ProductFormError::NoStations);
    }
    for (station, description) in stations.iter().enumerate() {
        let demand = description.demand();
        if !demand.is_finite() || demand < 0.0 {
            return Err(ProductFormError::InvalidDemand { station, demand });
        }
        if matches!(description, Demand::Queue { servers: 0, .. }) {
            return Err(ProductFormError::NoServers { station });
        }
    }
    if stations.iter().all(|station| station.demand() == 0.0) {
        return Err(ProductFormError::NoDemand);
    }
    Ok(())
}

/// An equilibrium from its throughput and mean numbers.
fn equilibrium(
    stations: &[Demand],
    population: usize,
    throughput: f64,
    mean_jobs: impl Fn(usize) -> f64,
) -> Equilibrium {
    let station = |(index, description): (usize, &Demand)| {
        let mean_jobs = mean_jobs(index);
        StationEquilibrium {
            utilization: throughput * description.saturated(),
            mean_jobs,
            residence: mean_jobs / throughput,
        }
    };
    Equilibrium {
        population,
        throughput,
        cycle_time: population as f64 / throughput,
        stations: stations.iter().enumerate().map(station).collect(),
    }
}
