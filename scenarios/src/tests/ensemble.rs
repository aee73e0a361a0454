//! An ensemble from its text to a prediction: members, what is stated, what is refused.

use super::{SMALL, kinds, load, load_with, only, problems, problems_of};
use crate::predict::{Asked, PredictOptions, Prediction, predict, predict_each};
use crate::{Document, Loaded, ProblemKind, ResolveError, Scenario, ScenarioError, Set};
use proptest::prelude::*;

const OPTIONS: PredictOptions = PredictOptions { replications: 6, ..PredictOptions::DEFAULT };

/// The small scenario, compressed, in nights that do not differ by themselves.
const STEADY: &str = r#"title = "steady"

[volume.data]
device = "source"
size = "256 MiB"

[device.source]
run_to_run = "0 %"
fixed_rate = { rate = "400 MB/s" }

[device.target]
run_to_run = "0 %"
fixed_rate = { rate = "100 MB/s" }

[processor]
logical_processors = 4
run_to_run = "0 %"

[compression]
ratio = 1.5
variability = 0

[backup]
stripes = ["target"]

[engine]
start = "0 s"
finish = "0 s"
"#;

/// Both rates at once and twice that.
const TWICE: &str = r#"
[ensemble]
source = "fitted to 9 runs"

[ensemble.parameter.rates]
paths = ["device.source.fixed_rate.rate", "device.target.fixed_rate.rate"]
unit = "MB/s"
values = [100, 200]
"#;

fn with(text: &str, ensemble: &str) -> String {
    format!("{text}{ensemble}")
}

/// A parameter of one path.
fn parameter(name: &str, path: &str, unit: &str, values: &str) -> String {
    format!(
        "[ensemble.parameter.{name}]\npaths = [\"{path}\"]\nunit = \"{unit}\"\nvalues = {values}\n"
    )
}

fn predicted(loaded: &Loaded) -> Prediction {
    predict(&loaded.resolved, &OPTIONS).unwrap()
}

#[test]
fn identical_members_give_the_prediction_without_an_ensemble() {
    let plain = load_with(SMALL, None, &["volume.data.size=300 MiB"]).unwrap();
    let same = [
        parameter("read", "device.source.fixed_rate.rate", "MB/s", "[400, 400.0, 400]"),
        parameter("write", "device.target.spindle.write_rate", "MB/s", "[110, 110, 110]"),
        parameter("spread", "device.target.run_to_run", "%", "[4, 4, 4]"),
        parameter("cores", "processor.logical_processors", "", "[4, 4, 4]"),
    ];
    let text = with(SMALL, &same.concat());
    let loaded = load_with(&text, None, &["volume.data.size=300 MiB"]).unwrap();
    assert_eq!(loaded.resolved.members.as_ref().unwrap().count(), 3);
    assert_eq!(predicted(&loaded), predicted(&plain));
}

#[test]
fn night_r_has_member_r_mod_m() {
    let prediction = predicted(&load(&with(STEADY, TWICE)).unwrap());
    let verify = prediction.verify.as_ref().unwrap();
    for operation in [&prediction.backup, verify] {
        let seconds = &operation.elapsed_seconds;
        for night in 0..seconds.len() - 2 {
            assert!((seconds[night] / seconds[night + 2] - 1.0).abs() < 1e-9, "{seconds:?}");
        }
        assert!((seconds[0] / seconds[1] - 2.0).abs() < 0.02, "{seconds:?}");
    }
}

