//! Laws that hold for any pipeline.

use super::*;

#[derive(Debug, Clone)]
pub(super) struct Any {
    devices: Vec<(u8, f64)>,
    targets: Vec<usize>,
    mebibytes: u64,
    count: u32,
    pub(super) compressed: bool,
    writes: u8,
    turns: bool,
    read_depth: u32,
    write_depth: u32,
    pub(super) variability: f64,
    /// Two processors each share a core.
    shared_cores: bool,
    /// Per cent of it that others take of each device, and of the processors at last.
    others: Vec<u8>,
}

pub(super) fn any_pipeline() -> impl Strategy<Value = Any> {
    (
        prop::collection::vec((0u8..5, 20.0..500.0f64), 2..5),
        prop::collection::vec(0usize..4, 1..6),
        1u64..40,
        1u32..20,
        (any::<bool>(), 0u8..3, any::<bool>()),
        (1u32..5, 1u32..5),
        (0.0..1.5f64, any::<bool>()),
        prop::collection::vec(prop::option::weighted(0.3, 1u8..=90), 5),
    )
        .prop_map(|(devices, targets, mebibytes, count, flags, depths, processors, others)| {
            Any {
                targets: targets.iter().map(|t| t % devices.len()).collect(),
                devices,
                mebibytes,
                count,
                compressed: flags.0,
                writes: flags.1,
                turns: flags.2,
                read_depth: depths.0,
                write_depth: depths.1,
                variability: processors.0,
                shared_cores: processors.1,
                others: others.iter().map(|percent| percent.unwrap_or(0)).collect(),
            }
        })
}

impl Any {
    pub(super) fn machine(&self) -> Machine {
        let device = |(index, (kind, speed)): (usize, &(u8, f64))| match kind {
            0 => spindle(self.variability),
            1 if index > 0 => Device::Null(Null {}),
            2 => Device::Link(Link {
                rate: rate(*speed),
                per_connection: Some(rate(speed / 3.0)),
                round_trip: Period::from_nanos(300_000),
            }),
            3 => Device::SolidState(SolidState {
                read_rate: rate(*speed),
                write_rate: rate(*speed),
                latency: Period::from_nanos(100_000),
                command_time: Period::from_nanos(50_000),
                depth: 2,
                stream_amplification: Factor::ONE,
                stall: Some(crate::device::Stall {
                    mean: Period::from_nanos(20_000_000),
                    every: Bytes::mebibytes(2),
                    variability: factor(0.5),
                }),
                fast_cache: None,
                large_block_amplification: Factor::ONE,
                variability: factor(self.variability),
            }),
            _ => fixed(*speed, self.variability),
        };
        let mut machine = machine(self.devices.iter().enumerate().map(device).collect());
        if self.shared_cores {
            machine.processor.threads_per_core = 2;
            machine.processor.second_thread = Fraction::percent(25);
        }
        let load = |index: usize, request_us| {
            let percent = self.others[index];
            others::load(percent, request_us).filter(|_| percent > 0)
        };
        for (index, device) in machine.devices.iter_mut().enumerate() {
            device.others = load(index, 1000 * index as u64 + 300);
        }
        machine.processor.others = load(4, 10_000);
        machine
    }

