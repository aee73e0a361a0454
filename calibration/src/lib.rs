//! Evidence: the articles' tables and a user's own runs, fits to them, and the errors the fits
//! leave.
//!
//! A measured number lives in `data/` and is never edited; what a fit found lives in `fitted/` and
//! is rewritten only by the `refit` command; the shipped scenarios carry the fitted values and the
//! ensemble of all that are consistent with the measurements.

mod article;
mod article_fit;
mod calibrate;
mod candidates;
mod choice;
mod claims;
mod design;
mod emulator;
mod ensemble;
mod error;
mod evaluate;
pub mod experiments;
mod explore;
mod fit;
mod left_out;
mod matrix;
mod parameters;
mod posterior;
mod priors;
mod problem;
mod queries;
mod record;
mod rewrite;
mod runs;
mod search;
mod stored;
mod table;
mod target;
mod validate;

pub use article::{Article, Claim, Fold, articles, find};
pub use article_fit::{FittedArticle, fit_article};
pub use calibrate::{CalibrateOptions, CalibratedRow, Calibration, FreeKnob, calibrate};
pub use design::{Design, ProposedRun, Question, design};
pub use ensemble::{Ensemble, EnsembleParameter, MEMBERS};
pub use error::CalibrationError;
pub use evaluate::{RowPrediction, evaluate};
pub use fit::{FitOptions, Progress, Stopped, Tell};
pub use parameters::Parameter;
pub use problem::{Case, Free, Observation, Problem, Quantity};
pub use queries::{BACKUP_HISTORY, BACKUP_HISTORY_REMARK};
pub use record::{FoldRecord, LeftOutRecord, Record, RowRecord};
pub use rewrite::{rewrite_scenario, rewrite_variants};
pub use runs::{Figure, Measured, MeasuredRun, RunsError, parse_runs, read_runs};
pub use stored::record;
pub use table::{Measurement, TableError, read_table};
pub use validate::{ArticleValidation, ClaimResult, RowValidation, Validation, validate};
