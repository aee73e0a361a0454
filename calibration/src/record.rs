//! What a fit found, as it is stored: parameters, rows, errors.

use serde::{Deserialize, Serialize};

use crate::evaluate::Operation;

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
    /// Starting points.
    pub starts: usize,
    /// Times the whole table was simulated, left-out fits not counted.
    pub evaluations: usize,
    /// Sum of squared residuals, priors included.
    pub objective: f64,
    /// Spread that the fit leaves, in per cent.
    pub residual_spread_percent: f64,
    /// The parameters.
    pub parameter: Vec<ParameterRecord>,
    /// The rows that were fitted.
    pub row: Vec<RowRecord>,
}

/// A fitted parameter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParameterRecord {
    /// Paths of its knobs.
    pub paths: Vec<String>,
    /// Unit of its value.
    pub unit: String,
    /// Its value.
    pub value: f64,
    /// Lower end of its 90 % interval, from the curvature of the objective.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Whether the table narrowed it down, or it rests on its prior.
    pub identified: bool,
}

/// A fitted row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowRecord {
    /// The row.
    pub row: String,
    /// What was timed.
    pub operation: Operation,
    /// As measured.
    pub measured_seconds: f64,
    /// Median with the fitted parameters, run-to-run variation off.
    pub predicted_seconds: f64,
    /// predicted / measured - 1.
    pub relative_error: f64,
    /// The same from a fit that has not seen the row; absent where the row alone identifies a
    /// parameter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out_relative_error: Option<f64>,
}

/// The stored fit of an article.
///
/// # Panics
/// If an embedded file cannot be read: our bug, and a test reads them all.
#[must_use]
pub fn record(article: &str) -> Option<Record> {
    let text = match article {
        "nvme-knob-matrix" => include_str!("../fitted/nvme-knob-matrix.toml"),
        "usb3-laptop" => include_str!("../fitted/usb3-laptop.toml"),
        "public-multifile-nvme-2020" => {
            include_str!("../fitted/public-multifile-nvme-2020.toml")
        }
        "public-unc-share-files" => include_str!("../fitted/public-unc-share-files.toml"),
        "pair-dotnine-2013" => include_str!("../fitted/pair-dotnine-2013.toml"),
        "pair-randal-2008" => include_str!("../fitted/pair-randal-2008.toml"),
        "pair-blobeater-2016" => include_str!("../fitted/pair-blobeater-2016.toml"),
        "pair-unisys-2008" => include_str!("../fitted/pair-unisys-2008.toml"),
        _ => return None,
    };
    Some(toml::from_str(text).expect("a stored fit"))
}
