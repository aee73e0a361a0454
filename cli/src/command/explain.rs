//! `explain`: where the time goes.

use bakcast_report::Document;
use bakcast_report::document::{ExplainResult, SensitivityResult};
use bakcast_scenarios::Reference;
use bakcast_scenarios::predict::PredictOptions;
use bakcast_whatif::{explain, sensitivity};

use super::{as_run, given, load, run_of, warnings};
use crate::args::Explain;
use crate::exit::Failure;
use crate::output::{Outputs, Reply};

pub(super) fn run(
    arguments: &Explain,
    options: &PredictOptions,
    outputs: &Outputs,
) -> Result<Reply, Failure> {
    outputs.formats()?;
    let loaded = load("explain", &arguments.choice)?;
    outputs.announce(&loaded.resolved, options);
    let explanation = explain(&loaded.resolved, options)?;
    let mut result = ExplainResult::new(&loaded, &explanation, options);
    result.set = given(&arguments.choice);
    result.sql = arguments.choice.sql.clone();
    result.shows_sensitivity = arguments.sensitivity;
    if let Some(name) = &arguments.choice.scenario
        && (arguments.sensitivity || outputs.is_data())
    {
        let reference = Reference::parse(name);
        let document = bakcast_scenarios::Document::open(&reference.origin)?;
        let scenario = (&document, reference.variant.as_deref(), &arguments.choice.set[..]);
        let found = sensitivity(scenario, options, &|_, _| true)?;
        result.sensitivity = found.iter().map(SensitivityResult::new).collect();
    }
    let options = as_run(options, explanation.prediction.replications());
    let run = run_of("explain", &options, &loaded);
    let warnings = warnings(&loaded, &explanation.prediction, &options, result.precision);
    let mut reply = outputs.reply(&Document::new(run, warnings, result))?;
    reply.messages.extend(loaded.notes.iter().map(|note| format!("note: {note}")));
    Ok(reply)
}
