//! `frames`: one night as it passes, for a picture that moves and for graphs over its time.
//!
//! A true run: every transfer is simulated, nothing is carried forward, and the night is one of
//! those that `predict` counts. Of the whole there is a film of pictures at equal distances, and a
//! series of means over equal intervals; with `events`, pictures of so many events one by one from
//! `from_seconds` on. A run with more events than [`MOST_EVENTS`] is shown up to there: its length
//! is then absent.

use std::ops::ControlFlow;

use bakcast_models::outcome::Outcome;
use bakcast_models::pipeline::watch::{
    Closeup, Film, Frames, Moment, Series, SeriesOfRun, Watcher,
};
use bakcast_report::Warning;
use bakcast_scenarios::predict::{OneNight, REPLICATIONS_MAX};
use bakcast_scenarios::{Loaded, Resolved};
use bakcast_sim::{SimTime, Span};
use serde::Serialize;

use crate::choice::Choice;
use crate::envelope::{of_scenario, run_of, written};
use crate::failure::Failure;
use crate::predict::given;
use crate::request::{OperationWord, Request};

/// Most events of a run that are watched.
const MOST_EVENTS: u64 = 2_000_000;
/// Most transfers of a backup that is run for what comes after it.
const MOST_TRANSFERS: u64 = 1_000_000;
/// Pictures and intervals if nothing is said, and at the most.
const USUAL: usize = 240;
const MOST: usize = 4_000;
/// Most threads, workers and devices on all pictures together: what an answer has to hold.
const MOST_MEMBERS: usize = 400_000;

/// One night as it passes.
#[derive(Debug, Serialize)]
struct FramesResult {
    scenario: String,
    title: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    set: Vec<String>,
    operation: &'static str,
    night: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    series: Option<SeriesOfRun>,
    film: Film,
}

/// What is to be looked at.
enum Look {
    Whole { count: usize, intervals: usize },
    Events { from: SimTime, count: usize },
}

/// Gives a run up after [`MOST_EVENTS`].
struct Patience;

impl Watcher for Patience {
    fn see(&mut self, moment: &Moment<'_>) -> ControlFlow<()> {
        if moment.events() < MOST_EVENTS {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }
}

pub(crate) fn run(request: &Request) -> Result<String, Failure> {
    let options = request.options()?;
    let night = request.night.unwrap_or(0);
    if night >= REPLICATIONS_MAX {
        return Err(Failure::usage(format!("night {night}; accepted: below {REPLICATIONS_MAX}")));
    }
    let loaded = Choice::new(request)?.load()?;
    let one = OneNight::new(&loaded.resolved, &options, u64::from(night));
    let operation = request.operation.unwrap_or(OperationWord::Backup);
    let before = before(&one, operation)?;
    let look = look(request, members(one.resolved()))?;
    let (film, series) = match look {
        Look::Whole { count, intervals } => {
            let mut all = ((Series::new(intervals), Frames::new(count)), Patience);
            watch(&one, operation, before.as_ref(), &mut all)?;
            let ((series, frames), Patience) = all;
            (frames.into_film(), Some(series.of_run()))
        }
        Look::Events { from, count } => {
            let mut all = (Closeup::new(from, count), Patience);
            watch(&one, operation, before.as_ref(), &mut all)?;
            let (cast, frames) = all.0.into_parts();
            (Film { frame_seconds: 0.0, cast, frames, elapsed_seconds: None }, None)
        }
    };
    let result = FramesResult {
        scenario: loaded.name.clone(),
        title: loaded.resolved.title.clone(),
        set: given(request)?,
        operation: name_of(operation),
        night,
        series,
        film,
    };
    written(run_of("frames", &options, &loaded), warnings(&loaded), result)
}

fn warnings(loaded: &Loaded) -> Vec<Warning> {
    of_scenario(loaded).collect()
}

const fn name_of(operation: OperationWord) -> &'static str {
    match operation {
        OperationWord::Backup | OperationWord::Total => "backup",
        OperationWord::Verify => "verify",
        OperationWord::Restore => "restore",
    }
}

/// The backup that a verification or a restore comes after.
fn before(one: &OneNight<'_>, operation: OperationWord) -> Result<Option<Outcome>, Failure> {
    let resolved = one.resolved();
    let (there, hint) = match operation {
        OperationWord::Backup | OperationWord::Total => return Ok(None),
        OperationWord::Verify => (resolved.verification.is_some(), "verification"),
        OperationWord::Restore => (resolved.restoration.is_some(), "restore"),
    };
    if !there {
        return Err(Failure::input(format!("the scenario has no {hint}")));
    }
    let size = resolved.backup.buffers.transfer_size.get().max(1);
    let transfers = resolved.database_bytes().get() / size;
    if transfers > MOST_TRANSFERS {
        return Err(Failure::too_much(format!(
            "the {hint} comes after a backup of {transfers} transfers, more than a page runs for \
             a picture ({MOST_TRANSFERS}); take a smaller database or larger transfers"
        )));
    }
    Ok(Some(one.backup()?))
}

fn watch(
    one: &OneNight<'_>,
    operation: OperationWord,
    before: Option<&Outcome>,
    watcher: &mut impl Watcher,
) -> Result<(), Failure> {
    match (operation, before) {
        (OperationWord::Verify, Some(backup)) => one.watch_verify(backup, watcher)?,
        (OperationWord::Restore, Some(backup)) => one.watch_restore(backup, watcher)?,
        _ => one.watch_backup(watcher)?,
    };
    Ok(())
}

/// Threads, workers and devices of one picture, about.
fn members(resolved: &Resolved) -> usize {
    let jobs = 1 + resolved.backup.beside.len();
    let threads = resolved.backup.volumes.len() + resolved.backup.stripes.len();
    jobs * (threads + 10) + resolved.machine.devices.len() + 64
}

fn look(request: &Request, members: usize) -> Result<Look, Failure> {
    let within = |asked: Option<usize>, what: &str| match asked.unwrap_or(USUAL) {
        count @ 2..=MOST => Ok(count.min((MOST_MEMBERS / members.max(1)).max(2))),
        count => Err(Failure::usage(format!("{count} {what}; accepted: from 2 to {MOST}"))),
    };
    let from = request.from_seconds.unwrap_or(0.0);
    if !(0.0..=1e9).contains(&from) {
        return Err(Failure::usage(format!("from_seconds {from}; accepted: from 0 to 1e9")));
    }
    match request.events {
        Some(events) => {
            let from = SimTime::ZERO + Span::from_seconds(from);
            Ok(Look::Events { from, count: within(Some(events), "events")? })
        }
        None => Ok(Look::Whole {
            count: within(request.count, "pictures")?,
            intervals: within(request.intervals, "intervals")?,
        }),
    }
}
