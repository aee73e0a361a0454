//! A closed queueing network, simulated.
//!
//! A fixed number of jobs go from station to station for ever. Where services are exponential,
//! [`mean_value_analysis`](crate::mean_value_analysis) has the exact answer, and
//! [`ClosedNetwork::demands`] states the network in its terms; with any other distribution the
//! simulation is the answer. The parts are those that every model of this kernel is made of, so
//! this file is also the place to see how they fit together.

mod routing;
mod simulation;
#[cfg(test)]
mod tests;

pub use routing::Routing;
pub use simulation::NetworkResult;

use thiserror::Error;

use crate::distribution::Distribution;
use crate::product_form::Demand;
use crate::run::{Limits, RunError};
use crate::stream::Streams;

/// One station of a network.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkStation {
    /// Its name, from which the names of its random streams are made: `NAME/service` and
    /// `NAME/routing`.
    pub name: String,
    /// What it does with a job.
    pub kind: StationKind,
}

/// What a station does with a job.
#[derive(Clone, Debug, PartialEq)]
pub enum StationKind {
    /// Identical servers with one queue, first come first served.
    Queue {
        /// How many servers.
        servers: usize,
        /// Service times in seconds.
        service: Distribution,
    },
    /// Keeps each job for a while, without competition.
    Delay {
        /// Delays in seconds.
        delay: Distribution,
    },
    /// One capacity divided equally among the jobs that are there.
    Shared {
        /// Units of work a second.
        capacity: f64,
        /// The most one job can use, in units of work a second.
        per_job: f64,
        /// Work a job brings, in units.
        work: Distribution,
    },
}

impl NetworkStation {
    /// A queue with `servers` servers.
    pub fn queue(name: &str, servers: usize, service: Distribution) -> Self {
        NetworkStation { name: name.to_owned(), kind: StationKind::Queue { servers, service } }
    }

    /// A delay.
    pub fn delay(name: &str, delay: Distribution) -> Self {
        NetworkStation { name: name.to_owned(), kind: StationKind::Delay { delay } }
    }

    /// A capacity of `capacity` units a second, at most `per_job` of it for one job.
    pub fn shared(name: &str, capacity: f64, per_job: f64, work: Distribution) -> Self {
        let kind = StationKind::Shared { capacity, per_job, work };
        NetworkStation { name: name.to_owned(), kind }
    }

    /// Mean seconds of service a visit takes and the servers it competes for, in the terms of the
    /// exact methods; `None` for a sharing that no number of servers corresponds to.
    fn demand(&self, visits: f64) -> Option<Demand> {
        Some(match &self.kind {
            StationKind::Queue { servers, service } => {
                Demand::Queue { demand: visits * service.mean(), servers: *servers }
            }
            StationKind::Delay { delay } => Demand::Delay { demand: visits * delay.mean() },
            StationKind::Shared { capacity, per_job, work } => {
                // With n jobs the work done is min(n per_job, capacity), as by capacity / per_job
                // servers that do per_job each.
                let servers = (capacity / per_job).max(1.0);
                if (servers - servers.round()).abs() > 1e-9 * servers {
                    return None;
                }
                let demand = visits * work.mean() * servers.round() / capacity;
                Demand::Queue { demand, servers: servers.round() as usize }
            }
        })
    }
}

/// Why a network cannot be.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum NetworkError {
    /// There are no stations.
    #[error("a network needs a station")]
    NoStations,
    /// Two stations have one name and would share their streams.
    #[error("two stations are called `{0}`")]
    SameName(String),
    /// A queue has no servers.
    #[error("station `{0}` has no servers")]
    NoServers(String),
    /// A shared station's capacity or limit is not positive.
    #[error("station `{name}` shares {capacity} units a second, at most {per_job} for one job")]
    InvalidCapacity {
        /// The station.
        name: String,
        /// Its capacity.
        capacity: f64,
        /// The most for one job.
        per_job: f64,
    },
    /// The routing table is not square, or a row is not a probability distribution.
    #[error("row {row} of the routing table is not a distribution over {stations} stations")]
    InvalidRow {
        /// The row, counted from 0.
        row: usize,
        /// How many entries it should have.
        stations: usize,
    },
    /// Some station is never reached, or never left.
    #[error("the routing does not lead from every station to every other")]
    NotConnected,
}

