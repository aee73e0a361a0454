//! Devices and algorithms from the library: what stands where a scenario writes nothing.

use super::{SMALL, kinds, load, load_with, only, problem, problems, problems_of, small_with};
use crate::predict::{PredictOptions, predict};
use crate::{
    Base, Document, LibraryEntry, LibraryKind, Loaded, Problem, ProblemKind, Set, library,
    library_entry, prior_for,
};

const SPINDLE: &str =
    "[device.target.spindle]\nread_rate = \"120 MB/s\"\nwrite_rate = \"110 MB/s\"\n";

/// The small scenario with its target from the library, and more of that device.
fn like(name: &str, more: &str) -> String {
    small_with(SPINDLE, &format!("[device.target]\nlike = \"{name}\"\n{more}"))
}

fn of(kind: LibraryKind) -> impl Iterator<Item = &'static LibraryEntry> {
    library().iter().filter(move |entry| entry.kind == kind)
}

fn small_run(entry: &LibraryEntry) -> Loaded {
    // A way is no target; the NUL device and drives are.
    let text = match entry.law {
        Some("link") => {
            small_with(SPINDLE, &format!("{SPINDLE}[device.way]\nlike = \"{}\"\n", entry.name))
                .replace(
                    "[device.target.spindle]",
                    "[device.target]\nvia = [\"way\"]\n[device.target.spindle]",
                )
        }
        _ => like(&entry.name, ""),
    };
    load_with(&text, None, &["volume.data.size=64 MiB"]).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_entry_is_a_device_of_a_scenario_that_can_be_predicted() {
    assert!(of(LibraryKind::Device).count() > 20);
    for entry in of(LibraryKind::Device) {
        let loaded = small_run(entry);
        let options = PredictOptions { replications: 2, ..PredictOptions::default() };
        let prediction = predict(&loaded.resolved, &options).unwrap();
        assert!(prediction.backup.seconds.median > 0.0, "{}", entry.name);
    }
    for entry in of(LibraryKind::Algorithm) {
        let text = small_with("ratio = 3.5", &format!("ratio = 3.5\nlike = \"{}\"", entry.name));
        let text = text.replace("stripes =", "compression = true\nstripes =");
        let loaded = load(&text).unwrap();
        let rate = loaded.resolved.backup.compression.unwrap().rate;
        assert_eq!(rate.to_string(), entry.values[0].value);
    }
}

#[test]
fn every_number_of_the_library_has_a_source_and_says_how_sure_it_is() {
    for entry in library() {
        assert!(!entry.title.is_empty() && entry.source.contains("http"), "{}", entry.name);
        assert_eq!(entry.law.is_some(), entry.kind == LibraryKind::Device, "{}", entry.name);
        assert_eq!(entry.values.is_empty(), entry.law == Some("null"), "{}", entry.name);
        for value in &entry.values {
            let what = format!("{} {}", entry.name, value.key);
            assert!(value.factor > 1.0 && value.factor <= 3.0, "{what}");
            assert!(value.reason.len() > 10, "{what}");
            let unlinked = value.source.contains("no link is known");
            assert!(
                value.source.contains("https://") || value.source.contains("http://") || unlinked
            );
        }
        let names = library().iter().filter(|other| other.name == entry.name);
        assert_eq!(names.count(), 1, "{}", entry.name);
    }
}

#[test]
fn the_algorithm_that_is_the_default_has_the_rates_that_are_the_default() {
    let without = load(SMALL).unwrap().scenario.compression.unwrap();
    let text = small_with("ratio = 3.5", "ratio = 3.5\nlike = \"MS_XPRESS\"");
    let with = load(&text).unwrap().scenario.compression.unwrap();
    assert_eq!((with.rate, with.decompression_rate), (without.rate, without.decompression_rate));
}

#[test]
fn values_of_the_scenario_win_one_by_one() {
    let plain = load(&like("azure-p20", "")).unwrap();
    let capped = plain.scenario.device["target"].capped.clone().unwrap();
    assert_eq!(capped.rate.to_string(), "150 MB/s");
    assert_eq!(capped.operations.unwrap().per_second, 2300);
    let more = "run_to_run = \"1 %\"\n[device.target.capped]\nburst = { rate = \"180 MB/s\" }\n";
    let own = load(&like("azure-p20", more)).unwrap();
    let device = &own.scenario.device["target"];
    let capped = device.capped.clone().unwrap();
    let burst = capped.burst.unwrap();
    assert_eq!(device.run_to_run.to_string(), "1 %");
    assert_eq!(burst.rate.to_string(), "180 MB/s");
    assert_eq!(burst.credit.get(), 36_000_000_000);
    assert_eq!(capped.rate.to_string(), "150 MB/s");
}

#[test]
fn the_values_that_resulted_are_shown_and_read_back() {
    let loaded = load(&like("usb3-hdd-5400", "")).unwrap();
    let inputs = loaded.resolved_inputs();
    let target = &inputs["device"]["target"];
    assert_eq!(target["like"], "usb3-hdd-5400");
    assert_eq!(target["spindle"]["read_rate_bytes_per_second"], 101e6);
    let again = load(&loaded.to_toml()).unwrap();
    assert_eq!((again.scenario, again.resolved), (loaded.scenario, loaded.resolved));
}

#[test]
fn it_is_set_by_assignments_and_variants_and_taken_away() {
    let rate = |loaded: &Loaded| {
        loaded.scenario.device["target"]
            .solid_state
            .as_ref()
            .map(|drive| drive.write_rate.to_string())
    };
    let text = like("usb3-hdd-5400", "");
    let set = load_with(&text, None, &["device.target.like=sata-ssd"]).unwrap();
    assert_eq!(rate(&set).as_deref(), Some("520 MB/s"));
    let own = ["device.target.like=sata-ssd", "device.target.solid_state.write_rate=1 GB/s"];
    assert_eq!(rate(&load_with(&text, None, &own).unwrap()).as_deref(), Some("1000 MB/s"));
    let variant = "[variant.a]\nset = { \"device.target.like\" = \"msata-ssd\" }\n";
    let varied = load_with(&format!("{text}{variant}"), Some("a"), &[]).unwrap();
    assert_eq!(rate(&varied).as_deref(), Some("380 MB/s"));
    let other = ["device.target.spindle=default", "device.target.like=sata-ssd"];
    assert_eq!(rate(&load_with(SMALL, None, &other).unwrap()).as_deref(), Some("520 MB/s"));
    let found = only(problems_of(load_with(&text, None, &["device.target.like=default"])));
    assert_eq!(found.kind, ProblemKind::NoLaw);
    let named = load_with(SMALL, None, &["compression.like=ZSTD-LOW"]).unwrap();
    assert_eq!(named.scenario.compression.unwrap().rate.to_string(), "310 MB/s");
}

#[test]
fn a_base_fills_in_anew_with_every_set_of_values() {
    let variant = "[variant.a]\nset = { \"device.target.like\" = \"msata-ssd\" }\n";
    let text = format!("{}{variant}", like("usb3-hdd-5400", ""));
    let document = Document::from_bytes("test.toml", text.into_bytes()).unwrap();
    for variant in [None, Some("a")] {
        let base: Base<'_> = document.base(variant).unwrap();
        for sets in [
            vec![],
            vec!["device.target.like=sata-ssd"],
            vec!["device.target.like=azure-p20", "device.target.capped.rate=90 MB/s"],
            vec!["device.target.like=nothing"],
            vec!["device.target.link.rate=1 GB/s"],
        ] {
            let sets: Vec<_> = sets.iter().map(|set| Set::parse(set).unwrap()).collect();
            let (ours, theirs) = (base.with(&sets), document.load(variant, &sets));
            assert_eq!(ours.map_err(|e| e.to_string()), theirs.map_err(|e| e.to_string()));
        }
    }
}

#[test]
fn a_law_of_its_own_must_be_that_of_the_entry() {
    let own = "[device.target.solid_state]\nread_rate = \"1 GB/s\"\nwrite_rate = \"1 GB/s\"\n";
    let found = problem(&like("usb3-hdd-5400", own));
    assert_eq!((found.kind, found.line), (ProblemKind::OtherLaw, Some(11)));
    assert_eq!(found.path, "device.target.like");
    assert!(found.message.contains("is a `solid_state`, but `usb3-hdd-5400`"), "{found}");
    assert!(found.accepted.contains("`sata-ssd`"), "{found}");
    let found = only(problems_of(load_with(SMALL, None, &["device.target.like=sata-ssd"])));
    assert_eq!(found.kind, ProblemKind::OtherLaw);
    assert!(found.accepted.contains("device.target.spindle"), "{found}");
}

#[test]
fn a_name_that_is_not_there_is_refused_with_the_list() {
    let refused = |found: Problem, meant: &str| {
        assert_eq!(found.kind, ProblemKind::NotAccepted);
        assert!(found.accepted.contains("\"nvme-enterprise\"") || meant.contains("XPRESS"));
        assert_eq!(found.suggestion.unwrap(), format!("`\"{meant}\"`"));
    };
    refused(problem(&like("usb3-hd-5400", "")), "usb3-hdd-5400");
    let text = small_with("ratio = 3.5", "ratio = 3.5\nlike = \"ms_xpres\"");
    refused(problem(&text), "MS_XPRESS");
    let set = "device.target.like=SATA-SDD";
    refused(only(problems_of(load_with(&like("sata-ssd", ""), None, &[set]))), "sata-ssd");
    // What a compression is like says nothing of the data.
    let found = problem(&small_with("ratio = 3.5", "like = \"MS_XPRESS\""));
    assert_eq!((found.kind, found.path.as_str()), (ProblemKind::MissingKey, "compression.ratio"));
    assert_eq!(kinds(&problems(&like("", ""))), [ProblemKind::NotAccepted]);
}

#[test]
fn a_problem_with_a_value_of_the_library_points_into_the_library() {
    // The burst of the entry is slower than the rate of the scenario.
    let own = "[device.target.capped]\nrate = \"500 MB/s\"\n";
    let found = problem(&like("azure-p20", own));
    assert_eq!(found.file, "library/devices.toml", "{found}");
    assert!(found.line.is_some_and(|line| line > 100), "{found}");
}

#[test]
fn what_is_shown_of_an_entry_is_the_entry() {
    for entry in library() {
        let shown = entry.to_toml();
        assert!(shown.lines().all(|line| line.chars().count() <= 400), "{shown}");
        // With `like` and without: every value is there.
        let bare: String = shown
            .lines()
            .filter(|line| !line.starts_with("like ="))
            .fold(String::new(), |text, line| text + line + "\n");
        for text in [&shown, &bare] {
            if entry.kind == LibraryKind::Algorithm {
                let text = text.replacen("[compression]\n", "[compression]\nratio = 3.5\n", 1);
                let loaded = load(&small_with("[compression]\nratio = 3.5\n", &text)).unwrap();
                let rate = loaded.scenario.compression.unwrap().rate;
                assert_eq!(rate.to_string(), entry.values[0].value);
                continue;
            }
            let loaded = load(&format!("{SMALL}\n{text}")).unwrap();
            let mut device = loaded.scenario.device[&entry.name].clone();
            let own = load(&format!("{SMALL}\n[device.x]\nlike = \"{}\"\n", entry.name)).unwrap();
            device.like = Some(entry.name.clone());
            assert_eq!(device, own.scenario.device["x"], "{shown}");
        }
    }
}

#[test]
fn values_of_an_entry_carry_their_units() {
    let json = library_entry(LibraryKind::Device, "azure-p20").unwrap().values_json();
    assert_eq!(json["capped"]["burst"]["credit_bytes"], 36_000_000_000_u64);
    assert_eq!(json["capped"]["rate_bytes_per_second"], 150e6);
    let json = library_entry(LibraryKind::Algorithm, "MS_XPRESS").unwrap().values_json();
    assert_eq!(json["rate_bytes_per_second"], 120e6);
}

#[test]
fn an_ensemble_sets_what_comes_from_the_library() {
    let ensemble = "[ensemble.parameter.write]\npaths = [\"device.target.spindle.write_rate\"]\n\
                    unit = \"MB/s\"\nvalues = [80, 100]\n\
                    [ensemble.parameter.ratio]\npaths = [\"compression.ratio\"]\nvalues = [3, 4]\n";
    let text = format!("{}{ensemble}", like("usb3-hdd-5400", ""));
    let loaded = load(&text).unwrap();
    assert_eq!(loaded.resolved.members.as_ref().unwrap().count(), 2);
    // Who says what it is like states what it is.
    let paths = |sets: &[&str]| {
        let ensemble = load_with(&text, None, sets).unwrap().scenario.ensemble.unwrap();
        ensemble.parameter.into_keys().collect::<Vec<_>>()
    };
    assert_eq!(paths(&[]), ["ratio", "write"]);
    assert_eq!(paths(&["device.target.like=sas-hdd-15k"]), ["ratio"]);
    assert_eq!(paths(&["compression.like=ZSTD-LOW"]), ["ratio", "write"]);
}

#[test]
fn another_job_has_an_algorithm_of_its_own() {
    let beside = "[beside.Orders]\n[beside.Orders.volume.o]\ndevice = \"source\"\n\
                  size = \"1 GiB\"\n\
                  [beside.Orders.backup]\nstripes = [\"target\"]\ncompression = true\n\
                  [beside.Orders.compression]\nratio = 2\nlike = \"QAT_DEFLATE\"\n";
    let loaded = load(&format!("{SMALL}{beside}")).unwrap();
    let other = loaded.scenario.beside["Orders"].compression.as_ref().unwrap();
    assert_eq!(other.rate.to_string(), "210 MB/s");
    let prior = prior_for(&loaded.scenario, "beside.Orders.compression.rate").unwrap();
    assert!((prior.factor - 2.0).abs() < 1e-12);
}

#[test]
fn a_prior_is_that_of_a_value_from_the_library_only() {
    let own = "[device.target.spindle]\nwrite_rate = \"120 MB/s\"\n";
    let loaded = load(&like("usb3-hdd-5400", own)).unwrap();
    let factor = |path: &str| prior_for(&loaded.scenario, path).map(|prior| prior.factor);
    assert_eq!(factor("device.target.spindle.read_rate"), Some(1.25));
    for path in [
        "device.target.spindle.write_rate",
        "device.target.spindle.variability",
        "device.source.fixed_rate.rate",
        "compression.rate",
        "engine.start",
        "device.none.spindle.read_rate",
    ] {
        assert_eq!(factor(path), None, "{path}");
    }
}
