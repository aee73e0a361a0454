//! The one place that runs configurations.
//!
//! All configurations of a runner meet the same seed, so that night r of one is night r of every
//! other: the same luck, and of an ensemble the same member. What [`Ran::nights`] returns can
//! therefore be paired ([`crate::Paired`]), whenever and in whatever company it was run.
//!
//! Runs are spread over the threads of rayon's pool, configurations and nights alike, and handed on
//! in order of their index; the result is the same on any number of threads. A configuration that
//! is refused is an answer of its own and stops nothing.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use bakcast_scenarios::predict::{Asked, Kept, PredictOptions, Prediction, Refused, try_each};
use bakcast_scenarios::{Base, Document, Loaded, ScenarioError, Set};

use crate::design::Configuration;
use crate::paired::Paired;

/// What is timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operation {
    /// The backup.
    Backup,
    /// The verification.
    Verify,
    /// The restore.
    Restore,
    /// Backup and verification, one after the other.
    Total,
}

impl Operation {
    /// As it is called everywhere.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Operation::Backup => "backup",
            Operation::Verify => "verify",
            Operation::Restore => "restore",
            Operation::Total => "total",
        }
    }
}

/// A configuration that was run.
#[derive(Debug, Clone, PartialEq)]
pub struct Ran {
    /// The scenario of the configuration.
    pub loaded: Loaded,
    /// What it came to.
    pub prediction: Prediction,
    /// Backup and verification of each night.
    totals: Vec<f64>,
}

impl Ran {
    /// A configuration with its prediction.
    #[must_use]
    pub fn new(loaded: Loaded, prediction: Prediction) -> Self {
        let backup = prediction.backup.elapsed_seconds.iter();
        let totals = match &prediction.verify {
            Some(verify) => backup.zip(&verify.elapsed_seconds).map(|(b, v)| b + v).collect(),
            None => backup.copied().collect(),
        };
        Ran { loaded, prediction, totals }
    }

    /// The duration of each night in seconds, in order of the nights; `None`: there is no such
    /// operation.
    #[must_use]
    pub fn nights(&self, operation: Operation) -> Option<&[f64]> {
        let prediction = &self.prediction;
        match operation {
            Operation::Backup => Some(&prediction.backup.elapsed_seconds),
            Operation::Verify => prediction.verify.as_ref().map(|o| &o.elapsed_seconds[..]),
            Operation::Restore => prediction.restore.as_ref().map(|o| &o.elapsed_seconds[..]),
            Operation::Total => Some(&self.totals),
        }
    }

    /// Parameter sets that its nights take in turn; 1 without an ensemble.
    #[must_use]
    pub fn members(&self) -> usize {
        let members = self.loaded.resolved.members.as_ref();
        members.map_or(1, bakcast_scenarios::Members::count)
    }

    /// How an operation compares with that of `base`, of the same runner or of one with the same
    /// seed; `None`: one of the two does not have it.
    #[must_use]
    pub fn against(&self, base: &Ran, operation: Operation, level: f64) -> Option<Paired> {
        let members = self.members().max(base.members());
        Paired::new(base.nights(operation)?, self.nights(operation)?, members, level)
    }
}

/// What became of a configuration.
pub type Outcome = Result<Arc<Ran>, Arc<Refused>>;

/// The same without being kept.
pub type Ended<'a> = Result<(&'a Loaded, Prediction), Refused>;

/// Why configurations were not run to their end: somebody said so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("interrupted")]
pub struct Cancelled;

/// Told how far the work is: so many configurations done, of so many. Whether to go on is the
/// answer.
pub type GoOn<'a> = &'a (dyn Fn(u64, u64) -> bool + Sync);

/// Runs configurations of one scenario, and remembers them.
#[derive(Debug)]
pub struct Runner<'a> {
    document: &'a Document,
    variant: Option<String>,
    sets: Vec<Set>,
    options: PredictOptions,
    asked: Asked,
    bases: Mutex<BTreeMap<Option<String>, Arc<Base<'a>>>>,
    /// Runs that it and others like it may ask for again.
    kept: Arc<Kept>,
    /// What was run, by the scenario as it is written out in full.
    known: Mutex<BTreeMap<String, Outcome>>,
}

impl<'a> Runner<'a> {
    /// For configurations on top of one variant of a scenario and assignments to it.
    #[must_use]
    pub fn new(
        document: &'a Document,
        variant: Option<&str>,
        sets: &[Set],
        options: PredictOptions,
        asked: Asked,
    ) -> Self {
        Runner {
            document,
            variant: variant.map(str::to_string),
            sets: sets.to_vec(),
            options,
            asked,
            bases: Mutex::default(),
            kept: Arc::default(),
            known: Mutex::default(),
        }
    }

    /// Another one of the same scenario, which is run otherwise. Runs of the same nights are made
    /// once for both.
    #[must_use]
    pub fn another(&self, options: PredictOptions, asked: Asked) -> Self {
        Runner {
            document: self.document,
            variant: self.variant.clone(),
            sets: self.sets.clone(),
            options,
            asked,
            bases: Mutex::default(),
            kept: Arc::clone(&self.kept),
            known: Mutex::default(),
        }
    }

