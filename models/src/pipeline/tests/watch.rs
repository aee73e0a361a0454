//! A watched run comes to the same as one that nobody watches, and what is shown adds up to it.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use bakcast_sim::SimTime;

use super::*;
use crate::device::Direction;
use crate::pipeline::simulate_restore;
use crate::pipeline::watch::*;
use crate::plan::{Beside, Restore};
use crate::wait::{Side, ThreadState};

/// Adds up all that it is shown, and checks what must hold in every moment.
#[derive(Default)]
struct Accountant {
    cast: Option<Cast>,
    at: SimTime,
    moments: u64,
    /// Nanoseconds by thread of the watched job and state, the coordinator last.
    threads: BTreeMap<(usize, &'static str), u64>,
    /// Nanoseconds by activity: workers, and each device.
    workers: [u64; 3],
    devices: Vec<[u64; 3]>,
    /// Nanoseconds, transfers and bytes by device of what was served.
    served: Vec<(u64, u64, u64)>,
    /// Bytes that have arrived by direction, of the watched job; zeroes apart.
    arrived: [u64; 2],
    zeroed: u64,
    worked: u64,
    /// End of the last service of each device that serves one after the other.
    last_end: Vec<SimTime>,
    outcome: Option<Outcome>,
}

impl Watcher for Accountant {
    fn begin(&mut self, cast: &Cast) {
        self.devices = vec![[0; 3]; cast.devices.len()];
        self.served = vec![(0, 0, 0); cast.devices.len()];
        self.last_end = vec![SimTime::ZERO; cast.devices.len()];
        self.cast = Some(cast.clone());
    }

    fn see(&mut self, moment: &Moment<'_>) -> ControlFlow<()> {
        assert_eq!(moment.begin(), self.at, "moments follow each other");
        self.at = moment.end();
        self.moments += 1;
        let span = moment.span().as_nanos();
        let job = moment.main();
        let states = job.threads().map(|thread| thread.state).chain([job.coordinator()]);
        for (thread, state) in states.enumerate() {
            *self.threads.entry((thread, state.name())).or_default() += span;
        }
        for worker in moment.workers() {
            self.workers[worker.activity() as usize] += span;
        }
        for (times, device) in self.devices.iter_mut().zip(moment.devices()) {
            let working = device.working().as_nanos();
            let idle = match device.activity() {
                Activity::Blocked => Activity::Blocked,
                _ => Activity::Starved,
            };
            times[Activity::Working as usize] += working;
            times[idle as usize] += span - working;
        }
        (0..moment.cast().jobs.len()).for_each(|job| check_buffers(&moment.job(job).buffers()));
        self.count(moment);
        ControlFlow::Continue(())
    }

    fn end(&mut self, outcome: &Outcome) {
        self.outcome = Some(outcome.clone());
    }
}

impl Accountant {
    fn count(&mut self, moment: &Moment<'_>) {
        for service in moment.served().into_iter().chain(moment.passed()) {
            assert!(service.queued <= service.begin && service.begin <= service.end);
            assert_eq!(service.end, moment.begin());
            let (nanoseconds, transfers, bytes) = &mut self.served[service.device];
            *nanoseconds += service.end.since(service.begin).as_nanos();
            *transfers += 1;
            *bytes += service.bytes;
            if service.is_last && service.job == 0 {
                match service.is_zeroing {
                    true => self.zeroed += service.bytes,
                    false => self.arrived[service.direction as usize] += service.bytes,
                }
            }
        }
        if let Happened::Worked(work) = moment.happened() {
            assert_eq!(work.end, moment.begin());
            self.worked += if work.job == 0 { work.bytes } else { 0 };
        }
        let bytes = moment.main().bytes();
        assert_eq!(bytes.read_bytes, self.arrived[Direction::Read as usize]);
        assert_eq!(bytes.written_bytes, self.arrived[Direction::Write as usize]);
        assert_eq!(bytes.worked_bytes, self.worked);
    }

    /// What was seen is what the run came to, of the threads.
    fn check_threads(&self, outcome: &Outcome) {
        assert_eq!(self.at.since(SimTime::ZERO), outcome.elapsed, "shown to its end");
        let workers = outcome.threads.iter().filter(|thread| thread.side == Side::Processor);
        assert!(workers.count() <= 1);
        let sides = [Side::Source, Side::Target, Side::Coordinator];
        let threads = sides
            .iter()
            .flat_map(|side| outcome.threads.iter().filter(move |thread| thread.side == *side));
        let mut expected = BTreeMap::new();
        for (index, thread) in threads.enumerate() {
            for (state, span) in &thread.spent {
                expected.insert((index, state.name()), span.as_nanos());
            }
        }
        let seen = self.threads.iter().filter(|(_, nanoseconds)| **nanoseconds > 0);
        let seen: BTreeMap<_, _> = seen.map(|(key, value)| (*key, *value)).collect();
        assert_eq!(seen, expected);
    }