    pub(super) fn backup(&self) -> Backup {
        let mut job = backup(self.mebibytes, &self.targets);
        let second = job.volumes[0].clone();
        job.volumes.push(Volume { name: "log".to_string(), bytes: Bytes::new(777_777), ..second });
        job.buffers.count = self.count;
        job.compression = self.compressed.then(|| compression(self.variability));
        job.rules.read_depth = self.read_depth;
        job.rules.write_depth = self.write_depth;
        job.rules.encoded_writes = match self.writes {
            0 => EncodedWrites::Collected,
            1 => EncodedWrites::PerBuffer,
            _ => EncodedWrites::InPlace,
        };
        if self.turns {
            job.rules.writer_queue = WriterQueue::Turns;
        }
        job
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// Conservation is asserted after every event in debug; here the totals, the bounds of
    /// operational analysis, and that no choice of switches brings the pipeline to a stop.
    #[test]
    fn any_pipeline_ends_and_keeps_the_laws(any in any_pipeline()) {
        let (machine, job) = (any.machine(), any.backup());
        let outcome = run(&machine, &job, 3);
        let bytes: u64 = job.volumes.iter().map(|v| v.bytes.get()).sum();
        prop_assert_eq!(outcome.read_bytes.get(), bytes);
        let ratio = job.compression.as_ref().map_or(1.0, |c| c.ratio.get());
        prop_assert_eq!(outcome.written_bytes.get(), (bytes as f64 / ratio).round() as u64);
        let stripes: u64 = outcome.stripe_bytes.iter().map(|b| b.get()).sum();
        prop_assert_eq!(stripes, outcome.written_bytes.get());
        for station in &outcome.stations {
            // Utilization law: busy server time / (servers x elapsed).
            let servers = u64::from(station.servers);
            prop_assert!(station.busy.as_nanos() <= outcome.elapsed.as_nanos() * servers);
            let shares = station.shares;
            let sum = shares.working + shares.starved + shares.blocked;
            prop_assert!((sum - 1.0).abs() < 1e-9);
        }
        for thread in outcome.threads.iter().filter(|t| t.side != crate::wait::Side::Processor) {
            let sum: u64 = thread.spent.iter().map(|(_, span)| span.as_nanos()).sum();
            prop_assert_eq!(sum, outcome.elapsed.as_nanos());
        }
    }

    /// Recursion and calendar give the same run, to the nanosecond and to the last counter.
    #[test]
    fn a_recursion_gives_what_a_calendar_gives(
        any in any_pipeline(),
        (one, two) in any::<(bool, bool)>(),
        long in prop::option::weighted(0.03, 33u64..50),
    ) {
        let (mut machine, mut job) = (any.machine(), any.backup());
        // So long that some of it is carried forward.
        if let Some(gibibytes) = long {
            job.volumes[0].bytes = Bytes::mebibytes(gibibytes << 10);
        }
        // Links would leave it to the calendar.
        for (index, device) in machine.devices.iter_mut().enumerate() {
            if let Device::Link(link) = &device.law {
                let variability = factor(any.variability);
                device.law = Device::FixedRate(FixedRate { rate: link.rate, variability });
            }
            if two && index == 1 && !matches!(device.law, Device::Null(_)) {
                job.volumes[1].place = place(1);
            }
        }
        if one {
            job.volumes.truncate(1);
        }
        let streams = Streams::new(7, 1);
        let terms = Terms { exact: long.is_none(), ..Terms::EXACT };
        let ways = [true, false].map(|scheduled| Terms { scheduled, ..terms.clone() });
        let runs = ways.map(|terms| {
            let outcome = simulate_backup(&machine, &job, &streams, &terms).expect("a run");
            let kept = |p: &Place| !matches!(machine.devices[p.device].law, Device::Null(_));
            // What has gone to NUL cannot be verified.
            let checked = job.stripes.iter().all(kept).then(|| {
                let verify = verification(&job, &outcome);
                simulate_verify(&machine, &verify, &streams, &terms).expect("a run")
            });
            (outcome, checked)
        });
        prop_assert_eq!(&runs[0], &runs[1]);
    }

    /// The same streams: one more buffer, a faster device, fewer bytes never make it slower, where
    /// no degradation term is at work (no spindle, no shared device, constant service).
    #[test]
    fn more_buffers_faster_devices_and_fewer_bytes_never_slow_a_backup(
        speeds in prop::collection::vec(20.0..300.0f64, 2),
        count in 1u32..12,
        mebibytes in 2u64..40,
        variability in 0.0..1.0f64,
        compressed in any::<bool>(),
    ) {
        let elapsed = |speeds: &[f64], count: u32, mebibytes: u64| {
            let machine = machine(speeds.iter().map(|s| fixed(*s, variability)).collect());
            let mut job = backup(mebibytes, &[1]);
            job.buffers.count = count;
            job.compression = compressed.then(|| compression(variability));
            job.rules.workers = Workers::Processors;
            run(&machine, &job, 5).elapsed
        };
        let base = elapsed(&speeds, count, mebibytes);
        prop_assert!(elapsed(&speeds, count + 1, mebibytes) <= base);
        prop_assert!(elapsed(&[speeds[0] * 1.2, speeds[1]], count, mebibytes) <= base);
        prop_assert!(elapsed(&[speeds[0], speeds[1] * 1.2], count, mebibytes) <= base);
        // Workers overtake each other, so with another last buffer the draws fall to other
        // buffers, and collecting lets a larger backup fill a write sooner: neither is slowness.
        if !compressed {
            prop_assert!(elapsed(&speeds, count, mebibytes - 1) <= base);
        }
    }
}
