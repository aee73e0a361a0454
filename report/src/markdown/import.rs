//! `import` as Markdown.

use super::{escaped, table};
use crate::document::{Document, ImportResult, ImportedBackup};
use crate::number::{bytes, duration, rate_binary};

pub(crate) fn import(document: &Document<ImportResult>) -> String {
    let result = &document.result;
    let mut out = String::new();
    for file in &result.files {
        out.push_str(&format!("- `{}`: {}\n", file.file, escaped(&file.account)));
        for field in &file.fields {
            let (place, found) = (escaped(&field.place), escaped(&field.found));
            out.push_str(&format!("  - {place}: `{found}` is {}\n", escaped(&field.meaning)));
        }
    }
    if !result.backups.is_empty() {
        let headings = [
            "started", "database", "kind", "backup", "verify", "read", "rate", "files", "left out",
        ];
        let rows: Vec<_> = result.backups.iter().map(row).collect();
        out.push_str(&format!("\n{}", table(&headings, 3, &rows)));
    }
    for note in &result.notes {
        out.push_str(&format!("\n{}\n", escaped(note)));
    }
    for assumed in &result.assumed {
        out.push_str(&format!("\nAssumed: {}.\n", escaped(assumed)));
    }
    for growth in &result.growth {
        out.push_str(&format!("\nGrowth of {}.\n", escaped(&growth.sentence())));
    }
    if let Some(toml) = &result.toml {
        out.push_str(&format!("\n```toml\n{toml}```\n"));
    }
    for next in &result.next {
        out.push_str(&format!("\n    {next}\n"));
    }
    out
}

fn row(backup: &ImportedBackup) -> Vec<String> {
    vec![
        backup.started.clone().unwrap_or_default(),
        backup.database.clone(),
        backup.kind.to_string(),
        backup.backup_seconds.map(duration).unwrap_or_default(),
        backup.verify_seconds.map(duration).unwrap_or_default(),
        backup.read_bytes.map(|read| bytes(read as f64)).unwrap_or_default(),
        backup.read_bytes_per_second.map(rate_binary).unwrap_or_default(),
        backup.stripes.map(|stripes| stripes.to_string()).unwrap_or_default(),
        backup.unusable.clone().unwrap_or_default(),
    ]
}
