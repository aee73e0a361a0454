//! `report`: pages that are sound, inert and say what the other commands say; change requests.

mod change;
mod hostile;
mod markup;

use bakcast_scenarios::shipped;
use bakcast_tests::{bakcast, json, run, stdout};
use tempfile::TempDir;

use markup::{Element, parse};

/// The page of a command.
fn page(arguments: &[&str]) -> String {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("page.html");
    let mut command = bakcast(arguments);
    let ended = command.arg("-o").arg(&file).current_dir(folder.path()).output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    let code = ended.status.code();
    assert!(code == Some(0) || code == Some(4), "{arguments:?}: {said}");
    std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {said}"))
}

/// A page of a command whose words are separated by blanks, as the elements it is made of.
fn parsed(arguments: &str) -> (String, Vec<Element>) {
    let words: Vec<&str> = arguments.split_whitespace().collect();
    let text = page(&words);
    let elements = parse(&text).unwrap_or_else(|error| panic!("{arguments}: {error}"));
    (text, elements)
}

/// Elements of which none fetches, runs or sends anything by itself.
const HARMLESS: [&str; 53] = [
    "html",
    "head",
    "meta",
    "link",
    "title",
    "style",
    "body",
    "header",
    "main",
    "footer",
    "section",
    "h1",
    "h2",
    "h3",
    "p",
    "strong",
    "bdi",
    "span",
    "ul",
    "li",
    "div",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "pre",
    "code",
    "details",
    "summary",
    "figure",
    "figcaption",
    "svg",
    "rect",
    "line",
    "polyline",
    "polygon",
    "path",
    "circle",
    "text",
    "g",
    "desc",
    "tspan",
    "clipPath",
    "defs",
    "pattern",
    "ellipse",
    "br",
    "ol",
    "em",
    "small",
    "caption",
];

/// What is wrong with a page, beside its form.
fn unsafe_parts(elements: &[Element]) -> Vec<String> {
    let mut wrong = Vec::new();
    for element in elements {
        if !HARMLESS.contains(&element.name.as_str()) {
            wrong.push(format!("<{}>", element.name));
        }
        for (key, value) in &element.attributes {
            let fetches = ["src", "srcset", "style", "action", "xlink:href", "data", "srcdoc"];
            let is_address = key == "href" && value != "data:," && !value.starts_with('#');
            if key.starts_with("on") || fetches.contains(&key.as_str()) || is_address {
                wrong.push(format!("<{} {key}={value:?}>", element.name));
            }
        }
    }
    let styles: Vec<&Element> = elements.iter().filter(|e| e.name == "style").collect();
    if styles.len() != 1 {
        wrong.push(format!("{} style sheets", styles.len()));
    }
    for style in styles {
        for mark in ["@import", "url(", "http:", "https:", "expression"] {
            if style.text.contains(mark) {
                wrong.push(format!("`{mark}` in the style"));
            }
        }
    }
    let policy = elements.iter().find(|e| e.get("http-equiv") == Some("Content-Security-Policy"));
    match policy.and_then(|policy| policy.get("content")) {
        Some(policy) if policy.starts_with("default-src 'none'; style-src 'sha256-") => {}
        other => wrong.push(format!("policy {other:?}")),
    }
    wrong
}

fn assert_sound(arguments: &str) -> (String, Vec<Element>) {
    let (text, elements) = parsed(arguments);
    let wrong = unsafe_parts(&elements);
    assert!(wrong.is_empty(), "{arguments}: {wrong:?}");
    let ids: Vec<&str> = elements.iter().filter_map(|element| element.get("id")).collect();
    let mut unique = ids.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), ids.len(), "{arguments}: {ids:?}");
    (text, elements)
}

/// Of a page the text of a section.
fn section(elements: &[Element], id: &str) -> String {
    let found = elements.iter().find(|element| element.get("id") == Some(id));
    found.unwrap_or_else(|| panic!("no section {id}")).text.clone()
}

