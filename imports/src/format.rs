//! The formats that are read.

use std::fmt;

/// A format that is read. It is told by the content of a file, never by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// JSON or `json+` of fio, 2.x to 3.x.
    Fio,
    /// XML of diskspd.
    DiskspdXml,
    /// Text of diskspd, 2.0 to 2.2.
    DiskspdText,
    /// Text that `CrystalDiskMark` copies or saves.
    CrystalDiskMark,
    /// Text that `KDiskMark` copies or saves.
    KDiskMark,
    /// Rows of the server's backup history, delimited, fixed, or as JSON.
    BackupHistory,
    /// Rows of `dbo.CommandLog`, Ola Hallengren's table.
    CommandLog,
    /// Results of a brute-force test of backup options.
    BruteForce,
    /// Lines of an error log or of a client: completion messages, trace flags 3213 and 3014.
    Messages,
    /// `iostat -x` as text.
    IostatText,
    /// `iostat -x` as JSON.
    IostatJson,
    /// Performance counters in CSV: perfmon, logman, typeperf, relog.
    Perfmon,
}

impl Format {
    /// All of them, in the order in which they are listed.
    pub const ALL: [Self; 12] = [
        Self::Fio,
        Self::DiskspdXml,
        Self::DiskspdText,
        Self::CrystalDiskMark,
        Self::KDiskMark,
        Self::BackupHistory,
        Self::CommandLog,
        Self::BruteForce,
        Self::Messages,
        Self::IostatText,
        Self::IostatJson,
        Self::Perfmon,
    ];

    /// What it is called in text.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Fio => "fio JSON",
            Self::DiskspdXml => "diskspd XML",
            Self::DiskspdText => "diskspd text",
            Self::CrystalDiskMark => "CrystalDiskMark text",
            Self::KDiskMark => "KDiskMark text",
            Self::BackupHistory => "backup history",
            Self::CommandLog => "CommandLog",
            Self::BruteForce => "table of a brute-force backup test",
            Self::Messages => "server messages",
            Self::IostatText => "iostat text",
            Self::IostatJson => "iostat JSON",
            Self::Perfmon => "performance counters",
        }
    }

    /// What it is called in JSON and on the command line.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Fio => "fio",
            Self::DiskspdXml => "diskspd-xml",
            Self::DiskspdText => "diskspd-text",
            Self::CrystalDiskMark => "crystaldiskmark",
            Self::KDiskMark => "kdiskmark",
            Self::BackupHistory => "backup-history",
            Self::CommandLog => "command-log",
            Self::BruteForce => "brute-force",
            Self::Messages => "messages",
            Self::IostatText => "iostat-text",
            Self::IostatJson => "iostat-json",
            Self::Perfmon => "perfmon",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
