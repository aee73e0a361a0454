use super::*;

fn labels(spec: &str) -> Vec<String> {
    let vary = Vary::parse(spec).unwrap_or_else(|error| panic!("{error}"));
    vary.settings.into_iter().map(|setting| setting.label).collect()
}

fn sets(spec: &str) -> Vec<String> {
    let settings = Vary::parse(spec).unwrap_or_else(|error| panic!("{error}")).settings;
    let shown = |setting: Setting| match setting.change {
        Change::Sets(sets) => sets.iter().map(Set::to_string).collect::<Vec<_>>().join(" "),
        other => format!("{other:?}"),
    };
    settings.into_iter().map(shown).collect()
}

fn refused(spec: &str) -> String {
    Vary::parse(spec).expect_err(spec).to_string()
}

#[test]
fn lists_and_ranges_are_read_as_people_write_them() {
    assert_eq!(labels("backup.buffer_count=8,16,64"), ["8", "16", "64"]);
    assert_eq!(labels("buffer_count=8..256*2"), ["8", "16", "32", "64", "128", "256"]);
    assert_eq!(labels("BUFFERCOUNT=8..30+8"), ["8", "16", "24"]);
    assert_eq!(labels("buffer_count=3..6"), ["3", "4", "5", "6"]);
    assert_eq!(labels("buffer_count=0,8..32*2,100"), ["0", "8", "16", "32", "100"]);
    let sizes = ["64 KiB", "128 KiB", "256 KiB", "512 KiB", "1 MiB", "2 MiB", "4 MiB"];
    assert_eq!(labels("transfer_size=64KiB..4MiB*2"), sizes);
    assert_eq!(labels("transfer_size=1..4MiB+1"), ["1 MiB", "2 MiB", "3 MiB", "4 MiB"]);
    assert_eq!(labels("volume.data.size=1..2TiB*2"), ["1 TiB", "2 TiB"]);
    assert_eq!(
        labels("device.d1.spindle.read_rate=100MB/s..0.2GB/s+50MB/s"),
        ["100 MB/s", "150 MB/s", "200 MB/s"]
    );
    assert_eq!(labels("compression.ratio=2..4*1.5"), ["2", "3"]);
    assert_eq!(labels("engine.start=0.1s..0.3s+100ms"), ["0.1 s", "0.2 s", "0.3 s"]);
}

#[test]
fn values_become_what_set_takes() {
    assert_eq!(sets("compression=on,off"), ["backup.compression=on", "backup.compression=off"]);
    assert_eq!(sets("buffer_count=0"), ["backup.buffer_count=default"]);
    assert_eq!(sets("maxtransfersize=1048576"), ["backup.transfer_size=1048576 B"]);
    assert_eq!(
        sets("stripes=d1|d1,d2|d1,d2,d3"),
        ["backup.stripes=d1", "backup.stripes=d1,d2", "backup.stripes=d1,d2,d3"]
    );
    assert_eq!(sets("stripes=d1,d1+d2"), ["backup.stripes=d1", "backup.stripes=d1,d2"]);
    assert_eq!(sets("stripes=[\"d1\",\"d2\"]"), ["backup.stripes=[\"d1\",\"d2\"]"]);
    assert_eq!(sets("device.d1.like=sata-ssd"), ["device.d1={like = \"sata-ssd\"}"]);
    // Rates that were written do not stay, if the library has some.
    let zstd = ["compression.rate=default compression.like=ZSTD-LOW"];
    assert_eq!(sets("algorithm=ZSTD-LOW"), zstd);
    assert_eq!(sets("logical_processors=4"), ["processor.logical_processors=4"]);
    assert_eq!(
        sets("backup={buffer_count=64, compression=true};{}"),
        ["backup.buffer_count=64 backup.compression=true", ""]
    );
    assert_eq!(sets("variant=2,5"), ["Variant(\"2\")", "Variant(\"5\")"]);
}

#[test]
fn what_cannot_be_meant_is_refused_with_what_can() {
    for (spec, parts) in [
        ("", &["PATH=V1,V2"][..]),
        ("=1", &["PATH=V1,V2"]),
        ("backup.buffer_count", &["names no values", "backup.buffer_count=8,16,64"]),
        ("backup.bufer_count=1", &["no knob", "did you mean `backup.buffer_count`"]),
        ("buffer_count=8,x", &["backup.buffer_count", "a whole number from"]),
        ("buffer_count=8,,9", &["a value is empty", "default"]),
        ("buffer_count=8,8", &["`8` stands twice"]),
        ("buffer_count=8..4", &["ends before it begins"]),
        ("buffer_count=8..64*1", &["does not grow"]),
        ("buffer_count=0..64*2", &["does not grow", "above 0"]),
        ("buffer_count=8..64+0", &["does not grow"]),
        ("buffer_count=8..64*x", &["no factor"]),
        ("buffer_count=8..nan", &["accepted: a number"]),
        ("buffer_count=1..99999999", &["more than 1000 values"]),
        ("buffer_count=1..1e300*1.0000001", &["more than 1000 values"]),
        ("transfer_size=64KiB..4MiB", &["`*2` or `+8`"]),
        ("transfer_size=64KiB..4MB/s*2", &["accepted: a number with one of KiB, MiB, B"]),
        ("transfer_size=64..128*2", &["backup.transfer_size"]),
        ("backup={buffer_count=64", &["left open"]),
        ("backup={buffer_count=}", &["not TOML"]),
        ("backup={bufer_count=8}", &["no knob", "backup.buffer_count"]),
        ("backup=8", &["table"]),
        ("device.d1.like=sata-sdd", &["sata-ssd"]),
        ("algorithm=ZSTD_LOW", &["ZSTD-LOW"]),
        ("compression=maybe", &["backup.compression", "true"]),
    ] {
        let error = refused(spec);
        for part in parts {
            assert!(error.contains(part), "{spec}: `{part}` is not in: {error}");
        }
        assert!(error.contains("--vary `"), "{error}");
    }
}

#[test]
fn hostile_text_is_refused_shortly_and_at_once() {
    let long = format!("buffer_count={}", "8,".repeat(500_000));
    let deep = format!("backup={}", "[".repeat(100_000));
    for spec in [&long, &deep, "buffer_count=\u{1b}[31m", "a\nb=1", "buffer_count=8\u{0}"] {
        let error = refused(spec);
        assert!(error.chars().count() < 600, "{}", error.len());
        assert!(!error.contains(['\u{1b}', '\n', '\u{0}']), "{error:?}");
    }
}

#[test]
fn settings_made_elsewhere_are_held_to_the_same_limits() {
    let setting = |label: usize| Setting { label: label.to_string(), change: Change::Nothing };
    assert!(Vary::new("sql", vec![setting(1), setting(2)]).is_ok());
    assert!(Vary::new("sql", Vec::new()).is_err());
    assert!(Vary::new("sql", vec![setting(1), setting(1)]).is_err());
    assert!(Vary::new("sql", (0..=MOST_VALUES).map(setting).collect()).is_err());
}
