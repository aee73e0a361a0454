//! Several files about the same server: each backup once, with the best of what each says.
//!
//! Two rows describe one backup if the database is the same and they end within two seconds of
//! each other (two hundredths of their length, if that is more) or begin so. Messages of a client
//! have no time of the day: they belong to a backup of the same size and length, if there is one
//! only. The log of commands gives times and options, the history sizes, messages pages and, where
//! there is no log of commands, milliseconds.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::civil::DateTime;

use crate::finding::{Backup, BackupKind, BufferTrace, Import, Names, Verification, counted};
use crate::format::Format;
use crate::judge;
use crate::time_stamp::seconds_between;

/// Seconds between two notes of the same moment, and the share of the length.
const NEAR: f64 = 2.0;
const NEAR_SHARE: f64 = 0.02;
/// Seconds after a backup in which its verification begins.
const SOON: f64 = 60.0;
/// Share by which sizes of the same backup differ: messages leave out the log.
const SAME_SIZE: f64 = 0.02;
/// Bytes by which they may differ in any case.
const SAME_BYTES: f64 = 1_048_576.0;

/// All backups of several files, each once.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct History {
    /// Backups, by begin; those without a time are last.
    pub backups: Vec<Backup>,
    /// Verifications that belong to none of them.
    pub verifications: Vec<Verification>,
    /// Buffer settings that the server printed.
    pub buffers: Vec<BufferTrace>,
    /// What was put together, a sentence for each pair of files.
    pub notes: Vec<String>,
}

/// A backup and the files that describe it.
struct Joined {
    backup: Backup,
    imports: Vec<usize>,
}

/// Puts together what files say.
#[must_use]
pub fn join(imports: &[Import]) -> History {
    let mut order: Vec<usize> = (0..imports.len()).collect();
    order.sort_by_key(|place| rank(imports[*place].format));
    let mut joined: Vec<Joined> = Vec::new();
    let mut notes = Vec::new();
    for place in order {
        let import = &imports[place];
        let known = Known::of(&joined);
        let mut count = 0_usize;
        let mut open = 0_usize;
        for backup in &import.backups {
            match known.find(&joined, backup, place) {
                Match::Same(found) => {
                    count += 1;
                    merge(&mut joined[found].backup, backup);
                    joined[found].imports.push(place);
                }
                Match::None => {
                    joined.push(Joined { backup: backup.clone(), imports: vec![place] });
                }
                Match::Several => open += 1,
            }
        }
        if count > 0 {
            let of = import.backups.len();
            let file = &import.file;
            notes.push(format!("{count} of {of} backups of `{file}` are also in other files"));
        }
        if open > 0 {
            let file = &import.file;
            let text = counted(open as u64, "backups without a time");
            notes.push(format!("{text} of `{file}` left out: several others are like it"));
        }
    }
    let mut backups: Vec<Backup> = joined.into_iter().map(|joined| joined.backup).collect();
    let mut names = Names::default();
    for backup in &mut backups {
        backup.database = names.intern(&backup.database);
    }
    backups.sort_by_key(|backup| (backup.started.is_none(), backup.started));
    let checks = imports.iter().flat_map(|import| import.verifications.iter().cloned());
    let mut history = History { backups, notes, ..History::default() };
    for check in checks {
        attach(&mut history, check);
    }
    history.buffers = imports.iter().flat_map(|import| import.buffers.iter().cloned()).collect();
    history
}

/// Whose times are best comes first.
fn rank(format: Format) -> u8 {
    match format {
        Format::CommandLog => 0,
        Format::BruteForce => 1,
        Format::BackupHistory => 2,
        _ => 3,
    }
}

enum Match {
    Same(usize),
    None,
    Several,
}

/// Backups by the name of their database and by their ends.
struct Known {
    ends: BTreeMap<String, Vec<(DateTime, usize)>>,
    begins: BTreeMap<String, Vec<(DateTime, usize)>>,
    all: BTreeMap<String, Vec<usize>>,
}

impl Known {
    fn of(joined: &[Joined]) -> Self {
        let mut known =
            Self { ends: BTreeMap::new(), begins: BTreeMap::new(), all: BTreeMap::new() };
        for (place, Joined { backup, .. }) in joined.iter().enumerate() {
            let name = backup.database.to_lowercase();
            if let Some(end) = backup.finished {
                known.ends.entry(name.clone()).or_default().push((end, place));
            }
            if let Some(begin) = backup.started {
                known.begins.entry(name.clone()).or_default().push((begin, place));
            }
            known.all.entry(name).or_default().push(place);
        }
        known.ends.values_mut().chain(known.begins.values_mut()).for_each(|l| l.sort_unstable());
        known
    }

    fn find(&self, joined: &[Joined], backup: &Backup, import: usize) -> Match {
        let name = backup.database.to_lowercase();
        let fits = |place: usize| {
            !joined[place].imports.contains(&import) && alike(&joined[place].backup, backup)
        };
        if backup.finished.is_none() && backup.started.is_none() {
            let list = self.all.get(&name).map_or(&[][..], Vec::as_slice);
            let mut same = list
                .iter()
                .filter(|place| fits(**place) && same_size(&joined[**place].backup, backup));
            return match (same.next(), same.next()) {
                (None, _) => Match::None,
                (Some(place), None) => Match::Same(*place),
                (Some(_), Some(_)) => Match::Several,
            };
        }
        let length = backup.length.map_or(0.0, |length| length.seconds);
        let near = NEAR.max(NEAR_SHARE * length);
        for (lists, at) in [(&self.ends, backup.finished), (&self.begins, backup.started)] {
            let Some(at) = at else { continue };
            let names = lists.iter().filter(|(known, _)| name.is_empty() || **known == name);
            let mut best: Option<(f64, usize)> = None;
            for (_, list) in names {
                let from = list.partition_point(|(other, _)| seconds_between(*other, at) > near);
                for (other, place) in &list[from..] {
                    let off = seconds_between(at, *other);
                    if off > near {
                        break;
                    }
                    if fits(*place) && best.is_none_or(|(least, _)| off.abs() < least) {
                        best = Some((off.abs(), *place));
                    }
                }
            }
            if let Some((_, place)) = best {
                return Match::Same(place);
            }
        }
        Match::None
    }
}

