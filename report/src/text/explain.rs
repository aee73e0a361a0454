//! `explain` for a terminal: one screen, the answer first.

use super::operation::{Group, View, other_load};
use super::predict::{fits_beside, heading, judged, on_a_line};
use super::{LINES, Paint, cut, entry, precision, table, together, uncertainty, warnings};
use crate::document::{
    Document, ExplainResult, ExplainedOperation, ExplainedStation, KneePointResult,
};
use crate::number::{bytes, duration, duration_range, percent, rate_binary};
use crate::plot::Glyphs;

/// Columns of a station's name.
const NAME: usize = 21;
/// Numbers of buffers shown.
const POINTS: usize = 4;

pub(crate) fn explain(document: &Document<ExplainResult>, paint: Paint) -> String {
    let title = &document.result.title;
    let fits = |text: &String| paint.whole || text.lines().count() <= LINES;
    let text = composed(document, Some(title), paint);
    if fits(&text) {
        return text;
    }
    let text = composed(document, Some(&on_a_line(title)), paint);
    if fits(&text) { text } else { composed(document, None, paint) }
}

/// The text with a title as long as it may be, or without one that takes a line of its own.
fn composed(document: &Document<ExplainResult>, title: Option<&str>, paint: Paint) -> String {
    let result = &document.result;
    if result.shows_sensitivity {
        return super::sensitivity::sensitivity(document, paint);
    }
    let mut operations = vec![("backup", &result.backup)];
    operations.extend(result.verify.as_ref().map(|verify| ("verify", verify)));
    let mut out = heading(&result.scenario, &result.title, paint);
    for (name, operation) in &operations {
        let answer = entry(name, &answer(operation));
        out.push_str(&answer.replacen(name, &paint.strong(name), 1));
    }
    out.push_str(&uncertainty("ranges", result.uncertainty.as_ref()));
    if let Some(title) = title.filter(|_| !fits_beside(&result.scenario, &result.title)) {
        out.push_str(&entry("Scenario", title));
    }
    out.push_str(&stations(&operations));
    if !result.other_jobs.is_empty() {
        out.push_str(&entry("other jobs", "left out of demands and bounds, not out of the rest"));
    }
    out.push_str(&other_load(&result.other_load));
    for (name, operation) in &operations {
        out.push_str(&entry(name, &bounds(operation)));
        out.push_str(&entry("", &theory(operation)));
        out.push_str(&entry("  buffers", &knee(operation, paint)));
    }
    for requirement in &result.requirements {
        out.push_str(&judged(requirement, paint));
    }
    out.push_str(&precision(result.precision));
    let room = LINES.saturating_sub(out.lines().count());
    out.push_str(&warnings(&document.warnings, room, paint));
    out
}

/// How the stations of both operations spend their time.
fn stations(operations: &[(&str, &ExplainedOperation)]) -> String {
    let mut rows = Vec::new();
    for (index, (name, operation)) in operations.iter().enumerate() {
        if index > 0 {
            rows.push(vec![format!("in the {name}")]);
        }
        let view = View::from(*operation);
        rows.extend(view.groups().iter().filter_map(|group| row(operation, group)));
    }
    let first = operations.first().map_or_else(String::new, |(name, _)| format!("in the {name}"));
    let headings = [&first, "working", "starved", "blocked", "demand", "a cycle", "at no cost"];
    table(&headings, 1, &rows)
}

/// The duration, and what limits it.
fn answer(operation: &ExplainedOperation) -> String {
    let expected = duration(operation.seconds);
    let range = duration_range(operation.low_seconds, operation.high_seconds);
    let time = together(&format!("{expected} ({range})"));
    format!("{time}, {}", View::from(operation).bottleneck_sentence())
}

/// One row a role: the busiest station of it.
fn row(operation: &ExplainedOperation, group: &Group<'_>) -> Option<Vec<String>> {
    let busiest = group.busiest()?;
    let explained = operation.stations.iter().find(|s| s.station.name == busiest.name)?;
    let ExplainedStation { demand_seconds, demand_seconds_per_cycle, .. } = explained;
    let fixed = group.role == "fixed cost";
    let unless_fixed = |text: String| if fixed { String::new() } else { text };
    Some(vec![
        station_name(group.role, &busiest.name, busiest.servers, group.stations.len()),
        percent(busiest.working),
        unless_fixed(percent(busiest.starved)),
        unless_fixed(percent(busiest.blocked)),
        duration(*demand_seconds),
        unless_fixed(duration(*demand_seconds_per_cycle)),
        busiest.next_gain_seconds.map_or_else(String::new, |gain| duration(-gain)),
    ])
}

fn station_name(role: &str, name: &str, servers: u32, of: usize) -> String {
    let text = match role {
        "processor" => format!("processor x {servers}"),
        "fixed cost" => role.to_string(),
        "source and target" => format!("src+target {name}"),
        role => format!("{role} {name}"),
    };
    if of > 1 {
        let of = format!(" of {of}");
        return cut(&text, NAME - of.len()) + &of;
    }
    cut(&text, NAME)
}

/// What the busiest station and the number of buffers allow.
fn bounds(operation: &ExplainedOperation) -> String {
    let bounds = &operation.bounds;
    let mut alone = format!(
        "{} alone {}",
        cut(&bounds.busiest_station, NAME),
        duration(bounds.elapsed_seconds)
    );
    if let Some(rate) = bounds.station_bytes_per_second {
        alone.push_str(&format!(" ({})", rate_binary(rate)));
    }
    let mut buffers = count(f64::from(operation.buffer_count));
    match bounds.buffers_bytes_per_second {
        Some(rate) => buffers.push_str(&format!(" at most {}", rate_binary(rate))),
        None => buffers.push_str(" set no limit"),
    }
    format!("{} | {}", together(&alone), together(&buffers))
}

fn theory(operation: &ExplainedOperation) -> String {
    let enough = operation.bounds.buffers_needed.ceil();
    let theory = operation.theory.as_ref().map_or_else(String::new, |theory| {
        format!("queueing theory {} | ", duration(theory.seconds))
    });
    format!("{theory}without variation {} would do", count(enough))
}

/// So many buffers.
fn count(buffers: f64) -> String {
    if buffers > 1.5 { format!("{buffers:.0} buffers") } else { "1 buffer".to_string() }
}

/// What number of buffers is enough, and durations around it.
fn knee(operation: &ExplainedOperation, paint: Paint) -> String {
    let knee = &operation.knee;
    let enough = knee.points.iter().position(|p| p.buffer_count == knee.buffer_count).unwrap_or(0);
    let memory = knee.points.get(enough).map_or(0, |point| point.buffer_memory_bytes);
    let last = knee.points.len().min(enough + 2);
    let point =
        |p: &KneePointResult| together(&format!("{} {}", p.buffer_count, duration(p.seconds)));
    let points = knee.points.get(last.saturating_sub(POINTS)..last).unwrap_or_default();
    // A terminal that can shows all of them, from one buffer on.
    let curve = match paint.glyphs {
        Glyphs::Plain => String::new(),
        Glyphs::Blocks => {
            let seconds: Vec<f64> = knee.points.iter().map(|point| point.seconds).collect();
            format!("{} ", paint.glyphs.sparkline(&seconds))
        }
    };
    format!(
        "{curve}{} ({}) within 2 % of the best: {}",
        knee.buffer_count,
        bytes(memory as f64),
        points.iter().map(point).collect::<Vec<_>>().join(" | ")
    )
}
