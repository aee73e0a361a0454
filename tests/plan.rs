//! `plan`: when a growing database no longer fits its window.

use std::io::Write as _;

use bakcast_tests::{Ended, bakcast, json, run, stdout};
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

const WEEK: &str = "full weekly, diff daily 20%, log every 15min 64MiB";

fn scheduled(schedule: &str, more: &str) -> Value {
    let arguments = SMALL.split_whitespace().chain(more.split_whitespace());
    let arguments = arguments.chain(["--schedule", schedule, "--format", "json"]);
    let ended: Ended = bakcast(arguments).output().unwrap().into();
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    serde_json::from_str(&ended.stdout).unwrap()
}

#[test]
fn of_a_schedule_each_kind_of_backup_must_fit() {
    let more = "--window 10s --growth 3%/month";
    let (document, plain) = (scheduled(WEEK, more), json(&format!("{SMALL} {more}")));
    let result = &document["result"];
    let schedule = &result["schedule"];
    let kinds = schedule["kinds"].as_array().unwrap();
    let of = |key: &str| kinds.iter().map(|kind| kind[key].clone()).collect::<Vec<_>>();
    assert_eq!(of("kind"), ["full", "differential", "log"]);
    assert_eq!(of("count"), [1, 6, 672]);
    assert_eq!(of("limit_seconds"), [10.0, 10.0, 900.0]);
    let read: Vec<f64> = of("read_bytes").iter().map(|bytes| bytes.as_f64().unwrap()).collect();
    assert!((read[1] / read[0] - 0.2).abs() < 0.01, "{read:?}");
    assert!((read[2] / f64::from(64 << 20) - 1.0).abs() < 0.01, "{read:?}");
    let written = schedule["written_bytes_per_cycle"].as_f64().unwrap();
    let read_per_cycle = read[0] + 6.0 * read[1] + 672.0 * read[2];
    assert!((written / read_per_cycle - 1.0).abs() < 0.01, "{written}: {read_per_cycle}");
    // Log backups hold the full one up, so that it stops fitting no later.
    assert_eq!(schedule["first"], "full");
    let stop = |document: &Value| document["result"]["stops_fitting"]["month"].as_u64().unwrap();
    assert!(stop(&document) <= stop(&plain));
    let now = |document: &Value| months(document)[0]["median_seconds"].as_f64().unwrap();
    let log = kinds[2]["months"][0]["median_seconds"].as_f64().unwrap();
    let expected = now(&plain) / (1.0 - log / 900.0);
    assert!((now(&document) / expected - 1.0).abs() < 0.01, "{expected}: {}", now(&document));
}

#[test]
fn a_differential_backup_is_that_of_so_much_less_data() {
    let more = "--window 10s --growth 0%/month --months 1";
    let document = scheduled("full weekly, diff daily 50%", more);
    let half = json(&format!("{SMALL} {more} --set volume.data.size=512MiB"));
    let kinds = &document["result"]["schedule"]["kinds"];
    assert_eq!(kinds[1]["months"][0]["median_seconds"], months(&half)[0]["median_seconds"]);
    let days = scheduled("full weekly, diff daily 10%/day", more);
    let read = |document: &Value, kind: usize| {
        document["result"]["schedule"]["kinds"][kind]["read_bytes"].as_f64().unwrap()
    };
    let share = read(&days, 1) / read(&days, 0);
    assert!((share - (1.0 - (0..6).fold(1.0, |product, _| product * 0.9))).abs() < 0.01, "{share}");
}

#[test]
fn log_backups_may_be_what_stops_fitting_and_changes_are_sought_for_them() {
    let more = "--window 10h --growth 5%/month";
    let document = scheduled("full daily, log every 10s 1GiB", more);
    let result = &document["result"];
    assert_eq!(result["schedule"]["first"], "log");
    assert!(result["answer"].as_str().unwrap().contains("of the log backup"), "{result}");
    assert!(!result["changes"].as_array().unwrap().is_empty(), "{result}");
}

#[test]
fn a_plan_with_a_schedule_fits_a_screen_and_says_what_a_schedule_is() {
    let run = |schedule: &str, more: &str| -> Ended {
        let given = "--window 10s --growth 1..5%/month --quiet";
        let arguments = SMALL.split_whitespace().chain(given.split_whitespace());
        let arguments = arguments.chain(more.split_whitespace()).chain(["--schedule", schedule]);
        bakcast(arguments).output().unwrap().into()
    };
    let text = run(WEEK, "").stdout;
    assert!(text.lines().count() <= 24, "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert_eq!(run(WEEK, "--format csv").stdout.lines().count(), 1 + 3 * 61);
    assert!(run(WEEK, "--format markdown").stdout.contains("| log every 15 min |"));
    for (schedule, part) in [
        ("weekly", "`full`, `diff` or `log`"),
        ("full weekly, diff daily", "15%"),
        ("log every 15min 1GiB on nowhere", "there is no device `nowhere`"),
    ] {
        let ended = run(schedule, "");
        assert_eq!(ended.code, 2, "{schedule}: {}", ended.stderr);
        assert!(ended.stderr.contains(part), "{schedule}: {}", ended.stderr);
    }
}

#[test]
fn a_night_of_many_jobs_is_not_planned_as_if_it_were_one() {
    let ended = run("plan night-200-databases --window 6h --growth 3%/month --replications 2");
    assert_eq!(ended.code, 3, "{}", ended.stdout);
    assert!(ended.stderr.contains("night<=6h"), "{}", ended.stderr);
}
