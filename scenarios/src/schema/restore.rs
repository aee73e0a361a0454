//! The restore of a backup.

use bakcast_models::quantity::Bytes;
use bakcast_models::sql_server;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::TransferSize;

/// The restore of the backup to the volumes it was read from (RESTORE DATABASE), on another day:
/// without other jobs, and no part of the total. Start and finish are those of `[engine]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Restore {
    /// Whether a restore is predicted; nothing that is written to NUL can be restored.
    #[serde(default)]
    pub enabled: bool,
    /// Most bytes one read or write moves, the size of a buffer (MAXTRANSFERSIZE). The engine's
    /// default was 64 KiB in 2005; what it is today was not found.
    #[serde(default)]
    pub transfer_size: TransferSize,
    /// Buffers of one set (BUFFERCOUNT); absent: the rule of a backup with these stripes and
    /// volumes, which is an assumption: of a restore, no printed count was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 65536))]
    pub buffer_count: Option<u32>,
    /// Reads the reader of one backup file keeps outstanding.
    #[serde(default = "default_read_depth")]
    #[schemars(range(min = 1, max = 1024))]
    pub read_depth: u32,
    /// Writes the writer of one volume keeps outstanding.
    #[serde(default = "default_write_depth")]
    #[schemars(range(min = 1, max = 1024))]
    pub write_depth: u32,
    /// Bytes zeroed before the copy, on all volumes together, on each in proportion to its data:
    /// the size of the log, and that of the data files without instant file initialization.
    #[serde(default = "default_zeroed")]
    pub zeroed: Bytes,
}

impl Default for Restore {
    fn default() -> Self {
        Restore {
            enabled: false,
            transfer_size: TransferSize::default(),
            buffer_count: None,
            read_depth: default_read_depth(),
            write_depth: default_write_depth(),
            zeroed: default_zeroed(),
        }
    }
}

/// As a backup; assumption.
fn default_read_depth() -> u32 {
    sql_server::READ_DEPTH
}

/// As a backup; assumption.
fn default_write_depth() -> u32 {
    sql_server::WRITE_DEPTH
}

/// Data files with instant file initialization, and a small log.
fn default_zeroed() -> Bytes {
    Bytes::ZERO
}
