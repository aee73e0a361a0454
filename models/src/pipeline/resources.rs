//! Devices, links and processors as stations that transfers visit in order.
//!
//! A solid state drive is two stations (latency, which overlaps, and bandwidth, which does not), a
//! link is a round trip and a shared bandwidth, NUL is none. Any two users of one device, link or
//! processor meet here and wait for each other, whichever side they are on.

use bakcast_sim::{Calendar, Line, SharedStation, SimTime, Slot, Span, Station};

use crate::device::{Device, Holder, Transfer};
use crate::station_clock::DeviceClock;

/// One station on the way of a transfer.
pub(super) enum Facility {
    /// A queue before the one bandwidth of a device, behind a latency that always overlaps.
    Bandwidth { device: usize, line: Line<u32>, latency: Span, slot: Slot },
    /// Latency that overlaps only up to a number of servers.
    Latency { station: Station<u32>, span: Span, first_slot: usize },
    /// A round trip that every request pays on its own.
    RoundTrip { device: usize, span: Span },
    /// A bandwidth divided among all transfers under way.
    Shared { device: usize, station: Box<SharedStation<u32>>, slot: Slot, busy_since: SimTime },
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
    /// A request in a round trip.
    Request {
        request: u32,
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

/// A transfer on its way through the facilities of its path.
#[derive(Debug, Clone, Copy)]
pub(super) struct Request {
    pub(super) transfer: Transfer,
    pub(super) path: u32,
    pub(super) hop: u32,
}

/// Everything threads share.
pub(super) struct Resources {
    pub(super) facilities: Vec<Facility>,
    pub(super) devices: Vec<DeviceInUse>,
    pub(super) slots: Vec<SlotUse>,
    /// Facilities of each thread's path, in order of travel.
    pub(super) paths: Vec<Vec<u32>>,
    requests: Vec<Request>,
    free_requests: Vec<u32>,
    request_slots: usize,
}

/// Where a transfer got to.
pub(super) enum Progress {
    /// It is still under way.
    UnderWay,
    /// It has passed the last station of its path.
    Done(Transfer),
}

impl Resources {
    /// Resources for the given devices; `requests` bounds the transfers under way at once.
    pub(super) fn new(devices: Vec<DeviceInUse>, laws: &[&Device], requests: usize) -> Self {
        let mut resources = Resources {
            facilities: Vec::new(),
            devices,
            slots: vec![SlotUse::Coordinator],
            paths: Vec::new(),
            requests: Vec::with_capacity(requests),
            free_requests: Vec::with_capacity(requests),
            request_slots: 0,
        };
        for (device, law) in laws.iter().enumerate() {
            resources.add_facilities(device, law, requests);
        }
        if resources.facilities.iter().any(|f| matches!(f, Facility::RoundTrip { .. })) {
            resources.request_slots = resources.slots.len();
            let uses = (0..requests as u32).map(|request| SlotUse::Request { request });
            resources.slots.extend(uses);
        }
        resources
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
                    station: Station::new(depth),
                    span: latency,
                    first_slot,
                });
                self.add_bandwidth(device, Span::ZERO);
            }
            Device::Spindle(_) | Device::FixedRate(_) => self.add_bandwidth(device, Span::ZERO),
            Device::Link(link) => {
                if link.round_trip.span() > Span::ZERO {
                    let span = link.round_trip.span();
                    self.add(device, 0, |_| Facility::RoundTrip { device, span });
                }
                let speed = self.devices[device].holder.speed();
                let ceiling = link.per_connection.map_or(f64::INFINITY, |c| c.get() * speed);
                let rate = link.rate.get() * speed;
                self.add(device, 1, |slot| Facility::Shared {
                    device,
                    station: Box::new(SharedStation::new(rate, ceiling)),
                    slot,
                    busy_since: SimTime::ZERO,
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

    /// Devices whose fast cache is full.
    pub(super) fn full_caches(&self) -> u32 {
        self.devices.iter().filter(|d| d.holder.cache_is_full()).count() as u32
    }

    /// A transfer sets out on the path of its thread.
    pub(super) fn begin(
        &mut self,
        now: SimTime,
        transfer: Transfer,
        calendar: &mut Calendar,
    ) -> Progress {
        let request = Request { transfer, path: u32::from(transfer.thread), hop: 0 };
        let id = if let Some(id) = self.free_requests.pop() {
            self.requests[id as usize] = request;
            id
        } else {
            self.requests.push(request);
            self.requests.len() as u32 - 1
        };
        self.arrive(now, id, calendar)
    }

    /// The slot's service has ended.
    pub(super) fn end(
        &mut self,
        now: SimTime,
        slot: Slot,
        slot_use: SlotUse,
        calendar: &mut Calendar,
    ) -> Progress {
        let id = match slot_use {
            SlotUse::Request { request } => {
                calendar.cancel(slot);
                request
            }
            SlotUse::Facility { facility, server } => {
                self.depart(now, facility, server, slot, calendar)
            }
            SlotUse::Coordinator | SlotUse::Processor { .. } => {
                unreachable!("not a slot of a transfer")
            }
        };
        self.requests[id as usize].hop += 1;
        self.arrive(now, id, calendar)
    }

    /// The request comes to the facility of its present hop, or has passed them all.
    fn arrive(&mut self, now: SimTime, id: u32, calendar: &mut Calendar) -> Progress {
        let request = self.requests[id as usize];
        let Some(&facility) = self.paths[request.path as usize].get(request.hop as usize) else {
            self.free_requests.push(id);
            return Progress::Done(request.transfer);
        };
        match &mut self.facilities[facility as usize] {
            Facility::Bandwidth { device, line, latency, slot } => {
                let device = &mut self.devices[*device];
                let hold = device.holder.hold(&request.transfer);
                device.clock.work(hold);
                if let Some(end) = line.arrive(now + *latency, hold, id) {
                    device.note_present(now, 1);
                    calendar.schedule(*slot, end);
                }
            }
            Facility::Latency { station, span, first_slot } => {
                if let Some(server) = station.arrive(now, id) {
                    calendar.schedule(Slot::new(*first_slot + server), now + *span);
                }
            }
            Facility::RoundTrip { device, span } => {
                let speed = self.devices[*device].holder.speed();
                let relieved = self.devices[*device].holder.is_relieved();
                let span = if relieved { Span::ZERO } else { scaled(*span, speed) };
                calendar.schedule(Slot::new(self.request_slots + id as usize), now + span);
            }
            Facility::Shared { device, station, slot, busy_since } => {
                let device = &mut self.devices[*device];
                if station.present() == 0 {
                    *busy_since = now;
                    device.note_present(now, 1);
                }
                let work =
                    if device.holder.is_relieved() { 0.0 } else { request.transfer.bytes as f64 };
                station.arrive(now, id, work);
                schedule_shared(station, *slot, calendar);
            }
        }
        Progress::UnderWay
    }

    /// The server's service has ended; returns the request and starts the next one waiting.
    fn depart(
        &mut self,
        now: SimTime,
        facility: u32,
        server: u32,
        slot: Slot,
        calendar: &mut Calendar,
    ) -> u32 {
        match &mut self.facilities[facility as usize] {
            Facility::Bandwidth { device, line, .. } => {
                let (done, next) = line.depart();
                let device = &mut self.devices[*device];
                device.count(self.requests[done as usize].transfer.bytes);
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
            Facility::Shared { device, station, slot, busy_since } => {
                let done = station.complete(now);
                let device = &mut self.devices[*device];
                device.count(self.requests[done as usize].transfer.bytes);
                if station.present() == 0 {
                    device.clock.work(now.since(*busy_since));
                    device.note_present(now, 0);
                }
                schedule_shared(station, *slot, calendar);
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

fn schedule_shared(station: &SharedStation<u32>, slot: Slot, calendar: &mut Calendar) {
    match station.next_completion() {
        Some(at) => calendar.schedule(slot, at),
        None => calendar.cancel(slot),
    }
}

fn scaled(span: Span, speed: f64) -> Span {
    Span::from_seconds(span.as_seconds() / speed)
}
