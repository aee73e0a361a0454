//! Watching a run: everything that can be seen of it, from event to event.
//!
//! A watched run simulates every transfer, its ends in a calendar, and comes to the same as one
//! that nobody watches ([`Terms`] that are exact). Between two events nothing changes, so that is
//! what a [`Watcher`] is shown: a [`Moment`] with its beginning, its end, what happened at its
//! beginning, and all that stays as it is until its end. Integrals over time are sums over moments.
//!
//! Nothing is kept: the memory of a watched run does not grow with its length. A watcher that keeps
//! little is [`Series`], one that keeps a few pictures [`Frames`].
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use bakcast_models::pipeline::watch::{Moment, Watcher};
//!
//! /// The time in which no raw buffer is free.
//! #[derive(Default)]
//! struct Full {
//!     nanoseconds: u64,
//! }
//!
//! impl Watcher for Full {
//!     fn see(&mut self, moment: &Moment<'_>) -> ControlFlow<()> {
//!         if moment.main().buffers().raw.free == 0 {
//!             self.nanoseconds += moment.span().as_nanos();
//!         }
//!         ControlFlow::Continue(())
//!     }
//! }
//! ```
//!
//! Of jobs beside a backup the same is shown as of the backup itself, until that has ended; then
//! the watcher is shown no more. Devices serve all jobs: what they are told to do is that of all.

mod buffers;
mod cast;
mod closeup;
mod frames;
mod grid;
mod moment;
mod series;

use std::ops::ControlFlow;

use bakcast_sim::{
    Calendar, Flow, Limits, Model, RunError, RunSummary, SimTime, Slot, Streams, run,
};

use super::facilities::{Facilities, SlotUse};
use super::journal::Records;
use super::outline::Outline;
use super::simulation::ScheduledRun;
use super::together::Running;
use super::{BackupError, Terms, lower, outline};
use crate::device::{Direction, Transfer};
use crate::outcome::Outcome;
use crate::plan::{Backup, Machine, Restore, Verify};

pub use buffers::{BuffersByPlace, EncodedBuffers, MediaBuffers, RawBuffers};
pub use cast::{Cast, CastDevice, CastJob, CastThread};
pub use closeup::Closeup;
pub use frames::{
    DeviceFrame, Film, Frame, Frames, JobFrame, ThreadFrame, TransferFrame, WorkerFrame,
};
use moment::View;
pub use moment::{
    Activity, BytesSoFar, DeviceView, Happened, JobStage, JobView, Moment, OnDevice, Service,
    ThreadView, Work, WorkerState,
};
pub use series::{Interval, MeanBuffers, Series, SeriesOfRun, Shares};

/// Looks on while a run goes on.
pub trait Watcher {
    /// Everything is ready; the clock stands at zero.
    fn begin(&mut self, _cast: &Cast) {}

    /// A moment passes: they come in order, each begins when the one before has ended. Break: the
    /// watcher has seen enough, and the run is given up.
    fn see(&mut self, moment: &Moment<'_>) -> ControlFlow<()>;

    /// The run is over, and not given up.
    fn end(&mut self, _outcome: &Outcome) {}
}

impl<W: Watcher + ?Sized> Watcher for &mut W {
    fn begin(&mut self, cast: &Cast) {
        (**self).begin(cast);
    }

    fn see(&mut self, moment: &Moment<'_>) -> ControlFlow<()> {
        (**self).see(moment)
    }

    fn end(&mut self, outcome: &Outcome) {
        (**self).end(outcome);
    }
}

/// Both look on; either may give the run up.
impl<A: Watcher, B: Watcher> Watcher for (A, B) {
    fn begin(&mut self, cast: &Cast) {
        self.0.begin(cast);
        self.1.begin(cast);
    }

    fn see(&mut self, moment: &Moment<'_>) -> ControlFlow<()> {
        self.0.see(moment)?;
        self.1.see(moment)
    }

