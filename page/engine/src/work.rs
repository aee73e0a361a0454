//! How much work a request may be.
//!
//! A page has one thread, and whoever moves a slider waits. What a request would simulate is
//! estimated before anything is run: transfers of one run, which is no more than a few windows
//! where the middle is carried forward, times runs.

use bakcast_models::plan::Backup;
use bakcast_scenarios::Resolved;
use bakcast_scenarios::predict::PredictOptions;

use crate::failure::Failure;

/// Most transfers of one request: well below a minute in a browser.
const MOST_TRANSFERS: u64 = 100_000_000;

/// Transfers of one run of which the middle is carried forward, for each volume: windows of a few
/// regimes, fill and drain.
const CARRIED_TRANSFERS: u64 = 1 << 15;

/// Refuses what would take too long for a page.
pub(crate) fn check(
    resolved: &Resolved,
    options: &PredictOptions,
    configurations: u64,
) -> Result<(), Failure> {
    let transfers = transfers(resolved, options.exact)
        .saturating_mul(u64::from(options.replications))
        .saturating_mul(configurations);
    if transfers <= MOST_TRANSFERS {
        return Ok(());
    }
    let full = if options.exact { ", or leave `exact` out" } else { "" };
    Err(Failure::too_much(format!(
        "about {transfers} transfers are more than a page simulates at once ({MOST_TRANSFERS}); \
         take fewer replications or values{full}"
    )))
}

/// Transfers of one night, about.
fn transfers(resolved: &Resolved, exact: bool) -> u64 {
    let after = u64::from(resolved.verification.is_some())
        + u64::from(resolved.restoration.is_some())
        + resolved.backup.beside.len() as u64;
    match &resolved.night {
        None => of_one(&resolved.backup, exact).saturating_mul(1 + after),
        Some(night) => {
            let jobs = night.jobs.iter().map(|job| of_one(&job.backup, exact));
            jobs.fold(0, u64::saturating_add)
        }
    }
}

/// Transfers of one backup.
fn of_one(backup: &Backup, exact: bool) -> u64 {
    let size = backup.buffers.transfer_size.get().max(1);
    let volumes = backup.volumes.iter().map(|volume| {
        let all = volume.bytes.get() / size + 1;
        if exact { all } else { all.min(CARRIED_TRANSFERS) }
    });
    volumes.fold(0, u64::saturating_add)
}
