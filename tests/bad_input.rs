//! Input that cannot be meant is refused: the right exit code, a message to act on, nothing on
//! standard output, never a panic.

use std::fs::{self, File};
use std::path::Path;

use bakcast_tests::{Ended, bakcast, run};
use tempfile::TempDir;

/// A scenario without a fault, to be given one.
const GOOD: &str = r#"title = "A disk to a disk"

[volume.data]
device = "one"
size = "64 MiB"

[device.one.spindle]
read_rate = "100 MB/s"
write_rate = "90 MB/s"

[device.two.spindle]
read_rate = "100 MB/s"
write_rate = "90 MB/s"

[processor]
logical_processors = 4

[backup]
stripes = ["two"]
buffer_count = 7
"#;

/// Predicts a scenario file of these bytes.
fn predict(bytes: &[u8]) -> Ended {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("mine.toml");
    fs::write(&path, bytes).unwrap();
    predict_file(&path)
}

fn predict_file(path: &Path) -> Ended {
    let command = ["predict".as_ref(), path.as_os_str()];
    bakcast(command).output().unwrap().into()
}

/// Refused with this code, nothing on standard output, every one of the words in the message.
fn refused(ended: &Ended, code: i32, words: &[&str]) {
    assert_eq!(ended.code, code, "{ended:?}");
    assert_eq!(ended.stdout, "", "{}", ended.stderr);
    assert!(!ended.stderr.contains("panicked"), "{}", ended.stderr);
    assert!(ended.stderr.len() < 4000, "{} bytes of message", ended.stderr.len());
    for word in words {
        assert!(ended.stderr.contains(word), "no `{word}` in:\n{}", ended.stderr);
    }
}

/// The good scenario with one line replaced is refused, and the message shows file and line.
fn refused_with(good: &str, bad: &str, words: &[&str]) {
    assert!(GOOD.contains(good), "{good}");
    let text = GOOD.replacen(good, bad, 1);
    let ended = predict(text.as_bytes());
    refused(&ended, 3, words);
    let first = bad.lines().next().unwrap();
    let line = text.lines().count() - text.lines().rev().position(|l| l.contains(first)).unwrap();
    let place = format!("mine.toml:{line}:");
    assert!(ended.stderr.contains(&place), "no {place} in:\n{}", ended.stderr);
}

#[test]
fn the_good_scenario_is_predicted() {
    let ended = predict(GOOD.as_bytes());
    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
    assert!(ended.stdout.contains("backup"), "{}", ended.stdout);
}

#[test]
fn an_unknown_key_is_refused_by_name_with_what_was_probably_meant() {
    refused_with(
        "buffer_count = 7",
        "bufer_count = 7",
        &["`bufer_count`", "did you mean `backup.buffer_count`?", "accepted", "`transfer_size`"],
    );
    refused_with("[processor]", "[procesor]", &["procesor", "did you mean `processor`?"]);
}

#[test]
fn a_quantity_without_a_unit_is_refused_with_what_to_write() {
    refused_with("\"100 MB/s\"", "\"100\"", &["device.one.spindle.read_rate", "unit", "MB/s"]);
    refused_with("\"64 MiB\"", "64", &["volume.data.size", "unit", "GiB"]);
    refused_with("\"100 MB/s\"", "\"100 MB\"", &["device.one.spindle.read_rate", "100 MB"]);
}

#[test]
fn a_rate_of_nothing_is_refused() {
    for bad in ["0 MB/s", "0.0 MB/s", "1e-300 MB/s"] {
        let words = ["device.one.spindle.read_rate", bad, "accepted"];
        refused_with("\"100 MB/s\"", &format!("\"{bad}\""), &words);
    }
}

#[test]
fn a_number_that_is_none_is_refused() {
    for bad in ["\"NaN MB/s\"", "\"inf MB/s\"", "nan", "inf"] {
        refused_with("\"100 MB/s\"", bad, &["device.one.spindle.read_rate", "accepted"]);
    }
}

#[test]
fn a_negative_number_is_refused() {
    refused_with("\"100 MB/s\"", "\"-100 MB/s\"", &["-100 MB/s", "accepted"]);
    refused_with("\"64 MiB\"", "\"-64 MiB\"", &["-64 MiB", "accepted"]);
    refused_with("buffer_count = 7", "buffer_count = -7", &["backup.buffer_count", "-7"]);
}

#[test]
fn a_size_beyond_all_storage_is_refused() {
    refused_with("\"64 MiB\"", "\"1e30 B\"", &["volume.data.size", "1e30 B", "accepted"]);
    let digits = format!("\"1{} B\"", "0".repeat(30));
    refused_with("\"64 MiB\"", &digits, &["volume.data.size", "accepted"]);
}

/// Within the range of a size, but more than anyone would wait for.
#[test]
fn a_backup_too_large_to_simulate_is_refused_with_what_would_fit() {
    let ended = predict(GOOD.replace("64 MiB", "900 PiB").as_bytes());
    refused(&ended, 3, &["mulate"]);
}

#[test]
fn two_devices_of_one_name_are_refused() {
    refused_with("[device.two.spindle]", "[device.one.spindle]", &["stands twice", "device"]);
}

#[test]
fn a_stripe_on_an_unknown_device_is_refused_with_the_devices_there_are() {
    refused_with("[\"two\"]", "[\"twoo\"]", &["twoo", "accepted: `one`, `two`", "did you mean"]);
    refused_with("device = \"one\"", "device = \"ten\"", &["ten", "`one`", "`two`"]);
}

