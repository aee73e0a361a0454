//! Which format a file has, by its content; and reading it as that.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::error::ImportError;
use crate::finding::Import;
use crate::format::Format;
use crate::source::Source;
use crate::{brute_force, command_log, history, messages};
use crate::{crystaldiskmark, diskspd_text, diskspd_xml, fio, iostat_json, iostat_text, perfmon};

/// What a user may say about files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ImportOptions {
    /// Order of day and month where a date such as `3/4/2026` can be read in two ways.
    pub date_order: Option<DateOrder>,
}

/// Order of day, month and year in a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateOrder {
    /// Day, month, year.
    DayFirst,
    /// Month, day, year.
    MonthFirst,
}

/// A format: how it is told by the beginning of a file, and how it is read.
pub(crate) struct Importer {
    /// The format.
    pub(crate) format: Format,
    /// Whether the beginning looks like it.
    pub(crate) looks: fn(&str) -> bool,
    /// Reads it all.
    pub(crate) read: fn(Source<'_>, &ImportOptions, &mut Import) -> Result<(), ImportError>,
}

/// All importers, the most particular first: the first that looks right is taken.
const IMPORTERS: &[Importer] = &[
    fio::IMPORTER,
    diskspd_xml::IMPORTER,
    diskspd_text::IMPORTER,
    crystaldiskmark::KDISKMARK,
    crystaldiskmark::IMPORTER,
    iostat_json::IMPORTER,
    iostat_text::IMPORTER,
    perfmon::IMPORTER,
    Importer { format: Format::CommandLog, looks: command_log::looks, read: command_log::read },
    Importer { format: Format::BruteForce, looks: brute_force::looks, read: brute_force::read },
    Importer { format: Format::Messages, looks: messages::looks, read: messages::read },
    Importer { format: Format::BackupHistory, looks: history::looks, read: history::read },
];

/// Beginnings of files that are no text: what it is, and what to do.
const NOT_TEXT: [(&[u8], &str, &str); 11] = [
    (b"\xff\xfe\0\0", "text in UTF-32", "save it as UTF-8"),
    (b"\0\0\xfe\xff", "text in UTF-32", "save it as UTF-8"),
    (b"\x1f\x8b", "packed by gzip", "unpack it first"),
    (b"PK\x03\x04", "a zip archive or an Excel file", "unpack it, or save it as CSV"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it first"),
    (b"\x28\xb5\x2f\xfd", "packed by zstd", "unpack it first"),
    (b"BZh", "packed by bzip2", "unpack it first"),
    (b"\xfd7zXZ", "packed by xz", "unpack it first"),
    (b"\xd0\xcf\x11\xe0", "an Office file", "save it as CSV"),
    (b"\x89PNG", "a picture", "copy the text instead"),
    (b"TAPE", "a backup file", "give its RESTORE HEADERONLY result instead"),
];

/// Reads a file.
///
/// # Errors
/// [`ImportError`]: one sentence that says what is wrong.
pub fn import(path: &Path, options: &ImportOptions) -> Result<Import, ImportError> {
    let file = path.display().to_string();
    let reader = File::open(path)
        .map_err(|source| ImportError::Unreadable { file: file.clone(), source })?;
    import_from(&file, reader, options)
}

/// Reads what `reader` gives; `file` stands in messages.
///
/// # Errors
/// As [`import`].
pub fn import_from(
    file: &str,
    reader: impl Read,
    options: &ImportOptions,
) -> Result<Import, ImportError> {
    let unreadable = |source| ImportError::Unreadable { file: file.to_string(), source };
    let source = Source::new(reader).map_err(unreadable)?;
    if source.raw_head().is_empty() {
        return Err(ImportError::Empty { file: file.to_string() });
    }
    let raw = source.raw_head();
    if let Some((_, what, hint)) = NOT_TEXT.iter().find(|(begin, ..)| raw.starts_with(begin)) {
        return Err(ImportError::NotText { file: file.to_string(), what, hint });
    }
    // What fills the whole head with blanks may still go on.
    let blank = source.head().trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    if blank.is_empty() && source.head().len() < 1024 {
        return Err(ImportError::Empty { file: file.to_string() });
    }
    let Some(importer) = IMPORTERS.iter().find(|importer| (importer.looks)(source.head())) else {
        return Err(ImportError::Unknown {
            file: file.to_string(),
            begin: bakcast_scenarios::shown_word(source.head().trim_start()),
        });
    };
    let mut import = Import::new(file, importer.format, source.encoding());
    (importer.read)(source, options, &mut import)?;
    Ok(import)
}
