//! Error logs and what a client was told: completion messages in any language, the devices of a
//! backup, the text of a job, and the traces of flags 3213, 3014 and 3004.
//!
//! `N pages in S seconds (R MB/s)` is told by its numbers: pages of 8 KiB over the seconds give
//! the rate, in MiB. Seconds are those of the transfer and have milliseconds, so that short
//! backups can be used. Pages are those that were read, whatever was written.

mod line;
mod trace;

use std::io::BufRead;
use std::sync::Arc;

use jiff::civil::DateTime;

use crate::command::{CommandSettings, settings_of};
use crate::error::ImportError;
use crate::finding::{
    Backup, BackupKind, BufferTrace, CautionCode, DeviceKind, Import, Length, Verification, counted,
};
use crate::history::{malformed, record::device_of_path};
use crate::judge;
use crate::recognise::ImportOptions;
use crate::source::{Source, next_line};
use crate::table::number::read_duration;
use crate::time_stamp::{DateReader, Stamp, earlier, seconds_between};
use line::{
    Completion, Devices, PAGE, RateUnit, completions, devices, pages_of_file, without_marks,
};

/// Most backups that are kept.
const MOST_BACKUPS: usize = 100_000;
/// Files of a backup whose pages are remembered.
const MOST_FILES: usize = 1_000;
/// Errors that mean that a backup failed.
const ERRORS: [&str; 8] = ["3041", "3013", "3201", "3202", "3271", "18204", "18210", "3257"];
/// Seconds between the message about the devices and the one about the pages.
const TOGETHER: f64 = 2.0;

/// Whether the beginning of a file looks like messages.
pub(crate) fn looks(head: &str) -> bool {
    let mut stamped = 0;
    head.lines().any(|text| {
        let mut dates = DateReader::default();
        let (stamp, rest) = stamp_of(text, &mut dates);
        // An error log whose backups come later.
        let source = rest.split_whitespace().next().unwrap_or_default();
        let known = source.starts_with("spid") || matches!(source, "Server" | "Backup" | "Logon");
        stamped += usize::from(stamp.is_some() && known);
        stamped >= 3
            || !completions(text).is_empty()
            || devices(text).is_some()
            || trace::begins(text)
            || without_marks(text).starts_with("Command: BACKUP ")
            || text.contains("Number of data file readers =")
    })
}

/// Reads messages.
///
/// # Errors
/// [`ImportError`], if the file cannot be read.
pub(crate) fn read(
    source: Source<'_>,
    options: &ImportOptions,
    import: &mut Import,
) -> Result<(), ImportError> {
    let mut messages = Messages::new(DateReader::new(options.date_order));
    let mut reader = source.into_reader();
    messages
        .read_all(&mut reader, import)
        .map_err(|source| ImportError::Unreadable { file: import.file.clone(), source })?;
    if messages.number == 0 {
        return Err(malformed(import, "there are no lines in it".to_string()));
    }
    messages.finish(import);
    Ok(())
}

/// A backup as its messages tell it.
struct Found {
    backup: Backup,
    stamp: Option<Stamp>,
}

/// What was said and not used so far.
struct Messages {
    dates: DateReader,
    number: u64,
    pages: Vec<(Arc<str>, u64)>,
    devices: Option<(Devices, Option<Stamp>)>,
    command: Option<(CommandSettings, Option<Stamp>)>,
    beyond: Option<&'static str>,
    date: Option<Stamp>,
    completed: bool,
    failed: bool,
    trace: Option<BufferTrace>,
    found: Vec<Found>,
    unmatched: usize,
}

impl Messages {
    fn new(dates: DateReader) -> Self {
        Self {
            dates,
            number: 0,
            pages: Vec::new(),
            devices: None,
            command: None,
            beyond: None,
            date: None,
            completed: false,
            failed: false,
            trace: None,
            found: Vec::new(),
            unmatched: 0,
        }
    }

    fn read_all(&mut self, reader: &mut impl BufRead, import: &mut Import) -> std::io::Result<()> {
        let mut text = String::new();
        while next_line(reader, &mut text)? {
            self.number += 1;
            // A job's history puts its messages into one line.
            for part in text.split("[SQLSTATE") {
                let (stamp, _) = stamp_of(part, &mut self.dates);
                self.line(part, stamp, import);
            }
        }
        Ok(())
    }

