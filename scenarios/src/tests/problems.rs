//! Each sort of problem is found, in its place, with a way out.

use std::fs;

use super::{SMALL, kinds, load, only, problem, problems, problems_of, small_with};
use crate::{Document, ProblemKind, Scenario, ScenarioError, ScenarioOrigin};

#[test]
fn the_small_scenario_is_right() {
    load(SMALL).unwrap();
}

#[test]
fn an_unknown_key_is_refused_by_name() {
    let found =
        problem(&small_with("logical_processors", "logical_procesors = 2\nlogical_processors"));
    assert_eq!(found.kind, ProblemKind::UnknownKey);
    assert_eq!(found.path, "processor.logical_procesors");
    assert_eq!((found.line, found.column), (Some(15), Some(1)));
    assert_eq!(found.suggestion.as_deref(), Some("`processor.logical_processors`"));
}

#[test]
fn a_key_in_the_wrong_table_is_sent_home() {
    let found = problem(&small_with("ratio = 3.5", "ratio = 3.5\nBUFFERCOUNT = 64"));
    assert_eq!(found.suggestion.as_deref(), Some("`backup.buffer_count`"));
}

#[test]
fn a_number_without_its_unit_is_answered_with_one() {
    let suggestion = |from: &str, to: &str| {
        let found = problem(&small_with(from, to));
        assert_eq!(found.kind, ProblemKind::MissingUnit, "{to}");
        found.suggestion.unwrap()
    };
    assert_eq!(suggestion("\"6 GiB\"", "6"), "`\"6 GiB\"`");
    assert_eq!(suggestion("\"6 GiB\"", "\"6\""), "`\"6 GiB\"`");
    assert_eq!(suggestion("\"6 GiB\"", "1.5"), "`\"1536 MiB\"`");
    assert_eq!(suggestion("\"6 GiB\"", "6442450944"), "`\"6 GiB\"`");
    assert_eq!(suggestion("\"400 MB/s\"", "400"), "`\"400 MB/s\"`");
    let backup = "stripes = [\"target\"]";
    let with = |line: &str| format!("{backup}\n{line}");
    assert_eq!(suggestion(backup, &with("transfer_size = 4194304")), "`\"4 MiB\"`");
    assert_eq!(suggestion(backup, &with("block_size = 65536")), "`\"64 KiB\"`");
    assert_eq!(suggestion(backup, &with("stripe_position = 0.5")), "`\"50 %\"`");
    assert_eq!(suggestion(backup, &with("[engine]\nstart = 0.3")), "`\"0.3 s\"`");
}

#[test]
fn a_unit_of_another_kind_is_answered_with_the_right_one() {
    let suggestion = |from: &str, to: &str| problem(&small_with(from, to)).suggestion;
    let meant = |text: &str| Some(format!("`\"{text}\"`"));
    assert_eq!(suggestion("400 MB/s", "400 MB"), meant("400 MB/s"));
    assert_eq!(suggestion("400 MB/s", "400 mb/s"), meant("400 MB/s"));
    assert_eq!(suggestion("400 MB/s", "400 MBps"), meant("400 MB/s"));
    assert_eq!(suggestion("6 GiB", "6G"), meant("6 GiB"));
    assert_eq!(suggestion("6 GiB", "6 gib"), meant("6 GiB"));
    assert_eq!(suggestion("6 GiB", "6 GB/s"), None);
}

