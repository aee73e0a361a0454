//! The ranking of `sweep` as CSV. Its rows are another table, written as they come.

use super::written;
use crate::ReportError;
use crate::document::{Document, SweepResult};

pub(crate) fn sweep(document: &Document<SweepResult>) -> Result<String, ReportError> {
    let result = &document.result;
    let own = [
        "operation",
        "seconds",
        "low_seconds",
        "high_seconds",
        "read_bytes_per_second",
        "buffer_memory_bytes",
    ];
    let first = ["rank", "run"].into_iter().map(str::to_string);
    let headings = first.chain(result.paths.iter().cloned()).chain(own.map(str::to_string));
    let mut rows = vec![headings.collect()];
    for (rank, point) in result.ranking.iter().enumerate() {
        let mut row = vec![(rank + 1).to_string(), point.run.to_string()];
        let setting = |path: &String| point.settings.get(path).unwrap_or_default().to_string();
        row.extend(result.paths.iter().map(setting));
        row.extend([
            result.operation.to_string(),
            point.seconds.to_string(),
            point.low_seconds.to_string(),
            point.high_seconds.to_string(),
            point.read_bytes_per_second.to_string(),
            point.buffer_memory_bytes.to_string(),
        ]);
        rows.push(row);
    }
    written(&rows)
}
