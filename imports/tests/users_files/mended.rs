//! What users' files have that is not as it should be.

use bakcast_imports::{
    CautionCode, History, HistoryFilter, Import, ImportOptions, NoGrowth, growth, import_from, join,
};

use super::{ignored, warns};

pub(crate) fn of(text: &str) -> Import {
    import_from("a", text.as_bytes(), &ImportOptions::default()).expect("an import")
}

fn commands(rows: &[(&str, &str, &str, &str)]) -> String {
    let mut text = "DatabaseName,Command,CommandType,StartTime,EndTime,ErrorNumber\n".to_string();
    for (command, kind, start, end) in rows {
        text += &format!("A,\"{command}\",{kind},2026-01-01 {start},2026-01-01 {end},0\n");
    }
    text
}

fn joined(text: &str) -> History {
    join(&[of(text)])
}

#[test]
fn a_kept_backup_is_left_out_once() {
    let import = of("database_name,type,backup_start_date,backup_finish_date,backup_size\n\
         A,D,2026-01-01 01:00:00,2026-01-01 01:10:00,107374182400\n\
         A,I,2026-01-02 01:00:00,2026-01-02 01:10:00,107374182400\n\
         A,D,2026-01-03 01:00:00,2026-01-03 01:00:02,107374182400\n");
    let left_out = import.account().ignored;
    assert_eq!(left_out, ["1 differential backup", "1 backup under 10 s, timed in whole seconds"]);
    assert_eq!(ignored(&import, "differential"), 1);
}

#[test]
fn a_verification_of_another_file_belongs_to_no_backup() {
    let backup = "BACKUP DATABASE [A] TO DISK = N'E:\\a.bak'";
    for (file, verified) in [("E:\\a.bak", true), ("e:\\A.bak", true), ("E:\\other.bak", false)] {
        let verify = format!("RESTORE VERIFYONLY FROM DISK = N'{file}'");
        let text = commands(&[
            (backup, "BACKUP_DATABASE", "01:00:00", "01:10:00"),
            (&verify, "RESTORE_VERIFYONLY", "01:10:00", "01:15:00"),
        ]);
        let history = joined(&text);
        assert_eq!(history.backups[0].verify.is_some(), verified, "{file}");
        assert_eq!(history.verifications.len(), usize::from(!verified), "{file}");
        assert_eq!(ignored(&of(&text), "without their backup"), u64::from(!verified), "{file}");
    }
}

#[test]
fn mirrored_and_encrypted_backups_are_left_out_with_a_count() {
    let mirrored = "BACKUP DATABASE [A] TO DISK = N'E:\\a.bak' MIRROR TO DISK = N'F:\\a.bak' \
                    WITH FORMAT";
    let encrypted = "BACKUP DATABASE [A] TO DISK = N'E:\\b.bak' WITH ENCRYPTION (ALGORITHM = \
                     AES_256, SERVER CERTIFICATE = [C])";
    let text = commands(&[
        (mirrored, "BACKUP_DATABASE", "01:00:00", "01:10:00"),
        (encrypted, "BACKUP_DATABASE", "02:00:00", "02:10:00"),
    ]);
    let import = of(&text);
    assert_eq!((ignored(&import, "mirrored"), ignored(&import, "encrypted")), (1, 1));
    let history = "database_name,type,backup_start_date,backup_finish_date,backup_size\n\
                   A,D,2026-01-01 01:00:00,2026-01-01 01:10:00,107374182400\n";
    let joined = join(&[of(history), import]);
    assert_eq!(joined.backups[0].unusable.as_deref(), Some("mirrored backups"));
    assert_eq!(joined.backups[0].read_bytes, Some(100 << 30));
    let messages = of(&format!(
        "Date and time: 2026-01-01 01:00:00\nCommand: {encrypted}\nProcessed 128000 pages for \
         database 'A', file 'A' on file 1.\nBACKUP DATABASE successfully processed 128000 pages \
         in 10.000 seconds (100.000 MB/sec).\nOutcome: Succeeded\nDuration: 00:00:10\n"
    ));
    assert_eq!(messages.backups[0].unusable.as_deref(), Some("encrypted backups"));
}

const HEADINGS: &str = "database_name,type,backup_start_date,backup_finish_date,backup_size,\
     compressed_backup_size,physical_device_name\n";

fn row(name: &str, day: u32, size: &str, compressed: &str, more: &str) -> String {
    let day = format!("2026-01-{day:02}");
    format!("{name},D,{day} 01:00:00,{day} 01:10:00,{size},{compressed},E:\\a.bak{more}\n")
}

#[test]
fn a_row_with_more_cells_than_headings_is_left_out() {
    let good = row("A", 1, "107374182400", "50000000000", "");
    let broad = row("A", 2, "107374182400", "50000000000", ",1,2,3");
    let import = of(&format!("{HEADINGS}{good}{broad}"));
    assert_eq!((import.backups.len(), ignored(&import, "more cells")), (1, 1));
    let damaged = import.cautions.iter().find(|c| c.code == CautionCode::Damaged);
    assert!(damaged.is_some_and(|caution| caution.text.starts_with("line 3 ")), "{import:?}");
}

