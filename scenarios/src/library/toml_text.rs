//! An entry as tables to paste into a scenario, and as JSON.

use std::fmt::Write as _;

use serde_json::Value as Json;

use super::{LibraryEntry, LibraryKind, LibraryValue};
use crate::inputs::with_units;
use crate::shape::{self, Shape};
use crate::tree;

/// Columns of a comment.
const WIDTH: usize = 96;

impl LibraryEntry {
    /// The entry as tables of a scenario, every value with how sure it is: a device called as the
    /// entry is, or `[compression]`. It says `like`, so that a fit knows what to expect.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let mut text = comment(&self.title) + &comment(&format!("Source: {}", self.source));
        let table = match self.kind {
            LibraryKind::Device => format!("device.{}", self.name),
            LibraryKind::Algorithm => "compression".to_string(),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "[{table}]\nlike = \"{}\"", self.name);
        if self.kind == LibraryKind::Algorithm {
            text.push_str(&comment(
                "ratio = 3.0  belongs to the data: backup_size / compressed_backup_size in msdb",
            ));
        }
        let mut last = String::new();
        if let (Some(law), true) = (self.law, self.values.is_empty()) {
            let _ = writeln!(text, "\n[{table}.{law}]");
        }
        for value in self.by_table() {
            let (above, key) = value.key.rsplit_once('.').unwrap_or(("", &value.key));
            if above != last {
                let _ = writeln!(text, "\n[{table}.{above}]");
                last = above.to_string();
            }
            text.push_str(&comment(&format!("Factor {}: {}", value.factor, value.reason)));
            if value.source != self.source {
                text.push_str(&comment(&format!("Source: {}", value.source)));
            }
            let _ = writeln!(text, "{key} = {}", value.literal());
        }
        text
    }

    /// The values as JSON, each quantity as a number with its unit in the key.
    #[must_use]
    pub fn values_json(&self) -> Json {
        let written = serde_json::to_value(tree::plain(&self.table))
            .unwrap_or_else(|error| unreachable!("an entry is not JSON: {error}"));
        match shape_of(self.kind) {
            Some(shape) => with_units(shape, &written),
            None => written,
        }
    }

    /// The values so that each table's stand together, values before the tables below them.
    fn by_table(&self) -> Vec<&LibraryValue> {
        let mut values: Vec<_> = self.values.iter().collect();
        let above = |value: &LibraryValue| {
            value.key.rsplit_once('.').map(|(above, _)| above.to_string()).unwrap_or_default()
        };
        values.sort_by_cached_key(|value| above(value));
        values
    }
}

impl LibraryValue {
    /// The value as TOML has it.
    fn literal(&self) -> String {
        if self.is_plain { self.value.clone() } else { format!("\"{}\"", self.value) }
    }
}

/// The shape of the table that says `like`.
fn shape_of(kind: LibraryKind) -> Option<&'static Shape> {
    match kind {
        LibraryKind::Device => match &shape::scenario().field("device")?.shape {
            Shape::Named(item) => Some(item),
            _ => None,
        },
        LibraryKind::Algorithm => Some(&shape::scenario().field("compression")?.shape),
    }
}

/// A comment in as many lines as it takes; no word is broken.
fn comment(text: &str) -> String {
    let mut lines = vec![String::from("#")];
    for word in text.split(' ') {
        let long = lines.last().is_some_and(|line| {
            line.len() > 1 && line.chars().count() + 1 + word.chars().count() > WIDTH
        });
        if long {
            lines.push(String::from("#"));
        }
        if let Some(line) = lines.last_mut() {
            line.push(' ');
            line.push_str(word);
        }
    }
    lines.iter().fold(String::new(), |text, line| text + line.trim_end() + "\n")
}