#[test]
fn a_member_is_what_assignments_of_its_values_make() {
    let lines = [
        parameter("read", "device.source.fixed_rate.rate", "MB/s", "[84.66, 300.125, 17]"),
        parameter("cache", "device.target.spindle.capacity", "GB", "[300, 400.5, 500]"),
        parameter("spread", "device.source.run_to_run", "%", "[1.5, 2, 7.25]"),
        parameter("ratio", "compression.ratio", "", "[2, 3.5, 4.125]"),
        parameter("rate", "compression.rate", "MiB/s", "[101.5, 99, 1e2]"),
        parameter("cores", "processor.logical_processors", "", "[1, 2.0, 3]"),
        parameter("size", "volume.data.size", "GiB", "[1, 2, 3]"),
        parameter("start", "engine.start", "ms", "[100, 250.5, 3000]"),
        parameter("depth", "verify.read_depth", "", "[1, 2, 3]"),
        parameter("buffers", "backup.buffer_count", "", "[7, 8, 9]"),
        parameter("other", "beside.job.volume.data.size", "MiB", "[5, 6, 7]"),
    ];
    let beside = "[beside.job]\nvolume.data = { device = \"source\", size = \"1 GiB\" }\n\
                  backup.stripes = [\"target\"]\nbackup.compression = true\n";
    let text = with(&SMALL.replace("[\"target\"]\n", "[\"target\"]\ncompression = true\n"), beside);
    let loaded = load(&with(&text, &lines.concat())).unwrap();
    for member in 0..3 {
        let ensemble = loaded.scenario.ensemble.as_ref().unwrap();
        let sets = ensemble
            .parameter
            .values()
            .map(|parameter| format!("{}={}", parameter.paths[0], parameter.text(member).unwrap()));
        let sets: Vec<_> = sets.collect();
        let sets: Vec<_> = sets.iter().map(String::as_str).collect();
        let set = load_with(&text, None, &sets).unwrap().resolved;
        for night in [member as u64, member as u64 + 3] {
            let of_night = loaded.resolved.of_night(night);
            assert_eq!(of_night.machine, set.machine);
            assert_eq!(of_night.backup, set.backup);
            assert_eq!(of_night.verification, set.verification);
        }
    }
}

#[test]
fn what_was_changed_after_resolving_stays_changed() {
    let text = with(STEADY, &parameter("buffers", "backup.buffer_count", "", "[3, 4]"));
    let mut resolved = load(&text).unwrap().resolved;
    assert_eq!(resolved.of_night(1).backup.buffers.count, 4);
    resolved.backup.buffers.count = 32;
    resolved.verification = None;
    assert_eq!(resolved.of_night(1).backup.buffers.count, 32);
    assert_eq!(resolved.of_night(1).verification, None);
}

#[test]
fn an_ensemble_widens_the_range() {
    let width = |text: &str| {
        let range = predicted(&load(text).unwrap()).backup.seconds;
        range.high - range.low
    };
    let rate = |values| parameter("rate", "device.target.fixed_rate.rate", "MB/s", values);
    let narrow = width(&with(STEADY, &rate("[99, 100, 101]")));
    let wide = width(&with(STEADY, &rate("[80, 100, 120]")));
    assert!(width(STEADY) < narrow && narrow < wide / 10.0, "{narrow} {wide}");
}

#[test]
fn bytes_are_means_where_members_differ_in_them() {
    let compressed = STEADY.replace("stripes", "compression = true\nstripes");
    let text = with(&compressed, &parameter("ratio", "compression.ratio", "", "[2, 4]"));
    let backup = predicted(&load(&text).unwrap()).backup;
    assert_eq!(backup.read_bytes, 256 << 20);
    assert_eq!(backup.written_bytes, 96 << 20);
}

/// Everything that sets a knob, a table it is in or something in it.
#[test]
fn what_is_stated_is_not_uncertain() {
    let paths = |loaded: &Loaded| match &loaded.scenario.ensemble {
        Some(ensemble) => ensemble.parameter["rates"].paths.len(),
        None => 0,
    };
    let text = with(STEADY, TWICE);
    let document = Document::from_bytes("test.toml", text.clone().into_bytes()).unwrap();
    let base = document.base(None).unwrap();
    let target = "device.target.fixed_rate.rate=50 MB/s";
    let whole = "device.target={ fixed_rate = { rate = \"1 GB/s\" } }";
    let law = ["device.target.fixed_rate=default", "device.target.link.rate=1 GB/s"];
    let both = [target, "device.source.fixed_rate={ rate = \"1 GB/s\" }"];
    let cases: [(&[&str], usize); 7] = [
        (&[], 2),
        (&["device.target.run_to_run=3 %"], 2),
        (&[target], 1),
        (&[whole], 1),
        (&law, 1),
        (&both, 0),
        (&["ensemble=default"], 0),
    ];
    for (sets, left) in cases {
        let loaded = load_with(&text, None, sets).unwrap();
        assert_eq!(paths(&loaded), left, "{sets:?}");
        assert_eq!(loaded.resolved.members.is_some(), left > 0, "{sets:?}");
        let sets: Vec<_> = sets.iter().map(|set| Set::parse(set).unwrap()).collect();
        assert_eq!(base.with(&sets).unwrap(), loaded);
        // Printed and read again it is the same.
        let mut again = load(&loaded.to_toml()).unwrap();
        again.resolved.name.clone_from(&loaded.resolved.name);
        assert_eq!(again.scenario, loaded.scenario);
        assert_eq!(again.resolved, loaded.resolved);
    }
    let loaded = load_with(&text, None, &both).unwrap();
    let plain = load_with(STEADY, None, &both).unwrap();
    assert_eq!(loaded.resolved, plain.resolved);
}

