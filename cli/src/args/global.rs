//! Options that every command takes.

use std::io::IsTerminal;

use bakcast_report::plot::Glyphs;
use bakcast_report::{Format, Paint};
use bakcast_scenarios::predict::{Precision, PredictOptions, REPLICATIONS_MAX};
use clap::{Args, ValueEnum};

use super::{OutputFile, value};
use crate::exit::{Exit, Failure};

/// Options that every command takes.
#[derive(Debug, Args)]
pub(crate) struct GlobalOptions {
    /// Format of what is printed
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t = FormatChoice::Text,
        value_name = "FORMAT",
        help_heading = "Output",
    )]
    pub(crate) format: FormatChoice,
    /// Writes the result to a file as well, its format by the extension: .txt, .json, .csv, .md;
    /// the scenario that calibrate fits or import makes: .toml; rows of a sweep: .csv, .ndjson;
    /// pictures of plot: .svg, .png; the page of report: .html
    #[arg(short, long, global = true, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Vec<OutputFile>,
    /// Nothing on standard error but errors
    #[arg(long, global = true, help_heading = "Output")]
    pub(crate) quiet: bool,
    /// When to use colour
    ///
    /// auto: on a terminal, unless NO_COLOR is set, CLICOLOR is 0 or TERM is dumb.
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t = ColourChoice::Auto,
        value_name = "WHEN",
        help_heading = "Output",
    )]
    pub(crate) color: ColourChoice,
    /// Seed of all random numbers; the same seed gives the same bytes
    #[arg(
        long,
        global = true,
        value_name = "N",
        default_value_t = PredictOptions::default().seed,
        help_heading = "Simulation",
    )]
    pub(crate) seed: u64,
    /// Nights simulated; with --precision, the least of them [default: 32; calibrate: 8]
    #[arg(
        long,
        global = true,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=i64::from(REPLICATIONS_MAX)),
        help_heading = "Simulation",
    )]
    pub(crate) replications: Option<u32>,
    /// Adds nights until the medians are known so well, e.g. 0.5%
    ///
    /// Nights are added by half of what there are, until the 95 % confidence interval of the median
    /// (distribution-free, between order statistics) ends within this share of it on either side:
    /// for the backup, the verification and the total. The result is the same on any number of
    /// threads.
    #[arg(
        long,
        global = true,
        value_name = "SHARE",
        value_parser = value::precision,
        help_heading = "Simulation",
    )]
    pub(crate) precision: Option<f64>,
    /// Most nights that --precision may take; absent: 1024, or --replications if that is more
    #[arg(
        long,
        global = true,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=i64::from(REPLICATIONS_MAX)),
        help_heading = "Simulation",
    )]
    pub(crate) replications_max: Option<u32>,
    /// Share of nights that a range covers, e.g. 90% or 0.9
    #[arg(
        long,
        global = true,
        value_name = "SHARE",
        default_value = "90%",
        value_parser = value::level,
        help_heading = "Simulation",
    )]
    pub(crate) level: f64,
    /// Threads to simulate on; absent: all processors. The result is the same on any number
    #[arg(
        long,
        global = true,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=1024),
        help_heading = "Simulation",
    )]
    pub(crate) threads: Option<u32>,
    /// Simulates every transfer; otherwise the middle of a long run is carried forward at its rate
    #[arg(long, global = true, help_heading = "Simulation")]
    pub(crate) exact: bool,
}

/// Names of formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatChoice {
    /// For people at a terminal
    Text,
    /// For programs
    Json,
    /// For spreadsheets
    Csv,
    /// For tickets and wikis
    Markdown,
}

impl From<FormatChoice> for Format {
    fn from(choice: FormatChoice) -> Self {
        match choice {
            FormatChoice::Text => Format::Text,
            FormatChoice::Json => Format::Json,
            FormatChoice::Csv => Format::Csv,
            FormatChoice::Markdown => Format::Markdown,
        }
    }
}

/// When to use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColourChoice {
    /// On a terminal that can
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Columns of the terminal that standard output is.
fn columns() -> usize {
    terminal_size::terminal_size().map_or(0, |(terminal_size::Width(columns), _)| columns.into())
}

/// Whether the terminal shows more than ASCII: by the locale, as programs are told it.
fn shows_blocks() -> bool {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    if set("TERM").is_some_and(|term| term == "dumb") {
        return false;
    }
    // Consoles of Windows have no locale in the environment; the newer ones say who they are.
    if cfg!(windows) {
        return set("WT_SESSION").is_some();
    }
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set).unwrap_or_default();
    let locale = locale.to_ascii_lowercase();
    locale.ends_with("utf-8") || locale.ends_with("utf8")
}

impl GlobalOptions {
    /// How scenarios are run.
    pub(crate) fn options(&self) -> Result<PredictOptions, Failure> {
        Ok(PredictOptions {
            seed: self.seed,
            replications: self.nights(),
            level: self.level,
            exact: self.exact,
            rough: false,
            precision: self.precision()?,
        })
    }

    fn nights(&self) -> u32 {
        self.replications.unwrap_or(PredictOptions::default().replications)
    }

    fn precision(&self) -> Result<Option<Precision>, Failure> {
        let least = self.nights();
        match (self.precision, self.replications_max) {
            (None, None) => Ok(None),
            (None, Some(_)) => Err(Failure::usage(
                "--replications-max bounds what --precision takes: give that too, e.g. \
                 --precision 1%",
            )),
            (Some(_), Some(most)) if most < least => Err(Failure::usage(format!(
                "--replications-max {most} is less than --replications {least}: give a larger \
                 maximum, or fewer replications"
            ))),
            (Some(share), most) => {
                let most = most.unwrap_or(Precision::REPLICATIONS_MAX.max(least));
                Ok(Some(Precision { share, replications_max: most }))
            }
        }
    }

    /// How standard output is painted: for a screen, on a terminal or not; files hold all.
    pub(crate) fn paint(&self) -> Paint {
        let terminal = std::io::stdout().is_terminal();
        let columns = if terminal { columns() } else { 0 };
        let glyphs = if terminal && shows_blocks() { Glyphs::Blocks } else { Glyphs::Plain };
        Paint { colour: self.colour_on(terminal), whole: false, glyphs, columns }
    }

    /// Whether standard error is coloured.
    pub(crate) fn colour_on_stderr(&self) -> bool {
        self.colour_on(std::io::stderr().is_terminal())
    }

    fn colour_on(&self, terminal: bool) -> bool {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        match self.color {
            ColourChoice::Always => true,
            ColourChoice::Never => false,
            ColourChoice::Auto if set("NO_COLOR").is_some() => false,
            ColourChoice::Auto if set("CLICOLOR_FORCE").is_some_and(|value| value != "0") => true,
            ColourChoice::Auto => {
                terminal
                    && set("CLICOLOR").is_none_or(|value| value != "0")
                    && set("TERM").is_none_or(|value| value != "dumb")
            }
        }
    }

    /// Runs `work` on the number of threads asked for.
    pub(crate) fn on_threads<T: Send>(
        &self,
        work: impl FnOnce() -> T + Send,
    ) -> Result<T, Failure> {
        let Some(threads) = self.threads else { return Ok(work()) };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads as usize).build();
        let pool = pool.map_err(|error| Failure::new(Exit::Internal, error))?;
        Ok(pool.install(work))
    }
}
