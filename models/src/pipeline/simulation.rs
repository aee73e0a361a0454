//! One run: the event loop over a job, the stations it acts on and its coordinator.

use bakcast_sim::{Calendar, Flow, Limits, Model, RunError, SimTime, Slot, Span, run};

use super::BackupError;
use super::devices::DeviceInUse;
use super::facilities::{Facilities, Scheduled, SlotUse};
use super::forward::Forward;
use super::job::Job;
use super::lines::Lines;
use super::processors::Processors;
use super::stations::{Ended, Scene, Stations};
use super::stretch::Stretch;
use crate::outcome::{Outcome, StationOutcome, StationRole, ThreadOutcome};
use crate::quantity::Bytes;
use crate::station_clock::StationShares;
use crate::wait::{Side, ThreadClock, ThreadState};

/// A run, ready to go.
pub(super) struct Simulation {
    pub(super) job: Job,
    pub(super) devices: Vec<DeviceInUse>,
    pub(super) processors: Processors,
    pub(super) coordinator: ThreadClock,
    pub(super) start: Span,
    pub(super) finish: Span,
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
        let mut now = SimTime::ZERO + self.start;
        // The ends of the coordinator's two spans count as well.
        let mut events = 2;
        let mut done = self.begin(now, &mut lines);
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
        let end = now + self.finish;
        Ok(self.outcome(end, events))
    }

    /// Runs what can be run with the counts at hand; returns the events and the time of the last
    /// one, if there was such a stretch.
    fn stretch(&mut self, now: SimTime, lines: &mut Lines) -> Option<(u64, Option<SimTime>)> {
        let until = self.forward.as_ref().map_or(u64::MAX, Forward::next);
        let (job, devices) = (&mut self.job, &mut self.devices[..]);
        let stretch = Stretch::begin(job, devices, &mut self.processors, lines)?;
        Some(stretch.run(until, now))
    }

    /// Carries the run forward if it has come to where that is to be looked at.
    #[inline(always)]
    fn look(&mut self, now: SimTime) {
        if let Some(forward) = &mut self.forward
            && self.job.read_bytes >= forward.next()
        {
            forward.look(now, &mut self.job, &mut self.devices, &mut self.processors);
        }
    }

    fn run_scheduled(self, facilities: Facilities) -> Result<Outcome, BackupError> {
        let mut calendar = Calendar::new(facilities.slots.len());
        calendar.schedule(COORDINATOR, SimTime::ZERO + self.start);
        let mut model = ScheduledRun { simulation: self, facilities, has_begun: false };
        match run(&mut model, &mut calendar, Limits::NONE) {
            Ok(summary) => Ok(model.simulation.outcome(summary.end, summary.events)),
            Err(RunError::Stalled { at, .. }) => Err(model.simulation.stalled(at)),
            Err(other) => Err(BackupError::Run(other)),
        }
    }

    fn stalled(&self, at: SimTime) -> BackupError {
        BackupError::Stalled { at: at.to_string(), state: self.job.describe() }
    }

    /// The coordinator has set up: readers and writers begin. True if there is nothing to do.
    fn begin<S: Stations>(&mut self, now: SimTime, stations: &mut S) -> bool {
        self.coordinator.enter(now, ThreadState::Coordinating);
        let (devices, processors) = (&mut self.devices[..], &mut self.processors);
        let mut scene = Scene { now, stations, devices, processors };
        self.job.begin_writing(&mut scene);
        self.job.begin_reading(&mut scene);
        // Nothing to read at all: backup files of a few bytes, all in one of them.
        self.job.flush_rest(&mut scene);
        self.job.is_done(&self.processors)
    }

    /// Something has ended: what that sets going. True if the job is done.
    #[inline(always)]
    fn go_on<S: Stations>(&mut self, now: SimTime, ended: Ended, stations: &mut S) -> bool {
        let (devices, processors) = (&mut self.devices[..], &mut self.processors);
        let mut scene = Scene { now, stations, devices, processors };
        self.job.go_on(ended, &mut scene);
        self.look(now);
        let done = self.job.reading == 0 && self.drain(now, stations);
        if cfg!(debug_assertions) {
            self.job.assert_conservation(&self.processors);
        }
        done
    }

    /// Everything is read: writers write what is left. True if the job is done.
    #[inline(never)]
    fn drain<S: Stations>(&mut self, now: SimTime, stations: &mut S) -> bool {
        let (devices, processors) = (&mut self.devices[..], &mut self.processors);
        let mut scene = Scene { now, stations, devices, processors };
        self.job.flush_rest(&mut scene);
        self.job.is_done(&self.processors)
    }

    fn outcome(mut self, end: SimTime, events: u64) -> Outcome {
        self.job.assert_conservation(&self.processors);
        let (devices, processors) = (&mut self.devices, &mut self.processors);
        let (skipped, carried) = match &mut self.forward {
            Some(forward) => forward.finish(end, &mut self.job, devices, processors),
            None => (Span::ZERO, None),
        };
        let mut copying = [0; ThreadState::COUNT];
        copying[ThreadState::Coordinating as usize] = 1;
        self.coordinator.extend(&[0; ThreadState::COUNT], &copying, skipped.as_nanos());
        let job = &self.job;
        let stripe_bytes: Vec<Bytes> = job.writers.iter().map(|w| Bytes::new(w.written)).collect();
        let (read, written) = (job.read_bytes, job.written_bytes);
        let stations = self.stations(end, skipped);
        let threads = self.threads(end, skipped, &stations);
        Outcome {
            elapsed: end.since(SimTime::ZERO) + skipped,
            read_bytes: Bytes::new(read),
            written_bytes: Bytes::new(written),
            stripe_bytes,
            stations,
            threads,
            events,
            carried,
        }
    }

    fn stations(&mut self, end: SimTime, skipped: Span) -> Vec<StationOutcome> {
        let mut stations = Vec::new();
        for (device, name) in self.devices.iter_mut().zip(&self.device_names) {
            let role = match (device.reads, device.writes) {
                (true, true) => StationRole::SourceAndTarget,
                (true, false) => StationRole::Source,
                (false, true) => StationRole::Target,
                (false, false) => continue,
            };
            let times = device.clock.finish(end, skipped);
            stations.push(StationOutcome {
                name: name.clone(),
                role,
                servers: 1,
                completions: device.completions,
                bytes: Bytes::new(device.bytes),
                busy: Span::from_nanos(times.working_ns),
                shares: times.shares(),
            });
        }
        if self.job.work.is_some() {
            stations.push(self.processor_station(end, skipped));
        }
        stations.push(self.fixed_cost_station(end, skipped));
        stations
    }

    fn processor_station(&mut self, end: SimTime, skipped: Span) -> StationOutcome {
        let processors = &mut self.processors;
        let times = processors.clock.finish(end, skipped);
        StationOutcome {
            name: "processor".to_string(),
            role: StationRole::Processor,
            servers: processors.servers,
            completions: processors.completions,
            bytes: Bytes::new(processors.bytes),
            busy: Span::from_nanos(times.working_ns),
            shares: times.shares(),
        }
    }

    fn fixed_cost_station(&self, end: SimTime, skipped: Span) -> StationOutcome {
        let busy = self.start + self.finish;
        let elapsed = end.as_seconds() + skipped.as_seconds();
        let working = if elapsed > 0.0 { busy.as_seconds() / elapsed } else { 0.0 };
        StationOutcome {
            name: "fixed cost".to_string(),
            role: StationRole::FixedCost,
            servers: 1,
            completions: 1,
            bytes: Bytes::ZERO,
            busy,
            shares: StationShares { working, starved: 1.0 - working, blocked: 0.0 },
        }
    }

    fn threads(
        self,
        end: SimTime,
        skipped: Span,
        stations: &[StationOutcome],
    ) -> Vec<ThreadOutcome> {
        let thread = |side, name: String, clock: ThreadClock| ThreadOutcome {
            side,
            name,
            spent: clock.finish(end, skipped),
        };
        let mut threads =
            vec![thread(Side::Coordinator, "coordinator".to_string(), self.coordinator)];
        for reader in self.job.readers {
            threads.push(thread(Side::Source, reader.name, reader.clock));
        }
        if let Some(station) = stations.iter().find(|s| s.role == StationRole::Processor) {
            threads.push(workers(station, end.as_seconds() + skipped.as_seconds()));
        }
        for writer in self.job.writers {
            threads.push(thread(Side::Target, writer.name, writer.clock));
        }
        threads
    }
}

