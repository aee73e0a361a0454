//! What each shipped scenario came to when it was last looked at, `expected/NAME.json`.
//!
//! Recorded numbers say that something moved, not that it is wrong: `UPDATE_EXPECTED=1` rewrites
//! them, and the difference is what a reader of the change looks at.

use std::collections::BTreeMap;

use bakcast_scenarios::predict::{PredictOptions, durations};
use bakcast_scenarios::shipped;
use bakcast_tests::{every_scenario, files, load, read, rewrites, root};
use bakcast_whatif::estate::{NightPrediction, predict_night};
use serde_json::{Value, json};

const OPTIONS: PredictOptions =
    PredictOptions { seed: 1, replications: 3, ..PredictOptions::DEFAULT };

/// Median seconds of each operation, bytes written, events handled: whole numbers and 64-bit
/// floats in the shortest form that reads back the same, so equality is equality of bits.
fn outcome(name: &str) -> Value {
    let resolved = load(name, &[]).resolved;
    if let Some(night) = predict_night(&resolved, &OPTIONS).unwrap() {
        return of_a_night(&night);
    }
    let prediction = durations(&resolved, &OPTIONS).unwrap();
    let mut outcome = json!({
        "backup_seconds": prediction.backup.seconds.median,
        "total_seconds": prediction.total_seconds.median,
        "written_bytes": prediction.backup.written_bytes,
        "events": prediction.events,
    });
    if let Some(verify) = &prediction.verify {
        outcome["verify_seconds"] = json!(verify.seconds.median);
    }
    outcome
}

/// Of a night of many jobs: its median end, what limits it, bytes, and the end of each job.
fn of_a_night(night: &NightPrediction) -> Value {
    let ends: BTreeMap<&str, f64> =
        night.jobs.iter().map(|job| (job.name.as_str(), job.finish.median)).collect();
    json!({
        "night_seconds": night.seconds.median,
        "limit": format!("{:?}", night.limit),
        "read_bytes": night.read_bytes,
        "finish_seconds": ends,
    })
}

#[test]
fn every_shipped_scenario_comes_to_its_recorded_outcome() {
    let mut outcomes: BTreeMap<String, BTreeMap<String, Value>> = BTreeMap::new();
    for name in every_scenario() {
        let scenario = name.split(':').next().unwrap_or(&name).to_string();
        outcomes.entry(scenario).or_default().insert(name.clone(), outcome(&name));
    }
    let mut moved = Vec::new();
    for (scenario, outcomes) in outcomes {
        let path = format!("tests/expected/{scenario}.json");
        let text = format!("{}\n", serde_json::to_string_pretty(&outcomes).unwrap());
        if rewrites("UPDATE_EXPECTED") {
            std::fs::write(root().join(&path), &text).unwrap();
        } else if read(&path) != text {
            moved.push(format!("{path} is recorded otherwise; now:\n{text}"));
        }
    }
    let hint = "`UPDATE_EXPECTED=1 cargo test --workspace --test suite expected` records them";
    assert!(moved.is_empty(), "{}\n{hint}", moved.join("\n"));
}

#[test]
fn no_outcome_is_recorded_for_a_scenario_that_is_not_shipped() {
    let recorded = files("tests/expected", ".json");
    let names = recorded.iter().map(|path| path.file_stem().unwrap().to_string_lossy());
    let mut names: Vec<_> = names.collect();
    let mut known: Vec<_> = shipped().iter().map(|scenario| scenario.name).collect();
    names.sort_unstable();
    known.sort_unstable();
    assert_eq!(names, known);
}
