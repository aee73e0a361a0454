//! What an explanation promises, on the shipped scenarios.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use bakcast_scenarios::predict::PredictOptions;
use bakcast_scenarios::{Loaded, Scenario, Set, shipped};
use bakcast_whatif::{Explanation, OperationExplanation, explain, next_to_try};

const OPTIONS: PredictOptions =
    PredictOptions { seed: 1, replications: 6, ..PredictOptions::DEFAULT };

fn load(name: &str, sets: &[&str]) -> Loaded {
    let sets: Vec<Set> = sets.iter().map(|set| Set::parse(set).unwrap()).collect();
    Scenario::load_reference(name, &sets).unwrap()
}

fn explained(name: &str, sets: &[&str]) -> Explanation {
    explain(&load(name, sets).resolved, &OPTIONS).unwrap()
}

/// What makes its databases small; other jobs begin early enough to meet it then.
fn small(loaded: &Loaded) -> Vec<Set> {
    let size = |path: String| Set::new(path, "2 GiB");
    let own = loaded.scenario.volume.keys().map(|name| size(format!("volume.{name}.size")));
    let others = loaded.scenario.beside.iter().flat_map(|(job, other)| {
        let sizes = other.volume.keys().map(move |name| format!("beside.{job}.volume.{name}.size"));
        sizes.map(size).chain([Set::new(format!("beside.{job}.starts"), "500 ms")])
    });
    let jobs = loaded.scenario.job.keys().map(|job| size(format!("job.{job}.size")));
    own.chain(others).chain(jobs).collect()
}

/// Every shipped variant with a small database.
fn all() -> Vec<Loaded> {
    let mut all = Vec::new();
    for scenario in shipped() {
        let plain = Scenario::load(scenario.name, None, &[]).unwrap();
        let mut names: Vec<Option<&str>> =
            plain.variants.iter().map(|variant| Some(variant.name.as_str())).collect();
        // Of the others the variants are enough.
        names.extend((!plain.scenario.beside.is_empty()).then_some(None));
        for variant in names {
            let large = Scenario::load(scenario.name, variant, &[]).unwrap();
            all.push(Scenario::load(scenario.name, variant, &small(&large)).unwrap());
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
            let median = operation.seconds.median;
            // The bound is that of a run of median duration; nights with parameters of their own
            // may have another mean.
            let of_mean = why.bounds.elapsed_seconds * mean / median;
            assert!(mean * tolerance >= of_mean, "{}: {why:#?}", loaded.name);
            if loaded.resolved.members.is_none() {
                let bound = why.bounds.elapsed_seconds;
                assert!(mean * tolerance >= bound, "{}: {why:#?}", loaded.name);
            }
            assert!(why.bounds.elapsed_seconds <= tolerance * median, "{}: {why:#?}", loaded.name);
            let rate = operation.read_bytes as f64 / median;
            let bounds = &why.bounds;
            for bound in [bounds.station_bytes_per_second, bounds.buffers_bytes_per_second] {
                assert!(rate <= tolerance * bound.unwrap(), "{}", loaded.name);
            }
        }
    }
}

#[test]
fn demands_are_what_the_stations_served() {
    let explanation = explained("usb3-laptop:2.4", &[]);
    let backup = &explanation.prediction.backup;
    let (stations, elapsed) = (&backup.stations, &backup.elapsed_seconds);
    let mean = elapsed.iter().sum::<f64>() / elapsed.len() as f64;
    for (station, demand) in stations.iter().zip(&explanation.backup.demands) {
        assert_eq!(station.name, demand.station);
        let cycles = demand.cycle_seconds * explanation.backup.cycles;
        let served = station.busy_seconds * backup.seconds.median / mean;
        assert!((cycles - served).abs() < 1e-6 * served.max(1.0));
    }
    assert!((explanation.backup.cycles - 6144.0).abs() < 0.5);
}