#[test]
fn a_heading_that_stands_twice_is_named() {
    let import = of("database_name,type,backup_start_date,backup_finish_date,backup_size,\
                     backup_size\n\
                     A,D,2026-01-01 01:00:00,2026-01-01 01:10:00,107374182400,5\n");
    let doubled = import.cautions.iter().find(|c| c.code == CautionCode::Ambiguous);
    assert!(doubled.is_some_and(|c| c.text.contains("`backup_size`")), "{import:?}");
}

#[test]
fn sizes_that_cannot_be_are_not_used() {
    let import = of(&format!("{HEADINGS}{}", row("A", 1, "61440", "NULL", "")));
    assert_eq!(ignored(&import, "whose size cannot be meant"), 1);
    for bad in ["-64424509440", "9e30", "lots"] {
        let good = row("A", 2, "107374182400", "50000000000", "");
        let import = of(&format!("{HEADINGS}{}{good}", row("A", 1, bad, "NULL", "")));
        assert_eq!(import.backups[0].read_bytes, None, "{bad}");
        let wanted = format!("line 2, backup_size: found `{bad}`");
        assert!(import.cautions.iter().any(|c| c.text.starts_with(&wanted)), "{import:?}");
    }
    for compressed in ["200000000000", "1000"] {
        let import = of(&format!("{HEADINGS}{}", row("A", 1, "107374182400", compressed, "")));
        assert_eq!(import.backups[0].written_bytes, None, "{compressed}");
        assert!(warns(&import, CautionCode::Inconsistent), "{compressed}");
    }
}

#[test]
fn a_backup_of_more_than_thirty_days_is_left_out() {
    let import = of("database_name,type,backup_start_date,backup_finish_date,backup_size\n\
                     A,D,2026-01-01 01:00:00,2026-03-01 01:10:00,107374182400\n");
    assert_eq!(ignored(&import, "backups of more than 30 days"), 1);
}

#[test]
fn names_of_databases_have_no_case() {
    let history = join(&[
        of(&format!("{HEADINGS}{}", row("Ärger", 1, "107374182400", "NULL", ""))),
        of(&format!("{HEADINGS}{}", row("äRGER", 2, "107374182400", "NULL", ""))),
    ]);
    assert!(history.backups.iter().all(|backup| &*backup.database == "Ärger"), "{history:?}");
    let filter = HistoryFilter { database: Some("ärger"), server: None };
    assert!(history.backups.iter().all(|backup| filter.takes(backup)));
}

#[test]
fn sizes_that_jump_show_no_growth() {
    let sizes = [(1, "10737418240"), (10, "107374182400"), (20, "10737418240")];
    let rows = sizes.map(|(day, size)| row("A", day, size, "NULL", ""));
    let history = join(&[of(&format!("{HEADINGS}{}", rows.concat()))]);
    assert_eq!(growth(&history, HistoryFilter::default()), Err(NoGrowth::TooUneven));
}

#[test]
fn zones_count_if_begin_and_end_have_one() {
    for (start, finish, seconds, doubtful) in [
        ("01:00:00+02:00", "00:10:00+01:00", Some(600.0), false),
        ("01:00:00+02:00", "01:10:00+02:00", Some(600.0), false),
        ("01:00:00Z", "02:10:00+01:00", Some(600.0), false),
        ("01:00:00+02:00", "01:10:00", Some(600.0), true),
    ] {
        let import = of(&format!(
            "database_name,type,backup_start_date,backup_finish_date,backup_size\n\
             A,D,2026-01-01T{start},2026-01-01T{finish},107374182400\n"
        ));
        let length = import.backups[0].length.map(|length| length.seconds);
        assert_eq!(length, seconds, "{start} {finish}");
        assert_eq!(warns(&import, CautionCode::Ambiguous), doubtful, "{start} {finish}");
    }
}

#[test]
fn a_backup_whose_statement_cannot_be_read_is_no_run() {
    let log = of("ID,DatabaseName,CommandType,Command,StartTime,EndTime,ErrorNumber\n\
         1,A,BACKUP_DATABASE,\"BACKUP DATABASE [A] TO DISK = N'E:\\a.bak' WITH COMPRESSION\",\
         2026-10-03 01:00:00.000,2026-10-03 01:10:00.000,0\n\
         2,A,BACKUP_DATABASE,\"BACKUP DATABASE [A] TO DISK = N'E:\\a.bak' WITH COMPR, BUFFERCOUN\",\
         2026-10-10 01:00:00.000,2026-10-10 01:10:00.000,0\n");
    let usable: Vec<bool> = log.backups.iter().map(|backup| backup.unusable.is_none()).collect();
    assert_eq!(usable, [true, false]);
    assert_eq!(log.account().ignored, ["1 backup whose statement cannot be read"]);
}
