//! A night of jobs: tables and a CSV file, what they come to, and what is refused.

use std::fs;

use bakcast_models::quantity::Bytes;
use tempfile::TempDir;

use super::{SMALL, load};
use crate::{Document, Loaded, Problem, ProblemKind, ScenarioError, ScenarioOrigin, Set};

/// The small scenario with jobs in the place of its volume.
fn with_jobs(jobs: &str) -> String {
    let volume = "[volume.data]\ndevice = \"source\"\nsize = \"6 GiB\"\n";
    format!("{}\n{jobs}", SMALL.replace(volume, ""))
}

/// A scenario with a table of jobs beside it.
fn with_table(table: &str, more: &str, sets: &[Set]) -> Result<Loaded, ScenarioError> {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("jobs.csv"), table).unwrap();
    let text =
        with_jobs(more).replace("title = \"small\"", "title = \"small\"\njobs = \"jobs.csv\"");
    let path = folder.path().join("night.toml");
    fs::write(&path, text).unwrap();
    Document::open(&ScenarioOrigin::File(path))?.load(None, sets)
}

fn refused(table: &str, more: &str) -> Vec<Problem> {
    let error = with_table(table, more, &[]).unwrap_err();
    error.problems().unwrap_or_else(|| panic!("{error}")).iter().cloned().collect()
}

const SERVER: &str = "[server.s1]\ndevice = \"source\"\nlogical_processors = 8\n";

#[test]
fn jobs_take_what_they_do_not_say_from_the_scenario() {
    let loaded = load(&with_jobs(
        "[server.s1]\ndevice = \"source\"\nlogical_processors = 8\nvia = [\"nic\"]\n\
         [device.nic.link]\nrate = \"1 GB/s\"\n\
         [job.a]\nserver = \"s1\"\nsize = \"3 GiB\"\nstarts = \"2 min\"\n\
         [job.b]\nafter = [\"a\"]\nverify = false\nbackup.compression = true\n\
         compression.ratio = 2.0\nvolume.x = { device = \"source\", size = \"5 GiB\" }\n",
    ));
    let resolved = loaded.unwrap_or_else(|e| panic!("{e}")).resolved;
    let night = resolved.night.clone().unwrap();
    let [a, b] = night.jobs.as_slice() else { panic!() };
    assert_eq!((a.backup.database_bytes(), a.database.as_str()), (Bytes::new(3 << 30), "a"));
    assert_eq!(
        (night.servers[a.server].processor.count, night.servers[b.server].processor.count),
        (8, 4)
    );
    assert!(a.backup.compression.is_none() && a.verification.is_some());
    assert_eq!(a.backup.stripes[0].via.len(), 1);
    assert_eq!((b.after.as_slice(), b.backup.stripes[0].via.len()), (&[0][..], 0));
    assert_eq!(b.backup.compression.as_ref().unwrap().ratio.get().to_string(), "2");
    assert!(b.verification.is_none());
    // The largest job stands for the scenario where one backup is asked about.
    assert_eq!(resolved.backup, b.backup);
    assert!(resolved.warnings.iter().any(|w| w.code == crate::WarningCode::OneJobOfANight));
}

