//! Text of diskspd, 2.0 to 2.2.
//!
//! Tables are read by their headers: without `-L` and `-D` columns are missing, and 2.2 has more of
//! them for processors. Rows of threads are summed for each file; bytes are divided by the actual
//! test time. Settings come from the section of parameters, or where there is none from the command
//! line. Percentiles and processors are passed over.

mod settings;

use std::collections::BTreeMap;

use crate::caveats::judge;
use crate::error::ImportError;
use crate::figure::{
    MIB, alike, amount, count, counted, leading, malformed, rate_text, shown, size, unreadable,
};
use crate::finding::{CautionCode, Direction, Import, Pattern, Rate};
use crate::format::Format;
use crate::recognise::{ImportOptions, Importer};
use crate::source::{Source, next_line};
use settings::Settings;

pub(crate) const IMPORTER: Importer = Importer { format: Format::DiskspdText, looks, read };

/// Most files and time spans that are kept.
const MOST: usize = 10_000;

fn looks(head: &str) -> bool {
    let has = |part: &str| head.contains(part);
    has("Results for timespan")
        || (has("actual test time:") && has("Total IO"))
        || (has("Input parameters:") && has("timespan:"))
        || (has("Command Line:") && has("System information:"))
}

/// What one file did in one direction.
#[derive(Debug, Default)]
struct Done {
    threads: u32,
    bytes: u64,
    accesses: u64,
    waits: f64,
    file_bytes: Option<u64>,
    printed: f64,
}

/// A table: 0 for all, 1 for reads, 2 for writes.
type Tables = [BTreeMap<String, Done>; 3];

/// Results of a time span.
#[derive(Debug, Default)]
struct Span {
    number: Option<u64>,
    seconds: Option<f64>,
    tables: Tables,
    totals: [Option<Done>; 3],
}

/// What was read so far.
#[derive(Debug, Default)]
struct Found {
    command: Option<Settings>,
    /// Settings by number of their time span.
    inputs: Vec<(u64, Settings)>,
    input_span: Option<u64>,
    spans: Vec<Span>,
    table: Option<usize>,
    columns: Vec<String>,
    line: u64,
    failed: Option<String>,
}

fn read(
    source: Source<'_>,
    _options: &ImportOptions,
    import: &mut Import,
) -> Result<(), ImportError> {
    let mut reader = source.into_reader();
    let mut found = Found::default();
    let mut line = String::new();
    while next_line(&mut reader, &mut line).map_err(|error| unreadable(import, error))? {
        found.line += 1;
        found.take(import, line.trim());
    }
    if found.spans.is_empty() {
        let reason = found.failed.unwrap_or_else(|| {
            "it has no results: was the run that should have written it interrupted?".to_string()
        });
        return Err(malformed(import, reason));
    }
    let from = if found.inputs.is_empty() { "command line" } else { "input parameters" };
    let spans = counted(found.spans.len() as u64, "time span");
    import.shape = format!("{spans}, settings from the {from}");
    for (index, span) in found.spans.iter().enumerate() {
        take_span(import, index, span, &found);
    }
    if let Some(reason) = found.failed {
        import.refused = Some(reason);
    } else if import.rates.is_empty() {
        import.refused = Some("no file was read or written".to_string());
    }
    Ok(())
}

