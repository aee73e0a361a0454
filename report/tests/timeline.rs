//! A trace is what the run came to: every begin has its end, the times of a track never go back,
//! every buffer is somewhere, and what the slices last adds up to the outcome, to the nanosecond.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::ControlFlow;

use bakcast_models::outcome::{Outcome, StationRole, ThreadOutcome};
use bakcast_models::pipeline::watch::{Moment, Watcher};
use bakcast_models::wait::Side;
use bakcast_report::Tool;
use bakcast_report::timeline::{ChromeHead, ChromeTrace, Transfers, Written};
use bakcast_scenarios::predict::{OneNight, PredictOptions};
use bakcast_scenarios::{Loaded, Scenario, Set};
use serde_json::{Value, json};

fn load(name: &str, sets: &[&str]) -> Loaded {
    let sets: Vec<Set> = sets.iter().map(|set| Set::parse(set).unwrap()).collect();
    Scenario::load_reference(name, &sets).unwrap()
}

fn chrome<W: Write>(out: W, thin_ns: u64) -> ChromeTrace<W> {
    let inputs = json!({"a \"name\"": 1});
    let head = ChromeHead {
        display_time_unit: "ms",
        schema_version: 1,
        tool: Tool { name: "bakcast", version: "0" },
        command: "trace",
        seed: 1,
        replications: 1,
        inputs: &inputs,
        warnings: &[],
    };
    let mut trace = ChromeTrace::new(out, &head, "a \"scenario\"", thin_ns).unwrap();
    trace.begin_operation("backup", 0, 10_000_000);
    trace
}

/// A backup, its trace and what was counted in it.
fn traced(loaded: &Loaded, thin_ns: u64) -> (Outcome, Trace, Written) {
    let night = OneNight::new(&loaded.resolved, &PredictOptions::DEFAULT, 0);
    let mut bytes = Vec::new();
    let mut trace = chrome(&mut bytes, thin_ns);
    let outcome = night.watch_backup(&mut trace).unwrap().unwrap();
    let written = trace.written();
    trace.finish(&json!({"done": true})).unwrap();
    assert_eq!(outcome, night.backup().unwrap());
    (outcome, Trace::read(&bytes), written)
}

#[derive(Debug, Clone, PartialEq)]
struct Slice {
    name: String,
    begin_ns: u64,
    end_ns: u64,
    arguments: Value,
}

/// A trace that has been read, and found to be one.
#[derive(Debug, Default)]
struct Trace {
    processes: BTreeMap<u64, String>,
    tracks: BTreeMap<(u64, u64), String>,
    slices: BTreeMap<(u64, u64), Vec<Slice>>,
    counters: BTreeMap<(u64, String), Vec<(u64, Value)>>,
}

/// Microseconds with three decimals, as nanoseconds.
fn nanos(value: &Value) -> u64 {
    (value.as_f64().unwrap() * 1000.0).round() as u64
}

