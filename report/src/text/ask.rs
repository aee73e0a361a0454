//! `ask` for a terminal: the answer first, on one screen.

use super::{LINES, Paint, cut, entry, joined_on_one_line, together, uncertainty, warnings};
use crate::document::{AskResult, Document, FlipResult, SideResult};
use crate::number::{bytes, duration, percent};

/// Alternatives shown beside the one that is told of.
const SHOWN: usize = 8;

/// What is left out to fit a screen, one after the other.
const LEAST: usize = 4;

pub(crate) fn ask(document: &Document<AskResult>, paint: Paint) -> String {
    let fits = |text: &String| paint.whole || text.lines().count() <= LINES;
    let all = (0..LEAST).map(|left_out| composed(document, paint, left_out));
    let first = all.into_iter().find(fits);
    first.unwrap_or_else(|| composed(document, paint, LEAST))
}

/// The text without what is left out first: what was tried, notes, the ensemble, the verification
/// in the reasons and all changes but the nearest.
fn composed(document: &Document<AskResult>, paint: Paint, left_out: usize) -> String {
    let result = &document.result;
    let answer = result.answer.replace('-', " ");
    let line = format!("{answer}: {}", result.headline);
    let mut out = format!("{}: {}\n", result.scenario, result.question_text);
    out.push_str(&entry("Answer", &line).replacen("Answer", &paint.strong("Answer"), 1));
    if let Some(on) = &result.depends_on {
        out.push_str(&entry("It depends", &format!("on {on}")));
    }
    let why = match result.why.split_once(". Verification: ") {
        Some((first, _)) if left_out > 2 => first,
        _ => &result.why,
    };
    out.push_str(&entry("Why", why));
    out.push_str(&entry("Gain", &gain(result)));
    out.push_str(&entry("Durations", &durations(&result.before, &result.after)));
    if left_out == 0 {
        let tried = if result.by_kind.is_empty() { tried(result) } else { by_kind(result) };
        out.push_str(&entry("Tried", &tried));
    }
    out.push_str(&entry("Changes if", &changes(result, if left_out > 2 { 1 } else { 3 })));
    if let Some(surer) = &result.surer_with {
        let share = match (surer.share_of_variation, surer.moves_ratio_by) {
            (Some(share), _) => format!(" ({} of what is open)", percent(share)),
            (_, Some(by)) => format!(" (worth {} of the result)", percent(by)),
            _ => String::new(),
        };
        out.push_str(&entry("Measure", &format!("{}{share}: {}", surer.parameter, surer.run)));
    }
    if left_out < 2 && !result.notes.is_empty() {
        out.push_str(&entry("Note", &result.notes.join("; ")));
    }
    if left_out < 2 {
        out.push_str(&uncertainty("Intervals", result.uncertainty.as_ref()));
    }
    let statement = statement(&result.statement, paint);
    let room = LINES.saturating_sub(out.lines().count() + statement.lines().count());
    if left_out < LEAST {
        out.push_str(&warnings(&document.warnings, room, paint));
    }
    out + &statement
}

/// The statement; of many files the first and the last, for it has to fit a screen.
fn statement(statement: &str, paint: Paint) -> String {
    const MOST: usize = 5;
    let lines: Vec<&str> = statement.lines().collect();
    let mut shown: Vec<String> = lines.iter().map(|line| (*line).to_string()).collect();
    if !paint.whole && lines.len() > MOST {
        let left_out = format!("   ... {} more files, see --format json", lines.len() - 3);
        shown = vec![lines[0].to_string(), lines[1].to_string(), left_out];
        shown.extend(lines.last().map(|line| (*line).to_string()));
    }
    format!("Try\n{}\n", shown.join("\n"))
}

fn gain(result: &AskResult) -> String {
    let each = result.operations.iter().map(|one| {
        let interval = match (one.gain.ratio_low, one.gain.ratio_high) {
            (Some(low), Some(high)) => format!(" ({low:.2} to {high:.2})"),
            _ => String::new(),
        };
        format!("{} {:.2}{interval}", one.operation, one.gain.ratio)
    });
    let each: Vec<String> = each.map(|part| together(&part)).collect();
    format!("{} of the time; 1 is no gain", each.join(" | "))
}

fn durations(before: &SideResult, after: &SideResult) -> String {
    let one = |side: &SideResult| {
        let verify = side
            .verify_seconds
            .map_or_else(String::new, |verify| format!(" + {}", duration(verify)));
        let memory = bytes(side.buffer_memory_bytes as f64);
        let time = together(&format!("{}{verify}", duration(side.backup_seconds)));
        format!("{}: {time}, {}", side.label, together(&format!("{memory} of buffers")))
    };
    format!("{} | {}", one(before), one(after))
}

fn tried(result: &AskResult) -> String {
    let step = result.alternatives.len().div_ceil(SHOWN).max(1);
    let shown = result.alternatives.iter().step_by(step);
    let parts = shown.filter_map(|one| {
        let seconds = one.seconds?;
        Some(format!("{} {}", cut(&one.label, 30), duration(seconds)))
    });
    joined_on_one_line(parts, " | ")
}

/// The best of each sort.
fn by_kind(result: &AskResult) -> String {
    let parts = result.by_kind.iter().map(|one| {
        let answer = one.answer.replace('-', " ");
        format!(
            "{}: {answer}, {:.2} with {}",
            one.kind.replace('-', " "),
            one.gain.ratio,
            one.label
        )
    });
    parts.collect::<Vec<_>>().join("; ")
}

/// What would change the answer.
fn changes(result: &AskResult, most: usize) -> String {
    if result.would_change_if.is_empty() {
        return format!(
            "no number of the scenario does so within a factor of {}",
            result.searched_factor
        );
    }
    let nearest = result.would_change_if.iter().take(most);
    let parts = nearest.map(|flip| one_change(flip, result.answer));
    parts.collect::<Vec<_>>().join("; ")
}

pub(crate) fn one_change(flip: &FlipResult, answer: &str) -> String {
    let way = if flip.factor > 1.0 { "or more" } else { "or less" };
    let then = match (answer, flip.answer) {
        (_, "it-depends") => "it depends".to_string(),
        (_, then) => then.to_string(),
    };
    let (value, now) = (together(&flip.value), together(&flip.now));
    format!("{} {value} {way}: {then} (now {now})", flip.parameter)
}
