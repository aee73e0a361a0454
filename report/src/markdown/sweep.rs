//! `sweep` as Markdown: the five views as tables.

use super::{escaped, table, warnings};
use crate::document::{Document, PointResult, SweepResult};
use crate::number::{bytes, digits, duration, percent, rate_binary};

pub(crate) fn sweep(document: &Document<SweepResult>) -> String {
    let result = &document.result;
    let mut out = format!("**{}**: {}\n", escaped(&result.scenario), escaped(&result.title));
    out.push_str(&format!(
        "\n{} configurations, {} refused, {} nights each, seed {}.\n",
        result.configurations, result.refused, document.replications, document.seed
    ));
    out.push_str(&points("Ranking", result.operation, &result.ranking));
    let best: Vec<PointResult> =
        result.best_per_compression.iter().map(|best| best.best.clone()).collect();
    out.push_str(&points("Best without compression and with it", result.operation, &best));
    let mut rows = Vec::new();
    for effect in &result.effects {
        for value in &effect.values {
            rows.push(vec![
                effect.path.clone(),
                value.value.clone(),
                value.count.to_string(),
                duration(value.mean_seconds),
                percent(effect.spread),
            ]);
        }
    }
    let headings = ["knob", "value", "configurations", "mean", "spread"];
    out.push_str(&format!("\nEffect of each knob\n\n{}", table(&headings, 2, &rows)));
    out.push_str(&points("Throughput for the memory", result.operation, &result.efficient));
    out.push_str(&points("Consistency", result.operation, &result.consistent));
    out.push_str(&warnings(&document.warnings));
    out
}

fn points(title: &str, operation: &str, points: &[PointResult]) -> String {
    let row = |point: &PointResult| {
        vec![
            point.settings.words(),
            duration(point.seconds),
            rate_binary(point.read_bytes_per_second),
            bytes(point.buffer_memory_bytes as f64),
            digits(point.rate_per_memory_per_second, 3),
            percent(point.relative_width),
        ]
    };
    let rows: Vec<Vec<String>> = points.iter().map(row).collect();
    let headings = ["settings", operation, "read", "buffers", "MiB/s per MiB", "range"];
    format!("\n{title}\n\n{}", table(&headings, 1, &rows))
}
