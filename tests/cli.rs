//! What scripts outside the repository rely on: keys, codes, channels; and what a person at a
//! terminal sees.

use std::fs;
use std::process::Stdio;

use bakcast_models::quantity::Bytes;
use bakcast_scenarios::{knobs, library, shipped};
use bakcast_tests::{Ended, bakcast, every_scenario, json, load, run, stdout};
use serde_json::Value;
use tempfile::TempDir;

/// A scenario that has no verification and a warning that says so, small enough to be quick.
const TO_NUL: &str = "predict four-volumes-nvme:to-nul --replications 2 --set volume.e.size=1GiB \
                      --set volume.f.size=1GiB --set volume.g.size=1GiB --set volume.h.size=1GiB";

/// Each of these keys has a value.
fn has(value: &Value, keys: &str) {
    for key in keys.split_whitespace() {
        assert!(value.get(key).is_some_and(|value| !value.is_null()), "no `{key}` in {value}");
    }
}

fn entries(value: &Value) -> &Vec<Value> {
    let entries = value.as_array().unwrap_or_else(|| panic!("no list: {value}"));
    assert!(!entries.is_empty());
    entries
}

/// Nothing is ever null: what is not known is absent.
fn has_no_null(value: &Value, path: &str) {
    match value {
        Value::Null => panic!("{path} is null"),
        Value::Array(items) => {
            items
                .iter()
                .enumerate()
                .for_each(|(i, item)| has_no_null(item, &format!("{path}[{i}]")));
        }
        Value::Object(fields) => {
            fields.iter().for_each(|(key, item)| has_no_null(item, &format!("{path}.{key}")));
        }
        Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn envelope(document: &Value, command: &str) {
    has(document, "schema_version tool command seed replications inputs warnings result");
    has(&document["tool"], "name version");
    assert_eq!(document["tool"]["name"], "bakcast");
    assert_eq!(document["command"], command);
    has_no_null(document, command);
}

#[test]
fn the_document_of_predict_has_the_keys_of_the_contract() {
    let document = json("predict usb3-laptop:2.4");
    envelope(&document, "predict");
    let result = &document["result"];
    has(
        result,
        "backup verify total read_bytes written_bytes read_bytes_per_second \
         written_bytes_per_second buffer_memory_bytes buffer_count max_transfer_size_bytes \
         processor_cores_mean bottleneck stations waits events extrapolated_bytes statement",
    );
    for operation in ["backup", "verify", "total"] {
        has(&result[operation], "seconds low_seconds high_seconds");
        let at = |key: &str| result[operation][key].as_f64().unwrap();
        assert!(at("low_seconds") <= at("seconds") && at("seconds") <= at("high_seconds"));
    }
    for station in entries(&result["stations"]) {
        has(station, "name utilization working starved blocked");
    }
    for wait in entries(&result["waits"]) {
        has(wait, "side state seconds");
    }
    assert!(entries(&result["waits"]).iter().any(|wait| wait["wait_type"] == "BACKUPBUFFER"));
    assert!(result["statement"].as_str().unwrap().starts_with("BACKUP DATABASE"));
    assert_eq!(result["buffer_count"], 17);
    assert_eq!(result["read_bytes"], 6_u64 << 30);
}

#[test]
fn a_backup_that_is_not_verified_has_no_verification_in_its_document() {
    let document = json(TO_NUL);
    envelope(&document, "predict");
    let result = document["result"].as_object().unwrap();
    assert!(!result.contains_key("verify"));
    assert_eq!(result["total"], result["backup"]);
    assert!(entries(&document["warnings"]).iter().any(|w| w["code"] == "nul-not-verified"));
    entries(&document["warnings"]).iter().for_each(|warning| has(warning, "code text hint"));
}

#[test]
fn inputs_are_the_scenario_with_every_default_written_out() {
    let inputs = &json("predict nvme-knob-matrix:2 --set backup.buffer_count=9")["inputs"];
    assert_eq!(inputs["backup"]["buffer_count"], 9);
    assert_eq!(inputs["backup"]["transfer_size_bytes"], 1 << 20);
    assert_eq!(inputs["engine"]["read_depth"], 2);
    has(&inputs["device"]["nvme"]["solid_state"], "read_rate_bytes_per_second latency_seconds");
}

#[test]
fn the_document_of_validate_has_the_keys_of_the_contract() {
    let document = json("validate --replications 3");
    envelope(&document, "validate");
    let articles = entries(&document["result"]["articles"]);
    let ids: Vec<&str> = articles.iter().map(|a| a["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["nvme-knob-matrix", "usb3-laptop"]);
    for article in articles {
        has(
            article,
            "rows mean_absolute_relative_error max_absolute_relative_error \
             left_out_mean_absolute_relative_error interval_coverage claims",
        );
        for row in entries(&article["rows"]) {
            has(row, "row operation measured_seconds predicted_seconds low_seconds high_seconds");
            has(row, "relative_error");
        }
        entries(&article["claims"]).iter().for_each(|c| has(c, "id statement holds evidence"));
    }
    let one = json("validate usb3-laptop --replications 3");
    assert_eq!(entries(&one["result"]["articles"]).len(), 1);
}

#[test]
fn a_precision_is_reached_or_said_not_to_be() {
    let document = json("predict nvme-knob-matrix:2 --precision 3%");
    let precision = &document["result"]["precision"];
    has(precision, "asked achieved reached confidence replications_max");
    assert_eq!((&precision["asked"], &precision["reached"]), (&0.03.into(), &true.into()));
    let nights = |document: &Value| document["replications"].as_u64().unwrap();
    assert_eq!(nights(&document), 32);
    let command = "predict nvme-knob-matrix:2 --precision 0.01% --replications-max 48";
    let short = json(command);
    assert_eq!((nights(&short), &short["result"]["precision"]["reached"]), (48, &false.into()));
    let codes: Vec<&Value> = entries(&short["warnings"]).iter().map(|w| &w["code"]).collect();
    assert!(codes.contains(&&"precision-not-reached".into()), "{codes:?}");
    let text = stdout(command);
    assert_eq!(text.lines().filter(|line| line.starts_with("Precision ")).count(), 1, "{text}");
    let explained = json("explain nvme-knob-matrix:2 --precision 50%");
    assert_eq!(explained["result"]["precision"]["reached"], true);
    assert_eq!(nights(&explained), 32);
    assert!(json("predict nvme-knob-matrix:2")["result"].get("precision").is_none());
}

#[test]
fn the_documents_of_the_other_commands_have_their_lists() {
    let document = json("scenarios");
    envelope(&document, "scenarios");
    let listed = entries(&document["result"]["scenarios"]);
    assert_eq!(listed.len(), shipped().len());
    listed.iter().for_each(|scenario| has(scenario, "name title source"));
    let document = json("devices");
    envelope(&document, "devices");
    let listed = entries(&document["result"]["devices"]);
    assert_eq!(listed.len(), library().len());
    listed.iter().for_each(|device| has(device, "name kind title source table values"));
    let document = json("knobs");
    envelope(&document, "knobs");
    let listed = entries(&document["result"]["knobs"]);
    assert_eq!(listed.len(), knobs().len());
    listed.iter().for_each(|knob| has(knob, "path accepted comment"));
    envelope(&json("explain nvme-knob-matrix:2"), "explain");
    let schema: Value = serde_json::from_str(&stdout("schema")).unwrap();
    assert_eq!(schema["title"], "Scenario");
}

/// Whoever reads `| head -1` closes the pipe early; that is no error of ours.
#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let mut child =
        bakcast(["schema"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let ended: Ended = child.wait_with_output().unwrap().into();
    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
}

#[test]
fn a_file_is_written_whole_in_the_format_of_its_extension() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("night.json"), "what was there before, and longer than nothing").unwrap();
    let names = ["night.json", "night.md", "night.csv", "night.txt"];
    let mut command = bakcast(["predict", "nvme-knob-matrix:2"]);
    for name in names {
        command.arg("-o").arg(path(name));
    }
    let ended: Ended = command.output().unwrap().into();
    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
    for (name, format) in names.iter().zip(["json", "markdown", "csv", "text"]) {
        let expected = stdout(&format!("predict nvme-knob-matrix:2 --format {format}"));
        assert!(fs::read_to_string(path(name)).unwrap() == expected, "{name}");
    }
    assert_eq!(ended.stdout, fs::read_to_string(path("night.txt")).unwrap());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), names.len(), "something is left over");
}

#[test]
fn a_requirement_that_is_not_met_is_exit_code_4_and_still_answered() {
    let met = run("predict nvme-knob-matrix:2 --require backup<=1h --require total<=90min");
    assert_eq!(met.code, 0, "{}", met.stderr);
    let unmet = run("predict nvme-knob-matrix:2 --require backup<=1h --require total<=2s");
    assert_eq!(unmet.code, 4);
    assert!(unmet.stderr.contains("total") && !unmet.stderr.contains("1h"), "{}", unmet.stderr);
    assert!(unmet.stdout.contains("backup"), "{}", unmet.stdout);
    let none = run(&format!("{TO_NUL} --require verify<=1h"));
    assert_eq!(none.code, 4, "a limit on what there is not cannot be met");
}

#[test]
fn colour_is_asked_for_or_absent() {
    let with = |arguments: &str, name: &str, value: &str| {
        let mut command = bakcast(arguments.split_whitespace());
        Ended::from(command.env(name, value).output().unwrap()).stdout
    };
    let predict = "predict nvme-knob-matrix:2";
    let plain = stdout(predict);
    assert!(!plain.contains('\u{1b}'));
    let always = stdout(&format!("{predict} --color always"));
    assert!(always.contains('\u{1b}'), "{always}");
    assert_eq!(with(&format!("{predict} --color never"), "CLICOLOR_FORCE", "1"), plain);
    assert_eq!(with(predict, "NO_COLOR", "1"), plain);
    assert!(with(predict, "CLICOLOR_FORCE", "1").contains('\u{1b}'));
}

#[test]
fn predict_without_a_scenario_says_what_to_type() {
    let ended = run("predict");
    assert_eq!((ended.code, ended.stdout.as_str()), (2, ""));
    for scenario in shipped() {
        let line = format!("bakcast predict {}", scenario.name);
        assert!(ended.stderr.contains(&line), "no `{line}` in:\n{}", ended.stderr);
    }
    assert!(ended.stderr.contains("scenarios --show"), "{}", ended.stderr);
}

#[test]
fn what_predict_suggests_is_there() {
    let said = run("predict").stderr;
    let suggested = said.lines().filter_map(|line| line.strip_prefix("  bakcast predict "));
    let names: Vec<&str> = suggested.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() > shipped().len(), "{names:?}");
    for name in names.iter().filter(|name| **name != "mine.toml") {
        assert!(every_scenario().iter().any(|known| known == name), "{name}");
    }
}

