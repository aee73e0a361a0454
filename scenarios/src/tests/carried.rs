//! Long runs that are carried forward against the same runs in full.

use super::load_with;
use crate::predict::{PredictOptions, Prediction, durations};

/// Two volumes of different sizes on an array, a cached drive and a zoned disk as targets.
const MACHINE: &str = r#"
title = "long runs"
[volume.a]
device = "array"
size = "120 GiB"
[device.array.fixed_rate]
rate = "900 MB/s"
variability = 0.5
[device.drive.solid_state]
read_rate = "1500 MB/s"
write_rate = "800 MB/s"
stall = { mean = "40 ms", every = "200 MiB" }
[device.disk.spindle]
read_rate = "200 MB/s"
write_rate = "180 MB/s"
capacity = "400 GiB"
[processor]
logical_processors = 8
[compression]
ratio = 3.0
rate = "120 MB/s"
[backup]
stripes = ["drive"]
[verify]
enabled = false
"#;

fn both(sets: &[&str]) -> (Prediction, Prediction) {
    let resolved = load_with(MACHINE, None, sets).unwrap().resolved;
    let carried = PredictOptions { replications: 32, ..PredictOptions::default() };
    let exact = PredictOptions { exact: true, ..carried };
    (durations(&resolved, &carried).unwrap(), durations(&resolved, &exact).unwrap())
}

/// Medians agree, ranges are about as wide, totals are the same to the byte, and work was saved.
fn assert_alike(sets: &[&str]) {
    let (carried, exact) = both(sets);
    let (c, e) = (&carried.backup, &exact.backup);
    assert_eq!((c.read_bytes, c.written_bytes), (e.read_bytes, e.written_bytes));
    assert!(carried.extrapolated_bytes > 0 && exact.extrapolated_bytes == 0);
    assert!(2 * carried.events < exact.events, "{} of {}", carried.events, exact.events);
    let median = c.seconds.median / e.seconds.median - 1.0;
    assert!(median.abs() < 0.004, "median off by {:.2} %: {sets:?}", 100.0 * median);
    let width = |p: &crate::predict::Range| p.high - p.low;
    let wider = width(&c.seconds) / width(&e.seconds);
    assert!((0.75..1.33).contains(&wider), "range {wider:.2} times as wide: {sets:?}");
    for (carried, exact) in c.stations.iter().zip(&e.stations) {
        assert!((carried.working - exact.working).abs() < 0.02, "{carried:?} {exact:?}");
        assert!((carried.blocked - exact.blocked).abs() < 0.03, "{carried:?} {exact:?}");
        let bytes = carried.bytes / exact.bytes.max(1.0);
        assert!(exact.bytes == 0.0 || (bytes - 1.0).abs() < 0.01, "{carried:?} {exact:?}");
    }
}

#[test]
fn a_long_run_between_two_devices_is_carried_forward_as_it_would_have_run() {
    assert_alike(&[]);
    assert_alike(&["backup.compression=on", "processor.run_to_run=0 %"]);
}

#[test]
fn a_cache_that_fills_on_the_way_is_not_jumped_over() {
    let cache = "device.drive.solid_state.fast_cache=\
                 { size = \"50 GiB\", write_rate_after = \"200 MB/s\" }";
    assert_alike(&[cache, "volume.a.size=200 GiB"]);
}

#[test]
fn the_zones_of_a_disk_slow_a_carried_run_down_as_they_do_a_full_one() {
    assert_alike(&["backup.stripes=disk", "volume.a.size=300 GiB"]);
}

#[test]
fn a_volume_that_ends_early_leaves_the_others_to_go_on() {
    assert_alike(&[
        "volume.b.device=second",
        "volume.b.size=40 GiB",
        "device.second.fixed_rate.rate=150 MB/s",
        "device.drive.solid_state.write_rate=2000 MB/s",
    ]);
}

#[test]
fn sizes_without_limit_cost_no_more_than_large_ones() {
    let (events, bytes) = {
        let resolved = load_with(MACHINE, None, &["volume.a.size=100 TiB"]).unwrap().resolved;
        let options = PredictOptions { replications: 2, ..PredictOptions::default() };
        let prediction = durations(&resolved, &options).unwrap();
        (prediction.events, prediction.backup.read_bytes)
    };
    assert_eq!(bytes, 100 << 40);
    assert!(events < 1_000_000, "{events} events");
}

#[test]
fn short_runs_are_simulated_in_full() {
    let (carried, exact) = {
        let resolved = load_with(MACHINE, None, &["volume.a.size=2 GiB"]).unwrap().resolved;
        let usual = PredictOptions { replications: 3, ..PredictOptions::default() };
        let exact = PredictOptions { exact: true, ..usual };
        (durations(&resolved, &usual).unwrap(), durations(&resolved, &exact).unwrap())
    };
    assert_eq!(carried, exact);
}

#[test]
fn pauses_that_come_rarely_are_waited_for_before_anything_is_skipped() {
    assert_alike(&[
        "device.drive.solid_state.stall={ mean = \"1 s\", every = \"2 GiB\" }",
        "volume.a.size=250 GiB",
    ]);
}

#[test]
fn a_link_that_is_never_idle_is_seen_to_work_all_the_time() {
    let (carried, exact) = both(&[
        "device.lan.link.rate=300 MB/s",
        "device.far.fixed_rate.rate=2000 MB/s",
        "device.far.via=lan",
        "backup.stripes=far,far",
    ]);
    let lan = |p: &Prediction| p.backup.stations.iter().find(|s| s.name == "lan").unwrap().working;
    assert!(lan(&carried) > 0.95 && lan(&exact) > 0.95, "{} {}", lan(&carried), lan(&exact));
}
