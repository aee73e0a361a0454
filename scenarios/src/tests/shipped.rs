//! The shipped scenarios: each loads, with each of its variants, and says what it should.

use bakcast_models::quantity::Bytes;

use crate::{Document, Loaded, Scenario, ScenarioOrigin, shipped};

fn every_one() -> Vec<Loaded> {
    let mut all = Vec::new();
    for scenario in shipped() {
        let base = Scenario::load(scenario.name, None, &[]).unwrap_or_else(|e| panic!("{e}"));
        for variant in &base.variants {
            let loaded = Scenario::load(scenario.name, Some(&variant.name), &[]);
            all.push(loaded.unwrap_or_else(|e| panic!("{}: {e}", variant.name)));
        }
        all.push(base);
    }
    all
}

#[test]
fn every_shipped_scenario_loads_with_every_variant() {
    let names: Vec<_> = every_one().into_iter().map(|loaded| loaded.name).collect();
    assert!(names.len() >= 24, "{names:?}");
    assert!(names.contains(&"nvme-knob-matrix:2025-best".to_string()));
    assert!(names.contains(&"usb3-laptop:1.4".to_string()));
}

#[test]
fn every_shipped_scenario_says_where_its_figures_come_from() {
    for loaded in every_one() {
        assert!(loaded.scenario.source.is_some(), "{} has no source", loaded.name);
        for variant in &loaded.variants {
            assert!(variant.title.is_some(), "{}: {} has no title", loaded.name, variant.name);
        }
    }
}

#[test]
fn variants_keep_the_order_of_the_file() {
    let base = Scenario::load("nvme-knob-matrix", None, &[]).unwrap();
    let names: Vec<_> = base.variants.iter().map(|variant| variant.name.as_str()).collect();
    assert_eq!(names, ["1", "2", "3", "4", "5", "6", "7", "8", "9", "2025-best"]);
    let base = Scenario::load("usb3-laptop", None, &[]).unwrap();
    let names: Vec<_> = base.variants.iter().map(|variant| variant.name.as_str()).collect();
    assert_eq!(names, ["same-drive", "1.1", "1.2", "1.3", "1.4", "2.1", "2.2", "2.3", "2.4"]);
}

#[test]
fn writing_a_scenario_out_and_loading_it_gives_the_same_again() {
    for loaded in every_one() {
        let text = loaded.to_toml();
        let document = Document::from_bytes(&loaded.name, text.clone().into_bytes()).unwrap();
        let again = document.load(None, &[]).unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert_eq!(again.resolved, loaded.resolved);
        assert_eq!(again.scenario, loaded.scenario);
        assert_eq!(again.to_toml(), text);
    }
}

/// The rows of the article as the scenario stands for them.
#[test]
fn the_knob_matrix_has_the_settings_of_the_article() {
    let row = |variant: &str| {
        let loaded = Scenario::load("nvme-knob-matrix", Some(variant), &[]).unwrap();
        let backup = loaded.resolved.backup;
        (
            backup.compression.is_some(),
            backup.buffers.count,
            backup.buffers.transfer_size.get() >> 20,
            backup.large_block,
            backup.stripes.len(),
        )
    };
    assert_eq!(row("1"), (false, 7, 1, false, 1));
    assert_eq!(row("2"), (true, 7, 1, false, 1));
    assert_eq!(row("3"), (true, 64, 1, false, 1));
    assert_eq!(row("4"), (true, 256, 1, false, 1));
    assert_eq!(row("5"), (true, 7, 4, false, 1));
    assert_eq!(row("6"), (true, 64, 4, false, 1));
    assert_eq!(row("7"), (true, 7, 1, true, 1));
    assert_eq!(row("8"), (true, 22, 1, false, 4));
    assert_eq!(row("9"), (true, 64, 4, false, 4));
    assert_eq!(row("2025-best"), row("6"));
}

#[test]
fn the_laptop_has_the_settings_of_the_article() {
    let row = |variant: &str| {
        let loaded = Scenario::load("usb3-laptop", Some(variant), &[]).unwrap();
        let resolved = loaded.resolved;
        let name = |device: usize| resolved.machine.devices[device].name.clone();
        let stripes = resolved.backup.stripes.iter().map(|place| name(place.device));
        let source = name(resolved.backup.volumes[0].place.device);
        let stripes = stripes.collect::<Vec<_>>().join("+");
        format!("{source} {stripes} {}", resolved.backup.compression.is_some())
    };
    assert_eq!(row("same-drive"), "d1 d1 false");
    assert_eq!(row("1.1"), "d1 d2 false");
    assert_eq!(row("1.2"), "d1 d2 true");
    assert_eq!(row("1.3"), "d1 d2+d3 true");
    assert_eq!(row("1.4"), "d1 ssd+ssd+ssd+ssd true");
    assert_eq!(row("2.1"), "ssd d2 false");
    assert_eq!(row("2.2"), "ssd d1+d2+d3 false");
    assert_eq!(row("2.3"), "ssd d2 true");
    assert_eq!(row("2.4"), "ssd d1+d2+d3 true");
}

#[test]
fn a_verification_gets_the_sizes_of_the_backup_files() {
    let loaded = Scenario::load("usb3-laptop", Some("2.4"), &[]).unwrap();
    let sizes = [1, 2, 3].map(Bytes::mebibytes);
    let verify = loaded.resolved.verify(&sizes).unwrap();
    assert_eq!(verify.stripes.iter().map(|stripe| stripe.1).collect::<Vec<_>>(), sizes);
    assert_eq!(verify.database_bytes, Bytes::mebibytes(6 * 1024));
    assert!(verify.compression.is_some());
}

#[test]
fn a_backup_to_nul_is_not_verified_and_says_so() {
    let loaded = Scenario::load("four-volumes-nvme", Some("to-nul"), &[]).unwrap();
    assert!(loaded.resolved.verify(&[Bytes::ZERO]).is_none());
    let codes: Vec<_> = loaded.resolved.warnings.iter().map(|w| w.code.as_str()).collect();
    assert_eq!(codes, ["nul-not-verified"]);
}

#[test]
fn an_unknown_name_is_answered_with_the_shipped_ones() {
    let message = Scenario::load("nvme-knob-matix", None, &[]).unwrap_err().to_string();
    assert!(message.contains("did you mean `nvme-knob-matrix`?"), "{message}");
    assert!(message.contains("`usb3-laptop`"), "{message}");
    let message = Scenario::load("nvme", None, &[]).unwrap_err().to_string();
    assert!(message.contains("did you mean `nvme-knob-matrix`?"), "{message}");
    let message = Scenario::load("", None, &[]).unwrap_err().to_string();
    assert!(message.contains("shipped: `nvme-knob-matrix`"), "{message}");
}

#[test]
fn an_unknown_variant_is_answered_with_those_there_are() {
    let message = Scenario::load_reference("usb3-laptop:2.5", &[]).unwrap_err().to_string();
    assert!(message.contains("no variant `2.5`"), "{message}");
    assert!(message.contains("`same-drive`, `1.1`"), "{message}");
    let message = Scenario::load_reference("usb3-laptop:same_drive", &[]).unwrap_err().to_string();
    assert!(message.contains("did you mean `same-drive`?"), "{message}");
}

#[test]
fn the_text_of_a_shipped_scenario_is_at_hand() {
    let origin = ScenarioOrigin::Shipped("usb3-laptop".to_string());
    let document = Document::open(&origin).unwrap();
    assert_eq!(document.name(), "usb3-laptop");
    assert!(document.text().contains("[device.d1.spindle]"));
}