#[test]
fn what_a_variant_states_is_not_uncertain() {
    let variant = "[variant.v]\nset = { \"device.target.fixed_rate.rate\" = \"50 MB/s\", \
                   device.source = { fixed_rate = { rate = \"1 GB/s\" } } }\n\
                   [variant.w]\nset = { ensemble = \"default\" }\n\
                   [variant.x]\nset = { \"ensemble.parameter.rates.values\" = [1, 2, 3] }\n";
    let text = with(&with(STEADY, TWICE), variant);
    let members = |variant: Option<&str>, sets: &[&str]| {
        let loaded = load_with(&text, variant, sets).unwrap();
        let document = Document::from_bytes("test.toml", text.clone().into_bytes()).unwrap();
        let sets: Vec<_> = sets.iter().map(|set| Set::parse(set).unwrap()).collect();
        assert_eq!(document.base(variant).unwrap().with(&sets).unwrap(), loaded);
        loaded.resolved.members.map(|members| members.count())
    };
    assert_eq!(members(None, &[]), Some(2));
    assert_eq!(members(Some("v"), &[]), None);
    assert_eq!(members(Some("w"), &[]), None);
    assert_eq!(members(Some("x"), &[]), Some(3));
    assert_eq!(members(Some("x"), &["ensemble.parameter.rates=default"]), None);
    assert_eq!(members(None, &["ensemble.parameter.rates.values=5,6,7,8"]), Some(4));
    let own = "ensemble.parameter.rates={paths=[\"engine.start\"],unit=\"s\",values=[1,2,3]}";
    assert_eq!(members(Some("w"), &[own]), Some(3));
    assert_eq!(members(Some("v"), &[own]), Some(3));
}

#[test]
fn a_law_that_is_replaced_takes_its_values_along() {
    let stall = "[device.fast.solid_state]\nread_rate = \"1 GB/s\"\nwrite_rate = \"1 GB/s\"\n\
                 stall = { mean = \"1 ms\", every = \"1 GB\" }\n";
    let text = with(
        &with(SMALL, stall),
        &parameter("stall", "device.fast.solid_state.stall.every", "GB", "[1, 2]"),
    );
    assert!(load(&text).unwrap().resolved.members.is_some());
    let loaded = load_with(&text, None, &["device.fast.solid_state.stall=default"]).unwrap();
    assert_eq!(loaded.scenario.ensemble, None);
}

#[test]
fn inputs_and_file_show_what_is_left_of_it() {
    let loaded = load_with(&with(STEADY, TWICE), None, &["device.target.fixed_rate.rate=1 MB/s"]);
    let inputs = loaded.unwrap().resolved_inputs();
    let rates = &inputs["ensemble"]["parameter"]["rates"];
    assert_eq!(rates["paths"], serde_json::json!(["device.source.fixed_rate.rate"]));
    assert_eq!(rates["values"], serde_json::json!([100.0, 200.0]));
    assert_eq!(inputs["ensemble"]["source"], "fitted to 9 runs");
}

fn refused(name: &str, path: &str, unit: &str, values: &str) -> crate::Problem {
    let found = problems(&with(SMALL, &parameter(name, path, unit, values)));
    let found = only(found);
    assert_eq!(found.file, "test.toml");
    assert!(found.line.is_some() && !found.accepted.is_empty(), "{found:?}");
    found
}

