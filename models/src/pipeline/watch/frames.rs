//! Pictures of a watched run at equal distances of time: to be drawn one after the other.

use std::ops::ControlFlow;

use bakcast_sim::{SimTime, Span};
use serde::Serialize;

use super::{
    Activity, BuffersByPlace, BytesSoFar, Cast, DeviceView, JobStage, JobView, Moment, OnDevice,
    Watcher, WorkerState,
};
use crate::device::Direction;
use crate::outcome::Outcome;
use crate::wait::ThreadState;

/// Takes pictures of a run. At most a given number of them is kept, however long it takes.
#[derive(Debug, Clone)]
pub struct Frames {
    most: usize,
    /// The first and the last time of which there may be a picture.
    from_ns: u64,
    until_ns: u64,
    width_ns: u64,
    /// Pictures are thinned when there are too many of them.
    thins: bool,
    /// The number of the next picture.
    next: u64,
    film: Film,
}

/// The pictures of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Film {
    /// Distance of two pictures.
    pub frame_seconds: f64,
    /// Who takes part.
    pub cast: Cast,
    /// First to last.
    pub frames: Vec<Frame>,
    /// Length of the run; absent if it was given up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elapsed_seconds: Option<f64>,
}

/// A run at one time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Frame {
    /// The time.
    pub at_seconds: f64,
    /// Events up to it.
    pub events: u64,
    /// The job that is watched, then those beside it.
    pub jobs: Vec<JobFrame>,
    /// What each worker does.
    pub workers: Vec<WorkerFrame>,
    /// What each device does, in the order of the machine.
    pub devices: Vec<DeviceFrame>,
}

/// A job at one time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JobFrame {
    /// How far it is.
    pub stage: JobStage,
    /// What its coordinator does.
    #[serde(serialize_with = "state_name")]
    pub coordinator: ThreadState,
    /// Readers, then writers.
    pub threads: Vec<ThreadFrame>,
    /// Bytes so far.
    #[serde(flatten)]
    pub bytes: BytesSoFar,
    /// Where its buffers are.
    pub buffers: BuffersByPlace,
}

/// A reader or a writer at one time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ThreadFrame {
    /// Its state.
    #[serde(serialize_with = "state_name")]
    pub state: ThreadState,
    /// Transfers it has under way.
    pub under_way: u32,
    /// Bytes it has read or written.
    pub bytes: u64,
}

/// A worker at one time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WorkerFrame {
    /// What it does.
    pub activity: Activity,
    /// For which job; absent if it is idle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job: Option<usize>,
    /// How much of its buffer is done, from 0 to 1; absent if it is idle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub done: Option<f64>,
}

/// A device at one time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DeviceFrame {
    /// What it does.
    pub activity: Activity,
    /// Transfers on it: one, or on a link one of each connection in use.
    pub serving: Vec<TransferFrame>,
    /// Transfers that wait behind those.
    pub waiting: usize,
}

/// A transfer at one time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TransferFrame {
    /// The job it belongs to.
    pub job: usize,
    /// The reader or writer, among those of the job.
    pub thread: usize,
    /// It reads; otherwise it writes.
    pub reads: bool,
    /// Bytes it moves.
    pub bytes: u64,
    /// How much of its time on the device has passed, from 0 to 1; absent where others may come
    /// and slow it down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub done: Option<f64>,
}

fn state_name<S: serde::Serializer>(state: &ThreadState, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(state.name())
}