#[test]
fn a_shipped_scenario_that_is_printed_is_a_scenario_file() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("mine.toml");
    fs::write(&path, stdout("scenarios --show usb3-laptop")).unwrap();
    let of = |scenario: &str| json(&format!("predict {scenario}"))["result"]["backup"].clone();
    let mine = format!("{}:2.4", path.display());
    assert_eq!(of(&mine), of("usb3-laptop:2.4"));
    fs::write(&path, stdout("scenarios --show usb3-laptop:2.4")).unwrap();
    assert_eq!(of(&path.display().to_string()), of("usb3-laptop:2.4"));
}

#[test]
fn results_go_to_standard_output_and_all_else_to_standard_error() {
    let ended = run(&format!("{TO_NUL} --format json"));
    assert_eq!(ended.code, 0);
    assert!(serde_json::from_str::<Value>(&ended.stdout).is_ok());
    assert!(ended.stderr.contains("warning:"), "{}", ended.stderr);
    let quiet = run(&format!("{TO_NUL} --format json --quiet"));
    assert_eq!((quiet.code, quiet.stderr.as_str()), (0, ""));
    assert_eq!(quiet.stdout, ended.stdout);
}

/// Wide characters do not occur, so columns are characters.
fn width(text: &str) -> usize {
    text.lines().map(|line| line.chars().count()).max().unwrap_or(0)
}

