//! The months ahead: when a growing database no longer fits its window, and what wins how many.

use super::figure::figure;
use super::markup::{Markup, classed, table, tag};
use super::section;
use crate::document::{MonthResult, PlanChangeResult, PlanResult};
use crate::number::{bytes, duration, duration_range, percent};
use crate::text::{plan_growth, won};

/// Lines of the table of months.
const MOST_MONTHS: usize = 25;

/// The section; `chart` is that of growth against the window.
pub(super) fn growth(result: &PlanResult, chart: Markup, rests_on: &str) -> Markup {
    let stride = result.months.len().div_ceil(MOST_MONTHS).max(1);
    let stop = result.stops_fitting.month;
    let is_shown = |month: &&MonthResult| {
        (month.month as usize).is_multiple_of(stride) || Some(month.month) == stop
    };
    let rows: Vec<Vec<String>> = result.months.iter().filter(is_shown).map(month).collect();
    let headings = ["month", "data", "expected", "range", "nights that fit"];
    let numbers = table(&headings, 0, &rows);
    let caption =
        format!("Duration of the {} against the window, month by month", result.operation);
    let full = result.disk_full.as_ref().map_or_else(Markup::new, |full| {
        let text = format!("A disk is full in month {}: {}.", full.month, full.what);
        classed("p", "misses", tag("bdi", &[], text)).line()
    });
    let inner = classed("p", "lead", tag("bdi", &[], result.answer.as_str()))
        .line()
        .tag("p", &[], format!("Growth: {}.", plan_growth(result)))
        .line()
        .and(full)
        .and(figure(&caption, chart, numbers))
        .and(changes(result))
        .and(classed("p", "soft", format!("{rests_on}.")))
        .line();
    section("growth", "The months ahead", inner)
}

fn month(month: &MonthResult) -> Vec<String> {
    let range = month.low_seconds.zip(month.high_seconds);
    vec![
        month.month.to_string(),
        bytes(month.size_bytes),
        month.median_seconds.map_or_else(|| "cannot be run".to_string(), duration),
        range.map_or_else(String::new, |(low, high)| duration_range(low, high)),
        percent(month.probability_fits),
    ]
}

fn changes(result: &PlanResult) -> Markup {
    if result.changes.is_empty() {
        return Markup::new();
    }
    let line = |change: &PlanChangeResult| {
        vec![
            change.what.clone(),
            won(change),
            change.cost.to_string(),
            bytes(change.buffer_memory_bytes as f64),
            percent(change.processor_share),
        ]
    };
    let rows: Vec<Vec<String>> = result.changes.iter().map(line).collect();
    let headings = ["change", "months won", "costs", "buffers", "processors"];
    table(&headings, 1, &rows)
}
