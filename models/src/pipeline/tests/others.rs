//! Users and other load in whole pipelines.

use super::*;
use crate::device::OtherLoad;
use crate::plan::Beside;

pub(super) fn load(percent: u8, request_us: u64) -> Option<OtherLoad> {
    let share = Fraction::percent(percent);
    Some(OtherLoad { share, request: Period::from_nanos(request_us * 1000) })
}

/// A machine whose source has users.
fn with_users(mut machine: Machine, percent: u8, request_us: u64) -> Machine {
    machine.devices[0].others = load(percent, request_us);
    machine
}

#[test]
fn a_source_with_users_takes_as_much_longer_as_they_leave_of_it() {
    let quick = machine(vec![fixed(100.0, 0.5), fixed(1000.0, 0.0)]);
    let job = backup(2000, &[1]);
    let alone = seconds(&quick, &job);
    let outcome = run(&with_users(quick, 30, 500), &job, 0);
    let longer = outcome.elapsed.as_seconds() / alone;
    // Standard deviation of the sum: sqrt(21 s x 2 u m) / 0.7^1.5 = 0.13 s of 30 s.
    assert!((longer - 1.0 / 0.7).abs() < 0.02, "{longer}");
    let source = &outcome.stations[0];
    let taken = source.others.as_seconds() / source.busy.as_seconds();
    assert!((taken - 0.3).abs() < 0.01, "others have their share of it meanwhile: {taken}");
    assert!(outcome.stations[1].others == bakcast_sim::Span::ZERO);
}

#[test]
fn what_is_no_bottleneck_may_have_users() {
    let machine = machine(vec![fixed(500.0, 0.0), fixed(50.0, 0.0)]);
    let job = backup(500, &[1]);
    let (alone, among) = (seconds(&machine, &job), seconds(&with_users(machine, 30, 200), &job));
    assert!(among < 1.01 * alone, "{among} s instead of {alone} s");
}

#[test]
fn users_of_a_disk_cost_more_than_their_share() {
    let disk = machine(vec![spindle(0.0), fixed(1000.0, 0.0)]);
    let job = backup(1000, &[1]);
    let alone = seconds(&disk, &job);
    let among = seconds(&with_users(disk, 30, 8000), &job);
    // (1 + a P) / (1 - u) with a = 0.3 / 8 ms and P = 6 ms.
    let longer = (1.0 + 0.3 * 6.0 / 8.0) / 0.7;
    assert!((among / alone / longer - 1.0).abs() < 0.05, "{} of {longer}", among / alone);
}

#[test]
fn users_of_a_link_leave_a_lower_rate() {
    let link = |megabytes| {
        Device::Link(Link {
            rate: rate(megabytes),
            per_connection: None,
            round_trip: Period::from_nanos(200_000),
        })
    };
    let job = backup(200, &[1]);
    let mut shared = machine(vec![fixed(500.0, 0.0), link(100.0)]);
    shared.devices[1].others = load(40, 1000);
    let lower = machine(vec![fixed(500.0, 0.0), link(60.0)]);
    assert_eq!(run(&shared, &job, 0).elapsed, run(&lower, &job, 0).elapsed);
}

#[test]
fn users_of_processors_make_workers_slower() {
    let mut machine = machine(vec![fixed(1000.0, 0.0), fixed(1000.0, 0.0)]);
    let mut job = backup(2000, &[1]);
    job.compression = Some(compression(0.2));
    job.buffers.count = 40;
    let alone = seconds(&machine, &job);
    machine.processor.others = load(40, 10_000);
    let outcome = run(&machine, &job, 0);
    let longer = outcome.elapsed.as_seconds() / alone;
    assert!((longer * 0.6 - 1.0).abs() < 0.05, "{longer}");
    let of_all = |o: &Outcome| {
        let workers = o.stations.iter().find(|s| s.role == StationRole::Processor);
        let station = workers.expect("workers");
        station.others.as_seconds() / station.busy.as_seconds()
    };
    assert!((of_all(&outcome) - 0.4).abs() < 0.04, "{}", of_all(&outcome));
}

