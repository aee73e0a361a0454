//! Which backups are made and how often: full ones, differential ones, those of the log.
//!
//! Each is a run through the same pipeline, with the same statement, over other bytes. A
//! differential reads the extents that were changed since the last full backup: a share of the
//! data. Where a share of a day is given, extents are changed independently of one another, so that
//! `d` days leave `1 - (1 - p)^d` changed. Planned is the largest one, the last before the next
//! full backup. A log backup reads its own bytes.
//!
//! While a full or differential backup runs, log backups go on. They are counted as if the others
//! stood still meanwhile: with log backups that take `l` out of every `e`, a backup of `t` takes
//! `t / (1 - l / e)`. That is what sharing one bottleneck comes to, and too much where they share
//! none.

use std::fmt;
use std::str::FromStr;

use bakcast_models::quantity::{Bytes, Period};

/// Seconds of a day.
const DAY: f64 = 86_400.0;
/// What is accepted, for messages.
const ACCEPTED: &str = "e.g. 'full weekly, diff daily 15%, log every 15min 2GiB'";

/// A kind of backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum BackupKind {
    /// All of the data.
    Full,
    /// What was changed since the last full one.
    Differential,
    /// The log since the last of its kind.
    Log,
}

/// How much of the data a differential backup reads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Changed {
    /// A share: that of the largest.
    Share(f64),
    /// A share of each day since the full backup.
    EachDay(f64),
}

/// Differential backups.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Differential {
    /// From one to the next.
    pub every_seconds: f64,
    /// What each reads.
    pub changed: Changed,
}

/// Backups of the log.
#[derive(Debug, Clone, PartialEq)]
pub struct LogBackups {
    /// From one to the next.
    pub every_seconds: f64,
    /// What one reads, now.
    pub bytes: f64,
    /// The device of the log; absent: that of the first volume.
    pub device: Option<String>,
}

/// Which backups are made and how often.
#[derive(Debug, Clone, PartialEq)]
pub struct Routine {
    /// From one full backup to the next.
    pub full_every_seconds: f64,
    /// Those between.
    pub differential: Option<Differential>,
    /// Those of the log, by day and by night.
    pub log: Option<LogBackups>,
}

impl BackupKind {
    /// As it is called everywhere.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            BackupKind::Full => "full",
            BackupKind::Differential => "differential",
            BackupKind::Log => "log",
        }
    }
}

impl Routine {
    /// The kinds there are.
    #[must_use]
    pub fn kinds(&self) -> Vec<BackupKind> {
        let differential = self.differential.map(|_| BackupKind::Differential);
        let log = self.log.as_ref().map(|_| BackupKind::Log);
        [Some(BackupKind::Full), differential, log].into_iter().flatten().collect()
    }

    /// From one of a kind to the next.
    #[must_use]
    pub fn every_seconds(&self, kind: BackupKind) -> f64 {
        let every = match kind {
            BackupKind::Full => Some(self.full_every_seconds),
            BackupKind::Differential => self.differential.map(|own| own.every_seconds),
            BackupKind::Log => self.log.as_ref().map(|own| own.every_seconds),
        };
        every.unwrap_or(f64::INFINITY)
    }

    /// How many of a kind there are from one full backup to the next.
    #[must_use]
    pub fn count(&self, kind: BackupKind) -> u32 {
        let ratio = self.full_every_seconds / self.every_seconds(kind);
        match kind {
            BackupKind::Full => 1,
            // In the place of the last there is a full one.
            BackupKind::Differential => ((ratio - 1e-9).ceil() - 1.0).max(0.0) as u32,
            BackupKind::Log => ratio.round() as u32,
        }
    }

    /// The share of the data that differential backup `number` reads, counted from 1.
    #[must_use]
    pub fn changed(&self, number: u32) -> f64 {
        let Some(own) = self.differential else { return 0.0 };
        match own.changed {
            Changed::Share(share) => share,
            Changed::EachDay(share) => {
                let days = f64::from(number) * own.every_seconds / DAY;
                1.0 - libm::pow(1.0 - share, days)
            }
        }
    }

    /// The share of the data that the largest of a kind reads; of the log there is none.
    #[must_use]
    pub fn largest_share(&self, kind: BackupKind) -> f64 {
        match kind {
            BackupKind::Differential => self.changed(self.count(kind)),
            BackupKind::Full | BackupKind::Log => 1.0,
        }
    }

    /// The mean over differential backups of what they read, as a share of what the largest reads.
    #[must_use]
    pub fn mean_of_largest(&self) -> f64 {
        let count = self.count(BackupKind::Differential);
        let largest = self.changed(count);
        if count == 0 || largest <= 0.0 {
            return 0.0;
        }
        let sum: f64 = (1..=count).map(|number| self.changed(number)).sum();
        sum / (f64::from(count) * largest)
    }
}

