//! A scenario as it is written: the one table of knobs.
//!
//! The comment of a field is the documentation of the knob, its type is the check of its value,
//! its default stands beside it. Everything else (the list of knobs, the checker, `--set`, the
//! reference page, the JSON schema) is read off these structs. Values stay as written: what is
//! left out here is decided in [`Scenario::resolve`].

mod beside;
mod engine;
mod ensemble;
mod night;
mod restore;
mod sized;

use std::collections::BTreeMap;

use bakcast_models::device::{Capped, FixedRate, Link, Null, SolidState, Spindle};
use bakcast_models::quantity::{ByteRate, Factor, Fraction, Period, Ratio};
use bakcast_models::sql_server;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

use crate::library::{self, LibraryKind};

pub use beside::Beside;
pub use engine::{BufferRule, EncodedWrites, Engine, Workers, WriterQueue};
pub use ensemble::{Ensemble, Parameter};
pub(crate) use ensemble::{is_stated, keys_of};
pub use night::{Job, JobBackup, JobCompression, Server};
pub use restore::Restore;
pub use sized::{BlockSize, DataSize, TransferSize};

/// Largest coefficient of variation. Beyond it nearly every draw of a gamma law is nothing and
/// one in a great many is everything: the device would be free in most runs.
const MOST_VARIABILITY: u32 = 10;

/// The settings all JSON schemas of a scenario are made with.
pub(crate) fn json_settings() -> SchemaSettings {
    SchemaSettings::draft2020_12().with_transform(RecursiveTransform(bound_variability))
}

/// Narrows every `variability` to its range; its type is that of any factor.
fn bound_variability(schema: &mut Schema) {
    let variability = schema.get_mut("properties").and_then(|all| all.get_mut("variability"));
    if let Some(variability) = variability.and_then(serde_json::Value::as_object_mut) {
        variability.insert("maximum".to_string(), MOST_VARIABILITY.into());
    }
}

/// A scenario: a database, the devices around it, one backup of it, and what runs beside that.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// What the scenario is, in one line.
    pub title: String,
    /// Where its figures come from: a citation, a link, the date of a measurement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The database that is backed up.
    #[serde(default)]
    pub database: Database,
    /// Source volumes: one reader each, whatever the number of data files on it. A night of jobs
    /// has none: each job has its own.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub volume: BTreeMap<String, Volume>,
    /// Devices, links and caps, by name.
    pub device: BTreeMap<String, Device>,
    /// The processors of the host.
    pub processor: Processor,
    /// What the compressor makes of these data; needed only with `backup.compression = true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compression: Option<Compression>,
    /// The options of the BACKUP statement.
    pub backup: Backup,
    /// Name of the device that paths of statements (`--sql`) lie on, by how they begin: a drive
    /// (`E:`), a server or a share, the host of an address, a folder, or NUL. The longest wins.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub paths: BTreeMap<String, String>,
    /// Other backups on the same machine at the same time.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub beside: BTreeMap<String, Beside>,
    /// The servers of a night of many backups.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub server: BTreeMap<String, Server>,
    /// The backups of a night, where there are many of them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub job: BTreeMap<String, Job>,
    /// CSV file with the backups of a night, one a row, as a path from this file: what stands there
    /// wins over `[job]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jobs: Option<String>,
    /// The verification of the backup files that follows.
    #[serde(default)]
    pub verify: Verify,
    /// The restore of the backup.
    #[serde(default)]
    pub restore: Restore,
    /// The rules of the database engine.
    #[serde(default)]
    pub engine: Engine,
    /// Parameter sets that all agree with what was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ensemble: Option<Ensemble>,
    /// Variants: the same scenario with a few values replaced.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub variant: BTreeMap<String, Variant>,
}

