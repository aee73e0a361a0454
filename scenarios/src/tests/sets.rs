//! Values replaced by their path.

use super::{SMALL, load_with, only, problems_of};
use crate::{Loaded, NAME, Problem, ProblemKind, ScenarioError, Set, knobs};

fn set(sets: &[&str]) -> Loaded {
    load_with(SMALL, None, sets).unwrap_or_else(|error| panic!("{sets:?}: {error}"))
}

fn refused(sets: &[&str]) -> Problem {
    only(problems_of(load_with(SMALL, None, sets)))
}

#[test]
fn values_are_read_as_what_the_knob_needs() {
    let backup = |text: &str| set(&[text]).scenario.backup;
    let size = |text: &str| backup(text).transfer_size.unwrap().to_string();
    assert_eq!(size("backup.transfer_size=4MiB"), "4 MiB");
    assert_eq!(size("backup.transfer_size = 4 MiB"), "4 MiB");
    assert_eq!(size("backup.transfer_size=\"4 MiB\""), "4 MiB");
    assert_eq!(set(&["volume.data.size=20TiB"]).scenario.volume["data"].size.to_string(), "20 TiB");
    assert_eq!(backup("backup.stripes=source,target").stripes, ["source", "target"]);
    assert_eq!(backup("backup.stripes=[\"source\", \"target\"]").stripes, ["source", "target"]);
    assert_eq!(backup("backup.stripes=target").stripes, ["target"]);
    for yes in ["true", "on", "yes", "ON"] {
        assert!(backup(&format!("backup.compression={yes}")).compression);
    }
    assert!(!backup("backup.compression=off").compression);
    assert_eq!(backup("backup.buffer_count=64").buffer_count, Some(64));
    assert_eq!(set(&["database.name=Sales 2"]).scenario.database.name, "Sales 2");
    assert_eq!(set(&["database.name=default"]).scenario.database.name, "default");
    assert_eq!(set(&["database.name=64"]).scenario.database.name, "64");
    let ratio = set(&["compression.ratio=4"]).scenario.compression.unwrap().ratio;
    assert_eq!(ratio.to_string(), "4");
    assert_eq!(set(&["engine.buffer_rule=2005"]).resolved.backup.buffers.count, 6);
}

#[test]
fn default_takes_a_value_away_and_a_later_one_wins() {
    let sets = ["backup.buffer_count=64", "backup.buffer_count=default"];
    let loaded = set(&sets);
    assert_eq!(loaded.scenario.backup.buffer_count, None);
    assert_eq!(loaded.resolved.backup.buffers.count, 7);
    let loaded = set(&["backup.buffer_count=64", "backup.buffer_count=65"]);
    assert_eq!(loaded.resolved.backup.buffers.count, 65);
    let found = refused(&["processor.logical_processors=default"]);
    assert_eq!(found.kind, ProblemKind::MissingKey);
}

#[test]
fn an_unknown_path_finds_its_neighbour() {
    let suggestion = |text: &str| {
        let found = refused(&[text]);
        assert_eq!(found.kind, ProblemKind::UnknownKey);
        assert_eq!(found.file, format!("--set {text}"));
        assert_eq!(found.line, None);
        found.suggestion
    };
    let meant = |path: &str| Some(format!("`{path}`"));
    assert_eq!(suggestion("backup.bufer_count=3"), meant("backup.buffer_count"));
    assert_eq!(suggestion("backups.buffer_count=3"), meant("backup.buffer_count"));
    assert_eq!(suggestion("BUFFERCOUNT=3"), meant("backup.buffer_count"));
    assert_eq!(
        suggestion("device.target.spindel.read_rate=3"),
        meant("device.target.spindle.read_rate")
    );
    assert_eq!(suggestion("variant.x.set=3"), None);
    assert_eq!(suggestion("..=3"), None);
}

#[test]
fn a_wrong_value_is_refused_as_in_a_file() {
    for (text, kind) in [
        ("backup.buffer_count=0", ProblemKind::OutOfRange),
        ("backup.buffer_count=many", ProblemKind::WrongType),
        ("backup.buffer_count=", ProblemKind::WrongType),
        ("backup.transfer_size=4", ProblemKind::MissingUnit),
        ("backup.transfer_size=5MB", ProblemKind::OutOfRange),
        ("backup.compression=perhaps", ProblemKind::WrongType),
        ("backup.stripes=", ProblemKind::OutOfRange),
        ("backup.stripes=nowhere", ProblemKind::UnknownDevice),
        ("backup=3", ProblemKind::WrongType),
        ("device.target.spindle=3", ProblemKind::WrongType),
        ("engine.workers=none", ProblemKind::NotAccepted),
        ("compression.ratio=inf", ProblemKind::OutOfRange),
    ] {
        let found = refused(&[text]);
        assert_eq!(found.kind, kind, "{found}");
        assert_eq!(found.file, format!("--set {text}"));
    }
}

#[test]
fn a_value_for_another_law_is_refused_with_the_reason() {
    let found = refused(&["device.source.spindle.read_rate=3MB/s"]);
    assert_eq!(found.kind, ProblemKind::OtherLaw);
    assert_eq!(found.message, "device `source` is a `fixed_rate`, not a `spindle`");
    let replaced = set(&["device.source.fixed_rate=default", "device.source.link.rate=1 GB/s"]);
    assert!(replaced.scenario.device["source"].link.is_some());
}

