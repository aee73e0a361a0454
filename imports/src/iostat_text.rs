//! `iostat` of sysstat as text, above all `iostat -x`.
//!
//! Columns are found by their names: sysstat had at least four orders of them. `kB` is KiB there,
//! a sector is 512 bytes. The first report after a banner is the mean since the system was started
//! and is left out, unless it is the only one. Time stamps are in any language and passed over.

use std::collections::BTreeMap;

use crate::error::ImportError;
use crate::figure::{KIB, MIB, amount, counted, leading, malformed, rate_text, shown, unreadable};
use crate::finding::{CautionCode, Import};
use crate::format::Format;
use crate::recognise::{ImportOptions, Importer};
use crate::source::{Source, next_line};
use crate::tally::{Sample, Series, Tally};

pub(crate) const IMPORTER: Importer = Importer { format: Format::IostatText, looks, read };

/// Most devices that are kept.
const MOST: usize = 10_000;
/// More bytes a second than any device moves.
const LARGEST: f64 = 1e15;

/// What a column means.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Column {
    Read(f64),
    Write(f64),
    ReadBlock(f64),
    WriteBlock(f64),
    /// Of reads and writes together.
    Block(f64),
    Busy,
    Other,
}

/// The meaning of a column by its name, and bytes of its unit.
pub(crate) fn column(name: &str) -> Column {
    match name.trim_end_matches(':') {
        "rkB/s" | "kB_read/s" => Column::Read(KIB),
        "rMB/s" | "MB_read/s" => Column::Read(MIB),
        "rsec/s" | "Blk_read/s" => Column::Read(512.0),
        "wkB/s" | "kB_wrtn/s" => Column::Write(KIB),
        "wMB/s" | "MB_wrtn/s" => Column::Write(MIB),
        "wsec/s" | "Blk_wrtn/s" => Column::Write(512.0),
        "rareq-sz" => Column::ReadBlock(KIB),
        "wareq-sz" => Column::WriteBlock(KIB),
        "avgrq-sz" => Column::Block(512.0),
        "areq-sz" => Column::Block(KIB),
        "%util" | "util" => Column::Busy,
        _ => Column::Other,
    }
}

/// Puts a value into a sample.
pub(crate) fn put(sample: &mut Sample, column: Column, value: f64) {
    let bytes = |unit: f64| Some(value * unit).filter(|bytes| *bytes <= LARGEST);
    match column {
        Column::Read(unit) => sample.read = bytes(unit),
        Column::Write(unit) => sample.write = bytes(unit),
        Column::ReadBlock(unit) => sample.read_block = bytes(unit),
        Column::WriteBlock(unit) => sample.write_block = bytes(unit),
        Column::Block(unit) => (sample.read_block, sample.write_block) = (bytes(unit), bytes(unit)),
        Column::Busy => sample.busy = Some((value / 100.0).min(1.0)),
        Column::Other => {}
    }
}

/// Reports so far: devices and processors, the first of each run apart.
#[derive(Debug, Default)]
pub(crate) struct Reports {
    /// Reports, and those that are the first of their run.
    pub(crate) count: u64,
    first: u64,
    devices: BTreeMap<String, [Tally; 2]>,
    processor: [Series; 2],
    /// Whether the report that is being read is the first of its run.
    is_first: bool,
}

impl Reports {
    /// Begins a report.
    pub(crate) fn begin(&mut self, is_first: bool) {
        self.count += 1;
        self.first += u64::from(is_first);
        self.is_first = is_first;
    }

    /// Takes a device of this report.
    pub(crate) fn device(&mut self, import: &mut Import, name: &str, sample: &Sample) {
        if self.devices.len() >= MOST && !self.devices.contains_key(name) {
            import.caution(CautionCode::Truncated, format!("only {MOST} devices are kept"));
            return;
        }
        let tallies = self.devices.entry(name.to_string()).or_default();
        tallies[usize::from(self.is_first)].add(sample);
    }

    /// Takes the use of all processors, 0 to 1.
    pub(crate) fn processor(&mut self, share: f64, is_first: bool) {
        self.processor[usize::from(is_first)].add(share.clamp(0.0, 1.0));
    }

