//! Other jobs at the same time, over all runs: how long each takes, whether it meets the backup.
//!
//! Their durations are as simulated. What was carried forward is put right for the backup that is
//! asked about alone; the others scatter a little more for it.

use bakcast_models::outcome::Outcome;

use super::summary::mean_bytes;
use super::{Prediction, Range};
use crate::warning::{Warning, WarningCode};
use crate::words;

/// A job at the same time, over all runs.
#[derive(Debug, Clone, PartialEq)]
pub struct BesideSummary {
    /// As the scenario calls it.
    pub name: String,
    /// Seconds from the beginning of the backup that is asked about to its own.
    pub starts_seconds: f64,
    /// Duration in seconds, from its own beginning.
    pub seconds: Range,
    /// Bytes read from its source.
    pub read_bytes: u64,
    /// Bytes written to its backup files.
    pub written_bytes: u64,
    /// Share of runs, from 0 to 1, in which the backup still ran when it began.
    pub overlap: f64,
}

impl BesideSummary {
    /// Its end, in seconds from the beginning of the backup that is asked about.
    #[must_use]
    pub fn end_seconds(&self) -> f64 {
        self.starts_seconds + self.seconds.median
    }

    /// Whether it runs while the backup does, in most nights.
    #[must_use]
    pub fn meets(&self) -> bool {
        self.overlap >= 0.5
    }
}

/// Sums of one job.
#[derive(Debug)]
pub(super) struct BesideSums {
    summary: BesideSummary,
    elapsed: Vec<f64>,
    overlaps: f64,
    read_bytes: u128,
    written_bytes: u128,
}

/// Adds a run to the sums of each job.
pub(super) fn add(sums: &mut Vec<BesideSums>, outcome: &Outcome) {
    if sums.is_empty() {
        sums.extend(blank(outcome));
    }
    for (sums, job) in sums.iter_mut().zip(&outcome.beside) {
        sums.elapsed.push(job.elapsed.as_seconds());
        sums.read_bytes += u128::from(job.read_bytes.get());
        sums.written_bytes += u128::from(job.written_bytes.get());
        sums.overlaps += if job.starts < outcome.elapsed { 1.0 } else { 0.0 };
    }
}

fn blank(outcome: &Outcome) -> impl Iterator<Item = BesideSums> {
    outcome.beside.iter().map(|job| BesideSums {
        summary: BesideSummary {
            name: job.name.clone(),
            starts_seconds: job.starts.as_seconds(),
            seconds: Range::of(&[], 0.0),
            read_bytes: 0,
            written_bytes: 0,
            overlap: 0.0,
        },
        elapsed: Vec::new(),
        overlaps: 0.0,
        read_bytes: 0,
        written_bytes: 0,
    })
}

impl BesideSums {
    pub(super) fn finish(self, level: f64) -> BesideSummary {
        let runs = (self.elapsed.len() as f64).max(1.0);
        let seconds = Range::of(&self.elapsed, level);
        let mean = |sum| mean_bytes(sum, self.elapsed.len());
        BesideSummary {
            seconds,
            read_bytes: mean(self.read_bytes),
            written_bytes: mean(self.written_bytes),
            overlap: self.overlaps / runs,
            ..self.summary
        }
    }
}

impl Prediction {
    /// One warning for all jobs that run at another time than the backup, in most nights.
    pub(super) fn jobs_apart(&self) -> Option<Warning> {
        let apart: Vec<_> = self.backup.beside.iter().filter(|job| !job.meets()).collect();
        let (text, hint) = match apart.as_slice() {
            [] => return None,
            [job] => (
                format!(
                    "job `{}` starts when the backup has ended: they do not disturb each other",
                    words::shown(&job.name)
                ),
                format!("an earlier `beside.{}.starts` would make them meet", job.name),
            ),
            jobs => (
                format!(
                    "jobs {} start when the backup has ended: they do not disturb it",
                    words::listed(jobs.iter().map(|job| job.name.as_str()))
                ),
                "an earlier `starts` would make them meet".to_string(),
            ),
        };
        Some(Warning { code: WarningCode::JobsApart, text, hint })
    }
}
