//! A history as a table of runs, which a fit reads; and how a database grows.

use std::fmt::Write as _;

use jiff::civil::DateTime;

use crate::finding::{Backup, BackupKind, Length, counted};
use crate::join::History;
use crate::time_stamp::seconds_between;

/// Most runs of a table: what a fit reads.
const MOST_RUNS: usize = 5_000;
/// Share of a verification by which its duration may be off.
const LARGEST_ROUNDING: f64 = 0.1;
/// Fewest full backups, and days between the first and the last, that show a growth.
const FEWEST_POINTS: usize = 3;
const FEWEST_DAYS: f64 = 14.0;
/// Growth of a month as a share that the bounds must not leave.
const LEAST_GROWTH: f64 = -0.5;
const MOST_GROWTH: f64 = 1.0;
const DAY_SECONDS: f64 = 86_400.0;
/// Days of a month on average.
const MONTH_DAYS: f64 = 30.436_875;

/// Which backups are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HistoryFilter<'a> {
    /// Of this database only.
    pub database: Option<&'a str>,
    /// Of this server only; backups that do not say it are left out.
    pub server: Option<&'a str>,
}

impl HistoryFilter<'_> {
    /// Whether a backup is meant.
    #[must_use]
    pub fn takes(&self, backup: &Backup) -> bool {
        let database =
            self.database.is_none_or(|name| backup.database.to_lowercase() == name.to_lowercase());
        let server = self.server.is_none_or(|name| {
            backup.server.as_deref().is_some_and(|server| server.eq_ignore_ascii_case(name))
        });
        database && server
    }
}

/// Names the device of the scenario on which a path lies, if it is known.
pub type DeviceOf<'a> = &'a dyn Fn(&str) -> Option<String>;

/// How a table of runs is written.
#[derive(Clone, Copy, Default)]
pub struct RunsOptions<'a> {
    /// Which backups.
    pub filter: HistoryFilter<'a>,
    /// The device of the scenario on which a path lies.
    pub device_of: Option<DeviceOf<'a>>,
    /// The knob that takes the bytes read by each backup, such as `volume.data.size`.
    pub size_knob: Option<&'a str>,
}

/// A table of runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunsTable {
    /// The table in CSV.
    pub csv: String,
    /// Lines of it.
    pub runs: usize,
    /// What could not be written into it.
    pub notes: Vec<String>,
}

/// The usable backups of a history as a table of runs; the latest, if there are too many.
///
/// Durations are written with as many digits as they are known to: a duration from whole seconds
/// without decimals.
#[must_use]
pub fn runs_table(history: &History, options: &RunsOptions<'_>) -> RunsTable {
    let usable = |backup: &&Backup| backup.unusable.is_none() && backup.length.is_some();
    let meant = history.backups.iter().filter(|backup| options.filter.takes(backup));
    let mut backups: Vec<&Backup> = meant.filter(usable).collect();
    let mut notes = Vec::new();
    if backups.len() > MOST_RUNS {
        notes.push(format!("only the latest {MOST_RUNS} of {} backups", backups.len()));
        backups.drain(..backups.len() - MOST_RUNS);
    }
    let mut columns = vec!["run", "compression", "buffer_count", "transfer_size", "block_size"];
    columns.extend(["stripes", "backup_seconds", "verify_seconds", "written_bytes", "note"]);
    columns.extend(options.size_knob);
    let mut unmapped = 0_usize;
    let mut rows: Vec<Vec<String>> = Vec::new();
    for backup in backups {
        let stripes = stripes(backup, options.device_of);
        unmapped += usize::from(stripes.is_none() && backup.stripes.is_some_and(|n| n > 1));
        rows.push(row(backup, stripes, options.size_knob.is_some()));
    }
    if unmapped > 0 {
        notes.push(counted(
            unmapped as u64,
            "runs have several files on devices that are not known",
        ));
    }
    let used: Vec<bool> =
        (0..columns.len()).map(|place| rows.iter().any(|row| !row[place].is_empty())).collect();
    let heads: Vec<String> = columns.iter().map(|name| (*name).to_string()).collect();
    let mut csv = String::new();
    for cells in std::iter::once(&heads).chain(&rows) {
        let cells = cells.iter().zip(&used).filter(|(_, used)| **used);
        let line: Vec<String> = cells.map(|(cell, _)| quoted(cell)).collect();
        csv += &line.join(",");
        csv.push('\n');
    }
    RunsTable { csv, runs: rows.len(), notes }
}

