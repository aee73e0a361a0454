//! Histories and messages as users have them: each form gives the same backups.

mod mended;
mod mutations;
mod samples;

use std::path::{Path, PathBuf};

use bakcast_imports::{
    BackupKind, CautionCode, DateOrder, DeviceKind, Format, HistoryFilter, Import, ImportOptions,
    RunsOptions, growth, import, import_from, join, runs_table,
};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

fn read(name: &str) -> Import {
    import(&fixture(name), &ImportOptions::default()).expect(name)
}

fn seconds(import: &Import) -> Vec<f64> {
    import.backups.iter().filter_map(|b| b.length.map(|length| length.seconds)).collect()
}

fn ignored(import: &Import, reason: &str) -> u64 {
    let found = import.ignored.iter().filter(|ignored| ignored.reason.contains(reason));
    let kept = import.backups.iter().filter_map(|backup| backup.unusable.as_deref());
    let kept = kept.filter(|known| known.contains(reason)).count();
    found.map(|ignored| ignored.count).sum::<u64>() + kept as u64
}

fn warns(import: &Import, code: CautionCode) -> bool {
    import.cautions.iter().any(|caution| caution.code == code)
}

#[test]
fn a_history_is_the_same_in_every_form() {
    for name in [
        "history/headerless-own-query.csv",
        "history/headerless-msdb.csv",
        "history/grid-with-stripes.txt",
        "history/unquoted-commas.csv",
        "history/powershell7-us.csv",
        "history/dbatools.json",
        "history/headeronly.txt",
        "history/pipes.txt",
        "history/list.txt",
    ] {
        let import = read(name);
        assert_eq!(import.format, Format::BackupHistory, "{name}");
        let first = &import.backups[0];
        let length = first.length.expect("a duration");
        assert!((length.seconds - 1400.0).abs() < 1e-9, "{name}: {first:?}");
        assert_eq!(first.read_bytes, Some(100 << 30), "{name}");
        assert!(first.started.is_some() && first.unusable.is_none(), "{name}: {first:?}");
        assert!(!import.shape.is_empty() && !import.fields.is_empty(), "{name}");
    }
}

#[test]
fn headings_are_not_needed() {
    let own = read("history/headerless-own-query.csv");
    assert!(own.backups.iter().all(|backup| backup.kind == BackupKind::Full));
    assert_eq!((own.backups[0].stripes, own.backups[0].written_bytes), (Some(2), Some(20 << 30)));
    let msdb = read("history/headerless-msdb.csv");
    assert_eq!(&*msdb.backups[1].database, "Depot, old");
    assert_eq!((msdb.backups[1].compression, ignored(&msdb, "log")), (Some(false), 1));
    assert!(msdb.shape.contains("no headings"), "{}", msdb.shape);
}

#[test]
fn files_of_one_backup_are_one_backup() {
    let import = read("history/grid-with-stripes.txt");
    assert_eq!(import.backups.len(), 1);
    assert_eq!((import.backups[0].stripes, ignored(&import, "mirrored")), (Some(2), 1));
    let json = read("history/dbatools.json");
    assert_eq!((json.backups[0].stripes, json.backups[0].written_bytes), (Some(2), Some(20 << 30)));
}

#[test]
fn commas_that_are_not_quoted_part_no_names() {
    let import = read("history/unquoted-commas.csv");
    let names: Vec<&str> = import.backups.iter().map(|backup| &*backup.database).collect();
    assert_eq!(names, ["Sales, north", "Sales"]);
    assert_eq!(import.backups[0].written_bytes, None);
}

#[test]
fn what_cannot_calibrate_is_counted() {
    let header = read("history/headeronly.txt");
    assert_eq!(ignored(&header, "differential"), 1);
    assert_eq!(&*header.backups[0].database, "Ventas Perú");
    let pipes = read("history/pipes.txt");
    assert_eq!(ignored(&pipes, "snapshots"), 1);
    assert!(warns(&pipes, CautionCode::Snapshot));
    let us = read("history/powershell7-us.csv");
    assert_eq!(ignored(&us, "virtual"), 1);
    assert_eq!(us.backups[0].started.expect("a date").to_string(), "2026-03-04T01:00:00");
}

