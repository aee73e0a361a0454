//! What `scenarios` and `knobs` list.

use bakcast_scenarios::{Knob, Loaded};
use serde::Serialize;

/// The shipped scenarios.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScenariosResult {
    /// One entry a scenario.
    pub scenarios: Vec<ScenarioEntry>,
}

/// A shipped scenario.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScenarioEntry {
    /// What the command line calls it.
    pub name: String,
    /// What it is, in one line.
    pub title: String,
    /// Where its figures come from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Its variants.
    pub variants: Vec<VariantEntry>,
    /// The file, word for word; only where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub toml: Option<String>,
}

/// A variant of a scenario.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct VariantEntry {
    /// What the command line calls it: `NAME:VARIANT`.
    pub name: String,
    /// What it is, in one line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Where its figures come from, if not from where the scenario's do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

impl ScenarioEntry {
    /// The entry of a scenario that was loaded without a variant.
    #[must_use]
    pub fn new(loaded: &Loaded) -> Self {
        let variants = loaded.variants.iter().map(|variant| VariantEntry {
            name: format!("{}:{}", loaded.name, variant.name),
            title: variant.title.clone(),
            source: variant.source.clone(),
        });
        ScenarioEntry {
            name: loaded.name.clone(),
            title: loaded.resolved.title.clone(),
            source: loaded.resolved.source.clone(),
            variants: variants.collect(),
            toml: None,
        }
    }
}

/// The knobs of a scenario.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KnobsResult {
    /// The word they were chosen by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filter: Option<String>,
    /// One entry a knob.
    pub knobs: Vec<KnobEntry>,
}

/// One knob.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KnobEntry {
    /// Keys from the top, with dots between; `<name>` stands for a name of the user's.
    pub path: String,
    /// What it accepts, in words.
    pub accepted: String,
    /// Its value when it is not written, as TOML.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    /// Whether its table is incomplete without it.
    pub required: bool,
    /// A value it accepts.
    pub example: String,
    /// What it is.
    pub comment: String,
}

impl From<&Knob> for KnobEntry {
    fn from(knob: &Knob) -> Self {
        KnobEntry {
            path: knob.path.clone(),
            accepted: knob.accepted.clone(),
            default: knob.default.clone(),
            required: knob.required,
            example: knob.example.clone(),
            comment: knob.comment.split_whitespace().collect::<Vec<_>>().join(" "),
        }
    }
}
