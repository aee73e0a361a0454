//! Devices, links and processors as stations whose ends lie in a calendar: any pipeline.
//!
//! A drive is a bandwidth behind a latency that overlaps, a link is a round trip and a shared
//! bandwidth, NUL is none. Any two users of one device, link or
//! processor meet here and wait for each other, whichever side they are on.

use std::collections::VecDeque;

use bakcast_sim::{Calendar, Line, Ring, SharedStation, SimTime, Slot, Span};

use super::devices::DeviceInUse;
use super::journal::Journal;
use super::overlap::Overlap;
use super::stations::Stations;
use crate::device::{Device, Direction, Transfer};
use crate::station_clock::DeviceClock;

/// One station on the way of a transfer.
enum Facility {
    /// A queue before the one bandwidth of a device, behind a latency that overlaps.
    Bandwidth { device: usize, line: Line<Request>, latency: Overlap, slot: Slot },
    /// A round trip that every request pays on its own.
    /// All take the same time, so that they end in the order in which they began.
    RoundTrip { span: Span, under_way: Ring<(SimTime, Request)>, slot: Slot },
    /// A bandwidth divided among the connections in use.
    Shared(Box<Shared>),
}

/// A link during a run. Each reader and writer has a connection of its own, whose transfers follow
/// one another; the connections in use share the rate, none above its ceiling.
struct Shared {
    device: usize,
    station: SharedStation<Request>,
    slot: Slot,
    /// Until when its work has been counted.
    counted: SimTime,
    connections: Vec<Connection>,
}

/// The connection of one thread.
#[derive(Default)]
struct Connection {
    in_use: bool,
    waiting: VecDeque<Request>,
}

impl Shared {
    /// Counts the time in which anything was under way.
    fn count(&mut self, now: SimTime, clock: &mut DeviceClock) {
        if self.station.present() > 0 {
            clock.work(now.since(self.counted));
        }
        self.counted = now;
    }

    fn begin(&mut self, now: SimTime, request: Request, relieved: bool) {
        let work = if relieved { 0.0 } else { request.bytes as f64 };
        self.station.arrive(now, request, work);
    }

    fn schedule(&self, calendar: &mut Calendar) {
        match self.station.next_completion() {
            Some(at) => calendar.schedule(self.slot, at),
            None => calendar.cancel(self.slot),
        }
    }

    /// A request comes to the link: it joins its connection. True if it begins at once.
    fn arrive(
        &mut self,
        now: SimTime,
        request: Request,
        devices: &mut [DeviceInUse],
        calendar: &mut Calendar,
    ) -> bool {
        let device = &mut devices[self.device];
        self.count(now, &mut device.clock);
        device.note_present(now, 1);
        let thread = usize::from(request.thread);
        if self.connections.len() <= thread {
            self.connections.resize_with(thread + 1, Connection::default);
        }
        let connection = &mut self.connections[thread];
        if connection.in_use {
            connection.waiting.push_back(request);
            return false;
        }
        connection.in_use = true;
        self.begin(now, request, device.holder.is_relieved());
        self.schedule(calendar);
        true
    }

    /// The request that is done leaves; the next on its connection begins.
    fn depart(
        &mut self,
        now: SimTime,
        devices: &mut [DeviceInUse],
        calendar: &mut Calendar,
    ) -> Request {
        let device = &mut devices[self.device];
        self.count(now, &mut device.clock);
        let done = self.station.complete(now);
        device.count(done.bytes);
        let connection = &mut self.connections[usize::from(done.thread)];
        match connection.waiting.pop_front() {
            Some(next) => self.begin(now, next, device.holder.is_relieved()),
            None => connection.in_use = false,
        }
        if self.station.present() == 0 {
            device.note_present(now, 0);
        }
        self.schedule(calendar);
        done
    }
}

/// What the end of a slot means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SlotUse {
    /// The coordinator of a job.
    Coordinator {
        crew: u16,
    },
    Processor {
        server: u32,
    },
    Facility {
        facility: u32,
    },
}

/// A transfer on its way through the facilities of its path. Queues hold it by value: looking it up
/// elsewhere would cost more than copying it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Request {
    bytes: u64,
    offset: u64,
    /// Its present place in [`Facilities::hops`].
    hop: u32,
    thread: u16,
    direction: Direction,
}

impl Request {
    #[inline]
    fn transfer(&self) -> Transfer {
        let Request { bytes, offset, thread, direction, .. } = *self;
        Transfer { bytes, thread, direction, offset }
    }
}

/// One step of a path.
#[derive(Debug, Clone, Copy)]
enum Hop {
    /// A facility to visit.
    Visit(u32),
    /// The end of the path.
    Arrived,
}

/// A processor: the slot of its end, and for which job it works on how many bytes.
#[derive(Debug, Clone, Copy)]
struct Worker {
    slot: Slot,
    crew: u16,
    bytes: u64,
}

