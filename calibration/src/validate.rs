//! The articles held against the predictions: rows, errors, claims.

use std::collections::BTreeMap;

use bakcast_models::pipeline::BackupError;
use bakcast_scenarios::ScenarioError;
use bakcast_scenarios::predict::{PredictOptions, Prediction, Reached};
use serde::Serialize;
use thiserror::Error;

use crate::article::{Article, articles};
use crate::claims::claim_results;
use crate::evaluate::{Operation, RowPrediction, evaluate};
use crate::record::{Record, record};
use crate::table::Measurement;

/// Why articles cannot be validated or fitted.
#[derive(Debug, Error)]
pub enum ValidationError {
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
    /// A measured operation that the scenario does not have.
    #[error("{article}: row {row} has no {operation} in its scenario")]
    NotPredicted {
        /// The article.
        article: String,
        /// The row.
        row: String,
        /// The operation.
        operation: &'static str,
    },
    /// No start of a fit could be computed.
    #[error("{article}: no starting point could be computed")]
    NothingFitted {
        /// The article.
        article: String,
    },
    /// A scenario file cannot be rewritten.
    #[error("cannot rewrite the scenario: {0}")]
    Rewrite(String),
}

/// A row as measured and as predicted.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RowValidation {
    /// The row.
    pub row: String,
    /// What was timed.
    pub operation: Operation,
    /// As measured.
    pub measured_seconds: f64,
    /// Median of the prediction.
    pub predicted_seconds: f64,
    /// Lower end of its range.
    pub low_seconds: f64,
    /// Upper end of its range.
    pub high_seconds: f64,
    /// predicted / measured - 1.
    pub relative_error: f64,
    /// The same from a fit that has not seen the row; absent where no other row identifies it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out_relative_error: Option<f64>,
}

/// A claim and whether the predictions show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ClaimResult {
    /// Its short name.
    pub id: String,
    /// What it says.
    pub statement: String,
    /// Whether the predictions show it.
    pub holds: bool,
    /// The predicted figures.
    pub evidence: String,
}

/// One article held against the predictions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ArticleValidation {
    /// The article.
    pub id: String,
    /// What it measured.
    pub title: String,
    /// Measurements that were fitted.
    pub rows: Vec<RowValidation>,
    /// Measurements that are predicted only, with the reason.
    pub unfitted_rows: Vec<RowValidation>,
    /// Reason for each of them, by row.
    pub unfitted_reasons: BTreeMap<String, String>,
    /// Knobs that were fitted.
    pub fitted_parameters: usize,
    /// Mean of |relative error| over the fitted rows.
    pub mean_absolute_relative_error: f64,
    /// Largest |relative error| of the fitted rows.
    pub max_absolute_relative_error: f64,
    /// Mean of |left-out relative error| where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out_mean_absolute_relative_error: Option<f64>,
    /// Share of the fitted rows that lie in their range.
    pub interval_coverage: f64,
    /// The article's claims.
    pub claims: Vec<ClaimResult>,
    /// Most runs of a row.
    #[serde(skip)]
    pub replications: u32,
    /// How well the row that is known least is known, if a precision was asked for.
    #[serde(skip)]
    pub precision: Option<Reached>,
}

/// All articles asked for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Validation {
    /// In the order in which they are shipped.
    pub articles: Vec<ArticleValidation>,
}

/// Validates one article, or all of them.
///
/// # Errors
/// [`ValidationError`] if there is no such article, or a scenario cannot be run.
pub fn validate(
    only: Option<&str>,
    options: &PredictOptions,
) -> Result<Validation, ValidationError> {
    let wanted: Vec<&Article> =
        articles().iter().filter(|a| only.is_none_or(|id| a.id == id)).collect();
    if let (true, Some(found)) = (wanted.is_empty(), only) {
        let known: Vec<&str> = articles().iter().map(|a| a.id.as_str()).collect();
        return Err(ValidationError::UnknownArticle {
            found: found.to_string(),
            known: known.join(", "),
        });
    }
    let results = wanted.into_iter().map(|article| validate_article(article, options));
    Ok(Validation { articles: results.collect::<Result<_, _>>()? })
}

fn validate_article(
    article: &Article,
    options: &PredictOptions,
) -> Result<ArticleValidation, ValidationError> {
    let predictions = evaluate(article, &article.row_names(), &[], options)?;
    let stored = record(&article.id);
    let mut rows = Vec::new();
    let mut unfitted_rows = Vec::new();
    for measurement in &article.measurements {
        let row = validate_row(article, measurement, &predictions, stored.as_ref())?;
        if article.unfitted.contains_key(&measurement.row) {
            unfitted_rows.push(row);
        } else {
            rows.push(row);
        }
    }
    let errors: Vec<f64> = rows.iter().map(|r| r.relative_error.abs()).collect();
    let left_out: Vec<f64> =
        rows.iter().filter_map(|r| r.left_out_relative_error).map(f64::abs).collect();
    let covered =
        rows.iter().filter(|r| (r.low_seconds..=r.high_seconds).contains(&r.measured_seconds));
    let each = || predictions.values().map(|row| &row.prediction);
    Ok(ArticleValidation {
        id: article.id.clone(),
        title: article.title.clone(),
        mean_absolute_relative_error: mean(&errors),
        max_absolute_relative_error: errors.iter().copied().fold(0.0, f64::max),
        left_out_mean_absolute_relative_error: (!left_out.is_empty()).then(|| mean(&left_out)),
        interval_coverage: covered.count() as f64 / (rows.len() as f64).max(1.0),
        claims: claim_results(article, &predictions),
        replications: each().map(Prediction::replications).max().unwrap_or(0),
        precision: each().filter_map(|p| p.precision).reduce(Reached::worse),
        unfitted_reasons: article.unfitted.clone(),
        fitted_parameters: article.free.len(),
        rows,
        unfitted_rows,
    })
}

fn validate_row(
    article: &Article,
    measurement: &Measurement,
    predictions: &BTreeMap<String, RowPrediction>,
    stored: Option<&Record>,
) -> Result<RowValidation, ValidationError> {
    let prediction = predictions.get(&measurement.row);
    let range = prediction
        .and_then(|p| measurement.operation.seconds_of(&p.prediction))
        .ok_or_else(|| ValidationError::NotPredicted {
            article: article.id.clone(),
            row: measurement.row.clone(),
            operation: measurement.operation.name(),
        })?;
    let left_out = stored.and_then(|record| {
        let same = |r: &&crate::record::RowRecord| {
            r.row == measurement.row && r.operation == measurement.operation
        };
        record.row.iter().find(same)?.left_out_relative_error
    });
    Ok(RowValidation {
        row: measurement.row.clone(),
        operation: measurement.operation,
        measured_seconds: measurement.seconds,
        predicted_seconds: range.median,
        low_seconds: range.low,
        high_seconds: range.high,
        relative_error: range.median / measurement.seconds - 1.0,
        left_out_relative_error: left_out,
    })
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / (values.len() as f64).max(1.0)
}
