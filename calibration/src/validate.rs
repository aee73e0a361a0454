//! The articles held against the predictions: rows, errors, claims.

use std::collections::BTreeMap;

use bakcast_scenarios::predict::{PredictOptions, Prediction, Range, Reached};
use serde::Serialize;

use crate::article::{Article, articles};
use crate::claims::claim_results;
use crate::error::CalibrationError;
use crate::evaluate::{RowPrediction, evaluate};
use crate::problem::Quantity;
use crate::record::{FoldRecord, LeftOutRecord, Record, RowRecord};
use crate::stored::record;
use crate::table::Measurement;

/// A row as measured and as predicted.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RowValidation {
    /// The row.
    pub row: String,
    /// What was timed.
    pub operation: Quantity,
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
    /// Median of the fit that has not seen the row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out_predicted_seconds: Option<f64>,
    /// Lower end of the 90 % range that it gives for a measurement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out_low_seconds: Option<f64>,
    /// Upper end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out_high_seconds: Option<f64>,
    /// The knob that the row alone identifies, which is why it is not left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alone_identifies: Option<String>,
}

impl RowValidation {
    /// Whether the measurement lies in the range of the fit that has not seen it.
    #[must_use]
    pub fn left_out_covered(&self) -> Option<bool> {
        let (low, high) = (self.left_out_low_seconds?, self.left_out_high_seconds?);
        Some((low..=high).contains(&self.measured_seconds))
    }
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
    /// Share of the rows left out that lie in the 90 % range of the fit that has not seen them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out_interval_coverage: Option<f64>,
    /// Rank correlation (Spearman) of measured and predicted backups; absent for less than three.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank_correlation: Option<f64>,
    /// Relative standard deviation of durations about the fit, in per cent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_percent: Option<f64>,
    /// Parts of the table predicted from the rest, and all of it from the priors alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub folds: Vec<FoldRecord>,
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
    /// Smaller public tables, of machines of which less is known.
    pub public_sets: Vec<ArticleValidation>,
}

impl Validation {
    /// Articles, then public sets.
    pub fn all(&self) -> impl Iterator<Item = &ArticleValidation> {
        self.articles.iter().chain(&self.public_sets)
    }
}

/// Validates one article, or all of them.
///
/// # Errors
/// [`CalibrationError`] if there is no such article, or a scenario cannot be run.
pub fn validate(
    only: Option<&str>,
    options: &PredictOptions,
) -> Result<Validation, CalibrationError> {
    let wanted: Vec<&Article> =
        articles().iter().filter(|a| only.is_none_or(|id| a.id == id)).collect();
    if let (true, Some(found)) = (wanted.is_empty(), only) {
        let known: Vec<&str> = articles().iter().map(|a| a.id.as_str()).collect();
        return Err(CalibrationError::UnknownArticle {
            found: found.to_string(),
            known: known.join(", "),
        });
    }
    let (public, articles): (Vec<&Article>, Vec<&Article>) =
        wanted.into_iter().partition(|article| article.public);
    let each = |articles: Vec<&Article>| -> Result<Vec<ArticleValidation>, CalibrationError> {
        articles.into_iter().map(|article| validate_article(article, options)).collect()
    };
    Ok(Validation { articles: each(articles)?, public_sets: each(public)? })
}

