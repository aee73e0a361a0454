//! `sweep`: one file, whatever happens on the way to it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use bakcast_tests::{Ended, bakcast, json};
use tempfile::TempDir;

/// A grid of a few configurations, one of them refused, in a folder of its own.
struct Sweep {
    folder: TempDir,
}

const GRID: &str = "sweep nvme-knob-matrix:2 --replications 2 --set volume.data.size=256MiB \
                    --vary buffer_count=8..64*2 --vary compression=on,off \
                    --vary backup.stripes=nvme,nowhere";

const VIEWS: [&str; 5] = ["ranking", "best_per_compression", "effects", "efficient", "consistent"];

impl Sweep {
    fn new() -> Self {
        Sweep { folder: TempDir::new().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run_as(&self, grid: &str, name: &str, more: &str) -> Ended {
        let arguments = grid.split_whitespace().chain(more.split_whitespace());
        let mut command = bakcast(arguments);
        command.arg("-o").arg(self.path(name)).output().unwrap().into()
    }

    /// Runs the grid into a file, which must do.
    fn finished(&self, name: &str, more: &str) -> Vec<u8> {
        let ended = self.run_as(GRID, name, more);
        assert_eq!(ended.code, 0, "{more}: {}", ended.stderr);
        self.read(name)
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }
}

#[test]
fn shards_one_after_the_other_are_the_file_of_a_sweep_in_one() {
    let sweep = Sweep::new();
    for extension in ["csv", "ndjson"] {
        let whole = sweep.finished(&format!("whole.{extension}"), "");
        assert_eq!(
            whole.iter().filter(|byte| **byte == b'\n').count() % 2,
            usize::from(extension == "csv")
        );
        for of in [2, 3, 20] {
            let mut together = Vec::new();
            for shard in 1..=of {
                let name = format!("{of}-{shard}.{extension}");
                let ended = sweep.run_as(GRID, &name, &format!("--shard {shard}/{of}"));
                // A shard of nothing but refused configurations says so; its rows are there.
                assert!([0, 3].contains(&ended.code), "{}", ended.stderr);
                together.extend(sweep.read(&name));
            }
            assert!(together == whole, "{of} shards of {extension}");
        }
        for threads in [1, 2, 8] {
            let name = format!("threads-{threads}.{extension}");
            assert!(
                sweep.finished(&name, &format!("--threads {threads}")) == whole,
                "{threads} threads"
            );
        }
    }
}

#[test]
fn a_sweep_goes_on_wherever_its_file_was_cut() {
    let sweep = Sweep::new();
    for extension in ["csv", "ndjson"] {
        let name = format!("whole.{extension}");
        let whole = sweep.finished(&name, "");
        let views = |ended: &Ended| -> Vec<serde_json::Value> {
            let document: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
            VIEWS.map(|view| document["result"][view].clone()).to_vec()
        };
        let json = "--format json --quiet";
        let cut = format!("cut.{extension}");
        let first = sweep.run_as(GRID, &name, json);
        let step = whole.len() / 25;
        let ends = (0..whole.len()).step_by(step).chain([1, whole.len() - 1, whole.len()]);
        for at in ends {
            fs::write(sweep.path(&cut), &whole[..at]).unwrap();
            let ended = sweep.run_as(GRID, &cut, &format!("--resume {json}"));
            assert_eq!(ended.code, 0, "cut at {at}: {}", ended.stderr);
            assert!(sweep.read(&cut) == whole, "cut at {at} of {}", whole.len());
            // What is read back gives the same views as what was run.
            assert_eq!(views(&ended), views(&first), "cut at {at}");
        }
    }
}

#[test]
fn another_sweep_and_another_file_are_not_taken_for_this_one() {
    let sweep = Sweep::new();
    let whole = sweep.finished("a.csv", "");
    for other in ["--seed 2", "--replications 3", "--level 80%", "--set engine.start=1s"] {
        let is_given = other.contains("replications");
        let grid = if is_given { GRID.replace("--replications 2", "") } else { GRID.to_string() };
        let ended = sweep.run_as(&grid, "a.csv", &format!("--resume {other}"));
        assert_eq!(ended.code, 3, "{other}: {}", ended.stderr);
        assert!(
            ended.stderr.contains("line 2") && ended.stderr.contains("--resume"),
            "{}",
            ended.stderr
        );
    }
    for foreign in ["hello", "hello\n", "run,x\n1,2\n", "\n", "\u{fffd}"] {
        fs::write(sweep.path("b.csv"), foreign).unwrap();
        let ended = sweep.run_as(GRID, "b.csv", "--resume");
        assert_eq!(ended.code, 3, "{foreign:?}");
        assert_eq!(sweep.read("b.csv"), foreign.as_bytes(), "what is foreign is left alone");
    }
    let mut longer = whole.clone();
    longer.extend(b"17,");
    fs::write(sweep.path("b.csv"), longer).unwrap();
    assert_eq!(sweep.run_as(GRID, "b.csv", "--resume").code, 3);
    // An unfinished file of this very sweep is not thrown away by mistake.
    fs::write(sweep.path("c.csv"), &whole[..whole.len() - 1]).unwrap();
    let ended = sweep.run_as(GRID, "c.csv", "");
    assert_eq!(ended.code, 2, "{}", ended.stderr);
    assert!(ended.stderr.contains("15 of the 16 rows"), "{}", ended.stderr);
    // A finished one is written again, to the same bytes.
    assert!(sweep.finished("a.csv", "") == whole);
}

#[cfg(unix)]
#[test]
fn a_sweep_that_is_killed_or_interrupted_goes_on_to_the_same_file() {
    let sweep = Sweep::new();
    let grid = GRID.replace("256MiB", "2GiB").replace("8..64*2", "8..40+2");
    let whole = sweep.run_as(&grid, "whole.csv", "");
    assert_eq!(whole.code, 0, "{}", whole.stderr);
    let whole = sweep.read("whole.csv");
    let mut interrupted = 0;
    let mut killed = 0;
    for (round, signal) in ["KILL", "INT", "KILL", "TERM", "KILL"].into_iter().enumerate() {
        let name = format!("{round}.csv");
        let path = sweep.path(&name);
        for kill in 0..10 {
            let mut command = bakcast(grid.split_whitespace());
            command.args(["--resume", "--quiet", "-o"]).arg(&path).stdout(Stdio::null());
            let mut child = command.stderr(Stdio::null()).spawn().unwrap();
            // At any point: before the first row, between rows, within one.
            std::thread::sleep(Duration::from_micros(kill * 700));
            if kill % 2 == 0 {
                grown(&path, whole.len() as u64);
            }
            let id = child.id().to_string();
            let sent =
                std::process::Command::new("kill").args([&format!("-{signal}"), &id]).status();
            assert!(sent.is_ok());
            let code = child.wait().unwrap().code();
            // Whom a signal meets before he listens ends by it.
            assert!([None, Some(0), Some(130)].contains(&code), "{signal}: {code:?}");
            interrupted += usize::from(code == Some(130));
            killed += usize::from(code.is_none());
            let there = fs::read(&path).unwrap_or_default();
            assert!(whole.starts_with(&there), "{signal}: no row is ever another");
        }
        assert_eq!(sweep.run_as(&grid, &name, "--resume").code, 0);
        assert!(sweep.read(&name) == whole, "{signal}");
    }
    assert!(killed > 0, "nothing was killed");
    assert!(interrupted > 0, "no interrupt came in time");
}

/// Waits until a file has grown a little, or to its end, or long enough.
#[cfg(unix)]
fn grown(path: &Path, most: u64) {
    let size = || fs::metadata(path).map_or(0, |metadata| metadata.len());
    let before = size();
    for _ in 0..2000 {
        if size() > before + 1 || size() >= most {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[cfg(unix)]
#[test]
fn a_sweep_whose_disk_was_full_goes_on_to_the_same_file() {
    let sweep = Sweep::new();
    let whole = sweep.finished("whole.csv", "");
    // A disk is as good as full where no file may be larger; the signal that says so is ignored,
    // as it is on a full disk.
    let program = bakcast(std::iter::empty::<&str>());
    let line = format!(
        "trap '' XFSZ; ulimit -f 2; exec {} {GRID} --resume --quiet -o {}",
        program.get_program().display(),
        sweep.path("full.csv").display()
    );
    for _ in 0..2 {
        let ended = std::process::Command::new("sh").args(["-c", &line]).output().unwrap();
        let stderr = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(1), "{stderr}");
        assert!(stderr.contains("full.csv"), "{stderr}");
        let there = sweep.read("full.csv");
        assert!(there.len() < whole.len() && whole.starts_with(&there), "{}", there.len());
    }
    assert!(sweep.finished("full.csv", "--resume") == whole);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said_to_be_full() {
    let sweep = Sweep::new();
    std::os::unix::fs::symlink("/dev/full", sweep.path("full.csv")).unwrap();
    let ended = sweep.run_as(GRID, "full.csv", "");
    assert_eq!(ended.code, 1);
    assert!(ended.stderr.contains("No space left"), "{}", ended.stderr);
}

#[test]
fn the_document_of_a_sweep_has_its_rows_and_five_views() {
    let document = json(GRID);
    let result = &document["result"];
    assert_eq!(result["rows"].as_array().unwrap().len(), 16);
    let row = &result["rows"][0];
    assert_eq!(row["settings"]["backup.buffer_count"], "8");
    for key in ["seconds", "low_seconds", "high_seconds"] {
        assert!(row["backup"][key].is_f64() && row["total"][key].is_f64());
    }
    for key in ["read_bytes", "buffer_memory_bytes", "processor_cores_mean", "events"] {
        assert!(row.get(key).is_some(), "{key}");
    }
    assert!(result["rows"][1]["error"].as_str().unwrap().contains("nowhere"));
    assert_eq!(result["refused"], 8);
    for view in VIEWS {
        assert!(!result[view].as_array().unwrap().is_empty(), "{view}");
    }
    let sum: u64 = result["best_per_compression"]
        .as_array()
        .unwrap()
        .iter()
        .map(|best| best["count"].as_u64().unwrap())
        .sum();
    assert_eq!(sum, 8);
}

#[test]
fn rows_on_standard_output_are_those_of_the_file() {
    let sweep = Sweep::new();
    let file = sweep.finished("rows.csv", "");
    let printed = bakcast(GRID.split_whitespace()).args(["--format", "csv"]).output().unwrap();
    assert!(printed.stdout == file);
}

#[test]
fn what_a_sweep_cannot_do_is_a_matter_of_usage() {
    let sweep = Sweep::new();
    fs::write(sweep.path("list.csv"), "buffer_count,compression\n8,on\n16,\n").unwrap();
    let list = format!("--list {}", sweep.path("list.csv").display());
    let scenario = "sweep nvme-knob-matrix:2 --replications 2 --set volume.data.size=256MiB";
    let listed = json(&format!("{scenario} {list}"));
    assert_eq!(listed["result"]["rows"].as_array().unwrap().len(), 2);
    for (more, code, part) in [
        ("", 2, "nothing is varied"),
        ("--vary buffer_count=8 --vary backup.buffer_count=9", 2, "varied twice"),
        (
            "--vary buffer_count=1..999 --vary engine.start=1..999s+1 --vary verify.enabled=0,1",
            2,
            "latin:",
        ),
        ("--vary buffer_count=8 --shard 0/4", 2, "add 1"),
        ("--vary buffer_count=8 --resume", 2, "--output"),
        ("--list nowhere.csv", 3, "nowhere.csv"),
        ("--vary buffer_count=8 --require backup<=1ms", 4, "not met"),
        ("--vary backup.stripes=nowhere", 3, "no configuration can be run"),
    ] {
        let arguments = scenario.split_whitespace().chain(more.split_whitespace());
        let ended: Ended = bakcast(arguments).output().unwrap().into();
        assert_eq!(ended.code, code, "{more}: {}", ended.stderr);
        assert!(ended.stderr.contains(part), "{more}: {}", ended.stderr);
    }
}
