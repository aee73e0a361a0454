//! The backup history of a server: msdb's tables in whatever form they were saved.
//!
//! Read are grids copied or saved from SSMS, with or without headings; `sqlcmd` in columns or
//! delimited; CSV, JSON, tables and lists of `PowerShell`; and `RESTORE HEADERONLY`. Columns go by
//! their headings. Rows of one backup, one for each file, become one backup.
//!
//! Stamps of the server are cut to whole seconds: a duration may be off by one either way.

pub(crate) mod collect;
pub(crate) mod column;
pub(crate) mod guess;
pub(crate) mod json;
pub(crate) mod record;

use serde_json::{Map, Value};

use crate::error::ImportError;
use crate::finding::{BackupKind, Import};
use crate::recognise::ImportOptions;
use crate::source::Source;
use crate::table::record::Row;
use crate::table::{Layout, TableShape};
use crate::time_stamp::DateReader;
use collect::{Cells, Collector};
use column::{COLUMNS, Column, Meaning, has, is_history, meanings};

/// Whether the beginning of a file looks like a history.
pub(crate) fn looks(head: &str) -> bool {
    if is_json(head) {
        return looks_like_json(head);
    }
    let Some(shape) = TableShape::of(head) else { return false };
    is_history(&meanings(&shape.first)) || !guess::guess(&shape, head).is_empty()
}

/// Reads a history.
///
/// # Errors
/// [`ImportError`], if there are no rows in it.
pub(crate) fn read(
    source: Source<'_>,
    options: &ImportOptions,
    import: &mut Import,
) -> Result<(), ImportError> {
    let dates = DateReader::new(options.date_order);
    let rows = if is_json(source.head()) {
        read_json(source, dates, import)?
    } else {
        read_table(source, dates, import)?
    };
    if rows == 0 {
        return Err(malformed(import, "there are no rows under its headings".to_string()));
    }
    Ok(())
}

pub(crate) fn malformed(import: &Import, reason: String) -> ImportError {
    ImportError::Malformed { file: import.file.clone(), format: import.format, reason }
}

fn is_json(head: &str) -> bool {
    head.trim_start().starts_with(['[', '{'])
}

fn looks_like_json(head: &str) -> bool {
    let mut names: Vec<&str> = head.split('"').skip(1).step_by(2).collect();
    names.sort_unstable();
    names.dedup();
    is_history(&meanings(&names))
}

fn unreadable(import: &Import) -> impl FnOnce(std::io::Error) -> ImportError + use<> {
    let file = import.file.clone();
    move |source| ImportError::Unreadable { file, source }
}

fn read_table(
    source: Source<'_>,
    dates: DateReader,
    import: &mut Import,
) -> Result<u64, ImportError> {
    let Some(shape) = TableShape::of(source.head()) else {
        return Err(malformed(import, "no table can be made out".to_string()));
    };
    let mut columns = meanings(&shape.first);
    let headings = is_history(&columns);
    if !headings {
        columns = guess::guess(&shape, source.head());
    }
    let unreadable = unreadable(import);
    let mut collector = Collector::new(import, dates, shape.decimal_comma);
    collector.head(&columns, if headings { &shape.first } else { &[] });
    if !has(&columns, Column::Kind) && is_own_query(&columns) {
        collector.assume(BackupKind::Full);
    }
    if headings {
        collector.warn_of_doubles(&columns, &shape.first);
    }
    let each = |row: &mut Row| {
        if row.len() > columns.len() && !mend(row, &columns, &shape.layout) {
            collector.too_broad(row.line);
            return;
        }
        let mut values = [""; COLUMNS];
        for (place, meaning) in columns.iter().enumerate() {
            if let (Some(Meaning { column, .. }), Some(cell)) = (meaning, row.cell(place)) {
                let value = &mut values[*column as usize];
                if value.is_empty() || *value == "NULL" {
                    *value = cell;
                }
            }
        }
        collector.row(&Cells { line: row.line, values });
    };
    shape.for_each_row(source.into_reader(), headings, each).map_err(unreadable)?;
    let rows = collector.rows;
    collector.finish();
    import.shape = shape.describe(rows);
    if !headings {
        import.shape += ", no headings";
    }
    Ok(rows)
}

