//! What `ask` finds.

use bakcast_scenarios::predict::PredictOptions;
use bakcast_whatif::{
    Answer, Flip, KindAnswer, Operation, OperationAnswer, Paired, Ran, Surer, Told, Tried,
};
use serde::Serialize;

use super::operation::Limits;
use super::{RequirementResult, StationResult, UncertaintyResult};

/// A question, answered.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AskResult {
    /// Name and variant.
    pub scenario: String,
    /// What it is, in one line.
    pub title: String,
    /// Values that were replaced on the command line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<String>,
    /// What was asked, by its name.
    pub question: &'static str,
    /// The same as a sentence.
    pub question_text: &'static str,
    /// yes, no or it-depends.
    pub answer: &'static str,
    /// The answer in a line.
    pub headline: String,
    /// On what it depends; absent if it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depends_on: Option<String>,
    /// Why, in terms of stations.
    pub why: String,
    /// What decides: backup, verify, restore or total.
    pub operation: &'static str,
    /// Share of the intervals.
    pub level: f64,
    /// After against before.
    pub gain: GainResult,
    /// The answer for each operation.
    pub operations: Vec<OperationAnswerResult>,
    /// The limiting station before, a setting, or `balanced`.
    pub bottleneck_before: String,
    /// The same after.
    pub bottleneck_after: String,
    /// The configuration before.
    pub before: SideResult,
    /// The configuration that is told of.
    pub after: SideResult,
    /// Numbers at which the answer is another, the nearest first; empty if there is none within
    /// `searched_factor`.
    pub would_change_if: Vec<FlipResult>,
    /// How far every number of the machine was moved to find them.
    pub searched_factor: f64,
    /// Which one measurement would make the answer surer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub surer_with: Option<SurerResult>,
    /// How a window is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<WindowResult>,
    /// The answer for each sort of alternatives, such as the same device and others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub by_kind: Vec<KindResult>,
    /// All that was tried.
    pub alternatives: Vec<AlternativeResult>,
    /// What else is worth a word.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Requirements on the scenario as it stands, each met or not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<RequirementResult>,
    /// The parameter sets that the nights go over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uncertainty: Option<UncertaintyResult>,
    /// Configurations that were run.
    pub evaluated: usize,
    /// The statement to try.
    pub statement: String,
}

/// How one configuration compares with another, night by night.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct GainResult {
    /// Typical ratio of a night; below 1: shorter.
    pub ratio: f64,
    /// Lower end of its interval; absent where there are too few nights.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio_low: Option<f64>,
    /// Upper end of its interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio_high: Option<f64>,
    /// Mean time gained; negative: lost.
    pub gained_seconds: f64,
}

impl From<Paired> for GainResult {
    fn from(paired: Paired) -> Self {
        GainResult {
            ratio: paired.ratio,
            ratio_low: paired.ratio_interval.map(|(low, _)| low),
            ratio_high: paired.ratio_interval.map(|(_, high)| high),
            gained_seconds: 0.0 - paired.difference_seconds,
        }
    }
}

/// The answer for one operation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct OperationAnswerResult {
    /// backup, verify, restore or total.
    pub operation: &'static str,
    /// yes, no or it-depends.
    pub answer: &'static str,
    /// After against before.
    #[serde(flatten)]
    pub gain: GainResult,
}

/// One of the two configurations.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SideResult {
    /// What it is.
    pub label: String,
    /// What makes it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<String>,
    /// Median duration of the backup.
    pub backup_seconds: f64,
    /// Median duration of the verification.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verify_seconds: Option<f64>,
    /// Memory of all sets of buffers of all jobs.
    pub buffer_memory_bytes: u64,
    /// Processors busy with compression, mean over the backup.
    pub processor_cores_mean: f64,
    /// Stations of the backup.
    pub stations: Vec<StationResult>,
    /// Stations of the verification.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub verify_stations: Vec<StationResult>,
}

/// A number at which the answer is another.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FlipResult {
    /// What it is.
    pub parameter: String,
    /// The knobs that move as one.
    pub paths: Vec<String>,
    /// Its value now.
    pub now: String,
    /// A value at which the answer is another, as `--set` takes it.
    pub value: String,
    /// A value nearer by at which it is still the same.
    pub still_same_at: String,
    /// The value as a factor of what it is now.
    pub factor: f64,
    /// The answer there.
    pub answer: &'static str,
}

/// Which measurement would make the answer surer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SurerResult {
    /// What is to be measured.
    pub parameter: String,
    /// The knobs that it is.
    pub paths: Vec<String>,
    /// The run or the benchmark that measures it.
    pub run: String,
    /// Share of the variation of the ratio that goes with it, where there are parameter sets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share_of_variation: Option<f64>,
    /// How far the ratio moves within what is known of it, where the values are published ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves_ratio_by: Option<f64>,
}

/// How a window is kept.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct WindowResult {
    /// The window.
    pub window_seconds: f64,
    /// Share of nights that fit.
    pub probability: f64,
    /// The same with the change.
    pub probability_after: f64,
}

/// The answer for alternatives of one sort.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KindResult {
    /// Which sort.
    pub kind: &'static str,
    /// yes, no or it-depends.
    pub answer: &'static str,
    /// The best of them.
    pub label: String,
    /// It against the configuration before.
    #[serde(flatten)]
    pub gain: GainResult,
}

