//! `--sql`: a statement as argument, file or standard input becomes settings; what cannot be meant
//! is refused with its place.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::Stdio;

use bakcast_tests::{Ended, bakcast};
use serde_json::Value;
use tempfile::TempDir;

/// Two disks and a path to each.
const SCENARIO: &str = r#"title = "Two disks"

[volume.data]
device = "source"
size = "64 MiB"

[device.source.fixed_rate]
rate = "400 MB/s"

[device.one.spindle]
read_rate = "100 MB/s"
write_rate = "90 MB/s"

[device.two.spindle]
read_rate = "100 MB/s"
write_rate = "90 MB/s"

[processor]
logical_processors = 4

[compression]
ratio = 3.0

[backup]
stripes = ["two"]
buffer_count = 7

[paths]
"E:" = "one"
'\\srv\share' = "two"
"#;

const BACKUP: &str = r"BACKUP DATABASE Orders TO DISK = N'E:\1.bak', DISK = N'\\srv\share\2.bak'
WITH COMPRESSION, BUFFERCOUNT = 50, MAXTRANSFERSIZE = 2097152, STATS = 5, NAME = N'nightly'";

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("mine.toml"), SCENARIO).unwrap();
        Folder(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, arguments: &[&str], input: Option<&str>) -> Ended {
        let mut command = bakcast(arguments);
        command.current_dir(self.0.path()).stdin(Stdio::piped());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(input.unwrap_or_default().as_bytes()).unwrap();
        drop(stdin);
        child.wait_with_output().unwrap().into()
    }

    fn predict(&self, sql: &str, more: &[&str]) -> Ended {
        let mut arguments = vec!["predict", "mine.toml", "--replications", "2", "--sql", sql];
        arguments.extend(more);
        self.run(&arguments, None)
    }

    fn json(&self, sql: &str, more: &[&str]) -> Value {
        let mut arguments = vec!["--format", "json", "--quiet"];
        arguments.extend(more);
        document(&self.predict(sql, &arguments))
    }
}

fn document(ended: &Ended) -> Value {
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    serde_json::from_str(&ended.stdout).unwrap()
}

#[test]
fn a_statement_is_taken_from_an_argument_a_file_and_standard_input() {
    let folder = Folder::new();
    let inputs = &folder.json(BACKUP, &[])["inputs"]["backup"];
    assert_eq!(inputs["stripes"], serde_json::json!(["one", "two"]));
    assert_eq!(inputs["buffer_count"], 50);
    assert_eq!(inputs["transfer_size_bytes"], 2 << 20);
    assert_eq!(inputs["compression"], true);

    fs::write(folder.path("backup.sql"), BACKUP).unwrap();
    assert_eq!(&folder.json("@backup.sql", &[])["inputs"]["backup"], inputs);
    let units = BACKUP.encode_utf16().flat_map(u16::to_le_bytes);
    let bytes: Vec<u8> = [0xff, 0xfe].into_iter().chain(units).collect();
    fs::write(folder.path("wide.sql"), bytes).unwrap();
    assert_eq!(&folder.json("@wide.sql", &[])["inputs"]["backup"], inputs);

    let arguments =
        ["predict", "mine.toml", "--replications", "2", "--sql", "-", "--format", "json"];
    let ended = folder.run(&arguments, Some(BACKUP));
    assert_eq!(&document(&ended)["inputs"]["backup"], inputs);
}

#[test]
fn tools_calls_are_statements_too_and_set_comes_after() {
    let folder = Folder::new();
    let ola = "EXECUTE dbo.DatabaseBackup @Databases = 'Orders', @Directory = 'E:\\', \
               @BackupType = 'FULL', @Compress = 'Y', @NumberOfFiles = 2, @Verify = 'N'";
    let document = folder.json(ola, &["--set", "backup.buffer_count=9"]);
    let inputs = &document["inputs"];
    assert_eq!(inputs["backup"]["stripes"], serde_json::json!(["one", "one"]));
    assert_eq!(inputs["backup"]["buffer_count"], 9);
    assert_eq!(inputs["verify"]["enabled"], false);
    let dbatools = "Backup-DbaDatabase -SqlInstance x -Database Orders -Path E:\\ -CompressBackup";
    let document = folder.json(dbatools, &[]);
    // Not stated: the engine's default, not the scenario's value.
    assert_eq!(document["inputs"]["backup"]["buffer_count"], 7);
    assert_eq!(document["inputs"]["database"]["name"], "Orders");
}

#[test]
fn the_statement_of_a_result_gives_the_result_again() {
    let folder = Folder::new();
    let first = folder.json(BACKUP, &[]);
    let statement = first["result"]["statement"].as_str().unwrap();
    assert!(statement.starts_with("BACKUP DATABASE [Orders]"), "{statement}");
    let second = folder.json(statement, &[]);
    for key in ["statement", "backup", "verify", "buffer_count"] {
        assert_eq!(first["result"][key], second["result"][key], "{key}");
    }
}

#[test]
fn notes_and_warnings_are_told() {
    let folder = Folder::new();
    let plain = "BACKUP DATABASE a TO DISK='E:\\1' WITH NAME='n'";
    let document = folder.json(plain, &[]);
    let codes: Vec<_> = document["warnings"].as_array().unwrap().iter().collect();
    assert!(codes.iter().any(|w| w["code"] == "compression-not-stated"), "{codes:?}");
    assert_eq!(document["result"]["notes"][0], "line 1: NAME has no effect on the time");
    let ended = folder.predict(plain, &[]);
    assert!(ended.stderr.contains("note: line 1: NAME has no effect"), "{}", ended.stderr);
    let explained = ["explain", "mine.toml", "--replications", "2", "--sql", plain];
    assert_eq!(folder.run(&explained, None).code, 0);
}

#[test]
fn what_cannot_be_meant_is_refused_with_its_place() {
    let folder = Folder::new();
    let refused = |sql: &str, words: &[&str]| {
        let ended = folder.predict(sql, &[]);
        assert_eq!((ended.code, ended.stdout.as_str()), (3, ""), "{}", ended.stderr);
        for word in words {
            assert!(ended.stderr.contains(word), "{word} is not in\n{}", ended.stderr);
        }
    };
    refused(
        "BACKUP DATABASE a TO DISK='X:\\1.bak'",
        &["`X:\\1.bak` leads to no device", "`one`, `source`, `two`", "[paths]", "'X:' = ", "1:22"],
    );
    refused(
        "BACKUP DATABASE a\nTO DISK='E:\\1' WITH INIT, NOINIT, BLOCKSIZE=3, COMPRESION",
        &["`NOINIT` contradicts `INIT`", "--sql:2:27", "`BLOCKSIZE` cannot be 3", "`COMPRESSION`"],
    );
    refused("BACKUP LOG a TO DISK='E:\\1'", &["log backup is not modelled"]);
    refused("SELECT 1", &["no statement that moves a backup"]);
    refused("@absent.sql", &["cannot read `absent.sql`"]);
    refused("BACKUP DATABASE a TO DISK=@file", &["only the server knows `@file`"]);
}
