//! What to do next: settings that were sought, or single changes with what each brings and costs.

use super::answer::fits;
use super::markup::{Markup, classed, table, tag};
use super::{HelpResult, PageResult, code, section};
use crate::document::{RecommendResult, StepResult};
use crate::number::{bytes, duration, duration_range, percent};
use crate::text::gain;

/// The section of one backup.
pub(super) fn next(result: &PageResult, seed: u64) -> Markup {
    let inner = match &result.recommendation {
        Some(found) => recommendation(found, seed),
        None => single(result),
    };
    section("next", "What to do next", inner)
}

/// Settings under limits, and the way to them.
fn recommendation(found: &RecommendResult, seed: u64) -> Markup {
    let cells = |name: &str, step: &StepResult, is_gain: bool| {
        vec![
            name.to_string(),
            duration(step.seconds),
            duration_range(step.low_seconds, step.high_seconds),
            if is_gain { gain(step) } else { String::new() },
            bytes(step.buffer_memory_bytes as f64),
            percent(step.processor_share),
        ]
    };
    let mut rows = vec![cells("as it is", &found.present, false)];
    rows.extend(found.ladder.iter().map(|step| cells(&step.change, step, true)));
    if let Some(step) = &found.nearest {
        rows.push(cells(&format!("nearest: {}", step.change), step, true));
    }
    if let Some(step) = &found.beyond {
        let over = if step.keeps_limits == Some(false) { "beyond limits" } else { "further" };
        rows.push(cells(&format!("{over}: {}", step.change), step, true));
    }
    let headings = ["step", found.operation, "range", "change", "buffers", "processors"];
    let sets =
        found.parameter_sets.map_or_else(String::new, |sets| format!(", {sets} parameter sets"));
    let note = format!(
        "Each step against the one above it. {} of {} settings tried, {} the same for all{sets}, \
         seed {seed}.",
        found.evaluated,
        found.candidates,
        super::nights(found.paired_nights as u32)
    );
    classed("p", "lead", tag("bdi", &[], found.answer.as_str()))
        .line()
        .and(table(&headings, 1, &rows))
        .and(fits(&found.requirements))
        .and(classed("p", "soft", note))
        .line()
}

/// One change at a time.
fn single(result: &PageResult) -> Markup {
    let useful: Vec<&HelpResult> = result.helps.iter().filter(|help| is_useful(help)).collect();
    let lead = match useful.first() {
        Some(help) => format!(
            "First try {}: {} {} instead of {}, {}.",
            help.what,
            result.operation,
            duration(help.seconds),
            duration(present(result)),
            in_words(help)
        ),
        None => "None of the usual settings by itself makes it noticeably shorter.".to_string(),
    };
    let rows: Vec<Vec<String>> = result.helps.iter().map(cells).collect();
    let mut headings = vec!["one change", "then", "range", "change", "buffers", "processors"];
    if !result.prediction.requirements.is_empty() {
        headings.push("limits");
    }
    let more = Markup::new()
        .text("The best of all settings together, under limits of memory and processors, is found ")
        .text("by the same command with ")
        .tag("code", &[], "--recommend")
        .text(". Gains of single changes do not add up.");
    let name = crate::text::quoted(&result.scenario);
    let set = useful
        .first()
        .map_or_else(String::new, |help| format!(" --set {}", crate::text::quoted(&help.set)));
    let numbers = if rows.is_empty() { Markup::new() } else { table(&headings, 1, &rows) };
    let command = format!("bakcast predict {name}{set}");
    let command = if useful.is_empty() { Markup::new() } else { code(&command) };
    classed("p", "lead", tag("bdi", &[], lead))
        .line()
        .and(numbers)
        .and(command)
        .and(classed("p", "soft", more))
        .line()
}

/// Whether a change is really shorter, and by more than a word.
fn is_useful(help: &HelpResult) -> bool {
    let real = help.ratio_high.is_none_or(|high| high < 1.0);
    help.ratio.is_some_and(|ratio| ratio < 0.98) && real
}

fn present(result: &PageResult) -> f64 {
    let prediction = &result.prediction;
    match result.operation {
        "total" => prediction.total.seconds,
        "verify" => prediction.verify.as_ref().map_or(prediction.backup.seconds, |v| v.seconds),
        _ => prediction.backup.seconds,
    }
}

fn in_words(help: &HelpResult) -> String {
    let ratio = help.ratio.unwrap_or(1.0);
    let change = crate::number::digits((1.0 - ratio).abs() * 100.0, 2);
    let less = if ratio <= 1.0 { "less" } else { "more" };
    format!(
        "{change} % {less}, with {} of buffers and {} of the processors busy",
        bytes(help.buffer_memory_bytes as f64),
        percent(help.processor_share)
    )
}

fn cells(help: &HelpResult) -> Vec<String> {
    let change = help.ratio.map_or_else(String::new, |ratio| {
        let percent = (ratio - 1.0) * 100.0;
        match help.ratio_low.zip(help.ratio_high) {
            Some((low, high)) => {
                let reach = 100.0 * (high - ratio).max(ratio - low);
                format!("{percent:+.1} \u{b1} {reach:.1} %")
            }
            None => format!("{percent:+.1} %"),
        }
    });
    let mut cells = vec![
        help.what.clone(),
        duration(help.seconds),
        duration_range(help.low_seconds, help.high_seconds),
        change,
        bytes(help.buffer_memory_bytes as f64),
        percent(help.processor_share),
    ];
    if !help.requirements.is_empty() {
        let kept = help.requirements.iter().all(|requirement| requirement.met);
        cells.push(if kept { "kept" } else { "not kept" }.to_string());
    }
    cells
}
