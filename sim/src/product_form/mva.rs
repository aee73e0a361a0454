//! Exact mean value analysis (Reiser and Lavenberg, Mean-value analysis of closed multichain
//! queueing networks, 1980).
//!
//! An arriving job sees the network as it is with one job less. Station by station, for n jobs,
//!
//! ```text
//!   delay          R(n) = D
//!   c servers      R(n) = D / c * (1 + Q(n-1) + sum over j = 0..c-2 of (c-1-j) p(j | n-1))
//!   X(n) = n / sum of R(n),   Q(n) = X(n) R(n)
//!   p(j | n) = D X(n) / j * p(j-1 | n-1)     for j = 1..c-1
//! ```
//!
//! The textbook takes p(0 | n) as one minus the others, which cancels and can even turn negative
//! where a station is busy. Here it is a product of positive numbers,
//!
//! ```text
//!   p(0 | n) = p(0 | n-1) * X(n) / Y(n)
//! ```
//!
//! with Y the throughput of the network without this station (from p(0 | n) = H(n) / G(n), see
//! `convolution`). The price is that the network without it must be solved first, in the end one
//! for each subset of the stations with several servers.

use std::collections::BTreeMap;

use super::{Demand, Equilibrium, ProductFormError, StationEquilibrium, check, equilibrium};

/// Stations with several servers; each further one doubles the time.
const MULTI_SERVERS_MAX: usize = 12;

/// The equilibrium for each population from 1 to `population`, in this order (none if it is 0).
/// Time is O(2^k (M + C) N) for M stations, k of them with several servers, C servers and N jobs.
///
/// # Errors
///
/// If the network is not valid, has more than 12 stations with several servers, or is so fast that
/// its throughput leaves the range of floating-point numbers.
///
/// ```
/// use bakcast_sim::{Demand, mean_value_analysis};
///
/// # fn main() -> Result<(), bakcast_sim::ProductFormError> {
/// // 1 reader, 4 processors, 1 writer, 8 buffers.
/// let stations = [
///     Demand::Queue { demand: 1.0, servers: 1 },
///     Demand::Queue { demand: 3.0, servers: 4 },
///     Demand::Queue { demand: 0.9, servers: 1 },
/// ];
/// let solutions = mean_value_analysis(&stations, 8)?;
/// assert!((solutions[7].throughput - 0.8502206797).abs() < 1e-10);
/// # Ok(())
/// # }
/// ```
pub fn mean_value_analysis(
    stations: &[Demand],
    population: usize,
) -> Result<Vec<Equilibrium>, ProductFormError> {
    check(stations)?;
    let multi: Vec<usize> = (0..stations.len())
        .filter(|&index| matches!(stations[index], Demand::Queue { servers: 2.., .. }))
        .collect();
    if multi.len() > MULTI_SERVERS_MAX {
        let (count, max) = (multi.len(), MULTI_SERVERS_MAX);
        return Err(ProductFormError::TooManyMultiServers { count, max });
    }
    let mut solver = Solver { stations, multi, population, throughputs: BTreeMap::new() };
    let mut solutions = Vec::with_capacity(population);
    solver.solve(0, |jobs, throughput, residences| {
        solutions.push(equilibrium(stations, jobs, throughput, |station| {
            throughput * residences[station]
        }));
    });
    match solutions.iter().find(|solution| !in_range(solution)) {
        Some(&Equilibrium { population, .. }) => Err(ProductFormError::OutOfRange { population }),
        None => Ok(solutions),
    }
}

fn in_range(solution: &Equilibrium) -> bool {
    let finite = |station: &StationEquilibrium| {
        station.utilization.is_finite()
            && station.mean_jobs.is_finite()
            && station.residence.is_finite()
    };
    solution.throughput.is_finite() && solution.stations.iter().all(finite)
}

struct Solver<'a> {
    stations: &'a [Demand],
    /// The stations with several servers.
    multi: Vec<usize>,
    population: usize,
    /// Throughput by population, by the set of stations (bits, in order of `multi`) left out.
    throughputs: BTreeMap<u32, Vec<f64>>,
}

