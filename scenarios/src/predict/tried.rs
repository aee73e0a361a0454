//! Batches that go on where a configuration is refused.
//!
//! A grid of settings has corners that cannot be: too many transfers to simulate, a device that is
//! named nowhere. Each is an answer about that configuration and none about the others.

use std::marker::PhantomData;
use std::sync::Arc;

use bakcast_models::pipeline::BackupError;
use bakcast_sim::{Job, Next, batch};

use super::batch::{Common, Forecast};
use super::memo::Runner;
use super::{Asked, PredictOptions, Prediction};
use crate::error::ScenarioError;
use crate::resolve::Resolved;

/// Why a configuration has no prediction.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// It is no scenario.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// It is too large to simulate, or our bug.
    #[error(transparent)]
    Backup(#[from] BackupError),
}

/// As [`super::predict_each`], but a configuration that is refused is handed on as such, and those
/// after it are predicted all the same. The batch ends early only if `consume` says so.
///
/// # Errors
/// The error of `consume`.
pub fn try_each<C, E>(
    count: u64,
    configuration: impl Fn(u64) -> Result<C, ScenarioError> + Sync,
    options: &PredictOptions,
    asked: Asked,
    consume: impl FnMut(u64, Result<(&C, Prediction), Refused>) -> Result<(), E> + Send,
) -> Result<(), E>
where
    C: AsRef<Resolved> + Send + Sync,
    E: Send,
{
    let memo = (count > 1).then(super::memo::Memo::default);
    each(count, configuration, &Common { options, asked, memo: memo.as_ref() }, consume)
}

/// The same with whatever runs are kept.
pub(super) fn each<C, E>(
    count: u64,
    configuration: impl Fn(u64) -> Result<C, ScenarioError> + Sync,
    common: &Common<'_>,
    mut consume: impl FnMut(u64, Result<(&C, Prediction), Refused>) -> Result<(), E> + Send,
) -> Result<(), E>
where
    C: AsRef<Resolved> + Send + Sync,
    E: Send,
{
    let begin = |index| {
        let job = configuration(index).map(|found| Forecast::new(found, common));
        Ok(Tried { job: job.map_err(|error| Some(error.into())), error: PhantomData })
    };
    batch(count, begin, |index, ended: Ended<'_, C>| match ended {
        Ok((runner, prediction)) => consume(index, Ok((runner.configuration(), prediction))),
        Err(refused) => consume(index, Err(refused)),
    })
}

type Ended<'a, C> = Result<(Arc<Runner<'a, C>>, Prediction), Refused>;

/// A job, or why it cannot be done; the reason is taken out once.
struct Tried<J, E> {
    job: Result<J, Option<Refused>>,
    error: PhantomData<fn() -> E>,
}

impl<J, E: Send> Job for Tried<J, E>
where
    J: Job<Error = BackupError>,
{
    type Round = J::Round;
    type Run = Result<J::Run, BackupError>;
    type Output = Result<J::Output, Refused>;
    type Error = E;

    fn run(round: &J::Round, number: u64) -> Result<Self::Run, E> {
        Ok(J::run(round, number))
    }

    fn add(&mut self, run: Self::Run) {
        match (&mut self.job, run) {
            (Ok(job), Ok(run)) => job.add(run),
            (Ok(_), Err(error)) => self.job = Err(Some(error.into())),
            // The first of them has said it.
            (Err(_), _) => {}
        }
    }

    fn next(&mut self) -> Result<Next<J::Round, Self::Output>, E> {
        let next = match &mut self.job {
            Ok(job) => job.next().map_err(Refused::from),
            Err(refused) => Err(refused.take().unwrap_or_else(|| unreachable!("ended twice"))),
        };
        Ok(match next {
            Ok(Next::Round { round, runs }) => Next::Round { round, runs },
            Ok(Next::Done(output)) => Next::Done(Ok(output)),
            Err(refused) => Next::Done(Err(refused)),
        })
    }
}
