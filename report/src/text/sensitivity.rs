//! `explain --sensitivity` for a terminal: what the durations depend on.

use super::predict::heading;
use super::{LINES, Paint, cut, entry, table, together, uncertainty, warnings};
use crate::document::{Document, ExplainResult, ExplainedOperation, SensitivityResult};
use crate::number::{duration, percent, signed_percent};

/// Rows shown; what does less is of no weight.
const ROWS: usize = 10;
/// A smaller change is left out.
const WORTH_A_ROW: f64 = 0.0005;

pub(crate) fn sensitivity(document: &Document<ExplainResult>, paint: Paint) -> String {
    let result = &document.result;
    let mut out = heading(&result.scenario, &result.title, paint);
    out.push_str("One number a tenth larger, the others as they are, changes\n");
    let size = |one: &SensitivityResult| {
        let all = [one.backup_per_tenth, one.verify_per_tenth, one.total_per_tenth];
        all.into_iter().flatten().map(f64::abs).fold(0.0, f64::max)
    };
    let worth: Vec<_> = result.sensitivity.iter().filter(|one| size(one) >= WORTH_A_ROW).collect();
    let most = if paint.whole { worth.len() } else { ROWS };
    let share = |share: Option<f64>| share.map_or_else(String::new, signed_percent);
    let rows: Vec<Vec<String>> = worth
        .iter()
        .take(most)
        .map(|one| {
            let mut row = vec![cut(&one.parameter, 36), one.now.clone()];
            row.push(share(one.backup_per_tenth));
            if result.verify.is_some() {
                row.push(share(one.verify_per_tenth));
            }
            row
        })
        .collect();
    let headings = match result.verify {
        Some(_) => &["", "now", "the backup", "the verify"][..],
        None => &["", "now", "the backup"][..],
    };
    out.push_str(&table(headings, 1, &rows));
    let rest = worth.len().saturating_sub(most) + (result.sensitivity.len() - worth.len());
    if rest > 0 {
        out.push_str(&format!("{rest} others do less: see --format json\n"));
    }
    out.push_str(&entry("To check", "what one run should add to sys.dm_os_wait_stats:"));
    out.push_str(&entry("  backup", &expected(&result.backup)));
    if let Some(verify) = &result.verify {
        out.push_str(&entry("  verify", &expected(verify)));
    }
    out.push_str(&uncertainty("Ranges", result.uncertainty.as_ref()));
    let room = LINES.saturating_sub(out.lines().count());
    out.push_str(&warnings(&document.warnings, room, paint));
    out
}

/// Waits as a server would show them, and how they go together.
fn expected(operation: &ExplainedOperation) -> String {
    let one = |wait: &crate::document::ExpectedWait| {
        let (seconds, share) = (duration(wait.seconds), percent(wait.share));
        together(&format!("{} {seconds} ({share})", wait.wait_type))
    };
    let all: Vec<String> = operation.expected_waits.iter().map(one).collect();
    if all.is_empty() { "nothing".to_string() } else { all.join(" | ") }
}
