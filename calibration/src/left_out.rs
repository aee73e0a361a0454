//! Predicting what a fit has not seen.
//!
//! For each group of configurations the rest is fitted again and the group is predicted from what
//! that leaves possible: the median over the draws, and the range in which a measurement should lie
//! with the probability asked for, scatter from night to night included.

use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::fit::{Fit, FitOptions, fit_without};
use crate::posterior::{Draw, Posterior};
use crate::problem::{Axis, Observation, Problem};

/// A parameter counts as identified if the data leave less than this share of its prior interval
/// on either side of the median: a bound on one side is not enough. (Half of a normal distribution
/// has a standard deviation of sqrt(1 - 2/pi) = 0.603 of the whole.)
const IDENTIFIED: f64 = 0.6;
/// A group is all that identified a parameter if the rest does not identify it, and only if the
/// group made its interval so many times narrower: where several rows share the knowledge, losing
/// one widens the interval a little.
const CLEARLY_LESS: f64 = 2.0;
/// Probability of the ranges.
pub(crate) const LEVEL: f64 = 0.9;
/// Standard deviations of a normal distribution within which so much of it lies.
const TAIL: f64 = 1.645;

/// A measurement as predicted by a fit that has not seen it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Unseen {
    /// Index of the observation in the whole problem.
    pub(crate) observation: usize,
    pub(crate) median: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// A group of configurations, predicted from the others.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LeftOut {
    /// Its measurements.
    pub(crate) unseen: Vec<Unseen>,
    /// A knob that the group alone identifies: what the rest says of the group is then its prior.
    pub(crate) rests_on_group: Option<usize>,
}

/// Leaves out the configurations of which `is_in` is true.
pub(crate) fn leave_out(
    problem: &Problem,
    full: &Fit,
    options: &FitOptions,
    is_in: &dyn Fn(usize) -> bool,
) -> Option<LeftOut> {
    let group: Vec<usize> =
        (0..problem.observations.len()).filter(|i| is_in(problem.observations[*i].case)).collect();
    let fit = fit_without(problem, full, options.left_out_draws, options.seed, is_in)?;
    let unseen = group.iter().map(|index| {
        let observation = &problem.observations[*index];
        let range = |p| predictive(&fit, *index, observation, p);
        Unseen {
            observation: *index,
            median: fit.posterior.quantile(0.5, |draw| draw.figures[*index]),
            low: range(0.5 - LEVEL / 2.0),
            high: range(0.5 + LEVEL / 2.0),
        }
    });
    let unseen = unseen.collect();
    // A knob that is lost counts only if the group depends on it: if what the knobs leave open of
    // it is wider than the scatter.
    let open = |index: &usize| {
        let log = |p: f64| libm::log(fit.posterior.quantile(p, |draw| draw.figures[*index]));
        let scatter = 2.0 * problem.observations[*index].log_sd(fit.error) * TAIL;
        log(0.5 + LEVEL / 2.0) - log(0.5 - LEVEL / 2.0) > scatter
    };
    let lost = if group.iter().any(open) { rests_on_group(problem, full, &fit) } else { None };
    Some(LeftOut { unseen, rests_on_group: lost })
}

/// A quantile of a measurement that is to come: each draw's figure, scattered in logarithms by a t
/// distribution, since the scatter is itself known from few measurements only.
fn predictive(fit: &Fit, figure: usize, observation: &Observation, p: f64) -> f64 {
    let unit = StudentsT::new(0.0, 1.0, fit.freedom).expect("freedom above zero");
    let log = |d: &Draw| (libm::log(d.figures[figure]), observation.log_sd(d.scatter), d.weight);
    let logs: Vec<(f64, f64, f64)> = fit.posterior.draws.iter().map(log).collect();
    let below = |x: f64| -> f64 { logs.iter().map(|(l, sd, w)| w * unit.cdf((x - l) / sd)).sum() };
    let widest = logs.iter().map(|(_, sd, _)| *sd).fold(0.0, f64::max);
    let ends = |f: fn(f64, f64) -> f64, from| logs.iter().map(|(l, _, _)| *l).fold(from, f);
    let mut low = ends(f64::min, f64::INFINITY) - 10.0 * widest;
    let mut high = ends(f64::max, f64::NEG_INFINITY) + 10.0 * widest;
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if below(middle) < p {
            low = middle;
        } else {
            high = middle;
        }
    }
    libm::exp(0.5 * (low + high))
}

/// Lower and upper part of the interval of a knob, as shares of those of its prior.
fn sides(posterior: &Posterior, index: usize, axis: &Axis) -> [f64; 2] {
    let quantile = |p: f64| posterior.quantile(p, |draw| draw.point[index]);
    let (low, median, high) =
        (quantile(0.5 - LEVEL / 2.0), quantile(0.5), quantile(0.5 + LEVEL / 2.0));
    let of_prior = axis.prior_sd * TAIL;
    [(median - low) / of_prior, (high - median) / of_prior]
}

/// Whether the measurements narrowed a knob down on both sides.
pub(crate) fn is_identified(posterior: &Posterior, index: usize, axis: &Axis) -> bool {
    sides(posterior, index, axis).iter().all(|share| *share < IDENTIFIED)
}

/// A knob that all configurations identify and the rest does not.
fn rests_on_group(problem: &Problem, full: &Fit, without: &Fit) -> Option<usize> {
    problem.axes().iter().enumerate().position(|(i, axis)| {
        let width = |fit: &Fit| sides(&fit.posterior, i, axis).iter().sum::<f64>();
        is_identified(&full.posterior, i, axis)
            && !is_identified(&without.posterior, i, axis)
            && width(without) > CLEARLY_LESS * width(full)
    })
}
