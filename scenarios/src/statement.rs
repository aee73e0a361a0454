//! The BACKUP statements a scenario stands for.

use crate::load::Loaded;
use crate::schema::{Backup, Scenario};

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
    let files = stripes.iter().enumerate().map(|(index, device)| {
        let number = (stripes.len() > 1).then_some(index + 1);
        format!("DISK = {}", text_literal(&file_name(scenario, database, device, number)))
    });
    let mut options = vec!["COPY_ONLY".to_string(), "INIT".to_string()];
    options.push(if *compression { "COMPRESSION" } else { "NO_COMPRESSION" }.to_string());
    options.extend(buffer_count.map(|count| format!("BUFFERCOUNT = {count}")));
    options.extend(transfer_size.map(|size| format!("MAXTRANSFERSIZE = {}", size.bytes().get())));
    options.extend(block_size.map(|size| format!("BLOCKSIZE = {}", size.bytes().get())));
    format!(
        "BACKUP DATABASE {}\nTO {}\nWITH {};",
        bracketed(database),
        files.collect::<Vec<_>>().join(",\n   "),
        options.join(", ")
    )
}

impl Loaded {
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
