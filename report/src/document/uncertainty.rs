//! What the fit leaves open: the ensemble that nights take their parameters of.

use bakcast_scenarios::Loaded;
use serde::Serialize;

/// The parameter sets that the ranges go over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UncertaintyResult {
    /// How many parameter sets there are.
    pub members: usize,
    /// The parameters they differ in.
    pub parameters: Vec<ParameterResult>,
    /// What they were fitted on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// One parameter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ParameterResult {
    /// Its name.
    pub name: String,
    /// The knobs that take its value.
    pub paths: Vec<String>,
}

impl UncertaintyResult {
    /// That of a scenario; nothing if it has no ensemble.
    #[must_use]
    pub fn of(loaded: &Loaded) -> Option<Self> {
        let ensemble = loaded.scenario.ensemble.as_ref()?;
        let parameters = ensemble.parameter.iter().map(|(name, parameter)| ParameterResult {
            name: name.clone(),
            paths: parameter.paths.clone(),
        });
        Some(UncertaintyResult {
            members: ensemble.members(),
            parameters: parameters.collect(),
            source: ensemble.source.clone(),
        })
    }

    /// How many parameter sets, in words.
    #[must_use]
    pub fn sets(&self) -> String {
        match self.members {
            1 => "1 parameter set".to_string(),
            members => format!("{members} parameter sets"),
        }
    }

    /// What the ranges hold, in words that go on from "ranges".
    #[must_use]
    pub fn sentence(&self) -> String {
        format!("include what the fit leaves open: {}", self.sets())
    }
}
