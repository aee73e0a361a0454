//! Options of `recommend`.

use bakcast_whatif::{Operation, Wanted};
use clap::{Args, ValueEnum};

use super::ScenarioChoice;
use super::value;
use crate::requirement::Requirement;

pub(super) const EXAMPLES: &str = "\
Examples:
  bakcast recommend nvme-knob-matrix:1
  bakcast recommend usb3-laptop:2.1 --window 2min --operation total
  bakcast recommend mine.toml --memory 512MiB --cpu 60% --stripes 4 --devices d1,d2
  bakcast recommend estate.toml --schedule --window 6h --at-once 8 -o schedule.csv
  bakcast predict estate.toml --set jobs=schedule.csv";

/// `recommend`.
#[derive(Debug, Args)]
pub(crate) struct Recommend {
    #[command(flatten)]
    pub(crate) choice: ScenarioChoice,
    /// Time it may take, such as 2h, or the exit code is 4
    ///
    /// Held against the upper end of the range of the operation, so that a slow night fits as well;
    /// `--level` moves that end.
    #[arg(long, value_name = "TIME")]
    pub(crate) window: Option<String>,
    /// Most memory of the buffers of all jobs, such as 512MiB [default: 1GiB, or as it is]
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory: Option<String>,
    /// Most of the processors that it may keep busy, such as 60%; the rest is left to users
    #[arg(long, value_name = "SHARE")]
    pub(crate) cpu: Option<String>,
    /// Most backup files
    #[arg(
        long,
        value_name = "N",
        default_value_t = Wanted::MOST_FILES as u32,
        value_parser = clap::value_parser!(u32).range(1..=64),
    )]
    pub(crate) stripes: u32,
    /// Devices that backup files may lie on, separated by commas
    ///
    /// Absent: those they lie on now, and those that hold no data of the scenario.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) devices: Option<Vec<String>>,
    /// What shall be short
    #[arg(long, value_enum, default_value_t = ShortChoice::Backup, value_name = "OPERATION")]
    pub(crate) operation: ShortChoice,
    /// A difference of less is none: the smallest settings so near the best are taken
    #[arg(long, value_name = "SHARE", default_value = "2%", value_parser = value::threshold)]
    pub(crate) threshold: f64,
    /// Most settings that are tried
    #[arg(
        long,
        value_name = "N",
        default_value_t = Wanted::BUDGET as u32,
        value_parser = clap::value_parser!(u32).range(1..=100_000),
    )]
    pub(crate) budget: u32,
    /// Seeks a better order of the jobs of a night, not settings
    ///
    /// The jobs of a lane follow one another; jobs that are `fixed` keep their start. The table of
    /// jobs that `-o schedule.csv` writes is one that `jobs` of the scenario takes. --window is
    /// then that of the night, --memory that of any one server at once.
    #[arg(long, conflicts_with_all = ["cpu", "devices", "require"])]
    pub(crate) schedule: bool,
    /// Most jobs at once, over all servers
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..),
        requires = "schedule",
    )]
    pub(crate) at_once: Option<u32>,
    /// Schedules that are simulated before the search ends [default: 400]
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=1_000_000),
        requires = "schedule",
    )]
    pub(crate) tries: Option<u32>,
    /// A limit that must be kept, or the exit code is 4; may be given several times
    ///
    /// As for predict, e.g. 'verify<=1h'.
    #[arg(long, value_name = "LIMIT")]
    pub(crate) require: Vec<Requirement>,
}

/// What shall be short.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShortChoice {
    /// The backup
    Backup,
    /// The verification
    Verify,
    /// Backup and verification
    Total,
}

impl From<ShortChoice> for Operation {
    fn from(choice: ShortChoice) -> Self {
        match choice {
            ShortChoice::Backup => Operation::Backup,
            ShortChoice::Verify => Operation::Verify,
            ShortChoice::Total => Operation::Total,
        }
    }
}
