//! From the files of a statement to the devices of a scenario.

use crate::{Document, Loaded, Problem, ProblemKind, ScenarioError, Set, WarningCode};

/// Drives, shares and object storage.
const SCENARIO: &str = r#"title = "mapping"

[volume.data]
device = "d"
size = "6 GiB"

[device.d.fixed_rate]
rate = "400 MB/s"

[device.e.fixed_rate]
rate = "100 MB/s"

[device.share.fixed_rate]
rate = "100 MB/s"

[device.deep.fixed_rate]
rate = "100 MB/s"

[device.cloud.fixed_rate]
rate = "100 MB/s"

[device.nowhere.null]

[processor]
logical_processors = 4

[compression]
ratio = 3.0

[backup]
stripes = ["e"]
buffer_count = 99
transfer_size = "2 MiB"

[paths]
"F:" = "e"
'\\srv\share' = "share"
'\\srv\share\deep\' = "deep"
'https://acct.blob.core.windows.net' = "cloud"
'G:\backup' = "share"
"#;

fn load(sql: &str, sets: &[&str]) -> Result<Loaded, ScenarioError> {
    let sets: Vec<_> = sets.iter().map(|set| Set::parse(set).unwrap()).collect();
    let document = Document::from_bytes("map.toml", SCENARIO.as_bytes().to_vec()).unwrap();
    document.load_statements(None, ("--sql", sql), &sets)
}

fn loaded(sql: &str) -> Loaded {
    load(sql, &[]).unwrap_or_else(|error| panic!("{sql}: {error}"))
}

fn refused(sql: &str) -> Vec<Problem> {
    match load(sql, &[]) {
        Err(ScenarioError::Problems(problems)) => problems.iter().cloned().collect(),
        other => panic!("{sql}: {other:?}"),
    }
}

fn stripes(path: &str) -> Vec<String> {
    let kind = if path.contains("://") { "URL" } else { "DISK" };
    loaded(&format!("BACKUP DATABASE a TO {kind} = '{path}'")).scenario.backup.stripes
}

fn codes(loaded: &Loaded) -> Vec<WarningCode> {
    loaded.resolved.warnings.iter().map(|warning| warning.code).collect()
}

#[test]
fn the_longest_beginning_wins_whatever_its_case() {
    for (path, device) in [
        (r"F:\a.bak", "e"),
        (r"f:\x\a.bak", "e"),
        (r"E:\a.bak", "e"),
        (r"d:\a.bak", "d"),
        (r"\\SRV\Share\a.bak", "share"),
        (r"\\srv\share\deep\a.bak", "deep"),
        (r"\\srv\share\deeper\a.bak", "share"),
        (r"G:\Backup\a.bak", "share"),
        (r"\\?\F:\a.bak", "e"),
        ("f:/a.bak", "e"),
        ("https://ACCT.blob.core.windows.net/c/a.bak", "cloud"),
        (r"share:\a.bak", "share"),
    ] {
        assert_eq!(stripes(path), [device], "{path}");
    }
    assert_eq!(stripes("NUL"), ["nowhere"]);
    assert_eq!(stripes("nul:"), ["nowhere"]);
}

#[test]
fn what_leads_nowhere_is_refused_with_the_line_to_add() {
    let problems = refused(r"BACKUP DATABASE a TO DISK='X:\1', DISK='\\other\b\1', DISK='G:\2'");
    let kinds: Vec<_> = problems.iter().map(|problem| problem.kind).collect();
    assert_eq!(kinds, [ProblemKind::NotMapped; 3]);
    assert_eq!((problems[0].line, problems[0].column), (Some(1), Some(22)));
    assert!(problems[0].message.contains(r"`X:\1` leads to no device"), "{}", problems[0]);
    assert!(problems[0].accepted.contains("`cloud`, `d`, `deep`"), "{}", problems[0]);
    let lines: Vec<_> = problems.iter().map(|p| p.suggestion.clone().unwrap()).collect();
    assert_eq!(lines[0], "`[paths]`, then `'X:' = \"e\"`");
    assert_eq!(lines[1], "`[paths]`, then `'\\\\other\\b' = \"e\"`");
}