#[test]
fn all_problems_of_a_file_are_reported_at_once() {
    let text = GOOD
        .replace("64 MiB", "64")
        .replace("buffer_count = 7", "bufer_count = 7")
        .replace("[\"two\"]", "[\"three\"]");
    let words = ["volume.data.size", "bufer_count", "three"];
    refused(&predict(text.as_bytes()), 3, &words);
}

#[test]
fn an_empty_file_is_refused_with_where_to_start() {
    for text in ["", "\n \n", "\u{feff}"] {
        refused(&predict(text.as_bytes()), 3, &["mine.toml", "empty", "scenarios --show"]);
    }
}

#[test]
fn a_file_that_is_no_text_is_refused() {
    refused(&predict(b"\x7fELF\x02\x01\x01\0\0\0"), 3, &["mine.toml", "UTF-8"]);
    refused(&predict(b"title = \"\xff\xfe\"\n"), 3, &["mine.toml", "UTF-8"]);
    let half = "title = \"a\"".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    refused(&predict(&half), 3, &["mine.toml", "UTF-8"]);
}

#[test]
fn a_file_of_a_hundred_megabytes_is_refused_without_being_read() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("large.toml");
    File::create(&path).unwrap().set_len(100_000_000).unwrap();
    refused(&predict_file(&path), 3, &["large.toml", "larger than"]);
}

#[test]
fn a_path_that_cannot_be_read_is_refused() {
    let folder = TempDir::new().unwrap();
    refused(&predict_file(&folder.path().join("none.toml")), 3, &["none.toml", "cannot read"]);
    let file = folder.path().join("file.toml");
    fs::write(&file, GOOD).unwrap();
    refused(&predict_file(&file.join("below.toml")), 3, &["below.toml", "cannot read"]);
}

#[test]
fn a_folder_is_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("folder.toml");
    fs::create_dir(&path).unwrap();
    refused(&predict_file(&path), 3, &["folder.toml", "is a folder"]);
}

#[test]
fn an_unknown_scenario_is_answered_with_those_there_are() {
    let words = ["nvme-knob-matrx", "did you mean `nvme-knob-matrix`?", "`usb3-laptop`"];
    refused(&run("predict nvme-knob-matrx"), 3, &words);
    refused(&run("explain nothing-like-it"), 3, &["nothing-like-it", "`usb3-laptop`"]);
}

#[test]
fn an_unknown_variant_is_answered_with_those_there_are() {
    refused(&run("predict usb3-laptop:2.5"), 3, &["`2.5`", "variants: `same-drive`"]);
    refused(&run("predict nvme-knob-matrix:"), 3, &["variant"]);
}

#[test]
fn an_unknown_article_is_answered_with_those_there_are() {
    refused(&run("validate nvme"), 2, &["`nvme`", "nvme-knob-matrix, usb3-laptop"]);
}

#[test]
fn an_assignment_that_cannot_be_meant_is_refused() {
    let with = |set: &str| {
        let arguments = ["predict", "nvme-knob-matrix:2", "--set", set];
        Ended::from(bakcast(arguments).output().unwrap())
    };
    refused(&with("backup.buffer_count"), 2, &["backup.buffer_count", "PATH=VALUE"]);
    refused(&with("=3"), 2, &["PATH=VALUE"]);
    let words = ["backup.bufer_count", "did you mean `backup.buffer_count`?", "--set:1"];
    refused(&with("backup.bufer_count=3"), 3, &words);
    refused(&with("backup.buffer_count=0"), 3, &["backup.buffer_count", "accepted", "--set:1"]);
    refused(&with("backup.buffer_count=many"), 3, &["backup.buffer_count", "many"]);
    refused(&with("volume.data.size=6"), 3, &["volume.data.size", "unit"]);
    refused(&with("device.nvme.spindle.read_rate=6 MB/s"), 3, &["nvme", "solid_state"]);
}

#[test]
fn an_option_out_of_range_is_a_usage_error() {
    for (option, word) in [
        ("--replications 0", "--replications"),
        ("--replications 1000000000", "--replications"),
        ("--replications many", "--replications"),
        ("--precision 0", "--precision"),
        ("--precision 0.5", "did you mean 0.5%?"),
        ("--precision 100%", "--precision"),
        ("--precision tight", "--precision"),
        ("--replications-max 64", "--precision"),
        ("--precision 1% --replications-max 0", "--replications-max"),
        ("--precision 1% --replications-max 8", "--replications 32"),
        ("--threads 0", "--threads"),
        ("--threads=-1", "--threads"),
        ("--seed=-1", "--seed"),
        ("--seed 1.5", "--seed"),
        ("--level 0", "--level"),
        ("--level 100%", "--level"),
        ("--level 90", "did you mean 90%?"),
        ("--level nan", "--level"),
        ("--format xml", "markdown"),
        ("--color maybe", "never"),
        ("--require backup", "--require"),
        ("--require backup<=2", "--require"),
        ("--require copy<=2h", "--require"),
        ("-o night.pdf", "night.pdf"),
    ] {
        refused(&run(&format!("predict nvme-knob-matrix:2 {option}")), 2, &[word]);
    }
    refused(&run("predcit nvme-knob-matrix:2"), 2, &["predict"]);
    refused(&run("predict nvme-knob-matrix:2 usb3-laptop"), 2, &["usb3-laptop"]);
}

#[test]
fn a_file_that_cannot_be_written_is_a_file_error() {
    let folder = TempDir::new().unwrap();
    let nowhere = folder.path().join("missing").join("night.json");
    let arguments = ["predict".as_ref(), "nvme-knob-matrix:2".as_ref(), "-o".as_ref()];
    let ended = bakcast(arguments.into_iter().chain([nowhere.as_os_str()])).output().unwrap();
    refused(&ended.into(), 1, &["night.json", "cannot write"]);
}
