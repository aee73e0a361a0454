//! `recommend`: settings under limits.

use bakcast_scenarios::parse_statements;
use bakcast_tests::{json, run, stdout};
use serde_json::Value;

const SMALL: &str = "recommend nvme-knob-matrix:1 --replications 4 --set volume.data.size=1GiB";

fn of(document: &Value) -> &Value {
    &document["result"]
}

/// What the choice comes to by `predict`, with the settings alone.
fn predicted(document: &Value, base: &str) -> Value {
    let settings = &of(document)["choice"]["settings"];
    let mut command = format!("predict {base}");
    command += &format!(" --set backup.compression={}", settings["compression"]);
    let stripes: Vec<&str> =
        settings["stripes"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    command += &format!(" --set backup.stripes={}", stripes.join(","));
    let count = settings["buffer_count"].as_u64().map(|count| count.to_string());
    command += &format!(" --set backup.buffer_count={}", count.as_deref().unwrap_or("default"));
    let size = settings["transfer_size_bytes"].as_u64().map(|size| format!("{size}B"));
    command += &format!(" --set backup.transfer_size={}", size.as_deref().unwrap_or("default"));
    json(&command)
}

#[test]
fn the_document_of_recommend_has_the_keys_of_the_contract() {
    let document = json(&format!("{SMALL} --memory 256MiB"));
    assert_eq!(document["command"], "recommend");
    let result = of(&document);
    for key in ["choice", "statement", "ola_call", "dbatools_call", "alternatives", "evaluated"] {
        assert!(result.get(key).is_some(), "{key}");
    }
    for key in ["settings", "backup", "verify", "total", "buffer_memory_bytes", "bottleneck"] {
        assert!(result["choice"].get(key).is_some(), "{key}");
    }
    assert!(result["evaluated"].as_u64().unwrap() > 10);
    assert_eq!(result["as_it_is"], false);
}

#[test]
fn the_choice_keeps_its_limits_when_it_is_predicted_by_itself() {
    for (base, limits) in [
        ("nvme-knob-matrix:1 --replications 4 --set volume.data.size=1GiB", "--memory 100MiB"),
        ("usb3-laptop:2.1 --replications 4", "--window 2min --operation total --stripes 2"),
        ("nvme-knob-matrix:2 --replications 4 --set volume.data.size=1GiB", "--cpu 50%"),
    ] {
        let document = json(&format!("recommend {base} {limits}"));
        let alone = predicted(&document, base);
        let choice = &of(&document)["choice"];
        for key in ["backup", "verify", "total", "buffer_memory_bytes", "statement"] {
            assert_eq!(choice[key], alone["result"][key], "{base} {limits}: {key}");
        }
        let met = of(&document)["requirements"].as_array().unwrap();
        assert!(met.iter().all(|requirement| requirement["met"] == true), "{met:?}");
        assert!(choice["processor_share"].as_f64().unwrap() <= 1.0);
    }
}

/// Row 6 of the article is the best that was measured of one release: 64 buffers of 4 MiB.
#[test]
fn of_the_article_the_settings_of_its_best_row_are_recommended() {
    let document = json("recommend nvme-knob-matrix:1 --replications 16");
    let settings = &of(&document)["choice"]["settings"];
    assert_eq!(settings["compression"], true);
    assert_eq!(settings["stripes"].as_array().unwrap().len(), 1);
    assert_eq!(settings["buffer_count"].as_u64(), Some(64), "{settings}");
    assert_eq!(settings["transfer_size_bytes"].as_u64(), Some(4 << 20), "{settings}");
}

#[test]
fn the_statement_says_what_was_chosen() {
    let document = json(&format!("{SMALL} --memory 256MiB"));
    let settings = &of(&document)["choice"]["settings"];
    for key in ["statement", "ola_call", "dbatools_call"] {
        let read = parse_statements(of(&document)[key].as_str().unwrap()).unwrap();
        assert_eq!(read.len(), 1, "{key}");
        assert_eq!(read[0].buffer_count, settings["buffer_count"].as_u64(), "{key}");
        assert_eq!(read[0].compression, settings["compression"].as_bool(), "{key}");
    }
}

#[test]
fn what_cannot_be_kept_is_refused_with_the_nearest_miss_and_what_binds() {
    let ended = run(&format!("{SMALL} --memory 1MiB"));
    assert_eq!(ended.code, 4, "{}", ended.stderr);
    assert!(ended.stdout.contains("Nothing keeps the limits. Nearest:"), "{}", ended.stdout);
    assert!(ended.stderr.contains("not met: memory<=1MiB"), "{}", ended.stderr);
    let ended = run(&format!("{SMALL} --window 1ms --format json"));
    let document: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(ended.code, 4);
    assert!(of(&document).get("choice").is_none() && of(&document).get("nearest").is_some());
    let tight = run(&format!("{SMALL} --window 2s --memory 8MiB"));
    assert_eq!(tight.code, 4);
    assert!(tight.stdout.contains("What binds is memory<=8MiB"), "{}", tight.stdout);
}

#[test]
fn what_gains_nothing_stays_as_it_is() {
    let again = json(&format!("{SMALL} --memory 256MiB"));
    let settings = &of(&again)["choice"]["settings"];
    let sets = format!(
        "--set backup.compression=true --set backup.buffer_count={}",
        settings["buffer_count"]
    );
    let text = stdout(&format!("{SMALL} --memory 256MiB --stripes 1 {sets} --threshold 10%"));
    assert!(text.contains("Leave it as it is"), "{text}");
}

#[test]
fn recommendations_are_the_same_on_any_number_of_threads_and_fit_a_screen() {
    let command = "recommend usb3-laptop:2.1 --set volume.data.size=1GiB --replications 4 --quiet";
    let one = stdout(&format!("{command} --threads 1"));
    assert_eq!(one, stdout(&format!("{command} --threads 3")));
    for more in ["", "--window 1ms", "--memory 1GiB --cpu 50% --operation total"] {
        let text = run(&format!("{command} {more}")).stdout;
        assert!(text.lines().count() <= 24, "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
    let csv = stdout(&format!("{command} --format csv"));
    assert!(csv.starts_with("role,change,compression,stripes,"), "{csv}");
    let markdown = stdout(&format!("{command} --format markdown"));
    assert!(markdown.contains("```sql\nBACKUP DATABASE"), "{markdown}");
}

#[test]
fn what_cannot_be_meant_is_said_with_what_can() {
    for (more, code, part) in [
        ("--window 2", 2, "--window `2`"),
        ("--memory lots", 2, "--memory `lots`"),
        ("--cpu 60", 2, "did you mean 60%?"),
        ("--stripes 0", 2, "--stripes"),
        ("--devices nvm", 2, "did you mean `nvme`?"),
        ("--operation restore", 2, "backup, verify, total"),
        ("--require size<=2", 2, "memory, cpu, files"),
        ("--set backup.stripes=nowhere", 3, "nowhere"),
    ] {
        let ended = run(&format!("{SMALL} {more}"));
        assert_eq!(ended.code, code, "{more}: {}", ended.stderr);
        assert!(ended.stderr.contains(part), "{more}: {}", ended.stderr);
    }
}

#[test]
fn every_command_that_predicts_takes_requirements() {
    let base = "nvme-knob-matrix:2 --replications 4 --set volume.data.size=1GiB";
    let plan = "--window 1h --growth 0%/month --months 1";
    for (command, more) in [("predict", ""), ("explain", ""), ("recommend", ""), ("plan", plan)] {
        for (limit, code) in [
            ("total<=1h", 0),
            ("total<=1ms", 4),
            ("cpu<=100%", 0),
            ("cpu<=1%", if command == "recommend" { 0 } else { 4 }),
            ("files<=64", 0),
            ("files<1", 4),
        ] {
            let ended = run(&format!("{command} {base} {more} --require {limit}"));
            assert_eq!(ended.code, code, "{command} {limit}: {}", ended.stderr);
            assert_eq!(ended.stderr.contains("not met"), code == 4, "{}", ended.stderr);
        }
    }
}