    /// And of the stations, of a job that is alone.
    fn check_stations(&self, outcome: &Outcome) {
        let cast = self.cast.as_ref().expect("it has begun");
        for station in &outcome.stations {
            let elapsed = outcome.elapsed.as_nanos() * u64::from(station.servers);
            let [working, starved, blocked] = match station.role {
                StationRole::FixedCost => continue,
                StationRole::Processor => self.workers,
                _ => {
                    let named = |device: &CastDevice| device.name == station.name;
                    let index = cast.devices.iter().position(named).expect("a device");
                    if cast.devices[index].is_null {
                        continue;
                    }
                    let (nanoseconds, transfers, bytes) = self.served[index];
                    assert_eq!(transfers, station.completions, "{}", station.name);
                    assert_eq!(bytes, station.bytes.get(), "{}", station.name);
                    // On a link transfers overlap.
                    assert!(nanoseconds >= station.busy.as_nanos(), "{}", station.name);
                    self.devices[index]
                }
            };
            assert_eq!(working, station.busy.as_nanos(), "{}", station.name);
            assert_eq!(working + starved + blocked, elapsed, "{}", station.name);
            let share = blocked as f64 / (elapsed as f64).max(1.0);
            assert!((share - station.shares.blocked).abs() < 1e-9, "{}", station.name);
        }
    }
}

/// Every buffer is somewhere, and only once.
fn check_buffers(buffers: &BuffersByPlace) {
    let BuffersByPlace { raw, encoded, media } = buffers;
    let in_use = raw.being_read + raw.filled + raw.worked_on + raw.being_written;
    assert_eq!(raw.free + in_use, raw.count, "{raw:?}");
    let in_use = encoded.being_filled + encoded.filled + encoded.taken + encoded.being_written;
    assert_eq!(encoded.free + in_use, encoded.count, "{encoded:?}");
    assert_eq!(media.free + media.being_filled + media.being_written, media.count, "{media:?}");
}

fn watched_backup(machine: &Machine, job: &Backup) -> (Outcome, Accountant) {
    let mut accountant = Accountant::default();
    let streams = Streams::new(1, 3);
    let outcome = watch_backup(machine, job, &streams, &Terms::USUAL, &mut accountant);
    let outcome = outcome.expect("a run").expect("not given up");
    assert_eq!(accountant.outcome.as_ref(), Some(&outcome));
    (outcome, accountant)
}

fn restoration(job: &Backup, outcome: &Outcome) -> Restore {
    Restore {
        stripes: job.stripes.iter().cloned().zip(outcome.stripe_bytes.iter().copied()).collect(),
        volumes: job.volumes.clone(),
        zeroed: Bytes::mebibytes(3),
        compression: job.compression.clone(),
        transfer_size: Bytes::mebibytes(1),
        buffer_count: job.buffers.count,
        read_depth: job.rules.read_depth,
        write_depth: job.rules.write_depth,
        coordinator: job.coordinator,
    }
}

/// Devices that keep what they are given.
fn is_kept(machine: &Machine, job: &Backup) -> bool {
    let is_null = |place: &Place| matches!(machine.devices[place.device].law, Device::Null(_));
    !job.stripes.iter().any(is_null)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_is_seen_of_any_pipeline_adds_up_to_its_outcome(
        any in any_pipeline(),
        via_link in any::<bool>(),
        cost in 0u64..2_000_000_000,
    ) {
        let (mut machine, mut job) = (any.machine(), any.backup());
        job.coordinator.start = Period::from_nanos(cost);
        job.coordinator.finish = Period::from_nanos(cost / 3);
        if via_link {
            let law = Device::Link(Link {
                rate: rate(300.0),
                per_connection: Some(rate(90.0)),
                round_trip: Period::from_nanos(150_000),
            });
            let (name, run_to_run) = ("way".to_string(), Fraction::ZERO);
            let link = NamedDevice { name, law, run_to_run, others: None };
            machine.devices.push(link);
            job.stripes[0].via = vec![machine.devices.len() - 1];
        }
        let (outcome, accountant) = watched_backup(&machine, &job);
        prop_assert_eq!(&outcome, &run(&machine, &job, 3));
        accountant.check_threads(&outcome);
        accountant.check_stations(&outcome);
        prop_assert_eq!(accountant.moments, outcome.events);
        if !is_kept(&machine, &job) {
            return Ok(());
        }
        let streams = Streams::new(1, 3);
        let verify = verification(&job, &outcome);
        let mut accountant = Accountant::default();
        let seen = watch_verify(&machine, &verify, &streams, &Terms::EXACT, &mut accountant);
        let expected = simulate_verify(&machine, &verify, &streams, &Terms::EXACT);
        let expected = expected.expect("a run");
        prop_assert_eq!(seen.expect("a run"), Some(expected.clone()));
        accountant.check_threads(&expected);
        accountant.check_stations(&expected);
        let restore = restoration(&job, &outcome);
        let mut accountant = Accountant::default();
        let seen = watch_restore(&machine, &restore, &streams, &Terms::EXACT, &mut accountant);
        let expected = simulate_restore(&machine, &restore, &streams, &Terms::EXACT);
        let expected = expected.expect("a run");
        prop_assert_eq!(seen.expect("a run"), Some(expected.clone()));
        accountant.check_threads(&expected);
        accountant.check_stations(&expected);
        prop_assert_eq!(accountant.arrived[Direction::Write as usize], job_bytes(&job));
        prop_assert!(accountant.zeroed > 0);
    }

    /// The same with other jobs beside it, whether the run ends with the first one or not.
    #[test]
    fn a_backup_beside_others_is_seen_as_it_comes_to_be(
        any in any_pipeline(),
        other in any_pipeline(),
        starts in 0u64..400_000_000,
        main_alone in any::<bool>(),
    ) {
        let (mut machine, mut job) = (any.machine(), any.backup());
        machine.devices.extend(other.machine().devices.into_iter().take(1));
        let devices = machine.devices.len();
        let mut second = other.backup();
        for place in &mut second.stripes {
            place.device %= devices;
        }
        let starts = Period::from_nanos(starts);
        job.beside.push(Beside { name: "second".to_string(), starts, backup: second });
        let terms = Terms { main_alone, ..Terms::EXACT };
        let streams = Streams::new(1, 3);
        let mut accountant = Accountant::default();
        let seen = watch_backup(&machine, &job, &streams, &terms, &mut accountant);
        let expected = simulate_backup(&machine, &job, &streams, &terms).expect("a run");
        prop_assert_eq!(seen.expect("a run"), Some(expected.clone()));
        accountant.check_threads(&expected);
        prop_assert_eq!(accountant.worked, if any.compressed { job_bytes(&job) } else { 0 });
    }
}

fn job_bytes(job: &Backup) -> u64 {
    job.volumes.iter().map(|volume| volume.bytes.get()).sum()
}

/// Gives up after so many moments.
struct Impatient(u64);

impl Watcher for Impatient {
    fn see(&mut self, _moment: &Moment<'_>) -> ControlFlow<()> {
        self.0 -= 1;
        if self.0 == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn end(&mut self, _outcome: &Outcome) {
        panic!("it was given up");
    }
}

#[test]
fn a_watcher_that_has_seen_enough_ends_the_run() {
    let machine = machine(vec![fixed(100.0, 0.0), fixed(50.0, 0.0)]);
    let mut impatient = Impatient(10);
    let streams = Streams::new(1, 0);
    let seen = watch_backup(&machine, &backup(100, &[1]), &streams, &Terms::EXACT, &mut impatient);
    assert_eq!(seen, Ok(None));
    assert_eq!(impatient.0, 0);
}

#[test]
fn two_watchers_see_the_same_and_either_gives_up() {
    let machine = machine(vec![fixed(100.0, 0.0), fixed(50.0, 0.0)]);
    let job = backup(100, &[1]);
    let streams = Streams::new(1, 0);
    let mut both = (Accountant::default(), Accountant::default());
    watch_backup(&machine, &job, &streams, &Terms::EXACT, &mut both).expect("a run");
    assert_eq!(both.0.threads, both.1.threads);
    let mut both = (Accountant::default(), Impatient(7));
    let seen = watch_backup(&machine, &job, &streams, &Terms::EXACT, &mut both);
    assert_eq!(seen, Ok(None));
    assert_eq!(both.0.moments, 7);
}

#[test]
fn states_are_named_as_the_outcome_names_them() {
    let machine = machine(vec![fixed(100.0, 0.0), fixed(50.0, 0.0)]);
    let (_, accountant) = watched_backup(&machine, &backup(10, &[1]));
    let cast = accountant.cast.expect("it has begun");
    assert_eq!((cast.main().readers, cast.main().threads.len(), cast.workers), (1, 2, 0));
    assert_eq!(
        cast.devices.iter().map(|d| (d.reads, d.writes)).collect::<Vec<_>>(),
        [(true, false), (false, true)]
    );
    assert!(accountant.threads.contains_key(&(0, ThreadState::AwaitingRead.name())));
}

/// A compressed backup that takes a few seconds, and its outcome.
fn compressed_backup() -> (Machine, Backup, Outcome) {
    let machine = machine(vec![fixed(300.0, 0.3), fixed(20.0, 0.3)]);
    let mut job = backup(500, &[1]);
    job.compression = Some(compression(0.5));
    job.buffers.sets = 3;
    job.coordinator.start = Period::from_nanos(300_000_000);
    let outcome = run(&machine, &job, 0);
    (machine, job, outcome)
}

#[test]
fn a_series_adds_up_to_the_outcome_whether_or_not_the_length_is_known() {
    let (machine, job, outcome) = compressed_backup();
    for mut series in [Series::new(50), Series::over(outcome.elapsed, 50)] {
        let seen = watch_backup(&machine, &job, &Streams::new(1, 0), &Terms::EXACT, &mut series);
        assert_eq!(seen, Ok(Some(outcome.clone())));
        let series = series.of_run();
        let intervals = &series.intervals;
        assert!((25..=50).contains(&intervals.len()), "{}", intervals.len());
        let sum = |of: fn(&Interval) -> u64| intervals.iter().map(of).sum::<u64>();
        assert_eq!(sum(|interval| interval.bytes.read_bytes), outcome.read_bytes.get());
        assert_eq!(sum(|interval| interval.bytes.written_bytes), outcome.written_bytes.get());
        for (index, name) in series.stations.iter().enumerate() {
            let station = outcome.stations.iter().find(|s| s.name == *name).expect("a station");
            let shares = |of: fn(&Shares) -> f64| {
                let length = |i: &Interval| i.end_seconds - i.begin_seconds;
                let sum: f64 = intervals.iter().map(|i| of(&i.stations[index]) * length(i)).sum();
                sum / series.elapsed_seconds
            };
            approx::assert_relative_eq!(
                shares(|s| s.working),
                station.shares.working,
                epsilon = 1e-6
            );
            approx::assert_relative_eq!(
                shares(|s| s.blocked),
                station.shares.blocked,
                epsilon = 1e-6
            );
        }
        for interval in intervals {
            let MeanBuffers { free, being_filled, filled, being_emptied } = interval.raw_buffers;
            approx::assert_relative_eq!(
                free + being_filled + filled + being_emptied,
                7.0,
                max_relative = 1e-9
            );
            assert!(interval.encoded_buffers.is_some() && interval.media_buffers.is_some());
        }
    }
}

#[test]
fn pictures_are_few_and_equally_far_apart() {
    let (machine, job, outcome) = compressed_backup();
    let mut frames = Frames::new(40);
    let seen = watch_backup(&machine, &job, &Streams::new(1, 0), &Terms::EXACT, &mut frames);
    assert_eq!(seen, Ok(Some(outcome)));
    let film = frames.into_film();
    assert!((20..=40).contains(&film.frames.len()), "{}", film.frames.len());
    for (index, frame) in film.frames.iter().enumerate() {
        approx::assert_relative_eq!(
            frame.at_seconds,
            index as f64 * film.frame_seconds,
            epsilon = 1e-9
        );
        let job = &frame.jobs[0];
        check_buffers(&job.buffers);
        assert_eq!((job.threads.len(), frame.workers.len(), frame.devices.len()), (2, 4, 2));
    }
    assert!(
        film.elapsed_seconds.expect("it ended") - film.frames.last().expect("some").at_seconds
            <= film.frame_seconds
    );
    let read = film.frames.iter().map(|frame| frame.jobs[0].bytes.read_bytes);
    assert!(read.collect::<Vec<_>>().is_sorted());
}

#[test]
fn a_part_of_a_run_can_be_looked_at_closely() {
    let (machine, job, _) = compressed_backup();
    let (from, until) = (SimTime::from_nanos(400_000_000), SimTime::from_nanos(410_000_000));
    let mut frames = Frames::between(from, until, 21);
    watch_backup(&machine, &job, &Streams::new(1, 0), &Terms::EXACT, &mut frames).expect("a run");
    let film = frames.into_film();
    let at = |frame: &Frame| (frame.at_seconds * 1e4).round() / 1e4;
    assert_eq!(film.frames.len(), 21);
    assert_eq!((at(&film.frames[0]), at(&film.frames[20])), (0.4, 0.41));
    let done = |frame: &Frame| frame.workers.iter().filter_map(|worker| worker.done).sum::<f64>();
    assert!(film.frames.iter().any(|frame| done(frame) > 0.0));
}