#[test]
fn dates_that_can_be_read_in_two_ways_still_give_durations() {
    let open = read("history/ambiguous-dates.csv");
    assert!(warns(&open, CautionCode::Ambiguous));
    assert_eq!(seconds(&open), [1400.0]);
    assert!(open.backups[0].started.is_none());
    let order = Some(DateOrder::DayFirst);
    let told =
        import(&fixture("history/ambiguous-dates.csv"), &ImportOptions { date_order: order });
    let told = told.expect("a history");
    assert_eq!(seconds(&told), [1400.0, 660.0]);
    assert_eq!(told.backups[0].started.expect("a date").to_string(), "2026-04-03T01:00:00");
}

#[test]
fn a_log_of_commands_has_times_options_and_verifications() {
    let import = read("command_log/semicolons.csv");
    assert_eq!((import.format, import.backups.len()), (Format::CommandLog, 1));
    let backup = &import.backups[0];
    assert_eq!((backup.stripes, backup.compression), (Some(2), Some(false)));
    assert_eq!(backup.block_bytes, Some(65_536));
    let length = backup.length.expect("a duration");
    assert!((length.seconds - 600.25).abs() < 1e-6 && length.rounding_seconds < 1e-5);
    assert!((backup.verify.expect("verified").seconds - 240.0).abs() < 1e-6);
    for reason in ["log backups", "did not end", "failed", "other kinds"] {
        assert_eq!(ignored(&import, reason), 1, "{reason}");
    }
    let bare = read("command_log/headerless-unquoted.csv");
    assert_eq!((bare.format, bare.backups[0].buffer_count), (Format::CommandLog, Some(50)));
}

#[test]
fn views_of_a_brute_force_test_are_told_by_their_headings() {
    let ranked = read("brute_force/ranked.csv");
    assert_eq!((ranked.format, ranked.backups.len()), (Format::BruteForce, 2));
    let first = &ranked.backups[0];
    assert_eq!((first.buffer_count, first.transfer_bytes), (Some(50), Some(4 << 20)));
    assert_eq!(first.read_bytes, Some(6400 << 20));
    assert_eq!((ignored(&ranked, "failed"), ignored(&ranked, "encrypted")), (1, 1));
    assert!(!warns(&ranked, CautionCode::Inconsistent));
    let impact = read("brute_force/impact.csv");
    assert!(impact.backups.is_empty() && warns(&impact, CautionCode::Mixed));
}

#[test]
fn messages_of_a_job_in_another_language() {
    let import = read("messages/job.txt");
    assert_eq!((import.format, import.backups.len()), (Format::Messages, 1));
    let backup = &import.backups[0];
    assert_eq!((&*backup.database, backup.buffer_count), ("Sales", Some(50)));
    assert_eq!((backup.read_bytes, backup.stripes), (Some(512_000 * 8192), Some(2)));
    assert!((backup.length.expect("a duration").seconds - 20.0).abs() < 1e-9);
    assert!((backup.verify.expect("verified").seconds - 12.0).abs() < 1e-9);
    let history = read("messages/job-history.txt");
    assert_eq!((&*history.backups[0].database, history.backups.len()), ("Sales", 1));
}

#[test]
fn an_error_log_names_databases_files_and_failures() {
    let import = read("messages/errorlog.txt");
    assert_eq!(import.backups.len(), 2);
    let first = &import.backups[0];
    assert_eq!((&*first.database, first.stripes, first.paths.len()), ("Sales", Some(2), 2));
    assert_eq!(first.finished.expect("a date").to_string(), "2026-11-02T01:00:21.55");
    assert_eq!(import.backups[1].device, Some(DeviceKind::Virtual));
    assert_eq!((ignored(&import, "log backups"), ignored(&import, "virtual")), (1, 1));
    assert!(warns(&import, CautionCode::Errors));
}

