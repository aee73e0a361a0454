//! Options of `trace`.

use bakcast_models::quantity::Period;
use bakcast_scenarios::predict::REPLICATIONS_MAX;
use clap::Args;

use super::ScenarioChoice;
use super::vary::OperationChoice;

pub(super) const EXAMPLES: &str = "\
Examples:
  bakcast trace usb3-laptop:2.4                          what there would be to see
  bakcast trace usb3-laptop:2.4 -o trace.json            for https://ui.perfetto.dev
  bakcast trace usb3-laptop:2.4 -o transfers.csv         a row for each transfer
  bakcast trace mine.toml --thin 10ms -o trace.json      a long run";

/// `trace`.
///
/// Every transfer is simulated, whatever the length of the run. `-o FILE.json` is a trace, `-o
/// FILE.csv` a table of transfers, `-o FILE.md` or `FILE.txt` what is printed. Without a file,
/// `--format json` prints the trace and `--format csv` the table.
#[derive(Debug, Args)]
pub(crate) struct Trace {
    #[command(flatten)]
    pub(crate) choice: ScenarioChoice,
    /// What is shown; total: the backup, then its verification
    #[arg(
        long,
        value_enum,
        default_value_t = OperationChoice::Backup,
        value_name = "OPERATION"
    )]
    pub(crate) operation: OperationChoice,
    /// Which night of a prediction with the same seed
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        value_parser = clap::value_parser!(u32).range(1..=i64::from(REPLICATIONS_MAX)),
    )]
    pub(crate) night: u32,
    /// Merges what is shorter than this, such as 10ms, so that a long run makes a small trace
    ///
    /// States and services shorter than this are merged with their neighbours on the same track;
    /// a merged slice says how many they were, and the time by state. Buffers are counted no more
    /// often than that. A table of transfers has all of them in any case.
    #[arg(long, value_name = "TIME", value_parser = span)]
    pub(crate) thin: Option<f64>,
}

/// `10ms`: in seconds, from a microsecond to a day.
fn span(text: &str) -> Result<f64, String> {
    const ACCEPTED: &str = "accepted: a length of time from 1us to 1d, such as 10ms";
    let period: Period = text.trim().parse().map_err(|_| ACCEPTED.to_string())?;
    let seconds = period.as_seconds();
    if (1e-6..=86_400.0).contains(&seconds) { Ok(seconds) } else { Err(ACCEPTED.to_string()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_neither_nothing_nor_for_ever() {
        assert_eq!(span("10ms"), Ok(0.01));
        assert_eq!(span(" 2 s "), Ok(2.0));
        for text in ["", "0s", "10", "x", "2d", "-1ms", "nan"] {
            assert!(span(text).is_err(), "{text}");
        }
    }
}
