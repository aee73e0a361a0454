//! `explain` for a terminal: one screen, the answer first.

use super::operation::{Group, View};
use super::predict::heading;
use super::{Paint, entry, table, together, warnings};
use crate::document::{Document, ExplainResult, ExplainedOperation, ExplainedStation, KneePointResult};
use crate::number::{bytes, digits, duration, duration_range, percent, rate_binary};

pub(crate) fn explain(document: &Document<ExplainResult>, paint: Paint) -> String {
    let result = &document.result;
    let mut out = heading(&result.scenario, &result.title, paint);
    out.push_str(&operation("Backup", &result.backup, paint));
    if let Some(verify) = &result.verify {
        out.push_str(&operation("Verify", verify, paint));
    }
    out.push_str(&warnings(&document.warnings, 1, paint));
    out
}

fn operation(name: &str, operation: &ExplainedOperation, paint: Paint) -> String {
    let view = View::from(operation);
    let time = together(&format!(
        "{} ({})",
        duration(operation.seconds),
        duration_range(operation.low_seconds, operation.high_seconds)
    ));
    let answer = entry(name, &format!("{time}, {}", view.bottleneck_sentence()));
    let mut out = answer.replacen(name, &paint.strong(name), 1);
    out.push_str(&stages(operation, &view));
    out.push_str(&entry("Bounds", &bounds(operation)));
    out.push_str(&entry("Buffers", &knee(operation)));
    out
}

/// One row a role, the busiest station of each.
fn stages(operation: &ExplainedOperation, view: &View<'_>) -> String {
    let rows: Vec<_> = view.groups().iter().filter_map(|group| row(operation, group)).collect();
    let headings =
        ["", "working", "starved", "blocked", "demand", "per cycle", "alone", "gain"];
    table(&headings, 1, &rows)
}

fn row(operation: &ExplainedOperation, group: &Group<'_>) -> Option<Vec<String>> {
    let busiest = group.busiest()?;
    let explained = operation.stations.iter().find(|s| s.station.name == busiest.name)?;
    let ExplainedStation { demand_seconds, demand_seconds_per_cycle, alone_seconds, .. } = explained;
    let fixed = group.role == "fixed cost";
    let title = match group.role {
        "source and target" => super::cut(&format!("both {}", busiest.name), 18),
        "processor" => format!("processor x {}", busiest.servers),
        "fixed cost" => "fixed cost".to_string(),
        role if group.stations.len() > 1 => {
            super::cut(&format!("{role} {} of {}", busiest.name, group.stations.len()), 18)
        }
        role => super::cut(&format!("{role} {}", busiest.name), 18),
    };
    let unless_fixed = |text: String| if fixed { String::new() } else { text };
    Some(vec![
        title,
        percent(busiest.working),
        unless_fixed(percent(busiest.starved)),
        unless_fixed(percent(busiest.blocked)),
        duration(*demand_seconds),
        unless_fixed(duration(*demand_seconds_per_cycle)),
        duration(*alone_seconds),
        busiest.next_gain_seconds.map_or_else(String::new, duration),
    ])
}

fn bounds(operation: &ExplainedOperation) -> String {
    let bounds = &operation.bounds;
    let mut text = format!(
        "no run ends before {} ({} alone, {}); {} buffers carry at most {}",
        duration(bounds.elapsed_seconds),
        bounds.busiest_station,
        rate_binary(bounds.station_bytes_per_second),
        operation.buffer_count,
        rate_binary(bounds.buffers_bytes_per_second)
    );
    if let Some(theory) = &operation.theory {
        let seconds = duration(theory.seconds);
        text.push_str(&format!("; queueing theory (exponential service): {seconds}"));
    }
    text
}

/// Durations by number of buffers, up to the knee and one beyond.
fn knee(operation: &ExplainedOperation) -> String {
    let knee = &operation.knee;
    let good = knee.points.iter().find(|p| p.buffer_count == knee.buffer_count);
    let memory = good.map_or_else(String::new, |p| format!(" ({})", bytes(p.buffer_memory_bytes as f64)));
    let shown: Vec<&KneePointResult> =
        knee.points.iter().filter(|p| p.buffer_count <= 2 * knee.buffer_count).collect();
    let first = shown.len().saturating_sub(6);
    let point = |p: &&KneePointResult| {
        together(&format!("{}: {}", p.buffer_count, duration(p.seconds)))
    };
    let points: Vec<_> = shown[first..].iter().map(point).collect();
    format!(
        "{} of them{memory} are within 2 % of the best, {} would do without waiting; {}",
        knee.buffer_count,
        digits(operation.bounds.buffers_needed.ceil(), 1),
        points.join(", ")
    )
}
