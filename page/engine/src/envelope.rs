//! What stands around every result.

use bakcast_report::document::PrecisionResult;
use bakcast_report::{Document, Run, Warning, json};
use bakcast_scenarios::Loaded;
use bakcast_scenarios::predict::{PredictOptions, Prediction};
use serde::Serialize;

use crate::failure::Failure;

/// The envelope of a command on a scenario.
pub(crate) fn run_of(command: &'static str, options: &PredictOptions, loaded: &Loaded) -> Run {
    Run { inputs: loaded.resolved_inputs(), ..run_without_scenario(command, options) }
}

/// The envelope of a command on no scenario.
pub(crate) fn run_without_scenario(command: &'static str, options: &PredictOptions) -> Run {
    Run {
        command,
        version: env!("CARGO_PKG_VERSION"),
        options: *options,
        inputs: serde_json::json!({}),
    }
}

/// The document as text.
pub(crate) fn written<R: Serialize>(
    run: Run,
    warnings: Vec<Warning>,
    result: R,
) -> Result<String, Failure> {
    Ok(json::render(&Document::new(run, warnings, result))?)
}

/// Warnings about the scenario, then about what came out, then about how it is run.
pub(crate) fn warnings(
    loaded: &Loaded,
    prediction: &Prediction,
    options: &PredictOptions,
    precision: Option<PrecisionResult>,
) -> Vec<Warning> {
    let found = prediction.warnings(&loaded.resolved);
    let found: Vec<Warning> = found.iter().map(Warning::from).collect();
    of_scenario(loaded).chain(found).chain(of_run(options, precision)).collect()
}

/// Warnings about the scenario.
pub(crate) fn of_scenario(loaded: &Loaded) -> impl Iterator<Item = Warning> + '_ {
    loaded.resolved.warnings.iter().map(Warning::from)
}

/// Warnings about how it is run.
pub(crate) fn of_run(
    options: &PredictOptions,
    precision: Option<PrecisionResult>,
) -> impl Iterator<Item = Warning> {
    let few = Warning::few_replications(options).into_iter();
    few.chain(Warning::precision_not_reached(precision))
}

/// The options with the number of nights that it has taken.
pub(crate) fn as_run(options: &PredictOptions, replications: u32) -> PredictOptions {
    PredictOptions { replications, ..*options }
}
