//! What can be seen of a run between two events.

use bakcast_sim::{SimTime, Span};
use serde::Serialize;

use super::super::crew::Crew;
use super::super::devices::DeviceInUse;
use super::super::journal::{Records, Visit, Working};
use super::{BuffersByPlace, Cast, EncodedBuffers, MediaBuffers, RawBuffers};
use crate::device::Direction;
use crate::wait::ThreadState;

/// What a watched run is made of, as it is now.
pub(in super::super) struct View<'a> {
    pub(in super::super) crews: &'a [Crew],
    pub(in super::super) devices: &'a [DeviceInUse],
    pub(in super::super) records: &'a Records,
}

/// The time from one event to the next, in which nothing changes but that a device that has been
/// asked for a transfer takes it up.
pub struct Moment<'a> {
    pub(super) begin: SimTime,
    pub(super) end: SimTime,
    pub(super) events: u64,
    pub(super) happened: Happened,
    pub(super) passed: &'a [Service],
    pub(super) view: View<'a>,
    pub(super) cast: &'a Cast,
}

/// The event at the beginning of a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Happened {
    /// The statement was given: nothing moves until everything is set up.
    SetUp,
    /// A job begins to copy.
    Begins {
        /// Which one.
        job: usize,
    },
    /// A device has served a transfer.
    Served(Service),
    /// A worker has finished a buffer.
    Worked(Work),
    /// A transfer has gone a part of its way that takes no device's time: a round trip.
    OnItsWay,
}

/// A transfer that a device has served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Service {
    /// The job it belongs to.
    pub job: usize,
    /// The reader or writer, among those of the job.
    pub thread: usize,
    /// The device or link.
    pub device: usize,
    /// Which way.
    pub direction: Direction,
    /// Bytes it moved.
    pub bytes: u64,
    /// Bytes of its thread before it.
    pub offset_bytes: u64,
    /// When the device was asked for it.
    pub queued: SimTime,
    /// When the device took it up. Before that come other transfers and the device's latency, or
    /// the link's round trip.
    pub begin: SimTime,
    /// When it ended.
    pub end: SimTime,
    /// No device comes after this one on its path: the transfer is complete.
    pub is_last: bool,
    /// It wrote zeroes, which count as no bytes written.
    pub is_zeroing: bool,
}

/// A buffer that a worker works on, or has worked on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Work {
    /// Which worker.
    pub worker: usize,
    /// For which job.
    pub job: usize,
    /// Bytes of the buffer as it was read.
    pub bytes: u64,
    /// When it began.
    pub begin: SimTime,
    /// When it ends.
    pub end: SimTime,
}

impl From<Working> for Work {
    fn from(working: Working) -> Self {
        let Working { worker, crew, bytes, begin, end } = working;
        Work { worker, job: crew, bytes, begin, end }
    }
}

/// What a station does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Activity {
    /// It serves.
    Working,
    /// Idle for want of work. Of a device: or it waits for the latency of a transfer.
    Starved,
    /// Idle although there is work: the stage behind has no free buffer.
    Blocked,
}

impl Activity {
    /// All there are.
    pub const ALL: [Activity; 3] = [Activity::Working, Activity::Starved, Activity::Blocked];

    /// As printed.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Activity::Working => "working",
            Activity::Starved => "starved",
            Activity::Blocked => "blocked",
        }
    }
}

/// What a worker does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkerState {
    /// It works on a buffer.
    Working(Work),
    /// No buffer waits for it.
    Starved,
    /// A buffer of the watched job waits, but there is no free one for the result.
    Blocked,
}

impl WorkerState {
    /// In one word.
    #[must_use]
    pub const fn activity(self) -> Activity {
        match self {
            WorkerState::Working(_) => Activity::Working,
            WorkerState::Starved => Activity::Starved,
            WorkerState::Blocked => Activity::Blocked,
        }
    }
}

/// How far a job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum JobStage {
    /// It is being set up, or is still to begin.
    Starting,
    /// It copies.
    Copying,
    /// Everything is copied.
    Done,
}

impl<'a> Moment<'a> {
    /// Since when it has been so, from the beginning of the run.
    #[must_use]
    pub fn begin(&self) -> SimTime {
        self.begin
    }

    /// The time of the next event; equal to the beginning if that comes at once.
    #[must_use]
    pub fn end(&self) -> SimTime {
        self.end
    }

