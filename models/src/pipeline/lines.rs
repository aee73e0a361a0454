//! Devices and processors as queues whose ends follow by recursion: the fast way.
//!
//! Where every station on every path is one server with a FIFO queue, the end of a transfer is
//! known the moment it arrives, and so is the end of a buffer that a worker takes:
//!
//! ```text
//! device:  end(n) = max(arrival(n) + latency, end(n - 1)) + hold(n)     (Lindley)
//! workers: end    = beginning + work, the busy ones in order of their ends (Kiefer, Wolfowitz)
//! ```
//!
//! Each queue hands out its ends in order of time, so nothing is ever scheduled, rescheduled or
//! searched for: the next end of all is the least of the first ends of the queues. A calendar and
//! what goes with it are left out, and so is whatever a transfer needs to find its way.
//!
//! Ends at one and the same nanosecond come in the order in which they came to be first in their
//! queues, as they do from a calendar: both ways give the same run to the nanosecond, which a test
//! holds random pipelines to. Stations that this cannot express (a bandwidth that is divided again
//! at every arrival, several stations on one path) are left to
//! [`Facilities`](super::facilities::Facilities).

use std::hint::select_unpredictable;

use bakcast_sim::{SimTime, Span};

use super::devices::DeviceInUse;
use super::overlap::Overlap;
use super::stations::{Ended, Stations};
use crate::device::{Device, Transfer};

/// The most queues whose ends are merged one by one.
const LINES_MAX: usize = 12;
/// The most workers whose ends are kept in order by insertion; a power of two.
const WORKERS_MAX: u32 = 64;

/// The end of what is not under way.
const NEVER: u64 = u64::MAX;
/// The path of a thread on which there is no queue.
const NO_LINE: u32 = u32::MAX;

/// The queue of one device.
struct Line {
    device: usize,
    latency: Overlap,
    free_at: SimTime,
    /// The order in which its first end came to be that.
    sequence: u64,
    /// The transfers that have not ended, in a ring long enough for all requests.
    places: Box<[Waiting]>,
    head: usize,
    tail: usize,
}

/// A transfer that waits, or is served.
#[derive(Debug, Clone, Copy)]
struct Waiting {
    end: SimTime,
    bytes: u64,
    thread: u16,
}

const NOBODY: Waiting = Waiting { end: SimTime::ZERO, bytes: 0, thread: 0 };

impl Line {
    /// No line.
    fn none() -> Self {
        Line::new(0, Overlap::new(Span::ZERO, 1, 1), 1)
    }

    fn new(device: usize, latency: Overlap, requests: usize) -> Self {
        Line {
            device,
            latency,
            free_at: SimTime::ZERO,
            sequence: 0,
            places: vec![NOBODY; requests.max(1).next_power_of_two()].into_boxed_slice(),
            head: 0,
            tail: 0,
        }
    }

    /// When the device takes up a transfer that arrives now.
    #[inline(always)]
    fn begin(&self, now: SimTime) -> SimTime {
        self.free_at.max(self.latency.ready(now))
    }

    /// The first transfer leaves; returns it and the end of the one behind it.
    #[inline(always)]
    fn pop(&mut self) -> (Waiting, Option<SimTime>) {
        let mask = self.places.len().wrapping_sub(1);
        let done = self.places[self.head & mask];
        self.head = self.head.wrapping_add(1);
        let next = (self.head != self.tail).then(|| self.places[self.head & mask].end);
        (done, next)
    }

    /// A transfer joins; returns whether it is the only one.
    #[inline(always)]
    fn push(&mut self, waiting: Waiting) -> bool {
        let mask = self.places.len().wrapping_sub(1);
        debug_assert!(self.tail.wrapping_sub(self.head) <= mask, "more requests than announced");
        self.places[self.tail & mask] = waiting;
        let alone = self.head == self.tail;
        self.tail = self.tail.wrapping_add(1);
        alone
    }
}

/// The only line, at hand: there is nothing that its ends could come before or after.
pub(super) struct Queue<'a> {
    latency: &'a mut Overlap,
    places: &'a mut [Waiting],
    free_at: SimTime,
    head: usize,
    tail: usize,
}

