//! `explain`: where the time goes.

use bakcast_report::Document;
use bakcast_report::document::ExplainResult;
use bakcast_scenarios::predict::PredictOptions;
use bakcast_whatif::explain;

use super::{as_run, given, load, run_of, warnings};
use crate::args::Explain;
use crate::exit::{Exit, Failure};
use crate::output::{Outputs, Reply};
use crate::requirement::{Figures, unmet};

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
    let figures = Figures::of(&loaded, &explanation.prediction);
    let judged: Vec<_> = arguments.require.iter().map(|limit| limit.judge(&figures)).collect();
    let unmet = unmet(&judged, options.level);
    result.requirements = judged;
    let options = as_run(options, explanation.prediction.replications());
    let run = run_of("explain", &options, &loaded);
    let warnings = warnings(&loaded, &explanation.prediction, &options, result.precision);
    let mut reply = outputs.reply(&Document::new(run, warnings, result))?;
    reply.exit = if unmet.is_some() { Exit::NotMet } else { Exit::Done };
    reply.unmet = unmet;
    reply.messages.extend(loaded.notes.iter().map(|note| format!("note: {note}")));
    Ok(reply)
}
