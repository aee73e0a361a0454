//! A run of one job: its event loop over the stations, and what it came to.

use bakcast_sim::{Calendar, Flow, Limits, Model, RunError, RunSummary, SimTime, Slot, Span, run};

use super::BackupError;
use super::crew::{Crew, Parts};
use super::devices::DeviceInUse;
use super::facilities::{Facilities, Scheduled, SlotUse};
use super::forward::Forward;
use super::journal::Journal;
use super::lines::Lines;
use super::stations::{Ended, Stations};
use super::stretch::Stretch;
use crate::outcome::{Outcome, StationOutcome, StationRole};
use crate::quantity::Bytes;
use crate::station_clock::StationTimes;

/// A run of one job, ready to go.
pub(super) struct Simulation {
    pub(super) crew: Crew,
    pub(super) devices: Vec<DeviceInUse>,
    /// Carries long runs forward.
    pub(super) forward: Option<Forward>,
    /// Names of devices, in order.
    pub(super) device_names: Vec<String>,
}

/// How the ends of services are found.
#[allow(clippy::large_enum_variant, reason = "a run has one, and its queues are best inside")]
pub(super) enum Way {
    /// By recursion.
    Lines(Lines),
    /// In a calendar.
    Facilities(Facilities),
}

const COORDINATOR: Slot = Slot::new(0);

impl Simulation {
    /// Runs to the end.
    pub(super) fn run(self, way: Way) -> Result<Outcome, BackupError> {
        match way {
            Way::Lines(lines) => self.run_lines(lines),
            Way::Facilities(facilities) => self.run_scheduled(facilities),
        }
    }

    fn run_lines(mut self, mut lines: Lines) -> Result<Outcome, BackupError> {
        let mut now = SimTime::ZERO + self.crew.start;
        // The ends of the coordinator's two spans count as well.
        let mut events = 2;
        let mut done = self.crew.begin(now, &mut lines, &mut self.devices);
        while !done {
            if let Some((count, at)) = self.stretch(now, &mut lines) {
                let Some(at) = at else { return Err(self.stalled(now)) };
                now = at;
                events += count;
                self.look(now);
                continue;
            }
            let Some((at, ended)) = lines.next(&mut self.devices) else {
                return Err(self.stalled(now));
            };
            now = at;
            events += 1;
            done = self.go_on(now, ended, &mut lines);
        }
        let end = now + self.crew.finish;
        Ok(self.outcome(end, events))
    }

    /// Runs what can be run with the counts at hand; returns the events and the time of the last
    /// one, if there was such a stretch.
    fn stretch(&mut self, now: SimTime, lines: &mut Lines) -> Option<(u64, Option<SimTime>)> {
        let until = self.forward.as_ref().map_or(u64::MAX, Forward::next);
        let Crew { job, processors, .. } = &mut self.crew;
        let stretch = Stretch::begin(job, &mut self.devices, processors, lines)?;
        Some(stretch.run(until, now))
    }

    /// Carries the run forward if it has come to where that is to be looked at.
    #[inline(always)]
    fn look(&mut self, now: SimTime) {
        if let Some(forward) = &mut self.forward
            && self.crew.job.read_bytes >= forward.next()
        {
            let crews = std::slice::from_mut(&mut self.crew);
            forward.look(&mut Parts { now, crews, devices: &mut self.devices }, None);
        }
    }

    fn run_scheduled(self, facilities: Facilities) -> Result<Outcome, BackupError> {
        let (mut model, mut calendar) = self.scheduled(facilities);
        let ran = run(&mut model, &mut calendar, Limits::NONE);
        model.conclude(ran)
    }

    /// The run in a calendar, before its first event.
    pub(super) fn scheduled<J: Journal>(
        self,
        facilities: Facilities<J>,
    ) -> (ScheduledRun<J>, Calendar) {
        let mut calendar = Calendar::new(facilities.slots.len());
        calendar.schedule(COORDINATOR, SimTime::ZERO + self.crew.start);
        let done = None;
        (ScheduledRun { simulation: self, facilities, has_begun: false, done }, calendar)
    }

    fn stalled(&self, at: SimTime) -> BackupError {
        BackupError::Stalled { at: at.to_string(), state: self.crew.job.describe() }
    }

    /// Something has ended: what that sets going. True if the job is done.
    #[inline(always)]
    fn go_on<S: Stations>(&mut self, now: SimTime, ended: Ended, stations: &mut S) -> bool {
        self.crew.go_on(now, ended, stations, &mut self.devices);
        self.look(now);
        self.crew.rest(now, stations, &mut self.devices)
    }

