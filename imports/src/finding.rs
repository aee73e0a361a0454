//! What a file gave: the one shape that every importer fills.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::civil::DateTime;

use crate::format::Format;
use crate::source::TextEncoding;

/// What a file gave, and the account of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Import {
    /// The file as it was named.
    pub file: String,
    /// What it was recognised as.
    pub format: Format,
    /// Version of the program that wrote it, as it stands there: `fio-3.33`.
    pub version: Option<String>,
    /// How it was encoded.
    pub encoding: TextEncoding,
    /// What it looks like in a few words: `7 rows, ';', decimal comma`.
    pub shape: String,
    /// Rates of devices.
    pub rates: Vec<Rate>,
    /// Backups.
    pub backups: Vec<Backup>,
    /// Verifications.
    pub verifications: Vec<Verification>,
    /// Buffer settings that the server printed.
    pub buffers: Vec<BufferTrace>,
    /// Loads of devices while something ran.
    pub loads: Vec<Load>,
    /// What was left out, and why.
    pub ignored: Vec<Ignored>,
    /// What to beware of.
    pub cautions: Vec<Caution>,
    /// Where each number came from, for `--explain`; at most [`Import::MOST_FIELDS`].
    pub fields: Vec<Field>,
    /// Why the figures must not be used, although they could be read: an error that the program
    /// itself reports.
    pub refused: Option<String>,
}

impl Import {
    /// Fields that are explained.
    pub const MOST_FIELDS: usize = 200;

    /// An import in which nothing was found so far.
    #[must_use]
    pub fn new(file: &str, format: Format, encoding: TextEncoding) -> Self {
        Self {
            file: file.to_string(),
            format,
            version: None,
            encoding,
            shape: String::new(),
            rates: Vec::new(),
            backups: Vec::new(),
            verifications: Vec::new(),
            buffers: Vec::new(),
            loads: Vec::new(),
            ignored: Vec::new(),
            cautions: Vec::new(),
            fields: Vec::new(),
            refused: None,
        }
    }

    /// Counts one more thing that was left out for a reason.
    pub fn ignore(&mut self, reason: &str) {
        match self.ignored.iter_mut().find(|ignored| ignored.reason == reason) {
            Some(ignored) => ignored.count += 1,
            None => self.ignored.push(Ignored { count: 1, reason: reason.to_string() }),
        }
    }

    /// Warns, once for each text.
    pub fn caution(&mut self, code: CautionCode, text: impl Into<String>) {
        let caution = Caution { code, text: text.into() };
        if !self.cautions.contains(&caution) {
            self.cautions.push(caution);
        }
    }

    /// Notes where a number came from, while there is room.
    pub fn field(&mut self, place: impl Into<String>, found: impl Into<String>, meaning: &str) {
        if self.fields.len() < Self::MOST_FIELDS {
            let (place, found, meaning) = (place.into(), found.into(), meaning.to_string());
            self.fields.push(Field { place, found, meaning });
        }
    }
}

/// Things that are counted, in the plural.
const PLURALS: [&str; 14] = [
    "backups",
    "commands",
    "errors",
    "lines",
    "means",
    "objects",
    "restores",
    "rows",
    "runs",
    "samples",
    "snapshots",
    "statements",
    "tests",
    "verifications",
];
/// What else changes where there is only one.
const SINGULARS: [(&str, &str); 4] = [
    (" that end before they begin", " that ends before it begins"),
    (", which copy ", ", which copies "),
    (" without their ", " without its "),
    (" have ", " has "),
];

/// `2 log backups`, and `1 log backup` for one: `many` says it in the plural.
pub(crate) fn counted(count: u64, many: &str) -> String {
    let mut text = many.to_string();
    if count == 1 {
        let is_plural = |word: &&str| PLURALS.contains(&word.trim_end_matches(','));
        if let Some(word) = many.split(' ').find(is_plural) {
            let noun = word.trim_end_matches(',');
            text = text.replacen(noun, &noun[..noun.len() - 1], 1);
            for (several, one) in SINGULARS {
                text = text.replacen(several, one, 1);
            }
        }
    }
    format!("{count} {text}")
}

/// Names of databases and servers, each once and whatever its case: the first spelling counts.
#[derive(Debug, Default)]
pub(crate) struct Names(BTreeMap<String, Arc<str>>);

impl Names {
    /// The name as it was spelled first.
    pub(crate) fn intern(&mut self, name: &str) -> Arc<str> {
        self.0.entry(name.to_lowercase()).or_insert_with(|| Arc::from(name)).clone()
    }
}

