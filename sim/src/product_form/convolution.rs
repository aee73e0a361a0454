//! Convolution: the normalization constant by Buzen's algorithm (Computational algorithms for
//! closed queueing networks with exponential servers, 1973).
//!
//! With D the demand of a station and a(k) the servers at work when k jobs are there, let
//!
//! ```text
//!   f(n) = product over k = 1..n of D / a(k)
//! ```
//!
//! G is the convolution of the f of all stations. Throughput is G(N-1) / G(N), and a station holds
//! j jobs with probability f(j) H(N-j) / G(N), where H is the convolution of the others.

use super::{Demand, Equilibrium, ProductFormError, check, equilibrium};

/// The equilibrium for each population from 1 to `population`, in this order (none if it is 0).
/// Time is O(M² N²) for M stations and N jobs.
///
/// Demands are scaled by the slowest station's, which keeps G in range unless delays are hundreds
/// of times longer than the slowest station's time or servers number in the hundreds;
/// [`mean_value_analysis`](super::mean_value_analysis) has no such limit.
///
/// # Errors
///
/// If the network is not valid or G leaves the range of floating-point numbers.
pub fn convolution(
    stations: &[Demand],
    population: usize,
) -> Result<Vec<Equilibrium>, ProductFormError> {
    check(stations)?;
    let scale = scale(stations);
    let factors: Vec<Vec<f64>> =
        stations.iter().map(|station| factor(station, scale, population)).collect();
    let everything = convolve_all(factors.iter(), population);
    for (jobs, &constant) in everything.iter().enumerate() {
        if !constant.is_normal() {
            return Err(ProductFormError::OutOfRange { population: jobs });
        }
    }
    let others: Vec<Vec<f64>> = (0..stations.len())
        .map(|left_out| {
            let rest = factors.iter().enumerate().filter(|&(index, _)| index != left_out);
            convolve_all(rest.map(|(_, factor)| factor), population)
        })
        .collect();
    let solution = |jobs: usize| {
        let throughput = everything[jobs - 1] / everything[jobs] / scale;
        equilibrium(stations, jobs, throughput, |station| {
            let weight = |here: usize| factors[station][here] * others[station][jobs - here];
            (1..=jobs).map(|here| here as f64 * weight(here)).sum::<f64>() / everything[jobs]
        })
    };
    Ok((1..=population).map(solution).collect())
}

/// The slowest station's time between completions; the longest delay if there are only delays.
fn scale(stations: &[Demand]) -> f64 {
    let largest = |of: fn(&Demand) -> f64| stations.iter().map(of).fold(0.0, f64::max);
    let saturated = largest(Demand::saturated);
    if saturated > 0.0 { saturated } else { largest(Demand::demand) }
}

fn factor(station: &Demand, scale: f64, population: usize) -> Vec<f64> {
    let demand = station.demand() / scale;
    let mut factor = vec![1.0];
    for jobs in 1..=population {
        factor.push(factor[jobs - 1] * demand / station.active(jobs));
    }
    factor
}

fn convolve_all<'a>(factors: impl Iterator<Item = &'a Vec<f64>>, population: usize) -> Vec<f64> {
    let mut product = vec![0.0; population + 1];
    product[0] = 1.0;
    for factor in factors {
        product = (0..=population)
            .map(|jobs| (0..=jobs).map(|here| factor[here] * product[jobs - here]).sum())
            .collect();
    }
    product
}
