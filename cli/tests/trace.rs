//! `trace` as scripts see it: exit codes, streams, files.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

/// Fast: a small backup and its verification.
const QUICK: [&str; 3] = ["trace", "nvme-knob-matrix:2", "--set=volume.data.size=64 MiB"];

fn bakcast(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bakcast")).args(arguments).output().unwrap()
}

fn quick(more: &[&str]) -> Output {
    let output = bakcast(&[&QUICK, more].concat());
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{more:?}: {said}");
    output
}

/// What the program says when it ends with this code.
fn refused(arguments: &[&str], code: i32) -> String {
    let output = bakcast(arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    said
}

/// A folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn a_file_is_what_standard_output_would_be_and_the_summary_tells_of_it() {
    let folder = folder("trace-files");
    let (trace, table) = (folder.join("t.json"), folder.join("t.csv"));
    let (trace_path, table_path) = (trace.to_str().unwrap(), table.to_str().unwrap());
    let more = ["--operation", "total", "-o", trace_path, "-o", table_path, "--format", "json"];
    let summary: Value = serde_json::from_slice(&quick(&more).stdout).unwrap();
    assert_eq!(summary["command"], "trace");
    let files = summary["result"]["files"].as_array().unwrap();
    let sizes: Vec<u64> = files.iter().map(|file| file["bytes"].as_u64().unwrap()).collect();
    let on_disk = [&trace, &table].map(|path| std::fs::metadata(path).unwrap().len());
    assert_eq!(sizes, on_disk);
    let printed = quick(&["--operation", "total", "--format", "csv"]).stdout;
    assert_eq!(printed, std::fs::read(&table).unwrap());
    let rows = files[1]["rows"].as_u64().unwrap();
    assert_eq!(printed.iter().filter(|byte| **byte == b'\n').count() as u64, rows + 1);
    let operations = summary["result"]["operations"].as_array().unwrap();
    let transfers = operations.iter().map(|one| one["transfers"].as_u64().unwrap());
    assert_eq!(transfers.sum::<u64>(), rows);
    let document: Value = serde_json::from_slice(&std::fs::read(&trace).unwrap()).unwrap();
    for key in ["schema_version", "tool", "inputs", "warnings", "result", "traceEvents"] {
        assert!(document.get(key).is_some(), "no {key}");
    }
    let left = std::fs::read_dir(&folder).unwrap().count();
    assert_eq!(left, 2, "nothing is left aside");
}

#[test]
fn without_a_file_it_says_what_there_would_be() {
    let text = String::from_utf8(quick(&[]).stdout).unwrap();
    for word in ["backup", "transfers", "-o trace.json"] {
        assert!(text.contains(word), "no {word} in\n{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let printed: Value = serde_json::from_slice(&quick(&["--format", "json"]).stdout).unwrap();
    assert!(printed["traceEvents"].as_array().unwrap().len() > 100);
    let other = quick(&["--night", "2"]).stdout;
    assert_ne!(text.as_bytes(), other, "another night is another run");
}

#[test]
fn a_thin_trace_is_smaller_and_says_what_it_leaves_out() {
    let folder = folder("trace-thin");
    let path = folder.join("t.json");
    let arguments = ["-o", path.to_str().unwrap(), "--thin", "20ms"];
    let text = String::from_utf8(quick(&arguments).stdout).unwrap();
    assert!(text.contains("Thinned") && text.contains("became"), "{text}");
    // Events alone: the inputs in the file are as long in both.
    let events = || {
        let document: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        document["traceEvents"].as_array().unwrap().len()
    };
    let thin = events();
    quick(&["-o", path.to_str().unwrap()]);
    assert!(3 * thin < events());
}

#[test]
fn what_cannot_be_traced_is_refused_with_what_can_be_done() {
    let to_nul = "four-volumes-nvme:to-nul";
    let said = refused(&["trace", to_nul, "--operation", "verify"], 3);
    assert!(said.contains("no verification"), "{said}");
    let said = refused(&["trace", "nvme-knob-matrix:2", "--operation", "restore"], 3);
    assert!(said.contains("restore.enabled=true"), "{said}");
    let said = refused(&["trace", "night-200-databases"], 3);
    assert!(said.contains("many jobs"), "{said}");
    let path = folder("trace-refused").join("t.csv");
    let thin_table = ["trace", "nvme-knob-matrix:2", "-o", path.to_str().unwrap(), "--thin", "1ms"];
    assert!(refused(&thin_table, 2).contains("--thin"));
    assert!(!path.exists());
    refused(&["trace", "nvme-knob-matrix:2", "--thin", "10"], 2);
    refused(&["trace", "nvme-knob-matrix:2", "--night", "0"], 2);
    refused(&["trace"], 2);
}
