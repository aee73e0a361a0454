//! What a statement says.

use std::ops::Range;

use serde::Serialize;

/// A statement, or a call of a tool that stands for one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Statement {
    /// In which form it was written.
    pub form: StatementForm,
    /// What it does.
    pub kind: StatementKind,
    /// The first words of the statement, in capitals.
    pub words: String,
    /// The database; absent if none or several are named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub database: Option<String>,
    /// Files and filegroups, if it is not the whole database; `READ_WRITE_FILEGROUPS` among them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<String>,
    /// Where the backup goes, or comes from: one for each stripe. Of a tool's call, folders.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<Target>,
    /// The mirrors, each with as many targets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mirrors: Vec<Vec<Target>>,
    /// Whether it is compressed; absent: the server's setting decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compression: Option<bool>,
    /// The compression algorithm, in capitals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub algorithm: Option<String>,
    /// The compression level, in capitals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// BUFFERCOUNT.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buffer_count: Option<u64>,
    /// MAXTRANSFERSIZE in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transfer_size: Option<u64>,
    /// BLOCKSIZE in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block_size: Option<u64>,
    /// Whether checksums are made or checked; absent: not stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checksum: Option<bool>,
    /// COPY_ONLY.
    pub copy_only: bool,
    /// DIFFERENTIAL.
    pub differential: bool,
    /// A snapshot: no data are copied (METADATA_ONLY, FILE_SNAPSHOT).
    pub snapshot: bool,
    /// How it is encrypted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encryption: Option<Encryption>,
    /// The name of a credential with a storage key: the target is then a page blob.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub credential: Option<String>,
    /// STATS, in per cent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stats: Option<u64>,
    /// Whether the tool verifies the backup afterwards; absent: not stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verify: Option<bool>,
    /// What was read and has no effect on the time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// What only the server knows.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unresolved: Vec<Unresolved>,
    /// Where BUFFERCOUNT stands.
    #[serde(skip)]
    pub(crate) buffer_count_place: Option<Range<usize>>,
    /// Line of its first word, from 1.
    pub line: usize,
    /// Column of its first word in characters, from 1.
    pub column: usize,
    /// Its bytes in the text.
    #[serde(skip)]
    pub span: Range<usize>,
}

/// In which form a statement was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StatementForm {
    /// T-SQL.
    Sql,
    /// A call of Ola Hallengren's `DatabaseBackup`.
    Ola,
    /// dbatools' `Backup-DbaDatabase`.
    Dbatools,
}

/// What a statement does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum StatementKind {
    /// BACKUP DATABASE, full or differential.
    BackupDatabase,
    /// BACKUP LOG.
    BackupLog,
    /// RESTORE VERIFYONLY.
    VerifyOnly,
    /// RESTORE DATABASE.
    RestoreDatabase,
    /// RESTORE LOG.
    RestoreLog,
    /// RESTORE HEADERONLY and its like: nothing to time.
    Information,
    /// Any other statement; [`Statement::words`] names it.
    Other,
}

/// Where a backup goes, or comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Target {
    /// The sort of device.
    pub kind: TargetKind,
    /// The path, the address or the name; empty if only the server knows it.
    pub path: String,
    /// Its bytes in the text.
    #[serde(skip)]
    pub span: Range<usize>,
}

/// The sort of a backup device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TargetKind {
    /// DISK: a file, or NUL.
    Disk,
    /// URL: object storage.
    Url,
    /// TAPE.
    Tape,
    /// VIRTUAL_DEVICE: another program takes the backup.
    Virtual,
    /// A backup device by its name on the server.
    Logical,
}

/// How a backup is encrypted.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Encryption {
    /// The algorithm, in capitals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub algorithm: Option<String>,
    /// The certificate or key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encryptor: Option<String>,
}

/// What was read and has no effect on the time, or not the one that was hoped for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Note {
    /// What was noticed.
    pub text: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Its bytes in the text.
    #[serde(skip)]
    pub span: Range<usize>,
}

/// A value that only the server knows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unresolved {
    /// What it would have been, in the words of the statement: `DISK`, `BUFFERCOUNT`.
    pub what: String,
    /// How it is written: a variable, an expression.
    pub value: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Its bytes in the text.
    #[serde(skip)]
    pub span: Range<usize>,
}

impl Statement {
    /// Whether it moves a backup, so that there is something to time.
    #[must_use]
    pub const fn is_timed(&self) -> bool {
        !matches!(self.kind, StatementKind::Information | StatementKind::Other)
    }

    /// Whether it makes a backup.
    #[must_use]
    pub const fn is_backup(&self) -> bool {
        matches!(self.kind, StatementKind::BackupDatabase | StatementKind::BackupLog)
    }
}
