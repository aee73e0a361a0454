//! How much work a request may be.
//!
//! A page has one thread, and whoever moves a slider waits. What a request would simulate is
//! estimated before anything is run: transfers of one run, which is no more than a few windows
//! where the middle is carried forward, times runs.

use bakcast_scenarios::Resolved;
use bakcast_scenarios::predict::PredictOptions;

use crate::failure::Failure;

/// Most transfers of one request: about a minute in a browser.
const MOST_TRANSFERS: u64 = 100_000_000;

/// Transfers of one run of which the middle is carried forward, for each volume: a window of each
/// regime, its fill and its drain.
const CARRIED_TRANSFERS: u64 = 1 << 17;

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
    let backup = &resolved.backup;
    let size = backup.buffers.transfer_size.get().max(1);
    let volumes = backup.volumes.iter().map(|volume| {
        let all = volume.bytes.get() / size + 1;
        if exact { all } else { all.min(CARRIED_TRANSFERS) }
    });
    let one = volumes.fold(0, u64::saturating_add);
    let operations = 1
        + u64::from(resolved.verification.is_some())
        + u64::from(resolved.restoration.is_some())
        + backup.beside.len() as u64;
    let jobs = resolved.night.as_ref().map_or(1, |night| night.jobs.len().max(1) as u64);
    one.saturating_mul(operations).saturating_mul(jobs)
}
