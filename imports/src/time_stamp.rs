//! Dates and times as servers and clients print them.
//!
//! Read are ISO 8601 with a blank or a `T`, with any number of decimals and a zone (which counts
//! only for the time between two stamps that both have one); `dd.MM.yyyy`; numbers with
//! `/` or `-` in either order of day and month; months in English letters; and
//! `/Date(milliseconds)/`, which Windows `PowerShell` writes.
//!
//! `3/4/2026` can be read in two ways. A [`DateReader`] takes such a date as month first and
//! remembers whether another date of the file can be read in one way only; at the end of the file
//! [`DateReader::settle`] swaps what was read wrongly, or says that it is not known.

use jiff::civil::{Date, DateTime, Time};

use crate::recognise::DateOrder;

/// Largest number of milliseconds in `/Date(...)/`: the year 9999.
const LAST_MILLISECOND: i64 = 253_402_300_799_999;
const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// A moment as it was printed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Stamp {
    /// The moment; month first if day and month may be the other way round.
    pub(crate) at: DateTime,
    /// Step of its last digit in seconds; a second if all decimals are zeros.
    pub(crate) step: f64,
    /// Whether day and month may be the other way round.
    pub(crate) ambiguous: bool,
    /// Seconds by which its clock is ahead of UTC, if it says so.
    pub(crate) offset: Option<i32>,
}

impl Stamp {
    /// Seconds to add to the time by the clocks from this stamp to another: their zones.
    pub(crate) fn zones_to(self, to: Self) -> f64 {
        match (self.offset, to.offset) {
            (Some(from), Some(to)) => f64::from(from - to),
            _ => 0.0,
        }
    }

    /// Whether one of two stamps has a zone and the other has none.
    pub(crate) fn is_zoned_unlike(self, other: Self) -> bool {
        self.offset.is_some() != other.offset.is_some()
    }
}

/// Reads the dates of one file and finds out in which order they are written.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct DateReader {
    told: Option<DateOrder>,
    day_first: bool,
    month_first: bool,
    doubtful: bool,
}

impl DateReader {
    /// A reader that takes ambiguous dates in the order it is told.
    pub(crate) fn new(told: Option<DateOrder>) -> Self {
        Self { told, ..Self::default() }
    }

    /// Reads a stamp that makes up the whole of `text`.
    pub(crate) fn read(&mut self, text: &str) -> Option<Stamp> {
        let text = text.trim().trim_matches(['"', '\'']);
        if let Some(rest) = text.strip_prefix("/Date(").or_else(|| text.strip_prefix("\\/Date(")) {
            return from_milliseconds(rest);
        }
        let (stamp, order) = parse(text)?;
        let stamp = match (order, self.told) {
            (Order::Known, _) | (Order::Open, Some(DateOrder::MonthFirst)) => stamp,
            (Order::Shown(DateOrder::DayFirst), _) => {
                self.day_first = true;
                stamp
            }
            (Order::Shown(DateOrder::MonthFirst), _) => {
                self.month_first = true;
                stamp
            }
            (Order::Open, Some(DateOrder::DayFirst)) => Stamp { at: swapped(stamp.at), ..stamp },
            (Order::Open, None) if stamp.at.day() == stamp.at.month() => stamp,
            (Order::Open, None) => {
                self.doubtful = true;
                Stamp { ambiguous: true, ..stamp }
            }
        };
        Some(stamp)
    }

    /// The order of ambiguous dates by the others of the file; `None` if none tells, or both.
    pub(crate) fn order(&self) -> Option<DateOrder> {
        match (self.day_first, self.month_first) {
            (true, false) => Some(DateOrder::DayFirst),
            (false, true) => Some(DateOrder::MonthFirst),
            _ => None,
        }
    }

    /// Whether dates remain that can be read in two ways.
    pub(crate) fn is_open(&self) -> bool {
        self.doubtful && self.order().is_none()
    }

    /// An ambiguous date as it turned out to be; `None` if it is still open.
    pub(crate) fn settle(&self, at: DateTime) -> Option<DateTime> {
        match self.order()? {
            DateOrder::DayFirst => Some(swapped(at)),
            DateOrder::MonthFirst => Some(at),
        }
    }
}

