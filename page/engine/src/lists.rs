//! `scenarios`, `show`, `knobs`, `resolve`: what there is, and what a scenario leaves to defaults.

use bakcast_calibration::articles;
use bakcast_report::document::{KnobEntry, KnobsResult, ScenarioEntry};
use bakcast_scenarios::predict::PredictOptions;
use bakcast_scenarios::{Scenario, knobs as all_knobs, shipped};
use serde::Serialize;

use crate::choice::Choice;
use crate::envelope::{of_scenario, run_of, run_without_scenario, written};
use crate::failure::Failure;
use crate::request::Request;

/// The shipped scenarios.
#[derive(Debug, Serialize)]
struct ScenariosResult {
    scenarios: Vec<Entry>,
}

/// A shipped scenario, with what was measured.
#[derive(Debug, Serialize)]
struct Entry {
    #[serde(flatten)]
    entry: ScenarioEntry,
    /// The article whose table it describes.
    #[serde(skip_serializing_if = "Option::is_none")]
    article: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    measured: Vec<MeasuredRow>,
}

/// A duration that somebody measured.
#[derive(Debug, Serialize)]
struct MeasuredRow {
    /// The row of the article, and the variant of the scenario.
    row: &'static str,
    operation: &'static str,
    seconds: f64,
}

pub(crate) fn scenarios(_request: &Request) -> Result<String, Failure> {
    let entry = |name: &str| -> Result<Entry, Failure> {
        let loaded = Scenario::load(name, None, &[])?;
        let article = articles().iter().find(|a| a.embedded.is_none() && a.scenario == name);
        let durations = article.iter().flat_map(|a| &a.measurements);
        let durations = durations.filter(|m| m.quantity.is_duration());
        Ok(Entry {
            entry: ScenarioEntry::new(&loaded),
            article: article.map(|article| article.id.as_str()),
            measured: durations
                .map(|m| MeasuredRow {
                    row: &m.row,
                    operation: m.quantity.name(),
                    seconds: m.value,
                })
                .collect(),
        })
    };
    let scenarios = shipped().iter().map(|shipped| entry(shipped.name));
    let result = ScenariosResult { scenarios: scenarios.collect::<Result<_, _>>()? };
    let run = run_without_scenario("scenarios", &PredictOptions::default());
    written(run, Vec::new(), result)
}

/// A scenario as TOML.
#[derive(Debug, Serialize)]
struct ShowResult {
    #[serde(flatten)]
    entry: ScenarioEntry,
    /// With every default written out, after variant, statement and assignments.
    resolved_toml: String,
}

/// The file word for word, and the scenario as it stands.
pub(crate) fn show(request: &Request) -> Result<String, Failure> {
    let choice = Choice::new(request)?;
    let loaded = choice.load()?;
    let toml = choice.document.text().to_string();
    let entry = ScenarioEntry { toml: Some(toml), ..ScenarioEntry::new(&loaded) };
    let result = ShowResult { entry, resolved_toml: loaded.to_toml() };
    let warnings = of_scenario(&loaded).collect();
    written(run_of("show", &request.options()?, &loaded), warnings, result)
}

/// A scenario with all its defaults: they are the `inputs` of the document.
#[derive(Debug, Serialize)]
struct ResolveResult {
    scenario: String,
    title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
}

pub(crate) fn resolve(request: &Request) -> Result<String, Failure> {
    let loaded = Choice::new(request)?.load()?;
    let result = ResolveResult {
        scenario: loaded.name.clone(),
        title: loaded.resolved.title.clone(),
        source: loaded.resolved.source.clone(),
    };
    let warnings = of_scenario(&loaded).collect();
    written(run_of("resolve", &request.options()?, &loaded), warnings, result)
}

pub(crate) fn knobs(request: &Request) -> Result<String, Failure> {
    let word = request.word.as_deref().unwrap_or_default().to_lowercase();
    let has = |text: &str| text.to_lowercase().contains(&word);
    let chosen = all_knobs().iter().filter(|knob| has(&knob.path) || has(&knob.comment));
    let knobs: Vec<_> = chosen.map(KnobEntry::from).collect();
    if knobs.is_empty() {
        return Err(Failure::usage(format!("no knob speaks of `{word}`")));
    }
    let result = KnobsResult { filter: request.word.clone(), knobs };
    written(run_without_scenario("knobs", &request.options()?), Vec::new(), result)
}
