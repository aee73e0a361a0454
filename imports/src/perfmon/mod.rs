//! Performance counters in PDH-CSV or PDH-TSV: perfmon, logman, typeperf, relog.
//!
//! One pass, and only the columns that are needed are parsed. A blank sample says nothing. While a
//! backup runs (its own counters are above zero) disks are counted apart, and only that is used.
//! Busy is 1 - `% Idle Time`; without it `% Disk Time`, which can exceed 100 and is cut there.
//! `Backup/Restore Throughput` counts data of the database, `Device Throughput` what goes to the
//! device: their ratio is that of the compression.

mod counter;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, Read};

use jiff::civil::DateTime;

use crate::error::ImportError;
use crate::figure::{counted, malformed, number, rate_text, shown, unreadable};
use crate::finding::{CautionCode, Import};
use crate::format::Format;
use crate::recognise::{ImportOptions, Importer};
use crate::source::Source;
use crate::tally::{Sample, Series, Tally};
use counter::{Kind, Path, Role};

pub(crate) const IMPORTER: Importer = Importer { format: Format::Perfmon, looks, read };

/// Most bytes of a line; a header with ten thousand counters has about one million.
const LONGEST: u64 = 16 << 20;
/// Most devices that are kept.
const MOST: usize = 20_000;
/// More bytes a second than any device moves.
const LARGEST: f64 = 1e15;

fn is_header(line: &str) -> bool {
    let line = line.trim_start_matches(['"', ' ', '\u{feff}']);
    line.starts_with("(PDH-CSV") || line.starts_with("(PDH-TSV")
}

fn looks(head: &str) -> bool {
    head.lines().any(is_header)
}

/// Samples of a device or of an instance.
struct Device {
    name: String,
    /// All the time, and while a backup ran.
    tallies: [Tally; 2],
    sample: Sample,
    disk_time: Option<f64>,
    is_disk: bool,
}

/// A column that is needed.
struct Wanted {
    column: usize,
    role: Role,
    device: usize,
}

#[derive(Default)]
struct Found {
    delimiter: u8,
    wanted: Vec<Wanted>,
    devices: Vec<Device>,
    names: BTreeMap<String, usize>,
    processor: [Series; 2],
    rows: u64,
    columns: usize,
    first: String,
    last: String,
    /// Bytes of databases and of devices in samples that have both.
    moved: [f64; 2],
}

fn read(
    source: Source<'_>,
    _options: &ImportOptions,
    import: &mut Import,
) -> Result<(), ImportError> {
    let mut reader = source.into_reader();
    let mut found = Found::default();
    let mut line = Vec::new();
    loop {
        let more = read_line(&mut reader, &mut line).map_err(|error| unreadable(import, error))?;
        if !more {
            break;
        }
        found.take(import, &line);
    }
    if found.columns == 0 {
        return Err(malformed(import, "it has no header of counters"));
    }
    finish(import, &found);
    Ok(())
}

fn read_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let read = reader.by_ref().take(LONGEST).read_until(b'\n', line)?;
    while line.last().is_some_and(|byte| matches!(byte, b'\n' | b'\r')) {
        line.pop();
    }
    Ok(read > 0)
}

/// The next field of a line, without its quotes, and what follows its delimiter.
fn next_field(line: &[u8], delimiter: u8) -> (&[u8], Option<&[u8]>) {
    let end_of = |from: usize| {
        let length = line[from..].iter().position(|byte| *byte == delimiter);
        length.map(|length| from + length)
    };
    let (field, end) = if line.first() == Some(&b'"') {
        let close = line[1..].iter().position(|byte| *byte == b'"').map(|length| length + 1);
        let close = close.unwrap_or(line.len());
        (&line[1..close], end_of(close))
    } else {
        let end = end_of(0);
        (&line[..end.unwrap_or(line.len())], end)
    };
    (field, end.map(|end| &line[end + 1..]))
}

impl Found {
    fn take(&mut self, import: &mut Import, line: &[u8]) {
        let first = line.first().copied().unwrap_or(b' ');
        if matches!(first, b'"' | b'(' | b' ' | 0xef)
            && let Ok(text) = std::str::from_utf8(line)
            && is_header(text)
        {
            self.take_header(import, text);
            return;
        }
        let (stamp, rest) = next_field(line, self.delimiter);
        if !stamp.first().is_some_and(u8::is_ascii_digit) || self.columns == 0 {
            if !line.iter().all(u8::is_ascii_whitespace) {
                import.ignore("line that is no sample");
            }
            return;
        }
        let Some(rest) = rest else {
            import.ignore("sample without values");
            return;
        };
        self.rows += 1;
        keep(if self.rows == 1 { &mut self.first } else { &mut self.last }, stamp);
        self.take_row(rest);
    }