/// Every station, and what each slot of the calendar stands for.
pub(super) struct Facilities<J = ()> {
    facilities: Vec<Facility>,
    /// Facilities of each device, in the order a transfer visits them.
    of_device: Vec<Vec<u32>>,
    pub(super) slots: Vec<SlotUse>,
    /// The paths of all threads one after the other, each with its end.
    hops: Vec<Hop>,
    /// Where in `hops` each thread's path begins.
    paths: Vec<u32>,
    /// Idle processors; which of them works next makes no difference.
    idle: Vec<u32>,
    /// What each processor works on.
    workers: Vec<Worker>,
    /// Who is told of it.
    pub(super) journal: J,
}

impl<J: Journal> Facilities<J> {
    /// Stations for the given devices, processors that may be at work at once, and the coordinators
    /// of so many jobs.
    pub(super) fn new(devices: &[DeviceInUse], laws: &[&Device], servers: u32, crews: u16) -> Self {
        let mut stations = Facilities {
            facilities: Vec::new(),
            of_device: vec![Vec::new(); devices.len()],
            slots: (0..crews).map(|crew| SlotUse::Coordinator { crew }).collect(),
            hops: Vec::new(),
            paths: Vec::new(),
            idle: (0..servers).rev().collect(),
            workers: Vec::new(),
            journal: J::new(devices.len(), servers),
        };
        for (device, law) in laws.iter().enumerate() {
            if devices[device].requests > 0 {
                stations.add_device(device, &devices[device], law);
            }
        }
        let first = stations.slots.len();
        stations.slots.extend((0..servers).map(|server| SlotUse::Processor { server }));
        let worker = |server| Worker { slot: Slot::new(first + server), crew: 0, bytes: 0 };
        stations.workers = (0..servers as usize).map(worker).collect();
        stations
    }

    /// The path of the next thread: devices and links in order of travel.
    pub(super) fn add_path(&mut self, devices: &[usize]) {
        self.paths.push(self.hops.len() as u32);
        let facilities = devices.iter().flat_map(|device| &self.of_device[*device]);
        self.hops.extend(facilities.copied().map(Hop::Visit));
        self.hops.push(Hop::Arrived);
    }

    fn add_device(&mut self, device: usize, in_use: &DeviceInUse, law: &Device) {
        match law {
            Device::Null(_) => {}
            Device::SolidState(_)
            | Device::Spindle(_)
            | Device::FixedRate(_)
            | Device::Capped(_) => {
                let (line, latency) = (Line::new(), in_use.latency());
                self.add(device, |slot| Facility::Bandwidth { device, line, latency, slot });
            }
            Device::Link(link) => {
                if link.round_trip.span() > Span::ZERO {
                    let span = in_use.holder.round_trip(link.round_trip.span());
                    let under_way = Ring::new();
                    self.add(device, |slot| Facility::RoundTrip { span, under_way, slot });
                }
                let speed = in_use.holder.speed();
                let ceiling = link.per_connection.map_or(f64::INFINITY, |c| c.get() * speed);
                let rate = link.rate.get() * speed * in_use.holder.left();
                let station = SharedStation::new(rate, ceiling);
                self.add(device, |slot| {
                    let (counted, connections) = (SimTime::ZERO, Vec::new());
                    Facility::Shared(Box::new(Shared {
                        device,
                        station,
                        slot,
                        counted,
                        connections,
                    }))
                });
            }
        }
    }

    /// Adds a station of the device that has a slot.
    fn add(&mut self, device: usize, make: impl FnOnce(Slot) -> Facility) {
        let slot = Slot::new(self.slots.len());
        let facility = self.facilities.len() as u32;
        self.slots.push(SlotUse::Facility { facility });
        self.add_facility(device, make(slot));
    }

    fn add_facility(&mut self, device: usize, facility: Facility) {
        self.of_device[device].push(self.facilities.len() as u32);
        self.facilities.push(facility);
    }

    /// A processor is done with its buffer; returns the job and the bytes.
    #[inline]
    pub(super) fn end_work(&mut self, server: u32) -> (u16, u64) {
        self.journal.rests(server);
        self.idle.push(server);
        let worker = self.workers[server as usize];
        (worker.crew, worker.bytes)
    }

    /// Whether this processor would be the next to work: the last one that became idle.
    #[inline]
    pub(super) fn is_next(&self, server: u32) -> bool {
        self.idle.last() == Some(&server)
    }
}

/// The stations, and the calendar that their ends lie in, as one job sees them.
pub(super) struct Scheduled<'a, J = ()> {
    pub(super) facilities: &'a mut Facilities<J>,
    pub(super) calendar: &'a mut Calendar,
    pub(super) crew: u16,
    /// The first of the job's threads among those of all jobs.
    pub(super) first_thread: u16,
}

