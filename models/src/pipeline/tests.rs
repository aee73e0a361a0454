//! Laws of the pipeline on small machines whose answers are known.

mod any;
mod capped;
mod cores;
mod forward;
mod one_drive;
mod others;
mod restore;
mod together;
mod watch;

use bakcast_sim::Streams;
use proptest::prelude::*;

use self::any::any_pipeline;
use super::{Relief, Terms, simulate_backup, simulate_verify};
use crate::device::{Device, FixedRate, Link, Null, SolidState, Spindle};
use crate::outcome::{Outcome, StationRole};
use crate::plan::*;
use crate::quantity::{ByteRate, Bytes, Factor, Fraction, Period, Ratio};
use crate::sql_server;

fn rate(megabytes: f64) -> ByteRate {
    ByteRate::new(megabytes * 1e6).expect("a rate")
}

fn factor(value: f64) -> Factor {
    Factor::new(value).expect("a factor")
}

fn fixed(megabytes: f64, variability: f64) -> Device {
    Device::FixedRate(FixedRate { rate: rate(megabytes), variability: factor(variability) })
}

fn spindle(variability: f64) -> Device {
    Device::Spindle(Spindle {
        read_rate: rate(80.0),
        write_rate: rate(80.0),
        positioning: Period::from_nanos(6_000_000),
        inner_rate: Fraction::percent(50),
        capacity: None,
        variability: factor(variability),
    })
}

fn machine(devices: Vec<Device>) -> Machine {
    let named = devices.into_iter().enumerate().map(|(index, law)| NamedDevice {
        name: format!("d{index}"),
        law,
        run_to_run: Fraction::ZERO,
        others: None,
    });
    Machine { devices: named.collect(), processor: Processor::alone(4) }
}

fn place(device: usize) -> Place {
    Place { device, via: Vec::new(), position: Fraction::ZERO }
}

fn compression(variability: f64) -> Compression {
    Compression {
        ratio: Ratio::new(3.7).expect("a ratio"),
        rate: rate(50.0),
        decompression_rate: rate(200.0),
        variability: factor(variability),
    }
}

fn rules() -> EngineRules {
    EngineRules {
        writer_queue: WriterQueue::Shared,
        encoded_writes: EncodedWrites::Collected,
        workers: Workers::ProcessorsAndBuffers,
        read_depth: sql_server::READ_DEPTH,
        write_depth: sql_server::WRITE_DEPTH,
    }
}

/// A backup of `mebibytes` from device 0 to the given devices.
fn backup(mebibytes: u64, targets: &[usize]) -> Backup {
    Backup {
        volumes: vec![Volume {
            name: "data".to_string(),
            place: place(0),
            bytes: Bytes::new((mebibytes << 20) + 12_345),
        }],
        stripes: targets.iter().map(|d| place(*d)).collect(),
        compression: None,
        buffers: Buffers { count: 7, transfer_size: Bytes::mebibytes(1), sets: 1 },
        large_block: false,
        rules: rules(),
        coordinator: Coordinator { start: Period::ZERO, finish: Period::ZERO },
        beside: Vec::new(),
    }
}

fn run(machine: &Machine, backup: &Backup, replication: u64) -> Outcome {
    simulate_backup(machine, backup, &Streams::new(1, replication), &Terms::EXACT).expect("a run")
}

/// The verification of what a backup wrote.
fn verification(job: &Backup, outcome: &Outcome) -> Verify {
    Verify {
        stripes: job.stripes.iter().cloned().zip(outcome.stripe_bytes.iter().copied()).collect(),
        database_bytes: job.volumes[0].bytes,
        compression: job.compression.clone(),
        transfer_size: Bytes::mebibytes(1),
        buffer_count: 12,
        read_depth: 2,
        coordinator: job.coordinator,
    }
}

fn run_verify(machine: &Machine, job: &Backup, outcome: &Outcome) -> Outcome {
    let verify = verification(job, outcome);
    simulate_verify(machine, &verify, &Streams::new(1, 0), &Terms::EXACT).expect("a run")
}

fn seconds(machine: &Machine, backup: &Backup) -> f64 {
    run(machine, backup, 0).elapsed.as_seconds()
}

#[test]
fn a_copy_between_two_devices_takes_the_time_of_the_slower_plus_one_transfer() {
    let machine = machine(vec![fixed(100.0, 0.0), fixed(50.0, 0.0)]);
    let job = backup(100, &[1]);
    let bytes = job.volumes[0].bytes.as_f64();
    let fill = Bytes::mebibytes(1).as_f64() / 100e6;
    approx::assert_relative_eq!(seconds(&machine, &job), bytes / 50e6 + fill, max_relative = 1e-9);
}

