//! Devices, links and processors as stations that transfers visit in order.
//!
//! A solid state drive is two stations (latency, which overlaps, and bandwidth, which does not), a
//! link is a round trip and a shared bandwidth, NUL is none. Any two users of one device, link or
//! processor meet here and wait for each other, whichever side they are on.

use std::collections::VecDeque;

use bakcast_sim::{Calendar, Line, SharedStation, SimTime, Slot, Span, Station};

use crate::device::{Device, Direction, Holder, Transfer};
use crate::station_clock::DeviceClock;

/// One station on the way of a transfer.
pub(super) enum Facility {
    /// A queue before the one bandwidth of a device, behind a latency that always overlaps.
    Bandwidth { device: usize, line: Line<Request>, latency: Span, slot: Slot },
    /// Latency that overlaps only up to a number of servers.
    Latency { station: Box<Station<Request>>, span: Span, first_slot: usize },
    /// A round trip that every request pays on its own.
    RoundTrip { device: usize, span: Span },
    /// A bandwidth divided among the connections in use.
    Shared(Box<Shared>),
}

/// A link during a run. Each reader and writer has a connection of its own, whose transfers follow
/// one another; the connections in use share the rate, none above its ceiling.
pub(super) struct Shared {
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
}

/// What the end of a slot means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SlotUse {
    Coordinator,
    Processor {
        server: u32,
    },
    Facility {
        facility: u32,
        server: u32,
    },
    /// A round trip under way.
    RoundTrip {
        index: u32,
    },
}

/// A device or link during a run.
pub(super) struct DeviceInUse {
    pub(super) holder: Holder,
    pub(super) clock: DeviceClock,
    pub(super) completions: u64,
    pub(super) bytes: u64,
    pub(super) reads: bool,
    pub(super) writes: bool,
    /// Unfinished readers on it that wait for a free buffer.
    pub(super) blocked_readers: u32,
    /// Whether transfers are on it: 0 or 1.
    pub(super) present: u32,
    /// Facilities of the device, in the order a transfer visits them.
    pub(super) facilities: Vec<u32>,
}

/// A transfer on its way through the facilities of its path. Queues hold it by value: looking it up
/// elsewhere would cost more than copying it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Request {
    bytes: u64,
    offset: u64,
    /// Its present place in [`Resources::hops`].
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

/// Everything threads share.
pub(super) struct Resources {
    pub(super) facilities: Vec<Facility>,
    pub(super) devices: Vec<DeviceInUse>,
    pub(super) slots: Vec<SlotUse>,
    /// The paths of all threads one after the other, each with its end.
    hops: Vec<Hop>,
    /// Where in `hops` each thread's path begins.
    paths: Vec<u32>,
    /// What is in each round trip; which of them are free.
    round_trips: Vec<Option<Request>>,
    free_round_trips: Vec<u32>,
    first_round_trip: usize,
}

impl Resources {
    /// Resources for the given devices; `requests` bounds the transfers under way at once.
    pub(super) fn new(devices: Vec<DeviceInUse>, laws: &[&Device], requests: usize) -> Self {
        let mut resources = Resources {
            facilities: Vec::new(),
            devices,
            slots: vec![SlotUse::Coordinator],
            hops: Vec::new(),
            paths: Vec::new(),
            round_trips: Vec::new(),
            free_round_trips: Vec::new(),
            first_round_trip: 0,
        };
        for (device, law) in laws.iter().enumerate() {
            resources.add_facilities(device, law, requests);
        }
        if resources.facilities.iter().any(|f| matches!(f, Facility::RoundTrip { .. })) {
            resources.first_round_trip = resources.slots.len();
            let all = 0..requests as u32;
            resources.slots.extend(all.clone().map(|index| SlotUse::RoundTrip { index }));
            resources.round_trips = vec![None; requests];
            resources.free_round_trips = all.rev().collect();
        }
        resources
    }

    /// The path of the next thread: facilities in order of travel.
    pub(super) fn add_path(&mut self, facilities: impl IntoIterator<Item = u32>) {
        self.paths.push(self.hops.len() as u32);
        self.hops.extend(facilities.into_iter().map(Hop::Visit));
        self.hops.push(Hop::Arrived);
    }

    /// Slots for `servers` processors; returns the first.
    pub(super) fn add_processor_slots(&mut self, servers: u32) -> usize {
        let first = self.slots.len();
        self.slots.extend((0..servers).map(|server| SlotUse::Processor { server }));
        first
    }

