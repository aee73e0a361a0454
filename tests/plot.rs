//! Pictures: every kind of every shipped scenario, in every size and theme, with the names that
//! people give; no text leaves a picture or lies on another.
//!
//! Texts are measured here by a table of this file, not by the one that laid them out.

mod examples;

use std::process::Output;

use bakcast_report::plot::{Look, PlotResult, Size, Theme, png, svg};
use bakcast_tests::{bakcast, files, read, rewrites, root, run, stdout};
use tempfile::TempDir;

use examples::{NAMES, charts, knob, origin, time};

/// Thousandths of an em of the characters from blank to tilde, of DejaVu Sans.
const ASCII: [u32; 95] = [
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
];

/// Width of a character in em, never too little.
fn em(character: char) -> f64 {
    match u32::from(character) {
        code @ 0x20..=0x7e => f64::from(ASCII[code as usize - 0x20]) / 1000.0,
        0x300..=0x36f | 0x2066..=0x2069 | 0x591..=0x5bd | 0x64b..=0x652 => 0.0,
        0xb7 | 0x2019 => 0.32,
        0xf6 => 0.612,
        0xdf => 0.63,
        0x160 | 0x20ac => 0.636,
        0x201c | 0x201e => 0.518,
        0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xff00..=0xff60 | 0x2026 | 0x2192 => {
            1.0
        }
        0x1_f300..=0x1_faff => 1.05,
        _ => 0.7,
    }
}

/// A text of an SVG and its box: left, top, right, bottom, in pixels.
#[derive(Debug, Clone)]
struct Text {
    words: String,
    area: (f64, f64, f64, f64),
}

fn attribute(tag: &str, name: &str) -> String {
    let start = tag.find(&format!(" {name}=\"")).unwrap_or_else(|| panic!("{name} in {tag}"));
    let rest = &tag[start + name.len() + 3..];
    rest[..rest.find('"').unwrap()].to_string()
}

fn texts(svg: &str) -> Vec<Text> {
    let mut all = Vec::new();
    for part in svg.split("<text ").skip(1) {
        let (tag, rest) = part.split_once('>').unwrap();
        let tag = format!(" {tag}");
        let words = rest.split_once("</text>").unwrap().0.trim().to_string();
        let number = |name: &str| attribute(&tag, name).parse::<f64>().unwrap() / 10.0;
        let size = number("font-size");
        let bold = if tag.contains("bold") { 1.12 } else { 1.0 };
        let plain = words.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
        let plain = plain.replace("&apos;", "'").replace("&amp;", "&");
        let width = plain.chars().map(em).sum::<f64>() * size * bold;
        let x = number("x");
        let left = match attribute(&tag, "text-anchor").as_str() {
            "start" => x,
            "middle" => x - width / 2.0,
            _ => x - width,
        };
        let baseline = number("y") + 0.76 * size;
        let area = (left, baseline - 0.76 * size, left + width, baseline + 0.2 * size);
        all.push(Text { words: plain, area });
    }
    all
}

/// No text leaves the picture, none lies on another, and none is too small to read.
fn check(svg: &str, size: Size, what: &str) {
    let all = texts(svg);
    assert!(all.len() > 3, "{what}: {all:?}");
    let (width, height) = (f64::from(size.width), f64::from(size.height));
    for text in &all {
        let (left, top, right, bottom) = text.area;
        let is_inside = left >= -1.0 && top >= 0.0 && right <= width + 1.0 && bottom <= height;
        assert!(is_inside, "{what}: {text:?} leaves the picture");
        assert!(bottom - top >= 7.0, "{what}: {text:?} is too small");
    }
    for (at, one) in all.iter().enumerate() {
        for other in &all[at + 1..] {
            let (a, b) = (one.area, other.area);
            let apart = a.0 >= b.2 - 0.5 || b.0 >= a.2 - 0.5 || a.1 >= b.3 || b.1 >= a.3;
            assert!(apart, "{what}: {one:?} lies on {other:?}");
        }
    }
    assert!(svg.starts_with("<svg width=") && svg.trim_end().ends_with("</svg>"), "{what}");
    for word in ["<script", "href", "url(", "<image", "onload", "<style", "NaN", "inf"] {
        let drawn = svg.split_once("</desc>").map_or(svg, |(_, rest)| rest);
        assert!(!drawn.contains(word), "{what} contains {word}");
    }
}

const SIZES: [Size; 5] =
    [Size::SMALL, Size::MEDIUM, Size::LARGE, Size::LEAST, Size { width: 1200, height: 300 }];

