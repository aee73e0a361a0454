//! What is seen of a night is what the prediction says of it.

use serde_json::{Value, json};

use super::told;

fn film(more: &[(&str, Value)]) -> Value {
    let mut request = json!({"command": "frames", "scenario": "nvme-knob-matrix:2"});
    for (key, value) in more {
        request[key] = value.clone();
    }
    let document = told(&request);
    assert_eq!(document["command"], "frames", "{document}");
    document["result"].clone()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

#[test]
fn the_film_lasts_as_long_as_the_night_that_predict_counts() {
    let predicted = told(&json!({
        "command": "predict", "scenario": "nvme-knob-matrix:2", "replications": 1, "exact": true,
    }));
    let whole = film(&[]);
    assert_eq!(whole["film"]["elapsed_seconds"], predicted["result"]["backup"]["seconds"]);
    let intervals = whole["series"]["intervals"].as_array().unwrap();
    let read: u64 = intervals.iter().map(|interval| interval["read_bytes"].as_u64().unwrap()).sum();
    assert_eq!(predicted["result"]["read_bytes"].as_u64(), Some(read));
    let pictures = whole["film"]["frames"].as_array().unwrap().len();
    assert!((120..=240).contains(&pictures), "{pictures}");
}

#[test]
fn a_close_look_has_every_event() {
    let close = film(&[("events", json!(50)), ("from_seconds", json!(5.0))]);
    let frames = close["film"]["frames"].as_array().unwrap();
    assert_eq!(frames.len(), 50);
    assert!(number(&frames[0]["at_seconds"]) <= 5.0 && number(&frames[49]["at_seconds"]) > 5.0);
    for pair in frames.windows(2) {
        let (one, next) = (&pair[0], &pair[1]);
        assert_eq!(one["events"].as_u64().unwrap() + 1, next["events"].as_u64().unwrap());
        assert!(number(&one["at_seconds"]) <= number(&next["at_seconds"]));
    }
}

#[test]
fn a_verification_is_seen_as_well() {
    let verify = film(&[("operation", json!("verify"))]);
    assert_eq!(verify["operation"], "verify");
    assert!(number(&verify["film"]["elapsed_seconds"]) > 0.0);
    let none = json!({"command": "frames", "scenario": "share-files", "operation": "restore"});
    assert_eq!(told(&none)["error"]["kind"], "input");
}
