//! Rows of the log of commands, one after the other, in bounded memory.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::civil::DateTime;

use crate::command::{CommandSettings, settings_of};
use crate::finding::{BackupKind, CautionCode, Import, Length, Names, Verification, counted};
use crate::history::record::{HALF_ZONED, Record};
use crate::judge;
use crate::time_stamp::{DateReader, Stamp, seconds_between};

/// Most backups that are kept, the latest of them; and as many verifications.
const MOST_BACKUPS: usize = 40_000;
/// Rows at which the oldest are let go.
const FULL_UP: usize = MOST_BACKUPS + MOST_BACKUPS / 2;
/// Most verifications without a backup that are kept.
const MOST_ALONE: usize = 1_000;
/// Seconds by which a verification may begin before its backup ends, by the stamps.
const OVERLAP: f64 = 2.0;
/// Least uncertainty of a duration: what lies between a statement and its stamps.
const LEAST_ROUNDING: f64 = 1e-6;
/// Rows that are explained.
const EXPLAINED: usize = 12;

/// The cells of a row that matter.
pub(super) struct CommandRow<'a> {
    line: u64,
    database: &'a str,
    command: &'a str,
    kind: &'a str,
    start: &'a str,
    end: &'a str,
    error: &'a str,
}

impl<'a> CommandRow<'a> {
    pub(super) fn of(line: u64, cells: [&'a str; 6]) -> Self {
        let [database, command, kind, start, end, error] = cells;
        Self { line, database, command, kind, start, end, error }
    }
}

/// A backup with what its statement says.
struct Kept {
    record: Record,
    files: u64,
    buffer_count: Option<u32>,
    transfer_bytes: Option<u64>,
    block_bytes: Option<u64>,
    understood: bool,
    beyond: Option<&'static str>,
}

/// A verification, until its backup is known.
struct Check {
    line: u64,
    files: u64,
    database: Option<Arc<str>>,
    paths: Vec<Arc<str>>,
    start: Stamp,
    end: Stamp,
}

/// Takes rows and gives backups and verifications.
pub(super) struct Commands {
    dates: DateReader,
    names: Names,
    kept: Vec<Kept>,
    checks: Vec<Check>,
    dropped: u64,
    not_understood: u64,
    /// Rows that came.
    pub(super) rows: u64,
}

impl Commands {
    pub(super) fn new(dates: DateReader) -> Self {
        Self {
            dates,
            names: Names::default(),
            kept: Vec::new(),
            checks: Vec::new(),
            dropped: 0,
            not_understood: 0,
            rows: 0,
        }
    }

    /// Takes a row.
    pub(super) fn row(&mut self, row: &CommandRow<'_>, import: &mut Import) {
        self.rows += 1;
        let verify = row.kind == "RESTORE_VERIFYONLY";
        let left_out = match row.kind {
            "BACKUP_DATABASE" | "RESTORE_VERIFYONLY" => None,
            "BACKUP_LOG" => Some("log backups"),
            _ => Some("commands of other kinds"),
        };
        let failed = !matches!(row.error, "" | "0" | "NULL");
        let left_out = left_out.or(failed.then_some("commands that failed"));
        if let Some(reason) = left_out {
            import.ignore(reason);
            return;
        }
        let Some(start) = self.dates.read(row.start) else {
            import.ignore("commands without a time that can be read");
            return;
        };
        let Some(end) = self.dates.read(row.end) else {
            import.ignore("commands that did not end");
            return;
        };
        let settings = settings_of(row.command);
        self.not_understood += u64::from(!settings.understood);
        let database = match row.database {
            "" | "NULL" => settings.database.clone(),
            name => Some(name.to_string()),
        };
        if self.kept.len() + self.checks.len() < EXPLAINED {
            explain(import, row, verify);
        }
        let database = database.map(|name| self.intern(&name));
        let files = hash(database.as_deref(), &settings.paths);
        if verify {
            let paths = arcs(&settings.paths);
            self.checks.push(Check { line: row.line, files, database, paths, start, end });
        } else {
            let database = database.unwrap_or_else(|| Arc::from(""));
            let mut kept = kept(row.line, database, files, (start, end), &settings);
            kept.beyond = judge::beyond_model(row.command);
            self.kept.push(kept);
        }
        if self.kept.len() >= FULL_UP {
            self.keep_latest();
        }
        if self.checks.len() >= FULL_UP {
            self.checks.sort_by_key(|check| std::cmp::Reverse(check.start.at));
            self.checks.truncate(MOST_BACKUPS);
        }
    }

    fn keep_latest(&mut self) {
        if self.kept.len() <= MOST_BACKUPS {
            return;
        }
        self.kept.sort_by_key(|kept| std::cmp::Reverse(kept.record.start.map(|stamp| stamp.at)));
        self.dropped += (self.kept.len() - MOST_BACKUPS) as u64;
        self.kept.truncate(MOST_BACKUPS);
    }

    fn intern(&mut self, name: &str) -> Arc<str> {
        self.names.intern(name)
    }

