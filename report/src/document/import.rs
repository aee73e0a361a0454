//! What `import` found in files.

use bakcast_imports::{
    Backup, BackupKind, Direction, Growth, Import, Length, Load, NoGrowth, Pattern, Rate,
};
use serde::Serialize;

/// What files gave.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct ImportResult {
    /// One entry a file.
    pub files: Vec<ImportedFile>,
    /// Backups of all files, each once, the oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub backups: Vec<ImportedBackup>,
    /// What was put together from several files, and what the runs do not say.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What was assumed for the tables of a scenario.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assumed: Vec<String>,
    /// How databases grow.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub growth: Vec<GrowthResult>,
    /// The table of runs that `calibrate` takes, as CSV.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runs_csv: Option<String>,
    /// Tables of a scenario: a device, or a whole scenario to start with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub toml: Option<String>,
    /// What to do next.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<String>,
}

/// What one file gave.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ImportedFile {
    /// The file.
    pub file: String,
    /// What it was recognised as.
    pub format: &'static str,
    /// The same for people.
    pub format_name: &'static str,
    /// Version of the program that wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// How it is encoded.
    pub encoding: String,
    /// What it looks like.
    pub shape: String,
    /// All of it in one line.
    pub account: String,
    /// Why none of it may be used, although it could be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// What was used.
    pub used: Vec<String>,
    /// What was left out, and why.
    pub ignored: Vec<String>,
    /// What to beware of.
    pub warnings: Vec<ImportWarning>,
    /// Rates of devices.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rates: Vec<MeasuredRate>,
    /// Buffers that the server printed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub buffers: Vec<BufferResult>,
    /// Loads of devices.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub loads: Vec<LoadResult>,
    /// Where each number came from; only where that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FieldResult>,
}

/// Something to beware of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ImportWarning {
    /// Which warning it is; stays put.
    pub code: &'static str,
    /// The sentence.
    pub text: String,
}

/// Where a number came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FieldResult {
    /// Place in the file.
    pub place: String,
    /// What stands there.
    pub found: String,
    /// What was made of it.
    pub meaning: String,
}

/// A measured rate.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeasuredRate {
    /// The job or test.
    pub label: String,
    /// File, volume or device.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// `read` or `write`.
    pub direction: &'static str,
    /// `sequential`, `random` or `unknown`.
    pub pattern: &'static str,
    /// Bytes a second.
    pub bytes_per_second: f64,
    /// Bytes of an access.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block_bytes: Option<u64>,
    /// Accesses under way of one job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Jobs at once.
    pub jobs: u32,
    /// How long it ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Whether caches were passed by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direct: Option<bool>,
    /// Bytes of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_bytes: Option<u64>,
    /// Mean time of an access.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latency_seconds: Option<f64>,
    /// Whether reads and writes ran at the same time.
    pub mixed: bool,
    /// Whether it tells what a stage of a backup can do.
    pub usable: bool,
}

/// Buffers that the server printed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BufferResult {
    /// Database.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub database: Option<String>,
    /// BUFFERCOUNT.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buffer_count: Option<u32>,
    /// Sets of buffers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sets: Option<u32>,
    /// MAXTRANSFERSIZE.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_transfer_size_bytes: Option<u64>,
    /// Memory of all sets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buffer_memory_bytes: Option<u64>,
    /// Readers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub readers: Option<u32>,
    /// Whether it was compressed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compression: Option<bool>,
}

/// Load of a device.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LoadResult {
    /// Device.
    pub device: String,
    /// Samples.
    pub samples: u64,
    /// Mean rate of reads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_mean_bytes_per_second: Option<f64>,
    /// Largest rate of reads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_peak_bytes_per_second: Option<f64>,
    /// Mean rate of writes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub write_mean_bytes_per_second: Option<f64>,
    /// Largest rate of writes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub write_peak_bytes_per_second: Option<f64>,
    /// Share of the time in which it was busy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub busy_share: Option<f64>,
    /// Share of the processors in use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processor_share: Option<f64>,
}

/// A backup that was made.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ImportedBackup {
    /// Server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// Database.
    pub database: String,
    /// `full`, `differential`, `log`, `partial` or `unknown`.
    pub kind: &'static str,
    /// Begin by the server's clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started: Option<String>,
    /// How long the backup took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backup_seconds: Option<f64>,
    /// How far off that may be by the clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backup_rounding_seconds: Option<f64>,
    /// How long its verification took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verify_seconds: Option<f64>,
    /// Bytes read from the database.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_bytes: Option<u64>,
    /// Bytes of its files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written_bytes: Option<u64>,
    /// Bytes of the database a second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_bytes_per_second: Option<f64>,
    /// Files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stripes: Option<u32>,
    /// Whether it was compressed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compression: Option<bool>,
    /// BUFFERCOUNT that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buffer_count: Option<u32>,
    /// MAXTRANSFERSIZE that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_transfer_size_bytes: Option<u64>,
    /// Why it is not used for calibration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unusable: Option<String>,
    /// Where it stands.
    pub place: String,
}