fn validate_article(
    article: &Article,
    options: &PredictOptions,
) -> Result<ArticleValidation, CalibrationError> {
    let predictions = evaluate(article, &article.row_names(), &[], options)?;
    let stored = record(&article.id);
    let mut rows = Vec::new();
    let mut unfitted_rows = Vec::new();
    for measurement in article.measurements.iter().filter(|m| m.quantity.is_duration()) {
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
    let inside: Vec<bool> = rows.iter().filter_map(RowValidation::left_out_covered).collect();
    let share = |inside: &[bool]| {
        inside.iter().filter(|inside| **inside).count() as f64 / inside.len() as f64
    };
    let each = || predictions.values().map(|row| &row.prediction);
    Ok(ArticleValidation {
        id: article.id.clone(),
        title: article.title.clone(),
        mean_absolute_relative_error: mean(&errors),
        max_absolute_relative_error: errors.iter().copied().fold(0.0, f64::max),
        left_out_mean_absolute_relative_error: (!left_out.is_empty()).then(|| mean(&left_out)),
        interval_coverage: covered.count() as f64 / (rows.len() as f64).max(1.0),
        left_out_interval_coverage: (!inside.is_empty()).then(|| share(&inside)),
        rank_correlation: rank_correlation(&rows),
        error_percent: stored.as_ref().map(|record| record.error_percent),
        folds: stored.as_ref().map(|record| record.fold.clone()).unwrap_or_default(),
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
) -> Result<RowValidation, CalibrationError> {
    let prediction = predictions.get(&measurement.row);
    let range = prediction
        .and_then(|p| seconds_of(measurement.quantity, &p.prediction))
        .ok_or_else(|| CalibrationError::NotPredicted {
            row: format!("{}:{}", article.id, measurement.row),
            quantity: measurement.quantity.name(),
        })?;
    let of_row = stored.and_then(|record| {
        let same = |r: &&RowRecord| r.row == measurement.row && r.operation == measurement.quantity;
        record.row.iter().find(same)
    });
    let left_out = |of: fn(&LeftOutRecord) -> f64| of_row?.left_out.as_ref().map(of);
    Ok(RowValidation {
        row: measurement.row.clone(),
        operation: measurement.quantity,
        measured_seconds: measurement.value,
        predicted_seconds: range.median,
        low_seconds: range.low,
        high_seconds: range.high,
        relative_error: range.median / measurement.value - 1.0,
        left_out_relative_error: left_out(|left| left.relative_error),
        left_out_predicted_seconds: left_out(|left| left.predicted),
        left_out_low_seconds: left_out(|left| left.low),
        left_out_high_seconds: left_out(|left| left.high),
        alone_identifies: of_row.and_then(|row| row.alone_identifies.clone()),
    })
}

/// The predicted range of a duration.
fn seconds_of(quantity: Quantity, prediction: &Prediction) -> Option<Range> {
    match quantity {
        Quantity::Backup => Some(prediction.backup.seconds),
        Quantity::Verify => prediction.verify.as_ref().map(|v| v.seconds),
        Quantity::Restore => prediction.restore.as_ref().map(|r| r.seconds),
        Quantity::Total => Some(prediction.total_seconds),
        Quantity::WrittenBytes | Quantity::ProcessorPercent => None,
    }
}

/// Spearman's rank correlation of measured and predicted backups.
fn rank_correlation(rows: &[RowValidation]) -> Option<f64> {
    let backups = rows.iter().filter(|row| row.operation == Quantity::Backup);
    let (measured, predicted): (Vec<f64>, Vec<f64>) =
        backups.map(|row| (row.measured_seconds, row.predicted_seconds)).unzip();
    if measured.len() < 3 {
        return None;
    }
    let (a, b) = (ranks(&measured), ranks(&predicted));
    let middle = mean(&a);
    let product = |a: &[f64], b: &[f64]| -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - middle) * (b - middle)).sum()
    };
    let spread = libm::sqrt(product(&a, &a) * product(&b, &b));
    (spread > 0.0).then(|| product(&a, &b) / spread)
}

/// The rank of each value; equal ones share theirs.
fn ranks(values: &[f64]) -> Vec<f64> {
    let rank = |value: &f64| {
        let less = values.iter().filter(|v| *v < value).count();
        let same = values.iter().filter(|v| v.total_cmp(value).is_eq()).count();
        less as f64 + (same as f64 + 1.0) / 2.0
    };
    values.iter().map(rank).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / (values.len() as f64).max(1.0)
}
