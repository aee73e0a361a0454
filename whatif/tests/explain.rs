//! What an explanation promises, on the shipped scenarios.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use bakcast_scenarios::predict::PredictOptions;
use bakcast_scenarios::{Loaded, Scenario, Set, shipped};
use bakcast_whatif::{Explanation, OperationExplanation, explain, next_to_try};

const OPTIONS: PredictOptions =
    PredictOptions { seed: 1, replications: 6, level: 0.9, exact: false };

fn load(name: &str, sets: &[&str]) -> Loaded {
    let sets: Vec<Set> = sets.iter().map(|set| Set::parse(set).unwrap()).collect();
    Scenario::load_reference(name, &sets).unwrap()
}

fn explained(name: &str, sets: &[&str]) -> Explanation {
    explain(&load(name, sets).resolved, &OPTIONS).unwrap()
}

/// Every shipped variant with a small database.
fn all() -> Vec<Loaded> {
    let mut all = Vec::new();
    for scenario in shipped() {
        let plain = Scenario::load(scenario.name, None, &[]).unwrap();
        let volumes = plain.scenario.volume.keys();
        let small: Vec<Set> =
            volumes.map(|name| Set::new(format!("volume.{name}.size"), "2 GiB")).collect();
        for variant in &plain.variants {
            all.push(Scenario::load(scenario.name, Some(&variant.name), &small).unwrap());
        }
    }
    all
}

#[test]
fn no_shipped_scenario_beats_its_bounds() {
    for loaded in all() {
        let explanation = explain(&loaded.resolved, &OPTIONS).unwrap();
        let prediction = &explanation.prediction;
        let verify = prediction.verify.as_ref().zip(explanation.verify.as_ref());
        for (operation, why) in
            [Some((&prediction.backup, &explanation.backup)), verify].into_iter().flatten()
        {
            let runs = operation.elapsed_seconds.len() as f64;
            let mean = operation.elapsed_seconds.iter().sum::<f64>() / runs;
            // Demands and durations are means over the same runs; the slowest of several alike
            // stations changes from run to run, which the mean of each does not show.
            let tolerance = 1.02;
            assert!(mean * tolerance >= why.bounds.elapsed_seconds, "{}: {why:#?}", loaded.name);
            let rate = operation.read_bytes as f64 / mean;
            assert!(rate <= tolerance * why.bounds.station_bytes_per_second, "{}", loaded.name);
            assert!(rate <= tolerance * why.bounds.buffers_bytes_per_second, "{}", loaded.name);
        }
    }
}

#[test]
fn demands_are_what_the_stations_served() {
    let explanation = explained("usb3-laptop:2.4", &[]);
    let stations = &explanation.prediction.backup.stations;
    for (station, demand) in stations.iter().zip(&explanation.backup.demands) {
        assert_eq!(station.name, demand.station);
        let cycles = demand.cycle_seconds * explanation.backup.cycles;
        assert!((cycles - station.busy_seconds).abs() < 1e-6 * station.busy_seconds.max(1.0));
    }
    assert!((explanation.backup.cycles - 6144.0).abs() < 0.5);
}

#[test]
fn the_knee_is_the_smallest_number_that_is_nearly_best() {
    let nearly_best = |why: &OperationExplanation| {
        let points = &why.knee.points;
        assert_eq!(points.len(), 11);
        let best = points.iter().map(|p| p.seconds).fold(f64::INFINITY, f64::min);
        let knee = points.iter().position(|p| p.buffer_count == why.knee.buffer_count).unwrap();
        assert!(points[knee].seconds <= 1.02 * best);
        assert!(points[..knee].iter().all(|p| p.seconds > 1.02 * best));
    };
    let explanation = explained("nvme-knob-matrix:2", &[]);
    nearly_best(&explanation.backup);
    nearly_best(explanation.verify.as_ref().unwrap());
    let memory = explanation.backup.knee.points[6];
    assert_eq!((memory.buffer_count, memory.memory_bytes), (64, 192 << 20));
}

#[test]
fn a_pipeline_without_variation_needs_the_buffers_that_theory_says() {
    // 100 MB/s to 100 MB/s: one cycle is two demands, so two buffers are enough, and three leave
    // nothing to wish for.
    let sets = [
        "device.array.fixed_rate.rate=100 MB/s",
        "device.share.fixed_rate.rate=100 MB/s",
        "device.lan.link.rate=100000 MB/s",
        "device.lan.link.per_connection=default",
        "device.lan.link.round_trip=0 s",
        "backup.compression=false",
        "volume.data.size=2 GiB",
    ];
    let explanation = explained("san-to-share-10gbe:one-file", &sets);
    let needed = explanation.backup.bounds.buffers_needed;
    assert!((needed - 2.0).abs() < 0.1, "{needed}");
    assert!(explanation.backup.knee.buffer_count <= 4, "{:?}", explanation.backup.knee);
    // Two equal exponential stations and n customers: n / (n + 1) of the rate of one.
    let theory = explanation.backup.theory.unwrap();
    let n = f64::from(explanation.backup.buffer_count);
    let share = theory.bytes_per_second / 100e6;
    assert!((share - n / (n + 1.0)).abs() < 0.02, "{share}");
}

#[test]
fn the_same_explanation_on_any_number_of_threads() {
    let loaded = load("nvme-knob-matrix:6", &[]);
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| explain(&loaded.resolved, &OPTIONS).unwrap())
    };
    assert_eq!(on(1), on(4));
}

#[test]
fn what_to_try_is_a_knob_that_the_scenario_takes() {
    for loaded in all() {
        let prediction = bakcast_scenarios::predict::predict(&loaded.resolved, &OPTIONS).unwrap();
        if let Some(next) = next_to_try(&loaded, &prediction) {
            let set = Set::new(next.path, next.value);
            let tried = Scenario::load_reference(&loaded.name, std::slice::from_ref(&set));
            assert!(tried.is_ok(), "{}: {set}: {tried:?}", loaded.name);
        }
    }
}
