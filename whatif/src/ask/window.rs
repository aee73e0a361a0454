//! Does the night fit the window, and which change makes it fit?

use bakcast_scenarios::{Loaded, Set};

use super::{Alternative, AskError, AskOptions, Plan, Rule, striping};
use crate::paired::THRESHOLD;
use crate::runner::Operation;

pub(super) fn plan(loaded: &Loaded, options: &AskOptions) -> Result<Plan, AskError> {
    let Some(window) = options.window_seconds else {
        return Err(AskError::NotAsked(
            "how long the window is has to be said, e.g. `--window 2h`".to_string(),
        ));
    };
    let scenario = &loaded.scenario;
    let buffers = loaded.resolved.backup.buffers;
    let count = |count: u32| Set::new("backup.buffer_count", count.to_string());
    let large = || Set::new("backup.transfer_size", "4 MiB");
    let compression = || Set::new("backup.compression", "true");
    let mut alternatives = Vec::new();
    let more = |n: u32| n > buffers.count;
    let mut add = |label: &str, sets: Vec<Set>| {
        alternatives.push(Alternative::new(label, "option", sets));
    };
    if more(64) {
        add("64 buffers", vec![count(64)]);
        add("64 buffers of 4 MiB", vec![count(64), large()]);
    }
    let can_compress = scenario.compression.is_some() && !scenario.backup.compression;
    if can_compress {
        add("compression", vec![compression()]);
        if more(64) {
            let all = vec![compression(), count(64), large()];
            add("compression, 64 buffers of 4 MiB", all);
        }
    }
    let layouts = striping::plan(loaded, options)?.alternatives;
    for layout in layouts {
        if can_compress {
            let sets = layout.sets.iter().cloned().chain([compression()]).collect();
            let label = format!("compression, {}", layout.label);
            alternatives.push(Alternative::new(label, layout.kind, sets));
        }
        alternatives.push(layout);
    }
    let operation = match loaded.resolved.verification {
        Some(_) => Operation::Total,
        None => Operation::Backup,
    };
    Ok(Plan {
        before: Alternative::new("as it is", "as-is", Vec::new()),
        alternatives,
        rule: Rule::Fits(window),
        operation,
        threshold: THRESHOLD,
    })
}
