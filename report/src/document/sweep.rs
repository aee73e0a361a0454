//! What `sweep` finds: rows as they come, and five views over them.

use bakcast_scenarios::Loaded;
use bakcast_scenarios::predict::{Bottleneck, Prediction, Range};
use bakcast_whatif::{Design, Operation, Point};
use serde::Serialize;

use super::compare::on_a_line;
use super::{DurationResult, RequirementResult, Settings};
use crate::ReportError;

/// One configuration of a sweep. Every row of one sweep has the same fingerprint, so that rows of
/// another one are not taken for its own.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SweepRow {
    /// Its number in the design, from 1.
    pub run: u64,
    /// What was varied.
    pub settings: Settings,
    /// What it came to.
    #[serde(flatten)]
    pub figures: Option<Figures>,
    /// Why it has no prediction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Of scenario, version, seed and what is varied.
    pub fingerprint: String,
}

/// The numbers of one configuration.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// The backup.
    pub backup: DurationResult,
    /// The verification.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verify: Option<DurationResult>,
    /// The restore.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restore: Option<DurationResult>,
    /// Backup and verification, one after the other.
    pub total: DurationResult,
    /// Bytes read from the source.
    pub read_bytes: u64,
    /// Bytes written to backup files.
    pub written_bytes: u64,
    /// Bytes read, divided by the median duration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_bytes_per_second: Option<f64>,
    /// Bytes written, divided by the median duration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written_bytes_per_second: Option<f64>,
    /// Memory of all sets of buffers.
    pub buffer_memory_bytes: u64,
    /// Buffers of one set.
    pub buffer_count: u32,
    /// Most bytes one transfer moves.
    pub max_transfer_size_bytes: u64,
    /// Whether the backup is compressed.
    pub compressed: bool,
    /// Processors busy with compression, mean over the run.
    pub processor_cores_mean: f64,
    /// The busiest station of the backup; not always what limits it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub busiest_station: Option<String>,
    /// Its utilization.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub busiest_utilization: Option<f64>,
    /// What limits the backup, if that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bottleneck: Option<String>,
    /// Nights simulated.
    pub replications: u32,
    /// Events simulated.
    pub events: u64,
    /// Bytes carried forward without being simulated.
    pub extrapolated_bytes: u64,
    /// Whether all requirements are met, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meets_requirements: Option<bool>,
}

/// Columns of figures in CSV, after `run` and the settings and before `error` and `fingerprint`.
const COLUMNS: [&str; 29] = [
    "backup_seconds",
    "backup_low_seconds",
    "backup_high_seconds",
    "verify_seconds",
    "verify_low_seconds",
    "verify_high_seconds",
    "restore_seconds",
    "restore_low_seconds",
    "restore_high_seconds",
    "total_seconds",
    "total_low_seconds",
    "total_high_seconds",
    "read_bytes",
    "written_bytes",
    "read_bytes_per_second",
    "written_bytes_per_second",
    "buffer_memory_bytes",
    "buffer_count",
    "max_transfer_size_bytes",
    "compressed",
    "processor_cores_mean",
    "busiest_station",
    "busiest_utilization",
    "bottleneck",
    "replications",
    "events",
    "extrapolated_bytes",
    "meets_requirements",
    "error",
];

/// A row as a file has it, as far as views need it.
#[derive(Debug, Clone, PartialEq)]
pub struct Resumed {
    /// The numbers that views need; absent where the configuration was refused, or does not have
    /// the operation.
    pub point: Option<Point>,
    /// Why it was refused.
    pub error: Option<String>,
    /// Whether it meets the requirements.
    pub meets_requirements: Option<bool>,
}

