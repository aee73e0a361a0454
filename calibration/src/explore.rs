//! The global part of a fit: differential evolution, by an existing library; no derivatives.
//!
//! The first generation is drawn around the priors, so that the search looks where the knobs may
//! well be and not in the far corners of their bounds. Its random numbers have their own seed, and
//! all runs share theirs, so the same seed gives the same search on any number of threads.

//!
//! The library asks its host for random numbers where there is no system, though it is given a
//! seed. So WebAssembly has none of it: nothing is fitted there, and a search that is asked for all
//! the same ends with its first generation.

#[cfg(not(target_family = "wasm"))]
mod evolution;

use bakcast_sim::Streams;

use crate::target::Target;

/// Cost of what cannot be computed.
const HOPELESS: f64 = 1e12;
/// The first generation is spread by so many standard deviations of the priors.
const SPREAD: f64 = 1.0;

/// How long the search goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Budget {
    /// Points of a generation, at least 6.
    pub(crate) population: usize,
    /// Generations.
    pub(crate) generations: u64,
}

/// What the search found.
pub(crate) struct Explored {
    /// Points of the last generation, the best first.
    pub(crate) points: Vec<Vec<f64>>,
    /// Whether it stopped for want of gains, and not because its budget was spent.
    pub(crate) converged: bool,
}

/// Searches the whole space within the bounds. `tell` is told the best cost of each generation.
pub(crate) fn explore(
    target: &Target<'_>,
    seed: u64,
    budget: Budget,
    tell: &(dyn Fn(f64) + Sync),
) -> Explored {
    let pool = first_generation(target, seed, budget.population);
    let costs: Vec<f64> = target
        .figures_at(&pool)
        .iter()
        .zip(&pool)
        .map(|(figures, x)| figures.as_ref().map_or(HOPELESS, |f| target.cost(x, f)))
        .collect();
    let (mut last, converged) = evolved(target, (pool, costs), (seed, budget), tell);
    last.sort_by(|a: &(f64, Vec<f64>), b| a.0.total_cmp(&b.0));
    Explored { points: last.into_iter().map(|(_, x)| x).collect(), converged }
}

#[cfg(not(target_family = "wasm"))]
use evolution::evolved;

/// The first generation as the last one.
#[cfg(target_family = "wasm")]
fn evolved(
    _: &Target<'_>,
    (pool, costs): (Vec<Vec<f64>>, Vec<f64>),
    _: (u64, Budget),
    tell: &(dyn Fn(f64) + Sync),
) -> (Vec<(f64, Vec<f64>)>, bool) {
    tell(costs.iter().copied().fold(f64::INFINITY, f64::min));
    (costs.into_iter().zip(pool).collect(), false)
}

/// The priors themselves, then points drawn around them.
fn first_generation(target: &Target<'_>, seed: u64, population: usize) -> Vec<Vec<f64>> {
    let mut random = Streams::new(seed, 0).named("calibration/first generation");
    let point = |index: usize| {
        let coordinate = |axis: &crate::problem::Axis| {
            let offset = if index == 0 { 0.0 } else { SPREAD * random.normal() };
            (axis.prior + offset * axis.prior_sd).clamp(axis.low, axis.high)
        };
        target.axes().iter().map(coordinate).collect()
    };
    (0..population).map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{Axis, Observation, Quantity};

    /// Two valleys, of which the far one is deeper: what a descent from the prior does not find.
    #[test]
    fn the_deeper_of_two_valleys_is_found() {
        let axis = Axis { low: -2.0, high: 2.0, prior: 0.0, prior_sd: 1.0 };
        let quantity = Quantity::Backup;
        let seen =
            Observation { case: 0, quantity, value: 1.0, rounding: 0.0, relative_sd: Some(0.1) };
        let valleys = |p: &[f64]| {
            let (near, far) = ((p[0] + 0.3) * (p[0] + 0.3) + 0.3, (p[0] - 1.2) * (p[0] - 1.2));
            Some(vec![libm::exp(near.min(far) + p[1] * p[1])])
        };
        let target = Target::new(vec![axis; 2], vec![(0, seen)], 0.1, valleys);
        let budget = Budget { population: 24, generations: 12 };
        let explored = explore(&target, 1, budget, &|_| ());
        let best = &explored.points[0];
        assert!((best[0] - 1.2).abs() < 0.2 && best[1].abs() < 0.3, "{best:?}");
        let again = explore(&target, 1, budget, &|_| ());
        assert_eq!(explored.points, again.points);
    }
}
