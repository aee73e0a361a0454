//! Every shipped scenario and variant, in every format: what is promised of each.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use bakcast_report::document::{ExplainResult, PredictResult};
use bakcast_report::{Document, Format, Paint, Report, Run, Warning, render};
use bakcast_scenarios::predict::{PredictOptions, Prediction, predict};
use bakcast_scenarios::{Loaded, Scenario, Set, shipped};
use bakcast_whatif::explain;
use serde_json::Value;

const OPTIONS: PredictOptions =
    PredictOptions { seed: 1, replications: 3, ..PredictOptions::DEFAULT };
const COLUMNS: usize = 80;
const LINES: usize = 24;

/// What makes its databases small; other jobs begin early enough to meet it then.
fn small(loaded: &Loaded) -> Vec<Set> {
    let size = |path: String| Set::new(path, "1 GiB");
    let own = loaded.scenario.volume.keys().map(|name| size(format!("volume.{name}.size")));
    let others = loaded.scenario.beside.iter().flat_map(|(job, other)| {
        let sizes = other.volume.keys().map(move |name| format!("beside.{job}.volume.{name}.size"));
        sizes.map(size).chain([Set::new(format!("beside.{job}.starts"), "500 ms")])
    });
    let jobs = loaded.scenario.job.keys().map(|job| size(format!("job.{job}.size")));
    own.chain(others).chain(jobs).collect()
}

/// Every variant, large databases made small: this is about how it looks.
fn all() -> Vec<Loaded> {
    let mut all = Vec::new();
    for scenario in shipped() {
        let plain = Scenario::load(scenario.name, None, &[]).unwrap();
        let mut names: Vec<Option<&str>> = vec![None];
        names.extend(plain.variants.iter().map(|variant| Some(variant.name.as_str())));
        for variant in names {
            let large = Scenario::load(scenario.name, variant, &[]).unwrap();
            all.push(Scenario::load(scenario.name, variant, &small(&large)).unwrap());
        }
    }
    all
}

fn predicted(loaded: &Loaded) -> Document<PredictResult> {
    let prediction = predict(&loaded.resolved, &OPTIONS).unwrap();
    let result = PredictResult::new(loaded, &prediction, &OPTIONS);
    document("predict", loaded, &prediction, result)
}

fn explained(loaded: &Loaded) -> Document<ExplainResult> {
    let explanation = explain(&loaded.resolved, &OPTIONS).unwrap();
    let result = ExplainResult::new(loaded, &explanation, &OPTIONS);
    document("explain", loaded, &explanation.prediction, result)
}

fn document<R>(
    command: &'static str,
    loaded: &Loaded,
    prediction: &Prediction,
    result: R,
) -> Document<R> {
    let found = prediction.warnings(&loaded.resolved);
    let warnings = loaded.resolved.warnings.iter().chain(&found).map(Warning::from).collect();
    let inputs = loaded.resolved_inputs();
    Document::new(Run { command, version: "0.0.0", options: OPTIONS, inputs }, warnings, result)
}

fn shown<R: Report>(document: &Document<R>, format: Format) -> String {
    render(document, format, Paint::default()).unwrap()
}

fn fits_a_screen(text: &str) {
    let long = text.lines().find(|line| line.chars().count() > COLUMNS);
    assert_eq!(long, None, "\n{text}");
    assert!(text.lines().count() <= LINES, "{} lines:\n{text}", text.lines().count());
    assert!(text.lines().all(|line| line == line.trim_end()), "\n{text}");
}

#[test]
fn predictions_fit_a_screen_and_say_the_answer_first() {
    for loaded in all() {
        let text = shown(&predicted(&loaded), Format::Text);
        fits_a_screen(&text);
        let backup = text.lines().position(|line| line.starts_with("backup ")).unwrap();
        assert!(backup <= 2, "\n{text}");
        for word in ["MiB/s", "MB/s", "Bottleneck", "Buffers", "seed 1", "bakcast explain"] {
            assert!(text.contains(word), "no {word} in\n{text}");
        }
    }
}

