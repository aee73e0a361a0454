//! What users' files have that is not as it should be.

use bakcast_imports::{History, Import, ImportOptions, import_from, join};

use super::ignored;

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
    assert_eq!(
        left_out,
        ["1 differential backups", "1 backups under 10 s, timed in whole seconds"]
    );
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