fn row(backup: &Backup, stripes: Option<String>, sized: bool) -> Vec<String> {
    let text = |value: Option<u64>| value.map_or_else(String::new, |value| value.to_string());
    // What a statement leaves out was left to the engine, whatever the scenario says.
    let option = |value: Option<u64>| match value {
        None if backup.options_known => "default".to_string(),
        value => text(value),
    };
    let when = backup.started.map_or_else(String::new, |at| {
        format!(" {} {:02}:{:02}:{:02}", at.date(), at.hour(), at.minute(), at.second())
    });
    let verify = backup.verify.filter(|l| l.rounding_seconds <= LARGEST_ROUNDING * l.seconds);
    let mut row = vec![
        format!("{}{when}", backup.database),
        backup.compression.map_or_else(String::new, |is| is.to_string()),
        option(backup.buffer_count.map(u64::from)),
        option(backup.transfer_bytes),
        option(backup.block_bytes),
        stripes.unwrap_or_default(),
        backup.length.map_or_else(String::new, seconds_text),
        verify.map_or_else(String::new, seconds_text),
        text(backup.written_bytes.filter(|bytes| *bytes > 0)),
        note(backup),
    ];
    if sized {
        row.push(backup.read_bytes.map_or_else(String::new, |bytes| format!("{bytes} B")));
    }
    row
}

fn note(backup: &Backup) -> String {
    let mut note = backup.place.clone();
    if let Some(bytes) = backup.read_bytes {
        let _ = write!(note, "; {bytes} bytes read");
    }
    if let Some(files) = backup.stripes {
        let _ = write!(note, "; {files} {}", if files == 1 { "file" } else { "files" });
    }
    note
}

/// Devices of all files, or nothing if one is not known.
fn stripes(backup: &Backup, device_of: Option<DeviceOf<'_>>) -> Option<String> {
    let device_of = device_of?;
    let count = backup.stripes.and_then(|count| usize::try_from(count).ok());
    if backup.paths.is_empty() {
        return None;
    }
    let devices: Option<Vec<String>> = backup.paths.iter().map(|path| device_of(path)).collect();
    let mut devices = devices?;
    // All files of a test lie in one folder.
    if let (Some(count), [only]) = (count, &devices[..]) {
        devices = vec![only.clone(); count];
    }
    (count.is_none_or(|count| count == devices.len())).then(|| devices.join(";"))
}

/// A duration with the digits that are known: half a step of the last is no less than how far it
/// may be off, but for whole seconds.
fn seconds_text(length: Length) -> String {
    let decimals = (0..=3)
        .rev()
        .find(|decimals| {
            0.5 * libm::exp10(-f64::from(*decimals)) >= length.rounding_seconds * 0.999
        })
        .unwrap_or(0);
    format!("{:.*}", usize::try_from(decimals).unwrap_or(0), length.seconds)
}

fn quoted(cell: &str) -> String {
    let cell = cell.replace(['\r', '\n'], " ");
    if cell.contains([',', '"']) || cell.starts_with('#') {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell
    }
}

/// How a database grows.
#[derive(Debug, Clone, PartialEq)]
pub struct Growth {
    /// Begin and bytes read of each full backup.
    pub points: Vec<(DateTime, u64)>,
    /// Growth of a month as a share: 0.02 is two per cent.
    pub per_month: f64,
    /// Bounds within which it is in nine cases of ten.
    pub bounds: (f64, f64),
    /// Bytes at the last point by the line.
    pub last_bytes: f64,
    /// First point.
    pub from: DateTime,
    /// Last point.
    pub to: DateTime,
}

