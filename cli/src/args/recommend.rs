//! Options of `recommend`.

use clap::Args;

use super::ScenarioChoice;
use super::value;

pub(crate) const EXAMPLES: &str = "\
Examples:
  bakcast recommend night-200-databases --schedule
  bakcast recommend estate.toml --schedule --window 6h --at-once 8 -o schedule.csv
  bakcast predict estate.toml --set jobs=schedule.csv";

/// `recommend`.
#[derive(Debug, Args)]
pub(crate) struct Recommend {
    #[command(flatten)]
    pub(crate) choice: ScenarioChoice,
    /// Seeks a better order of the jobs of a night
    ///
    /// The jobs of a lane follow one another; jobs that are `fixed` keep their start. The table of
    /// jobs that `-o schedule.csv` writes is one that `jobs` of the scenario takes.
    #[arg(long, required = true)]
    pub(crate) schedule: bool,
    /// Time the night may take, such as 6h, or the exit code is 4
    #[arg(long, value_name = "TIME")]
    pub(crate) window: Option<String>,
    /// Most jobs at once, over all servers
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) at_once: Option<u32>,
    /// Most memory of buffers on any one server at once, such as 2GiB
    #[arg(long, value_name = "SIZE", value_parser = value::size)]
    pub(crate) memory: Option<u64>,
    /// Schedules that are simulated before the search ends [default: 400]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) tries: Option<u32>,
}
