//! `trace` for a terminal.

use super::{LINES, Paint, entry, together, warnings};
use crate::document::{Document, TraceResult, TracedFile, TracedOperation};
use crate::number::{bytes, duration};

pub(crate) fn trace(document: &Document<TraceResult>, paint: Paint) -> String {
    let result = &document.result;
    let mut out = format!("{}  {}\n", result.scenario, result.title);
    for operation in &result.operations {
        out.push_str(&entry(operation.operation, &one(operation)));
    }
    for file in &result.files {
        out.push_str(&entry("Written", &written(file)));
    }
    if let Some(thin) = result.thin_seconds {
        out.push_str(&entry("Thinned", &thinned(result, thin)));
    }
    if result.files.is_empty() {
        let (trace, table) = (result.estimated_trace_bytes, result.estimated_table_bytes);
        let text = format!(
            "nothing: a trace (-o FILE.json) would be about {}, a table of transfers (-o \
             FILE.csv) about {}",
            together(&bytes(trace as f64)),
            together(&bytes(table as f64))
        );
        out.push_str(&entry("Written", &text));
        let command = together(&format!("bakcast trace {}", result.scenario));
        out.push_str(&entry("Next", &format!("{command} {}", together("-o trace.json"))));
    }
    if result.files.iter().any(|file| file.form == "trace") {
        let text = "drop the file on https://ui.perfetto.dev: it stays on your machine";
        out.push_str(&entry("Open", text));
    }
    let room = LINES.saturating_sub(out.lines().count());
    out.push_str(&warnings(&document.warnings, room, paint));
    out
}

fn one(operation: &TracedOperation) -> String {
    let TracedOperation { elapsed_seconds, events, transfers, read_bytes, .. } = operation;
    format!(
        "{}, {} read, {} in {}",
        duration(*elapsed_seconds),
        bytes(*read_bytes as f64),
        counted(*transfers, "transfer"),
        counted(*events, "event")
    )
}

/// `1 transfer`, `2 transfers`.
pub(crate) fn counted(count: u64, what: &str) -> String {
    let many = if count == 1 { "" } else { "s" };
    together(&format!("{count} {what}{many}"))
}

pub(crate) fn written(file: &TracedFile) -> String {
    let size = together(&bytes(file.bytes as f64));
    let path = together(&file.path);
    match file.rows {
        Some(rows) => format!("{path}: {size}, {}", counted(rows, "row")),
        None => format!(
            "{path}: {size}, {} on {}, {}",
            counted(file.slices.unwrap_or(0), "slice"),
            counted(file.tracks.unwrap_or(0), "track"),
            counted(file.counter_values.unwrap_or(0), "counter value")
        ),
    }
}

/// What a thinned trace leaves out.
pub(crate) fn thinned(result: &TraceResult, thin_seconds: f64) -> String {
    let short = format!("slices shorter than {}", together(&duration(thin_seconds)));
    let merged =
        result.files.iter().find_map(|file| Some((file.merged_slices?, file.merged_into?)));
    match merged {
        Some((from, into)) => format!(
            "{short}: {from} became {}; each has its time by state. Buffers are counted no more \
             often than that",
            counted(into, "merged slice")
        ),
        None => format!("{short} are merged; buffers are counted no more often than that"),
    }
}
