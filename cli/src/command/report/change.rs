//! A change request: the settings that are advised or proposed, held against those of now.

use bakcast_report::Document;
use bakcast_report::change_request::{ChangeRequestResult, Proposal, Verdict};
use bakcast_scenarios::Loaded;
use bakcast_scenarios::predict::predict;
use bakcast_whatif::{Advice, Ran};

use super::{Asked, advice, command_line, ended, sought, with_sets};
use crate::command::opened::Opened;
use crate::command::{as_run, run_of};
use crate::exit::Failure;
use crate::output::{Outputs, Reply};
use crate::requirement::unmet;
use crate::statement;

/// The request alone.
pub(super) fn run(
    asked: &Asked<'_>,
    opened: &Opened,
    loaded: &Loaded,
    outputs: &Outputs,
) -> Result<Reply, Failure> {
    outputs.announce(&loaded.resolved, &asked.options);
    let prediction = predict(&loaded.resolved, &asked.options)?;
    let now = Ran::new(loaded.clone(), prediction);
    let result = request(asked, opened, &now)?;
    let missed = unmet(&result.requirements, asked.options.level);
    let options = as_run(&asked.options, now.prediction.replications());
    let run = run_of("report", &options, loaded);
    let document = Document::new(run, asked.warnings(&now), result);
    let mut reply = outputs.reply_with_page(&document, None)?;
    reply.messages.extend(opened.messages());
    ended(&mut reply, missed);
    Ok(reply)
}

/// The request to change a scenario that was run.
pub(super) fn request(
    asked: &Asked<'_>,
    opened: &Opened,
    now: &Ran,
) -> Result<ChangeRequestResult, Failure> {
    let made = |proposal: Proposal<'_>| {
        let operation = asked.operation.name();
        let command = command_line::of(asked.arguments, asked.global);
        let nights = now.prediction.replications();
        let run = (command, nights, asked.options.seed);
        ChangeRequestResult::new(now, proposal, (operation, &asked.options), run)
    };
    let arguments = asked.arguments;
    if arguments.proposed_sql.is_some() || !arguments.proposed_set.is_empty() {
        let ran = proposed(asked, opened)?;
        return Ok(made(Proposal {
            verdict: Verdict::Change,
            is_given: true,
            advice: None,
            evaluated: None,
            paired: ran.against(now, asked.operation, asked.options.level),
            requirements: asked.judged(&ran),
            ran: &ran,
        }));
    }
    let found = sought(asked, opened, &now.loaded)?;
    let advice = advice(asked, &found);
    let verdict = match &found.advice {
        Advice::Nothing(_) => Verdict::NothingKeepsTheLimits,
        Advice::Take(_) if found.is_present() => Verdict::Stay,
        Advice::Take(_) => Verdict::Change,
    };
    let subject = found.subject();
    // What comes nearest was not asked what limits it.
    let full = match verdict {
        Verdict::NothingKeepsTheLimits => {
            let prediction = predict(&subject.ran.loaded.resolved, &asked.options)?;
            Some(Ran::new(subject.ran.loaded.clone(), prediction))
        }
        Verdict::Change | Verdict::Stay => None,
    };
    let ran = full.as_ref().unwrap_or(&subject.ran);
    Ok(made(Proposal {
        verdict,
        is_given: false,
        advice: Some(advice.answer),
        evaluated: Some(advice.evaluated),
        paired: subject.paired,
        requirements: advice.requirements,
        ran,
    }))
}

/// The scenario with what is proposed, run.
fn proposed(asked: &Asked<'_>, opened: &Opened) -> Result<Ran, Failure> {
    let arguments = asked.arguments;
    let variant = opened.variant.as_deref();
    let mut more = Vec::new();
    let mut said = Vec::new();
    if let Some(sql) = &arguments.proposed_sql {
        let (source, text) = statement::read(sql)?;
        let source = if source == "--sql" { "--proposed-sql".to_string() } else { source };
        let read = opened.document.translate(variant, (&source, &text), &opened.sets)?;
        more.extend(read.sets);
        said = read.warnings;
    }
    more.extend(arguments.proposed_set.iter().cloned());
    let mut loaded = opened.document.load(variant, &with_sets(opened, &more))?;
    loaded.warn_first(&said);
    let prediction = predict(&loaded.resolved, &asked.options)?;
    Ok(Ran::new(loaded, prediction))
}