/// How far a run goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Horizon {
    /// Cycles at the beginning that are left out of the statistics.
    pub warm_up: u64,
    /// Cycles that are measured after that; at least 1.
    pub completions: u64,
}

/// A closed network that is ready to run.
///
/// ```
/// use bakcast_sim::{
///     ClosedNetwork, Distribution, Horizon, NetworkStation, Routing, Streams, mean_value_analysis,
/// };
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let stations = vec![
///     NetworkStation::queue("reader", 1, Distribution::exponential(1.0)?),
///     NetworkStation::queue("processor", 4, Distribution::exponential(3.0)?),
///     NetworkStation::queue("writer", 1, Distribution::exponential(0.9)?),
/// ];
/// let network = ClosedNetwork::new(stations, Routing::Cycle)?;
/// let horizon = Horizon { warm_up: 100, completions: 20_000 };
/// let simulated = network.run(8, &Streams::new(1, 0), horizon)?;
/// let demands = network.demands().expect("all stations are queues");
/// let exact = mean_value_analysis(&demands, 8)?.pop().expect("eight jobs");
/// assert!((simulated.throughput / exact.throughput - 1.0).abs() < 0.03);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct ClosedNetwork {
    stations: Vec<NetworkStation>,
    routing: Routing,
    visits: Vec<f64>,
}

impl ClosedNetwork {
    /// Puts stations together. Jobs begin at the first one; leaving the last one completes a
    /// cycle.
    ///
    /// # Errors
    ///
    /// If a station is not possible, two have the same name, or the routing does not fit or does
    /// not connect them.
    pub fn new(stations: Vec<NetworkStation>, routing: Routing) -> Result<Self, NetworkError> {
        if stations.is_empty() {
            return Err(NetworkError::NoStations);
        }
        for (index, station) in stations.iter().enumerate() {
            check_station(station)?;
            if stations[..index].iter().any(|other| other.name == station.name) {
                return Err(NetworkError::SameName(station.name.clone()));
            }
        }
        let visits = routing.visits(stations.len())?;
        Ok(ClosedNetwork { stations, routing, visits })
    }

    /// The stations, in order.
    pub fn stations(&self) -> &[NetworkStation] {
        &self.stations
    }

    /// Mean visits to each station in one cycle, that is between two departures from the last one.
    pub fn visits(&self) -> &[f64] {
        &self.visits
    }

    /// The network in the terms of the exact methods, which apply if services are exponential at
    /// the queues; delays and shared stations may have any distribution. `None` if a shared
    /// station's `capacity / per_job` is above 1 and not whole.
    pub fn demands(&self) -> Option<Vec<Demand>> {
        self.stations.iter().zip(&self.visits).map(|(station, &v)| station.demand(v)).collect()
    }

    /// Simulates `jobs` jobs, all at the first station to begin with.
    ///
    /// # Errors
    ///
    /// If the run stalls, which it does if `jobs` is 0.
    pub fn run(
        &self,
        jobs: usize,
        streams: &Streams,
        horizon: Horizon,
    ) -> Result<NetworkResult, RunError> {
        self.run_within(jobs, streams, horizon, Limits::NONE)
    }

    /// As [`ClosedNetwork::run`], within limits.
    ///
    /// # Errors
    ///
    /// If the run stalls, which it does if `jobs` is 0, or a limit is reached first.
    pub fn run_within(
        &self,
        jobs: usize,
        streams: &Streams,
        horizon: Horizon,
        limits: Limits,
    ) -> Result<NetworkResult, RunError> {
        simulation::simulate(self, jobs, streams, horizon, limits)
    }
}

fn check_station(station: &NetworkStation) -> Result<(), NetworkError> {
    match station.kind {
        StationKind::Queue { servers: 0, .. } => Err(NetworkError::NoServers(station.name.clone())),
        StationKind::Shared { capacity, per_job, .. }
            if !(capacity > 0.0 && capacity.is_finite() && per_job > 0.0) =>
        {
            Err(NetworkError::InvalidCapacity { name: station.name.clone(), capacity, per_job })
        }
        _ => Ok(()),
    }
}
