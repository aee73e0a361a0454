//! From what was run to what is drawn.

use bakcast_scenarios::Loaded;
use bakcast_scenarios::predict::{Bottleneck, OperationPrediction, Prediction};
use bakcast_whatif::{Operation, Outcome, Ran, THRESHOLD, Vary};
use serde_json::Value;

use super::{
    DistributionChart, GridCell, GridChart, KnobChart, KnobPoint, MeasuredChart, MeasuredPoint,
    MeasuredRow, ParetoChart, ParetoPoint, Shows, Stage, StagesChart,
};
use crate::document::{DurationResult, ValidateResult};

/// The value of a knob as it was resolved: words as they are written, and the number if it is one;
/// of sizes in bytes, with `true`.
#[must_use]
pub fn value_of(loaded: &Loaded, path: &str) -> Option<(String, Option<f64>, bool)> {
    const UNITS: [&str; 4] = ["_bytes", "_bytes_per_second", "_seconds", "_percent"];
    let inputs = loaded.resolved_inputs();
    let (tables, key) = path.rsplit_once('.').unwrap_or(("", path));
    let mut table = &inputs;
    for name in tables.split('.').filter(|name| !name.is_empty()) {
        table = table.get(name)?;
    }
    let with_unit =
        || UNITS.iter().find_map(|unit| table.get(format!("{key}{unit}")).map(|v| (v, *unit)));
    let (value, unit) = table.get(key).map(|value| (value, "")).or_else(with_unit)?;
    match value {
        Value::Number(number) => Some((number.to_string(), number.as_f64(), unit == "_bytes")),
        Value::String(text) => Some((text.clone(), None, false)),
        Value::Bool(flag) => Some((if *flag { "on" } else { "off" }.to_string(), None, false)),
        _ => None,
    }
}

fn duration_of(ran: &Ran, operation: Operation) -> Option<DurationResult> {
    let prediction = &ran.prediction;
    let range = match operation {
        Operation::Backup => Some(prediction.backup.seconds),
        Operation::Verify => prediction.verify.as_ref().map(|own| own.seconds),
        Operation::Restore => prediction.restore.as_ref().map(|own| own.seconds),
        Operation::Total => Some(prediction.total_seconds),
    };
    range.map(DurationResult::from)
}

fn memory_of(ran: &Ran) -> u64 {
    ran.loaded.resolved.backup.memory_of_all_jobs().get()
}

/// What limits an operation; of the total, what limits the backup.
fn bottleneck_of(prediction: &Prediction, operation: Operation) -> Option<String> {
    let own = match operation {
        Operation::Backup | Operation::Total => Some(&prediction.backup),
        Operation::Verify => prediction.verify.as_ref(),
        Operation::Restore => prediction.restore.as_ref(),
    };
    own?.bottleneck.as_ref().map(Bottleneck::name)
}

fn error_of(outcome: &Outcome, operation: Operation) -> Option<String> {
    match outcome {
        Err(refused) => Some(refused.to_string()),
        Ok(ran) if ran.nights(operation).is_none() => {
            Some(format!("it has no {}", operation.name()))
        }
        Ok(_) => None,
    }
}

impl KnobChart {
    /// Of the values of a knob, what became of each, and the scenario as it is.
    #[must_use]
    pub fn new(
        vary: &Vary,
        outcomes: &[Outcome],
        present: &Ran,
        operation: Operation,
        measured: Vec<MeasuredPoint>,
    ) -> Self {
        let mut is_size = false;
        let mut points: Vec<KnobPoint> = Vec::new();
        for (setting, outcome) in vary.settings.iter().zip(outcomes) {
            let ran = outcome.as_ref().ok();
            let value = ran.and_then(|ran| value_of(&ran.loaded, &vary.path));
            is_size |= value.as_ref().is_some_and(|value| value.2);
            let number = value.and_then(|value| value.1);
            let mut point = point_of(setting.label.clone(), number, ran.map(|r| &**r), operation);
            point.error = error_of(outcome, operation);
            points.push(point);
        }
        let own = value_of(&present.loaded, &vary.path);
        let mut chart = KnobChart {
            path: vary.path.clone(),
            present: None,
            knee: None,
            knee_threshold: THRESHOLD,
            is_size,
            points,
            measured,
        };
        if let Some((words, number, _)) = own {
            chart.add_present(&words, number, present, operation);
        }
        chart.find_knee();
        chart
    }

    /// The scenario as it is, as one of the points or as one more.
    fn add_present(
        &mut self,
        words: &str,
        number: Option<f64>,
        present: &Ran,
        operation: Operation,
    ) {
        let same = |point: &&KnobPoint| match (point.number, number) {
            (Some(one), Some(other)) => (one - other).abs() <= 1e-9 * other.abs(),
            _ => point.setting == words,
        };
        if let Some(point) = self.points.iter().find(same) {
            self.present = Some(point.setting.clone());
        } else if number.is_some() && self.points.iter().any(|point| point.number.is_some()) {
            self.points.push(point_of(words.to_string(), number, Some(present), operation));
            self.present = Some(words.to_string());
            self.points.sort_by(|a, b| {
                let of = |point: &KnobPoint| point.number.unwrap_or(f64::INFINITY);
                of(a).total_cmp(&of(b))
            });
        }
    }
}

