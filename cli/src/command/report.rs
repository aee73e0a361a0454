//! `report`: one page to print or send, a change request, or two scenarios side by side.

mod change;
mod command_line;
mod help;
mod night;
mod pair;

use bakcast_report::document::{ExplainResult, PlanResult, PredictResult, RecommendResult};
use bakcast_report::html::{
    EvidenceResult, NightsResult, PageResult, ParameterSpread, StatementsResult, render, toml_of,
};
use bakcast_report::{Document, Warning};
use bakcast_scenarios::predict::PredictOptions;
use bakcast_scenarios::{Loaded, Set};
use bakcast_whatif::{
    Ahead, Operation, Ran, Recommendation, Subject, Wanted, explain, plan, recommend,
};

use super::opened::Opened;
use super::settings::{known_devices, requirements};
use super::{as_run, given, run_of, warnings};
use crate::args::{GlobalOptions, Plan, Recommend, Report};
use crate::exit::{Exit, Failure};
use crate::interrupt::Interrupt;
use crate::output::{Outputs, Reply};
use crate::requirement::{Figures, Requirement, unmet};

/// What is asked, and how it is run.
struct Asked<'a> {
    arguments: &'a Report,
    global: &'a GlobalOptions,
    options: PredictOptions,
    operation: Operation,
    /// All limits, that of the window first.
    limits: Vec<Requirement>,
    interrupt: Interrupt,
}

pub(super) fn run(
    arguments: &Report,
    global: &GlobalOptions,
    outputs: &Outputs,
) -> Result<Reply, Failure> {
    let has_page = outputs.formats_or_page()?;
    let operation: Operation = arguments.operation.into();
    let limits = requirements(&as_recommend(arguments), operation)?;
    let options = global.options()?;
    let interrupt = Interrupt::listen();
    let asked = Asked { arguments, global, options, operation, limits, interrupt };
    let is_page_alone = !arguments.change_request && outputs.writes_nothing_but_text();
    if !arguments.compare.is_empty() {
        return pair::run(&asked, outputs);
    }
    let opened = Opened::new("report", &arguments.choice)?;
    if is_page_alone {
        let text = "say where the page goes, e.g. `-o report.html`; for a terminal there are \
                    `bakcast predict` and `bakcast explain`";
        return Err(Failure::usage(text));
    }
    let loaded = opened.load()?;
    if loaded.resolved.night.is_some() {
        return night::run(&asked, &loaded, outputs);
    }
    if arguments.change_request && !has_page {
        return change::run(&asked, &opened, &loaded, outputs);
    }
    page(&asked, &opened, &loaded, outputs)
}

/// The page about one backup.
fn page(
    asked: &Asked<'_>,
    opened: &Opened,
    loaded: &Loaded,
    outputs: &Outputs,
) -> Result<Reply, Failure> {
    let Asked { arguments, options, .. } = asked;
    outputs.announce(&loaded.resolved, options);
    let explanation = explain(&loaded.resolved, options)?;
    let ran = Ran::new(loaded.clone(), explanation.prediction.clone());
    let mut prediction = PredictResult::new(loaded, &ran.prediction, options);
    prediction.set = given(&arguments.choice);
    prediction.sql = arguments.choice.sql.clone();
    prediction.requirements = asked.judged(&ran);
    let request = match arguments.change_request {
        true => Some(change::request(asked, opened, &ran)?),
        false => None,
    };
    let found = match arguments.search.recommend && request.is_none() {
        true => Some(sought(asked, opened, loaded)?),
        false => None,
    };
    let recommendation = found.as_ref().map(|found| advice(asked, found));
    let has_advice = recommendation.as_ref().is_some_and(|advice| advice.choice.is_some());
    let helps = match &recommendation {
        Some(_) => Vec::new(),
        None => help::all(asked, opened, &ran)?,
    };
    let statements = match found.as_ref().filter(|_| has_advice) {
        Some(found) => StatementsResult::of(&found.subject().ran.loaded, true),
        None => StatementsResult::of(loaded, false),
    };
    let result = PageResult {
        scenario: loaded.name.clone(),
        title: loaded.resolved.title.clone(),
        command_line: command_line::of(arguments, asked.global),
        operation: asked.operation.name(),
        explanation: ExplainResult::new(loaded, &explanation, options),
        nights: NightsResult::of(&ran.prediction),
        helps,
        recommendation,
        plan: ahead(asked, opened)?,
        change_request: request,
        statements,
        evidence: EvidenceResult::of(loaded),
        toml: toml_of(loaded),
        parameters: ParameterSpread::all(loaded),
        prediction,
    };
    let exit = missed(asked, &result);
    let as_run = as_run(options, ran.prediction.replications());
    let run = run_of("report", &as_run, loaded);
    let precision = result.prediction.precision;
    let warnings = warnings(loaded, &ran.prediction, &as_run, precision);
    let document = Document::new(run, warnings, result);
    let html = render(&document)?;
    let mut reply = match &document.result.change_request {
        Some(request) => {
            let run = run_of("report", &as_run, loaded);
            let own = Document::new(run, document.warnings.clone(), request.clone());
            outputs.reply_with_page(&own, Some(&html))?
        }
        None => outputs.reply_with_page(&document, Some(&html))?,
    };
    reply.messages.extend(opened.messages());
    ended(&mut reply, exit);
    Ok(reply)
}

