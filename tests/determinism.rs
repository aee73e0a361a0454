//! The same scenario, seed and version give the same bytes, on any number of threads.

use bakcast_tests::{json, stdout};

/// Commands with different shapes of work: one backup, several devices, a fit's table.
const COMMANDS: [&str; 12] = [
    "predict nvme-knob-matrix:2",
    "predict usb3-laptop:2.4",
    "predict san-to-share-10gbe --replications 9 --set volume.data.size=2GiB",
    "predict two-backups-one-share",
    "predict night-200-databases --replications 3",
    "recommend night-200-databases --schedule --replications 3 --tries 60",
    "predict four-volumes-nvme --replications 9 --set restore.enabled=true --require restore<=1h",
    "explain two-backups-one-share --replications 3 --set beside.Orders.volume.data.size=40GiB",
    "explain nvme-knob-matrix:8 --replications 5",
    "validate --replications 3",
    "predict usb3-laptop:2.2 --replications 6 --precision 1.5% --replications-max 60",
    "validate nvme-knob-matrix --replications 6 --precision 2% --replications-max 20",
];

#[test]
fn the_number_of_threads_does_not_change_a_byte() {
    for command in COMMANDS {
        let on = |threads: u32| stdout(&format!("{command} --format json --threads {threads}"));
        let one = on(1);
        assert!(one.len() > 1000, "{command}: {one}");
        for threads in [2, 8] {
            assert!(on(threads) == one, "{command} differs on {threads} threads");
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_seed_other_ones() {
    let with =
        |seed: u64| stdout(&format!("predict nvme-knob-matrix:2 --format json --seed {seed}"));
    let first = with(3);
    assert!(first == with(3));
    let other = with(4);
    let durations = |text: &str| {
        let document: serde_json::Value = serde_json::from_str(text).unwrap();
        (document["seed"].clone(), document["result"]["backup"].clone())
    };
    let ((seed, backup), (other_seed, other_backup)) = (durations(&first), durations(&other));
    assert_eq!((seed, other_seed), (3.into(), 4.into()));
    assert_ne!(backup, other_backup);
}

#[test]
fn the_seed_is_a_constant_that_every_document_states() {
    let first = json("predict nvme-knob-matrix:2");
    assert_eq!(first["seed"], json("predict nvme-knob-matrix:2 --seed 1")["seed"]);
    assert_eq!(first, json("predict nvme-knob-matrix:2"));
}

#[test]
fn text_is_as_repeatable_as_json() {
    for format in ["text", "csv", "markdown"] {
        let on = |threads: u32| {
            stdout(&format!("predict usb3-laptop:1.3 --format {format} --threads {threads}"))
        };
        assert!(on(1) == on(8), "{format}");
    }
}