    /// Gives backups and verifications to the import.
    pub(super) fn finish(mut self, import: &mut Import) {
        self.keep_latest();
        self.kept.sort_by_key(|kept| kept.record.line);
        self.checks.sort_by_key(|check| check.line);
        let dates = self.dates;
        let half = |check: &Check| check.start.is_zoned_unlike(check.end);
        let kept_half = self.kept.iter().any(|kept| kept.record.is_half_zoned());
        if kept_half || self.checks.iter().any(half) {
            import.caution(CautionCode::Ambiguous, HALF_ZONED);
        }
        let mut verified = verified(&self.kept, self.checks, &dates, import);
        for (place, kept) in self.kept.into_iter().enumerate() {
            let snapshot = kept.record.snapshot;
            let mut backup = kept.record.backup(&dates);
            backup.length = backup.length.map(|length| at_least(length, LEAST_ROUNDING));
            backup.buffer_count = kept.buffer_count;
            backup.transfer_bytes = kept.transfer_bytes;
            backup.block_bytes = kept.block_bytes;
            backup.options_known = kept.understood;
            backup.verify = verified.remove(&place);
            // Fitted, it would count as whatever the scenario says.
            let unread = (!kept.understood).then_some("backups whose statement cannot be read");
            backup.unusable = kept.beyond.or(unread).map(str::to_string);
            judge::add(import, backup, snapshot);
        }
        if self.dropped > 0 {
            let text = format!(
                "only the latest {MOST_BACKUPS} backups are kept, {} are not",
                self.dropped
            );
            import.caution(CautionCode::Truncated, text);
        }
        if self.not_understood > 0 {
            let text = format!(
                "{} cannot be read, as if cut: the options are not known",
                counted(self.not_understood, "statements")
            );
            import.caution(CautionCode::Damaged, text);
        }
        if dates.is_open() {
            let text = "dates such as 3/4/2026 can be read in two ways: durations are used, dates \
                        are not; give `--date-format dmy` or `--date-format mdy`";
            import.caution(CautionCode::Ambiguous, text);
        }
    }
}

fn at_least(length: Length, rounding: f64) -> Length {
    Length { rounding_seconds: length.rounding_seconds.max(rounding), ..length }
}

fn explain(import: &mut Import, row: &CommandRow<'_>, verify: bool) {
    let what = if verify { "a verification" } else { "a backup" };
    for (column, found, meaning) in [
        ("StartTime", row.start, "begin"),
        ("EndTime", row.end, "end"),
        ("Command", row.command, what),
    ] {
        let found: String = found.chars().take(200).collect();
        import.field(format!("line {}, {column}", row.line), found, meaning);
    }
}

fn kept(
    line: u64,
    database: Arc<str>,
    files: u64,
    (start, end): (Stamp, Stamp),
    settings: &CommandSettings,
) -> Kept {
    let record = Record {
        key: line,
        line,
        server: None,
        database,
        kind: settings.kind.unwrap_or(BackupKind::Unknown),
        start: Some(start),
        finish: Some(end),
        duration: None,
        size: None,
        compressed: None,
        ratio: None,
        is_compressed: settings.compression,
        files: 0,
        device: settings.device,
        copy_only: settings.understood.then_some(settings.copy_only),
        snapshot: settings.snapshot,
        paths: arcs(&settings.paths),
    };
    Kept {
        record,
        files,
        buffer_count: settings.buffer_count,
        transfer_bytes: settings.transfer_bytes,
        block_bytes: settings.block_bytes,
        understood: settings.understood,
        beyond: None,
    }
}

/// Durations of verifications by the place of their backup; the others go to the import.
fn verified(
    kept: &[Kept],
    checks: Vec<Check>,
    dates: &DateReader,
    import: &mut Import,
) -> BTreeMap<usize, Length> {
    let moment = |stamp: Stamp| -> Option<DateTime> {
        if stamp.ambiguous { dates.settle(stamp.at).or(Some(stamp.at)) } else { Some(stamp.at) }
    };
    let mut ends: BTreeMap<u64, Vec<(DateTime, usize)>> = BTreeMap::new();
    for (place, kept) in kept.iter().enumerate() {
        if let Some(end) = kept.record.finish.and_then(moment) {
            ends.entry(kept.files).or_default().push((end, place));
        }
    }
    for list in ends.values_mut() {
        list.sort_unstable();
    }
    let mut lengths = BTreeMap::new();
    let mut alone = 0;
    for check in checks {
        let (Some(start), Some(end)) = (moment(check.start), moment(check.end)) else { continue };
        let seconds = seconds_between(start, end) + check.start.zones_to(check.end);
        if seconds < 0.0 {
            import.ignore("verifications that end before they begin");
            continue;
        }
        let rounding = check.start.step.max(check.end.step);
        let length = at_least(Length { seconds, rounding_seconds: rounding }, LEAST_ROUNDING);
        let list = ends.get(&check.files).map_or(&[][..], Vec::as_slice);
        let before = list.partition_point(|(end, _)| seconds_between(start, *end) <= OVERLAP);
        match before.checked_sub(1).map(|last| list[last].1) {
            Some(place) => {
                lengths.insert(place, length);
            }
            None if alone < MOST_ALONE => {
                alone += 1;
                import.ignore("verifications without their backup");
                import.verifications.push(Verification {
                    database: check.database,
                    started: Some(start),
                    finished: Some(end),
                    length,
                    paths: check.paths,
                    place: format!("line {}", check.line),
                });
            }
            None => import.ignore("verifications without their backup"),
        }
    }
    lengths
}

fn arcs(paths: &[String]) -> Vec<Arc<str>> {
    paths.iter().map(|path| Arc::from(path.as_str())).collect()
}

/// A number for a database and its files, whatever their order and case.
fn hash(database: Option<&str>, paths: &[String]) -> u64 {
    let mut names: Vec<String> = paths.iter().map(|path| path.to_lowercase()).collect();
    names.sort_unstable();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for text in [database.unwrap_or_default().to_lowercase()].iter().chain(&names) {
        for byte in text.bytes().chain([0xff]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    hash
}