#[test]
fn values_out_of_range_are_refused() {
    for (from, to) in [
        ("400 MB/s", "0 MB/s"),
        ("400 MB/s", "-1 MB/s"),
        ("400 MB/s", "1e300 GB/s"),
        ("6 GiB", "0 B"),
        ("6 GiB", "-6 GiB"),
        ("6 GiB", "1e30 B"),
        ("6 GiB", "1000000000000000000000000000000 B"),
        ("logical_processors = 4", "logical_processors = 0"),
        ("logical_processors = 4", "logical_processors = -4"),
        ("logical_processors = 4", "logical_processors = 1025"),
        ("logical_processors = 4", "logical_processors = 1000000000000000000000000000000"),
        ("logical_processors = 4", "logical_processors = nan"),
        ("ratio = 3.5", "ratio = nan"),
        ("ratio = 3.5", "ratio = inf"),
        ("ratio = 3.5", "ratio = -inf"),
        ("ratio = 3.5", "ratio = 0"),
        ("ratio = 3.5", "ratio = -3.5"),
        ("ratio = 3.5", "ratio = 3.5\nvariability = -0.1"),
        ("[\"target\"]", "[]"),
        ("[\"target\"]", "[\"target\"]\nbuffer_count = 0"),
        ("[\"target\"]", "[\"target\"]\nbuffer_count = 65537"),
        ("[\"target\"]", "[\"target\"]\ntransfer_size = \"100 KiB\""),
        ("[\"target\"]", "[\"target\"]\ntransfer_size = \"8 MiB\""),
        ("[\"target\"]", "[\"target\"]\ntransfer_size = \"0 B\""),
        ("[\"target\"]", "[\"target\"]\nblock_size = \"100 B\""),
        ("[\"target\"]", "[\"target\"]\nstripe_position = \"101 %\""),
        ("[\"target\"]", "[\"target\"]\n[engine]\nstart = \"2000 d\""),
        ("read_rate", "capacity = \"0 B\"\nread_rate"),
        ("read_rate", "inner_rate = \"0 %\"\nread_rate"),
        ("title", "database = { name = \"\" }\ntitle"),
    ] {
        let found = problem(&small_with(from, to));
        assert_eq!(found.kind, ProblemKind::OutOfRange, "{to}: {found}");
        assert!(!found.accepted.is_empty(), "{to}");
    }
}

#[test]
fn values_of_the_wrong_sort_are_refused() {
    for (from, to, suggestion) in [
        ("\"small\"", "5", Some("`\"5\"`")),
        ("logical_processors = 4", "logical_processors = 4.0", Some("`4`")),
        ("logical_processors = 4", "logical_processors = \"4\"", Some("`4`")),
        ("logical_processors = 4", "logical_processors = 4.5", None),
        ("ratio = 3.5", "ratio = \"3.5\"", Some("`3.5`")),
        ("ratio = 3.5", "ratio = 2026-11-30", None),
        ("[\"target\"]", "\"target\"", Some("`[\"target\"]`")),
        ("[\"target\"]", "[1]", None),
        ("[\"target\"]", "[\"target\"]\ncompression = \"on\"", Some("`true`")),
        ("\"400 MB/s\"", "true", None),
        ("\"400 MB/s\"", "{ a = 1 }", None),
        ("[processor]\nlogical_processors = 4", "[[processor]]\nlogical_processors = 4", None),
    ] {
        let found = problem(&small_with(from, to));
        assert_eq!(found.kind, ProblemKind::WrongType, "{to}: {found}");
        assert_eq!(found.suggestion.as_deref(), suggestion, "{to}");
    }
}

#[test]
fn a_word_that_is_not_accepted_finds_its_neighbour() {
    let found = problem(&format!("{SMALL}\n[engine]\nworkers = \"procesors\""));
    assert_eq!(found.kind, ProblemKind::NotAccepted);
    assert_eq!(found.suggestion.as_deref(), Some("`\"processors\"`"));
    let found = problem(&format!("{SMALL}\n[engine]\nbuffer_rule = 2005"));
    assert_eq!(found.suggestion.as_deref(), Some("`\"2005\"`"));
}

#[test]
fn missing_keys_are_named_with_what_they_are() {
    let found = problem(&small_with("size = \"6 GiB\"\n", ""));
    assert_eq!(found.kind, ProblemKind::MissingKey);
    assert_eq!((found.path.as_str(), found.line), ("volume.data.size", Some(3)));
    let found = problem(&small_with("ratio = 3.5", ""));
    assert_eq!(found.path, "compression.ratio");
    let missing = problems("# nothing but a comment\n");
    let paths: Vec<_> = missing.iter().map(|problem| problem.path.as_str()).collect();
    assert_eq!(paths, ["backup", "device", "processor", "title", "volume"]);
}