impl FromStr for Routine {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (mut full, mut differential, mut log) = (None, None, None);
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (kind, rest) = part.split_once(char::is_whitespace).unwrap_or((part, ""));
            let again = match kind.to_ascii_lowercase().as_str() {
                "full" => full.replace(every(part, rest)?).is_some(),
                "diff" | "differential" => differential.replace(changes(part, rest)?).is_some(),
                "log" => log.replace(logs(part, rest)?).is_some(),
                _ => return Err(wrong(part, "it begins with `full`, `diff` or `log`")),
            };
            if again {
                return Err(wrong(part, "each kind of backup once"));
            }
        }
        let full = match (full, differential.is_some() || log.is_some()) {
            (Some((seconds, "")), _) => seconds,
            (Some((_, more)), _) => return Err(wrong(more, "a full backup reads all of the data")),
            (None, true) => 7.0 * DAY,
            (None, false) => return Err(format!("no backup is named; {ACCEPTED}")),
        };
        let routine = Routine { full_every_seconds: full, differential, log };
        if routine.differential.is_some() && routine.count(BackupKind::Differential) == 0 {
            let what = "differential backups come more often than full ones";
            return Err(format!("{what}; {ACCEPTED}"));
        }
        let longest = routine.differential.map_or(full, |own| own.every_seconds);
        if routine.log.as_ref().is_some_and(|own| own.every_seconds >= longest) {
            return Err(format!("log backups come more often than the others; {ACCEPTED}"));
        }
        Ok(routine)
    }
}

fn wrong(part: &str, accepted: &str) -> String {
    format!("`{part}`: {accepted}; {ACCEPTED}")
}

/// `weekly`, `every 15min`: seconds, and what is left of the text.
fn every<'t>(part: &str, text: &'t str) -> Result<(f64, &'t str), String> {
    const OFTEN: &str = "how often: hourly, daily, weekly, monthly, or every 15min";
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim();
    let seconds = match word.to_ascii_lowercase().as_str() {
        "hourly" => 3600.0,
        "daily" => DAY,
        "weekly" => 7.0 * DAY,
        "monthly" => 30.0 * DAY,
        "every" => return length(rest).ok_or_else(|| wrong(part, OFTEN)),
        _ => return Err(wrong(part, OFTEN)),
    };
    Ok((seconds, rest))
}

/// `15min`, `15 min`, `2 weeks`: seconds, and what is left of the text.
fn length(text: &str) -> Option<(f64, &str)> {
    let is_number = |c: char| c.is_ascii_digit() || c == '.';
    let number = text.len() - text.trim_start_matches(is_number).len();
    let (number, rest) = text.split_at(number);
    let rest = rest.trim_start();
    let unit = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_alphabetic()).len();
    let (unit, rest) = rest.split_at(unit);
    let (number, unit) = match (if number.is_empty() { "1" } else { number }, unit) {
        (number, "week" | "weeks" | "w") => (number.parse::<f64>().ok()? * 7.0, "d"),
        (number, "day" | "days") => (number.parse().ok()?, "d"),
        (number, "hour" | "hours") => (number.parse().ok()?, "h"),
        (number, "minute" | "minutes") => (number.parse().ok()?, "min"),
        (number, unit) => (number.parse().ok()?, unit),
    };
    let period: Period = format!("{number} {unit}").parse().ok()?;
    (period > Period::ZERO).then_some((period.as_seconds(), rest.trim()))
}

fn changes(part: &str, text: &str) -> Result<Differential, String> {
    const SHARE: &str = "the share of the data that is changed: 15%, or 3%/day";
    let (every_seconds, rest) = every(part, text)?;
    let (share, each_day) = match rest.split_once('/') {
        Some((share, day)) if matches!(day.trim(), "day" | "d") => (share, true),
        Some(_) => return Err(wrong(part, SHARE)),
        None => (rest, false),
    };
    let number = share.trim().strip_suffix('%').and_then(|n| n.trim().parse::<f64>().ok());
    let share = number.filter(|percent| *percent > 0.0 && *percent <= 100.0);
    let share = share.ok_or_else(|| wrong(part, SHARE))? / 100.0;
    let changed = if each_day { Changed::EachDay(share) } else { Changed::Share(share) };
    Ok(Differential { every_seconds, changed })
}