    fn line(&mut self, text: &str, stamp: Option<Stamp>, import: &mut Import) {
        let text = without_marks(text);
        if text.is_empty() || self.job_line(text, import) {
            return;
        }
        if let Some(devices) = devices(text) {
            let waiting = self.unmatched > 0;
            if !(waiting && self.name_last(&devices, stamp)) {
                self.devices = Some((devices, stamp));
            }
            return;
        }
        if let Some((pages, database)) = pages_of_file(text) {
            if self.pages.len() < MOST_FILES {
                self.pages.push((Arc::from(database), pages));
            }
            return;
        }
        let completions = completions(text);
        for completion in &completions {
            self.complete(*completion, stamp, import);
        }
        if !completions.is_empty() {
            return;
        }
        if trace::begins(text) {
            self.end_trace(import);
        }
        let place = format!("line {}", self.number);
        if trace::take(text, &mut self.trace, &place) {
            return;
        }
        if is_error(text) {
            self.failed = true;
            import.ignore("errors of backups");
            import.caution(CautionCode::Errors, "there are errors of backups in it");
        } else if text.contains("backup set on file") || text.contains("(Message 3262)") {
            if self.command.is_none() {
                import.ignore("verifications, whose message has no time");
            }
        } else if let Some(at) = completion_time(text, &mut self.dates)
            && let [.., last] = &mut self.found[..]
            && last.stamp.is_none()
            && last.backup.finished.is_none()
        {
            last.backup.finished = Some(at);
        }
    }

    /// Lines of Ola Hallengren's jobs.
    fn job_line(&mut self, text: &str, import: &mut Import) -> bool {
        if let Some(date) = text.strip_prefix("Date and time: ") {
            self.date = self.dates.read(date);
        } else if let Some(command) = text.strip_prefix("Command: ") {
            self.command = Some((settings_of(command), self.date.take()));
            self.beyond = judge::beyond_model(command);
            (self.completed, self.failed) = (false, false);
        } else if let Some(outcome) = text.strip_prefix("Outcome: ") {
            self.failed |= !outcome.starts_with("Succeeded");
        } else if let Some(duration) = text.strip_prefix("Duration: ") {
            let Some((settings, began)) = self.command.take() else { return true };
            if let Some(length) = read_duration(duration, 1.0, false) {
                self.end_command(&settings, began, length, import);
            }
        } else {
            return false;
        }
        true
    }

    fn end_command(
        &mut self,
        settings: &CommandSettings,
        began: Option<Stamp>,
        length: Length,
        import: &mut Import,
    ) {
        let started = began.and_then(|stamp| (!stamp.ambiguous).then_some(stamp.at));
        if self.failed {
            import.ignore("commands that failed");
        } else if settings.verify {
            let last = self.found.iter_mut().rev().find(|found| {
                found.backup.paths.iter().map(|path| &**path).eq(settings.paths.iter())
            });
            match last {
                Some(found) if found.backup.verify.is_none() => found.backup.verify = Some(length),
                _ => import.verifications.push(Verification {
                    database: settings.database.as_deref().map(Arc::from),
                    started,
                    finished: None,
                    length,
                    paths: settings.paths.iter().map(|path| Arc::from(path.as_str())).collect(),
                    place: format!("line {}", self.number),
                }),
            }
        } else if !self.completed && matches!(settings.kind, Some(kind) if kind != BackupKind::Log)
        {
            let kind = settings.kind.unwrap_or(BackupKind::Unknown);
            let name = settings.database.as_deref().unwrap_or_default();
            let place = format!("line {}", self.number);
            let mut backup = judge::blank(Arc::from(name), kind, place);
            backup.length = Some(length);
            backup.started = started;
            apply(settings, &mut backup);
            backup.unusable = self.beyond.map(str::to_string);
            self.keep(Found { backup, stamp: None }, import);
        }
    }

