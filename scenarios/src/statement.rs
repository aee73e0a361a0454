//! The BACKUP and RESTORE statements a scenario stands for.

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
        backup_statement(&self.scenario)
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
    if scenario.device.get(device).is_some_and(|device| device.null.is_some()) {
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
