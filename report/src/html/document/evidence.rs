//! What the numbers of a page rest on: measurements, a fit, or data sheets alone.

use bakcast_calibration::{FoldRecord, Quantity, RowRecord, articles, record};
use bakcast_scenarios::Loaded;
use serde::Serialize;

/// What a scenario was fitted to, and how far off it was.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EvidenceResult {
    /// Where the figures of the scenario come from, as it says itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// What its parameters were fitted to, as its ensemble says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fitted_to: Option<String>,
    /// Parameter sets that all agree with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameter_sets: Option<usize>,
    /// The published series that a shipped scenario describes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub article: Option<ArticleEvidence>,
    /// How far predictions without any fit were off elsewhere; absent where there was a fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unmeasured: Option<UnmeasuredEvidence>,
}

/// Measured beside fitted, row by row.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ArticleEvidence {
    /// The series.
    pub id: String,
    /// What it measured.
    pub title: String,
    /// Durations that were measured.
    pub rows: Vec<EvidenceRow>,
    /// Mean of |relative error| over the rows.
    pub mean_absolute_relative_error: f64,
    /// The largest.
    pub max_absolute_relative_error: f64,
    /// The same mean over rows that the fit had not seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out_mean_absolute_relative_error: Option<f64>,
    /// How many of the rows left out lay in their range, and of how many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out_in_range: Option<(usize, usize)>,
}

/// One measured duration.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EvidenceRow {
    /// The row.
    pub row: String,
    /// backup, verify, restore or total.
    pub operation: &'static str,
    /// As measured.
    pub measured_seconds: f64,
    /// As fitted, variation from night to night off.
    pub fitted_seconds: f64,
    /// fitted / measured - 1.
    pub relative_error: f64,
    /// Predicted by a fit that had not seen the row: duration and relative error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out_seconds: Option<f64>,
    /// Its relative error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out_relative_error: Option<f64>,
}

/// What predictions from data sheets alone were worth for the series that are shipped.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UnmeasuredEvidence {
    /// Durations that were predicted so.
    pub figures: usize,
    /// Mean of |relative error|, of the series that came out best.
    pub best_mean_absolute_relative_error: f64,
    /// The same of the one that came out worst.
    pub worst_mean_absolute_relative_error: f64,
}

impl EvidenceResult {
    /// That of a scenario.
    #[must_use]
    pub fn of(loaded: &Loaded) -> Self {
        let ensemble = loaded.scenario.ensemble.as_ref();
        EvidenceResult {
            source: loaded.scenario.source.clone(),
            fitted_to: ensemble.and_then(|ensemble| ensemble.source.clone()),
            parameter_sets: ensemble.map(bakcast_scenarios::schema::Ensemble::members),
            article: ensemble.and_then(|_| article(&loaded.name)),
            unmeasured: if ensemble.is_none() { unmeasured() } else { None },
        }
    }
}

/// The series that a shipped scenario of this name describes.
fn article(name: &str) -> Option<ArticleEvidence> {
    let scenario = name.split(':').next().unwrap_or(name);
    let article = articles().iter().find(|a| a.scenario == scenario && a.embedded.is_none())?;
    let record = record(&article.id)?;
    let durations = record.row.iter().filter(|row| row.operation.is_duration());
    let rows: Vec<EvidenceRow> = durations.clone().map(EvidenceRow::from).collect();
    let left_out: Vec<(f64, bool)> = durations
        .filter_map(|row| row.left_out.as_ref().map(|out| (row.measured, out)))
        .map(|(measured, out)| (out.relative_error, (out.low..=out.high).contains(&measured)))
        .collect();
    let in_range = left_out.iter().filter(|(_, covered)| *covered).count();
    let has_left_out = !left_out.is_empty();
    Some(ArticleEvidence {
        id: article.id.clone(),
        title: article.title.clone(),
        mean_absolute_relative_error: mean(rows.iter().map(|row| row.relative_error)),
        max_absolute_relative_error: largest(rows.iter().map(|row| row.relative_error)),
        left_out_mean_absolute_relative_error: has_left_out
            .then(|| mean(left_out.iter().map(|(error, _)| *error))),
        left_out_in_range: has_left_out.then_some((in_range, left_out.len())),
        rows,
    })
}

impl From<&RowRecord> for EvidenceRow {
    fn from(row: &RowRecord) -> Self {
        let operation: Quantity = row.operation;
        EvidenceRow {
            row: row.row.clone(),
            operation: operation.name(),
            measured_seconds: row.measured,
            fitted_seconds: row.predicted,
            relative_error: row.relative_error,
            left_out_seconds: row.left_out.as_ref().map(|out| out.predicted),
            left_out_relative_error: row.left_out.as_ref().map(|out| out.relative_error),
        }
    }
}

/// The series with a part that was fitted on nothing.
fn unmeasured() -> Option<UnmeasuredEvidence> {
    let fitted = articles().iter().filter_map(|article| record(&article.id));
    let folds: Vec<FoldRecord> = fitted
        .flat_map(|record| record.fold)
        .filter(|fold| fold.fitted_on.starts_with("nothing"))
        .collect();
    let means = || folds.iter().map(|fold| fold.mean_absolute_relative_error);
    (!folds.is_empty()).then(|| UnmeasuredEvidence {
        figures: folds.iter().map(|fold| fold.relative_errors.len()).sum(),
        best_mean_absolute_relative_error: means().fold(f64::INFINITY, f64::min),
        worst_mean_absolute_relative_error: means().fold(0.0, f64::max),
    })
}

fn mean(errors: impl Iterator<Item = f64> + Clone) -> f64 {
    errors.clone().map(f64::abs).sum::<f64>() / errors.count().max(1) as f64
}

fn largest(errors: impl Iterator<Item = f64>) -> f64 {
    errors.map(f64::abs).fold(0.0, f64::max)
}
