//! What is told of transfers and workers while a run goes on: nothing, unless it is watched.
//!
//! A usual run has `()` for a journal, and the compiler leaves all of it out. [`Records`] keeps
//! what is under way on each device and worker, and what has just ended: as many entries as there
//! are transfers under way, however long the run.

use std::collections::VecDeque;

use bakcast_sim::SimTime;

use crate::device::{Direction, Transfer};

/// Told of what happens at the stations whose ends lie in a calendar. Threads are counted over all
/// jobs.
pub(super) trait Journal {
    /// For so many devices and workers.
    fn new(devices: usize, workers: u32) -> Self;

    /// A device that serves one transfer after the other is asked for one, and will serve it from
    /// `begin` to `end`.
    #[inline(always)]
    fn takes(&mut self, _device: usize, _transfer: Transfer, _begin: SimTime, _end: SimTime) {}

    /// A transfer sets out on the round trip before a link.
    #[inline(always)]
    fn sets_out(&mut self, _thread: u16) {}

    /// A transfer joins its connection on a link, and begins at once or waits.
    #[inline(always)]
    fn joins(&mut self, _device: usize, _transfer: Transfer, _begins: bool) {}

    /// A device is done with a transfer: a link with that of a thread, others with their first.
    #[inline(always)]
    fn leaves(&mut self, _device: usize, _thread: u16) {}

    /// That was the last device on the transfer's path.
    #[inline(always)]
    fn arrives(&mut self) {}

    /// A transfer on whose path nothing takes time.
    #[inline(always)]
    fn passes(&mut self, _transfer: Transfer) {}

    /// A worker begins with a buffer.
    #[inline(always)]
    fn works(&mut self, _worker: u32, _crew: u16, _bytes: u64, _end: SimTime) {}

    /// A worker is done with its buffer.
    #[inline(always)]
    fn rests(&mut self, _worker: u32) {}
}

impl Journal for () {
    #[inline(always)]
    fn new(_devices: usize, _workers: u32) -> Self {}
}

/// A transfer on a device.
#[derive(Debug, Clone, Copy)]
pub(super) struct Visit {
    pub(super) thread: u16,
    pub(super) direction: Direction,
    pub(super) bytes: u64,
    pub(super) offset: u64,
    pub(super) queued: SimTime,
    /// Absent as long as it waits behind others on its connection.
    pub(super) begin: Option<SimTime>,
    /// Absent on a link: others may come and slow it down.
    pub(super) end: Option<SimTime>,
}

/// A worker with a buffer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Working {
    pub(super) worker: usize,
    pub(super) crew: usize,
    pub(super) bytes: u64,
    pub(super) begin: SimTime,
    pub(super) end: SimTime,
}

/// The journal of a run that is watched.
pub(super) struct Records {
    /// The time of the event that is being handled.
    now: SimTime,
    /// Transfers on each device, in order: of a link, by thread.
    pub(super) devices: Vec<Vec<VecDeque<Visit>>>,
    /// When transfers of each thread set out for a link.
    under_way: Vec<VecDeque<SimTime>>,
    pub(super) workers: Vec<Option<Working>>,
    /// The transfer that has left a device in this event, and whether that was the last one.
    pub(super) left: Option<(usize, Visit)>,
    pub(super) has_arrived: bool,
    /// The work that has ended in this event.
    pub(super) worked: Option<Working>,
    /// Transfers that took no time, in this event.
    pub(super) passed: Vec<Transfer>,
}

impl Records {
    /// An event is about to be handled.
    pub(super) fn turn_to(&mut self, now: SimTime) {
        self.now = now;
        self.left = None;
        self.has_arrived = false;
        self.worked = None;
        self.passed.clear();
    }

    fn visit(&self, transfer: Transfer, begin: Option<SimTime>, end: Option<SimTime>) -> Visit {
        let Transfer { bytes, thread, direction, offset } = transfer;
        Visit { thread, direction, bytes, offset, queued: self.now, begin, end }
    }

    fn lane(&mut self, device: usize, lane: usize) -> &mut VecDeque<Visit> {
        at_least(&mut self.devices[device], lane)
    }
}

/// The entry of this index, made if there is none.
fn at_least<T: Default>(entries: &mut Vec<T>, index: usize) -> &mut T {
    if entries.len() <= index {
        entries.resize_with(index + 1, T::default);
    }
    &mut entries[index]
}

impl Journal for Records {
    fn new(devices: usize, workers: u32) -> Self {
        Records {
            now: SimTime::ZERO,
            devices: vec![Vec::new(); devices],
            under_way: Vec::new(),
            workers: vec![None; workers as usize],
            left: None,
            has_arrived: false,
            worked: None,
            passed: Vec::new(),
        }
    }

    fn takes(&mut self, device: usize, transfer: Transfer, begin: SimTime, end: SimTime) {
        let visit = self.visit(transfer, Some(begin), Some(end));
        self.lane(device, 0).push_back(visit);
    }

    fn sets_out(&mut self, thread: u16) {
        let now = self.now;
        at_least(&mut self.under_way, usize::from(thread)).push_back(now);
    }

    fn joins(&mut self, device: usize, transfer: Transfer, begins: bool) {
        let mut visit = self.visit(transfer, begins.then_some(self.now), None);
        let thread = usize::from(transfer.thread);
        // All take the same time for the round trip, so they come in the order they set out.
        if let Some(queued) = self.under_way.get_mut(thread).and_then(VecDeque::pop_front) {
            visit.queued = queued;
        }
        self.lane(device, thread).push_back(visit);
    }

    fn leaves(&mut self, device: usize, thread: u16) {
        let now = self.now;
        let lane = self.lane(device, usize::from(thread));
        let visit = lane.pop_front().expect("it was on the device");
        if let Some(next) = lane.front_mut() {
            next.begin = next.begin.or(Some(now));
        }
        self.left = Some((device, visit));
    }

    fn arrives(&mut self) {
        self.has_arrived = true;
    }

    fn passes(&mut self, transfer: Transfer) {
        self.passed.push(transfer);
    }

    fn works(&mut self, worker: u32, crew: u16, bytes: u64, end: SimTime) {
        let (worker, crew) = (worker as usize, usize::from(crew));
        self.workers[worker] = Some(Working { worker, crew, bytes, begin: self.now, end });
    }

    fn rests(&mut self, worker: u32) {
        self.worked = self.workers[worker as usize].take();
    }
}
