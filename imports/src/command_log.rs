//! `dbo.CommandLog`, the table in which Ola Hallengren's procedures log what they ran.
//!
//! The best source there is: begin and end to 100 ns, the whole statement, and a row of its own
//! for each verification. It has no sizes. A verification belongs to the last backup of the same
//! database to the same files that had ended when it began.

mod rows;

use serde_json::Value;

use crate::error::ImportError;
use crate::finding::{Import, counted};
use crate::history::json::{for_each_object, text_of};
use crate::history::{column::plain, malformed};
use crate::recognise::ImportOptions;
use crate::source::Source;
use crate::table::record::Row;
use crate::table::{Layout, TableShape};
use crate::time_stamp::DateReader;
use rows::{CommandRow, Commands};

/// Columns that matter, in the order of [`CommandRow::of`].
const COLUMNS: [&str; 6] =
    ["databasename", "command", "commandtype", "starttime", "endtime", "errornumber"];
/// Places of the columns in the table itself, for exports without headings.
const PLACES: [usize; 6] = [1, 10, 11, 12, 13, 14];
const ALL_COLUMNS: usize = 16;

/// Whether the beginning of a file looks like the table.
pub(crate) fn looks(head: &str) -> bool {
    if head.trim_start().starts_with(['[', '{']) {
        return head.contains("\"CommandType\"") && head.contains("\"Command\"");
    }
    TableShape::of(head).is_some_and(|shape| columns(&shape).is_some())
}

/// Places of the columns, and whether they have headings.
fn columns(shape: &TableShape) -> Option<([Option<usize>; 6], bool)> {
    let names: Vec<String> = shape.first.iter().map(|heading| plain(heading)).collect();
    let find = |name: &str| names.iter().position(|known| known == name);
    let found = COLUMNS.map(find);
    if found[1].is_some() && found[2].is_some() && found[3].is_some() {
        return Some((found, true));
    }
    let cell = |place: usize| shape.first.get(place).map_or("", String::as_str);
    let starts = |place: usize| DateReader::default().read(cell(place)).is_some();
    if shape.first.len() >= ALL_COLUMNS && is_type(cell(PLACES[2])) && starts(PLACES[3]) {
        return Some((PLACES.map(Some), false));
    }
    // Some of the columns only: the type stands between the statement and the times.
    let kind = (1..shape.first.len()).find(|place| is_type(cell(*place)) && starts(place + 1))?;
    let places = [kind.checked_sub(2), Some(kind - 1), Some(kind), Some(kind + 1), Some(kind + 2)];
    let [database, command, kind, start, end] = places;
    Some(([database, command, kind, start, end, None], false))
}

/// Whether a text is a type of command: `BACKUP_DATABASE`, `ALTER_INDEX`, `xp_create_subdir`.
fn is_type(text: &str) -> bool {
    let known = ["BACKUP_", "RESTORE_", "ALTER_", "UPDATE_", "DBCC_", "xp_", "sp_", "CREATE_"];
    known.iter().any(|begin| text.starts_with(begin))
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Reads the table.
///
/// # Errors
/// [`ImportError`], if there are no rows in it.
pub(crate) fn read(
    source: Source<'_>,
    options: &ImportOptions,
    import: &mut Import,
) -> Result<(), ImportError> {
    let mut commands = Commands::new(DateReader::new(options.date_order));
    let shape = if source.head().trim_start().starts_with(['[', '{']) {
        read_json(source, &mut commands, import)?
    } else {
        read_table(source, &mut commands, import)?
    };
    if commands.rows == 0 {
        return Err(malformed(import, "there are no rows under its headings".to_string()));
    }
    import.shape = shape;
    commands.finish(import);
    Ok(())
}

fn read_table(
    source: Source<'_>,
    commands: &mut Commands,
    import: &mut Import,
) -> Result<String, ImportError> {
    let shape = TableShape::of(source.head());
    let Some((shape, (places, headings))) = shape.and_then(|s| columns(&s).map(|c| (s, c))) else {
        return Err(malformed(import, "no columns can be made out".to_string()));
    };
    let unreadable = {
        let file = import.file.clone();
        move |source| ImportError::Unreadable { file, source }
    };
    let width = shape.first.len();
    let each = |row: &mut Row| {
        if row.len() > width {
            mend(row, width, &places, &shape.layout);
        }
        let cell = |place: Option<usize>| place.and_then(|place| row.cell(place)).unwrap_or("");
        commands.row(&CommandRow::of(row.line, places.map(cell)), import);
    };
    shape.for_each_row(source.into_reader(), headings, each).map_err(unreadable)?;
    let more = if headings { "" } else { ", no headings" };
    Ok(shape.describe(commands.rows) + more)
}

/// Puts a statement together that its commas have parted.
fn mend(row: &mut Row, width: usize, places: &[Option<usize>; 6], layout: &Layout) {
    let (Layout::Delimited(delimiter), Some(command)) = (layout, places[1]) else { return };
    let more = row.len() - width;
    let fits = places[2].and_then(|kind| row.cell(kind + more)).is_some_and(is_type);
    if fits {
        row.unite(command, more, *delimiter);
    }
}

fn read_json(
    source: Source<'_>,
    commands: &mut Commands,
    import: &mut Import,
) -> Result<String, ImportError> {
    let file = import.file.clone();
    let text = source.into_text().map_err(|source| ImportError::Unreadable { file, source })?;
    let Some(text) = text else {
        return Err(malformed(import, "it is larger than 64 MiB: save it as CSV".to_string()));
    };
    let mut number = 0;
    let result = for_each_object(&text, &mut |object| {
        number += 1;
        let texts = COLUMNS.map(|name| {
            let value = object.iter().find(|(key, _)| plain(key) == name);
            value.map_or_else(String::new, |(_, value): (_, &Value)| text_of(value))
        });
        commands.row(&CommandRow::of(number, texts.each_ref().map(String::as_str)), import);
    });
    match result {
        Err(reason) if commands.rows == 0 => return Err(malformed(import, reason)),
        Err(reason) => import.caution(
            crate::finding::CautionCode::Damaged,
            format!("the rest cannot be read: {reason}"),
        ),
        Ok(()) => {}
    }
    Ok(format!("{}, JSON", counted(commands.rows, "objects")))
}
