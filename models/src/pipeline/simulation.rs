//! One run: the event loop over a job, its resources and its coordinator.

use bakcast_sim::{Calendar, Flow, Limits, Model, RunError, SimTime, Slot, Span, run};

use super::BackupError;
use super::forward::Forward;
use super::job::{Job, Scene};
use super::processors::Processors;
use super::resources::{Resources, SlotUse};
use crate::device::Direction;
use crate::outcome::{Outcome, StationOutcome, StationRole, ThreadOutcome};
use crate::quantity::Bytes;
use crate::station_clock::StationShares;
use crate::wait::{Side, ThreadClock, ThreadState};

/// Where the job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// The coordinator sets up.
    Starting,
    /// Readers and writers are at work.
    Copying,
    /// The coordinator closes.
    Finishing,
}

/// A run, ready to go.
pub(super) struct Simulation {
    pub(super) job: Job,
    pub(super) resources: Resources,
    pub(super) processors: Processors,
    pub(super) phase: Phase,
    pub(super) coordinator: ThreadClock,
    pub(super) start: Span,
    pub(super) finish: Span,
    /// Carries long runs forward.
    pub(super) forward: Option<Forward>,
    /// Names of devices, in order.
    pub(super) device_names: Vec<String>,
}

const COORDINATOR: usize = 0;

impl Simulation {
    /// Runs to the end.
    pub(super) fn run(mut self) -> Result<Outcome, BackupError> {
        let mut calendar = Calendar::new(self.resources.slots.len());
        calendar.schedule(Slot::new(COORDINATOR), SimTime::ZERO + self.start);
        let summary = run(&mut self, &mut calendar, Limits::NONE).map_err(|error| match error {
            RunError::Stalled { at, .. } => {
                BackupError::Stalled { at: at.to_string(), state: self.job.describe() }
            }
            other => BackupError::Run(other),
        })?;
        self.job.assert_conservation(&self.processors);
        Ok(self.outcome(summary.end, summary.events))
    }

    fn coordinator_ends(&mut self, now: SimTime, slot: Slot, calendar: &mut Calendar) -> Flow {
        match self.phase {
            Phase::Starting => {
                calendar.cancel(slot);
                self.phase = Phase::Copying;
                self.coordinator.enter(now, ThreadState::Coordinating);
                let mut scene = Scene {
                    now,
                    resources: &mut self.resources,
                    processors: &mut self.processors,
                    calendar,
                };
                self.job.begin_writing(&mut scene);
                self.job.begin_reading(&mut scene);
                self.job.flush_rest(&mut scene);
                if self.job.is_done(&self.processors) {
                    // Nothing to read at all: backup files of a few bytes, all in one of them.
                    self.phase = Phase::Finishing;
                    calendar.schedule(slot, now + self.finish);
                }
                Flow::Continue
            }
            Phase::Copying => unreachable!("the coordinator has no time of its own while copying"),
            Phase::Finishing => {
                calendar.cancel(slot);
                Flow::Stop
            }
        }
    }

    fn outcome(mut self, end: SimTime, events: u64) -> Outcome {
        let (resources, processors) = (&mut self.resources, &mut self.processors);
        let (skipped, carried) = match &mut self.forward {
            Some(forward) => forward.finish(end, &mut self.job, resources, processors),
            None => (Span::ZERO, None),
        };
        let mut copying = [0; ThreadState::COUNT];
        copying[ThreadState::Coordinating as usize] = 1;
        self.coordinator.extend(&[0; ThreadState::COUNT], &copying, skipped.as_nanos());
        let job = &self.job;
        let stripe_bytes: Vec<Bytes> = job.writers.iter().map(|w| Bytes::new(w.written)).collect();
        let (read, written) = (job.read_bytes, job.written_bytes);
        let stations = self.stations(end, skipped);
        let credits = self.resources.devices.iter().map(|d| d.holder.credit()).collect();
        let threads = self.threads(end, skipped, &stations);
        Outcome {
            elapsed: end.since(SimTime::ZERO) + skipped,
            read_bytes: Bytes::new(read),
            written_bytes: Bytes::new(written),
            stripe_bytes,
            stations,
            threads,
            events,
            credits,
            carried,
        }
    }

    fn stations(&mut self, end: SimTime, skipped: Span) -> Vec<StationOutcome> {
        let mut stations = Vec::new();
        for (device, name) in self.resources.devices.iter_mut().zip(&self.device_names) {
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

impl Model for Simulation {
    #[inline(always)]
    fn handle(&mut self, now: SimTime, slot: Slot, calendar: &mut Calendar) -> Flow {
        let (resources, processors) = (&mut self.resources, &mut self.processors);
        let ended = match resources.slots[slot.index()] {
            SlotUse::Coordinator => return self.coordinator_ends(now, slot, calendar),
            SlotUse::Processor { server } => self.job.work_ended(server, slot, processors),
            slot_use => {
                let Some(transfer) = resources.end(now, slot, slot_use, calendar) else {
                    return Flow::Continue;
                };
                match transfer.direction {
                    Direction::Read => self.job.read_ended(&transfer),
                    Direction::Write => {
                        let mut scene = Scene { now, resources, processors, calendar };
                        self.job.write_ended(&transfer, &mut scene)
                    }
                }
            }
        };
        self.job.go_on(ended, &mut Scene { now, resources, processors, calendar });
        if let Some(forward) = &mut self.forward
            && self.job.read_bytes >= forward.next()
        {
            forward.look(now, &mut self.job, &mut self.resources, &mut self.processors);
        }
        if self.job.reading == 0 {
            let (resources, processors) = (&mut self.resources, &mut self.processors);
            let mut scene = Scene { now, resources, processors, calendar };
            self.job.flush_rest(&mut scene);
            if self.job.is_done(&self.processors) {
                self.phase = Phase::Finishing;
                calendar.schedule(Slot::new(COORDINATOR), now + self.finish);
            }
        }
        if cfg!(debug_assertions) {
            self.job.assert_conservation(&self.processors);
        }
        Flow::Continue
    }
}