/// How a database grows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GrowthResult {
    /// Database.
    pub database: String,
    /// Full backups that tell.
    pub points: usize,
    /// Growth a month: 0.03 is 3 % more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per_month: Option<f64>,
    /// Lower end of the 90 % interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per_month_low: Option<f64>,
    /// Upper end of the 90 % interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per_month_high: Option<f64>,
    /// Size at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_bytes: Option<f64>,
    /// Why there is no trend.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
}

impl ImportedFile {
    /// What a file gave, with where its numbers came from or without.
    #[must_use]
    pub fn new(import: &Import, explained: bool) -> Self {
        let account = import.account();
        let fields = import.fields.iter().map(|field| FieldResult {
            place: field.place.clone(),
            found: field.found.clone(),
            meaning: field.meaning.clone(),
        });
        let warnings = import
            .cautions
            .iter()
            .map(|caution| ImportWarning { code: caution.code.id(), text: caution.text.clone() });
        ImportedFile {
            file: import.file.clone(),
            format: import.format.id(),
            format_name: import.format.name(),
            version: import.version.clone(),
            encoding: import.encoding.to_string(),
            shape: import.shape.clone(),
            account: account.line(),
            refused: import.refused.clone(),
            used: account.used,
            ignored: account.ignored,
            warnings: warnings.collect(),
            rates: import.rates.iter().map(MeasuredRate::from).collect(),
            buffers: import.buffers.iter().map(BufferResult::from).collect(),
            loads: import.loads.iter().map(LoadResult::from).collect(),
            fields: if explained { fields.collect() } else { Vec::new() },
        }
    }
}

impl From<&Rate> for MeasuredRate {
    fn from(rate: &Rate) -> Self {
        MeasuredRate {
            label: rate.label.clone(),
            target: rate.target.clone(),
            direction: match rate.direction {
                Direction::Read => "read",
                Direction::Write => "write",
            },
            pattern: match rate.pattern {
                Pattern::Sequential => "sequential",
                Pattern::Random => "random",
                Pattern::Unknown => "unknown",
            },
            bytes_per_second: rate.bytes_per_second,
            block_bytes: rate.block_bytes,
            depth: rate.depth,
            jobs: rate.jobs,
            seconds: rate.seconds,
            direct: rate.direct,
            file_bytes: rate.file_bytes,
            latency_seconds: rate.latency_seconds,
            mixed: rate.mixed,
            usable: rate.is_usable(),
        }
    }
}

impl From<&bakcast_imports::BufferTrace> for BufferResult {
    fn from(trace: &bakcast_imports::BufferTrace) -> Self {
        BufferResult {
            database: trace.database.as_deref().map(str::to_string),
            buffer_count: trace.buffer_count,
            sets: trace.sets,
            max_transfer_size_bytes: trace.transfer_bytes,
            buffer_memory_bytes: trace.total_bytes,
            readers: trace.readers,
            compression: trace.compression,
        }
    }
}

impl From<&Load> for LoadResult {
    fn from(load: &Load) -> Self {
        LoadResult {
            device: load.device.clone(),
            samples: load.samples,
            read_mean_bytes_per_second: load.read_mean,
            read_peak_bytes_per_second: load.read_peak,
            write_mean_bytes_per_second: load.write_mean,
            write_peak_bytes_per_second: load.write_peak,
            busy_share: load.busy_mean,
            processor_share: load.processor_mean,
        }
    }
}

impl From<&Backup> for ImportedBackup {
    fn from(backup: &Backup) -> Self {
        let seconds = |length: Option<Length>| length.map(|length| length.seconds);
        let length = backup.length.filter(|length| length.seconds > 0.0);
        let read =
            backup.read_bytes.zip(length).map(|(bytes, length)| bytes as f64 / length.seconds);
        ImportedBackup {
            server: backup.server.as_deref().map(str::to_string),
            database: backup.database.to_string(),
            kind: match backup.kind {
                BackupKind::Full => "full",
                BackupKind::Differential => "differential",
                BackupKind::Log => "log",
                BackupKind::Partial => "partial",
                BackupKind::Unknown => "unknown",
            },
            started: backup.started.map(|started| started.to_string()),
            backup_seconds: seconds(backup.length),
            backup_rounding_seconds: backup.length.map(|length| length.rounding_seconds),
            verify_seconds: seconds(backup.verify),
            read_bytes: backup.read_bytes,
            written_bytes: backup.written_bytes,
            read_bytes_per_second: read,
            stripes: backup.stripes,
            compression: backup.compression,
            buffer_count: backup.buffer_count,
            max_transfer_size_bytes: backup.transfer_bytes,
            unusable: backup.unusable.clone(),
            place: backup.place.clone(),
        }
    }
}

impl GrowthResult {
    /// How a database grows, or why nobody knows.
    #[must_use]
    pub fn new(database: &str, growth: &Result<Growth, NoGrowth>) -> Self {
        let database = database.to_string();
        match growth {
            Ok(growth) => GrowthResult {
                database,
                points: growth.points.len(),
                per_month: Some(growth.per_month),
                per_month_low: Some(growth.bounds.0),
                per_month_high: Some(growth.bounds.1),
                last_bytes: Some(growth.last_bytes),
                unknown: None,
            },
            Err(reason) => GrowthResult {
                database,
                points: 0,
                per_month: None,
                per_month_low: None,
                per_month_high: None,
                last_bytes: None,
                unknown: Some(reason.to_string()),
            },
        }
    }
}
