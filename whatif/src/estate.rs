//! A night of many backups: hundreds of jobs on shared devices, links and processors.
//!
//! Simulated transfer by transfer, a night of hundreds of backups takes minutes. So each sort of
//! job is simulated alone, in every night (`measure.rs`): that tells its rate alone and what it
//! takes of each station per byte. The night is then fluid between events ([`run`]), with shares
//! found at each of them ([`fluid`]). How far that is from the full simulation of a few jobs beside
//! one another is tested, and told in `docs/estate.md`.
//!
//! A night is run as often as there are replications; devices have the same speeds in the same
//! night whatever the schedule, so that two schedules are compared pair by pair ([`schedule`]).
//!
//! Assumptions: burst credit and fast caches are each job's own (as if it were alone); processors
//! of all servers have the same speed in the same night; a job's demands are those of a large one
//! of its sort.

mod disturb;
pub mod fluid;
mod measure;
pub mod run;
mod schedule;
mod search;
mod summary;

pub use schedule::{NoSchedule, Schedule, ScheduleLimits, schedule};
pub use summary::{JobPrediction, NightLimit, NightPrediction, NightStation};

use std::sync::Arc;

use bakcast_models::pipeline::BackupError;
use bakcast_scenarios::predict::PredictOptions;
use bakcast_scenarios::{Night, Resolved};
use bakcast_sim::replicate;

use run::{Order, Times, Work};

/// The jobs of a night, measured: good for any schedule.
#[derive(Debug, Clone)]
pub struct Estate {
    pub(crate) night: Arc<Night>,
    /// What there is to do in each night.
    pub(crate) works: Vec<Work>,
    /// Names of the stations: devices, then the processors of each server.
    pub(crate) stations: Vec<String>,
    pub(crate) level: f64,
    pub(crate) seed: u64,
}

impl Estate {
    /// Measures the jobs of a night; nothing if the scenario has none.
    ///
    /// # Errors
    /// [`BackupError`] if a job is too large to simulate.
    pub fn measure(
        resolved: &Resolved,
        options: &PredictOptions,
    ) -> Result<Option<Estate>, BackupError> {
        let Some(night) = &resolved.night else { return Ok(None) };
        let works = measure::measure(resolved, night, options)?;
        let devices = resolved.machine.devices.iter().map(|device| device.name.clone());
        let servers = night.servers.iter().map(|server| match server.name.as_str() {
            "" => "processor".to_string(),
            name => format!("processor of {name}"),
        });
        Ok(Some(Estate {
            night: Arc::clone(night),
            works,
            stations: devices.chain(servers).collect(),
            level: options.level,
            seed: options.seed,
        }))
    }

    /// The jobs and servers.
    #[must_use]
    pub fn night(&self) -> &Night {
        &self.night
    }

    /// Nights that are run.
    #[must_use]
    pub fn replications(&self) -> u32 {
        u32::try_from(self.works.len()).unwrap_or(u32::MAX)
    }

    /// When jobs begin, as the scenario has it.
    #[must_use]
    pub fn order(&self) -> Order {
        let jobs = &self.night.jobs;
        Order {
            starts: jobs.iter().map(|job| job.starts.span().as_nanos()).collect(),
            after: jobs.iter().map(|job| job.after.clone()).collect(),
            server: jobs.iter().map(|job| job.server).collect(),
            at_once: self.night.servers.iter().map(|server| server.at_once).collect(),
        }
    }

    /// Every night in this order.
    #[must_use]
    pub fn times(&self, order: &Order) -> Vec<Times> {
        replicate(self.works.len() as u64, |r| run::run(&self.works[r as usize], order, None))
    }

    /// What the nights come to in this order.
    #[must_use]
    pub fn predict(&self, order: &Order) -> NightPrediction {
        summary::summary(self, order)
    }
}

/// Predicts the night of a scenario; nothing if it has no jobs.
///
/// # Errors
/// [`BackupError`] if a job is too large to simulate.
pub fn predict_night(
    resolved: &Resolved,
    options: &PredictOptions,
) -> Result<Option<NightPrediction>, BackupError> {
    let estate = Estate::measure(resolved, options)?;
    Ok(estate.map(|estate| estate.predict(&estate.order())))
}
