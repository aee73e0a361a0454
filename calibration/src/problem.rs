//! What is to be fitted: configurations that were run, what was measured of them, and the knobs
//! that are free.
//!
//! Error model of a measurement: ln(predicted / measured) is normal with variance
//! s^2 + (clock / measured)^2, where s stands for what two runs of one configuration differ by and
//! for what the model leaves out, and `clock` for the rounding of a duration. Rates and times are
//! fitted on a logarithmic scale, so the prior of a knob is log-normal: a value and a factor.

use bakcast_scenarios::predict::{Asked, PredictOptions, Prediction, predict_each};
use bakcast_scenarios::{Base, Document, Loaded, ScenarioError, Set};
use serde::{Deserialize, Serialize};

use crate::error::CalibrationError;

/// A knob, or several that move as one, that a fit may turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Free {
    /// Paths of the knobs; all take the same value.
    pub paths: Vec<String>,
    /// Unit of the value; empty for a plain number.
    pub unit: String,
    /// Least value.
    pub low: f64,
    /// Greatest value.
    pub high: f64,
    /// What was expected before anything was measured.
    pub prior: f64,
    /// One standard deviation of that expectation, as a factor.
    pub prior_factor: f64,
    /// Where the expectation comes from.
    pub reason: String,
    /// Configurations in which it is set; empty: all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<String>,
}

impl Free {
    /// A value as a scenario file has it.
    #[must_use]
    pub fn text(&self, value: f64) -> String {
        format!("{value} {}", self.unit).trim_end().to_string()
    }

    /// The first of its paths: what it goes by.
    #[must_use]
    pub fn name(&self) -> &str {
        self.paths.first().map_or("", String::as_str)
    }

    pub(crate) fn axis(&self) -> Axis {
        Axis {
            low: libm::log10(self.low),
            high: libm::log10(self.high),
            prior: libm::log10(self.prior).clamp(libm::log10(self.low), libm::log10(self.high)),
            prior_sd: libm::log10(self.prior_factor),
        }
    }

    /// A coordinate as a value, to so many digits that it can be written down.
    pub(crate) fn value(&self, coordinate: f64, digits: i32) -> f64 {
        significant(libm::exp10(coordinate), digits).clamp(self.low, self.high)
    }
}

/// A knob as a search sees it: decimal logarithms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Axis {
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) prior: f64,
    pub(crate) prior_sd: f64,
}

/// What can be measured of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// Duration of the backup in seconds.
    Backup,
    /// Duration of its verification in seconds.
    Verify,
    /// Duration of its restore in seconds.
    Restore,
    /// Duration of backup and verification together in seconds.
    Total,
    /// Size of all backup files in bytes.
    WrittenBytes,
    /// Processors busy compressing, per cent of all.
    ProcessorPercent,
}

impl Quantity {
    /// As printed.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Quantity::Backup => "backup",
            Quantity::Verify => "verify",
            Quantity::Restore => "restore",
            Quantity::Total => "total",
            Quantity::WrittenBytes => "size",
            Quantity::ProcessorPercent => "processor",
        }
    }

    /// Whether it is a duration, in seconds.
    #[must_use]
    pub const fn is_duration(self) -> bool {
        matches!(self, Quantity::Backup | Quantity::Verify | Quantity::Restore | Quantity::Total)
    }

    /// Relative standard deviation of a measurement beside its rounding, if it is not that of
    /// durations: sizes repeat closely, readings of processor use do not; assumptions.
    #[must_use]
    pub const fn relative_sd(self) -> Option<f64> {
        match self {
            Quantity::Backup | Quantity::Verify | Quantity::Restore | Quantity::Total => None,
            Quantity::WrittenBytes => Some(0.01),
            Quantity::ProcessorPercent => Some(0.1),
        }
    }

    /// The predicted median; nothing if the scenario has no such operation.
    #[must_use]
    pub fn of(self, loaded: &Loaded, prediction: &Prediction) -> Option<f64> {
        match self {
            Quantity::Backup => Some(prediction.backup.seconds.median),
            Quantity::Verify => prediction.verify.as_ref().map(|v| v.seconds.median),
            Quantity::Restore => prediction.restore.as_ref().map(|r| r.seconds.median),
            Quantity::Total => Some(prediction.total_seconds.median),
            Quantity::WrittenBytes => Some(prediction.backup.written_bytes as f64),
            Quantity::ProcessorPercent => {
                let all = f64::from(loaded.resolved.machine.processor.count);
                Some(100.0 * prediction.backup.processor_cores_mean / all)
            }
        }
    }
}

/// One configuration that was run, or could be.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// What it goes by: the row of a table.
    pub name: String,
    /// The variant of the scenario, if it is one.
    pub variant: Option<String>,
    /// Knobs as they were in this run.
    pub sets: Vec<Set>,
}

/// One measured figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Observation {
    /// Index of the configuration.
    pub case: usize,
    /// What was measured.
    pub quantity: Quantity,
    /// What it came to.
    pub value: f64,
    /// Rounding of the instrument, one standard deviation, in the unit of the value.
    pub rounding: f64,
    /// Relative standard deviation beside the rounding, if it is not that of durations.
    pub relative_sd: Option<f64>,
}

