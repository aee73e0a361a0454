//! What a statement means for a scenario: assignments to its knobs, and what it cannot model.

use bakcast_models::sql_server;

use super::draft::problem;
use super::model::{Statement, StatementKind, Target, TargetKind};
use super::{StatementProblems, parse_named, paths, rule};
use crate::error::ScenarioError;
use crate::load::{Document, Loaded};
use crate::place::Sources;
use crate::problem::{Problem, ProblemKind, Problems};
use crate::reference::Reference;
use crate::schema::{Database, Scenario};
use crate::set::Set;
use crate::warning::{Warning, WarningCode};
use crate::words;

/// Most buffers the model takes.
const BUFFER_COUNT_MAX: u64 = 65_536;
/// Values without which a statement cannot be predicted, by the words of the three forms.
const NEEDED: [&str; 22] = [
    "DISK",
    "URL",
    "TAPE",
    "VIRTUAL_DEVICE",
    "backup device",
    "BUFFERCOUNT",
    "MAXTRANSFERSIZE",
    "BLOCKSIZE",
    "Directory",
    "NumberOfFiles",
    "Compress",
    "BufferCount",
    "MaxTransferSize",
    "BlockSize",
    "BackupType",
    "Path",
    "FilePath",
    "FileCount",
    "StorageBaseUrl",
    "Type",
    "CompressBackup",
    "parameters",
];

/// A text of statements as assignments to a scenario.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Translation {
    /// What the statements set; assignments of the user's come after them.
    pub sets: Vec<Set>,
    /// What the scenario does not model, or the statements leave open.
    pub warnings: Vec<Warning>,
    /// What was read and has no effect.
    pub notes: Vec<String>,
}

impl Scenario {
    /// Loads what the command line calls SCENARIO with the settings of statements, then with
    /// assignments; see [`Document::load_statements`].
    ///
    /// # Errors
    ///
    /// As [`Document::load_statements`].
    pub fn load_reference_with(
        reference: &str,
        statements: (&str, &str),
        sets: &[Set],
    ) -> Result<Loaded, ScenarioError> {
        let reference = Reference::parse(reference);
        let document = Document::open(&reference.origin)?;
        document.load_statements(reference.variant.as_deref(), statements, sets)
    }
}

impl Document {
    /// Loads one variant with the settings of statements, then with assignments. `name` stands in
    /// messages for the text of the statements.
    ///
    /// # Errors
    ///
    /// As [`Document::load`] and [`Document::translate`].
    pub fn load_statements(
        &self,
        variant: Option<&str>,
        (name, text): (&str, &str),
        sets: &[Set],
    ) -> Result<Loaded, ScenarioError> {
        let translation = self.translate(variant, (name, text), sets)?;
        let all: Vec<Set> = translation.sets.into_iter().chain(sets.iter().cloned()).collect();
        let mut loaded = self.load(variant, &all)?;
        loaded.warn_first(&translation.warnings);
        loaded.notes.extend(translation.notes);
        Ok(loaded)
    }

    /// What statements set in one variant of this scenario. The assignments `sets` count for its
    /// devices and `[paths]`; they are not part of the result.
    ///
    /// # Errors
    ///
    /// [`ScenarioError::Problems`] with those of the scenario, of the text, or of bringing them
    /// together: a path that leads to no device, a log backup, two backups.
    pub fn translate(
        &self,
        variant: Option<&str>,
        (name, text): (&str, &str),
        sets: &[Set],
    ) -> Result<Translation, ScenarioError> {
        let statements = parse_named(name, text)?;
        let scenario = self.load(variant, sets)?.scenario;
        translated(&scenario, (name, text), &statements).map_err(ScenarioError::Problems)
    }
}

/// What statements set in a scenario, or what is wrong with that; `name` stands in messages.
pub(super) fn translated(
    scenario: &Scenario,
    (name, text): (&str, &str),
    statements: &[Statement],
) -> Result<Translation, Box<Problems>> {
    let mut sources = Sources::default();
    sources.add(name, text);
    let (translation, problems) = (Translation::default(), Problems::of(sources));
    let mut work = Work { scenario, translation, problems };
    work.all(statements);
    if work.problems.is_empty() {
        return Ok(work.translation);
    }
    Err(Box::new(work.problems.sorted()))
}

impl From<StatementProblems> for ScenarioError {
    fn from(problems: StatementProblems) -> Self {
        ScenarioError::Problems(problems.0)
    }
}

struct Work<'a> {
    scenario: &'a Scenario,
    translation: Translation,
    problems: Problems,
}

