//! `predict` for a terminal: durations first, then why, then what to do.

use super::operation::View;
use super::{INDENT, Paint, WIDTH, cut, entry, table, together, warnings};
use crate::document::{Document, DurationResult, PredictResult, RequirementResult};
use crate::number::{bytes, duration, duration_range, percent, rate_binary, rate_decimal};

/// Warnings printed in full.
const WARNINGS: usize = 2;

pub(crate) fn predict(document: &Document<PredictResult>, paint: Paint) -> String {
    let result = &document.result;
    let mut out = heading(&result.scenario, &result.title, paint);
    out.push_str(&answer(result, paint));
    for requirement in &result.requirements {
        out.push_str(&judged(requirement, paint));
    }
    out.push('\n');
    let backup = View::from(result);
    out.push_str(&entry("Bottleneck", &backup.bottleneck_sentence()));
    out.push_str(&entry("Stages", &backup.stage_line()));
    if let Some(verify) = result.verify.as_ref().map(View::from) {
        out.push_str(&entry("Verify", &verify.bottleneck_sentence()));
        out.push_str(&entry("", &verify.stage_line()));
    }
    out.push_str(&entry("Buffers", &buffers(result)));
    let sides = ["source", "target"].iter().filter_map(|side| backup.waits_of(side));
    for (index, waits) in sides.enumerate() {
        out.push_str(&entry(if index == 0 { "Waits" } else { "" }, &waits));
    }
    out.push('\n');
    out.push_str(&warnings(&document.warnings, WARNINGS, paint));
    out.push_str(&entry("Certainty", &certainty(document)));
    out.push_str(&next(result));
    out
}

/// Name and title on one line.
pub(super) fn heading(name: &str, title: &str, paint: Paint) -> String {
    let name = cut(name, WIDTH / 2);
    let room = WIDTH - name.chars().count() - 2;
    format!("{}  {}\n", paint.strong(&name), cut(title, room))
}

/// The three durations, and the rates of the two that move data.
fn answer(result: &PredictResult, paint: Paint) -> String {
    let rate = |rate: Option<f64>| rate.map_or_else(String::new, rate_binary);
    let row = |name: &str, time: DurationResult, read: Option<f64>, written: Option<f64>| {
        vec![
            name.to_string(),
            duration(time.seconds),
            duration_range(time.low_seconds, time.high_seconds),
            rate(read),
            rate(written),
        ]
    };
    let written = Some(result.written_bytes).filter(|bytes| *bytes > 0);
    let written = written.and(result.written_bytes_per_second);
    let mut rows = vec![row("backup", result.backup, result.read_bytes_per_second, written)];
    if let Some(verify) = &result.verify {
        rows.push(row("verify", verify.duration(), verify.read_bytes_per_second, None));
        rows.push(row("total", result.total, None, None));
    }
    let range = format!("{} of runs", percent(result.level));
    let headings = ["", "expected", &range, "read", "written"];
    let text = table(&headings, 1, &rows);
    let text = if paint.colour { emphasised(&text, &rows, paint) } else { text };
    let decimal = |rate: Option<f64>| rate.map(rate_decimal);
    let mut units = format!("{} read", bytes(result.read_bytes as f64));
    if let Some(read) = decimal(result.read_bytes_per_second) {
        units.push_str(&format!(" at {read} (10^6)"));
    }
    units.push_str(&format!(", {} written", bytes(result.written_bytes as f64)));
    if let Some(written) = decimal(written) {
        units.push_str(&format!(" at {written}"));
    }
    format!("{text}{}", entry("Data", &units))
}

/// The expected durations in bold.
fn emphasised(text: &str, rows: &[Vec<String>], paint: Paint) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    for (line, row) in lines.iter_mut().skip(1).zip(rows) {
        if let Some(expected) = row.get(1) {
            *line = line.replacen(expected, &paint.strong(expected), 1);
        }
    }
    lines.join("\n") + "\n"
}

fn judged(requirement: &RequirementResult, paint: Paint) -> String {
    let RequirementResult { requirement, limit_seconds, judged_seconds, met, .. } = requirement;
    let verdict = match judged_seconds {
        Some(seconds) if *met => format!("met, {} to spare", duration(limit_seconds - seconds)),
        Some(seconds) => format!("NOT met, by {}", duration((seconds - limit_seconds).max(0.0))),
        None => "NOT met: there is no such operation".to_string(),
    };
    let label = if *met { paint.strong("Required") } else { paint.alarm("Required") };
    entry("Required", &format!("{requirement}: {verdict}")).replacen("Required", &label, 1)
}

fn buffers(result: &PredictResult) -> String {
    let sets = if result.buffer_sets == 1 { "set" } else { "sets" };
    format!(
        "{} x {} x {} {sets} = {}, outside SQL Server's page cache",
        result.buffer_count,
        bytes(result.max_transfer_size_bytes as f64),
        result.buffer_sets,
        bytes(result.buffer_memory_bytes as f64)
    )
}

fn certainty(document: &Document<PredictResult>) -> String {
    format!(
        "{} simulated runs, seed {}: the range is their spread; errors of the scenario's own \
         figures come on top (bakcast validate shows how large those were)",
        document.replications, document.seed
    )
}

/// What to type next.
fn next(result: &PredictResult) -> String {
    let scenario = quoted(&result.scenario);
    let mut given: String = result.set.iter().map(|set| format!(" --set {}", quoted(set))).collect();
    if scenario.chars().count() + given.chars().count() > WIDTH - INDENT - 16 {
        given = " ...".to_string();
    }
    let mut out = entry("Next", &together(&format!("bakcast explain {scenario}{given}")));
    if let Some(next) = &result.next_try {
        let set = quoted(&format!("{}={}", next.path, next.value));
        let command = format!("bakcast predict {scenario}{given} --set {set}");
        let room = WIDTH - INDENT;
        let line = format!("{command}   # {}", next.what);
        let line = if line.chars().count() > room { command } else { line };
        out.push_str(&entry("", &together(&line)));
    }
    out
}

/// A word for a shell.
pub(super) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-:/=,+%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
