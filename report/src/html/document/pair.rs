//! Two scenarios side by side.

use std::collections::{BTreeMap, BTreeSet};

use bakcast_scenarios::Loaded;
use bakcast_scenarios::predict::PredictOptions;
use bakcast_whatif::{Operation, Paired, Ran};
use serde::Serialize;
use serde_json::Value;

use super::{EvidenceResult, StatementsResult};
use crate::document::{DurationResult, PredictResult, VerifyResult, Warning};
use crate::number::{digits, duration, level};

/// Two scenarios, the first held against the second night by night.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairResult {
    /// The command that makes the page again.
    pub command_line: String,
    /// backup, verify or total: what ratios are of.
    pub operation: &'static str,
    /// Confidence of intervals, and share of nights that ranges cover.
    pub level: f64,
    /// The difference in a sentence.
    pub answer: String,
    /// Typical ratio of a night of the second to the same night of the first; below 1: shorter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
    /// Lower end of its interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio_low: Option<f64>,
    /// Upper end of its interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio_high: Option<f64>,
    /// Mean difference of a night; negative: the second is shorter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference_seconds: Option<f64>,
    /// Whether the interval excludes 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub real: Option<bool>,
    /// Nights that were paired.
    pub paired_nights: usize,
    /// Whether both are variants of one scenario, so that both meet the same luck.
    pub is_one_file: bool,
    /// The first, then the second.
    pub sides: [PairSide; 2],
    /// Every value of the two scenarios, by path; those that differ first.
    #[serde(skip)]
    pub lines: Vec<LineResult>,
}

/// One of the two.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairSide {
    /// The durations and what limits them, as `predict` has them.
    #[serde(flatten)]
    pub prediction: PredictResult,
    /// What to run.
    pub statements: StatementsResult,
    /// What the numbers rest on.
    pub evidence: EvidenceResult,
    /// The resolved scenario with every default written out.
    pub inputs: Value,
    /// What to look at twice.
    pub warnings: Vec<Warning>,
}

/// One value of both scenarios.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineResult {
    /// The path of the knob.
    pub path: String,
    /// Its value in each of the two; empty: there is none.
    pub values: [String; 2],
}

impl LineResult {
    /// Whether the two differ in it.
    #[must_use]
    pub fn differs(&self) -> bool {
        self.values[0] != self.values[1]
    }

    /// Every value of two scenarios, those that differ first, each group in the order of paths.
    #[must_use]
    pub fn all(one: &Loaded, other: &Loaded) -> Vec<Self> {
        let (one, other) = (values(one), values(other));
        let paths: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
        let of = |side: &BTreeMap<String, String>, path: &str| {
            side.get(path).cloned().unwrap_or_default()
        };
        let line = |path: &String| LineResult {
            path: path.clone(),
            values: [of(&one, path), of(&other, path)],
        };
        let (mut lines, alike): (Vec<_>, Vec<_>) =
            paths.into_iter().map(line).partition(LineResult::differs);
        lines.extend(alike);
        lines
    }
}

/// The values of a scenario as they are written, by path, and what was left to the engine.
fn values(loaded: &Loaded) -> BTreeMap<String, String> {
    let written = serde_json::to_value(&loaded.scenario).unwrap_or_default();
    let mut all = BTreeMap::new();
    flatten(&written, String::new(), &mut all);
    let buffers = loaded.resolved.backup.buffers;
    let engine = [
        ("backup.buffer_count", buffers.count.to_string()),
        ("backup.transfer_size", crate::number::bytes(buffers.transfer_size.get() as f64)),
    ];
    for (path, value) in engine {
        all.entry(path.to_string()).or_insert_with(|| format!("{value} (the engine's own)"));
    }
    all
}

fn flatten(value: &Value, path: String, all: &mut BTreeMap<String, String>) {
    let text = match value {
        Value::Null => return,
        Value::Object(entries) => {
            for (key, value) in entries {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                flatten(value, path, all);
            }
            return;
        }
        Value::Array(items) if path.ends_with(".values") => format!("{} values", items.len()),
        Value::Array(items) => {
            let words: Vec<String> = items.iter().map(word).collect();
            words.join(", ")
        }
        other => word(other),
    };
    all.insert(path, text);
}

fn word(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_string)
}