/// What a date says about the order of day and month.
enum Order {
    /// It is written in a form that leaves no doubt, and tells nothing about others.
    Known,
    /// A number over twelve shows it.
    Shown(DateOrder),
    /// Both can be.
    Open,
}

/// With day and month exchanged, if both can be either.
pub(crate) fn swapped(at: DateTime) -> DateTime {
    Date::new(at.year(), at.day(), at.month()).map_or(at, |date| date.to_datetime(at.time()))
}

/// Seconds from one moment to another.
pub(crate) fn seconds_between(from: DateTime, to: DateTime) -> f64 {
    to.duration_since(from).as_secs_f64()
}

/// `at`, some seconds earlier.
pub(crate) fn earlier(at: DateTime, seconds: f64) -> Option<DateTime> {
    let span = jiff::SignedDuration::try_from_secs_f64(seconds).ok()?;
    at.checked_sub(span).ok()
}

fn from_milliseconds(rest: &str) -> Option<Stamp> {
    let digits = rest.split([')', '+']).next()?;
    // A zone may follow with a minus; a minus in front belongs to the number.
    let end = digits.get(1..)?.find('-').map_or(digits.len(), |place| place + 1);
    let milliseconds: i64 = digits[..end].parse().ok()?;
    if !(-LAST_MILLISECOND..=LAST_MILLISECOND).contains(&milliseconds) {
        return None;
    }
    let epoch = Date::new(1970, 1, 1).ok()?.at(0, 0, 0, 0);
    let at = epoch.checked_add(jiff::SignedDuration::from_millis(milliseconds)).ok()?;
    let step = if milliseconds % 1000 == 0 { 1.0 } else { 0.001 };
    Some(Stamp { at, step, ambiguous: false, offset: None })
}

fn parse(text: &str) -> Option<(Stamp, Order)> {
    let first = text.chars().next()?;
    if first.is_ascii_digit() {
        let end = text.find([' ', 'T', '\u{a0}']).unwrap_or(text.len());
        let (date, time) = (&text[..end], text[end..].trim_start_matches(['T', ' ', '\u{a0}']));
        if let Some((date, order)) = numeric_date(date) {
            return Some((with_time(date, time)?, order));
        }
    }
    let (date, time) = lettered_date(text)?;
    Some((with_time(date, time)?, Order::Known))
}

fn with_time(date: Date, time: &str) -> Option<Stamp> {
    let (time, step, offset) =
        if time.trim().is_empty() { (Time::midnight(), 86_400.0, None) } else { clock(time)? };
    Some(Stamp { at: date.to_datetime(time), step, ambiguous: false, offset })
}

/// A date in numbers with `-`, `/` or `.`.
fn numeric_date(text: &str) -> Option<(Date, Order)> {
    if text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        let date = day(text[..4].parse().ok()?, text[4..6].parse().ok()?, text[6..].parse().ok()?);
        return Some((date?, Order::Known));
    }
    let separator = text.chars().find(|c| !c.is_ascii_digit())?;
    if !matches!(separator, '-' | '/' | '.') {
        return None;
    }
    let mut parts = text.trim_end_matches('.').split(separator);
    let parts = [parts.next()?, parts.next()?, parts.next()?, parts.next().unwrap_or_default()];
    let [a, b, c] = [number(parts[0])?, number(parts[1])?, number(parts[2])?];
    if !parts[3].is_empty() {
        return None;
    }
    if parts[0].len() == 4 {
        return Some((day(a, b, c)?, Order::Known));
    }
    let year = if parts[2].len() == 2 { c + 2000 } else { c };
    if separator == '.' {
        return Some((day(year, b, a)?, Order::Known));
    }
    match (a > 12, b > 12) {
        (true, _) => Some((day(year, b, a)?, Order::Shown(DateOrder::DayFirst))),
        (false, true) => Some((day(year, a, b)?, Order::Shown(DateOrder::MonthFirst))),
        (false, false) => Some((day(year, a, b)?, Order::Open)),
    }
}

