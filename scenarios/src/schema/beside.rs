//! Other backups on the same machine at the same time.

use std::collections::BTreeMap;

use bakcast_models::quantity::Period;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Backup, Compression, Volume};

/// Another backup on the same machine at the same time, called by the name of its table. Rules of
/// the engine and fixed costs are those of `[engine]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Beside {
    /// Time from the beginning of the backup that is asked about to the beginning of this one.
    #[serde(default)]
    pub starts: Period,
    /// Its source volumes, as those of `[volume]`.
    pub volume: BTreeMap<String, Volume>,
    /// The options of its BACKUP statement, as those of `[backup]`.
    pub backup: Backup,
    /// What the compressor makes of its data; absent: the scenario's `[compression]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compression: Option<Compression>,
}