/// What is not met, where neither the scenario as it is nor what is advised meets it.
fn missed(asked: &Asked<'_>, result: &PageResult) -> Option<String> {
    let level = asked.options.level;
    let of_advice = result.recommendation.as_ref().map(|advice| &advice.requirements);
    let of_request = result.change_request.as_ref().map(|request| &request.requirements);
    let judged = of_advice.or(of_request).unwrap_or(&result.prediction.requirements);
    unmet(judged, level)
}

/// How the program ends, as what is not met says.
fn ended(reply: &mut Reply, missed: Option<String>) {
    reply.exit = if missed.is_some() { Exit::NotMet } else { Exit::Done };
    reply.unmet = missed;
}

impl Asked<'_> {
    /// The limits, held against a configuration.
    fn judged(&self, ran: &Ran) -> Vec<bakcast_report::document::RequirementResult> {
        let figures = Figures::of(&ran.loaded, &ran.prediction);
        self.limits.iter().map(|limit| limit.judge(&figures)).collect()
    }

    /// Whether to go on.
    fn goes_on(&self) -> bool {
        !self.interrupt.is_asked()
    }

    /// Warnings of a scenario that was run.
    fn warnings(&self, ran: &Ran) -> Vec<Warning> {
        let options = as_run(&self.options, ran.prediction.replications());
        warnings(&ran.loaded, &ran.prediction, &options, None)
    }
}

/// The best settings under limits.
fn sought(asked: &Asked<'_>, opened: &Opened, loaded: &Loaded) -> Result<Recommendation, Failure> {
    let (document, variant, sets) = opened.parts();
    let subject = Subject { document, variant, sets, options: asked.options };
    let arguments = as_recommend(asked.arguments);
    known_devices(&arguments, loaded.scenario.device.keys().map(String::as_str))?;
    let wanted = Wanted {
        operation: asked.operation,
        limits: asked.limits.iter().map(Requirement::limit).collect(),
        devices: arguments.devices.clone(),
        most_files: arguments.stripes as usize,
        budget: arguments.budget as usize,
        threshold: arguments.threshold,
    };
    Ok(recommend(&subject, &wanted, &|_, _| asked.goes_on())?)
}

fn advice(asked: &Asked<'_>, found: &Recommendation) -> RecommendResult {
    let threshold = asked.arguments.search.threshold;
    RecommendResult::new(found, &asked.options, threshold, |ran| asked.judged(ran))
}

/// The months ahead, if a growth was given.
fn ahead(asked: &Asked<'_>, opened: &Opened) -> Result<Option<PlanResult>, Failure> {
    let Report { ahead, window, choice, operation, .. } = asked.arguments;
    let Some(window) = window.as_deref().filter(|_| ahead.is_asked()) else { return Ok(None) };
    let seconds = crate::requirement::window(window);
    let seconds = seconds.map_err(|error| Failure::usage(format!("--window: {error}")))?;
    let arguments = Plan {
        choice: choice.clone(),
        window: seconds,
        growth: ahead.growth.as_deref().map(str::parse).transpose().map_err(Failure::usage)?,
        history: ahead.history.clone(),
        database: ahead.database.clone(),
        schedule: None,
        months: ahead.months,
        require_probability: None,
        operation: *operation,
        require: Vec::new(),
    };
    let (growth, source) = super::plan::growth(&arguments)?;
    let (document, variant, sets) = opened.parts();
    let subject = Subject { document, variant, sets, options: asked.options };
    let ahead = Ahead {
        window_seconds: seconds,
        operation: asked.operation,
        growth,
        months: ahead.months,
        probability: 0.5 + 0.5 * asked.options.level,
        changes: true,
        routine: None,
    };
    let found = plan(&subject, &ahead, &|_, _| asked.goes_on())?;
    Ok(Some(PlanResult::new(&found, asked.options.level, source)))
}

/// The same limits as `recommend` takes them.
fn as_recommend(arguments: &Report) -> Recommend {
    let Report { choice, window, operation, require, search, .. } = arguments;
    Recommend {
        choice: choice.clone(),
        window: window.clone(),
        memory: search.memory.clone(),
        cpu: search.cpu.clone(),
        stripes: search.stripes,
        devices: search.devices.clone(),
        operation: *operation,
        threshold: search.threshold,
        budget: search.budget,
        schedule: false,
        at_once: None,
        tries: None,
        require: require.clone(),
    }
}

/// A scenario with more assignments.
fn with_sets(opened: &Opened, more: &[Set]) -> Vec<Set> {
    opened.sets.iter().chain(more).cloned().collect()
}