/// Whether nothing speaks against two backups being the same.
fn alike(a: &Backup, b: &Backup) -> bool {
    let kinds = a.kind == b.kind || [a.kind, b.kind].contains(&BackupKind::Unknown);
    let servers = match (&a.server, &b.server) {
        (Some(a), Some(b)) => a.eq_ignore_ascii_case(b),
        _ => true,
    };
    kinds && servers
}

fn same_size(a: &Backup, b: &Backup) -> bool {
    let (Some(a_bytes), Some(b_bytes)) = (a.read_bytes, b.read_bytes) else { return false };
    let (Some(a_length), Some(b_length)) = (a.length, b.length) else { return false };
    let bytes = (SAME_SIZE * a_bytes as f64).max(SAME_BYTES);
    let rounding = a_length.rounding_seconds + b_length.rounding_seconds;
    let seconds = rounding + NEAR.max(NEAR_SHARE * a_length.seconds);
    a_bytes.abs_diff(b_bytes) as f64 <= bytes
        && (a_length.seconds - b_length.seconds).abs() <= seconds
}

/// Adds to a backup what a file with less exact times says about it.
fn merge(backup: &mut Backup, other: &Backup) {
    let snapshot = |backup: &Backup| {
        backup.unusable.as_deref().is_some_and(|reason| reason.starts_with("snapshots"))
    };
    let is_snapshot = snapshot(backup) || snapshot(other);
    if judge::told(backup).is_none() && judge::told(other).is_some() {
        backup.unusable.clone_from(&other.unusable);
    }
    backup.server = backup.server.take().or_else(|| other.server.clone());
    if backup.database.is_empty() {
        backup.database = other.database.clone();
    }
    if backup.kind == BackupKind::Unknown {
        backup.kind = other.kind;
    }
    backup.started = backup.started.or(other.started);
    backup.finished = backup.finished.or(other.finished);
    backup.length = match (backup.length, other.length) {
        (Some(own), Some(finer))
            if own.rounding_seconds >= 1.0
                && finer.rounding_seconds < own.rounding_seconds
                && (own.seconds - finer.seconds).abs() <= own.rounding_seconds + NEAR =>
        {
            Some(finer)
        }
        (own, other) => own.or(other),
    };
    let finer = other.read_bytes_rounding < backup.read_bytes_rounding;
    if backup.read_bytes.is_none() || other.read_bytes.is_some() && finer {
        backup.read_bytes = other.read_bytes;
        backup.read_bytes_rounding = other.read_bytes_rounding;
    }
    let printed = other.printed_bytes_per_second;
    backup.written_bytes = backup.written_bytes.or(other.written_bytes);
    backup.printed_bytes_per_second = backup.printed_bytes_per_second.or(printed);
    if backup.paths.is_empty() {
        backup.paths.clone_from(&other.paths);
    }
    backup.stripes = backup.stripes.or(other.stripes);
    backup.compression = backup.compression.or(other.compression);
    backup.buffer_count = backup.buffer_count.or(other.buffer_count);
    backup.transfer_bytes = backup.transfer_bytes.or(other.transfer_bytes);
    backup.block_bytes = backup.block_bytes.or(other.block_bytes);
    backup.options_known |= other.options_known;
    backup.device = other.device.filter(|_| backup.device.is_none()).or(backup.device);
    backup.copy_only = backup.copy_only.or(other.copy_only);
    backup.verify = backup.verify.or(other.verify);
    backup.unusable = judge::unusable(backup, is_snapshot).map(str::to_string);
}

/// Whether all files of one are among those of the other: a history may name the first only.
fn same_files(a: &[Arc<str>], b: &[Arc<str>]) -> bool {
    let (few, many) = if a.len() < b.len() { (a, b) } else { (b, a) };
    few.iter().all(|path| many.iter().any(|other| other.to_lowercase() == path.to_lowercase()))
}

/// Gives a verification to its backup: of the same database, to the same files or just before.
fn attach(history: &mut History, check: Verification) {
    let same_name = |backup: &Backup| match &check.database {
        Some(name) => backup.database.to_lowercase() == name.to_lowercase(),
        None => true,
    };
    let found = history.backups.iter_mut().rev().find(|backup| {
        let soon = match (backup.finished, check.started) {
            (Some(end), Some(start)) => (-NEAR..=SOON).contains(&seconds_between(end, start)),
            _ => false,
        };
        let unnamed = check.paths.is_empty() || backup.paths.is_empty();
        let files = !unnamed && same_files(&check.paths, &backup.paths);
        let alone = unnamed && check.database.is_some();
        backup.verify.is_none() && soon && same_name(backup) && (files || alone)
    });
    match found {
        Some(backup) => backup.verify = Some(check.length),
        None => history.verifications.push(check),
    }
}
