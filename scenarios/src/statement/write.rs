//! The BACKUP and RESTORE statements a scenario stands for.

use std::borrow::Cow;
use std::collections::BTreeMap;

use bakcast_models::quantity::Bytes;

use crate::load::Loaded;
use crate::schema::{Backup, Restore, Scenario};

/// The statement, ready to run once the devices' names are replaced by folders.
///
/// `COPY_ONLY` keeps it from changing what differential backups are based on, `INIT` replaces what
/// an earlier run left; neither has an effect on the time. Options that the scenario leaves to the
/// engine are left out.
#[must_use]
pub fn backup_statement(scenario: &Scenario) -> String {
    statement(scenario, &scenario.database.name, &scenario.backup)
}

/// The statement of a backup of `database`.
fn statement(scenario: &Scenario, database: &str, backup: &Backup) -> String {
    let Backup {
        stripes,
        stripe_position: _,
        compression,
        buffer_count,
        transfer_size,
        block_size,
    } = backup;
    let mut options = vec!["COPY_ONLY".to_string(), "INIT".to_string()];
    options.push(if *compression { "COMPRESSION" } else { "NO_COMPRESSION" }.to_string());
    options.extend(buffer_count.map(|count| format!("BUFFERCOUNT = {count}")));
    options.extend(transfer_size.map(|size| format!("MAXTRANSFERSIZE = {}", size.bytes().get())));
    options.extend(block_size.map(|size| format!("BLOCKSIZE = {}", size.bytes().get())));
    format!(
        "BACKUP DATABASE {}\nTO {}\nWITH {};",
        bracketed(database),
        files(scenario, database, stripes).join(",\n   "),
        options.join(", ")
    )
}

/// The RESTORE statement of the backup; `REPLACE` lets it write over the database that is there.
/// The transfer size is stated in any case: what the engine would take is not certain.
#[must_use]
pub fn restore_statement(scenario: &Scenario) -> String {
    let Restore { buffer_count, transfer_size, .. } = &scenario.restore;
    let mut options = vec!["REPLACE".to_string()];
    options.extend(buffer_count.map(|count| format!("BUFFERCOUNT = {count}")));
    options.push(format!("MAXTRANSFERSIZE = {}", transfer_size.bytes().get()));
    let database = &scenario.database.name;
    format!(
        "RESTORE DATABASE {}\nFROM {}\nWITH {};",
        bracketed(database),
        files(scenario, database, &scenario.backup.stripes).join(",\n     "),
        options.join(", ")
    )
}

/// The RESTORE VERIFYONLY statement of the backup.
#[must_use]
pub fn verify_statement(scenario: &Scenario) -> String {
    let database = &scenario.database.name;
    let files = files(scenario, database, &scenario.backup.stripes);
    format!("RESTORE VERIFYONLY\nFROM {};", files.join(",\n     "))
}

/// The call of Ola Hallengren's `DatabaseBackup`; nothing if it cannot say the same: a backup to
/// NUL and to files.
///
/// Files are spread over directories evenly and in order. Where the stripes are not, each has a
/// directory of its own.
#[must_use]
pub fn ola_call(scenario: &Scenario) -> Option<String> {
    let Backup {
        stripes,
        stripe_position: _,
        compression,
        buffer_count,
        transfer_size,
        block_size,
    } = &scenario.backup;
    let (directories, files) = directories(scenario, stripes)?;
    let yes = |flag: bool| if flag { "'Y'" } else { "'N'" }.to_string();
    let mut parameters = vec![
        ("Databases", text_literal(&selection(&scenario.database.name)?)),
        ("Directory", text_literal(&directories.join(","))),
        ("BackupType", "'FULL'".to_string()),
        ("CopyOnly", yes(true)),
        ("Compress", yes(*compression)),
    ];
    if files > directories.len() {
        parameters.push(("NumberOfFiles", files.to_string()));
    }
    parameters.extend(buffer_count.map(|count| ("BufferCount", count.to_string())));
    let bytes = |size: Bytes| size.get().to_string();
    parameters.extend(transfer_size.map(|size| ("MaxTransferSize", bytes(size.bytes()))));
    parameters.extend(block_size.map(|size| ("BlockSize", bytes(size.bytes()))));
    parameters.extend(scenario.verify.enabled.map(|flag| ("Verify", yes(flag))));
    let parameters: Vec<String> =
        parameters.iter().map(|(name, value)| format!("@{name} = {value}")).collect();
    Some(format!("EXECUTE dbo.DatabaseBackup\n    {};", parameters.join(",\n    ")))
}

/// dbatools' command; nothing if it cannot say the same: several stripes, one of which goes to
/// NUL. `SERVER` is to be replaced.
#[must_use]
pub fn dbatools_call(scenario: &Scenario) -> Option<String> {
    let Backup {
        stripes,
        stripe_position: _,
        compression,
        buffer_count,
        transfer_size,
        block_size,
    } = &scenario.backup;
    let is_null = |device: &String| is_null(scenario, device);
    let quoted = |text: &str| format!("'{}'", text.replace('\'', "''"));
    let target = match stripes.as_slice() {
        [device] if is_null(device) => "-FilePath NUL".to_string(),
        stripes if stripes.iter().any(is_null) => return None,
        [first, rest @ ..] if !rest.is_empty() && rest.iter().all(|device| device == first) => {
            format!("-Path {} -FileCount {}", quoted(&folder(first)), stripes.len())
        }
        stripes => {
            let paths: Vec<_> = stripes.iter().map(|device| quoted(&folder(device))).collect();
            format!("-Path {}", paths.join(", "))
        }
    };
    let mut options = vec![
        "Backup-DbaDatabase -SqlInstance SERVER".to_string(),
        format!("-Database {}", quoted(&scenario.database.name)),
        target,
        "-Type Full -CopyOnly".to_string(),
        format!("-CompressBackup:${compression}"),
    ];
    options.extend(buffer_count.map(|count| format!("-BufferCount {count}")));
    options.extend(transfer_size.map(|size| format!("-MaxTransferSize {}", size.bytes().get())));
    options.extend(block_size.map(|size| format!("-BlockSize {}", size.bytes().get())));
    options.extend(scenario.verify.enabled.map(|flag| format!("-Verify:${flag}")));
    Some(options.join(" `\n    "))
}