impl Work<'_> {
    fn set(&mut self, path: &str, value: impl Into<String>) {
        self.translation.sets.push(Set::new(path, value));
    }

    fn warn(&mut self, code: WarningCode, text: impl Into<String>, hint: &str) {
        let warning = Warning { code, text: text.into(), hint: hint.to_string() };
        self.translation.warnings.push(warning);
    }

    fn refuse(&mut self, statement: &Statement, message: String, accepted: &str) {
        let end = statement.span.end.min(statement.span.start + statement.words.len().max(1));
        let span = statement.span.start..end;
        let wrong = problem(ProblemKind::NotModelled, &span, "", message);
        self.problems.report(wrong.found(statement.words.clone()).accepted(accepted));
    }

    fn all(&mut self, statements: &[Statement]) {
        let timed: Vec<&Statement> = statements.iter().filter(|s| s.is_timed()).collect();
        let backups: Vec<&Statement> = timed.iter().copied().filter(|s| s.is_backup()).collect();
        if timed.is_empty() {
            let message = "there is no statement that moves a backup".to_string();
            let none = problem(ProblemKind::NotModelled, &(0..0), "", message);
            let accepted = "`BACKUP DATABASE`, `RESTORE VERIFYONLY`, `RESTORE DATABASE`, or a call \
                            of DatabaseBackup or Backup-DbaDatabase";
            self.problems.report(none.accepted(accepted));
            return;
        }
        if let [_, second, ..] = backups.as_slice() {
            let message = format!("{} backups, but a scenario asks about one", backups.len());
            self.refuse(second, message, "one backup; others at the same time as `[beside.NAME]`");
        }
        for statement in &timed {
            self.known(statement);
            self.notes(statement);
        }
        if let Some(backup) = backups.first() {
            self.backup(backup);
        }
        let files = backups.first().or(timed.first());
        let stripes = files.map(|statement| self.stripes(statement)).unwrap_or_default();
        for statement in timed.iter().filter(|statement| !statement.is_backup()) {
            self.reading(statement, &stripes, backups.first().copied());
        }
    }

    /// Reports values that have to be known.
    fn known(&mut self, statement: &Statement) {
        for value in &statement.unresolved {
            if !NEEDED.contains(&value.what.as_str()) {
                let note = format!("{}: only the server knows {}", value.what, value.value);
                self.translation.notes.push(at_line(value.line, &note));
                continue;
            }
            let message = format!("`{}`: only the server knows `{}`", value.what, value.value);
            let open = problem(ProblemKind::Unresolved, &value.span, &value.what, message);
            let accepted = "a literal, or a variable that the same batch sets to one";
            self.problems.report(open.found(value.value.clone()).accepted(accepted));
        }
    }

    fn notes(&mut self, statement: &Statement) {
        let notes = statement.notes.iter().map(|note| at_line(note.line, &note.text));
        self.translation.notes.extend(notes);
    }

    /// The options of the backup.
    fn backup(&mut self, statement: &Statement) {
        if statement.kind == StatementKind::BackupLog {
            let message = "a log backup is not modelled: a scenario says nothing about the log";
            self.refuse(statement, message.to_string(), "a backup of the database");
            return;
        }
        if statement.snapshot {
            let message = "a snapshot copies no data, so there is nothing to predict".to_string();
            self.refuse(statement, message, "a backup that is streamed");
            return;
        }
        self.partly_modelled(statement);
        self.database(statement);
        self.compression(statement);
        match statement.buffer_count {
            Some(count) if count > BUFFER_COUNT_MAX => {
                let span = statement.buffer_count_place.as_ref().unwrap_or(&statement.span);
                let message = format!("`BUFFERCOUNT` = {count} is more than the model takes");
                let wrong = problem(ProblemKind::OutOfRange, span, "BUFFERCOUNT", message);
                let wrong = wrong.found(count.to_string());
                self.problems.report(wrong.accepted(format!("1 to {BUFFER_COUNT_MAX}")));
            }
            count => self.set("backup.buffer_count", or_default(count)),
        }
        let size = self.transfer_size(statement);
        self.set("backup.transfer_size", in_bytes(size));
        self.set("backup.block_size", in_bytes(statement.block_size));
        if let Some(verify) = statement.verify {
            self.set("verify.enabled", verify.to_string());
        }
        self.blob_size(statement);
    }

    /// Warns about what changes the time and is not in the model.
    fn partly_modelled(&mut self, statement: &Statement) {
        if statement.differential || !statement.parts.is_empty() {
            self.warn(
                WarningCode::NotAFullBackup,
                "the statement backs up a part of the database; all of it is predicted",
                "set the sizes of the volumes to what is read, e.g. `--set volume.NAME.size=...`",
            );
        }
        if !statement.mirrors.is_empty() {
            let count = statement.mirrors.len();
            self.warn(
                WarningCode::MirrorsNotModelled,
                format!("{count} mirror(s) are left out: only the first media set is predicted"),
                "a mirror that is slower than it makes the backup as slow",
            );
        }
        if statement.encryption.is_some() {
            self.warn(
                WarningCode::EncryptionNotModelled,
                "the backup is encrypted, which the model does not charge for",
                "expect more processor time than is predicted",
            );
        }
        let stated = statement.algorithm.as_deref();
        if let Some(algorithm) = stated.filter(|name| *name != "MS_XPRESS") {
            self.warn(
                WarningCode::AlgorithmNotApplied,
                format!("`ALGORITHM = {algorithm}`: rates and ratio stay those of the scenario"),
                "`bakcast devices` lists algorithms for `--set compression.like=NAME`",
            );
        }
    }

    fn database(&mut self, statement: &Statement) {
        let fits = |name: &&String| {
            !name.is_empty() && name.len() <= 128 && !name.chars().any(words::is_hidden)
        };
        if let Some(name) = statement.database.as_ref().filter(fits) {
            self.other_database(name);
            self.set("database.name", toml::Value::String(name.clone()).to_string());
        }
    }

    /// Warns if the scenario says that its data are those of another database.
    fn other_database(&mut self, name: &str) {
        let own = &self.scenario.database;
        if *own == Database::default() || own.name.to_lowercase() == name.to_lowercase() {
            return;
        }
        let (name, own) = (words::shown(name), words::shown(&own.name));
        self.warn(
            WarningCode::OtherDatabase,
            format!("the statement backs up `{name}`, the scenario's data are those of `{own}`"),
            "set the sizes of the volumes to its own, e.g. `--set volume.NAME.size=...`",
        );
    }

    fn compression(&mut self, statement: &Statement) {
        let Some(is_compressed) = statement.compression else {
            let kept = self.scenario.backup.compression;
            let kept = if kept { "compressed" } else { "not compressed" };
            self.warn(
                WarningCode::CompressionNotStated,
                format!("the statement leaves compression to the server; predicted as {kept}"),
                "state COMPRESSION or NO_COMPRESSION, or `--set backup.compression=...`",
            );
            return;
        };
        if is_compressed && self.scenario.compression.is_none() {
            let message = "the backup is compressed, but the scenario has no `[compression]`";
            let accepted = "a table `[compression]` with at least `ratio`, in the scenario";
            self.refuse(statement, message.to_string(), accepted);
            return;
        }
        self.set("backup.compression", is_compressed.to_string());
    }

    /// The transfer size as far as the model knows it.
    fn transfer_size(&mut self, statement: &Statement) -> Option<u64> {
        let is_s3 = statement.targets.first().is_some_and(rule::is_s3);
        let default = is_s3.then_some(rule::TRANSFER_SIZE_DEFAULT_S3);
        let size = statement.transfer_size.or(default)?;
        let most = sql_server::TRANSFER_SIZE_MAX.get();
        if size > most {
            self.warn(
                WarningCode::TransferSizeNotModelled,
                format!("transfers of {size} bytes are predicted as those of {most} bytes"),
                "the model knows transfers of up to 4 MiB",
            );
        }
        Some(size.min(most))
    }

    /// Object storage holds so many blocks and no more.
    fn blob_size(&mut self, statement: &Statement) {
        let volumes = self.scenario.volume.values();
        let read = volumes.fold(0_u64, |sum, volume| sum.saturating_add(volume.size.bytes().get()));
        let is_compressed = statement.compression.unwrap_or(self.scenario.backup.compression);
        let ratio = self.scenario.compression.as_ref().filter(|_| is_compressed);
        let written = ratio.map_or(read, |data| (read as f64 / data.ratio.get()) as u64);
        if let Some(message) = rule::check_blob_size(statement, written) {
            let span = statement.targets.first().map_or(0..0, |target| target.span.clone());
            let wrong = problem(ProblemKind::OutOfRange, &span, "URL", message);
            self.problems.report(wrong);
        }
    }

    /// Sets the stripes to the devices of a statement's targets.
    fn stripes(&mut self, statement: &Statement) -> Vec<String> {
        if statement.targets.is_empty() {
            let is_open = statement.unresolved.iter().any(|v| NEEDED.contains(&v.what.as_str()));
            if statement.is_backup() && !is_open {
                let message = "the statement says nowhere where the backup goes".to_string();
                self.refuse(statement, message, "`@Directory`, `-Path` or `TO DISK = ...`");
            }
            return Vec::new();
        }
        let devices: Vec<_> = statement.targets.iter().map(|t| self.device(t)).collect();
        let devices: Option<Vec<String>> = devices.into_iter().collect();
        let Some(devices) = devices else { return Vec::new() };
        let list: Vec<_> = devices.iter().cloned().map(toml::Value::String).collect();
        self.set("backup.stripes", toml::Value::Array(list).to_string());
        devices
    }

    /// The device of a target; reports one that leads nowhere.
    fn device(&mut self, target: &Target) -> Option<String> {
        let device = paths::device_of(self.scenario, target);
        if device.is_none() && paths::is_nul(target) {
            return Some(self.nul());
        }
        if device.is_none() && !target.path.is_empty() {
            self.problems.report(self.unmapped(target));
        }
        device
    }

    /// The name of a null device for a scenario that has none: NUL needs no description.
    fn nul(&mut self) -> String {
        let is_free = |name: &String| !self.scenario.device.contains_key(name);
        let more = (2_u32..).map(|number| format!("nul{number}"));
        let name = std::iter::once("nul".to_string()).chain(more).find(is_free);
        let name = name.unwrap_or_default();
        let path = format!("device.{name}.null");
        if self.translation.sets.iter().all(|set| set.path != path) {
            self.set(&path, "{}");
        }
        name
    }

    fn unmapped(&self, target: &Target) -> Problem {
        let begin = paths::beginning(target);
        let shown = words::shown(&begin);
        let devices = || self.scenario.device.keys().map(String::as_str);
        let near = words::nearest(begin.trim_end_matches(':'), devices());
        // No disk stands for a tape, nor for another program.
        let is_file = !matches!(target.kind, TargetKind::Tape | TargetKind::Virtual);
        let first = || self.scenario.backup.stripes.first().map(String::as_str);
        let device = near.or_else(first).filter(|_| is_file);
        let device = device.unwrap_or("NAME");
        let path = words::shown(&target.path);
        let message = format!("`{path}` leads to no device: `{shown}` is not in `[paths]`");
        let quote = if begin.contains('\'') { '"' } else { '\'' };
        problem(ProblemKind::NotMapped, &target.span, "paths", message)
            .found(path)
            .accepted(format!("the devices of the scenario: {}", words::listed(devices())))
            .suggestion(Some(format!("`[paths]`, then `{quote}{shown}{quote} = \"{device}\"`")))
    }

    /// A statement that reads the backup.
    fn reading(&mut self, statement: &Statement, stripes: &[String], backup: Option<&Statement>) {
        match statement.kind {
            StatementKind::VerifyOnly => self.set("verify.enabled", "true"),
            StatementKind::RestoreDatabase if statement.targets.is_empty() => {
                let note = "RESTORE without FROM copies nothing";
                self.translation.notes.push(at_line(statement.line, note));
                return;
            }
            StatementKind::RestoreDatabase => {
                self.set("restore.enabled", "true");
                self.set("restore.buffer_count", or_default(statement.buffer_count));
                if statement.transfer_size.is_some() {
                    let size = self.transfer_size(statement);
                    self.set("restore.transfer_size", in_bytes(size));
                }
            }
            _ => {
                let message = "the restore of a log is not modelled".to_string();
                self.refuse(statement, message, "RESTORE VERIFYONLY or RESTORE DATABASE");
                return;
            }
        }
        if backup.is_none() {
            return;
        }
        let devices: Vec<_> = statement.targets.iter().map(|t| self.device(t)).collect();
        let same = devices.iter().flatten().eq(stripes.iter());
        if !same && devices.iter().all(Option::is_some) {
            self.warn(
                WarningCode::ReadElsewhere,
                "the backup is read from other devices than it is written to",
                "it is predicted as read from those it is written to",
            );
        } else if same && backup.is_some_and(|backup| paths::are_others(statement, backup)) {
            self.warn(
                WarningCode::ReadElsewhere,
                "other files are read than those that the backup is written to",
                "it is predicted as read from those it is written to",
            );
        }
    }
}

fn at_line(line: usize, text: &str) -> String {
    format!("line {line}: {text}")
}

fn or_default(count: Option<u64>) -> String {
    count.map_or("default".to_string(), |count| count.to_string())
}

fn in_bytes(size: Option<u64>) -> String {
    size.map_or("default".to_string(), |size| format!("{size} B"))
}