/// Why there is no growth to tell.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NoGrowth {
    /// Too few backups.
    #[error("{}: a growth needs at least {FEWEST_POINTS}", dated(*.0))]
    TooFew(usize),
    /// Over too short a time.
    #[error("full backups of {0:.1} days: a growth needs at least {FEWEST_DAYS} days")]
    TooShort(f64),
    /// Bounds that no database keeps to.
    #[error("the sizes jump too much to tell a trend")]
    TooUneven,
}

fn dated(count: usize) -> String {
    counted(count as u64, "full backups with date and size")
}

/// The growth of a database by its full backups.
///
/// The logarithm of the bytes is fitted by a straight line over the days, `ln y = a + b t`, with
/// least squares; a month brings `exp(b m) - 1` with `m` = 30.44 days. The bounds are those of
/// Student's distribution with `n - 2` degrees of freedom. They take the points as independent of
/// each other, and growth as steady: a purge or a load makes them wider, and wrong.
///
/// # Errors
/// [`NoGrowth`], if there are too few backups over too short a time.
pub fn growth(history: &History, filter: HistoryFilter<'_>) -> Result<Growth, NoGrowth> {
    let full = |backup: &&Backup| matches!(backup.kind, BackupKind::Full | BackupKind::Unknown);
    let mut points: Vec<(DateTime, u64)> = history
        .backups
        .iter()
        .filter(full)
        .filter(|backup| filter.takes(backup))
        .filter_map(|backup| {
            let at = backup.started.or(backup.finished)?;
            Some((at, backup.read_bytes.filter(|bytes| *bytes > 0)?))
        })
        .collect();
    points.sort_unstable();
    let ([(from, _), .., (to, _)], true) = (&points[..], points.len() >= FEWEST_POINTS) else {
        return Err(NoGrowth::TooFew(points.len()));
    };
    let (from, to) = (*from, *to);
    let span = seconds_between(from, to) / DAY_SECONDS;
    if span < FEWEST_DAYS {
        return Err(NoGrowth::TooShort(span));
    }
    let n = points.len() as f64;
    let days = |at: DateTime| seconds_between(from, at) / DAY_SECONDS;
    let xy = || points.iter().map(|(at, bytes)| (days(*at), libm::log(*bytes as f64)));
    let mean_x = xy().map(|(x, _)| x).sum::<f64>() / n;
    let mean_y = xy().map(|(_, y)| y).sum::<f64>() / n;
    let squares = xy().map(|(x, _)| (x - mean_x) * (x - mean_x)).sum::<f64>();
    let slope = xy().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum::<f64>() / squares;
    let off = |x: f64, y: f64| y - mean_y - slope * (x - mean_x);
    let residual = xy().map(|(x, y)| off(x, y) * off(x, y)).sum::<f64>();
    let error = libm::sqrt(residual / (n - 2.0) / squares);
    let wide = student(points.len() - 2) * error;
    let month = |slope: f64| libm::expm1(slope * MONTH_DAYS);
    let bounds = (month(slope - wide), month(slope + wide));
    if !(bounds.0 >= LEAST_GROWTH && bounds.1 <= MOST_GROWTH) {
        return Err(NoGrowth::TooUneven);
    }
    Ok(Growth {
        per_month: month(slope),
        bounds,
        last_bytes: libm::exp(mean_y + slope * (span - mean_x)),
        points,
        from,
        to,
    })
}

/// The 95 % quantile of Student's distribution.
fn student(freedom: usize) -> f64 {
    const TABLE: [f64; 10] = [6.314, 2.920, 2.353, 2.132, 2.015, 1.943, 1.895, 1.860, 1.833, 1.812];
    const NORMAL: f64 = 1.644_854;
    match freedom.checked_sub(1).and_then(|place| TABLE.get(place)) {
        Some(quantile) => *quantile,
        // Cornish and Fisher's series: off by less than a thousandth from 11 on.
        None => {
            let (z, n) = (NORMAL, freedom as f64);
            let square = z * z;
            let second = (5.0 * square * square + 16.0 * square + 3.0) * z / (96.0 * n * n);
            z + (square + 1.0) * z / (4.0 * n) + second
        }
    }
}
