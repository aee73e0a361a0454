//! Differential evolution: the only door to its crate.

use metaheuristics_nature::methods::de::Strategy;
use metaheuristics_nature::{Bounded, De, ObjFunc, Pool, Solver};

use super::{Budget, HOPELESS};
use crate::target::Target;

/// Generations without a gain worth the name after which the search has converged.
const STALL: u64 = 3;
/// The least gain of a generation that counts, as a share of the objective.
const GAIN: f64 = 0.05;

struct Landscape<'a, 'b> {
    target: &'a Target<'b>,
    bounds: Vec<[f64; 2]>,
}

impl Bounded for Landscape<'_, '_> {
    fn bound(&self) -> &[[f64; 2]] {
        &self.bounds
    }
}

impl ObjFunc for Landscape<'_, '_> {
    type Ys = f64;

    fn fitness(&self, xs: &[f64]) -> f64 {
        let figures = self.target.figures(xs);
        figures.map_or(HOPELESS, |figures| self.target.cost(xs, &figures))
    }
}

/// The last generation with its costs, and whether the search stopped for want of gains.
pub(super) fn evolved(
    target: &Target<'_>,
    (pool, pool_y): (Vec<Vec<f64>>, Vec<f64>),
    (seed, budget): (u64, Budget),
    tell: &(dyn Fn(f64) + Sync),
) -> (Vec<(f64, Vec<f64>)>, bool) {
    let bounds = target.axes().iter().map(|axis| [axis.low, axis.high]).collect();
    let (mut best, mut stalled) = (f64::INFINITY, 0);
    let (mut converged, mut last) = (false, Vec::new());
    let method = De::new().strategy(Strategy::C2F3).f(0.7).cross(0.8);
    let _ = Solver::build(method, Landscape { target, bounds })
        .seed(metaheuristics_nature::random::SeedOpt::U64(seed))
        .pop_num(budget.population)
        .init_pool(Pool::Ready { pool, pool_y })
        .task(|ctx| {
            let now = ctx.pool_y.iter().copied().fold(f64::INFINITY, f64::min);
            tell(now);
            stalled = if now < best * (1.0 - GAIN) { 0 } else { stalled + 1 };
            best = best.min(now);
            converged = stalled >= STALL;
            let done = converged || ctx.r#gen >= budget.generations;
            if done {
                last = ctx.pool_y.iter().copied().zip(ctx.pool.iter().cloned()).collect();
            }
            done
        })
        .solve();
    (last, converged)
}