impl Figures {
    /// Those of a prediction.
    #[must_use]
    pub fn new(
        loaded: &Loaded,
        prediction: &Prediction,
        requirements: &[RequirementResult],
    ) -> Self {
        let backup = &prediction.backup;
        let of = |range: Range| DurationResult::from(range);
        let buffers = loaded.resolved.backup.buffers;
        let stations = backup.stations.iter();
        let busiest =
            stations.max_by(|a, b| a.working.total_cmp(&b.working).then(b.name.cmp(&a.name)));
        Figures {
            backup: of(backup.seconds),
            verify: prediction.verify.as_ref().map(|operation| of(operation.seconds)),
            restore: prediction.restore.as_ref().map(|operation| of(operation.seconds)),
            total: of(prediction.total_seconds),
            read_bytes: backup.read_bytes,
            written_bytes: backup.written_bytes,
            read_bytes_per_second: super::operation::rate(backup.read_bytes, backup.seconds),
            written_bytes_per_second: super::operation::rate(backup.written_bytes, backup.seconds),
            buffer_memory_bytes: buffers.memory().get(),
            buffer_count: buffers.count,
            max_transfer_size_bytes: buffers.transfer_size.get(),
            compressed: loaded.resolved.backup.compression.is_some(),
            processor_cores_mean: backup.processor_cores_mean,
            busiest_station: busiest.map(|station| station.name.clone()),
            busiest_utilization: busiest.map(|station| station.working),
            bottleneck: backup.bottleneck.as_ref().map(Bottleneck::name),
            replications: prediction.replications(),
            events: prediction.events,
            extrapolated_bytes: prediction.extrapolated_bytes,
            meets_requirements: (!requirements.is_empty())
                .then(|| requirements.iter().all(|requirement| requirement.met)),
        }
    }

    /// What views need of it.
    #[must_use]
    pub fn point(&self, index: u64, operation: Operation) -> Option<Point> {
        let time = match operation {
            Operation::Backup => Some(self.backup),
            Operation::Verify => self.verify,
            Operation::Restore => self.restore,
            Operation::Total => Some(self.total),
        }?;
        point(index, time, (self.read_bytes, self.buffer_memory_bytes, self.compressed))
    }

    /// Its cells, as [`COLUMNS`] names them, without the error.
    fn cells(&self) -> Vec<String> {
        let mut cells = Vec::new();
        let operations = [Some(self.backup), self.verify, self.restore, Some(self.total)];
        for time in operations {
            let ends = [
                time.map(|t| t.seconds),
                time.map(|t| t.low_seconds),
                time.map(|t| t.high_seconds),
            ];
            cells.extend(ends.map(text));
        }
        cells.extend([
            self.read_bytes.to_string(),
            self.written_bytes.to_string(),
            text(self.read_bytes_per_second),
            text(self.written_bytes_per_second),
            self.buffer_memory_bytes.to_string(),
            self.buffer_count.to_string(),
            self.max_transfer_size_bytes.to_string(),
            self.compressed.to_string(),
            self.processor_cores_mean.to_string(),
            text(self.busiest_station.as_deref()),
            text(self.busiest_utilization),
            text(self.bottleneck.as_deref()),
            self.replications.to_string(),
            self.events.to_string(),
            self.extrapolated_bytes.to_string(),
            text(self.meets_requirements),
        ]);
        cells
    }
}

fn point(
    index: u64,
    time: DurationResult,
    (read_bytes, memory_bytes, compressed): (u64, u64, bool),
) -> Option<Point> {
    let DurationResult { seconds, low_seconds, high_seconds } = time;
    let bytes_per_second = read_bytes as f64 / seconds;
    bytes_per_second.is_finite().then_some(Point {
        index,
        seconds,
        low_seconds,
        high_seconds,
        bytes_per_second,
        memory_bytes,
        compressed,
    })
}

