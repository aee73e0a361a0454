//! What three runs are worth: those that a design proposes against three at random.

use bakcast_scenarios::predict::{PredictOptions, durations};
use bakcast_scenarios::{Document, Set};
use rayon::prelude::*;

use super::pipelines::Pipeline;
use crate::calibrate::{CalibrateOptions, calibrate};
use crate::design::{Question, design};
use crate::error::CalibrationError;
use crate::fit::FitOptions;
use crate::problem::Quantity;
use crate::runs::{Figure, Measured, MeasuredRun};

/// Configurations that are predicted.
const OTHERS: usize = 20;
/// Runs that are made.
const RUNS: usize = 3;

/// |predicted / true - 1| of all that was predicted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FewRuns {
    /// Pipelines.
    pub pipelines: usize,
    /// As written down from data sheets, nothing measured.
    pub before: Vec<f64>,
    /// After the three runs that the design proposed.
    pub designed: Vec<f64>,
    /// After three runs at random, of those that the design chose from.
    pub random: Vec<f64>,
    /// Whether the true value lay in the 90 % range, after the runs that were proposed.
    pub covered: Vec<bool>,
}

impl FewRuns {
    fn add(mut self, other: FewRuns) -> FewRuns {
        self.pipelines += other.pipelines;
        self.before.extend(other.before);
        self.designed.extend(other.designed);
        self.random.extend(other.random);
        self.covered.extend(other.covered);
        self
    }
}

/// For each of `pipelines` random pipelines: three runs of one night each, with the variation from
/// night to night that the scenario states, then 20 other configurations predicted.
///
/// # Errors
/// If a pipeline cannot be simulated or fitted.
pub fn few_runs(
    pipelines: u64,
    seed: u64,
    fit: &FitOptions,
    tell: &(dyn Fn(u64) + Sync),
) -> Result<FewRuns, CalibrationError> {
    let options = CalibrateOptions {
        fit: *fit,
        predict: PredictOptions { replications: 4, ..PredictOptions::DEFAULT },
        error: CalibrateOptions::ERROR,
        clock_seconds: None,
        free: Vec::new(),
        fixed: Vec::new(),
        design: None,
    };
    let one = |number: u64| {
        let found = one_pipeline(seed, number, &options);
        tell(number);
        found
    };
    let found: Result<Vec<FewRuns>, CalibrationError> =
        (0..pipelines).into_par_iter().map(one).collect();
    Ok(found?.into_iter().fold(FewRuns::default(), FewRuns::add))
}

fn one_pipeline(
    seed: u64,
    number: u64,
    options: &CalibrateOptions,
) -> Result<FewRuns, CalibrationError> {
    let mut pipeline = Pipeline::new(seed, number)?;
    let proposed = design(&pipeline.document, None, &[], options, RUNS, Question::Any)?;
    let mut at_random: Vec<Vec<Set>> = Vec::new();
    while at_random.len() < RUNS {
        let pick = pipeline.random.below(pipeline.candidates.len());
        let sets = pipeline.candidates[pick].case.sets.clone();
        if !at_random.contains(&sets) {
            at_random.push(sets);
        }
    }
    let others: Vec<Vec<Set>> = (0..OTHERS).map(|_| pipeline.other_settings()).collect();
    let truths: Vec<Vec<(Quantity, f64)>> =
        others.iter().map(|sets| pipeline.true_figures(sets)).collect::<Result<_, _>>()?;
    let chosen: Vec<Vec<Set>> = proposed.runs.into_iter().map(|run| run.sets).collect();
    let fitted = |runs: &[Vec<Set>]| -> Result<Document, CalibrationError> {
        let runs = measured(&pipeline, runs, number)?;
        let found = calibrate(&pipeline.document, None, &[], &runs, options, &|_| ())?;
        Ok(Document::from_bytes("fitted", found.fitted_scenario.into_bytes())?)
    };
    let (designed, covered) = errors(&fitted(&chosen)?, &others, &truths)?;
    let (random, _) = errors(&fitted(&at_random)?, &others, &truths)?;
    let (before, _) = errors(&pipeline.document, &others, &truths)?;
    Ok(FewRuns { pipelines: 1, before, designed, random, covered })
}

/// One night of each run, as a history holds it: durations to a tenth of a second.
fn measured(
    pipeline: &Pipeline,
    runs: &[Vec<Set>],
    number: u64,
) -> Result<Vec<MeasuredRun>, CalibrationError> {
    let run = |(index, sets): (usize, &Vec<Set>)| {
        let night = pipeline.night(sets, 1000 + 10 * number + index as u64)?;
        let figure = |(quantity, value): (Quantity, f64)| Measured {
            figure: Figure::Is(quantity),
            value: if quantity.is_duration() { (value * 10.0).round() / 10.0 } else { value },
            rounding: if quantity.is_duration() { 0.05 } else { 0.5 },
        };
        Ok(MeasuredRun {
            name: format!("run {index}"),
            place: format!("run {index}"),
            variant: None,
            sets: sets.clone(),
            measured: night.into_iter().map(figure).collect(),
        })
    };
    runs.iter().enumerate().map(run).collect()
}

/// How far the durations of a scenario are from the truth, and whether that lies in their range.
fn errors(
    document: &Document,
    others: &[Vec<Set>],
    truths: &[Vec<(Quantity, f64)>],
) -> Result<(Vec<f64>, Vec<bool>), CalibrationError> {
    let (mut errors, mut covered) = (Vec::new(), Vec::new());
    for (sets, truth) in others.iter().zip(truths) {
        let loaded = document.load(None, sets)?;
        let prediction = durations(&loaded.resolved, &PredictOptions::DEFAULT)?;
        for (quantity, truth) in truth {
            let range = match quantity {
                Quantity::Backup => Some(prediction.backup.seconds),
                Quantity::Verify => prediction.verify.as_ref().map(|v| v.seconds),
                _ => None,
            };
            if let Some(range) = range {
                errors.push((range.median / truth - 1.0).abs());
                covered.push((range.low..=range.high).contains(truth));
            }
        }
    }
    Ok((errors, covered))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiments::quantile;

    /// The full experiment is in `docs/decisions`; here one pipeline.
    #[test]
    fn three_runs_that_were_proposed_say_more_than_data_sheets() {
        let options =
            FitOptions { population: 8, generations: 3, draws: 64, ..FitOptions::DEFAULT };
        let found = few_runs(1, 1, &options, &|_| ()).expect("errors");
        let median = |errors: &[f64]| quantile(errors, 0.5).expect("errors");
        assert!(found.designed.len() >= OTHERS && found.designed.len() == found.before.len());
        assert!(median(&found.designed) < 0.5 * median(&found.before), "{found:?}");
        assert!(median(&found.designed) < 0.08, "{found:?}");
    }
}
