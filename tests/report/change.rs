//! Change requests: what `recommend` finds or somebody proposes, in the words of a ticket.

use bakcast_scenarios::parse_statements;
use bakcast_tests::{json, run, stdout};
use serde_json::Value;

const SMALL: &str = "nvme-knob-matrix:1 --replications 4 --set volume.data.size=1GiB";

/// The text of an item.
fn item(document: &Value, label: &str) -> String {
    let items = document["result"]["items"].as_array().unwrap();
    let found = items.iter().find(|item| item["label"] == label);
    found.unwrap_or_else(|| panic!("no {label} in {items:?}"))["text"].as_str().unwrap().to_string()
}

#[test]
fn a_request_is_for_what_recommend_finds() {
    let limits = "--window 10s --memory 256MiB";
    let document = json(&format!("report {SMALL} --change-request {limits}"));
    let advice = json(&format!("recommend {SMALL} {limits}"));
    let (result, advice) = (&document["result"], &advice["result"]);
    assert_eq!(result["verdict"], "change");
    assert_eq!(result["proposed"]["settings"], advice["choice"]["settings"]);
    for key in ["backup", "total", "buffer_memory_bytes", "bottleneck"] {
        assert_eq!(result["proposed"][key], advice["choice"][key], "{key}");
    }
    for key in ["statement", "ola_call", "dbatools_call", "requirements"] {
        assert_eq!(result[key], advice[key], "{key}");
    }
    for key in ["ratio", "ratio_low", "ratio_high"] {
        assert_eq!(result[key], advice["choice"][key], "{key}");
    }
    for label in
        ["Change", "Now", "Proposed", "Expected", "Limit", "Bottleneck", "Cost", "Evidence", "Test"]
    {
        assert!(item(&document, label).len() > 20, "{label}");
    }
    let rollback = parse_statements(result["rollback_statement"].as_str().unwrap()).unwrap();
    assert_eq!(rollback[0].buffer_count, None);
    assert!(item(&document, "Rollback").contains("no compression"));
    assert!(item(&document, "Evidence").contains("fitted to"), "{}", item(&document, "Evidence"));
}

#[test]
fn what_is_proposed_is_held_against_what_is() {
    let set = "--proposed-set backup.compression=true --proposed-set backup.buffer_count=50";
    let document = json(&format!("report {SMALL} --change-request {set}"));
    let result = &document["result"];
    assert_eq!((&result["verdict"], &result["is_given"]), (&"change".into(), &true.into()));
    let alone = json(&format!(
        "predict {SMALL} --set backup.compression=true --set backup.buffer_count=50"
    ));
    for key in ["backup", "statement", "buffer_memory_bytes", "bottleneck"] {
        assert_eq!(result["proposed"][key], alone["result"][key], "{key}");
    }
    let change = item(&document, "Change");
    assert!(change.ends_with("COMPRESSION, BUFFERCOUNT = 50"), "{change}");
    let compared =
        json(&format!("compare {SMALL} --vary backup={{compression=true,buffer_count=50}}"));
    assert_eq!(result["ratio"], compared["result"]["rows"][1]["ratio"]);
}

#[test]
fn a_proposal_that_is_slower_says_so() {
    let document = json(
        "report nvme-knob-matrix:2 --replications 4 --change-request \
         --proposed-set backup.block_size=64KiB --proposed-set backup.compression=false",
    );
    let expected = item(&document, "Expected");
    assert!(expected.contains(" % MORE time"), "{expected}");
}

#[test]
fn a_statement_can_be_proposed() {
    let sql = "BACKUP DATABASE [x] TO DISK = N'nvme:\\x.bak' WITH COMPRESSION, BUFFERCOUNT = 33";
    let arguments = ["report", "nvme-knob-matrix:1", "--change-request", "--proposed-sql", sql];
    let more = ["--set", "paths.nvme=nvme", "--replications", "2", "--format", "json"];
    let arguments = [&arguments[..], &more[..]].concat();
    let ended = bakcast_tests::bakcast(&arguments).output().unwrap();
    assert_eq!(ended.status.code(), Some(0), "{}", String::from_utf8_lossy(&ended.stderr));
    let document: Value = serde_json::from_slice(&ended.stdout).unwrap();
    assert_eq!(document["result"]["proposed"]["settings"]["buffer_count"], 33);
}

#[test]
fn where_nothing_is_better_it_is_said_and_nothing_is_proposed() {
    let document = json("report nvme-knob-matrix:6 --replications 4 --change-request --budget 60");
    let result = &document["result"];
    assert_eq!(result["verdict"], "stay", "{}", result["advice"]);
    assert!(result.get("proposed").is_none() && result.get("rollback_statement").is_none());
    assert!(item(&document, "Change").starts_with("none"), "{}", item(&document, "Change"));
    let own = json("predict nvme-knob-matrix:6 --replications 4");
    assert_eq!(result["statement"], own["result"]["statement"]);
}

#[test]
fn where_nothing_keeps_the_limits_the_exit_code_says_so_too() {
    let ended = run(&format!(
        "report {SMALL} --change-request --window 100ms --budget 20 --format json --quiet"
    ));
    assert_eq!(ended.code, 4, "{}", ended.stderr);
    let document: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(document["result"]["verdict"], "nothing-keeps-the-limits");
    assert!(item(&document, "Limit").contains("does NOT fit"));
    assert!(item(&document, "Nearest").len() > 20);
}

#[test]
fn what_is_not_calibrated_is_said_not_to_be() {
    let document = json(
        "report disk-to-usb-disk --replications 2 --change-request --exact \
         --set volume.data.size=256MiB --proposed-set backup.buffer_count=20",
    );
    let evidence = item(&document, "Evidence");
    assert!(evidence.starts_with("NOT calibrated"), "{evidence}");
}

#[test]
fn text_fits_a_screen_and_markdown_holds_the_same() {
    let arguments = format!("report {SMALL} --change-request --proposed-set buffer_count=50");
    let arguments = arguments.replace("buffer_count", "backup.buffer_count");
    let text = stdout(&arguments);
    let (items, _) = text.split_once("\nThe statement").unwrap();
    assert!(items.lines().all(|line| line.chars().count() <= 80), "{items}");
    let markdown = stdout(&format!("{arguments} --format markdown"));
    let document = json(&arguments);
    for found in document["result"]["items"].as_array().unwrap() {
        let label = found["label"].as_str().unwrap();
        assert!(text.contains(&format!("\n{label} ")) || text.starts_with(label), "{label}");
        assert!(markdown.contains(&format!("- **{label}**: ")), "{label}");
    }
    let statement = document["result"]["statement"].as_str().unwrap();
    assert!(text.contains(statement) && markdown.contains(statement));
}
