//! `ask` and `need`.

use bakcast_whatif::Operation;
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};

use super::ScenarioChoice;
use crate::requirement::{Requirement, length_of_time};

/// What can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Question(pub(crate) bakcast_whatif::Question);

const QUESTIONS: [Question; 8] = {
    let all = bakcast_whatif::Question::ALL;
    [
        Question(all[0]),
        Question(all[1]),
        Question(all[2]),
        Question(all[3]),
        Question(all[4]),
        Question(all[5]),
        Question(all[6]),
        Question(all[7]),
    ]
};

impl ValueEnum for Question {
    fn value_variants<'a>() -> &'a [Self] {
        &QUESTIONS
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()).help(self.0.words()))
    }
}

/// What is timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Timed {
    /// The backup
    Backup,
    /// The verification
    Verify,
    /// Backup and verification, one after the other
    Total,
}

impl From<Timed> for Operation {
    fn from(timed: Timed) -> Self {
        match timed {
            Timed::Backup => Operation::Backup,
            Timed::Verify => Operation::Verify,
            Timed::Total => Operation::Total,
        }
    }
}

/// `ask`.
#[derive(Debug, Args)]
pub(crate) struct Ask {
    /// What is asked
    #[arg(value_enum, value_name = "QUESTION")]
    pub(crate) question: Question,
    #[command(flatten)]
    pub(crate) choice: ScenarioChoice,
    /// The operation that decides; absent: what the question is about
    #[arg(long, value_enum, value_name = "OPERATION")]
    pub(crate) operation: Option<Timed>,
    /// The time there is, such as 2h or 1h30m: for window and verify
    #[arg(long, value_name = "TIME", value_parser = window)]
    #[arg(required_if_eq("question", "window"))]
    pub(crate) window: Option<f64>,
    /// The memory there is for the buffers of all jobs, such as 512MiB: for buffers and memory
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    pub(crate) memory: Option<u64>,
    /// Devices that further backup files may go to, separated by commas: for striping
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) devices: Vec<String>,
    /// A gain of less is not worth a change [default: 2%; striping: 5%]
    #[arg(long, value_name = "SHARE", value_parser = threshold)]
    pub(crate) threshold: Option<f64>,
    /// A limit that the scenario as it stands must keep, or the exit code is 4
    #[arg(long, value_name = "LIMIT")]
    pub(crate) require: Vec<Requirement>,
}

/// `need`.
#[derive(Debug, Args)]
pub(crate) struct Need {
    #[command(flatten)]
    pub(crate) choice: ScenarioChoice,
    /// The time there is, such as 2h or 1h30m
    #[arg(long, value_name = "TIME", value_parser = window)]
    pub(crate) window: f64,
    /// What has to fit; absent: backup and verification, if there is one
    #[arg(long, value_enum, value_name = "OPERATION")]
    pub(crate) operation: Option<Timed>,
    /// A limit that the scenario as it stands must keep, or the exit code is 4
    #[arg(long, value_name = "LIMIT")]
    pub(crate) require: Vec<Requirement>,
}

fn window(text: &str) -> Result<f64, String> {
    let seconds = length_of_time(text.trim())?;
    if seconds > 0.0 { Ok(seconds) } else { Err("a window has to be longer than 0 s".to_string()) }
}

fn memory(text: &str) -> Result<u64, String> {
    let bytes: bakcast_models::quantity::Bytes =
        text.trim().parse().map_err(|error| format!("{error}"))?;
    if bytes.get() > 0 { Ok(bytes.get()) } else { Err("some memory is needed".to_string()) }
}

fn threshold(text: &str) -> Result<f64, String> {
    const ACCEPTED: &str = "accepted: a share such as 2% or 0.02, from 0% to below 100%";
    let (number, scale) = match text.trim().strip_suffix('%') {
        Some(number) => (number.trim(), 0.01),
        None => (text.trim(), 1.0),
    };
    let share = number.parse::<f64>().map_err(|_| ACCEPTED.to_string())? * scale;
    if (0.0..1.0).contains(&share) { Ok(share) } else { Err(ACCEPTED.to_string()) }
}
