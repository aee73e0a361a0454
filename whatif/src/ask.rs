//! Questions by name, each answered yes, no or it depends, and why.
//!
//! A question is a [`Plan`]: a configuration *before* and others that could be *after*, each file
//! below `ask/` making one. They are run on the same nights, the answer is read off the ratios
//! (`judge.rs`), and then the same is done with other machines: which number would have to be
//! another for the answer to be another (`flip.rs`), and which measurement would make it surer
//! (`surer.rs`).

mod buffers;
mod compression;
mod flip;
mod judge;
mod memory;
mod question;
mod same_disk;
mod striping;
mod surer;
mod transfer_size;
mod verify;
mod why;
mod window;

use std::sync::Arc;

use bakcast_scenarios::predict::{Asked, PredictOptions, Refused};
use bakcast_scenarios::{Document, Loaded, Set};

use crate::design::Configuration;
use crate::levers::{Lever, levers};
use crate::paired::{Paired, THRESHOLD};
use crate::runner::{Cancelled, FEW_NIGHTS, GoOn, Operation, Ran, Runner, few_nights};

pub use flip::{FACTOR as FLIP_FACTOR, Flip};
pub use question::{Answer, Question};
pub use surer::Surer;

/// How it is asked.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AskOptions {
    /// A ratio no further from 1 is not worth a change; absent: [`THRESHOLD`], and more for
    /// striping.
    pub threshold: Option<f64>,
    /// What counts; absent: what the question is about.
    pub operation: Option<Operation>,
    /// The time there is.
    pub window_seconds: Option<f64>,
    /// The memory there is for buffers.
    pub memory_bytes: Option<u64>,
    /// Devices that further backup files may go to; empty: those of the scenario that nothing
    /// else is done with.
    pub devices: Vec<String>,
}

/// More files are more to keep together: all of them are needed for a restore.
const THRESHOLD_OF_STRIPING: f64 = 0.05;

impl AskOptions {
    /// What is not worth a change.
    #[must_use]
    pub fn threshold(&self, question: Question) -> f64 {
        let usual = match question {
            Question::Striping => THRESHOLD_OF_STRIPING,
            _ => THRESHOLD,
        };
        self.threshold.unwrap_or(usual)
    }
}

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// Somebody said so.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// A configuration cannot be run.
    #[error("{0}")]
    Refused(Arc<Refused>),
    /// The scenario has nothing that the question is about.
    #[error("{0}")]
    NotAsked(String),
}

/// One configuration of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alternative {
    /// What it is, in words.
    pub label: String,
    /// Which sort of alternative it is.
    pub kind: &'static str,
    /// What makes it.
    pub sets: Vec<Set>,
}

impl Alternative {
    fn new(label: impl Into<String>, kind: &'static str, sets: Vec<Set>) -> Self {
        Alternative { label: label.into(), kind, sets }
    }
}

/// How the answer is read off.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Rule {
    /// Whether the best alternative is shorter.
    Gain,
    /// The same, and whether it is if there are more buffers.
    Jointly,
    /// Whether the night fits, as it stands.
    Fits(f64),
    /// Whether the verification is short beside the backup.
    Verify,
    /// Whether less memory would be slower.
    Memory,
}

/// What is run to answer a question.
#[derive(Debug, Clone, PartialEq)]
struct Plan {
    before: Alternative,
    /// The cheapest first.
    alternatives: Vec<Alternative>,
    rule: Rule,
    /// What decides.
    operation: Operation,
    /// A ratio no further from 1 is not worth a change.
    threshold: f64,
}

/// One alternative, run.
#[derive(Debug, Clone)]
pub struct Tried {
    /// What it is.
    pub alternative: Alternative,
    /// What it came to; absent: it cannot be run.
    pub ran: Option<Arc<Ran>>,
    /// Against the configuration before, in what decides.
    pub paired: Option<Paired>,
}

/// The answer for one operation.
#[derive(Debug, Clone, PartialEq)]
pub struct OperationAnswer {
    /// Which.
    pub operation: Operation,
    /// Its own answer.
    pub answer: Answer,
    /// After against before.
    pub paired: Paired,
}

/// The answer for alternatives of one sort.
#[derive(Debug, Clone, PartialEq)]
pub struct KindAnswer {
    /// Which sort.
    pub kind: &'static str,
    /// The best of them.
    pub label: String,
    /// Its own answer.
    pub answer: Answer,
    /// It against the configuration before.
    pub paired: Paired,
}