#[test]
fn a_device_can_be_added_by_paths() {
    let loaded = set(&["device.new.fixed_rate.rate=200MB/s", "backup.stripes=target,new"]);
    assert_eq!(loaded.resolved.machine.devices.len(), 3);
    let loaded = set(&["device.nul={null={}}", "backup.stripes=nul"]);
    assert_eq!(loaded.resolved.verification, None);
    let loaded = set(&["device.nul.null={}", "backup.stripes=nul"]);
    assert_eq!(loaded.resolved.verification, None);
    let found = refused(&["device.tarket.fixed_rate.rate=200MB/s"]);
    assert_eq!(found.kind, ProblemKind::UnusedDevice);
    assert_eq!(found.suggestion.as_deref(), Some("`device.target`"));
    let found = refused(&["volume.dat.size=2GiB"]);
    assert_eq!(found.suggestion.as_deref(), Some("`volume.data`"));
}

#[test]
fn an_assignment_needs_a_path() {
    for text in ["", "backup.buffer_count", "=3", " =3"] {
        let error = Set::parse(text).unwrap_err();
        assert!(matches!(error, ScenarioError::NotAnAssignment { .. }), "{text}");
    }
    let set = Set::parse("a.b = c = d").unwrap();
    assert_eq!((set.path.as_str(), set.value.as_str()), ("a.b", "c = d"));
}

/// Every knob there is, set to its default or an example, loads.
#[test]
fn every_knob_can_be_set() {
    // A table of jobs is a file, which its own tests have.
    let is_set = |path: &str| path != "jobs" && !path.starts_with("variant.");
    for knob in knobs().iter().filter(|knob| is_set(&knob.path)) {
        let path = path_in_a_scenario(&knob.path);
        let text = format!("{path}={}", example(&knob.path, &knob.example));
        let loaded = load_with(&scenario_for(&knob.path), None, &[&text]);
        loaded.unwrap_or_else(|error| panic!("{text}: {error}"));
        if !knob.required {
            let text = format!("{path}=default");
            // A device without its law is none, nor is a job without data.
            // A text may be called "default", and there is no such device and no such server.
            let not_taken_away = [
                "device.<name>.null",
                "job.<name>.size",
                "job.<name>.server",
                "job.<name>.device",
                "server.<name>.device",
            ];
            if !not_taken_away.contains(&knob.path.as_str()) {
                let loaded = load_with(&scenario_for(&knob.path), None, &[&text]);
                loaded.unwrap_or_else(|error| panic!("{text}: {error}"));
            }
        }
    }
}

/// Names of the scenario in place of `<name>`.
fn path_in_a_scenario(path: &str) -> String {
    let name = match path.split('.').nth(2) {
        _ if path.starts_with("volume.") => "data",
        _ if path.starts_with("ensemble.") => "any",
        Some("spindle" | "solid_state" | "link" | "fixed_rate" | "capped" | "null") => "any",
        _ => "target",
    };
    path.replace(NAME, name)
}

/// An example that fits the scenario: devices that exist.
fn example<'a>(path: &str, example: &'a str) -> &'a str {
    match path {
        "volume.<name>.device"
        | "beside.<name>.volume.<name>.device"
        | "job.<name>.volume.<name>.device"
        | "job.<name>.device"
        | "server.<name>.device" => "source",
        "job.<name>.server" | "paths.<name>" => "target",
        "backup.stripes" | "beside.<name>.backup.stripes" | "job.<name>.backup.stripes" => {
            "target,target"
        }
        _ => example,
    }
}

/// The small scenario, with another job or a device of the law that the path is about.
fn scenario_for(path: &str) -> String {
    if path.starts_with("beside.") {
        return format!(
            "{SMALL}[beside.target]\nvolume.target = {{ device = \"source\", size = \"1 GiB\" }}\n\
             backup.stripes = [\"target\"]\ncompression.ratio = 2.0\n"
        );
    }
    if path.starts_with("job") || path.starts_with("server.") {
        let small = SMALL.replace("[volume.data]", "[job.target.volume.target]");
        let one = if path.ends_with(".size") && !path.contains("volume") || path == "jobs" {
            small.replace("[job.target.volume.target]", "[job.target]")
        } else {
            small
        };
        return format!(
            "{one}[job.target.compression]\nratio = 2.0\n[job.Orders]\nsize = \"1 GiB\"\n\
             device = \"source\"\n[job.Sales]\nsize = \"1 GiB\"\ndevice = \"source\"\n\
             [server.target]\n[device.d1.link]\nrate = \"1 GB/s\"\n\
             [device.d2.link]\nrate = \"1 GB/s\"\n"
        );
    }
    if path.starts_with("ensemble.") {
        let any = "paths = [\"compression.variability\"]\nvalues = [0.1, 0.3]\n";
        return format!("{SMALL}[ensemble.parameter.any]\n{any}");
    }
    let device = match path.split('.').nth(2) {
        Some("spindle") => "spindle]\nread_rate = \"1 MB/s\"\nwrite_rate = \"1 MB/s\"",
        Some("solid_state") => {
            "solid_state]\nread_rate = \"1 MB/s\"\nwrite_rate = \"1 MB/s\"\n\
             stall = { mean = \"1 ms\", every = \"1 GB\" }\n\
             fast_cache = { size = \"1 GB\", write_rate_after = \"1 MB/s\" }"
        }
        Some("link") => "link]\nrate = \"1 MB/s\"",
        Some("fixed_rate") => "fixed_rate]\nrate = \"1 MB/s\"",
        Some("capped") => {
            "capped]\nrate = \"1 MB/s\"\n\
             operations = { per_second = 500 }\n\
             burst = { rate = \"500 MB/s\", credit = \"1 GB\" }"
        }
        Some("null") => "null]",
        _ => return SMALL.to_string(),
    };
    format!("{SMALL}[device.any.{device}\n")
}
