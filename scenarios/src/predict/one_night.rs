//! One night of a scenario, to be watched from event to event.
//!
//! The same plans, streams and members as in a prediction: night r here is night r there, but every
//! transfer is simulated. What a watcher may see: [`bakcast_models::pipeline::watch`].

use std::borrow::Cow;

use bakcast_models::outcome::Outcome;
use bakcast_models::pipeline::watch::{Watcher, watch_backup, watch_restore, watch_verify};
use bakcast_models::pipeline::{BackupError, Relief, Terms, simulate_backup};

use super::PredictOptions;
use super::luck::with_streams;
use crate::resolve::Resolved;

/// One night of a scenario.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use bakcast_models::pipeline::watch::{Moment, Watcher};
/// use bakcast_scenarios::predict::{OneNight, PredictOptions};
/// use bakcast_scenarios::Scenario;
///
/// struct Count(u64);
///
/// impl Watcher for Count {
///     fn see(&mut self, _moment: &Moment<'_>) -> ControlFlow<()> {
///         self.0 += 1;
///         ControlFlow::Continue(())
///     }
/// }
///
/// let loaded = Scenario::load_reference("usb3-laptop:2.3", &[])?;
/// let night = OneNight::new(&loaded.resolved, &PredictOptions::DEFAULT, 0);
/// let mut count = Count(0);
/// let backup = night.watch_backup(&mut count)?.expect("nobody gave it up");
/// assert!(count.0 >= backup.events);
/// let verify = night.watch_verify(&backup, &mut Count(0))?.expect("it has one");
/// assert_eq!(verify.read_bytes, backup.written_bytes);
/// # Ok::<(), Box<dyn std::error::Error + Send + Sync>>(())
/// ```
#[derive(Debug, Clone)]
pub struct OneNight<'a> {
    resolved: Cow<'a, Resolved>,
    seed: u64,
    night: u64,
    terms: Terms,
}

impl<'a> OneNight<'a> {
    /// Night number `night` of a prediction with these options, counted from 0.
    #[must_use]
    pub fn new(resolved: &'a Resolved, options: &PredictOptions, night: u64) -> Self {
        let resolved = resolved.of_night(night);
        OneNight { resolved, seed: options.seed, night, terms: Terms::EXACT }
    }

    /// The same night with parts of the pipeline at no cost.
    #[must_use]
    pub fn relieved(self, relief: Relief) -> Self {
        OneNight { terms: Terms { relief, ..self.terms }, ..self }
    }

    /// The same night, which ends with the backup that is asked about: the outcome says nothing of
    /// jobs beside it.
    #[must_use]
    pub fn main_alone(self) -> Self {
        OneNight { terms: Terms { main_alone: true, ..self.terms }, ..self }
    }

    /// The scenario with the values that it has in this night.
    #[must_use]
    pub fn resolved(&self) -> &Resolved {
        &self.resolved
    }

    /// The backup, which nobody watches: what comes after it needs to know what it wrote.
    ///
    /// # Errors
    /// [`BackupError`] if it is too large to simulate in full.
    pub fn backup(&self) -> Result<Outcome, BackupError> {
        let Resolved { machine, backup, .. } = self.resolved();
        with_streams(self.seed, self.night, |streams| {
            simulate_backup(machine, backup, streams, &self.terms)
        })
    }

    /// The backup; `None` if the watcher has given it up.
    ///
    /// # Errors
    /// [`BackupError`] if it is too large to simulate in full.
    pub fn watch_backup(&self, watcher: &mut impl Watcher) -> Result<Option<Outcome>, BackupError> {
        let Resolved { machine, backup, .. } = self.resolved();
        with_streams(self.seed, self.night, |streams| {
            watch_backup(machine, backup, streams, &self.terms, watcher)
        })
    }

    /// The verification of what this backup wrote; `None` if the watcher has given it up, or the
    /// scenario has none.
    ///
    /// # Errors
    /// [`BackupError`] if it is too large to simulate in full.
    pub fn watch_verify(
        &self,
        backup: &Outcome,
        watcher: &mut impl Watcher,
    ) -> Result<Option<Outcome>, BackupError> {
        let Some(plan) = self.resolved.verify(&backup.stripe_bytes) else { return Ok(None) };
        let credits = backup.credits.iter().map(|credit| credit.map(|credit| credit.left));
        let machine = self.resolved.machine.left_with(credits);
        with_streams(self.seed, self.night, |streams| {
            watch_verify(&machine, &plan, streams, &self.terms, watcher)
        })
    }

    /// The restore of what this backup wrote; `None` if the watcher has given it up, or the
    /// scenario has none.
    ///
    /// # Errors
    /// [`BackupError`] if it is too large to simulate in full.
    pub fn watch_restore(
        &self,
        backup: &Outcome,
        watcher: &mut impl Watcher,
    ) -> Result<Option<Outcome>, BackupError> {
        let Some(plan) = self.resolved.restore(&backup.stripe_bytes) else { return Ok(None) };
        with_streams(self.seed, self.night, |streams| {
            watch_restore(&self.resolved.machine, &plan, streams, &self.terms, watcher)
        })
    }
}
