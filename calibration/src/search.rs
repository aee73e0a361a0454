//! The optimizer: the only door to its crate.
//!
//! Bounded Levenberg-Marquardt in the logarithm of each parameter, with steps of 12 % for the
//! derivatives: on objectives that are slightly rough, as simulations are even with common random
//! numbers, the size of the step decides more than the method. Several starts; the best is kept.

use rmpfit::{MPConfig, MPFitter, MPPar, MPResult};

/// A parameter as the optimizer sees it: decimal logarithms.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Axis {
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) prior: f64,
    pub(crate) prior_sd: f64,
}

/// What a search found.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    /// Decimal logarithms of the parameters.
    pub(crate) point: Vec<f64>,
    /// Their standard deviations, from the curvature of the objective, prior included.
    pub(crate) sd: Vec<f64>,
    /// Sum of squared residuals, prior included.
    pub(crate) objective: f64,
    /// Times the objective was computed.
    pub(crate) evaluations: usize,
}

/// Derivative step in decimal logarithm.
const STEP: f64 = 0.05;
/// Iterations after which a start is given up as good enough.
const ITERATIONS_MAX: usize = 25;
/// Relative change of the objective below which a start has converged.
const TOLERANCE: f64 = 1e-3;

struct Problem<'a> {
    residuals: &'a dyn Fn(&[f64]) -> Option<Vec<f64>>,
    count: usize,
    axes: &'a [Axis],
    parameters: Vec<MPPar>,
    config: MPConfig,
}

impl MPFitter for Problem<'_> {
    fn eval(&mut self, params: &[f64], deviates: &mut [f64]) -> MPResult<()> {
        let residuals = (self.residuals)(params).ok_or(rmpfit::MPError::Eval)?;
        let (data, prior) = deviates.split_at_mut(self.count);
        data.copy_from_slice(&residuals);
        for ((deviate, value), axis) in prior.iter_mut().zip(params).zip(self.axes) {
            *deviate = (value - axis.prior) / axis.prior_sd;
        }
        Ok(())
    }

    fn number_of_points(&self) -> usize {
        self.count + self.axes.len()
    }

    fn config(&self) -> &MPConfig {
        &self.config
    }

    fn parameters(&self) -> &[MPPar] {
        &self.parameters
    }
}

/// Searches from one starting point. `residuals` gives `count` weighted residuals at a point, or
/// `None` if the point cannot be computed.
pub(crate) fn search(
    axes: &[Axis],
    start: &[f64],
    count: usize,
    residuals: &dyn Fn(&[f64]) -> Option<Vec<f64>>,
) -> Option<Found> {
    let parameter = |axis: &Axis| MPPar {
        limited_low: true,
        limited_up: true,
        limit_low: axis.low,
        limit_up: axis.high,
        step: STEP,
        ..MPPar::default()
    };
    let config = MPConfig {
        max_iter: ITERATIONS_MAX,
        ftol: TOLERANCE,
        xtol: TOLERANCE,
        ..MPConfig::default()
    };
    let parameters = axes.iter().map(parameter).collect();
    let mut problem = Problem { residuals, count, axes, parameters, config };
    let mut point = start.to_vec();
    let status = problem.mpfit(&mut point).ok()?;
    Some(Found { point, sd: status.xerror, objective: status.best_norm, evaluations: status.n_fev })
}

/// Starting points: the prior itself, then points spread around it within one standard deviation
/// by a rank-1 lattice, so that the same number of starts gives the same points everywhere.
pub(crate) fn starts(axes: &[Axis], count: usize) -> Vec<Vec<f64>> {
    let point = |start: usize| {
        let coordinate = |(index, axis): (usize, &Axis)| {
            // Fractional parts of multiples of square roots of primes: evenly spread.
            const ROOTS: [f64; 10] = [2.0, 3.0, 5.0, 7.0, 11.0, 13.0, 17.0, 19.0, 23.0, 29.0];
            let spread = (start as f64 * libm::sqrt(ROOTS[index % ROOTS.len()])).fract();
            let offset = if start == 0 { 0.0 } else { 2.0 * spread - 1.0 };
            (axis.prior + offset * axis.prior_sd).clamp(axis.low, axis.high)
        };
        axes.iter().enumerate().map(coordinate).collect()
    };
    (0..count).map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_finds_a_known_minimum_within_bounds() {
        let axis = Axis { low: -2.0, high: 2.0, prior: 0.0, prior_sd: 10.0 };
        let truth = [0.7, -1.1];
        let residuals =
            |p: &[f64]| Some(vec![p[0] - truth[0], 3.0 * (p[1] - truth[1]), p[0] - 0.7]);
        let found = search(&[axis, axis], &[0.0, 0.0], 3, &residuals).expect("a minimum");
        assert!(found.point.iter().zip(truth).all(|(a, b)| (a - b).abs() < 0.02), "{found:?}");
    }

    #[test]
    fn a_parameter_the_data_do_not_see_keeps_the_spread_of_its_prior() {
        let axis = Axis { low: -2.0, high: 2.0, prior: 0.1, prior_sd: 0.3 };
        let residuals = |p: &[f64]| Some(vec![(p[0] - 0.5) / 0.01]);
        let found = search(&[axis, axis], &[0.0, 0.0], 1, &residuals).expect("a minimum");
        assert!(found.sd[0] < 0.02 && (found.sd[1] - 0.3).abs() < 0.03, "{found:?}");
    }

    #[test]
    fn starts_are_within_bounds_and_differ() {
        let axis = Axis { low: -0.1, high: 0.1, prior: 0.0, prior_sd: 1.0 };
        let starts = starts(&[axis; 3], 5);
        assert!(starts.iter().flatten().all(|x| x.abs() <= 0.1));
        assert_ne!(starts[1], starts[2]);
    }
}