#[test]
fn the_page_of_every_shipped_scenario_is_sound_and_holds_all_it_should() {
    for scenario in shipped() {
        let name = scenario.name;
        let (_, elements) = assert_sound(&format!("report {name} --replications 2"));
        for id in ["answer", "why", "next", "sure", "inputs"] {
            assert!(!section(&elements, id).trim().is_empty(), "{name}: {id}");
        }
        let footer = elements.iter().find(|element| element.name == "footer").unwrap();
        assert!(footer.text.contains("seed 1"), "{name}: {}", footer.text);
        assert!(footer.text.contains(env!("CARGO_PKG_VERSION")), "{name}: {}", footer.text);
    }
}

/// A judge that could pass everything is given something wrong to find.
#[test]
fn a_page_that_is_not_sound_is_found_out() {
    for wrong in [
        "<p>",
        "<p></b></p>",
        "<p a=b></p>",
        "<p a=\"b\" a=\"c\"></p>",
        "<p>a & b</p>",
        "<p>a < b</p>",
        "<p>a > b</p>",
        "<p a=\"<\"></p>",
        "</p>",
        "<p>&bogus;</p>",
    ] {
        assert!(parse(wrong).is_err(), "{wrong}");
    }
    let hostile = "<script src=\"x\"></script><p onclick=\"y\" style=\"z\"></p>";
    let wrong = unsafe_parts(&parse(hostile).unwrap());
    assert!(wrong.len() >= 5, "{wrong:?}");
}

#[test]
fn the_page_says_what_predict_says() {
    let arguments = "usb3-laptop:2.4 --replications 4 --require total<=1min";
    let (_, elements) = assert_sound(&format!("report {arguments}"));
    let answer = section(&elements, "answer");
    let predicted = stdout(&format!("predict {arguments} --format markdown"));
    let table: Vec<&str> = predicted.lines().filter(|line| line.starts_with("| ")).collect();
    assert!(table.len() >= 5, "{predicted}");
    for line in &table[2..] {
        for cell in line.split('|').map(str::trim).filter(|cell| !cell.is_empty()) {
            assert!(answer.contains(cell), "{cell} is not in {answer}");
        }
    }
    assert!(answer.contains("total<=1min: fits"), "{answer}");
    let document = json(&format!("report {arguments}"));
    let own = json(&format!("predict {arguments}"));
    for key in ["backup", "verify", "total", "bottleneck", "stations", "statement", "requirements"]
    {
        assert_eq!(document["result"]["prediction"][key], own["result"][key], "{key}");
    }
    assert_eq!(document["inputs"], own["inputs"]);
    assert_eq!(document["warnings"], own["warnings"]);
}

#[test]
fn a_window_that_is_missed_is_said_on_the_page_and_by_the_exit_code() {
    let ended = run("report usb3-laptop:2.1 --replications 2 --window 30s --format json");
    assert_eq!(ended.code, 4, "{}", ended.stderr);
    assert!(ended.stderr.contains("not met: backup<=30s"), "{}", ended.stderr);
    let (_, elements) = parsed("report usb3-laptop:2.1 --replications 2 --window 30s");
    let answer = section(&elements, "answer");
    assert!(answer.contains("backup<=30s: does not fit, by"), "{answer}");
}

#[test]
fn the_same_command_makes_the_same_page_on_any_number_of_threads() {
    let of = |more: &str| parsed(&format!("report nvme-knob-matrix:2 --replications 3{more}")).0;
    let one = of(" --threads 1");
    assert_eq!(one, of(" --threads 3"));
    assert_ne!(one, of(" --seed 2"));
}

/// The command at the foot of a page makes the page.
#[test]
fn a_page_says_how_it_is_made_again() {
    for arguments in [
        "report nvme-knob-matrix:1 --replications 2 --seed 7 --set backup.buffer_count=9 \
         --window 1min --operation total --level 0.8",
        "report nvme-knob-matrix:1 --replications 2 --window 40s --growth 20..40%/year --months 6",
        "report --compare nvme-knob-matrix:1 :2 --replications 2 --require backup<=1h",
    ] {
        let (text, elements) = parsed(arguments);
        let footer = elements.iter().rfind(|e| e.name == "code").unwrap();
        let command = footer.text.replace('\'', "");
        let again = command.strip_prefix("bakcast ").unwrap();
        assert!(again.len() > 30, "{again}");
        assert_eq!(parsed(again).0, text, "{again}");
    }
}