#[test]
fn explanations_fit_a_screen() {
    for loaded in all() {
        fits_a_screen(&shown(&explained(&loaded), Format::Text));
    }
}

#[test]
fn long_durations_fit_as_well() {
    let sets = ["volume.data.size=40 GiB", "device.array.fixed_rate.rate=1 MB/s"];
    let sets: Vec<Set> = sets.iter().map(|set| Set::parse(set).unwrap()).collect();
    let loaded = Scenario::load("san-to-share-10gbe", None, &sets).unwrap();
    let text = shown(&predicted(&loaded), Format::Text);
    fits_a_screen(&text);
    assert!(text.contains(" h "), "\n{text}");
}

#[test]
fn predictions_carry_every_key_of_the_contract() {
    for loaded in all() {
        let json: Value = serde_json::from_str(&shown(&predicted(&loaded), Format::Json)).unwrap();
        for key in
            ["schema_version", "tool", "command", "seed", "replications", "inputs", "warnings"]
        {
            assert!(json.get(key).is_some(), "no {key}");
        }
        let result = &json["result"];
        let keys = [
            "backup",
            "total",
            "read_bytes",
            "written_bytes",
            "read_bytes_per_second",
            "written_bytes_per_second",
            "buffer_memory_bytes",
            "buffer_count",
            "max_transfer_size_bytes",
            "processor_cores_mean",
            "bottleneck",
            "next_bottleneck",
            "stations",
            "stages",
            "waits",
            "events",
            "extrapolated_bytes",
            "statement",
        ];
        for key in keys {
            assert!(result.get(key).is_some(), "no {key} of {}", loaded.name);
        }
        assert_eq!(result.get("verify").is_some(), loaded.resolved.verification.is_some());
        for key in ["seconds", "low_seconds", "high_seconds"] {
            assert!(result["backup"][key].is_f64() && result["total"][key].is_f64());
        }
        for key in ["name", "utilization", "working", "starved", "blocked"] {
            assert!(result["stations"][0].get(key).is_some(), "no {key}");
        }
        for key in ["side", "state", "seconds"] {
            assert!(result["waits"][0].get(key).is_some(), "no {key}");
        }
    }
}

#[test]
fn keys_come_in_the_order_of_the_contract() {
    let loaded = Scenario::load("nvme-knob-matrix", Some("2"), &[]).unwrap();
    let text = shown(&predicted(&loaded), Format::Json);
    let at = |key: &str| text.find(&format!("\n  \"{key}\"")).unwrap();
    let keys = ["schema_version", "tool", "command", "seed", "inputs", "warnings", "result"];
    assert!(keys.windows(2).all(|pair| at(pair[0]) < at(pair[1])));
}

#[test]
fn tables_are_rectangular() {
    for loaded in all() {
        for csv in
            [shown(&predicted(&loaded), Format::Csv), shown(&explained(&loaded), Format::Csv)]
        {
            let mut reader = csv::Reader::from_reader(csv.as_bytes());
            assert!(reader.headers().unwrap().len() > 10);
            assert!(reader.records().all(|record| record.is_ok()));
        }
        let markdown = shown(&predicted(&loaded), Format::Markdown);
        let bars = |line: &&str| line.starts_with('|').then(|| line.matches('|').count());
        let counts: Vec<_> = markdown.lines().filter_map(|line| bars(&line)).collect();
        assert!(counts.len() >= 3 && counts.iter().all(|count| *count == counts[0]));
    }
}

#[test]
fn as_many_threads_wait_as_there_are_files_and_volumes() {
    for loaded in all() {
        let text = shown(&predicted(&loaded), Format::Text);
        let backup = &loaded.resolved.backup;
        for (side, threads) in [("source", backup.volumes.len()), ("target", backup.stripes.len())]
        {
            let Some((_, count)) = text.split_once(&format!("{side} x ")) else { continue };
            assert_eq!(count.split(':').next().unwrap(), threads.to_string(), "\n{text}");
        }
    }
}

