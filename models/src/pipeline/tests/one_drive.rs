//! A job whose source and targets are one solid state drive.

use super::*;
use crate::device::{FastCache, Stall};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// Recursion and calendar give the same run, whatever the drive does meanwhile.
    #[test]
    fn a_recursion_on_one_drive_gives_what_a_calendar_gives(
        (mebibytes, count, stripes) in (1u64..300, 1u32..40, 1usize..6),
        (read_depth, write_depth, overlap) in (1u32..5, 1u32..4, 1u32..9),
        cache in prop::option::of(1u64..300),
        has_pauses in any::<bool>(),
        variability in prop::option::of(0.1..1.5f64),
        long in prop::option::weighted(0.05, 33u64..50),
    ) {
        let drive = SolidState {
            depth: overlap,
            write_rate: rate(300.0),
            command_time: Period::from_nanos(50_000),
            stream_amplification: factor(0.1),
            fast_cache: cache.map(|mebibytes| FastCache {
                size: Bytes::mebibytes(mebibytes),
                write_rate_after: rate(100.0),
            }),
            stall: has_pauses.then(|| Stall {
                mean: Period::from_nanos(20_000_000),
                every: Bytes::mebibytes(9),
                variability: factor(0.5),
            }),
            variability: factor(variability.unwrap_or(0.0)),
            ..quick_drive(500.0)
        };
        let machine = machine(vec![Device::SolidState(drive)]);
        let mut job = backup(long.map_or(mebibytes, |gib| gib << 10), &vec![0; stripes]);
        job.buffers.count = count;
        job.rules.read_depth = read_depth;
        job.rules.write_depth = write_depth;
        let runs = [true, false].map(|scheduled| {
            let terms = Terms { exact: long.is_none(), scheduled, ..Terms::EXACT };
            simulate_backup(&machine, &job, &Streams::new(7, 1), &terms).expect("a run")
        });
        prop_assert_eq!(&runs[0], &runs[1]);
    }
}
