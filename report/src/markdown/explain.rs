//! `explain` as Markdown.

use super::{escaped, other_load, precision, table, uncertainty, warnings};
use crate::document::{Document, ExplainResult, ExplainedOperation};
use crate::number::{bytes, duration, percent};
use crate::text::View;

pub(crate) fn explain(document: &Document<ExplainResult>) -> String {
    let result = &document.result;
    let mut out = format!("**{}**: {}\n", escaped(&result.scenario), escaped(&result.title));
    out.push_str(&operation("Backup", &result.backup));
    if let Some(verify) = &result.verify {
        out.push_str(&operation("Verify", verify));
    }
    if !result.other_jobs.is_empty() {
        out.push_str(&format!(
            "\nBeside other jobs: {}. Demands and bounds are those of the backup alone.\n",
            escaped(&result.other_jobs.join(", "))
        ));
    }
    out.push_str(&other_load(&result.other_load));
    out.push_str(&uncertainty(result.uncertainty.as_ref()));
    out.push_str(&precision(result.precision));
    out.push_str(&warnings(&document.warnings));
    out
}

fn operation(name: &str, operation: &ExplainedOperation) -> String {
    let sentence = View::from(operation).bottleneck_sentence().replace('\u{a0}', " ");
    let rows: Vec<_> = operation
        .stations
        .iter()
        .map(|explained| {
            let station = &explained.station;
            vec![
                station.name.clone(),
                station.role.to_string(),
                percent(station.working),
                percent(station.starved),
                percent(station.blocked),
                duration(explained.demand_seconds),
                duration(explained.demand_seconds_per_cycle),
                station.next_gain_seconds.map_or_else(String::new, duration),
            ]
        })
        .collect();
    let headings = [
        "station",
        "role",
        "working",
        "starved",
        "blocked",
        "demand",
        "per cycle",
        "gain at no cost",
    ];
    let knee: Vec<_> = operation
        .knee
        .points
        .iter()
        .map(|point| {
            vec![
                point.buffer_count.to_string(),
                bytes(point.buffer_memory_bytes as f64),
                duration(point.seconds),
            ]
        })
        .collect();
    format!(
        "\n{name}: {}. {}.\n\n{}\nAt least {}; {} buffers are within 2 % of the best.\n\n{}",
        duration(operation.seconds),
        escaped(&sentence),
        table(&headings, 2, &rows),
        duration(operation.bounds.elapsed_seconds),
        operation.knee.buffer_count,
        table(&["buffers", "memory", "duration"], 0, &knee)
    )
}
