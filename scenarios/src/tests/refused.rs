//! What is refused because it would be misread, mislead or reach where it should not.

use super::{SMALL, load, load_with, only, problem, problems_of, small_with};
use crate::{Document, ProblemKind, find_knob};

const STALLING: &str = "[device.drive.solid_state]\nread_rate = \"1 GB/s\"\n\
                        write_rate = \"1 GB/s\"\nstall = { mean = \"1 ms\", every = \"1 GB\" }\n";

#[test]
fn a_variability_above_ten_is_refused_wherever_it_stands() {
    let text = format!("{SMALL}{STALLING}");
    for path in [
        "compression.variability",
        "device.source.fixed_rate.variability",
        "device.target.spindle.variability",
        "device.drive.solid_state.variability",
        "device.drive.solid_state.stall.variability",
    ] {
        load_with(&text, None, &[&format!("{path}=10")]).unwrap();
        load_with(&text, None, &[&format!("{path}=0")]).unwrap();
        let found = only(problems_of(load_with(&text, None, &[&format!("{path}=10.1")])));
        assert_eq!((found.kind, found.path.as_str()), (ProblemKind::OutOfRange, path));
        assert_eq!(found.accepted, "a number from 0 to 10");
        assert_eq!(find_knob(path).unwrap().accepted, "a number from 0 to 10");
    }
    let found = problem(&small_with("ratio = 3.5", "ratio = 3.5\nvariability = 1000"));
    assert_eq!(found.kind, ProblemKind::OutOfRange);
    let variant = "[variant.a]\nset = { \"compression.variability\" = 11 }\n";
    assert_eq!(problem(&format!("{SMALL}{variant}")).kind, ProblemKind::OutOfRange);
    let amplified = "device.drive.solid_state.large_block_amplification=1000";
    load_with(&text, None, &[amplified]).unwrap();
}

#[test]
fn the_schema_for_editors_bounds_variability_too() {
    let schema = crate::json_schema().to_string();
    let bounded = |max: &str| schema.matches(&format!("\"maximum\":{max}")).count();
    assert_eq!(bounded("10") - bounded("1024") - bounded("1000"), 7, "{schema}");
}

#[test]
fn a_device_named_like_a_station_of_the_results_is_refused() {
    for (name, reason) in [("processor", "processors of the host"), ("buffers", "backup buffers")] {
        let found = problem(&SMALL.replace("target", name));
        assert_eq!((found.kind, found.line), (ProblemKind::BadName, Some(10)), "{name}");
        assert!(found.message.contains(reason), "{found}");
    }
    let set = "device.buffers.fixed_rate.rate=1 MB/s";
    let found = problems_of(load_with(SMALL, None, &[set]));
    assert!(found.iter().any(|problem| problem.kind == ProblemKind::BadName), "{found:?}");
    load(&SMALL.replace("volume.data", "volume.processor")).unwrap();
}

#[test]
fn control_characters_in_texts_are_refused() {
    let variant = "[variant.a]\ntitle = \"one\"\nsource = \"two\"\n";
    let text = format!("{SMALL}{variant}").replace(
        "\n[volume.data]",
        "source = \"three\"\ndatabase.name = \"four\"\n\n[volume.data]",
    );
    load_with(&text, Some("a"), &[]).unwrap();
    let hidden = ["\\u001b[31m", "\\n", "\\r", "\\u0000", "\\u009b", "\\u202e", "\\u2066"];
    for word in ["small", "one", "two", "three", "four"] {
        for hidden in hidden {
            let text = text.replace(&format!("\"{word}\""), &format!("\"{word}{hidden}\""));
            // The source of a chosen variant takes the place of the scenario's.
            let chosen = Some("a").filter(|_| word != "three");
            for variant in [None, chosen] {
                let found = only(problems_of(load_with(&text, variant, &[])));
                assert_eq!(found.kind, ProblemKind::NotAccepted, "{word}{hidden}: {found}");
                let shown = found.to_string();
                assert!(!shown.chars().any(crate::words::is_hidden), "{shown:?}");
            }
        }
    }
    let found = only(problems_of(load_with(SMALL, None, &["title=a\u{1b}[2Jb"])));
    assert_eq!(found.path, "title");
    let device = problem(&small_with("device = \"source\"", "device = \"source\\u001b\""));
    assert_eq!(device.kind, ProblemKind::NotAccepted);
}

