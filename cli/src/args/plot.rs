//! Options of `plot`.

use bakcast_report::plot::{Size, Theme};
use clap::{Args, ValueEnum};

use super::plan::GrowthRate;
use super::{OperationChoice, ScenarioChoice};

pub(super) const EXAMPLES: &str = "\
Examples:
  bakcast plot knob nvme-knob-matrix:2 -o knob.svg
  bakcast plot heat usb3-laptop:2.4 --size large --theme dark -o heat.png
  bakcast plot knob mine.toml --vary transfer_size=64KiB..4MiB*2 -o knob.csv
  bakcast plot stages mine.toml                 at a terminal, in letters";

/// `plot`.
#[derive(Debug, Args)]
pub(crate) struct Plot {
    /// What is drawn
    #[arg(value_enum, value_name = "KIND")]
    pub(crate) kind: PlotKind,
    #[command(flatten)]
    pub(crate) choice: ScenarioChoice,
    /// A knob and its values, as for compare; two of them for heat, bottleneck and pareto
    ///
    /// Absent: backup.buffer_count, and what goes with it: transfer sizes, or processors for
    /// bottleneck.
    #[arg(long, value_name = "PATH=VALUES")]
    pub(crate) vary: Vec<String>,
    /// What is timed [default: the backup; growth: the total]
    #[arg(long, value_enum, value_name = "OPERATION")]
    pub(crate) operation: Option<OperationChoice>,
    /// Time there is, such as 6h: for growth [default: twice what it takes now]
    #[arg(long, value_name = "TIME", value_parser = crate::requirement::window)]
    pub(crate) window: Option<f64>,
    /// How fast the data grow, as for plan: for growth
    #[arg(long, value_name = "RATE", default_value = "3%/month", allow_hyphen_values = true)]
    pub(crate) growth: GrowthRate,
    /// Months to look ahead: for growth
    #[arg(
        long,
        value_name = "N",
        default_value_t = 36,
        value_parser = clap::value_parser!(u32).range(1..=600),
    )]
    pub(crate) months: u32,
    /// small (480x320), medium (800x500), large (1600x1000) or WIDTHxHEIGHT in pixels
    #[arg(long, value_name = "SIZE", default_value = "medium", help_heading = "Picture")]
    pub(crate) size: Size,
    /// Dark on light, or light on dark
    #[arg(
        long,
        value_enum,
        default_value_t = ThemeChoice::Light,
        value_name = "THEME",
        help_heading = "Picture",
    )]
    pub(crate) theme: ThemeChoice,
    /// A title in the place of its own
    #[arg(long, value_name = "TEXT", help_heading = "Picture")]
    pub(crate) title: Option<String>,
    /// Opens the first picture of -o with what the system opens pictures with
    #[arg(long, requires = "output", help_heading = "Picture")]
    pub(crate) open: bool,
}

/// Kinds of pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlotKind {
    /// Duration against one knob, with its range, what was measured, and the knee
    Knob,
    /// Duration over two knobs
    Heat,
    /// What each station does with its time: working, starved, blocked
    Stages,
    /// Throughput and buffers over the time of one night
    Time,
    /// How durations are distributed over nights
    Distribution,
    /// Measured against predicted, of the shipped tables
    Measured,
    /// Which station limits, over two knobs
    Bottleneck,
    /// Duration against memory, and what nothing beats
    Pareto,
    /// Growth against a window
    Growth,
}

/// Themes by their names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ThemeChoice {
    /// Dark on light
    Light,
    /// Light on dark
    Dark,
}

impl From<ThemeChoice> for Theme {
    fn from(choice: ThemeChoice) -> Self {
        match choice {
            ThemeChoice::Light => Theme::Light,
            ThemeChoice::Dark => Theme::Dark,
        }
    }
}
