//! Are the buffers worth their memory: what would less of it cost?
//!
//! The memory is that of all sets of all jobs. Less of it is fewer buffers, or smaller ones.

use bakcast_scenarios::{Loaded, Set};

use super::transfer_size::shown;
use super::{Alternative, AskError, Plan, Rule};
use crate::paired::THRESHOLD;
use crate::runner::Operation;

/// Fewer buffers than this no engine takes by itself.
const FEWEST: u32 = 3;
/// Halvings of the number of buffers.
const HALVINGS: u32 = 6;

pub(super) fn plan(loaded: &Loaded) -> Result<Plan, AskError> {
    let buffers = loaded.resolved.backup.buffers;
    let size = buffers.transfer_size.get() / 1024;
    let mut smaller: Vec<(u64, Alternative)> = Vec::new();
    let mut add = |count: u32, kibibytes: u64| {
        let mut sets = vec![Set::new("backup.buffer_count", count.to_string())];
        let mut label = format!("{count} buffers");
        if kibibytes != size {
            sets.push(Set::new("backup.transfer_size", format!("{kibibytes} KiB")));
            label = format!("{label} and {}", shown(kibibytes));
        }
        let memory = u64::from(count) * kibibytes;
        smaller.push((memory, Alternative::new(label, "smaller", sets)));
    };
    for halving in 1..=HALVINGS {
        let count = buffers.count >> halving;
        if count >= FEWEST {
            add(count, size);
        }
    }
    if size >= 2048 {
        add(buffers.count, 1024);
    }
    if size < 2048 && buffers.count / 2 < FEWEST {
        add(buffers.count.saturating_sub(1).max(1), size);
    }
    // The least memory last.
    smaller.sort_by_key(|(memory, _)| std::cmp::Reverse(*memory));
    Ok(Plan {
        before: Alternative::new(
            format!("{} buffers and {}", buffers.count, shown(size)),
            "as-is",
            Vec::new(),
        ),
        alternatives: smaller.into_iter().map(|(_, alternative)| alternative).collect(),
        rule: Rule::Memory,
        operation: Operation::Backup,
        threshold: THRESHOLD,
    })
}
