//! Rows of a history, one after the other, in bounded memory.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::column::{COLUMNS, Column, Meaning, plain};
use super::record::{HALF_ZONED, Record, device_of, kind_of};
use crate::finding::{BackupKind, CautionCode, Import, Names};
use crate::judge;
use crate::table::number::{read_duration, read_number, read_size};
use crate::time_stamp::DateReader;

/// Most backups that are kept, the latest of them.
const MOST_BACKUPS: usize = 100_000;
/// Backups at which the oldest are let go.
const FULL_UP: usize = MOST_BACKUPS + MOST_BACKUPS / 2;
/// Share by which sizes may be rounded before it is said.
const SHOWN_ROUNDING: f64 = 2e-4;
/// Backups whose fields are explained.
const EXPLAINED: usize = 12;

/// The cells of a row by what they hold; empty where there is nothing.
pub(super) struct Cells<'a> {
    pub(super) line: u64,
    pub(super) values: [&'a str; COLUMNS],
}

impl<'a> Cells<'a> {
    fn get(&self, column: Column) -> Option<&'a str> {
        let text = self.values[column as usize].trim();
        (!text.is_empty() && text != "NULL").then_some(text)
    }

    fn flag(&self, column: Column) -> Option<bool> {
        match self.get(column)?.to_ascii_lowercase().as_str() {
            "1" | "true" | "yes" => Some(true),
            "0" | "false" | "no" => Some(false),
            _ => None,
        }
    }

    fn count(&self, column: Column) -> u32 {
        self.get(column).and_then(|text| text.parse().ok()).filter(|n| *n <= 64).unwrap_or(0)
    }
}

/// Takes rows and gives backups.
pub(super) struct Collector<'i> {
    import: &'i mut Import,
    dates: DateReader,
    units: [f64; COLUMNS],
    headings: Vec<String>,
    decimal_comma: bool,
    /// Kind of rows that do not say it.
    kind: BackupKind,
    names: Names,
    records: Vec<Record>,
    logs: BTreeSet<u64>,
    dropped: u64,
    rounding: f64,
    /// Cells that are no sizes: how many, and the first.
    unreadable: BTreeMap<Column, (u64, String)>,
    /// Line of the first row with too many cells; 0 if there is none.
    broad: u64,
    /// Rows that came.
    pub(super) rows: u64,
}

impl<'i> Collector<'i> {
    pub(super) fn new(import: &'i mut Import, dates: DateReader, decimal_comma: bool) -> Self {
        Self {
            import,
            dates,
            units: [1.0; COLUMNS],
            headings: vec![String::new(); COLUMNS],
            decimal_comma,
            kind: BackupKind::Unknown,
            names: Names::default(),
            records: Vec::new(),
            logs: BTreeSet::new(),
            dropped: 0,
            rounding: 0.0,
            unreadable: BTreeMap::new(),
            broad: 0,
            rows: 0,
        }
    }

    /// Takes over units and names of columns.
    pub(super) fn head(&mut self, meanings: &[Option<Meaning>], headings: &[String]) {
        for (place, meaning) in meanings.iter().enumerate() {
            let Some(Meaning { column, unit }) = meaning else { continue };
            self.units[*column as usize] = *unit;
            self.headings[*column as usize] = headings
                .get(place)
                .filter(|heading| !heading.is_empty())
                .map_or_else(|| format!("column {}", place + 1), Clone::clone);
        }
    }

    /// Says of which kind rows are that do not say it themselves.
    pub(super) fn assume(&mut self, kind: BackupKind) {
        self.kind = kind;
    }

    /// Whether a text can be read as a date.
    pub(super) fn is_date(text: &str) -> bool {
        text.is_empty() || text == "NULL" || DateReader::default().read(text).is_some()
    }

    /// Leaves out a row with more cells than there are headings.
    pub(super) fn too_broad(&mut self, line: u64) {
        self.rows += 1;
        if self.broad == 0 {
            self.broad = line;
        }
        self.import.ignore("rows with more cells than headings");
    }