impl Frames {
    /// The whole of a run of any length in at most `most` pictures, and about half as many at the
    /// least.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self::at(SimTime::ZERO, SimTime::MAX, 1, most, true)
    }

    /// `count` pictures from one time to another: what happens transfer by transfer can be seen in
    /// a short part of a run only. A run that ends sooner has fewer.
    #[must_use]
    pub fn between(from: SimTime, until: SimTime, count: usize) -> Self {
        let span = until.as_nanos().saturating_sub(from.as_nanos());
        let steps = (count.max(2) - 1) as u64;
        Self::at(from, until, span.div_ceil(steps), count, false)
    }

    fn at(from: SimTime, until: SimTime, width_ns: u64, most: usize, thins: bool) -> Self {
        let cast = Cast { jobs: Vec::new(), workers: 0, devices: Vec::new() };
        Frames {
            most: most.max(2),
            from_ns: from.as_nanos(),
            until_ns: until.as_nanos(),
            width_ns: width_ns.max(1),
            thins,
            next: 0,
            film: Film { frame_seconds: 0.0, cast, frames: Vec::new(), elapsed_seconds: None },
        }
    }

    /// The pictures taken.
    #[must_use]
    pub fn into_film(self) -> Film {
        let frame_seconds = Span::from_nanos(self.width_ns).as_seconds();
        Film { frame_seconds, ..self.film }
    }

    /// When the next picture is due.
    fn due_ns(&self) -> u64 {
        self.from_ns.saturating_add(self.next.saturating_mul(self.width_ns))
    }

    /// Every other picture is given up; the distance doubles.
    fn thin(&mut self) {
        let mut index = 0;
        self.film.frames.retain(|_| {
            index += 1;
            index % 2 == 1
        });
        self.width_ns *= 2;
        self.next = self.next.div_ceil(2);
    }

    /// Finds a distance at which those up to `end_ns` are not too many.
    fn make_room(&mut self, end_ns: u64) {
        while self.thins && (end_ns - self.from_ns.min(end_ns)) / self.width_ns >= self.most as u64
        {
            self.thin();
        }
    }
}

impl Watcher for Frames {
    fn begin(&mut self, cast: &Cast) {
        self.film.cast = cast.clone();
    }

    fn see(&mut self, moment: &Moment<'_>) -> ControlFlow<()> {
        let end = moment.end().as_nanos();
        if self.due_ns() >= end {
            return ControlFlow::Continue(());
        }
        self.make_room(end);
        while self.due_ns() < end {
            let due = self.due_ns();
            if due > self.until_ns || self.film.frames.len() >= self.most {
                return ControlFlow::Continue(());
            }
            if due >= moment.begin().as_nanos() {
                self.film.frames.push(picture(moment, SimTime::from_nanos(due)));
            }
            self.next += 1;
        }
        ControlFlow::Continue(())
    }

    fn end(&mut self, outcome: &Outcome) {
        self.film.elapsed_seconds = Some(outcome.elapsed.as_seconds());
    }
}

pub(super) fn picture(moment: &Moment<'_>, at: SimTime) -> Frame {
    let jobs = 0..moment.cast().jobs.len();
    Frame {
        at_seconds: at.as_seconds(),
        events: moment.events(),
        jobs: jobs.map(|job| of_job(moment.job(job))).collect(),
        workers: moment.workers().map(|worker| of_worker(worker, at)).collect(),
        devices: moment.devices().map(|device| of_device(&device, at)).collect(),
    }
}

fn of_job(job: JobView<'_>) -> JobFrame {
    let threads = job.threads().map(|thread| ThreadFrame {
        state: thread.state,
        under_way: thread.under_way,
        bytes: thread.bytes,
    });
    JobFrame {
        stage: job.stage(),
        coordinator: job.coordinator(),
        threads: threads.collect(),
        bytes: job.bytes(),
        buffers: job.buffers(),
    }
}

fn of_worker(worker: WorkerState, at: SimTime) -> WorkerFrame {
    let work = match worker {
        WorkerState::Working(work) => Some(work),
        WorkerState::Starved | WorkerState::Blocked => None,
    };
    WorkerFrame {
        activity: worker.activity(),
        job: work.map(|work| work.job),
        done: work.map(|work| share(work.begin, at, work.end)),
    }
}

fn of_device(device: &DeviceView<'_>, at: SimTime) -> DeviceFrame {
    let transfer = |transfer: OnDevice| {
        let done = |begin: SimTime| transfer.end.map(|end| share(begin, at, end));
        TransferFrame {
            job: transfer.job,
            thread: transfer.thread,
            reads: transfer.direction == Direction::Read,
            bytes: transfer.bytes,
            done: transfer.begin.and_then(done),
        }
    };
    DeviceFrame {
        activity: device.activity_at(at),
        serving: device.serving().map(transfer).collect(),
        waiting: device.waiting(),
    }
}

/// How much of the time from `begin` to `end` has passed.
fn share(begin: SimTime, at: SimTime, end: SimTime) -> f64 {
    if at <= begin || end <= begin {
        return 0.0;
    }
    (at.since(begin).as_seconds() / end.since(begin).as_seconds()).min(1.0)
}
