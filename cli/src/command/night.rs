//! `predict` on a night of many jobs.

use bakcast_report::document::NightResult;
use bakcast_report::{Document, Warning};
use bakcast_scenarios::predict::PredictOptions;
use bakcast_scenarios::{Loaded, WarningCode};
use bakcast_whatif::estate::Estate;

use super::{as_run, given, run_of, run_warnings};
use crate::args::Predict;
use crate::exit::{Exit, Failure};
use crate::interrupt::Interrupt;
use crate::output::{Outputs, Reply};
use crate::requirement::{Figures, unmet};

pub(super) fn run(
    arguments: &Predict,
    loaded: &Loaded,
    options: &PredictOptions,
    outputs: &Outputs,
) -> Result<Reply, Failure> {
    Interrupt::at_once();
    let estate = measured(loaded, options)?;
    let prediction = estate.predict(&estate.order());
    let mut result = NightResult::new(loaded, &estate, &prediction, options);
    result.set = given(&arguments.choice);
    let figures = Figures::of_night(&prediction);
    result.requirements = arguments.require.iter().map(|limit| limit.judge(&figures)).collect();
    let unmet = unmet(&result.requirements, options.level);
    let options = as_run(options, estate.replications());
    let run = run_of("predict", &options, loaded);
    let mut reply = outputs.reply(&Document::new(run, warnings(loaded, &options), result))?;
    reply.exit = if unmet.is_some() { Exit::NotMet } else { Exit::Done };
    reply.unmet = unmet;
    Ok(reply)
}

/// The jobs of the night, measured.
pub(super) fn measured(loaded: &Loaded, options: &PredictOptions) -> Result<Estate, Failure> {
    let estate = Estate::measure(&loaded.resolved, options)?;
    estate.ok_or_else(|| {
        let text = format!(
            "`{}` has one backup and no schedule: a night of many has tables `[job.NAME]` or a \
             table of `jobs`, as night-200-databases has",
            loaded.name
        );
        Failure::new(Exit::Input, text)
    })
}

/// Warnings about the scenario, then about how it is run.
pub(super) fn warnings(loaded: &Loaded, options: &PredictOptions) -> Vec<Warning> {
    let one_job = WarningCode::OneJobOfANight;
    let of_scenario = loaded.resolved.warnings.iter().filter(|w| w.code != one_job);
    let of_scenario = of_scenario.map(Warning::from);
    let precise = options.precision.map(|_| Warning {
        code: "precision-of-a-night",
        text: "--precision does not apply to a night of many jobs".to_string(),
        hint: "--replications says how many nights are run".to_string(),
    });
    of_scenario.chain(run_warnings(options, None)).chain(precise).collect()
}