/// A large scenario is run twice only, for a range that two runs can give.
#[test]
fn every_prediction_fits_a_terminal() {
    for name in every_scenario() {
        let is_large = load(&name, &[]).resolved.database_bytes() > Bytes::mebibytes(50 << 10);
        let options = if is_large { "--replications 2 --level 30%" } else { "" };
        let text = stdout(&format!("predict {name} {options}"));
        assert!(text.lines().count() <= 24, "{name}: {} lines\n{text}", text.lines().count());
        assert!(width(&text) <= 80, "{name}: {} columns\n{text}", width(&text));
        let first =
            text.lines().position(|line| line.starts_with("backup") || line.starts_with("night"));
        let first = first.unwrap();
        assert!(first <= 2, "the answer comes first:\n{text}");
    }
}

#[test]
fn every_other_text_is_no_wider_than_a_terminal() {
    for command in [
        "explain nvme-knob-matrix:8 --replications 3",
        "explain usb3-laptop:2.2 --replications 3",
        "validate --replications 3",
        "scenarios",
        "devices",
        "knobs",
    ] {
        let text = stdout(command);
        assert!(width(&text) <= 80, "{command}: {} columns\n{text}", width(&text));
    }
}

#[test]
fn every_command_explains_itself_with_examples() {
    let commands = "predict explain validate scenarios devices knobs schema completions man";
    for command in commands.split_whitespace() {
        let help = stdout(&format!("{command} --help"));
        assert!(help.contains("Examples:"), "{command}:\n{help}");
        assert!(help.contains(&format!("bakcast {command}")), "{command}:\n{help}");
        assert!(stdout(&format!("man {command}")).starts_with(".ie"), "{command}");
    }
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(stdout(&format!("completions {shell}")).contains("predict"), "{shell}");
    }
    assert_eq!(stdout("--version"), format!("bakcast {}\n", env!("CARGO_PKG_VERSION")));
}
