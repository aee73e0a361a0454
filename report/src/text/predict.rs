//! `predict` for a terminal: durations first, then why, then what to do.

use super::beside;
use super::operation::{View, other_load};
use super::{
    INDENT, LINES, Paint, WIDTH, cut, entry, precision, table, uncertainty, warnings,
    warnings_without_hints, width,
};
use crate::document::{Document, DurationResult, PredictResult, RequirementResult};
use crate::number::{bytes, duration, duration_range, level, rate_binary, rate_decimal};

/// Longest statement that is repeated.
const LONGEST_SQL: usize = 40;

/// Columns of a label in a table, so that the rest begins where that of an entry does.
const LABEL: usize = INDENT - 2;

pub(crate) fn predict(document: &Document<PredictResult>, paint: Paint) -> String {
    let fits = |text: &String| paint.whole || text.lines().count() <= LINES;
    let texts = Thrift::ALL.into_iter().map(|thrift| composed(document, thrift, paint));
    let mut last = String::new();
    for text in texts {
        if fits(&text) {
            return text;
        }
        last = text;
    }
    last
}

/// What is given up to fit a screen, the dearest last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Thrift {
    /// Nothing.
    Nothing,
    /// The hints of warnings.
    Hints,
    /// The last blank line.
    Blank,
    /// The long form of what the range means.
    Certainty,
    /// The lines of the other jobs but one, and how busy the stages of a restore are.
    Jobs,
    /// The second line of a title, and all warnings but the first.
    Title,
    /// The first blank line.
    FirstBlank,
}

impl Thrift {
    const ALL: [Thrift; 7] = [
        Thrift::Nothing,
        Thrift::Hints,
        Thrift::Blank,
        Thrift::Certainty,
        Thrift::Jobs,
        Thrift::Title,
        Thrift::FirstBlank,
    ];
}

fn composed(document: &Document<PredictResult>, thrift: Thrift, paint: Paint) -> String {
    let result = &document.result;
    let mut out = heading(&result.scenario, &result.title, paint);
    out.push_str(&answer(result, thrift < Thrift::Jobs, paint));
    let in_short = thrift >= Thrift::Jobs;
    let later = beside::Later::of(result);
    out.push_str(&beside::jobs(&result.beside, later, in_short));
    let title =
        if thrift < Thrift::Title { result.title.clone() } else { on_a_line(&result.title) };
    out.push_str(&long_title(&result.scenario, &title));
    for requirement in &result.requirements {
        out.push_str(&judged(requirement, paint));
    }
    if thrift < Thrift::FirstBlank {
        out.push('\n');
    }
    out.push_str(&reasons(result, in_short));
    if thrift < Thrift::Blank {
        out.push('\n');
    }
    out.push_str(&match thrift {
        Thrift::Nothing => warnings(&document.warnings, usize::MAX, paint),
        Thrift::Title | Thrift::FirstBlank => warnings(&document.warnings, 1, paint),
        Thrift::Hints | Thrift::Blank | Thrift::Certainty | Thrift::Jobs => {
            warnings_without_hints(&document.warnings, paint)
        }
    });
    let certain = match &result.uncertainty {
        None if thrift < Thrift::Certainty => certainty(document),
        // Said here where there is no room near the ranges.
        Some(open) if thrift >= Thrift::Jobs => {
            format!("{}, {}", certainty_in_short(document), open.sets())
        }
        Some(_) => certainty_in_short(document),
        // It may never be left out that the range is that of the nights alone.
        None => format!("{}; errors of rates come on top", certainty_in_short(document)),
    };
    out.push_str(&entry("Certainty", &certain));
    out.push_str(&precision(result.precision));
    out + &next(result)
}

/// What limits each operation, and what the backup waits for.
fn reasons(result: &PredictResult, in_short: bool) -> String {
    let backup = View::from(result);
    let mut out = entry("Bottleneck", &backup.bottleneck_sentence());
    out.push_str(&entry("Stages", &backup.stage_line()));
    out.push_str(&entry("At no cost", &backup.gains()));
    out.push_str(&other_load(&result.other_load));
    if let Some(verify) = result.verify.as_ref().map(View::from) {
        out.push_str(&entry("Verify", &verify.bottleneck_sentence()));
        out.push_str(&entry("", &verify.stage_line()));
    }
    if let Some(restore) = result.restore.as_ref().map(View::from) {
        out.push_str(&entry("Restore", &restore.bottleneck_sentence()));
        if !in_short {
            out.push_str(&entry("", &restore.stage_line()));
        }
    }
    out.push_str(&entry("Buffers", &buffers(result)));
    let sides = ["source", "target"].iter().filter_map(|side| backup.waits_of(side));
    for (index, waits) in sides.enumerate() {
        out.push_str(&entry(if index == 0 { "Waits" } else { "" }, &waits));
    }
    out
}

/// Name and title on one line; a title that is too long for it comes later.
pub(crate) fn heading(name: &str, title: &str, paint: Paint) -> String {
    let shown = paint.strong(&cut(name, WIDTH));
    if fits_beside(name, title) { format!("{shown}  {title}\n") } else { format!("{shown}\n") }
}

/// A title that is too long to stand beside the name.
fn long_title(name: &str, title: &str) -> String {
    if fits_beside(name, title) { String::new() } else { entry("Scenario", title) }
}

