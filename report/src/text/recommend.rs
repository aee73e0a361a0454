//! `recommend` for a terminal: the advice, the ladder, what to run.

use super::columns::{Column, lines};
use super::predict::{heading, judged};
use super::{INDENT, LINES, Paint, WIDTH, entry, warnings, wrapped};
use crate::document::{Document, RecommendResult, StepResult};
use crate::number::{bytes, duration, level, percent};

pub(crate) fn recommend(document: &Document<RecommendResult>, paint: Paint) -> String {
    let result = &document.result;
    let mut out = heading(&result.scenario, &result.title, paint);
    let answer = entry("Advice", &result.answer);
    let label =
        if result.choice.is_some() { paint.strong("Advice") } else { paint.alarm("Advice") };
    out.push_str(&answer.replacen("Advice", &label, 1));
    out.push_str(&ladder(result));
    for requirement in &result.requirements {
        out.push_str(&judged(requirement, paint));
    }
    out.push_str(&entry("Within", &within(result)));
    let certainty = entry("Certainty", &certainty(document));
    let statement = result.statement.as_deref().map_or_else(String::new, |s| sql("Statement", s));
    let ola = result.ola_call.as_deref().map_or_else(String::new, |call| sql("Ola", call));
    let dbatools = result.dbatools_call.as_deref().map_or_else(String::new, shell);
    let warned = if document.warnings.is_empty() { 0 } else { 2 };
    let mut room = LINES.saturating_sub(out.lines().count() + certainty.lines().count() + warned);
    let mut left_out = false;
    for text in [statement, ola, dbatools] {
        // One line is kept to say where the rest is.
        let fits = text.lines().count() < room || text.is_empty();
        if paint.whole || fits {
            out.push_str(&text);
            room = room.saturating_sub(text.lines().count());
        } else {
            left_out = true;
        }
    }
    if left_out {
        out.push_str(&entry("Calls", "see --format json, or a file of -o"));
    }
    out.push_str(&certainty);
    let room = LINES.saturating_sub(out.lines().count());
    if room > 0 || paint.whole {
        out.push_str(&warnings(&document.warnings, room, paint));
    }
    out
}

/// What was allowed where nobody said so, on one line.
fn within(result: &RecommendResult) -> String {
    let memory = result
        .usual_memory_bytes
        .map_or_else(String::new, |most| format!("{} of buffers (--memory), ", bytes(most as f64)));
    super::cut(&format!("{memory}files on {}", result.devices.join(", ")), WIDTH - INDENT)
}

/// What the answer rests on.
pub(crate) fn certainty(document: &Document<RecommendResult>) -> String {
    let result = &document.result;
    let sets =
        result.parameter_sets.map_or_else(String::new, |sets| format!(", {sets} parameter sets"));
    format!(
        "{} of {} settings tried; {} nights{sets}, the same for all, seed {}; \u{b1} {}",
        result.evaluated,
        result.candidates,
        result.paired_nights,
        document.seed,
        level(result.level)
    )
}

/// `-12.3 ± 0.4 %`: how much longer or shorter.
pub(crate) fn gain(step: &StepResult) -> String {
    let Some(ratio) = step.ratio else { return String::new() };
    let change = (ratio - 1.0) * 100.0;
    let reach = step.ratio_low.zip(step.ratio_high);
    let reach = reach.map(|(low, high)| 100.0 * (high - ratio).max(ratio - low));
    let shown = format!("{change:+.1}");
    let shown = if shown == "-0.0" { "+0.0".to_string() } else { shown };
    match reach {
        Some(reach) => format!("{shown} \u{b1} {reach:.1} %"),
        None => format!("{shown} %"),
    }
}

fn ladder(result: &RecommendResult) -> String {
    let headings = ["step", result.operation, "change", "buffers", "processors"];
    let mut cells = vec![headings.map(str::to_string).to_vec()];
    let line = |name: String, step: &StepResult, gain: String| {
        let (memory, share) = (step.buffer_memory_bytes as f64, step.processor_share);
        vec![name, duration(step.seconds), gain, bytes(memory), percent(share)]
    };
    cells.push(line("as it is".to_string(), &result.present, String::new()));
    cells.extend(result.ladder.iter().map(|step| line(step.change.clone(), step, gain(step))));
    if let Some(step) = &result.nearest
        && step.settings != result.present.settings
    {
        cells.push(line(format!("nearest: {}", step.change), step, gain(step)));
    }
    if let Some(step) = &result.beyond {
        let over = if step.keeps_limits == Some(false) { "beyond limits" } else { "further" };
        cells.push(line(format!("{over}: {}", step.change), step, gain(step)));
    }
    let columns =
        [Column::Yielding(16), Column::Right, Column::Right, Column::Right, Column::Right];
    lines(&columns, &cells, None).join("\n") + "\n"
}

/// A statement in as few lines as it takes; what stands between quotes is not broken.
fn sql(label: &str, statement: &str) -> String {
    let mut quoted = false;
    let whole: String = statement
        .chars()
        .map(|c| {
            quoted ^= c == '\'';
            if c == ' ' && quoted {
                '\u{a0}'
            } else if c == '\n' {
                ' '
            } else {
                c
            }
        })
        .collect();
    entry(label, &whole)
}

/// A command of PowerShell, its lines continued.
fn shell(call: &str) -> String {
    let whole = call.replace(" `\n", " ");
    let mut quoted = false;
    let whole: String = whole
        .chars()
        .map(|c| {
            quoted ^= c == '\'';
            if c == ' ' && quoted { '\u{a0}' } else { c }
        })
        .collect();
    let parts = wrapped(&whole, WIDTH - INDENT - 2);
    let mut out = String::new();
    for (index, part) in parts.iter().enumerate() {
        let label = if index == 0 { "dbatools" } else { "" };
        let goes_on = if index + 1 < parts.len() { " `" } else { "" };
        out.push_str(&format!("{label:<INDENT$}{part}{goes_on}\n"));
    }
    out
}
