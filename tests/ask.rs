//! Questions by name: the claims of the articles as answers, thresholds at which the answer really
//! is another, rates that a window really demands.

use bakcast_tests::{json, run, stdout};
use serde_json::Value;

fn result(arguments: &str) -> Value {
    json(arguments)["result"].clone()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("no `{key}` in {value}"))
}

fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().unwrap_or_else(|| panic!("no `{key}` in {value}"))
}

fn list<'a>(value: &'a Value, key: &str) -> &'a Vec<Value> {
    value[key].as_array().unwrap_or_else(|| panic!("no `{key}` in {value}"))
}

/// The entry of a list whose `key` is `word`.
fn with<'a>(value: &'a Value, of: &str, key: &str, word: &str) -> &'a Value {
    let found = list(value, of).iter().find(|entry| entry[key] == word);
    found.unwrap_or_else(|| panic!("no {key} `{word}` in {}", value[of]))
}

fn answer(arguments: &str) -> String {
    text(&result(arguments), "answer").to_string()
}

#[test]
fn the_document_has_the_keys_of_the_contract() {
    let document = json("ask compression usb3-laptop:2.1");
    assert_eq!(document["command"], "ask");
    let result = &document["result"];
    for key in ["answer", "why", "bottleneck_before", "bottleneck_after", "statement"] {
        assert!(!text(result, key).is_empty(), "{key}");
    }
    let gain = &result["gain"];
    let (low, high) = (number(gain, "ratio_low"), number(gain, "ratio_high"));
    assert!(low <= number(gain, "ratio") && number(gain, "ratio") <= high);
    assert!(!list(result, "would_change_if").is_empty());
    assert!(text(result, "statement").contains("COMPRESSION"));
    assert!(!text(&result["surer_with"], "run").is_empty());
}

#[test]
fn stripes_on_the_one_nvme_drive_do_not_help() {
    for row in ["2", "8"] {
        let told = result(&format!("ask striping nvme-knob-matrix:{row}"));
        assert_eq!(text(&told, "answer"), "no", "{}", told["headline"]);
        let four = with(&told, "alternatives", "label", "4 files on nvme");
        assert!(number(four, "ratio") > 1.0, "{four}");
        assert!(!text(&told, "statement").contains("_2.bak"), "{}", told["statement"]);
    }
}

#[test]
fn three_disks_help_what_is_not_compressed_and_only_the_verification_of_what_is() {
    let told = result("ask striping usb3-laptop:2.1");
    assert_eq!(text(&told, "answer"), "yes");
    let times = 1.0 / number(&told["gain"], "ratio");
    assert!((2.6..3.1).contains(&times), "{times}");
    assert_eq!(text(with(&told, "by_kind", "kind", "same-device"), "answer"), "no");
    assert_eq!(text(with(&told, "by_kind", "kind", "other-devices"), "answer"), "yes");
    assert_eq!(text(&told, "bottleneck_before"), "d2");

    let told = result("ask striping usb3-laptop:2.3");
    assert_eq!(text(&told, "answer"), "it-depends");
    assert!(text(&told, "depends_on").contains("no for the backup, yes for the verification"));
    assert_eq!(text(with(&told, "operations", "operation", "backup"), "answer"), "no");
    assert_eq!(text(with(&told, "operations", "operation", "verify"), "answer"), "yes");
    assert_eq!(answer("ask striping usb3-laptop:2.3 --operation backup"), "no");
}

#[test]
fn files_help_where_something_limits_each_of_them() {
    let told = result(
        "ask striping multifile-nvme-2020:1 --replications 8 --set volume.e.size=8GiB \
         --set volume.f.size=8GiB --set volume.g.size=8GiB --set volume.h.size=8GiB",
    );
    assert_eq!(text(&told, "answer"), "yes");
    let ratio = |label: &str| number(with(&told, "alternatives", "label", label), "ratio");
    assert!(ratio("4 files on n5") < ratio("2 files on n5"));
    assert!(ratio("2 files on n5") < 0.8 && ratio("8 files on n5") < 0.8);
    assert_eq!(text(with(&told, "by_kind", "kind", "same-device"), "answer"), "yes");

    let small = "--replications 8 --set volume.data.size=4GB";
    let told = result(&format!("ask striping share-files:1 {small}"));
    assert_eq!(text(&told, "answer"), "yes", "{}", told["headline"]);
    // What one connection gets is what more of them get around.
    let one = with(&told, "alternatives", "label", "2 files on share");
    assert!(number(one, "ratio") < 0.9, "{one}");
    let sets = "--set device.lan.link.per_connection=default";
    let without = result(&format!("ask striping share-files:1 {small} {sets}"));
    let other = with(&without, "alternatives", "label", "2 files on share");
    assert!(number(other, "ratio") > number(one, "ratio"), "{other}");
}

