//! `recommend`: so far, a better order of the jobs of a night.

use bakcast_report::Document;
use bakcast_report::document::ScheduleResult;
use bakcast_report::number::bytes;
use bakcast_scenarios::predict::PredictOptions;
use bakcast_whatif::estate::{ScheduleLimits, schedule};

use super::opened::Opened;
use super::{as_run, given, night, run_of};
use crate::args::{Recommend, value};
use crate::exit::{Exit, Failure};
use crate::interrupt::Interrupt;
use crate::output::{Outputs, Reply};
use crate::requirement::{Figures, Requirement, unmet};

pub(super) fn run(
    arguments: &Recommend,
    options: &PredictOptions,
    outputs: &Outputs,
) -> Result<Reply, Failure> {
    outputs.formats()?;
    let window = arguments.window.as_deref().map(Requirement::of_window).transpose();
    let window = window.map_err(|error| Failure::usage(format!("--window: {error}")))?;
    let loaded = Opened::new("recommend", &arguments.choice)?.load()?;
    Interrupt::at_once();
    let estate = night::measured(&loaded, options)?;
    let memory = arguments.memory.as_deref().map(value::size).transpose();
    let memory = memory.map_err(|error| Failure::usage(format!("--memory: {error}")))?;
    let limits = ScheduleLimits { at_once: arguments.at_once, memory, tries: arguments.tries };
    let found = schedule(&estate, &limits).map_err(|none| {
        let text = format!(
            "no schedule keeps to --memory: the buffers of job `{}` alone take {}",
            none.job,
            bytes(none.memory_bytes as f64)
        );
        Failure::new(Exit::NotMet, text)
    })?;
    let mut result = ScheduleResult::new(&loaded, &estate, &found, options);
    result.set = given(&arguments.choice);
    let figures = Figures::of_night(&found.after);
    result.requirements = window.iter().map(|window| window.judge(&figures)).collect();
    let unmet = unmet(&result.requirements, options.level);
    let options = as_run(options, estate.replications());
    let run = run_of("recommend", &options, &loaded);
    let warnings = night::warnings(&loaded, &options);
    let mut reply = outputs.reply(&Document::new(run, warnings, result))?;
    reply.exit = if unmet.is_some() { Exit::NotMet } else { Exit::Done };
    reply.unmet = unmet;
    Ok(reply)
}
