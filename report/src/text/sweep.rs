//! `sweep` for a terminal: five views, each in a few lines.

use super::columns::{Column, lines};
use super::predict::heading;
use super::{LINES, Paint, entry, together, warnings};
use crate::document::{
    BestOfResult, Document, EffectValueResult, PointResult, SweepResult, short_path,
};
use crate::number::{bytes, duration, percent, rate_binary};

/// Lines of a view on a screen.
const FEW: usize = 5;

pub(crate) fn sweep(document: &Document<SweepResult>, paint: Paint) -> String {
    let result = &document.result;
    let mut out = heading(&result.scenario, &result.title, paint);
    out.push_str(&entry("Sweep", &work(document)));
    if let Some(error) = &result.first_error {
        let text = format!("{} configurations, the first: {error}", result.refused);
        out.push_str(&entry("Refused", &super::cut(&text, 200)));
    }
    out.push('\n');
    out.push_str(&ranking(result, paint));
    out.push_str(&compression(result));
    out.push_str(&effects(result, paint));
    let few = if paint.whole { usize::MAX } else { 1 };
    out.push_str(&efficient(result, few));
    out.push_str(&consistent(result, few));
    let room = LINES.saturating_sub(out.lines().count());
    out.push_str(&warnings(&document.warnings, room, paint));
    out
}

/// What was run, and where the rows are.
fn work(document: &Document<SweepResult>) -> String {
    let result = &document.result;
    let (first, last) = (result.first_run, result.last_run);
    let mut text = if last < first {
        "no configuration falls to this shard".to_string()
    } else if last - first + 1 == result.configurations {
        format!("{} configurations", result.configurations)
    } else {
        format!("configurations {first} to {last} of {}", result.configurations)
    };
    text.push_str(&format!(", {} nights each, seed {}", document.replications, document.seed));
    if result.resumed_rows > 0 {
        text.push_str(&format!(", {} of them from the file", result.resumed_rows));
    }
    if let Some(file) = &result.rows_file {
        text.push_str(&format!("; rows in {file}"));
    }
    if let Some(meeting) = result.meeting_requirements {
        text.push_str(&format!("; {meeting} meet the requirements"));
    }
    text
}

/// View 1.
fn ranking(result: &SweepResult, paint: Paint) -> String {
    if result.ranking.is_empty() {
        return entry("Ranking", "nothing could be run");
    }
    let few = if paint.whole { result.ranking.len() } else { FEW };
    let names: Vec<String> = result.paths.iter().map(|path| short_path(path)).collect();
    let headings =
        ["rank", &names.join(", "), result.operation, "read", "buffers"].map(str::to_string);
    let mut rows = vec![headings.to_vec()];
    let best = result.ranking.first().map_or(1.0, |point| point.seconds);
    let mut shares = vec![None];
    for (rank, point) in result.ranking.iter().take(few).enumerate() {
        rows.push(vec![
            (rank + 1).to_string(),
            point.settings.label(),
            duration(point.seconds),
            rate_binary(point.read_bytes_per_second),
            bytes(point.buffer_memory_bytes as f64),
        ]);
        shares.push(Some(best / point.seconds).filter(|share| share.is_finite()));
    }
    let columns =
        [Column::Right, Column::Yielding(12), Column::Right, Column::Right, Column::Right];
    let mut text = lines(&columns, &rows, Some((3, &shares, paint.glyphs)));
    if let Some(first) = text.get_mut(1) {
        *first = paint.strong(first);
    }
    text.join("\n") + "\n"
}

/// View 2.
fn compression(result: &SweepResult) -> String {
    let of = |best: &BestOfResult| {
        let name = if best.compressed { "compressed" } else { "uncompressed" };
        let text = format!("best of {} {name}: {}", best.count, said(&best.best));
        entry(if best.compressed { "" } else { "Compression" }, &text)
    };
    let text: String = result.best_per_compression.iter().map(of).collect();
    // The label stands in the first line, whichever that is.
    if text.starts_with(' ') { text.replacen("           ", "Compression", 1) } else { text }
}

/// View 3: the best and the worst value of each knob; in a file, all of them.
fn effects(result: &SweepResult, paint: Paint) -> String {
    let most = if paint.whole { usize::MAX } else { 4 };
    let mut out = String::new();
    for (index, effect) in result.effects.iter().take(most).enumerate() {
        let mut values: Vec<&EffectValueResult> = effect.values.iter().collect();
        if !paint.whole {
            values.sort_by(|a, b| a.mean_seconds.total_cmp(&b.mean_seconds));
            values = values.first().into_iter().chain(values.last()).copied().collect();
            values.dedup();
        }
        let value = |value: &&EffectValueResult| {
            let label = if value.value.is_empty() { "as it is" } else { &value.value };
            together(&format!("{label} {}", duration(value.mean_seconds)))
        };
        let values: Vec<String> = values.iter().map(value).collect();
        let between = if paint.whole { " | " } else { " to " };
        let name = together(&short_path(&effect.path));
        let spread = percent(effect.spread);
        let text = format!("{name}: means {spread} apart, {}", values.join(between));
        out.push_str(&entry(if index == 0 { "Effect" } else { "" }, &text));
    }
    out
}

/// View 4.
fn efficient(result: &SweepResult, few: usize) -> String {
    let one = |point: &PointResult| {
        // Bytes a second for each byte are MiB/s for each MiB.
        let rate = point.rate_per_memory_per_second;
        let rate = crate::number::digits(rate, 3);
        format!("{rate} MiB/s per MiB: {}", said(point))
    };
    labelled("For memory", result.efficient.iter().take(few).map(one))
}

/// View 5.
fn consistent(result: &SweepResult, few: usize) -> String {
    let one = |point: &PointResult| {
        format!("range {} of the median: {}", percent(point.relative_width), said(point))
    };
    labelled("Consistent", result.consistent.iter().take(few).map(one))
}

fn labelled(label: &str, texts: impl Iterator<Item = String>) -> String {
    let label = |index: usize| if index == 0 { label } else { "" };
    texts.enumerate().map(|(index, text)| entry(label(index), &text)).collect()
}

fn said(point: &PointResult) -> String {
    format!("{}, {}", super::cut(&point.settings.label(), 40), together(&duration(point.seconds)))
}