#[test]
fn a_table_of_jobs_is_another_way_to_write_them() {
    let table = "Server;Database Name;Size_MB;Start time;compressed;ratio;after\n\
                 s1;Sales;2048;1:30;yes;2,5;\n\
                 s1;\"Or;ders\";1024;;no;;s1-Sales\n"
        .replace("2,5", "2.5");
    let loaded = with_table(&table, SERVER, &[]).unwrap_or_else(|e| panic!("{e}"));
    let night = loaded.resolved.night.clone().unwrap();
    let [orders, sales] = night.jobs.as_slice() else { panic!("{night:?}") };
    assert_eq!((orders.name.as_str(), sales.name.as_str()), ("s1-Or_ders", "s1-Sales"));
    assert_eq!(orders.database, "Or;ders");
    assert_eq!(sales.backup.database_bytes(), Bytes::new(2 << 30));
    assert_eq!(sales.starts.as_seconds().to_string(), "5400");
    assert!(sales.backup.compression.is_some() && orders.backup.compression.is_none());
    assert_eq!(orders.after, [1]);
    // It can be written as one file, and read again.
    let again = load(&loaded.to_toml()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(again.resolved.night, loaded.resolved.night);
}

#[test]
fn a_cell_wins_over_the_scenario_and_an_assignment_over_both() {
    let job = "[job.j]\nserver = \"s1\"\nsize = \"1 GiB\"\nafter = [\"k\"]\nverify = false\n";
    let table = "job,size,after,server\nj,2 GiB,-,\nk,3 GiB,,s1\n";
    let size = |sets: &[Set]| {
        let loaded = with_table(table, &format!("{SERVER}{job}"), sets);
        let night = loaded.unwrap_or_else(|e| panic!("{e}")).resolved.night.unwrap();
        assert!(night.jobs[0].after.is_empty() && night.jobs[0].verification.is_none());
        night.jobs[0].backup.database_bytes().get() >> 30
    };
    assert_eq!(size(&[]), 2);
    assert_eq!(size(&[Set::new("job.j.size", "4 GiB")]), 4);
}

#[test]
fn every_problem_of_a_table_is_named_with_its_line() {
    let table = "job,server,size,starts,colour\n\
                 a,s1,2 GiB,,\n\
                 b,s2,2 GiB,,\n\
                 c,s1,2 GB/s,,\n\
                 a,s1,1 GiB,,\n\
                 d,s1,1 GiB\n\
                 ,s1,1 GiB,,\n\
                 e,s1,1 GiB,soon,\n\
                 f,s1,,,\n";
    let found: Vec<(Option<usize>, ProblemKind)> =
        refused(table, SERVER).iter().map(|p| (p.line, p.kind)).collect();
    let lines: Vec<usize> = found.iter().filter_map(|(line, _)| *line).collect();
    assert_eq!(lines, [1, 3, 4, 5, 6, 7, 8, 9], "{found:?}");
    let all = refused(table, SERVER);
    assert!(all.iter().all(|p| p.file.ends_with("jobs.csv")), "{all:?}");
    let of_line = |line| &all.iter().find(|p| p.line == Some(line)).unwrap().message;
    assert!(of_line(1).contains("colour") && of_line(3).contains("s2"), "{all:?}");
    assert!(of_line(5).contains("twice") && of_line(9).contains("no data"), "{all:?}");
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let only = |jobs: &str| {
        let error = load(&with_jobs(jobs)).unwrap_err();
        let problems: Vec<Problem> = error.problems().unwrap().iter().cloned().collect();
        assert_eq!(problems.len(), 1, "{problems:?}");
        problems[0].clone()
    };
    let job = |name: &str, more: &str| {
        format!("[job.{name}]\nsize = \"1 GiB\"\ndevice = \"source\"\n{more}\n")
    };
    let circle = format!("{}{}", job("a", "after = [\"b\"]"), job("b", "after = [\"a\"]"));
    assert!(only(&circle).message.contains("waits for itself"));
    let unknown = only(&format!("{}{}", job("sales", ""), job("b", "after = [\"sale\"]")));
    assert_eq!(unknown.suggestion.as_deref(), Some("`\"sales\"`"));
    assert_eq!(only("[job.a]\nsize = \"1 GiB\"\n").kind, ProblemKind::MissingKey);
    let volume = "volume.x = { device = \"source\", size = \"1 GiB\" }";
    assert_eq!(only(&job("a", volume)).path, "job.a.size");
    let own = format!("[volume.data]\ndevice = \"source\"\nsize = \"1 GiB\"\n{}", job("a", ""));
    assert_eq!(only(&own).path, "volume");
    assert_eq!(only("[job]\n").path, "job.NAME");
    let nul =
        format!("[device.nul.null]\n{}", job("a", "verify = true\nbackup.stripes = [\"nul\"]"));
    assert_eq!(only(&nul).kind, ProblemKind::NotVerifiable);
}

#[test]
fn a_table_that_cannot_be_read_is_named() {
    let text =
        with_jobs("").replace("title = \"small\"", "title = \"small\"\njobs = \"no-such.csv\"");
    let error = load(&text).unwrap_err();
    let problem = error.problems().unwrap().iter().next().unwrap().clone();
    assert_eq!((problem.kind, problem.line), (ProblemKind::Unreadable, Some(2)));
    for table in ["", "job,size\n\"a,1 GiB\n"] {
        let all = refused(table, SERVER);
        assert!(all.iter().any(|p| p.file.ends_with("jobs.csv")), "{all:?}");
    }
}

#[test]
fn too_many_jobs_are_refused() {
    let rows: String = (0..5001).map(|n| format!("j{n},1 GiB,s1\n")).collect();
    let all = refused(&format!("job,size,server\n{rows}"), SERVER);
    assert_eq!((all.len(), all[0].line), (1, Some(5002)), "{}", all[0]);
}

/// What is said of a scenario whose table of jobs is the file at a path.
fn said_of(table: &str) -> Vec<String> {
    let jobs = format!("title = \"small\"\njobs = \"{table}\"");
    let error = load(&with_jobs("").replace("title = \"small\"", &jobs)).unwrap_err();
    error.problems().unwrap().iter().map(|problem| problem.message.clone()).collect()
}

#[cfg(unix)]
#[test]
fn a_table_without_end_is_refused() {
    let messages = said_of("/dev/zero");
    assert!(messages[0].contains("`/dev/zero`: it is no regular file"), "{messages:?}");
    let folder = TempDir::new().unwrap();
    let large = folder.path().join("large.csv");
    fs::write(&large, vec![b'a'; (1 << 20) + 1]).unwrap();
    let messages = said_of(&large.display().to_string());
    assert!(messages[0].contains("larger than 1024 KiB"), "{messages:?}");
}

#[test]
fn a_table_in_utf_16_is_read_and_one_in_a_code_page_is_not() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("night.csv").display().to_string();
    let table = "\u{feff}job,size,server\na,1 GiB,s1\n";
    fs::write(&path, table.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>()).unwrap();
    let text = with_jobs(SERVER);
    let jobs = format!("title = \"small\"\njobs = \"{path}\"");
    let loaded = load(&text.replace("title = \"small\"", &jobs));
    assert!(loaded.unwrap_or_else(|e| panic!("{e}")).resolved.night.is_some());
    fs::write(&path, b"job,size\nGr\xfc\xdfe,1 GiB\n").unwrap();
    assert!(said_of(&path)[0].contains("save it as UTF-8"));
}