fn text<T: ToString>(value: Option<T>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

impl SweepRow {
    /// The headings of a sweep, one line with its end.
    ///
    /// # Errors
    /// [`ReportError`] for what would be a bug of ours.
    pub fn csv_headings(design: &Design) -> Result<String, ReportError> {
        let own = COLUMNS.into_iter().map(str::to_string).chain(["fingerprint".to_string()]);
        let paths = design.paths().map(str::to_string);
        let row = std::iter::once("run".to_string()).chain(paths).chain(own).collect();
        crate::csv::written(&[row])
    }

    /// The row as CSV, one line with its end.
    ///
    /// # Errors
    /// [`ReportError`] for what would be a bug of ours.
    pub fn csv(&self, design: &Design) -> Result<String, ReportError> {
        let setting = |path| self.settings.get(path).unwrap_or_default().to_string();
        let mut row = vec![self.run.to_string()];
        row.extend(design.paths().map(setting));
        match &self.figures {
            Some(figures) => row.extend(figures.cells()),
            None => row.extend(std::iter::repeat_n(String::new(), COLUMNS.len() - 1)),
        }
        row.push(self.error.clone().unwrap_or_default());
        row.push(self.fingerprint.clone());
        crate::csv::written(&[row])
    }

    /// The row as one line of JSON.
    ///
    /// # Errors
    /// [`ReportError`] for what would be a bug of ours.
    pub fn ndjson(&self) -> Result<String, ReportError> {
        let line = serde_json::to_string(self);
        line.map(|line| line + "\n").map_err(|error| ReportError::Unwritable(error.to_string()))
    }

    /// The row of a configuration; an error is put on one line.
    #[must_use]
    pub fn new(
        index: u64,
        design: &Design,
        found: Result<Figures, String>,
        fingerprint: &str,
    ) -> Self {
        let (figures, error) = match found {
            Ok(figures) => (Some(figures), None),
            Err(error) => (None, Some(on_a_line(&error))),
        };
        let settings = Settings::of(design.paths(), design.labels(index));
        SweepRow { run: index + 1, settings, figures, error, fingerprint: fingerprint.to_string() }
    }
}

/// The duration of an operation in a line of JSON, to the last bit: what reads JSON into values is
/// off by one in the last place now and then. In a text of the user's, quotes would be escaped.
fn exact_duration(line: &str, operation: Operation) -> Option<DurationResult> {
    let begin = format!("\"{}\":{{", operation.name());
    let (_, rest) = line.split_once(&begin)?;
    let (inside, _) = rest.split_once('}')?;
    let number = |key: &str| {
        let found = inside.split(',').find_map(|pair| pair.split_once(':').filter(|p| p.0 == key));
        found?.1.parse::<f64>().ok()
    };
    Some(DurationResult {
        seconds: number("\"seconds\"")?,
        low_seconds: number("\"low_seconds\"")?,
        high_seconds: number("\"high_seconds\"")?,
    })
}

impl Resumed {
    /// Reads the row `index` of a sweep back from a line of CSV; `None`: it is not that row.
    #[must_use]
    pub fn from_csv(
        line: &str,
        index: u64,
        design: &Design,
        operation: Operation,
        fingerprint: &str,
    ) -> Option<Self> {
        let mut reader =
            ::csv::ReaderBuilder::new().has_headers(false).from_reader(line.as_bytes());
        let record = reader.records().next()?.ok()?;
        let settings = design.axes().len() + 1;
        let own = |name: &str| {
            let at = COLUMNS.iter().position(|column| *column == name)?;
            record.get(settings + at).filter(|cell| !cell.is_empty())
        };
        let is_whole = record.len() == settings + COLUMNS.len() + 1
            && record.get(0)? == (index + 1).to_string()
            && record.get(record.len() - 1)? == fingerprint;
        let labels = design.labels(index);
        if !is_whole || !labels.iter().zip(record.iter().skip(1)).all(|(own, cell)| *own == cell) {
            return None;
        }
        let number = |name: &str| own(name)?.parse::<f64>().ok();
        let end = |end: &str| number(&format!("{}{end}", operation.name()));
        let time = end("_seconds").zip(end("_low_seconds")).zip(end("_high_seconds"));
        let time = time.map(|((seconds, low_seconds), high_seconds)| DurationResult {
            seconds,
            low_seconds,
            high_seconds,
        });
        let whole = |name: &str| own(name)?.parse::<u64>().ok();
        let rest = whole("read_bytes").zip(whole("buffer_memory_bytes"));
        let compressed = own("compressed") == Some("true");
        let rest = rest.map(|(read, memory)| (read, memory, compressed));
        Some(Resumed {
            point: time.zip(rest).and_then(|(time, rest)| point(index, time, rest)),
            error: own("error").map(str::to_string),
            meets_requirements: own("meets_requirements").map(|cell| cell == "true"),
        })
    }

    /// The same from a line of JSON.
    #[must_use]
    pub fn from_ndjson(
        line: &str,
        index: u64,
        design: &Design,
        operation: Operation,
        fingerprint: &str,
    ) -> Option<Self> {
        let row: serde_json::Value = serde_json::from_str(line).ok()?;
        let is_whole = row["run"].as_u64()? == index + 1
            && row["fingerprint"].as_str()? == fingerprint
            && Settings::of(design.paths(), design.labels(index)).0.iter().all(|(path, label)| {
                row["settings"].get(path).and_then(|value| value.as_str()) == Some(label)
            });
        if !is_whole {
            return None;
        }
        let time = exact_duration(line, operation);
        let whole = |name: &str| row[name].as_u64();
        let rest = whole("read_bytes").zip(whole("buffer_memory_bytes"));
        let compressed = row["compressed"].as_bool() == Some(true);
        let rest = rest.map(|(read, memory)| (read, memory, compressed));
        Some(Resumed {
            point: time.zip(rest).and_then(|(time, rest)| point(index, time, rest)),
            error: row["error"].as_str().map(str::to_string),
            meets_requirements: row["meets_requirements"].as_bool(),
        })
    }
}
