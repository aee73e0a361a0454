//! Fitting an article's scenario to its table, and asking what the fit is worth.
//!
//! Residual of a measurement: ln(predicted / measured) / s, with s^2 = model error^2 + (clock /
//! measured)^2. The prior of each parameter is one more residual, so a parameter that the table
//! does not see stays where device facts put it and is reported as not identified. Run-to-run
//! variation is switched off while fitting and afterwards set to the spread the fit leaves.

use bakcast_scenarios::Set;
use bakcast_scenarios::predict::PredictOptions;

use crate::article::{Article, Free};
use crate::evaluate::evaluate;
use crate::record::{ParameterRecord, Record, RowRecord};
use crate::search::{Axis, Found, search, starts};
use crate::table::Measurement;
use crate::validate::ValidationError;

/// How thoroughly a fit goes about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FitOptions {
    /// Seed of all random streams.
    pub seed: u64,
    /// Starting points.
    pub starts: usize,
    /// Whether each row is left out in turn as well.
    pub left_out: bool,
}

impl Default for FitOptions {
    fn default() -> Self {
        FitOptions { seed: 1, starts: 6, left_out: true }
    }
}

/// What a fit found: what is stored, and the assignments that put it into a scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitted {
    /// What is stored.
    pub record: Record,
    /// Knobs with their fitted values, run-to-run variation included.
    pub sets: Vec<Set>,
}

/// A parameter counts as identified if the data leave less than this share of its prior spread.
const IDENTIFIED: f64 = 0.7;

/// A parameter rests on its prior if the data leave more than this share of its prior spread.
const UNIDENTIFIED: f64 = 0.9;

/// And only if the row made its interval at least so many times narrower: where several rows share
/// the knowledge, losing one widens the interval a little.
const CLEARLY_LESS: f64 = 3.0;

/// Fits the article's scenario to its table. `tell` is told what is being done.
///
/// # Errors
/// If the scenario cannot be run, or no start gets anywhere.
pub fn fit(
    article: &Article,
    options: &FitOptions,
    tell: &dyn Fn(&str),
) -> Result<Fitted, ValidationError> {
    let task = Task { article, seed: options.seed };
    let all = task.measurements(None);
    let mut best: Option<Found> = None;
    let mut evaluations = 0;
    for (index, start) in starts(&task.axes(), options.starts).iter().enumerate() {
        let Some(found) = task.search(start, &all) else { continue };
        evaluations += found.evaluations;
        tell(&format!("{}: start {index}: objective {:.3}", article.id, found.objective));
        if best.as_ref().is_none_or(|b| found.objective < b.objective) {
            best = Some(found);
        }
    }
    let best =
        best.ok_or_else(|| ValidationError::NothingFitted { article: article.id.clone() })?;
    let values = task.rounded(&best.point);
    let mut rows = task.rows(&values)?;
    if options.left_out {
        for row in article.row_names() {
            if !article.unfitted.contains_key(row) {
                tell(&format!("{}: leaving out row {row}", article.id));
                task.leave_out(row, &best, &mut rows, tell)?;
            }
        }
    }
    let spread = spread(&rows, article);
    let parameters = task.parameters(&best, &values);
    let mut sets = sets(article, &values);
    sets.extend(article.spread.iter().map(|path| Set::new(path, format!("{spread} %"))));
    let record = Record {
        article: article.id.clone(),
        seed: options.seed,
        replications: article.replications,
        starts: options.starts,
        evaluations,
        objective: round(best.objective, 4),
        residual_spread_percent: spread,
        parameter: parameters,
        row: rows,
    };
    Ok(Fitted { record, sets })
}

/// The knobs at these values, run-to-run variation off.
pub(crate) fn sets(article: &Article, values: &[f64]) -> Vec<Set> {
    let free = article.free.iter().zip(values);
    let mut sets: Vec<Set> = free
        .flat_map(|(free, value)| free.paths.iter().map(|path| Set::new(path, free.text(*value))))
        .collect();
    sets.extend(article.spread.iter().map(|path| Set::new(path, "0 %")));
    sets
}

impl Free {
    /// A value as a scenario file has it.
    #[must_use]
    pub fn text(&self, value: f64) -> String {
        format!("{value} {}", self.unit).trim_end().to_string()
    }

    fn axis(&self) -> Axis {
        Axis {
            low: libm::log10(self.low),
            high: libm::log10(self.high),
            prior: libm::log10(self.prior),
            prior_sd: libm::log10(self.prior_factor),
        }
    }
}

/// One article being fitted.
struct Task<'a> {
    article: &'a Article,
    seed: u64,
}