impl PairSide {
    /// A scenario that was run.
    #[must_use]
    pub fn new(ran: &Ran, options: &PredictOptions, warnings: Vec<Warning>) -> Self {
        PairSide {
            prediction: PredictResult::new(&ran.loaded, &ran.prediction, options),
            statements: StatementsResult::of(&ran.loaded, false),
            evidence: EvidenceResult::of(&ran.loaded),
            inputs: ran.loaded.resolved_inputs(),
            warnings,
        }
    }

    /// The duration of an operation; of a verification that it does not have, that of the backup.
    #[must_use]
    pub fn duration(&self, operation: &str) -> DurationResult {
        let verify = self.prediction.verify.as_ref().map(VerifyResult::duration);
        match operation {
            "total" => self.prediction.total,
            "verify" => verify.unwrap_or(self.prediction.backup),
            _ => self.prediction.backup,
        }
    }
}

impl PairResult {
    /// Two scenarios that were run with the same seed.
    #[must_use]
    pub fn new(
        rans: [&Ran; 2],
        sides: [PairSide; 2],
        (operation, options): (Operation, &PredictOptions),
        (command_line, is_one_file): (String, bool),
    ) -> Self {
        let [one, other] = rans;
        let paired = other.against(one, operation, options.level);
        let ends = paired.and_then(|paired| paired.ratio_interval);
        let mut result = PairResult {
            command_line,
            operation: operation.name(),
            level: options.level,
            answer: String::new(),
            ratio: paired.map(|paired| paired.ratio),
            ratio_low: ends.map(|(low, _)| low),
            ratio_high: ends.map(|(_, high)| high),
            difference_seconds: paired.map(|paired| paired.difference_seconds),
            real: paired.and_then(|paired| paired.is_real()),
            paired_nights: paired.map_or(0, |paired: Paired| paired.nights),
            is_one_file,
            sides,
            lines: LineResult::all(&one.loaded, &other.loaded),
        };
        result.answer = answer(&result);
        result
    }
}

/// The difference in a sentence.
fn answer(result: &PairResult) -> String {
    let [one, other] = &result.sides;
    let operation = result.operation;
    let (name, before) = (&one.prediction.scenario, one.duration(operation).seconds);
    let after = other.duration(operation).seconds;
    let Some(ratio) = result.ratio else {
        return format!("One of the two has no {operation}, so they cannot be compared.");
    };
    let percent = |ratio: f64| digits((1.0 - ratio).abs() * 100.0, 2);
    let direction = if ratio <= 1.0 { "shorter" } else { "longer" };
    let subject = if other.prediction.scenario == *name {
        "the second".to_string()
    } else {
        other.prediction.scenario.clone()
    };
    let times = format!("{} instead of {}", duration(after), duration(before));
    if result.real == Some(false) && (ratio - 1.0).abs() < 0.005 {
        return format!("No difference: the {operation} of {subject} takes as long, {times}.");
    }
    let ends = result.ratio_low.zip(result.ratio_high).map_or_else(String::new, |(low, high)| {
        format!(
            ", ratio {} ({} of such comparisons: {} to {})",
            digits(ratio, 3),
            level(result.level),
            digits(low, 3),
            digits(high, 3)
        )
    });
    let verdict = match result.real {
        Some(true) => "",
        Some(false) => " That may be chance: the interval holds 1.",
        None => " One night does not tell whether that is chance.",
    };
    format!(
        "The {operation} of {subject} is {} % {direction} than that of {name}: \
         {times}{ends}.{verdict}",
        percent(ratio)
    )
}

#[cfg(test)]
mod tests {
    use bakcast_scenarios::{Scenario, Set};

    use super::*;

    #[test]
    fn what_differs_is_found_and_comes_first() {
        let load = |set: &str| {
            Scenario::load_reference("usb3-laptop:2.3", &[Set::parse(set).unwrap()]).unwrap()
        };
        let (one, other) = (load("verify.enabled=true"), load("backup.buffer_count=64"));
        let lines = LineResult::all(&one, &other);
        let differ: Vec<&str> =
            lines.iter().filter(|line| line.differs()).map(|line| line.path.as_str()).collect();
        assert_eq!(differ, ["backup.buffer_count", "verify.enabled"]);
        assert!(lines[0].values[0].ends_with("(the engine's own)"), "{:?}", lines[0]);
        assert_eq!(lines[0].values[1], "64");
        assert!(lines.len() > 40 && !lines[2].differs(), "{}", lines.len());
    }
}
