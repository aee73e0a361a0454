//! A night of many backups: the servers, and the jobs on them.

use std::collections::BTreeMap;

use bakcast_models::quantity::{ByteRate, Factor, Fraction, Period, Ratio};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Backup, BlockSize, Compression, DataSize, TransferSize, Volume};

/// A server with processors of its own, called by the name of its table.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Server {
    /// Logical processors that compression may use; absent: as many as `[processor]` has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1024))]
    pub logical_processors: Option<u32>,
    /// Name of the device that holds the databases of jobs that name none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// Names of links and caps between this server and every backup file, from the host outwards:
    /// its own network card. What is on the way to a device for all servers stands at the device.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub via: Vec<String>,
    /// Most jobs of this server at once: others wait for their turn, by start and then by name;
    /// absent: no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1024))]
    pub at_once: Option<u32>,
}

/// A backup of the night, called by the name of its table. What it does not say is as in
/// `[backup]`, `[compression]` and `[verify]`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// Name of the server it runs on; absent: a machine with the processors of `[processor]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// Name of the database; absent: that of the job.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub database: Option<String>,
    /// Time from the beginning of the night before which it does not begin; absent: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts: Option<Period>,
    /// Jobs that must have ended before it begins.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "job_names")]
    pub after: Vec<String>,
    /// Whether its start stays as written when a better schedule is sought.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fixed: bool,
    /// Allocated data of a database on one volume; instead of `volume`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<DataSize>,
    /// Name of the device that holds it; absent: that of the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// Its source volumes, as those of `[volume]`; instead of `size` and `device`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub volume: BTreeMap<String, Volume>,
    /// Its BACKUP statement, as `--sql` takes one; what it leaves out is the engine's default, and
    /// what the job says otherwise wins over it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "statement")]
    pub sql: Option<String>,
    /// Options of its BACKUP statement that differ from those of `[backup]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backup: Option<JobBackup>,
    /// What the compressor makes of its data, where that differs from `[compression]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compression: Option<JobCompression>,
    /// Whether it is verified afterwards; absent: as `[verify]` has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verify: Option<bool>,
}

/// Options of one job's BACKUP statement that differ from those of `[backup]`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JobBackup {
    /// Devices of the backup files (stripes), one writer each; a device may appear several times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 64))]
    pub stripes: Option<Vec<String>>,
    /// Where on its device each backup file begins: 0 % = outer edge of a disk, 100 % = innermost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stripe_position: Option<Fraction>,
    /// Whether the backup is compressed (COMPRESSION).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compression: Option<bool>,
    /// Buffers of one set (BUFFERCOUNT).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 65536))]
    pub buffer_count: Option<u32>,
    /// Most bytes one transfer moves, the size of a buffer (MAXTRANSFERSIZE).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transfer_size: Option<TransferSize>,
    /// Physical block size of the backup files (BLOCKSIZE).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_size: Option<BlockSize>,
}

/// What the compressor makes of one job's data, where that differs from `[compression]`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JobCompression {
    /// Size of the backup uncompressed, divided by its size compressed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio: Option<Ratio>,
    /// Input bytes per second that one processor compresses which has its core to itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<ByteRate>,
    /// Output bytes per second of one processor that decompresses and has its core to itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decompression_rate: Option<ByteRate>,
    /// Coefficient of variation of the processor time from buffer to buffer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variability: Option<Factor>,
}

/// The schema of a statement.
fn statement(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({ "type": "string", "format": "statement" })
}

/// The schema of a list of names of jobs.
fn job_names(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({
        "type": "array",
        "items": { "type": "string", "format": "job-name" },
    })
}

impl Job {
    /// The options of its statement, with those of the scenario where it has none. What a statement
    /// of its own leaves out is the engine's to choose.
    pub(crate) fn options(&self, common: &Backup) -> Backup {
        let mut common = common.clone();
        if self.sql.is_some() {
            common.buffer_count = None;
            common.transfer_size = None;
            common.block_size = None;
        }
        match &self.backup {
            Some(own) => own.over(&common),
            None => common,
        }
    }
}

impl JobBackup {
    /// The options with those of the scenario where it has none.
    pub(crate) fn over(&self, common: &Backup) -> Backup {
        let JobBackup {
            stripes,
            stripe_position,
            compression,
            buffer_count,
            transfer_size,
            block_size,
        } = self;
        Backup {
            stripes: stripes.clone().unwrap_or_else(|| common.stripes.clone()),
            stripe_position: stripe_position.unwrap_or(common.stripe_position),
            compression: compression.unwrap_or(common.compression),
            buffer_count: buffer_count.or(common.buffer_count),
            transfer_size: transfer_size.or(common.transfer_size),
            block_size: block_size.or(common.block_size),
        }
    }
}

impl JobCompression {
    /// The figures with those of the scenario where it has none; nothing without a ratio.
    pub(crate) fn over(&self, common: Option<&Compression>) -> Option<Compression> {
        let JobCompression { ratio, rate, decompression_rate, variability } = self;
        let ratio = ratio.or(common.map(|common| common.ratio))?;
        let common = common.cloned().unwrap_or_else(|| Compression {
            like: None,
            ratio,
            rate: super::default_compression_rate(),
            decompression_rate: super::default_decompression_rate(),
            variability: super::default_compression_variability(),
        });
        Some(Compression {
            like: common.like,
            ratio,
            rate: rate.unwrap_or(common.rate),
            decompression_rate: decompression_rate.unwrap_or(common.decompression_rate),
            variability: variability.unwrap_or(common.variability),
        })
    }
}
