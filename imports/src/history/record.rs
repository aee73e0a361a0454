//! A row of a history in little space, and rows of one backup put together.

use std::sync::Arc;

use crate::finding::{Backup, BackupKind, DeviceKind, Length};
use crate::judge;
use crate::time_stamp::{DateReader, Stamp, seconds_between, swapped};

/// Most files of one backup that are remembered: the engine takes no more.
const MOST_PATHS: usize = 64;

/// What is said if a record has only one stamp with a zone.
pub(crate) const HALF_ZONED: &str = "of some backups, only the begin or only the end has a zone: \
                                     both are taken as of one clock";

/// A size in bytes and how far off it may be, as a share.
pub(crate) type Size = (u64, f64);

/// What the rows of one backup say.
#[derive(Debug, Clone)]
pub(crate) struct Record {
    /// The same for all rows of one backup.
    pub(crate) key: u64,
    pub(crate) line: u64,
    pub(crate) server: Option<Arc<str>>,
    pub(crate) database: Arc<str>,
    pub(crate) kind: BackupKind,
    pub(crate) start: Option<Stamp>,
    pub(crate) finish: Option<Stamp>,
    pub(crate) duration: Option<Length>,
    pub(crate) size: Option<Size>,
    pub(crate) compressed: Option<Size>,
    pub(crate) ratio: Option<f64>,
    pub(crate) is_compressed: Option<bool>,
    pub(crate) paths: Vec<Arc<str>>,
    pub(crate) files: u32,
    pub(crate) device: Option<DeviceKind>,
    pub(crate) copy_only: Option<bool>,
    pub(crate) snapshot: bool,
}

impl Record {
    /// Adds what another row of the same backup says.
    pub(crate) fn add(&mut self, other: Self) {
        self.files = self.files.max(other.files);
        for path in other.paths {
            if self.paths.len() < MOST_PATHS && !self.paths.contains(&path) {
                self.paths.push(path);
            }
        }
        self.line = self.line.min(other.line);
        self.device = self.device.or(other.device);
        self.compressed = self.compressed.or(other.compressed);
        self.snapshot |= other.snapshot;
    }

    /// Its duration. Stamps of which day and month may be exchanged give one all the same, if it
    /// is the same both ways.
    fn length(&self, dates: &DateReader) -> Option<Length> {
        let stamps = || {
            let (from, to) = (self.start?, self.finish?);
            let as_read = seconds_between(from.at, to.at);
            let other = |stamp: Stamp| if stamp.ambiguous { swapped(stamp.at) } else { stamp.at };
            let exchanged = seconds_between(other(from), other(to));
            let seconds = if !(from.ambiguous || to.ambiguous) || dates.settle(from.at).is_none() {
                let same = (as_read - exchanged).abs() < 1e-6;
                (same || !(from.ambiguous || to.ambiguous)).then_some(as_read)?
            } else {
                let settled = |stamp: Stamp| settled(stamp, dates);
                seconds_between(settled(from)?, settled(to)?)
            };
            let seconds = seconds + from.zones_to(to);
            let rounding_seconds = from.step.max(to.step);
            (seconds >= 0.0).then_some(Length { seconds, rounding_seconds })
        };
        match (stamps(), self.duration) {
            (Some(stamps), Some(told)) if told.rounding_seconds < stamps.rounding_seconds => {
                Some(told)
            }
            (stamps, told) => stamps.or(told),
        }
    }

    /// Whether only one of begin and end has a zone.
    pub(crate) fn is_half_zoned(&self) -> bool {
        matches!((self.start, self.finish), (Some(from), Some(to)) if from.is_zoned_unlike(to))
    }

    /// Whether begin and end say something else than the duration.
    pub(crate) fn contradicts(&self, dates: &DateReader) -> bool {
        let alone = Self { duration: None, ..self.clone() };
        match (alone.length(dates), self.duration) {
            (Some(stamps), Some(told)) => {
                let allowed = stamps.rounding_seconds + told.rounding_seconds + 1.0;
                (stamps.seconds - told.seconds).abs() > allowed
            }
            _ => false,
        }
    }