impl Observation {
    /// Standard deviation of the logarithm, if that of durations is `sd`.
    pub(crate) fn log_sd(&self, sd: f64) -> f64 {
        let own = self.relative_sd.unwrap_or(sd);
        let rounding = self.rounding / self.value;
        libm::sqrt(own * own + rounding * rounding).max(1e-6)
    }
}

/// A figure to be predicted: of which configuration, and what.
pub(crate) type Wanted = (usize, Quantity);

/// What is to be fitted.
#[derive(Debug, Clone)]
pub struct Problem {
    /// The scenario.
    pub document: Document,
    /// Configurations.
    pub cases: Vec<Case>,
    /// What was measured of them.
    pub observations: Vec<Observation>,
    /// Knobs that a fit may turn.
    pub free: Vec<Free>,
    /// Knobs that are set in every run: variation from night to night is off while fitting, and a
    /// scenario's own ensemble as well.
    pub still: Vec<Set>,
    /// Relative standard deviation of durations, as expected beforehand.
    pub error: f64,
    /// Nights of each configuration, and the seed of all random streams.
    pub options: PredictOptions,
}

impl Problem {
    pub(crate) fn axes(&self) -> Vec<Axis> {
        self.free.iter().map(Free::axis).collect()
    }

    /// Figures at a point: the medians of nights that all share their random numbers.
    pub(crate) fn predict(
        &self,
        point: &[f64],
        wanted: &[Wanted],
    ) -> Result<Vec<f64>, CalibrationError> {
        self.ready(wanted)?.predict(point, wanted)
    }

    /// The same for many points: the scenario is read once for all of them.
    pub(crate) fn ready(&self, wanted: &[Wanted]) -> Result<Ready<'_>, CalibrationError> {
        let mut used: Vec<usize> = wanted.iter().map(|(case, _)| *case).collect();
        used.sort_unstable();
        used.dedup();
        let base = |case: &usize| self.document.base(self.cases[*case].variant.as_deref());
        let bases = used.iter().map(base).collect::<Result<_, _>>()?;
        Ok(Ready { problem: self, used, bases })
    }

    /// The knobs of a configuration at a point. What the run itself states is not free in it.
    pub(crate) fn sets(&self, point: &[f64], case: &Case) -> Vec<Set> {
        let stated = |path: &str| case.sets.iter().any(|set| set.path == path);
        let mut sets = self.still.clone();
        for (free, coordinate) in self.free.iter().zip(point) {
            if !free.rows.is_empty() && !free.rows.contains(&case.name) {
                continue;
            }
            let value = free.text(libm::exp10(*coordinate).clamp(free.low, free.high));
            let paths = free.paths.iter().filter(|path| !stated(path));
            sets.extend(paths.map(|path| Set::new(path, value.clone())));
        }
        sets.extend(case.sets.iter().cloned());
        sets
    }

    pub(crate) fn wanted(&self) -> Vec<Wanted> {
        self.observations.iter().map(|o| (o.case, o.quantity)).collect()
    }
}

/// A problem whose configurations are read.
pub(crate) struct Ready<'a> {
    problem: &'a Problem,
    /// The configurations, each with what it is made from.
    used: Vec<usize>,
    bases: Vec<Base<'a>>,
}

impl Ready<'_> {
    /// Figures of these configurations at a point.
    pub(crate) fn predict(
        &self,
        point: &[f64],
        wanted: &[Wanted],
    ) -> Result<Vec<f64>, CalibrationError> {
        let problem = self.problem;
        let load = |index: u64| -> Result<Loaded, ScenarioError> {
            let index = index as usize;
            self.bases[index].with(&problem.sets(point, &problem.cases[self.used[index]]))
        };
        let mut figures = vec![f64::NAN; wanted.len()];
        let take = |index: u64, loaded: &Loaded, prediction: Prediction| {
            let case = self.used[index as usize];
            for (figure, (_, quantity)) in
                figures.iter_mut().zip(wanted).filter(|(_, (of, _))| *of == case)
            {
                *figure = quantity.of(loaded, &prediction).ok_or_else(|| {
                    CalibrationError::NotPredicted {
                        row: problem.cases[case].name.clone(),
                        quantity: quantity.name(),
                    }
                })?;
            }
            Ok::<(), CalibrationError>(())
        };
        let count = self.used.len() as u64;
        predict_each(count, load, &problem.options, Asked::Durations, take)?;
        Ok(figures)
    }
}

/// A value to so many digits.
pub(crate) fn significant(value: f64, digits: i32) -> f64 {
    let text = format!("{value:.*e}", usize::try_from(digits - 1).unwrap_or(0));
    text.parse().unwrap_or(value)
}

pub(crate) fn round(value: f64, decimals: i32) -> f64 {
    let scale = libm::exp10(f64::from(decimals));
    (value * scale).round() / scale
}
