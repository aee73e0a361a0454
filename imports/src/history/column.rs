//! Columns of a history by their headings, whoever named them.

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Column {
    Server,
    Database,
    Kind,
    Start,
    Finish,
    Duration,
    Size,
    Compressed,
    Ratio,
    Path,
    Files,
    Family,
    LastFamily,
    Device,
    CopyOnly,
    Snapshot,
    SetId,
    Mirror,
    IsCompressed,
}

/// How many there are.
pub(crate) const COLUMNS: usize = Column::IsCompressed as usize + 1;

/// A column and the unit of plain numbers in it: bytes or seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Meaning {
    pub(crate) column: Column,
    pub(crate) unit: f64,
}

/// Headings without anything but letters and digits.
const NAMES: [(&str, Column); 99] = [
    ("servername", Column::Server),
    ("server", Column::Server),
    ("sqlinstance", Column::Server),
    ("instance", Column::Server),
    ("databasename", Column::Database),
    ("database", Column::Database),
    ("dbname", Column::Database),
    ("db", Column::Database),
    ("type", Column::Kind),
    ("backuptype", Column::Kind),
    ("backuptypedescription", Column::Kind),
    ("backuptypedesc", Column::Kind),
    ("backuptypename", Column::Kind),
    ("typedesc", Column::Kind),
    ("typedescription", Column::Kind),
    ("backupstartdate", Column::Start),
    ("backupstarttime", Column::Start),
    ("backupstartdatetime", Column::Start),
    ("backupstart", Column::Start),
    ("backupstarted", Column::Start),
    ("start", Column::Start),
    ("started", Column::Start),
    ("starttime", Column::Start),
    ("startdate", Column::Start),
    ("startdatetime", Column::Start),
    ("backupfinishdate", Column::Finish),
    ("backupfinishtime", Column::Finish),
    ("backupfinishdatetime", Column::Finish),
    ("backupfinish", Column::Finish),
    ("backupfinished", Column::Finish),
    ("backupenddate", Column::Finish),
    ("backupendtime", Column::Finish),
    ("backupend", Column::Finish),
    ("backupdate", Column::Finish),
    ("finish", Column::Finish),
    ("finished", Column::Finish),
    ("finishtime", Column::Finish),
    ("finishdate", Column::Finish),
    ("end", Column::Finish),
    ("ended", Column::Finish),
    ("endtime", Column::Finish),
    ("enddate", Column::Finish),
    ("duration", Column::Duration),
    ("durationhhmmss", Column::Duration),
    ("backupduration", Column::Duration),
    ("backuptime", Column::Duration),
    ("backup", Column::Duration),
    ("elapsed", Column::Duration),
    ("elapsedtime", Column::Duration),
    ("timetaken", Column::Duration),
    ("runtime", Column::Duration),
    ("totaltime", Column::Duration),
    ("backupsize", Column::Size),
    ("backupsizein", Column::Size),
    ("size", Column::Size),
    ("totalsize", Column::Size),
    ("uncompressedsize", Column::Size),
    ("uncompressedbackupsize", Column::Size),
    ("nativebackupsize", Column::Size),
    ("originalsize", Column::Size),
    ("compressedbackupsize", Column::Compressed),
    ("compressedsize", Column::Compressed),
    ("backupcompressedsize", Column::Compressed),
    ("backupsizecompressed", Column::Compressed),
    ("sizecompressed", Column::Compressed),
    ("written", Column::Compressed),
    ("filesize", Column::Compressed),
    ("compressionratio", Column::Ratio),
    ("compressratio", Column::Ratio),
    ("physicaldevicename", Column::Path),
    ("fullname", Column::Path),
    ("path", Column::Path),
    ("backuppath", Column::Path),
    ("backupfile", Column::Path),
    ("backupfilename", Column::Path),
    ("backuplocation", Column::Path),
    ("devicename", Column::Path),
    ("filename", Column::Path),
    ("filepath", Column::Path),
    ("firstfile", Column::Path),
    ("location", Column::Path),
    ("files", Column::Files),
    ("filecount", Column::Files),
    ("numberoffiles", Column::Files),
    ("backupfiles", Column::Files),
    ("stripes", Column::Files),
    ("stripecount", Column::Files),
    ("devices", Column::Files),
    ("familysequencenumber", Column::Family),
    ("lastfamilynumber", Column::LastFamily),
    ("devicetype", Column::Device),
    ("devicetypedesc", Column::Device),
    ("iscopyonly", Column::CopyOnly),
    ("copyonly", Column::CopyOnly),
    ("issnapshot", Column::Snapshot),
    ("backupsetid", Column::SetId),
    ("backupsetguid", Column::SetId),
    ("backupsetuuid", Column::SetId),
    ("mirror", Column::Mirror),
];

