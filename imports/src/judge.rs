//! Which backups can be used for calibration.

use std::sync::Arc;

use crate::finding::{Backup, BackupKind, CautionCode, DeviceKind, Import, Length};

/// Largest share by which a duration may be off through the clock: a second of ten.
const LARGEST_ROUNDING: f64 = 0.1;
/// Shortest duration in seconds that says anything about a rate.
const SHORTEST: f64 = 1.0;

/// Why a backup cannot be used; `None` if it can.
pub(crate) fn unusable(backup: &Backup, snapshot: bool) -> Option<&'static str> {
    let by_kind = match backup.kind {
        BackupKind::Full | BackupKind::Unknown => None,
        BackupKind::Differential => Some("differential backups"),
        BackupKind::Log => Some("log backups"),
        BackupKind::Partial => Some("backups of files or parts"),
    };
    if by_kind.is_some() {
        return by_kind;
    }
    if snapshot || backup.read_bytes == Some(0) {
        return Some("snapshots, which copy nothing");
    }
    if backup.device == Some(DeviceKind::Virtual) {
        return Some("backups to virtual devices of other products");
    }
    match backup.length {
        None => Some("backups without a duration"),
        Some(length) if too_coarse(length) => Some("backups under 10 s, timed in whole seconds"),
        Some(length) if length.seconds < SHORTEST => Some("backups under 1 s"),
        Some(_) => None,
    }
}

fn too_coarse(length: Length) -> bool {
    length.rounding_seconds > LARGEST_ROUNDING * length.seconds
}

/// Judges a backup and adds it. It is kept with its reason, which is what is counted of it.
pub(crate) fn add(import: &mut Import, mut backup: Backup, snapshot: bool) {
    if let Some(reason) = unusable(&backup, snapshot) {
        backup.unusable = Some(reason.to_string());
        if reason.starts_with("snapshots") {
            let text = "a snapshot copies nothing: its size over its time is no rate";
            import.caution(CautionCode::Snapshot, text);
        }
    }
    import.backups.push(backup);
}

/// A backup of which only the database is known.
pub(crate) fn blank(database: Arc<str>, kind: BackupKind, place: String) -> Backup {
    Backup {
        server: None,
        database,
        kind,
        started: None,
        finished: None,
        length: None,
        read_bytes: None,
        read_bytes_rounding: 0.0,
        written_bytes: None,
        printed_bytes_per_second: None,
        stripes: None,
        paths: Vec::new(),
        compression: None,
        buffer_count: None,
        transfer_bytes: None,
        block_bytes: None,
        options_known: false,
        device: None,
        copy_only: None,
        place,
        verify: None,
        unusable: None,
    }
}