#[test]
fn compression_is_the_largest_gain_but_not_where_the_source_is_slow() {
    let told = result("ask compression nvme-knob-matrix:1");
    assert_eq!(text(&told, "answer"), "yes");
    let backup = with(&told, "operations", "operation", "backup");
    assert!(number(backup, "ratio") < 1.0 / 2.5, "{backup}");
    assert_eq!(answer("ask compression usb3-laptop:2.1"), "yes");
    let told = result("ask compression usb3-laptop:1.1");
    assert_eq!(text(with(&told, "operations", "operation", "backup"), "answer"), "no");
    assert_eq!(text(with(&told, "operations", "operation", "verify"), "answer"), "yes");
}

#[test]
fn more_buffers_help_up_to_a_knee_and_larger_transfers_beside_them() {
    let told = result("ask buffers nvme-knob-matrix:2");
    assert_eq!(text(&told, "answer"), "yes");
    let ratio = |label: &str| number(with(&told, "alternatives", "label", label), "ratio");
    assert!((0.85..0.93).contains(&ratio("64 buffers")), "{}", ratio("64 buffers"));
    assert!((0.78..0.87).contains(&ratio("256 buffers")), "{}", ratio("256 buffers"));
    // Three sets: what compresses holds data before, within and after.
    let many = with(&told, "alternatives", "label", "256 buffers");
    assert_eq!(many["buffer_memory_bytes"].as_u64(), Some(768 << 20));

    // Where nothing is gained, fewer are not what is told of.
    let told = result("ask buffers usb3-laptop:2.1 --replications 8");
    assert_eq!((text(&told, "answer"), text(&told["after"], "label")), ("no", "16 buffers"));

    let told = result("ask transfer-size nvme-knob-matrix:2");
    assert_eq!(text(&told, "answer"), "it-depends");
    assert!(text(&told, "depends_on").contains("number of buffers"));
    assert_eq!(text(with(&told, "by_kind", "kind", "alone"), "answer"), "no");
    assert!((0.73..0.83).contains(&number(&told["gain"], "ratio")), "{}", told["gain"]);
}

#[test]
fn a_backup_beside_its_database_takes_far_longer() {
    let told = result("ask same-disk usb3-laptop:same-drive");
    assert_eq!(text(&told, "answer"), "yes");
    let backup = with(&told, "operations", "operation", "backup");
    assert!(number(backup, "ratio") < 1.0 / 1.6, "{backup}");
    assert_eq!(answer("ask same-disk usb3-laptop:1.1"), "yes");
}

#[test]
fn a_window_a_verification_and_memory_are_answered_too() {
    assert_eq!(answer("ask window usb3-laptop:2.4 --window 1min"), "yes");
    let told = result("ask window usb3-laptop:2.1 --window 90s");
    assert_eq!(text(&told, "answer"), "no");
    assert!(number(&told["window"], "probability_after") > 0.9);
    let told = result("ask verify usb3-laptop:2.1");
    assert_eq!(text(&told, "answer"), "no");
    assert_eq!(text(&told["after"], "label"), "compression");
    assert_eq!(answer("ask memory nvme-knob-matrix:6"), "yes");
    let told = result("ask memory usb3-laptop:1.2 --set backup.buffer_count=512");
    assert_eq!(text(&told, "answer"), "no");
}