const COMMANDS: &str = "DatabaseName,Command,CommandType,StartTime,EndTime,ErrorNumber\n\
    Sales,\"BACKUP DATABASE [Sales] TO DISK = N'E:\\1.bak' WITH COMPRESSION, BUFFERCOUNT = 50\",\
    BACKUP_DATABASE,2026-11-02 01:00:00.1000000,2026-11-02 01:00:21.6000000,0\n";
const ROWS: &str = "database_name,type,backup_start_date,backup_finish_date,backup_size,\
    compressed_backup_size\n\
    SALES,D,2026-11-02 01:00:00.000,2026-11-02 01:00:21.000,4194304000,419430400\n\
    Sales,D,2026-11-03 01:00:00.000,2026-11-03 01:00:25.000,4194304000,419430400\n";

fn texts(all: &[&str]) -> Vec<Import> {
    let read = |text: &&str| import_from("x", text.as_bytes(), &ImportOptions::default());
    all.iter().map(|text| read(text).expect("an import")).collect()
}

#[test]
fn a_backup_in_several_files_counts_once() {
    let messages = "Processed 512000 pages for database 'Sales', file 'Sales' on file 1.\n\
        BACKUP DATABASE successfully processed 512000 pages in 20.000 seconds (200.000 MB/sec).\n";
    let mut imports = texts(&[ROWS, COMMANDS]);
    imports.push(read("messages/errorlog.txt"));
    let history = join(&imports);
    assert_eq!(history.backups.len(), 3, "{:?}", history.backups);
    let first = &history.backups[0];
    assert_eq!((first.buffer_count, first.written_bytes), (Some(50), Some(419_430_400)));
    assert!((first.length.expect("a duration").seconds - 21.5).abs() < 1e-6);
    let twice = join(&texts(&[ROWS, ROWS, COMMANDS, COMMANDS]));
    assert_eq!(twice.backups.len(), 2);
    let timeless = join(&texts(&[messages, &ROWS.replace("01:00:25", "01:05:00")]));
    assert_eq!(timeless.backups.len(), 2);
    assert_eq!(timeless.notes.len(), 1, "{:?}", timeless.notes);
}

#[test]
fn a_history_becomes_a_table_of_runs() {
    let history = join(&texts(&[ROWS, COMMANDS]));
    let device_of = |path: &str| path.starts_with("E:").then(|| "d2".to_string());
    let options = RunsOptions { device_of: Some(&device_of), ..RunsOptions::default() };
    let table = runs_table(&history, &options);
    let lines: Vec<&str> = table.csv.lines().collect();
    assert_eq!(
        lines[0],
        "run,compression,buffer_count,transfer_size,block_size,stripes,backup_seconds,\
         written_bytes,note",
        "{}",
        table.csv
    );
    assert!(lines[1].starts_with("Sales 2026-11-02 01:00:00,true,50,default,default,d2,21.500,"));
    assert!(
        lines[2].starts_with("Sales 2026-11-03 01:00:00,true,,,,,25,419430400,"),
        "{}",
        lines[2]
    );
    let none = HistoryFilter { database: Some("Depot"), ..HistoryFilter::default() };
    assert_eq!(runs_table(&history, &RunsOptions { filter: none, ..options }).runs, 0);
}

#[test]
fn growth_of_two_per_cent_a_month_is_found() {
    let mut text =
        String::from("database_name,type,backup_start_date,backup_finish_date,backup_size\n");
    for day in 1..=28 {
        let bytes = 1e11 * libm::exp(libm::log(1.02) * f64::from(day) / 30.436_875);
        text +=
            &format!("Sales,D,2026-11-{day:02} 01:00:00,2026-11-{day:02} 01:20:00,{bytes:.0}\n");
    }
    let history = join(&texts(&[&text]));
    let found = growth(&history, HistoryFilter::default()).expect("a growth");
    assert!((found.per_month - 0.02).abs() < 5e-4, "{found:?}");
    assert!(found.bounds.0 <= found.per_month && found.per_month <= found.bounds.1);
    let few = growth(&join(&texts(&[ROWS])), HistoryFilter::default()).expect_err("too few");
    assert!(few.to_string().contains("at least 3"));
}
