//! The pipeline of `models` against exact mean value analysis.
//!
//! With exponential service and as many reads and writes outstanding as there are buffers, an
//! uncompressed backup is a closed network: buffers go from the source through links and caps to
//! the target and back. So is a verification, and so is a compressed backup to NUL, where the
//! network is source and processors.
//!
//! A backup starts and ends empty, and theory speaks of the time between. So two backups are run
//! on the same random numbers, one twice as large as the other: filling and draining are the same
//! in both, and what is left of the difference is equilibrium. All seeds are fixed, and the
//! comparisons are judged together: each must lie in its interval at a level that all of them keep
//! with probability 0.99 (Bonferroni).

use bakcast_models::device::{Device, FixedRate, Link, Null, SolidState};
use bakcast_models::outcome::{Outcome, StationRole};
use bakcast_models::pipeline::{Terms, simulate_backup, simulate_restore, simulate_verify};
use bakcast_models::plan::*;
use bakcast_models::quantity::{ByteRate, Bytes, Factor, Fraction, Period, Ratio};
use bakcast_sim::{
    ConfidenceInterval, Demand, Equilibrium, Streams, mean_value_analysis, replicate,
};

/// Bytes of one transfer, and the rate at which that takes the stated number of milliseconds.
const TRANSFER: u64 = 65_536;
/// Transfers of the smaller backup.
const TRANSFERS: u64 = 2_000;
const REPLICATIONS: u64 = 48;

fn rate(milliseconds: f64) -> ByteRate {
    ByteRate::new(TRANSFER as f64 / milliseconds * 1e3).unwrap()
}

fn exponential(milliseconds: f64) -> Device {
    Device::FixedRate(FixedRate { rate: rate(milliseconds), variability: Factor::ONE })
}

/// A drive whose latency overlaps for all buffers: a delay, then a queue, where each command takes
/// a fifth of a millisecond beside its data.
fn drive(latency_ms: u64, milliseconds: f64) -> Device {
    Device::SolidState(SolidState {
        read_rate: rate(milliseconds - 0.2),
        write_rate: rate(milliseconds - 0.2),
        latency: Period::from_nanos(latency_ms * 1_000_000),
        command_time: Period::from_nanos(200_000),
        depth: 1024,
        stream_amplification: Factor::ZERO,
        stall: None,
        fast_cache: None,
        large_block_amplification: Factor::ONE,
        variability: Factor::ONE,
    })
}

/// A link so wide that it is nothing but its round trip.
fn round_trip(round_trip_ms: u64) -> Device {
    Device::Link(Link {
        rate: rate(1e-6),
        per_connection: None,
        round_trip: Period::from_nanos(round_trip_ms * 1_000_000),
    })
}

/// A closed network as a pipeline, and as theory sees it.
struct Case {
    name: &'static str,
    devices: Vec<Device>,
    source: Place,
    target: Place,
    /// Processors and milliseconds of one buffer on one of them.
    processors: Option<(u32, f64)>,
    /// Demands in seconds, in the order of the devices, the processors last.
    demands: Vec<Vec<Demand>>,
    buffers: u32,
    does: Does,
}

/// What the pipeline does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Does {
    Backup,
    Verify,
    Restore,
}

fn at(device: usize, via: &[usize]) -> Place {
    Place { device, via: via.to_vec(), position: Fraction::ZERO }
}

fn queue(servers: usize, milliseconds: f64) -> Vec<Demand> {
    vec![Demand::Queue { demand: milliseconds / 1e3, servers }]
}

fn after(delay_ms: u64, queue: Vec<Demand>) -> Vec<Demand> {
    [vec![Demand::Delay { demand: delay_ms as f64 / 1e3 }], queue].concat()
}

/// Two devices.
fn copy(buffers: u32) -> Case {
    Case {
        name: "source, target",
        devices: vec![exponential(1.0), exponential(0.8)],
        source: at(0, &[]),
        target: at(1, &[]),
        processors: None,
        demands: vec![queue(1, 1.0), queue(1, 0.8)],
        buffers,
        does: Does::Backup,
    }
}

/// A cap before each device.
fn capped(buffers: u32) -> Case {
    Case {
        name: "source, cap, cap, target",
        devices: [1.0, 0.7, 0.9, 0.5].map(exponential).to_vec(),
        source: at(0, &[1]),
        target: at(3, &[2]),
        demands: [1.0, 0.7, 0.9, 0.5].map(|mean| queue(1, mean)).to_vec(),
        ..copy(buffers)
    }
}

