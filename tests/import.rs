//! From files that a server has to a prediction with a range: what `import` makes of them is what
//! `calibrate` fits and `predict --sql` takes.

use std::fs;
use std::path::PathBuf;

use bakcast_tests::{Ended, bakcast};
use serde_json::Value;
use tempfile::TempDir;

/// The server that nobody sees: what the files say comes from it.
const TRUTH: &str = r#"title = "truth"

[database]
name = "Sales"

[volume.data]
device = "source"
size = "4 GiB"

[device.source.fixed_rate]
rate = "400 MB/s"

[device.e.solid_state]
read_rate = "150 MB/s"
write_rate = "110 MB/s"

[processor]
logical_processors = 8

[compression]
rate = "90 MB/s"
ratio = 3.0

[backup]
stripes = ["e"]
compression = true
"#;

/// Bytes of the database.
const SIZE: u64 = 4 << 30;
/// What is asked before anybody has run it.
const STATEMENT: &str = "BACKUP DATABASE [Sales] TO DISK = N'E:\\Backup\\Sales.bak' \
                         WITH COMPRESSION, BUFFERCOUNT = 64, MAXTRANSFERSIZE = 1048576";

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Folder(TempDir::new().unwrap());
        folder.write("truth.toml", TRUTH);
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    fn run(&self, arguments: &[&str]) -> Ended {
        let mut command = bakcast(arguments.iter());
        command.current_dir(self.0.path()).output().unwrap().into()
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let ended = self.run(&[arguments, &["--format", "json", "--quiet"]].concat());
        assert_eq!(ended.code, 0, "{arguments:?}: {}{}", ended.stdout, ended.stderr);
        serde_json::from_str(&ended.stdout).unwrap()
    }

    /// Durations of one night of the truth.
    fn night(&self, seed: &str, sets: &[&str]) -> (f64, f64) {
        let mut arguments = vec!["predict", "truth.toml", "--replications", "1", "--seed", seed];
        for set in sets {
            arguments.extend(["--set", set]);
        }
        let result = self.json(&arguments)["result"].clone();
        let seconds = |operation: &str| result[operation]["seconds"].as_f64().unwrap();
        (seconds("backup"), seconds("verify"))
    }

    /// Three nights as `dbo.CommandLog` has them.
    fn command_log(&self) {
        let mut text =
            "ID,DatabaseName,Command,CommandType,StartTime,EndTime,ErrorNumber\n".to_string();
        let nights: [(&str, &[&str]); 3] = [
            ("NO_COMPRESSION", &["backup.compression=false"]),
            ("COMPRESSION", &[]),
            ("COMPRESSION, BUFFERCOUNT = 32", &["backup.buffer_count=32"]),
        ];
        let file = "DISK = N'E:\\Backup\\Sales.bak'";
        for (index, (options, sets)) in nights.into_iter().enumerate() {
            let (backup, verify) = self.night(&(index + 7).to_string(), sets);
            let stamp = |seconds: f64| {
                let whole = seconds.floor();
                let (minutes, rest) = (whole as u64 / 60, whole as u64 % 60);
                let ticks = ((seconds - whole) * 1e7) as u64;
                format!("2026-11-{:02} 01:{minutes:02}:{rest:02}.{ticks:07}", index + 1)
            };
            text += &format!(
                "{index},Sales,\"BACKUP DATABASE [Sales] TO {file} WITH {options}\",\
                 BACKUP_DATABASE,{},{},0\n",
                stamp(0.0),
                stamp(backup)
            );
            text += &format!(
                "{index},Sales,RESTORE VERIFYONLY FROM {file},RESTORE_VERIFYONLY,{},{},0\n",
                stamp(backup + 0.01),
                stamp(backup + 0.01 + verify)
            );
        }
        self.write("log.csv", &text);
    }

    /// The target as fio measures it.
    fn fio(&self) {
        let job = |way: &str, other: &str, rate: u64| {
            let io = rate * 60;
            format!(
                r#"{{"fio version": "fio-3.36", "jobs": [{{"jobname": "{way}", "groupid": 0,
"error": 0, "job options": {{"rw": "{way}", "bs": "1M", "iodepth": "8", "direct": "1",
"size": "16G", "filename": "E\\:\\bakcast.fio"}},
"{way}": {{"io_bytes": {io}, "bw_bytes": {rate}, "bw": {}, "runtime": 60000,
"total_ios": {}, "iops": {}}},
"{other}": {{"io_bytes": 0, "bw_bytes": 0, "bw": 0, "runtime": 0, "total_ios": 0, "iops": 0}}
}}]}}"#,
                rate / 1024,
                io >> 20,
                rate as f64 / 1_048_576.0
            )
        };
        self.write("read.json", &job("read", "write", 150_000_000));
        self.write("write.json", &job("write", "read", 110_000_000));
    }

    /// Fits a scenario, predicts the statement, and holds the range against the truth.
    fn predicts_the_statement(&self) {
        let fitted = ["calibrate", "--scenario", "mine.toml", "--runs", "runs.csv"];
        let rest = ["--replications", "2", "-o", "fitted.toml", "--quiet"];
        let ended = self.run(&[&fitted[..], &rest[..]].concat());
        assert_eq!(ended.code, 0, "{}{}", ended.stdout, ended.stderr);
        let asked = ["predict", "fitted.toml", "--sql", STATEMENT, "--level", "98%"];
        let found = &self.json(&[&asked[..], &["--replications", "192"]].concat())["result"];
        let statement = found["statement"].as_str().unwrap();
        assert!(statement.contains("BUFFERCOUNT = 64"), "{statement}");
        let truth = ["predict", "truth.toml", "--sql", STATEMENT];
        let truth = &self.json(&truth)["result"]["backup"]["seconds"].as_f64().unwrap();
        let [low, high] =
            ["low_seconds", "high_seconds"].map(|end| found["backup"][end].as_f64().unwrap());
        assert!(low < high && (low..high).contains(truth), "{truth}: {low} to {high}");
    }
}

