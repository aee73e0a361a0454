//! What a fit says of each knob: its value, how sure, and what it cannot be told apart from.

use serde::{Deserialize, Serialize};

use crate::fit::Fit;
use crate::left_out::{LEVEL, is_identified};
use crate::problem::{Free, Problem, significant};

/// Correlation from which on two knobs cannot be told apart.
const TIED: f64 = 0.8;

/// A fitted knob.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// The first of its paths.
    pub path: String,
    /// The others, if it stands for several knobs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub more_paths: Vec<String>,
    /// Unit of its values; absent for a plain number.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// Its value at the best point.
    pub value: f64,
    /// Lower end of its 90 % interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Whether the measurements narrowed it down, or it rests on its prior.
    pub identified: bool,
    /// Whether its value is at a bound: the measurements want more than it allows.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub at_limit: bool,
    /// What was expected of it.
    pub prior: f64,
    /// One standard deviation of that expectation, as a factor.
    pub prior_factor: f64,
    /// Where the expectation comes from.
    pub prior_reason: String,
    /// Knobs from which it cannot be told apart: only a combination of them is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tied_to: Vec<String>,
    /// Which further run would tell most about it, if it is not identified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_that_would_tell: Option<String>,
}

/// Every knob of a fit, in the order of the problem.
pub(crate) fn parameters(problem: &Problem, fit: &Fit) -> Vec<Parameter> {
    let covariance = fit.posterior.covariance();
    let sd = |i: usize| libm::sqrt(covariance[i][i]);
    let tied = |i: usize, j: usize| i != j && (covariance[i][j] / (sd(i) * sd(j))).abs() >= TIED;
    let describe = |(i, free): (usize, &Free)| {
        let quantile = |p: f64| free.value(fit.posterior.quantile(p, |draw| draw.point[i]), 4);
        let value = free.value(fit.best[i], 4);
        let at_limit = value < free.low * 1.01 || value > free.high * 0.99;
        let tied_to = problem.free.iter().enumerate().filter(|(j, _)| tied(i, *j));
        Parameter {
            path: free.name().to_string(),
            more_paths: free.paths.iter().skip(1).cloned().collect(),
            unit: free.unit.clone(),
            value,
            low: quantile(0.5 - LEVEL / 2.0).min(value),
            high: quantile(0.5 + LEVEL / 2.0).max(value),
            identified: !at_limit && is_identified(&fit.posterior, i, &free.axis()),
            at_limit,
            prior: significant(free.prior, 4),
            prior_factor: significant(free.prior_factor, 3),
            prior_reason: free.reason.clone(),
            tied_to: tied_to.map(|(_, other)| other.name().to_string()).collect(),
            run_that_would_tell: None,
        }
    };
    problem.free.iter().enumerate().map(describe).collect()
}