#[test]
fn demands_and_bounds_are_those_of_the_backup_alone() {
    let sets = ["volume.data.size=4 GiB", "beside.Orders.volume.data.size=4 GiB"];
    let now = [&sets[..], &["beside.Orders.starts=0 s"]].concat();
    let alone = explained("two-backups-one-share:alone", &sets[..1]);
    let together = explained("two-backups-one-share", &now);
    let names =
        |e: &Explanation| e.backup.demands.iter().map(|d| d.station.clone()).collect::<Vec<_>>();
    let stations = together.prediction.backup.stations.iter().map(|s| s.name.clone());
    assert_eq!(names(&together), stations.collect::<Vec<_>>());
    assert_eq!(together.backup.demands, alone.backup.demands);
    assert_eq!(together.backup.bounds, alone.backup.bounds);
    assert_eq!(together.backup.theory, alone.backup.theory);
    // The knee is with the other job.
    let at = |e: &Explanation| e.backup.knee.points[6].seconds;
    assert!(at(&together) > 1.2 * at(&alone), "{} and {}", at(&together), at(&alone));
}

#[test]
fn another_hour_is_tried_first_where_other_jobs_are_the_bottleneck() {
    let sets = ["backup.buffer_count=64", "beside.Orders.backup.buffer_count=64"];
    let with =
        |more: &str| load("two-backups-one-share:compressed", &[&sets[..], &[more]].concat());
    let loaded = with("beside.Orders.starts=0 s");
    let prediction = bakcast_scenarios::predict::predict(&loaded.resolved, &OPTIONS).unwrap();
    let next = next_to_try(&loaded, &prediction).unwrap();
    assert_eq!(next.path, "beside.Orders.starts");
    let tried = with(&format!("{}={}", next.path, next.value));
    let later = bakcast_scenarios::predict::predict(&tried.resolved, &OPTIONS).unwrap();
    assert!(!later.backup.beside[0].meets());
    assert!(later.backup.seconds.median < 0.95 * prediction.backup.seconds.median);
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
fn the_curve_of_the_verification_passes_through_its_prediction() {
    let sets = ["volume.data.size=1 GiB", "verify.buffer_count=4", "backup.buffer_count=50"];
    let explanation = explained("nvme-knob-matrix:6", &sets);
    let verify = explanation.verify.unwrap();
    let point = verify.knee.points.iter().find(|p| p.buffer_count == 4).unwrap();
    let predicted = &explanation.prediction.verify.unwrap().elapsed_seconds;
    let mean = predicted.iter().sum::<f64>() / predicted.len() as f64;
    // The point at the scenario's own number is the prediction itself, but for the files' sizes.
    assert!((point.seconds / mean - 1.0).abs() < 0.02, "{} and {mean}", point.seconds);
}

#[test]
fn one_connection_is_bounded_by_its_own_ceiling() {
    let sets = [
        "device.lan.link.per_connection=50 MB/s",
        "device.lan.link.rate=1000 MB/s",
        "volume.data.size=1 GiB",
        "backup.compression=false",
    ];
    let explanation = explained("san-to-share-10gbe:one-file", &sets);
    let seconds = explanation.prediction.backup.seconds.median;
    let bounds = &explanation.backup.bounds;
    let alone = (1u64 << 30) as f64 / 50e6;
    assert_eq!(bounds.busiest, "lan");
    assert!(bounds.elapsed_seconds > 0.98 * alone && bounds.elapsed_seconds <= 1.02 * seconds);
    assert!(explanation.backup.theory.unwrap().seconds > 0.98 * alone);
}

#[test]
fn a_scenario_that_costs_nothing_has_no_bounds_and_no_theory_but_an_explanation() {
    let sets = [
        "device.array.fixed_rate.rate=1000000 GB/s",
        "device.share.fixed_rate.rate=1000000 GB/s",
        "device.lan.link.rate=1000000 GB/s",
        "device.lan.link.per_connection=default",
        "device.lan.link.round_trip=0 s",
        "backup.compression=false",
        "engine.start=0 s",
        "engine.finish=0 s",
        "volume.data.size=1 B",
    ];
    let explanation = explained("san-to-share-10gbe:one-file", &sets);
    let operations = [Some(explanation.backup), explanation.verify];
    for why in operations.into_iter().flatten() {
        let bounds = &why.bounds;
        let rates = [bounds.station_bytes_per_second, bounds.buffers_bytes_per_second];
        assert!(rates.into_iter().flatten().all(f64::is_finite), "{bounds:?}");
        assert!(bounds.elapsed_seconds.is_finite() && bounds.buffers_needed.is_finite());
        let theory = why.theory;
        assert!(theory.is_none_or(|t| t.seconds.is_finite() && t.bytes_per_second.is_finite()));
    }
    for stage in explanation.prediction.backup.bottleneck.unwrap().stages {
        assert!(stage.gain_seconds.is_finite(), "{stage:?}");
    }
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
