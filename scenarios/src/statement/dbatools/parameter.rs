//! The parameters of `Backup-DbaDatabase`, and what they mean together.

use std::ops::Range;

use bakcast_models::sql_server;

use super::Value;
use crate::problem::{Problem, ProblemKind, Problems};
use crate::statement::draft::{Draft, problem};
use crate::statement::model::{Encryption, StatementKind, Target, TargetKind};
use crate::statement::option::effect::size;
use crate::words;

/// What a parameter takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    Switch,
    Value,
}

/// One parameter.
#[derive(Debug)]
pub(super) struct Parameter {
    pub(super) name: &'static str,
    aliases: &'static [&'static str],
    pub(super) takes: Takes,
}

const fn switch(name: &'static str, aliases: &'static [&'static str]) -> Parameter {
    Parameter { name, aliases, takes: Takes::Switch }
}

const fn value(name: &'static str, aliases: &'static [&'static str]) -> Parameter {
    Parameter { name, aliases, takes: Takes::Value }
}

/// Every parameter, those of all commands last.
const PARAMETERS: [Parameter; 49] = [
    value("SqlInstance", &[]),
    value("SqlCredential", &[]),
    value("Database", &[]),
    value("ExcludeDatabase", &[]),
    value("Path", &["BackupDirectory"]),
    value("FilePath", &["BackupFileName"]),
    switch("IncrementPrefix", &[]),
    switch("ReplaceInName", &[]),
    switch("NoAppendDbNameInPath", &[]),
    switch("CopyOnly", &[]),
    value("Type", &[]),
    value("InputObject", &[]),
    switch("CreateFolder", &[]),
    value("FileCount", &[]),
    switch("CompressBackup", &[]),
    switch("Checksum", &[]),
    switch("Verify", &[]),
    value("MaxTransferSize", &[]),
    value("BlockSize", &[]),
    value("BufferCount", &[]),
    value("StorageBaseUrl", &["AzureBaseUrl"]),
    value("StorageCredential", &["AzureCredential"]),
    value("StorageRegion", &[]),
    switch("NoRecovery", &[]),
    switch("BuildPath", &[]),
    switch("WithFormat", &[]),
    switch("Initialize", &[]),
    switch("SkipTapeHeader", &[]),
    value("TimeStampFormat", &[]),
    switch("IgnoreFileChecks", &[]),
    switch("OutputScriptOnly", &[]),
    value("EncryptionAlgorithm", &[]),
    value("EncryptionCertificate", &[]),
    value("EncryptionKey", &[]),
    value("Description", &[]),
    switch("EnableException", &[]),
    switch("WhatIf", &["wi"]),
    switch("Confirm", &["cf"]),
    switch("Verbose", &["vb"]),
    switch("Debug", &["db"]),
    value("ErrorAction", &["ea"]),
    value("WarningAction", &["wa"]),
    value("InformationAction", &["infa"]),
    value("ProgressAction", &["proga"]),
    value("ErrorVariable", &["ev"]),
    value("WarningVariable", &["wv"]),
    value("OutVariable", &["ov"]),
    value("OutBuffer", &["ob"]),
    value("PipelineVariable", &["pv"]),
];

/// Types of backup.
const TYPES: [&str; 5] = ["Full", "Log", "Differential", "Diff", "Database"];
/// Algorithms of encryption.
const CIPHERS: [&str; 4] = ["AES128", "AES192", "AES256", "TRIPLEDES"];

/// Why there is no parameter of a name.
pub(super) enum Fault {
    Unknown,
    Ambiguous(Vec<&'static str>),
}

/// The parameter of a name, an alias, or a beginning that no other has.
pub(super) fn find(name: &str) -> Result<&'static Parameter, Fault> {
    let names =
        |known: &Parameter| std::iter::once(known.name).chain(known.aliases.iter().copied());
    let same = |known: &&Parameter| names(known).any(|other| other.eq_ignore_ascii_case(name));
    if let Some(known) = PARAMETERS.iter().find(same) {
        return Ok(known);
    }
    let begins =
        |other: &str| other.get(..name.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(name));
    let found: Vec<&Parameter> =
        PARAMETERS.iter().filter(|known| names(known).any(begins)).collect();
    match found.as_slice() {
        [] => Err(Fault::Unknown),
        [known] => Ok(known),
        several => Err(Fault::Ambiguous(several.iter().map(|known| known.name).collect())),
    }
}

impl Fault {
    pub(super) fn problem(self, name: &str, span: &Range<usize>) -> Problem {
        let shown = words::shown(name);
        let all = || PARAMETERS.iter().map(|known| known.name);
        let (message, accepted, near) = match self {
            Fault::Unknown => (
                format!("Backup-DbaDatabase has no parameter `-{shown}`"),
                words::listed(all()),
                words::nearest(name, all()),
            ),
            Fault::Ambiguous(names) => (
                format!("`-{shown}` may be several parameters"),
                words::listed(names.iter().copied()),
                None,
            ),
        };
        let wrong = problem(ProblemKind::UnknownKey, span, name, message).found(shown);
        wrong.accepted(accepted).suggestion(near.map(|near| format!("`-{near}`")))
    }
}

impl Parameter {
    /// The option that it stands for, so that rules find its place.
    pub(super) fn option(&self) -> &'static str {
        match self.name {
            "BlockSize" => "BLOCKSIZE",
            "BufferCount" => "BUFFERCOUNT",
            "MaxTransferSize" => "MAXTRANSFERSIZE",
            "StorageCredential" => "CREDENTIAL",
            "CopyOnly" => "COPY_ONLY",
            other => other,
        }
    }
}

/// What the parameters say that belongs together.
#[derive(Default)]
pub(super) struct Call {
    paths: Vec<Target>,
    file: Option<Target>,
    addresses: Vec<Target>,
    files: Option<u64>,
    encryption: Encryption,
}

impl Call {
    /// Enters a parameter.
    pub(super) fn enter(
        &mut self,
        draft: &mut Draft,
        known: &Parameter,
        values: &[Value],
        span: &Range<usize>,
        problems: &mut Problems,
    ) {
        if let Some(value) = values.iter().find(|value| value.text.is_none()) {
            draft.unresolved(known.name, &value.written, &value.span);
            return;
        }
        if known.takes == Takes::Switch {
            return switched(draft, known, values, span, problems);
        }
        let texts: Vec<&str> = values.iter().filter_map(|value| value.text.as_deref()).collect();
        let text = texts.first().copied().unwrap_or_default();
        let targets = |kind| {
            let target = |value: &Value| {
                let path = value.text.clone().unwrap_or_default();
                Target { kind, path, span: value.span.clone() }
            };
            values.iter().map(target).collect::<Vec<_>>()
        };
        match known.name {
            "Database" => match texts.as_slice() {
                [name] => draft.statement.database = Some((*name).to_string()),
                _ => draft.note(span, "several databases, one after the other"),
            },
            "Path" => self.paths = targets(TargetKind::Disk),
            "FilePath" => self.file = targets(TargetKind::Disk).into_iter().next(),
            "StorageBaseUrl" => self.addresses = targets(TargetKind::Url),
            "FileCount" => self.files = number(known.name, text, span, problems),
            "BufferCount" | "MaxTransferSize" | "BlockSize" => {
                let number = number(known.name, text, span, problems);
                size(draft, known.option(), number);
            }
            "Type" => kind(draft, text, span, problems),
            "StorageCredential" => draft.statement.credential = Some(text.to_string()),
            "EncryptionAlgorithm" => {
                let word = one_of(known.name, text, span, &CIPHERS, problems);
                self.encryption.algorithm = word.map(str::to_uppercase);
            }
            "EncryptionCertificate" | "EncryptionKey" => {
                self.encryption.encryptor = Some(text.to_string());
            }
            name => draft.note(span, format!("-{name} has no effect on the time")),
        }
    }

    /// What follows from several parameters.
    pub(super) fn finish(self, draft: &mut Draft, problems: &mut Problems) {
        if !draft.statement.copy_only {
            draft.options.remove("COPY_ONLY");
        }
        if self.encryption != Encryption::default() {
            draft.statement.encryption = Some(self.encryption);
        }
        if let (Some(path), Some(_)) = (self.addresses.first(), self.paths.first()) {
            let message = "`-StorageBaseUrl` and `-Path` exclude each other".to_string();
            let wrong = problem(ProblemKind::Contradiction, &path.span, "StorageBaseUrl", message);
            problems.report(wrong.accepted("one of them"));
        }
        let mut targets = if self.addresses.is_empty() { self.paths } else { self.addresses };
        if targets.is_empty() {
            targets.extend(self.file);
        }
        let most = sql_server::STRIPES_MAX as u64;
        let files = self.files.unwrap_or(0);
        if files > most {
            let span = draft.place_of("FileCount");
            let message = format!("`-FileCount` cannot be {files}");
            let wrong = problem(ProblemKind::OutOfRange, &span, "FileCount", message);
            problems.report(wrong.found(files.to_string()).accepted(format!("0 to {most}")));
        } else if let [one] = targets.as_slice() {
            targets = vec![one.clone(); (files as usize).max(1)];
        } else if files > 0 && !targets.is_empty() {
            let span = draft.place_of("FileCount");
            draft.note(&span, "with several paths, -FileCount is not used: one file in each");
        }
        draft.statement.targets = targets;
    }
}

/// A truth value of PowerShell, by the name of its variable.
pub(super) fn flag(name: &str) -> Option<bool> {
    match name.to_ascii_lowercase().as_str() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

/// Enters a switch, which may be tied to a truth value.
fn switched(
    draft: &mut Draft,
    known: &Parameter,
    values: &[Value],
    span: &Range<usize>,
    problems: &mut Problems,
) {
    let text = values.first().and_then(|value| value.text.as_deref());
    let is_on = match text {
        None | Some("1") => Some(true),
        Some("0") => Some(false),
        Some(text) => flag(text),
    };
    let Some(is_on) = is_on else {
        let shown = words::shown(text.unwrap_or_default());
        let message = format!("`-{}` is a switch, found `{shown}`", known.name);
        let wrong = problem(ProblemKind::NotAccepted, span, known.name, message).found(shown);
        problems.report(wrong.accepted("nothing, `:$true` or `:$false`"));
        return;
    };
    let statement = &mut draft.statement;
    match known.name {
        "CompressBackup" => statement.compression = Some(is_on),
        "Checksum" => statement.checksum = Some(is_on),
        "Verify" => statement.verify = Some(is_on),
        "CopyOnly" => statement.copy_only = is_on,
        "OutputScriptOnly" | "WhatIf" => {
            draft.note(span, format!("-{}: the command backs nothing up", known.name));
        }
        name => draft.note(span, format!("-{name} has no effect on the time")),
    }
}

/// The type of a backup.
fn kind(draft: &mut Draft, text: &str, span: &Range<usize>, problems: &mut Problems) {
    match one_of("Type", text, span, &TYPES, problems) {
        Some("Log") => draft.statement.kind = StatementKind::BackupLog,
        Some("Differential" | "Diff") => {
            draft.statement.differential = true;
            draft.options.insert("DIFFERENTIAL".to_string(), span.clone());
        }
        _ => {}
    }
}

fn one_of(
    name: &str,
    text: &str,
    span: &Range<usize>,
    accepted: &[&'static str],
    problems: &mut Problems,
) -> Option<&'static str> {
    let found = accepted.iter().find(|word| word.eq_ignore_ascii_case(text));
    if found.is_none() {
        let shown = words::shown(text);
        let message = format!("`-{name}` cannot be `{shown}`");
        let near = words::nearest(text, accepted.iter().copied());
        let wrong = problem(ProblemKind::NotAccepted, span, name, message).found(shown);
        let wrong = wrong.accepted(words::listed(accepted.iter().copied()));
        problems.report(wrong.suggestion(near.map(|near| format!("`{near}`"))));
    }
    found.copied()
}

/// Suffixes of numbers and what they multiply by.
const SUFFIXES: [(&str, u32); 4] = [("kb", 10), ("mb", 20), ("gb", 30), ("tb", 40)];

/// A whole number, perhaps with a suffix: `4MB` is 4 x 2^20, `0.5KB` is 512.
fn number(name: &str, text: &str, span: &Range<usize>, problems: &mut Problems) -> Option<u64> {
    let lower = text.trim().to_ascii_lowercase();
    let suffix = SUFFIXES.iter().find(|(suffix, _)| lower.ends_with(suffix));
    let digits = suffix.map_or(lower.as_str(), |(suffix, _)| lower.trim_end_matches(suffix));
    let factor = suffix.map_or(1.0, |(_, bits)| (1_u64 << bits) as f64);
    let is_plain = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit() || c == '.');
    let parsed = digits.parse::<f64>().ok().filter(|_| is_plain);
    let bytes = parsed.map(|number| number * factor).filter(|bytes| *bytes <= 2_147_483_647.0);
    if let Some(bytes) = bytes.filter(|bytes| bytes.fract() == 0.0) {
        return Some(bytes as u64);
    }
    let shown = words::shown(text);
    let message = format!("`-{name}` is a whole number, found `{shown}`");
    let wrong = problem(ProblemKind::WrongType, span, name, message).found(shown);
    problems.report(wrong.accepted("a number such as `50`, `4194304` or `4MB` (2^20)"));
    None
}
