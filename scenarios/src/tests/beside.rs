//! Other backups at the same time: what is refused, what is filled in, what comes of them.

use bakcast_models::quantity::Bytes;
use serde_json::json;

use super::{SMALL, kinds, load, load_with, only, problems, problems_of};
use crate::predict::{PredictOptions, predict};
use crate::{Problem, ProblemKind, WarningCode};

const OTHER: &str = r#"
[beside.other]
starts = "5 s"

[beside.other.volume.data]
device = "source"
size = "2 GiB"

[beside.other.backup]
stripes = ["target", "target"]
"#;

const OPTIONS: PredictOptions = PredictOptions { replications: 4, ..PredictOptions::DEFAULT };

fn both() -> String {
    format!("{SMALL}{OTHER}")
}

/// The problems of the scenario with one part of the other job replaced.
fn broken(from: &str, to: &str) -> Vec<Problem> {
    assert!(OTHER.contains(from), "{from} is not in the text");
    problems(&format!("{SMALL}{}", OTHER.replacen(from, to, 1)))
}

#[test]
fn another_job_is_resolved_as_the_backup_is() {
    let resolved = load(&both()).unwrap().resolved;
    let [other] = &resolved.backup.beside[..] else { panic!("one other job") };
    assert_eq!((other.name.as_str(), other.starts.as_seconds()), ("other", 5.0));
    let backup = &other.backup;
    assert_eq!(backup.database_bytes(), Bytes::mebibytes(2048));
    assert_eq!((backup.stripes.len(), backup.buffers.count), (2, 12));
    assert_eq!(backup.coordinator, resolved.backup.coordinator);
    assert_eq!(backup.rules, resolved.backup.rules);
    assert!(backup.compression.is_none() && backup.beside.is_empty());
    assert_eq!(resolved.backup.memory_of_all_jobs(), Bytes::mebibytes(7 + 12));
    assert!(resolved.alone().unwrap().alone().is_none());
}

#[test]
fn compression_is_the_jobs_own_or_the_scenarios() {
    let ratio = |sets: &[&str]| {
        let resolved = load_with(&both(), None, sets).unwrap().resolved;
        resolved.backup.beside[0].backup.compression.as_ref().map(|c| c.ratio.get())
    };
    let on = "beside.other.backup.compression=true";
    assert_eq!(ratio(&[]), None);
    assert_eq!(ratio(&[on]), Some(3.5));
    assert_eq!(ratio(&[on, "beside.other.compression.ratio=2.0"]), Some(2.0));
}

#[test]
fn every_knob_of_another_job_can_be_set_and_taken_away() {
    let sets = ["beside.other.backup.buffer_count=64", "beside.other.starts=1 min"];
    let other = load_with(&both(), None, &sets).unwrap().resolved.backup.beside.remove(0);
    assert_eq!((other.backup.buffers.count, other.starts.to_string()), (64, "60 s".to_string()));
    let alone = load_with(&both(), None, &["beside.other=default"]).unwrap();
    assert_eq!(alone.resolved, load(SMALL).unwrap().resolved);
    assert!(alone.scenario.beside.is_empty());
}

#[test]
fn problems_of_another_job_are_found_in_their_places() {
    let found = only(broken("device = \"source\"", "device = \"sourc\""));
    assert_eq!(found.kind, ProblemKind::UnknownDevice);
    assert_eq!(found.path, "beside.other.volume.data.device");
    assert_eq!(found.suggestion.as_deref(), Some("`\"source\"`"));
    let found = only(broken("\"target\", \"target\"", "\"target\", \"tarket\""));
    assert_eq!(found.path, "beside.other.backup.stripes");
    let found = only(broken("\"2 GiB\"", "2"));
    assert_eq!((found.kind, found.line), (ProblemKind::MissingUnit, Some(28)));
    let found = only(broken("starts = \"5 s\"", "starts = \"-5 s\""));
    assert_eq!(found.kind, ProblemKind::OutOfRange);
    let found = only(broken("starts", "begins"));
    assert_eq!(found.kind, ProblemKind::UnknownKey);
    assert_eq!(found.path, "beside.other.begins");
    let nul = "[device.nul.null]\n[beside.other.volume.data]\ndevice = \"nul\"";
    let found = only(broken("[beside.other.volume.data]\ndevice = \"source\"", nul));
    assert_eq!(found.kind, ProblemKind::UnfitDevice);
    let found = problems(&format!("{SMALL}{}", OTHER.replace("beside.other", "beside.\"a.b\"")));
    assert_eq!(only(found).kind, ProblemKind::BadName);
}

#[test]
fn all_problems_of_all_jobs_are_reported_at_once() {
    let text = format!("{SMALL}{OTHER}").replace("\"source\"\nsize", "\"nowhere\"\nsize");
    let text = text.replace("[compression]\nratio = 3.5\n", "");
    let text = text.replace("stripes = [\"target\"", "compression = true\nstripes = [\"target\"");
    let found = problems(&text);
    let mut kinds = kinds(&found);
    kinds.sort();
    let (unknown, compression) = (ProblemKind::UnknownDevice, ProblemKind::NoCompression);
    assert_eq!(kinds, [unknown, unknown, compression, compression], "{found:#?}");
}