    /// Fills the import.
    pub(crate) fn finish(self, import: &mut Import) -> Result<(), ImportError> {
        if self.devices.is_empty() {
            let reason = "it has no table of devices with rates: run `iostat -dxk 1`";
            return Err(malformed(import, reason));
        }
        // A run of one report has nothing but the mean since the start.
        let only_first = self.count == self.first;
        if only_first {
            let text = "a first report is the mean since the system was started, unless -y was \
                        given: use more reports";
            import.caution(CautionCode::Ambiguous, text);
        } else {
            (0..self.first).for_each(|_| import.ignore("first report: mean since the start"));
        }
        let which = usize::from(only_first);
        let used = if only_first { self.count } else { self.count - self.first };
        let devices = counted(self.devices.len() as u64, "device");
        import.shape = format!("{}, {used} used, {devices}", counted(self.count, "report"));
        let processor = self.processor[which].mean();
        for (name, tallies) in &self.devices {
            let tally = &tallies[which];
            let pseudo = ["loop", "ram", "zram", "sr", "scd", "fd"];
            if tally.samples() == 0 || (tally.idle() && pseudo.iter().any(|p| name.starts_with(p)))
            {
                import.ignore("device without any transfer");
                continue;
            }
            let load = tally.load(shown(name), None, processor);
            let mean = [load.read_mean, load.write_mean].map(|mean| mean.unwrap_or(0.0));
            import.field(
                format!("device {}", load.device),
                counted(load.samples, "sample"),
                &format!("reads {}, writes {}", rate_text(mean[0]), rate_text(mean[1])),
            );
            import.loads.push(load);
        }
        Ok(())
    }
}

fn looks(head: &str) -> bool {
    head.lines().any(|line| header(line).is_some())
}

/// The columns of a header of devices, and where the device stands.
fn header(line: &str) -> Option<(usize, Vec<Column>)> {
    let names: Vec<&str> = line.split_whitespace().take(64).collect();
    let device = names.iter().position(|name| matches!(*name, "Device" | "Device:"))?;
    let columns: Vec<Column> = names.iter().map(|name| column(name)).collect();
    let rates = columns.iter().any(|column| matches!(column, Column::Read(_) | Column::Write(_)));
    (rates && (device == 0 || device + 1 == names.len())).then_some((device, columns))
}

/// Where the idle shares stand among the processor's.
fn processor_header(line: &str) -> Option<Vec<bool>> {
    let rest = line.trim_start().strip_prefix("avg-cpu:")?;
    Some(rest.split_whitespace().map(|name| matches!(name, "%idle" | "%iowait")).collect())
}

fn read(
    source: Source<'_>,
    _options: &ImportOptions,
    import: &mut Import,
) -> Result<(), ImportError> {
    let mut reader = source.into_reader();
    let mut reports = Reports::default();
    let mut columns: Option<(usize, Vec<Column>)> = None;
    let mut processor: Option<Vec<bool>> = None;
    let (mut first, mut line) = (true, String::new());
    while next_line(&mut reader, &mut line).map_err(|error| unreadable(import, error))? {
        if let Some(found) = header(&line) {
            reports.begin(first);
            first = false;
            columns = Some(found);
        } else if let Some(idle) = processor_header(&line) {
            (processor, columns) = (Some(idle), None);
        } else if line.trim().is_empty() {
            columns = None;
        } else if is_banner(&line) {
            (first, columns) = (true, None);
        } else if let Some((device, columns)) = &columns {
            take_row(import, &mut reports, *device, columns, &line);
        } else if let Some(idle) = processor.take() {
            let shares: Vec<Option<f64>> = line.split_whitespace().map(share).collect();
            if shares.len() == idle.len() && shares.iter().all(Option::is_some) {
                let of_idle = shares.iter().zip(&idle).filter(|(_, idle)| **idle);
                let idle: f64 = of_idle.filter_map(|(share, _)| *share).sum();
                reports.processor(1.0 - idle / 100.0, first);
            }
        }
    }
    reports.finish(import)
}

/// `Linux 6.1.0 (host)  11/30/26  _x86_64_  (2 CPU)`.
fn is_banner(line: &str) -> bool {
    line.starts_with("Linux ") && line.contains('(')
}

/// A share such as `44.25` or `44,2%`.
fn share(text: &str) -> Option<f64> {
    amount(text.trim_end_matches('%'))
}

