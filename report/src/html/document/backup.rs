//! A page about one backup.

use bakcast_scenarios::Loaded;
use bakcast_scenarios::predict::{PredictOptions, Prediction};
use bakcast_whatif::{Operation, Paired, Ran, memory_of, processor_share};
use serde::Serialize;

use super::EvidenceResult;
use crate::change_request::ChangeRequestResult;
use crate::document::{
    DurationResult, ExplainResult, PlanResult, PredictResult, RecommendResult, RequirementResult,
};

/// Everything that stands on a page about one backup.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageResult {
    /// Name and variant.
    pub scenario: String,
    /// What it is, in one line.
    pub title: String,
    /// The command that makes the page again.
    pub command_line: String,
    /// backup, verify or total: what changes are held against.
    pub operation: &'static str,
    /// The durations and what limits them, as `predict` has them.
    pub prediction: PredictResult,
    /// Where the time goes, as `explain` has it.
    pub explanation: ExplainResult,
    /// Every night.
    pub nights: NightsResult,
    /// Single changes, the largest gain first.
    pub helps: Vec<HelpResult>,
    /// The best settings under limits, if they were sought.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recommendation: Option<RecommendResult>,
    /// The months ahead, if a growth was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<PlanResult>,
    /// A change request, if one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change_request: Option<ChangeRequestResult>,
    /// What to run.
    pub statements: StatementsResult,
    /// What the numbers rest on.
    pub evidence: EvidenceResult,
    /// The scenario as a file, every default written out, its ensemble left out.
    #[serde(skip)]
    pub toml: String,
    /// How far its parameters are known.
    #[serde(skip)]
    pub parameters: Vec<ParameterSpread>,
}

/// The durations of every night that was simulated, in seconds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NightsResult {
    /// The backup.
    pub backup_seconds: Vec<f64>,
    /// The verification; absent: there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verify_seconds: Option<Vec<f64>>,
}

/// What one change comes to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HelpResult {
    /// What is changed, in words.
    pub what: String,
    /// The assignment that does it.
    pub set: String,
    /// Half of all nights are faster.
    pub seconds: f64,
    /// Lower end of the range.
    pub low_seconds: f64,
    /// Upper end of the range.
    pub high_seconds: f64,
    /// Typical ratio of a night to the scenario as it is; below 1: shorter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
    /// Lower end of its interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio_low: Option<f64>,
    /// Upper end of its interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio_high: Option<f64>,
    /// Memory of the buffers of all jobs.
    pub buffer_memory_bytes: u64,
    /// Share of all processors that is busy.
    pub processor_share: f64,
    /// The limits, held against it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<RequirementResult>,
}

/// What to run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StatementsResult {
    /// Whether they are those of the advice, and not of the scenario as it is.
    pub is_advice: bool,
    /// The BACKUP statement.
    pub backup: String,
    /// The verification, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verify: Option<String>,
    /// The call of Ola Hallengren's procedure, if it can say the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ola_call: Option<String>,
    /// dbatools' command, if it can say the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dbatools_call: Option<String>,
}

/// How far one parameter is known.
#[derive(Debug, Clone, PartialEq)]
pub struct ParameterSpread {
    /// Its name.
    pub name: String,
    /// The knobs that take its value.
    pub paths: Vec<String>,
    /// Unit of its values; empty: plain numbers.
    pub unit: String,
    /// Its value in every parameter set.
    pub values: Vec<f64>,
}

impl NightsResult {
    /// Those of a prediction.
    #[must_use]
    pub fn of(prediction: &Prediction) -> Self {
        NightsResult {
            backup_seconds: prediction.backup.elapsed_seconds.clone(),
            verify_seconds: prediction.verify.as_ref().map(|v| v.elapsed_seconds.clone()),
        }
    }
}

impl HelpResult {
    /// What a configuration comes to against the scenario as it is.
    #[must_use]
    pub fn new(
        (what, set): (String, String),
        ran: &Ran,
        base: &Ran,
        (operation, options): (Operation, &PredictOptions),
    ) -> Self {
        let paired: Option<Paired> = ran.against(base, operation, options.level);
        let ends = paired.and_then(|paired| paired.ratio_interval);
        let DurationResult { seconds, low_seconds, high_seconds } = match operation {
            Operation::Total => ran.prediction.total_seconds.into(),
            Operation::Verify => {
                let verify = ran.prediction.verify.as_ref();
                verify.map_or(ran.prediction.backup.seconds, |verify| verify.seconds).into()
            }
            Operation::Backup | Operation::Restore => ran.prediction.backup.seconds.into(),
        };
        HelpResult {
            what,
            set,
            seconds,
            low_seconds,
            high_seconds,
            ratio: paired.map(|paired| paired.ratio),
            ratio_low: ends.map(|(low, _)| low),
            ratio_high: ends.map(|(_, high)| high),
            buffer_memory_bytes: memory_of(ran),
            processor_share: processor_share(&ran.loaded, &ran.prediction),
            requirements: Vec::new(),
        }
    }
}

impl StatementsResult {
    /// Those of a scenario.
    #[must_use]
    pub fn of(loaded: &Loaded, is_advice: bool) -> Self {
        StatementsResult {
            is_advice,
            backup: loaded.statement(),
            verify: loaded.verify_statement(),
            ola_call: loaded.ola_call(),
            dbatools_call: loaded.dbatools_call(),
        }
    }
}

impl ParameterSpread {
    /// Those of a scenario; none if it has no ensemble.
    #[must_use]
    pub fn all(loaded: &Loaded) -> Vec<Self> {
        let ensemble = loaded.scenario.ensemble.as_ref();
        let parameters = ensemble.into_iter().flat_map(|ensemble| &ensemble.parameter);
        let spread = parameters.map(|(name, parameter)| ParameterSpread {
            name: name.clone(),
            paths: parameter.paths.clone(),
            unit: parameter.unit.clone().unwrap_or_default(),
            values: parameter.values.clone(),
        });
        spread.collect()
    }
}

/// A scenario as a file, its ensemble left out: that is a table of its own.
#[must_use]
pub fn toml_of(loaded: &Loaded) -> String {
    let mut without = loaded.clone();
    without.scenario.ensemble = None;
    without.to_toml()
}
