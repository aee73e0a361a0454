//! One backup of a shipped scenario, every transfer simulated: nothing is carried forward, so the
//! work does not depend on how that is decided.

use anyhow::Result;
use bakcast_models::pipeline::{Terms, simulate_backup};
use bakcast_scenarios::Scenario;
use bakcast_sim::Streams;

use crate::{Done, Prepared};

pub(crate) fn nvme_row_2() -> Result<Prepared> {
    backup("nvme-knob-matrix:2")
}

pub(crate) fn usb_row_2_4() -> Result<Prepared> {
    backup("usb3-laptop:2.4")
}

fn backup(reference: &str) -> Result<Prepared> {
    let resolved = Scenario::load_reference(reference, &[])?.resolved;
    Ok(Box::new(move || {
        let streams = Streams::new(1, 0);
        let outcome =
            simulate_backup(&resolved.machine, &resolved.backup, &streams, &Terms::EXACT)?;
        Ok(Done {
            events: outcome.events,
            bytes: outcome.read_bytes.get(),
            nanoseconds: outcome.elapsed.as_nanos(),
        })
    }))
}
