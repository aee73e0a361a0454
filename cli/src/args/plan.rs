//! Options of `plan`.

use std::path::PathBuf;
use std::str::FromStr;

use bakcast_whatif::Routine;
use clap::Args;

use super::recommend::ShortChoice;
use super::{ScenarioChoice, value};
use crate::requirement::Requirement;

pub(super) const EXAMPLES: &str = "\
Examples:
  bakcast plan nvme-knob-matrix:1 --window 1min --growth 3%/month
  bakcast plan mine.toml --window 6h --growth 2..4%/month --months 36
  bakcast plan mine.toml --window 6h --history CommandLog.csv --database Sales
  bakcast plan mine.toml --window 6h --growth 3%/month \\
    --schedule 'full weekly, diff daily 3%/day, log every 15min 2GiB'";

/// `plan`.
#[derive(Debug, Args)]
pub(crate) struct Plan {
    #[command(flatten)]
    pub(crate) choice: ScenarioChoice,
    /// Time there is for backup and verification, such as 6h
    #[arg(long, value_name = "TIME", required = true, value_parser = crate::requirement::window)]
    pub(crate) window: f64,
    /// How fast the data grow: 3%/month, 40%/year, or 2..4%/month where that is not certain
    #[arg(
        long,
        value_name = "RATE",
        required_unless_present = "history",
        allow_hyphen_values = true
    )]
    pub(crate) growth: Option<GrowthRate>,
    /// Takes the growth from full backups of a history: any file that `bakcast import` reads
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "growth")]
    pub(crate) history: Vec<PathBuf>,
    /// Only backups of this database count for the growth
    #[arg(long, value_name = "NAME", requires = "history")]
    pub(crate) database: Option<String>,
    /// Which backups are made and how often; without it full backups alone
    ///
    /// E.g. 'full weekly, diff daily 15%, log every 15min 2GiB': a differential backup reads so
    /// much of the data (15%, or 3%/day since the full one), a log backup so much of the log
    /// (2GiB, or 200GiB/day; `on DEVICE` if it lies elsewhere). Full and differential backups must
    /// fit the window, log backups the time from one to the next.
    #[arg(long, value_name = "KINDS")]
    pub(crate) schedule: Option<Routine>,
    /// Months to look ahead
    #[arg(
        long,
        value_name = "N",
        default_value_t = 60,
        value_parser = clap::value_parser!(u32).range(1..=600),
    )]
    pub(crate) months: u32,
    /// Share of nights that has to fit [default: the upper end of the range, 95%]
    #[arg(long, value_name = "SHARE", value_parser = value::level)]
    pub(crate) require_probability: Option<f64>,
    /// What has to be done within the window
    #[arg(long, value_enum, default_value_t = ShortChoice::Total, value_name = "OPERATION")]
    pub(crate) operation: ShortChoice,
    /// A limit that must be kept in the last of the months, or the exit code is 4
    ///
    /// As for predict, e.g. 'backup<=4h'; the size is that of the growth in the middle.
    #[arg(long, value_name = "LIMIT")]
    pub(crate) require: Vec<Requirement>,
}

/// `3%/month`, `2..4%/month`: shares of a month.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct GrowthRate {
    /// Least and most.
    pub(crate) bounds: (f64, f64),
}

/// Months of a year.
const YEAR: f64 = 12.0;
/// What a month may bring: from less than half to ten times as much.
const BOUNDS: std::ops::RangeInclusive<f64> = -0.500_000_1..=9.000_000_1;

impl FromStr for GrowthRate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const ACCEPTED: &str = "accepted: 3%/month, 2..4%/month or 40%/year, from -50% to 900% a \
                                month";
        let (rate, per) = text.trim().split_once('/').ok_or(ACCEPTED)?;
        let power = match per.trim() {
            "month" | "mo" | "m" => 1.0,
            "year" | "yr" | "y" | "a" => 1.0 / YEAR,
            _ => return Err(ACCEPTED.to_string()),
        };
        let rate = rate.trim().strip_suffix('%').ok_or(ACCEPTED)?;
        let (low, high) = rate.split_once("..").unwrap_or((rate, rate));
        let read = |text: &str| -> Result<f64, String> {
            let number = text.trim().trim_end_matches('%').trim();
            let percent: f64 = number.parse().map_err(|_| ACCEPTED.to_string())?;
            let share = if percent > -100.0 {
                libm::expm1(power * libm::log1p(percent / 100.0))
            } else {
                f64::NAN
            };
            if BOUNDS.contains(&share) { Ok(share) } else { Err(ACCEPTED.to_string()) }
        };
        let bounds = (read(low)?, read(high)?);
        if bounds.0 <= bounds.1 { Ok(GrowthRate { bounds }) } else { Err(ACCEPTED.to_string()) }
    }
}

impl GrowthRate {
    /// In the middle, by the logarithm.
    pub(crate) fn middle(self) -> f64 {
        let (low, high) = self.bounds;
        if high > low { libm::expm1(0.5 * (libm::log1p(low) + libm::log1p(high))) } else { low }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_growth_is_a_rate_or_two_of_a_month_or_a_year() {
        let read = |text: &str| text.parse::<GrowthRate>().map(|rate| rate.bounds);
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found}");
        near(read("3%/month").unwrap().0, 0.03);
        near(read("2..4%/month").unwrap().1, 0.04);
        near(read("2%..4 %/month").unwrap().0, 0.02);
        near(read("0%/month").unwrap().0, 0.0);
        assert!(read("900%/month").is_ok() && read("-50%/month").is_ok());
        near(libm::pow(1.0 + read("40%/year").unwrap().0, 12.0), 1.4);
        for text in ["", "3%", "3/month", "3%/week", "x%/month", "nan%/month", "4..2%/month"] {
            assert!(read(text).is_err(), "{text}");
        }
        for text in ["-100%/month", "1e9%/month", "inf%/month"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