impl Scenario {
    /// The same without its ensemble and its variants.
    pub(crate) fn without_ensemble(&self) -> Scenario {
        Scenario {
            title: self.title.clone(),
            source: self.source.clone(),
            database: self.database.clone(),
            volume: self.volume.clone(),
            device: self.device.clone(),
            processor: self.processor.clone(),
            compression: self.compression.clone(),
            backup: self.backup.clone(),
            paths: self.paths.clone(),
            beside: self.beside.clone(),
            server: self.server.clone(),
            job: self.job.clone(),
            jobs: self.jobs.clone(),
            verify: self.verify.clone(),
            restore: self.restore.clone(),
            engine: self.engine.clone(),
            ensemble: None,
            variant: BTreeMap::new(),
        }
    }
}

/// The database that is backed up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Database {
    /// Name of the database in the BACKUP statement; it has no effect on the time.
    #[serde(default = "default_database_name")]
    pub name: String,
}

impl Default for Database {
    fn default() -> Self {
        Database { name: default_database_name() }
    }
}

/// A name as the vendor's own examples use it.
fn default_database_name() -> String {
    "Sales".to_string()
}

/// A source volume.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Volume {
    /// Name of the device that holds the volume.
    pub device: String,
    /// Allocated data of the database on this volume: what a full backup reads.
    pub size: DataSize,
    /// Where on the device the data begin: 0 % = outer edge of a disk, 100 % = innermost.
    #[serde(default)]
    pub position: Fraction,
}

/// A device, link or cap: exactly one of the six laws says how long it holds a transfer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Device {
    /// Name of the device of the library (`bakcast devices`) that it is like: whose values stand
    /// wherever this table writes none. Its own values win; its law, if it writes one, is the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = library::names(LibraryKind::Device)))]
    pub like: Option<String>,
    /// Names of the links and caps between host and device, from the host outwards.
    #[serde(default)]
    pub via: Vec<String>,
    /// Standard deviation of its speed from one run to the next, as a share of it.
    #[serde(default = "default_device_run_to_run")]
    pub run_to_run: Fraction,
    /// Share of its time that users and other load take while no backup runs, at most 90 %: they
    /// go before the backup. `0 %` for NUL.
    #[serde(default)]
    pub other_load: Fraction,
    /// Mean time that one request of that load takes, from 10 us to 10 s; absent: the positioning
    /// of a spindle, 100 us on a solid state drive, 64 KiB at the rate of a cap. None for a link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_request: Option<Period>,
    /// A rotating disk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spindle: Option<Spindle>,
    /// A solid state drive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solid_state: Option<SolidState>,
    /// A network link, or the share behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<Link>,
    /// A device or cap that is nothing but its rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fixed_rate: Option<FixedRate>,
    /// A volume, or a cap on the way, with a provider's limits and burst credit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capped: Option<Capped>,
    /// The NUL device: a target that costs nothing and keeps nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub null: Option<Null>,
}

/// Repeats of one configuration in published tables mostly differ by a few per cent; assumption.
fn default_device_run_to_run() -> Fraction {
    Fraction::percent(4)
}

/// The processors of the host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Processor {
    /// Logical processors that compression and decompression may use.
    #[schemars(range(min = 1, max = 1024))]
    pub logical_processors: u32,
    /// Logical processors of each core: 2 with hyper-threading.
    #[serde(default = "default_threads_per_core")]
    #[schemars(range(min = 1, max = 2))]
    pub threads_per_core: u32,
    /// What a second busy thread adds to the work of a core, as a share of what one does alone.
    #[serde(default = "default_second_thread")]
    pub second_thread: Fraction,
    /// Standard deviation of their speed from one run to the next, as a share of it.
    #[serde(default = "default_processor_run_to_run")]
    pub run_to_run: Fraction,
    /// Share of each of them that users and other load take while no backup runs, at most 90 %:
    /// they go before the backup.
    #[serde(default)]
    pub other_load: Fraction,
    /// Mean processor time of one request of that load, from 10 us to 10 s.
    #[serde(default = "default_other_request")]
    pub other_request: Period,
}

/// A core of its own for each, which is all that a scenario says that does not know better.
fn default_threads_per_core() -> u32 {
    1
}

/// Makers of processors and sellers of servers speak of up to 30 % (sources in
/// docs/architecture.md); assumption.
fn default_second_thread() -> Fraction {
    Fraction::percent(25)
}