impl<'a, J> Scheduled<'a, J> {
    /// For the only job there is.
    pub(super) fn of_one(facilities: &'a mut Facilities<J>, calendar: &'a mut Calendar) -> Self {
        Scheduled { facilities, calendar, crew: 0, first_thread: 0 }
    }
}

impl<J: Journal> Stations for Scheduled<'_, J> {
    #[inline(always)]
    fn begin(
        &mut self,
        now: SimTime,
        transfer: Transfer,
        devices: &mut [DeviceInUse],
    ) -> Option<Transfer> {
        let Transfer { bytes, direction, offset, .. } = transfer;
        let thread = self.first_thread + transfer.thread;
        let hop = self.facilities.paths[usize::from(thread)];
        match self.facilities.hops[hop as usize] {
            Hop::Arrived => {
                self.facilities.journal.passes(Transfer { thread, ..transfer });
                Some(transfer)
            }
            Hop::Visit(facility) => {
                let request = Request { bytes, offset, hop, thread, direction };
                self.visit(now, facility, request, devices);
                None
            }
        }
    }

    #[inline(always)]
    fn work(&mut self, end: SimTime, bytes: u64) {
        let server = self.facilities.idle.pop().expect("no more workers than processors");
        let worker = &mut self.facilities.workers[server as usize];
        (worker.crew, worker.bytes) = (self.crew, bytes);
        self.facilities.journal.works(server, self.crew, bytes, end);
        self.calendar.schedule(worker.slot, end);
    }
}

impl<J: Journal> Scheduled<'_, J> {
    /// The slot's service has ended; returns the transfer if that was the last of its path.
    #[inline(always)]
    pub(super) fn end(
        &mut self,
        now: SimTime,
        slot: Slot,
        slot_use: SlotUse,
        devices: &mut [DeviceInUse],
    ) -> Option<Transfer> {
        let mut request = match slot_use {
            SlotUse::Facility { facility } => self.depart(now, facility, slot, devices),
            SlotUse::Coordinator { .. } | SlotUse::Processor { .. } => {
                unreachable!("not a slot of a transfer")
            }
        };
        request.hop += 1;
        match self.facilities.hops[request.hop as usize] {
            Hop::Arrived => {
                self.facilities.journal.arrives();
                Some(request.transfer())
            }
            Hop::Visit(facility) => {
                self.visit(now, facility, request, devices);
                None
            }
        }
    }

    /// The request comes to a facility.
    fn visit(
        &mut self,
        now: SimTime,
        facility: u32,
        request: Request,
        devices: &mut [DeviceInUse],
    ) {
        let Scheduled { facilities, calendar, .. } = self;
        let Facilities { facilities, journal, .. } = &mut **facilities;
        match &mut facilities[facility as usize] {
            Facility::Bandwidth { device: index, line, latency, slot } => {
                let device = &mut devices[*index];
                let ready = latency.pass(now);
                let begin = line.begin(ready);
                let hold = device.holder.hold(&request.transfer(), begin);
                device.clock.work(hold);
                journal.takes(*index, request.transfer(), begin, begin + hold);
                if let Some(end) = line.arrive(ready, hold, request) {
                    device.note_present(now, 1);
                    calendar.schedule(*slot, end);
                }
            }
            Facility::RoundTrip { span, under_way, slot } => {
                journal.sets_out(request.thread);
                let end = now + *span;
                if under_way.is_empty() {
                    calendar.schedule(*slot, end);
                }
                under_way.push((end, request));
            }
            Facility::Shared(shared) => {
                let begins = shared.arrive(now, request, devices, calendar);
                journal.joins(shared.device, request.transfer(), begins);
            }
        }
    }

    /// The server's service has ended; returns the request and starts the next one waiting.
    fn depart(
        &mut self,
        now: SimTime,
        facility: u32,
        slot: Slot,
        devices: &mut [DeviceInUse],
    ) -> Request {
        let Facilities { facilities, journal, .. } = &mut *self.facilities;
        match &mut facilities[facility as usize] {
            Facility::Bandwidth { device, line, .. } => {
                let (done, next) = line.depart();
                journal.leaves(*device, 0);
                let device = &mut devices[*device];
                device.count(done.bytes);
                if let Some(end) = next {
                    self.calendar.schedule(slot, end);
                } else {
                    device.note_present(now, 0);
                    self.calendar.cancel(slot);
                }
                done
            }
            Facility::Shared(shared) => {
                let done = shared.depart(now, devices, self.calendar);
                journal.leaves(shared.device, done.thread);
                done
            }
            Facility::RoundTrip { under_way, .. } => {
                let (_, done) = under_way.pop().expect("its slot is armed");
                match under_way.front() {
                    Some((end, _)) => self.calendar.schedule(slot, end),
                    None => self.calendar.cancel(slot),
                }
                done
            }
        }
    }
}
