//! Batches that have runs in common.
//!
//! A question is often answered in several batches: a few nights of many configurations, all nights
//! of a few, what limits the best. Night r of a configuration is the same run in each of them.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use bakcast_models::pipeline::BackupError;

use super::batch::{self, Common};
use super::memo::Memo;
use super::tried;
use super::{Asked, PredictOptions, Prediction, Refused};
use crate::error::ScenarioError;
use crate::resolve::Resolved;

/// Runs kept of each sort.
const KEPT: usize = 4096;

/// The last few thousand runs of the batches that were given this: a run that is asked for again
/// is not made again. Nothing in a result depends on it, but for the time it takes.
///
/// ```
/// use bakcast_scenarios::Scenario;
/// use bakcast_scenarios::predict::{Asked, Kept, PredictOptions, durations};
///
/// let resolved = Scenario::load_reference("nvme-knob-matrix:2", &[])?.resolved;
/// let (kept, all) = (Kept::default(), PredictOptions::DEFAULT);
/// let few = PredictOptions { replications: 4, ..all };
/// let first = kept.predict(&resolved, &few, Asked::Durations)?;
/// let then = kept.predict(&resolved, &all, Asked::Durations)?;
/// assert_eq!(first.backup.elapsed_seconds, then.backup.elapsed_seconds[..4]);
/// assert_eq!(then, durations(&resolved, &all)?);
/// # Ok::<(), Box<dyn std::error::Error + Send + Sync>>(())
/// ```
#[derive(Default)]
pub struct Kept {
    /// By what sort of runs they are: those of another seed are others.
    memos: Mutex<Vec<(Sort, Arc<Memo>)>>,
}

/// Seed, and how long runs are carried forward.
type Sort = (u64, bool, bool);

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kept").finish_non_exhaustive()
    }
}

impl Kept {
    /// What is kept of runs with these options.
    fn memo(&self, options: &PredictOptions) -> Arc<Memo> {
        let sort = (options.seed, options.exact, options.rough);
        let mut memos = self.memos.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, memo)) = memos.iter().find(|(known, _)| *known == sort) {
            return Arc::clone(memo);
        }
        let memo = Arc::new(Memo::of(KEPT));
        memos.push((sort, Arc::clone(&memo)));
        memo
    }

    /// As [`super::predict_each`].
    ///
    /// # Errors
    /// As there.
    pub fn predict_each<C, E, F>(
        &self,
        count: u64,
        configuration: impl Fn(u64) -> Result<C, F> + Sync,
        options: &PredictOptions,
        asked: Asked,
        consume: impl FnMut(u64, &C, Prediction) -> Result<(), E> + Send,
    ) -> Result<(), E>
    where
        C: AsRef<Resolved> + Send + Sync,
        E: From<BackupError> + From<F> + Send,
    {
        let memo = self.memo(options);
        let common = Common { options, asked, memo: Some(&*memo) };
        batch::each(count, configuration, &common, consume)
    }

    /// As [`super::try_each`].
    ///
    /// # Errors
    /// As there.
    pub fn try_each<C, E>(
        &self,
        count: u64,
        configuration: impl Fn(u64) -> Result<C, ScenarioError> + Sync,
        options: &PredictOptions,
        asked: Asked,
        consume: impl FnMut(u64, Result<(&C, Prediction), Refused>) -> Result<(), E> + Send,
    ) -> Result<(), E>
    where
        C: AsRef<Resolved> + Send + Sync,
        E: Send,
    {
        let memo = self.memo(options);
        let common = Common { options, asked, memo: Some(&*memo) };
        tried::each(count, configuration, &common, consume)
    }

    /// The prediction of one configuration.
    ///
    /// # Errors
    /// [`BackupError`] if it is too large to simulate.
    pub fn predict(
        &self,
        resolved: &Resolved,
        options: &PredictOptions,
        asked: Asked,
    ) -> Result<Prediction, BackupError> {
        let memo = self.memo(options);
        batch::one(resolved, &Common { options, asked, memo: Some(&*memo) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scenario;

    /// Backups and verifications that are kept.
    fn made(kept: &Kept) -> Vec<(usize, usize)> {
        let memos = kept.memos.lock().unwrap();
        memos.iter().map(|(_, memo)| memo.made()).collect()
    }

    #[test]
    fn runs_of_the_same_sort_are_made_once_for_all_batches() {
        let sets = [crate::Set::new("volume.data.size", "8 MiB")];
        let resolved = Scenario::load_reference("usb3-laptop:2.3", &sets).unwrap().resolved;
        let kept = Kept::default();
        let few = PredictOptions { replications: 3, ..PredictOptions::DEFAULT };
        let more = PredictOptions { replications: 5, ..few };
        kept.predict(&resolved, &few, Asked::Durations).unwrap();
        assert_eq!(made(&kept), [(3, 3)]);
        kept.predict(&resolved, &more, Asked::Durations).unwrap();
        kept.predict(&resolved, &few, Asked::Durations).unwrap();
        assert_eq!(made(&kept), [(5, 5)]);
        let exact = PredictOptions { exact: true, ..few };
        kept.predict(&resolved, &exact, Asked::Durations).unwrap();
        assert_eq!(made(&kept), [(5, 5), (3, 3)]);
        let limits = kept.predict(&resolved, &few, Asked::Limits).unwrap();
        assert_eq!(limits, super::super::predict(&resolved, &few).unwrap());
    }
}