impl Queue<'_> {
    /// The first transfer leaves; returns its end and its thread.
    #[inline(always)]
    pub(super) fn leave(&mut self) -> Option<(SimTime, u16)> {
        if self.head == self.tail {
            return None;
        }
        let done = self.places[self.head & self.places.len().wrapping_sub(1)];
        self.head = self.head.wrapping_add(1);
        Some((done.end, done.thread))
    }

    /// A transfer that holds the device for `hold` joins.
    #[inline(always)]
    pub(super) fn join(&mut self, now: SimTime, hold: Span, (bytes, thread): (u64, u16)) {
        let end = self.free_at.max(self.latency.pass(now)) + hold;
        self.free_at = end;
        let mask = self.places.len().wrapping_sub(1);
        debug_assert!(self.tail.wrapping_sub(self.head) <= mask, "more requests than announced");
        self.places[self.tail & mask] = Waiting { end, bytes, thread };
        self.tail = self.tail.wrapping_add(1);
    }

    /// Where the line begins and ends, and from when on the device is free.
    pub(super) fn put_down(self) -> (usize, usize, SimTime) {
        (self.head, self.tail, self.free_at)
    }
}

/// A buffer at work.
#[derive(Debug, Clone, Copy)]
#[repr(align(32))]
struct Busy {
    end_ns: u64,
    sequence: u64,
    bytes: u64,
}

/// Buffers at work, in order of their ends, in a ring. What is in no place between head and tail
/// never ends.
struct Workers {
    places: [Busy; WORKERS_MAX as usize],
    head: usize,
    tail: usize,
}

impl Workers {
    /// The length is a power of two.
    const MASK: usize = WORKERS_MAX as usize - 1;

    fn new() -> Self {
        let nobody = Busy { end_ns: NEVER, sequence: 0, bytes: 0 };
        Workers { places: [nobody; WORKERS_MAX as usize], head: 0, tail: 0 }
    }

    #[inline(always)]
    fn first(&self) -> &Busy {
        &self.places[self.head & Self::MASK]
    }

    /// Takes the first one away; returns its bytes.
    #[inline(always)]
    fn pop(&mut self) -> u64 {
        let place = &mut self.places[self.head & Self::MASK];
        place.end_ns = NEVER;
        self.head = self.head.wrapping_add(1);
        place.bytes
    }

    /// Puts a buffer in its place: as a rule among the last, and behind all that end when it does.
    #[inline(always)]
    fn insert(&mut self, busy: Busy) {
        let mut at = self.tail;
        while at != self.head {
            let before = self.places[at.wrapping_sub(1) & Self::MASK];
            if before.end_ns <= busy.end_ns {
                break;
            }
            self.places[at & Self::MASK] = before;
            at = at.wrapping_sub(1);
        }
        self.places[at & Self::MASK] = busy;
        self.tail = self.tail.wrapping_add(1);
    }
}

/// Whose end comes first.
#[derive(Debug, Clone, Copy)]
pub(super) enum First {
    /// A worker's.
    Worker,
    /// That of the first transfer in this line.
    Line(usize),
}

/// Every queue, and the ends of the workers.
pub(super) struct Lines {
    /// The first end of each line.
    ends_ns: [u64; LINES_MAX],
    /// The line of the first reader comes first.
    lines: [Line; LINES_MAX],
    /// How many of them there are.
    used: usize,
    /// The line of each thread, or [`NO_LINE`].
    of_thread: Vec<u32>,
    workers: Workers,
    sequence: u64,
}

impl Lines {
    /// Queues for the given devices and the paths of all threads, each the devices in order of
    /// travel; `None` if they cannot be expressed.
    pub(super) fn new(
        devices: &[DeviceInUse],
        laws: &[&Device],
        paths: &[Vec<usize>],
        servers: u32,
    ) -> Option<Self> {
        if servers > WORKERS_MAX {
            return None;
        }
        let mut stations = Lines {
            ends_ns: [NEVER; LINES_MAX],
            lines: std::array::from_fn(|_| Line::none()),
            used: 0,
            of_thread: Vec::new(),
            workers: Workers::new(),
            sequence: 0,
        };
        for path in paths {
            let mut on_way = path.iter().filter(|device| !devices[**device].is_null);
            let line = match (on_way.next(), on_way.next()) {
                (None, _) => NO_LINE,
                (Some(&device), None) => stations.line(device, devices, laws[device])?,
                _ => return None,
            };
            stations.of_thread.push(line);
        }
        Some(stations)
    }