    /// How everything is run.
    #[must_use]
    pub fn options(&self) -> &PredictOptions {
        &self.options
    }

    /// The scenario of a configuration, checked and resolved. [`Configuration::default`] is the
    /// scenario as it stands.
    ///
    /// # Errors
    /// [`ScenarioError`] with all its problems.
    pub fn load(&self, configuration: &Configuration) -> Result<Loaded, ScenarioError> {
        let variant = configuration.variant.clone().or_else(|| self.variant.clone());
        let base = self.base(variant)?;
        let sets: Vec<Set> = self.sets.iter().chain(&configuration.sets).cloned().collect();
        base.with(&sets)
    }

    fn base(&self, variant: Option<String>) -> Result<Arc<Base<'a>>, ScenarioError> {
        let mut bases = self.bases.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(base) = bases.get(&variant) {
            return Ok(Arc::clone(base));
        }
        let base = Arc::new(self.document.base(variant.as_deref())?);
        bases.insert(variant, Arc::clone(&base));
        Ok(base)
    }

    /// Runs configurations `first..end` of those that `make` makes, hands what became of each to
    /// `consume` in order, and keeps none: for as many as there may be.
    ///
    /// # Errors
    /// The error of `consume`, which ends the work.
    pub fn each<E: Send>(
        &self,
        (first, end): (u64, u64),
        make: impl Fn(u64) -> Configuration + Sync,
        mut consume: impl FnMut(u64, Ended<'_>) -> Result<(), E> + Send,
    ) -> Result<(), E> {
        let load = |index| self.load(&make(first + index));
        let count = end.saturating_sub(first);
        try_each(count, load, &self.options, self.asked, |index, ended| {
            consume(first + index, ended)
        })
    }

    /// Runs a few configurations and remembers them: what is resolved to the same scenario is run
    /// once, in this call and in those after it.
    ///
    /// # Errors
    /// [`Cancelled`] once `go_on` says no; what is done until then stays known.
    pub fn run(
        &self,
        configurations: &[Configuration],
        go_on: GoOn<'_>,
    ) -> Result<Vec<Outcome>, Cancelled> {
        let mut keys = Vec::new();
        let mut refused = BTreeMap::new();
        let mut missing: BTreeMap<String, Loaded> = BTreeMap::new();
        for (index, configuration) in configurations.iter().enumerate() {
            match self.load(configuration) {
                Ok(loaded) => {
                    let key = key_of(&loaded);
                    if !self.known().contains_key(&key) {
                        missing.entry(key.clone()).or_insert(loaded);
                    }
                    keys.push(key);
                }
                Err(error) => {
                    refused.insert(index, Arc::new(Refused::from(error)));
                    keys.push(String::new());
                }
            }
        }
        self.find(&missing.into_iter().collect::<Vec<_>>(), go_on)?;
        let known = self.known();
        let outcome = |(index, key): (usize, &String)| match refused.get(&index) {
            Some(refused) => Err(Arc::clone(refused)),
            None => known.get(key).cloned().unwrap_or_else(|| unreachable!("it was just run")),
        };
        Ok(keys.iter().enumerate().map(outcome).collect())
    }

    /// Runs what is not known yet.
    fn find(&self, missing: &[(String, Loaded)], go_on: GoOn<'_>) -> Result<(), Cancelled> {
        let count = missing.len() as u64;
        if !go_on(0, count) {
            return Err(Cancelled);
        }
        let load = |index: u64| Ok(&missing[index as usize].1);
        self.kept.try_each(count, load, &self.options, self.asked, |index, ended| {
            let (key, loaded) = &missing[index as usize];
            let outcome = match ended {
                Ok((_, prediction)) => Ok(Arc::new(Ran::new(loaded.clone(), prediction))),
                Err(refused) => Err(Arc::new(refused)),
            };
            self.known().insert(key.clone(), outcome);
            if go_on(index + 1, count) { Ok(()) } else { Err(Cancelled) }
        })
    }

    fn known(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Outcome>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Configurations that were run and are remembered.
    #[must_use]
    pub fn evaluated(&self) -> usize {
        self.known().len()
    }
}

/// Nights for a search: enough to tell a ratio from 1.
pub(crate) const FEW_NIGHTS: u32 = 8;
/// The same where each takes long.
const FEWER_NIGHTS: u32 = 4;
/// Transfers from which on a night takes long.
const MANY_TRANSFERS: f64 = 32_768.0;

/// Nights for a search among settings of a scenario.
pub(crate) fn few_nights(loaded: &Loaded) -> u32 {
    let transfer = loaded.resolved.backup.buffers.transfer_size.as_f64().max(1.0);
    let transfers = loaded.resolved.database_bytes().as_f64() / transfer;
    if transfers > MANY_TRANSFERS { FEWER_NIGHTS } else { FEW_NIGHTS }
}

/// The scenario written out in full: what resolves to the same runs alike. The name is in it, for a
/// variant is called by it where results are shown.
fn key_of(loaded: &Loaded) -> String {
    format!("{}\n{}", loaded.name, loaded.to_toml())
}

#[cfg(test)]
mod tests;