#[test]
fn a_scenario_without_volumes_or_stripes_is_refused() {
    let volume = "[volume.data]\ndevice = \"source\"\nsize = \"6 GiB\"";
    assert_eq!(problem(&small_with(volume, "")).path, "volume");
    assert_eq!(problem(&small_with(volume, "[volume]")).path, "volume.NAME");
    assert_eq!(problem(&small_with("stripes = [\"target\"]", "")).path, "backup.stripes");
    let many = format!("[{}]", vec!["\"target\""; 65].join(", "));
    let found = problem(&small_with("[\"target\"]", &many));
    assert_eq!((found.kind, found.path.as_str()), (ProblemKind::OutOfRange, "backup.stripes"));
    let most = format!("[{}]", vec!["\"target\""; 64].join(", "));
    load(&small_with("[\"target\"]", &most)).unwrap();
}

#[test]
fn two_devices_of_one_name_are_refused() {
    let again = "[device.target.spindle]\nread_rate = \"1 MB/s\"\nwrite_rate = \"1 MB/s\"\n";
    let found = problem(&format!("{SMALL}{again}"));
    assert_eq!((found.kind, found.line), (ProblemKind::DuplicateKey, Some(22)));
    assert_eq!(found.message, "`[device.target.spindle]` stands twice: two devices of one name?");
    let found = problem(&small_with("ratio = 3.5", "ratio = 3.5\nratio = 4"));
    assert_eq!(
        (found.kind, found.message.as_str()),
        (ProblemKind::DuplicateKey, "`ratio` stands twice")
    );
    let other_law = "[device.target.fixed_rate]\nrate = \"1 MB/s\"\n";
    let found = problem(&format!("{SMALL}{other_law}"));
    assert_eq!((found.kind, found.line), (ProblemKind::SeveralLaws, Some(22)));
    assert_eq!(found.path, "device.target.fixed_rate");
    let found = problem(&format!("{SMALL}[device.idle]\n"));
    assert_eq!((found.kind, found.path.as_str()), (ProblemKind::NoLaw, "device.idle"));
}

#[test]
fn names_of_unknown_devices_are_answered_with_the_known_ones() {
    let found = problem(&small_with("[\"target\"]", "[\"targe\"]"));
    assert_eq!(found.kind, ProblemKind::UnknownDevice);
    assert_eq!(found.accepted, "`source`, `target`");
    assert_eq!(found.suggestion.as_deref(), Some("`\"target\"`"));
    let found = problem(&small_with("device = \"source\"", "device = \"sauce\""));
    assert_eq!((found.kind, found.line), (ProblemKind::UnknownDevice, Some(4)));
    let found = problem(&format!("{SMALL}[device.target]\nvia = [\"lan\"]\n"));
    assert_eq!(
        (found.kind, found.path.as_str()),
        (ProblemKind::UnknownDevice, "device.target.via")
    );
}

#[test]
fn a_way_leads_over_links_and_caps_only() {
    let via = |names: &str| {
        let lan = "[device.lan]\nvia = []\n[device.lan.link]\nrate = \"1 GB/s\"\n";
        format!("{SMALL}[device.target]\nvia = {names}\n{lan}")
    };
    load(&via("[\"lan\"]")).unwrap();
    load(&via("[\"lan\", \"source\"]")).unwrap();
    for names in ["[\"lan\", \"lan\"]", "[\"target\"]"] {
        assert_eq!(problem(&via(names)).kind, ProblemKind::UnfitDevice, "{names}");
    }
    let nul = format!("{}[device.nul.null]\n", via("[\"nul\"]"));
    assert_eq!(problem(&nul).kind, ProblemKind::UnfitDevice);
    let way_of_its_own = via("[\"lan\"]").replace("via = []", "via = [\"source\"]");
    assert_eq!(problem(&way_of_its_own).kind, ProblemKind::UnfitDevice);
}

