//! A job with its workers and its coordinator; one or several of them make a run.

use bakcast_sim::{SimTime, Span};

use super::devices::{DeviceInUse, device_changes};
use super::job::Job;
use super::processors::Processors;
use super::simulation::share_of;
use super::stations::{Ended, Scene, Stations};
use crate::outcome::{StationOutcome, StationRole, ThreadOutcome};
use crate::quantity::Bytes;
use crate::station_clock::{StationShares, StationTimes};
use crate::wait::{Side, ThreadClock, ThreadState};

/// Everybody who works for one job.
pub(super) struct Crew {
    pub(super) job: Job,
    pub(super) processors: Processors,
    pub(super) coordinator: ThreadClock,
    /// Before the first read, and after the last write.
    pub(super) start: Span,
    pub(super) finish: Span,
    /// The job has begun to copy and is not done.
    pub(super) is_under_way: bool,
    /// Time carried forward while it was under way.
    pub(super) skipped_ns: u64,
}

impl Crew {
    /// The coordinator has set up: readers and writers begin. True if there is nothing to do.
    pub(super) fn begin<S: Stations>(
        &mut self,
        now: SimTime,
        stations: &mut S,
        devices: &mut [DeviceInUse],
    ) -> bool {
        self.is_under_way = true;
        self.coordinator.enter(now, ThreadState::Coordinating);
        let mut scene = Scene { now, stations, devices, processors: &mut self.processors };
        self.job.begin(&mut scene);
        // Nothing to read at all: backup files of a few bytes, all in one of them.
        self.drain(now, stations, devices)
    }

    /// Something has ended: what that sets going.
    #[inline(always)]
    pub(super) fn go_on<S: Stations>(
        &mut self,
        now: SimTime,
        ended: Ended,
        stations: &mut S,
        devices: &mut [DeviceInUse],
    ) {
        let mut scene = Scene { now, stations, devices, processors: &mut self.processors };
        self.job.go_on(ended, &mut scene);
    }

    /// If everything is read, writers write what is left. True if the job is done.
    #[inline(always)]
    pub(super) fn rest<S: Stations>(
        &mut self,
        now: SimTime,
        stations: &mut S,
        devices: &mut [DeviceInUse],
    ) -> bool {
        let done = self.job.reading == 0 && self.drain(now, stations, devices);
        if cfg!(debug_assertions) {
            self.job.assert_conservation(&self.processors);
        }
        done
    }

    #[inline(never)]
    fn drain<S: Stations>(
        &mut self,
        now: SimTime,
        stations: &mut S,
        devices: &mut [DeviceInUse],
    ) -> bool {
        let mut scene = Scene { now, stations, devices, processors: &mut self.processors };
        self.job.flush_rest(&mut scene);
        let done = self.job.is_done(&self.processors);
        self.is_under_way &= !done;
        done
    }

    /// Bytes in each backup file, or on each volume.
    pub(super) fn stripe_bytes(&self) -> Vec<Bytes> {
        self.job.writers.iter().map(|w| Bytes::new(w.written)).collect()
    }

    /// The processors as a station, over the whole run.
    pub(super) fn processor_station(&self, end: SimTime) -> StationOutcome {
        let processors = &self.processors;
        let times = processors.clock.finish(end, Span::from_nanos(self.skipped_ns));
        StationOutcome {
            name: "processor".to_string(),
            role: StationRole::Processor,
            servers: processors.servers,
            completions: processors.completions,
            bytes: Bytes::new(processors.bytes),
            busy: Span::from_nanos(times.working_ns),
            others: share_of(times.working_ns, processors.taken_by_others()),
            shares: times.shares(),
        }
    }

    /// The fixed cost as a station of a job that took so long.
    pub(super) fn fixed_cost_station(&self, elapsed: Span) -> StationOutcome {
        let busy = self.start + self.finish;
        let elapsed = elapsed.as_seconds();
        let working = if elapsed > 0.0 { busy.as_seconds() / elapsed } else { 0.0 };
        StationOutcome {
            name: "fixed cost".to_string(),
            role: StationRole::FixedCost,
            servers: 1,
            completions: 1,
            bytes: Bytes::ZERO,
            busy,
            others: Span::ZERO,
            shares: StationShares { working, starved: 1.0 - working, blocked: 0.0 },
        }
    }

