//! What a page may ask.

use bakcast_scenarios::Set;
use bakcast_scenarios::predict::{PredictOptions, REPLICATIONS_MAX};
use bakcast_whatif::Operation;
use serde::Deserialize;

use crate::LARGEST_REQUEST;
use crate::failure::Failure;

/// A request. Which fields a command looks at is said in `docs/teaching.md`; a field that no
/// command has is refused.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Request {
    /// What is asked.
    pub(crate) command: Word,
    /// A shipped name, `NAME:VARIANT`, or a scenario as TOML.
    #[serde(default)]
    pub(crate) scenario: Option<String>,
    /// The name that a scenario given as TOML has in messages and results.
    #[serde(default)]
    pub(crate) name: Option<String>,
    /// A variant of a scenario given as TOML.
    #[serde(default)]
    pub(crate) variant: Option<String>,
    /// `PATH=VALUE`, in their order.
    #[serde(default)]
    pub(crate) set: Vec<String>,
    /// A BACKUP statement whose settings are taken.
    #[serde(default)]
    pub(crate) sql: Option<String>,
    #[serde(default)]
    seed: Option<u64>,
    #[serde(default)]
    replications: Option<u32>,
    #[serde(default)]
    level: Option<f64>,
    #[serde(default)]
    exact: bool,
    /// `PATH=V1,V2,...`, one or several.
    #[serde(default)]
    pub(crate) vary: Vec<String>,
    /// What others are compared with, if not the scenario as it stands.
    #[serde(default)]
    pub(crate) reference: Vec<String>,
    /// What is timed.
    #[serde(default)]
    pub(crate) operation: Option<OperationWord>,
    /// A difference of less is not worth a change.
    #[serde(default)]
    pub(crate) threshold: Option<f64>,
    /// The question of `ask`.
    #[serde(default)]
    pub(crate) question: Option<String>,
    /// The time there is, for `ask`.
    #[serde(default)]
    pub(crate) window_seconds: Option<f64>,
    /// The memory there is, for `ask`.
    #[serde(default)]
    pub(crate) memory_bytes: Option<u64>,
    /// Devices for further files, for `ask`.
    #[serde(default)]
    pub(crate) devices: Vec<String>,
    /// The night of `frames`, from 0.
    #[serde(default)]
    pub(crate) night: Option<u32>,
    /// Pictures of `frames` at equal distances.
    #[serde(default)]
    pub(crate) count: Option<usize>,
    /// Intervals of the series of `frames`.
    #[serde(default)]
    pub(crate) intervals: Option<usize>,
    /// Where `frames` begins to show every event.
    #[serde(default)]
    pub(crate) from_seconds: Option<f64>,
    /// So many events of `frames` one by one.
    #[serde(default)]
    pub(crate) events: Option<usize>,
    /// The article of `validate`.
    #[serde(default)]
    pub(crate) article: Option<String>,
    /// What a knob speaks of, for `knobs`.
    #[serde(default)]
    pub(crate) word: Option<String>,
}

/// The commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Word {
    Predict,
    Explain,
    Compare,
    Ask,
    Validate,
    Curve,
    Bounds,
    Frames,
    Scenarios,
    Show,
    Knobs,
    Resolve,
    Statement,
}

/// What is timed, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum OperationWord {
    Backup,
    Verify,
    Restore,
    Total,
}

impl From<OperationWord> for Operation {
    fn from(word: OperationWord) -> Self {
        match word {
            OperationWord::Backup => Operation::Backup,
            OperationWord::Verify => Operation::Verify,
            OperationWord::Restore => Operation::Restore,
            OperationWord::Total => Operation::Total,
        }
    }
}

impl Request {
    pub(crate) fn read(text: &str) -> Result<Self, Failure> {
        if text.len() > LARGEST_REQUEST {
            return Err(Failure::usage(format!(
                "a request of {} bytes is too large; accepted: at most {LARGEST_REQUEST} bytes",
                text.len()
            )));
        }
        serde_json::from_str(text).map_err(|error| Failure::usage(format!("the request: {error}")))
    }

    /// How scenarios are run.
    pub(crate) fn options(&self) -> Result<PredictOptions, Failure> {
        let usual = PredictOptions::default();
        let replications = self.replications.unwrap_or(usual.replications);
        if !(1..=REPLICATIONS_MAX).contains(&replications) {
            return Err(Failure::usage(format!(
                "{replications} replications; accepted: from 1 to {REPLICATIONS_MAX}"
            )));
        }
        let level = self.level.unwrap_or(usual.level);
        if !(level > 0.0 && level < 1.0) {
            return Err(Failure::usage(format!(
                "a level of {level}; accepted: a share above 0 and below 1, such as 0.9"
            )));
        }
        let seed = self.seed.unwrap_or(usual.seed);
        Ok(PredictOptions { seed, replications, level, exact: self.exact, ..usual })
    }

    /// The threshold, or what is usual.
    pub(crate) fn threshold(&self) -> Result<Option<f64>, Failure> {
        match self.threshold {
            Some(share) if !(0.0..1.0).contains(&share) => Err(Failure::usage(format!(
                "a threshold of {share}; accepted: a share from 0 to below 1, such as 0.02"
            ))),
            share => Ok(share),
        }
    }

    /// The assignments.
    pub(crate) fn sets(&self) -> Result<Vec<Set>, Failure> {
        assignments(&self.set)
    }
}

/// Assignments read. Of files a page knows nothing.
pub(crate) fn assignments(texts: &[String]) -> Result<Vec<Set>, Failure> {
    let one = |text: &String| match Set::parse(text)? {
        set if set.path == "jobs" => Err(Failure::input(
            "`jobs` names a file, and a page reads none; accepted: tables `[job.NAME]`",
        )),
        set => Ok(set),
    };
    texts.iter().map(one).collect()
}
