//! How a backup is restored.

use bakcast_models::plan::{self, Machine};
use bakcast_models::quantity::Bytes;

use super::{ResolveError, Resolved, engine_count, writes_to_nul};
use crate::schema;

/// How a backup is restored, as far as it is known before the backup.
#[derive(Debug, Clone, PartialEq)]
pub struct Restoration {
    /// Bytes of one read, and the most bytes of one write.
    pub transfer_size: Bytes,
    /// Buffers of one set.
    pub buffer_count: u32,
    /// Reads a reader keeps outstanding.
    pub read_depth: u32,
    /// Writes a writer keeps outstanding.
    pub write_depth: u32,
    /// Bytes zeroed on all volumes before the copy.
    pub zeroed: Bytes,
}

pub(super) fn restoration(
    restore: &schema::Restore,
    engine: &schema::Engine,
    machine: &Machine,
    backup: &plan::Backup,
) -> Result<Option<Restoration>, ResolveError> {
    let schema::Restore { enabled, transfer_size, buffer_count, read_depth, write_depth, zeroed } =
        restore;
    if !enabled {
        return Ok(None);
    }
    if writes_to_nul(machine, backup) {
        return Err(ResolveError::NotRestorable);
    }
    Ok(Some(Restoration {
        transfer_size: transfer_size.bytes(),
        buffer_count: buffer_count
            .unwrap_or_else(|| engine_count(engine, &backup.stripes, &backup.volumes)),
        read_depth: *read_depth,
        write_depth: *write_depth,
        zeroed: *zeroed,
    }))
}

impl Resolved {
    /// The restore of a backup whose files hold `stripe_bytes`; absent: none.
    ///
    /// # Panics
    ///
    /// If there is not one size for each backup file.
    #[must_use]
    pub fn restore(&self, stripe_bytes: &[Bytes]) -> Option<plan::Restore> {
        let backup = &self.backup;
        assert_eq!(stripe_bytes.len(), backup.stripes.len(), "one size for each backup file");
        let Restoration { transfer_size, buffer_count, read_depth, write_depth, zeroed } =
            self.restoration.clone()?;
        let sizes = stripe_bytes.iter().copied();
        Some(plan::Restore {
            stripes: backup.stripes.iter().cloned().zip(sizes).collect(),
            volumes: backup.volumes.clone(),
            zeroed,
            compression: backup.compression.clone(),
            transfer_size,
            buffer_count,
            read_depth,
            write_depth,
            coordinator: backup.coordinator,
        })
    }
}