/// On both sides of a value that is reported the answers differ.
#[test]
fn what_would_change_the_answer_does() {
    let mut flips = 0;
    for asked in [
        "ask striping nvme-knob-matrix:2 --replications 12",
        "ask striping usb3-laptop:2.1 --replications 8",
        "ask compression usb3-laptop:1.1 --replications 12",
        "ask buffers nvme-knob-matrix:2 --replications 12",
        "ask compression disk-to-usb-disk:uncompressed --replications 8",
        "ask window usb3-laptop:2.1 --window 2min --replications 12",
        "ask transfer-size nvme-knob-matrix:3 --replications 8",
        "ask same-disk nvme-knob-matrix:1 --replications 8",
        "ask verify usb3-laptop:2.1 --replications 8",
        "ask memory nvme-knob-matrix:3 --replications 8",
    ] {
        let told = result(asked);
        let before = flips;
        for flip in list(&told, "would_change_if") {
            let at = |key: &str| {
                let paths = list(flip, "paths").iter().map(|path| path.as_str().unwrap());
                let value = text(flip, key).replace(' ', "");
                let sets: Vec<String> = paths.map(|path| format!("--set {path}={value}")).collect();
                answer(&format!("{asked} {}", sets.join(" ")))
            };
            assert_eq!(at("value"), text(flip, "answer"), "{asked}: {flip}");
            assert_ne!(at("value"), text(&told, "answer"), "{asked}: {flip}");
            assert_eq!(at("still_same_at"), text(&told, "answer"), "{asked}: {flip}");
            flips += 1;
        }
        assert!(flips > before, "{asked}: nothing would change the answer");
    }
}

/// The window is met with the rates, and is not with a twentieth less.
#[test]
fn what_a_window_demands_is_enough_and_no_more_than_that() {
    let mut parts = 0;
    for (scenario, window, operation) in [
        ("usb3-laptop:2.1", "60s", "total"),
        ("usb3-laptop:2.3", "20s", "backup"),
        ("nvme-knob-matrix:2", "8s", "total"),
        ("nvme-knob-matrix:2", "12s", "total"),
    ] {
        let told = result(&format!("need {scenario} --window {window} --operation {operation}"));
        let met = |rates: &[Value], less: f64| {
            let mut sets = String::new();
            for rate in rates {
                let value = text(rate, "value");
                let (amount, unit) = value.split_once(' ').unwrap_or((value, ""));
                let amount: f64 = amount.parse().unwrap();
                let amount = match rate.get("bytes_per_second") {
                    Some(_) => amount * less,
                    None if less < 1.0 => amount - 1.0,
                    None => amount,
                };
                for path in list(rate, "paths") {
                    sets.push_str(&format!(" --set {}={amount}{unit}", path.as_str().unwrap()));
                }
            }
            let require = format!("--require {operation}<={window}");
            run(&format!("predict {scenario}{sets} {require} --format json")).code == 0
        };
        let mut all: Vec<&Vec<Value>> = Vec::new();
        all.extend(list(&told, "one_at_a_time").iter().map(|part| list(part, "rates")));
        all.extend(told.get("balanced").map(|balanced| list(balanced, "rates")));
        for rates in all.into_iter().filter(|rates| !rates.is_empty()) {
            assert!(met(rates, 1.0), "{scenario} {window}: {rates:?}");
            assert!(!met(rates, 0.95), "{scenario} {window}: {rates:?}");
            parts += 1;
        }
    }
    assert!(parts >= 6, "{parts}");
}

#[test]
fn what_no_part_can_do_alone_is_said_and_devices_are_named() {
    let told = result("need usb3-laptop:2.1 --window 60s");
    let source = with(&told, "one_at_a_time", "part", "source");
    assert_eq!(source["can_be_met"], false);
    assert!(text(source, "change").contains("cannot be met by this alone"));
    let target = with(&told, "one_at_a_time", "part", "target");
    assert_eq!(target["can_be_met"], true);
    assert!(!text(&target["device"], "name").is_empty());
    for format in ["text", "csv", "markdown"] {
        let shown = stdout(&format!("need usb3-laptop:2.1 --window 60s --format {format}"));
        assert!(shown.contains("write rate of d2"), "{shown}");
    }
}

