//! Users and other load: what is refused, what is taken where nothing is said, and that none of it
//! is nothing.

use bakcast_models::quantity::{Fraction, Period};

use super::{SMALL, load, load_with, only, problems_of, small_with};
use crate::predict::{PredictOptions, durations};
use crate::{Problem, ProblemKind};

fn refused(text: &str, sets: &[&str]) -> Problem {
    only(problems_of(load_with(text, None, sets)))
}

#[test]
fn no_other_load_is_the_same_as_none_said() {
    let said = ["device.source.other_load=0 %", "processor.other_load=0%"];
    let (plain, said) = (load(SMALL).unwrap(), load_with(SMALL, None, &said).unwrap());
    assert_eq!(said.resolved.machine, plain.resolved.machine);
    assert!(said.resolved.machine.devices.iter().all(|device| device.others.is_none()));
}

#[test]
fn a_request_takes_what_the_device_takes_for_one() {
    let sets = ["device.source.other_load=30%", "device.target.other_load=20%"];
    let others = |text: &str, sets: &[&str]| {
        let loaded = load_with(text, None, sets).unwrap();
        loaded.resolved.machine.devices.iter().map(|d| d.others.unwrap()).collect::<Vec<_>>()
    };
    let found = others(SMALL, &sets);
    assert_eq!(found[0].share, Fraction::percent(30));
    // 64 KiB at 400 MB/s, and the positioning of a disk.
    assert_eq!(found[0].request, Period::from_nanos(163_840));
    assert_eq!(found[1].request, Period::from_nanos(8_000_000));
    let own = "device.target.other_request=3 ms";
    assert_eq!(others(SMALL, &[&sets[..], &[own]].concat())[1].request.to_string(), "3 ms");
    let drive = small_with("[device.target.spindle]", "[device.target.solid_state]");
    assert_eq!(others(&drive, &sets)[1].request.to_string(), "100 us");
}

#[test]
fn what_leaves_nothing_to_a_backup_is_refused() {
    for (set, accepted) in [
        ("device.source.other_load=90.1 %", "at most 90 %"),
        ("processor.other_load=100 %", "at most 90 %"),
        ("device.target.other_request=9 us", "from 10 us to 10 s"),
        ("processor.other_request=11 s", "from 10 us to 10 s"),
    ] {
        let found = refused(SMALL, &[set]);
        let path = set.split('=').next().unwrap();
        assert_eq!((found.kind, found.path.as_str()), (ProblemKind::OutOfRange, path));
        assert_eq!(found.accepted, accepted, "{set}");
    }
    load_with(SMALL, None, &["device.source.other_load=90 %"]).unwrap();
}

#[test]
fn nobody_else_uses_nul_and_the_packets_of_a_link_have_no_length() {
    let nul = small_with(
        "[device.target.spindle]\nread_rate = \"120 MB/s\"\nwrite_rate = \"110 MB/s\"",
        "[device.target.null]",
    );
    let found = refused(&nul, &["device.target.other_load=10 %"]);
    assert_eq!(found.kind, ProblemKind::UnfitDevice);
    assert_eq!(found.path, "device.target.other_load");
    load_with(&nul, None, &["device.target.other_load=0 %"]).unwrap();
    let link = small_with("[device.source.fixed_rate]", "[device.source.link]");
    load_with(&link, None, &["device.source.other_load=40 %"]).unwrap();
    let found = refused(&link, &["device.source.other_request=1 ms"]);
    assert_eq!(found.kind, ProblemKind::UnfitDevice);
    assert!(found.message.contains("lower rate"), "{}", found.message);
}

#[test]
fn users_of_the_source_and_of_processors_make_a_backup_longer() {
    let seconds = |sets: &[&str]| {
        let loaded = load_with(SMALL, None, sets).unwrap();
        let options = PredictOptions { replications: 4, ..PredictOptions::DEFAULT };
        durations(&loaded.resolved, &options).unwrap().backup.seconds.median
    };
    let compressed = "backup.compression=true";
    // So slow that it is never idle, users or not.
    let slow = "device.source.fixed_rate.rate=40 MB/s";
    let alone = seconds(&[compressed, slow]);
    let users = seconds(&[compressed, slow, "device.source.other_load=50%"]);
    assert!((users / alone - 2.0).abs() < 0.06, "{users} s instead of {alone} s");
    let alone = seconds(&[compressed]);
    assert!(seconds(&[compressed, "processor.other_load=70%"]) > 1.3 * alone);
}
