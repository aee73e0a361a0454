//! Several jobs at once: who shares nothing is not disturbed, who shares gets its share, and runs
//! that are carried forward are as long as full ones.

use super::*;
use crate::plan::Beside;

/// A backup beside another one, that starts so many seconds later.
fn beside(name: &str, starts_s: f64, backup: Backup) -> Beside {
    let starts = Period::from_nanos((starts_s * 1e9) as u64);
    Beside { name: name.to_string(), starts, backup }
}

/// `backup` from another source.
fn from(device: usize, mut backup: Backup) -> Backup {
    backup.volumes[0].place = place(device);
    backup
}

fn elapsed_s(outcome: &Outcome) -> (f64, Vec<f64>) {
    let others = outcome.beside.iter().map(|other| other.elapsed.as_seconds()).collect();
    (outcome.elapsed.as_seconds(), others)
}

fn compressed(mut backup: Backup, variability: f64) -> Backup {
    backup.compression = Some(compression(variability));
    backup.buffers.sets = 3;
    backup
}

#[test]
fn a_job_that_shares_nothing_changes_nothing_to_the_nanosecond() {
    let mut machine = machine((0..4).map(|d| fixed(100.0 + 20.0 * f64::from(d), 0.5)).collect());
    machine.processor.count = 64;
    let mut job = compressed(backup(300, &[1]), 0.5);
    let alone = run(&machine, &job, 0);
    let other = compressed(from(2, backup(200, &[3])), 0.5);
    let other_alone = run(&machine, &other, 0);
    job.beside.push(beside("other", 0.5, other));
    let together = run(&machine, &job, 0);
    assert_eq!(together.elapsed, alone.elapsed);
    assert_eq!(together.stripe_bytes, alone.stripe_bytes);
    assert_eq!(together.threads, alone.threads);
    let [other] = &together.beside[..] else { panic!("one other job") };
    assert_eq!(other.name, "other");
    assert_eq!(other.read_bytes, other_alone.read_bytes);
    assert_eq!(other.written_bytes, other_alone.written_bytes);
    // Its draws are its own, so it takes as long as alone only about.
    let ratio = other.elapsed.as_seconds() / other_alone.elapsed.as_seconds();
    assert!((ratio - 1.0).abs() < 0.05, "{ratio}");
}

#[test]
fn jobs_that_start_together_on_one_device_have_half_of_it_each() {
    let machine = machine(vec![fixed(100.0, 0.0), fixed(1000.0, 0.0), fixed(1000.0, 0.0)]);
    let mut job = backup(200, &[1]);
    let bytes = job.volumes[0].bytes.as_f64();
    job.beside.push(beside("other", 0.0, backup(200, &[2])));
    let (main, others) = elapsed_s(&run(&machine, &job, 0));
    approx::assert_relative_eq!(main, 2.0 * bytes / 100e6, max_relative = 0.01);
    approx::assert_relative_eq!(others[0], 2.0 * bytes / 100e6, max_relative = 0.01);
}

/// The target is shared from the start of the second job to its end: until then and after that it
/// is the first one's alone.
#[test]
fn a_job_in_the_middle_slows_the_other_while_it_lasts() {
    let devices = vec![fixed(1000.0, 0.0), fixed(100.0, 0.0), fixed(1000.0, 0.0)];
    let machine = machine(devices);
    let mut job = backup(1000, &[1]);
    let second = from(2, backup(200, &[1]));
    let (bytes, other_bytes) = (job.volumes[0].bytes.as_f64(), second.volumes[0].bytes.as_f64());
    job.beside.push(beside("second", 3.0, second));
    let outcome = run(&machine, &job, 0);
    let (main, others) = elapsed_s(&outcome);
    approx::assert_relative_eq!(main, (bytes + other_bytes) / 100e6, max_relative = 0.02);
    approx::assert_relative_eq!(others[0], 2.0 * other_bytes / 100e6, max_relative = 0.1);
    // The target is told of as all jobs used it, the source as it was.
    let target = outcome.stations.iter().find(|s| s.role == StationRole::Target);
    assert!(target.expect("a target").shares.working > 0.99);
}