/// The backup with so many others beside it, with long names and durations.
fn with_jobs(count: usize) -> Loaded {
    let mut sets = vec![Set::new("beside.Orders.volume.data.size", "20 GiB")];
    sets.push(Set::new("volume.data.size", "20 GiB"));
    sets.push(Set::new("beside.Orders.starts", "4 s"));
    for index in 1..count {
        let job = format!("beside.a-name-that-is-long-enough-{index}");
        sets.push(Set::new(format!("{job}.volume.data.device"), "n2"));
        sets.push(Set::new(format!("{job}.volume.data.size"), "8 GiB"));
        sets.push(Set::new(format!("{job}.backup.stripes"), "share"));
        sets.push(Set::new(format!("{job}.starts"), "9 s"));
    }
    Scenario::load("two-backups-one-share", None, &sets).unwrap()
}

#[test]
fn other_jobs_are_told_of_in_every_format() {
    for count in [1, 2, 3, 4, 9] {
        let loaded = with_jobs(count);
        let document = predicted(&loaded);
        let text = shown(&document, Format::Text);
        fits_a_screen(&text);
        assert!(text.contains("Beside") && text.contains("all jobs"), "\n{text}");
        assert!(text.contains("the verification"), "\n{text}");
        let result = &serde_json::to_value(&document).unwrap()["result"];
        let jobs = result["beside"].as_array().unwrap();
        assert_eq!(jobs.len(), count);
        for key in ["name", "starts_seconds", "seconds", "low_seconds", "high_seconds"] {
            assert!(jobs.iter().all(|job| job.get(key).is_some()), "no {key}");
        }
        for key in ["read_bytes", "written_bytes", "end_seconds", "overlap_fraction", "statement"] {
            assert!(jobs.iter().all(|job| job.get(key).is_some()), "no {key}");
        }
        assert_eq!(result["verify"]["without_other_jobs"], true);
        let memory = |of: &Value| of["buffer_memory_bytes"].as_u64().unwrap();
        let all = memory(result) + jobs.iter().map(memory).sum::<u64>();
        assert_eq!(result["all_jobs_buffer_memory_bytes"].as_u64(), Some(all));
        let csv = shown(&document, Format::Csv);
        assert_eq!(csv.lines().filter(|line| line.contains(",beside.")).count(), count);
        let markdown = shown(&document, Format::Markdown);
        assert_eq!(markdown.matches("\n| beside ").count(), count, "{markdown}");
        fits_a_screen(&shown(&explained(&loaded), Format::Text));
    }
}

#[test]
fn a_restore_is_told_of_in_every_format_if_it_is_asked_for() {
    let restored = |name: &str, variant| {
        let sets = [Set::new("restore.enabled", "true"), Set::new("restore.zeroed", "64 MiB")];
        predicted(&Scenario::load(name, variant, &sets).unwrap())
    };
    for document in [
        restored("usb3-laptop", Some("2.4")),
        restored("san-to-share-10gbe", None),
        restored("two-backups-one-share", None),
        restored("four-volumes-nvme", Some("eight-files")),
    ] {
        let text = shown(&document, Format::Text);
        fits_a_screen(&text);
        assert_eq!(text.matches("\nrestore ").count(), 1, "\n{text}");
        assert!(text.contains("\nRestore "), "\n{text}");
        let result = &serde_json::to_value(&document).unwrap()["result"];
        for (key, _) in result["verify"].as_object().unwrap() {
            assert!(result["restore"].get(key).is_some(), "no {key}");
        }
        assert_eq!(result["restore"]["written_bytes"], result["read_bytes"]);
        assert_eq!(result["restore"]["read_bytes"], result["written_bytes"]);
        assert_eq!(result["restore"]["zeroed_bytes"], 64 << 20);
        let zeroing = |wait: &Value| wait["wait_type"] == "PREEMPTIVE_OS_WRITEFILEGATHER";
        assert!(result["restore"]["waits"].as_array().unwrap().iter().any(zeroing));
        let statement = result["restore_statement"].as_str().unwrap();
        assert!(statement.starts_with("RESTORE DATABASE"), "{statement}");
        assert!(shown(&document, Format::Csv).contains(",restore,"));
        assert!(shown(&document, Format::Markdown).contains("\n| restore "));
    }
    let plain = predicted(&Scenario::load("usb3-laptop", Some("2.4"), &[]).unwrap());
    for format in [Format::Text, Format::Csv, Format::Markdown] {
        assert!(!shown(&plain, format).to_lowercase().contains("restore"));
    }
}

