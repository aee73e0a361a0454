//! Warnings about disks too small for what lies on them.

use super::{SMALL, load};
use crate::{Warning, WarningCode};

fn warnings(from: &str, to: &str) -> Vec<Warning> {
    let all = load(&SMALL.replace(from, to)).unwrap().resolved.warnings;
    let of_capacity =
        [WarningCode::VolumeExceedsCapacity, WarningCode::BackupExceedsCapacity].as_slice();
    all.into_iter().filter(|warning| of_capacity.contains(&warning.code)).collect()
}

fn codes(from: &str, to: &str) -> Vec<WarningCode> {
    warnings(from, to).into_iter().map(|warning| warning.code).collect()
}

/// The source as a disk of 10 GB that holds two volumes.
fn two_volumes(size: &str) -> String {
    format!(
        "[volume.more]\ndevice = \"source\"\nsize = \"{size}\"\n\n[device.source.spindle]\n\
         capacity = \"10 GiB\"\nwrite_rate = \"1 MB/s\"\nread_rate"
    )
}

#[test]
fn volumes_that_together_exceed_their_disk_are_warned_about() {
    let fixed = "[device.source.fixed_rate]\nrate";
    assert_eq!(codes(fixed, &two_volumes("4 GiB")), []);
    let found = warnings(fixed, &two_volumes("5 GiB"));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].code, WarningCode::VolumeExceedsCapacity);
    assert_eq!(
        found[0].text,
        "volumes `data`, `more` hold 11 GiB, but the disk `source` only 10 GiB"
    );
}

#[test]
fn backup_files_that_exceed_their_disk_are_warned_about() {
    let target = |capacity: &str| format!("[device.target.spindle]\ncapacity = \"{capacity}\"\n");
    let from = "[device.target.spindle]\n";
    assert_eq!(codes(from, &target("6 GiB")), []);
    let found = warnings(from, &target("5 GiB"));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].code, WarningCode::BackupExceedsCapacity);
    assert_eq!(
        found[0].text,
        "about 6.0 GiB of backup go to the disk `target`, which holds only 5 GiB"
    );
}

#[test]
fn compression_and_further_stripes_make_a_backup_smaller_on_its_disk() {
    let disk = "[device.target.spindle]\ncapacity = \"2 GiB\"\n";
    let text = SMALL.replace("[device.target.spindle]\n", disk);
    let with = |backup: &str| {
        let loaded = load(&text.replace("stripes = [\"target\"]", backup)).unwrap();
        loaded.resolved.warnings.iter().any(|w| w.code == WarningCode::BackupExceedsCapacity)
    };
    assert!(with("stripes = [\"target\"]"));
    assert!(!with("stripes = [\"target\"]\ncompression = true"));
    assert!(with("stripes = [\"target\", \"other\"]\n[device.other.null]"));
    assert!(!with("stripes = [\"target\", \"other\", \"other\"]\n[device.other.null]"));
    assert!(with("stripes = [\"target\", \"target\", \"other\"]\n[device.other.null]"));
}

#[test]
fn volumes_and_backup_files_on_one_disk_are_added_up() {
    let disk = |capacity: &str| {
        let spindle = format!("[device.target.spindle]\ncapacity = \"{capacity}\"\n");
        SMALL
            .replace("[device.target.spindle]\n", &spindle)
            .replace("device = \"source\"", "device = \"target\"")
    };
    let codes = |capacity: &str| {
        let warnings = load(&disk(capacity)).unwrap().resolved.warnings;
        warnings.into_iter().map(|warning| warning.code).collect::<Vec<_>>()
    };
    use WarningCode::*;
    assert_eq!(codes("12 GiB"), [SourceIsTarget]);
    assert_eq!(codes("11 GiB"), [SourceIsTarget, BackupExceedsCapacity]);
    assert_eq!(codes("5 GiB"), [SourceIsTarget, VolumeExceedsCapacity]);
}
