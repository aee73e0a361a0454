//! Calls of Ola Hallengren's `DatabaseBackup`, and `EXEC('...')`.

use std::ops::Range;

use super::batch::{Reader, read_within};
use super::draft::{Draft, is_hopeless, problem, whole};
use super::expression::Value;
use super::model::{Encryption, StatementForm, StatementKind, Target, TargetKind};
use super::option::effect::{ALGORITHMS, CIPHERS, LEVELS, size};
use crate::problem::ProblemKind;
use crate::words;

/// Parameters that are used.
const USED: [&str; 28] = [
    "Databases",
    "Directory",
    "BackupType",
    "Verify",
    "Compress",
    "CompressionAlgorithm",
    "CompressionLevel",
    "CopyOnly",
    "CheckSum",
    "BlockSize",
    "BufferCount",
    "MaxTransferSize",
    "NumberOfFiles",
    "MinBackupSizeForMultipleFiles",
    "MaxFileSize",
    "Encrypt",
    "EncryptionAlgorithm",
    "ServerCertificate",
    "ServerAsymmetricKey",
    "ReadWriteFileGroups",
    "URL",
    "Credential",
    "MirrorDirectory",
    "MirrorURL",
    "Init",
    "Format",
    "Stats",
    "BackupSoftware",
];
/// Parameters without effect on the time of one backup.
const HARMLESS: [&str; 46] = [
    "CleanupTime",
    "CleanupMode",
    "CleanupUsesCMD",
    "ChangeBackupType",
    "CompressionLevelNumeric",
    "Description",
    "BackupSetName",
    "Threads",
    "Throttle",
    "EncryptionKey",
    "OverrideBackupPreference",
    "NoRecovery",
    "MirrorCleanupTime",
    "MirrorCleanupMode",
    "AvailabilityGroups",
    "Updateability",
    "AdaptiveCompression",
    "ModificationLevel",
    "MinDatabaseSizeForDifferentialBackup",
    "LogSizeSinceLastLogBackup",
    "TimeSinceLastLogBackup",
    "DataDomainBoostHost",
    "DataDomainBoostUser",
    "DataDomainBoostDevicePath",
    "DataDomainBoostLockboxPath",
    "DirectoryStructure",
    "AvailabilityGroupDirectoryStructure",
    "DirectoryStructureCase",
    "FileName",
    "AvailabilityGroupFileName",
    "FileNameCase",
    "TokenTimezone",
    "FileExtensionFull",
    "FileExtensionDiff",
    "FileExtensionLog",
    "ObjectLevelRecoveryMap",
    "ExcludeLogShippedFromLogBackup",
    "DirectoryCheck",
    "BackupOptions",
    "ExpireDate",
    "RetainDays",
    "StringDelimiter",
    "DatabaseOrder",
    "DatabasesInParallel",
    "LogToTable",
    "Execute",
];

/// Most directories of a call.
const DIRECTORIES_MAX: usize = 64;
/// Most files of a call.
const FILES_MAX: u64 = 64;

/// What the parameters say that belongs together.
#[derive(Default)]
struct Call {
    directories: Vec<Target>,
    mirrors: Vec<Target>,
    files: Option<u64>,
    encrypts: bool,
    encryption: Encryption,
    backup_type: Option<String>,
}