#[test]
fn a_job_without_volumes_or_statement_is_refused() {
    let found = problems(&format!("{SMALL}[beside.other]\n"));
    assert_eq!(kinds(&found), [ProblemKind::MissingKey; 2]);
    let found = only(problems(&format!(
        "{SMALL}[beside.o.volume]\n[beside.o.backup]\nstripes = [\"target\"]\n"
    )));
    assert_eq!(
        (found.kind, found.path.as_str()),
        (ProblemKind::MissingKey, "beside.o.volume.NAME")
    );
    let found = only(problems_of(load_with(SMALL, None, &["beside=3"])));
    assert_eq!(found.kind, ProblemKind::WrongType);
}

#[test]
fn more_jobs_or_bytes_than_a_run_can_hold_are_refused() {
    let job = |index: usize| {
        format!(
            "[beside.j{index}]\nvolume.data = {{ device = \"source\", size = \"1 MiB\" }}\n\
             backup.stripes = [\"target\"]\n"
        )
    };
    let jobs = |count: usize| (0..count).map(job).collect::<String>();
    assert!(load(&format!("{SMALL}{}", jobs(63))).is_ok());
    let found = only(problems(&format!("{SMALL}{}", jobs(64))));
    assert_eq!((found.kind, found.path.as_str()), (ProblemKind::OutOfRange, "beside.j63"));
    let found = only(broken("\"2 GiB\"", "\"1024 PiB\""));
    assert_eq!(found.path, "beside.other.volume");
}

#[test]
fn documents_show_what_was_decided_for_another_job() {
    let loaded = load(&both()).unwrap();
    let inputs = loaded.resolved_inputs();
    let other = &inputs["beside"]["other"];
    assert_eq!(other["starts_seconds"], json!(5.0));
    assert_eq!(other["backup"]["buffer_count"], json!(12));
    assert_eq!(other["backup"]["transfer_size_bytes"], json!(1 << 20));
    assert_eq!(other["backup"]["block_size_bytes"], json!(512));
    assert_eq!(other["volume"]["data"]["size_bytes"], json!(2_u64 << 30));
    assert_eq!(
        loaded.statements_beside(),
        ["BACKUP DATABASE [other]\nTO DISK = N'target:\\other_1.bak',\n   \
          DISK = N'target:\\other_2.bak'\nWITH COPY_ONLY, INIT, NO_COMPRESSION;"]
    );
    let again = load(&loaded.to_toml()).unwrap();
    assert_eq!(again.scenario, loaded.scenario);
}

#[test]
fn warnings_say_which_job_they_are_about() {
    let texts = |sets: &[&str]| {
        let warnings = load_with(&both(), None, sets).unwrap().resolved.warnings;
        warnings.into_iter().map(|w| (w.code, w.text)).collect::<Vec<_>>()
    };
    assert_eq!(texts(&[]), []);
    let found = texts(&["beside.other.backup.stripes=source"]);
    assert_eq!(found[0].0, WarningCode::SourceIsTarget);
    assert!(found[0].1.starts_with("job `other`: data"), "{found:?}");
    // Together more than a gibibyte, neither of them alone.
    let large = ["backup.buffer_count=600", "beside.other.backup.buffer_count=600"];
    let found = texts(&large);
    assert_eq!(found[0].0, WarningCode::LargeBufferMemory);
    assert!(found[0].1.contains("2 backups at once take 1200 MiB"), "{found:?}");
    // The files of both jobs lie on one disk.
    let found = texts(&["device.target.spindle.capacity=7 GiB"]);
    assert_eq!(found[0].0, WarningCode::BackupExceedsCapacity);
    let drive = "[device.target.solid_state]\nlarge_block_amplification = 2.0\nread_rate";
    let text = both().replace("[device.target.spindle]\nread_rate", drive);
    let set = ["beside.other.backup.block_size=64 KiB"];
    let found = load_with(&text, None, &set).unwrap().resolved.warnings;
    assert_eq!(found[0].code, WarningCode::BlockSizesDiffer);
}

#[test]
fn a_job_at_the_same_time_costs_time_and_one_that_comes_later_none() {
    let of = |sets: &[&str]| predict(&load_with(&both(), None, sets).unwrap().resolved, &OPTIONS);
    let alone = of(&["beside.other=default"]).unwrap();
    assert!(alone.backup.beside.is_empty());
    let resolved = load(&both()).unwrap().resolved;
    let together = predict(&resolved, &OPTIONS).unwrap();
    let [other] = &together.backup.beside[..] else { panic!("one other job") };
    assert!(other.meets() && together.warnings(&resolved).is_empty());
    assert_eq!((other.read_bytes, other.written_bytes), (2 << 30, 2 << 30));
    assert!(other.seconds.low <= other.seconds.median && other.seconds.median > 10.0);
    let bottleneck = together.backup.bottleneck.as_ref().unwrap();
    let stage = bottleneck.stages.iter().find(|stage| stage.name == "other jobs").unwrap();
    let cost = together.backup.seconds.median - alone.backup.seconds.median;
    assert!(cost > 10.0 && (stage.gain_seconds / cost - 1.0).abs() < 0.1, "{stage:?}, {cost}");
    // A verification runs alone, and reads the same bytes.
    assert_eq!(together.verify.as_ref().unwrap().read_bytes, 6 << 30);
    assert!(together.verify.unwrap().beside.is_empty());
    let late = ["beside.other.starts=1 h"];
    let resolved = load_with(&both(), None, &late).unwrap().resolved;
    let late = predict(&resolved, &OPTIONS).unwrap();
    assert_eq!(late.backup.elapsed_seconds, alone.backup.elapsed_seconds);
    let found = late.warnings(&resolved);
    assert_eq!(found[0].code, WarningCode::JobsApart);
}