impl Trace {
    /// # Panics
    /// If it is none.
    fn read(bytes: &[u8]) -> Self {
        let document: Value = serde_json::from_slice(bytes).unwrap();
        assert_eq!(document["result"]["done"], true);
        assert!(bytes.starts_with(b"{\"displayTimeUnit\":\"ms\""));
        let mut trace = Trace::default();
        let mut open: BTreeMap<(u64, u64), (Value, u64)> = BTreeMap::new();
        let mut last: BTreeMap<(u64, u64), u64> = BTreeMap::new();
        for event in document["traceEvents"].as_array().unwrap() {
            let pid = event["pid"].as_u64().unwrap();
            let track = (pid, event["tid"].as_u64().unwrap_or(0));
            let text = |value: &Value| value.as_str().unwrap().to_string();
            match event["ph"].as_str().unwrap() {
                "M" => match event["name"].as_str().unwrap() {
                    "process_name" => {
                        trace.processes.insert(pid, text(&event["args"]["name"]));
                    }
                    "thread_name" => {
                        trace.tracks.insert(track, text(&event["args"]["name"]));
                    }
                    _ => {}
                },
                "B" => {
                    let at = nanos(&event["ts"]);
                    assert!(at >= *last.get(&track).unwrap_or(&0), "{event} goes back");
                    last.insert(track, at);
                    let before = open.insert(track, (event.clone(), at));
                    assert!(before.is_none(), "{event} begins within another");
                }
                "E" => {
                    let at = nanos(&event["ts"]);
                    let (begin, begin_ns) = open.remove(&track).expect("an end has its begin");
                    assert!(at > begin_ns, "{begin} takes no time");
                    last.insert(track, at);
                    let slice = Slice {
                        name: text(&begin["name"]),
                        begin_ns,
                        end_ns: at,
                        arguments: begin["args"].clone(),
                    };
                    trace.slices.entry(track).or_default().push(slice);
                }
                "C" => {
                    let key = (pid, text(&event["name"]));
                    let values = trace.counters.entry(key).or_default();
                    let at = nanos(&event["ts"]);
                    assert!(values.last().is_none_or(|(before, _)| *before <= at), "{event}");
                    values.push((at, event["args"].clone()));
                }
                other => panic!("what is {other}?"),
            }
        }
        assert!(open.is_empty(), "without an end: {open:?}");
        trace
    }

    fn pid(&self, begins: &str) -> u64 {
        let found = self.processes.iter().find(|(_, name)| name.starts_with(begins));
        *found.unwrap_or_else(|| panic!("no process {begins}")).0
    }

    fn track(&self, pid: u64, name: &str) -> (u64, u64) {
        let is = |(track, own): &(&(u64, u64), &String)| track.0 == pid && own.as_str() == name;
        *self.tracks.iter().find(is).unwrap_or_else(|| panic!("no track {name}")).0
    }

    /// Nanoseconds by what the slices of a track are called; of merged ones, by what was merged.
    fn times(&self, track: (u64, u64)) -> BTreeMap<String, u64> {
        let mut times = BTreeMap::new();
        for slice in self.slices.get(&track).into_iter().flatten() {
            if slice.name != "merged" {
                *times.entry(slice.name.clone()).or_default() += slice.end_ns - slice.begin_ns;
                continue;
            }
            for (key, value) in slice.arguments.as_object().unwrap() {
                if let Some(name) = key.strip_suffix("_seconds") {
                    let nanos = (value.as_f64().unwrap() * 1e9).round() as u64;
                    *times.entry(name.to_string()).or_default() += nanos;
                }
            }
        }
        times
    }
}

fn times_of(thread: &ThreadOutcome) -> BTreeMap<String, u64> {
    thread.spent.iter().map(|(state, span)| (state.name().to_string(), span.as_nanos())).collect()
}

/// Threads, workers and devices last as long in a trace as in the outcome.
fn check_times(trace: &Trace, outcome: &Outcome) {
    let job = trace.pid("backup a \"scenario\"");
    for thread in &outcome.threads {
        let track = match thread.side {
            Side::Coordinator => "coordinator".to_string(),
            Side::Source => format!("reader {}", thread.name),
            Side::Target => format!("writer {}", thread.name),
            Side::Processor => continue,
        };
        assert_eq!(trace.times(trace.track(job, &track)), times_of(thread), "{track}");
    }
    let devices = trace.pid("backup devices");
    for station in &outcome.stations {
        let tracks: Vec<(u64, u64)> = match station.role {
            StationRole::FixedCost => continue,
            StationRole::Processor => {
                let pid = trace.pid("backup processors");
                trace.tracks.keys().filter(|track| track.0 == pid).copied().collect()
            }
            _ if station.completions == 0 => continue,
            _ => vec![trace.track(devices, &station.name)],
        };
        let all = tracks.iter().flat_map(|track| trace.times(*track));
        let (blocked, working): (Vec<_>, Vec<_>) = all.partition(|(name, _)| name == "blocked");
        let sum = |times: &[(String, u64)]| times.iter().map(|(_, nanos)| nanos).sum::<u64>();
        assert_eq!(sum(&working), station.busy.as_nanos(), "{}", station.name);
        let all = outcome.elapsed.as_nanos() as f64 * f64::from(station.servers);
        let share = sum(&blocked) as f64 / all;
        assert!((share - station.shares.blocked).abs() < 1e-9, "{}", station.name);
    }
}

