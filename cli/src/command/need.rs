//! `need`: what rates a window demands.

use std::sync::Mutex;

use bakcast_report::Document;
use bakcast_report::document::NeedResult;
use bakcast_scenarios::predict::PredictOptions;
use bakcast_whatif::need;

use super::opened::Opened;
use super::{given, run_of, warnings};
use crate::args::Need;
use crate::exit::{Exit, Failure};
use crate::interrupt::Interrupt;
use crate::output::{Outputs, Reply};
use crate::progress::Bar;
use crate::requirement::{Figures, unmet};

pub(super) fn run(
    arguments: &Need,
    options: &PredictOptions,
    outputs: &Outputs,
) -> Result<Reply, Failure> {
    outputs.formats()?;
    let choice = &arguments.choice;
    let opened = Opened::new("need", choice)?;
    let loaded = opened.load()?;
    outputs.announce(&loaded.resolved, options);
    let asked = (arguments.operation.map(Into::into), arguments.window);
    Interrupt::at_once();
    let bar = Mutex::new(Bar::new(outputs.watched()));
    let go_on = |done, of| {
        if let Ok(bar) = bar.lock() {
            bar.done("searching", (0, done, of));
        }
        true
    };
    let needed = need(opened.parts(), asked, options, &go_on)?;
    drop(bar);
    let mut result = NeedResult::new(&needed, options.level);
    result.set = given(choice);
    let prediction = &needed.ran.prediction;
    let judged = Figures::of(&loaded, prediction);
    result.requirements = arguments.require.iter().map(|limit| limit.judge(&judged)).collect();
    let unmet = unmet(&result.requirements, options.level);
    let run = run_of("need", options, &loaded);
    let warnings = warnings(&loaded, prediction, options, None);
    let mut reply = outputs.reply(&Document::new(run, warnings, result))?;
    reply.messages.extend(opened.messages());
    reply.exit = if unmet.is_some() { Exit::NotMet } else { Exit::Done };
    reply.unmet = unmet;
    Ok(reply)
}