    /// How long it stays so.
    #[must_use]
    pub fn span(&self) -> Span {
        self.end.since(self.begin)
    }

    /// Events handled up to its beginning.
    #[must_use]
    pub fn events(&self) -> u64 {
        self.events
    }

    /// What happened at its beginning.
    #[must_use]
    pub fn happened(&self) -> Happened {
        self.happened
    }

    /// The transfer that a device was done with at its beginning.
    #[must_use]
    pub fn served(&self) -> Option<&Service> {
        match &self.happened {
            Happened::Served(service) => Some(service),
            _ => None,
        }
    }

    /// Transfers to NUL that began and ended at its beginning.
    #[must_use]
    pub fn passed(&self) -> &'a [Service] {
        self.passed
    }

    /// Who takes part.
    #[must_use]
    pub fn cast(&self) -> &'a Cast {
        self.cast
    }

    /// The job that is watched.
    #[must_use]
    pub fn main(&self) -> JobView<'a> {
        self.job(0)
    }

    /// A job: 0 is the one that is watched.
    ///
    /// # Panics
    /// If there are not so many.
    #[must_use]
    pub fn job(&self, index: usize) -> JobView<'a> {
        JobView { crew: &self.view.crews[index] }
    }

    /// What each worker does.
    pub fn workers(&self) -> impl Iterator<Item = WorkerState> + use<'a> {
        let is_blocked = self.view.crews[0].processors.clock.blocked() > 0;
        let workers = &self.view.records.workers[..self.cast.workers];
        workers.iter().map(move |working| match working {
            Some(working) => WorkerState::Working((*working).into()),
            None if is_blocked => WorkerState::Blocked,
            None => WorkerState::Starved,
        })
    }

    /// Every device, in the order of the machine.
    pub fn devices(&self) -> impl Iterator<Item = DeviceView<'a>> + use<'a> {
        let (begin, end, cast) = (self.begin, self.end, self.cast);
        let devices = self.view.devices.iter().zip(&self.view.records.devices);
        devices.map(move |(device, lanes)| DeviceView { device, lanes, begin, end, cast })
    }
}

/// A job as it is.
#[derive(Clone, Copy)]
pub struct JobView<'a> {
    crew: &'a Crew,
}

/// What a reader or a writer does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThreadView {
    /// Its state.
    pub state: ThreadState,
    /// Transfers it has under way.
    pub under_way: u32,
    /// Bytes it has read or written.
    pub bytes: u64,
}

/// Bytes of a job so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct BytesSoFar {
    /// Read from its source.
    pub read_bytes: u64,
    /// Of those, worked on: compressed or decompressed.
    pub worked_bytes: u64,
    /// What that came to.
    pub encoded_bytes: u64,
    /// Written to its target.
    pub written_bytes: u64,
}

impl<'a> JobView<'a> {
    /// How far it is.
    #[must_use]
    pub fn stage(&self) -> JobStage {
        match (self.crew.coordinator.state(), self.crew.is_under_way) {
            (ThreadState::Starting, _) => JobStage::Starting,
            (_, true) => JobStage::Copying,
            (_, false) => JobStage::Done,
        }
    }

    /// What its coordinator does.
    #[must_use]
    pub fn coordinator(&self) -> ThreadState {
        self.crew.coordinator.state()
    }