    fn take_row(&mut self, rest: &[u8]) {
        let (mut rest, mut at) = (Some(rest), 1);
        let mut processor = None;
        for wanted in &self.wanted {
            let value = loop {
                let Some(line) = rest else { break None };
                let (field, next) = next_field(line, self.delimiter);
                (rest, at) = (next, at + 1);
                if at > wanted.column {
                    break value_of(field);
                }
            };
            let Some(value) = value else { continue };
            let share = (value / 100.0).min(1.0);
            let Some(device) = self.devices.get_mut(wanted.device) else {
                processor = Some(share);
                continue;
            };
            let sample = &mut device.sample;
            match wanted.role {
                Role::DiskRead => sample.read = Some(value),
                Role::DiskWrite => sample.write = Some(value),
                Role::DiskReadBlock => sample.read_block = Some(value),
                Role::DiskWriteBlock => sample.write_block = Some(value),
                Role::DiskIdle => sample.busy = Some(1.0 - share),
                Role::DiskTime => device.disk_time = Some(share),
                // They stand at zero between backups.
                Role::DatabaseThroughput => sample.read = Some(value).filter(|rate| *rate > 0.0),
                Role::BackupDevice => sample.write = Some(value).filter(|rate| *rate > 0.0),
                Role::Processor => {}
            }
        }
        self.close_row(processor);
    }

    fn close_row(&mut self, processor: Option<f64>) {
        let mut moved = [0.0, 0.0];
        for device in self.devices.iter().filter(|device| !device.is_disk) {
            moved[0] += device.sample.read.unwrap_or(0.0);
            moved[1] += device.sample.write.unwrap_or(0.0);
        }
        let backup = moved.iter().any(|moved| *moved > 0.0);
        if moved.iter().all(|moved| *moved > 0.0) {
            self.moved[0] += moved[0];
            self.moved[1] += moved[1];
        }
        for device in &mut self.devices {
            let mut sample = std::mem::take(&mut device.sample);
            sample.busy = sample.busy.or(device.disk_time.take());
            device.disk_time = None;
            device.tallies[0].add(&sample);
            if backup {
                device.tallies[1].add(&sample);
            }
        }
        if let Some(share) = processor {
            self.processor[0].add(share);
            if backup {
                self.processor[1].add(share);
            }
        }
    }

    fn take_header(&mut self, import: &mut Import, line: &str) {
        let after = line.find("SV").map_or("", |at| &line[at..]);
        let delimiter = after.bytes().find(|byte| matches!(byte, b',' | b'\t' | b';'));
        self.delimiter = delimiter.unwrap_or(b',');
        self.wanted.clear();
        let mut columns = Vec::new();
        let (first, mut rest) = next_field(line.as_bytes(), self.delimiter);
        while let Some(line) = rest {
            let (field, next) = next_field(line, self.delimiter);
            columns.push(std::str::from_utf8(field).unwrap_or_default());
            rest = next;
        }
        let first = String::from_utf8_lossy(first);
        import.version.get_or_insert_with(|| shown(&first));
        self.columns = columns.len() + 1;
        let paths: Vec<Option<Path<'_>>> = columns.iter().map(|text| Path::new(text)).collect();
        let hosts: BTreeSet<String> =
            paths.iter().flatten().map(|path| path.host.to_lowercase()).collect();
        let single: BTreeSet<&str> = paths
            .iter()
            .flatten()
            .filter(|path| !path.is_total())
            .map(|path| path.object)
            .collect();
        for (index, path) in paths.iter().enumerate() {
            let Some(path) = path else {
                import.ignore("column that is no counter");
                continue;
            };
            let role = match path.kind() {
                Kind::Known(role) => role,
                Kind::Other => {
                    import.ignore("counter that is of no use here");
                    continue;
                }
                Kind::Foreign => {
                    import.ignore("counter in another language that is not understood");
                    let column = format!("column {}", index + 2);
                    import.field(column, shown(path.counter), "not understood");
                    continue;
                }
            };
            if role != Role::Processor && path.is_total() && single.contains(path.object) {
                import.ignore("sum over instances that are there");
                continue;
            }
            let device = self.device_of(path, role, hosts.len() > 1);
            let Some(device) = device else {
                import.caution(CautionCode::Truncated, format!("only {MOST} devices are kept"));
                continue;
            };
            let what = format!("{}: {role:?}", path.instance);
            import.field(format!("column {}", index + 2), shown(path.counter), &shown(&what));
            self.wanted.push(Wanted { column: index + 1, role, device });
        }
    }