/// Directories of the procedure, and files in all.
fn directories(scenario: &Scenario, stripes: &[String]) -> Option<(Vec<String>, usize)> {
    let nulls = stripes.iter().filter(|device| is_null(scenario, device)).count();
    if nulls > 0 {
        return (nulls == stripes.len()).then(|| (vec!["NUL".to_string()], nulls));
    }
    let runs: Vec<&[String]> = stripes.chunk_by(|one, other| one == other).collect();
    let first = runs.first()?;
    let is_even = runs.iter().all(|run| run.len() == first.len());
    let is_once = |run: &&[String]| runs.iter().filter(|other| other[0] == run[0]).count() == 1;
    if is_even && runs.iter().all(is_once) {
        return Some((runs.iter().map(|run| folder(&run[0])).collect(), stripes.len()));
    }
    let own = stripes.iter().enumerate();
    let own = own.map(|(index, device)| format!(r"{}Backup{}", folder(device), index + 1));
    Some((own.collect(), stripes.len()))
}

/// The root of a device.
fn folder(device: &str) -> String {
    format!(r"{device}:\")
}

fn is_null(scenario: &Scenario, device: &str) -> bool {
    scenario.device.get(device).is_some_and(|device| device.null.is_some())
}

/// A database as the procedure selects it by name; nothing if it would take it for a pattern.
fn selection(name: &str) -> Option<String> {
    (!name.contains([',', '%'])).then(|| bracketed(name))
}

/// The files of a backup, as both statements name them.
fn files(scenario: &Scenario, database: &str, stripes: &[String]) -> Vec<String> {
    let files = stripes.iter().enumerate().map(|(index, device)| {
        let number = (stripes.len() > 1).then_some(index + 1);
        format!("DISK = {}", text_literal(&file_name(scenario, database, device, number)))
    });
    files.collect()
}

impl Loaded {
    /// The RESTORE statement, if a restore is predicted.
    #[must_use]
    pub fn restore_statement(&self) -> Option<String> {
        self.scenario.restore.enabled.then(|| restore_statement(&self.scenario))
    }

    /// The BACKUP statement the scenario stands for.
    #[must_use]
    pub fn statement(&self) -> String {
        backup_statement(&self.of_one_backup())
    }

    /// The RESTORE VERIFYONLY statement, if the backup is verified.
    #[must_use]
    pub fn verify_statement(&self) -> Option<String> {
        self.resolved.verification.as_ref().map(|_| verify_statement(&self.of_one_backup()))
    }

    /// The call of Ola Hallengren's procedure, if it can say the same.
    #[must_use]
    pub fn ola_call(&self) -> Option<String> {
        ola_call(&self.of_one_backup())
    }

    /// dbatools' command, if it can say the same.
    #[must_use]
    pub fn dbatools_call(&self) -> Option<String> {
        dbatools_call(&self.of_one_backup())
    }

    /// The scenario with the one backup that is asked about: of a night, the job that stands for
    /// it.
    fn of_one_backup(&self) -> Cow<'_, Scenario> {
        let Some(night) = &self.resolved.night else { return Cow::Borrowed(&self.scenario) };
        let is_own = |job: &&crate::NightJob| {
            job.database == self.resolved.database_name && job.backup == self.resolved.backup
        };
        let own = night.jobs.iter().find(is_own).and_then(|job| self.scenario.job.get(&job.name));
        let mut one = Scenario { job: BTreeMap::new(), ..self.scenario.clone() };
        one.database.name.clone_from(&self.resolved.database_name);
        if let Some(job) = own {
            one.backup = job.options(&self.scenario.backup);
        }
        Cow::Owned(one)
    }

    /// The BACKUP statements of the jobs beside it, in the order of their names. Each backs up a
    /// database that is called as the job is.
    #[must_use]
    pub fn statements_beside(&self) -> Vec<String> {
        let scenario = &self.scenario;
        let others = scenario.beside.iter();
        others.map(|(name, other)| statement(scenario, name, &other.backup)).collect()
    }
}

/// `device:\Sales_1.bak`, or NUL.
fn file_name(scenario: &Scenario, database: &str, device: &str, number: Option<usize>) -> String {
    if is_null(scenario, device) {
        return "NUL".to_string();
    }
    let allowed = |c: char| if c.is_control() || r#"\/:*?"<>|"#.contains(c) { '_' } else { c };
    let database: String = database.chars().map(allowed).collect();
    match number {
        Some(number) => format!(r"{device}:\{database}_{number}.bak"),
        None => format!(r"{device}:\{database}.bak"),
    }
}

/// An identifier: `]` is doubled.
fn bracketed(name: &str) -> String {
    format!("[{}]", name.replace(']', "]]"))
}

/// A text literal: `'` is doubled.
fn text_literal(text: &str) -> String {
    format!("N'{}'", text.replace('\'', "''"))
}
