//! `compare` as Markdown.

use super::{escaped, table, warnings};
use crate::document::{CompareResult, CompareRow, Document, short_path};
use crate::number::{bytes, duration, duration_range, level};
use crate::text::{compare_certainty, relative};

pub(crate) fn compare(document: &Document<CompareResult>) -> String {
    let result = &document.result;
    let mut out = format!("**{}**: {}\n\n", escaped(&result.scenario), escaped(&result.title));
    let label: Vec<String> = result.paths.iter().map(|path| short_path(path)).collect();
    let range = format!("{} of runs", level(result.level));
    let label = label.join(", ");
    let headings = [&label, result.operation, &range, "relative", "bottleneck", "buffers"];
    let rows: Vec<Vec<String>> = result.rows.iter().map(|row| cells(result, row)).collect();
    out.push_str(&table(&headings, 1, &rows));
    out.push_str(&format!("\n{}\n", escaped(&result.answer)));
    for requirement in result.requirements() {
        let verdict = if requirement.met { "met" } else { "not met" };
        out.push_str(&format!("\nRequired {}: {verdict}.\n", escaped(&requirement.requirement)));
    }
    out.push_str(&format!("\nCertainty: {}.\n", compare_certainty(document)));
    out.push_str(&warnings(&document.warnings));
    out
}

fn cells(result: &CompareResult, row: &CompareRow) -> Vec<String> {
    let label = if row.is_reference { "reference".to_string() } else { row.settings.label() };
    let time = row.duration(result.operation);
    let refused = || row.error.clone().unwrap_or_default();
    vec![
        label,
        time.map_or_else(refused, |time| duration(time.seconds)),
        time.map_or_else(String::new, |time| duration_range(time.low_seconds, time.high_seconds)),
        relative(row),
        row.bottleneck(result.operation).unwrap_or("").to_string(),
        row.predict.as_ref().map_or_else(String::new, |p| bytes(p.buffer_memory_bytes as f64)),
    ]
}
