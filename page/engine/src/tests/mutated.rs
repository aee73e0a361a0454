//! Requests that no page would make: whatever is asked, there is an answer in JSON.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::answer;

/// Requests that are in order, each of little work.
fn requests() -> Vec<Value> {
    let scenario = "nvme-knob-matrix:2";
    let toml = bakcast_scenarios::find_shipped("usb3-laptop").unwrap().text;
    vec![
        json!({"command": "predict", "scenario": scenario, "set": ["backup.buffer_count=8"]}),
        json!({"command": "predict", "scenario": toml, "variant": "2.4", "level": 0.5}),
        json!({"command": "predict", "scenario": scenario, "sql": "BACKUP DATABASE a TO DISK='b'"}),
        json!({"command": "curve", "scenario": scenario, "vary": ["buffer_count=2,4"]}),
        json!({"command": "compare", "scenario": scenario, "vary": ["compression=on,off"],
            "reference": ["backup.buffer_count=9"], "threshold": 0.1, "operation": "total"}),
        json!({"command": "bounds", "scenario": "share-files"}),
        json!({"command": "frames", "scenario": scenario, "operation": "backup", "count": 9,
            "intervals": 9, "night": 2}),
        json!({"command": "frames", "scenario": scenario, "events": 9, "from_seconds": 1.5}),
        json!({"command": "statement", "scenario": scenario}),
        json!({"command": "show", "scenario": toml}),
        json!({"command": "resolve", "scenario": "four-volumes-nvme"}),
        json!({"command": "knobs", "word": "disk"}),
        json!({"command": "scenarios"}),
    ]
}

/// Values for any field, most of them of the wrong type or out of all bounds.
fn value() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        Just("device.nvme.solid_state.read_rate=0 B/s"),
        Just("volume.data.size=999 TiB"),
        Just("backup.stripes=[]"),
        Just("backup.transfer_size=1 B"),
        Just("backup.buffer_count=0..9999999999*2"),
        Just("backup.buffer_count=65536"),
        Just("compression.ratio=1e-300"),
        Just("engine.start=1e300 s"),
        Just("variant=1,2,3"),
        Just("jobs=/dev/zero"),
        Just("two-backups-one-share"),
        Just("x.toml"),
        Just("restore"),
        Just("verify"),
        Just("\0\u{feff}=["),
        Just("= = ="),
        Just("[[[[[[[[[[[[[[[["),
    ]
    .prop_map(|text| json!(text));
    let number = prop_oneof![
        Just(json!(0)),
        Just(json!(1)),
        Just(json!(-1)),
        Just(json!(2)),
        Just(json!(u64::MAX)),
        Just(json!(u32::MAX)),
        Just(json!(1e300)),
        Just(json!(0.5)),
        Just(json!(1e-300)),
    ];
    let other = prop_oneof![Just(Value::Null), Just(json!(true)), Just(json!({})), Just(json!([]))];
    let list = prop::collection::vec(text.clone(), 0..4).prop_map(Value::from);
    prop_oneof![3 => text, 2 => number, 1 => other, 3 => list]
}

const FIELDS: [&str; 26] = [
    "command",
    "scenario",
    "name",
    "variant",
    "set",
    "sql",
    "seed",
    "level",
    "exact",
    "vary",
    "reference",
    "operation",
    "threshold",
    "question",
    "window_seconds",
    "memory_bytes",
    "devices",
    "night",
    "count",
    "intervals",
    "from_seconds",
    "events",
    "article",
    "word",
    "replications",
    "other",
];

/// An answer is a document or an error, and nothing else.
fn check(request: &str) -> Result<(), TestCaseError> {
    let answered = answer(request);
    let document: Value = serde_json::from_str(&answered)
        .map_err(|error| TestCaseError::fail(format!("{error}: {answered}")))?;
    let is_error = document["error"]["text"].as_str().is_some_and(|text| !text.is_empty());
    prop_assert!(is_error || document["result"].is_object(), "{request} gives {answered}");
    prop_assert!(document["error"]["kind"] != "internal", "{request} gives {answered}");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..<_>::default() })]

    #[test]
    fn any_values_in_any_fields_are_answered(
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec((prop::sample::select(&FIELDS[..]), value()), 1..4),
    ) {
        let mut request = requests().remove(which.index(requests().len()));
        request["replications"] = json!(1);
        for (field, value) in changes {
            request[field] = value;
        }
        check(&request.to_string())?;
    }

    #[test]
    fn any_bytes_are_answered(
        which in any::<prop::sample::Index>(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut request = requests().remove(which.index(requests().len()));
        request["replications"] = json!(1);
        let mut bytes = request.to_string().into_bytes();
        for (place, byte) in edits {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        check(&String::from_utf8_lossy(&bytes))?;
    }

    #[test]
    fn what_is_cut_off_is_answered(which in any::<prop::sample::Index>(), at in any::<usize>()) {
        let request = requests().remove(which.index(requests().len())).to_string();
        let end = at % request.len();
        check(&String::from_utf8_lossy(&request.as_bytes()[..end]))?;
    }
}
