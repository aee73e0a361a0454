//! `explain`: where the time goes.

use bakcast_report::Document;
use bakcast_report::document::{ExplainResult, SensitivityResult};
use bakcast_scenarios::predict::PredictOptions;
use bakcast_whatif::{explain, sensitivity};

use super::opened::Opened;
use super::{as_run, given, run_of, warnings};
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
    let opened = Opened::new("explain", &arguments.choice)?;
    let loaded = opened.load()?;
    outputs.announce(&loaded.resolved, options);
    let explanation = explain(&loaded.resolved, options)?;
    let mut result = ExplainResult::new(&loaded, &explanation, options);
    result.set = given(&arguments.choice);
    result.sql = arguments.choice.sql.clone();
    result.shows_sensitivity = arguments.sensitivity;
    if arguments.sensitivity || outputs.is_data() {
        let found = sensitivity(opened.parts(), options, &|_, _| true)?;
        result.sensitivity = found.iter().map(SensitivityResult::new).collect();
    }
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
    reply.messages.extend(opened.messages());
    Ok(reply)
}
