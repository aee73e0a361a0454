//! What is expected of a knob before anything was measured.

use std::sync::LazyLock;

use serde::Deserialize;

/// An expectation.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Prior {
    /// The end of the path; empty: any knob.
    pub(crate) key: String,
    /// One standard deviation, as a factor.
    pub(crate) factor: f64,
    /// Where it comes from.
    pub(crate) reason: String,
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
pub(crate) fn prior_of(path: &str) -> &'static Prior {
    static PRIORS: LazyLock<Vec<Prior>> = LazyLock::new(|| {
        let file: File = toml::from_str(include_str!("../data/priors.toml")).expect("priors");
        file.prior
    });
    let ends = |prior: &&Prior| path.ends_with(&prior.key);
    PRIORS.iter().find(ends).expect("the last one is for any knob")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_has_an_expectation_and_most_have_their_own() {
        assert!(prior_of("device.x.spindle.read_rate").reason.contains("rotating"));
        assert!(prior_of("compression.rate").reason.contains("MS_XPRESS"));
        assert!(prior_of("device.x.solid_state.latency").reason.contains("nothing"));
        assert!((prior_of("engine.start").factor - 2.5).abs() < 1e-12);
    }
}
