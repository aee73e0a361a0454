//! Nothing that comes in makes the program stop: arbitrary bytes, near-TOML, mutated scenarios.

use proptest::prelude::*;

use super::{SMALL, load};
use crate::{Document, Reference, ScenarioError, Set, find_shipped};

/// Loads and prints whatever comes.
fn take(bytes: &[u8], sets: &[Set]) {
    let Ok(document) = Document::from_bytes("any.toml", bytes.to_vec()) else { return };
    match document.load(None, sets) {
        Ok(loaded) => {
            let _ = (loaded.to_toml(), loaded.resolved_inputs(), loaded.statement());
        }
        Err(error) => {
            let text = error.to_string();
            assert!(!text.is_empty());
            let Some(problems) = error.problems() else { return };
            assert!(problems.iter().all(|p| p.kind != crate::ProblemKind::Internal), "{text}");
            let _ = (problems.render(false), problems.render(true));
        }
    }
}

/// Pieces of scenarios, in any order.
fn near_toml() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("[device.d.spindle]\n".to_string()),
        Just("[device.d]\n".to_string()),
        Just("[backup]\n".to_string()),
        Just("[[volume.x]]\n".to_string()),
        Just("[variant.v]\nset = ".to_string()),
        Just("stripes = [\"d\", ".to_string()),
        Just("]\n".to_string()),
        Just("{ \"backup.buffer_count\" = \"default\" }\n".to_string()),
        Just("read_rate = ".to_string()),
        Just("size = \"1e400 GiB\"\n".to_string()),
        Just("compression = true\n".to_string()),
        Just("\"6 GiB\"\n".to_string()),
        Just("nan\n".to_string()),
        Just("'''".to_string()),
        Just("é\u{1b}[31m".to_string()),
        "[ -~\n]{0,12}",
        any::<f64>().prop_map(|number| format!("{number:?}\n")),
        any::<i128>().prop_map(|number| format!("{number}\n")),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 256,
        failure_persistence: None,
        ..Default::default()
    })]

    #[test]
    fn any_bytes_are_answered(bytes in prop::collection::vec(any::<u8>(), 0..512)) {
        take(&bytes, &[]);
    }

    #[test]
    fn anything_like_toml_is_answered(text in near_toml()) {
        take(text.as_bytes(), &[]);
        take(format!("{SMALL}{text}").as_bytes(), &[]);
    }

    #[test]
    fn any_assignment_is_answered(path in "[a-z._ é\"]{0,30}", value in "\\PC{0,20}") {
        take(SMALL.as_bytes(), &[Set::new(path, value)]);
    }

    #[test]
    fn any_value_of_any_knob_is_answered(
        index in any::<prop::sample::Index>(),
        value in near_toml(),
    ) {
        let knob = index.get(crate::knobs());
        take(SMALL.as_bytes(), &[Set::new(knob.path.replace(crate::NAME, "target"), value)]);
    }

    #[test]
    fn a_mutated_scenario_is_answered(
        at in any::<prop::sample::Index>(),
        length in 0_usize..20,
        with in prop::collection::vec(any::<u8>(), 0..8),
        name in prop::sample::select(vec!["nvme-knob-matrix", "usb3-laptop", "san-to-share-10gbe"]),
    ) {
        let mut bytes = find_shipped(name).unwrap().text.as_bytes().to_vec();
        let at = at.index(bytes.len());
        let end = (at + length).min(bytes.len());
        bytes.splice(at..end, with);
        take(&bytes, &[]);
    }

    #[test]
    fn any_reference_is_read(text in "\\PC{0,40}") {
        let _ = Reference::parse(&text);
    }
}

#[test]
fn depth_does_not_overflow_the_stack() {
    for text in [
        "[".repeat(100_000),
        format!("a = {}", "[".repeat(100_000)),
        format!("a = {}{}", "[".repeat(100_000), "]".repeat(100_000)),
        "a = {b = ".repeat(50_000),
        format!("{} = 1", vec!["a"; 100_000].join(".")),
        format!("[{}]", vec!["a"; 100_000].join(".")),
        format!("{SMALL}[variant.x.set.{}]\nb = 1\n", vec!["a"; 79].join(".")),
    ] {
        assert!(matches!(load(&text), Err(ScenarioError::Problems(_))));
        take(text.as_bytes(), &[]);
    }
    let deep = Set::new(vec!["a"; 100_000].join("."), "[".repeat(100_000));
    take(SMALL.as_bytes(), &[deep]);
    let deep = Set::new("backup.stripes", "[".repeat(100_000));
    take(SMALL.as_bytes(), &[deep]);
}

/// A file of the largest size answers in reasonable time, whatever is wrong with it.
#[test]
fn size_does_not_explode() {
    let lines = |line: &dyn Fn(usize) -> String| (0..10_000).map(line).collect::<String>();
    let texts = [
        lines(&|n| format!("unknown{n} = {n}\n")),
        format!("{SMALL}{}", lines(&|n| format!("[device.d{n}]\nvia = [\"e{n}\"]\n"))),
        format!("{SMALL}{}", lines(&|n| format!("[volume.v{n}]\ndevice = \"n{n}\"\nsize = 3\n"))),
        format!("{SMALL}{}", lines(&|n| format!("[variant.v{n}]\nset = {{ \"a.b\" = 3 }}\n"))),
        small_stripes(),
        small_ensemble(),
        format!("title = \"{}\"\n", "x".repeat(1 << 20)),
        format!("{} = 3\n", "x".repeat(1 << 20)),
    ];
    for text in texts {
        take(text.as_bytes(), &[]);
    }
}

/// Many paths, each of which many values go to.
fn small_ensemble() -> String {
    let devices: String =
        (0..5_000).map(|n| format!("[device.d{n}.capped]\nrate = \"1 B/s\"\n")).collect();
    let paths: Vec<_> = (0..5_000).map(|n| format!("\"device.d{n}.capped.rate\"")).collect();
    let values = vec!["1"; 100_000].join(",");
    let paths = paths.join(",");
    format!("{SMALL}{devices}[ensemble.parameter.p]\npaths = [{paths}]\nvalues = [{values}]\n")
}

fn small_stripes() -> String {
    let many = format!("[{}]", vec!["\"nowhere\""; 50_000].join(","));
    SMALL.replace("[\"target\"]", &many)
}