/// Where data went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Direction {
    /// From the device.
    Read,
    /// To the device.
    Write,
}

/// In which order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pattern {
    /// One after the other, as a backup does.
    Sequential,
    /// Anywhere: tells nothing about a backup.
    Random,
    /// Not said.
    Unknown,
}

/// The rate of one kind of access that a benchmark measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Rate {
    /// What it goes by in the file: a job, a test.
    pub label: String,
    /// File, volume or device that was measured.
    pub target: Option<String>,
    /// Direction.
    pub direction: Direction,
    /// Order.
    pub pattern: Pattern,
    /// Bytes a second.
    pub bytes_per_second: f64,
    /// Bytes of an access.
    pub block_bytes: Option<u64>,
    /// Accesses that were under way at once, of one job.
    pub depth: Option<u32>,
    /// Jobs or threads at once.
    pub jobs: u32,
    /// How long it was measured, in seconds.
    pub seconds: Option<f64>,
    /// Whether caches were passed by; `None` if it is not said.
    pub direct: Option<bool>,
    /// Bytes of the file that was used.
    pub file_bytes: Option<u64>,
    /// Mean time of an access in seconds.
    pub latency_seconds: Option<f64>,
    /// Whether reads and writes ran at the same time.
    pub mixed: bool,
}

/// A length of time, and how far off it may be by the clock: half a step of the last digit, or a
/// whole one where start and end were both cut.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Length {
    /// Seconds.
    pub seconds: f64,
    /// Seconds that it may be off, either way.
    pub rounding_seconds: f64,
}

/// What kind of backup it was, by the letters of the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum BackupKind {
    /// Of a whole database, `D`.
    Full,
    /// Differential, `I`.
    Differential,
    /// Of the log, `L`.
    Log,
    /// Of files or parts, full or differential: `F`, `G`, `P`, `Q`.
    Partial,
    /// Not said.
    Unknown,
}

/// Where a backup went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DeviceKind {
    /// Disk or share, 2 and 102.
    Disk,
    /// Tape, 5 and 105.
    Tape,
    /// Virtual device of another product, 7.
    Virtual,
    /// URL, 9.
    Url,
    /// `NUL`.
    Null,
}

/// A backup that was made.
#[derive(Debug, Clone, PartialEq)]
pub struct Backup {
    /// Server, if it is said.
    pub server: Option<Arc<str>>,
    /// Database.
    pub database: Arc<str>,
    /// Kind.
    pub kind: BackupKind,
    /// Begin by the server's clock.
    pub started: Option<DateTime>,
    /// End by the server's clock.
    pub finished: Option<DateTime>,
    /// Duration.
    pub length: Option<Length>,
    /// Bytes that were read from the database.
    pub read_bytes: Option<u64>,
    /// How far off [`Self::read_bytes`] may be, as a share: sizes such as `6,17 GB` are rounded.
    pub read_bytes_rounding: f64,
    /// Bytes of the backup files.
    pub written_bytes: Option<u64>,
    /// Rate that was printed, in bytes of the database a second.
    pub printed_bytes_per_second: Option<f64>,
    /// Files.
    pub stripes: Option<u32>,
    /// Their paths, where they are said.
    pub paths: Vec<Arc<str>>,
    /// Whether it was compressed.
    pub compression: Option<bool>,
    /// BUFFERCOUNT that was asked for.
    pub buffer_count: Option<u32>,
    /// MAXTRANSFERSIZE that was asked for, in bytes.
    pub transfer_bytes: Option<u64>,
    /// BLOCKSIZE that was asked for, in bytes.
    pub block_bytes: Option<u64>,
    /// Whether all options are known: what is then absent was left to the engine.
    pub options_known: bool,
    /// Where it went.
    pub device: Option<DeviceKind>,
    /// Whether it was copy-only.
    pub copy_only: Option<bool>,
    /// Where it stands: `line 7`.
    pub place: String,
    /// Duration of the verification that belongs to it.
    pub verify: Option<Length>,
    /// Why it must not be used for calibration; it still counts for growth.
    pub unusable: Option<String>,
}

/// A verification that was made, before it is joined with its backup.
#[derive(Debug, Clone, PartialEq)]
pub struct Verification {
    /// Database, if it is said.
    pub database: Option<Arc<str>>,
    /// Begin.
    pub started: Option<DateTime>,
    /// End.
    pub finished: Option<DateTime>,
    /// Duration.
    pub length: Length,
    /// Files.
    pub paths: Vec<Arc<str>>,
    /// Where it stands.
    pub place: String,
}

