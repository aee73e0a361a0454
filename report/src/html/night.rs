//! A page about a night of many jobs.

use super::answer::{fits, ranges};
use super::markup::{Attribute, Markup, classed, foreign_cut, table, tag};
use super::{Foot, Head, NightPageResult, Page, details, inputs, section, shell, sure, warnings};
use crate::Document;
use crate::document::{JobResult, Night, NightResult};
use crate::number::{bytes, digits, duration, duration_range, level, percent};

/// Jobs with a bar: the last to end.
const MOST_BARS: usize = 40;
/// Characters of a name.
const NAME: usize = 28;
/// Units the night is long in a drawing.
const LENGTH: f64 = 600.0;
/// Units a bar is high.
const HEIGHT: f64 = 14.0;
/// Least length of a bar, so that a short job is seen.
const LEAST: f64 = 2.0;

impl Page for NightPageResult {
    fn html(document: &Document<Self>) -> String {
        let result = &document.result;
        let prediction = &result.prediction;
        let head = Head {
            kind: "Forecast of a night of backups",
            name: &prediction.scenario,
            title: &prediction.title,
        };
        let foot = Foot {
            tool: document.tool,
            seed: document.seed,
            replications: document.replications,
            command_line: &result.command_line,
        };
        let work = format!(
            "{} were simulated with seed {}. Jobs that share a station share its rate; a job by \
             itself is simulated transfer by transfer.",
            super::nights(document.replications),
            document.seed
        );
        let sections = warnings(&document.warnings)
            .and(answer(prediction))
            .and(why(&prediction.night))
            .and(next(prediction))
            .and(jobs(&prediction.night))
            .and(sure::sure(&result.evidence, Markup::new(), &work))
            .and(inputs::inputs(&result.toml, &result.parameters));
        shell(&head, sections, &foot)
    }
}

fn answer(result: &NightResult) -> Markup {
    let night = &result.night;
    let text = Markup::new()
        .text("The last job ends ")
        .tag("strong", &[], duration(night.seconds))
        .text(" after the night begins; ")
        .text(&format!(
            "in {} of nights after {}.",
            level(result.level),
            duration_range(night.low_seconds, night.high_seconds)
        ));
    let data = format!(
        "{} are read by {} jobs on {} servers, at most {} at once.",
        bytes(night.read_bytes as f64),
        night.jobs.len(),
        night.servers,
        night.at_once
    );
    let inner = classed("p", "lead", text)
        .line()
        .and(fits(&result.requirements))
        .tag("p", &[], data)
        .line()
        .and(ranges(result.level, result.uncertainty.as_ref()));
    section("answer", "When the night ends", inner)
}

/// What keeps it from ending sooner, and how busy stations are.
fn why(night: &Night) -> Markup {
    let end = duration(night.end_without_seconds);
    let name = foreign_cut(&night.limit, NAME);
    let limit = match night.limit_kind {
        "station" => Markup::new()
            .text("The limit is ")
            .and(name)
            .text(&format!(": if no job waited at it, the night would end after {end}.")),
        "order" => Markup::new().text("The limit is the order: ").and(name).text(&format!(
            " ends last because it waits for others; without that the night would end after \
                 {end}."
        )),
        _ => Markup::new()
            .text("The limit is one job: ")
            .and(name)
            .text(" ends last and would take as long alone."),
    };
    let rows: Vec<Vec<String>> = night
        .stations
        .iter()
        .map(|station| {
            vec![
                station.name.clone(),
                percent(station.utilization),
                percent(station.full),
                duration(station.lost_seconds),
                station.jobs.to_string(),
            ]
        })
        .collect();
    let headings = ["station", "at work", "could give no more", "lost by all jobs", "jobs"];
    let processors = night.processor_cores_peak.zip(night.processor_cores);
    let processors = processors.map_or_else(String::new, |(peak, of)| {
        format!(" At the most {} of {of} processors of one server are busy.", digits(peak, 2))
    });
    let memory = format!(
        "Buffers take up to {} at once on all servers, up to {} on one.{processors}",
        bytes(night.buffer_memory_bytes as f64),
        bytes(night.largest_memory_bytes as f64)
    );
    let inner =
        tag("p", &[], limit).line().and(table(&headings, 1, &rows)).tag("p", &[], memory).line();
    section("why", "Why: what limits it", inner)
}