    /// Its readers, then its writers, as in [`CastJob::threads`](super::CastJob::threads).
    pub fn threads(&self) -> impl Iterator<Item = ThreadView> + use<'a> {
        let (job, size) = (&self.crew.job, self.crew.job.read_size);
        // What is asked for and not yet read are full reads, but for the last one.
        let readers = job.readers.iter().map(move |reader| {
            let under_way = u64::from(reader.outstanding) * size;
            let bytes = reader.offset.saturating_sub(under_way);
            ThreadView { state: reader.clock.state(), under_way: reader.outstanding, bytes }
        });
        let writers = job.writers.iter().map(|writer| ThreadView {
            state: writer.clock.state(),
            under_way: writer.outstanding,
            bytes: writer.written,
        });
        readers.chain(writers)
    }

    /// Bytes so far.
    #[must_use]
    pub fn bytes(&self) -> BytesSoFar {
        let job = &self.crew.job;
        BytesSoFar {
            read_bytes: job.read_bytes,
            worked_bytes: job.worked_bytes,
            encoded_bytes: job.encoded_bytes,
            written_bytes: job.written_bytes,
        }
    }

    /// Where its buffers are.
    #[must_use]
    pub fn buffers(&self) -> BuffersByPlace {
        let (job, busy) = (&self.crew.job, self.crew.processors.busy);
        // Zeroes are in no buffer.
        let writing: u32 = match job.zeroing {
            0 => job.writers.iter().map(|writer| writer.outstanding).sum(),
            _ => 0,
        };
        let works = job.work.is_some();
        let chunks = job.chunks.len();
        let raw = RawBuffers {
            count: job.raw.count,
            free: job.raw.free,
            being_read: job.readers.iter().map(|reader| reader.outstanding).sum(),
            filled: if works { job.filled.len() } else { chunks },
            worked_on: if works { busy } else { 0 },
            being_written: if works { 0 } else { writing },
        };
        if !job.encodes {
            return BuffersByPlace { raw, ..BuffersByPlace::default() };
        }
        let in_place = if job.writing.in_place { writing } else { 0 };
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let encoded = EncodedBuffers {
            count: job.encoded.count,
            free: job.encoded.free,
            being_filled: busy,
            filled: chunks,
            taken: number(job.writers.iter().filter(|writer| writer.holds_chunk).count()),
            being_written: in_place,
        };
        let media = MediaBuffers {
            count: job.media.count,
            free: job.media.free,
            being_filled: number(job.writers.iter().filter(|writer| writer.has_media).count()),
            being_written: writing - in_place,
        };
        BuffersByPlace { raw, encoded, media }
    }
}

/// A device as it is.
#[derive(Clone, Copy)]
pub struct DeviceView<'a> {
    device: &'a DeviceInUse,
    lanes: &'a [std::collections::VecDeque<Visit>],
    begin: SimTime,
    end: SimTime,
    cast: &'a Cast,
}

/// A transfer on a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OnDevice {
    /// The job it belongs to.
    pub job: usize,
    /// The reader or writer, among those of the job.
    pub thread: usize,
    /// Which way.
    pub direction: Direction,
    /// Bytes it moves.
    pub bytes: u64,
    /// When the device was asked for it.
    pub queued: SimTime,
    /// When the device takes it up, as far as is known.
    pub begin: Option<SimTime>,
    /// When it ends, as far as is known: on a link others may come.
    pub end: Option<SimTime>,
}

impl<'a> DeviceView<'a> {
    /// Transfers and bytes served so far, for all jobs.
    #[must_use]
    pub fn served(&self) -> (u64, u64) {
        (self.device.completions, self.device.bytes)
    }

    /// Transfers on it: the one it serves or takes up next, or on a link one of each connection in
    /// use.
    pub fn serving(&self) -> impl Iterator<Item = OnDevice> + use<'a> {
        let cast = self.cast;
        self.lanes.iter().filter_map(|lane| lane.front()).map(move |visit| {
            let (job, thread) = cast.locate(visit.thread);
            let Visit { direction, bytes, queued, begin, end, .. } = *visit;
            OnDevice { job, thread, direction, bytes, queued, begin, end }
        })
    }

    /// Transfers that wait behind those.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.lanes.iter().map(|lane| lane.len().saturating_sub(1)).sum()
    }

    /// Time within the moment in which it works.
    #[must_use]
    pub fn working(&self) -> Span {
        match self.first_begin() {
            Some(begin) if begin < self.end => self.end.since(begin.max(self.begin)),
            _ => Span::ZERO,
        }
    }

    /// What it does at the beginning of the moment. If it [works](DeviceView::working) for a part
    /// of the moment only, it is starved until then.
    #[must_use]
    pub fn activity(&self) -> Activity {
        self.activity_at(self.begin)
    }

    /// What it does at a time within the moment.
    #[must_use]
    pub fn activity_at(&self, at: SimTime) -> Activity {
        match self.first_begin() {
            Some(begin) if begin <= at => Activity::Working,
            None if self.device.clock.is_blocked() => Activity::Blocked,
            Some(_) | None => Activity::Starved,
        }
    }

    /// When the first of the transfers on it is taken up.
    fn first_begin(&self) -> Option<SimTime> {
        self.lanes.iter().filter_map(|lane| lane.front()?.begin).min()
    }
}
