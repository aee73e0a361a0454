//! `compare`: settings held against the scenario as it is.

use bakcast_tests::{json, run, stdout};
use serde_json::Value;

const SMALL: &str = "compare nvme-knob-matrix:2 --replications 8 --set volume.data.size=1GiB";

fn rows(document: &Value) -> &Vec<Value> {
    document["result"]["rows"].as_array().unwrap()
}

#[test]
fn the_document_of_compare_has_the_keys_of_the_contract_and_a_base_of_ratio_1() {
    let document = json(&format!("{SMALL} --vary buffer_count=8,64 --vary compression=on,off"));
    assert_eq!(document["command"], "compare");
    let rows = rows(&document);
    assert_eq!(rows.len(), 5);
    for key in ["ratio", "ratio_low", "ratio_high"] {
        assert_eq!(rows[0][key].as_f64(), Some(1.0), "{key}");
    }
    assert_eq!(rows[0]["is_reference"], true);
    for row in rows {
        let at = |key: &str| row[key].as_f64().unwrap();
        assert!(at("ratio_low") <= at("ratio") && at("ratio") <= at("ratio_high"));
        for key in ["backup", "total", "read_bytes", "stations", "waits", "bottleneck", "statement"]
        {
            assert!(row.get(key).is_some(), "{key}");
        }
    }
    assert_eq!(rows[1]["settings"]["backup.buffer_count"], "8");
    assert_eq!(rows[4]["settings"]["backup.compression"], "off");
    let best = &document["result"]["best"];
    assert_eq!(
        (&best["row"], &best["real"], &best["worth"]),
        (&3.into(), &true.into(), &true.into())
    );
}

#[test]
fn a_row_is_what_predict_says_of_the_same_setting() {
    let document = json(&format!("{SMALL} --vary buffer_count=33"));
    let predict = SMALL.replace("compare", "predict");
    let predicted = json(&format!("{predict} --set backup.buffer_count=33"));
    for key in ["backup", "verify", "total", "bottleneck", "statement", "stations"] {
        assert_eq!(rows(&document)[1][key], predicted["result"][key], "{key}");
    }
}

#[test]
fn a_setting_that_changes_nothing_is_no_difference_and_said_to_be_none() {
    let text = stdout(&format!("{SMALL} --vary compression=on"));
    assert!(text.contains("Nothing is better than the scenario as it is."), "{text}");
    let one = json(
        &format!("{SMALL} --replications 1 --vary buffer_count=64")
            .replace("--replications 8 ", ""),
    );
    assert!(rows(&one)[1].get("ratio_low").is_none());
    assert!(one["result"]["answer"].as_str().unwrap().contains("--replications"));
}

#[test]
fn another_reference_takes_the_place_of_the_scenario() {
    let vary = "--vary buffer_count=8,64";
    let against = json(&format!("{SMALL} {vary} --reference backup.buffer_count=64"));
    assert_eq!(rows(&against)[2]["ratio"].as_f64(), Some(1.0));
    let plain = json(&format!("{SMALL} {vary}"));
    let ratio = |document: &Value, row: usize| rows(document)[row]["ratio"].as_f64().unwrap();
    let expected = ratio(&plain, 1) / ratio(&plain, 2);
    assert!((ratio(&against, 1) / expected - 1.0).abs() < 1e-9);
}

#[test]
fn requirements_choose_among_configurations() {
    let memory = json(&format!("{SMALL} --vary buffer_count=8,64 --require memory<=30MiB"));
    assert_eq!(memory["result"]["best"]["settings"]["backup.buffer_count"], "8");
    let unmet = run(&format!("{SMALL} --vary buffer_count=8,64 --require backup<=1ms"));
    assert_eq!(unmet.code, 4);
    assert!(unmet.stderr.contains("not met"), "{}", unmet.stderr);
    assert!(unmet.stdout.contains("No configuration meets the requirements."));
    let predict = SMALL.replace("compare", "predict");
    assert_eq!(run(&format!("{predict} --require memory<=1MiB")).code, 4);
}

#[test]
fn every_text_fits_a_screen_and_every_format_has_every_row() {
    let many = "--vary buffer_count=8..64+1 --vary compression=on,off";
    let text = stdout(&format!("{SMALL} {many}"));
    assert!(text.lines().count() <= 24, "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let csv = stdout(&format!("{SMALL} {many} --format csv --quiet"));
    assert_eq!(csv.lines().count(), 1 + 1 + 114);
    let markdown = stdout(&format!("{SMALL} {many} --format markdown"));
    assert_eq!(markdown.lines().filter(|line| line.starts_with('|')).count(), 2 + 1 + 114);
}

#[test]
fn what_cannot_be_compared_is_refused_with_what_can() {
    for (more, code, part) in [
        ("--vary bufer_count=8", 2, "backup.buffer_count"),
        ("--vary buffer_count=1..999", 2, "bakcast sweep"),
        ("--vary variant=nowhere", 3, "no configuration can be run"),
        ("--vary backup.stripes=nowhere", 3, "nowhere"),
        ("--vary buffer_count=8 --operation restore", 3, "restore.enabled=true"),
        ("--vary buffer_count=8 --threshold 5", 2, "5%"),
        ("", 2, "--vary"),
    ] {
        let ended = run(&format!("{SMALL} {more}"));
        assert_eq!(ended.code, code, "{more}: {}", ended.stderr);
        assert!(ended.stderr.contains(part), "{more}: {}", ended.stderr);
    }
}
