//! What `recommend` finds.

use bakcast_scenarios::predict::{OperationPrediction, PredictOptions, Range};
use bakcast_whatif::{
    Advice, Evaluated, Knob, Operation, Paired, Ran, Recommendation, Settings, memory_of,
    processor_share,
};
use serde::Serialize;

use super::{PredictResult, RequirementResult};
use crate::number::bytes;

/// The options of a statement that are chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChosenSettings {
    /// COMPRESSION.
    pub compression: bool,
    /// The device of each file.
    pub stripes: Vec<String>,
    /// BUFFERCOUNT; absent: the engine's rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buffer_count: Option<u32>,
    /// MAXTRANSFERSIZE; absent: the engine's default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transfer_size_bytes: Option<u64>,
}

/// One setting with what it comes to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StepResult {
    /// What is changed, against what stands before it.
    pub change: String,
    /// The options then.
    pub settings: ChosenSettings,
    /// Half of all nights are faster.
    pub seconds: f64,
    /// Lower end of the range.
    pub low_seconds: f64,
    /// Upper end of the range.
    pub high_seconds: f64,
    /// Typical ratio of a night to what it is held against; below 1: shorter.
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
    /// Whether it keeps all limits; absent where that is plain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keeps_limits: Option<bool>,
}

/// The settings that are advised.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChoiceResult {
    /// The options.
    pub settings: ChosenSettings,
    /// Typical ratio of a night to the settings as they are; below 1: shorter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
    /// Lower end of its interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio_low: Option<f64>,
    /// Upper end of its interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio_high: Option<f64>,
    /// Share of all processors that is busy.
    pub processor_share: f64,
    /// As `predict` has it.
    #[serde(flatten)]
    pub predict: PredictResult,
}

/// Settings under limits.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RecommendResult {
    /// Name and variant.
    pub scenario: String,
    /// What it is, in one line.
    pub title: String,
    /// Values that were replaced on the command line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<String>,
    /// backup, verify or total: what shall be short.
    pub operation: &'static str,
    /// Confidence of intervals, and share of nights that ranges cover.
    pub level: f64,
    /// A difference of less is none.
    pub threshold: f64,
    /// Devices that files may lie on.
    pub devices: Vec<String>,
    /// The answer in a sentence or two.
    pub answer: String,
    /// Whether the settings may stay as they are.
    pub as_it_is: bool,
    /// The settings that are advised; absent where nothing keeps the limits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choice: Option<ChoiceResult>,
    /// The BACKUP statement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statement: Option<String>,
    /// The call of Ola Hallengren's procedure, if it can say the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ola_call: Option<String>,
    /// dbatools' command, if it can say the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dbatools_call: Option<String>,
    /// The limits, held against what is advised or comes nearest.
    pub requirements: Vec<RequirementResult>,
    /// Where nobody limits memory: what is not exceeded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usual_memory_bytes: Option<u64>,
    /// The settings as they are.
    pub present: StepResult,
    /// From there to the choice, one change at a time, each against the step before.
    pub ladder: Vec<StepResult>,
    /// The next step beyond, against the choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beyond: Option<StepResult>,
    /// Other settings that keep the limits, against the settings as they are.
    pub alternatives: Vec<StepResult>,
    /// Where nothing keeps the limits: what comes nearest, against the settings as they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nearest: Option<StepResult>,
    /// The limit without which the others could be kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without_limit: Option<String>,
    /// What would keep the others then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without: Option<StepResult>,
    /// Settings that were run.
    pub evaluated: usize,
    /// Settings there were to choose among.
    pub candidates: usize,
    /// Nights that were paired.
    pub paired_nights: usize,
    /// Parameter sets among them, if the scenario has an ensemble.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameter_sets: Option<usize>,
}

impl From<&Settings> for ChosenSettings {
    fn from(settings: &Settings) -> Self {
        ChosenSettings {
            compression: settings.compression,
            stripes: settings.stripes.clone(),
            buffer_count: settings.buffer_count,
            transfer_size_bytes: settings.transfer_bytes,
        }
    }
}

impl StepResult {
    fn new(
        (change, settings): (String, &Settings),
        ran: &Ran,
        paired: Option<Paired>,
        operation: Operation,
    ) -> Self {
        let range = range(ran, operation);
        let ends = paired.and_then(|paired| paired.ratio_interval);
        StepResult {
            change,
            settings: settings.into(),
            seconds: range.median,
            low_seconds: range.low,
            high_seconds: range.high,
            ratio: paired.map(|paired| paired.ratio),
            ratio_low: ends.map(|(low, _)| low),
            ratio_high: ends.map(|(_, high)| high),
            buffer_memory_bytes: memory_of(ran),
            processor_share: processor_share(&ran.loaded, &ran.prediction),
            keeps_limits: None,
        }
    }

    fn of(tried: &Evaluated, present: &Settings, operation: Operation) -> Self {
        let change = difference(&tried.settings, present);
        StepResult::new((change, &tried.settings), &tried.ran, tried.paired, operation)
    }
}

fn range(ran: &Ran, operation: Operation) -> Range {
    let of = |operation: &OperationPrediction| operation.seconds;
    let prediction = &ran.prediction;
    let found = match operation {
        Operation::Backup => None,
        Operation::Verify => prediction.verify.as_ref().map(of),
        Operation::Restore => prediction.restore.as_ref().map(of),
        Operation::Total => Some(prediction.total_seconds),
    };
    found.unwrap_or(prediction.backup.seconds)
}

