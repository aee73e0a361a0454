//! Restores whose answers are known, and laws of any restore.

use super::*;
use crate::pipeline::{TRANSFERS_MAX, simulate_restore};
use crate::plan::Restore;
use crate::wait::{Side, ThreadState};

/// A volume of so many bytes on a device.
fn volume(device: usize, bytes: u64) -> Volume {
    Volume { name: format!("v{device}"), place: place(device), bytes: Bytes::new(bytes) }
}

/// A restore of one file on device 0 to a volume on device 1.
fn restore(file_bytes: u64, database_bytes: u64) -> Restore {
    Restore {
        stripes: vec![(place(0), Bytes::new(file_bytes))],
        volumes: vec![volume(1, database_bytes)],
        zeroed: Bytes::ZERO,
        compression: (file_bytes != database_bytes).then(|| compression(0.0)),
        transfer_size: Bytes::mebibytes(1),
        buffer_count: 7,
        read_depth: sql_server::READ_DEPTH,
        write_depth: sql_server::WRITE_DEPTH,
        coordinator: Coordinator { start: Period::ZERO, finish: Period::ZERO },
    }
}

/// The restore of what a backup wrote, to where it was read.
fn restoration(job: &Backup, outcome: &Outcome) -> Restore {
    Restore {
        stripes: job.stripes.iter().cloned().zip(outcome.stripe_bytes.iter().copied()).collect(),
        volumes: job.volumes.clone(),
        compression: job.compression.clone(),
        buffer_count: job.buffers.count,
        read_depth: job.rules.read_depth,
        write_depth: job.rules.write_depth,
        coordinator: job.coordinator,
        ..restore(1, 1)
    }
}

fn restored(machine: &Machine, job: &Restore, terms: &Terms) -> Outcome {
    simulate_restore(machine, job, &Streams::new(7, 1), terms).expect("a run")
}

fn seconds(machine: &Machine, job: &Restore) -> f64 {
    restored(machine, job, &Terms::EXACT).elapsed.as_seconds()
}

const MEBIBYTE: u64 = 1 << 20;

#[test]
fn an_uncompressed_restore_takes_the_time_of_the_slower_side_plus_one_transfer() {
    let bytes = 100 * MEBIBYTE;
    for (read, write) in [(100.0, 50.0), (50.0, 100.0)] {
        let machine = machine(vec![fixed(read, 0.0), fixed(write, 0.0)]);
        let (slow, fast) = (f64::min(read, write), f64::max(read, write));
        let expected = bytes as f64 / (slow * 1e6) + MEBIBYTE as f64 / (fast * 1e6);
        let found = seconds(&machine, &restore(bytes, bytes));
        approx::assert_relative_eq!(found, expected, max_relative = 1e-9);
    }
}

/// From a slow disk it takes the compressed bytes at that disk's rate, then the last buffer's work
/// and its writes.
#[test]
fn a_compressed_restore_from_a_slow_disk_takes_the_time_of_reading_the_file() {
    let (file, expansion) = (50 * MEBIBYTE, 4);
    let machine = machine(vec![fixed(20.0, 0.0), fixed(1000.0, 0.0)]);
    let found = seconds(&machine, &restore(file, expansion * file));
    let last = (expansion * MEBIBYTE) as f64;
    let expected = file as f64 / 20e6 + last / 200e6 + last / 1000e6;
    approx::assert_relative_eq!(found, expected, max_relative = 1e-6);
}

/// From a fast one it takes all bytes at the rate at which the volume is written, once the first
/// buffer has been read and decompressed.
#[test]
fn a_compressed_restore_from_a_fast_disk_takes_the_time_of_writing_the_volume() {
    let (file, expansion) = (50 * MEBIBYTE, 4);
    let machine = machine(vec![fixed(2000.0, 0.0), fixed(100.0, 0.0)]);
    let found = seconds(&machine, &restore(file, expansion * file));
    let first = MEBIBYTE as f64 / 2000e6 + (expansion * MEBIBYTE) as f64 / 200e6;
    let expected = first + (expansion * file) as f64 / 100e6;
    approx::assert_relative_eq!(found, expected, max_relative = 1e-6);
}

/// Between fast devices it takes all bytes at the rate of all processors.
#[test]
fn a_compressed_restore_between_fast_devices_takes_the_time_of_decompressing() {
    let (file, expansion) = (400 * MEBIBYTE, 4);
    let machine = machine(vec![fixed(20_000.0, 0.0), fixed(20_000.0, 0.0)]);
    let found = seconds(&machine, &restore(file, expansion * file));
    let expected = (expansion * file) as f64 / (4.0 * 200e6);
    assert!((1.0..1.01).contains(&(found / expected)), "{found} s instead of {expected} s");
}

