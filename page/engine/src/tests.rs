mod frames;
mod mutated;

use serde_json::{Value, json};

use super::answer;

fn told(request: &Value) -> Value {
    serde_json::from_str(&answer(&request.to_string())).unwrap()
}

fn main_question() -> Value {
    json!({"command": "predict", "scenario": "nvme-knob-matrix:2", "replications": 2})
}

#[test]
fn every_command_answers_with_its_own_name() {
    let scenario = "nvme-knob-matrix:2";
    let requests = [
        json!({"command": "curve", "scenario": scenario, "vary": ["backup.buffer_count=4,16"]}),
        json!({"command": "compare", "scenario": scenario, "vary": ["buffer_count=16"]}),
        json!({"command": "ask", "scenario": scenario, "question": "same-disk"}),
        json!({"command": "bounds", "scenario": scenario}),
        json!({"command": "statement", "scenario": scenario}),
        json!({"command": "resolve", "scenario": scenario}),
        json!({"command": "show", "scenario": scenario}),
        json!({"command": "scenarios"}),
        json!({"command": "knobs", "word": "buffer"}),
        main_question(),
    ];
    for mut request in requests {
        request["replications"] = json!(2);
        let document = told(&request);
        assert_eq!(document["command"], request["command"], "{document}");
        assert_eq!(document["tool"]["name"], "bakcast");
    }
}

#[test]
fn the_point_of_the_present_value_is_its_prediction() {
    let predicted = told(&main_question());
    let count = predicted["result"]["buffer_count"].as_u64().unwrap();
    let mut request = main_question();
    request["command"] = json!("curve");
    request["vary"] = json!([format!("backup.buffer_count={count},{}", count * 2)]);
    let curve = told(&request);
    let points = curve["result"]["points"].as_array().unwrap();
    assert_eq!(points[0]["backup"], predicted["result"]["backup"]);
    assert_eq!(points[0]["total"], predicted["result"]["total"]);
    assert_ne!(points[1]["backup"], predicted["result"]["backup"]);
}

#[test]
fn a_value_that_is_refused_leaves_the_others_of_a_curve() {
    let request = json!({
        "command": "curve", "scenario": "nvme-knob-matrix:2", "replications": 1,
        "vary": ["backup.stripes=t1|nowhere"],
    });
    let curve = told(&request);
    let points = curve["result"]["points"].as_array().unwrap();
    assert!(points[1]["error"].as_str().unwrap().contains("nowhere"), "{curve}");
}

#[test]
fn little_and_the_bounds_hold() {
    let request = json!({"command": "bounds", "scenario": "usb3-laptop:2.4", "replications": 4});
    let backup = &told(&request)["result"]["backup"];
    let number = |value: &Value| value.as_f64().unwrap();
    let little = &backup["little"];
    let product = number(&little["cycles_per_second"]) * number(&little["cycle_seconds"]);
    assert!((product / number(&little["buffer_count"]) - 1.0).abs() < 1e-9, "{little}");
    assert!(number(&backup["bounds"]["elapsed_seconds"]) <= number(&backup["seconds"]));
}

#[test]
fn a_scenario_given_as_text_is_the_shipped_one() {
    let show = told(&json!({"command": "show", "scenario": "night-200-databases"}));
    let text = show["result"]["toml"].as_str().unwrap();
    let request = json!({
        "command": "resolve", "scenario": text, "name": "night-200-databases",
    });
    let shipped = json!({"command": "resolve", "scenario": "night-200-databases"});
    assert_eq!(told(&request), told(&shipped));
}

#[test]
fn problems_have_place_found_and_accepted() {
    let mut request = main_question();
    request["set"] = json!(["backup.buffer_count=many"]);
    let error = &told(&request)["error"];
    assert_eq!((&error["kind"], &error["exit_code"]), (&json!("input"), &json!(3)));
    let problem = &error["problems"][0];
    assert_eq!(problem["path"], "backup.buffer_count", "{error}");
    for key in ["file", "message", "found", "accepted"] {
        assert!(problem[key].as_str().is_some_and(|text| !text.is_empty()), "{key}: {error}");
    }
}

#[test]
fn what_cannot_be_meant_is_said() {
    let kind = |request: &str| {
        let answer: Value = serde_json::from_str(&answer(request)).unwrap();
        answer["error"]["kind"].as_str().map(str::to_string)
    };
    let usage = Some("usage".to_string());
    for request in ["", "{}", "[]", "null", r#"{"command":"fly"}"#, r#"{"command":"knobs","x":1}"#]
    {
        assert_eq!(kind(request), usage, "{request}");
    }
    let of = |key: &str, value: Value| {
        let mut request = main_question();
        request[key] = value;
        kind(&request.to_string())
    };
    assert_eq!(of("replications", json!(0)), usage);
    assert_eq!(of("level", json!(1.0)), usage);
    assert_eq!(of("set", json!(["x"])), usage);
    let input = Some("input".to_string());
    assert_eq!(of("scenario", json!("/etc/passwd")), input);
    assert_eq!(of("scenario", json!("mine.toml")), input);
    assert_eq!(of("set", json!(["jobs=/etc/passwd"])), input);
    assert_eq!(of("variant", json!("2")), None);
}

#[test]
fn more_work_than_a_page_does_is_refused_before_it_is_begun() {
    let request = json!({
        "command": "predict", "scenario": "san-to-share-10gbe", "exact": true,
        "replications": 100_000,
    });
    let error = &told(&request)["error"];
    assert_eq!(error["kind"], "too-much", "{error}");
}
