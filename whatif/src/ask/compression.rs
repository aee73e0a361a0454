//! Does compression help: the backup, and the verification that reads what it wrote?

use bakcast_scenarios::{Loaded, Set};

use super::{Alternative, AskError, Plan, Rule};
use crate::paired::THRESHOLD;
use crate::runner::Operation;

pub(super) fn plan(loaded: &Loaded) -> Result<Plan, AskError> {
    if loaded.scenario.compression.is_none() {
        return Err(AskError::NotAsked(
            "the scenario does not say what compression makes of the data; say it, e.g. with \
             `--set compression.ratio=3`"
                .to_string(),
        ));
    }
    let compression = |on: bool| vec![Set::new("backup.compression", on.to_string())];
    let operation = match loaded.resolved.verification {
        Some(_) => Operation::Total,
        None => Operation::Backup,
    };
    Ok(Plan {
        before: Alternative::new("no compression", "off", compression(false)),
        alternatives: vec![Alternative::new("compression", "on", compression(true))],
        rule: Rule::Gain,
        operation,
        threshold: THRESHOLD,
    })
}
