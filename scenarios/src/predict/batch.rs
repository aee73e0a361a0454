//! The batch runner: every prediction, of one configuration or of thousands, is made here.
//!
//! A configuration is a job of three sorts of rounds: nights, more nights while a precision is
//! asked for and not reached, and the runs that find out what limits it. How jobs share threads,
//! and how much of them is alive at a time, is the affair of [`bakcast_sim::batch`].

use std::marker::PhantomData;
use std::sync::Arc;

use bakcast_models::outcome::Outcome;
use bakcast_models::pipeline::{BackupError, Relief};
use bakcast_sim::{Job, Next, batch};

use super::bottleneck::{self, Answers, Asks, Questions};
use super::memo::{Memo, Runner};
use super::precision::first_round;
use super::summary::{Accumulator, Range};
use super::{PredictOptions, Prediction};
use crate::resolve::Resolved;

/// What is asked of each configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// How long it takes.
    Durations,
    /// How long it takes, and what limits it.
    Limits,
}

/// Predicts configurations `0..count` and hands the predictions to `consume`, in order of their
/// index, with what `configuration` made of it.
///
/// `configuration` is called when the turn of an index has come, on any thread. No more than a few
/// configurations a thread exist at a time, so that memory does not grow with their number.
/// Configurations that have runs in common, be it all of them or the verification alone, share
/// them as long as they are near each other; nothing in the result depends on it.
///
/// ```
/// use bakcast_scenarios::predict::{Asked, PredictOptions, predict_each};
/// use bakcast_scenarios::{Document, ScenarioOrigin, Set};
///
/// let document = Document::open(&ScenarioOrigin::parse("nvme-knob-matrix"))?;
/// let base = document.base(Some("2"))?;
/// let options = PredictOptions { replications: 4, ..PredictOptions::default() };
/// let sets = |index: u64| [Set::new("backup.buffer_count", (index + 7).to_string())];
/// let with_buffers = |index| base.with(&sets(index));
/// let mut medians = Vec::new();
/// predict_each(3, with_buffers, &options, Asked::Durations, |_, _, prediction| {
///     medians.push(prediction.backup.seconds.median);
///     Ok::<(), Box<dyn std::error::Error + Send + Sync>>(())
/// })?;
/// assert_eq!(medians.len(), 3);
/// # Ok::<(), Box<dyn std::error::Error + Send + Sync>>(())
/// ```
///
/// # Errors
/// The error of the configuration with the lowest index, once all before it are handed on.
pub fn predict_each<C, E, F>(
    count: u64,
    configuration: impl Fn(u64) -> Result<C, F> + Sync,
    options: &PredictOptions,
    asked: Asked,
    consume: impl FnMut(u64, &C, Prediction) -> Result<(), E> + Send,
) -> Result<(), E>
where
    C: AsRef<Resolved> + Send + Sync,
    E: From<BackupError> + From<F> + Send,
{
    let memo = (count > 1).then(Memo::default);
    each(count, configuration, &Common { options, asked, memo: memo.as_ref() }, consume)
}

/// The same with whatever runs are kept.
pub(super) fn each<C, E, F>(
    count: u64,
    configuration: impl Fn(u64) -> Result<C, F> + Sync,
    common: &Common<'_>,
    mut consume: impl FnMut(u64, &C, Prediction) -> Result<(), E> + Send,
) -> Result<(), E>
where
    C: AsRef<Resolved> + Send + Sync,
    E: From<BackupError> + From<F> + Send,
{
    let begin = |index| Ok(Forecast::new(configuration(index)?, common));
    batch(count, begin, |index, (runner, prediction): (Arc<Runner<C>>, _)| {
        consume(index, runner.configuration(), prediction)
    })
}

