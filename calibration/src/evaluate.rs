//! Running the scenario of an article, row by row.

use std::collections::BTreeMap;

use bakcast_models::quantity::Bytes;
use bakcast_scenarios::predict::{Asked, PredictOptions, Prediction, predict_each};
use bakcast_scenarios::{Loaded, ScenarioError, Set};

use crate::article::Article;
use crate::error::CalibrationError;

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
) -> Result<BTreeMap<String, RowPrediction>, CalibrationError> {
    let document = article.document()?;
    let row = |index: u64| rows[index as usize];
    let load = |index| -> Result<Loaded, ScenarioError> { document.load(Some(row(index)), sets) };
    let mut predictions = BTreeMap::new();
    let count = rows.len() as u64;
    predict_each(count, load, options, Asked::Durations, |index, loaded: &Loaded, prediction| {
        let buffer_memory = loaded.resolved.backup.buffers.memory();
        predictions.insert(row(index).to_string(), RowPrediction { prediction, buffer_memory });
        Ok::<(), CalibrationError>(())
    })?;
    Ok(predictions)
}
