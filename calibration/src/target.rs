//! What a search and a posterior work on: figures as a function of a point, what was measured of
//! them, and what was expected of the point.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use crate::emulator::Emulator;
use crate::problem::{Axis, Observation, Problem, Wanted};

/// Durations that the expected scatter is worth, k.
const ERROR_WEIGHT: f64 = 4.0;

/// Figures at a point; nothing if it cannot be computed.
type Figures<'a> = Box<dyn Fn(&[f64]) -> Option<Vec<f64>> + Sync + 'a>;

/// What was expected and what was measured: all that a posterior needs beside figures.
#[derive(Debug, Clone)]
pub(crate) struct Evidence {
    axes: Vec<Axis>,
    /// What was measured, and of which figure.
    observed: Vec<(usize, Observation)>,
    /// Relative standard deviation of durations, as it was expected.
    expected: f64,
}

/// A posterior up to a constant: minus twice its logarithm is the sum of squared residuals plus
/// that of the standardized distances from the prior.
pub(crate) struct Target<'a> {
    evidence: Arc<Evidence>,
    /// Relative standard deviation of durations, as a search takes it.
    pub(crate) sd: f64,
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
        let evidence = Arc::new(Evidence { axes, observed, expected: sd });
        Target { evidence, sd, figures: Box::new(figures), evaluations: AtomicU64::new(0) }
    }

    /// The posterior of a problem, measurements of the configurations for which `is_left_out` is
    /// true not among them. Figures are those of all measurements, left out or not.
    pub(crate) fn of(problem: &'a Problem, is_left_out: &dyn Fn(usize) -> bool) -> Self {
        let wanted: Vec<Wanted> = problem.wanted();
        let observed = problem.observations.iter().cloned().enumerate();
        let observed = observed.filter(|(_, o)| !is_left_out(o.case)).collect();
        let ready = problem.ready(&wanted).ok();
        Target::new(problem.axes(), observed, problem.error, move |point| {
            ready.as_ref()?.predict(point, &wanted).ok()
        })
    }

    /// The same with figures by an emulator.
    pub(crate) fn emulated<'e>(&self, emulator: &'e Emulator) -> Target<'e> {
        let figures = Box::new(|point: &[f64]| Some(emulator.figures(point)));
        let evidence = Arc::clone(&self.evidence);
        Target { evidence, sd: self.sd, figures, evaluations: AtomicU64::new(0) }
    }

    /// What it rests on.
    pub(crate) fn evidence(&self) -> &Arc<Evidence> {
        &self.evidence
    }

    pub(crate) fn axes(&self) -> &[Axis] {
        &self.evidence.axes
    }

    /// Measurements and priors: residuals of a least-squares search.
    pub(crate) fn residual_count(&self) -> usize {
        self.evidence.observed.len() + self.evidence.axes.len()
    }

    /// Measurements.
    pub(crate) fn observed_count(&self) -> usize {
        self.evidence.observed.len()
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
        self.evidence.pairs(figures).map(residual).collect()
    }

    /// What a search makes least: minus twice the logarithm of the posterior, if durations scatter
    /// by `sd`.
    pub(crate) fn cost(&self, point: &[f64], figures: &[f64]) -> f64 {
        sum_of_squares(&self.residuals(figures)) + sum_of_squares(&self.distances(point))
    }

    /// Standardized distances from the prior.
    pub(crate) fn distances(&self, point: &[f64]) -> Vec<f64> {
        self.evidence.distances(point)
    }

    /// Logarithm of the posterior but for a constant, see [`Evidence::log_posterior`].
    pub(crate) fn log_posterior(&self, point: &[f64], figures: &[f64]) -> f64 {
        self.evidence.log_posterior(point, figures)
    }

    /// How far durations scatter if the figures are these: the scale of a t distribution with
    /// [`Target::freedom`] degrees of freedom, s0 sqrt((k + X) / (k + n)).
    pub(crate) fn scatter(&self, figures: &[f64]) -> f64 {
        let (count, sum) = self.evidence.durations(figures);
        self.evidence.expected * libm::sqrt((ERROR_WEIGHT + sum) / (ERROR_WEIGHT + count))
    }

    /// Durations, and those that the expected scatter is worth.
    pub(crate) fn freedom(&self) -> f64 {
        let durations = self.evidence.observed.iter().filter(|(_, o)| o.relative_sd.is_none());
        ERROR_WEIGHT + durations.count() as f64
    }

    /// The scatter with which a search goes on from these figures, given how many parameters the
    /// measurements determine.
    pub(crate) fn scatter_about(&self, figures: &[f64], determined: f64) -> f64 {
        let (count, sum) = self.evidence.durations(figures);
        let freedom = (count - determined).max(0.0);
        self.evidence.expected * libm::sqrt((ERROR_WEIGHT + sum) / (ERROR_WEIGHT + freedom))
    }

    pub(crate) fn within(&self, point: &[f64]) -> bool {
        point.iter().zip(self.axes()).all(|(x, axis)| (axis.low..=axis.high).contains(x))
    }
}

impl Evidence {
    /// What was measured, each with the figure that a point comes to.
    fn pairs<'f>(&'f self, figures: &'f [f64]) -> impl Iterator<Item = (&'f Observation, f64)> {
        self.observed.iter().map(|(index, o)| (o, figures[*index]))
    }

    /// Standardized distances from the prior.
    fn distances(&self, point: &[f64]) -> Vec<f64> {
        let distance = |(x, axis): (&f64, &Axis)| (x - axis.prior) / axis.prior_sd;
        point.iter().zip(&self.axes).map(distance).collect()
    }

    /// Durations, and the sum of their squared residuals at the scatter that was expected.
    fn durations(&self, figures: &[f64]) -> (f64, f64) {
        let durations = self.pairs(figures).filter(|(o, _)| o.relative_sd.is_none());
        durations.fold((0.0, 0.0), |(count, sum), (o, figure)| {
            let residual = libm::log(figure / o.value) / o.log_sd(self.expected);
            (count + 1.0, sum + residual * residual)
        })
    }

    /// Logarithm of the posterior but for a constant, whatever the scatter of durations: it is
    /// integrated out, which makes of the normal distribution of residuals a t distribution,
    ///
    /// ```text
    /// (1 + X / k)^(-(k + n) / 2)
    /// ```
    ///
    /// with X the sum of squares of n durations at the scatter expected, which is worth k of them.
    pub(crate) fn log_posterior(&self, point: &[f64], figures: &[f64]) -> f64 {
        let (count, sum) = self.durations(figures);
        let others = self.pairs(figures).filter(|(o, _)| o.relative_sd.is_some());
        let others: f64 = others
            .map(|(o, figure)| libm::log(figure / o.value) / o.log_sd(self.expected))
            .map(|residual| residual * residual)
            .sum();
        let durations = (ERROR_WEIGHT + count) * libm::log1p(sum / ERROR_WEIGHT);
        -0.5 * (durations + others + sum_of_squares(&self.distances(point)))
    }
}

pub(crate) fn sum_of_squares(values: &[f64]) -> f64 {
    values.iter().map(|v| v * v).sum()
}
