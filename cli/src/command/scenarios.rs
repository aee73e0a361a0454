//! `scenarios`: what is shipped.

use bakcast_report::document::{ScenarioEntry, ScenariosResult};
use bakcast_report::{Document, Format};
use bakcast_scenarios::predict::PredictOptions;
use bakcast_scenarios::{self as scenario, Reference, Scenario};

use super::run_without_scenario;
use crate::args::Scenarios;
use crate::exit::Failure;
use crate::output::{Outputs, Reply};

pub(super) fn run(
    arguments: &Scenarios,
    options: &PredictOptions,
    outputs: &Outputs,
) -> Result<Reply, Failure> {
    outputs.formats()?;
    if let Some(table) = arguments.show.as_deref().and_then(scenario::find_shipped_table) {
        return outputs.verbatim(table.to_string(), &[Format::Text, Format::Csv]);
    }
    let scenarios = match &arguments.show {
        Some(name) => vec![shown(name)?],
        None => entries()?,
    };
    let run = run_without_scenario("scenarios", options);
    outputs.reply(&Document::new(run, Vec::new(), ScenariosResult { scenarios }))
}

/// Every shipped scenario.
pub(super) fn entries() -> Result<Vec<ScenarioEntry>, Failure> {
    let entry = |shipped: &scenario::Shipped| {
        Ok(ScenarioEntry::new(&Scenario::load(shipped.name, None, &[])?))
    };
    scenario::shipped().iter().map(entry).collect()
}

/// One scenario with its file: as it is, or one variant with every default written out.
fn shown(name: &str) -> Result<ScenarioEntry, Failure> {
    let Reference { origin, variant } = Reference::parse(name);
    let document = scenario::Document::open(&origin)?;
    let loaded = document.load(variant.as_deref(), &[])?;
    let toml = match variant {
        Some(_) => loaded.to_toml(),
        None => document.text().to_string(),
    };
    Ok(ScenarioEntry { toml: Some(toml), ..ScenarioEntry::new(&loaded) })
}