impl Reader<'_> {
    /// What follows EXEC.
    pub(super) fn execute(&mut self) {
        let begin = self.at.saturating_sub(usize::from(self.is_after_exec()));
        let before = self.at;
        if self.take_variable().is_some() && !self.take_sign('=') {
            // The name of the procedure stands in a variable.
            self.at = before;
        }
        if self.is_sign('(') {
            return self.execute_text(begin);
        }
        match self.take_name() {
            Some(name) if name.eq_ignore_ascii_case("DatabaseBackup") => self.call(begin),
            Some(name) if name.eq_ignore_ascii_case("sp_executesql") => self.inner(begin),
            _ => {
                self.skip_to_end();
                self.push_other(begin);
            }
        }
    }

    /// `EXEC('text')`.
    fn execute_text(&mut self, begin: usize) {
        self.at += 1;
        self.inner(begin);
        self.take_sign(')');
        self.skip_to_end();
    }

    /// The statements of a text that is run. One within another is not read.
    fn inner(&mut self, begin: usize) {
        let value = self.value();
        let text = value.as_ref().and_then(|value| value.text.as_ref());
        match (text, &value) {
            (Some(text), Some(value)) if self.within.is_none() && !is_hopeless(self.problems) => {
                let inner = read_within(text, Some(value.span.clone()), self.problems);
                self.drafts.extend(inner);
            }
            _ => {
                self.skip_to_end();
                self.push_other(begin);
            }
        }
    }

    /// The parameters of a call.
    fn call(&mut self, begin: usize) {
        let span = self.span_from(begin);
        let mut draft = Draft::new(StatementForm::Ola, StatementKind::BackupDatabase, span);
        draft.statement.words = "DatabaseBackup".to_string();
        let mut call = Call::default();
        while !self.at_end() && !self.is_start() {
            if is_hopeless(self.problems) || self.parameter(&mut draft, &mut call).is_none() {
                return;
            }
            if !self.take_sign(',') {
                break;
            }
        }
        draft.statement.span = self.span_from(begin);
        self.finish(&mut draft, &call);
        self.drafts.push(draft);
        if !self.at_end() && !self.is_start() && self.word().is_none() {
            self.recover(&[",", ";"]);
        }
    }

    /// `@Name = value`.
    fn parameter(&mut self, draft: &mut Draft, call: &mut Call) -> Option<()> {
        let span = self.here();
        let name = self.take_variable();
        let is_named = name.is_some() && self.take_sign('=');
        let Some(name) = name.filter(|_| is_named) else {
            self.recover(&["@Name = value"]);
            return None;
        };
        let Some(value) = self.value() else {
            self.recover(&["a value"]);
            return None;
        };
        let bare = name.trim_start_matches('@');
        let all = || USED.iter().chain(&HARMLESS).copied();
        let Some(known) = all().find(|known| known.eq_ignore_ascii_case(bare)) else {
            let message = format!("DatabaseBackup has no parameter `{}`", words::shown(&name));
            let near = words::nearest(bare, all()).map(|near| format!("`@{near}`"));
            let unknown = problem(ProblemKind::UnknownKey, &span, &name, message);
            let unknown = unknown.found(words::shown(&name)).accepted(words::listed(USED));
            self.problems.report(unknown.suggestion(near));
            return Some(());
        };
        let whole = span.start..value.span.end.max(span.end);
        draft.enter(option_of(known), &whole, self.problems);
        if value.is_null {
            draft.options.remove(option_of(known));
            return Some(());
        }
        let Some(text) = value.text.clone() else {
            let written = self.written(&value.span).to_string();
            draft.unresolved(known, &written, &value.span);
            return Some(());
        };
        self.used(draft, call, known, &text, &value);
        Some(())
    }

    fn used(&mut self, draft: &mut Draft, call: &mut Call, name: &str, text: &str, value: &Value) {
        let span = &value.span;
        let statement = &mut draft.statement;
        match name {
            "Databases" => databases(draft, text, span),
            "BackupType" => {
                call.backup_type = self.one_of(name, text, span, &["FULL", "DIFF", "LOG"]);
            }
            "Directory" | "URL" => call.directories = self.places(name, text, span),
            "MirrorDirectory" | "MirrorURL" => call.mirrors = self.places(name, text, span),
            "Verify" => statement.verify = self.yes(name, text, span),
            "Compress" => statement.compression = self.yes(name, text, span),
            "CheckSum" => statement.checksum = self.yes(name, text, span),
            "CopyOnly" => statement.copy_only = self.yes(name, text, span) == Some(true),
            "Encrypt" => call.encrypts = self.yes(name, text, span) == Some(true),
            "ReadWriteFileGroups" => {
                if self.yes(name, text, span) == Some(true) {
                    statement.parts.push("READ_WRITE_FILEGROUPS".to_string());
                }
            }
            "BlockSize" | "BufferCount" | "MaxTransferSize" | "Stats" => {
                let number = whole(&format!("@{name}"), text, span, self.problems);
                size(draft, option_of(name), number);
            }
            "NumberOfFiles" => {
                call.files = whole(&format!("@{name}"), text, span, self.problems);
            }
            "MinBackupSizeForMultipleFiles" => {
                draft.note(span, "smaller databases go to fewer files than @NumberOfFiles");
            }
            "MaxFileSize" => {
                draft.note(span, "@MaxFileSize: the number of files depends on the database");
            }
            "CompressionAlgorithm" => {
                statement.algorithm = self.one_of(name, text, span, &ALGORITHMS);
            }
            "CompressionLevel" => statement.level = self.level(name, text, span),
            "EncryptionAlgorithm" => {
                call.encryption.algorithm = self.one_of(name, text, span, &CIPHERS);
            }
            "ServerCertificate" | "ServerAsymmetricKey" => {
                call.encryption.encryptor = Some(text.to_string());
            }
            "Credential" => statement.credential = Some(text.to_string()),
            "BackupSoftware" => draft.note(span, "another program takes the backup"),
            _ => draft.note(span, format!("@{name} has no effect on the time")),
        }
    }

    /// A level: a word, or the number another program wants.
    fn level(&mut self, name: &str, text: &str, span: &Range<usize>) -> Option<String> {
        if text.chars().all(|c| c.is_ascii_digit()) && text.len() < 3 {
            return Some(text.to_string());
        }
        self.one_of(name, text, span, &LEVELS)
    }

    fn one_of(
        &mut self,
        name: &str,
        text: &str,
        span: &Range<usize>,
        accepted: &[&str],
    ) -> Option<String> {
        let upper = text.trim().to_uppercase();
        if accepted.contains(&upper.as_str()) {
            return Some(upper);
        }
        let shown = words::shown(text);
        let message = format!("`@{name}` cannot be `{shown}`");
        let near = words::nearest(text, accepted.iter().copied());
        let wrong = problem(ProblemKind::NotAccepted, span, name, message).found(shown);
        let wrong = wrong.accepted(words::listed(accepted.iter().copied()));
        self.problems.report(wrong.suggestion(near.map(|near| format!("`'{near}'`"))));
        None
    }

    fn yes(&mut self, name: &str, text: &str, span: &Range<usize>) -> Option<bool> {
        self.one_of(name, text, span, &["Y", "N"]).map(|word| word == "Y")
    }

    /// Directories or addresses, with commas between them.
    fn places(&mut self, name: &str, text: &str, span: &Range<usize>) -> Vec<Target> {
        let kind = if name.ends_with("URL") { TargetKind::Url } else { TargetKind::Disk };
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        let places: Vec<_> = parts
            .take(DIRECTORIES_MAX + 1)
            .map(|path| Target { kind, path: path.to_string(), span: span.clone() })
            .collect();
        let is_twice = places.iter().enumerate().any(|(index, place)| {
            places.iter().take(index).any(|other| other.path.eq_ignore_ascii_case(&place.path))
        });
        if places.is_empty() || is_twice {
            let message = match is_twice {
                true => format!("`@{name}` names a directory twice"),
                false => format!("`@{name}` names no directory"),
            };
            let wrong = problem(ProblemKind::NotAccepted, span, name, message);
            let accepted = "different directories, and @NumberOfFiles for several files in each";
            self.problems.report(wrong.found(words::shown(text)).accepted(accepted));
        }
        places
    }

    /// What follows from several parameters.
    fn finish(&mut self, draft: &mut Draft, call: &Call) {
        let span = draft.statement.span.clone();
        match call.backup_type.as_deref() {
            Some("LOG") => draft.statement.kind = StatementKind::BackupLog,
            Some("DIFF") => draft.statement.differential = true,
            Some(_) => {}
            None if draft.statement.unresolved.iter().any(|value| value.what == "BackupType") => {}
            None if draft.options.contains_key("BackupType") => {}
            None => {
                let message = "DatabaseBackup needs `@BackupType`".to_string();
                let missing = problem(ProblemKind::MissingKey, &span, "BackupType", message);
                self.problems.report(missing.accepted("`@BackupType = 'FULL'`, 'DIFF' or 'LOG'"));
            }
        }
        if draft.statement.differential {
            draft.options.insert("DIFFERENTIAL".to_string(), draft.place_of("BackupType"));
        }
        if !draft.statement.copy_only {
            draft.options.remove("COPY_ONLY");
        }
        if call.encrypts {
            draft.statement.encryption = Some(call.encryption.clone());
        }
        let both = ["MaxFileSize", "NumberOfFiles"];
        if both.iter().all(|name| draft.options.contains_key(*name)) {
            let message = "`@MaxFileSize` and `@NumberOfFiles` exclude each other".to_string();
            let place = draft.place_of("MaxFileSize");
            let wrong = problem(ProblemKind::Contradiction, &place, "MaxFileSize", message);
            self.problems.report(wrong.accepted("one of them"));
        }
        let files = self.number_of_files(draft, call);
        draft.statement.targets = spread(&call.directories, files);
        if !call.mirrors.is_empty() {
            draft.statement.mirrors = vec![spread(&call.mirrors, files)];
        }
    }

    /// Files in all; reports a number that cannot be spread evenly.
    fn number_of_files(&mut self, draft: &Draft, call: &Call) -> u64 {
        let directories = call.directories.len() as u64;
        let Some(files) = call.files else { return directories };
        let mirrors = call.mirrors.len() as u64;
        let most = if mirrors == 0 { FILES_MAX } else { FILES_MAX / 2 };
        let uneven = |count: u64| count > 0 && files % count != 0;
        if (1..=most).contains(&files) && !uneven(directories) && !uneven(mirrors) {
            return files;
        }
        let span = draft.place_of("NumberOfFiles");
        let message = format!("`@NumberOfFiles` cannot be {files} for {directories} directories");
        let wrong = problem(ProblemKind::OutOfRange, &span, "NumberOfFiles", message);
        let wrong = wrong.found(files.to_string());
        self.problems.report(
            wrong.accepted(format!("a multiple of the number of directories, from 1 to {most}")),
        );
        directories
    }
}

