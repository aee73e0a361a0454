//! `ask`: a question by name, answered yes, no or it depends.

use std::sync::Mutex;

use bakcast_report::Document;
use bakcast_report::document::AskResult;
use bakcast_scenarios::predict::PredictOptions;
use bakcast_whatif::{AskError, AskOptions, ask};

use super::opened::Opened;
use super::{given, run_of, warnings};
use crate::args::Ask;
use crate::exit::{Exit, Failure};
use crate::interrupt::Interrupt;
use crate::output::{Outputs, Reply};
use crate::progress::Bar;
use crate::requirement::{Figures, unmet};

pub(super) fn run(
    arguments: &Ask,
    options: &PredictOptions,
    outputs: &Outputs,
) -> Result<Reply, Failure> {
    outputs.formats()?;
    let choice = &arguments.choice;
    let opened = Opened::new("ask", choice)?;
    let loaded = opened.load()?;
    outputs.announce(&loaded.resolved, options);
    let asked = AskOptions {
        threshold: arguments.threshold,
        operation: arguments.operation.map(Into::into),
        window_seconds: arguments.window,
        memory_bytes: arguments.memory,
        devices: arguments.devices.clone(),
    };
    Interrupt::at_once();
    let bar = Mutex::new(Bar::new(outputs.watched()));
    let go_on = |done, of| {
        if let Ok(bar) = bar.lock() {
            bar.done("asking", (0, done, of));
        }
        true
    };
    let told = ask(opened.parts(), arguments.question.0, &asked, options, &go_on)?;
    drop(bar);
    let mut result = AskResult::new(&told, options);
    result.set = given(choice);
    if !arguments.require.is_empty() {
        let prediction = bakcast_scenarios::predict::durations(&loaded.resolved, options)?;
        let judged = Figures::of(&loaded, &prediction);
        result.requirements = arguments.require.iter().map(|limit| limit.judge(&judged)).collect();
    }
    let unmet = unmet(&result.requirements, options.level);
    let run = run_of("ask", options, &loaded);
    let mut warnings = match &told.before.ran {
        Some(ran) => warnings(&ran.loaded, &ran.prediction, options, None),
        None => Vec::new(),
    };
    warnings.extend(opened.said());
    let mut reply = outputs.reply(&Document::new(run, warnings, result))?;
    reply.messages.extend(opened.messages());
    reply.exit = if unmet.is_some() { Exit::NotMet } else { Exit::Done };
    reply.unmet = unmet;
    Ok(reply)
}

impl From<AskError> for Failure {
    fn from(error: AskError) -> Self {
        let exit = match error {
            AskError::Cancelled(_) => Exit::Interrupted,
            AskError::Refused(_) | AskError::NotAsked(_) => Exit::Input,
        };
        Failure::new(exit, error)
    }
}
