//! Several jobs at once: each with its own buffers and threads, on the same devices, links and
//! processors.
//!
//! The jobs meet where their transfers do, in the queues of the stations. Processors are shared
//! buffer by buffer: one that becomes free goes to the next job, in turn, that has a buffer for it
//! and a worker to spare (assumption: an operating system shares time, which comes to the same
//! over many buffers). Drives count the streams written to them at the moment.
//!
//! The run goes on until every job has ended, unless the others' ends are not asked for; stations
//! are told of as they were up to the end of the job that is asked about.

use bakcast_sim::{Calendar, Flow, Limits, Model, RunError, RunSummary, SimTime, Slot, Span, run};

use super::BackupError;
use super::crew::{Crew, Parts};
use super::devices::DeviceInUse;
use super::facilities::{Facilities, Scheduled, SlotUse};
use super::forward::Forward;
use super::journal::Journal;
use super::simulation::{device_station, share_of};
use super::stations::{Ended, Scene};
use crate::outcome::{BesideOutcome, Carried, Outcome, StationOutcome, StationRole};
use crate::quantity::Bytes;
use crate::station_clock::{StationShares, StationTimes};

/// A run of several jobs, ready to go. The first is the one that is asked about.
pub(super) struct Together<J = ()> {
    pub(super) crews: Vec<Crew>,
    pub(super) careers: Vec<Career>,
    pub(super) devices: Vec<DeviceInUse>,
    pub(super) facilities: Facilities<J>,
    /// Processors of the machine.
    pub(super) processors: u32,
    pub(super) forward: Option<Forward>,
    pub(super) device_names: Vec<String>,
    /// Ends with the job that is asked about.
    pub(super) main_alone: bool,
}

/// When a job begins and ends, on the clock of the run, and what is its own.
pub(super) struct Career {
    pub(super) name: String,
    /// From the beginning of the job that is asked about to its own.
    pub(super) starts: Span,
    /// The first of its threads among those of all jobs.
    pub(super) first_thread: u16,
    /// The most workers it may have.
    pub(super) workers: u32,
    /// Its first read; moved up by time that was carried forward.
    begins: SimTime,
    has_begun: bool,
    pub(super) ended: Option<SimTime>,
}

impl Career {
    /// Of a job that makes its first read after `start`.
    pub(super) fn new(
        name: String,
        starts: Span,
        start: Span,
        first_thread: u16,
        workers: u32,
    ) -> Self {
        let begins = SimTime::ZERO + starts + start;
        Career { name, starts, first_thread, workers, begins, has_begun: false, ended: None }
    }
}

impl<J: Journal> Together<J> {
    /// Runs to the end of the last job.
    pub(super) fn run(self) -> Result<Outcome, BackupError> {
        let (mut model, mut calendar) = self.scheduled();
        let ran = run(&mut model, &mut calendar, Limits::NONE);
        model.conclude(ran)
    }

    /// The run before its first event.
    pub(super) fn scheduled(self) -> (Running<J>, Calendar) {
        let mut calendar = Calendar::new(self.facilities.slots.len());
        for (index, career) in self.careers.iter().enumerate() {
            calendar.schedule(Slot::new(index), career.begins);
        }
        (Running { together: self, main: None }, calendar)
    }

    fn busy(&self) -> u32 {
        self.crews.iter().map(|crew| crew.processors.busy).sum()
    }

    /// The job whose thread this is.
    pub(super) fn crew_of(&self, thread: u16) -> usize {
        self.careers.partition_point(|career| career.first_thread <= thread) - 1
    }

    /// Lets a job have what processors there are.
    fn share(&mut self, index: usize) {
        let busy = self.busy();
        let free = self.processors - busy;
        let workers = &mut self.crews[index].processors;
        workers.elsewhere = busy - workers.busy;
        workers.servers = self.careers[index].workers.min(workers.busy + free);
    }

    /// From the next job on, in turn, those that have a buffer for a free processor get one.
    fn offer_processors(&mut self, after: usize, now: SimTime, calendar: &mut Calendar) {
        let count = self.crews.len();
        for index in (after + 1..=after + count).map(|index| index % count) {
            self.share(index);
            let career = &self.careers[index];
            let facilities = &mut self.facilities;
            let (crew, first_thread) = (index as u16, career.first_thread);
            let stations = &mut Scheduled { facilities, calendar, crew, first_thread };
            let Crew { job, processors, .. } = &mut self.crews[index];
            job.start_workers(&mut Scene { now, stations, devices: &mut self.devices, processors });
        }
    }

    /// Something of a job's has ended: what that sets going.
    fn act(&mut self, index: usize, ended: Ended, now: SimTime, calendar: &mut Calendar) {
        let frees = matches!(ended, Ended::Work { .. });
        if frees && self.others_want(index) {
            // The processor goes to one of them: not even this job's next buffer comes before.
            self.crews[index].processors.servers = self.crews[index].processors.busy - 1;
        } else {
            self.share(index);
        }
        let first_thread = self.careers[index].first_thread;
        let facilities = &mut self.facilities;
        let mut stations = Scheduled { facilities, calendar, crew: index as u16, first_thread };
        self.crews[index].go_on(now, ended, &mut stations, &mut self.devices);
        if frees {
            self.offer_processors(index, now, calendar);
        }
    }

