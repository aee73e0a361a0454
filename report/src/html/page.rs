//! A page about one backup: the answer first, then why, what to do, what to run, how sure it is.

use super::inputs::{inputs, statements};
use super::markup::{Markup, classed, tag};
use super::{
    Foot, Head, Page, PageResult, StatementsResult, answer, charts, code, growth, help, section,
    shell, sure, warnings, why,
};
use crate::change_request::ChangeRequestResult;
use crate::{Document, Paint};

impl Page for PageResult {
    fn html(document: &Document<Self>) -> String {
        let result = &document.result;
        let head = Head { kind: "Backup forecast", name: &result.scenario, title: &result.title };
        let foot = Foot {
            tool: document.tool,
            seed: document.seed,
            replications: document.replications,
            command_line: &result.command_line,
        };
        shell(&head, sections(document), &foot)
    }
}

fn sections(document: &Document<PageResult>) -> Markup {
    let result = &document.result;
    let origin = charts::origin(document);
    let fitted = charts::measured(&origin, result.evidence.article.as_ref());
    let (replications, seed) = (document.replications, document.seed);
    let plan = result.plan.as_ref().map_or_else(Markup::new, |plan| {
        growth::growth(plan, charts::growth(&origin, plan), &plan.rests_on(replications, seed))
    });
    let request = result.change_request.as_ref();
    let request = request.map_or_else(Markup::new, |request| change_request(document, request));
    warnings(&document.warnings)
        .and(answer::answer(&result.prediction, charts::distribution(&origin, result)))
        .and(why::why(result, charts::knee(&origin, &result.explanation.backup)))
        .and(help::next(result, seed))
        .and(plan)
        .and(run(&result.statements))
        .and(request)
        .and(sure::sure(&result.evidence, fitted, &work(document)))
        .and(inputs(&result.toml, &result.parameters))
}

/// What was simulated for it.
fn work(document: &Document<PageResult>) -> String {
    let prediction = &document.result.prediction;
    let precision = prediction.precision.map_or_else(String::new, |precision| {
        format!(" The medians are known so well: {}.", precision.sentence())
    });
    format!(
        "{} of the backup were simulated, {}, transfer by transfer, with seed {}.{precision}",
        super::nights(document.replications),
        prediction.work(document.replications),
        document.seed
    )
}

/// What to run.
fn run(statements_result: &StatementsResult) -> Markup {
    let StatementsResult { is_advice, backup, verify, ola_call, dbatools_call } = statements_result;
    let of = if *is_advice {
        "The settings that are advised, ready to run. Names of devices stand where folders of the \
         server belong."
    } else {
        "The backup that this page is about, ready to run. Names of devices stand where folders of \
         the server belong."
    };
    let blocks = [
        ("T-SQL", Some(backup)),
        ("Verification", verify.as_ref()),
        ("Ola Hallengren's procedure", ola_call.as_ref()),
        ("dbatools", dbatools_call.as_ref()),
    ];
    section("run", "The statement", tag("p", &[], of).line().and(statements(&blocks)))
}

/// The request as it is pasted.
fn change_request(document: &Document<PageResult>, request: &ChangeRequestResult) -> Markup {
    let own = Document {
        schema_version: document.schema_version,
        tool: document.tool,
        command: document.command,
        seed: document.seed,
        replications: document.replications,
        inputs: serde_json::Value::Null,
        warnings: Vec::new(),
        result: request.clone(),
    };
    let text = crate::change_request::text(&own, Paint::default());
    let note = classed("p", "soft", "To paste into a ticket.").line();
    section("change", "Change request", note.and(code(&text)))
}