    fn complete(&mut self, completion: Completion, stamp: Option<Stamp>, import: &mut Import) {
        let pages = std::mem::take(&mut self.pages);
        let said = self.devices.take();
        self.completed = true;
        let Some(kind) = completion.kind.filter(|kind| *kind != BackupKind::Log) else {
            import.ignore(if completion.kind.is_some() { "log backups" } else { "restores" });
            return;
        };
        let near = |other: &Option<Stamp>| match (stamp, other) {
            (Some(a), Some(b)) => seconds_between(b.at, a.at).abs() <= TOGETHER,
            _ => true,
        };
        let said = said.filter(|(_, stamp)| near(stamp)).map(|(devices, _)| devices);
        let command = self.command.as_ref().filter(|(settings, _)| settings.kind.is_some());
        let names = [
            of_pages(&pages, completion.pages),
            command.and_then(|(settings, _)| settings.database.as_deref().map(Arc::from)),
            said.as_ref().map(|said| Arc::from(said.database.as_str())),
            pages.last().map(|(database, _)| database.clone()),
        ];
        let name = names.into_iter().flatten().next();
        self.unmatched = usize::from(name.is_none());
        let database = name.unwrap_or_else(|| Arc::from(""));
        let place = format!("line {}", self.number);
        let mut backup = judge::blank(database, kind, place.clone());
        let length = Length { seconds: completion.seconds, rounding_seconds: completion.rounding };
        backup.length = Some(length);
        backup.read_bytes = completion.pages.checked_mul(PAGE);
        backup.printed_bytes_per_second = Some(completion.rate);
        if let Some((settings, began)) = command {
            apply(settings, &mut backup);
            backup.unusable = self.beyond.map(str::to_string);
            backup.started = began.and_then(|stamp| (!stamp.ambiguous).then_some(stamp.at));
        }
        warn_of_unit(completion.unit, import);
        said.iter().for_each(|said| apply_devices(said, &mut backup));
        let found = format!("{} pages in {} s", completion.pages, completion.seconds);
        import.field(place, found, "pages of 8 KiB read, seconds of the transfer");
        if let Some(trace) = &mut self.trace {
            trace.database.get_or_insert_with(|| backup.database.clone());
        }
        self.end_trace(import);
        self.keep(Found { backup, stamp }, import);
    }

    fn keep(&mut self, found: Found, import: &mut Import) {
        if self.found.len() >= MOST_BACKUPS {
            self.found.drain(..MOST_BACKUPS / 2);
            let text = format!("only the latest of more than {MOST_BACKUPS} backups are kept");
            import.caution(CautionCode::Truncated, text);
        }
        self.found.push(found);
    }

    /// A table that goes back in time has the devices after the pages.
    fn name_last(&mut self, devices: &Devices, stamp: Option<Stamp>) -> bool {
        let Some(last) = self.found.last_mut() else { return false };
        let near = match (last.stamp, stamp) {
            (Some(a), Some(b)) => seconds_between(b.at, a.at).abs() <= TOGETHER,
            _ => false,
        };
        if near {
            last.backup.database = Arc::from(devices.database.as_str());
            apply_devices(devices, &mut last.backup);
            self.unmatched = 0;
        }
        near
    }

    fn end_trace(&mut self, import: &mut Import) {
        if let Some(trace) = self.trace.take()
            && trace::says_anything(&trace)
            && import.buffers.len() < MOST_BACKUPS
        {
            import.field(trace.place.clone(), "buffer configuration", "buffers of the server");
            import.buffers.push(trace);
        }
    }

    fn finish(mut self, import: &mut Import) {
        self.end_trace(import);
        let dates = self.dates;
        let mut nameless = 0_u64;
        for Found { mut backup, stamp } in self.found {
            let at = stamp.and_then(|stamp| {
                if stamp.ambiguous { dates.settle(stamp.at) } else { Some(stamp.at) }
            });
            backup.finished = backup.finished.or(at);
            let seconds = backup.length.map(|length| length.seconds);
            if let (Some(end), Some(seconds)) = (backup.finished, seconds) {
                backup.started = backup.started.or_else(|| earlier(end, seconds));
            }
            nameless += u64::from(backup.database.is_empty());
            judge::add(import, backup, false);
        }
        import.shape = counted(self.number, "lines");
        if nameless > 0 {
            let text = counted(nameless, "backups of databases that no line names");
            import.caution(CautionCode::Ambiguous, text);
        }
        if dates.is_open() {
            let text = "dates such as 3/4/2026 can be read in two ways and are not used: give \
                        `--date-format dmy` or `--date-format mdy`";
            import.caution(CautionCode::Ambiguous, text);
        }
        if import.backups.is_empty() && import.buffers.is_empty() {
            let text = "no backup is reported in it: trace flag 3226 keeps them out of the log";
            import.caution(CautionCode::Errors, text);
        }
    }
}