#[test]
fn no_text_leaves_a_picture_or_lies_on_another() {
    for name in NAMES {
        for scale in [0.5, 8.0, 144_000.0] {
            for chart in charts(name, scale) {
                let result = PlotResult::new(origin(name), chart);
                for size in SIZES {
                    let look = Look { size, ..Look::default() };
                    let what = format!("{} of {name:?}, {scale} s, {size:?}", result.kind);
                    check(&svg(&result, &look).unwrap(), size, &what);
                }
            }
        }
    }
}

/// The check above can fail.
#[test]
fn a_text_that_leaves_its_picture_is_found() {
    let result = PlotResult::new(origin("a"), time(8.0));
    let drawn = svg(&result, &Look::default()).unwrap();
    let wider = drawn.replacen("One backup over time", &"x".repeat(200), 2);
    let caught = std::panic::catch_unwind(|| check(&wider, Size::MEDIUM, "wider"));
    assert!(caught.is_err());
    let y = attribute(drawn.split("<text").nth(2).unwrap(), "y");
    let lower = drawn.replacen("<text ", &format!("<text y=\"{y}\" data-"), 1);
    let caught = std::panic::catch_unwind(|| check(&lower, Size::MEDIUM, "lower"));
    assert!(caught.is_err());
}

#[test]
fn pictures_are_the_same_every_time_and_say_the_same_in_both_themes() {
    for chart in charts("Sales", 8.0) {
        let result = PlotResult::new(origin("Sales"), chart);
        let light = svg(&result, &Look::default()).unwrap();
        assert_eq!(light, svg(&result, &Look::default()).unwrap());
        let dark = svg(&result, &Look { theme: Theme::Dark, ..Look::default() }).unwrap();
        assert_ne!(light, dark);
        let words = |svg: &str| texts(svg).into_iter().map(|text| text.words).collect::<Vec<_>>();
        assert_eq!(words(&light), words(&dark));
    }
}

#[test]
fn a_png_has_its_size_and_counts_what_its_font_does_not_have() {
    for (size, name) in [(Size::SMALL, NAMES[1]), (Size::MEDIUM, NAMES[2])] {
        let result = PlotResult::new(origin(name), knob(name, 8.0, 8));
        let drawn = png(&result, &Look { size, ..Look::default() }).unwrap();
        assert_eq!(&drawn.bytes[..8], b"\x89PNG\r\n\x1a\n");
        let number = |at: usize| u32::from_be_bytes(drawn.bytes[at..at + 4].try_into().unwrap());
        assert_eq!((number(16), number(20)), (size.width, size.height));
        assert_eq!(drawn.boxes > 0, name == NAMES[2], "{name}");
    }
}

/// All of the kinds, as the command line calls them.
const KINDS: [&str; 9] = [
    "knob",
    "heat",
    "stages",
    "time",
    "distribution",
    "measured",
    "bottleneck",
    "pareto",
    "growth",
];

/// Pictures of scenarios as they come, one of each family.
#[test]
fn every_kind_draws_every_family_of_shipped_scenarios() {
    let folder = TempDir::new().unwrap();
    for scenario in bakcast_scenarios::shipped() {
        let name = scenario.name;
        if name.starts_with("night") {
            continue;
        }
        for kind in KINDS.into_iter().filter(|kind| *kind != "measured") {
            let file = folder.path().join(format!("{name}-{kind}.svg"));
            let mut command = bakcast(["plot", kind, name, "--replications", "2", "--quiet"]);
            command.args(["--months", "6"]).arg("-o").arg(&file);
            if let Some(vary) = vary(kind) {
                command.args(vary);
            }
            let ended = command.output().unwrap();
            let said = String::from_utf8_lossy(&ended.stderr).into_owned();
            assert_eq!(ended.status.code(), Some(0), "{kind} {name}: {said}");
            let drawn = std::fs::read_to_string(&file).unwrap();
            check(&drawn, Size::MEDIUM, &format!("{kind} of {name}"));
        }
    }
}

/// Fewer values than usual where there are many, for a test.
fn vary(kind: &str) -> Option<[&'static str; 4]> {
    let pair = |a, b| Some(["--vary", a, "--vary", b]);
    match kind {
        "heat" | "pareto" => pair("buffer_count=4,16,64", "transfer_size=1MiB,4MiB"),
        "bottleneck" => pair("buffer_count=4,16", "processor.logical_processors=1,4"),
        _ => None,
    }
}

