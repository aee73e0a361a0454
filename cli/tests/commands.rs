//! The program as scripts see it: exit codes, streams, files.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// Fast: two runs of a small backup.
const QUICK: [&str; 5] =
    ["predict", "nvme-knob-matrix:2", "--replications", "2", "--set=volume.data.size=256 MiB"];

fn bakcast(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bakcast")).args(arguments).output().unwrap()
}

fn quick(more: &[&str]) -> Output {
    bakcast(&[&QUICK, more].concat())
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn a_prediction_ends_with_0_and_a_quiet_standard_error() {
    let output = quick(&[]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stderr(&output).is_empty(), "{}", stderr(&output));
    assert!(stdout(&output).contains("\nbackup "));
}

#[test]
fn a_command_line_that_cannot_be_meant_ends_with_2() {
    for arguments in [
        &[][..],
        &["predict"],
        &["explain"],
        &["predct", "x"],
        &["predict", "nvme-knob-matrix", "--set", "a"],
        &["predict", "nvme-knob-matrix", "--replications", "0"],
        &["predict", "nvme-knob-matrix", "--level", "90"],
        &["predict", "nvme-knob-matrix", "--require", "backup=2h"],
        &["predict", "nvme-knob-matrix", "-o", "x.html"],
        &["schema", "--format", "csv"],
        &["validate", "nothing"],
        &["knobs", "nothing-like-it"],
        &["man", "nothing"],
    ] {
        let output = bakcast(arguments);
        assert_eq!(code(&output), 2, "{arguments:?}: {}", stderr(&output));
        assert!(output.stdout.is_empty(), "{arguments:?}");
        assert!(!output.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_prediction_without_scenario_says_what_to_type() {
    let text = stderr(&bakcast(&["predict"]));
    for word in ["bakcast predict nvme-knob-matrix:2", "usb3-laptop", "mine.toml"] {
        assert!(text.contains(word), "no {word} in\n{text}");
    }
}

#[test]
fn input_that_is_not_understood_ends_with_3() {
    for arguments in [
        &["predict", "nvme-knob-matrx"][..],
        &["predict", "nvme-knob-matrix:22"],
        &["predict", "nowhere/x.toml"],
        &["predict", "nvme-knob-matrix", "--set", "backup.bufer_count=3"],
        &["scenarios", "--show", "nothing"],
        &["devices", "--show", "nothing"],
        &["predict", "nvme-knob-matrix", "--set", "compression.like=MSXPRES"],
    ] {
        let output = bakcast(arguments);
        assert_eq!(code(&output), 3, "{arguments:?}: {}", stderr(&output));
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_requirement_that_is_not_met_ends_with_4_and_says_by_how_much() {
    let output = quick(&["--require", "backup<=1ms", "--require", "total<=1h"]);
    assert_eq!(code(&output), 4);
    assert!(stderr(&output).contains("not met: backup<=1ms"), "{}", stderr(&output));
    assert!(!stderr(&output).contains("total<=1h"));
    assert!(stdout(&output).contains("total<=1h: met"));
    assert_eq!(code(&quick(&["--require", "total<=1h"])), 0);
    let no_verify = quick(&["--set=verify.enabled=false", "--require", "verify<=1h"]);
    assert_eq!(code(&no_verify), 4);
    let no_restore = quick(&["--require", "restore<=1h"]);
    assert_eq!(code(&no_restore), 4);
    assert!(stderr(&no_restore).contains("this scenario has no restore"));
    let restored = quick(&["--set=restore.enabled=true", "--require", "restore<=1h"]);
    assert_eq!(code(&restored), 0);
    assert!(stdout(&restored).contains("restore<=1h: met"));
}

#[test]
fn every_format_is_data_alone() {
    let json: serde_json::Value =
        serde_json::from_slice(&quick(&["--format", "json"]).stdout).unwrap();
    assert_eq!(json["command"], "predict");
    assert_eq!(json["replications"], 2);
    assert_eq!(json["result"]["read_bytes"], 256 << 20);
    let csv = stdout(&quick(&["--format", "csv"]));
    assert!(csv.starts_with("scenario,operation,seconds,"), "{csv}");
    assert!(stdout(&quick(&["--format", "markdown"])).contains("| --- |"));
}

#[test]
fn warnings_beside_json_go_to_standard_error_unless_quiet() {
    assert!(stderr(&quick(&["--format", "json"])).contains("warning: "));
    assert!(stderr(&quick(&["--format", "json", "--quiet"])).is_empty());
}

#[test]
fn files_are_written_beside_standard_output() {
    let folder = folder("files");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_string();
    let files = [path("a.json"), path("a.csv"), path("a.md"), path("a.txt")];
    std::fs::write(&files[0], "old").unwrap();
    let mut more = Vec::new();
    files.iter().for_each(|file| more.extend(["-o", file.as_str()]));
    let output = quick(&more);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let read = |file: &String| std::fs::read_to_string(file).unwrap();
    assert!(read(&files[0]).starts_with("{\n  \"schema_version\": 1,"));
    assert!(read(&files[1]).starts_with("scenario,"));
    assert!(read(&files[2]).starts_with("**nvme-knob-matrix:2**"));
    // A file needs not fit a screen: it has every hint, and otherwise the same lines.
    let text = read(&files[3]);
    assert!(text.contains("put the backup on a device of its own"), "{text}");
    let figures = |text: &str| text.lines().take(14).map(str::to_string).collect::<Vec<_>>();
    assert_eq!(figures(&text), figures(&stdout(&output)));
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), files.len());
}

#[test]
fn a_file_that_cannot_be_written_ends_with_1() {
    let output = quick(&["-o", "no/such/folder/x.json"]);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("no/such/folder/x.json"));
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let on = |threads| quick(&["--format", "json", "--threads", threads]).stdout;
    assert_eq!(on("1"), on("2"));
    assert_eq!(on("1"), on("8"));
}

#[test]
fn another_seed_is_another_night() {
    let seeded = |seed| quick(&["--format", "json", "--seed", seed]).stdout;
    assert_ne!(seeded("1"), seeded("2"));
}

#[test]
fn a_reader_who_leaves_early_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_bakcast"))
        .args(["knobs"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let status = child.wait().unwrap();
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!((status.code(), said.as_str()), (Some(0), ""));
}

#[test]
fn lists_and_pages_are_there() {
    let scenarios: serde_json::Value =
        serde_json::from_slice(&bakcast(&["scenarios", "--format", "json"]).stdout).unwrap();
    let first = &scenarios["result"]["scenarios"][0];
    assert_eq!(first["name"], "nvme-knob-matrix");
    assert!(first["title"].is_string() && first["source"].is_string());
    let knobs = stdout(&bakcast(&["knobs", "buffer_count"]));
    assert!(knobs.contains("backup.buffer_count"), "{knobs}");
    let schema: serde_json::Value = serde_json::from_slice(&bakcast(&["schema"]).stdout).unwrap();
    assert!(schema["properties"]["backup"].is_object());
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(stdout(&bakcast(&["completions", shell])).contains("bakcast"), "{shell}");
    }
    assert!(stdout(&bakcast(&["man"])).contains(".SH EXAMPLES"));
    assert!(stdout(&bakcast(&["man", "predict"])).contains("require"));
}

#[test]
fn a_shown_scenario_can_be_predicted() {
    let folder = folder("shown");
    let file = folder.join("mine.toml");
    for name in ["usb3-laptop", "usb3-laptop:2.4"] {
        std::fs::write(&file, bakcast(&["scenarios", "--show", name]).stdout).unwrap();
        let file = file.to_str().unwrap();
        let output =
            bakcast(&["predict", file, "--replications", "2", "--set=volume.data.size=256 MiB"]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
    }
}

#[test]
fn a_shown_device_can_be_pasted_and_predicted() {
    let folder = folder("devices");
    let file = folder.join("mine.toml");
    let device = stdout(&bakcast(&["devices", "--show", "usb3-hdd-5400"]));
    assert!(device.contains("[device.usb3-hdd-5400.spindle]\n"), "{device}");
    let scenario = stdout(&bakcast(&["scenarios", "--show", "disk-to-usb-disk"]));
    std::fs::write(&file, format!("{scenario}\n{device}")).unwrap();
    let file = file.to_str().unwrap();
    let sets = ["--set=volume.data.size=256 MiB", "--set=backup.stripes=usb3-hdd-5400"];
    let output = bakcast(&[&["predict", file, "--replications", "2"], &sets[..]].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let misspelt = stderr(&bakcast(&["devices", "--show", "sata-sdd"]));
    assert!(misspelt.contains("did you mean `sata-ssd`?"), "{misspelt}");
    let csv = stdout(&bakcast(&["devices", "--format", "csv"]));
    assert!(csv.starts_with("name,kind,law,title,key,value,factor,reason,source\n"), "{csv}");
    assert!(stdout(&bakcast(&["devices", "--format", "markdown"])).contains("| `ZSTD-LOW` |"));
}

#[test]
fn every_command_has_examples_before_its_usage() {
    for command in [
        "predict",
        "explain",
        "validate",
        "scenarios",
        "devices",
        "knobs",
        "schema",
        "completions",
        "man",
    ] {
        for help in ["-h", "--help"] {
            let text = stdout(&bakcast(&[command, help]));
            let (examples, usage) = (text.find("Examples:").unwrap(), text.find("Usage:").unwrap());
            assert!(examples < usage, "{text}");
            assert!(text.matches(&format!("  bakcast {command}")).count() >= 2, "{text}");
        }
    }
}

#[test]
fn knobs_are_a_rectangular_table_although_some_have_no_default() {
    let output = bakcast(&["knobs", "--format", "csv"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let csv = stdout(&output);
    assert!(csv.starts_with("path,accepted,default,required,example,comment\n"), "{csv}");
    assert!(csv.lines().count() > 20);
}

#[test]
fn what_takes_no_time_is_told_without_nan() {
    let extreme = "device.nvme.solid_state.variability=10";
    let nothing = ["engine.start=0 s", "engine.finish=0 s", "volume.data.size=1 B"];
    let fast = ["read_rate", "write_rate"]
        .map(|rate| format!("--set=device.nvme.solid_state.{rate}=1000000 GB/s"));
    for command in ["predict", "explain"] {
        for format in ["text", "json", "csv", "markdown"] {
            let base = [command, "nvme-knob-matrix:2", "--replications=2", "--format", format];
            let small = ["--set=volume.data.size=64 MiB", "--set", extreme];
            let sets = nothing.map(|set| format!("--set={set}"));
            let sets: Vec<&str> = sets.iter().chain(&fast).map(String::as_str).collect();
            for more in [&small[..], &sets[..]] {
                let output = bakcast(&[&base[..], more].concat());
                assert_eq!(code(&output), 0, "{base:?} {more:?}: {}", stderr(&output));
                let text = stdout(&output);
                assert!(!text.contains("NaN") && !text.contains(" inf"), "{text}");
            }
        }
    }
}

#[test]
fn a_question_without_its_window_is_a_matter_of_usage() {
    let ended = bakcast(&["ask", "window", "nvme-knob-matrix:2"]);
    assert_eq!(code(&ended), 2, "{}", stderr(&ended));
    assert!(stderr(&ended).contains("--window"), "{}", stderr(&ended));
}

#[test]
fn what_cannot_be_a_file_of_statements_is_named() {
    let folder = folder("not-statements");
    let said = |argument: &str| {
        let ended = bakcast(&["predict", "nvme-knob-matrix:2", "--sql", argument]);
        (code(&ended), stderr(&ended))
    };
    assert!(matches!(said("@"), (2, text) if text.contains("names no file")));
    assert!(matches!(said("@."), (3, text) if text.contains("not a file of statements")));
    let large = folder.join("large.sql");
    std::fs::write(&large, vec![b' '; 5_000_045]).unwrap();
    let (exit, text) = said(&format!("@{}", large.display()));
    assert!(exit == 3 && text.contains("more than 2097156 bytes"), "{text}");
    let page = folder.join("page.sql");
    std::fs::write(&page, b"BACKUP DATABASE [Gr\xfc\xdfe]").unwrap();
    let (exit, text) = said(&format!("@{}", page.display()));
    assert!(exit == 3 && text.contains("byte 19") && text.contains("UTF-8"), "{text}");
}
