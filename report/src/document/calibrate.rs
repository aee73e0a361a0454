//! What `calibrate` finds: parameters with their certainty, runs measured and predicted, further
//! runs.

use bakcast_calibration::{
    BACKUP_HISTORY, CalibratedRow, Calibration, Design, Parameter, Quantity,
};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// A scenario fitted to runs, runs that are proposed, or both.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CalibrateResult {
    /// The scenario, as the command line calls it.
    pub scenario: String,
    /// What it is, in one line.
    pub title: String,
    /// Values replaced on the command line, as `path=value`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<String>,
    /// What the fit found, if there were runs.
    #[serde(flatten)]
    pub fit: Option<FitResult>,
    /// Runs that are proposed, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub design: Option<DesignResult>,
    /// The query that reads their times off the server afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<&'static str>,
    /// What to type next, each command in its words.
    #[serde(skip)]
    pub next: Vec<Vec<String>>,
}

/// What a fit found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FitResult {
    /// Runs, repeats of one configuration included.
    pub runs: usize,
    /// Configurations among them.
    pub configurations: usize,
    /// Mean of |relative error| over all figures.
    pub mean_absolute_relative_error: f64,
    /// The largest.
    pub max_absolute_relative_error: f64,
    /// Mean of |left-out relative error| where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out_mean_absolute_relative_error: Option<f64>,
    /// Share of the figures left out that lie in the 90 % range of the fit that has not seen them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval_coverage: Option<f64>,
    /// Relative standard deviation of durations about the fit, in per cent.
    pub error_percent: f64,
    /// The same, as it was expected.
    pub expected_error_percent: f64,
    /// Why the search ended.
    pub stopped: &'static str,
    /// Times all runs were simulated.
    pub evaluations: u64,
    /// Draws from all that is consistent with the runs.
    pub draws: usize,
    /// How many equally weighted ones they are worth.
    pub effective_draws: f64,
    /// Every free knob.
    pub parameters: Vec<Parameter>,
    /// Every measured figure.
    pub rows: Vec<FigureResult>,
}

/// A measured figure and what the fit makes of it.
#[derive(Debug, Clone, PartialEq)]
pub struct FigureResult {
    /// The figure.
    pub row: CalibratedRow,
}

/// Runs that are proposed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DesignResult {
    /// What they are to tell: how long which operation takes.
    pub question: &'static str,
    /// Relative standard deviation of the answer before any of them.
    pub doubt_before: f64,
    /// Runs that were considered.
    pub considered: usize,
    /// In the order in which they tell most.
    pub runs: Vec<ProposedResult>,
}

/// A run that is proposed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ProposedResult {
    /// What it is, in a few words.
    pub name: String,
    /// The settings that make it, as `path=value`.
    pub settings: Vec<String>,
    /// The statements to run.
    pub statement: String,
    /// Whether the files are verified as well.
    pub verified: bool,
    /// How long all of it is expected to take.
    pub expected_seconds: f64,
    /// Relative standard deviation of the answer after this run and those before it.
    pub doubt_after: f64,
}

impl FitResult {
    /// What a calibration found; `expected_error` is the scatter that was expected.
    #[must_use]
    pub fn new(found: &Calibration, expected_error: f64) -> Self {
        let errors: Vec<f64> = found.rows.iter().map(|row| row.relative_error.abs()).collect();
        let rows: Vec<FigureResult> =
            found.rows.iter().map(|row| FigureResult { row: row.clone() }).collect();
        let left_out: Vec<f64> =
            rows.iter().filter_map(FigureResult::left_out_error).map(f64::abs).collect();
        let covered = rows.iter().filter(|row| row.covered() == Some(true)).count();
        FitResult {
            runs: found.runs,
            configurations: found.configurations,
            mean_absolute_relative_error: mean(&errors).unwrap_or(0.0),
            max_absolute_relative_error: errors.iter().copied().fold(0.0, f64::max),
            left_out_mean_absolute_relative_error: mean(&left_out),
            interval_coverage: (!left_out.is_empty())
                .then(|| covered as f64 / left_out.len() as f64),
            error_percent: 100.0 * found.error,
            expected_error_percent: 100.0 * expected_error,
            stopped: found.stopped.name(),
            evaluations: found.evaluations,
            draws: found.draws,
            effective_draws: found.effective_draws,
            parameters: found.parameters.clone(),
            rows,
        }
    }

    /// Figures that were left out, and how many of them lie in their range.
    #[must_use]
    pub fn left_out(&self) -> (usize, usize) {
        let covered: Vec<bool> = self.rows.iter().filter_map(FigureResult::covered).collect();
        (covered.len(), covered.iter().filter(|inside| **inside).count())
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

impl FigureResult {
    /// predicted / measured - 1 of a fit that has not seen the run.
    #[must_use]
    pub fn left_out_error(&self) -> Option<f64> {
        self.row.left_out.map(|(median, _, _)| median / self.row.measured - 1.0)
    }

    /// Whether the measurement lies in the range of the fit that has not seen it.
    #[must_use]
    pub fn covered(&self) -> Option<bool> {
        self.row.left_out.map(|(_, low, high)| (low..=high).contains(&self.row.measured))
    }

    /// The unit of its values, as keys have it.
    #[must_use]
    pub fn unit(&self) -> &'static str {
        match self.row.quantity {
            Quantity::Backup | Quantity::Verify | Quantity::Restore | Quantity::Total => "seconds",
            Quantity::WrittenBytes => "bytes",
            Quantity::ProcessorPercent => "percent",
        }
    }

    /// Its values with their names, the unit left out.
    #[must_use]
    pub fn values(&self) -> Vec<(&'static str, f64)> {
        let row = &self.row;
        let mut values = vec![("measured", row.measured), ("predicted", row.predicted)];
        if let Some((median, low, high)) = row.left_out {
            values.extend([
                ("left_out_predicted", median),
                ("left_out_low", low),
                ("left_out_high", high),
            ]);
        }
        values
    }
}

impl Serialize for FigureResult {
    /// Every value with its unit in the key.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("run", &self.row.run)?;
        map.serialize_entry("operation", self.row.quantity.name())?;
        for (name, value) in self.values() {
            map.serialize_entry(&format!("{name}_{}", self.unit()), &value)?;
        }
        map.serialize_entry("relative_error", &self.row.relative_error)?;
        if let Some(error) = self.left_out_error() {
            map.serialize_entry("left_out_relative_error", &error)?;
        }
        if let Some(path) = &self.row.alone_identifies {
            map.serialize_entry("alone_identifies", path)?;
        }
        map.end()
    }
}

impl From<&Design> for DesignResult {
    fn from(design: &Design) -> Self {
        let runs = design.runs.iter().map(|run| ProposedResult {
            name: run.name.clone(),
            settings: run.sets.iter().map(ToString::to_string).collect(),
            statement: run.statement.clone(),
            verified: run.verified,
            expected_seconds: run.expected_seconds,
            doubt_after: run.doubt_after,
        });
        DesignResult {
            question: design.question.name(),
            doubt_before: design.doubt_before,
            considered: design.considered,
            runs: runs.collect(),
        }
    }
}

impl DesignResult {
    /// The query that reads the times of the runs off the server afterwards.
    pub const QUERY: &'static str = BACKUP_HISTORY;

    /// What the answer is to, in words.
    #[must_use]
    pub fn of_what(&self) -> &'static str {
        match self.question {
            "backup" => "the backup",
            "verify" => "the verification",
            "any" => "any of these backups",
            _ => "backup and verification together",
        }
    }
}