    fn end(&mut self, outcome: &Outcome) {
        self.0.end(outcome);
        self.1.end(outcome);
    }
}

/// Runs a backup once and shows it. Whatever `terms` say, it is exact and by calendar.
///
/// Returns `None` if the watcher has given it up.
///
/// # Errors
/// [`BackupError`] if the backup is too large to simulate in full.
pub fn watch_backup(
    machine: &Machine,
    backup: &Backup,
    streams: &Streams,
    terms: &Terms,
    watcher: &mut impl Watcher,
) -> Result<Option<Outcome>, BackupError> {
    let terms = Terms { exact: true, scheduled: true, ..terms.clone() };
    if backup.beside.is_empty() || terms.relief.beside {
        let outline = outline::backup(backup, &terms.relief);
        return watch_one(machine, &outline, streams, &terms, watcher);
    }
    let (running, calendar) =
        lower::several::<Records>(machine, backup, streams, &terms)?.scheduled();
    let run = &running.together;
    let jobs = run.careers.iter().zip(&run.crews).map(|(c, crew)| (c.name.as_str(), crew));
    let workers = run.facilities.journal.workers.len();
    let cast = Cast::new(jobs, &run.devices, &run.device_names, workers);
    watch(running, calendar, cast, watcher)
}

/// Runs a verification once and shows it, as [`watch_backup`] does a backup.
///
/// # Errors
/// [`BackupError`] if there is too much to simulate in full.
pub fn watch_verify(
    machine: &Machine,
    verify: &Verify,
    streams: &Streams,
    terms: &Terms,
    watcher: &mut impl Watcher,
) -> Result<Option<Outcome>, BackupError> {
    let terms = Terms { exact: true, scheduled: true, ..terms.clone() };
    let outline = outline::verification(verify, &terms.relief);
    watch_one(machine, &outline, streams, &terms, watcher)
}

/// Runs a restore once and shows it, as [`watch_backup`] does a backup.
///
/// # Errors
/// [`BackupError`] if there is too much to simulate in full.
pub fn watch_restore(
    machine: &Machine,
    restore: &Restore,
    streams: &Streams,
    terms: &Terms,
    watcher: &mut impl Watcher,
) -> Result<Option<Outcome>, BackupError> {
    let terms = Terms { exact: true, scheduled: true, ..terms.clone() };
    let outline = outline::restore(restore, &terms.relief);
    watch_one(machine, &outline, streams, &terms, watcher)
}

fn watch_one(
    machine: &Machine,
    outline: &Outline<'_>,
    streams: &Streams,
    terms: &Terms,
    watcher: &mut impl Watcher,
) -> Result<Option<Outcome>, BackupError> {
    let (simulation, facilities) =
        lower::one_scheduled::<Records>(machine, outline, streams, terms)?;
    let workers = facilities.journal.workers.len();
    let jobs = [("", &simulation.crew)].into_iter();
    let cast = Cast::new(jobs, &simulation.devices, &simulation.device_names, workers);
    let (model, calendar) = simulation.scheduled(facilities);
    watch(model, calendar, cast, watcher)
}

/// A run that can be watched.
trait Visible: Model + Sized {
    fn view(&self) -> View<'_>;

    fn facilities(&mut self) -> &mut Facilities<Records>;

    /// When the job that is watched ends, once that is known.
    fn end(&self) -> Option<SimTime>;

    fn outcome(self, ran: Result<RunSummary, RunError>) -> Result<Outcome, BackupError>;
}

impl Visible for ScheduledRun<Records> {
    fn view(&self) -> View<'_> {
        let crews = std::slice::from_ref(&self.simulation.crew);
        let records = &self.facilities.journal;
        View { crews, devices: &self.simulation.devices, records }
    }

    fn facilities(&mut self) -> &mut Facilities<Records> {
        &mut self.facilities
    }

    fn end(&self) -> Option<SimTime> {
        self.done
    }

    fn outcome(self, ran: Result<RunSummary, RunError>) -> Result<Outcome, BackupError> {
        self.conclude(ran)
    }
}

impl Visible for Running<Records> {
    fn view(&self) -> View<'_> {
        let run = &self.together;
        View { crews: &run.crews, devices: &run.devices, records: &run.facilities.journal }
    }

    fn facilities(&mut self) -> &mut Facilities<Records> {
        &mut self.together.facilities
    }

    fn end(&self) -> Option<SimTime> {
        let ended = self.together.careers[0].ended?;
        Some(ended + self.together.crews[0].finish)
    }

    fn outcome(self, ran: Result<RunSummary, RunError>) -> Result<Outcome, BackupError> {
        self.conclude(ran)
    }
}