/// Every buffer is somewhere, and throughput adds up to what was read and written.
fn check_counters(trace: &Trace, outcome: &Outcome, count: u64) {
    let job = trace.pid("backup a \"scenario\"");
    for ((pid, name), values) in &trace.counters {
        if *pid != job || !name.ends_with(" buffers") {
            continue;
        }
        for (at, value) in values {
            let sum: u64 = value.as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum();
            assert_eq!(sum, count, "{name} at {at}: {value}");
        }
    }
    let bytes = |key: &str| {
        let values = &trace.counters[&(job, "throughput".to_string())];
        values.iter().map(|(_, value)| value[key].as_f64().unwrap() * 0.01).sum::<f64>()
    };
    let near = |found: f64, expected: f64| (found - expected).abs() < 1e-3 * expected + 1.0;
    assert!(near(bytes("read_bytes_per_second"), outcome.read_bytes.as_f64()));
    assert!(near(bytes("written_bytes_per_second"), outcome.written_bytes.as_f64()));
}

#[test]
fn a_trace_adds_up_to_the_outcome_of_the_run_thinned_or_not() {
    let size = "volume.data.size=512MiB";
    for (name, count) in [("nvme-knob-matrix:1", 7), ("nvme-knob-matrix:8", 22)] {
        let loaded = load(name, &[size]);
        let (outcome, trace, written) = traced(&loaded, 0);
        check_times(&trace, &outcome);
        check_counters(&trace, &outcome, count);
        assert_eq!(written.slices, trace.slices.values().map(Vec::len).sum::<usize>() as u64);
        assert_eq!((written.merged, written.merged_into), (0, 0));
        let (_, thin, fewer) = traced(&loaded, 20_000_000);
        check_times(&thin, &outcome);
        check_counters(&thin, &outcome, count);
        assert!(fewer.slices * 4 < written.slices, "{fewer:?} of {written:?}");
        assert_eq!(fewer.slices - fewer.merged_into + fewer.merged, written.slices);
    }
}

/// A link has a track for each connection, and a job beside the backup a process of its own.
#[test]
fn links_and_other_jobs_have_tracks_of_their_own() {
    let sets = [
        "volume.data.size=256MiB",
        "beside.Orders.volume.data.size=1GiB",
        "beside.Orders.starts=100ms",
    ];
    let loaded = load("two-backups-one-share", &sets);
    let night = OneNight::new(&loaded.resolved, &PredictOptions::DEFAULT, 0).main_alone();
    let mut bytes = Vec::new();
    let mut trace = chrome(&mut bytes, 0);
    let outcome = night.watch_backup(&mut trace).unwrap().unwrap();
    trace.finish(&json!({"done": true})).unwrap();
    let trace = Trace::read(&bytes);
    trace.pid("beside: ");
    let connections = trace.tracks.values().filter(|name| name.contains(": write "));
    assert!(connections.count() >= 2, "{:?}", trace.tracks);
    let job = trace.pid("backup a \"scenario\"");
    let coordinator = trace.times(trace.track(job, "coordinator"));
    assert_eq!(coordinator.values().sum::<u64>(), outcome.elapsed.as_nanos());
}

#[test]
fn names_of_any_kind_stay_names() {
    let hostile = "x\\\"},<b>\n\u{4e2d}";
    let mut loaded = load("nvme-knob-matrix:1", &["volume.data.size=16MiB"]);
    loaded.resolved.backup.volumes[0].name = hostile.to_string();
    loaded.resolved.members = None;
    for thin_ns in [0, 50_000_000] {
        let (outcome, trace, _) = traced(&loaded, thin_ns);
        check_times(&trace, &outcome);
        trace.track(trace.pid("backup a"), &format!("reader {hostile}"));
    }
}