#[test]
fn a_whole_number_in_quotes_or_with_a_point_is_answered_with_it() {
    for written in ["\"64\"", "64.0", "\"64.0\"", "\" 64 \""] {
        let to = format!("[\"target\"]\nbuffer_count = {written}");
        let found = problem(&small_with("[\"target\"]", &to));
        assert_eq!(found.suggestion.as_deref(), Some("`64`"), "{written}");
        let set = format!("backup.buffer_count={written}");
        let found = only(problems_of(load_with(SMALL, None, &[&set])));
        assert_eq!(found.suggestion.as_deref(), Some("`64`"), "{set}");
    }
}

#[test]
fn a_decimal_comma_is_answered_with_a_point() {
    let suggestion = |from: &str, to: &str| problem(&small_with(from, to)).suggestion;
    let meant = |text: &str| Some(format!("`{text}`"));
    assert_eq!(suggestion("400 MB/s", "1,5 MB/s"), meant("\"1.5 MB/s\""));
    assert_eq!(suggestion("400 MB/s", "1,5 mb/s"), meant("\"1.5 MB/s\""));
    assert_eq!(suggestion("400 MB/s", "1,5"), meant("\"1.5 MB/s\""));
    assert_eq!(suggestion("ratio = 3.5", "ratio = \"3,5\""), meant("3.5"));
    // Thousands, perhaps.
    assert_eq!(suggestion("400 MB/s", "1,500 MB/s"), None);
    assert_eq!(suggestion("400 MB/s", "1,5,5 MB/s"), None);
}

#[test]
fn a_transfer_size_between_two_multiples_is_said_to_be_no_multiple() {
    let message = |size: &str| {
        let to = format!("[\"target\"]\ntransfer_size = \"{size}\"");
        problem(&small_with("[\"target\"]", &to)).message
    };
    assert!(message("65 KiB").ends_with("it is not a multiple of 64 KiB"), "{}", message("65 KiB"));
    assert!(message("8 MiB").ends_with("it is out of range"));
    assert!(message("32 KiB").ends_with("it is out of range"));
}

#[test]
fn files_of_another_encoding_are_named() {
    let message = |bytes: Vec<u8>| Document::from_bytes("x.toml", bytes).unwrap_err().to_string();
    let little: Vec<u8> = SMALL.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = SMALL.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let marked = |mark: &[u8], text: &[u8]| [mark, text].concat();
    for bytes in
        [marked(b"\xff\xfe", &little), marked(b"\xfe\xff", &big), little.clone(), big.clone()]
    {
        let message = message(bytes);
        assert!(message.contains("it looks like UTF-16; save it as UTF-8"), "{message}");
    }
    let nul = message(b"title = \"a\0b\"".to_vec());
    assert!(nul.contains("(byte 10): it contains a NUL byte"), "{nul}");
    assert!(message(b"\0\0\0\0".to_vec()).contains("NUL byte"));
    assert!(message(b"ti\xfftle".to_vec()).contains("is not UTF-8 text (byte 2): save it"));
}

#[test]
fn a_knob_that_a_variant_sets_twice_is_refused() {
    let twice = [
        "set = { backup.buffer_count = 3, \"backup.buffer_count\" = 4 }\n",
        "set = { \"backup.buffer_count\" = 4, backup.buffer_count = 3 }\n",
        "[variant.a.set]\nbackup.buffer_count = 3\n\"backup . buffer_count\" = 4\n",
        "set = { backup = { buffer_count = 3 }, \"backup.buffer_count\" = 3 }\n",
    ];
    for set in twice {
        let text = format!("{SMALL}[variant.a]\n{set}");
        for variant in [None, Some("a")] {
            let found = only(problems_of(load_with(&text, variant, &[])));
            assert_eq!(found.kind, ProblemKind::DuplicateKey, "{set}: {found}");
            assert_eq!(found.message, "`backup.buffer_count` stands twice");
        }
    }
    let first = format!("{SMALL}[variant.a]\n{}", twice[1]);
    assert_eq!(problem(&first).column, Some(43));
    let once = "set = { backup.buffer_count = 3, \"backup.transfer_size\" = \"1 MiB\" }\n";
    load_with(&format!("{SMALL}[variant.a]\n{once}"), Some("a"), &[]).unwrap();
}
