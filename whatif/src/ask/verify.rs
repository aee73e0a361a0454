//! How long does the verification take beside the backup, and what would make it shorter?

use bakcast_scenarios::{Loaded, Set};

use super::{Alternative, AskError, AskOptions, Plan, Rule, striping};
use crate::paired::THRESHOLD;
use crate::runner::Operation;

pub(super) fn plan(loaded: &Loaded, options: &AskOptions) -> Result<Plan, AskError> {
    let scenario = &loaded.scenario;
    let to_nul = scenario
        .backup
        .stripes
        .iter()
        .any(|name| scenario.device.get(name).is_some_and(|device| device.null.is_some()));
    if to_nul {
        return Err(AskError::NotAsked(
            "a backup to NUL leaves nothing to verify; name another target with \
             `--set backup.stripes=DEVICE`"
                .to_string(),
        ));
    }
    let enabled = || Set::new("verify.enabled", "true");
    let with = |sets: Vec<Set>| std::iter::once(enabled()).chain(sets).collect::<Vec<Set>>();
    let mut alternatives = Vec::new();
    if scenario.compression.is_some() {
        let on = !scenario.backup.compression;
        let label = if on { "compression" } else { "no compression" };
        let sets = with(vec![Set::new("backup.compression", on.to_string())]);
        alternatives.push(Alternative::new(label, "compression", sets));
    }
    let layouts = striping::plan(loaded, options)?;
    let layouts = std::iter::once(layouts.before).chain(layouts.alternatives);
    let present = Set::new("backup.stripes", scenario.backup.stripes.join(","));
    let layouts = layouts.filter(|layout| layout.sets != [present.clone()]);
    alternatives.extend(layouts.map(|layout| Alternative { sets: with(layout.sets), ..layout }));
    let sets = with(vec![Set::new("verify.transfer_size", "4 MiB")]);
    alternatives.push(Alternative::new("reads of 4 MiB, could they be set", "engine", sets));
    Ok(Plan {
        before: Alternative::new("as it is", "as-is", vec![enabled()]),
        alternatives,
        rule: Rule::Verify,
        operation: Operation::Verify,
        threshold: THRESHOLD,
    })
}
