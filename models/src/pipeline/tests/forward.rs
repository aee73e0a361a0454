//! What a window must not be taken in by.

use super::*;
use crate::plan::Beside;

fn carried_s(machine: &Machine, job: &Backup) -> f64 {
    let outcome = simulate_backup(machine, job, &Streams::new(1, 0), &Terms::USUAL);
    let outcome = outcome.expect("a run");
    assert!(outcome.carried.is_some());
    outcome.elapsed.as_seconds()
}

/// Until they are full, buffers let the source run faster than the target will ever be: for as long
/// as it takes to fill them with the difference.
#[test]
fn buffers_that_fill_are_not_taken_for_a_rate_that_lasts() {
    for target in [600.0, 800.0, 900.0, 980.0] {
        let machine = machine(vec![fixed(1000.0, 0.0), fixed(target, 0.0)]);
        for count in [7, 64, 256, 1024] {
            let mut job = backup(300 << 10, &[1]);
            job.buffers.count = count;
            let expected = job.volumes[0].bytes.as_f64() / (target * 1e6);
            let found = carried_s(&machine, &job);
            assert!(
                (found / expected - 1.0).abs() < 0.003,
                "{count} buffers to {target} MB/s: {found} s instead of {expected} s"
            );
        }
    }
}

/// A disk gets slower towards its inside, and another job is still to come.
#[test]
fn a_job_that_is_still_to_come_does_not_keep_a_disk_from_getting_slower() {
    let disk = Device::Spindle(Spindle {
        read_rate: rate(180.0),
        write_rate: rate(170.0),
        positioning: Period::from_nanos(6_000_000),
        inner_rate: Fraction::percent(50),
        capacity: Some(Bytes::new(1_000_000_000_000)),
        variability: Factor::ZERO,
    });
    let devices = vec![disk, fixed(1000.0, 0.0), fixed(100.0, 0.0), fixed(100.0, 0.0)];
    let machine = machine(devices);
    let mut job = backup(200 << 10, &[1]);
    let alone = carried_s(&machine, &job);
    let mut other = backup(1 << 10, &[3]);
    other.volumes[0].place = place(2);
    for starts_s in [600, 86_400] {
        let starts = Period::from_nanos(starts_s * 1_000_000_000);
        job.beside = vec![Beside { name: "later".to_string(), starts, backup: other.clone() }];
        let beside = carried_s(&machine, &job);
        assert!((beside / alone - 1.0).abs() < 0.003, "{beside} s beside, {alone} s alone");
    }
}