fn next(result: &NightResult) -> Markup {
    let name = crate::text::quoted(&result.scenario);
    let text = match result.night.limit_kind {
        "station" => {
            "Give that station more, or give it less to do: another order of the jobs spreads \
             what they ask of it."
        }
        "order" => "Let the jobs begin in another order, or more of them at once.",
        _ => "Make that one job shorter: a page about it alone says how.",
    };
    let command = format!("bakcast recommend {name} --schedule -o schedule.csv");
    let inner = tag("p", &[], text).line().and(super::code(&command));
    section("next", "What to do next", inner)
}

/// The jobs, the last to end with a bar each.
fn jobs(night: &Night) -> Markup {
    let mut sorted: Vec<&JobResult> = night.jobs.iter().collect();
    sorted.sort_by(|a, b| {
        b.finish_seconds.total_cmp(&a.finish_seconds).then_with(|| a.name.cmp(&b.name))
    });
    let last: Vec<&JobResult> = sorted.iter().take(MOST_BARS).copied().collect();
    let caption = if last.len() < sorted.len() {
        format!("The {} of {} jobs that end last", last.len(), sorted.len())
    } else {
        "The jobs, the last to end first".to_string()
    };
    let rows = last.iter().fold(Markup::new(), |all, job| all.and(bar(job, night.high_seconds)));
    let heads = ["job", "", "begins", "ends", "times as long as alone"];
    let heads = heads.iter().enumerate().fold(Markup::new(), |all, (index, text)| {
        all.tag("th", &[("class", if index > 1 { "number" } else { "" })], *text)
    });
    let head = tag("thead", &[], tag("tr", &[], heads)).line();
    let chart = tag("table", &[], head.and(tag("tbody", &[], rows))).line();
    let inner = classed("p", "soft", caption)
        .line()
        .and(classed("div", "wide", chart))
        .line()
        .and(details("All jobs", all(night)));
    section("jobs", "The jobs", inner)
}

fn bar(job: &JobResult, night: f64) -> Markup {
    let at = |seconds: f64| (seconds / night.max(1e-9)).clamp(0.0, 1.0) * LENGTH;
    let (from, to) = (at(job.begin_seconds), at(job.finish_seconds));
    let from = from.min(LENGTH - LEAST);
    let (x, width) = (format!("{from:.1}"), format!("{:.1}", (to - from).max(LEAST)));
    let view = format!("0 0 {LENGTH} {HEIGHT}");
    let height = HEIGHT.to_string();
    let attributes: [Attribute<'_>; 5] =
        [("class", "working"), ("x", &x), ("y", "0"), ("width", &width), ("height", &height)];
    let length = LENGTH.to_string();
    let edge: [Attribute<'_>; 5] =
        [("class", "edge"), ("x", "0"), ("y", "0"), ("width", &length), ("height", &height)];
    let shapes = Markup::new().shape("rect", &attributes).shape("rect", &edge);
    let drawing: [Attribute<'_>; 3] =
        [("viewBox", &view), ("preserveAspectRatio", "none"), ("aria-hidden", "true")];
    let cells = tag("th", &[("scope", "row")], foreign_cut(&job.name, NAME))
        .and(classed("td", "bar", tag("svg", &drawing, shapes)))
        .and(classed("td", "number", duration(job.begin_seconds)))
        .and(classed("td", "number", duration(job.finish_seconds)))
        .and(classed("td", "number", format!("{:.2}", job.stretch)));
    tag("tr", &[], cells).line()
}

fn all(night: &Night) -> Markup {
    let row = |job: &JobResult| {
        vec![
            job.name.clone(),
            job.server.clone(),
            job.database.clone(),
            bytes(job.read_bytes as f64),
            duration(job.begin_seconds),
            duration(job.finish_seconds),
            duration_range(job.finish_low_seconds, job.finish_high_seconds),
            duration(job.alone_seconds),
            job.waited_at.clone().unwrap_or_default(),
        ]
    };
    let rows: Vec<Vec<String>> = night.jobs.iter().map(row).collect();
    let headings = [
        "job",
        "server",
        "database",
        "data",
        "begins",
        "ends",
        "range of the end",
        "alone",
        "waits at",
    ];
    table(&headings, 3, &rows)
}