impl Task<'_> {
    fn axes(&self) -> Vec<Axis> {
        self.article.free.iter().map(Free::axis).collect()
    }

    /// Measurements to fit, all or all but those of one row.
    fn measurements(&self, without: Option<&str>) -> Vec<&Measurement> {
        let fitted = |m: &&Measurement| {
            !self.article.unfitted.contains_key(&m.row) && without != Some(m.row.as_str())
        };
        self.article.measurements.iter().filter(fitted).collect()
    }

    fn search(&self, start: &[f64], measurements: &[&Measurement]) -> Option<Found> {
        let residuals = |point: &[f64]| self.residuals(&natural(point), measurements).ok();
        search(&self.axes(), start, measurements.len(), &residuals)
    }

    fn residuals(
        &self,
        values: &[f64],
        measurements: &[&Measurement],
    ) -> Result<Vec<f64>, ValidationError> {
        let predicted = self.predict(values, measurements)?;
        let model = self.article.model_error_percent / 100.0;
        let residual = |(predicted, measured): (&f64, &&Measurement)| {
            let clock = self.article.clock_seconds / measured.seconds;
            libm::log(predicted / measured.seconds) / libm::sqrt(model * model + clock * clock)
        };
        Ok(predicted.iter().zip(measurements).map(residual).collect())
    }

    fn predict(
        &self,
        values: &[f64],
        measurements: &[&Measurement],
    ) -> Result<Vec<f64>, ValidationError> {
        let mut rows: Vec<&str> = measurements.iter().map(|m| m.row.as_str()).collect();
        rows.dedup();
        let options = PredictOptions {
            seed: self.seed,
            replications: self.article.replications,
            ..PredictOptions::default()
        };
        let predictions = evaluate(self.article, &rows, &sets(self.article, values), &options)?;
        let median = |m: &&Measurement| {
            let range = predictions.get(&m.row).and_then(|p| m.operation.seconds_of(&p.prediction));
            range.map(|range| range.median).ok_or_else(|| ValidationError::NotPredicted {
                article: self.article.id.clone(),
                row: m.row.clone(),
                operation: m.operation.name(),
            })
        };
        measurements.iter().map(median).collect()
    }

    /// Values to four digits, as they are stored.
    fn rounded(&self, point: &[f64]) -> Vec<f64> {
        natural(point)
            .iter()
            .zip(&self.article.free)
            .map(|(value, free)| significant(*value, 4).clamp(free.low, free.high))
            .collect()
    }

    fn rows(&self, values: &[f64]) -> Result<Vec<RowRecord>, ValidationError> {
        let measurements = self.measurements(None);
        let predicted = self.predict(values, &measurements)?;
        let row = |(predicted, m): (&f64, &&Measurement)| RowRecord {
            row: m.row.clone(),
            operation: m.operation,
            measured_seconds: round(m.seconds, 4),
            predicted_seconds: round(*predicted, 4),
            relative_error: round(predicted / m.seconds - 1.0, 4),
            left_out_relative_error: None,
        };
        Ok(predicted.iter().zip(&measurements).map(row).collect())
    }

    /// Fits without one row and notes how far off its prediction then is, unless a parameter is
    /// identified by that row alone.
    fn leave_out(
        &self,
        row: &str,
        full: &Found,
        rows: &mut [RowRecord],
        tell: &dyn Fn(&str),
    ) -> Result<(), ValidationError> {
        let rest = self.measurements(Some(row));
        let Some(found) = self.search(&full.point, &rest) else { return Ok(()) };
        if let Some(index) = self.rests_on_row(full, &found) {
            let path = &self.article.free[index].paths[0];
            tell(&format!("{}: row {row} alone identifies {path}", self.article.id));
            return Ok(());
        }
        let left: Vec<&Measurement> =
            self.article.measurements.iter().filter(|m| m.row == row).collect();
        let predicted = self.predict(&natural(&found.point), &left)?;
        for (predicted, measured) in predicted.iter().zip(left) {
            let of_row = rows.iter_mut().filter(|r| r.row == row);
            for record in of_row.filter(|r| r.operation == measured.operation) {
                record.left_out_relative_error = Some(round(predicted / measured.seconds - 1.0, 4));
            }
        }
        Ok(())
    }

    /// A parameter that the whole table identifies and the table without one row does not.
    fn rests_on_row(&self, full: &Found, without: &Found) -> Option<usize> {
        self.axes().iter().enumerate().position(|(index, axis)| {
            full.sd[index] < IDENTIFIED * axis.prior_sd
                && without.sd[index] > UNIDENTIFIED * axis.prior_sd
                && without.sd[index] > CLEARLY_LESS * full.sd[index]
        })
    }

    fn parameters(&self, found: &Found, values: &[f64]) -> Vec<ParameterRecord> {
        let describe = |(index, free): (usize, &Free)| {
            let (centre, sd) = (found.point[index], found.sd[index]);
            // 90 % of a normal distribution lie within 1.645 standard deviations.
            let at = |deviations: f64| {
                let value = libm::exp10(centre + deviations * sd);
                significant(value.clamp(free.low, free.high), 4)
            };
            ParameterRecord {
                paths: free.paths.clone(),
                unit: free.unit.clone(),
                value: values[index],
                low: at(-1.645),
                high: at(1.645),
                identified: sd < IDENTIFIED * free.axis().prior_sd,
            }
        };
        self.article.free.iter().enumerate().map(describe).collect()
    }
}

/// Standard deviation of what the fit leaves, in per cent, corrected for the parameters it spent:
/// sqrt(sum of squared errors / (measurements - identified parameters)), one decimal.
fn spread(rows: &[RowRecord], article: &Article) -> f64 {
    let sum: f64 = rows.iter().map(|r| r.relative_error * r.relative_error).sum();
    let freedom = rows.len().saturating_sub(article.free.len()).max(1);
    round(100.0 * libm::sqrt(sum / freedom as f64), 1)
}

fn natural(point: &[f64]) -> Vec<f64> {
    point.iter().map(|x| libm::exp10(*x)).collect()
}

fn significant(value: f64, digits: i32) -> f64 {
    let text = format!("{value:.*e}", usize::try_from(digits - 1).unwrap_or(0));
    text.parse().unwrap_or(value)
}

fn round(value: f64, decimals: i32) -> f64 {
    let scale = libm::exp10(f64::from(decimals));
    (value * scale).round() / scale
}