    /// Another job has a buffer for a processor.
    fn others_want(&self, index: usize) -> bool {
        let crews = self.crews.iter().zip(&self.careers).enumerate();
        crews
            .filter(|(other, _)| *other != index)
            .any(|(_, (crew, career))| crew.processors.busy < career.workers && crew.job.has_work())
    }

    /// A job begins to write to its devices, or ceases to.
    fn count_streams(&mut self, index: usize, more: bool) {
        for writer in &self.crews[index].job.writers {
            for device in &writer.devices {
                self.devices[*device].holder.change_streams(more);
            }
        }
    }

    /// When the next job begins.
    fn next_begin(&self) -> Option<SimTime> {
        self.careers.iter().filter(|c| !c.has_begun).map(|c| c.begins).min()
    }

    /// Carries the run forward if it has come to where that is to be looked at.
    fn look(&mut self, now: SimTime, calendar: &mut Calendar) {
        let until = self.next_begin();
        let Some(forward) = &mut self.forward else { return };
        let mut parts = Parts { now, crews: &mut self.crews, devices: &mut self.devices };
        if parts.read_bytes() < forward.next() {
            return;
        }
        let skipped = forward.look(&mut parts, until);
        if skipped == 0 {
            return;
        }
        // Who is still to begin does so that much sooner on the clock of the run.
        for (index, career) in self.careers.iter_mut().enumerate().filter(|(_, c)| !c.has_begun) {
            let begins = career.begins.as_nanos().saturating_add_signed(-skipped);
            let begins = begins.max(now.as_nanos());
            career.begins = SimTime::from_nanos(begins);
            calendar.schedule(Slot::new(index), career.begins);
        }
    }
}

/// What became of the job that is asked about.
struct Main {
    stations: Vec<StationOutcome>,
    carried: Option<Carried>,
}

/// The run under way.
pub(super) struct Running<J = ()> {
    pub(super) together: Together<J>,
    main: Option<Main>,
}

impl<J: Journal> Running<J> {
    /// What the run came to.
    pub(super) fn conclude(
        self,
        ran: Result<RunSummary, RunError>,
    ) -> Result<Outcome, BackupError> {
        match ran {
            Ok(summary) => Ok(self.outcome(summary.end, summary.events)),
            Err(RunError::Stalled { at, .. }) => {
                let jobs = self.together.crews.iter().map(|crew| crew.job.describe());
                let state = jobs.collect::<Vec<_>>().join("; another job: ");
                Err(BackupError::Stalled { at: at.to_string(), state })
            }
            Err(other) => Err(BackupError::Run(other)),
        }
    }

    fn begin(&mut self, index: usize, now: SimTime, calendar: &mut Calendar) -> Flow {
        calendar.cancel(Slot::new(index));
        let run = &mut self.together;
        run.careers[index].has_begun = true;
        run.count_streams(index, true);
        run.share(index);
        let first_thread = run.careers[index].first_thread;
        let facilities = &mut run.facilities;
        let mut stations = Scheduled { facilities, calendar, crew: index as u16, first_thread };
        let done = run.crews[index].begin(now, &mut stations, &mut run.devices);
        self.end_if(done, index, now)
    }

    /// If the job is done: stops the run if it was the last.
    fn end_if(&mut self, done: bool, index: usize, now: SimTime) -> Flow {
        if !done {
            return Flow::Continue;
        }
        self.together.careers[index].ended = Some(now);
        self.together.count_streams(index, false);
        if index == 0 {
            self.main = Some(self.settle_main(now));
            if self.together.main_alone {
                return Flow::Stop;
            }
        }
        let all = self.together.careers.iter().all(|career| career.ended.is_some());
        if all { Flow::Stop } else { Flow::Continue }
    }

    /// The job that is asked about is done.
    fn settle_main(&mut self, now: SimTime) -> Main {
        let run = &mut self.together;
        let mut parts = Parts { now, crews: &mut run.crews, devices: &mut run.devices };
        let carried = run.forward.as_mut().and_then(|forward| forward.finish(&mut parts));
        let main = &run.crews[0];
        let end = now + main.finish;
        let elapsed = end.since(SimTime::ZERO) + Span::from_nanos(main.skipped_ns);
        let mut stations = Vec::new();
        for (device, name) in run.devices.iter().zip(&run.device_names) {
            // What is queued for other jobs is counted, but not yet done.
            let times = device.clock.totals(now);
            let working_ns = times.working_ns.min(elapsed.as_nanos());
            let blocked_ns = times.blocked_ns.min(elapsed.as_nanos() - working_ns);
            let starved_ns = elapsed.as_nanos() - working_ns - blocked_ns;
            let times = StationTimes { working_ns, starved_ns, blocked_ns };
            stations.extend(device_station(device, name, &times));
        }
        if main.job.work.is_some() {
            stations.push(self.processors_of_all(now, elapsed));
        }
        stations.push(self.together.crews[0].fixed_cost_station(elapsed));
        Main { stations, carried }
    }