fn point_of(
    setting: String,
    number: Option<f64>,
    ran: Option<&Ran>,
    operation: Operation,
) -> KnobPoint {
    let time = ran.and_then(|ran| duration_of(ran, operation));
    KnobPoint {
        setting,
        number,
        seconds: time.map(|time| time.seconds),
        low_seconds: time.map(|time| time.low_seconds),
        high_seconds: time.map(|time| time.high_seconds),
        buffer_memory_bytes: ran.filter(|_| time.is_some()).map(memory_of),
        error: None,
    }
}

impl GridChart {
    /// Of every pair of values, the second knob fastest, and the scenario as it is.
    #[must_use]
    pub fn new(
        shows: Shows,
        (x, y): (&Vary, &Vary),
        outcomes: &[Outcome],
        present: &Loaded,
        operation: Operation,
    ) -> Self {
        let rows = y.settings.len().max(1);
        let cells = outcomes.iter().enumerate().map(|(at, outcome)| {
            let ran = outcome.as_ref().ok();
            GridCell {
                column: at / rows,
                row: at % rows,
                seconds: ran.and_then(|ran| duration_of(ran, operation)).map(|own| own.seconds),
                bottleneck: ran.and_then(|ran| bottleneck_of(&ran.prediction, operation)),
                error: error_of(outcome, operation),
            }
        });
        let here = |path: &str| value_of(present, path).map(|(words, ..)| words);
        let is_present = |ran: &Ran| {
            let of = |path: &str| value_of(&ran.loaded, path).map(|(words, ..)| words);
            of(&x.path).is_some() && of(&x.path) == here(&x.path) && of(&y.path) == here(&y.path)
        };
        let at = outcomes.iter().position(|outcome| outcome.as_ref().is_ok_and(|r| is_present(r)));
        let labels = |vary: &Vary| vary.settings.iter().map(|own| own.label.clone()).collect();
        GridChart {
            shows,
            x_path: x.path.clone(),
            x_settings: labels(x),
            y_path: y.path.clone(),
            y_settings: labels(y),
            present: at.map(|at| (at / rows, at % rows)),
            cells: cells.collect(),
        }
    }
}

impl ParetoChart {
    /// Of configurations with the values of each, and the scenario as it is.
    #[must_use]
    pub fn new(
        paths: Vec<String>,
        rows: &[(Vec<String>, Outcome)],
        present: &Ran,
        operation: Operation,
    ) -> Self {
        let point = |(settings, outcome): &(Vec<String>, Outcome)| {
            let ran = outcome.as_ref().ok()?;
            Some(ParetoPoint {
                settings: settings.clone(),
                seconds: duration_of(ran, operation)?.seconds,
                buffer_memory_bytes: memory_of(ran),
                efficient: false,
            })
        };
        let points: Vec<ParetoPoint> = rows.iter().filter_map(point).collect();
        let refused = rows.len() - points.len();
        let own = duration_of(present, operation).map(|own| (own.seconds, memory_of(present)));
        let mut chart = ParetoChart { paths, points, refused, present: own };
        chart.find_front();
        chart
    }
}

impl StagesChart {
    /// Of everything that was predicted.
    #[must_use]
    pub fn new(prediction: &Prediction) -> Self {
        let operations = [
            ("backup", Some(&prediction.backup)),
            ("verify", prediction.verify.as_ref()),
            ("restore", prediction.restore.as_ref()),
        ];
        let mut chart = StagesChart { bottlenecks: Vec::new(), stages: Vec::new() };
        for (operation, own) in operations {
            let Some(own) = own else { continue };
            let by = own.bottleneck.as_ref().map(Bottleneck::name);
            chart.bottlenecks.extend(by.map(|by| (operation, by)));
            chart.stages.extend(own.stations.iter().map(|station| {
                let role = station.role.name().to_string();
                let waits = role != "fixed cost";
                Stage {
                    operation,
                    role,
                    name: station.name.clone(),
                    servers: station.servers,
                    working_share: station.working,
                    starved_share: waits.then_some(station.starved),
                    blocked_share: waits.then_some(station.blocked),
                }
            }));
        }
        chart
    }
}

impl DistributionChart {
    /// Of one operation; `None`: there is no such.
    #[must_use]
    pub fn new(ran: &Ran, operation: Operation) -> Option<Self> {
        let nights_seconds = ran.nights(operation)?.to_vec();
        let DurationResult { seconds, low_seconds, high_seconds } = duration_of(ran, operation)?;
        Some(DistributionChart { nights_seconds, seconds, low_seconds, high_seconds })
    }
}

impl From<&ValidateResult> for MeasuredChart {
    fn from(result: &ValidateResult) -> Self {
        let rows = result.all().flat_map(|article| {
            article.rows.iter().map(|row| MeasuredRow {
                set: article.id.clone(),
                row: row.row.clone(),
                operation: row.operation.name().to_string(),
                measured_seconds: row.measured_seconds,
                predicted_seconds: row.predicted_seconds,
                low_seconds: row.low_seconds,
                high_seconds: row.high_seconds,
            })
        });
        MeasuredChart { rows: rows.collect() }
    }
}

/// Whether an operation was predicted, for messages before anything is drawn.
#[must_use]
pub fn has(prediction: &Prediction, operation: Operation) -> bool {
    let of = |own: &Option<OperationPrediction>| own.is_some();
    match operation {
        Operation::Backup | Operation::Total => true,
        Operation::Verify => of(&prediction.verify),
        Operation::Restore => of(&prediction.restore),
    }
}
