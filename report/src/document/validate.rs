//! What `validate` finds: the articles' measured rows beside the predicted ones.

use bakcast_calibration::{ArticleValidation, RowValidation, Validation};
use serde::Serialize;

/// Every article asked for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ValidateResult {
    /// Share of runs that the ranges cover.
    pub level: f64,
    /// One entry an article.
    pub articles: Vec<ArticleValidation>,
}

impl ValidateResult {
    /// The result of a validation with ranges of this level.
    #[must_use]
    pub fn new(validation: Validation, level: f64) -> Self {
        ValidateResult { level, articles: validation.articles }
    }

    /// The fitted row with the largest error, and its article.
    #[must_use]
    pub fn worst_row(&self) -> Option<(&ArticleValidation, &RowValidation)> {
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
