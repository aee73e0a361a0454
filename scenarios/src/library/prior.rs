//! What is expected of a knob by its kind, where neither a measurement nor an entry of the library
//! says more.

use std::sync::LazyLock;

use serde::Deserialize;

/// An expectation.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prior {
    /// The end of the path; empty: any knob.
    pub key: String,
    /// One standard deviation, as a factor.
    pub factor: f64,
    /// Where it comes from.
    pub reason: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    prior: Vec<Prior>,
}

/// The expectation of the knob at this path.
///
/// # Panics
/// If the embedded file cannot be read: our bug, and a test reads it.
#[must_use]
pub fn prior_of(path: &str) -> &'static Prior {
    static PRIORS: LazyLock<Vec<Prior>> = LazyLock::new(|| {
        let file: File = toml::from_str(include_str!("../../library/priors.toml")).expect("priors");
        file.prior
    });
    let ends = |prior: &&Prior| path.ends_with(&prior.key);
    PRIORS.iter().find(ends).expect("the last one is for any knob")
}