#[test]
fn the_table_has_every_transfer_and_its_bytes_sum_to_the_totals() {
    let loaded = load("usb3-laptop:2.4", &["volume.data.size=256MiB"]);
    let night = OneNight::new(&loaded.resolved, &PredictOptions::DEFAULT, 0);
    let mut bytes = Vec::new();
    let mut table = Transfers::new(&mut bytes).unwrap();
    table.begin_operation("backup", 1_000_000_000);
    let outcome = night.watch_backup(&mut table).unwrap().unwrap();
    let rows = table.finish().unwrap();
    let mut reader = csv::Reader::from_reader(&bytes[..]);
    let headings = reader.headers().unwrap().clone();
    let column = |name: &str| headings.iter().position(|own| own == name).unwrap();
    let (mut sums, mut transfers) = (BTreeMap::new(), BTreeMap::new());
    for record in reader.records() {
        let record = record.unwrap();
        let at = |name: &str| record[column(name)].to_string();
        let number = |name: &str| at(name).parse::<f64>().unwrap();
        assert_eq!(at("operation"), "backup");
        assert!(1.0 <= number("queued_seconds"));
        assert!(number("queued_seconds") <= number("begin_seconds"));
        assert!(number("begin_seconds") <= number("end_seconds"));
        assert!(number("end_seconds") <= 1.0 + outcome.elapsed.as_seconds());
        if at("is_last") == "true" {
            *sums.entry(at("direction")).or_insert(0.0) += number("bytes");
        }
        *transfers.entry(at("device")).or_insert(0_u64) += 1;
    }
    assert_eq!(sums["read"] as u64, outcome.read_bytes.get());
    assert_eq!(sums["write"] as u64, outcome.written_bytes.get());
    assert_eq!(rows, transfers.values().sum::<u64>());
    for station in &outcome.stations {
        if let Some(count) = transfers.get(&station.name) {
            assert_eq!(*count, station.completions, "{}", station.name);
        }
    }
}

/// Counts what it is given.
#[derive(Default)]
struct Counter {
    bytes: u64,
    most: usize,
}

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes += bytes.len() as u64;
        self.most = self.most.max(bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Events of a run.
struct Events(u64);

impl Watcher for Events {
    fn see(&mut self, _moment: &Moment<'_>) -> ControlFlow<()> {
        self.0 += 1;
        ControlFlow::Continue(())
    }
}

/// What an event adds is passed on at once, be it the first or the last of a long run.
#[test]
fn nothing_of_a_long_run_is_held_back() {
    let most = |size: &str| {
        let loaded = load("nvme-knob-matrix:2", &[&format!("volume.data.size={size}")]);
        let night = OneNight::new(&loaded.resolved, &PredictOptions::DEFAULT, 0);
        let mut counter = Counter::default();
        let mut trace = chrome(&mut counter, 0);
        let mut events = Events(0);
        night.watch_backup(&mut (&mut trace, &mut events)).unwrap().unwrap();
        trace.finish(&json!({})).unwrap();
        assert!(counter.bytes > 50 * events.0, "{} bytes of {}", counter.bytes, events.0);
        counter.most
    };
    let (short, long) = (most("64MiB"), most("4GiB"));
    assert!(long <= short + 1000, "{long} bytes at once, {short} of a short run");
}

/// A disk that is full.
struct Full;

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // The beginning still fits.
        if bytes.starts_with(b",\n{\"ph\":\"B\"") {
            return Err(io::ErrorKind::StorageFull.into());
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn what_cannot_be_written_ends_the_run_and_is_told() {
    let loaded = load("nvme-knob-matrix:1", &["volume.data.size=64MiB"]);
    let night = OneNight::new(&loaded.resolved, &PredictOptions::DEFAULT, 0);
    let mut trace = chrome(Full, 0);
    assert_eq!(night.watch_backup(&mut trace), Ok(None));
    let error = trace.finish(&json!({})).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
}
