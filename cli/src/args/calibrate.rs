//! Options of `calibrate`.

use std::path::PathBuf;

use bakcast_calibration::Question;
use bakcast_scenarios::Set;
use clap::{Args, ValueEnum};

use super::import::DateChoice;
use super::value;
use crate::requirement::length_of_time;

/// `calibrate`.
#[derive(Debug, Args)]
pub(crate) struct Calibrate {
    /// What to fit: FILE.toml or FILE.toml:VARIANT, or a shipped name
    ///
    /// Its rates are what is expected of the machine before any run is looked at.
    #[arg(long, value_name = "FILE")]
    pub(crate) scenario: Option<String>,
    /// A table of runs in CSV, or any file that `bakcast import` reads; may be given several times
    ///
    /// A line for each run. Columns are settings, such as compression, buffer_count, stripes, or
    /// any path that `bakcast knobs` lists; and results: backup_seconds, verify_seconds,
    /// total_seconds, written_bytes, processor_percent, throughput_mib_per_s. What is the same in
    /// all runs is left to the scenario.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) runs: Vec<PathBuf>,
    /// The database of a history, where it has several; absent: the one called as the scenario's
    #[arg(long, value_name = "NAME")]
    pub(crate) database: Option<String>,
    /// Order of dates in a history, such as 3/4/2026, which can be read in two ways
    #[arg(long, value_name = "ORDER", value_enum)]
    pub(crate) date_format: Option<DateChoice>,
    /// Replaces a value of the scenario for all runs; may be given several times
    #[arg(long, value_name = "PATH=VALUE", value_parser = Set::parse)]
    pub(crate) set: Vec<Set>,
    /// Fits one more knob, or expects something else of it; may be given several times
    ///
    /// VALUE is what is expected, FACTOR how well: 1.5 says that the truth lies within 1.5 times
    /// and 1/1.5 of it in two cases of three. The value may carry the unit that the scenario has.
    #[arg(
        long,
        value_name = "PATH[=VALUE[*FACTOR]][@LOW..HIGH]",
        value_parser = FreeArgument::parse,
    )]
    pub(crate) free: Vec<FreeArgument>,
    /// Keeps a knob at the scenario's value; may be given several times
    #[arg(long, value_name = "PATH")]
    pub(crate) fix: Vec<String>,
    /// How much runs of one configuration are expected to differ; the fit learns it from there
    #[arg(long, value_name = "SHARE", default_value = "4%", value_parser = value::scatter)]
    pub(crate) error: f64,
    /// What the clock of the runs counts in, e.g. 1s; absent: by the digits of each duration
    #[arg(long, value_name = "LENGTH", value_parser = tick)]
    pub(crate) clock: Option<f64>,
    /// Proposes so many runs that would tell most; after a fit if --runs are given, before any if
    /// not
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=24))]
    pub(crate) design: Option<u32>,
    /// What the proposed runs are to tell
    #[arg(
        long,
        value_name = "QUESTION",
        value_enum,
        default_value_t = QuestionChoice::Total,
        requires = "design",
    )]
    pub(crate) question: QuestionChoice,
}

/// What proposed runs are to tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum QuestionChoice {
    /// How long the scenario's backup and its verification take
    Total,
    /// How long its backup takes
    Backup,
    /// How long its verification takes
    Verify,
    /// How long any backup on this machine takes
    Any,
}

impl From<QuestionChoice> for Question {
    fn from(choice: QuestionChoice) -> Self {
        match choice {
            QuestionChoice::Total => Question::Total,
            QuestionChoice::Backup => Question::Backup,
            QuestionChoice::Verify => Question::Verify,
            QuestionChoice::Any => Question::Any,
        }
    }
}

/// A number and the unit it was given in, if it was.
pub(crate) type Given = (f64, String);

/// A `--free`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FreeArgument {
    /// As it was given.
    pub(crate) text: String,
    pub(crate) path: String,
    pub(crate) value: Option<Given>,
    pub(crate) factor: Option<f64>,
    pub(crate) bounds: Option<(Given, Given)>,
}