#[test]
fn users_share_cores_as_well() {
    let processor = |others| Processor {
        threads_per_core: 2,
        second_thread: Fraction::percent(25),
        others,
        ..Processor::alone(4)
    };
    let (alone, among) = (processor(None).crowding(), processor(load(50, 1000)).crowding());
    // Beside one at work, one and a half of three others are: 2.5 on two cores do 2.125.
    let bits = |values: [f64; 3]| values.map(f64::to_bits);
    let found = [alone[1], among[1], among[4]];
    assert_eq!(bits(found), bits([1.0, 2.5 / 2.125, alone[4]]));
    assert!(alone.iter().zip(&among).all(|(alone, among)| alone <= among));
}

#[test]
fn a_long_run_among_users_is_carried_forward_to_where_it_ends() {
    let mut machine = machine(vec![fixed(400.0, 0.2), fixed(600.0, 0.2)]);
    machine.devices[0].others = load(40, 1000);
    let job = backup(60 << 10, &[1]);
    let carried = Terms { exact: false, ..Terms::EXACT };
    for replication in 0..3 {
        let run = |terms| {
            let streams = Streams::new(1, replication);
            simulate_backup(&machine, &job, &streams, terms).expect("a run")
        };
        let (quick, full) = (run(&carried), run(&Terms::EXACT));
        let part = quick.carried.expect("a part is carried forward");
        let off = quick.elapsed.as_seconds() - full.elapsed.as_seconds();
        let spread = part.estimate_seconds.hypot(part.natural_seconds).max(0.1);
        assert!(off.abs() < 3.0 * spread, "{off} s off, standard deviation {spread} s");
    }
}

#[test]
fn jobs_together_share_what_users_leave() {
    let mut machine = machine(vec![fixed(100.0, 0.0), fixed(1000.0, 0.0), fixed(1000.0, 0.0)]);
    machine.devices[0].others = load(25, 500);
    let mut job = backup(400, &[1]);
    let bytes = job.volumes[0].bytes.as_f64();
    let other = backup(400, &[2]);
    job.beside.push(Beside { name: "other".to_string(), starts: Period::ZERO, backup: other });
    let outcome = run(&machine, &job, 0);
    let expected = 2.0 * bytes / 75e6;
    assert!((outcome.elapsed.as_seconds() / expected - 1.0).abs() < 0.03);
    assert!((outcome.beside[0].elapsed.as_seconds() / expected - 1.0).abs() < 0.03);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// The same users and more of them never make a backup faster, where no degradation term is at
    /// work (no spindle, no shared device) and nothing is worked on out of order.
    #[test]
    fn more_users_never_make_a_backup_faster(
        speeds in prop::collection::vec(20.0..300.0f64, 2),
        count in 1u32..12,
        variability in 0.0..1.0f64,
        percents in prop::collection::vec(1u8..=90, 2),
        request_us in 100u64..5000,
        of_target in any::<bool>(),
    ) {
        let job = {
            let mut job = backup(20, &[1]);
            job.buffers.count = count;
            job
        };
        let elapsed = |percent: u8| {
            let mut machine = machine(speeds.iter().map(|s| fixed(*s, variability)).collect());
            let device = usize::from(of_target);
            machine.devices[device].others = load(percent, request_us).filter(|_| percent > 0);
            run(&machine, &job, 5).elapsed.as_nanos()
        };
        let (less, more) = (percents[0].min(percents[1]), percents[0].max(percents[1]));
        let runs = [0, less, more].map(elapsed);
        // Ends are rounded to nanoseconds, each for itself.
        prop_assert!(runs[0] <= runs[1] + 1000 && runs[1] <= runs[2] + 1000, "{runs:?}");
    }
}