#[test]
fn a_parameter_that_fits_no_knob_is_refused() {
    use ProblemKind::WrongType;
    use ProblemKind::{MissingKey, NotAccepted, OtherLaw, OutOfRange, UnknownDevice, UnknownKey};
    let rate = "device.target.spindle.read_rate";
    let cases = [
        (rate, "MB/s", "[84.66, 0]", OutOfRange, ""),
        (rate, "MB/s", "[84.66, -3]", OutOfRange, ""),
        (rate, "MB/s", "[nan]", OutOfRange, ""),
        (rate, "MB/s", "[]", OutOfRange, ""),
        (rate, "MB/s", "[\"84 MB/s\"]", WrongType, ""),
        (rate, "MB/s", "3", WrongType, ""),
        (rate, "MB", "[84.66, 80]", NotAccepted, "`\"MB/s\"`"),
        (rate, "Mb/s", "[84.66, 80]", NotAccepted, "`\"MB/s\"`"),
        (rate, "", "[84.66, 80]", NotAccepted, ""),
        ("compression.ratio", "%", "[3.5]", NotAccepted, ""),
        ("compression.ratio", "", "[0.0001]", OutOfRange, ""),
        ("processor.logical_processors", "", "[1.5]", WrongType, ""),
        (
            "device.target.spindle.raed_rate",
            "MB/s",
            "[1]",
            UnknownKey,
            "`device.target.spindle.read_rate`",
        ),
        (
            "device.tarket.spindle.read_rate",
            "MB/s",
            "[1]",
            UnknownDevice,
            "`device.target.spindle.read_rate`",
        ),
        ("volume.dat.size", "GiB", "[1]", UnknownKey, "`volume.data.size`"),
        ("beside.job.starts", "s", "[1]", UnknownKey, ""),
        ("device.target.link.rate", "MB/s", "[1]", OtherLaw, ""),
        ("device.target.spindle.capacity", "GB", "[1, 0]", OutOfRange, ""),
        ("backup.stripes", "", "[1]", NotAccepted, ""),
        ("device.target.spindle", "", "[1]", NotAccepted, ""),
        ("ensemble.parameter.p.values", "", "[1]", NotAccepted, ""),
        ("variant.v.set", "", "[1]", UnknownKey, ""),
        ("volume.data.size", "TiB", "[2e6]", OutOfRange, ""),
    ];
    for (path, unit, values, kind, suggestion) in cases {
        if path.starts_with("variant") {
            let found = problems(&with(SMALL, &parameter("p", path, unit, values)));
            assert_eq!(kinds(&found), [kind]);
            continue;
        }
        let found = refused("p", path, unit, values);
        assert_eq!(found.kind, kind, "{found}");
        if !suggestion.is_empty() {
            assert_eq!(found.suggestion.as_deref(), Some(suggestion), "{found}");
        }
    }
    let text = SMALL.replace("[compression]\nratio = 3.5\n", "");
    let found = problems(&with(&text, &parameter("p", "compression.rate", "MB/s", "[1]")));
    assert_eq!(kinds(&found), [MissingKey]);
}

#[test]
fn parameters_that_do_not_fit_each_other_are_refused() {
    let rate = "device.source.fixed_rate.rate";
    let two = [
        parameter("a", rate, "MB/s", "[1, 2]"),
        parameter("b", "compression.ratio", "", "[1, 2, 3]"),
        parameter("c", rate, "MB/s", "[3, 4]"),
    ];
    let found = problems(&with(SMALL, &two.concat()));
    assert_eq!(kinds(&found), [ProblemKind::OutOfRange, ProblemKind::DuplicateKey]);
    assert!(found[0].message.contains("has 3 values, those of `a` are 2"), "{}", found[0]);
    assert!(found[1].message.contains("`a` and `c`"), "{}", found[1]);
    let text = format!(
        "{SMALL}[ensemble.parameter.a]\npaths = [\"{rate}\", \"{rate}\"]\nunit = \"B/s\"\n\
         values = [9]\n"
    );
    assert_eq!(kinds(&problems(&text)), [ProblemKind::DuplicateKey]);
    let long = format!("[{}]", vec!["1"; 1025].join(","));
    assert_eq!(refused("a", "compression.ratio", "", &long).kind, ProblemKind::OutOfRange);
    let found = problems(&with(SMALL, "[ensemble]\nsource = \"nothing\"\n"));
    assert_eq!(kinds(&found), [ProblemKind::MissingKey]);
}

#[test]
fn a_member_whose_burst_is_no_burst_is_refused_with_every_assignment() {
    let capped = "[device.vm.capped]\nrate = \"100 MB/s\"\n\
                  burst = { rate = \"150 MB/s\", credit = \"1 GB\" }\n";
    let rate = |values| {
        with(&with(SMALL, capped), &parameter("p", "device.vm.capped.rate", "MB/s", values))
    };
    assert!(load(&rate("[90, 149]")).is_ok());
    let found = problems(&rate("[90, 160, 120]"));
    assert_eq!(kinds(&found), [ProblemKind::OutOfRange]);
    let document = Document::from_bytes("t", rate("[90, 149]").into_bytes()).unwrap();
    let base = document.base(None).unwrap();
    assert!(base.with(&[Set::new("device.vm.capped.burst.rate", "150 MB/s")]).is_ok());
    let slow = base.with(&[Set::new("device.vm.capped.burst.rate", "140 MB/s")]);
    assert_eq!(kinds(&problems_of(slow)), [ProblemKind::OutOfRange]);
}