/// One device that is source and target: visited twice in a cycle.
fn same_device(buffers: u32) -> Case {
    Case {
        name: "one device for both, behind a cap for writes",
        devices: vec![exponential(0.5), exponential(0.6)],
        source: at(0, &[]),
        target: at(0, &[1]),
        demands: vec![queue(1, 1.0), queue(1, 0.6)],
        ..copy(buffers)
    }
}

/// A drive with overlapping latency, and a round trip to the target. (What a link's connections
/// share is not product form, because transfers of one connection follow one another.)
fn drive_and_link(buffers: u32) -> Case {
    Case {
        name: "drive, round trip, target",
        devices: vec![drive(2, 1.0), round_trip(3), exponential(0.8)],
        source: at(0, &[]),
        target: at(2, &[1]),
        demands: vec![after(2, queue(1, 1.0)), after(3, Vec::new()), queue(1, 0.8)],
        ..copy(buffers)
    }
}

/// A compressed backup to NUL: a buffer is free again when it has been compressed.
fn compressed(buffers: u32, processors: u32) -> Case {
    Case {
        name: "source, processors, NUL",
        devices: vec![exponential(1.0), Device::Null(Null {})],
        processors: Some((processors, 3.0)),
        demands: vec![queue(1, 1.0), Vec::new(), queue(processors as usize, 3.0)],
        ..copy(buffers)
    }
}

/// A verification: backup file, processors.
fn verification(buffers: u32, processors: u32) -> Case {
    Case { name: "file, processors", does: Does::Verify, ..compressed(buffers, processors) }
}

/// A restore that has nothing to decompress: backup file, volume.
fn restore(buffers: u32) -> Case {
    Case { name: "file, volume", does: Does::Restore, ..copy(buffers) }
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    cases.extend([1, 2, 5, 16].map(copy));
    cases.extend([3, 12].map(capped));
    cases.extend([2, 8].map(same_device));
    cases.extend([4, 15].map(drive_and_link));
    cases.extend([(1, 4), (4, 4), (9, 4), (12, 2)].map(|(n, c)| compressed(n, c)));
    cases.extend([(3, 4), (10, 4)].map(|(n, c)| verification(n, c)));
    cases.extend([3, 7].map(restore));
    cases
}

impl Case {
    fn machine(&self) -> Machine {
        let named = self.devices.iter().enumerate().map(|(index, law)| NamedDevice {
            name: format!("d{index}"),
            law: law.clone(),
            run_to_run: Fraction::ZERO,
            others: None,
        });
        let count = self.processors.map_or(1, |(count, _)| count);
        Machine { devices: named.collect(), processor: Processor::alone(count) }
    }

    fn compression(&self) -> Option<Compression> {
        self.processors.map(|(_, milliseconds)| Compression {
            ratio: Ratio::new(1.0).unwrap(),
            rate: rate(milliseconds),
            decompression_rate: rate(milliseconds),
            variability: Factor::ONE,
        })
    }

    fn run(&self, transfers: u64, replication: u64) -> Outcome {
        let (machine, streams) = (self.machine(), Streams::new(2_026, replication));
        let bytes = Bytes::new(transfers * TRANSFER);
        let terms = Terms::EXACT;
        let outcome = match self.does {
            Does::Backup => simulate_backup(&machine, &self.backup(bytes), &streams, &terms),
            Does::Verify => simulate_verify(&machine, &self.verify(bytes), &streams, &terms),
            Does::Restore => simulate_restore(&machine, &self.restore(bytes), &streams, &terms),
        };
        outcome.unwrap()
    }

    fn backup(&self, bytes: Bytes) -> Backup {
        let source = self.source.clone();
        Backup {
            volumes: vec![Volume { name: "data".to_string(), place: source, bytes }],
            stripes: vec![self.target.clone()],
            compression: self.compression(),
            buffers: Buffers { count: self.buffers, transfer_size: Bytes::new(TRANSFER), sets: 1 },
            large_block: false,
            rules: EngineRules {
                writer_queue: WriterQueue::Shared,
                encoded_writes: EncodedWrites::PerBuffer,
                workers: Workers::Processors,
                read_depth: self.buffers,
                write_depth: self.buffers,
            },
            coordinator: Coordinator { start: Period::ZERO, finish: Period::ZERO },
            beside: Vec::new(),
        }
    }

    fn verify(&self, bytes: Bytes) -> Verify {
        Verify {
            stripes: vec![(self.source.clone(), bytes)],
            database_bytes: bytes,
            compression: self.compression(),
            transfer_size: Bytes::new(TRANSFER),
            buffer_count: self.buffers,
            read_depth: self.buffers,
            coordinator: Coordinator { start: Period::ZERO, finish: Period::ZERO },
        }
    }

