//! What `validate` finds: the articles' measured rows beside the predicted ones.

use bakcast_calibration::{ArticleValidation, RowValidation, Validation};
use bakcast_scenarios::predict::{PredictOptions, Reached};
use serde::Serialize;

use super::PrecisionResult;

/// Every article asked for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ValidateResult {
    /// Share of runs that the ranges cover.
    pub level: f64,
    /// Most runs of a row.
    #[serde(skip)]
    pub replications: u32,
    /// How well the medians are known, if a precision was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub precision: Option<PrecisionResult>,
    /// One entry an article.
    pub articles: Vec<ArticleValidation>,
    /// One entry a smaller public table.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub public_sets: Vec<ArticleValidation>,
}

impl ValidateResult {
    /// The result of a validation.
    #[must_use]
    pub fn new(validation: Validation, options: &PredictOptions) -> Self {
        let Validation { articles, public_sets } = validation;
        let all = || articles.iter().chain(&public_sets);
        let reached = all().filter_map(|article| article.precision);
        let reached = reached.reduce(Reached::worse);
        let replications = all().map(|article| article.replications).max();
        let replications = replications.unwrap_or(options.replications);
        ValidateResult {
            level: options.level,
            replications,
            precision: PrecisionResult::new(reached, options, replications),
            articles,
            public_sets,
        }
    }

    /// Articles, then public sets.
    pub fn all(&self) -> impl Iterator<Item = &ArticleValidation> {
        self.articles.iter().chain(&self.public_sets)
    }

    /// What is shown in full: the articles, or a public set if it was asked for.
    #[must_use]
    pub fn in_full(&self) -> &[ArticleValidation] {
        if self.articles.is_empty() { &self.public_sets } else { &self.articles }
    }

    /// The fitted row with the largest error, and its article.
    #[must_use]
    pub fn worst_row(&self) -> Option<(&ArticleValidation, &RowValidation)> {
        let rows = self.in_full().iter().flat_map(|a| a.rows.iter().map(move |row| (a, row)));
        rows.max_by(|a, b| a.1.relative_error.abs().total_cmp(&b.1.relative_error.abs()))
    }

    /// Claims that hold, and all claims.
    #[must_use]
    pub fn claims_held(&self) -> (usize, usize) {
        let claims = || self.all().flat_map(|article| &article.claims);
        (claims().filter(|claim| claim.holds).count(), claims().count())
    }
}
