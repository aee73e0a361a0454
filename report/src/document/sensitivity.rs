//! What a duration depends on, and what a server's own figures should show of it.

use bakcast_scenarios::predict::OperationPrediction;
use bakcast_whatif::{Operation, Sensitivity};
use serde::Serialize;

/// A wait type as a server shows it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExpectedWait {
    /// What the server calls it.
    pub wait_type: &'static str,
    /// Thread seconds in one run.
    pub seconds: f64,
    /// Share of all waits that the server shows of it.
    pub share: f64,
}

/// What one number does.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SensitivityResult {
    /// What it is.
    pub parameter: String,
    /// The knobs that move as one.
    pub paths: Vec<String>,
    /// Its value now.
    pub now: String,
    /// What it was moved to.
    pub moved_to: String,
    /// Change of the backup if it were a tenth larger, as a share: below 0, shorter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backup_per_tenth: Option<f64>,
    /// The same of the verification.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verify_per_tenth: Option<f64>,
    /// The same of both together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_per_tenth: Option<f64>,
}

impl SensitivityResult {
    /// That of a number.
    #[must_use]
    pub fn new(found: &Sensitivity) -> Self {
        SensitivityResult {
            parameter: found.lever.name.clone(),
            paths: found.lever.paths.clone(),
            now: found.lever.now_text(),
            moved_to: found.moved.text.clone(),
            backup_per_tenth: found.of(Operation::Backup),
            verify_per_tenth: found.of(Operation::Verify),
            total_per_tenth: found.of(Operation::Total),
        }
    }
}

/// The waits that a server shows, by type, the most first.
pub(super) fn expected_waits(operation: &OperationPrediction) -> Vec<ExpectedWait> {
    let mut found: Vec<ExpectedWait> = Vec::new();
    for wait in &operation.waits {
        let Some(wait_type) = wait.wait_type.filter(|_| wait.seconds > 0.0) else { continue };
        match found.iter_mut().find(|other| other.wait_type == wait_type) {
            Some(other) => other.seconds += wait.seconds,
            None => found.push(ExpectedWait { wait_type, seconds: wait.seconds, share: 0.0 }),
        }
    }
    let sum: f64 = found.iter().map(|wait| wait.seconds).sum();
    for wait in &mut found {
        wait.share = if sum > 0.0 { wait.seconds / sum } else { 0.0 };
    }
    found.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    found
}
