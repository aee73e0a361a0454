//! Imports run one way only. Cargo refuses a circle of dependencies, but not one that is too long
//! by one arrow, and lets dependencies of tests run backwards.

use std::collections::{BTreeMap, BTreeSet};

use bakcast_tests::read;

/// Each room that may be a member of the workspace, and the rooms it may import.
const ROOMS: [(&str, &[&str]); 11] = [
    ("sim", &[]),
    ("models", &["sim"]),
    ("scenarios", &["sim", "models"]),
    ("imports", &["models", "scenarios"]),
    ("calibration", &["sim", "models", "scenarios", "imports"]),
    ("whatif", &["sim", "models", "scenarios"]),
    // What `validate` found is a result like any other.
    ("report", &["scenarios", "imports", "whatif", "calibration"]),
    ("cli", &["models", "scenarios", "imports", "calibration", "whatif", "report"]),
    // What the program's commands do, for a browser.
    ("page/engine", &["sim", "models", "scenarios", "calibration", "whatif", "report"]),
    ("bench", &["sim", "models", "scenarios"]),
    ("tests", &["sim", "models", "scenarios", "imports", "calibration", "whatif", "report"]),
];

/// The members of the workspace, each with what it may import.
fn rooms() -> Vec<(&'static str, &'static [&'static str])> {
    let workspace: toml::Table = toml::from_str(&read("Cargo.toml")).unwrap();
    let members = workspace["workspace"]["members"].as_array().unwrap();
    let room = |member: &toml::Value| {
        let room = ROOMS.iter().find(|(room, _)| member.as_str() == Some(*room));
        *room.unwrap_or_else(|| panic!("{member} is a member, but what may it import?"))
    };
    members.iter().map(room).collect()
}

fn manifest(room: &str) -> toml::Table {
    toml::from_str(&read(format!("{room}/Cargo.toml"))).unwrap()
}

/// Names in every table of dependencies, those of targets and of tests included.
fn dependencies(table: &toml::Table) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (key, value) in table {
        let Some(inner) = value.as_table() else { continue };
        if key.ends_with("dependencies") {
            names.extend(inner.keys().cloned());
        } else {
            names.extend(dependencies(inner));
        }
    }
    names
}

/// Package name of a room: `cli` is the program itself, and the page has one that is Rust.
fn package(room: &str) -> String {
    match room {
        "cli" => "bakcast".to_string(),
        _ => format!("bakcast-{}", room.trim_end_matches("/engine")),
    }
}

#[test]
fn every_room_imports_only_what_is_before_it() {
    for (room, allowed) in rooms() {
        let manifest = manifest(room);
        assert_eq!(manifest["package"]["name"].as_str(), Some(package(room).as_str()));
        let allowed: BTreeSet<String> = allowed.iter().map(|room| package(room)).collect();
        let own = dependencies(&manifest).into_iter().filter(|name| name.starts_with("bakcast"));
        let forbidden: Vec<String> = own.filter(|name| !allowed.contains(name)).collect();
        assert!(forbidden.is_empty(), "{room} may not import {forbidden:?}");
    }
}

#[test]
fn every_room_but_the_benchmarks_is_a_member() {
    let members: BTreeSet<&str> = rooms().into_iter().map(|(room, _)| room).collect();
    let missing = ROOMS.iter().filter(|(room, _)| *room != "bench" && !members.contains(room));
    assert_eq!(missing.count(), 0, "{members:?}");
}

#[test]
fn every_manifest_takes_licence_lints_and_edition_from_the_workspace() {
    for (room, _) in rooms() {
        let manifest = manifest(room);
        for key in ["version", "edition", "rust-version", "license", "publish"] {
            let inherits = manifest["package"][key].get("workspace");
            assert_eq!(inherits.and_then(toml::Value::as_bool), Some(true), "{room}: {key}");
        }
        assert_eq!(manifest["lints"]["workspace"].as_bool(), Some(true), "{room}: lints");
    }
}

/// One version of a library, stated once. A library that one room alone uses may say why there.
#[test]
fn a_dependency_of_two_rooms_is_stated_once() {
    let mut stated: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (room, _) in rooms() {
        let manifest = manifest(room);
        for table in ["dependencies", "dev-dependencies"] {
            let Some(table) = manifest.get(table).and_then(toml::Value::as_table) else { continue };
            for (name, value) in table {
                if value.get("workspace").is_none() {
                    stated.entry(name.clone()).or_default().push(room);
                }
            }
        }
    }
    for (name, rooms) in stated {
        assert!(rooms.len() == 1, "{name} is stated in {rooms:?}; state it in the workspace");
    }
}

/// With `num-traits/std`, which any crate can switch on for all of them, the ziggurats of the
/// random numbers would take `exp` and `ln` from the platform, whose last bit differs.
#[test]
fn the_program_takes_no_mathematics_from_the_platform() {
    let tree = std::process::Command::new(env!("CARGO"))
        .args(["tree", "--locked", "-p", "bakcast", "-e", "normal,features", "-i", "num-traits"])
        .current_dir(bakcast_tests::root())
        .output()
        .expect("cargo tree runs");
    let tree = String::from_utf8_lossy(&tree.stdout);
    assert!(tree.contains("num-traits feature \"libm\""), "{tree}");
    assert!(!tree.contains("num-traits feature \"std\""), "{tree}");
}