impl Found {
    fn take(&mut self, import: &mut Import, line: &str) {
        if let Some(command) = line.strip_prefix("Command Line:") {
            self.command = Some(Settings::of_command(command));
            import.field(format!("line {}", self.line), shown(command.trim()), "options");
        } else if line.starts_with("Input parameters") {
            self.input_span = Some(1);
        } else if line.starts_with("System information") {
            self.input_span = None;
        } else if let Some(rest) = line.strip_prefix("Results for timespan") {
            self.input_span = None;
            self.open(leading(rest).map(|(number, _)| number as u64));
        } else if let Some(rest) = line.strip_prefix("actual test time:") {
            if self.spans.is_empty() {
                self.open(None);
            }
            if let Some(span) = self.spans.last_mut() {
                span.seconds = leading(rest).map(|(number, _)| number).filter(|s| *s > 0.0);
            }
        } else if let Some(version) = line.strip_prefix("DISKSPD").or(line.strip_prefix("Version"))
        {
            import.version = Some(format!("diskspd {}", shown(version.trim())));
        } else if line.starts_with("There has been an error") || line.starts_with("Error ") {
            self.failed = Some(format!("diskspd reports: {}", shown(line)));
        } else if self.input_span.is_some() {
            self.take_input(line);
        } else {
            self.take_table(line);
        }
    }

    fn open(&mut self, number: Option<u64>) {
        self.table = None;
        if self.spans.len() < MOST {
            self.spans.push(Span { number, ..Span::default() });
        }
    }

    fn take_input(&mut self, line: &str) {
        if let Some(rest) = line.strip_prefix("timespan:") {
            self.input_span = leading(rest).map(|(number, _)| number as u64).or(self.input_span);
        } else if let Some(path) = line.strip_prefix("path:") {
            let path = path.trim().trim_matches('\'').to_string();
            let settings = Settings { path: Some(path), ..Settings::default() };
            if let Some(span) = self.input_span.filter(|_| self.inputs.len() < MOST) {
                self.inputs.push((span, settings));
            }
        } else if let Some((_, settings)) = self.inputs.last_mut() {
            settings.take_line(line);
        }
    }

    fn take_table(&mut self, line: &str) {
        let table = ["Total IO", "Read IO", "Write IO"].iter().position(|name| line == *name);
        if table.is_some() {
            self.table = table;
            self.columns.clear();
            return;
        }
        let Some(table) = self.table else { return };
        if self.columns.is_empty() {
            let columns: Vec<String> = line.split('|').map(|cell| cell.trim().into()).collect();
            if columns.iter().any(|column| column == "bytes") {
                self.columns = columns;
            }
            return;
        }
        if line.is_empty() {
            // The row of the total is missing; what follows is another table.
            self.table = None;
            return;
        }
        let Some(span) = self.spans.last_mut() else { return };
        if let Some(rest) = line.strip_prefix("total:") {
            // The first cell, the thread, is the word itself.
            let row = format!("|{rest}");
            span.totals[table] = Some(Done::default());
            if let Some(total) = &mut span.totals[table] {
                total.add(&self.columns, &row);
            }
            self.table = None;
        } else if line.split('|').next().is_some_and(|thread| count(thread).is_some()) {
            let place = self.columns.iter().position(|column| column == "file");
            let cell = place.and_then(|place| line.splitn(place + 1, '|').nth(place));
            let (path, bytes) = file_of(cell.unwrap_or("").trim());
            let files = &mut span.tables[table];
            if files.len() < MOST || files.contains_key(path) {
                let done = files.entry(path.to_string()).or_default();
                done.file_bytes = done.file_bytes.or(bytes);
                done.add(&self.columns, line);
            }
        }
    }
}

/// `D:\x.dat (64MiB)`: path and size.
fn file_of(cell: &str) -> (&str, Option<u64>) {
    match cell.rsplit_once(" (") {
        Some((path, bytes)) if bytes.ends_with(')') => (path, size(bytes.trim_end_matches(')'))),
        _ => (cell, None),
    }
}

impl Done {
    fn add(&mut self, columns: &[String], row: &str) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let cell = |name: &str| {
            let place = columns.iter().position(|column| column == name)?;
            cells.get(place).copied()
        };
        let accesses = cell("I/Os").and_then(count).unwrap_or(0);
        let wait = cell("AvgLat").and_then(amount).unwrap_or(0.0);
        self.threads += 1;
        self.bytes = self.bytes.saturating_add(cell("bytes").and_then(count).unwrap_or(0));
        self.accesses = self.accesses.saturating_add(accesses);
        self.waits += wait * accesses as f64;
        let printed = cell("MiB/s").or(cell("MB/s")).and_then(amount).unwrap_or(0.0);
        self.printed += printed * MIB;
    }
}

