//! Long runs: the middle is carried forward at the rate that was measured, and comes to the same
//! as if every transfer had been simulated.

use bakcast_scenarios::predict::{PredictOptions, Prediction, Range, durations};
use bakcast_tests::{json, load};

/// Large enough to be carried forward, small enough to be simulated in full beside it.
const LONG: [(&str, &[&str]); 7] = [
    ("disk-to-usb-disk", &["volume.data.size=40 GiB"]),
    ("disk-to-usb-disk:uncompressed", &["volume.data.size=40 GiB"]),
    ("san-to-share-10gbe", &["volume.data.size=60 GiB"]),
    // Its stalls are few and long, so it takes many transfers to know its rate.
    ("nvme-knob-matrix:2", &["volume.data.size=200 GiB"]),
    ("usb3-laptop:2.2", &["volume.data.size=40 GiB"]),
    // The second job starts when the first is under way.
    (
        "two-backups-one-share",
        &[
            "volume.data.size=80 GiB",
            "beside.Orders.volume.data.size=60 GiB",
            "beside.Orders.starts=15 s",
        ],
    ),
    // Its burst credit runs dry half way.
    (
        "cloud-capped-disks",
        &["volume.data.size=60 GiB", "device.data-disk.capped.burst.credit=4 GB"],
    ),
];

fn predicted(name: &str, sets: &[&str], exact: bool) -> Prediction {
    let options = PredictOptions { seed: 3, replications: 12, exact, ..PredictOptions::DEFAULT };
    durations(&load(name, sets).resolved, &options).unwrap()
}

#[test]
fn a_run_that_is_carried_forward_comes_to_what_a_full_one_does() {
    for (name, sets) in LONG {
        let (usual, full) = (predicted(name, sets, false), predicted(name, sets, true));
        assert!(usual.extrapolated_bytes > 0, "{name} is not carried forward");
        assert_eq!(full.extrapolated_bytes, 0, "{name}");
        assert!(usual.events < full.events / 2, "{name}: {} of {}", usual.events, full.events);
        assert_eq!(usual.backup.written_bytes, full.backup.written_bytes, "{name}");
        let close = |what: &str, usual: Range, full: Range| {
            let error = usual.median / full.median - 1.0;
            assert!(error.abs() < 0.01, "{name}: {what} {} against {}", usual.median, full.median);
        };
        close("backup", usual.backup.seconds, full.backup.seconds);
        close("both", usual.total_seconds, full.total_seconds);
        let stations = usual.backup.stations.iter().zip(&full.backup.stations);
        for (usual, full) in stations {
            let difference = (usual.working - full.working).abs();
            assert!(difference < 0.01, "{name}: {} works {difference} of the time", usual.name);
        }
    }
}

#[test]
fn a_document_says_what_was_carried_forward() {
    let of = |option: &str| {
        let scenario = "disk-to-usb-disk --set volume.data.size=40GiB --replications 2";
        json(&format!("predict {scenario} {option}"))["result"]["extrapolated_bytes"].clone()
    };
    assert!(of("").as_u64().unwrap() > 0);
    assert_eq!(of("--exact"), 0);
}

/// A size that nobody could simulate transfer by transfer is answered all the same.
#[test]
fn a_petabyte_is_answered() {
    let result = &json("predict san-to-share-10gbe --set volume.data.size=1PiB")["result"];
    assert_eq!(result["read_bytes"], 1_u64 << 50);
    // As many bytes at the rate of the array, and little more.
    let bound = (1_u64 << 50) as f64 / 1e9;
    let seconds = result["backup"]["seconds"].as_f64().unwrap();
    assert!(seconds > 0.9 * bound && seconds < 1.2 * bound, "{seconds} against {bound}");
}
