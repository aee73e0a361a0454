//! Processors that share cores.

use super::*;
use crate::plan::Beside;

/// Four processors on so many cores, between devices that take no time to speak of.
fn machine_with(threads_per_core: u32) -> Machine {
    let mut machine = machine((0..4).map(|_| fixed(50_000.0, 0.0)).collect());
    machine.processor.threads_per_core = threads_per_core;
    machine.processor.second_thread = Fraction::percent(25);
    machine
}

fn compressed(mebibytes: u64, buffers: u32) -> Backup {
    let mut job = backup(mebibytes, &[1]);
    job.compression = Some(compression(0.0));
    job.buffers = Buffers { count: buffers, transfer_size: Bytes::mebibytes(1), sets: 3 };
    job
}

#[test]
fn all_processors_do_what_their_cores_can() {
    let job = compressed(400, 16);
    let bytes = job.volumes[0].bytes.as_f64();
    for (threads_per_core, cores) in [(1, 4.0), (2, 2.0 * 1.25)] {
        let elapsed = seconds(&machine_with(threads_per_core), &job);
        approx::assert_relative_eq!(elapsed, bytes / (cores * 50e6), max_relative = 0.02);
    }
}

#[test]
fn workers_that_are_no_more_than_cores_have_one_each() {
    let job = compressed(100, 2);
    assert_eq!(run(&machine_with(2), &job, 0).elapsed, run(&machine_with(1), &job, 0).elapsed);
    let job = compressed(100, 3);
    assert!(run(&machine_with(2), &job, 0).elapsed > run(&machine_with(1), &job, 0).elapsed);
}

#[test]
fn a_verification_shares_cores_as_a_backup_does() {
    let job = compressed(400, 16);
    let [alone, shared] = [1, 2].map(|threads| {
        let machine = machine_with(threads);
        let outcome = run(&machine, &job, 0);
        run_verify(&machine, &job, &outcome).elapsed.as_seconds()
    });
    approx::assert_relative_eq!(shared / alone, 4.0 / 2.5, max_relative = 0.02);
}

/// Two jobs with two workers each crowd two cores as one with four does.
#[test]
fn jobs_beside_each_other_crowd_the_same_cores() {
    let mut job = compressed(300, 2);
    let mut other = compressed(300, 2);
    (other.volumes[0].place, other.stripes) = (place(2), vec![place(3)]);
    job.beside.push(Beside { name: "other".to_string(), starts: Period::ZERO, backup: other });
    let [alone, shared] =
        [1, 2].map(|threads| run(&machine_with(threads), &job, 0).elapsed.as_seconds());
    approx::assert_relative_eq!(shared / alone, 4.0 / 2.5, max_relative = 0.02);
}

#[test]
fn work_done_rises_with_every_processor_but_more_slowly_once_cores_are_shared() {
    let processor = |count, second_thread| Processor {
        threads_per_core: 2,
        second_thread: Fraction::percent(second_thread),
        ..Processor::alone(count)
    };
    let done = |busy: u32| processor(4, 25).work_done(f64::from(busy));
    let expected = [0.0, 1.0, 2.0, 2.25, 2.5].map(f64::to_bits);
    assert_eq!([0, 1, 2, 3, 4].map(|busy| done(busy).to_bits()), expected);
    // The odd one has a core to itself.
    assert_eq!((processor(3, 25).cores(), processor(3, 25).work_done(3.0)), (2, 2.25));
    // A second thread that is worth a core makes no difference, one worth nothing is no processor.
    assert_eq!(processor(4, 100).crowding(), [1.0; 5]);
    assert_eq!(processor(4, 0).crowding()[4].to_bits(), 2.0_f64.to_bits());
    assert!(Processor::alone(4).crowding().is_empty());
}
