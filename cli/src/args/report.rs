//! Options of `report`.

use std::path::PathBuf;

use bakcast_scenarios::Set;
use bakcast_whatif::Wanted;
use clap::Args;

use super::plan::GrowthRate;
use super::recommend::ShortChoice;
use super::{ScenarioChoice, value};
use crate::requirement::Requirement;

pub(super) const EXAMPLES: &str = "\
Examples:
  bakcast report nvme-knob-matrix:2 -o report.html
  bakcast report mine.toml --window 2h --growth 3%/month -o report.html
  bakcast report mine.toml --change-request --window 2h --memory 512MiB -o change.md
  bakcast report mine.toml --change-request --proposed-set backup.buffer_count=64
  bakcast report --compare usb3-laptop:2.3 usb3-laptop:2.4 -o compare.html";

/// `report`.
#[derive(Debug, Args)]
pub(crate) struct Report {
    #[command(flatten)]
    pub(crate) choice: ScenarioChoice,
    /// Two scenarios side by side; :VARIANT is a variant of the first
    ///
    /// `--set` and `--sql` apply to both.
    #[arg(
        long,
        num_args = 2,
        value_names = ["SCENARIO", "SCENARIO"],
        conflicts_with_all = ["scenario", "change_request", "recommend", "growth", "history"],
    )]
    pub(crate) compare: Vec<String>,
    /// Time it may take, such as 2h, or the exit code is 4
    ///
    /// Held against the upper end of the range of the operation, so that a slow night fits as well;
    /// `--level` moves that end.
    #[arg(long, value_name = "TIME")]
    pub(crate) window: Option<String>,
    /// What the window is for, and what shall be short
    #[arg(long, value_enum, default_value_t = ShortChoice::Backup, value_name = "OPERATION")]
    pub(crate) operation: ShortChoice,
    /// A limit that must be kept, or the exit code is 4; may be given several times
    ///
    /// As for predict, e.g. 'verify<=1h'.
    #[arg(long, value_name = "LIMIT")]
    pub(crate) require: Vec<Requirement>,
    /// A change request instead of a page: Markdown (-o change.md), text (-o change.txt) or JSON
    ///
    /// What to change, what that is expected to bring, what it costs, what that rests on, how to
    /// test it and how to go back; then the statement and the calls. The settings are those of
    /// `recommend`, under the same limits, or those of --proposed-set and --proposed-sql. With
    /// -o page.html it stands on the page as well.
    #[arg(long)]
    pub(crate) change_request: bool,
    /// What is proposed, instead of what `recommend` finds; may be given several times
    #[arg(
        long,
        value_name = "PATH=VALUE",
        value_parser = Set::parse,
        requires = "change_request",
        conflicts_with = "recommend",
    )]
    pub(crate) proposed_set: Vec<Set>,
    /// The statement that is proposed, as for --sql
    #[arg(
        long,
        value_name = "TEXT|@FILE|-",
        requires = "change_request",
        conflicts_with = "recommend"
    )]
    pub(crate) proposed_sql: Option<String>,
    #[command(flatten)]
    pub(crate) search: Search,
    #[command(flatten)]
    pub(crate) ahead: AheadChoice,
}

/// How settings are sought.
#[derive(Debug, Args)]
#[command(next_help_heading = "Settings that are sought")]
pub(crate) struct Search {
    /// Seeks the best settings as `recommend` does; that may take a while
    ///
    /// Without it the page shows single changes, each by itself.
    #[arg(long)]
    pub(crate) recommend: bool,
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
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) devices: Option<Vec<String>>,
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
}

/// What is looked ahead to.
#[derive(Debug, Args)]
#[command(next_help_heading = "Months ahead")]
pub(crate) struct AheadChoice {
    /// Shows when the growing data no longer fit the window: 3%/month, 40%/year, 2..4%/month
    #[arg(
        long,
        value_name = "RATE",
        allow_hyphen_values = true,
        requires = "window",
        value_parser = growth,
    )]
    pub(crate) growth: Option<String>,
    /// Takes the growth from full backups of a history: any file that `bakcast import` reads
    #[arg(
        long,
        value_name = "FILE",
        num_args = 1..,
        conflicts_with = "growth",
        requires = "window"
    )]
    pub(crate) history: Vec<PathBuf>,
    /// Only backups of this database count for the growth
    #[arg(long, value_name = "NAME", requires = "history")]
    pub(crate) database: Option<String>,
    /// Months to look ahead
    #[arg(
        long,
        value_name = "N",
        default_value_t = 60,
        value_parser = clap::value_parser!(u32).range(1..=600),
    )]
    pub(crate) months: u32,
}

impl AheadChoice {
    /// Whether months ahead are asked for.
    pub(crate) fn is_asked(&self) -> bool {
        self.growth.is_some() || !self.history.is_empty()
    }
}

/// A rate as it was given, once it is known to be one.
fn growth(text: &str) -> Result<String, String> {
    text.parse::<GrowthRate>().map(|_| text.trim().to_string())
}