    /// The line of a device, which is new if this is its first thread.
    fn line(&mut self, device: usize, devices: &[DeviceInUse], law: &Device) -> Option<u32> {
        let index = self.used;
        if let Some(line) = self.lines[..index].iter().position(|line| line.device == device) {
            return Some(line as u32);
        }
        match law {
            Device::SolidState(_)
            | Device::Spindle(_)
            | Device::FixedRate(_)
            | Device::Capped(_) => {}
            Device::Link(_) | Device::Null(_) => return None,
        }
        let latency = devices[device].latency();
        *self.lines.get_mut(index)? = Line::new(device, latency, devices[device].requests as usize);
        self.used += 1;
        Some(index as u32)
    }

    /// The next end of all queues, and whose it is; `None` if nothing is under way.
    #[inline(always)]
    pub(super) fn first(&self) -> Option<(SimTime, First)> {
        // Without a jump on the data, which could not be foreseen.
        let ends_ns = &self.ends_ns[..self.used];
        let first = ends_ns.iter().copied().fold(NEVER, u64::min);
        let (mut at, mut ties) = (0, 0);
        for (index, &end_ns) in ends_ns.iter().enumerate() {
            let is_first = end_ns == first;
            at = select_unpredictable(is_first, index, at);
            ties += u32::from(is_first);
        }
        let worker = self.workers.first().end_ns;
        if worker < first {
            return Some((SimTime::from_nanos(worker), First::Worker));
        }
        if first == NEVER {
            return None;
        }
        let whose = if ties > 1 || worker == first { self.soonest(first) } else { First::Line(at) };
        Some((SimTime::from_nanos(first), whose))
    }

    /// As [`Lines::first`], if it is the end of a worker or of the first line and the only one at
    /// that time; of the other lines `next` comes first.
    #[inline(always)]
    pub(super) fn first_of_two(&self, next: u64) -> Option<(SimTime, First)> {
        let (work, read) = (self.workers.first().end_ns, self.ends_ns[0]);
        if work < read {
            return (work < next).then_some((SimTime::from_nanos(work), First::Worker));
        }
        let is_first = read < work && read < next;
        is_first.then_some((SimTime::from_nanos(read), First::Line(0)))
    }

    /// The first end of all lines but the first one, in nanoseconds.
    #[inline]
    pub(super) fn next_of_others(&self) -> u64 {
        if self.used <= 1 {
            return NEVER;
        }
        self.ends_ns[1..].iter().copied().fold(NEVER, u64::min)
    }

    /// Of those that end at this time, the one whose end came to be first sooner.
    #[cold]
    #[inline(never)]
    fn soonest(&self, end_ns: u64) -> First {
        let worker = self.workers.first();
        let worker = (worker.end_ns == end_ns).then_some((worker.sequence, First::Worker));
        let tied = (0..self.used).filter(|index| self.ends_ns[*index] == end_ns);
        let tied = tied.map(|index| (self.lines[index].sequence, First::Line(index)));
        let soonest = tied.chain(worker).min_by_key(|(sequence, _)| *sequence);
        soonest.expect("something ends then").1
    }

    /// The next end, which leaves its queue; `None` if nothing is under way.
    #[inline(always)]
    pub(super) fn next(&mut self, devices: &mut [DeviceInUse]) -> Option<(SimTime, Ended)> {
        let (now, first) = self.first()?;
        let ended = match first {
            First::Worker => Ended::Work { bytes: self.end_work() },
            First::Line(line) => {
                let (thread, bytes) = self.depart(line, now, devices);
                Ended::Transfer { thread, bytes }
            }
        };
        Some((now, ended))
    }

    /// The first of the workers ends; returns the bytes of its buffer.
    #[inline(always)]
    pub(super) fn end_work(&mut self) -> u64 {
        self.workers.pop()
    }

