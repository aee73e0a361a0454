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
//! at every arrival, a latency that overlaps only up to a depth) are left to
//! [`Facilities`](super::facilities::Facilities).

use bakcast_sim::{Ring, SimTime, Span};

use super::devices::DeviceInUse;
use super::stations::{Ended, Stations};
use crate::device::{Device, Transfer};

/// The most queues whose ends are merged one by one.
const LINES_MAX: usize = 12;
/// The most workers whose ends are kept in order by insertion.
const WORKERS_MAX: u32 = 64;

/// The end of what is not under way.
const NEVER: u64 = u64::MAX;
/// The path of a thread on which there is no queue.
const NO_LINE: u32 = u32::MAX;

/// The queue of one device.
struct Line {
    device: usize,
    latency: Span,
    free_at: SimTime,
    /// End, bytes and thread of each transfer that has not ended.
    queue: Ring<(SimTime, Waiting)>,
}

#[derive(Debug, Clone, Copy)]
struct Waiting {
    bytes: u64,
    thread: u16,
}

/// A buffer at work.
#[derive(Debug, Clone, Copy)]
struct Busy {
    end_ns: u64,
    sequence: u64,
    bytes: u64,
}

/// Buffers at work, in order of their ends, in a ring.
struct Workers {
    places: Box<[Busy]>,
    head: usize,
    tail: usize,
}

impl Workers {
    /// One place more than servers, so that the place behind the last one never holds an end.
    fn new(servers: u32) -> Self {
        let places = (servers as usize + 1).next_power_of_two();
        let nobody = Busy { end_ns: NEVER, sequence: 0, bytes: 0 };
        Workers { places: vec![nobody; places].into_boxed_slice(), head: 0, tail: 0 }
    }

    #[inline(always)]
    fn first(&self) -> &Busy {
        &self.places[self.head & (self.places.len() - 1)]
    }

    /// Takes the first one away; returns its bytes.
    #[inline(always)]
    fn pop(&mut self) -> u64 {
        let mask = self.places.len() - 1;
        let place = &mut self.places[self.head & mask];
        place.end_ns = NEVER;
        self.head = self.head.wrapping_add(1);
        place.bytes
    }

    /// Puts a buffer in its place: as a rule among the last, and behind all that end when it does.
    #[inline(always)]
    fn insert(&mut self, busy: Busy) {
        let mask = self.places.len() - 1;
        let mut at = self.tail;
        while at != self.head {
            let before = self.places[at.wrapping_sub(1) & mask];
            if before.end_ns <= busy.end_ns {
                break;
            }
            self.places[at & mask] = before;
            at = at.wrapping_sub(1);
        }
        self.places[at & mask] = busy;
        self.tail = self.tail.wrapping_add(1);
    }
}

/// The first end of a queue, and the order in which it came to be that.
#[derive(Debug, Clone, Copy)]
struct Front {
    end_ns: u64,
    sequence: u64,
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
    lines: Vec<Line>,
    /// The line of each thread, or [`NO_LINE`].
    of_thread: Vec<u32>,
    /// The first end of each line.
    fronts: Vec<Front>,
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
        let mut stations = Lines {
            lines: Vec::new(),
            of_thread: Vec::new(),
            fronts: Vec::new(),
            workers: Workers::new(servers),
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
        let few = stations.lines.len() <= LINES_MAX && servers <= WORKERS_MAX;
        few.then_some(stations)
    }

    /// The line of a device, which is new if this is its first thread.
    fn line(&mut self, device: usize, devices: &[DeviceInUse], law: &Device) -> Option<u32> {
        if let Some(line) = self.lines.iter().position(|line| line.device == device) {
            return Some(line as u32);
        }
        match law {
            Device::SolidState(drive) if drive.depth < devices[device].requests => return None,
            Device::SolidState(_)
            | Device::Spindle(_)
            | Device::FixedRate(_)
            | Device::Capped(_) => {}
            Device::Link(_) | Device::Null(_) => return None,
        }
        let latency = devices[device].holder.latency();
        self.lines.push(Line { device, latency, free_at: SimTime::ZERO, queue: Ring::new() });
        self.fronts.push(Front { end_ns: NEVER, sequence: 0 });
        Some(self.lines.len() as u32 - 1)
    }

