//! `recommend`: the best settings under limits.

use std::sync::Mutex;

use bakcast_report::Document;
use bakcast_report::document::RecommendResult;
use bakcast_scenarios::nearest_word;
use bakcast_scenarios::predict::PredictOptions;
use bakcast_whatif::{Operation, Ran, Subject, Wanted, recommend};

use super::opened::Opened;
use super::{given, run_of, warnings};
use crate::args::Recommend;
use crate::exit::{Exit, Failure};
use crate::interrupt::Interrupt;
use crate::output::{Outputs, Reply};
use crate::progress::Bar;
use crate::requirement::{Figures, Requirement, unmet};

pub(super) fn run(
    arguments: &Recommend,
    options: &PredictOptions,
    outputs: &Outputs,
) -> Result<Reply, Failure> {
    outputs.formats()?;
    let operation: Operation = arguments.operation.into();
    let requirements = requirements(arguments, operation)?;
    let opened = Opened::new("recommend", &arguments.choice)?;
    let (document, variant, sets) = opened.parts();
    let subject = Subject { document, variant, sets, options: *options };
    let loaded = opened.load()?;
    known_devices(arguments, loaded.scenario.device.keys().map(String::as_str))?;
    let wanted = Wanted {
        operation,
        limits: requirements.iter().map(Requirement::limit).collect(),
        devices: arguments.devices.clone(),
        most_files: arguments.stripes as usize,
        budget: arguments.budget as usize,
        threshold: arguments.threshold,
    };
    Interrupt::at_once();
    let bar = Mutex::new(Bar::new(outputs.watched()));
    let go_on = |done, of| {
        if let Ok(bar) = bar.lock() {
            bar.done("searching", (0, done, of));
        }
        true
    };
    let found = recommend(&subject, &wanted, &go_on)?;
    drop(bar);
    let judge = |ran: &Ran| {
        let figures = Figures::of(&ran.loaded, &ran.prediction);
        requirements.iter().map(|limit| limit.judge(&figures)).collect()
    };
    let mut result = RecommendResult::new(&found, options, wanted.threshold, judge);
    result.set = given(&arguments.choice);
    let unmet = unmet(&result.requirements, options.level);
    let ran = &found.subject().ran;
    let options = super::as_run(options, ran.prediction.replications());
    let run = run_of("recommend", &options, &loaded);
    let warnings = warnings(&ran.loaded, &ran.prediction, &options, None);
    let refused = result.choice.is_none();
    let mut reply = outputs.reply(&Document::new(run, warnings, result))?;
    if refused || unmet.is_some() {
        reply.exit = Exit::NotMet;
    }
    reply.unmet = unmet.or_else(|| refused.then(|| "not met: nothing keeps the limits".into()));
    Ok(reply)
}

/// All limits, those of options of their own first.
pub(super) fn requirements(
    arguments: &Recommend,
    operation: Operation,
) -> Result<Vec<Requirement>, Failure> {
    let own = [
        (operation.name(), "--window", &arguments.window),
        ("memory", "--memory", &arguments.memory),
        ("cpu", "--cpu", &arguments.cpu),
    ];
    let mut all = Vec::new();
    for (name, option, value) in own {
        let Some(value) = value else { continue };
        let limit: Result<Requirement, String> = format!("{name}<={value}").parse();
        all.push(limit.map_err(|error| Failure::usage(format!("{option} `{value}`: {error}")))?);
    }
    all.extend(arguments.require.iter().cloned());
    Ok(all)
}

pub(super) fn known_devices<'a>(
    arguments: &Recommend,
    known: impl Iterator<Item = &'a str> + Clone,
) -> Result<(), Failure> {
    for device in arguments.devices.iter().flatten() {
        if known.clone().any(|name| name == device) {
            continue;
        }
        let meant = nearest_word(device, known.clone());
        let meant = meant.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
        let names: Vec<&str> = known.collect();
        return Err(Failure::usage(format!(
            "--devices: the scenario has no device `{}`; it has {}{meant}",
            bakcast_scenarios::shown_word(device),
            names.join(", ")
        )));
    }
    Ok(())
}
