//! A scenario fitted to runs of one's own: the document, the fitted scenario, the table of further
//! runs, and what is refused.

use std::fs;
use std::path::PathBuf;

use bakcast_tests::{Ended, bakcast};
use serde_json::Value;
use tempfile::TempDir;

/// Small enough to be fitted in a second.
const SCENARIO: &str = r#"title = "A disk to a disk"

[volume.data]
device = "one"
size = "256 MiB"

[device.one.spindle]
read_rate = "150 MB/s"
write_rate = "140 MB/s"

[device.two.spindle]
read_rate = "120 MB/s"
write_rate = "100 MB/s"

[processor]
logical_processors = 4

[compression]
rate = "150 MB/s"
ratio = 3.0

[backup]
stripes = ["two"]
compression = true
"#;

const RUNS: &str = "\
run,compression,backup_seconds,verify_seconds,written_bytes,note
as today,on,2.3,1.1,89478485,a quiet night
without compression,off,3.4,2.9,,
";

/// A folder with the scenario and a table of runs.
struct Folder(TempDir);

impl Folder {
    fn new(runs: &str) -> Self {
        let folder = Folder(TempDir::new().unwrap());
        fs::write(folder.path("mine.toml"), SCENARIO).unwrap();
        fs::write(folder.path("runs.csv"), runs).unwrap();
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Runs the program in the folder; the arguments are separated by blanks.
    fn run(&self, arguments: &str) -> Ended {
        let mut command = bakcast(arguments.split_whitespace());
        command.current_dir(self.0.path()).output().unwrap().into()
    }

    fn done(&self, arguments: &str) -> String {
        let ended = self.run(arguments);
        assert_eq!(ended.code, 0, "bakcast {arguments}: {}", ended.stderr);
        ended.stdout
    }

    fn json(&self, arguments: &str) -> Value {
        serde_json::from_str(&self.done(&format!("{arguments} --format json --quiet"))).unwrap()
    }

    fn refused(&self, arguments: &str, code: i32, words: &[&str]) {
        let ended = self.run(arguments);
        assert_eq!((ended.code, ended.stdout.as_str()), (code, ""), "{}", ended.stderr);
        for word in words {
            assert!(ended.stderr.contains(word), "no `{word}` in:\n{}", ended.stderr);
        }
    }
}

/// Few nights: while fitting, nights hardly differ.
const FIT: &str = "calibrate --scenario mine.toml --runs runs.csv --replications 2";

fn has(value: &Value, keys: &str) {
    for key in keys.split_whitespace() {
        assert!(value.get(key).is_some_and(|value| !value.is_null()), "no `{key}` in {value}");
    }
}

fn codes(document: &Value) -> Vec<&str> {
    entries(&document["warnings"]).iter().map(|w| w["code"].as_str().unwrap()).collect()
}

fn entries(value: &Value) -> &Vec<Value> {
    let entries = value.as_array().unwrap_or_else(|| panic!("no list: {value}"));
    assert!(!entries.is_empty());
    entries
}

#[test]
fn the_document_of_calibrate_has_the_keys_of_the_contract() {
    let document = Folder::new(RUNS).json("calibrate --scenario mine.toml --runs runs.csv");
    assert_eq!((&document["command"], &document["replications"]), (&"calibrate".into(), &8.into()));
    let result = &document["result"];
    has(
        result,
        "scenario parameters rows mean_absolute_relative_error max_absolute_relative_error \
         error_percent expected_error_percent stopped evaluations draws effective_draws runs \
         configurations",
    );
    assert!(result.get("design").is_none() && result.get("query").is_none());
    for parameter in entries(&result["parameters"]) {
        has(parameter, "path value low high identified prior prior_factor prior_reason");
        let at = |key: &str| parameter[key].as_f64().unwrap();
        assert!(at("low") <= at("value") && at("value") <= at("high"), "{parameter}");
    }
    let rows = entries(&result["rows"]);
    assert_eq!(rows.len(), 5);
    for row in rows {
        has(row, "run operation relative_error");
        let unit = if row["operation"] == "size" { "bytes" } else { "seconds" };
        has(row, &format!("measured_{unit} predicted_{unit}"));
        let left_out = row.get("left_out_relative_error").is_some();
        assert_ne!(left_out, row.get("alone_identifies").is_some(), "{row}");
        assert_eq!(left_out, row.get(format!("left_out_low_{unit}")).is_some(), "{row}");
    }
    let identified = |path: &str| {
        let found = entries(&result["parameters"]).iter().find(|p| p["path"] == path);
        found.unwrap_or_else(|| panic!("no {path}"))["identified"].as_bool().unwrap()
    };
    assert!(identified("device.two.spindle.write_rate"));
    assert!(identified("compression.ratio"));
}

#[test]
fn the_command_explains_itself_with_examples() {
    let folder = Folder::new(RUNS);
    let help = folder.done("calibrate --help");
    assert!(help.contains("Examples:\n  bakcast calibrate --scenario mine.toml"), "{help}");
    assert!(help.contains("calibrate: 8"), "{help}");
    assert!(folder.done("man calibrate").contains("design"));
    assert!(folder.done("completions bash").contains("calibrate"));
}

#[test]
fn the_fitted_scenario_is_one_and_predicts_what_was_measured() {
    let folder = Folder::new(RUNS);
    let text = folder.done(&format!("{FIT} -o fitted.toml -o fitted.md -o fitted.csv"));
    assert!(text.trim_end().ends_with("bakcast predict fitted.toml"), "{text}");
    assert!(folder.read("fitted.toml").contains("[ensemble]"));
    assert!(folder.read("fitted.csv").starts_with("run,operation,measured_seconds"));
    assert!(folder.read("fitted.md").contains("device.two.spindle.write_rate"));
    let predicted = folder.json("predict fitted.toml");
    let seconds = predicted["result"]["backup"]["seconds"].as_f64().unwrap();
    assert!((seconds / 2.3 - 1.0).abs() < 0.15, "{seconds}");
    let again = "calibrate --scenario fitted.toml --runs runs.csv --replications 2";
    let document = folder.json(again);
    assert_eq!(entries(&document["result"]["rows"]).len(), 5);
    assert!(codes(&document).contains(&"fitted-before"), "{:?}", codes(&document));
}

#[test]
fn what_was_set_is_in_the_fitted_scenario() {
    let folder = Folder::new("backup_seconds\n3.1\n");
    let set = "--set backup.compression=false --set backup.stripes=two,two \
               --set backup.buffer_count=20 --set verify.enabled=false \
               --set volume.data.size=300MiB";
    folder.done(&format!("{FIT} {set} -o fitted.toml"));
    let inputs = &folder.json("predict fitted.toml")["inputs"];
    assert_eq!(inputs["backup"]["compression"], false);
    assert_eq!(inputs["backup"]["buffer_count"], 20);
    assert_eq!(entries(&inputs["backup"]["stripes"]).len(), 2);
    assert_eq!(inputs["verify"]["enabled"], false);
    assert_eq!(inputs["volume"]["data"]["size_bytes"], 300 << 20);
}

fn no_wider_than_a_terminal(text: &str) {
    let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
    assert!(widest <= 80, "{widest} columns\n{text}");
}

#[test]
fn the_text_fits_a_terminal_and_says_what_to_do_next() {
    let folder = Folder::new(RUNS);
    for command in [FIT, "calibrate --scenario mine.toml --design 3"] {
        let text = folder.done(command);
        no_wider_than_a_terminal(&text);
        assert!(text.lines().count() <= 36, "{text}");
        assert!(text.contains("-o fitted.toml"), "{text}");
    }
    no_wider_than_a_terminal(&folder.done("calibrate --scenario mine.toml --design 17"));
    let unknown = folder.run("devices --show x");
    no_wider_than_a_terminal(&unknown.stderr);
    assert!(unknown.stderr.contains("it has: "), "{}", unknown.stderr);
}

#[test]
fn a_fit_is_the_same_on_any_number_of_threads() {
    let folder = Folder::new(RUNS);
    let on = |threads: u32| {
        let fit = format!("{FIT} --design 2 --quiet --format json --threads {threads}");
        let document = folder.done(&format!("{fit} -o fitted.toml"));
        (document, folder.read("fitted.toml"))
    };
    let one = on(1);
    for threads in [2, 8] {
        assert!(on(threads) == one, "{threads} threads");
    }
}

#[test]
fn one_run_scales_and_says_so() {
    let folder = Folder::new("backup_seconds\n3\n");
    let document = folder.json(FIT);
    assert!(codes(&document).contains(&"one-configuration"), "{:?}", codes(&document));
    let result = &document["result"];
    assert!(result.get("interval_coverage").is_none());
    assert!(result.get("left_out_mean_absolute_relative_error").is_none());
    let row = &entries(&result["rows"])[0];
    assert_eq!((&row["run"], &row["operation"]), (&"line 2".into(), &"backup".into()));
}

#[test]
fn proposed_runs_become_a_table_that_is_filled_in_and_given_back() {
    let folder = Folder::new(RUNS);
    let propose = "calibrate --scenario mine.toml --design 18 --question any";
    let document = folder.json(propose);
    let result = &document["result"];
    has(&result["design"], "doubt_before considered runs question");
    assert!(result.get("parameters").is_none());
    assert!(result["query"].as_str().unwrap().contains("msdb.dbo.backupset"));
    let mut doubt = result["design"]["doubt_before"].as_f64().unwrap();
    for run in entries(&result["design"]["runs"]) {
        has(run, "name settings statement expected_seconds doubt_after");
        let statement = run["statement"].as_str().unwrap();
        assert!(statement.starts_with("BACKUP DATABASE"), "{statement}");
        let to_nul = statement.contains("NUL");
        assert_ne!(statement.contains("RESTORE VERIFYONLY"), to_nul, "{statement}");
        let after = run["doubt_after"].as_f64().unwrap();
        assert!(after <= doubt + 1e-9, "{after} after {doubt}");
        doubt = after;
    }
    folder.done(&format!("{propose} -o plan.csv"));
    let plan = folder.read("plan.csv");
    let mut lines = plan.lines();
    let heading = lines.next().unwrap();
    assert!(heading.starts_with("run,"), "{heading}");
    assert!(heading.ends_with("backup_seconds,verify_seconds,written_bytes,note"), "{heading}");
    let filled: String =
        lines.map(|line| format!("{}\n", line.replace(",,,,exp", ",2.5,,,exp"))).collect();
    assert_eq!(filled.matches(",2.5,,,exp").count(), filled.lines().count(), "{filled}");
    // Four of them are enough to see that they are read.
    let some: Vec<&str> = filled.lines().take(4).collect();
    let to_nul = filled.lines().find(|line| line.starts_with("\"to NUL")).unwrap();
    fs::write(folder.path("runs.csv"), format!("{heading}\n{}\n{to_nul}\n", some.join("\n")))
        .unwrap();
    let fitted = folder.json(FIT);
    assert!(entries(&fitted["result"]["rows"]).len() >= 4);
}

#[test]
fn a_fit_can_propose_further_runs() {
    let folder = Folder::new(RUNS);
    let after = folder.json(&format!("{FIT} --design 2"));
    let before = folder.json("calibrate --scenario mine.toml --design 2");
    let doubt = |document: &Value| document["result"]["design"]["doubt_before"].as_f64().unwrap();
    assert!(doubt(&after) < 0.5 * doubt(&before), "{} {}", doubt(&after), doubt(&before));
    has(&after["result"], "parameters rows design query");
}

#[test]
fn knobs_are_declared_free_and_fixed() {
    let folder = Folder::new(RUNS);
    let fit = format!(
        "{FIT} --free device.one.spindle.read_rate=180MB/s*1.1@100..300 --fix engine.start \
         --set device.two.spindle.read_rate=130MB/s"
    );
    let document = folder.json(&fit);
    let parameters = entries(&document["result"]["parameters"]);
    let found = |path: &str| parameters.iter().find(|p| p["path"] == path);
    assert!(found("engine.start").is_none());
    let declared = found("device.one.spindle.read_rate").unwrap();
    assert_eq!((&declared["prior"], &declared["prior_factor"]), (&180.0.into(), &1.1.into()));
    // What is set for all runs is what is expected, and is fitted from there.
    assert_eq!(found("device.two.spindle.read_rate").unwrap()["prior"], 130.0);
}

#[test]
fn a_bad_table_of_runs_is_refused_with_all_that_is_wrong() {
    let folder = Folder::new("run,bufer_count,backup_seconds,verify_seconds\na,7,fast,-1\nb,7,,\n");
    let words = ["`bufer_count`", "did you mean `buffer_count`", "`fast`", "`-1`", "line 3"];
    folder.refused(FIT, 3, &words);
    fs::write(folder.path("more.csv"), "compression\non\n").unwrap();
    let both = [&words[..], &["more.csv", "no column of results"]].concat();
    folder.refused(&format!("{FIT} --runs more.csv"), 3, &both);
    folder.refused(&format!("{FIT} --runs none.csv"), 3, &["none.csv", "cannot read"]);
    let settings = "backup.stripes,backup_seconds\nthree,7\nfour,8\n";
    fs::write(folder.path("runs.csv"), settings).unwrap();
    folder.refused(FIT, 3, &["`three`", "`four`", "line 2", "line 3"]);
}

#[test]
fn what_cannot_be_meant_is_a_usage_error() {
    let folder = Folder::new(RUNS);
    folder.refused("calibrate", 2, &["--scenario mine.toml --runs runs.csv", "--design"]);
    folder.refused("calibrate --scenario mine.toml", 2, &["--runs runs.csv"]);
    folder.refused("calibrate --scenario mine.toml --design 2 -o x.toml", 2, &["x.toml", "--runs"]);
    for (option, word) in [
        ("--level 80%", "--level"),
        ("--precision 1%", "--precision"),
        ("--error 0", "--error"),
        ("--error 4", "did you mean 4%?"),
        ("--free engine.begin", "engine.begin"),
        ("--free engine.start=1h", "ms"),
        ("--fix engine.begin", "engine.begin"),
        ("--free engine.start=x", "--free"),
        ("--design 0", "--design"),
        ("--design 2 --question when", "verify"),
        ("--question total", "--design"),
        ("--clock soon", "--clock"),
        ("-o x.pdf", "x.pdf"),
        ("-o x.foo", ".toml for the fitted scenario"),
        (
            "--fix engine.start --free engine.start",
            "`engine.start` is given to --free and to --fix",
        ),
        ("--free engine.start=9@10..20", "outside of its bounds"),
    ] {
        folder.refused(&format!("{FIT} {option}"), 2, &[word]);
    }
}

#[test]
fn what_is_read_or_was_filled_in_is_never_overwritten() {
    let folder = Folder::new(RUNS);
    fs::write(folder.path("other.csv"), RUNS).unwrap();
    fs::write(folder.path("half.csv"), "run,backup_seconds\na,\nb,7\n").unwrap();
    fs::write(folder.path("empty.csv"), "run,backup_seconds\na,\nb,\n").unwrap();
    let design = "calibrate --scenario mine.toml --design 1";
    let here = folder.path("mine.toml").display().to_string();
    for (command, what) in [
        (format!("{FIT} -o ./runs.csv"), "`./runs.csv`, which is a table of --runs"),
        (format!("{FIT} -o mine.toml"), "`mine.toml`, which is the scenario"),
        (format!("{FIT} -o fitted.txt -o {here}"), "which is the scenario"),
        (format!("{FIT} --design 1 -o other.csv"), "with results filled in"),
        (format!("{design} -o half.csv"), "with results filled in"),
        (format!("{design} -o runs.csv"), "with results filled in"),
    ] {
        folder.refused(&command, 2, &["overwrite", what]);
    }
    assert_eq!(
        (folder.read("runs.csv").as_str(), folder.read("mine.toml").as_str()),
        (RUNS, SCENARIO)
    );
    folder.done(&format!("{design} -o empty.csv"));
    assert!(folder.read("empty.csv").contains("expected"));
}

#[test]
fn a_file_that_cannot_be_written_is_told_before_the_work() {
    let folder = Folder::new(RUNS);
    fs::create_dir(folder.path("folder.csv")).unwrap();
    // The runs are not even looked for.
    let fit = "calibrate --scenario mine.toml --runs none.csv";
    for file in ["nowhere/fitted.toml", "folder.csv", "mine.toml/fitted.md"] {
        folder.refused(&format!("{fit} -o {file}"), 1, &[file, "cannot write"]);
    }
    folder.refused("predict none.toml -o nowhere/a.json", 1, &["nowhere/a.json", "cannot write"]);
}

#[test]
fn the_next_command_makes_the_same_fit() {
    let folder = Folder::new(RUNS);
    let options = [
        "--free 'device.one.spindle.read_rate=180*1.1@100..300'",
        "--fix engine.start",
        "--error 7%",
        "--clock 0.1s",
        "--seed 3",
        "--set processor.logical_processors=8",
        "--replications 2",
    ];
    let given = options.join(" ").replace('\'', "");
    for command in ["--runs runs.csv", "--design 1"] {
        let text = folder.done(&format!("calibrate --scenario mine.toml {command} {given}"));
        no_wider_than_a_terminal(&text);
        let next = text.split("Next").nth(1).unwrap();
        for option in options {
            assert!(next.contains(option), "no `{option}` in\n{text}");
        }
        assert!(next.lines().next().unwrap().ends_with(" \\"), "{text}");
    }
}

#[test]
fn a_size_of_another_database_is_told() {
    let folder = Folder::new("run,backup_seconds,written_bytes\nhuge,3,89478485000\n");
    let document = folder.json(FIT);
    for code in ["size-misfit", "at-limit"] {
        assert!(codes(&document).contains(&code), "no {code} in {:?}", codes(&document));
    }
}

#[test]
fn a_question_about_what_the_scenario_does_not_do_is_refused() {
    let folder = Folder::new(RUNS);
    let ask = "calibrate --scenario mine.toml --design 1 --question verify --set";
    folder.refused(&format!("{ask} verify.enabled=false"), 3, &["its verification is off"]);
    let to_nul = "calibrate --scenario four-volumes-nvme:to-nul --design 1 --question verify";
    folder.refused(to_nul, 3, &["goes to NUL"]);
    let unmet = folder.run("predict mine.toml --replications 2 --require restore<=1h");
    assert_eq!(unmet.code, 4);
    assert!(unmet.stderr.contains("--set restore.enabled=true"), "{}", unmet.stderr);
}
