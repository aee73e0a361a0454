//! One serializable struct for each command, and the envelope they share.

mod answer;
mod ask;
mod beside;
mod calibrate;
mod compare;
mod devices;
mod explain;
mod import;
mod lists;
mod need;
mod night;
mod operation;
mod plan;
mod precision;
mod predict;
mod recommend;
mod recommend_answer;
mod restore;
mod sensitivity;
mod sweep;
mod sweep_views;
mod trace;
mod uncertainty;
mod validate;

pub use ask::{
    AlternativeResult, AskResult, FlipResult, GainResult, KindResult, OperationAnswerResult,
    SideResult, SurerResult, WindowResult,
};
pub use beside::BesideResult;
pub use calibrate::{CalibrateResult, DesignResult, FigureResult, FitResult, ProposedResult};
pub use compare::{BestResult, CompareResult, CompareRow, Settings, short_path};
pub use devices::{DeviceEntry, DeviceValue, DevicesResult};
pub use explain::{
    BoundsResult, ExplainResult, ExplainedOperation, ExplainedStation, KneePointResult, KneeResult,
    TheoryResult,
};
pub use import::{
    BufferResult, FieldResult, GrowthResult, ImportResult, ImportWarning, ImportedBackup,
    ImportedFile, LoadResult, MeasuredRate,
};
pub use lists::{KnobEntry, KnobsResult, ScenarioEntry, ScenariosResult, VariantEntry};
pub use need::{BalancedResult, NearestDevice, NeedResult, PartResult, RateResult};
pub use night::{JobResult, Night, NightResult, NightStationResult, PlaceResult, ScheduleResult};
pub use operation::{
    DurationResult, NextBottleneckResult, OtherLoadResult, StageResult, StationResult, WaitResult,
};
pub use plan::{
    DiskFullResult, MonthResult, PlanChangeResult, PlanGrowth, PlanResult, PlanSchedule,
    ScheduledKind, StopResult,
};
pub use precision::PrecisionResult;
pub use predict::{PredictResult, RequirementResult, TryResult, VerifyResult};
pub use recommend::{ChoiceResult, ChosenSettings, RecommendResult, StepResult};
pub use restore::RestoreResult;
pub use sensitivity::{ExpectedWait, SensitivityResult};
pub use sweep::{Figures, Resumed, SweepRow};
pub use sweep_views::{BestOfResult, EffectResult, EffectValueResult, PointResult, SweepResult};
pub use trace::{TraceResult, TracedFile, TracedOperation};
pub use uncertainty::{ParameterResult, UncertaintyResult};
pub use validate::ValidateResult;

use bakcast_scenarios::predict::{PredictOptions, REPLICATIONS_MAX};
use serde::Serialize;
use serde_json::Value;

/// The version of the documents: raised when a key changes its meaning.
pub const SCHEMA_VERSION: u32 = 1;

/// What every command's document begins with, around its result.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Document<R> {
    /// Raised when a key changes its meaning.
    pub schema_version: u32,
    /// Which program wrote it.
    pub tool: Tool,
    /// The command that was given.
    pub command: &'static str,
    /// Seed of all random streams.
    pub seed: u64,
    /// Runs simulated.
    pub replications: u32,
    /// The resolved scenario with every default written out; empty where there is none.
    pub inputs: Value,
    /// What to look at twice.
    pub warnings: Vec<Warning>,
    /// What the command found.
    pub result: R,
}

/// Which program wrote a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
}

/// What to look at twice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// Which warning it is; stays put.
    pub code: &'static str,
    /// What was noticed.
    pub text: String,
    /// What to do about it.
    pub hint: String,
}

impl From<&bakcast_scenarios::Warning> for Warning {
    fn from(warning: &bakcast_scenarios::Warning) -> Self {
        Warning {
            code: warning.code.as_str(),
            text: warning.text.clone(),
            hint: warning.hint.clone(),
        }
    }
}

impl Warning {
    /// Too few runs for the range asked for: its ends are then those of the fastest and the
    /// slowest run.
    #[must_use]
    pub fn few_replications(options: &PredictOptions) -> Option<Self> {
        let needed = (2.0 / (1.0 - options.level)).ceil();
        let percent = crate::number::level(options.level);
        let hint = if needed <= f64::from(REPLICATIONS_MAX) {
            format!("use --replications {needed:.0} or more")
        } else {
            format!("no range so wide can be resolved: {REPLICATIONS_MAX} runs are the most")
        };
        (f64::from(options.replications) + 1.0 < needed).then(|| Warning {
            code: "few-replications",
            text: format!("{} runs are few for a range of {percent}", options.replications),
            hint,
        })
    }
}

/// How a command was run.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// The command.
    pub command: &'static str,
    /// The version of the program.
    pub version: &'static str,
    /// Seed, replications and level.
    pub options: PredictOptions,
    /// The resolved scenario; an empty object where there is none.
    pub inputs: Value,
}

impl<R> Document<R> {
    /// A document around a result.
    #[must_use]
    pub fn new(run: Run, warnings: Vec<Warning>, result: R) -> Self {
        Document {
            schema_version: SCHEMA_VERSION,
            tool: Tool { name: "bakcast", version: run.version },
            command: run.command,
            seed: run.options.seed,
            replications: run.options.replications,
            inputs: run.inputs,
            warnings,
            result,
        }
    }
}

macro_rules! report {
    ($($result:ty: $name:ident),+ $(,)?) => {$(
        impl crate::Report for $result {
            fn text(document: &Document<Self>, paint: crate::Paint) -> String {
                crate::text::$name(document, paint)
            }

            fn csv(document: &Document<Self>) -> Result<String, crate::ReportError> {
                crate::csv::$name(document)
            }

            fn markdown(document: &Document<Self>) -> String {
                crate::markdown::$name(document)
            }
        }
    )+};
}

report! {
    PredictResult: predict,
    NightResult: night,
    ScheduleResult: schedule,
    ExplainResult: explain,
    AskResult: ask,
    NeedResult: need,
    ValidateResult: validate,
    CalibrateResult: calibrate,
    ScenariosResult: scenarios,
    KnobsResult: knobs,
    DevicesResult: devices,
    ImportResult: import,
    CompareResult: compare,
    SweepResult: sweep,
    RecommendResult: recommend,
    PlanResult: plan,
    TraceResult: trace,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_that_no_number_of_runs_resolves_is_said_to_be_one() {
        let of = |level, replications| {
            let options = PredictOptions { level, replications, ..PredictOptions::default() };
            Warning::few_replications(&options)
        };
        let beyond = of(0.999_999, 32).unwrap();
        assert!(!beyond.hint.contains("use --replications"), "{}", beyond.hint);
        assert!(beyond.text.ends_with("99.9999 %"), "{}", beyond.text);
        let possible = of(0.999, 32).unwrap();
        assert_eq!(possible.hint, "use --replications 2000 or more");
        assert_eq!(of(0.9, 32), None);
    }
}
