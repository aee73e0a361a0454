//! Settings that are recommended, held against all there are.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use bakcast_scenarios::predict::{Asked, PredictOptions};
use bakcast_scenarios::{Document, Reference, Set};
use bakcast_whatif::{
    Advice, Lattice, Limit, Measure, Operation, Recommendation, Settings, Subject, Wanted,
    memory_of, recommend, usual_devices,
};

fn go_on(_: u64, _: u64) -> bool {
    true
}

fn sets(all: &[&str]) -> Vec<Set> {
    all.iter().map(|set| Set::parse(set).unwrap()).collect()
}

/// Four nights: the search then runs all of them.
fn few() -> PredictOptions {
    PredictOptions { replications: 4, ..PredictOptions::default() }
}

fn with<T>(name: &str, assignments: &[&str], work: impl FnOnce(&Subject<'_>) -> T) -> T {
    let reference = Reference::parse(name);
    let document = Document::open(&reference.origin).unwrap();
    let sets = sets(assignments);
    let variant = reference.variant.as_deref();
    work(&Subject { document: &document, variant, sets: &sets, options: few() })
}

fn memory(bytes: u64) -> Limit {
    let text = format!("memory<={bytes}");
    Limit { text, measure: Measure::Memory, most: bytes as f64, strictly: false }
}

fn wanted(operation: Operation, most_files: usize, bytes: u64) -> Wanted {
    let limits = vec![memory(bytes)];
    Wanted { limits, most_files, ..Wanted::shortest(operation) }
}

fn found(subject: &Subject<'_>, wanted: &Wanted) -> Recommendation {
    recommend(subject, wanted, &go_on).unwrap()
}

/// The logarithm of the typical ratio to the scenario as it is of the best there is.
fn best_of_all(subject: &Subject<'_>, wanted: &Wanted) -> f64 {
    let runner = subject.runner(subject.options, Asked::Durations);
    let base = runner.load(&bakcast_whatif::Configuration::default()).unwrap();
    let devices = usual_devices(&base.scenario);
    let lattice = Lattice::around(&base.scenario, &devices, wanted.most_files);
    let present = Settings::of(&base.scenario);
    let mut all = vec![bakcast_whatif::Configuration::default()];
    all.extend(lattice.all().iter().map(|settings| settings.configuration(&present)));
    let outcomes = runner.run(&all, &go_on).unwrap();
    let base = outcomes[0].clone().unwrap();
    let fits = |ran: &&std::sync::Arc<bakcast_whatif::Ran>| {
        wanted.limits.iter().all(|limit| limit.is_kept(ran))
    };
    let ratios = outcomes.iter().flatten().filter(fits).filter_map(|ran| {
        let paired = ran.against(&base, wanted.operation, 0.9)?;
        Some(libm::log(paired.ratio))
    });
    ratios.fold(f64::INFINITY, f64::min)
}

fn ratio(found: &Recommendation) -> f64 {
    found.subject().paired.unwrap().ratio
}

#[test]
fn the_choice_is_within_two_per_cent_of_the_best_there_is() {
    let cases: [(&str, &[&str], Operation, usize); 6] = [
        ("nvme-knob-matrix:1", &["volume.data.size=1GiB"], Operation::Backup, 4),
        ("nvme-knob-matrix:2", &["volume.data.size=1GiB"], Operation::Total, 4),
        ("usb3-laptop:2.1", &["volume.data.size=1GiB"], Operation::Backup, 8),
        ("usb3-laptop:1.1", &["volume.data.size=1GiB"], Operation::Total, 4),
        ("share-files:1", &["volume.data.size=1GB"], Operation::Backup, 8),
        (
            "multifile-nvme-2020",
            &[
                "volume.e.size=1GiB",
                "volume.f.size=1GiB",
                "volume.g.size=1GiB",
                "volume.h.size=1GiB",
            ],
            Operation::Backup,
            4,
        ),
    ];
    for (name, assignments, operation, files) in cases {
        with(name, assignments, |subject| {
            let wanted = wanted(operation, files, 256 << 20);
            let found = found(subject, &wanted);
            let best = best_of_all(subject, &wanted);
            let lost = libm::log(ratio(&found)) - best;
            assert!(lost <= libm::log1p(0.02) + 1e-9, "{name}: {lost} above the best");
            assert!(memory_of(&found.subject().ran) <= 256 << 20, "{name}");
        });
    }
}

#[test]
fn less_memory_never_makes_it_faster() {
    with("nvme-knob-matrix:1", &["volume.data.size=1GiB"], |subject| {
        let mut before = f64::INFINITY;
        for mebibytes in [8_u64, 24, 64, 128, 256, 512, 1024] {
            let found = found(subject, &wanted(Operation::Backup, 2, mebibytes << 20));
            let best = found.best.as_ref().unwrap().paired.unwrap().ratio;
            let now = ratio(&found);
            assert!(now <= before * (1.0 + 1e-12), "{mebibytes} MiB: {now} after {before}");
            assert!(now <= best * 1.02 + 1e-12, "{mebibytes} MiB: {now} beside {best}");
            before = now;
        }
    });
}

#[test]
fn the_ladder_leads_from_the_present_settings_to_the_choice() {
    with("nvme-knob-matrix:1", &["volume.data.size=1GiB"], |subject| {
        let found = found(subject, &wanted(Operation::Backup, 2, 256 << 20));
        let last = found.ladder.last().unwrap();
        assert_eq!(last.settings, found.subject().settings);
        let product: f64 = found.ladder.iter().map(|rung| rung.paired.unwrap().ratio).product();
        assert!((product / ratio(&found) - 1.0).abs() < 1e-9);
        assert!(found.beyond.is_some());
    });
}

#[test]
fn impossible_limits_are_refused_with_the_nearest_miss_and_what_binds() {
    with("nvme-knob-matrix:1", &["volume.data.size=1GiB"], |subject| {
        let limits = vec![memory(1 << 20)];
        let wanted = Wanted { limits, ..Wanted::shortest(Operation::Backup) };
        let found = found(subject, &wanted);
        assert!(matches!(found.advice, Advice::Nothing(_)));
        let nearest = memory_of(&found.subject().ran);
        assert!(nearest > 1 << 20 && nearest <= 7 << 20, "{nearest}");
        assert!(found.without.is_none());
    });
    with("nvme-knob-matrix:1", &["volume.data.size=1GiB"], |subject| {
        let most = 2.0;
        let measure = Measure::Seconds(Operation::Backup);
        let window = Limit { text: "backup<=2s".into(), measure, most, strictly: false };
        let limits = vec![window.clone(), memory(8 << 20)];
        let tight = Wanted { limits, ..Wanted::shortest(Operation::Backup) };
        let found = found(subject, &tight);
        let Advice::Nothing(nearest) = &found.advice else { panic!("it cannot be kept") };
        assert!(!window.is_kept(&nearest.ran));
        let (limit, tried) = found.without.as_ref().unwrap();
        assert_eq!(limit.measure, Measure::Memory);
        assert!(window.is_kept(&tried.ran));
    });
}

#[test]
fn processors_that_are_left_to_users_rule_out_what_takes_them() {
    with("nvme-knob-matrix:1", &["volume.data.size=1GiB"], |subject| {
        let text = "cpu<=10%".to_string();
        let cpu = Limit { text, measure: Measure::Processors, most: 0.1, strictly: false };
        let limits = vec![cpu.clone()];
        let found = found(subject, &Wanted { limits, ..Wanted::shortest(Operation::Backup) });
        assert!(!found.subject().settings.compression);
        assert!(cpu.is_kept(&found.subject().ran));
    });
}

#[test]
fn devices_that_are_not_allowed_are_not_used() {
    with("usb3-laptop:2.1", &["volume.data.size=1GiB"], |subject| {
        let devices = Some(vec!["d1".to_string(), "d3".to_string()]);
        let found = found(subject, &Wanted { devices, ..Wanted::shortest(Operation::Backup) });
        let settings = &found.subject().settings;
        assert!(settings.stripes.iter().all(|name| name == "d1" || name == "d3"));
        assert!(!found.is_present());
    });
}

/// A server with three unlike disks beside that of its data, all at random.
fn random_scenario(seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678;
    let mut between = |low: f64, high: f64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let share = (state >> 11) as f64 / (1_u64 << 53) as f64;
        low * libm::pow(high / low, share)
    };
    let mut text = format!(
        "title = \"random {seed}\"\n[volume.data]\ndevice = \"source\"\nsize = \"1 GiB\"\n\
         [device.source.solid_state]\nread_rate = \"{:.0} MB/s\"\nwrite_rate = \"300 MB/s\"\n\
         latency = \"{:.0} us\"\n[processor]\nlogical_processors = {:.0}\n[compression]\n\
         ratio = {:.2}\nrate = \"{:.0} MB/s\"\n[backup]\nstripes = [\"t0\"]\n",
        between(100.0, 3000.0),
        between(20.0, 900.0),
        between(1.0, 16.0),
        between(1.2, 6.0),
        between(40.0, 300.0),
    );
    for target in 0..3 {
        let (rate, latency) = (between(50.0, 2000.0), between(20.0, 2000.0));
        text += &format!(
            "[device.t{target}.solid_state]\nread_rate = \"{rate:.0} MB/s\"\n\
             write_rate = \"{rate:.0} MB/s\"\nlatency = \"{latency:.0} us\"\n"
        );
    }
    text
}

#[test]
fn of_random_servers_the_best_that_is_found_is_within_one_per_cent_of_the_best_there_is() {
    for seed in 0..8 {
        let text = random_scenario(seed);
        let document = Document::from_bytes("random", text.into_bytes()).unwrap();
        let options = PredictOptions { replications: 2, ..few() };
        let subject = Subject { document: &document, variant: None, sets: &[], options };
        let operation = if seed % 2 == 0 { Operation::Backup } else { Operation::Total };
        let wanted = wanted(operation, 4, 512 << 20);
        let found = found(&subject, &wanted);
        let best = found.best.as_ref().unwrap().paired.unwrap().ratio;
        let lost = libm::log(best) - best_of_all(&subject, &wanted);
        assert!(lost <= libm::log1p(0.01), "{seed}: {lost} above the best");
        assert!(found.evaluated < found.candidates / 2, "{seed}: {}", found.evaluated);
    }
}
