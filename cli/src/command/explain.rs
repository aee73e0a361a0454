//! `explain`: where the time goes.

use bakcast_report::Document;
use bakcast_report::document::ExplainResult;
use bakcast_scenarios::predict::PredictOptions;
use bakcast_whatif::explain;

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
    let options = as_run(options, explanation.prediction.replications());
    let run = run_of("explain", &options, &loaded);
    let warnings = warnings(&loaded, &explanation.prediction, &options, result.precision);
    let mut reply = outputs.reply(&Document::new(run, warnings, result))?;
    reply.messages.extend(loaded.notes.iter().map(|note| format!("note: {note}")));
    Ok(reply)
}