#[test]
fn too_many_values_are_refused_before_they_are_all_looked_at() {
    let values = vec!["1"; 1024].join(",");
    let mut text = String::new();
    for parameter in 0..3 {
        let paths: Vec<_> =
            (0..40).map(|path| format!("\"device.d{parameter}x{path}.run_to_run\"")).collect();
        text.push_str(&format!(
            "[ensemble.parameter.p{parameter}]\npaths = [{}]\nunit = \"%\"\nvalues = [{values}]\n",
            paths.join(",")
        ));
    }
    for parameter in 0..3 {
        for path in 0..40 {
            text.push_str(&format!("[device.d{parameter}x{path}.fixed_rate]\nrate = \"1 B/s\"\n"));
        }
    }
    let found = only(problems(&with(SMALL, &text)));
    assert!(found.message.contains("more than 65536 values"), "{found}");
}

#[test]
fn a_scenario_by_hand_is_checked_when_it_is_resolved() {
    let mut scenario = load(&with(STEADY, TWICE)).unwrap().scenario;
    assert!(scenario.resolve("x").is_ok());
    let ensemble = scenario.ensemble.as_mut().unwrap();
    ensemble.parameter.get_mut("rates").unwrap().values[1] = -1.0;
    let refused = |scenario: &Scenario| scenario.resolve("x").unwrap_err();
    assert!(matches!(refused(&scenario), ResolveError::NotAMember { .. }));
    let ensemble = scenario.ensemble.as_mut().unwrap();
    ensemble.parameter.get_mut("rates").unwrap().paths = vec!["device.none.run_to_run".into()];
    assert!(matches!(refused(&scenario), ResolveError::NotAMember { .. }));
}

#[test]
fn a_batch_with_members_is_what_its_configurations_are_alone_on_any_number_of_threads() {
    let text = with(&STEADY.replace("0 %", "3 %"), TWICE);
    let document = Document::from_bytes("test.toml", text.into_bytes()).unwrap();
    let base = document.base(None).unwrap();
    // Every third configuration is one that was there before; the last has one member less.
    let sets = |index: u64| match index {
        7 => vec![Set::new("device.target.fixed_rate.rate", "90 MB/s")],
        _ => vec![Set::new("backup.buffer_count", (3 + index % 3).to_string())],
    };
    let alone: Vec<_> = (0..8).map(|index| predicted(&base.with(&sets(index)).unwrap())).collect();
    for threads in [1, 2, 7] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut together = Vec::new();
        let load = |index| base.with(&sets(index));
        pool.install(|| {
            predict_each(8, load, &OPTIONS, Asked::Limits, |_, _, prediction| {
                together.push(prediction);
                Ok::<(), Box<dyn std::error::Error + Send + Sync>>(())
            })
        })
        .unwrap();
        assert_eq!(together, alone);
    }
    assert_ne!(alone[0], alone[7]);
}

/// What passes the checks can be simulated: every member of it resolves.
fn take(text: &str) {
    match load(text) {
        Ok(loaded) => {
            (0..4).for_each(|night| drop(loaded.resolved.of_night(night)));
            assert!(loaded.scenario.resolve("x").is_ok());
            assert_eq!(load(&loaded.to_toml()).unwrap().scenario, loaded.scenario);
        }
        Err(ScenarioError::Problems(problems)) => {
            assert!(problems.iter().all(|problem| problem.kind != ProblemKind::Internal));
        }
        Err(other) => panic!("{other}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 256,
        failure_persistence: None,
        ..Default::default()
    })]

    #[test]
    fn any_ensemble_is_answered(
        knob in any::<prop::sample::Index>(),
        unit in prop::sample::select(vec!["", "MB/s", "%", "GiB", "s", "ns", "KiB", "x"]),
        values in prop::collection::vec(
            prop_oneof![0.0..1000.0, any::<f64>(), (0_u32..100).prop_map(f64::from)], 1..3),
    ) {
        let path = knob.get(crate::knobs()).path.replace(crate::NAME, "target");
        let values = values.iter().map(|v| format!("{v:?}").to_lowercase()).collect::<Vec<_>>();
        let values = format!("[{}]", values.join(", "));
        let beside = "[beside.target]\nbackup.stripes = [\"target\"]\nvolume.target = \
                      { device = \"source\", size = \"1 GiB\" }\ncompression.ratio = 2.0\n";
        take(&with(&with(SMALL, beside), &parameter("p", &path, unit, &values)));
    }
}
