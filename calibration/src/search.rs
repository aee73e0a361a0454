//! The local finish of a fit: the only door to its crate.
//!
//! Bounded Levenberg-Marquardt in the logarithm of each knob, with steps of 12 % for the
//! derivatives: on objectives that are slightly rough, as simulations are even with common random
//! numbers, the size of the step decides more than the method.

use rmpfit::{MPConfig, MPFitter, MPPar, MPResult, MPSuccess};

use crate::target::Target;

/// What a search found.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Found {
    /// Decimal logarithms of the knobs.
    pub(crate) point: Vec<f64>,
    /// Sum of squared residuals, priors included.
    pub(crate) cost: f64,
    /// Whether it stopped because nothing changed any more, and not because its budget was spent.
    pub(crate) converged: bool,
}

/// Derivative step in decimal logarithm.
pub(crate) const STEP: f64 = 0.05;
/// Iterations after which a start is given up as good enough.
const ITERATIONS_MAX: usize = 25;
/// A residual at which nothing is kept.
const HOPELESS: f64 = 1e6;
/// Relative change of the objective below which a start has converged.
const TOLERANCE: f64 = 1e-3;

struct Descent<'a, 'b> {
    target: &'a Target<'b>,
    parameters: Vec<MPPar>,
    config: MPConfig,
}

impl MPFitter for Descent<'_, '_> {
    fn eval(&mut self, params: &[f64], deviates: &mut [f64]) -> MPResult<()> {
        // A step to where nothing can be computed is a bad one, and taken back.
        let figures = self.target.figures(params);
        let Some(figures) = figures else {
            deviates.fill(HOPELESS);
            return Ok(());
        };
        let (data, prior) = deviates.split_at_mut(self.target.observed_count());
        data.copy_from_slice(&self.target.residuals(&figures));
        prior.copy_from_slice(&self.target.distances(params));
        Ok(())
    }

    fn number_of_points(&self) -> usize {
        self.target.residual_count()
    }

    fn config(&self) -> &MPConfig {
        &self.config
    }

    fn parameters(&self) -> &[MPPar] {
        &self.parameters
    }
}

/// Descends from a point; nothing if that cannot be computed.
pub(crate) fn descend(target: &Target<'_>, start: &[f64]) -> Option<Found> {
    descend_but(target, start, None)
}

/// The same with one knob held where it is.
pub(crate) fn descend_but(
    target: &Target<'_>,
    start: &[f64],
    held: Option<usize>,
) -> Option<Found> {
    let parameter = |(index, axis): (usize, &crate::problem::Axis)| MPPar {
        fixed: held == Some(index),
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
    let parameters = target.axes().iter().enumerate().map(parameter).collect();
    let mut descent = Descent { target, parameters, config };
    let mut point = start.to_vec();
    let status = descent.mpfit(&mut point).ok()?;
    if status.best_norm >= HOPELESS {
        return None;
    }
    let converged = !matches!(status.success, MPSuccess::MaxIter | MPSuccess::NotDone);
    Some(Found { point, cost: status.best_norm, converged })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{Axis, Observation, Quantity};

    fn seen(value: f64, sd: f64) -> Observation {
        let quantity = Quantity::Backup;
        Observation { case: 0, quantity, value, rounding: 0.0, relative_sd: Some(sd) }
    }

    #[test]
    fn a_descent_finds_a_known_minimum_within_bounds() {
        let axis = Axis { low: -2.0, high: 2.0, prior: 0.0, prior_sd: 10.0 };
        let truth = [0.7, -1.1];
        let figures = |p: &[f64]| Some(p.iter().map(|x| libm::exp10(*x)).collect());
        let observed = truth.map(|t| seen(libm::exp10(t), 0.02));
        let observed = observed.into_iter().enumerate().collect();
        let target = Target::new(vec![axis; 2], observed, 0.02, figures);
        let found = descend(&target, &[0.0, 0.0]).expect("a minimum");
        assert!(found.converged);
        assert!(found.point.iter().zip(truth).all(|(a, b)| (a - b).abs() < 0.01), "{found:?}");
        assert!(target.evaluations() > 5);
    }

    #[test]
    fn a_minimum_out_of_bounds_is_sought_at_the_bound() {
        let axis = Axis { low: -1.0, high: 0.5, prior: 0.0, prior_sd: 10.0 };
        let figures = |p: &[f64]| Some(vec![libm::exp10(p[0])]);
        let target = Target::new(vec![axis], vec![(0, seen(10.0, 0.02))], 0.02, figures);
        let found = descend(&target, &[0.0]).expect("a minimum");
        assert!((found.point[0] - 0.5).abs() < 1e-9, "{found:?}");
    }
}
