//! Which backups can be used for calibration.

use std::sync::Arc;

use crate::finding::{Backup, BackupKind, CautionCode, DeviceKind, Import, Length};

/// Largest share by which a duration may be off through the clock: a second of ten.
const LARGEST_ROUNDING: f64 = 0.1;
/// Shortest duration in seconds that says anything about a rate.
const SHORTEST: f64 = 1.0;
/// Most bytes of a statement that is looked at.
const LARGEST: usize = 64 << 10;

/// Reasons that only a statement gives.
const MIRRORED: &str = "mirrored backups";
pub(crate) const ENCRYPTED: &str = "encrypted backups";
/// Least bytes of a backup of [`SLOW`] seconds or more, and least rate in bytes a second.
const LEAST_BYTES: u64 = 64 << 10;
const SLOW: f64 = 10.0;
const LEAST_RATE: f64 = 1024.0;
/// Longest duration in seconds.
const LONGEST: f64 = 30.0 * 86_400.0;
/// Largest and least share of the bytes read that are written.
const MOST_WRITTEN: f64 = 1.1;
const LEAST_WRITTEN: f64 = 1e-3;

/// Why a statement makes a backup that the model does not have; `None` if it does.
pub(crate) fn beyond_model(command: &str) -> Option<&'static str> {
    let upper = command.to_ascii_uppercase();
    if !upper.contains("MIRROR") && !upper.contains("ENCRYPTION") || command.len() > LARGEST {
        return None;
    }
    let statements = bakcast_scenarios::parse_statements(command).ok()?;
    let statement = statements.iter().find(|statement| statement.is_timed())?;
    if statement.mirrors.is_empty() {
        statement.encryption.as_ref().map(|_| ENCRYPTED)
    } else {
        Some(MIRRORED)
    }
}

/// The reason of a backup that its figures do not show, if it has one.
pub(crate) fn told(backup: &Backup) -> Option<&'static str> {
    let reason = backup.unusable.as_deref()?;
    [MIRRORED, ENCRYPTED].into_iter().find(|known| *known == reason)
}

/// Whether what was written cannot belong to what was read.
pub(crate) fn odd_written(read: u64, written: u64) -> bool {
    let share = written as f64 / read as f64;
    read > 0 && written > 0 && !(LEAST_WRITTEN..=MOST_WRITTEN).contains(&share)
}

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
    if let Some(reason) = told(backup) {
        return Some(reason);
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
        Some(length) if length.seconds > LONGEST => Some("backups of more than 30 days"),
        Some(length) if backup.read_bytes.is_some_and(|bytes| too_small(bytes, length)) => {
            Some("backups whose size cannot be meant (is it in MB?)")
        }
        Some(_) => None,
    }
}

fn too_small(bytes: u64, length: Length) -> bool {
    length.seconds >= SLOW && bytes < LEAST_BYTES || (bytes as f64) < LEAST_RATE * length.seconds
}

fn too_coarse(length: Length) -> bool {
    length.rounding_seconds > LARGEST_ROUNDING * length.seconds
}

/// Judges a backup and adds it. It is kept with its reason, which is what is counted of it.
pub(crate) fn add(import: &mut Import, mut backup: Backup, snapshot: bool) {
    if let (Some(read), Some(written)) = (backup.read_bytes, backup.written_bytes)
        && odd_written(read, written)
    {
        backup.written_bytes = None;
        let text = "files of some backups have more than 1.1 times or less than a thousandth of \
                    the bytes that were read: their sizes are not used";
        import.caution(CautionCode::Inconsistent, text);
    }
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