/// How the night fits a window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit {
    /// The window.
    pub window_seconds: f64,
    /// Share of nights that fit.
    pub probability: f64,
    /// The same with the change.
    pub probability_after: f64,
}

/// A question, answered.
#[derive(Debug, Clone)]
pub struct Told {
    /// What was asked.
    pub question: Question,
    /// The answer.
    pub answer: Answer,
    /// The answer in a line.
    pub headline: String,
    /// On what it depends, if it does.
    pub depends_on: Option<String>,
    /// Why, in terms of stations.
    pub why: String,
    /// What decides.
    pub operation: Operation,
    /// The configuration before, with what limits it.
    pub before: Tried,
    /// The alternative that is told of, with what limits it.
    pub after: Tried,
    /// After against before.
    pub gain: Paired,
    /// The answer for each operation.
    pub operations: Vec<OperationAnswer>,
    /// All that was tried, the cheapest first.
    pub alternatives: Vec<Tried>,
    /// The answer for each sort of alternatives, where there are several.
    pub kinds: Vec<KindAnswer>,
    /// How a window is kept, if there is one.
    pub fit: Option<Fit>,
    /// What would change the answer, the nearest first.
    pub flips: Vec<Flip>,
    /// What would make it surer.
    pub surer: Option<Surer>,
    /// Whether the configuration to try is that after.
    pub tries_after: bool,
    /// Memory of all buffers of all jobs, before and after.
    pub memory_bytes: (u64, u64),
    /// What else is worth a word.
    pub notes: Vec<String>,
    /// Configurations that were run.
    pub evaluated: usize,
}

impl Told {
    /// The statement to try.
    #[must_use]
    pub fn statement(&self) -> Option<String> {
        let tried = if self.tries_after { &self.after } else { &self.before };
        tried.ran.as_ref().map(|ran| ran.loaded.statement())
    }
}

/// What runs the configurations of a question.
struct Asker<'a> {
    question: Question,
    options: &'a AskOptions,
    go_on: GoOn<'a>,
    /// Whether a night takes long to simulate.
    is_long: bool,
    /// Durations alone, all nights.
    whole: Runner<'a>,
    /// Durations alone, a few nights.
    quick: Runner<'a>,
}

/// Answers a question about a variant of a scenario with assignments made to it.
///
/// # Errors
/// [`AskError`]
pub fn ask(
    (document, variant, sets): (&Document, Option<&str>, &[Set]),
    question: Question,
    options: &AskOptions,
    predict: &PredictOptions,
    go_on: GoOn<'_>,
) -> Result<Told, AskError> {
    let limits = Runner::new(document, variant, sets, *predict, Asked::Limits);
    let loaded = limits.load(&Configuration::default());
    let loaded = loaded.map_err(|error| AskError::Refused(Arc::new(error.into())))?;
    let few = PredictOptions {
        replications: predict.replications.min(few_nights(&loaded)),
        precision: None,
        ..*predict
    };
    let asker = Asker {
        question,
        options,
        go_on,
        is_long: few_nights(&loaded) < FEW_NIGHTS,
        whole: limits.another(*predict, Asked::Durations),
        quick: limits.another(few, Asked::Durations),
    };
    asker.told(&limits, &loaded)
}