    /// The first transfer of a line ends; returns its thread and bytes.
    #[inline(always)]
    fn depart(&mut self, index: usize, now: SimTime, devices: &mut [DeviceInUse]) -> (u16, u64) {
        let (thread, bytes) = self.leave(index, now, devices);
        self.count(index, bytes, devices);
        (thread, bytes)
    }

    /// The device of a line has served so many bytes.
    #[inline]
    pub(super) fn count(&self, index: usize, bytes: u64, devices: &mut [DeviceInUse]) {
        devices[self.lines[index].device].count(bytes);
    }

    /// [`Lines::depart`] without counting it as served.
    #[inline(always)]
    pub(super) fn leave(
        &mut self,
        index: usize,
        now: SimTime,
        devices: &mut [DeviceInUse],
    ) -> (u16, u64) {
        let line = &mut self.lines[index];
        let (done, next) = line.pop();
        if let Some(end) = next {
            self.comes_first(index, end);
        } else {
            self.ends_ns[index] = NEVER;
            devices[line.device].note_present(now, 0);
        }
        (done.thread, done.bytes)
    }

    #[inline(always)]
    fn comes_first(&mut self, index: usize, end: SimTime) {
        self.sequence = self.sequence.wrapping_add(1);
        self.lines[index].sequence = self.sequence;
        self.ends_ns[index] = end.as_nanos();
    }

    /// A transfer that holds its device for `hold` joins the line; that it is so long at work is
    /// still to be counted.
    #[inline(always)]
    pub(super) fn join(
        &mut self,
        index: usize,
        now: SimTime,
        hold: Span,
        (bytes, thread): (u64, u16),
        devices: &mut [DeviceInUse],
    ) {
        let line = &mut self.lines[index];
        let end = line.free_at.max(line.latency.pass(now)) + hold;
        line.free_at = end;
        if line.push(Waiting { end, bytes, thread }) {
            devices[line.device].note_present(now, 1);
            self.comes_first(index, end);
        }
    }

    /// Whether all transfers queue in one line.
    pub(super) fn is_one(&self) -> bool {
        self.used == 1 && self.of_thread.iter().all(|line| *line == 0)
    }

    /// The first line, which is the only one.
    pub(super) fn take_up(&mut self) -> Queue<'_> {
        let Line { latency, places, free_at, head, tail, .. } = &mut self.lines[0];
        Queue { latency, places, free_at: *free_at, head: *head, tail: *tail }
    }

    /// Here is the line that was [taken up](Lines::take_up).
    pub(super) fn put_down(&mut self, (head, tail, free_at): (usize, usize, SimTime)) {
        let line = &mut self.lines[0];
        (line.head, line.tail, line.free_at) = (head, tail, free_at);
        let mask = line.places.len().wrapping_sub(1);
        let first = (head != tail).then(|| line.places[head & mask].end.as_nanos());
        self.ends_ns[0] = first.unwrap_or(NEVER);
    }

    /// When the device of a line takes up a transfer that arrives now.
    #[inline(always)]
    pub(super) fn begin_in(&self, index: usize, now: SimTime) -> SimTime {
        self.lines[index].begin(now)
    }

    /// The device on which a thread's transfers queue, if they do on any.
    pub(super) fn device_of(&self, thread: u16) -> Option<usize> {
        let line = self.of_thread[usize::from(thread)];
        Some(self.lines.get(line as usize)?.device)
    }
}

impl Stations for Lines {
    #[inline(always)]
    fn begin(
        &mut self,
        now: SimTime,
        transfer: Transfer,
        devices: &mut [DeviceInUse],
    ) -> Option<Transfer> {
        let index = self.of_thread[usize::from(transfer.thread)] as usize;
        let Some(line) = self.lines.get(index) else { return Some(transfer) };
        let begin = line.begin(now);
        let device = &mut devices[line.device];
        let hold = device.holder.hold(&transfer, begin);
        device.clock.work(hold);
        self.join(index, now, hold, (transfer.bytes, transfer.thread), devices);
        None
    }

    #[inline(always)]
    fn work(&mut self, end: SimTime, bytes: u64) {
        self.sequence = self.sequence.wrapping_add(1);
        let (end_ns, sequence) = (end.as_nanos(), self.sequence);
        self.workers.insert(Busy { end_ns, sequence, bytes });
    }
}