#[test]
fn two_scenarios_stand_side_by_side_with_what_differs_marked() {
    let arguments = "report --compare usb3-laptop:2.1 :2.3 --replications 4";
    let (text, elements) = assert_sound(arguments);
    let marked: Vec<&Element> =
        elements.iter().filter(|element| element.get("class") == Some("differs")).collect();
    let paths: Vec<&str> =
        marked.iter().map(|line| line.text.split_whitespace().nth(1).unwrap()).collect();
    assert!(paths.contains(&"backup.compression"), "{paths:?}");
    assert!(!paths.contains(&"volume.data.size"), "{paths:?}");
    assert!(text.contains("volume.data.size"));
    let compared = json("compare usb3-laptop:2.1 --vary variant=2.3 --replications 4");
    let document = json(arguments);
    let row = &compared["result"]["rows"][1];
    for key in ["ratio", "ratio_low", "ratio_high", "difference_seconds"] {
        assert_eq!(document["result"][key], row[key], "{key}");
    }
    let answer = document["result"]["answer"].as_str().unwrap();
    assert!(answer.starts_with("The backup of usb3-laptop:2.3 is "), "{answer}");
    assert!(answer.contains(" % shorter than that of usb3-laptop:2.1"), "{answer}");
}

#[test]
fn the_same_scenario_twice_has_no_difference() {
    let document = json("report --compare nvme-knob-matrix:2 nvme-knob-matrix:2 --replications 4");
    let result = &document["result"];
    assert_eq!(result["ratio"], 1.0);
    assert!(result["answer"].as_str().unwrap().starts_with("No difference"), "{result}");
}

#[test]
fn growth_stands_on_the_page_where_it_is_given() {
    let arguments = "report nvme-knob-matrix:1 --replications 2 --window 30s --growth 5%/month \
                     --months 12";
    let (_, elements) = assert_sound(arguments);
    let months = section(&elements, "growth");
    let planned = json(
        "plan nvme-knob-matrix:1 --replications 2 --window 30s --growth 5%/month --months 12 \
         --operation backup",
    );
    let answer = planned["result"]["answer"].as_str().unwrap();
    assert!(months.contains(answer), "{months}");
}

#[test]
fn a_single_change_is_worth_what_predict_says_of_it() {
    let document = json("report usb3-laptop:2.1 --replications 4");
    let helps = document["result"]["helps"].as_array().unwrap();
    assert!(helps.len() >= 3, "{helps:?}");
    let ratios: Vec<f64> = helps.iter().map(|help| help["ratio"].as_f64().unwrap()).collect();
    assert!(ratios.is_sorted(), "{ratios:?}");
    for help in helps {
        let set = help["set"].as_str().unwrap().replace(' ', "");
        let alone = json(&format!("predict usb3-laptop:2.1 --replications 4 --set {set}"));
        assert_eq!(help["seconds"], alone["result"]["backup"]["seconds"], "{set}");
    }
}

#[test]
fn where_a_page_goes_is_asked_for_before_anything_is_run() {
    let ended = run("report nvme-knob-matrix:2");
    assert_eq!(ended.code, 2);
    assert!(ended.stderr.contains("-o report.html"), "{}", ended.stderr);
    let ended = run("report nvme-knob-matrix:2 -o page.pdf");
    assert_eq!(ended.code, 2);
    assert!(ended.stderr.contains(".html for a page"), "{}", ended.stderr);
    assert_eq!(run("report --compare nvme-knob-matrix:2 -o x.html").code, 2);
    assert_eq!(run("predict nvme-knob-matrix:2 -o x.html").code, 2);
}