/// The buffers that trace flag 3213 prints.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BufferTrace {
    /// Database, if a line says which.
    pub database: Option<Arc<str>>,
    /// BUFFERCOUNT.
    pub buffer_count: Option<u32>,
    /// Sets of buffers: 1, with compression 3.
    pub sets: Option<u32>,
    /// MAXTRANSFERSIZE in bytes.
    pub transfer_bytes: Option<u64>,
    /// Memory of all sets in bytes.
    pub total_bytes: Option<u64>,
    /// Readers: volumes with data files.
    pub readers: Option<u32>,
    /// Whether it was compressed.
    pub compression: Option<bool>,
    /// Memory limit in bytes within which the engine chose.
    pub limit_bytes: Option<u64>,
    /// Where it stands.
    pub place: String,
}

/// What a device did over a stretch of time, by its counters.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Load {
    /// Device or instance.
    pub device: String,
    /// Samples.
    pub samples: u64,
    /// Seconds that they cover.
    pub seconds: Option<f64>,
    /// Mean rate of reads, bytes a second.
    pub read_mean: Option<f64>,
    /// Largest rate of reads, bytes a second.
    pub read_peak: Option<f64>,
    /// Rate of reads that nine tenths of the samples do not exceed, bytes a second.
    pub read_p90: Option<f64>,
    /// Mean rate of writes, bytes a second.
    pub write_mean: Option<f64>,
    /// Largest rate of writes, bytes a second.
    pub write_peak: Option<f64>,
    /// Rate of writes that nine tenths of the samples do not exceed, bytes a second.
    pub write_p90: Option<f64>,
    /// Mean share of the time in which it was busy, 0 to 1.
    pub busy_mean: Option<f64>,
    /// Rate of reads while it was busy for at least nine tenths of the time: what it can do.
    pub read_saturated: Option<f64>,
    /// Rate of writes while it was busy for at least nine tenths of the time.
    pub write_saturated: Option<f64>,
    /// Mean size of a read in bytes.
    pub read_block_bytes: Option<f64>,
    /// Mean size of a write in bytes.
    pub write_block_bytes: Option<f64>,
    /// Mean use of all processors, 0 to 1, where the file has it.
    pub processor_mean: Option<f64>,
}

/// What was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ignored {
    /// How many.
    pub count: u64,
    /// What, and why: `log backups`.
    pub reason: String,
}

/// What a caution is about, for scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CautionCode {
    /// A cache answered, or may have.
    Cached,
    /// Measured for too short a time.
    TooShort,
    /// Random where sequential is needed.
    Random,
    /// Reads and writes at the same time.
    Mixed,
    /// A snapshot, which copies nothing.
    Snapshot,
    /// Figures in the file contradict each other.
    Inconsistent,
    /// The program reports errors.
    Errors,
    /// A date or a number that can be read in two ways.
    Ambiguous,
    /// Part of the file could not be read.
    Damaged,
    /// More than is kept.
    Truncated,
    /// Sizes are rounded so much that it shows.
    Rounded,
    /// A unit is not what the file calls it.
    Unit,
    /// A rate that an option held down.
    Limited,
}

impl CautionCode {
    /// What it is called in JSON.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Cached => "cached",
            Self::TooShort => "too-short",
            Self::Random => "random",
            Self::Mixed => "mixed",
            Self::Snapshot => "snapshot",
            Self::Inconsistent => "inconsistent",
            Self::Errors => "errors",
            Self::Ambiguous => "ambiguous",
            Self::Damaged => "damaged",
            Self::Truncated => "truncated",
            Self::Rounded => "rounded",
            Self::Unit => "unit",
            Self::Limited => "limited",
        }
    }
}

/// Something to beware of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caution {
    /// What it is about.
    pub code: CautionCode,
    /// The sentence.
    pub text: String,
}

/// Where a number came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Place in the file: a path in a document, a line and a column.
    pub place: String,
    /// What stands there.
    pub found: String,
    /// What was made of it.
    pub meaning: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_a_kind_is_in_the_singular() {
        for (many, one) in [
            ("log backups", "1 log backup"),
            ("rows without a database", "1 row without a database"),
            ("commands that failed", "1 command that failed"),
            ("full backups", "1 full backup"),
            ("snapshots, which copy nothing", "1 snapshot, which copies nothing"),
            ("random (a backup is sequential)", "1 random (a backup is sequential)"),
        ] {
            assert_eq!(counted(1, many), one);
            assert_eq!(counted(2, many), format!("2 {many}"));
        }
    }
}
