//! Who no longer wants an answer ends the work at once, and nothing half-written is left.

#![cfg(unix)]

use std::process::{Command, Output, Stdio};
use std::time::Duration;

use bakcast_tests::bakcast;
use tempfile::TempDir;

/// Interrupts a command that would take long, later and later until it listens.
fn interrupted(arguments: &str) {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("answer.json");
    for wait in [100, 200, 400, 800, 1600, 3200, 6400] {
        let mut command = bakcast(arguments.split_whitespace());
        command.args(["--quiet", "-o"]).arg(&file);
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(sent.unwrap().success(), "{arguments}: it ended by itself");
        let ended = child.wait_with_output().unwrap();
        let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
        assert!(left.is_empty(), "{left:?}");
        // Whom a signal meets before he listens ends by it.
        match ended.status.code() {
            None => continue,
            code => assert_eq!(code, Some(130)),
        }
        let stderr = String::from_utf8_lossy(&ended.stderr);
        assert!(stderr.contains("interrupted"), "{stderr}");
        return;
    }
    panic!("{arguments}: it never listened");
}

#[test]
fn questions_end_when_they_are_interrupted() {
    for arguments in [
        "ask striping nvme-knob-matrix:2 --replications 50000",
        "compare nvme-knob-matrix:2 --vary buffer_count=8,16 --replications 50000",
        "need usb3-laptop:2.1 --window 1min --replications 50000",
        "plan usb3-laptop:2.1 --window 1h --growth 3%/month --replications 50000",
        "recommend nvme-knob-matrix:1 --replications 50000",
        "recommend night-200-databases --schedule --replications 500",
        "predict night-200-databases --replications 500",
        "predict usb3-laptop:2.4 --replications 50000",
        "report usb3-laptop:2.1 --compare usb3-laptop:2.2 usb3-laptop:2.3 --replications 50000",
        "explain usb3-laptop:2.4 --replications 50000",
    ] {
        interrupted(arguments);
    }
}

/// Interrupts a command as soon as it is time.
fn interrupted_when(command: &mut Command, mut is_time: impl FnMut() -> bool) -> Output {
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    while !is_time() {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        std::thread::sleep(Duration::from_millis(10));
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.unwrap().success(), "it ended by itself");
    child.wait_with_output().unwrap()
}

#[test]
fn a_sweep_ends_within_a_configuration_and_goes_on_where_it_ended() {
    let folder = TempDir::new().unwrap();
    // The first two rows take a moment; those after them are of a size that nobody waits for.
    let list = folder.path().join("list.csv");
    let sizes = ["1 GiB", "2 GiB", "900 TiB", "901 TiB"];
    let lines: Vec<String> = sizes.iter().map(|size| format!("{size}\n")).collect();
    let headed = format!("volume.data.size\n{}", lines.concat());
    std::fs::write(&list, headed).unwrap();
    let rows = folder.path().join("rows.csv");
    let sweep = |is_resumed: bool| {
        let mut command = bakcast(["sweep", "usb3-laptop:2.1", "--quiet", "--exact"]);
        command.args(["--replications", "2", "--list"]).arg(&list).arg("-o").arg(&rows);
        if is_resumed {
            command.arg("--resume");
        }
        command
    };
    let text = || std::fs::read_to_string(&rows).unwrap_or_default();
    let has_both = || text().lines().count() == 3;
    for is_resumed in [false, true] {
        let ended = interrupted_when(&mut sweep(is_resumed), has_both);
        let stderr = String::from_utf8_lossy(&ended.stderr);
        if is_resumed && ended.status.code().is_none() {
            // It was met before it listened: the rows were there.
            continue;
        }
        assert_eq!(ended.status.code(), Some(130), "{stderr}");
        if !is_resumed {
            assert!(stderr.contains("interrupted after 2 of 4 rows"), "{stderr}");
            assert!(stderr.contains("--resume"), "{stderr}");
        }
        assert!(text().ends_with('\n') && has_both(), "{}", text());
    }
}

#[test]
fn a_trace_that_is_interrupted_leaves_no_file() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("trace.json");
    let mut command = bakcast(["trace", "usb3-laptop:2.4", "--quiet"]);
    command.args(["--set", "volume.data.size=20 GiB", "-o"]).arg(&file);
    let begun = || std::fs::read_dir(folder.path()).unwrap().next().is_some();
    let ended = interrupted_when(&mut command, begun);
    assert_eq!(ended.status.code(), Some(130));
    assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none());
}
