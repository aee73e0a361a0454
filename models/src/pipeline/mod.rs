//! The pipelines: a backup, a verification and a restore of it, run event by event.

mod crew;
mod dealing;
mod devices;
mod direct;
mod drive;
mod facilities;
mod forward;
mod job;
mod journal;
mod lines;
mod lower;
mod outline;
mod overlap;
mod processors;
mod readers;
mod reading;
mod shares;
mod simulation;
mod stations;
mod stretch;
mod together;
pub mod watch;
mod window;
mod writers;
mod zeroing;

use bakcast_sim::{RunError, Streams};
use thiserror::Error;

use crate::outcome::Outcome;
use crate::plan::{Backup, Machine, Restore, Verify};

/// What-if: parts of the pipeline that cost no time, or of which there is plenty.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Relief {
    /// Devices and links, by index in [`Machine::devices`].
    pub devices: Vec<usize>,
    /// The processors.
    pub processor: bool,
    /// The fixed start and finish cost.
    pub fixed_cost: bool,
    /// Backup buffers: as many as [`plenty`] says.
    pub buffers: bool,
    /// Other jobs: there are none.
    pub beside: bool,
}

impl Relief {
    /// Everything costs what it costs.
    pub const NONE: Relief = Relief {
        devices: Vec::new(),
        processor: false,
        fixed_cost: false,
        buffers: false,
        beside: false,
    };
}

/// How a run is to be made.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Terms {
    /// What costs nothing.
    pub relief: Relief,
    /// Every transfer is simulated; otherwise the middle of a long run is carried forward.
    pub exact: bool,
    /// The middle is carried forward sooner, of shorter runs too: for thousands of runs of which
    /// none is shown, such as those of a fit.
    pub rough: bool,
    /// Ends of services are found in a calendar even where a recursion gives the same ones sooner:
    /// to check one against the other.
    pub scheduled: bool,
    /// The run ends with the backup that is asked about, and says nothing of the jobs beside it.
    pub main_alone: bool,
}

impl Terms {
    /// Nothing is relieved, every transfer is simulated.
    pub const EXACT: Terms = Terms {
        relief: Relief::NONE,
        exact: true,
        rough: false,
        scheduled: false,
        main_alone: false,
    };
    /// Nothing is relieved, long runs are carried forward.
    pub const USUAL: Terms = Terms {
        relief: Relief::NONE,
        exact: false,
        rough: false,
        scheduled: false,
        main_alone: false,
    };
}

/// How many buffers are plenty where there are `count`: 32 times as many, but no more than 1,024
/// if that is at least twice as many. Further ones would only take longer to fill.
#[must_use]
pub fn plenty(count: u32) -> u32 {
    let count = count.max(1);
    count.saturating_mul(32).min(1024).max(count.saturating_mul(2))
}

/// Why a run could not be finished.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BackupError {
    /// More transfers than one run may simulate.
    #[error(
        "{transfers} transfers are more than one run may simulate in full ({limit}); without \
         `--exact` the middle is carried forward"
    )]
    TooManyTransfers {
        /// Transfers the run would need.
        transfers: u64,
        /// Most transfers of one run.
        limit: u64,
    },
    /// More to be zeroed than one run may simulate: that is never carried forward.
    #[error(
        "{transfers} writes to zero files are more than one run may simulate ({limit}); look at \
         `restore.zeroed`"
    )]
    TooMuchToZero {
        /// Writes the run would need for it.
        transfers: u64,
        /// Most transfers of one run.
        limit: u64,
    },
    /// Longer than simulated time can count.
    #[error("it could take {days} days, more than can be simulated; look at rates and sizes")]
    TooLong {
        /// Days that every byte on every device would take.
        days: u64,
    },
    /// Nothing is under way and nothing can begin: our bug, with what explains it.
    #[error("the pipeline stands still at {at}: {state}")]
    Stalled {
        /// Simulated time.
        at: String,
        /// Buffers and threads.
        state: String,
    },
    /// The kernel stopped the run.
    #[error(transparent)]
    Run(RunError),
}

/// Most transfers of one run that is simulated in full: 128 TiB at 1 MiB.
pub const TRANSFERS_MAX: u64 = 1 << 27;

/// Runs a backup once.
///
/// # Errors
/// [`BackupError`] if the backup is too large to simulate.
pub fn simulate_backup(
    machine: &Machine,
    backup: &Backup,
    streams: &Streams,
    terms: &Terms,
) -> Result<Outcome, BackupError> {
    if !backup.beside.is_empty() && !terms.relief.beside {
        return lower::several::<()>(machine, backup, streams, terms)?.run();
    }
    let outline = outline::backup(backup, &terms.relief);
    let (simulation, way) = lower::one(machine, &outline, streams, terms)?;
    simulation.run(way)
}

/// Runs a verification once.
///
/// # Errors
/// [`BackupError`] if the backup is too large to simulate.
pub fn simulate_verify(
    machine: &Machine,
    verify: &Verify,
    streams: &Streams,
    terms: &Terms,
) -> Result<Outcome, BackupError> {
    let outline = outline::verification(verify, &terms.relief);
    let (simulation, way) = lower::one(machine, &outline, streams, terms)?;
    simulation.run(way)
}

/// Runs a restore once.
///
/// # Errors
/// [`BackupError`] if there is too much to simulate.
pub fn simulate_restore(
    machine: &Machine,
    restore: &Restore,
    streams: &Streams,
    terms: &Terms,
) -> Result<Outcome, BackupError> {
    let outline = outline::restore(restore, &terms.relief);
    let (simulation, way) = lower::one(machine, &outline, streams, terms)?;
    simulation.run(way)
}

#[cfg(test)]
mod tests;