#[test]
fn a_job_that_starts_when_the_other_has_ended_changes_nothing() {
    let machine = machine(vec![fixed(200.0, 0.5), fixed(100.0, 0.5)]);
    let mut job = backup(200, &[1]);
    let alone = run(&machine, &job, 0);
    let late = alone.elapsed.as_seconds() + 1.0;
    job.beside.push(beside("late", late, backup(100, &[1])));
    let together = run(&machine, &job, 0);
    assert_eq!(together.elapsed, alone.elapsed);
    assert_eq!(together.threads, alone.threads);
    assert!(together.beside[0].elapsed.as_seconds() > 0.9);
}

#[test]
fn a_run_that_ends_with_the_first_job_tells_the_same_of_it() {
    let machine = machine(vec![fixed(200.0, 0.5), fixed(100.0, 0.5)]);
    let mut job = compressed(backup(200, &[1]), 0.5);
    job.beside.push(beside("long", 0.3, compressed(backup(400, &[1]), 0.5)));
    job.beside.push(beside("late", 60.0, backup(10, &[1])));
    for terms in [Terms::EXACT, Terms::USUAL] {
        let whole = simulate_backup(&machine, &job, &Streams::new(1, 0), &terms).expect("a run");
        let terms = Terms { main_alone: true, ..terms };
        let alone = simulate_backup(&machine, &job, &Streams::new(1, 0), &terms).expect("a run");
        assert_eq!((alone.elapsed, &alone.threads), (whole.elapsed, &whole.threads));
        assert_eq!(alone.stations, whole.stations);
        assert!(alone.beside.is_empty() && alone.events < whole.events);
    }
}

#[test]
fn a_backup_relieved_of_other_jobs_is_the_backup_alone() {
    let machine = machine(vec![fixed(200.0, 0.5), fixed(100.0, 0.5)]);
    let mut job = backup(200, &[1]);
    let alone = run(&machine, &job, 0);
    job.beside.push(beside("other", 0.0, backup(100, &[1])));
    let terms = Terms { relief: Relief { beside: true, ..Relief::NONE }, ..Terms::EXACT };
    let relieved = simulate_backup(&machine, &job, &Streams::new(1, 0), &terms).expect("a run");
    assert_eq!(relieved, alone);
}

#[test]
fn processors_go_to_all_jobs_alike() {
    let machine = machine((0..4).map(|_| fixed(5000.0, 0.0)).collect());
    let mut job = compressed(backup(300, &[1]), 0.3);
    let other = compressed(from(2, backup(300, &[3])), 0.3);
    let alone = seconds(&machine, &job);
    job.beside.push(beside("other", 0.0, other));
    let outcome = run(&machine, &job, 0);
    let (main, others) = elapsed_s(&outcome);
    assert!((main / alone - 2.0).abs() < 0.1, "{main} against {alone}");
    assert!((others[0] / main - 1.0).abs() < 0.05, "{} against {main}", others[0]);
    let processors = outcome.stations.iter().find(|s| s.role == StationRole::Processor);
    let processors = processors.expect("processors");
    assert_eq!(processors.servers, machine.processor.count);
    assert!(processors.shares.working > 0.97, "{:?}", processors.shares);
}

#[test]
fn streams_of_all_jobs_disturb_each_other_on_a_drive_while_they_last() {
    let drive = Device::SolidState(SolidState {
        stream_amplification: Factor::ONE,
        stall: None,
        ..quick_drive(100.0)
    });
    let machine = machine(vec![fixed(1000.0, 0.0), drive, fixed(1000.0, 0.0)]);
    let mut job = backup(400, &[1]);
    let alone = seconds(&machine, &job);
    let bytes = job.volumes[0].bytes.as_f64();
    job.beside.push(beside("second", 0.0, from(2, backup(100, &[1]))));
    let (main, others) = elapsed_s(&run(&machine, &job, 0));
    // Both together write everything twice; then the first goes on alone.
    let together = 2.0 * 2.0 * 100.0 / 95.4;
    approx::assert_relative_eq!(others[0], together, max_relative = 0.05);
    let rest = (bytes - 100.0 * 1048576.0) / 100e6;
    approx::assert_relative_eq!(main, others[0] + rest, max_relative = 0.05);
    assert!(main > alone + 2.0);
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    0.5 * (values[(values.len() - 1) / 2] + values[values.len() / 2])
}