#[test]
fn several_files_are_read_at_once_and_several_volumes_written_at_once() {
    let devices = (0..4).map(|_| fixed(50.0, 0.0)).collect();
    let machine = machine(devices);
    let bytes = 400 * MEBIBYTE;
    let half = Bytes::new(bytes / 2);
    let job = Restore {
        stripes: vec![(place(0), half), (place(1), half)],
        volumes: vec![volume(2, bytes / 2), volume(3, bytes / 2)],
        buffer_count: 14,
        ..restore(bytes, bytes)
    };
    let expected = half.as_f64() / 50e6;
    let found = seconds(&machine, &job);
    assert!((1.0..1.02).contains(&(found / expected)), "{found} s instead of {expected} s");
}

/// Data lie mixed in the files, so that a slow volume keeps a fast one waiting.
#[test]
fn the_volume_that_takes_longest_sets_the_pace() {
    let machine = machine(vec![fixed(1000.0, 0.0), fixed(100.0, 0.0), fixed(25.0, 0.0)]);
    let bytes = 300 * MEBIBYTE;
    let volumes = vec![volume(1, 2 * bytes / 3), volume(2, bytes / 3)];
    let outcome = restored(&machine, &Restore { volumes, ..restore(bytes, bytes) }, &Terms::EXACT);
    assert_eq!(outcome.stripe_bytes, [Bytes::new(2 * bytes / 3), Bytes::new(bytes / 3)]);
    let expected = (bytes / 3) as f64 / 25e6;
    let ratio = outcome.elapsed.as_seconds() / expected;
    assert!((1.0..1.02).contains(&ratio), "{ratio}");
}

#[test]
fn what_is_zeroed_takes_its_time_before_the_copy() {
    let machine = machine(vec![fixed(200.0, 0.0), fixed(100.0, 0.0), fixed(50.0, 0.0)]);
    let bytes = 30 * MEBIBYTE;
    let volumes = vec![volume(1, 2 * bytes / 3), volume(2, bytes / 3)];
    let job = Restore { volumes, ..restore(bytes, bytes) };
    let zeroed = Restore { zeroed: Bytes::new(10 * bytes), ..job.clone() };
    let (without, with) =
        (restored(&machine, &job, &Terms::EXACT), restored(&machine, &zeroed, &Terms::EXACT));
    // Both volumes at once, each in proportion to its data.
    let expected = (20 * bytes / 3) as f64 / 100e6;
    let more = with.elapsed.as_seconds() - without.elapsed.as_seconds();
    approx::assert_relative_eq!(more, expected, max_relative = 1e-6);
    assert_eq!(with.written_bytes, without.written_bytes);
    let zeroing = |thread: &crate::outcome::ThreadOutcome| {
        let spent = thread.spent.iter().find(|(state, _)| *state == ThreadState::Zeroing);
        spent.map(|(_, span)| span.as_seconds())
    };
    let spent: Vec<_> = with.threads.iter().filter_map(zeroing).collect();
    assert_eq!(spent.len(), 2);
    assert!(spent.iter().all(|seconds| (seconds / expected - 1.0).abs() < 1e-6), "{spent:?}");
    let devices: u64 = with.stations.iter().map(|station| station.bytes.get()).sum();
    assert_eq!(devices, 2 * bytes + 10 * bytes);
}

#[test]
fn more_than_can_be_zeroed_is_refused() {
    let machine = machine(vec![fixed(200.0, 0.0), fixed(100.0, 0.0)]);
    let zeroed = Bytes::new((TRANSFERS_MAX + 1) << 20);
    let job = Restore { zeroed, ..restore(MEBIBYTE, MEBIBYTE) };
    for terms in [Terms::EXACT, Terms::USUAL] {
        let refused = simulate_restore(&machine, &job, &Streams::new(1, 0), &terms);
        assert!(refused.is_err_and(|error| error.to_string().contains("restore.zeroed")));
    }
}

#[test]
fn a_backup_of_nearly_nothing_can_be_restored() {
    let machine = machine(vec![fixed(500.0, 0.0), fixed(50.0, 0.0)]);
    let mut job = restore(0, 1);
    job.zeroed = Bytes::mebibytes(50);
    let outcome = restored(&machine, &job, &Terms::EXACT);
    assert_eq!(outcome.read_bytes, Bytes::ZERO);
    assert!((outcome.elapsed.as_seconds() - job.zeroed.as_f64() / 50e6).abs() < 1e-6);
}

