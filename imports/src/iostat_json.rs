//! `iostat -o JSON` of sysstat.
//!
//! Keys are the names of the columns. An interrupted run leaves the document without its end: then
//! its lines are read one by one, since every device stands on a line of its own.

use serde_json::{Map, Value};

use crate::error::ImportError;
use crate::figure::{document, malformed};
use crate::finding::{CautionCode, Import};
use crate::format::Format;
use crate::iostat_text::{Column, Reports, column, put};
use crate::recognise::{ImportOptions, Importer};
use crate::source::Source;
use crate::tally::Sample;

pub(crate) const IMPORTER: Importer = Importer { format: Format::IostatJson, looks, read };

fn looks(head: &str) -> bool {
    head.contains("\"sysstat\"") && (head.contains("\"statistics\"") || head.contains("\"disk"))
        || head.contains("\"disk_device\"")
}

fn read(
    source: Source<'_>,
    _options: &ImportOptions,
    import: &mut Import,
) -> Result<(), ImportError> {
    let text = document(source, import)?;
    let mut reports = Reports::default();
    let begin = text.find('{').unwrap_or(0);
    let mut values = serde_json::Deserializer::from_str(&text[begin..]).into_iter::<Value>();
    match values.next() {
        Some(Ok(value)) => take_document(import, &mut reports, &value),
        Some(Err(error)) if error.is_eof() => {
            take_lines(import, &mut reports, &text);
            let text = format!("the document ends too early, at line {}", error.line());
            import.caution(CautionCode::Damaged, format!("{text}: its whole lines are used"));
        }
        Some(Err(error)) => {
            let reason = format!(
                "its JSON is damaged at line {}, column {}: {}",
                error.line(),
                error.column(),
                error.to_string().split(" at line ").next().unwrap_or_default()
            );
            return Err(malformed(import, reason));
        }
        None => {}
    }
    reports.finish(import)
}

fn take_document(import: &mut Import, reports: &mut Reports, value: &Value) {
    let list = |value: Option<&Value>| value.and_then(Value::as_array).cloned().unwrap_or_default();
    let hosts = list(value.pointer("/sysstat/hosts"));
    for host in &hosts {
        let Some(statistics) = host.get("statistics").and_then(Value::as_array) else { continue };
        for (index, report) in statistics.iter().enumerate() {
            let first = index == 0;
            if let Some(shares) = report.get("avg-cpu").and_then(Value::as_object) {
                take_processor(reports, shares, first);
            }
            let Some(disks) = report.get("disk").and_then(Value::as_array) else { continue };
            reports.begin(first);
            for disk in disks.iter().filter_map(Value::as_object) {
                take_disk(import, reports, disk);
            }
        }
    }
}

/// Every line that is whole.
fn take_lines(import: &mut Import, reports: &mut Reports, text: &str) {
    let mut first = true;
    for line in text.lines().map(|line| line.trim().trim_end_matches(',')) {
        if line.starts_with("\"avg-cpu\"") {
            let shares = line.split_once(':').map_or("", |(_, shares)| shares);
            if let Ok(Value::Object(shares)) = serde_json::from_str(shares) {
                take_processor(reports, &shares, first);
            }
        } else if line.starts_with("\"disk\"") {
            reports.begin(first);
            first = false;
        } else if line.starts_with('{')
            && reports.count > 0
            && let Ok(Value::Object(disk)) = serde_json::from_str(line)
        {
            take_disk(import, reports, &disk);
        }
    }
}

fn take_processor(reports: &mut Reports, shares: &Map<String, Value>, first: bool) {
    let share = |name: &str| shares.get(name).and_then(Value::as_f64);
    if let Some(idle) = share("idle") {
        reports.processor(1.0 - (idle + share("iowait").unwrap_or(0.0)) / 100.0, first);
    }
}

fn take_disk(import: &mut Import, reports: &mut Reports, disk: &Map<String, Value>) {
    let Some(name) = disk.get("disk_device").and_then(Value::as_str) else { return };
    let mut sample = Sample::default();
    for (key, value) in disk {
        let column = column(key);
        let value = value.as_f64().filter(|value| value.is_finite() && *value >= 0.0);
        if let Some(value) = value.filter(|_| column != Column::Other) {
            put(&mut sample, column, value);
        }
    }
    reports.device(import, name, &sample);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import_from;

    const TEXT: &str = "{\"sysstat\": {\n\"hosts\": [\n{\n\"statistics\": [\n{\n\
        \"avg-cpu\":  {\"user\": 40.0, \"iowait\": 0.0, \"idle\": 60.0},\n\"disk\": [\n\
        {\"disk_device\": \"sda\", \"rkB/s\": 9.0, \"wkB/s\": 9.0, \"util\": 2.0}\n]\n},\n{\n\
        \"avg-cpu\":  {\"user\": 10.0, \"iowait\": 10.0, \"idle\": 80.0},\n\"disk\": [\n\
        {\"disk_device\": \"sda\", \"rMB/s\": 1.0, \"wkB/s\": 2048.0, \"util\": 100.0}\n]\n}\n\
        ]\n}\n]\n}}\n";

    fn load(text: &str) -> (Import, f64) {
        let import = import_from("x", text.as_bytes(), &ImportOptions::default());
        let import = import.expect("an import");
        let processor = import.loads[0].processor_mean.expect("a share");
        (import, processor)
    }

    #[test]
    fn the_first_report_is_left_out() {
        let (import, processor) = load(TEXT);
        let load = &import.loads[0];
        assert_eq!((load.read_mean, load.write_saturated), (Some(1_048_576.0), Some(2_097_152.0)));
        assert!((processor - 0.1).abs() < 1e-9);
    }

    #[test]
    fn an_interrupted_run_is_used() {
        let (import, _) = load(&TEXT[..TEXT.len() - 9]);
        assert_eq!(import.loads[0].read_mean, Some(1_048_576.0));
        assert_eq!(import.cautions[0].code, CautionCode::Damaged);
    }
}