/// A station with several servers during the recursion: p(j | n) for j below its servers.
struct Marginal {
    station: usize,
    probabilities: Vec<f64>,
    /// Y(n), the throughput without this station.
    without: Vec<f64>,
}

impl Solver<'_> {
    /// Solves the network without the stations in `left_out`, telling population, throughput and
    /// residence times (0 for those left out) for each population.
    fn solve(&mut self, left_out: u32, mut tell: impl FnMut(usize, f64, &[f64])) {
        let mut marginals = self.marginals(left_out);
        let is_out = |station: usize| {
            self.multi
                .iter()
                .position(|&m| m == station)
                .is_some_and(|bit| left_out >> bit & 1 == 1)
        };
        let mut mean_jobs = vec![0.0; self.stations.len()];
        let mut residences = vec![0.0; self.stations.len()];
        for jobs in 1..=self.population {
            for (index, station) in self.stations.iter().enumerate() {
                residences[index] = match *station {
                    _ if is_out(index) => 0.0,
                    Demand::Delay { demand } => demand,
                    Demand::Queue { demand, servers } => {
                        demand / servers as f64 * (1.0 + mean_jobs[index])
                    }
                };
            }
            for marginal in &marginals {
                let Demand::Queue { demand, servers } = self.stations[marginal.station] else {
                    continue;
                };
                let idle = marginal.idle_servers(servers);
                residences[marginal.station] += demand / servers as f64 * idle;
            }
            let cycle = residences.iter().sum::<f64>();
            if cycle == 0.0 {
                // What is left has no demand: infinitely fast, and nobody is ever there.
                tell(jobs, f64::INFINITY, &residences);
                continue;
            }
            let throughput = jobs as f64 / cycle;
            for (mean, residence) in mean_jobs.iter_mut().zip(&residences) {
                *mean = throughput * residence;
            }
            for marginal in &mut marginals {
                let demand = self.stations[marginal.station].demand();
                marginal.add_job(demand, throughput, marginal.without[jobs - 1]);
            }
            tell(jobs, throughput, &residences);
        }
    }

    /// The stations with several servers that are still in, each with the network without it
    /// solved.
    fn marginals(&mut self, left_out: u32) -> Vec<Marginal> {
        let multi = self.multi.clone();
        let mut marginals = Vec::new();
        for (bit, station) in multi.into_iter().enumerate() {
            if left_out >> bit & 1 == 0 {
                let without = self.throughputs(left_out | 1 << bit);
                let servers = self.stations[station].active(usize::MAX) as usize;
                let mut probabilities = vec![0.0; servers];
                probabilities[0] = 1.0;
                marginals.push(Marginal { station, probabilities, without });
            }
        }
        marginals
    }

    fn throughputs(&mut self, left_out: u32) -> Vec<f64> {
        if let Some(known) = self.throughputs.get(&left_out) {
            return known.clone();
        }
        let mut throughputs = Vec::with_capacity(self.population);
        self.solve(left_out, |_, throughput, _| throughputs.push(throughput));
        self.throughputs.insert(left_out, throughputs.clone());
        throughputs
    }
}

impl Marginal {
    /// The sum in R(n): mean servers that would be idle beside an arriving job.
    fn idle_servers(&self, servers: usize) -> f64 {
        let weighted = |(jobs, p): (usize, &f64)| (servers - 1 - jobs) as f64 * p;
        self.probabilities.iter().enumerate().map(weighted).sum()
    }

    /// From p(. | n-1) to p(. | n).
    fn add_job(&mut self, demand: f64, throughput: f64, without: f64) {
        for jobs in (1..self.probabilities.len()).rev() {
            self.probabilities[jobs] =
                demand * throughput / jobs as f64 * self.probabilities[jobs - 1];
        }
        // Without any other demand, Y is infinite and the station is never empty.
        self.probabilities[0] *= throughput / without;
    }
}
