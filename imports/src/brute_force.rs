//! Results of a procedure that tries backup options one after the other.
//!
//! The columns are those of Erik Darling's `TestBackupPerformance`: its table, a row for each
//! backup, and its views of means, which are told by their headings. Sizes are in MiB, rates in
//! MiB a second; 0 and `DEFAULT` leave an option to the server.

use std::sync::Arc;

use crate::error::ImportError;
use crate::finding::{Backup, BackupKind, CautionCode, DeviceKind, Import};
use crate::history::{column::plain, malformed};
use crate::judge;
use crate::recognise::ImportOptions;
use crate::source::Source;
use crate::table::TableShape;
use crate::table::number::{read_duration, read_number, read_size};
use crate::table::record::Row;
use crate::time_stamp::DateReader;

const MIB: f64 = 1_048_576.0;
/// Most rows that are kept.
const MOST_ROWS: usize = 100_000;
/// Share by which size, duration and rate may contradict each other.
const SAME: f64 = 0.02;

/// Columns of the table itself, for exports without headings.
const ALL: [&str; 21] = [
    "id",
    "testrunid",
    "databasename",
    "backuppath",
    "filecount",
    "compression",
    "encryption",
    "buffercount",
    "maxtransfersize",
    "iteration",
    "buffermemorymb",
    "backupstarttime",
    "backupendtime",
    "durationseconds",
    "backupsizemb",
    "compressedsizemb",
    "throughputmbps",
    "compressionratio",
    "servername",
    "sqlserverversion",
    "errormessage",
];

/// Whether the beginning of a file looks like it.
pub(crate) fn looks(head: &str) -> bool {
    TableShape::of(head).is_some_and(|shape| columns(&shape).is_some())
}

/// Headings in plain letters, and whether the file has them.
fn columns(shape: &TableShape) -> Option<(Vec<String>, bool)> {
    let names: Vec<String> = shape.first.iter().map(|heading| plain(heading)).collect();
    let has = |name: &str| names.iter().any(|known| known == name);
    let rate = has("throughputmbps") || has("avgthroughputmbps");
    if rate && (has("filecount") || has("buffercount") || has("parametername")) {
        return Some((names, true));
    }
    let cell = |place: usize| shape.first.get(place).map_or("", String::as_str);
    let guid = cell(1).len() == 36 && cell(1).matches('-').count() == 4;
    let start = shape.first.len().checked_sub(10)?;
    if !guid || DateReader::default().read(cell(start)).is_none() {
        return None;
    }
    // Its first version had no encryption.
    let all =
        ALL.into_iter().filter(|name| shape.first.len() == ALL.len() || *name != "encryption");
    let all: Vec<String> = all.map(str::to_string).collect();
    (all.len() == shape.first.len()).then_some((all, false))
}

/// Reads the table or a view.
///
/// # Errors
/// [`ImportError`], if there are no rows in it.
pub(crate) fn read(
    source: Source<'_>,
    options: &ImportOptions,
    import: &mut Import,
) -> Result<(), ImportError> {
    let shape = TableShape::of(source.head());
    let Some((shape, (names, headings))) = shape.and_then(|s| columns(&s).map(|c| (s, c))) else {
        return Err(malformed(import, "no columns can be made out".to_string()));
    };
    let file = import.file.clone();
    let mut tests = Tests {
        dates: DateReader::new(options.date_order),
        names: &names,
        comma: shape.decimal_comma,
        rows: 0,
    };
    shape
        .for_each_row(source.into_reader(), headings, |row| tests.row(row, import))
        .map_err(|source| ImportError::Unreadable { file, source })?;
    if tests.rows == 0 {
        return Err(malformed(import, "there are no rows under its headings".to_string()));
    }
    import.shape = shape.describe(tests.rows);
    if names.iter().any(|name| name == "parametername") {
        let text = "this view has means over all other settings: use the table itself";
        import.caution(CautionCode::Mixed, text);
    }
    if tests.dates.is_open() {
        let text = "dates can be read in two ways and are not used: give `--date-format dmy` or \
                    `--date-format mdy`";
        import.caution(CautionCode::Ambiguous, text);
    }
    Ok(())
}

struct Tests<'a> {
    dates: DateReader,
    names: &'a [String],
    comma: bool,
    rows: u64,
}