    /// The backup that it describes.
    pub(crate) fn backup(self, dates: &DateReader) -> Backup {
        let length = self.length(dates);
        let (written_bytes, compression) = self.written();
        let place = format!("line {}", self.line);
        let mut backup = judge::blank(self.database, self.kind, place);
        backup.server = self.server;
        backup.started = self.start.and_then(|stamp| settled(stamp, dates));
        backup.finished = self.finish.and_then(|stamp| settled(stamp, dates));
        backup.length = length;
        (backup.read_bytes, backup.read_bytes_rounding) =
            self.size.map_or((None, 0.0), |(bytes, rounding)| (Some(bytes), rounding));
        backup.written_bytes = written_bytes;
        backup.compression = compression;
        let files = self.files.max(u32::try_from(self.paths.len()).unwrap_or(0));
        backup.stripes = (files > 0).then_some(files);
        backup.device = self.device.or_else(|| device_of_path(self.paths.first()?));
        backup.paths = self.paths;
        backup.copy_only = self.copy_only;
        backup
    }

    /// Bytes of the files, and whether they were compressed.
    fn written(&self) -> (Option<u64>, Option<bool>) {
        let Some((size, rounding)) = self.size else {
            return (self.compressed.map(|(bytes, _)| bytes), self.is_compressed);
        };
        match (self.compressed, self.ratio) {
            (Some((written, other)), _) => {
                let off = size.abs_diff(written) as f64 / size.max(1) as f64;
                let compression = off > rounding + other + 1e-12;
                let by_size = (!judge::odd_written(size, written)).then_some(compression);
                (Some(written), self.is_compressed.or(by_size))
            }
            (None, Some(ratio)) if ratio > 1.0 => (Some((size as f64 / ratio) as u64), Some(true)),
            (None, Some(_)) => (Some(size), Some(false)),
            (None, None) => (None, self.is_compressed),
        }
    }
}

/// A stamp with day and month in their order; `None` if that is not known.
fn settled(stamp: Stamp, dates: &DateReader) -> Option<jiff::civil::DateTime> {
    if stamp.ambiguous { dates.settle(stamp.at) } else { Some(stamp.at) }
}

/// What a path alone tells of the device.
pub(crate) fn device_of_path(path: &str) -> Option<DeviceKind> {
    let lower = path.to_ascii_lowercase();
    if lower == "nul" || lower == "nul:" {
        Some(DeviceKind::Null)
    } else if lower.starts_with("http://")
        || lower.starts_with("https://")
        || lower.starts_with("s3://")
    {
        Some(DeviceKind::Url)
    } else if lower.starts_with('{') || lower.len() == 36 && is_guid(&lower) {
        Some(DeviceKind::Virtual)
    } else if lower.starts_with("\\\\.\\tape") {
        Some(DeviceKind::Tape)
    } else if lower.contains(['\\', '/']) {
        Some(DeviceKind::Disk)
    } else {
        None
    }
}

fn is_guid(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
        && text.matches('-').count() == 4
}

/// The kind of a backup by a letter, a number or words.
pub(crate) fn kind_of(text: &str) -> BackupKind {
    match text {
        "D" | "d" | "1" => return BackupKind::Full,
        "I" | "i" | "5" => return BackupKind::Differential,
        "L" | "l" | "2" => return BackupKind::Log,
        "F" | "f" | "G" | "g" | "P" | "p" | "Q" | "q" | "3" | "4" | "6" | "7" | "8" => {
            return BackupKind::Partial;
        }
        _ => {}
    }
    let lower = text.to_ascii_lowercase();
    if lower.contains("file") || lower.contains("partial") {
        BackupKind::Partial
    } else if lower.contains("diff") || lower.contains("incremental") {
        BackupKind::Differential
    } else if lower.contains("log") {
        BackupKind::Log
    } else if lower.contains("full") || lower.contains("database") {
        BackupKind::Full
    } else {
        BackupKind::Unknown
    }
}

/// The device by its number or in words.
pub(crate) fn device_of(text: &str) -> Option<DeviceKind> {
    match text {
        "2" | "102" => return Some(DeviceKind::Disk),
        "5" | "105" => return Some(DeviceKind::Tape),
        "7" | "107" => return Some(DeviceKind::Virtual),
        "9" | "109" => return Some(DeviceKind::Url),
        _ => {}
    }
    let lower = text.to_ascii_lowercase();
    if lower.contains("virtual") {
        Some(DeviceKind::Virtual)
    } else if lower.contains("tape") {
        Some(DeviceKind::Tape)
    } else if lower.contains("url") || lower.contains("azure") {
        Some(DeviceKind::Url)
    } else if lower.contains("disk") {
        Some(DeviceKind::Disk)
    } else {
        None
    }
}