    /// Warns of what was damaged.
    fn warn_of_damage(&mut self) {
        for (count, first) in self.unreadable.values() {
            let more =
                if *count > 1 { format!(" (and {} more)", count - 1) } else { String::new() };
            let text = format!("{first}{more}: no size that can be, so it is not known");
            self.import.caution(CautionCode::Damaged, text);
        }
        if self.broad > 0 {
            let text = format!(
                "line {} has more cells than there are headings: such rows are left out",
                self.broad
            );
            self.import.caution(CautionCode::Damaged, text);
        }
    }

    /// Warns of headings that stand more than once over what is used.
    pub(super) fn warn_of_doubles(&mut self, meanings: &[Option<Meaning>], headings: &[String]) {
        for (place, heading) in headings.iter().enumerate() {
            let known = plain(heading);
            let same = |other: &String| plain(other) == known;
            if meanings.get(place).is_some_and(Option::is_some)
                && headings[..place].iter().any(same)
            {
                let heading = bakcast_scenarios::shown_word(heading);
                let text = format!(
                    "the heading `{heading}` stands more than once: the first column with \
                     something in it is used"
                );
                self.import.caution(CautionCode::Ambiguous, text);
            }
        }
    }

    /// Takes a row.
    pub(super) fn row(&mut self, cells: &Cells<'_>) {
        self.rows += 1;
        let Some(database) = cells.get(Column::Database) else {
            self.import.ignore("rows without a database");
            return;
        };
        let start = cells.get(Column::Start).and_then(|text| self.dates.read(text));
        let finish = cells.get(Column::Finish).and_then(|text| self.dates.read(text));
        if cells.get(Column::Mirror).is_some_and(|mirror| mirror != "0") {
            self.import.ignore("rows of mirrored files");
            return;
        }
        let duration = self.duration(cells);
        if start.is_none() && finish.is_none() && duration.is_none() {
            self.import.ignore("rows without a time that can be read");
            return;
        }
        let kind = cells.get(Column::Kind).map_or(self.kind, kind_of);
        let key = key_of(cells);
        if kind == BackupKind::Log {
            // The growth of a database does not show in its logs: counted, not kept.
            self.logs.insert(key);
            return;
        }
        let path = cells.get(Column::Path).unwrap_or_default();
        let paths = path.split('\n').filter(|path| is_path(path)).map(Arc::from).collect();
        let files = [Column::Files, Column::LastFamily, Column::Family];
        let record = Record {
            key,
            line: cells.line,
            server: cells.get(Column::Server).map(|name| self.intern(name)),
            database: self.intern(database),
            kind,
            start,
            finish,
            duration,
            size: self.size(cells, Column::Size),
            compressed: self.size(cells, Column::Compressed),
            ratio: cells
                .get(Column::Ratio)
                .and_then(|text| read_number(text, self.decimal_comma))
                .map(|number| number.value),
            is_compressed: cells.flag(Column::IsCompressed),
            paths,
            files: files.into_iter().map(|column| cells.count(column)).max().unwrap_or(0),
            device: cells.get(Column::Device).and_then(device_of),
            copy_only: cells.flag(Column::CopyOnly),
            snapshot: cells.flag(Column::Snapshot) == Some(true),
        };
        self.explain(cells);
        self.records.push(record);
        if self.records.len() >= FULL_UP {
            self.merge();
            self.keep_latest();
        }
    }

    fn duration(&self, cells: &Cells<'_>) -> Option<crate::finding::Length> {
        let text = cells.get(Column::Duration)?;
        read_duration(text, self.units[Column::Duration as usize], self.decimal_comma)
    }

    fn size(&mut self, cells: &Cells<'_>, column: Column) -> Option<(u64, f64)> {
        let text = cells.get(column)?;
        let size = read_size(text, self.units[column as usize], self.decimal_comma);
        if size.is_none() && !matches!(text, "-" | "N/A" | "n/a") {
            let (count, first) = self.unreadable.entry(column).or_default();
            *count += 1;
            if *count == 1 {
                let found = bakcast_scenarios::shown_word(text);
                let heading = bakcast_scenarios::shown_word(&self.headings[column as usize]);
                *first = format!("line {}, {heading}: found `{found}`", cells.line);
            }
        }
        let size = size?;
        self.rounding = self.rounding.max(size.1);
        Some(size)
    }

    fn intern(&mut self, name: &str) -> Arc<str> {
        self.names.intern(name)
    }

