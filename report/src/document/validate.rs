//! What `validate` finds: the articles' measured rows beside the predicted ones.

use serde::Serialize;

/// Every article asked for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ValidateResult {
    /// Share of runs that the ranges cover.
    pub level: f64,
    /// One entry an article.
    pub articles: Vec<ArticleResult>,
}

/// One article.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ArticleResult {
    /// Its short name.
    pub id: String,
    /// What it is.
    pub title: String,
    /// Measured beside predicted.
    pub rows: Vec<RowResult>,
    /// Mean of the absolute relative errors.
    pub mean_absolute_relative_error: f64,
    /// The largest of them.
    pub max_absolute_relative_error: f64,
    /// Their mean when the fit did not see the row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out_mean_absolute_relative_error: Option<f64>,
    /// Share of rows whose measured value lies in the range.
    pub interval_coverage: f64,
    /// What the article claims, held against the prediction.
    pub claims: Vec<ClaimResult>,
}

/// One measured duration.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RowResult {
    /// Which row of the article.
    pub row: String,
    /// backup, verify or total.
    pub operation: String,
    /// As published.
    pub measured_seconds: f64,
    /// Median of the prediction.
    pub predicted_seconds: f64,
    /// Lower end of the range.
    pub low_seconds: f64,
    /// Upper end of the range.
    pub high_seconds: f64,
    /// Predicted over measured, less one.
    pub relative_error: f64,
    /// The same when the fit did not see this row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out_relative_error: Option<f64>,
}

/// One claim of an article.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClaimResult {
    /// Its short name.
    pub id: String,
    /// What is claimed.
    pub statement: String,
    /// Whether the prediction shows it.
    pub holds: bool,
    /// The figures it was judged by.
    pub evidence: String,
}

impl ValidateResult {
    /// The row with the largest error, and its article.
    #[must_use]
    pub fn worst_row(&self) -> Option<(&ArticleResult, &RowResult)> {
        let rows = self.articles.iter().flat_map(|a| a.rows.iter().map(move |row| (a, row)));
        rows.max_by(|a, b| a.1.relative_error.abs().total_cmp(&b.1.relative_error.abs()))
    }

    /// Claims that hold, and all claims.
    #[must_use]
    pub fn claims_held(&self) -> (usize, usize) {
        let claims = || self.articles.iter().flat_map(|article| &article.claims);
        (claims().filter(|claim| claim.holds).count(), claims().count())
    }
}