    /// Every thread of the job, which ended at `end`, and its workers as one.
    pub(super) fn threads(mut self, end: SimTime) -> Vec<ThreadOutcome> {
        let skipped = Span::from_nanos(self.skipped_ns);
        let mut copying = [0; ThreadState::COUNT];
        copying[ThreadState::Coordinating as usize] = 1;
        self.coordinator.extend(&[0; ThreadState::COUNT], &copying, self.skipped_ns);
        let thread = |side, name: String, clock: ThreadClock| ThreadOutcome {
            side,
            name,
            spent: clock.finish(end, skipped),
        };
        let workers = self.processors.clock.finish(end, skipped);
        let mut threads =
            vec![thread(Side::Coordinator, "coordinator".to_string(), self.coordinator)];
        for reader in self.job.readers {
            threads.push(thread(Side::Source, reader.name, reader.clock));
        }
        if self.job.work.is_some() {
            let total = end.as_seconds() + skipped.as_seconds();
            threads.push(as_thread(&workers, self.processors.servers, total));
        }
        for writer in self.job.writers {
            threads.push(thread(Side::Target, writer.name, writer.clock));
        }
        threads
    }
}

/// The workers as one: their server time by state, in a run of `elapsed_seconds`.
fn as_thread(times: &StationTimes, servers: u32, elapsed_seconds: f64) -> ThreadOutcome {
    let total = elapsed_seconds * f64::from(servers);
    let shares = times.shares();
    let spent = [
        (ThreadState::Working, shares.working),
        (ThreadState::Idle, shares.starved),
        (ThreadState::AwaitingEncodedBuffer, shares.blocked),
    ];
    ThreadOutcome {
        side: Side::Processor,
        name: format!("{servers} workers"),
        spent: spent.map(|(state, share)| (state, Span::from_seconds(total * share))).to_vec(),
    }
}

/// The parts of a run at one moment.
pub(super) struct Parts<'a> {
    pub(super) now: SimTime,
    /// The job that is asked about, then the others.
    pub(super) crews: &'a mut [Crew],
    pub(super) devices: &'a mut [DeviceInUse],
}

impl Parts<'_> {
    /// Bytes read by all jobs.
    pub(super) fn read_bytes(&self) -> u64 {
        self.crews.iter().map(|crew| crew.job.read_bytes).sum()
    }

    /// Raw bytes that are in buffers: read, and not yet drained at the other end.
    pub(super) fn held_bytes(&self) -> f64 {
        self.crews.iter().map(|crew| crew.job.held_bytes()).sum()
    }

    /// Bytes by which [`Parts::held_bytes`] changes at once, for every writer one write.
    pub(super) fn grain_bytes(&self) -> f64 {
        self.crews.iter().map(|crew| crew.job.grain_bytes()).sum()
    }

    /// Speeds, relative to their usual ones, of what takes time in this run: devices in use, then
    /// the processors.
    pub(super) fn speeds(&self) -> Vec<f64> {
        let takes_time = |d: &&DeviceInUse| d.requests > 0 && !d.is_null && !d.holder.is_relieved();
        let devices = self.devices.iter().filter(takes_time).map(|d| d.holder.speed());
        let works = self.crews.iter().filter(|crew| crew.job.work.is_some()).take(1);
        devices.chain(works.filter_map(|crew| crew.processors.speed())).collect()
    }

    /// The regime the run is in.
    pub(super) fn regime(&self) -> Regime {
        let reading = |crew: &Crew| crew.is_under_way.then_some(crew.job.reading);
        Regime {
            reading: self.crews.iter().map(reading).collect(),
            changes: device_changes(self.devices),
        }
    }
}

/// What stays the same as long as a run goes on as it does.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Regime {
    /// Readers at work for each job that is under way.
    pub(super) reading: Vec<Option<u32>>,
    /// Changes that made a device another one, so far.
    pub(super) changes: u32,
}
