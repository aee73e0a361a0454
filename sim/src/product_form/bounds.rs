//! Bounds on the throughput of a closed network from its demands alone.

use super::{Demand, ProductFormError, check};

/// What the throughput of a network lies between, in cycles a second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The throughput is not lower.
    pub lower: f64,
    /// The throughput is not higher.
    pub upper: f64,
}

impl Bounds {
    /// Whether `throughput` lies within.
    pub fn contain(&self, throughput: f64) -> bool {
        (self.lower..=self.upper).contains(&throughput)
    }
}

/// Asymptotic bounds for `population` jobs (Denning and Buzen, 1978; Lazowska, Zahorjan, Graham and
/// Sevcik, Quantitative System Performance, 1984, section 5.2). With D the sum of the queues'
/// demands, Z that of the delays and c the servers of a station,
///
/// ```text
///   N / (N D + Z) <= X <= min(min over stations of c / D, N / (D + Z))
/// ```
///
/// The upper one holds for every distribution of service times, the lower one, which lets every
/// job wait for all others everywhere, for those of this module. No jobs have no throughput.
///
/// # Errors
///
/// If the network is not valid.
pub fn asymptotic_bounds(
    stations: &[Demand],
    population: usize,
) -> Result<Bounds, ProductFormError> {
    check(stations)?;
    let jobs = population as f64;
    let Sums { queues, delays, slowest, .. } = Sums::of(stations);
    let upper = (jobs / (queues + delays)).min(1.0 / slowest);
    let lower = if population == 0 { 0.0 } else { jobs / (jobs * queues + delays) };
    Ok(Bounds { lower, upper })
}

/// Balanced job bounds for `population` jobs and single servers (Zahorjan, Sevcik, Eager and
/// Galler, Balanced job bound analysis of queueing networks, 1982, in the form of Lazowska et al.,
/// table 5.2): tighter than the asymptotic ones, because a network is compared with the balanced
/// ones it lies between. With M stations, D, Z as above, and Dmax the largest demand,
///
/// ```text
///   N / (D + Z + (N-1) Dmax / (1 + Z / (N D)))
///     <= X <= min(1 / Dmax, N / (D + Z + (N-1) D / M / (1 + Z / D)))
/// ```
///
/// # Errors
///
/// If the network is not valid or a station has several servers.
pub fn balanced_job_bounds(
    stations: &[Demand],
    population: usize,
) -> Result<Bounds, ProductFormError> {
    check(stations)?;
    for (station, description) in stations.iter().enumerate() {
        if let Demand::Queue { servers, .. } = *description
            && servers > 1
        {
            return Err(ProductFormError::MultiServer { station, servers });
        }
    }
    let Sums { queues, delays, slowest, queue_count } = Sums::of(stations);
    if population == 0 {
        return Ok(Bounds { lower: 0.0, upper: 0.0 });
    }
    let jobs = population as f64;
    if queues == 0.0 {
        return Ok(Bounds { lower: jobs / delays, upper: jobs / delays });
    }
    let total = queues + delays;
    let longest = (jobs - 1.0) * slowest / (1.0 + delays / (jobs * queues));
    let shortest = (jobs - 1.0) * queues / queue_count as f64 / (1.0 + delays / queues);
    Ok(Bounds {
        lower: jobs / (total + longest),
        upper: (jobs / (total + shortest)).min(1.0 / slowest),
    })
}

struct Sums {
    queues: f64,
    delays: f64,
    slowest: f64,
    queue_count: usize,
}

impl Sums {
    fn of(stations: &[Demand]) -> Self {
        let mut sums = Sums { queues: 0.0, delays: 0.0, slowest: 0.0, queue_count: 0 };
        for station in stations {
            match station {
                Demand::Queue { demand, .. } => {
                    sums.queues += demand;
                    sums.queue_count += 1;
                }
                Demand::Delay { demand } => sums.delays += demand,
            }
            sums.slowest = sums.slowest.max(station.saturated());
        }
        sums
    }
}
