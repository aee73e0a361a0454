//! `predict`: how long it takes, and what limits it.

use bakcast_report::Document;
use bakcast_report::document::PredictResult;
use bakcast_scenarios::predict::{PredictOptions, predict};

use super::opened::Opened;
use super::{as_run, given, run_of, warnings};
use crate::args::Predict;
use crate::exit::{Exit, Failure};
use crate::output::{Outputs, Reply};
use crate::requirement::unmet;

pub(super) fn run(
    arguments: &Predict,
    options: &PredictOptions,
    outputs: &Outputs,
) -> Result<Reply, Failure> {
    outputs.formats()?;
    let opened = Opened::new("predict", &arguments.choice)?;
    let loaded = opened.load()?;
    if loaded.resolved.night.is_some() {
        return super::night::run(arguments, &loaded, options, outputs);
    }
    outputs.announce(&loaded.resolved, options);
    let prediction = predict(&loaded.resolved, options)?;
    let mut result = PredictResult::new(&loaded, &prediction, options);
    result.set = given(&arguments.choice);
    result.sql = arguments.choice.sql.clone();
    let figures = (&result).into();
    result.requirements = arguments.require.iter().map(|limit| limit.judge(&figures)).collect();
    let unmet = unmet(&result.requirements, options.level);
    let options = as_run(options, prediction.replications());
    let run = run_of("predict", &options, &loaded);
    let warnings = warnings(&loaded, &prediction, &options, result.precision);
    let mut reply = outputs.reply(&Document::new(run, warnings, result))?;
    reply.exit = if unmet.is_some() { Exit::NotMet } else { Exit::Done };
    reply.messages.extend(opened.messages());
    reply.unmet = unmet;
    Ok(reply)
}
