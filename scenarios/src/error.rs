//! Why a scenario could not be loaded.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::problem::Problems;
use crate::words;

/// Why a scenario could not be loaded.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ScenarioError {
    /// No scenario of this name is shipped.
    #[error(
        "there is no shipped scenario `{name}`{}; shipped: {}; a file of yours is named with \
         its folder or `.toml`",
        meant(.suggestion.as_deref()),
        words::listed(.known.iter().copied())
    )]
    UnknownScenario {
        /// The name as given.
        name: String,
        /// The shipped name it was probably meant to be.
        suggestion: Option<&'static str>,
        /// Every shipped name.
        known: Vec<&'static str>,
    },
    /// The scenario has no variant of this name.
    #[error(
        "scenario `{scenario}` has no variant `{variant}`{}; variants: {}",
        meant(.suggestion.as_deref()),
        words::listed(.known.iter().map(String::as_str))
    )]
    UnknownVariant {
        /// The scenario.
        scenario: String,
        /// The variant as given.
        variant: String,
        /// The variant it was probably meant to be.
        suggestion: Option<String>,
        /// Its variants, in the order of the file.
        known: Vec<String>,
    },
    /// The file cannot be read.
    #[error("cannot read `{}`: {source}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The path is a folder.
    #[error("`{}` is a folder, not a scenario file", .path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
    },
    /// The file is larger than a scenario can be.
    #[error("`{}` is larger than {} KiB: that is no scenario file", .path.display(), .limit / 1024)]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The most bytes a scenario may have.
        limit: u64,
    },
    /// The file is not UTF-8 text.
    #[error("`{name}` is not UTF-8 text (byte {offset}): {reason}")]
    NotText {
        /// The file.
        name: String,
        /// Where the first byte stands that is no text.
        offset: usize,
        /// What it looks like, and what to do about it.
        reason: &'static str,
    },
    /// The file holds nothing.
    #[error("`{name}` is empty; `bakcast scenarios --show NAME` prints one to start from")]
    Empty {
        /// The file.
        name: String,
    },
    /// An assignment without `=`.
    #[error("`{found}` is no assignment: write PATH=VALUE, e.g. `backup.buffer_count=64`")]
    NotAnAssignment {
        /// The text as found.
        found: String,
    },
    /// The scenario has problems.
    #[error("{0}")]
    Problems(Box<Problems>),
}

fn meant(suggestion: Option<&str>) -> String {
    suggestion.map(|name| format!(", did you mean `{name}`?")).unwrap_or_default()
}

impl ScenarioError {
    /// The problems of the scenario, if that is what is wrong.
    #[must_use]
    pub fn problems(&self) -> Option<&Problems> {
        match self {
            ScenarioError::Problems(problems) => Some(problems),
            _ => None,
        }
    }

    /// Whether the file itself could not be read, as opposed to not being understood.
    #[must_use]
    pub const fn is_file_error(&self) -> bool {
        matches!(self, ScenarioError::Unreadable { .. } | ScenarioError::Folder { .. })
    }
}
