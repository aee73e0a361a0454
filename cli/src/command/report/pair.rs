//! Two scenarios side by side.

use bakcast_report::Document;
use bakcast_report::html::{PairResult, PairSide, render};
use bakcast_scenarios::Reference;
use bakcast_scenarios::predict::predict;
use bakcast_whatif::Ran;

use super::{Asked, command_line, ended};
use crate::args::ScenarioChoice;
use crate::command::opened::Opened;
use crate::command::{as_run, run_without_scenario};
use crate::exit::{Exit, Failure};
use crate::output::{Outputs, Reply};
use crate::requirement::unmet;

pub(super) fn run(asked: &Asked<'_>, outputs: &Outputs) -> Result<Reply, Failure> {
    let arguments = asked.arguments;
    let [one, other] = arguments.compare.as_slice() else {
        return Err(Failure::usage("--compare takes two scenarios"));
    };
    let other = match other.strip_prefix(':') {
        Some(variant) => format!("{}:{variant}", file_of(one)),
        None => other.clone(),
    };
    let is_one_file = Reference::parse(one).origin == Reference::parse(&other).origin;
    let (first, second) = (ran(asked, one)?, ran(asked, &other)?);
    let side = |ran: &Ran| {
        let mut side = PairSide::new(ran, &asked.options, asked.warnings(ran));
        side.prediction.requirements = asked.judged(ran);
        side
    };
    let sides = [side(&first), side(&second)];
    let level = asked.options.level;
    let missed = sides.each_ref().map(|side| unmet(&side.prediction.requirements, level));
    let [missed, of_second] = missed;
    let missed = missed.filter(|_| of_second.is_some());
    let nights = first.prediction.replications().min(second.prediction.replications());
    let run = run_without_scenario("report", &as_run(&asked.options, nights));
    let mut warnings = sides[0].warnings.clone();
    warnings.extend(
        sides[1].warnings.iter().filter(|w| !warnings.contains(w)).cloned().collect::<Vec<_>>(),
    );
    let about = (command_line::of(arguments, asked.global), is_one_file);
    let ran = [&first, &second];
    let result = PairResult::new(ran, sides, (asked.operation, &asked.options), about);
    let document = Document::new(run, warnings, result);
    let html = render(&document)?;
    let mut reply = outputs.reply_with_page(&document, Some(&html))?;
    ended(&mut reply, missed);
    Ok(reply)
}

/// A scenario without its variant.
fn file_of(name: &str) -> &str {
    match Reference::parse(name).variant {
        Some(variant) => &name[..name.len() - variant.len() - 1],
        None => name,
    }
}

/// One of the two, run.
fn ran(asked: &Asked<'_>, name: &str) -> Result<Ran, Failure> {
    let choice =
        ScenarioChoice { scenario: Some(name.to_string()), ..asked.arguments.choice.clone() };
    let loaded = Opened::new("report", &choice)?.load()?;
    if loaded.resolved.night.is_some() {
        let text = format!("`{name}` is a night of many jobs; two backups can be compared");
        return Err(Failure::new(Exit::Input, text));
    }
    let prediction = predict(&loaded.resolved, &asked.options)?;
    Ok(Ran::new(loaded, prediction))
}
