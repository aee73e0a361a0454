//! What a BACKUP or RESTORE statement in a log or a message says about its backup.

use bakcast_scenarios::{Statement, StatementKind, Target, TargetKind};

use crate::finding::{BackupKind, DeviceKind};

/// Settings of a statement.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct CommandSettings {
    /// Database.
    pub(crate) database: Option<String>,
    /// Kind of backup.
    pub(crate) kind: Option<BackupKind>,
    /// Files or addresses, mirrors left out.
    pub(crate) paths: Vec<String>,
    /// Device.
    pub(crate) device: Option<DeviceKind>,
    /// COMPRESSION or NO_COMPRESSION.
    pub(crate) compression: Option<bool>,
    /// BUFFERCOUNT.
    pub(crate) buffer_count: Option<u32>,
    /// MAXTRANSFERSIZE in bytes.
    pub(crate) transfer_bytes: Option<u64>,
    /// BLOCKSIZE in bytes.
    pub(crate) block_bytes: Option<u64>,
    /// COPY_ONLY.
    pub(crate) copy_only: bool,
    /// No data are copied.
    pub(crate) snapshot: bool,
    /// RESTORE VERIFYONLY.
    pub(crate) verify: bool,
    /// Whether the statement could be read.
    pub(crate) understood: bool,
}

/// Most bytes of a statement that is looked at: 64 files with long addresses fit.
const LONGEST: usize = 64 << 10;

/// What the first statement of `command` that moves a backup says. A statement that breaks a rule
/// of the engine says nothing: it cannot have run as it stands.
pub(crate) fn settings_of(command: &str) -> CommandSettings {
    if command.len() > LONGEST {
        return CommandSettings::default();
    }
    let Ok(statements) = bakcast_scenarios::parse_statements(command) else {
        return CommandSettings::default();
    };
    statements.iter().find(|statement| statement.is_timed()).map(of_statement).unwrap_or_default()
}

fn of_statement(statement: &Statement) -> CommandSettings {
    let kind = match statement.kind {
        StatementKind::BackupLog => Some(BackupKind::Log),
        _ if !statement.is_backup() => None,
        _ if !statement.parts.is_empty() => Some(BackupKind::Partial),
        _ if statement.differential => Some(BackupKind::Differential),
        _ => Some(BackupKind::Full),
    };
    let paths: Vec<String> = statement.targets.iter().map(|target| target.path.clone()).collect();
    CommandSettings {
        database: statement.database.clone(),
        kind,
        device: statement.targets.first().map(device),
        paths,
        compression: statement.compression,
        buffer_count: statement.buffer_count.and_then(|count| u32::try_from(count).ok()),
        transfer_bytes: statement.transfer_size,
        block_bytes: statement.block_size,
        copy_only: statement.copy_only,
        snapshot: statement.snapshot,
        verify: statement.kind == StatementKind::VerifyOnly,
        understood: true,
    }
}

fn device(target: &Target) -> DeviceKind {
    match target.kind {
        TargetKind::Disk if target.path.eq_ignore_ascii_case("NUL") => DeviceKind::Null,
        TargetKind::Disk | TargetKind::Logical => DeviceKind::Disk,
        TargetKind::Url => DeviceKind::Url,
        TargetKind::Tape => DeviceKind::Tape,
        TargetKind::Virtual => DeviceKind::Virtual,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_gives_its_settings() {
        let settings = settings_of(
            "BACKUP DATABASE [a, b] TO DISK = N'E:\\1.bak', DISK = N'F:\\2.bak' WITH COPY_ONLY, \
             NO_COMPRESSION, BUFFERCOUNT = 50, MAXTRANSFERSIZE = 4194304, BLOCKSIZE = 65536",
        );
        assert_eq!(settings.database.as_deref(), Some("a, b"));
        assert_eq!(settings.paths, ["E:\\1.bak", "F:\\2.bak"]);
        assert_eq!((settings.kind, settings.compression), (Some(BackupKind::Full), Some(false)));
        assert_eq!(settings.buffer_count, Some(50));
        assert_eq!((settings.transfer_bytes, settings.block_bytes), (Some(4 << 20), Some(65_536)));
        let verify = settings_of("RESTORE VERIFYONLY FROM DISK = N'E:\\1.bak' WITH CHECKSUM");
        assert!(verify.verify && verify.kind.is_none() && verify.paths.len() == 1);
        assert!(!settings_of("BACKUP nothing to nowhere").understood);
    }
}
