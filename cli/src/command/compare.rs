//! `compare`: a few settings beside each other.

use std::sync::Mutex;

use bakcast_report::Document;
use bakcast_report::document::CompareResult;
use bakcast_scenarios::predict::{Asked, PredictOptions};
use bakcast_whatif::{
    Configuration, Design, DesignError, MOST_COMPARED, Runner, Vary, VaryError, compare,
};

use super::opened::Opened;
use super::{as_run, given, run_of, warnings};
use crate::args::Compare;
use crate::exit::{Exit, Failure};
use crate::interrupt::Interrupt;
use crate::output::{Outputs, Reply};
use crate::progress::Bar;
use crate::requirement::{Figures, unmet};

pub(super) fn run(
    arguments: &Compare,
    options: &PredictOptions,
    outputs: &Outputs,
) -> Result<Reply, Failure> {
    outputs.formats()?;
    let opened = Opened::new("compare", &arguments.choice)?;
    let (document, variant, sets) = opened.parts();
    let design = design(&arguments.vary)?;
    let runner = Runner::new(document, variant, sets, *options, Asked::Limits);
    let reference = arguments.reference.iter().map(Vary::assignments);
    let sets = reference
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| Failure::usage(error.to_string().replacen("--vary", "--reference", 1)))?;
    let sets = sets.concat();
    let reference = Configuration { sets, ..Configuration::default() };
    // Said with its lines before anything is run.
    let loaded = runner.load(&reference)?;
    Interrupt::at_once();
    let bar = Mutex::new(Bar::with_time_left(outputs.watched()));
    let go_on = |done, of| {
        if let Ok(bar) = bar.lock() {
            bar.done("comparing", (0, done, of));
        }
        true
    };
    let asked = (arguments.operation.into(), arguments.threshold);
    let comparison = compare(&runner, &design, &reference, asked, &go_on)?;
    drop(bar);
    let paths = design.paths().map(str::to_string).collect();
    let mut result = CompareResult::new(&comparison, paths, options, |predict| {
        let figures = Figures::from(predict);
        arguments.require.iter().map(|limit| limit.judge(&figures)).collect()
    });
    result.set = given(&arguments.choice);
    result.reference = arguments.reference.iter().map(ToString::to_string).collect();
    result.say();
    all_refused(&result)?;
    let prediction = &comparison.reference.ran.prediction;
    let options = as_run(options, prediction.replications());
    let mut warnings = warnings(&loaded, prediction, &options, None);
    warnings.extend(opened.said());
    let unmet = unmet(result.requirements(), options.level);
    let run = run_of("compare", &options, &loaded);
    let mut reply = outputs.reply(&Document::new(run, warnings, result))?;
    reply.messages.extend(opened.messages());
    reply.exit = if unmet.is_some() { Exit::NotMet } else { Exit::Done };
    reply.unmet = unmet;
    Ok(reply)
}

fn design(specs: &[String]) -> Result<Design, Failure> {
    let axes: Result<Vec<Vary>, VaryError> = specs.iter().map(|spec| Vary::parse(spec)).collect();
    Design::grid(axes?, MOST_COMPARED).map_err(|error| match error {
        DesignError::TooMany { count, most } => Failure::usage(format!(
            "{count} configurations are more than {most}, which is all that is compared; \
             `bakcast sweep` takes more"
        )),
        other => other.into(),
    })
}

/// Nothing but refusals is no comparison.
fn all_refused(result: &CompareResult) -> Result<(), Failure> {
    let mut others = result.rows.iter().filter(|row| !row.is_reference).peekable();
    let first = others.peek().and_then(|row| row.error.clone());
    match first {
        Some(error) if others.all(|row| row.error.is_some()) => Err(Failure::new(
            Exit::Input,
            format!("no configuration can be run; the first: {error}"),
        )),
        _ => Ok(()),
    }
}