    /// The processors of the machine, which all jobs use, over `elapsed`.
    fn processors_of_all(&self, now: SimTime, elapsed: Span) -> StationOutcome {
        let run = &self.together;
        let totals = run.crews.iter().map(|crew| crew.processors.clock.totals(now));
        let sum = totals.fold(StationTimes::default(), |sum, times| StationTimes {
            working_ns: sum.working_ns + times.working_ns,
            blocked_ns: sum.blocked_ns + times.blocked_ns,
            ..sum
        });
        let all = elapsed.as_nanos() * u64::from(run.processors);
        let working = sum.working_ns.min(all);
        let blocked = sum.blocked_ns.min(all - working);
        let share = |ns: u64| if all == 0 { 0.0 } else { ns as f64 / all as f64 };
        let shares = StationShares {
            working: share(working),
            starved: share(all - working - blocked),
            blocked: share(blocked),
        };
        let of_job = |crew: &Crew| crew.processors.taken_by_others();
        let works = || run.crews.iter().filter(|crew| crew.job.work.is_some());
        let taken = works().map(of_job).sum::<f64>() / (works().count() as f64).max(1.0);
        StationOutcome {
            name: "processor".to_string(),
            role: StationRole::Processor,
            servers: run.processors,
            completions: run.crews.iter().map(|crew| crew.processors.completions).sum(),
            bytes: Bytes::new(run.crews.iter().map(|crew| crew.processors.bytes).sum()),
            busy: Span::from_nanos(working),
            others: share_of(working, taken),
            shares,
        }
    }

    fn outcome(mut self, end: SimTime, events: u64) -> Outcome {
        let run = &mut self.together;
        let mut parts = Parts { now: end, crews: &mut run.crews, devices: &mut run.devices };
        if let Some(forward) = &mut run.forward {
            forward.finish(&mut parts);
        }
        let speeds = parts.speeds();
        for (crew, career) in run.crews.iter_mut().zip(&run.careers) {
            crew.processors.servers = career.workers;
            crew.job.assert_conservation(&crew.processors);
        }
        let others = run.crews.iter().zip(&run.careers).skip(1);
        let others = if run.main_alone { others.take(0) } else { others.take(usize::MAX) };
        let beside = others.map(of_beside).collect();
        let credits = run.devices.iter().map(|d| d.holder.credit()).collect();
        let Main { stations, carried } = self.main.expect("the run ends when every job has ended");
        let main = run.crews.swap_remove(0);
        let end = run.careers[0].ended.expect("it has ended") + main.finish;
        Outcome {
            elapsed: end.since(SimTime::ZERO) + Span::from_nanos(main.skipped_ns),
            read_bytes: Bytes::new(main.job.read_bytes),
            written_bytes: Bytes::new(main.job.written_bytes),
            stripe_bytes: main.stripe_bytes(),
            stations,
            credits,
            threads: main.threads(end),
            // The end of each coordinator's second span counts as well.
            events: events + run.careers.len() as u64,
            carried,
            speeds,
            beside,
        }
    }
}

/// What became of another job.
fn of_beside((crew, career): (&Crew, &Career)) -> BesideOutcome {
    let ended = career.ended.expect("the run ends when every job has ended");
    let copying = ended.since(career.begins) + Span::from_nanos(crew.skipped_ns);
    BesideOutcome {
        name: career.name.clone(),
        starts: career.starts,
        elapsed: crew.start + copying + crew.finish,
        read_bytes: Bytes::new(crew.job.read_bytes),
        written_bytes: Bytes::new(crew.job.written_bytes),
    }
}

impl<J: Journal> Model for Running<J> {
    fn handle(&mut self, now: SimTime, slot: Slot, calendar: &mut Calendar) -> Flow {
        let run = &mut self.together;
        let slot_use = run.facilities.slots[slot.index()];
        let (index, ended) = match slot_use {
            SlotUse::Coordinator { crew } => return self.begin(usize::from(crew), now, calendar),
            SlotUse::Processor { server } => {
                let (crew, bytes) = run.facilities.end_work(server);
                (usize::from(crew), Ended::Work { bytes })
            }
            slot_use => {
                let mut stations = Scheduled::of_one(&mut run.facilities, calendar);
                let Some(done) = stations.end(now, slot, slot_use, &mut run.devices) else {
                    return Flow::Continue;
                };
                let index = run.crew_of(done.thread);
                let thread = done.thread - run.careers[index].first_thread;
                (index, Ended::Transfer { thread, bytes: done.bytes })
            }
        };
        run.act(index, ended, now, calendar);
        run.look(now, calendar);
        let career = &run.careers[index];
        let first_thread = career.first_thread;
        let facilities = &mut run.facilities;
        let mut stations = Scheduled { facilities, calendar, crew: index as u16, first_thread };
        let done = run.crews[index].rest(now, &mut stations, &mut run.devices);
        if let SlotUse::Processor { server } = slot_use
            && run.facilities.is_next(server)
        {
            calendar.cancel(slot);
        }
        self.end_if(done, index, now)
    }
}