/// A run and who watches it.
struct Watched<'a, R, W> {
    run: R,
    watcher: &'a mut W,
    cast: Cast,
    /// When the last event was.
    since: SimTime,
    events: u64,
    happened: Happened,
    passed: Vec<Service>,
    given_up: bool,
    /// The end of the watched job has been shown.
    has_ended: bool,
}

fn watch<R: Visible>(
    model: R,
    mut calendar: Calendar,
    cast: Cast,
    watcher: &mut impl Watcher,
) -> Result<Option<Outcome>, BackupError> {
    watcher.begin(&cast);
    let mut watched = Watched {
        run: model,
        watcher,
        cast,
        since: SimTime::ZERO,
        events: 0,
        happened: Happened::SetUp,
        passed: Vec::new(),
        given_up: false,
        has_ended: false,
    };
    let ran = run(&mut watched, &mut calendar, Limits::NONE);
    if ran.is_ok() && !watched.given_up {
        watched.show_end();
    }
    let Watched { run, watcher, given_up, .. } = watched;
    if given_up {
        return Ok(None);
    }
    let outcome = run.outcome(ran)?;
    watcher.end(&outcome);
    Ok(Some(outcome))
}

impl<R: Visible, W: Watcher> Watched<'_, R, W> {
    /// Shows how it has been since the last event, until `now`.
    fn show(&mut self, now: SimTime) {
        if self.has_ended || self.given_up {
            return;
        }
        let job_end = self.run.end();
        let end = job_end.map_or(now, |end| end.min(now));
        let moment = Moment {
            begin: self.since,
            end,
            events: self.events,
            happened: self.happened,
            passed: &self.passed,
            view: self.run.view(),
            cast: &self.cast,
        };
        self.given_up = self.watcher.see(&moment).is_break();
        self.has_ended = job_end == Some(end);
    }

    /// The run is over: shows what has not been shown.
    fn show_end(&mut self) {
        if let Some(end) = self.run.end() {
            self.show(end);
        }
    }

    /// What the event that has been handled was.
    fn note(&mut self, now: SimTime, slot_use: SlotUse, was_zeroing: bool) {
        let View { records, .. } = self.run.view();
        let service = |transfer: Transfer, times: [SimTime; 3], device, is_last| {
            let (job, thread) = self.cast.locate(transfer.thread);
            let [queued, begin, end] = times;
            let Transfer { bytes, direction, offset: offset_bytes, .. } = transfer;
            let is_zeroing = direction == Direction::Write && was_zeroing;
            let device = Option::unwrap_or_else(device, || {
                *self.cast.jobs[job].threads[thread].devices.last().expect("a path leads somewhere")
            });
            Service {
                job,
                thread,
                device,
                direction,
                bytes,
                offset_bytes,
                queued,
                begin,
                end,
                is_last,
                is_zeroing,
            }
        };
        let passed = records.passed.iter().map(|transfer| service(*transfer, [now; 3], None, true));
        let passed: Vec<Service> = passed.collect();
        let happened = match (records.left, records.worked, slot_use) {
            (Some((device, visit)), ..) => {
                let (bytes, thread) = (visit.bytes, visit.thread);
                let (direction, offset) = (visit.direction, visit.offset);
                let transfer = Transfer { bytes, thread, direction, offset };
                let times = [visit.queued, visit.begin.unwrap_or(now), now];
                Happened::Served(service(transfer, times, Some(device), records.has_arrived))
            }
            (_, Some(working), _) => Happened::Worked(working.into()),
            (_, _, SlotUse::Coordinator { crew }) => Happened::Begins { job: usize::from(crew) },
            _ => Happened::OnItsWay,
        };
        (self.happened, self.passed) = (happened, passed);
    }
}

impl<R: Visible, W: Watcher> Model for Watched<'_, R, W> {
    fn handle(&mut self, now: SimTime, slot: Slot, calendar: &mut Calendar) -> Flow {
        self.show(now);
        if self.given_up {
            return Flow::Stop;
        }
        let facilities = self.run.facilities();
        let slot_use = facilities.slots[slot.index()];
        facilities.journal.turn_to(now);
        // A restore zeroes, and it is alone.
        let was_zeroing = self.run.view().crews[0].job.zeroing > 0;
        let flow = self.run.handle(now, slot, calendar);
        (self.since, self.events) = (now, self.events + 1);
        self.note(now, slot_use, was_zeroing);
        flow
    }
}
