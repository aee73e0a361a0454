//! Burst credit over all runs: what is left of it, and when it ran dry.

use bakcast_models::device::{Capped, Device};
use bakcast_models::outcome::CreditOutcome;

use super::Prediction;
use crate::resolve::Resolved;
use crate::warning::{Warning, WarningCode};

const GIBIBYTE: f64 = (1u64 << 30) as f64;

/// Burst credit of one device, over all runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CreditSummary {
    /// Share of the full credit that is left at the end, mean over runs.
    pub left: f64,
    /// Share of runs in which it ran dry on the way.
    pub dry_runs: f64,
    /// Bytes moved until it did, mean over those runs; absent if there are none.
    pub dry_after_bytes: Option<f64>,
}

/// Sums of one device.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct CreditSums {
    left: f64,
    dry: f64,
    dry_after: f64,
}

impl CreditSums {
    pub(super) fn add(&mut self, credit: CreditOutcome) {
        self.left += credit.left;
        if let Some(bytes) = credit.dry_after {
            self.dry += 1.0;
            self.dry_after += bytes.as_f64();
        }
    }

    /// Means, where one run has the weight `share`.
    pub(super) fn summary(self, share: f64) -> CreditSummary {
        CreditSummary {
            left: self.left * share,
            dry_runs: self.dry * share,
            dry_after_bytes: (self.dry > 0.0).then(|| self.dry_after / self.dry),
        }
    }
}

impl Prediction {
    /// What to look at twice, now that the scenario has been run.
    #[must_use]
    pub fn warnings(&self, resolved: &Resolved) -> Vec<Warning> {
        let devices = resolved.machine.devices.iter().enumerate();
        let (verify, restore) = (self.verify.as_ref(), self.restore.as_ref());
        let dry = devices.filter_map(|(index, device)| {
            let Device::Capped(volume) = &device.law else { return None };
            let in_most = |credits: &[Option<CreditSummary>]| {
                let credit = credits.get(index).copied()??;
                credit.dry_after_bytes.filter(|_| credit.dry_runs >= 0.5)
            };
            let in_verify = || Some((in_most(&verify?.credits)?, " of the verification"));
            let in_restore = || Some((in_most(&restore?.credits)?, " of the restore"));
            let in_backup = in_most(&self.backup.credits).map(|bytes| (bytes, ""));
            let (bytes, of) = in_backup.or_else(in_verify).or_else(in_restore)?;
            Some(runs_dry(&device.name, volume, bytes, of))
        });
        dry.chain(self.jobs_apart()).collect()
    }
}

fn runs_dry(name: &str, volume: &Capped, bytes: f64, of: &str) -> Warning {
    Warning {
        code: WarningCode::BurstCreditRunsDry,
        text: format!(
            "burst credit of `{name}` gone after {:.1} GiB{of}, then {}",
            bytes / GIBIBYTE,
            volume.rate
        ),
        hint: format!(
            "`device.{name}.capped.burst.initial` says how much of it there is to begin with"
        ),
    }
}