#[test]
fn colour_changes_no_word() {
    let loaded = Scenario::load("nvme-knob-matrix", Some("2"), &[]).unwrap();
    let document = predicted(&loaded);
    let coloured =
        render(&document, Format::Text, Paint { colour: true, ..Paint::default() }).unwrap();
    let mut plain = String::new();
    let mut inside = false;
    for c in coloured.chars() {
        match (inside, c) {
            (false, '\u{1b}') => inside = true,
            (true, 'm') => inside = false,
            (true, _) => {}
            (false, c) => plain.push(c),
        }
    }
    assert_ne!(coloured, plain);
    assert_eq!(plain, shown(&document, Format::Text));
}

/// The scenario with so many parameter sets.
fn uncertain(loaded: &Loaded, members: usize) -> Loaded {
    let name = loaded.name.split(':').next().unwrap();
    let variant = loaded.name.split_once(':').map(|(_, variant)| variant);
    let values = vec!["1"; members].join(",");
    let parameter = "{paths=[\"engine.start\"],unit=\"s\",values=";
    let mut sets = small(loaded);
    sets.push(Set::new("ensemble", "default"));
    sets.push(Set::new("ensemble.source", "fitted to 9 runs"));
    sets.push(Set::new("ensemble.parameter.start", format!("{parameter}[{values}]}}")));
    Scenario::load(name, variant, &sets).unwrap()
}

#[test]
fn what_the_fit_leaves_open_is_said_in_every_format() {
    for loaded in all() {
        let loaded = uncertain(&loaded, 1024);
        let (predicted, explained) = (predicted(&loaded), explained(&loaded));
        let texts = [shown(&predicted, Format::Text), shown(&explained, Format::Text)];
        let pages = [shown(&predicted, Format::Markdown), shown(&explained, Format::Markdown)];
        let tables = [shown(&predicted, Format::Csv), shown(&explained, Format::Csv)];
        let values = [shown(&predicted, Format::Json), shown(&explained, Format::Json)];
        texts.iter().for_each(|text| fits_a_screen(text));
        for text in texts.iter().chain(&pages) {
            assert!(text.contains("1024 parameter sets"), "\n{text}");
        }
        assert!(pages.iter().all(|page| page.contains("(fitted to 9 runs)")));
        for table in tables {
            let mut lines = table.lines();
            assert!(lines.next().unwrap().ends_with(",parameter_sets"), "\n{table}");
            assert!(lines.all(|line| line.ends_with(",1024")), "\n{table}");
        }
        for value in values {
            let value: Value = serde_json::from_str(&value).unwrap();
            let uncertainty = &value["result"]["uncertainty"];
            assert_eq!(uncertainty["members"], 1024);
            assert_eq!(uncertainty["source"], "fitted to 9 runs");
            let parameter = &uncertainty["parameters"][0];
            assert_eq!(parameter["name"], "start");
            assert_eq!(parameter["paths"], serde_json::json!(["engine.start"]));
        }
    }
    let plain = predicted(&Scenario::load("disk-to-usb-disk", None, &[]).unwrap());
    assert!(!shown(&plain, Format::Json).contains("\"uncertainty\""));
}