#[test]
fn source_and_target_on_one_device_wait_for_each_other() {
    let machine = machine(vec![fixed(100.0, 0.0), fixed(100.0, 0.0)]);
    let together = seconds(&machine, &backup(100, &[0]));
    let bytes = backup(100, &[0]).volumes[0].bytes.as_f64();
    approx::assert_relative_eq!(together, 2.0 * bytes / 100e6, max_relative = 1e-6);
}

#[test]
fn stripes_on_one_device_are_no_faster_and_on_several_nearly_as_many_times_faster() {
    let devices = (0..5).map(|d| fixed(if d == 0 { 1000.0 } else { 50.0 }, 0.0)).collect();
    let machine = machine(devices);
    let one = seconds(&machine, &backup(400, &[1]));
    let same = seconds(&machine, &backup(400, &[1, 1, 1]));
    let three = seconds(&machine, &backup(400, &[1, 2, 3]));
    assert!((same / one - 1.0).abs() < 0.01, "{same} against {one}");
    assert!((one / three - 3.0).abs() < 0.1, "{one} against {three}");
}

#[test]
fn a_faster_file_takes_more_from_the_shared_queue_but_not_when_writers_take_turns() {
    let machine = machine(vec![fixed(1000.0, 0.0), fixed(100.0, 0.0), fixed(50.0, 0.0)]);
    let mut job = backup(300, &[1, 2]);
    let shared = run(&machine, &job, 0);
    let share = shared.stripe_bytes[0].as_f64() / shared.stripe_bytes[1].as_f64();
    assert!((1.8..2.2).contains(&share), "{share}");
    job.rules.writer_queue = WriterQueue::Turns;
    let turns = run(&machine, &job, 0);
    let share = turns.stripe_bytes[0].as_f64() / turns.stripe_bytes[1].as_f64();
    assert!((0.95..1.05).contains(&share), "{share}");
    assert!(turns.elapsed > shared.elapsed);
}

#[test]
fn interleaving_on_one_spindle_costs_a_positioning_a_transfer() {
    let machine = machine(vec![spindle(0.0), spindle(0.0)]);
    let apart = seconds(&machine, &backup(200, &[1]));
    let together = seconds(&machine, &backup(200, &[0]));
    let turns = 400.0 * 0.006;
    assert!((together - 2.0 * apart - turns).abs() < 0.2 * turns, "{together} {apart}");
}

#[test]
fn a_ceiling_per_connection_makes_striping_help_on_a_link() {
    let link = |ceiling| {
        Device::Link(Link {
            rate: rate(1000.0),
            per_connection: Some(rate(ceiling)),
            round_trip: Period::from_nanos(200_000),
        })
    };
    let machine = machine(vec![fixed(2000.0, 0.0), link(50.0), fixed(2000.0, 0.0)]);
    let far = Place { device: 2, via: vec![1], position: Fraction::ZERO };
    let with_stripes = |count: usize| {
        let mut job = backup(400, &[]);
        job.stripes = vec![far.clone(); count];
        job.buffers.count = 40;
        seconds(&machine, &job)
    };
    let (one, four) = (with_stripes(1), with_stripes(4));
    assert!((one / four - 4.0).abs() < 0.2, "{one} against {four}");
}

#[test]
fn the_null_target_leaves_the_time_of_the_source_alone() {
    let machine = machine(vec![fixed(100.0, 0.0), Device::Null(Null {})]);
    let mut job = backup(100, &[1, 1]);
    let bytes = job.volumes[0].bytes.as_f64();
    approx::assert_relative_eq!(seconds(&machine, &job), bytes / 100e6, max_relative = 1e-9);
    job.compression = Some(compression(0.5));
    let outcome = run(&machine, &job, 0);
    assert_eq!(outcome.written_bytes.get(), (bytes / 3.7).round() as u64);
}