#[test]
fn nul_can_be_written_but_neither_read_nor_verified_nor_restored() {
    let nul = format!("{SMALL}[device.nul.null]\n");
    let as_source = nul.replace("device = \"source\"", "device = \"nul\"");
    assert_eq!(problem(&as_source).kind, ProblemKind::UnfitDevice);
    let as_target = nul.replace("[\"target\"]", "[\"target\", \"nul\"]");
    let loaded = load(&as_target).unwrap();
    assert!(loaded.resolved.verification.is_none());
    let verified = format!("{as_target}[verify]\nenabled = true\n");
    assert_eq!(problem(&verified).kind, ProblemKind::NotVerifiable);
    let restored = format!("{as_target}[restore]\nenabled = true\n");
    let found = problem(&restored);
    assert_eq!((found.kind, &found.path[..]), (ProblemKind::NotRestorable, "restore.enabled"));
    assert!(found.message.contains("cannot be restored"), "{found}");
    load(&format!("{as_target}[restore]\nenabled = false\n")).unwrap();
    let not_verified = format!("{as_target}[verify]\nenabled = false\n");
    assert!(load(&not_verified).unwrap().resolved.warnings.is_empty());
}

#[test]
fn compression_needs_to_be_described() {
    let text = small_with("[compression]\nratio = 3.5\n", "");
    load(&text).unwrap();
    let text = text.replace("[\"target\"]", "[\"target\"]\ncompression = true");
    assert_eq!(problem(&text).kind, ProblemKind::NoCompression);
}

#[test]
fn more_data_than_anybody_has_is_refused() {
    let volume = "[volume.more]\ndevice = \"source\"\nsize = \"1024 PiB\"\n";
    let found = problem(&format!("{SMALL}{volume}"));
    assert_eq!((found.kind, found.path.as_str()), (ProblemKind::OutOfRange, "volume"));
}

#[test]
fn names_are_plain() {
    for name in ["\"a b\"", "\"\"", "\"a.b\"", "\"a=b\"", "\"a\\n\""] {
        let text = format!("{SMALL}[device.{name}.null]\n");
        assert_eq!(problem(&text).kind, ProblemKind::BadName, "{name}");
    }
    load(&format!("{SMALL}[device.\"données\".null]\n")).unwrap();
    load(&format!("{SMALL}[variant.\"1.1\"]\n")).unwrap();
    let text = format!("{SMALL}[variant.\"a:b\"]\n");
    assert_eq!(problem(&text).kind, ProblemKind::BadName);
}

#[test]
fn all_problems_of_a_file_come_at_once_and_in_order() {
    let text = SMALL
        .replace("\"small\"", "7")
        .replace("\"6 GiB\"", "6")
        .replace("400 MB/s", "0 MB/s")
        .replace("read_rate", "reed_rate")
        .replace("[\"target\"]", "[\"targe\"]\ncompression = \"yes\"");
    let found = problems(&text);
    use ProblemKind::*;
    let expected =
        [WrongType, MissingUnit, OutOfRange, MissingKey, UnknownKey, UnknownDevice, WrongType];
    assert_eq!(kinds(&found), expected);
    let lines: Vec<_> = found.iter().map(|problem| problem.line.unwrap()).collect();
    assert_eq!(lines, [1, 5, 8, 10, 11, 21, 22]);
}

#[test]
fn a_variant_that_is_not_chosen_is_checked_too() {
    let variants = "[variant.a]\nset = { \"backup.bufer_count\" = 3 }\n\
                    [variant.b]\ntitel = \"b\"\nset = { backup.buffer_count = 0, device = 3 }\n";
    let found = problems(&format!("{SMALL}{variants}"));
    use ProblemKind::*;
    assert_eq!(kinds(&found), [UnknownKey, UnknownKey, OutOfRange, WrongType]);
}

#[test]
fn syntax_errors_carry_their_line() {
    let found = problems(&small_with("size = ", "size "));
    assert_eq!((found[0].kind, found[0].line), (ProblemKind::Syntax, Some(5)));
    assert!(found.iter().all(|problem| problem.kind == ProblemKind::Syntax));
    let found = problem(&small_with("\"6 GiB\"", "6 GiB # no quotes"));
    assert_eq!(found.suggestion.as_deref(), Some("`\"6 GiB\"`"));
}

