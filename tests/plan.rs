//! `plan`: when a growing database no longer fits its window.

use std::io::Write as _;

use bakcast_tests::{json, run, stdout};
use serde_json::Value;

const SMALL: &str = "plan nvme-knob-matrix:1 --replications 4 --set volume.data.size=1GiB";

fn months(document: &Value) -> &Vec<Value> {
    document["result"]["months"].as_array().unwrap()
}

#[test]
fn the_document_of_plan_has_every_month_when_it_stops_and_what_wins_months() {
    let document = json(&format!("{SMALL} --window 10s --growth 2..4%/month --months 36"));
    assert_eq!(document["command"], "plan");
    assert_eq!(months(&document).len(), 37);
    let mut before = 1.0;
    for month in months(&document) {
        let fits = month["probability_fits"].as_f64().unwrap();
        assert!(fits <= before + 1e-12, "{month}");
        before = fits;
        let at = |key: &str| month[key].as_f64().unwrap();
        assert!(at("low_seconds") <= at("median_seconds"));
        assert!(at("median_seconds") <= at("high_seconds"));
    }
    let stop = &document["result"]["stops_fitting"];
    assert!(stop["low"].as_u64() <= stop["month"].as_u64(), "{stop}");
    let changes = document["result"]["changes"].as_array().unwrap();
    assert!(changes.iter().any(|change| change["cost"] == "hardware"), "{changes:?}");
    for change in changes {
        assert!(change["months_won"].as_u64().unwrap() > 0);
    }
}

#[test]
fn the_month_is_that_of_predict_at_its_size() {
    let document = json(&format!("{SMALL} --window 10s --growth 3%/month"));
    let month = document["result"]["stops_fitting"]["month"].as_u64().unwrap() as usize;
    for (month, code) in [(month, 4), (month - 1, 0)] {
        let size = months(&document)[month]["size_bytes"].as_f64().unwrap().round();
        let predict = "predict nvme-knob-matrix:1 --replications 4 --require total<=10s";
        let ended = run(&format!("{predict} --set volume.data.size={size}B"));
        assert_eq!(ended.code, code, "month {month}: {}", ended.stderr);
    }
}

#[test]
fn without_growth_it_never_stops_and_today_may_be_too_late() {
    let still = json(&format!("{SMALL} --window 1h --growth 0%/month"));
    assert!(still["result"]["stops_fitting"].get("month").is_none());
    assert_eq!(still["result"]["changes"].as_array().unwrap().len(), 0);
    let late = run(&format!("{SMALL} --window 1ms --growth 1%/month"));
    assert_eq!(late.code, 4);
    assert!(late.stdout.contains("does not fit into 1 ms today"), "{}", late.stdout);
}

#[test]
fn a_history_says_how_fast_it_grows() {
    let mut file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
    writeln!(file, "database_name,type,backup_start_date,backup_finish_date,backup_size").unwrap();
    for (month, size) in [(1, 100), (2, 103), (3, 106), (4, 109), (5, 113)] {
        let size = size * 1_000_000_000_u64;
        let day = format!("2026-{month:02}-01");
        writeln!(file, "Sales,D,{day} 01:00:00,{day} 02:00:00,{size}").unwrap();
    }
    let path = file.path().display();
    let document = json(&format!("{SMALL} --window 10s --history {path}"));
    let growth = &document["result"]["growth"];
    let rate = growth["per_month"].as_f64().unwrap();
    assert!((0.025..0.035).contains(&rate), "{growth}");
    assert!(growth["low_per_month"].as_f64().unwrap() < rate);
    assert!(growth["source"].as_str().unwrap().contains("5 full backups"), "{growth}");
    let other = run(&format!("{SMALL} --window 10s --history {path} --database Other"));
    assert_eq!(other.code, 3, "{}", other.stderr);
}

#[test]
fn plans_are_the_same_on_any_number_of_threads_and_fit_a_screen() {
    let command = format!("{SMALL} --window 10s --growth 1..5%/month --quiet");
    let one = stdout(&format!("{command} --threads 1"));
    assert_eq!(one, stdout(&format!("{command} --threads 3")));
    assert!(one.lines().count() <= 24, "{one}");
    assert!(one.lines().all(|line| line.chars().count() <= 80), "{one}");
    let csv = stdout(&format!("{command} --format csv"));
    assert_eq!(csv.lines().count(), 1 + 61);
    assert!(stdout(&format!("{command} --format markdown")).contains("| change | costs |"));
}

#[test]
fn what_cannot_be_meant_is_said_with_what_can() {
    for (more, code, part) in [
        ("--growth 3%/month", 2, "--window"),
        ("--window 6h", 2, "--growth"),
        ("--window 6 --growth 3%/month", 2, "--window"),
        ("--window 0s --growth 3%/month", 2, "longer than nothing"),
        ("--window 6h --growth 3%", 2, "3%/month"),
        ("--window 6h --growth 4..2%/month", 2, "3%/month"),
        ("--window 6h --growth 3%/month --months 0", 2, "--months"),
        ("--window 6h --growth 3%/month --require-probability 90", 2, "90%"),
        ("--window 6h --history nowhere.csv", 3, "nowhere.csv"),
    ] {
        let ended = run(&format!("{SMALL} {more}"));
        assert_eq!(ended.code, code, "{more}: {}", ended.stderr);
        assert!(ended.stderr.contains(part), "{more}: {}", ended.stderr);
    }
}