    fn add_facilities(&mut self, device: usize, law: &Device, requests: usize) {
        match law {
            Device::Null(_) => {}
            Device::SolidState(drive) => {
                let latency = drive.latency.span();
                let latency =
                    if self.devices[device].holder.is_relieved() { Span::ZERO } else { latency };
                let depth = drive.depth as usize;
                if depth >= requests {
                    // Never more commands than may overlap: the latency merely delays each.
                    self.add_bandwidth(device, latency);
                    return;
                }
                let first_slot = self.slots.len();
                self.add(device, depth, |_| Facility::Latency {
                    station: Box::new(Station::new(depth)),
                    span: latency,
                    first_slot,
                });
                self.add_bandwidth(device, Span::ZERO);
            }
            Device::Spindle(_) | Device::FixedRate(_) => self.add_bandwidth(device, Span::ZERO),
            Device::Capped(volume) => {
                let relieved = self.devices[device].holder.is_relieved();
                let latency = if relieved { Span::ZERO } else { volume.latency.span() };
                self.add_bandwidth(device, latency);
            }
            Device::Link(link) => {
                if link.round_trip.span() > Span::ZERO {
                    let span = link.round_trip.span();
                    self.add(device, 0, |_| Facility::RoundTrip { device, span });
                }
                let speed = self.devices[device].holder.speed();
                let ceiling = link.per_connection.map_or(f64::INFINITY, |c| c.get() * speed);
                let rate = link.rate.get() * speed;
                let station = SharedStation::new(rate, ceiling);
                self.add(device, 1, |slot| {
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

    fn add_bandwidth(&mut self, device: usize, latency: Span) {
        let line = Line::new();
        self.add(device, 1, |slot| Facility::Bandwidth { device, line, latency, slot });
    }

    fn add(&mut self, device: usize, servers: usize, make: impl FnOnce(Slot) -> Facility) {
        let facility = self.facilities.len() as u32;
        let first = Slot::new(self.slots.len());
        let uses = (0..servers as u32).map(|server| SlotUse::Facility { facility, server });
        self.slots.extend(uses);
        self.facilities.push(make(first));
        self.devices[device].facilities.push(facility);
    }

    /// Changes that made a device another one, so far.
    pub(super) fn device_changes(&self) -> u32 {
        self.devices.iter().map(|d| d.holder.changes()).sum()
    }

    /// A transfer sets out on the path of its thread; returned at once if nothing lies on it.
    #[inline(always)]
    pub(super) fn begin(
        &mut self,
        now: SimTime,
        transfer: Transfer,
        calendar: &mut Calendar,
    ) -> Option<Transfer> {
        let Transfer { bytes, thread, direction, offset } = transfer;
        let hop = self.paths[usize::from(thread)];
        match self.hops[hop as usize] {
            Hop::Arrived => Some(transfer),
            Hop::Visit(facility) => {
                let request = Request { bytes, offset, hop, thread, direction };
                self.visit(now, facility, request, calendar);
                None
            }
        }
    }

    /// The slot's service has ended; returns the transfer if that was the last of its path.
    #[inline(always)]
    pub(super) fn end(
        &mut self,
        now: SimTime,
        slot: Slot,
        slot_use: SlotUse,
        calendar: &mut Calendar,
    ) -> Option<Transfer> {
        let mut request = match slot_use {
            SlotUse::Facility { facility, server } => {
                self.depart(now, facility, server, slot, calendar)
            }
            SlotUse::RoundTrip { index } => {
                calendar.cancel(slot);
                self.free_round_trips.push(index);
                let request = self.round_trips[index as usize].take();
                request.expect("a slot is armed only while its round trip is under way")
            }
            SlotUse::Coordinator | SlotUse::Processor { .. } => {
                unreachable!("not a slot of a transfer")
            }
        };
        request.hop += 1;
        match self.hops[request.hop as usize] {
            Hop::Arrived => Some(request.transfer()),
            Hop::Visit(facility) => {
                self.visit_next(now, facility, request, calendar);
                None
            }
        }
    }

    /// [`Resources::visit`] as a call: for the later hops of a path, which few paths have.
    #[inline(never)]
    fn visit_next(
        &mut self,
        now: SimTime,
        facility: u32,
        request: Request,
        calendar: &mut Calendar,
    ) {
        self.visit(now, facility, request, calendar);
    }

    /// The request comes to a facility.
    #[inline(always)]
    fn visit(&mut self, now: SimTime, facility: u32, request: Request, calendar: &mut Calendar) {
        match &mut self.facilities[facility as usize] {
            Facility::Bandwidth { device, line, latency, slot } => {
                let device = &mut self.devices[*device];
                let begin = line.begin(now + *latency);
                let hold = device.holder.hold(&request.transfer(), begin);
                device.clock.work(hold);
                if let Some(end) = line.arrive(now + *latency, hold, request) {
                    device.note_present(now, 1);
                    calendar.schedule(*slot, end);
                }
            }
            Facility::Latency { station, span, first_slot } => {
                if let Some(server) = station.arrive(now, request) {
                    calendar.schedule(Slot::new(*first_slot + server), now + *span);
                }
            }
            Facility::RoundTrip { device, span } => {
                let holder = &self.devices[*device].holder;
                let span =
                    if holder.is_relieved() { Span::ZERO } else { scaled(*span, holder.speed()) };
                let index = self.free_round_trips.pop().expect("one for each request under way");
                self.round_trips[index as usize] = Some(request);
                calendar.schedule(Slot::new(self.first_round_trip + index as usize), now + span);
            }
            Facility::Shared(shared) => {
                let device = &mut self.devices[shared.device];
                shared.count(now, &mut device.clock);
                device.note_present(now, 1);
                let thread = usize::from(request.thread);
                if shared.connections.len() <= thread {
                    shared.connections.resize_with(thread + 1, Connection::default);
                }
                let connection = &mut shared.connections[thread];
                if connection.in_use {
                    connection.waiting.push_back(request);
                    return;
                }
                connection.in_use = true;
                shared.begin(now, request, device.holder.is_relieved());
                shared.schedule(calendar);
            }
        }
    }

    /// The server's service has ended; returns the request and starts the next one waiting.
    #[inline]
    fn depart(
        &mut self,
        now: SimTime,
        facility: u32,
        server: u32,
        slot: Slot,
        calendar: &mut Calendar,
    ) -> Request {
        match &mut self.facilities[facility as usize] {
            Facility::Bandwidth { device, line, .. } => {
                let (done, next) = line.depart();
                let device = &mut self.devices[*device];
                device.count(done.bytes);
                if let Some(end) = next {
                    calendar.schedule(slot, end);
                } else {
                    device.note_present(now, 0);
                    calendar.cancel(slot);
                }
                done
            }
            Facility::Latency { station, span, .. } => {
                let (done, next) = station.depart(now, server as usize);
                match next {
                    Some(_) => calendar.schedule(slot, now + *span),
                    None => calendar.cancel(slot),
                }
                done
            }
            Facility::Shared(shared) => {
                let device = &mut self.devices[shared.device];
                shared.count(now, &mut device.clock);
                let done = shared.station.complete(now);
                device.count(done.bytes);
                let connection = &mut shared.connections[usize::from(done.thread)];
                match connection.waiting.pop_front() {
                    Some(next) => shared.begin(now, next, device.holder.is_relieved()),
                    None => connection.in_use = false,
                }
                if shared.station.present() == 0 {
                    device.note_present(now, 0);
                }
                shared.schedule(calendar);
                done
            }
            Facility::RoundTrip { .. } => unreachable!("a round trip has no server"),
        }
    }

    /// A reader on this path began (`+1`) or ceased (`-1`) to wait for a free buffer.
    pub(super) fn reader_blocked(&mut self, now: SimTime, devices: &[usize], blocked: bool) {
        for &device in devices {
            let device = &mut self.devices[device];
            if blocked {
                device.blocked_readers += 1;
            } else {
                device.blocked_readers -= 1;
            }
            device.note_blocked(now);
        }
    }
}

impl DeviceInUse {
    /// From `now` on, so many transfers are on the device (none, or some).
    fn note_present(&mut self, now: SimTime, present: u32) {
        self.present = present;
        self.note_blocked(now);
    }

    fn note_blocked(&mut self, now: SimTime) {
        self.clock.note_blocked(now, self.present == 0 && self.blocked_readers > 0);
    }

    fn count(&mut self, bytes: u64) {
        self.completions += 1;
        self.bytes += bytes;
    }
}

fn scaled(span: Span, speed: f64) -> Span {
    Span::from_seconds(span.as_seconds() / speed)
}
