//! One file a command; each returns what is to be written, and prints nothing.

mod ask;
mod calibrate;
mod compare;
mod completions;
mod devices;
mod explain;
mod import;
mod knobs;
mod man;
mod need;
mod night;
mod opened;
mod plan;
mod plot;
mod predict;
mod recommend;
mod report;
mod scenarios;
mod schema;
mod settings;
mod sweep;
mod teach;
mod trace;
mod usage;
mod validate;

use bakcast_report::document::PrecisionResult;
use bakcast_report::{Run, Warning};
use bakcast_scenarios::Loaded;
use bakcast_scenarios::predict::{PredictOptions, Prediction};

use crate::args::{Cli, Command, ScenarioChoice};
use crate::exit::Failure;
use crate::output::{Outputs, Reply};

/// Runs the command that was given.
pub(crate) fn run(cli: &Cli, outputs: &Outputs) -> Result<Reply, Failure> {
    let options = cli.global.options()?;
    match &cli.command {
        Command::Predict(arguments) => predict::run(arguments, &options, outputs),
        Command::Explain(arguments) => explain::run(arguments, &options, outputs),
        Command::Ask(arguments) => ask::run(arguments, &options, outputs),
        Command::Need(arguments) => need::run(arguments, &options, outputs),
        Command::Compare(arguments) => compare::run(arguments, &options, outputs),
        Command::Sweep(arguments) => sweep::run(arguments, &cli.global, outputs),
        Command::Recommend(arguments) if arguments.schedule => {
            recommend::run(arguments, &options, outputs)
        }
        Command::Recommend(arguments) => settings::run(arguments, &options, outputs),
        Command::Plan(arguments) => plan::run(arguments, &options, outputs),
        Command::Plot(arguments) => plot::run(arguments, &cli.global, outputs),
        Command::Report(arguments) => report::run(arguments, &cli.global, outputs),
        Command::Calibrate(arguments) => calibrate::run(arguments, &cli.global, outputs),
        Command::Import(arguments) => import::run(arguments, &options, outputs),
        Command::Trace(arguments) => trace::run(arguments, &options, outputs),
        Command::Validate(arguments) => validate::run(arguments, &options, outputs),
        Command::Scenarios(arguments) => scenarios::run(arguments, &options, outputs),
        Command::Devices(arguments) => devices::run(arguments, &options, outputs),
        Command::Knobs(arguments) => knobs::run(arguments, &options, outputs),
        Command::Teach(arguments) => teach::run(arguments, outputs),
        Command::Schema => schema::run(outputs),
        Command::Completions(arguments) => completions::run(arguments, outputs),
        Command::Man(arguments) => man::run(arguments, outputs),
    }
}

/// The envelope of a command on a scenario.
fn run_of(command: &'static str, options: &PredictOptions, loaded: &Loaded) -> Run {
    Run { inputs: loaded.resolved_inputs(), ..run_without_scenario(command, options) }
}

/// The envelope of a command on no scenario.
fn run_without_scenario(command: &'static str, options: &PredictOptions) -> Run {
    Run {
        command,
        version: env!("CARGO_PKG_VERSION"),
        options: *options,
        inputs: serde_json::json!({}),
    }
}

/// Warnings about the scenario, then about what came out, then about how it is run.
fn warnings(
    loaded: &Loaded,
    prediction: &Prediction,
    options: &PredictOptions,
    precision: Option<PrecisionResult>,
) -> Vec<Warning> {
    let of_scenario = loaded.resolved.warnings.iter().map(Warning::from);
    let found = prediction.warnings(&loaded.resolved);
    let found: Vec<Warning> = found.iter().map(Warning::from).collect();
    of_scenario.chain(found).chain(run_warnings(options, precision)).collect()
}

/// Warnings about how it is run.
fn run_warnings(
    options: &PredictOptions,
    precision: Option<PrecisionResult>,
) -> impl Iterator<Item = Warning> {
    let few = Warning::few_replications(options).into_iter();
    few.chain(Warning::precision_not_reached(precision))
}

/// The options with the number of nights that it has taken.
fn as_run(options: &PredictOptions, replications: u32) -> PredictOptions {
    PredictOptions { replications, ..*options }
}

/// Values replaced, as they were given.
fn given(choice: &ScenarioChoice) -> Vec<String> {
    choice.set.iter().map(ToString::to_string).collect()
}
