//! Evidence: the articles' tables, fits to them, and the errors the fits leave.
//!
//! A measured number lives in `data/` and is never edited; what a fit found lives in `fitted/` and
//! is rewritten only by the `refit` command; the shipped scenarios carry the fitted values.

mod article;
mod claims;
mod evaluate;
mod fit;
mod record;
mod rewrite;
mod search;
mod table;
mod validate;

pub use article::{Article, Claim, Free, articles, find};
pub use evaluate::{Operation, RowPrediction, evaluate};
pub use fit::{FitOptions, Fitted, fit};
pub use record::{ParameterRecord, Record, RowRecord, record};
pub use rewrite::rewrite_scenario;
pub use table::{Measurement, TableError, read_table};
pub use validate::{
    ArticleValidation, ClaimResult, RowValidation, Validation, ValidationError, validate,
};