/// A long restore is carried forward, and comes to what it comes to in full.
#[test]
fn a_long_restore_takes_the_same_time_in_short() {
    let mut devices: Vec<Device> = (0..4).map(|_| fixed(300.0, 0.5)).collect();
    devices[3] = fixed(200.0, 0.5);
    let machine = machine(devices);
    let gibibyte = 1 << 30;
    for expansion in [1, 3] {
        let file = 64 * gibibyte;
        let bytes = expansion * file;
        let half = Bytes::new(file / 2);
        let job = Restore {
            stripes: vec![(place(0), half), (place(1), half)],
            volumes: vec![volume(2, 3 * bytes / 5), volume(3, bytes - 3 * bytes / 5)],
            zeroed: Bytes::mebibytes(100),
            buffer_count: 14,
            ..restore(file, bytes)
        };
        let (short, full) =
            (restored(&machine, &job, &Terms::USUAL), restored(&machine, &job, &Terms::EXACT));
        assert!(short.carried.is_some_and(|carried| 2 * carried.bytes > file));
        assert!(short.events < full.events / 2);
        let ratio = short.elapsed.as_seconds() / full.elapsed.as_seconds();
        assert!((ratio - 1.0).abs() < 0.01, "{expansion}: {ratio}");
        assert_eq!((short.read_bytes, short.written_bytes), (full.read_bytes, full.written_bytes));
        assert_eq!(short.stripe_bytes, full.stripe_bytes);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Recursion and calendar give the same restore, every byte comes back to its volume, and all
    /// time is accounted for.
    #[test]
    fn any_restore_keeps_the_laws_and_is_the_same_by_recursion(
        any in any_pipeline(),
        (one, links) in any::<(bool, bool)>(),
        zeroed in prop::option::of(1u64..20_000_000),
        long in prop::option::weighted(0.03, 33u64..50),
    ) {
        let (mut machine, mut job) = (any.machine(), any.backup());
        if let Some(gibibytes) = long {
            job.volumes[0].bytes = Bytes::mebibytes(gibibytes << 10);
        }
        for device in &mut machine.devices {
            let rate = match &device.law {
                // Links would leave it to the calendar, and NUL keeps nothing.
                Device::Link(link) if !links => link.rate,
                Device::Null(_) => rate(100.0),
                _ => continue,
            };
            let variability = factor(any.variability);
            device.law = Device::FixedRate(FixedRate { rate, variability });
        }
        if one {
            job.volumes.truncate(1);
        } else {
            job.volumes[1].place = place(1);
        }
        let streams = Streams::new(7, 1);
        let terms = Terms { exact: long.is_none(), ..Terms::EXACT };
        let outcome = simulate_backup(&machine, &job, &streams, &terms).expect("a run");
        let plan = Restore {
            zeroed: zeroed.map_or(Bytes::ZERO, Bytes::new),
            ..restoration(&job, &outcome)
        };
        let runs = [true, false].map(|scheduled| {
            restored(&machine, &plan, &Terms { scheduled, ..terms.clone() })
        });
        prop_assert_eq!(&runs[0], &runs[1]);
        let back = &runs[0];
        prop_assert_eq!(back.read_bytes, outcome.written_bytes);
        prop_assert_eq!(back.written_bytes, outcome.read_bytes);
        let volumes: Vec<_> = job.volumes.iter().map(|volume| volume.bytes).collect();
        prop_assert_eq!(&back.stripe_bytes, &volumes);
        let carried: u64 = back.stations.iter().filter(|s| s.role != StationRole::Processor)
            .map(|s| s.bytes.get()).sum();
        let moved = back.read_bytes + back.written_bytes + plan.zeroed;
        prop_assert_eq!(carried, moved.get());
        for station in &back.stations {
            let shares = station.shares;
            prop_assert!((shares.working + shares.starved + shares.blocked - 1.0).abs() < 1e-9);
        }
        for thread in back.threads.iter().filter(|thread| thread.side != Side::Processor) {
            let sum: u64 = thread.spent.iter().map(|(_, span)| span.as_nanos()).sum();
            prop_assert_eq!(sum, back.elapsed.as_nanos());
        }
    }

    /// One more buffer, a faster device, fewer bytes to zero never make a restore slower, where no
    /// degradation term is at work.
    #[test]
    fn more_buffers_and_faster_devices_never_slow_a_restore(
        speeds in prop::collection::vec(20.0..300.0f64, 2),
        count in 1u32..12,
        mebibytes in 2u64..40,
        variability in 0.0..1.0f64,
        zeroed in 1u64..20_000_000,
    ) {
        let elapsed = |speeds: &[f64], count: u32, zeroed: u64| {
            let machine = machine(speeds.iter().map(|s| fixed(*s, variability)).collect());
            let bytes = (mebibytes << 20) + 12_345;
            let plain = restore(bytes, bytes);
            let zeroed = Bytes::new(zeroed);
            let job = Restore { zeroed, buffer_count: count, ..plain };
            restored(&machine, &job, &Terms::EXACT).elapsed
        };
        let base = elapsed(&speeds, count, zeroed);
        prop_assert!(elapsed(&speeds, count + 1, zeroed) <= base);
        prop_assert!(elapsed(&[speeds[0] * 1.2, speeds[1]], count, zeroed) <= base);
        prop_assert!(elapsed(&[speeds[0], speeds[1] * 1.2], count, zeroed) <= base);
    }
}
