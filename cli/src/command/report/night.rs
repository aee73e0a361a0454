//! The page about a night of many jobs.

use bakcast_report::Document;
use bakcast_report::document::NightResult;
use bakcast_report::html::{EvidenceResult, NightPageResult, ParameterSpread, render, toml_of};
use bakcast_scenarios::Loaded;

use super::{Asked, command_line, ended};
use crate::command::{as_run, given, night, run_of};
use crate::exit::Failure;
use crate::output::{Outputs, Reply};
use crate::requirement::{Figures, Requirement, unmet};

pub(super) fn run(asked: &Asked<'_>, loaded: &Loaded, outputs: &Outputs) -> Result<Reply, Failure> {
    let arguments = asked.arguments;
    if arguments.change_request || arguments.search.recommend || arguments.ahead.is_asked() {
        return Err(Failure::usage(
            "settings and growth are those of one backup; for a night of many jobs there is \
             `bakcast recommend --schedule`",
        ));
    }
    let window = arguments.window.as_deref().map(Requirement::of_window).transpose();
    let window = window.map_err(|error| Failure::usage(format!("--window: {error}")))?;
    let limits = window.iter().chain(&arguments.require);
    let estate = night::measured(loaded, &asked.options)?;
    let found = estate.predict(&estate.order());
    let mut prediction = NightResult::new(loaded, &estate, &found, &asked.options);
    prediction.set = given(&arguments.choice);
    let figures = Figures::of_night(&found);
    prediction.requirements = limits.map(|limit| limit.judge(&figures)).collect();
    let missed = unmet(&prediction.requirements, asked.options.level);
    let options = as_run(&asked.options, estate.replications());
    let result = NightPageResult {
        command_line: command_line::of(arguments, asked.global),
        prediction,
        evidence: EvidenceResult::of(loaded),
        toml: toml_of(loaded),
        parameters: ParameterSpread::all(loaded),
    };
    let run = run_of("report", &options, loaded);
    let document = Document::new(run, night::warnings(loaded, &options), result);
    let html = render(&document)?;
    let mut reply = outputs.reply_with_page(&document, Some(&html))?;
    ended(&mut reply, missed);
    Ok(reply)
}