#[test]
fn the_rendering_shows_the_line_and_stops_at_twenty() {
    let error = load(&small_with("\"6 GiB\"", "6")).unwrap_err();
    let problems = error.problems().unwrap();
    let plain = problems.render(false);
    assert!(plain.contains("test.toml:5:8"), "{plain}");
    assert!(plain.contains("5 | size = 6"), "{plain}");
    assert!(plain.contains("did you mean `\"6 GiB\"`?"), "{plain}");
    assert!(!plain.contains('\u{1b}'));
    assert!(problems.render(true).contains('\u{1b}'));
    assert_eq!(
        problems.to_string().lines().next().unwrap().split("; ").next().unwrap(),
        "test.toml:5:8: `volume.data.size`: 6 has no unit"
    );
    let many: String = (0..50).map(|n| format!("unknown{n} = 1\n")).collect();
    let error = load(&format!("{many}{SMALL}")).unwrap_err();
    let problems = error.problems().unwrap();
    assert_eq!(problems.len(), 50);
    assert_eq!(problems.render(false).matches("error: ").count(), 20);
    assert!(problems.render(false).contains("and 30 more"));
    assert!(problems.to_string().ends_with("and 30 more"));
}

#[test]
fn files_that_are_no_scenario_are_refused() {
    let bytes = |bytes: &[u8]| Document::from_bytes("x.toml", bytes.to_vec()).unwrap_err();
    assert!(matches!(bytes(b""), ScenarioError::Empty { .. }));
    assert!(matches!(bytes(b" \r\n\t\n"), ScenarioError::Empty { .. }));
    assert!(matches!(bytes("\u{feff}\n".as_bytes()), ScenarioError::Empty { .. }));
    assert!(matches!(bytes(b"title\0"), ScenarioError::NotText { offset: 5, .. }));
    assert!(matches!(bytes(b"ti\xfftle"), ScenarioError::NotText { offset: 2, .. }));
    assert!(matches!(bytes(b"\xff\xfet\0"), ScenarioError::NotText { .. }));
}

#[test]
fn files_from_an_editor_on_windows_are_read() {
    let text = format!("\u{feff}{}", SMALL.replace('\n', "\r\n"));
    load(&text).unwrap();
    let found = problem(&text.replace("\"6 GiB\"", "6"));
    assert_eq!((found.line, found.column), (Some(5), Some(8)));
}

#[test]
fn paths_that_cannot_be_read_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let error = Scenario::load(&path("missing.toml"), None, &[]).unwrap_err();
    assert!(matches!(error, ScenarioError::Unreadable { .. }), "{error}");
    assert!(error.is_file_error());
    fs::create_dir(path("folder.toml")).unwrap();
    let error = Scenario::load(&path("folder.toml"), None, &[]).unwrap_err();
    assert!(matches!(error, ScenarioError::Folder { .. }), "{error}");
    fs::write(path("large.toml"), "#".repeat(1 << 21)).unwrap();
    let error = Scenario::load(&path("large.toml"), None, &[]).unwrap_err();
    assert!(matches!(error, ScenarioError::TooLarge { .. }), "{error}");
    fs::write(path("small.toml"), SMALL).unwrap();
    let loaded = Scenario::load_reference(&path("small.toml"), &[]).unwrap();
    assert_eq!(loaded.scenario.title, "small");
    let error = Scenario::load_reference(&format!("{}:x", path("small.toml")), &[]).unwrap_err();
    assert!(error.to_string().contains("variants: none"), "{error}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_device_without_end_is_too_large() {
    // Not `.toml`, but with a folder: a file.
    let origin = ScenarioOrigin::parse("/dev/zero");
    let error = Document::open(&origin).unwrap_err();
    assert!(matches!(error, ScenarioError::TooLarge { .. }), "{error}");
}

#[test]
fn a_chosen_variant_reports_its_problems_once() {
    let text = format!("{SMALL}[variant.a]\nset = {{ \"backup.buffer_count\" = 0 }}\n");
    let found = only(problems_of(super::load_with(&text, Some("a"), &[])));
    assert_eq!((found.kind, found.line), (ProblemKind::OutOfRange, Some(23)));
    let text = format!("{SMALL}[variant.a]\nset = {{ \"volume.data.device\" = \"nowhere\" }}\n");
    load(&text).unwrap();
    let found = only(problems_of(super::load_with(&text, Some("a"), &[])));
    assert_eq!((found.kind, found.line), (ProblemKind::UnknownDevice, Some(23)));
}
