//! Scenario files: the table of knobs, checking, resolving.
//!
//! A scenario file is TOML. [`schema`] says what it may hold, field by field, and is the one place
//! where a knob is named, documented, bounded and given its default; [`knobs`] is the list read
//! off it. Loading ([`Scenario::load`], [`Document::load`]) takes a file or a shipped scenario,
//! applies a variant and assignments ([`Set`]), checks everything at once and reports every
//! problem with its line ([`Problems`]), and ends in a [`Resolved`] scenario: what
//! `bakcast_models` can run, with no option left open.
//!
//! ```
//! use bakcast_scenarios::{Scenario, Set};
//!
//! let sets = [Set::parse("backup.buffer_count=64")?];
//! let loaded = Scenario::load_reference("nvme-knob-matrix:5", &sets)?;
//! assert_eq!(loaded.resolved.backup.buffers.count, 64);
//! # Ok::<(), bakcast_scenarios::ScenarioError>(())
//! ```

mod base;
mod check;
mod ensemble;
mod error;
mod inputs;
mod jobs;
mod knob;
mod library;
mod load;
mod path;
mod place;
pub mod predict;
mod problem;
mod reference;
mod resolve;
pub mod schema;
mod set;
mod shape;
mod shipped;
mod statement;
mod text;
mod tree;
mod warning;
mod words;

pub use base::Base;
pub use error::ScenarioError;
pub use jobs::{JobColumn, JobPlace, MOST_JOBS, job_columns};
pub use knob::{
    Knob, NAME, find as find_knob, json_schema, knobs, knobs_markdown, short_knob, short_knobs,
};
pub use library::{
    LibraryEntry, LibraryKind, LibraryPrior, LibraryValue, Prior, library, library_entry,
    prior_for, prior_of,
};
pub use load::{Document, LARGEST_FILE, Loaded, VariantSummary};
pub use problem::{Problem, ProblemKind, Problems};
pub use reference::{Reference, ScenarioOrigin};
pub use resolve::{
    Members, Night, NightJob, NightServer, ResolveError, Resolved, Restoration, Verification,
};
pub use schema::Scenario;
pub use set::Set;
pub use shipped::{Shipped, find as find_shipped, find_table as find_shipped_table, shipped};
pub use statement::{
    Encryption, LARGEST_TEXT, MOST_PROBLEMS, Note, Statement, StatementForm, StatementKind,
    StatementProblems, Target, TargetKind, Translation, Unresolved, backup_statement,
    check_blob_size, dbatools_call, ola_call, parse_named, parse_statements, restore_statement,
    verify_statement,
};
pub use text::{TextError, decode_text};
pub use warning::{Warning, WarningCode};
pub use words::{nearest as nearest_word, shown as shown_word};

#[cfg(test)]
mod tests;