fn take_span(import: &mut Import, index: usize, span: &Span, found: &Found) {
    let number = span.number.unwrap_or(index as u64 + 1);
    let Some(seconds) = span.seconds else {
        import.ignore("time span without a test time");
        return;
    };
    for (table, direction) in [(1, Direction::Read), (2, Direction::Write)] {
        let total = span.totals[table].as_ref();
        let files = &span.tables[table];
        let sum: u64 = files.values().fold(0, |sum, done| sum.saturating_add(done.bytes));
        if let Some(total) = total.filter(|total| !alike(total.bytes as f64, sum as f64, 0.01)) {
            let text = format!("time span {number}: rows of threads are missing; total is used");
            import.caution(CautionCode::Damaged, text);
            let path = files.keys().next().filter(|_| files.len() == 1).cloned();
            push(import, number, seconds, (direction, path, total), found, span);
            continue;
        }
        for (path, done) in files {
            push(import, number, seconds, (direction, Some(path.clone()), done), found, span);
        }
    }
}

fn push(
    import: &mut Import,
    number: u64,
    seconds: f64,
    (direction, target, done): (Direction, Option<String>, &Done),
    found: &Found,
    span: &Span,
) {
    if done.bytes == 0 {
        return;
    }
    let of_input = found
        .inputs
        .iter()
        .find(|(span, settings)| *span == number && (target.is_none() || settings.path == target));
    let of_input = of_input.or_else(|| found.inputs.iter().find(|(span, _)| *span == number));
    let default = Settings::default();
    let settings = of_input.map(|(_, one)| one).or(found.command.as_ref()).unwrap_or(&default);
    let way = if direction == Direction::Read { "read" } else { "write" };
    let moved = |table: usize| span.totals[table].as_ref().is_some_and(|done| done.bytes > 0);
    let wait = done.waits / done.accesses.max(1) as f64 / 1000.0;
    let file_bytes = target.as_ref().and_then(|path| span.tables[0].get(path)?.file_bytes);
    let rate = Rate {
        label: format!("time span {number} {way}"),
        target: target.filter(|path| !path.is_empty()),
        direction,
        pattern: settings.pattern.unwrap_or(Pattern::Unknown),
        bytes_per_second: done.bytes as f64 / seconds,
        block_bytes: settings.block,
        depth: settings.depth,
        jobs: done.threads,
        seconds: Some(seconds),
        direct: settings.direct,
        file_bytes: done.file_bytes.or(file_bytes).or(settings.file_bytes),
        latency_seconds: (wait > 0.0).then_some(wait),
        mixed: moved(1) && moved(2),
    };
    let bytes = done.bytes;
    import.field(
        format!("timespan {number}, {way} IO, bytes"),
        format!("{bytes} in {seconds} s"),
        &rate_text(rate.bytes_per_second),
    );
    // Two digits are printed.
    let off = (rate.bytes_per_second - done.printed).abs();
    if done.printed > 0.0 && off > MIB * 0.01 * f64::from(done.threads) + 0.01 * done.printed {
        let text = format!(
            "{}: bytes by time give {}, but {} is printed",
            rate.label,
            rate_text(rate.bytes_per_second),
            rate_text(done.printed)
        );
        import.caution(CautionCode::Inconsistent, text);
    }
    if settings.limited {
        let text = format!("{}: held down by -g, not what it can do", rate.label);
        import.caution(CautionCode::Limited, text);
    }
    if direction == Direction::Write && settings.write_through == Some(false) {
        let text = format!("{}: the write cache of the device was on; use -Sh", rate.label);
        import.caution(CautionCode::Cached, text);
    }
    judge(import, &rate, "-Sh");
    import.rates.push(rate);
}

#[cfg(test)]
mod tests;
