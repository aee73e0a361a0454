//! `plan` as Markdown.

use super::{escaped, table, warnings};
use crate::document::{Document, PlanResult, ScheduledKind};
use crate::number::{bytes, duration, duration_range, percent};
use crate::text::{plan_growth, plan_stop, plan_written, won};

pub(crate) fn plan(document: &Document<PlanResult>) -> String {
    let result = &document.result;
    let mut out = format!("**{}**: {}\n\n", escaped(&result.scenario), escaped(&result.title));
    out.push_str(&format!("{}\n\nGrowth: {}.\n\n", escaped(&result.answer), plan_growth(result)));
    if let Some(schedule) = &result.schedule {
        let last = result.months.last().map_or(0, |month| month.month);
        let row = |own: &ScheduledKind| {
            let now = own.months.first().and_then(|month| month.median_seconds);
            vec![
                format!("{} {}", own.kind, own.how_often),
                bytes(own.read_bytes as f64),
                now.map_or_else(|| "too long".to_string(), duration),
                duration(own.limit_seconds),
                plan_stop(own.stops_fitting.month, last),
            ]
        };
        let rows: Vec<Vec<String>> = schedule.kinds.iter().map(row).collect();
        let headings = ["schedule", "reads", result.operation, "limit", "stops fitting"];
        out.push_str(&table(&headings, 1, &rows));
        let first = schedule.first;
        out.push_str(&format!(
            "\nWritten: {}. Months of the {first} backup:\n\n",
            plan_written(schedule)
        ));
    }
    let quarters = result.months.iter().filter(|month| month.month % 3 == 0);
    let rows: Vec<Vec<String>> = quarters
        .map(|month| {
            let range = month.low_seconds.zip(month.high_seconds);
            vec![
                month.month.to_string(),
                bytes(month.size_bytes),
                month.median_seconds.map_or_else(|| "too large".to_string(), duration),
                range.map_or_else(String::new, |(low, high)| duration_range(low, high)),
                percent(month.probability_fits),
            ]
        })
        .collect();
    out.push_str(&table(&["month", "size", result.operation, "range", "fits"], 0, &rows));
    if !result.changes.is_empty() {
        let rows: Vec<Vec<String>> = result
            .changes
            .iter()
            .map(|change| vec![change.what.clone(), change.cost.to_string(), won(change)])
            .collect();
        out.push('\n');
        out.push_str(&table(&["change", "costs", "months"], 2, &rows));
    }
    if let Some(full) = &result.disk_full {
        out.push_str(&format!("\nMonth {}: {}.\n", full.month, escaped(&full.what)));
    }
    for requirement in &result.requirements {
        let verdict = if requirement.met { "met" } else { "not met" };
        out.push_str(&format!("\nRequired {}: {verdict}.\n", escaped(&requirement.requirement)));
    }
    let rests_on = result.rests_on(document.replications, document.seed);
    out.push_str(&format!("\nCertainty: {rests_on}.\n"));
    out.push_str(&warnings(&document.warnings));
    out
}