    /// The next end of all queues, and whose it is; `None` if nothing is under way.
    #[inline(always)]
    pub(super) fn first(&self) -> Option<(SimTime, First)> {
        let mut first = self.workers.first().end_ns;
        let mut whose = First::Worker;
        for (index, front) in self.fronts.iter().enumerate() {
            if front.end_ns < first {
                (first, whose) = (front.end_ns, First::Line(index));
            } else if front.end_ns == first && first != NEVER {
                whose = self.sooner(whose, index);
            }
        }
        (first != NEVER).then_some((SimTime::from_nanos(first), whose))
    }

    /// Of two that end at the same time, the one whose end came to be first sooner.
    #[cold]
    #[inline(never)]
    fn sooner(&self, one: First, other: usize) -> First {
        let sequence = match one {
            First::Worker => self.workers.first().sequence,
            First::Line(index) => self.fronts[index].sequence,
        };
        if self.fronts[other].sequence < sequence { First::Line(other) } else { one }
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
    pub(super) fn depart(
        &mut self,
        index: usize,
        now: SimTime,
        devices: &mut [DeviceInUse],
    ) -> (u16, u64) {
        let line = &mut self.lines[index];
        let (_, done) = line.queue.pop().expect("a front belongs to a transfer");
        let device = &mut devices[line.device];
        device.count(done.bytes);
        match line.queue.front() {
            Some((end, _)) => self.comes_first(index, end),
            None => {
                device.note_present(now, 0);
                self.fronts[index].end_ns = NEVER;
            }
        }
        (done.thread, done.bytes)
    }

    #[inline(always)]
    fn comes_first(&mut self, index: usize, end: SimTime) {
        self.sequence = self.sequence.wrapping_add(1);
        self.fronts[index] = Front { end_ns: end.as_nanos(), sequence: self.sequence };
    }

    /// A transfer that holds its device for `hold` joins the line.
    #[inline(always)]
    fn join(
        &mut self,
        index: usize,
        now: SimTime,
        hold: Span,
        waiting: Waiting,
        devices: &mut [DeviceInUse],
    ) {
        let line = &mut self.lines[index];
        let device = &mut devices[line.device];
        device.clock.work(hold);
        let end = line.free_at.max(now + line.latency) + hold;
        line.free_at = end;
        let alone = line.queue.is_empty();
        line.queue.push((end, waiting));
        if alone {
            device.note_present(now, 1);
            self.comes_first(index, end);
        }
    }

    /// The device on which a thread's transfers queue, if they do on any.
    pub(super) fn device_of(&self, thread: u16) -> Option<usize> {
        let line = self.of_thread[usize::from(thread)];
        Some(self.lines.get(line as usize)?.device)
    }

    /// [`Stations::begin`] of a read for which the device needs `seconds` in the mean, whatever it
    /// did before.
    #[inline(always)]
    pub(super) fn begin_steady(
        &mut self,
        now: SimTime,
        bytes: u64,
        thread: u16,
        seconds: f64,
        devices: &mut [DeviceInUse],
    ) {
        let index = self.of_thread[usize::from(thread)] as usize;
        let hold = devices[self.lines[index].device].holder.hold_steady(thread, seconds);
        self.join(index, now, hold, Waiting { bytes, thread }, devices);
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
        let begin = line.free_at.max(now + line.latency);
        let hold = devices[line.device].holder.hold(&transfer, begin);
        let Transfer { bytes, thread, .. } = transfer;
        self.join(index, now, hold, Waiting { bytes, thread }, devices);
        None
    }

    #[inline(always)]
    fn work(&mut self, end: SimTime, bytes: u64) {
        self.sequence = self.sequence.wrapping_add(1);
        let (end_ns, sequence) = (end.as_nanos(), self.sequence);
        self.workers.insert(Busy { end_ns, sequence, bytes });
    }
}