/// The workers as one: their server time by state.
fn workers(station: &StationOutcome, elapsed_seconds: f64) -> ThreadOutcome {
    let total = elapsed_seconds * f64::from(station.servers);
    let spent = [
        (ThreadState::Working, station.shares.working),
        (ThreadState::Idle, station.shares.starved),
        (ThreadState::AwaitingEncodedBuffer, station.shares.blocked),
    ];
    ThreadOutcome {
        side: Side::Processor,
        name: format!("{} workers", station.servers),
        spent: spent.map(|(state, share)| (state, Span::from_seconds(total * share))).to_vec(),
    }
}

/// A run whose ends lie in a calendar.
struct ScheduledRun {
    simulation: Simulation,
    facilities: Facilities,
    has_begun: bool,
}

impl ScheduledRun {
    /// The coordinator's first span ends, or its second.
    fn coordinator_ends(&mut self, now: SimTime, calendar: &mut Calendar) -> Flow {
        calendar.cancel(COORDINATOR);
        if self.has_begun {
            return Flow::Stop;
        }
        self.has_begun = true;
        let mut stations = Scheduled { facilities: &mut self.facilities, calendar };
        if self.simulation.begin(now, &mut stations) {
            calendar.schedule(COORDINATOR, now + self.simulation.finish);
        }
        Flow::Continue
    }
}

impl Model for ScheduledRun {
    fn handle(&mut self, now: SimTime, slot: Slot, calendar: &mut Calendar) -> Flow {
        let slot_use = self.facilities.slots[slot.index()];
        let mut stations = Scheduled { facilities: &mut self.facilities, calendar };
        let ended = match slot_use {
            SlotUse::Coordinator => return self.coordinator_ends(now, calendar),
            SlotUse::Processor { server } => {
                Ended::Work { bytes: stations.facilities.end_work(server) }
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
            calendar.schedule(COORDINATOR, now + self.simulation.finish);
        }
        Flow::Continue
    }
}
