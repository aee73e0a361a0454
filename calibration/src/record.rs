//! What a fit of an article found, as it is stored: parameters, rows, errors.

use serde::{Deserialize, Serialize};

use crate::parameters::Parameter;
use crate::problem::Quantity;

/// A stored fit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The article.
    pub article: String,
    /// Seed of all random streams.
    pub seed: u64,
    /// Replications of each row.
    pub replications: u32,
    /// Times the whole table was simulated, left-out fits not counted.
    pub evaluations: u64,
    /// Why the search ended.
    pub stopped: String,
    /// Sum of squared residuals, priors included.
    pub objective: f64,
    /// Relative standard deviation of durations about the fit, in per cent.
    pub error_percent: f64,
    /// Draws from the posterior, and how many equally weighted ones they are worth.
    pub draws: usize,
    /// The latter.
    pub effective_draws: f64,
    /// The parameters.
    pub parameter: Vec<Parameter>,
    /// The rows that were fitted.
    pub row: Vec<RowRecord>,
    /// Groups of rows, each predicted from the others.
    #[serde(default)]
    pub fold: Vec<FoldRecord>,
}

/// A fitted row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowRecord {
    /// The row.
    pub row: String,
    /// What was measured.
    pub operation: Quantity,
    /// As measured: seconds, or the unit of the quantity.
    pub measured: f64,
    /// Median with the fitted parameters, variation from night to night off.
    pub predicted: f64,
    /// predicted / measured - 1.
    pub relative_error: f64,
    /// The same from a fit that has not seen the row; absent where the row alone identifies a
    /// parameter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<LeftOutRecord>,
    /// The parameter that the row alone identifies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alone_identifies: Option<String>,
}

/// A row as predicted by a fit that has not seen it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeftOutRecord {
    /// Median.
    pub predicted: f64,
    /// Lower end of the 90 % range of a measurement.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// predicted / measured - 1.
    pub relative_error: f64,
}

/// A group of rows, predicted from all others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FoldRecord {
    /// What was fitted.
    pub fitted_on: String,
    /// Rows that were predicted.
    pub rows: Vec<String>,
    /// predicted / measured - 1 of each measurement, in the order of the table.
    pub relative_errors: Vec<f64>,
    /// Mean of |predicted / measured - 1| over them.
    pub mean_absolute_relative_error: f64,
    /// The largest.
    pub max_absolute_relative_error: f64,
    /// Share of the measurements that lie in their 90 % range.
    pub coverage: f64,
}
