//! What one run came to.

use bakcast_sim::Span;

use crate::quantity::Bytes;
use crate::station_clock::StationShares;
use crate::wait::{Side, ThreadState};

/// One run of a backup, a verification or a restore.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// From the statement to its end.
    pub elapsed: Span,
    /// Bytes read from the source.
    pub read_bytes: Bytes,
    /// Bytes written to backup files, or to volumes; zeroes do not count.
    pub written_bytes: Bytes,
    /// Bytes in each backup file, or on each volume.
    pub stripe_bytes: Vec<Bytes>,
    /// Every device and link in use, the processors, the fixed cost.
    pub stations: Vec<StationOutcome>,
    /// Every thread, and the workers as one.
    pub threads: Vec<ThreadOutcome>,
    /// Events handled.
    pub events: u64,
    /// Burst credit of each device, in the order of the machine; `None`: it has none.
    pub credits: Vec<Option<CreditOutcome>>,
    /// What was carried forward without being simulated; `None`: nothing.
    pub carried: Option<Carried>,
    /// Speed of the devices in use and of the processors in this run, relative to their usual one.
    pub speeds: Vec<f64>,
    /// Other jobs at the same time.
    pub beside: Vec<BesideOutcome>,
}

/// What became of a job that ran at the same time.
#[derive(Debug, Clone, PartialEq)]
pub struct BesideOutcome {
    /// As the scenario calls it.
    pub name: String,
    /// From the beginning of the job that is asked about to its own.
    pub starts: Span,
    /// From its own statement to its end.
    pub elapsed: Span,
    /// Bytes read from its source.
    pub read_bytes: Bytes,
    /// Bytes written to its backup files.
    pub written_bytes: Bytes,
}

/// The part of a run that was carried forward at a measured rate.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Carried {
    /// Bytes read in it.
    pub bytes: u64,
    /// Time it took.
    pub seconds: f64,
    /// Standard deviation of that time because the rate is only measured so well.
    pub estimate_seconds: f64,
    /// Standard deviation it would have between runs at one and the same rate.
    pub natural_seconds: f64,
    /// A standard normal draw, for putting that variation in.
    pub draw: f64,
}

/// What became of a device's burst credit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CreditOutcome {
    /// Share of the full credit that is left, from 0 to 1.
    pub left: f64,
    /// Bytes moved until it ran dry for the first time; `None`: it never did, or there was none to
    /// begin with.
    pub dry_after: Option<Bytes>,
}

/// What a station is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum StationRole {
    /// A device or link that is only read from.
    Source,
    /// The processors.
    Processor,
    /// A device or link that is only written to.
    Target,
    /// A device or link that is both read from and written to.
    SourceAndTarget,
    /// The fixed start and finish cost of the job.
    FixedCost,
}

impl StationRole {
    /// The role as printed.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            StationRole::Source => "source",
            StationRole::Processor => "processor",
            StationRole::Target => "target",
            StationRole::SourceAndTarget => "source and target",
            StationRole::FixedCost => "fixed cost",
        }
    }
}

/// How one station spent the run.
#[derive(Debug, Clone, PartialEq)]
pub struct StationOutcome {
    /// As the scenario calls it.
    pub name: String,
    /// What it is.
    pub role: StationRole,
    /// Identical servers.
    pub servers: u32,
    /// Transfers or buffers served.
    pub completions: u64,
    /// Bytes served.
    pub bytes: Bytes,
    /// Server time spent serving, with what others took in the midst of it.
    pub busy: Span,
    /// Part of it in which others were served: users, not this job or those beside it.
    pub others: Span,
    /// Shares of server time over the whole run.
    pub shares: StationShares,
}

/// How one thread, or one group of workers, spent the run.
#[derive(Debug, Clone, PartialEq)]
pub struct ThreadOutcome {
    /// Its side.
    pub side: Side,
    /// Which one, e.g. the volume's name or the number of the stripe.
    pub name: String,
    /// Time by state; one thread's times sum to the elapsed time.
    pub spent: Vec<(ThreadState, Span)>,
}
