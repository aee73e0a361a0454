//! Bounds: sizes of texts, numbers of problems, depth; and blobs of object storage.

use crate::{LARGEST_TEXT, MOST_PROBLEMS, ProblemKind, check_blob_size, parse_statements};

#[test]
fn a_text_that_is_too_large_is_refused_unread() {
    let problems = parse_statements(&" ".repeat(LARGEST_TEXT + 1)).unwrap_err();
    assert_eq!(problems.iter().next().unwrap().kind, ProblemKind::OutOfRange);
    assert!(parse_statements(&" ".repeat(LARGEST_TEXT)).unwrap().is_empty());
}

#[test]
fn depth_is_counted_and_not_followed() {
    let half = LARGEST_TEXT / 4;
    let nested = format!("{}{}BACKUP LOG a TO b", "/*".repeat(half), "*/".repeat(half));
    let nested = nested.get(..LARGEST_TEXT).unwrap_or(&nested).to_string();
    let _ = parse_statements(&nested);
    for sign in ["(", "[", "/*", "'", "@(", "$(", "- ", "+ ", "EXEC(", "{"] {
        let _ = parse_statements(&format!("SET @x = {}", sign.repeat(100_000)));
        let _ = parse_statements(&format!("Backup-DbaDatabase -Path {}", sign.repeat(100_000)));
    }
}

#[test]
fn reading_stops_where_nothing_is_understood() {
    let options = "wrong, ".repeat(10_000);
    let text = format!("BACKUP DATABASE a TO DISK='E:\\1' WITH {options} INIT");
    let problems = parse_statements(&text).unwrap_err();
    assert!(problems.iter().count() <= MOST_PROBLEMS + 1);
}

#[test]
fn variables_that_hold_themselves_stay_small() {
    let text = format!("DECLARE @a int = 'x' {}", "SET @a = @a + @a ".repeat(1000));
    assert!(parse_statements(&text).unwrap().len() > 1000);
}

#[test]
fn a_blob_holds_so_many_blocks() {
    let one = |text: &str| parse_statements(text).unwrap().remove(0);
    let gib = 1_u64 << 30;
    let blob = one("BACKUP DATABASE a TO URL='https://h/c/a'");
    assert!(check_blob_size(&blob, 48 * gib).is_none());
    assert!(check_blob_size(&blob, 49 * gib).unwrap().contains("2 targets instead of 1"));
    let large = one("BACKUP DATABASE a TO URL='https://h/c/a' WITH MAXTRANSFERSIZE=4194304");
    assert!(check_blob_size(&large, 195 * gib).is_none());
    assert!(check_blob_size(&large, 196 * gib).is_some());
    let object = one("BACKUP DATABASE a TO URL='s3://h/c/a' WITH COMPRESSION");
    assert!(check_blob_size(&object, 97 * gib).is_none());
    assert!(check_blob_size(&object, 98 * gib).unwrap().contains("parts of an S3 object"));
    let disk = one("BACKUP DATABASE a TO DISK='E:\\1'");
    assert!(check_blob_size(&disk, u64::MAX).is_none());
}

#[test]
fn a_size_written_otherwise_is_shown_in_bytes() {
    let hint = |option: &str| {
        let sql = format!("BACKUP DATABASE a TO DISK='E:\\1' WITH {option}");
        let problems = parse_statements(&sql).unwrap_err();
        let problem = problems.iter().next().unwrap().clone();
        assert_eq!(problem.kind, ProblemKind::WrongType, "{problem}");
        (problem.accepted, problem.suggestion)
    };
    for size in ["4MB", "4194304.0", "0x400000", "4096KB"] {
        let (accepted, meant) = hint(&format!("MAXTRANSFERSIZE={size}"));
        assert!(accepted.contains("4194304"), "{accepted}");
        assert_eq!(meant.as_deref(), Some("`MAXTRANSFERSIZE = 4194304`"), "{size}");
    }
    assert_eq!(hint("MAXTRANSFERSIZE=4194304.5").1, None);
    assert_eq!(hint("BUFFERCOUNT=-1").1, None);
}