/// The database of the files whose pages add up.
fn of_pages(pages: &[(Arc<str>, u64)], total: u64) -> Option<Arc<str>> {
    let (last, _) = pages.last()?;
    let sum = pages.iter().rev().take_while(|(database, _)| database == last);
    let sum = sum.fold(0_u64, |sum, (_, pages)| sum.saturating_add(*pages));
    (sum == total).then(|| last.clone())
}

fn warn_of_unit(unit: RateUnit, import: &mut Import) {
    match unit {
        RateUnit::Mebibyte => {}
        RateUnit::Megabyte => import.caution(
            CautionCode::Unit,
            "rates are in MB of a million bytes, as old servers print them: pages are used",
        ),
        RateUnit::Wrong => import.caution(
            CautionCode::Inconsistent,
            "pages over seconds are not the rate that is printed: pages and seconds are used",
        ),
    }
}

fn apply(settings: &CommandSettings, backup: &mut Backup) {
    backup.paths = settings.paths.iter().map(|path| Arc::from(path.as_str())).collect();
    backup.stripes = u32::try_from(backup.paths.len()).ok().filter(|count| *count > 0);
    backup.compression = settings.compression;
    backup.buffer_count = settings.buffer_count;
    backup.transfer_bytes = settings.transfer_bytes;
    backup.block_bytes = settings.block_bytes;
    backup.options_known = settings.understood;
    backup.device = settings.device;
    backup.copy_only = settings.understood.then_some(settings.copy_only);
}

fn apply_devices(said: &Devices, backup: &mut Backup) {
    if backup.paths.is_empty() {
        backup.paths = said.paths.iter().map(|path| Arc::from(path.as_str())).collect();
    }
    let count = u32::try_from(said.paths.len()).ok().filter(|count| *count > 0);
    backup.stripes = said.count.or(count).or(backup.stripes);
    let kind = match said.kind.as_str() {
        "VIRTUAL_DEVICE" => Some(DeviceKind::Virtual),
        "TAPE" => Some(DeviceKind::Tape),
        "URL" => Some(DeviceKind::Url),
        "DISK" => Some(DeviceKind::Disk),
        _ => None,
    };
    let by_path = said.paths.first().and_then(|path| device_of_path(path));
    backup.device = by_path.filter(|kind| *kind == DeviceKind::Null).or(kind).or(backup.device);
}

/// Whether a line reports one of the errors that end a backup: its number comes first.
fn is_error(text: &str) -> bool {
    let mut numbers = text
        .split(|c: char| !c.is_ascii_digit())
        .filter(|number| number.len() == 4 || number.len() == 5);
    let first_words = text.get(..text.len().min(60)).unwrap_or_default();
    numbers.any(|number| ERRORS.contains(&number) && first_words.contains(number))
        && (text.contains(", ") && text.contains("16"))
}

/// The time of `Completion time: 2026-04-05T20:40:57.5694501-03:00`.
fn completion_time(text: &str, dates: &mut DateReader) -> Option<DateTime> {
    let last = text.rsplit(' ').next().filter(|last| last.len() > 25 && last.contains('T'))?;
    dates.read(last).filter(|stamp| stamp.step < 1e-5).map(|stamp| stamp.at)
}

/// The stamp at the beginning of a line or in a column near it, and what follows.
fn stamp_of<'a>(line: &'a str, dates: &mut DateReader) -> (Option<Stamp>, &'a str) {
    let mut at = 0;
    for _ in 0..6 {
        let rest = &line[at..];
        let word_at = at + (rest.len() - rest.trim_start().len());
        let word_end = word_at + line[word_at..].find(' ').unwrap_or(line.len() - word_at);
        let word = &line[word_at..word_end];
        let dated = word.len() >= 8
            && word.starts_with(|c: char| c.is_ascii_digit())
            && word.contains(['-', '/', '.']);
        if dated {
            let words = line[word_at..].split(' ');
            let ends = words.scan(word_at, |end, word| {
                *end += word.len() + 1;
                Some(*end - 1)
            });
            let ends: Vec<usize> = ends.take(4).collect();
            let stamp = ends.iter().rev().find_map(|end| {
                let text = line.get(word_at..*end)?;
                let stamp = text.contains(':').then(|| dates.read(text)).flatten()?;
                Some((stamp, *end))
            });
            if let Some((stamp, end)) = stamp {
                return (Some(stamp), &line[end..]);
            }
        }
        if word_end >= line.len() {
            break;
        }
        at = word_end;
    }
    (None, line)
}