    fn explain(&mut self, cells: &Cells<'_>) {
        if self.records.len() >= EXPLAINED {
            return;
        }
        for (column, meaning) in [
            (Column::Start, "begin"),
            (Column::Finish, "end"),
            (Column::Duration, "duration"),
            (Column::Size, "bytes read from the database"),
            (Column::Compressed, "bytes of the backup files"),
        ] {
            if let Some(found) = cells.get(column) {
                let place = format!("line {}, {}", cells.line, self.headings[column as usize]);
                self.import.field(place, found, meaning);
            }
        }
    }

    /// Makes one record of all rows of a backup.
    fn merge(&mut self) {
        self.records.sort_by_key(|record| (record.key, record.line));
        let mut merged: Vec<Record> = Vec::with_capacity(self.records.len());
        for record in std::mem::take(&mut self.records) {
            match merged.last_mut() {
                Some(last) if last.key == record.key => last.add(record),
                _ => merged.push(record),
            }
        }
        self.records = merged;
    }

    fn keep_latest(&mut self) {
        if self.records.len() <= MOST_BACKUPS {
            return;
        }
        self.records.sort_by_key(|record| {
            std::cmp::Reverse(record.start.or(record.finish).map(|stamp| stamp.at))
        });
        self.dropped += (self.records.len() - MOST_BACKUPS) as u64;
        self.records.truncate(MOST_BACKUPS);
    }

    /// Gives the backups to the import, in the order of the file.
    pub(super) fn finish(mut self) {
        self.merge();
        self.keep_latest();
        self.warn_of_damage();
        self.records.sort_by_key(|record| record.line);
        for _ in 0..self.logs.len() {
            self.import.ignore("log backups");
        }
        let mut contradictions = 0_u64;
        let (mut backwards, mut unknown) = (false, false);
        if self.records.iter().any(Record::is_half_zoned) {
            self.import.caution(CautionCode::Ambiguous, HALF_ZONED);
        }
        for record in self.records {
            contradictions += u64::from(record.contradicts(&self.dates));
            unknown |= record.kind == BackupKind::Unknown;
            let snapshot = record.snapshot;
            let both = record.start.is_some() && record.finish.is_some();
            let backup = record.backup(&self.dates);
            backwards |= both && backup.length.is_none();
            judge::add(self.import, backup, snapshot);
        }
        let import = self.import;
        if self.dropped > 0 {
            let text = format!(
                "only the latest {MOST_BACKUPS} backups are kept, {} are not",
                self.dropped
            );
            import.caution(CautionCode::Truncated, text);
        }
        if self.dates.is_open() {
            import.caution(
                CautionCode::Ambiguous,
                "dates such as 3/4/2026 can be read in two ways: durations within a day are used, \
                 dates are not; give `--date-format dmy` or `--date-format mdy`",
            );
        } else if backwards {
            let text = "some backups end before they begin: they have no duration";
            import.caution(CautionCode::Inconsistent, text);
        }
        if contradictions > 0 {
            let text = format!(
                "of {contradictions} backups, begin and end contradict the duration: the more \
                 exact one is used"
            );
            import.caution(CautionCode::Inconsistent, text);
        }
        if unknown {
            let text = "no column says of which kind the backups are: they are taken as full ones";
            import.caution(CautionCode::Ambiguous, text);
        }
        if self.rounding > SHOWN_ROUNDING {
            let percent = 100.0 * self.rounding;
            let text = format!("sizes are rounded by up to {percent:.2} %");
            import.caution(CautionCode::Rounded, text);
        }
    }
}

/// `PowerShell` writes the type of a list where it should write the list.
fn is_path(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && !text.starts_with("System.")
}

/// A number that is the same for all rows of a backup: of its identity, or of what it says.
fn key_of(cells: &Cells<'_>) -> u64 {
    use Column::{Database, Duration, Finish, Kind, Server, SetId, Size, Start};
    let columns: &[Column] = match cells.get(SetId) {
        Some(_) => &[Server, Database, SetId, Start],
        None => &[Server, Database, Kind, Start, Finish, Duration, Size],
    };
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for column in columns {
        let text = cells.get(*column).unwrap_or_default();
        for byte in text.bytes().chain([0xff]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    hash
}