impl FreeArgument {
    /// Reads `PATH[=VALUE[*FACTOR]][@LOW..HIGH]`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (rest, bounds) = match text.split_once('@') {
            Some((rest, bounds)) => (rest, Some(bounds)),
            None => (text, None),
        };
        let (path, value) = match rest.split_once('=') {
            Some((path, value)) => (path.trim(), Some(value)),
            None => (rest.trim(), None),
        };
        if path.is_empty() {
            return Err("write PATH, or PATH=VALUE*FACTOR@LOW..HIGH".to_string());
        }
        let (value, factor) = match value.map(|v| v.split_once('*').unwrap_or((v, ""))) {
            None => (None, None),
            Some((value, "")) => (Some(given(value)?), None),
            Some((value, factor)) => (Some(given(value)?), Some(factor_of(factor)?)),
        };
        let bounds = match bounds {
            None => None,
            Some(bounds) => {
                let ends = bounds.split_once("..").ok_or("bounds are written LOW..HIGH")?;
                let (low, high) = (given(ends.0)?, given(ends.1)?);
                if low.0 >= high.0 {
                    return Err(format!("no value lies within `{bounds}`: LOW is less than HIGH"));
                }
                Some((low, high))
            }
        };
        if let (Some((value, _)), Some(((low, _), (high, _)))) = (&value, &bounds)
            && !(*low..=*high).contains(value)
        {
            return Err(format!("the value {value} lies outside of its bounds {low}..{high}"));
        }
        let (text, path) = (text.to_string(), path.to_string());
        Ok(FreeArgument { text, path, value, factor, bounds })
    }
}

/// `90`, `90 MB/s`: a positive number, then perhaps a unit.
fn given(text: &str) -> Result<Given, String> {
    let text = text.trim();
    let end =
        text.find(|c: char| !(c.is_ascii_digit() || "+-.eE".contains(c))).unwrap_or(text.len());
    let number: Option<f64> = text[..end].parse().ok();
    let number = number.filter(|n| n.is_finite() && *n > 0.0);
    let number = number.ok_or_else(|| format!("`{text}` is no number above zero"))?;
    Ok((number, text[end..].trim().to_string()))
}

fn factor_of(text: &str) -> Result<f64, String> {
    let factor: Option<f64> = text.trim().parse().ok();
    let factor = factor.filter(|f| (1.001..=1000.0).contains(f));
    factor.ok_or_else(|| format!("a factor is above 1, e.g. 1.5; found `{}`", text.trim()))
}

/// A length of time, in seconds.
fn tick(text: &str) -> Result<f64, String> {
    let seconds = length_of_time(text.trim())?;
    if seconds > 0.0 { Ok(seconds) } else { Err("a clock counts in some time".to_string()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_free_knob_has_a_path_and_perhaps_a_value_a_factor_and_bounds() {
        let mb = |number: f64| (number, "MB/s".to_string());
        let all = FreeArgument::parse("a.b=90 MB/s*1.5@40 MB/s..200 MB/s").unwrap();
        assert_eq!((all.path.as_str(), all.value, all.factor), ("a.b", Some(mb(90.0)), Some(1.5)));
        assert_eq!(all.bounds, Some((mb(40.0), mb(200.0))));
        let path = FreeArgument::parse("a.b").unwrap();
        assert_eq!((path.value, path.factor, path.bounds), (None, None, None));
        let bounds = FreeArgument::parse("a.b@1..2").unwrap().bounds;
        assert_eq!(bounds, Some(((1.0, String::new()), (2.0, String::new()))));
        assert!(FreeArgument::parse("a=9@1..5").unwrap_err().contains("outside of its bounds"));
        for text in ["", "=3", "a=", "a=x", "a=-1", "a=1*0.5", "a=1*x", "a@1", "a@2..1", "a@..2"] {
            assert!(FreeArgument::parse(text).is_err(), "{text}");
        }
    }
}
