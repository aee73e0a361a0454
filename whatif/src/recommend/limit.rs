//! What settings may cost: limits on durations, memory, processors and files.

use bakcast_scenarios::Loaded;
use bakcast_scenarios::predict::{OperationPrediction, Prediction};

use crate::runner::{Operation, Ran};

/// What a limit is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// A duration: the upper end of its range.
    Seconds(Operation),
    /// Memory of the buffers of all jobs, in bytes.
    Memory,
    /// Share of all logical processors that compression and decompression keep busy, mean over the
    /// run: the larger one of backup and verification.
    Processors,
    /// Backup files.
    Files,
}

/// The most that something may be.
#[derive(Debug, Clone, PartialEq)]
pub struct Limit {
    /// As it was given.
    pub text: String,
    /// What it is on.
    pub measure: Measure,
    /// The most it may be: seconds, bytes, a share or a number.
    pub most: f64,
    /// Whether it must be less.
    pub strictly: bool,
}

impl Limit {
    /// What is held against it; `None`: there is no such operation.
    #[must_use]
    pub fn value(&self, ran: &Ran) -> Option<f64> {
        let prediction = &ran.prediction;
        let high = |operation: &OperationPrediction| operation.seconds.high;
        match self.measure {
            Measure::Seconds(Operation::Backup) => Some(prediction.backup.seconds.high),
            Measure::Seconds(Operation::Verify) => prediction.verify.as_ref().map(high),
            Measure::Seconds(Operation::Restore) => prediction.restore.as_ref().map(high),
            Measure::Seconds(Operation::Total) => Some(prediction.total_seconds.high),
            Measure::Memory => Some(memory_of(ran) as f64),
            Measure::Processors => Some(processor_share(&ran.loaded, prediction)),
            Measure::Files => Some(ran.loaded.scenario.backup.stripes.len() as f64),
        }
    }

    /// Whether a value keeps it.
    #[must_use]
    pub fn allows(&self, value: f64) -> bool {
        if self.strictly { value < self.most } else { value <= self.most }
    }

    /// Whether a configuration keeps it.
    #[must_use]
    pub fn is_kept(&self, ran: &Ran) -> bool {
        self.value(ran).is_some_and(|value| self.allows(value))
    }

    /// By which share a configuration is beyond it; 0 if it is not, infinite where there is nothing
    /// to hold against it.
    #[must_use]
    pub fn excess(&self, ran: &Ran) -> f64 {
        self.value(ran).map_or(f64::INFINITY, |value| self.excess_of(value))
    }

    pub(super) fn excess_of(&self, value: f64) -> f64 {
        let beyond = value / self.most.max(f64::MIN_POSITIVE) - 1.0;
        // Exactly at a limit that must not be reached is beyond it as well.
        if self.allows(value) { 0.0 } else { beyond.max(f64::EPSILON) }
    }
}

/// Memory of the buffers of all jobs.
#[must_use]
pub fn memory_of(ran: &Ran) -> u64 {
    ran.loaded.resolved.backup.memory_of_all_jobs().get()
}

/// Share of all processors that are busy, of backup and verification the larger one.
#[must_use]
pub fn processor_share(loaded: &Loaded, prediction: &Prediction) -> f64 {
    let verify = prediction.verify.as_ref().map_or(0.0, |verify| verify.processor_cores_mean);
    let cores = prediction.backup.processor_cores_mean.max(verify);
    cores / f64::from(loaded.resolved.machine.processor.count.max(1))
}