    /// Index of the device that a column is of; that of the processor is out of range.
    fn device_of(&mut self, path: &Path<'_>, role: Role, several_hosts: bool) -> Option<usize> {
        if role == Role::Processor {
            return Some(usize::MAX);
        }
        let host = if several_hosts { format!(r"\\{}\", path.host) } else { String::new() };
        let name = shown_path(&format!("{host}{}({})", path.object, path.instance));
        let known = self.names.get(&name).copied();
        if known.is_none() && self.devices.len() >= MOST {
            return None;
        }
        Some(known.unwrap_or_else(|| {
            let is_disk = !matches!(role, Role::BackupDevice | Role::DatabaseThroughput);
            let tallies = [Tally::default(), Tally::default()];
            let (sample, disk_time) = (Sample::default(), None);
            self.names.insert(name.clone(), self.devices.len());
            self.devices.push(Device { name, tallies, sample, disk_time, is_disk });
            self.devices.len() - 1
        }))
    }
}

fn shown_path(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(200).collect()
}

fn keep(text: &mut String, stamp: &[u8]) {
    text.clear();
    text.push_str(std::str::from_utf8(stamp).unwrap_or_default());
}

/// A value; `None` for a blank sample.
fn value_of(field: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(field).ok()?.trim();
    if text.is_empty() {
        return None;
    }
    let plain = text.as_bytes()[0].is_ascii_digit().then(|| text.parse().ok()).flatten();
    let value: f64 = plain.or_else(|| number(text))?;
    (0.0..=LARGEST).contains(&value).then_some(value)
}

/// `MM/dd/yyyy HH:mm:ss.fff`, whatever the language.
fn moment(text: &str) -> Option<DateTime> {
    let (date, time) = text.trim().split_once(' ')?;
    let date: Vec<i16> = date.split('/').map_while(|part| part.parse().ok()).collect();
    let [month, day, year] = date[..] else { return None };
    let (clock, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let clock: Vec<i8> = clock.split(':').map_while(|part| part.parse().ok()).collect();
    let [hour, minute, second] = clock[..] else { return None };
    let fraction: String = fraction.chars().chain("000".chars()).take(3).collect();
    let nanos = fraction.parse::<i32>().ok()? * 1_000_000;
    let (month, day) = (i8::try_from(month).ok()?, i8::try_from(day).ok()?);
    DateTime::new(year, month, day, hour, minute, second, nanos).ok()
}

/// Seconds that the samples cover: from the first to the last, and one interval more.
fn seconds_of(found: &Found) -> Option<f64> {
    let (first, last) = (moment(&found.first)?, moment(&found.last)?);
    let seconds = first.duration_until(last).as_secs_f64();
    let intervals = found.rows.checked_sub(1).filter(|count| *count > 0)?;
    (seconds > 0.0).then(|| seconds + seconds / intervals as f64)
}

fn finish(import: &mut Import, found: &Found) {
    let during = found.devices.iter().any(|device| {
        device.is_disk && device.tallies[1].samples() > 0 && device.tallies[0].samples() > 0
    });
    let which = usize::from(during);
    let seconds = seconds_of(found);
    import.shape = format!(
        "{} of {} columns{}",
        counted(found.rows, "sample"),
        found.columns,
        if during { ", disks while a backup ran" } else { "" }
    );
    let of_file = found.processor[which].mean();
    for device in &found.devices {
        let tally = &device.tallies[if device.is_disk { which } else { 0 }];
        if tally.samples() == 0 {
            import.ignore("instance without a value");
            continue;
        }
        let share = tally.samples() as f64 / found.rows.max(1) as f64;
        let seconds = seconds.map(|seconds| seconds * share.min(1.0));
        import.loads.push(tally.load(device.name.clone(), seconds, of_file));
    }
    if found.moved[1] > 0.0 {
        let ratio = found.moved[0] / found.moved[1];
        let rates = found.moved.map(rate_text);
        import.field(
            "Backup/Restore Throughput by Device Throughput",
            format!("sums {} and {}", rates[0], rates[1]),
            &format!("compression ratio {ratio:.2}"),
        );
    }
    if import.loads.is_empty() {
        let text = "no counter of a disk or a backup in it has values";
        import.refused = Some(if found.rows == 0 {
            "it has a header, but no sample".to_string()
        } else {
            text.to_string()
        });
    }
}

#[cfg(test)]
mod tests;
