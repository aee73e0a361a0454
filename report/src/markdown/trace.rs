//! `trace` as Markdown.

use super::{escaped, table, warnings};
use crate::document::{Document, TraceResult};
use crate::number::{bytes, duration};
use crate::text::{trace_file, trace_thinned};

pub(crate) fn trace(document: &Document<TraceResult>) -> String {
    let result = &document.result;
    let (name, title) = (escaped(&result.scenario), escaped(&result.title));
    let mut out = format!("**{name}**: {title}\n\n");
    let rows = result.operations.iter().map(|operation| {
        vec![
            operation.operation.to_string(),
            duration(operation.elapsed_seconds),
            bytes(operation.read_bytes as f64),
            bytes(operation.written_bytes as f64),
            operation.transfers.to_string(),
            operation.events.to_string(),
        ]
    });
    let headings = ["operation", "elapsed", "read", "written", "transfers", "events"];
    out.push_str(&table(&headings, 1, &rows.collect::<Vec<_>>()));
    let plain = |text: &str| escaped(&text.replace('\u{a0}', " "));
    for file in &result.files {
        out.push_str(&format!("\n- Written: {}", plain(&trace_file(file))));
    }
    if let Some(thin) = result.thin_seconds {
        out.push_str(&format!("\n- Thinned: {}", plain(&trace_thinned(result, thin))));
    }
    if !out.ends_with('\n') {
        out.push('\n');
    }
    out.push_str(&warnings(&document.warnings));
    out
}
