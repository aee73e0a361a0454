//! Do larger transfers help: alone, and beside more buffers?

use bakcast_scenarios::{Loaded, Set};

use super::judge::FEWER;
use super::{Alternative, AskError, Plan, Rule};
use crate::paired::THRESHOLD;
use crate::runner::Operation;

/// What the engine takes for a disk, in KiB, by doubling.
const SIZES: [u64; 7] = [64, 128, 256, 512, 1024, 2048, 4096];
/// More buffers than the engine takes by itself.
const MANY: u32 = 64;

pub(super) fn plan(loaded: &Loaded) -> Result<Plan, AskError> {
    let buffers = loaded.resolved.backup.buffers;
    let now = buffers.transfer_size.get() / 1024;
    let many = MANY.max(buffers.count.saturating_mul(2)).min(1024);
    let size = |size: u64| Set::new("backup.transfer_size", format!("{size} KiB"));
    let count = || Set::new("backup.buffer_count", many.to_string());
    let others = || SIZES.into_iter().filter(|size| *size != now);
    let kind = |size: u64| if size < now { FEWER } else { "alone" };
    let mut alternatives: Vec<Alternative> =
        others().map(|one| Alternative::new(shown(one), kind(one), vec![size(one)])).collect();
    let label = format!("{many} buffers");
    alternatives.push(Alternative::new(label, "buffers", vec![count()]));
    alternatives.extend(others().filter(|one| *one > now).map(|one| {
        let label = format!("{} and {many} buffers", shown(one));
        Alternative::new(label, "joint", vec![size(one), count()])
    }));
    Ok(Plan {
        before: Alternative::new(shown(now), "as-is", Vec::new()),
        alternatives,
        rule: Rule::Jointly,
        operation: Operation::Backup,
        threshold: THRESHOLD,
    })
}

/// A transfer size as it is said.
pub(super) fn shown(kibibytes: u64) -> String {
    if kibibytes >= 1024 && kibibytes.is_multiple_of(1024) {
        format!("transfers of {} MiB", kibibytes / 1024)
    } else {
        format!("transfers of {kibibytes} KiB")
    }
}