#[test]
fn what_is_not_stated_is_the_default_of_the_engine() {
    let loaded = loaded("BACKUP DATABASE Orders TO DISK='F:\\1', DISK='E:\\2' WITH COMPRESSION");
    let backup = &loaded.scenario.backup;
    assert_eq!((backup.buffer_count, backup.transfer_size), (None, None));
    assert!(backup.compression);
    assert_eq!(backup.stripes, ["e", "e"]);
    assert_eq!(loaded.scenario.database.name, "Orders");
    assert!(!codes(&loaded).contains(&WarningCode::CompressionNotStated));
}

#[test]
fn assignments_come_after_the_statement_and_may_map_its_paths() {
    let sql = "BACKUP DATABASE a TO DISK='X:\\1' WITH BUFFERCOUNT = 50, NO_COMPRESSION";
    let loaded = load(sql, &["backup.buffer_count=51", "paths.X:=deep"]).unwrap();
    assert_eq!(loaded.scenario.backup.buffer_count, Some(51));
    assert_eq!(loaded.scenario.backup.stripes, ["deep"]);
}

#[test]
fn reading_statements_turn_on_what_they_do() {
    let both = "BACKUP DATABASE a TO DISK='E:\\1' WITH COMPRESSION; \
                RESTORE VERIFYONLY FROM DISK='E:\\1'; \
                RESTORE DATABASE a FROM DISK='E:\\1' WITH BUFFERCOUNT = 9";
    let loaded = loaded(both);
    assert_eq!(loaded.scenario.verify.enabled, Some(true));
    assert!(loaded.scenario.restore.enabled);
    assert_eq!(loaded.scenario.restore.buffer_count, Some(9));
    let elsewhere = "BACKUP DATABASE a TO DISK='E:\\1' WITH COMPRESSION; \
                     RESTORE VERIFYONLY FROM DISK='D:\\1'";
    assert!(codes(&self::loaded(elsewhere)).contains(&WarningCode::ReadElsewhere));
}

#[test]
fn what_is_not_modelled_is_said() {
    let warned = |sql: &str, code| {
        let loaded = loaded(sql);
        assert!(codes(&loaded).contains(&code), "{sql}: {:?}", loaded.resolved.warnings);
    };
    let to = "BACKUP DATABASE a TO DISK='E:\\1'";
    warned(to, WarningCode::CompressionNotStated);
    warned(&format!("{to} WITH DIFFERENTIAL"), WarningCode::NotAFullBackup);
    warned(&format!("{to} MIRROR TO DISK='F:\\1' WITH FORMAT"), WarningCode::MirrorsNotModelled);
    let key = "ENCRYPTION (ALGORITHM = AES_256, SERVER CERTIFICATE = c)";
    warned(&format!("{to} WITH {key}"), WarningCode::EncryptionNotModelled);
    let zstd = "COMPRESSION (ALGORITHM = ZSTD)";
    warned(&format!("{to} WITH {zstd}"), WarningCode::AlgorithmNotApplied);
    let url = "BACKUP DATABASE a TO URL='https://acct.blob.core.windows.net/c/a'";
    let large = format!("{url} WITH COMPRESSION, MAXTRANSFERSIZE=20971520");
    warned(&large, WarningCode::TransferSizeNotModelled);
}

#[test]
fn what_cannot_be_predicted_is_refused() {
    let kind = |sql: &str| refused(sql)[0].kind;
    assert_eq!(kind("BACKUP LOG a TO DISK='E:\\1'"), ProblemKind::NotModelled);
    assert_eq!(kind("RESTORE LOG a FROM DISK='E:\\1'"), ProblemKind::NotModelled);
    assert_eq!(kind("PRINT 'x'"), ProblemKind::NotModelled);
    assert_eq!(kind(""), ProblemKind::NotModelled);
    assert_eq!(kind("BACKUP DATABASE a TO DISK=@x"), ProblemKind::Unresolved);
    let two = "BACKUP DATABASE a TO DISK='E:\\1'; BACKUP DATABASE b TO DISK='E:\\1'";
    assert_eq!(kind(two), ProblemKind::NotModelled);
    let none = "EXEC dbo.DatabaseBackup @Databases='a', @BackupType='FULL'";
    assert_eq!(kind(none), ProblemKind::NotModelled);
}