/// A title that one line beside a label holds.
pub(super) fn on_a_line(title: &str) -> String {
    cut(title, WIDTH - INDENT)
}

pub(super) fn fits_beside(name: &str, title: &str) -> bool {
    width(name) + 2 + width(title) <= WIDTH
}

/// The durations, and the rates of those that move data; what the ranges hold, if there is room for
/// it.
fn answer(result: &PredictResult, room: bool, paint: Paint) -> String {
    let rate = |rate: Option<f64>| rate.map_or_else(String::new, rate_binary);
    let row = |name: &str, time: DurationResult, read: Option<f64>, written: Option<f64>| {
        vec![
            format!("{name:<LABEL$}"),
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
    if let Some(restore) = &result.restore {
        let (read, written) = (restore.read_bytes_per_second, restore.written_bytes_per_second);
        rows.push(row("restore", restore.duration(), read, written));
    }
    let range = format!("{} of runs", level(result.level));
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
    let ranges = uncertainty("Ranges", result.uncertainty.as_ref().filter(|_| room));
    format!("{text}{ranges}{}", entry("Data", &units))
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

pub(super) fn judged(requirement_of: &RequirementResult, paint: Paint) -> String {
    let RequirementResult { requirement, met, .. } = requirement_of;
    let verdict = match (requirement_of.margin(), met) {
        (Some(margin), true) => format!("met, {margin} to spare"),
        (Some(margin), false) => format!("NOT met, by {margin}"),
        (None, _) => "NOT met: there is no such operation".to_string(),
    };
    let label = if *met { paint.strong("Required") } else { paint.alarm("Required") };
    entry("Required", &format!("{requirement}: {verdict}")).replacen("Required", &label, 1)
}

fn buffers(result: &PredictResult) -> String {
    let sets = if result.buffer_sets == 1 { "set" } else { "sets" };
    let own = format!(
        "{} x {} x {} {sets} = {}",
        result.buffer_count,
        bytes(result.max_transfer_size_bytes as f64),
        result.buffer_sets,
        bytes(result.buffer_memory_bytes as f64)
    );
    match result.all_jobs_buffer_memory_bytes {
        Some(all) => format!("{own}, all jobs {}, outside page cache", bytes(all as f64)),
        None => format!("{own}, outside SQL Server's page cache"),
    }
}

fn certainty(document: &Document<PredictResult>) -> String {
    format!(
        "{} runs, {}, seed {}. Errors of the scenario's own rates come on top of their spread \
         (see bakcast validate)",
        document.replications,
        document.result.work(document.replications),
        document.seed
    )
}

fn certainty_in_short(document: &Document<PredictResult>) -> String {
    let Document { replications, seed, result, .. } = document;
    format!("{replications} runs, {}, seed {seed}", result.work(*replications))
}

/// What to type next.
fn next(result: &PredictResult) -> String {
    let command = |name: &str, sets: &[String]| {
        let mut parts = vec![format!("bakcast {name} {}", quoted(&result.scenario))];
        parts.extend(result.sql.as_deref().map(|sql| format!("--sql {}", in_short(sql))));
        parts.extend(sets.iter().map(|set| format!("--set {}", quoted(set))));
        command_lines(&parts)
    };
    let mut out = labelled("Next", &command("explain", &result.set));
    if let Some(next) = &result.next_try {
        let sets = with_set(&result.set, &next.path, &next.value);
        out.push_str(&labelled("", &command("predict", &sets)));
    }
    out
}

/// A statement as a command repeats it: in full only if it fits beside the rest.
fn in_short(sql: &str) -> String {
    if sql.chars().count() > LONGEST_SQL || sql.contains('\n') {
        return "'...'".to_string();
    }
    quoted(sql)
}

/// What was set, but a knob set anew.
fn with_set(given: &[String], path: &str, value: &str) -> Vec<String> {
    let is_other = |set: &&String| set.split_once('=').is_none_or(|(key, _)| key.trim() != path);
    let mut sets: Vec<String> = given.iter().filter(is_other).cloned().collect();
    sets.push(format!("{path}={value}"));
    sets
}

/// A command in lines that a shell takes as one.
pub(super) fn command_lines(parts: &[String]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        match lines.last_mut() {
            // Two columns are kept for the ` \\` of a line that goes on.
            Some(line) if width(line) + 1 + width(part) <= WIDTH - INDENT - 2 => {
                line.push(' ');
                line.push_str(part);
            }
            Some(line) => {
                line.push_str(" \\");
                lines.push(format!("  {part}"));
            }
            None => lines.push(part.clone()),
        }
    }
    lines
}

/// Lines beside a label, as they are.
pub(super) fn labelled(label: &str, lines: &[String]) -> String {
    let label = |index: usize| if index == 0 { label } else { "" };
    let line = |(index, line): (usize, &String)| format!("{:<INDENT$}{line}\n", label(index));
    lines.iter().enumerate().map(line).collect()
}

/// A word for a shell.
#[must_use]
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-:/=,+%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_knob_to_try_takes_the_place_of_what_it_was_set_to() {
        let given = ["backup.buffer_count=2".to_string(), "verify.enabled=false".to_string()];
        let sets = with_set(&given, "backup.buffer_count", "64");
        assert_eq!(sets, ["verify.enabled=false", "backup.buffer_count=64"]);
    }
}