#[test]
fn a_duration_depends_on_what_limits_it() {
    let told = result("explain usb3-laptop:2.1");
    let change = |name: &str, operation: &str| {
        let one = with(&told, "sensitivity", "parameter", name);
        number(one, &format!("{operation}_per_tenth"))
    };
    // A station that works all the time: a tenth faster is a tenth shorter, nearly.
    assert!((-0.0925..-0.08).contains(&change("write rate of d2", "backup")));
    assert!((-0.0925..-0.08).contains(&change("read rate of d2", "verify")));
    assert!(change("read rate of ssd", "backup").abs() < 0.01);
    assert!(change("write rate of d2", "verify").abs() < 1e-9);
    let waits = list(&told["backup"], "expected_waits");
    let sum: f64 = waits.iter().map(|wait| number(wait, "share")).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{sum}");
    let shown = stdout("explain usb3-laptop:2.1 --sensitivity");
    assert!(shown.contains("sys.dm_os_wait_stats") && shown.lines().count() <= 24, "{shown}");
}

#[test]
fn a_screen_holds_every_answer() {
    for asked in [
        "ask striping usb3-laptop:2.3 --replications 4",
        "ask striping nvme-knob-matrix:2 --replications 4",
        "ask transfer-size nvme-knob-matrix:2 --replications 4",
        "ask same-disk usb3-laptop:same-drive --replications 4",
        "ask window usb3-laptop:2.1 --window 90s --replications 4",
        "ask memory nvme-knob-matrix:6 --replications 4",
        "need nvme-knob-matrix:2 --window 8s",
    ] {
        let shown = stdout(asked);
        assert!(shown.lines().count() <= 24, "{asked}\n{shown}");
        let options = |line: &str| line.starts_with("WITH ");
        for line in shown.lines().filter(|line| !options(line)) {
            assert!(line.chars().count() <= 80, "{asked}\n{line}");
        }
    }
}

#[test]
fn the_number_of_threads_changes_no_answer() {
    for asked in [
        "ask striping nvme-knob-matrix:2 --replications 4",
        "ask compression disk-to-usb-disk --replications 4 --set volume.data.size=4GiB",
        "need usb3-laptop:2.1 --window 60s --replications 6",
        "explain nvme-knob-matrix:2 --replications 4 --sensitivity",
    ] {
        for format in ["json", "markdown"] {
            let on =
                |threads: u32| stdout(&format!("{asked} --format {format} --threads {threads}"));
            assert!(on(1) == on(8), "{asked} {format}");
        }
    }
}

#[test]
fn what_cannot_be_asked_is_refused_with_what_can() {
    for (arguments, code, words) in [
        ("ask", 2, "QUESTION"),
        ("ask striping", 2, "needs a scenario"),
        ("ask stripes nvme-knob-matrix:2", 2, "striping"),
        ("ask striping nowhere", 3, "nowhere"),
        ("ask striping nvme-knob-matrix:99", 3, "99"),
        ("ask compression share-files:1", 3, "compression.ratio"),
        ("ask window usb3-laptop:2.1", 2, "--window"),
        ("ask window usb3-laptop:2.1 --window 0s", 2, "longer than"),
        ("ask window usb3-laptop:2.1 --window soon", 2, "soon"),
        ("ask striping usb3-laptop:2.1 --devices nothing", 3, "nothing"),
        ("ask striping usb3-laptop:2.1 --threshold 200%", 2, "share"),
        ("ask verify nul-algorithms-2025:1", 3, "NUL"),
        ("ask striping multifile-nvme-2020:1 --operation verify", 3, "no verify"),
        ("need usb3-laptop:2.1", 2, "--window"),
        ("need multifile-nvme-2020:1 --window 1h --operation verify", 3, "no verify"),
    ] {
        let ended = run(arguments);
        assert_eq!(ended.code, code, "{arguments}: {}", ended.stderr);
        assert!(ended.stderr.contains(words), "{arguments}: {}", ended.stderr);
        assert!(ended.stdout.is_empty() && !ended.stderr.contains("panicked"), "{arguments}");
    }
}

#[test]
fn an_answer_is_no_failure_but_a_limit_is() {
    let asked = "ask striping usb3-laptop:2.1 --replications 4 --require";
    assert_eq!(run(&format!("{asked} backup<=2h")).code, 0);
    let ended = run(&format!("{asked} backup<=10s"));
    assert_eq!(ended.code, 4);
    assert!(ended.stderr.contains("not met") && ended.stdout.contains("Answer"));
}
