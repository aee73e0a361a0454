//! Options of `import`.

use std::path::PathBuf;

use bakcast_imports::{DateOrder, ImportOptions};
use bakcast_models::quantity::Bytes;
use clap::{Args, ValueEnum};

/// `import`.
#[derive(Debug, Args)]
pub(crate) struct Import {
    /// Files of any known format, or - for standard input; each is told by its content
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Says of each number where it came from
    #[arg(long)]
    pub(crate) explain: bool,
    /// Prints queries and commands that give what is best read; NAME is one of them
    #[arg(long, value_name = "NAME", num_args = 0..=1, conflicts_with = "files")]
    pub(crate) queries: Option<Option<String>>,
    /// Only backups of this database
    #[arg(long, value_name = "NAME")]
    pub(crate) database: Option<String>,
    /// Only backups of this server
    #[arg(long, value_name = "NAME")]
    pub(crate) server: Option<String>,
    /// Order of dates such as 3/4/2026, which can be read in two ways
    #[arg(long, value_name = "ORDER", value_enum)]
    pub(crate) date_format: Option<DateChoice>,
    /// The device that the benchmark files describe: its name in a scenario
    #[arg(long, value_name = "NAME")]
    pub(crate) device: Option<String>,
    /// What the device is like, by the library: says what no benchmark measures
    #[arg(long, value_name = "NAME")]
    pub(crate) like: Option<String>,
    /// Size of the database for a scenario, where no file tells it
    #[arg(long, value_name = "SIZE")]
    pub(crate) size: Option<Bytes>,
    /// Whether backups were compressed, where no file tells; the error log does not
    #[arg(long, value_name = "WHETHER", value_enum)]
    pub(crate) compression: Option<OnOff>,
    /// Logical processors of the server, for a scenario
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) processors: Option<u32>,
}

impl Import {
    /// What the importers want to know.
    pub(crate) fn options(&self) -> ImportOptions {
        ImportOptions { date_order: self.date_format.map(DateOrder::from) }
    }
}

/// Yes or no, in the words of options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnOff {
    /// It was
    On,
    /// It was not
    Off,
}

/// Order of day and month.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DateChoice {
    /// Day, month, year
    Dmy,
    /// Month, day, year
    Mdy,
}

impl From<DateChoice> for DateOrder {
    fn from(choice: DateChoice) -> Self {
        match choice {
            DateChoice::Dmy => DateOrder::DayFirst,
            DateChoice::Mdy => DateOrder::MonthFirst,
        }
    }
}