impl Tests<'_> {
    /// The cell under the first of some headings that has anything in it.
    fn get<'r>(&self, row: &'r Row, names: &[&str]) -> Option<&'r str> {
        names.iter().find_map(|name| {
            let place = self.names.iter().position(|known| known == name)?;
            row.cell(place).filter(|cell| !cell.is_empty() && *cell != "NULL")
        })
    }

    fn row(&mut self, row: &Row, import: &mut Import) {
        self.rows += 1;
        if self.rows > MOST_ROWS as u64 {
            import.caution(CautionCode::Truncated, format!("only {MOST_ROWS} rows are kept"));
            return;
        }
        if self.get(row, &["parametername"]).is_some() {
            import.ignore("means over several settings");
            return;
        }
        if self.get(row, &["errormessage"]).is_some()
            || self.get(row, &["errors"]).is_some_and(|errors| errors != "0")
        {
            import.ignore("tests that failed");
            return;
        }
        let mut backup = self.backup(row, import);
        if backup.length.is_none() && backup.printed_bytes_per_second.is_none() {
            import.ignore("rows without a duration");
            return;
        }
        if self.get(row, &["encryption"]).and_then(yes) == Some(true) {
            backup.unusable = Some(judge::ENCRYPTED.to_string());
        }
        judge::add(import, backup, false);
    }

    fn backup(&mut self, row: &Row, import: &mut Import) -> Backup {
        let database = self.get(row, &["databasename"]).unwrap_or_default();
        let place = format!("line {}", row.line);
        let mut backup = judge::blank(Arc::from(database), BackupKind::Full, place);
        backup.server = self.get(row, &["servername"]).map(Arc::from);
        let (start, end) = (self.get(row, &["backupstarttime"]), self.get(row, &["backupendtime"]));
        let mut stamp = |text: Option<&str>| {
            text.and_then(|text| self.dates.read(text)).filter(|s| !s.ambiguous).map(|s| s.at)
        };
        (backup.started, backup.finished) = (stamp(start), stamp(end));
        let duration = self.get(row, &["durationseconds", "avgdurationsec"]);
        backup.length = duration.and_then(|text| read_duration(text, 1.0, self.comma));
        let size = self.get(row, &["backupsizemb", "avgbackupsizemb"]);
        if let Some((bytes, rounding)) = size.and_then(|text| read_size(text, MIB, self.comma)) {
            (backup.read_bytes, backup.read_bytes_rounding) = (Some(bytes), rounding);
        }
        let written = self.get(row, &["compressedsizemb", "avgcompressedsizemb"]);
        let written = written.and_then(|text| read_size(text, MIB, self.comma));
        backup.written_bytes = written.map(|(bytes, _)| bytes);
        let rate = self.get(row, &["throughputmbps", "avgthroughputmbps"]);
        let rate = rate.and_then(|text| read_number(text, self.comma)).map(|rate| rate.value);
        backup.printed_bytes_per_second = rate.filter(|rate| *rate > 0.0).map(|rate| rate * MIB);
        backup.compression = self.get(row, &["compression"]).and_then(yes);
        let whole = |text: Option<&str>| text?.parse().ok().filter(|number: &u64| *number > 0);
        let small = |text| whole(text).and_then(|number| u32::try_from(number).ok());
        backup.stripes = small(self.get(row, &["filecount"]));
        backup.buffer_count = small(self.get(row, &["buffercount"]));
        backup.transfer_bytes = whole(self.get(row, &["maxtransfersize"]));
        // It writes 0 where the engine chose.
        let has = |name: &str| self.get(row, &[name]).is_some();
        backup.options_known = has("buffercount") && has("maxtransfersize");
        backup.device = self.get(row, &["backuppath"]).map(|path| {
            if path.eq_ignore_ascii_case("NUL") { DeviceKind::Null } else { DeviceKind::Disk }
        });
        backup.paths = self.get(row, &["backuppath"]).map(Arc::from).into_iter().collect();
        backup.copy_only = Some(true);
        for (name, found, meaning) in [
            ("duration", duration, "duration in seconds"),
            ("size", size, "MiB read from the database"),
        ] {
            if let Some(found) = found {
                import.field(format!("line {}, {name}", row.line), found, meaning);
            }
        }
        check(&backup, import);
        backup
    }
}

fn yes(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "1" | "yes" | "true" => Some(true),
        "0" | "no" | "false" => Some(false),
        _ => None,
    }
}

/// Holds the rate against size and duration, to see whether its unit is what it should be.
fn check(backup: &Backup, import: &mut Import) {
    let (Some(bytes), Some(length), Some(printed)) =
        (backup.read_bytes, backup.length, backup.printed_bytes_per_second)
    else {
        return;
    };
    if length.seconds <= length.rounding_seconds {
        return;
    }
    let share = bytes as f64 / length.seconds / printed;
    let allowed = SAME + length.rounding_seconds / length.seconds;
    if (share - 1.0).abs() <= allowed {
        return;
    }
    if (share * 1e6 / MIB - 1.0).abs() <= SAME {
        let text = "rates are in MB of a million bytes, not in MiB: sizes and durations are used";
        import.caution(CautionCode::Unit, text);
    } else {
        let text = "size over duration is not the rate that is printed: size and duration are used";
        import.caution(CautionCode::Inconsistent, text);
    }
}