/// A statement of a user that reads some hundred pages, or a few time slices of the server's
/// scheduler (4 ms each); assumption.
fn default_other_request() -> Period {
    Period::from_nanos(10_000_000)
}

/// A quiet host repeats better than a drive does; assumption.
fn default_processor_run_to_run() -> Fraction {
    Fraction::percent(2)
}

/// What the compressor makes of these data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Compression {
    /// Name of the algorithm of the library (`bakcast devices`) whose rates stand wherever this
    /// table writes none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = library::names(LibraryKind::Algorithm)))]
    pub like: Option<String>,
    /// Size of the backup uncompressed, divided by its size compressed. Depends on the data alone:
    /// take it from a backup of yours (backup_size / compressed_backup_size in msdb).
    pub ratio: Ratio,
    /// Input bytes per second that one processor compresses which has its core to itself.
    #[serde(default = "default_compression_rate")]
    pub rate: ByteRate,
    /// Output bytes per second of one processor that decompresses, to verify or to restore, and has
    /// its core to itself.
    #[serde(default = "default_decompression_rate")]
    pub decompression_rate: ByteRate,
    /// Coefficient of variation of the processor time from buffer to buffer.
    #[serde(default = "default_compression_variability")]
    pub variability: Factor,
}

/// Public tables put MS_XPRESS between 70 and 200 MB/s per core (sources in
/// `docs/architecture.md`): the geometric mean of that.
fn default_compression_rate() -> ByteRate {
    ByteRate::new(120e6).expect("a rate within its range")
}

/// At least 1 GB/s on two cores with two threads each in one public table (row 1.4 of
/// `usb3-laptop`): at least 430 MB/s for one thread alone.
fn default_decompression_rate() -> ByteRate {
    ByteRate::new(500e6).expect("a rate within its range")
}

/// Neighbouring extents of one table compress alike; assumption.
fn default_compression_variability() -> Factor {
    Factor::tenths(2)
}

/// The options of the BACKUP statement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Backup {
    /// Devices of the backup files (stripes), one writer each; a device may appear several times.
    #[schemars(length(min = 1, max = 64))]
    pub stripes: Vec<String>,
    /// Where on its device each backup file begins: 0 % = outer edge of a disk, 100 % = innermost.
    #[serde(default)]
    pub stripe_position: Fraction,
    /// Whether the backup is compressed (COMPRESSION).
    #[serde(default)]
    pub compression: bool,
    /// Buffers of one set (BUFFERCOUNT); absent: the engine's own rule, see `engine.buffer_rule`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 65536))]
    pub buffer_count: Option<u32>,
    /// Most bytes one transfer moves, the size of a buffer (MAXTRANSFERSIZE); absent: the engine's
    /// default for a disk, 1 MiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transfer_size: Option<TransferSize>,
    /// Physical block size of the backup files (BLOCKSIZE); absent: 512 B.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_size: Option<BlockSize>,
}

/// The verification of the backup files (RESTORE VERIFYONLY).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Verify {
    /// Whether the backup is verified afterwards; absent: yes, unless a stripe goes to NUL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// Bytes of one read.
    #[serde(default)]
    pub transfer_size: TransferSize,
    /// Buffers for reading; absent: the engine's rule for these stripes and volumes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 65536))]
    pub buffer_count: Option<u32>,
    /// Reads one reader keeps outstanding.
    #[serde(default = "default_read_depth")]
    #[schemars(range(min = 1, max = 1024))]
    pub read_depth: u32,
}

impl Default for Verify {
    fn default() -> Self {
        Verify {
            enabled: None,
            transfer_size: TransferSize::default(),
            buffer_count: None,
            read_depth: default_read_depth(),
        }
    }
}

/// What the engine itself counts with per stream it reads.
fn default_read_depth() -> u32 {
    sql_server::READ_DEPTH
}

/// A variant of a scenario.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// What the variant is, in one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Where its figures come from, if not from where the scenario's do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Values that replace those of the scenario, by path; the value `"default"` takes one away.
    #[serde(default, skip_serializing_if = "toml::Table::is_empty")]
    #[schemars(with = "BTreeMap<String, serde_json::Value>")]
    pub set: toml::Table,
}