/// The prediction of one configuration.
pub(super) fn one(resolved: &Resolved, common: &Common<'_>) -> Result<Prediction, BackupError> {
    let mut found = None;
    let this = |_| Ok::<&Resolved, BackupError>(resolved);
    each(1, this, common, |_, _, prediction| {
        found = Some(prediction);
        Ok::<(), BackupError>(())
    })?;
    Ok(found.expect("a batch hands on what it has not refused"))
}

/// What all configurations have in common.
#[derive(Clone, Copy)]
pub(super) struct Common<'a> {
    pub(super) options: &'a PredictOptions,
    pub(super) asked: Asked,
    pub(super) memo: Option<&'a Memo>,
}

/// A configuration that is being predicted; `E` is the error of the batch.
pub(super) struct Forecast<'a, C, E> {
    common: &'a Common<'a>,
    runner: Arc<Runner<'a, C>>,
    backup: Accumulator,
    verify: Accumulator,
    restore: Accumulator,
    /// The backups of the first nights.
    first: Vec<Arc<Outcome>>,
    stage: Stage,
    error: PhantomData<fn() -> E>,
}

/// How far it is.
enum Stage {
    /// Nights are to be run until there are so many.
    Nights(u32),
    /// What limits it is being asked.
    Limits { prediction: Box<Prediction>, questions: Arc<Questions>, answers: Answers },
    /// All is said.
    Done,
}

/// What the runs of a round share.
pub(super) struct Round<'a, C> {
    runner: Arc<Runner<'a, C>>,
    kind: RoundKind,
}

enum RoundKind {
    /// Nights from this one on.
    Nights { first: u64 },
    /// Runs with a part of the pipeline at no cost.
    Limits(Arc<Questions>),
}

/// What a run came to.
pub(super) enum Run {
    Night { backup: Arc<Outcome>, verify: Option<Arc<Outcome>>, restore: Option<Arc<Outcome>> },
    Answer(Arc<Outcome>),
}

impl<'a, C: AsRef<Resolved>, E> Forecast<'a, C, E> {
    pub(super) fn new(configuration: C, common: &'a Common<'a>) -> Self {
        let runner = Runner::new(configuration, common.options, common.memo);
        Forecast {
            common,
            runner: Arc::new(runner),
            backup: Accumulator::default(),
            verify: Accumulator::default(),
            restore: Accumulator::default(),
            first: Vec::new(),
            stage: Stage::Nights(0),
            error: PhantomData,
        }
    }

    /// What the nights so far come to.
    fn prediction(&mut self) -> Prediction {
        let level = self.common.options.level;
        let (backup, verify) = (&mut self.backup, &mut self.verify);
        let restore = &mut self.restore;
        let events = backup.events() + verify.events() + restore.events();
        let carried = [&*backup, verify, restore].map(Accumulator::carried_bytes);
        let extrapolated_bytes = carried.into_iter().fold(0, u64::saturating_add);
        let verify = verify.any().then(|| std::mem::take(verify).finish(level));
        let restore = restore.any().then(|| std::mem::take(restore).finish(level));
        let backup = std::mem::take(backup).finish(level);
        let totals =
            totals(&backup.elapsed_seconds, verify.as_ref().map(|v| &v.elapsed_seconds[..]));
        let durations = [Some(&backup), verify.as_ref(), restore.as_ref()].into_iter().flatten();
        let durations = durations.map(|o| &o.elapsed_seconds[..]).chain([&totals[..]]);
        let precision = self.common.options.precision.map(|p| p.judge(durations));
        Prediction {
            total_seconds: Range::of(&totals, level),
            backup,
            verify,
            restore,
            events,
            extrapolated_bytes,
            precision,
        }
    }

    /// Whether the nights so far are enough.
    fn is_precise(&self) -> bool {
        let Some(precision) = self.common.options.precision else { return true };
        let (backup, verify) = (self.backup.seconds(), self.verify.seconds());
        let verify = self.verify.any().then_some(&verify[..]);
        let totals = totals(&backup, verify);
        let restore = self.restore.any().then(|| self.restore.seconds());
        let durations = [Some(&backup[..]), verify, restore.as_deref(), Some(&totals[..])];
        precision.judge(durations.into_iter().flatten()).reached
    }
}

