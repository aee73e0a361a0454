//! `import` for a terminal: one entry a file, then the backups, then what to do with them.

use super::{Paint, WIDTH, cut, entry, table, wrapped};
use crate::document::{
    Document, FieldResult, GrowthResult, ImportResult, ImportedBackup, ImportedFile,
};
use crate::number::{bytes, duration, rate_binary};

/// Backups on a screen.
const MOST_BACKUPS: usize = 10;

pub(crate) fn import(document: &Document<ImportResult>, paint: Paint) -> String {
    let result = &document.result;
    let mut out = String::new();
    for file in &result.files {
        out.push_str(&account(file, paint));
        if !file.fields.is_empty() {
            out.push_str(&fields(&file.fields));
        }
    }
    if !result.backups.is_empty() {
        out.push('\n');
        out.push_str(&backups(&result.backups, paint));
    }
    for note in &result.notes {
        out.push_str(&entry("Note", note));
    }
    for (index, assumed) in result.assumed.iter().enumerate() {
        out.push_str(&entry(if index == 0 { "Assumed" } else { "" }, assumed));
    }
    for growth in &result.growth {
        out.push_str(&entry("Growth", &growth.sentence()));
    }
    if let Some(toml) = &result.toml {
        out.push('\n');
        out.push_str(toml);
    }
    if !result.next.is_empty() {
        out.push('\n');
    }
    for (index, next) in result.next.iter().enumerate() {
        out.push_str(&entry(if index == 0 { "Next" } else { "" }, next));
    }
    out
}

/// The file in a paragraph, its warnings below.
fn account(file: &ImportedFile, paint: Paint) -> String {
    let line = match file.account.find(" [warning: ") {
        Some(end) => &file.account[..end],
        None => &file.account,
    };
    let mut out = String::new();
    for (index, line) in wrapped(&format!("{}: {line}", file.file), WIDTH - 4).iter().enumerate() {
        out.push_str(&format!("{}{line}\n", if index == 0 { "" } else { "    " }));
    }
    let refused = file.refused.iter().map(|text| ("not used", text));
    let warnings = file.warnings.iter().map(|warning| ("warning", &warning.text));
    for (label, text) in refused.chain(warnings) {
        let lines = wrapped(&format!("{label}: {text}"), WIDTH - 6);
        for (index, line) in lines.iter().enumerate() {
            let line = format!("    {}{line}\n", if index == 0 { "" } else { "  " });
            out.push_str(&line.replacen(label, &paint.caution(label), usize::from(index == 0)));
        }
    }
    out
}

fn fields(fields: &[FieldResult]) -> String {
    let row = |field: &FieldResult| {
        vec![
            format!("    {}", cut(&field.place, 30)),
            cut(&field.found, 20),
            cut(&field.meaning, 46),
        ]
    };
    table(&["    place", "found", "used as"], 9, &fields.iter().map(row).collect::<Vec<_>>())
}

fn backups(all: &[ImportedBackup], paint: Paint) -> String {
    let used: Vec<&ImportedBackup> =
        all.iter().filter(|backup| paint.whole || backup.unusable.is_none()).collect();
    // Where none can be used, those that are there.
    let backups = if used.is_empty() { all.iter().collect() } else { used };
    let shown = if paint.whole { backups.len() } else { MOST_BACKUPS.min(backups.len()) };
    let row = |backup: &&ImportedBackup| {
        vec![
            backup.started.as_deref().map(short_date).unwrap_or_default(),
            cut(&database_and_kind(backup), 14),
            backup.backup_seconds.map(duration).unwrap_or_default(),
            backup.verify_seconds.map(duration).unwrap_or_default(),
            backup.read_bytes.map(|read| bytes(read as f64)).unwrap_or_default(),
            backup.read_bytes_per_second.map(rate_binary).unwrap_or_default(),
            files(backup),
        ]
    };
    let rows: Vec<_> = backups[backups.len() - shown..].iter().map(row).collect();
    let headings = ["started", "database", "backup", "verify", "read", "rate", "files"];
    let mut out = table(&headings, 2, &rows);
    if rows.iter().any(|row| row[6].ends_with('c')) {
        out.push_str("c: compressed\n");
    }
    if shown < backups.len() {
        let older = backups.len() - shown;
        out.push_str(&format!("and {older} older: see --format json, or -o runs.csv\n"));
    }
    out
}

/// The database, and what kind of backup if it is not of all of it.
fn database_and_kind(backup: &ImportedBackup) -> String {
    match backup.kind {
        "full" => backup.database.clone(),
        kind => format!("{} ({kind})", backup.database),
    }
}

/// How many files, and whether they are compressed.
fn files(backup: &ImportedBackup) -> String {
    let count = backup.stripes.map(|stripes| stripes.to_string()).unwrap_or_default();
    if backup.compression == Some(true) { format!("{count} c") } else { count }
}

/// A date and a time to the minute.
fn short_date(text: &str) -> String {
    text.replace('T', " ").chars().take(16).collect()
}

impl GrowthResult {
    /// `Sales: +3.1 % a month (2.0 to 4.2 %), by 12 full backups; 1.9 TiB at the end`.
    #[must_use]
    pub fn sentence(&self) -> String {
        if let Some(unknown) = &self.unknown {
            return format!("{}: not known: {unknown}", self.database);
        }
        let percent = |share: Option<f64>| share.unwrap_or_default() * 100.0;
        let last = self
            .last_bytes
            .map_or_else(String::new, |last| format!("; {} at the end", bytes(last)));
        format!(
            "{}: {:+.1} % a month (90 %: {:+.1} to {:+.1} %), by {} full backups{last}",
            self.database,
            percent(self.per_month),
            percent(self.per_month_low),
            percent(self.per_month_high),
            self.points
        )
    }
}