fn end(output: &Output) -> (Option<i32>, String) {
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_command_line_that_cannot_be_meant_is_refused_with_what_can() {
    let refused = |arguments: &str, code: i32, word: &str| {
        let ended = run(arguments);
        assert_eq!(ended.code, code, "{arguments}: {}", ended.stderr);
        assert!(ended.stderr.contains(word), "{arguments}: {}", ended.stderr);
    };
    refused("plot knob nvme-knob-matrix:2 --size 10x10", 2, "4096x4096");
    refused("plot heat nvme-knob-matrix:2 --vary buffer_count=8,16", 2, "two knobs");
    refused("plot stages nvme-knob-matrix:2 --vary buffer_count=8,16", 2, "no knob");
    refused("plot knob nvme-knob-matrix:2 --open", 2, "--output");
    refused("plot knob nvme-knob-matrix:2 --open -o knob.csv", 2, "--open needs a picture");
    refused("plot knob nvme-knob-matrix:2 -o knob.bmp", 2, ".svg and .png");
    refused("plot measured four-volumes-nvme", 3, "nothing was measured");
    refused("plot time usb3-laptop:2.4 --operation total", 2, "two runs");
    refused("plot distribution usb3-laptop:2.4 --operation restore", 3, "no restore");
    refused("plot knob", 2, "bakcast plot knob");
}

#[test]
fn the_numbers_behind_a_picture_are_there_in_every_format() {
    let arguments =
        "plot knob nvme-knob-matrix:2 --vary buffer_count=8,64 --replications 4 --quiet";
    let csv = stdout(&format!("{arguments} --format csv"));
    let first = csv.lines().next().unwrap();
    assert!(first.starts_with("buffer_count,predicted_seconds,low_seconds"), "{csv}");
    // The two, the scenario as it is, and a row measured with another number of buffers.
    assert_eq!(csv.lines().count(), 5, "{csv}");
    let markdown = stdout(&format!("{arguments} --format markdown"));
    assert!(markdown.contains("| buffer count | predicted |"), "{markdown}");
    let document = bakcast_tests::json(arguments);
    assert_eq!(document["result"]["kind"], "knob");
    let points = document["result"]["points"].as_array().unwrap();
    assert!(points.iter().all(|point| point["seconds"].is_f64()), "{points:?}");
    assert_eq!(document["result"]["measured"].as_array().map(Vec::len), Some(3));
    let text = stdout(arguments);
    assert!(text.is_ascii() || !text.contains('\u{2588}'), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn a_png_of_the_program_says_what_it_could_not_draw() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("x.png");
    let mut command = bakcast(["plot", "stages", "usb3-laptop:2.4", "--replications", "2"]);
    let (code, said) =
        end(&command.args(["--title", "\u{6570}\u{636e}"]).arg("-o").arg(&file).output().unwrap());
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("2 characters are a box"), "{said}");
    assert_eq!(&std::fs::read(&file).unwrap()[1..4], b"PNG");
}

const PAGE: &str = "docs/plots.md";

/// Every picture of the page is made by a command on it, and is the one that the command makes now.
#[test]
fn the_pictures_of_the_page_are_those_of_its_commands() {
    let page = read(PAGE);
    let folder = TempDir::new().unwrap();
    let mut made = Vec::new();
    for command in page.lines().filter_map(|line| line.strip_prefix("$ bakcast plot ")) {
        let Some((_, name)) = command.rsplit_once("-o ") else { continue };
        let name = name.split_whitespace().next().unwrap();
        if !name.ends_with(".svg") {
            continue;
        }
        let file = folder.path().join(name);
        let arguments = command.replace(&format!("-o {name}"), "");
        let arguments: Vec<String> =
            arguments.split_whitespace().map(|word| word.replace('\'', "")).collect();
        let output = bakcast(["plot"]).args(arguments).arg("-o").arg(&file).output().unwrap();
        assert_eq!(end(&output), (Some(0), String::new()), "{command}");
        let kept = format!("docs/pictures/{name}");
        let drawn = std::fs::read_to_string(&file).unwrap();
        if rewrites("UPDATE_DOCS") {
            std::fs::create_dir_all(root().join("docs/pictures")).unwrap();
            std::fs::write(root().join(&kept), &drawn).unwrap();
        }
        assert!(read(&kept) == drawn, "{kept} is not what `bakcast plot {command}` draws");
        assert!(page.contains(&format!("](pictures/{name})")), "{name} is not shown");
        made.push(name.to_string());
    }
    for file in files("docs/pictures", ".svg") {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let elsewhere = files("docs", ".md").into_iter().filter(|path| !path.ends_with("plots.md"));
        let mut elsewhere = elsewhere.map(read);
        let is_used = elsewhere.any(|text| text.contains(&format!("pictures/{name}")));
        assert!(made.contains(&name) || is_used, "no command makes {name}");
    }
    assert_eq!(made.len(), KINDS.len(), "{made:?}");
}
