//! What a scenario may say, but perhaps does not mean.

use std::fmt;

use serde::Serialize;

/// A warning about a scenario.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// Which warning it is.
    pub code: WarningCode,
    /// What was noticed.
    pub text: String,
    /// What to do about it.
    pub hint: String,
}

/// Which warning it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum WarningCode {
    /// A backup file on the device that holds the data.
    SourceIsTarget,
    /// More than 1 GiB of backup buffers.
    LargeBufferMemory,
    /// Fewer buffers than backup files.
    FewerBuffersThanStripes,
    /// The buffers of one set hold more than there is to read.
    BuffersExceedData,
    /// A backup to NUL, which nothing can verify.
    NulNotVerified,
    /// A volume, or all volumes on one disk, larger than the disk.
    VolumeExceedsCapacity,
    /// Backup files that do not fit on their disk, beside the volumes that are there.
    BackupExceedsCapacity,
    /// Burst credit of a device that is used up on the way, in most nights.
    BurstCreditRunsDry,
    /// Jobs of different block sizes on a drive for which the block size matters.
    BlockSizesDiffer,
    /// A job beside the backup that runs at another time, in most nights.
    JobsApart,
    /// A statement that leaves compression to the server.
    CompressionNotStated,
    /// A statement that backs up a part of the database.
    NotAFullBackup,
    /// Mirrors of a backup, which are left out.
    MirrorsNotModelled,
    /// An encrypted backup: the cost is left out.
    EncryptionNotModelled,
    /// A compression algorithm that the statement names and the scenario does not know.
    AlgorithmNotApplied,
    /// Transfers larger than the model knows.
    TransferSizeNotModelled,
    /// A backup that is read from other devices than it is written to.
    ReadElsewhere,
    /// A statement for another database than the scenario's.
    OtherDatabase,
    /// A night of jobs, of which one stands for all.
    OneJobOfANight,
    /// A link that nothing lies behind: volumes or backup files are on the link itself.
    LinkIsLast,
}

impl WarningCode {
    /// Those by which the time predicted is not that of what was asked about: to be read first.
    pub const OF_ANOTHER_BACKUP: [WarningCode; 7] = [
        WarningCode::NotAFullBackup,
        WarningCode::MirrorsNotModelled,
        WarningCode::EncryptionNotModelled,
        WarningCode::AlgorithmNotApplied,
        WarningCode::TransferSizeNotModelled,
        WarningCode::ReadElsewhere,
        WarningCode::OtherDatabase,
    ];

    /// Whether it is one of [`WarningCode::OF_ANOTHER_BACKUP`].
    #[must_use]
    pub fn is_of_another_backup(self) -> bool {
        WarningCode::OF_ANOTHER_BACKUP.contains(&self)
    }

    /// The code as documents print it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            WarningCode::SourceIsTarget => "source-is-target",
            WarningCode::LargeBufferMemory => "large-buffer-memory",
            WarningCode::FewerBuffersThanStripes => "fewer-buffers-than-stripes",
            WarningCode::BuffersExceedData => "buffers-exceed-data",
            WarningCode::NulNotVerified => "nul-not-verified",
            WarningCode::VolumeExceedsCapacity => "volume-exceeds-capacity",
            WarningCode::BackupExceedsCapacity => "backup-exceeds-capacity",
            WarningCode::BurstCreditRunsDry => "burst-credit-runs-dry",
            WarningCode::BlockSizesDiffer => "block-sizes-differ",
            WarningCode::JobsApart => "jobs-apart",
            WarningCode::CompressionNotStated => "compression-not-stated",
            WarningCode::NotAFullBackup => "not-a-full-backup",
            WarningCode::MirrorsNotModelled => "mirrors-not-modelled",
            WarningCode::EncryptionNotModelled => "encryption-not-modelled",
            WarningCode::AlgorithmNotApplied => "algorithm-not-applied",
            WarningCode::TransferSizeNotModelled => "transfer-size-not-modelled",
            WarningCode::ReadElsewhere => "read-elsewhere",
            WarningCode::OtherDatabase => "other-database",
            WarningCode::OneJobOfANight => "one-job-of-a-night",
            WarningCode::LinkIsLast => "link-is-last",
        }
    }
}

impl fmt::Display for WarningCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}); {}", self.text, self.code, self.hint)
    }
}
