//! The ensemble of a fit, as a scenario file carries it.

use crate::fit::Fit;
use crate::problem::{Free, Problem, significant};

/// Members of an ensemble: two for each night of a usual prediction.
pub const MEMBERS: usize = 64;

/// All values that one knob, or several that move as one, take.
#[derive(Debug, Clone, PartialEq)]
pub struct EnsembleParameter {
    /// What it goes by in the file.
    pub name: String,
    /// Paths of its knobs.
    pub paths: Vec<String>,
    /// Unit of the values; empty for a plain number.
    pub unit: String,
    /// One value a member.
    pub values: Vec<f64>,
}

/// An ensemble that is consistent with what was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Ensemble {
    /// What it was fitted on.
    pub source: String,
    /// Its parameters.
    pub parameters: Vec<EnsembleParameter>,
}

/// The ensemble of a fit.
pub(crate) fn ensemble(problem: &Problem, fit: &Fit, source: String) -> Ensemble {
    let members = fit.posterior.members(MEMBERS);
    let names = names(&problem.free);
    // What differs from configuration to configuration has no one value in the scenario.
    let general = problem.free.iter().enumerate().filter(|(_, free)| free.rows.is_empty());
    let parameters = general.zip(names).map(|((index, free), name)| EnsembleParameter {
        name,
        paths: free.paths.clone(),
        unit: free.unit.clone(),
        values: members
            .iter()
            .map(|m| significant(libm::exp10(m[index]), 4).clamp(free.low, free.high))
            .collect(),
    });
    Ensemble { source, parameters: parameters.collect() }
}

/// Short names, each once: the last words of the paths, as many as it takes.
fn names(free: &[Free]) -> Vec<String> {
    let general = || free.iter().filter(|free| free.rows.is_empty());
    let short = |free: &Free, words: usize| {
        let all: Vec<&str> = free.name().split('.').collect();
        all[all.len().saturating_sub(words)..].join("_")
    };
    let name = |one: &Free| {
        let unique = |words: usize| {
            general().filter(|other| short(other, words) == short(one, words)).count() == 1
        };
        let words = (1..8).find(|words| unique(*words)).unwrap_or(8);
        short(one, words)
    };
    general().map(name).collect()
}