/// One configuration that was tried.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AlternativeResult {
    /// What it is.
    pub label: String,
    /// Which sort of alternative.
    pub kind: &'static str,
    /// What makes it.
    pub set: Vec<String>,
    /// Median of the operation that decides; absent: it cannot be run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Memory of all sets of buffers of all jobs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buffer_memory_bytes: Option<u64>,
    /// Against the configuration before.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub gain: Option<GainResult>,
}

impl AskResult {
    /// The result of a question.
    ///
    /// # Panics
    /// If what was told of was not run: our bug.
    #[must_use]
    pub fn new(told: &Told, options: &PredictOptions) -> Self {
        let ran = |tried: &Tried| tried.ran.clone().expect("what is told of was run");
        let (before, after) = (ran(&told.before), ran(&told.after));
        let loaded = &before.loaded;
        let limit = |ran: &Ran| {
            let of_verify = told.operation == Operation::Verify;
            let verify = ran.prediction.verify.as_ref().filter(|_| of_verify);
            let operation = verify.unwrap_or(&ran.prediction.backup);
            Limits::of(operation).bottleneck.unwrap_or_else(|| "balanced".to_string())
        };
        let alternative = |tried: &Tried| alternative(tried, told.operation);
        AskResult {
            scenario: loaded.name.clone(),
            title: loaded.resolved.title.clone(),
            set: Vec::new(),
            question: told.question.name(),
            question_text: told.question.words(),
            answer: told.answer.name(),
            headline: told.headline.clone(),
            depends_on: told.depends_on.clone(),
            why: told.why.clone(),
            operation: told.operation.name(),
            level: options.level,
            gain: told.gain.into(),
            operations: told.operations.iter().map(operation).collect(),
            bottleneck_before: limit(&before),
            bottleneck_after: limit(&after),
            before: side(&told.before, &before),
            after: side(&told.after, &after),
            would_change_if: told.flips.iter().map(flip).collect(),
            searched_factor: bakcast_whatif::FLIP_FACTOR,
            surer_with: told.surer.as_ref().map(surer),
            window: told.fit.map(|fit| WindowResult {
                window_seconds: fit.window_seconds,
                probability: fit.probability,
                probability_after: fit.probability_after,
            }),
            by_kind: told.kinds.iter().map(kind).collect(),
            alternatives: told.alternatives.iter().map(alternative).collect(),
            notes: told.notes.clone(),
            requirements: Vec::new(),
            uncertainty: UncertaintyResult::of(loaded),
            evaluated: told.evaluated,
            statement: told.statement().unwrap_or_default(),
        }
    }

    /// Whether it depends.
    #[must_use]
    pub fn depends(&self) -> bool {
        self.answer == Answer::Depends.name()
    }
}

fn operation(answer: &OperationAnswer) -> OperationAnswerResult {
    OperationAnswerResult {
        operation: answer.operation.name(),
        answer: answer.answer.name(),
        gain: answer.paired.into(),
    }
}

fn kind(kind: &KindAnswer) -> KindResult {
    KindResult {
        kind: kind.kind,
        answer: kind.answer.name(),
        label: kind.label.clone(),
        gain: kind.paired.into(),
    }
}

fn side(tried: &Tried, ran: &Ran) -> SideResult {
    let backup = &ran.prediction.backup;
    let verify = ran.prediction.verify.as_ref();
    SideResult {
        label: tried.alternative.label.clone(),
        set: tried.alternative.sets.iter().map(ToString::to_string).collect(),
        backup_seconds: backup.seconds.median,
        verify_seconds: verify.map(|verify| verify.seconds.median),
        buffer_memory_bytes: ran.loaded.resolved.backup.memory_of_all_jobs().get(),
        processor_cores_mean: backup.processor_cores_mean,
        stations: Limits::of(backup).stations(backup),
        verify_stations: verify.map_or_else(Vec::new, |v| Limits::of(v).stations(v)),
    }
}

fn flip(flip: &Flip) -> FlipResult {
    FlipResult {
        parameter: flip.lever.name.clone(),
        paths: flip.lever.paths.clone(),
        now: flip.lever.now_text(),
        value: flip.value.text.clone(),
        still_same_at: flip.still.text.clone(),
        factor: flip.factor(),
        answer: flip.answer.name(),
    }
}

fn surer(surer: &Surer) -> SurerResult {
    SurerResult {
        parameter: surer.what.clone(),
        paths: surer.paths.clone(),
        run: surer.run.clone(),
        share_of_variation: surer.share,
        moves_ratio_by: surer.moves,
    }
}

fn alternative(tried: &Tried, operation: Operation) -> AlternativeResult {
    let ran = tried.ran.as_ref();
    let median = |ran: &Ran| {
        let nights = ran.nights(operation)?;
        Some(bakcast_scenarios::predict::Range::of(nights, 0.9).median)
    };
    AlternativeResult {
        label: tried.alternative.label.clone(),
        kind: tried.alternative.kind,
        set: tried.alternative.sets.iter().map(ToString::to_string).collect(),
        seconds: ran.and_then(|ran| median(ran)),
        buffer_memory_bytes: ran.map(|r| r.loaded.resolved.backup.memory_of_all_jobs().get()),
        gain: tried.paired.map(Into::into),
    }
}