fn take_row(
    import: &mut Import,
    reports: &mut Reports,
    device: usize,
    columns: &[Column],
    line: &str,
) {
    let mut cells: Vec<&str> = line.split_whitespace().take(columns.len() + 8).collect();
    // A name with blanks can only stand where it does not shift the numbers.
    let extra = cells.len().saturating_sub(columns.len());
    if cells.len() < columns.len() || (extra > 0 && device != 0) {
        import.ignore("line with another number of columns");
        return;
    }
    let name = if device == 0 { cells[..=extra].join(" ") } else { cells[device].to_string() };
    if device == 0 {
        cells.drain(..extra);
    }
    let mut sample = Sample::default();
    for (index, (cell, column)) in cells.iter().zip(columns).enumerate() {
        if index == device || *column == Column::Other {
            continue;
        }
        match value(cell, *column) {
            Some(value) => put(&mut sample, *column, value),
            None => return import.ignore("line with a number that cannot be read"),
        }
    }
    reports.device(import, &name, &sample);
}

/// A number in the unit of its column; `-h` writes `1.5M` for it instead.
fn value(cell: &str, column: Column) -> Option<f64> {
    if let Some(value) = share(cell) {
        return Some(value);
    }
    let unit = match column {
        Column::Read(unit)
        | Column::Write(unit)
        | Column::ReadBlock(unit)
        | Column::WriteBlock(unit)
        | Column::Block(unit) => unit,
        Column::Busy | Column::Other => return None,
    };
    let (number, suffix) = leading(cell)?;
    let factor = match suffix {
        "k" => KIB,
        "M" => MIB,
        "G" => MIB * KIB,
        "T" => MIB * MIB,
        _ => return None,
    };
    Some(number * factor / unit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import_from;

    fn import(text: &str) -> Import {
        import_from("x", text.as_bytes(), &ImportOptions::default()).expect("an import")
    }

    const BANNER: &str = "Linux 6.1.0 (h) \t30.11.2026 \t_x86_64_\t(2 CPU)\n\n";
    const CPU: &str = "30.11.2026 08:27:26\n\
        avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n\
        \x20 10,00 0,00 10,00 20,00 0,00 60,00\n\n";

    #[test]
    fn every_generation_of_columns_is_read() {
        let tables = [
            "Device:  rrqm/s wrqm/s r/s w/s rsec/s wsec/s avgrq-sz avgqu-sz await svctm %util\n\
             sda 0,00 0,00 10,00 20,00 2048,00 4096,00 8,00 0,01 1,00 0,10 95,00\n",
            "Device:  rrqm/s wrqm/s r/s w/s rkB/s wkB/s avgrq-sz avgqu-sz await svctm %util\n\
             sda 0.00 0.00 10.00 20.00 1024.00 2048.00 8.00 0.01 1.00 0.10 95.00\n",
            "Device r/s rMB/s rrqm/s w/s wMB/s wareq-sz d/s aqu-sz %util\n\
             sda 10.00 1.00 0.00 20.00 2.00 4.00 0.00 0.20 95.00\n",
            "  r/s rkB/s w/s wkB/s wareq-sz %util Device\n\
             \x20 10.0 1.0M 20.0 2.0M 4.0k 95.0% sda\n",
            "Device tps kB_read/s kB_wrtn/s kB_dscd/s kB_read kB_wrtn kB_dscd\n\
             sda 30.0 1024.00 2048.00 0.00 1 2 3\n",
        ];
        for table in tables {
            let import =
                import(&format!("{BANNER}{CPU}{}\n{CPU}{table}\n", table.replace('1', "7")));
            let [load] = import.loads.as_slice() else { panic!("{:?}", import.loads) };
            assert_eq!((load.device.as_str(), load.samples), ("sda", 1), "{table}");
            assert_eq!(load.read_mean, Some(MIB), "{table}");
            assert_eq!(load.write_peak, Some(2.0 * MIB), "{table}");
            if table.contains("%util") {
                assert_eq!((load.busy_mean, load.write_saturated), (Some(0.95), Some(2.0 * MIB)));
                assert_eq!(load.write_block_bytes, Some(4096.0), "{table}");
            }
            let processor = load.processor_mean.expect("a share");
            assert!((processor - 0.2).abs() < 1e-9);
        }
    }

    #[test]
    fn a_lone_report_is_used_with_a_caution() {
        let import = import("Device r/s rkB/s %util\nsda 1 2 3\nloop0 0 0 0\n");
        assert_eq!(import.loads.len(), 1);
        assert_eq!(import.cautions[0].code, CautionCode::Ambiguous);
    }
}