/// Full runs against those carried forward, 20 nights: median of the first job within 0.3 %, of the
/// other within 1 %; with half of the events at most.
fn agrees(machine: &Machine, job: &Backup) {
    let (mut main, mut other) = (Vec::new(), Vec::new());
    let mut events = (0, 0);
    for replication in 0..20 {
        let runs = [Terms::EXACT, Terms::USUAL].map(|terms| {
            simulate_backup(machine, job, &Streams::new(1, replication), &terms).expect("a run")
        });
        let [full, carried] = &runs;
        assert!(full.carried.is_none() && carried.carried.is_some());
        assert_eq!(full.written_bytes, carried.written_bytes);
        assert_eq!(full.beside[0].written_bytes, carried.beside[0].written_bytes);
        let (f, c) = (elapsed_s(full), elapsed_s(carried));
        main.push(c.0 / f.0 - 1.0);
        other.push(c.1[0] / f.1[0] - 1.0);
        events = (events.0 + full.events, events.1 + carried.events);
    }
    let (main, other) = (median(main), median(other));
    println!("{:+.3} %, {:+.3} %, {events:?}", 100.0 * main, 100.0 * other);
    assert!(main.abs() < 0.003, "off by {:.3} %", 100.0 * main);
    assert!(other.abs() < 0.01, "off by {:.3} %", 100.0 * other);
    assert!(2 * events.1 < events.0, "{events:?}");
}

#[test]
fn a_second_job_in_the_middle_is_neither_jumped_over_nor_measured_together() {
    let devices = || vec![fixed(400.0, 0.5), fixed(100.0, 0.5), fixed(400.0, 0.5)];
    let machine = machine(devices());
    let mut job = backup(100 << 10, &[1]);
    // Starts when the first is well under way, and ends long before it.
    job.beside.push(beside("second", 300.0, from(2, backup(30 << 10, &[1]))));
    agrees(&machine, &job);
    // Compressed, and the second outlasts the first.
    let mut job = compressed(backup(60 << 10, &[1]), 0.5);
    let second = compressed(from(2, backup(90 << 10, &[1])), 0.5);
    job.beside.push(beside("second", 120.0, second));
    agrees(&machine, &job);
}

#[test]
fn a_second_job_meets_links_caches_and_other_nights() {
    let link = Device::Link(Link {
        rate: rate(200.0),
        per_connection: Some(rate(120.0)),
        round_trip: Period::from_nanos(200_000),
    });
    let mut machine = machine(vec![fixed(400.0, 0.5), fixed(300.0, 0.5), link, fixed(400.0, 0.5)]);
    machine.devices.iter_mut().for_each(|d| d.run_to_run = Fraction::percent(3));
    let far = Place { device: 1, via: vec![2], position: Fraction::ZERO };
    let mut job = backup(80 << 10, &[1]);
    job.stripes = vec![far.clone(), far.clone()];
    job.buffers.count = 20;
    let mut second = from(3, backup(20 << 10, &[1]));
    second.stripes = vec![far];
    job.beside.push(beside("second", 200.0, second));
    agrees(&machine, &job);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Conservation is asserted after every event in debug; here the totals of all jobs, and that
    /// no choice of switches brings them to a stop.
    #[test]
    fn any_jobs_together_end_and_keep_the_laws(
        any in any_pipeline(),
        other in any_pipeline(),
        starts in 0.0..2.0f64,
    ) {
        let (machine, mut job) = (any.machine(), any.backup());
        let mut second = other.backup();
        let devices = machine.devices.len();
        second.stripes.iter_mut().for_each(|place| place.device %= devices);
        job.beside.push(beside("second", starts, second.clone()));
        let outcome = run(&machine, &job, 3);
        let total = |job: &Backup| job.volumes.iter().map(|v| v.bytes.get()).sum::<u64>();
        prop_assert_eq!(outcome.read_bytes.get(), total(&job));
        prop_assert_eq!(outcome.beside[0].read_bytes.get(), total(&second));
        for (job, written) in
            [(&job, outcome.written_bytes), (&second, outcome.beside[0].written_bytes)]
        {
            let ratio = job.compression.as_ref().map_or(1.0, |c| c.ratio.get());
            prop_assert_eq!(written.get(), (total(job) as f64 / ratio).round() as u64);
        }
        for station in &outcome.stations {
            let shares = station.shares;
            let sum = shares.working + shares.starved + shares.blocked;
            prop_assert!((sum - 1.0).abs() < 1e-9 && shares.starved > -1e-9, "{:?}", station);
        }
        for thread in outcome.threads.iter().filter(|t| t.side != crate::wait::Side::Processor) {
            let sum: u64 = thread.spent.iter().map(|(_, span)| span.as_nanos()).sum();
            prop_assert_eq!(sum, outcome.elapsed.as_nanos());
        }
    }
}
