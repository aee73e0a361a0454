//! Do more buffers help, and how many are enough?

use bakcast_scenarios::{Loaded, Set};

use super::judge::FEWER;
use super::{Alternative, AskError, Plan, Rule};
use crate::paired::THRESHOLD;
use crate::runner::Operation;

/// From what the engine takes for one file, by doubling.
const COUNTS: [u32; 7] = [7, 16, 32, 64, 128, 256, 512];

pub(super) fn plan(loaded: &Loaded) -> Result<Plan, AskError> {
    let now = loaded.resolved.backup.buffers.count;
    // Fewer are tried as well: they show where the knee is.
    let counts = COUNTS.into_iter().filter(|count| *count != now);
    let alternatives = counts.map(|count| {
        let sets = vec![Set::new("backup.buffer_count", count.to_string())];
        let kind = if count < now { FEWER } else { "buffers" };
        Alternative::new(format!("{count} buffers"), kind, sets)
    });
    Ok(Plan {
        before: Alternative::new(format!("{now} buffers"), "as-is", Vec::new()),
        alternatives: alternatives.collect(),
        rule: Rule::Gain,
        operation: Operation::Backup,
        threshold: THRESHOLD,
    })
}
