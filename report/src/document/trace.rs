//! What `trace` has written, or would write.

use serde::Serialize;

/// A run, event by event: what was written of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TraceResult {
    /// Name and variant.
    pub scenario: String,
    /// What it is, in one line.
    pub title: String,
    /// Values that were replaced on the command line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<String>,
    /// The statement that was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sql: Option<String>,
    /// backup, verify, restore or total.
    pub operation: &'static str,
    /// Which night of a prediction it is, counted from 1.
    pub night: u64,
    /// One after the other.
    pub operations: Vec<TracedOperation>,
    /// Slices shorter than this are merged; absent: none are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thin_seconds: Option<f64>,
    /// About how large a trace is.
    pub estimated_trace_bytes: u64,
    /// About how large a table of transfers is.
    pub estimated_table_bytes: u64,
    /// Files that were written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<TracedFile>,
}

/// A backup, a verification or a restore.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TracedOperation {
    /// backup, verify or restore.
    pub operation: &'static str,
    /// From the statement to its end.
    pub elapsed_seconds: f64,
    /// Bytes read.
    pub read_bytes: u64,
    /// Bytes written.
    pub written_bytes: u64,
    /// Transfers on all devices; one over a link and a device counts twice.
    pub transfers: u64,
    /// Events of the run, of jobs beside it as well.
    pub events: u64,
}

/// A file that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TracedFile {
    /// Where it is.
    pub path: String,
    /// trace: for a timeline viewer. transfers: a table.
    pub form: &'static str,
    /// Its size.
    pub bytes: u64,
    /// States and services in a trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slices: Option<u64>,
    /// Tracks in a trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tracks: Option<u64>,
    /// Values of counters in a trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counter_values: Option<u64>,
    /// States and services too short to be shown in a trace; absent: all are shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merged_slices: Option<u64>,
    /// What those became.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merged_into: Option<u64>,
    /// Lines of a table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<u64>,
}

impl TraceResult {
    /// Events of all operations.
    #[must_use]
    pub fn events(&self) -> u64 {
        self.operations.iter().map(|operation| operation.events).sum()
    }

    /// Length of all operations together.
    #[must_use]
    pub fn elapsed_seconds(&self) -> f64 {
        self.operations.iter().map(|operation| operation.elapsed_seconds).sum()
    }
}