#[test]
fn a_command_log_and_a_benchmark_of_the_target_lead_to_a_prediction() {
    let folder = Folder::new();
    folder.command_log();
    folder.fio();
    let size = format!("{SIZE} B");
    let files = ["import", "log.csv", "read.json", "write.json", "--processors", "8"];
    let rest = ["--size", &size, "-o", "mine.toml", "-o", "runs.csv"];
    let document = folder.json(&[&files[..], &rest[..]].concat());
    let backups = document["result"]["backups"].as_array().unwrap();
    assert_eq!(backups.len(), 3);
    assert!(backups.iter().all(|backup| backup["verify_seconds"].as_f64().unwrap() > 1.0));
    let scenario = fs::read_to_string(folder.path("mine.toml")).unwrap();
    for part in ["write_rate = \"110 MB/s\" # measured", "\"E:\" = \"e\"", "name = \"Sales\""] {
        assert!(scenario.contains(part), "{part} in\n{scenario}");
    }
    folder.predicts_the_statement();
}

#[test]
fn an_error_log_alone_leads_to_a_prediction() {
    let folder = Folder::new();
    let pages = SIZE / 8192;
    let mut text = String::new();
    for seed in ["1", "2", "3"] {
        let (seconds, _) = folder.night(seed, &[]);
        let rate = SIZE as f64 / 1_048_576.0 / seconds;
        let stamp = format!("2026-11-0{seed} 01:10:00.00 Backup      ");
        text += &format!(
            "{stamp}Database backed up. Database: Sales, creation date(time): \
             2023/04/26(01:31:53), pages dumped: {pages}, first LSN: 1:1:1, last LSN: 1:2:1, \
             number of dump devices: 1, device information: (FILE=1, TYPE=DISK: \
             {{'E:\\Backup\\Sales.bak'}}).\n{stamp}BACKUP DATABASE successfully processed {pages} \
             pages in {seconds:.3} seconds ({rate:.3} MB/sec).\n"
        );
    }
    folder.write("errorlog", &text);
    let files = ["import", "errorlog", "--processors", "8", "--compression", "on"];
    folder.json(&[&files[..], &["-o", "mine.toml", "-o", "runs.csv"]].concat());
    folder.predicts_the_statement();
}

#[test]
fn calibrate_takes_the_files_as_they_are() {
    let folder = Folder::new();
    folder.command_log();
    let arguments =
        ["calibrate", "--scenario", "truth.toml", "--runs", "log.csv", "--replications", "2"];
    let document = folder.json(&arguments);
    assert_eq!(document["result"]["rows"].as_array().unwrap().len(), 6);
}

#[test]
fn what_cannot_be_read_is_said_in_a_line_and_the_rest_is_read() {
    let folder = Folder::new();
    folder.fio();
    folder.write("notes.txt", "milk, bread\n");
    folder.write("empty.json", "");
    let ended = folder.run(&["import", "notes.txt", "read.json", "empty.json", "none.csv"]);
    assert_eq!(ended.code, 3);
    assert!(ended.stdout.contains("150.0 MB/s (143.1 MiB/s)"), "{}", ended.stdout);
    for part in ["`notes.txt`: not a known format", "`empty.json` is an empty file", "`none.csv`"] {
        assert!(ended.stderr.contains(part), "{part} in {}", ended.stderr);
    }
    let ended = folder.run(&["import", "read.json", "-o", "read.json"]);
    assert_eq!(ended.code, 2, "{}", ended.stderr);
    let ended = folder.run(&["import", "--queries", "histery"]);
    assert!(ended.code == 2 && ended.stderr.contains("did you mean `history`"), "{}", ended.stderr);
    let ended = folder.run(&["import"]);
    assert!(ended.code == 2 && ended.stderr.contains("--queries"), "{}", ended.stderr);
}

#[test]
fn a_device_profile_is_a_part_of_a_scenario() {
    let folder = Folder::new();
    folder.fio();
    folder.json(&["import", "read.json", "write.json", "--device", "x", "-o", "device.toml"]);
    let device = fs::read_to_string(folder.path("device.toml")).unwrap();
    folder.write("both.toml", &format!("{TRUTH}\n{device}"));
    let document = folder.json(&["predict", "both.toml", "--set", "backup.stripes=x"]);
    assert!(document["result"]["backup"]["seconds"].as_f64().unwrap() > 1.0);
}
