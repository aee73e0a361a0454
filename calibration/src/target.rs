//! What a search and a posterior work on: figures as a function of a point, what was measured of
//! them, and what was expected of the point.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use crate::emulator::Emulator;
use crate::problem::{Axis, Observation, Problem, Wanted};

/// Figures at a point; nothing if it cannot be computed.
type Figures<'a> = Box<dyn Fn(&[f64]) -> Option<Vec<f64>> + Sync + 'a>;

/// A posterior up to a constant: minus twice its logarithm is the sum of squared residuals plus
/// that of the standardized distances from the prior.
pub(crate) struct Target<'a> {
    axes: Vec<Axis>,
    /// What was measured, and of which figure.
    observed: Vec<(usize, Observation)>,
    /// Relative standard deviation of durations.
    pub(crate) sd: f64,
    /// Measurements that this is learnt from, and those that the expectation was worth.
    pub(crate) freedom: f64,
    figures: Figures<'a>,
    evaluations: AtomicU64,
}

impl<'a> Target<'a> {
    pub(crate) fn new(
        axes: Vec<Axis>,
        observed: Vec<(usize, Observation)>,
        sd: f64,
        figures: impl Fn(&[f64]) -> Option<Vec<f64>> + Sync + 'a,
    ) -> Self {
        let (figures, evaluations) = (Box::new(figures), AtomicU64::new(0));
        Target { axes, observed, sd, freedom: f64::INFINITY, figures, evaluations }
    }

    /// The posterior of a problem, measurements of the configurations for which `is_left_out` is
    /// true not among them. Figures are those of all measurements, left out or not.
    pub(crate) fn of(problem: &'a Problem, is_left_out: &dyn Fn(usize) -> bool) -> Self {
        let wanted: Vec<Wanted> = problem.wanted();
        let observed = problem.observations.iter().cloned().enumerate();
        let observed = observed.filter(|(_, o)| !is_left_out(o.case)).collect();
        Target::new(problem.axes(), observed, problem.error, move |point| {
            problem.predict(point, &wanted).ok()
        })
    }

    /// The same with figures by an emulator.
    pub(crate) fn emulated<'e>(&self, emulator: &'e Emulator) -> Target<'e> {
        let figures = |point: &[f64]| Some(emulator.figures(point));
        Target::new(self.axes.clone(), self.observed.clone(), self.sd, figures)
    }

    pub(crate) fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// Measurements and priors: residuals of a least-squares search.
    pub(crate) fn residual_count(&self) -> usize {
        self.observed.len() + self.axes.len()
    }

    /// What was measured, each with the figure that a point comes to.
    pub(crate) fn pairs<'f>(
        &'f self,
        figures: &'f [f64],
    ) -> impl Iterator<Item = (&'f Observation, f64)> {
        self.observed.iter().map(|(index, o)| (o, figures[*index]))
    }

    /// Measurements.
    pub(crate) fn observed_count(&self) -> usize {
        self.observed.len()
    }

    /// Times the figures were computed.
    pub(crate) fn evaluations(&self) -> u64 {
        self.evaluations.load(Ordering::Relaxed)
    }

    pub(crate) fn figures(&self, point: &[f64]) -> Option<Vec<f64>> {
        self.evaluations.fetch_add(1, Ordering::Relaxed);
        let figures = (self.figures)(point)?;
        figures.iter().all(|f| f.is_finite() && *f > 0.0).then_some(figures)
    }

    /// Figures at many points, in parallel.
    pub(crate) fn figures_at(&self, points: &[Vec<f64>]) -> Vec<Option<Vec<f64>>> {
        points.par_iter().map(|point| self.figures(point)).collect()
    }

    /// Weighted residuals of the measurements.
    pub(crate) fn residuals(&self, figures: &[f64]) -> Vec<f64> {
        let residual =
            |(o, figure): (&Observation, f64)| libm::log(figure / o.value) / o.log_sd(self.sd);
        self.pairs(figures).map(residual).collect()
    }

    /// Standardized distances from the prior.
    pub(crate) fn distances(&self, point: &[f64]) -> Vec<f64> {
        let distance = |(x, axis): (&f64, &Axis)| (x - axis.prior) / axis.prior_sd;
        point.iter().zip(&self.axes).map(distance).collect()
    }

    /// Minus twice the logarithm of the posterior.
    pub(crate) fn cost(&self, point: &[f64], figures: &[f64]) -> f64 {
        sum_of_squares(&self.residuals(figures)) + sum_of_squares(&self.distances(point))
    }

    pub(crate) fn within(&self, point: &[f64]) -> bool {
        point.iter().zip(&self.axes).all(|(x, axis)| (axis.low..=axis.high).contains(x))
    }
}

pub(crate) fn sum_of_squares(values: &[f64]) -> f64 {
    values.iter().map(|v| v * v).sum()
}