impl Asker<'_> {
    /// What is run for a scenario with these values.
    fn plan(&self, loaded: &Loaded) -> Result<Plan, AskError> {
        let mut plan = match self.question {
            Question::Striping => striping::plan(loaded, self.options),
            Question::Compression => compression::plan(loaded),
            Question::Buffers => buffers::plan(loaded),
            Question::TransferSize => transfer_size::plan(loaded),
            Question::SameDisk => same_disk::plan(loaded),
            Question::Verify => verify::plan(loaded, self.options),
            Question::Window => window::plan(loaded, self.options),
            Question::Memory => memory::plan(loaded),
        }?;
        plan.threshold = self.options.threshold(self.question);
        if let Some(operation) = self.options.operation {
            plan.operation = operation;
        }
        Ok(plan)
    }

    fn load(&self, sets: &[Set]) -> Result<Loaded, AskError> {
        let configuration = Configuration { sets: sets.to_vec(), ..Configuration::default() };
        self.whole.load(&configuration).map_err(|error| AskError::Refused(Arc::new(error.into())))
    }

    /// Runs a plan on top of assignments: the configuration before, then the alternatives.
    fn run(
        &self,
        runner: &Runner<'_>,
        plan: &Plan,
        sets: &[Set],
    ) -> Result<(Arc<Ran>, Vec<Tried>), AskError> {
        let all: Vec<Configuration> = std::iter::once(&plan.before)
            .chain(&plan.alternatives)
            .map(|alternative| configuration(sets, &alternative.sets))
            .collect();
        self.tried(plan, &runner.run(&all, self.go_on)?)
    }

    /// What became of a plan: the configuration before, then the alternatives.
    fn tried(
        &self,
        plan: &Plan,
        outcomes: &[crate::runner::Outcome],
    ) -> Result<(Arc<Ran>, Vec<Tried>), AskError> {
        let (before, outcomes) =
            outcomes.split_first().unwrap_or_else(|| unreachable!("one is always asked for"));
        let before = before.clone().map_err(AskError::Refused)?;
        if before.nights(plan.operation).is_none() {
            return Err(AskError::NotAsked(format!(
                "the scenario has no {}: {}",
                plan.operation.name(),
                match plan.operation {
                    Operation::Restore => "simulate one with `--set restore.enabled=true`",
                    _ => "ask about its backup with `--operation backup`",
                }
            )));
        }
        let level = self.level();
        let tried = plan.alternatives.iter().zip(outcomes).map(|(alternative, outcome)| {
            let ran = outcome.as_ref().ok().cloned();
            let paired = ran.as_ref().and_then(|r| r.against(&before, plan.operation, level));
            Tried { alternative: alternative.clone(), ran, paired }
        });
        Ok((Arc::clone(&before), tried.collect()))
    }

    fn told(&self, limits: &Runner<'_>, loaded: &Loaded) -> Result<Told, AskError> {
        let plan = self.plan(loaded)?;
        let (before, tried) = self.run(&self.whole, &plan, &[])?;
        let judged = judge::judge(&plan, &before, &tried, self.options, self.level());
        let Some(judged) = judged else {
            return Err(AskError::NotAsked(
                "nothing else can be tried with this scenario".to_string(),
            ));
        };
        let chosen = tried[judged.best].alternative.clone();
        let pair = Plan { alternatives: vec![chosen], ..plan.clone() };
        let (before, mut after) = self.run(limits, &pair, &[])?;
        let after = after.pop().unwrap_or_else(|| unreachable!("it was asked for"));
        let Some(ran) = after.ran.clone() else { unreachable!("it was run before") };
        let levers = self.levers(&before.loaded, &ran.loaded);
        let flips = self.flips(&plan, &judged, &levers)?;
        let surer = self.surer(&pair, (&before, &after), &levers)?;
        let notes = why::notes(self.question, &plan, &tried, self.options);
        let kinds = judge::kinds(&tried, self.options.threshold(self.question));
        let memory = |ran: &Ran| ran.loaded.resolved.backup.memory_of_all_jobs().get();
        let evaluated = self.whole.evaluated() + self.quick.evaluated() + limits.evaluated();
        Ok(Told {
            question: self.question,
            answer: judged.answer,
            headline: why::headline(&plan, &judged, &before, &after),
            depends_on: judged.on.clone(),
            why: why::why(&plan, &judged, &before, &ran),
            operation: judged.operation,
            gain: judged.paired,
            operations: judged.operations,
            fit: judged.fit,
            memory_bytes: (memory(&before), memory(&ran)),
            before: Tried { alternative: plan.before, ran: Some(before), paired: None },
            after,
            alternatives: tried,
            kinds,
            flips,
            surer,
            tries_after: judged.tries_after,
            notes,
            evaluated,
        })
    }

    fn level(&self) -> f64 {
        self.whole.options().level
    }

    /// What of the machine could be other than it is, without what the question itself changes.
    fn levers(&self, before: &Loaded, after: &Loaded) -> Vec<Lever> {
        let own = |lever: &Lever| {
            let is_buffers = lever.paths.iter().any(|path| path == "backup.buffer_count");
            let of_buffers = [Question::Buffers, Question::TransferSize, Question::Memory];
            is_buffers && of_buffers.contains(&self.question)
        };
        levers(&[before, after]).into_iter().filter(|lever| !own(lever)).collect()
    }
}

fn configuration(first: &[Set], then: &[Set]) -> Configuration {
    let sets = first.iter().chain(then).cloned().collect();
    Configuration { sets, ..Configuration::default() }
}
