//! Running the scenario of an article, row by row.

use std::collections::BTreeMap;

use bakcast_models::quantity::Bytes;
use bakcast_scenarios::predict::{Asked, PredictOptions, Prediction, predict_each};
use bakcast_scenarios::{Document, ScenarioError, ScenarioOrigin, Set};
use serde::{Deserialize, Serialize};

use crate::article::Article;
use crate::validate::ValidationError;

/// What was timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Operation {
    /// The backup.
    Backup,
    /// Its verification.
    Verify,
    /// Its restore.
    Restore,
    /// Backup and verification together.
    Total,
}

impl Operation {
    /// The operation as printed.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Operation::Backup => "backup",
            Operation::Verify => "verify",
            Operation::Restore => "restore",
            Operation::Total => "total",
        }
    }
}

/// What one row comes to.
#[derive(Debug, Clone, PartialEq)]
pub struct RowPrediction {
    /// Durations.
    pub prediction: Prediction,
    /// Memory of the backup buffers.
    pub buffer_memory: Bytes,
}

/// Predicts every row in `rows` of an article's scenario, with knobs replaced.
///
/// # Errors
/// If the scenario cannot be loaded or run.
pub fn evaluate(
    article: &Article,
    rows: &[&str],
    sets: &[Set],
    options: &PredictOptions,
) -> Result<BTreeMap<String, RowPrediction>, ValidationError> {
    let document = Document::open(&ScenarioOrigin::parse(&article.scenario))?;
    let row = |index: u64| rows[index as usize];
    let load =
        |index| -> Result<_, ScenarioError> { Ok(document.load(Some(row(index)), sets)?.resolved) };
    let mut predictions = BTreeMap::new();
    let count = rows.len() as u64;
    predict_each(count, load, options, Asked::Durations, |index, resolved, prediction| {
        let buffer_memory = resolved.backup.buffers.memory();
        predictions.insert(row(index).to_string(), RowPrediction { prediction, buffer_memory });
        Ok::<(), ValidationError>(())
    })?;
    Ok(predictions)
}

impl Article {
    /// Rows in the order of the table, each once.
    #[must_use]
    pub fn row_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for measurement in &self.measurements {
            if names.last() != Some(&measurement.row.as_str()) {
                names.push(&measurement.row);
            }
        }
        names
    }
}