/// Backup and verification of each night.
fn totals(backup: &[f64], verify: Option<&[f64]>) -> Vec<f64> {
    match verify {
        Some(verify) => backup.iter().zip(verify).map(|(backup, verify)| backup + verify).collect(),
        None => backup.to_vec(),
    }
}

impl<'a, C, E> Job for Forecast<'a, C, E>
where
    C: AsRef<Resolved> + Send + Sync,
    E: From<BackupError> + Send,
{
    type Round = Round<'a, C>;
    type Run = Run;
    type Output = (Arc<Runner<'a, C>>, Prediction);
    type Error = E;

    fn run(round: &Round<'a, C>, number: u64) -> Result<Run, E> {
        let runner = &round.runner;
        Ok(match &round.kind {
            RoundKind::Nights { first } => {
                let replication = first + number;
                let backup = runner.backup(replication, &Relief::NONE)?;
                let verify = runner.verify(&backup, replication, &Relief::NONE)?;
                let restore = runner.restore(&backup, replication, &Relief::NONE)?;
                Run::Night { backup, verify, restore }
            }
            RoundKind::Limits(questions) => {
                let question = questions.at(number as usize);
                let (replication, relief) = (question.replication, question.relief);
                let outcome = match question.asks {
                    Asks::Backup => Some(runner.backup(replication, relief)?),
                    Asks::Verify(backup) => runner.verify(backup, replication, relief)?,
                    Asks::Restore(backup) => runner.restore(backup, replication, relief)?,
                };
                Run::Answer(outcome.expect("what has candidates is done"))
            }
        })
    }

    fn add(&mut self, run: Run) {
        match (run, &mut self.stage) {
            (Run::Night { backup, verify, restore }, _) => {
                self.backup.add(&backup);
                if let Some(verify) = verify {
                    self.verify.add(&verify);
                }
                if let Some(restore) = restore {
                    self.restore.add(&restore);
                }
                if self.first.len() < bottleneck::REPLICATIONS {
                    self.first.push(backup);
                }
            }
            (Run::Answer(outcome), Stage::Limits { questions, answers, .. }) => {
                answers.add(questions, &outcome);
            }
            (Run::Answer(_), _) => unreachable!("answers come after questions"),
        }
    }

    fn next(&mut self) -> Result<Next<Round<'a, C>, Self::Output>, E> {
        let options = self.common.options;
        let runner = Arc::clone(&self.runner);
        match std::mem::replace(&mut self.stage, Stage::Done) {
            Stage::Nights(run) => {
                let wanted = match options.precision {
                    _ if run == 0 => first_round(options),
                    Some(precision) if !self.is_precise() => precision.after(run),
                    _ => run,
                };
                if wanted > run {
                    self.stage = Stage::Nights(wanted);
                    let kind = RoundKind::Nights { first: u64::from(run) };
                    let runs = u64::from(wanted - run);
                    return Ok(Next::Round { round: Round { runner, kind }, runs });
                }
                let prediction = self.prediction();
                if self.common.asked == Asked::Durations {
                    return Ok(Next::Done((runner, prediction)));
                }
                let first = std::mem::take(&mut self.first);
                let questions = Questions::new(runner.resolved(), &prediction, first);
                let (runs, questions) = (questions.len() as u64, Arc::new(questions));
                self.stage = Stage::Limits {
                    prediction: Box::new(prediction),
                    questions: Arc::clone(&questions),
                    answers: Answers::default(),
                };
                let round = Round { runner, kind: RoundKind::Limits(questions) };
                Ok(Next::Round { round, runs })
            }
            Stage::Limits { mut prediction, questions, answers } => {
                answers.conclude(&questions, &mut prediction);
                Ok(Next::Done((runner, *prediction)))
            }
            Stage::Done => unreachable!("nothing comes after the end"),
        }
    }
}
