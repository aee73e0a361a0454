//! A restore as a part of a prediction.

use super::{SMALL, load_with};
use crate::predict::{PredictOptions, Prediction, predict};
use crate::{Loaded, Scenario, Set};

const OPTIONS: PredictOptions = PredictOptions { replications: 5, ..PredictOptions::DEFAULT };

fn shipped(name: &str, sets: &[&str]) -> Loaded {
    let sets: Vec<Set> = sets.iter().map(|set| Set::parse(set).unwrap()).collect();
    Scenario::load_reference(name, &sets).unwrap()
}

fn predicted(loaded: &Loaded) -> Prediction {
    predict(&loaded.resolved, &OPTIONS).unwrap()
}

#[test]
fn a_restore_is_asked_for_and_changes_nothing_else() {
    for name in ["usb3-laptop:2.4", "four-volumes-nvme:eight-files", "two-backups-one-share"] {
        let plain = predicted(&shipped(name, &[]));
        let with = predicted(&shipped(name, &["restore.enabled=true"]));
        assert!(plain.restore.is_none());
        let restore = with.restore.as_ref().unwrap();
        assert_eq!((&with.backup, &with.verify), (&plain.backup, &plain.verify), "{name}");
        assert_eq!(with.total_seconds, plain.total_seconds);
        assert!(with.events > plain.events);
        assert_eq!(restore.read_bytes, with.backup.written_bytes);
        assert_eq!(restore.written_bytes, with.backup.read_bytes);
        assert!(restore.bottleneck.as_ref().is_some_and(|found| !found.stages.is_empty()));
        assert!(restore.beside.is_empty());
    }
}

#[test]
fn buffers_are_those_of_a_backup_unless_written() {
    let restoration = |sets: &[&str]| {
        let sets: Vec<&str> = ["restore.enabled=true"].iter().chain(sets).copied().collect();
        shipped("usb3-laptop:2.4", &sets).resolved.restoration.unwrap()
    };
    // Three stripes and one volume.
    assert_eq!(restoration(&["backup.buffer_count=99"]).buffer_count, 17);
    assert_eq!(restoration(&["restore.buffer_count=5"]).buffer_count, 5);
    assert!(shipped("usb3-laptop:2.4", &[]).resolved.restoration.is_none());
}

/// The same device serves the verification and the reading side of the restore, and the speeds of
/// the night are the same: where both wait for it alone, they take the same time each night.
#[test]
fn a_night_has_the_same_speeds_for_every_operation() {
    let fast = "device.source.fixed_rate.rate=100 GB/s";
    let sets = ["restore.enabled=true", fast, "device.target.spindle.variability=0"];
    let loaded = load_with(SMALL, None, &sets).unwrap();
    let prediction = predicted(&loaded);
    let (verify, restore) = (prediction.verify.unwrap(), prediction.restore.unwrap());
    for (verify, restore) in verify.elapsed_seconds.iter().zip(&restore.elapsed_seconds) {
        assert!((restore / verify - 1.0).abs() < 0.01, "{restore} s, verified in {verify} s");
    }
    let first = verify.elapsed_seconds[0];
    assert!(verify.elapsed_seconds.iter().any(|seconds| (seconds / first - 1.0).abs() > 0.005));
}

#[test]
fn the_statement_says_what_is_predicted() {
    let sets = ["restore.enabled=true", "restore.buffer_count=50"];
    let loaded = shipped("usb3-laptop:1.1", &sets);
    let statement = loaded.restore_statement().unwrap();
    assert!(statement.starts_with("RESTORE DATABASE [Sales]\nFROM DISK = N'"), "{statement}");
    let options = "WITH REPLACE, BUFFERCOUNT = 50, MAXTRANSFERSIZE = 1048576;";
    assert!(statement.ends_with(options), "{statement}");
    assert_eq!(shipped("usb3-laptop:1.1", &[]).restore_statement(), None);
}

#[test]
fn what_is_zeroed_makes_it_longer() {
    let seconds = |zeroed: &str| {
        let zeroed = format!("restore.zeroed={zeroed}");
        predicted(&shipped("usb3-laptop:1.1", &["restore.enabled=true", &zeroed])).restore
    };
    let (none, some) = (seconds("0 B").unwrap(), seconds("2 GiB").unwrap());
    assert!(some.seconds.median > none.seconds.median);
    assert_eq!(some.written_bytes, none.written_bytes);
}