#[test]
fn only_what_is_wrong_with_the_one_row_is_said() {
    let found = refused("job,size,server\na,1 GiB\n", SERVER);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].line, found[0].kind), (Some(2), ProblemKind::Syntax));
}

#[test]
fn a_job_has_a_statement_of_its_own() {
    let statement = "BACKUP DATABASE Orders TO DISK = N'target:\\a.bak', DISK = N'target:\\b.bak'\n\
                     WITH COMPRESSION, BUFFERCOUNT = 50, MAXTRANSFERSIZE = 2097152";
    let more = format!(
        "{SERVER}[job.a]\nserver = \"s1\"\nsize = \"1 GiB\"\nsql = '''\n{statement}'''\n\
         backup.transfer_size = \"512 KiB\"\ncompression.ratio = 2.0\n\
         [job.b]\nserver = \"s1\"\nsize = \"1 GiB\"\n"
    );
    let text = with_jobs(&more).replace("[backup]\n", "[backup]\nbuffer_count = 9\n");
    let loaded = load(&text).unwrap_or_else(|e| panic!("{e}"));
    let night = loaded.resolved.night.clone().unwrap();
    let [a, b] = night.jobs.as_slice() else { panic!() };
    assert_eq!((a.database.as_str(), a.backup.stripes.len()), ("Orders", 2));
    assert_eq!(a.backup.buffers.count, 50);
    assert!(a.backup.compression.is_some() && b.backup.compression.is_none());
    // What the job says itself wins over its statement, and the statement over `[backup]`.
    assert_eq!(a.backup.buffers.transfer_size, Bytes::kibibytes(512));
    assert_eq!((b.backup.buffers.count, b.backup.stripes.len()), (9, 1));
    let again = load(&loaded.to_toml()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(again.resolved.night, loaded.resolved.night);
}

#[test]
fn what_a_statement_leaves_out_is_the_engines_default_and_not_that_of_the_scenario() {
    let table = "job,size,server,statement\n\
                 a,1 GiB,s1,BACKUP DATABASE Sales TO DISK = 'target:\\a.bak' WITH NO_COMPRESSION\n\
                 b,1 GiB,s1,\n";
    let set = Set::new("backup.buffer_count", "9");
    let loaded = with_table(table, SERVER, &[set]).unwrap_or_else(|e| panic!("{e}"));
    let night = loaded.resolved.night.clone().unwrap();
    assert_ne!(night.jobs[0].backup.buffers.count, 9);
    assert_eq!(night.jobs[1].backup.buffers.count, 9);
    // A schedule keeps the statements.
    let place = crate::JobPlace { starts_seconds: 0.0, after: Vec::new(), expected: (0.0, 1.0) };
    let written = loaded.jobs_table(&[("a".into(), place.clone()), ("b".into(), place)]);
    assert!(written.contains("BACKUP DATABASE Sales"), "{written}");
    let again = with_table(&written, SERVER, &[Set::new("backup.buffer_count", "9")]);
    let again = again.unwrap_or_else(|e| panic!("{e}")).resolved.night.unwrap();
    assert_eq!(again.jobs[0].backup, night.jobs[0].backup);
}

#[test]
fn what_is_wrong_with_a_statement_of_a_job_is_shown_in_it() {
    let table = "job,size,server,sql\n\
                 a,1 GiB,s1,BACKUP DATABASE Sales TO DISK = 'target:\\a.bak'\n\
                 b,1 GiB,s1,\"BACKUP DATABASE S TO DISK = 'target:\\a.bak' WITH BUFERCOUNT = 5\"\n\
                 c,1 GiB,s1,BACKUP DATABASE Sales TO DISK = 'X:\\a.bak'\n\
                 d,1 GiB,s1,BACKUP LOG Sales TO DISK = 'target:\\a.trn'\n\
                 e,1 GiB,s1,SELECT 1\n";
    let all = refused(table, SERVER);
    let lines: Vec<_> = all.iter().filter_map(|p| p.line).collect();
    assert_eq!(lines, [3, 4, 5, 6], "{all:?}");
    let option = &all[0];
    let line = table.lines().nth(2).unwrap();
    let column = line.find("BUFERCOUNT").unwrap() + 1;
    assert_eq!(option.column, Some(column), "{option:?}");
    assert!(option.message.contains("job `b`") && option.path == "job.b.sql", "{option:?}");
    assert!(option.to_string().contains("BUFFERCOUNT"), "{option}");
    assert_eq!(all[1].kind, ProblemKind::NotMapped);
    let text = with_jobs(
        "[job.a]\nsize = \"1 GiB\"\ndevice = \"source\"\nsql = '''\nBACKUP DATABASE Sales\n\
         TO DISK = 'target:\\a.bak'\nWITH BUFERCOUNT = 5'''\n",
    );
    let error = load(&text).unwrap_err();
    let problem = error.problems().unwrap().iter().next().unwrap().clone();
    let expected = text.lines().position(|line| line.contains("BUFERCOUNT")).unwrap() + 1;
    assert_eq!((problem.line, problem.column), (Some(expected), Some(6)), "{problem}");
}

#[test]
fn what_is_said_of_many_statements_is_said_once() {
    let rows: String = (0..9)
        .map(|n| format!("j{n},1 GiB,s1,BACKUP DATABASE Sales TO DISK = 'target:\\{n}.bak'\n"))
        .collect();
    let loaded = with_table(&format!("job,size,server,sql\n{rows}"), SERVER, &[]);
    let warnings = loaded.unwrap_or_else(|e| panic!("{e}")).resolved.warnings;
    let code = crate::WarningCode::CompressionNotStated;
    let said: Vec<_> = warnings.iter().filter(|warning| warning.code == code).collect();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].text.contains("`j0` and 8 others"), "{}", said[0].text);
}
