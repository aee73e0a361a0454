//! Columns of a history without headings, by what stands in them.
//!
//! SSMS leaves headings out unless it is told otherwise. Two dates are begin and end, one letter
//! is the kind, of two large numbers the smaller is the compressed size, a text that looks like a
//! path is one, and the first other text is the database. Small numbers are not understood, but
//! for the query that `bakcast` itself prints.

use super::column::{Column, Meaning};
use crate::table::TableShape;
use crate::time_stamp::DateReader;

/// Rows that are looked at.
const ROWS: usize = 50;
/// Least size in bytes of a backup: numbers below are something else.
const LEAST_SIZE: u64 = 10_000;

/// Columns of `SELECT * FROM msdb.dbo.backupset` that matter, by their place.
const BACKUPSET: [(usize, Column); 9] = [
    (0, Column::SetId),
    (5, Column::LastFamily),
    (25, Column::Start),
    (26, Column::Finish),
    (27, Column::Kind),
    (32, Column::Size),
    (33, Column::Database),
    (34, Column::Server),
    (43, Column::Snapshot),
];
/// Places in the same table that only newer versions have.
const BACKUPSET_NEWER: [(usize, Column); 2] = [(50, Column::CopyOnly), (59, Column::Compressed)];

/// What is in a column in all rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    Date,
    Kind,
    Large,
    Small,
    Path,
    Text,
    Other,
}

/// The columns of a table without headings; empty if it does not look like a history.
pub(crate) fn guess(shape: &TableShape, head: &str) -> Vec<Option<Meaning>> {
    let mut rows: Vec<Vec<String>> = Vec::new();
    // What is in memory can be read.
    let _ = shape.for_each_row(head.as_bytes(), false, |row| {
        if rows.len() < ROWS && row.len() == shape.first.len() {
            rows.push(row.cells().map(str::to_string).collect());
        }
    });
    // The last one may be cut.
    if rows.len() > 1 && !head.ends_with('\n') {
        rows.pop();
    }
    let contents: Vec<Content> =
        (0..shape.first.len()).map(|column| content(&rows, column)).collect();
    backupset(&contents).or_else(|| by_content(&rows, &contents)).unwrap_or_default()
}

fn content(rows: &[Vec<String>], column: usize) -> Content {
    let cells = rows.iter().filter_map(|row| row.get(column)).map(String::as_str);
    let cells: Vec<&str> = cells.filter(|cell| !cell.is_empty() && *cell != "NULL").collect();
    let all = |test: fn(&str) -> bool| !cells.is_empty() && cells.iter().all(|cell| test(cell));
    if all(|cell| matches!(cell, "D" | "I" | "L" | "F" | "G" | "P" | "Q")) {
        Content::Kind
    } else if all(|cell| cell.parse::<u64>().is_ok()) {
        let large = cells.iter().filter(|cell| cell.parse().is_ok_and(|n: u64| n >= LEAST_SIZE));
        if large.count() * 2 > cells.len() { Content::Large } else { Content::Small }
    } else if all(|cell| DateReader::default().read(cell).is_some()) {
        Content::Date
    } else if all(|cell| cell.contains(['\\', '/']) || cell == "NUL") {
        Content::Path
    } else if all(|cell| cell.parse::<f64>().is_err()) {
        Content::Text
    } else {
        Content::Other
    }
}

fn backupset(contents: &[Content]) -> Option<Vec<Option<Meaning>>> {
    let is = |place: usize, content| contents.get(place) == Some(&content);
    if !(is(25, Content::Date) && is(26, Content::Date) && is(27, Content::Kind)) {
        return None;
    }
    let mut all = vec![None; contents.len()];
    for (place, column) in BACKUPSET.into_iter().chain(BACKUPSET_NEWER) {
        if let Some(meaning) = all.get_mut(place) {
            *meaning = Some(Meaning { column, unit: 1.0 });
        }
    }
    Some(all)
}

fn by_content(rows: &[Vec<String>], contents: &[Content]) -> Option<Vec<Option<Meaning>>> {
    let mut all = vec![None; contents.len()];
    let places = |wanted| {
        contents.iter().enumerate().filter(move |(_, c)| **c == wanted).map(|(place, _)| place)
    };
    let mut set = |place: usize, column| all[place] = Some(Meaning { column, unit: 1.0 });
    let dates: Vec<usize> = places(Content::Date).collect();
    let large: Vec<usize> = places(Content::Large).collect();
    let kind = places(Content::Kind).next();
    let texts: Vec<usize> = places(Content::Text).collect();
    let own = dates.len() == 1 && kind.is_none() && own_order(contents);
    if own {
        for (place, column) in
            [Column::Database, Column::Start, Column::Duration].into_iter().enumerate()
        {
            set(place, column);
        }
        for (place, column) in
            [(3, Column::Compressed), (4, Column::Size), (5, Column::Files), (6, Column::Path)]
        {
            set(place, column);
        }
        return Some(all);
    }
    let (start, finish) = ordered_pair(rows, &dates)?;
    set(start, Column::Start);
    set(finish, Column::Finish);
    if let Some(kind) = kind {
        set(kind, Column::Kind);
    }
    if let Some(path) = places(Content::Path).next() {
        set(path, Column::Path);
    }
    set(database(rows, &texts)?, Column::Database);
    match large[..] {
        [only] => set(only, Column::Size),
        [first, second, ..] => {
            let smaller = |a: usize, b: usize| sum(rows, a) < sum(rows, b);
            let (size, compressed) =
                if smaller(first, second) { (second, first) } else { (first, second) };
            set(size, Column::Size);
            set(compressed, Column::Compressed);
        }
        [] if kind.is_none() => return None,
        [] => {}
    }
    Some(all)
}

/// The order of the query that `bakcast` prints: database, begin, seconds, written bytes, bytes,
/// files, first file.
fn own_order(contents: &[Content]) -> bool {
    use Content::{Date, Large, Path, Small, Text};
    matches!(contents, [Text, Date, Small | Large, Large, Large, Small, Path | Text])
}

/// Two dates of which the second is never before the first, and soon after.
fn ordered_pair(rows: &[Vec<String>], dates: &[usize]) -> Option<(usize, usize)> {
    let pairs = dates.iter().flat_map(|a| dates.iter().map(move |b| (*a, *b)));
    let mut pairs: Vec<(usize, usize)> = pairs.filter(|(a, b)| a != b).collect();
    pairs.sort_unstable_by_key(|(a, b)| (a.abs_diff(*b), *a));
    pairs.into_iter().find(|(a, b)| {
        rows.iter().all(|row| {
            let mut reader = DateReader::default();
            let from = row.get(*a).and_then(|cell| reader.read(cell));
            let to = row.get(*b).and_then(|cell| reader.read(cell));
            let (Some(from), Some(to)) = (from, to) else { return true };
            let seconds = crate::time_stamp::seconds_between(from.at, to.at);
            (0.0..7.0 * 86_400.0).contains(&seconds)
        })
    })
}

/// The text with most different values; the first of equals.
fn database(rows: &[Vec<String>], texts: &[usize]) -> Option<usize> {
    let different = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.collect::<std::collections::BTreeSet<_>>().len()
    };
    let most = texts.iter().map(|column| different(*column)).max()?;
    texts.iter().copied().find(|column| different(*column) == most)
}

fn sum(rows: &[Vec<String>], column: usize) -> f64 {
    rows.iter().filter_map(|row| row.get(column)?.parse::<f64>().ok()).sum()
}