    fn restore(&self, bytes: Bytes) -> Restore {
        let place = self.target.clone();
        Restore {
            stripes: vec![(self.source.clone(), bytes)],
            volumes: vec![Volume { name: "data".to_string(), place, bytes }],
            zeroed: Bytes::ZERO,
            compression: self.compression(),
            transfer_size: Bytes::new(TRANSFER),
            buffer_count: self.buffers,
            read_depth: self.buffers,
            write_depth: self.buffers,
            coordinator: Coordinator { start: Period::ZERO, finish: Period::ZERO },
        }
    }

    /// The equilibrium according to theory.
    fn exact(&self) -> Equilibrium {
        let demands: Vec<Demand> = self.demands.iter().flatten().copied().collect();
        mean_value_analysis(&demands, self.buffers as usize).unwrap().pop().unwrap()
    }
}

/// What one pair of runs says of equilibrium.
struct Sample {
    /// Seconds from one buffer to the next.
    interval: f64,
    /// Busy server seconds in that time, by station that serves at all (NUL does not).
    busy: Vec<f64>,
}

fn sample(case: &Case, replication: u64) -> Sample {
    let small = case.run(TRANSFERS, replication);
    let large = case.run(2 * TRANSFERS, replication);
    let further = TRANSFERS as f64;
    let stations = |outcome: &Outcome| {
        let stations = outcome.stations.iter().filter(|s| s.role != StationRole::FixedCost);
        let busy = stations.map(|station| station.busy.as_seconds());
        // NUL serves nobody, and a link that is a round trip hardly anybody.
        busy.filter(|seconds| *seconds > 1e-4).collect::<Vec<_>>()
    };
    let busy = stations(&small).into_iter().zip(stations(&large));
    Sample {
        interval: (large.elapsed.as_seconds() - small.elapsed.as_seconds()) / further,
        busy: busy.map(|(small, large)| (large - small) / further).collect(),
    }
}

/// One estimate from each pair of runs, and its exact value.
struct Comparison {
    what: String,
    estimates: Vec<f64>,
    exact: f64,
    /// What the width of the interval is measured by.
    scale: f64,
}

/// The comparisons of one case: the time between buffers, and the busy time of each station less
/// its exact utilization of the time that passed, the mean of which is zero.
fn comparisons(case: &Case) -> Vec<Comparison> {
    let exact = case.exact();
    let samples = replicate(REPLICATIONS, |replication| sample(case, replication));
    let what = |what: &str| format!("{} with {} buffers: {what}", case.name, case.buffers);
    let mut all = vec![Comparison {
        what: what("seconds between buffers"),
        estimates: samples.iter().map(|sample| sample.interval).collect(),
        exact: 1.0 / exact.throughput,
        scale: 1.0 / exact.throughput,
    }];
    let demands = case.demands.iter().flatten().zip(&exact.stations);
    let queues = demands.filter_map(|(demand, station)| match demand {
        Demand::Queue { servers, .. } => Some(station.utilization * *servers as f64),
        Demand::Delay { .. } => None,
    });
    for (index, busy_servers) in queues.enumerate() {
        let left = |s: &Sample| s.busy[index] - busy_servers * s.interval;
        all.push(Comparison {
            what: what(&format!("utilization of station {index}")),
            estimates: samples.iter().map(left).collect(),
            exact: 0.0,
            scale: busy_servers / exact.throughput,
        });
    }
    all
}

/// Names of the comparisons whose exact value is not in their interval; all intervals together
/// hold with probability 0.99. Fails if the intervals are too wide to tell anything.
fn missed(comparisons: &[Comparison]) -> Vec<String> {
    let level = 1.0 - 0.01 / comparisons.len() as f64;
    let mut missed = Vec::new();
    for Comparison { what, estimates, exact, scale } in comparisons {
        let interval = ConfidenceInterval::of_mean(estimates, level).unwrap();
        assert!(interval.half_width() < 0.025 * scale, "{what}: {interval:?} tells nothing");
        if !interval.contains(*exact) {
            missed.push(format!("{what}: {exact} is not in {interval:?}"));
        }
    }
    missed
}

#[test]
fn exponential_pipelines_agree_with_mean_value_analysis() {
    let all: Vec<Comparison> = cases().iter().flat_map(comparisons).collect();
    assert!(all.len() >= 40, "{}", all.len());
    let missed = missed(&all);
    assert!(missed.is_empty(), "{missed:#?}");
}

/// A judge that lets everything pass would prove nothing.
#[test]
fn a_device_that_is_three_percent_slower_than_stated_is_noticed() {
    let slower = Case { devices: vec![exponential(1.03), exponential(0.824)], ..copy(5) };
    let missed = missed(&comparisons(&slower));
    assert!(missed.iter().any(|what| what.contains("seconds between")), "{missed:#?}");
}
