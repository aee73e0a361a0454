//! Why nothing can be fitted or validated.

use bakcast_models::pipeline::BackupError;
use bakcast_scenarios::ScenarioError;
use thiserror::Error;

use crate::runs::RunsError;

/// Why nothing can be fitted or validated.
#[derive(Debug, Error)]
pub enum CalibrationError {
    /// No article of this name.
    #[error("there is no article `{found}`; there are {known}")]
    UnknownArticle {
        /// As given.
        found: String,
        /// What there is.
        known: String,
    },
    /// A scenario cannot be loaded.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// A scenario cannot be run.
    #[error(transparent)]
    Run(#[from] BackupError),
    /// A file of runs cannot be read.
    #[error(transparent)]
    Runs(#[from] RunsError),
    /// Something was measured that the scenario does not have.
    #[error(
        "run `{row}`: a {quantity} was measured, but the scenario has none; \
         is `{quantity}.enabled` false, or does a stripe go to NUL?"
    )]
    NotPredicted {
        /// The run.
        row: String,
        /// What was measured.
        quantity: &'static str,
    },
    /// No starting point of a fit could be computed.
    #[error("no starting point of the fit could be computed: {reason}")]
    NothingFitted {
        /// What stood in the way at the expected values.
        reason: String,
    },
    /// Nothing is free that the runs could tell anything about.
    #[error("there is nothing to fit: {reason}")]
    NothingFree {
        /// Why.
        reason: String,
    },
    /// A scenario file cannot be rewritten.
    #[error("cannot rewrite the scenario: {0}")]
    Rewrite(String),
}