fn logs(part: &str, text: &str) -> Result<LogBackups, String> {
    const SIZE: &str = "the log of one backup: 2GiB, or 20GiB/day; on DEVICE if it has its own";
    let (every_seconds, rest) = every(part, text)?;
    let (size, device) = match rest.split_once(" on ") {
        Some((size, device)) => (size.trim(), Some(device.trim().to_string())),
        None => (rest, None),
    };
    let (size, seconds) = match size.split_once('/') {
        Some((size, "day" | "d")) => (size, DAY),
        Some((size, "hour" | "h")) => (size, 3600.0),
        Some(_) => return Err(wrong(part, SIZE)),
        None => (size, every_seconds),
    };
    let bytes: Bytes = size.parse().map_err(|_| wrong(part, SIZE))?;
    let bytes = bytes.as_f64() * every_seconds / seconds;
    let is_named = device.as_ref().is_none_or(|device| !device.is_empty());
    if bytes < 1.0 || !is_named {
        return Err(wrong(part, SIZE));
    }
    Ok(LogBackups { every_seconds, bytes, device })
}

impl fmt::Display for Routine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "full {}", often(self.full_every_seconds))?;
        if let Some(own) = &self.differential {
            let (share, each) = match own.changed {
                Changed::Share(share) => (share, ""),
                Changed::EachDay(share) => (share, "/day"),
            };
            let percent = (share * 1e12).round() / 1e10;
            write!(f, ", differential {} {percent}%{each}", often(own.every_seconds))?;
        }
        if let Some(own) = &self.log {
            let bytes = Bytes::new(own.bytes.round() as u64);
            write!(f, ", log {} {bytes}", often(own.every_seconds))?;
            if let Some(device) = &own.device {
                write!(f, " on {device}")?;
            }
        }
        Ok(())
    }
}

/// `weekly`, `every 15 min`.
#[must_use]
pub fn often(seconds: f64) -> String {
    let whole = |unit: f64| (seconds / unit).fract().abs() < 1e-9;
    let is = |other: f64| (seconds - other).abs() < 1e-6;
    match seconds {
        _ if is(3600.0) => "hourly".to_string(),
        _ if is(DAY) => "daily".to_string(),
        _ if is(7.0 * DAY) => "weekly".to_string(),
        _ if whole(DAY) => format!("every {} d", seconds / DAY),
        _ if whole(3600.0) => format!("every {} h", seconds / 3600.0),
        _ if whole(60.0) => format!("every {} min", seconds / 60.0),
        _ => format!("every {seconds} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Routine {
        text.parse().unwrap()
    }

    #[test]
    fn a_routine_is_read_and_written() {
        let routine = read("full weekly, diff daily 15%, log every 15min 2GiB");
        assert_eq!(routine.kinds().len(), 3);
        assert_eq!(routine.count(BackupKind::Differential), 6);
        assert_eq!(routine.count(BackupKind::Log), 672);
        assert_eq!(routine.log.as_ref().unwrap().bytes.to_bits(), 2_147_483_648_f64.to_bits());
        let written = "full weekly, differential daily 15%, log every 15 min 2 GiB";
        assert_eq!(routine.to_string(), written);
        assert_eq!(read(written), routine);
        let other = read("log hourly 48 GiB/day on l1, full every 2 weeks");
        assert_eq!(other.log.as_ref().unwrap().bytes.to_bits(), 2_147_483_648_f64.to_bits());
        assert_eq!(other.to_string(), "full every 14 d, log hourly 2 GiB on l1");
        assert_eq!(read("diff daily 3%").to_string(), "full weekly, differential daily 3%");
        assert_eq!(read("full daily").kinds(), [BackupKind::Full]);
    }

    #[test]
    fn changed_extents_of_days_overlap() {
        let routine = read("full weekly, diff daily 10%/day");
        assert!((routine.changed(1) - 0.1).abs() < 1e-12);
        assert!((routine.changed(2) - 0.19).abs() < 1e-12);
        let largest = routine.largest_share(BackupKind::Differential);
        assert!(
            (largest - (1.0 - (0..6).fold(1.0, |product, _| product * 0.9))).abs() < 1e-12,
            "{largest}"
        );
        assert!(routine.mean_of_largest() < 1.0);
        assert!((read("diff daily 9%").mean_of_largest() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn what_is_no_routine_is_said_with_what_is() {
        for (text, part) in [
            ("", "no backup is named"),
            ("weekly", "`full`, `diff` or `log`"),
            ("full", "how often"),
            ("full sometimes", "how often"),
            ("full every 0min", "how often"),
            ("full weekly 20%", "all of the data"),
            ("full weekly, full daily", "once"),
            ("diff daily", "15%"),
            ("diff daily 0%", "15%"),
            ("diff daily 101%", "15%"),
            ("diff daily nan%", "15%"),
            ("full daily, diff daily 5%", "more often"),
            ("log every 15min", "2GiB"),
            ("log every 15min 2", "2GiB"),
            ("log every 15min 2GiB/week", "2GiB"),
            ("log every 15min 2GiB on ", "2GiB"),
            ("diff daily 5%, log daily 1GiB", "more often"),
        ] {
            let error = text.parse::<Routine>().unwrap_err();
            assert!(error.contains(part) && error.contains("full weekly"), "{text}: {error}");
        }
    }
}