#[test]
fn processors_bound_a_compressed_backup_and_buffers_bound_the_processors() {
    let machine = machine(vec![fixed(5000.0, 0.0), fixed(5000.0, 0.0)]);
    let mut job = backup(400, &[1]);
    job.compression = Some(compression(0.0));
    job.buffers = Buffers { count: 7, transfer_size: Bytes::mebibytes(1), sets: 3 };
    let bytes = job.volumes[0].bytes.as_f64();
    let bound = bytes / (4.0 * 50e6);
    let elapsed = seconds(&machine, &job);
    assert!(elapsed > bound && elapsed < 1.03 * bound, "{elapsed} against {bound}");
    job.buffers.count = 2;
    let bound = bytes / (2.0 * 50e6);
    let elapsed = seconds(&machine, &job);
    assert!(elapsed > bound && elapsed < 1.05 * bound, "{elapsed} against {bound}");
}

#[test]
fn collected_writes_are_full_and_the_others_are_one_a_buffer() {
    let machine = machine(vec![fixed(500.0, 0.0), fixed(500.0, 0.0)]);
    let mut job = backup(100, &[1]);
    job.compression = Some(compression(0.0));
    let target = |outcome: &Outcome| {
        let target = outcome.stations.iter().find(|s| s.role == StationRole::Target);
        target.expect("a target").completions
    };
    let collected = run(&machine, &job, 0);
    assert_eq!(target(&collected), collected.written_bytes.get().div_ceil(1 << 20));
    job.rules.encoded_writes = EncodedWrites::PerBuffer;
    assert_eq!(target(&run(&machine, &job, 0)), 101);
}

#[test]
fn verification_reads_what_was_written_and_decompresses_it() {
    let machine = machine(vec![fixed(500.0, 0.0), fixed(50.0, 0.0)]);
    let mut job = backup(200, &[1, 1]);
    job.compression = Some(compression(0.3));
    let outcome = run(&machine, &job, 0);
    let checked = run_verify(&machine, &job, &outcome);
    assert_eq!(checked.read_bytes, outcome.written_bytes);
    let bound = outcome.written_bytes.as_f64() / 50e6;
    assert!((1.0..1.1).contains(&(checked.elapsed.as_seconds() / bound)));
}

#[test]
fn a_backup_of_nearly_nothing_can_be_verified() {
    let machine = machine(vec![fixed(500.0, 0.0), fixed(50.0, 0.0)]);
    let mut job = backup(0, &[1, 1]);
    job.volumes[0].bytes = Bytes::new(1);
    job.compression =
        Some(Compression { ratio: Ratio::new(9.0).expect("a ratio"), ..compression(0.0) });
    let outcome = run(&machine, &job, 0);
    assert_eq!(outcome.written_bytes, Bytes::ZERO);
    let checked = run_verify(&machine, &job, &outcome);
    assert_eq!(checked.read_bytes, Bytes::ZERO);
}

#[test]
fn what_is_relieved_costs_nothing() {
    let machine = machine(vec![fixed(100.0, 0.0), fixed(50.0, 0.0)]);
    let mut job = backup(100, &[1]);
    job.coordinator.start = Period::from_nanos(1_000_000_000);
    let relief = Relief { devices: vec![1], fixed_cost: true, ..Relief::NONE };
    let terms = Terms { relief, ..Terms::EXACT };
    let streams = Streams::new(1, 0);
    let outcome = simulate_backup(&machine, &job, &streams, &terms).expect("a run");
    let bytes = job.volumes[0].bytes.as_f64();
    approx::assert_relative_eq!(outcome.elapsed.as_seconds(), bytes / 100e6, max_relative = 1e-6);
}

/// A drive that never pauses and always takes the same time.
fn quick_drive(megabytes: f64) -> SolidState {
    SolidState {
        read_rate: rate(megabytes),
        write_rate: rate(megabytes),
        latency: Period::from_nanos(100_000),
        command_time: Period::ZERO,
        depth: 8,
        stream_amplification: Factor::ZERO,
        stall: None,
        fast_cache: None,
        large_block_amplification: Factor::ONE,
        variability: Factor::ZERO,
    }
}

#[test]
fn a_full_fast_cache_slows_a_drive_down() {
    let drive = |cache: Option<u64>| {
        Device::SolidState(SolidState {
            fast_cache: cache.map(|mib| crate::device::FastCache {
                size: Bytes::mebibytes(mib),
                write_rate_after: rate(100.0),
            }),
            ..quick_drive(1000.0)
        })
    };
    let elapsed =
        |cache| seconds(&machine(vec![fixed(2000.0, 0.0), drive(cache)]), &backup(300, &[1]));
    let slow = 200.0 * 1.048576 / 100.0 + 100.0 * 1.048576 / 1000.0;
    assert!((elapsed(Some(100)) / slow - 1.0).abs() < 0.02);
    assert!(elapsed(None) < 0.4);
}
