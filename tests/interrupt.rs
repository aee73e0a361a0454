//! Who no longer wants an answer ends the work at once, and nothing half-written is left.

#![cfg(unix)]

use std::process::{Command, Stdio};
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
    ] {
        interrupted(arguments);
    }
}