fn number(text: &str) -> Option<i16> {
    if text.is_empty() || text.len() > 4 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

fn day(year: i16, month: i16, day: i16) -> Option<Date> {
    if !(1970..=2200).contains(&year) {
        return None;
    }
    Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

/// `Nov 30 2026 ...`, `30 Nov 2026 ...`, `30-Nov-2026 ...`, and what follows.
fn lettered_date(text: &str) -> Option<(Date, &str)> {
    let mut rest = text;
    let (mut month, mut numbers, mut count) = (None, [0_i16; 2], 0);
    while month.is_none() || count < 2 {
        rest = rest.trim_start_matches([' ', '-', ',', '/']);
        let end = rest.find([' ', '-', ',', '/']).unwrap_or(rest.len());
        let word = &rest[..end];
        rest = &rest[end..];
        if let Some(value) = number(word) {
            *numbers.get_mut(count)? = value;
            count += 1;
        } else {
            let three = word.get(..3)?.to_ascii_lowercase();
            let place = MONTHS.iter().position(|name| *name == three)?;
            if month.replace(i16::try_from(place).ok()? + 1).is_some() {
                return None;
            }
        }
    }
    Some((day(numbers[1], month?, numbers[0])?, rest.trim_start()))
}

/// A time of the day, its step and its zone, with or without AM or PM.
fn clock(text: &str) -> Option<(Time, f64, Option<i32>)> {
    let end = text.find(|c: char| !matches!(c, '0'..='9' | ':' | '.' | ',')).unwrap_or(text.len());
    let (digits, suffix) = (text[..end].trim_end_matches([',', '.']), text[end..].trim());
    let mut parts = digits.splitn(3, ':');
    let mut hour: i16 = number(parts.next()?)?;
    let minute = number(parts.next()?)?;
    let (second, nanosecond, step) = match parts.next() {
        None => (0, 0, 60.0),
        Some(seconds) => seconds_of(seconds)?,
    };
    let half: String = suffix.chars().filter(char::is_ascii_alphabetic).collect();
    match half.to_ascii_lowercase().as_str() {
        "am" | "pm" if !(1..=12).contains(&hour) => return None,
        "am" if hour == 12 => hour = 0,
        "pm" if hour < 12 => hour += 12,
        "" | "z" | "utc" | "am" | "pm" => {}
        _ => return None,
    }
    let (hour, minute) = (i8::try_from(hour).ok()?, i8::try_from(minute).ok()?);
    Some((Time::new(hour, minute, second, nanosecond).ok()?, step, zone(suffix)))
}

/// Seconds of `Z`, `UTC`, `+02:00`, `-0330` or `+02`; `None` if there is no zone.
fn zone(suffix: &str) -> Option<i32> {
    let Some(place) = suffix.find(['+', '-']) else {
        let utc = suffix.eq_ignore_ascii_case("z") || suffix.eq_ignore_ascii_case("utc");
        return utc.then_some(0);
    };
    let (sign, rest) = suffix.split_at(place + 1);
    let digits: String = rest.chars().filter(|c| *c != ':').collect();
    let hours: i32 = number(digits.get(..2)?)?.into();
    let minutes: i32 = if digits.len() == 2 { 0 } else { number(&digits[2..])?.into() };
    let seconds = hours * 3600 + minutes * 60;
    let known = digits.len() <= 4 && hours <= 14 && minutes < 60;
    known.then_some(if sign.ends_with('-') { -seconds } else { seconds })
}

/// Seconds, nanoseconds and the step of `37`, `37.120`, `37.12:` and the like.
fn seconds_of(text: &str) -> Option<(i8, i32, f64)> {
    // SQL Server also prints `02:00:23:547`.
    let (whole, decimals) = text.split_once([':', '.', ',']).unwrap_or((text, ""));
    let second = i8::try_from(number(whole)?).ok()?;
    if !decimals.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digits = decimals.len().min(9);
    let mut nanosecond: i32 = if digits == 0 { 0 } else { decimals[..digits].parse().ok()? };
    for _ in digits..9 {
        nanosecond *= 10;
    }
    // A `datetime` counts in steps of a third of a hundredth.
    let step = match digits {
        _ if nanosecond == 0 => 1.0,
        3 => 1.0 / 300.0,
        _ => libm::exp10(-(digits.min(7) as f64)),
    };
    Some((second, nanosecond, step))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<String> {
        DateReader::default().read(text).map(|stamp| stamp.at.to_string())
    }

    #[test]
    fn every_form_gives_the_same_moment() {
        for text in [
            "2026-11-30 01:02:03",
            "2026-11-30 01:02:03.000",
            "2026-11-30T01:02:03.0000000-03:00",
            "2026-11-30T01:02:03Z",
            "2026/11/30 01:02:03",
            "20261130 01:02:03",
            "30.11.2026 01:02:03",
            "30/11/2026 1:02:03",
            "11/30/2026 1:02:03 AM",
            "11/30/2026 1:02:03 a. m.",
            "30-11-2026 01:02:03",
            "Nov 30 2026  1:02:03AM",
            "30-Nov-2026 01:02:03",
            "30 November 2026 01:02:03",
            "/Date(1796000523000)/",
            "\\/Date(1796000523000+0100)\\/",
            "\"2026-11-30 01:02:03\"",
        ] {
            assert_eq!(read(text).as_deref(), Some("2026-11-30T01:02:03"), "{text}");
        }
        assert_eq!(read("6/18/2024 12:37:59 AM").as_deref(), Some("2024-06-18T00:37:59"));
        assert_eq!(read("6/18/2024 8:37:59 PM").as_deref(), Some("2024-06-18T20:37:59"));
    }

    #[test]
    fn zones_are_read() {
        for (text, offset) in [
            ("2026-11-30T01:02:03Z", Some(0)),
            ("2026-11-30 01:02:03 +02:00", Some(7200)),
            ("2026-11-30T01:02:03.5-0330", Some(-12_600)),
            ("2026-11-30 01:02:03", None),
            ("2026-11-30 01:02:03+99:99", None),
            ("2026-11-30 01:02:03+é", None),
        ] {
            let stamp = DateReader::default().read(text);
            assert_eq!(stamp.and_then(|stamp| stamp.offset), offset, "{text}");
        }
    }

    #[test]
    fn what_is_no_date_is_none() {
        for text in [
            "",
            "NULL",
            "7",
            "00:00:23",
            "2026-13-01",
            "30.02.2026",
            "1.2.3.4",
            "99:99",
            "/Date()/",
            "/Date(99999999999999999999)/",
            "2026-11-30 25:00:00",
            "6,17 GB",
            "été 1 2",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn one_date_that_shows_the_order_settles_the_others() {
        let mut reader = DateReader::default();
        let open = reader.read("3/4/2026 10:00").expect("a date");
        assert!(open.ambiguous && reader.is_open() && reader.settle(open.at).is_none());
        assert!(!reader.read("5/5/2026").expect("a date").ambiguous);
        reader.read("13/4/2026").expect("a date");
        assert_eq!(reader.settle(open.at).expect("settled").to_string(), "2026-04-03T10:00:00");
        let mut told = DateReader::new(Some(DateOrder::DayFirst));
        assert_eq!(told.read("3/4/2026").expect("a date").at.to_string(), "2026-04-03T00:00:00");
        reader.read("4/13/2026").expect("a date");
        assert!(reader.is_open(), "both orders in one file tell nothing");
    }

    #[test]
    fn the_step_is_that_of_the_digits() {
        let step = |text| DateReader::default().read(text).expect("a date").step;
        for (text, wanted) in [
            ("2026-11-30 01:02", 60.0),
            ("2026-11-30 01:02:03.000", 1.0),
            ("2026-11-30 01:02:03.12", 0.01),
            ("2026-11-30 01:02:03.0312567", 1e-7),
            ("2026-11-30 01:02:03.123", 1.0 / 300.0),
        ] {
            assert!((step(text) - wanted).abs() < 1e-12, "{text}");
        }
    }
}