#[test]
fn an_unknown_device_in_paths_is_reported() {
    let text = SCENARIO.replace("\"F:\" = \"e\"", "\"F:\" = \"shore\"");
    let document = Document::from_bytes("map.toml", text.into_bytes()).unwrap();
    let Err(ScenarioError::Problems(problems)) = document.load(None, &[]) else { panic!() };
    let problem = problems.iter().next().unwrap();
    assert_eq!(problem.kind, ProblemKind::UnknownDevice);
    assert_eq!(problem.suggestion.as_deref(), Some("`\"share\"`"));
}

#[test]
fn the_statement_of_a_scenario_gives_the_scenario_again() {
    let first = loaded(
        "BACKUP DATABASE [a]]b] TO DISK='F:\\1', DISK='\\\\srv\\share\\2', DISK='D:\\3' \
         WITH COMPRESSION, BUFFERCOUNT = 50, MAXTRANSFERSIZE = 4194304, BLOCKSIZE = 65536",
    );
    let again = loaded(&first.statement());
    assert_eq!(again.scenario.backup, first.scenario.backup);
    assert_eq!(again.statement(), first.statement());
}

#[test]
fn nul_needs_no_device_in_the_scenario() {
    let disk = "[device.nul.fixed_rate]\nrate = \"1 GB/s\"\n";
    let text = SCENARIO.replace("[device.nowhere.null]\n", disk);
    let document = Document::from_bytes("map.toml", text.into_bytes()).unwrap();
    let sql = "BACKUP DATABASE a TO DISK='NUL', DISK='nul:' WITH NO_COMPRESSION";
    let loaded = document.load_statements(None, ("--sql", sql), &[]);
    let loaded = loaded.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(loaded.scenario.backup.stripes, ["nul2", "nul2"]);
    assert!(loaded.scenario.device["nul2"].null.is_some());
}

#[test]
fn no_disk_is_proposed_for_a_tape() {
    let problems = refused(r"BACKUP DATABASE a TO TAPE = '\\.\tape0'");
    let hint = problems[0].suggestion.clone().unwrap();
    assert!(hint.ends_with("= \"NAME\"`"), "{hint}");
}

#[test]
fn a_statement_for_another_database_is_warned_about_first() {
    let text = SCENARIO.replace("[processor]", "[database]\nname = \"Orders\"\n\n[processor]");
    let document = Document::from_bytes("map.toml", text.into_bytes()).unwrap();
    let warned = |name: &str| {
        let sql = format!("BACKUP DATABASE {name} TO DISK='D:\\1'");
        let loaded = document.load_statements(None, ("--sql", &sql), &[]).unwrap();
        codes(&loaded)
    };
    assert_eq!(warned("Stock")[0], WarningCode::OtherDatabase);
    assert!(warned("Stock").len() > 1);
    assert!(!warned("ORDERS").contains(&WarningCode::OtherDatabase));
}

#[test]
fn reading_other_files_of_the_same_device_is_warned_about() {
    let codes_of = |file: &str| {
        codes(&loaded(&format!(
            "BACKUP DATABASE a TO DISK='E:\\1.bak' WITH COMPRESSION; \
             RESTORE VERIFYONLY FROM DISK='{file}'"
        )))
    };
    assert_eq!(codes_of("E:\\2.bak")[0], WarningCode::ReadElsewhere);
    assert!(!codes_of("e:/1.BAK").contains(&WarningCode::ReadElsewhere));
}

#[test]
fn too_many_buffers_are_shown_where_they_stand() {
    let sql = "BACKUP DATABASE a TO DISK='E:\\1'\nWITH BUFFERCOUNT=2147483648";
    let problem = &refused(sql)[0];
    assert_eq!((problem.line, problem.column), (Some(2), Some(6)), "{problem}");
}