    fn outcome(mut self, end: SimTime, events: u64) -> Outcome {
        self.crew.job.assert_conservation(&self.crew.processors);
        let crews = std::slice::from_mut(&mut self.crew);
        let mut parts = Parts { now: end, crews, devices: &mut self.devices };
        let carried = self.forward.as_mut().and_then(|forward| forward.finish(&mut parts));
        let speeds = parts.speeds();
        let skipped = Span::from_nanos(self.crew.skipped_ns);
        let elapsed = end.since(SimTime::ZERO) + skipped;
        let mut stations: Vec<StationOutcome> = Vec::new();
        for (device, name) in self.devices.iter().zip(&self.device_names) {
            stations.extend(device_station(device, name, &device.clock.finish(end, skipped)));
        }
        if self.crew.job.work.is_some() {
            stations.push(self.crew.processor_station(end));
        }
        stations.push(self.crew.fixed_cost_station(elapsed));
        Outcome {
            elapsed,
            read_bytes: Bytes::new(self.crew.job.read_bytes),
            written_bytes: Bytes::new(self.crew.job.written_bytes),
            stripe_bytes: self.crew.stripe_bytes(),
            stations,
            credits: self.devices.iter().map(|d| d.holder.credit()).collect(),
            threads: self.crew.threads(end),
            events,
            carried,
            speeds,
            beside: Vec::new(),
        }
    }
}

/// A share of so many nanoseconds.
pub(super) fn share_of(nanos: u64, share: f64) -> Span {
    Span::from_seconds(Span::from_nanos(nanos).as_seconds() * share)
}

/// A device as a station, if the job that is asked about uses it.
pub(super) fn device_station(
    device: &DeviceInUse,
    name: &str,
    times: &StationTimes,
) -> Option<StationOutcome> {
    let role = match (device.reads, device.writes) {
        (true, true) => StationRole::SourceAndTarget,
        (true, false) => StationRole::Source,
        (false, true) => StationRole::Target,
        (false, false) => return None,
    };
    Some(StationOutcome {
        name: name.to_string(),
        role,
        servers: 1,
        completions: device.completions,
        bytes: Bytes::new(device.bytes),
        busy: Span::from_nanos(times.working_ns),
        others: share_of(times.working_ns, device.holder.taken_by_others()),
        shares: times.shares(),
    })
}

/// A run whose ends lie in a calendar.
pub(super) struct ScheduledRun<J = ()> {
    pub(super) simulation: Simulation,
    pub(super) facilities: Facilities<J>,
    has_begun: bool,
    /// When the job ends, from the end of its last transfer on.
    pub(super) done: Option<SimTime>,
}

impl<J: Journal> ScheduledRun<J> {
    /// What the run came to.
    pub(super) fn conclude(
        self,
        ran: Result<RunSummary, RunError>,
    ) -> Result<Outcome, BackupError> {
        match ran {
            Ok(summary) => Ok(self.simulation.outcome(summary.end, summary.events)),
            Err(RunError::Stalled { at, .. }) => Err(self.simulation.stalled(at)),
            Err(other) => Err(BackupError::Run(other)),
        }
    }

    /// The job is done, but for what the coordinator still does.
    #[cold]
    fn is_done(&mut self, now: SimTime, calendar: &mut Calendar) {
        let end = now + self.simulation.crew.finish;
        self.done = Some(end);
        calendar.schedule(COORDINATOR, end);
    }

    /// The coordinator's first span ends, or its second.
    fn coordinator_ends(&mut self, now: SimTime, calendar: &mut Calendar) -> Flow {
        calendar.cancel(COORDINATOR);
        if self.has_begun {
            return Flow::Stop;
        }
        self.has_begun = true;
        let Simulation { crew, devices, .. } = &mut self.simulation;
        let mut stations = Scheduled::of_one(&mut self.facilities, calendar);
        if crew.begin(now, &mut stations, devices) {
            self.is_done(now, calendar);
        }
        Flow::Continue
    }
}

impl<J: Journal> Model for ScheduledRun<J> {
    fn handle(&mut self, now: SimTime, slot: Slot, calendar: &mut Calendar) -> Flow {
        let slot_use = self.facilities.slots[slot.index()];
        let mut stations = Scheduled::of_one(&mut self.facilities, calendar);
        let ended = match slot_use {
            SlotUse::Coordinator { .. } => return self.coordinator_ends(now, calendar),
            SlotUse::Processor { server } => {
                let (_, bytes) = stations.facilities.end_work(server);
                Ended::Work { bytes }
            }
            slot_use => {
                let devices = &mut self.simulation.devices;
                let Some(done) = stations.end(now, slot, slot_use, devices) else {
                    return Flow::Continue;
                };
                Ended::Transfer { thread: done.thread, bytes: done.bytes }
            }
        };
        let done = self.simulation.go_on(now, ended, &mut stations);
        // As a rule the processor is at work again and its slot armed.
        if let SlotUse::Processor { server } = slot_use
            && self.facilities.is_next(server)
        {
            calendar.cancel(slot);
        }
        if done {
            self.is_done(now, calendar);
        }
        Flow::Continue
    }
}
