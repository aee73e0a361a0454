//! `compare` for a terminal: a line for each configuration, then the answer.

use super::columns::{Column, lines};
use super::predict::{heading, judged};
use super::{LINES, Paint, entry, warnings};
use crate::document::{CompareResult, CompareRow, Document, short_path};
use crate::number::{bytes, duration, duration_range, level};

/// Lines of configurations in any case.
const LEAST_ROWS: usize = 4;

pub(crate) fn compare(document: &Document<CompareResult>, paint: Paint) -> String {
    let result = &document.result;
    let mut tail = String::new();
    let errors: Vec<&CompareRow> = result.rows.iter().filter(|row| row.error.is_some()).collect();
    if let Some((row, error)) = errors.first().and_then(|row| Some((row, row.error.as_deref()?))) {
        let count = errors.len();
        let more = if count > 1 { format!(" ({count} refused)") } else { String::new() };
        let text = format!("{}: {error}{more}", row.settings.words());
        tail.push_str(&entry("Refused", &super::cut(&text, 130)));
    }
    for requirement in result.requirements() {
        tail.push_str(&judged(requirement, paint));
    }
    tail.push('\n');
    let answer = entry("Answer", &result.answer);
    tail.push_str(&answer.replacen("Answer", &paint.strong("Answer"), 1));
    tail.push_str(&entry("Certainty", &certainty(document)));
    // Heading, headings, how many more, and the first warning with how many more.
    let warned = if document.warnings.is_empty() { 0 } else { 3 };
    let room = LINES.saturating_sub(tail.lines().count() + 3 + warned).max(LEAST_ROWS);
    let mut out = heading(&result.scenario, &result.title, paint);
    out.push_str(&table(result, room, paint));
    out.push_str(&tail);
    let room = LINES.saturating_sub(out.lines().count());
    out.push_str(&warnings(&document.warnings, room, paint));
    out
}

/// What the intervals are made of.
pub(crate) fn certainty(document: &Document<CompareResult>) -> String {
    let result = &document.result;
    let sets = result.parameter_sets.map_or_else(String::new, |sets| {
        format!(" for the {sets} parameter sets that agree with what was measured")
    });
    format!(
        "{} nights, each with the same luck for all, seed {}; {} interval of the ratio of a \
         typical night{sets}",
        result.paired_nights,
        document.seed,
        level(result.level)
    )
}

/// The reference and, where a screen does not hold all, the shortest of the others.
fn shown(result: &CompareResult, room: usize) -> (Vec<&CompareRow>, usize) {
    let all: Vec<&CompareRow> = result.rows.iter().collect();
    if all.len() <= room {
        return (all, 0);
    }
    let mut order: Vec<usize> = (1..all.len()).collect();
    let ratio = |at: &usize| all[*at].ratio.unwrap_or(f64::INFINITY);
    order.sort_by(|a, b| ratio(a).total_cmp(&ratio(b)));
    order.truncate(room.saturating_sub(1));
    order.sort_unstable();
    let kept: Vec<&CompareRow> = std::iter::once(0).chain(order).map(|at| all[at]).collect();
    let left_out = all.len() - kept.len();
    (kept, left_out)
}

fn table(result: &CompareResult, room: usize, paint: Paint) -> String {
    let room = if paint.whole { usize::MAX } else { room };
    let (rows, left_out) = shown(result, room);
    let label: Vec<String> = result.paths.iter().map(|path| short_path(path)).collect();
    let headings = [
        &label.join(", "),
        result.operation,
        &format!("{} of runs", level(result.level)),
        "relative",
        "bottleneck",
        "buffers",
    ];
    let mut cells = vec![headings.map(str::to_string).to_vec()];
    cells.extend(rows.iter().map(|row| line(result, row)));
    let seconds = |row: &&CompareRow| row.duration(result.operation).map(|d| d.seconds);
    let longest = rows.iter().filter_map(seconds).fold(0.0, f64::max);
    let share = |row: &&CompareRow| seconds(row).map(|s| s / longest).filter(|s| s.is_finite());
    let shares: Vec<Option<f64>> = std::iter::once(None).chain(rows.iter().map(share)).collect();
    let columns = [
        Column::Yielding(12),
        Column::Right,
        Column::Right,
        Column::Left,
        Column::Left,
        Column::Right,
    ];
    let mut text = lines(&columns, &cells, Some((4, &shares, paint.glyphs)));
    if let Some(best) = &result.best {
        let at = rows.iter().position(|row| std::ptr::eq(*row, &result.rows[best.row]));
        if let Some(line) = at.and_then(|at| text.get_mut(at + 1)) {
            *line = paint.strong(line);
        }
    }
    if left_out > 0 {
        text.push(format!("and {left_out} more, none shorter: see --format csv"));
    }
    text.join("\n") + "\n"
}

fn line(result: &CompareResult, row: &CompareRow) -> Vec<String> {
    let label = match (row.is_reference, result.reference.is_empty()) {
        (true, true) => "as it is".to_string(),
        (true, false) => "reference".to_string(),
        (false, _) => row.settings.label(),
    };
    let Some(time) = row.duration(result.operation) else {
        let why = if row.error.is_some() { "refused" } else { "none" };
        return [label.as_str(), why, "", "", "", ""].map(str::to_string).to_vec();
    };
    let bottleneck = row.bottleneck(result.operation).unwrap_or("");
    let memory = row.predict.as_ref().map_or(0, |predict| predict.buffer_memory_bytes);
    vec![
        label,
        duration(time.seconds),
        duration_range(time.low_seconds, time.high_seconds),
        relative(row),
        super::cut(bottleneck, 14),
        bytes(memory as f64),
    ]
}

/// The ratio with its interval: `0.67 +- 0.02`.
pub(crate) fn relative(row: &CompareRow) -> String {
    let Some(ratio) = row.ratio else { return String::new() };
    let reach = row.ratio_low.zip(row.ratio_high);
    let reach = reach.map(|(low, high)| (high - ratio).max(ratio - low)).filter(|r| *r > 0.0);
    match reach {
        Some(reach) => format!("{ratio:.2} \u{b1} {reach:.2}"),
        None => format!("{ratio:.2}"),
    }
}