/// Whether the columns are those of the query that `bakcast` prints: full backups only.
fn is_own_query(columns: &[Option<Meaning>]) -> bool {
    let has = |column| has(columns, column);
    has(Column::Duration) && has(Column::Files) && has(Column::Compressed) && !has(Column::Finish)
}

/// Puts together what commas in a text without quotes have parted; false if it is not clear where.
fn mend(row: &mut Row, columns: &[Option<Meaning>], layout: &Layout) -> bool {
    let Layout::Delimited(delimiter) = layout else { return true };
    let more = row.len() - columns.len();
    if (columns.len()..row.len()).all(|place| row.cell(place).is_none_or(str::is_empty)) {
        return true;
    }
    let is = |place: usize, wanted| columns[place].is_some_and(|m| m.column == wanted);
    let fits = |first: usize| {
        (0..columns.len()).all(|place| {
            let from = if place > first { place + more } else { place };
            let cell = row.cell(from).unwrap_or_default();
            match columns[place].map(|meaning| meaning.column) {
                Some(Column::Start | Column::Finish) => Collector::is_date(cell),
                Some(Column::Compressed) if cell.is_empty() => true,
                Some(Column::Size | Column::Compressed) => {
                    cell == "NULL" || cell.parse::<f64>().is_ok()
                }
                _ => true,
            }
        })
    };
    let named = [Column::Database, Column::Path];
    let places = named
        .into_iter()
        .flat_map(|column| (0..columns.len()).filter(move |place| is(*place, column)));
    // Where nothing is read, texts may be put together too; numbers never.
    let unread = (0..columns.len()).filter(|place| columns[*place].is_none());
    let places: Vec<usize> = places.chain(unread).collect();
    // A path does not end in a number of its own.
    let ends = |first: usize| {
        let last = row.cell(first + more).unwrap_or_default();
        !is(first, Column::Path) || last.parse::<f64>().is_err()
    };
    match places.into_iter().find(|first| ends(*first) && fits(*first)) {
        Some(first) => {
            row.unite(first, more, *delimiter);
            true
        }
        None => false,
    }
}

fn read_json(
    source: Source<'_>,
    dates: DateReader,
    import: &mut Import,
) -> Result<u64, ImportError> {
    let text = source.into_text().map_err(unreadable(import))?;
    let Some(text) = text else {
        let reason = "it is larger than 64 MiB: save it as CSV, which may be of any size";
        return Err(malformed(import, reason.to_string()));
    };
    let mut collector = Collector::new(import, dates, false);
    let mut number = 0;
    let result = json::for_each_object(&text, &mut |object| {
        number += 1;
        take_object(&mut collector, object, number);
    });
    let rows = collector.rows;
    collector.finish();
    import.shape = format!("{rows} {}, JSON", if rows == 1 { "object" } else { "objects" });
    match result {
        Ok(()) => Ok(rows),
        Err(reason) if rows > 0 => {
            let text = format!("the rest cannot be read: {reason}");
            import.caution(crate::finding::CautionCode::Damaged, text);
            Ok(rows)
        }
        Err(reason) => Err(malformed(import, reason)),
    }
}

fn take_object(collector: &mut Collector<'_>, object: &Map<String, Value>, number: u64) {
    let names: Vec<String> = object.keys().cloned().collect();
    let columns = meanings(&names);
    collector.head(&columns, &names);
    let texts: Vec<String> = object
        .values()
        .zip(&columns)
        .map(|(value, meaning)| meaning.map_or_else(String::new, |_| json::text_of(value)))
        .collect();
    let mut values = [""; COLUMNS];
    for (text, meaning) in texts.iter().zip(&columns) {
        if let Some(Meaning { column, .. }) = meaning {
            let value = &mut values[*column as usize];
            if value.is_empty() {
                *value = text;
            }
        }
    }
    collector.row(&Cells { line: number, values });
}