/// One knob in words.
fn in_words(settings: &Settings, knob: Knob) -> String {
    let default = || "default".to_string();
    match knob {
        Knob::Compression if settings.compression => "compression on".to_string(),
        Knob::Compression => "compression off".to_string(),
        Knob::Stripes => stripes_in_words(&settings.stripes),
        Knob::BufferCount => {
            let count = settings.buffer_count.map_or_else(default, |count| count.to_string());
            format!("buffer_count {count}")
        }
        Knob::TransferSize => {
            let size = settings.transfer_bytes.map_or_else(default, |size| bytes(size as f64));
            format!("transfer_size {size}")
        }
    }
}

/// `3 files on d1, d2, d3`; `2 files on each of d1, d2`.
fn stripes_in_words(stripes: &[String]) -> String {
    let mut devices: Vec<&str> = Vec::new();
    for device in stripes {
        if !devices.contains(&device.as_str()) {
            devices.push(device);
        }
    }
    let files = if stripes.len() == 1 { "file" } else { "files" };
    format!("{} {files} on {}", stripes.len(), devices.join(", "))
}

/// What differs, in words; `as it is` if nothing does.
pub(super) fn difference(settings: &Settings, present: &Settings) -> String {
    let mut parts = Vec::new();
    if settings.compression != present.compression {
        parts.push(in_words(settings, Knob::Compression));
    }
    if settings.stripes != present.stripes {
        parts.push(in_words(settings, Knob::Stripes));
    }
    if settings.buffer_count != present.buffer_count {
        parts.push(in_words(settings, Knob::BufferCount));
    }
    if settings.transfer_bytes != present.transfer_bytes {
        parts.push(in_words(settings, Knob::TransferSize));
    }
    if parts.is_empty() { "as it is".to_string() } else { parts.join(", ") }
}

impl RecommendResult {
    /// The result of a search; `judge` holds the limits that were asked for against a
    /// configuration.
    #[must_use]
    pub fn new(
        found: &Recommendation,
        options: &PredictOptions,
        threshold: f64,
        judge: impl Fn(&Ran) -> Vec<RequirementResult>,
    ) -> Self {
        let operation = found.operation;
        let present = &found.present.settings;
        let subject = found.subject();
        let step = |tried: &Evaluated| StepResult::of(tried, present, operation);
        let taken = match &found.advice {
            Advice::Take(tried) => Some(tried),
            Advice::Nothing(_) => None,
        };
        let rung = |rung: &bakcast_whatif::Rung| {
            let change = in_words(&rung.settings, rung.knob);
            StepResult::new((change, &rung.settings), &rung.ran, rung.paired, operation)
        };
        let beyond = |beyond: &bakcast_whatif::Beyond| {
            let change = difference(&beyond.settings, &subject.settings);
            let head = (change, &beyond.settings);
            let step = StepResult::new(head, &beyond.ran, beyond.paired, operation);
            StepResult { keeps_limits: Some(beyond.keeps), ..step }
        };
        let mut own = found.limits.iter().filter(|_| found.own_memory_limit);
        let usual = own.find(|l| l.measure == bakcast_whatif::Measure::Memory);
        let paired = subject.paired;
        let mut result = RecommendResult {
            scenario: found.present.ran.loaded.name.clone(),
            title: found.present.ran.loaded.resolved.title.clone(),
            set: Vec::new(),
            operation: operation.name(),
            level: options.level,
            threshold,
            devices: found.devices.clone(),
            answer: String::new(),
            as_it_is: found.is_present(),
            choice: taken.map(|tried| choice(tried, options)),
            statement: taken.map(|tried| tried.ran.loaded.statement()),
            ola_call: taken.and_then(|tried| tried.ran.loaded.ola_call()),
            dbatools_call: taken.and_then(|tried| tried.ran.loaded.dbatools_call()),
            requirements: judge(&subject.ran),
            usual_memory_bytes: usual.map(|limit| limit.most as u64),
            present: step(&found.present),
            ladder: found.ladder.iter().map(rung).collect(),
            beyond: found.beyond.as_ref().map(beyond),
            alternatives: found.alternatives.iter().map(step).collect(),
            nearest: taken.is_none().then(|| step(subject)),
            without_limit: found.without.as_ref().map(|(limit, _)| limit.text.clone()),
            without: found.without.as_ref().map(|(_, tried)| step(tried)),
            evaluated: found.evaluated,
            candidates: found.candidates,
            paired_nights: paired.map_or(0, |paired| paired.nights),
            parameter_sets: paired.map(|paired| paired.members).filter(|members| *members > 1),
        };
        result.answer = super::recommend_answer::of(&result, subject.settings == *present);
        result
    }

    /// What is advised or comes nearest, in words.
    #[must_use]
    pub fn change(&self) -> String {
        let steps: Vec<&str> = self.ladder.iter().map(|step| step.change.as_str()).collect();
        steps.join(", ")
    }
}

fn choice(tried: &Evaluated, options: &PredictOptions) -> ChoiceResult {
    let ends = tried.paired.and_then(|paired| paired.ratio_interval);
    ChoiceResult {
        settings: (&tried.settings).into(),
        ratio: tried.paired.map(|paired| paired.ratio),
        ratio_low: ends.map(|(low, _)| low),
        ratio_high: ends.map(|(_, high)| high),
        processor_share: processor_share(&tried.ran.loaded, &tried.ran.prediction),
        predict: PredictResult::new(&tried.ran.loaded, &tried.ran.prediction, options),
    }
}
