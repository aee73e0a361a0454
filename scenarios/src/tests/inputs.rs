//! What documents show of a scenario: resolved inputs, statement, warnings.

use serde_json::json;

use super::{SMALL, load, load_with, small_with};
use crate::WarningCode;

#[test]
fn resolved_inputs_carry_units_and_every_default() {
    let inputs = load(SMALL).unwrap().resolved_inputs();
    assert_eq!(inputs["name"], "test.toml");
    assert_eq!(inputs["volume"]["data"]["size_bytes"], json!(6_442_450_944_u64));
    let device = &inputs["device"]["target"];
    assert_eq!(device["spindle"]["read_rate_bytes_per_second"], json!(120e6));
    assert_eq!(device["spindle"]["positioning_seconds"], json!(0.008));
    assert_eq!(device["run_to_run_fraction"], json!(0.04));
    let backup = &inputs["backup"];
    assert_eq!(backup["buffer_count"], json!(7));
    assert_eq!(backup["transfer_size_bytes"], json!(1 << 20));
    assert_eq!(backup["block_size_bytes"], json!(512));
    assert_eq!(backup["compression"], json!(false));
    assert_eq!(inputs["verify"]["enabled"], json!(true));
    assert_eq!(inputs["verify"]["buffer_count"], json!(7));
    assert_eq!(inputs["engine"]["start_seconds"], json!(0.26));
    assert!(!inputs.to_string().contains("null"), "absent means unknown");
}

#[test]
fn the_statement_is_the_one_of_the_article() {
    let sets = ["backup.compression=on", "backup.buffer_count=64", "backup.transfer_size=4MiB"];
    let loaded = load_with(SMALL, None, &sets).unwrap();
    assert_eq!(
        loaded.statement(),
        "BACKUP DATABASE [Sales]\n\
         TO DISK = N'target:\\Sales.bak'\n\
         WITH COPY_ONLY, INIT, COMPRESSION, BUFFERCOUNT = 64, MAXTRANSFERSIZE = 4194304;"
    );
}

#[test]
fn the_statement_quotes_what_needs_quoting() {
    let text = small_with("title", "database = { name = \"it's [a] \\\"b\\\"/c\" }\ntitle");
    let sets = ["backup.stripes=target,nul", "device.nul.null={}", "backup.block_size=64KiB"];
    let loaded = load_with(&text, None, &sets).unwrap();
    assert_eq!(
        loaded.statement(),
        "BACKUP DATABASE [it's [a]] \"b\"/c]\n\
         TO DISK = N'target:\\it''s [a] _b__c_1.bak',\n   \
            DISK = N'NUL'\n\
         WITH COPY_ONLY, INIT, NO_COMPRESSION, BLOCKSIZE = 65536;"
    );
}

#[test]
fn doubtful_scenarios_are_warned_about() {
    let codes = |sets: &[&str]| {
        let loaded = load_with(SMALL, None, sets).unwrap();
        loaded.resolved.warnings.iter().map(|warning| warning.code).collect::<Vec<_>>()
    };
    assert_eq!(codes(&[]), []);
    assert_eq!(codes(&["backup.stripes=source"]), [WarningCode::SourceIsTarget]);
    let share = ["device.target.like=10gbe-share", "device.target.spindle=default"];
    assert_eq!(codes(&share), [WarningCode::LinkIsLast]);
    assert_eq!(
        codes(&["backup.buffer_count=256", "backup.transfer_size=4MiB"]),
        [],
        "1 GiB exactly is not more than 1 GiB"
    );
    assert_eq!(
        codes(&["backup.buffer_count=128", "backup.transfer_size=4MiB", "backup.compression=on"]),
        [WarningCode::LargeBufferMemory]
    );
    assert_eq!(
        codes(&["backup.buffer_count=1", "backup.stripes=target,target"]),
        [WarningCode::FewerBuffersThanStripes]
    );
    assert_eq!(
        codes(&["volume.data.size=16MiB", "backup.buffer_count=17"]),
        [WarningCode::BuffersExceedData]
    );
    assert_eq!(
        codes(&[
            "device.source.fixed_rate=default",
            "device.source.spindle.read_rate=1MB/s",
            "device.source.spindle.write_rate=1MB/s",
            "device.source.spindle.capacity=1GiB"
        ]),
        [WarningCode::VolumeExceedsCapacity]
    );
}

#[test]
fn verification_can_be_turned_off() {
    let loaded = load_with(SMALL, None, &["verify.enabled=false"]).unwrap();
    assert!(loaded.resolved.verification.is_none());
    assert_eq!(loaded.resolved_inputs()["verify"]["enabled"], json!(false));
}

#[test]
fn a_way_is_resolved_from_the_host_outwards() {
    let text = format!(
        "{SMALL}[device.target]\nvia = [\"z\", \"a\"]\n[device.a.link]\nrate = \"1 GB/s\"\n\
         [device.z.fixed_rate]\nrate = \"1 GB/s\"\n"
    );
    let resolved = load(&text).unwrap().resolved;
    let names: Vec<_> = resolved.machine.devices.iter().map(|device| &device.name).collect();
    assert_eq!(names, ["a", "source", "target", "z"]);
    assert_eq!(resolved.backup.stripes[0].via, [3, 0]);
    assert_eq!(resolved.backup.stripes[0].device, 2);
}