/// One database by its name; a selection of several is noted.
fn databases(draft: &mut Draft, text: &str, span: &Range<usize>) {
    let name = text.trim();
    let is_selection = name.contains([',', '%'])
        || ["ALL_DATABASES", "SYSTEM_DATABASES", "USER_DATABASES", "AVAILABILITY_GROUP_DATABASES"]
            .iter()
            .any(|selection| selection.eq_ignore_ascii_case(name));
    if is_selection {
        draft.note(span, format!("`{}` selects databases on the server", words::shown(name)));
        return;
    }
    let name = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    draft.statement.database = Some(name.replace("]]", "]"));
}

/// As many files as are asked for, each directory's together, as the procedure numbers them.
fn spread(directories: &[Target], files: u64) -> Vec<Target> {
    let each = (files / (directories.len() as u64).max(1)).max(1);
    let copies =
        |target: &Target| std::iter::repeat_n(target.clone(), each.min(FILES_MAX) as usize);
    directories.iter().flat_map(copies).collect()
}

/// The option that a parameter stands for, so that rules find its place.
fn option_of(parameter: &str) -> &str {
    match parameter {
        "BlockSize" => "BLOCKSIZE",
        "BufferCount" => "BUFFERCOUNT",
        "MaxTransferSize" => "MAXTRANSFERSIZE",
        "Credential" => "CREDENTIAL",
        "CopyOnly" => "COPY_ONLY",
        "Stats" => "STATS",
        other => other,
    }
}