/// Headings that count only if no other column says the same.
const WEAK: [(&str, Column); 5] = [
    ("name", Column::Database),
    ("machinename", Column::Server),
    ("computername", Column::Server),
    ("compressed", Column::IsCompressed),
    ("iscompressed", Column::IsCompressed),
];

/// Ends of headings that name a unit: bytes, or seconds.
const SIZE_UNITS: [(&str, f64); 11] = [
    ("kilobytes", 1024.0),
    ("megabytes", 1_048_576.0),
    ("gigabytes", 1_073_741_824.0),
    ("bytes", 1.0),
    ("kib", 1024.0),
    ("mib", 1_048_576.0),
    ("gib", 1_073_741_824.0),
    ("kb", 1024.0),
    ("mb", 1_048_576.0),
    ("gb", 1_073_741_824.0),
    ("tb", 1_099_511_627_776.0),
];
const TIME_UNITS: [(&str, f64); 14] = [
    ("hhmmss", 1.0),
    ("mmss", 1.0),
    ("milliseconds", 0.001),
    ("millisec", 0.001),
    ("seconds", 1.0),
    ("minutes", 60.0),
    ("hours", 3600.0),
    ("secs", 1.0),
    ("sec", 1.0),
    ("mins", 60.0),
    ("min", 60.0),
    ("hrs", 3600.0),
    ("ms", 0.001),
    ("s", 1.0),
];

/// A heading with its letters and digits only, in lower case, without the alias of a table.
pub(crate) fn plain(heading: &str) -> String {
    let heading = heading.trim_start_matches('\u{feff}');
    let name = heading.rsplit('.').next().unwrap_or(heading);
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// What the column under a heading holds.
fn meaning_of(heading: &str) -> Option<Meaning> {
    let plain = plain(heading);
    let find = |name: &str| NAMES.iter().find(|(known, _)| *known == name).map(|(_, c)| *c);
    // `backup` alone is no duration, but `backup_seconds` is.
    if plain != "backup"
        && let Some(column) = find(&plain)
    {
        return Some(Meaning { column, unit: 1.0 });
    }
    for (units, sizes) in [(&SIZE_UNITS[..], true), (&TIME_UNITS[..], false)] {
        for (end, unit) in units {
            let Some(name) = plain.strip_suffix(end) else { continue };
            let name = name.strip_suffix("in").unwrap_or(name);
            if let Some(column) = find(name) {
                let is_size = matches!(column, Column::Size | Column::Compressed);
                if is_size == sizes && (is_size || column == Column::Duration) {
                    return Some(Meaning { column, unit: *unit });
                }
            }
        }
    }
    None
}

/// What all columns hold, by their headings.
pub(crate) fn meanings<S: AsRef<str>>(headings: &[S]) -> Vec<Option<Meaning>> {
    let mut all: Vec<Option<Meaning>> =
        headings.iter().map(|heading| meaning_of(heading.as_ref())).collect();
    for (place, heading) in headings.iter().enumerate() {
        let plain = plain(heading.as_ref());
        let weak = WEAK.iter().find(|(name, _)| *name == plain).map(|(_, column)| *column);
        if let Some(column) = weak
            && all[place].is_none()
            && !has(&all, column)
        {
            all[place] = Some(Meaning { column, unit: 1.0 });
        }
    }
    all
}

/// Whether a column is among them.
pub(crate) fn has(meanings: &[Option<Meaning>], column: Column) -> bool {
    meanings.iter().flatten().any(|meaning| meaning.column == column)
}

/// Whether they are those of a history.
pub(crate) fn is_history(meanings: &[Option<Meaning>]) -> bool {
    let has = |column| has(meanings, column);
    let more = [Column::Kind, Column::Duration, Column::Size, Column::Compressed, Column::Path];
    let timed = has(Column::Start) || has(Column::Finish);
    has(Column::Database)
        && (timed && more.into_iter().any(has) || has(Column::Duration) && has(Column::Size))
}
