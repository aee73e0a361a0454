//! What a change request holds.

use bakcast_scenarios::Loaded;
use bakcast_scenarios::predict::{PredictOptions, Prediction};
use bakcast_whatif::{Paired, Ran, Settings};
use serde::Serialize;

use super::say;
use crate::document::{ChosenSettings, PredictResult, RequirementResult};
use crate::html::EvidenceResult;

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// These settings are proposed.
    Change,
    /// Nothing better was found: the settings stay.
    Stay,
    /// Nothing keeps the limits.
    NothingKeepsTheLimits,
}

/// A change request.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChangeRequestResult {
    /// Name and variant.
    pub scenario: String,
    /// What it is, in one line.
    pub title: String,
    /// The command that makes it again.
    pub command_line: String,
    /// Name of the database.
    pub database: String,
    /// backup, verify or total: what was to be short.
    pub operation: &'static str,
    /// Share of nights that ranges cover, and confidence of intervals.
    pub level: f64,
    /// What came of it.
    pub verdict: Verdict,
    /// Whether the proposal was given and not sought.
    pub is_given: bool,
    /// What the search says, where settings were sought.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
    /// Settings that were tried, where they were sought.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluated: Option<usize>,
    /// The settings as they are.
    pub now: ChangeSide,
    /// The settings that are proposed; where nothing keeps the limits, those that come nearest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposed: Option<ChangeSide>,
    /// Typical ratio of a night then to the same night now; below 1: shorter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
    /// Lower end of its interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio_low: Option<f64>,
    /// Upper end of its interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio_high: Option<f64>,
    /// The limits, held against what is proposed.
    pub requirements: Vec<RequirementResult>,
    /// What the numbers rest on.
    pub evidence: EvidenceResult,
    /// The request in words, item by item.
    pub items: Vec<ItemResult>,
    /// The BACKUP statement to run.
    pub statement: String,
    /// The call of Ola Hallengren's procedure, if it can say the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ola_call: Option<String>,
    /// dbatools' command, if it can say the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dbatools_call: Option<String>,
    /// The statement to go back to, where something is changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rollback_statement: Option<String>,
}

/// Settings with what they come to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChangeSide {
    /// The options of the statement.
    pub settings: ChosenSettings,
    /// Processors of the host.
    pub logical_processors: u32,
    /// As `predict` has it.
    #[serde(flatten)]
    pub prediction: PredictResult,
}

/// One line of the request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ItemResult {
    /// What it is about.
    pub label: &'static str,
    /// What it says.
    pub text: String,
}

/// What is proposed, and how it was come by.
#[derive(Debug, Clone)]
pub struct Proposal<'a> {
    /// What came of it.
    pub verdict: Verdict,
    /// Whether it was given and not sought.
    pub is_given: bool,
    /// What the search says.
    pub advice: Option<String>,
    /// Settings that were tried.
    pub evaluated: Option<usize>,
    /// The scenario with the settings; run.
    pub ran: &'a Ran,
    /// Against the settings as they are.
    pub paired: Option<Paired>,
    /// The limits, held against it.
    pub requirements: Vec<RequirementResult>,
}

impl ChangeSide {
    /// A scenario with its prediction.
    #[must_use]
    pub fn new(loaded: &Loaded, prediction: &Prediction, options: &PredictOptions) -> Self {
        ChangeSide {
            settings: (&Settings::of(&loaded.scenario)).into(),
            logical_processors: loaded.resolved.machine.processor.count,
            prediction: PredictResult::new(loaded, prediction, options),
        }
    }
}

impl ChangeRequestResult {
    /// The request to change `now` to a proposal.
    #[must_use]
    pub fn new(
        now: &Ran,
        proposal: Proposal<'_>,
        (operation, options): (&'static str, &PredictOptions),
        (command_line, replications, seed): (String, u32, u64),
    ) -> Self {
        let side = |ran: &Ran| ChangeSide::new(&ran.loaded, &ran.prediction, options);
        let Proposal { verdict, is_given, advice, evaluated, ran, paired, requirements } = proposal;
        let is_change = verdict != Verdict::Stay;
        let subject = if is_change { ran } else { now };
        let ends = paired.and_then(|paired| paired.ratio_interval);
        let mut result = ChangeRequestResult {
            scenario: now.loaded.name.clone(),
            title: now.loaded.resolved.title.clone(),
            command_line,
            database: now.loaded.scenario.database.name.clone(),
            operation,
            level: options.level,
            verdict,
            is_given,
            advice,
            evaluated,
            now: side(now),
            proposed: is_change.then(|| side(ran)),
            ratio: paired.map(|paired| paired.ratio).filter(|_| is_change),
            ratio_low: ends.map(|(low, _)| low).filter(|_| is_change),
            ratio_high: ends.map(|(_, high)| high).filter(|_| is_change),
            requirements,
            evidence: EvidenceResult::of(&now.loaded),
            items: Vec::new(),
            statement: subject.loaded.statement(),
            ola_call: subject.loaded.ola_call(),
            dbatools_call: subject.loaded.dbatools_call(),
            rollback_statement: (verdict == Verdict::Change).then(|| now.loaded.statement()),
        };
        result.items = say::items(&result, replications, seed);
        result
    }

    /// The settings that the request is for: those proposed, or those that stay.
    #[must_use]
    pub fn subject(&self) -> &ChangeSide {
        self.proposed.as_ref().unwrap_or(&self.now)
    }
}
