//! Known parameters in, data with noise out, and back: do the intervals hold what they promise?

use bakcast_scenarios::predict::PredictOptions;

use rayon::prelude::*;

use super::pipelines::Pipeline;
use crate::calibrate::still;
use crate::choice::free_knob;
use crate::error::CalibrationError;
use crate::fit::{FitOptions, fit};
use crate::parameters::parameters;
use crate::problem::{Case, Observation, Problem, Quantity};

/// Runs of each data set.
const RUNS: usize = 5;
/// Relative standard deviation of the noise.
const NOISE: f64 = 0.03;
/// Clocks round to a tenth of a second.
const CLOCK: f64 = 0.029;
/// A knob that no run of these data sets can see: nothing is verified.
const PLANTED: &str = "compression.decompression_rate";

/// What was recovered.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Recovery {
    /// Data sets that were fitted.
    pub sets: usize,
    /// Parameters that were reported as identified, in all of them.
    pub identified: usize,
    /// Of these, parameters whose true value lies in the 90 % interval.
    pub covered: usize,
    /// Parameters that were not reported as identified, those planted not among them.
    pub unidentified: usize,
    /// Of these, those whose true value lies in the 90 % interval.
    pub unidentified_covered: usize,
    /// Parameters that were planted as unidentifiable.
    pub planted: usize,
    /// Of these, those that were reported as unidentified.
    pub planted_reported: usize,
    /// Effective draws of each data set.
    pub effective: Vec<f64>,
    /// |value / truth - 1| of each identified parameter.
    pub errors: Vec<f64>,
}

impl Recovery {
    fn add(mut self, other: &Recovery) -> Recovery {
        self.sets += other.sets;
        self.identified += other.identified;
        self.covered += other.covered;
        self.unidentified += other.unidentified;
        self.unidentified_covered += other.unidentified_covered;
        self.planted += other.planted;
        self.planted_reported += other.planted_reported;
        self.effective.extend(&other.effective);
        self.errors.extend(&other.errors);
        self
    }
}

/// Fits `sets` data sets of random pipelines, each of five random runs with noise of the error
/// model, and counts what is recovered.
///
/// # Errors
/// If a pipeline cannot be simulated.
pub fn recovery(
    sets: u64,
    seed: u64,
    options: &FitOptions,
    tell: &(dyn Fn(u64) + Sync),
) -> Result<Recovery, CalibrationError> {
    let one = |number: u64| {
        let found = one_set(seed, number, options);
        tell(number);
        found
    };
    let found: Result<Vec<Recovery>, CalibrationError> =
        (0..sets).into_par_iter().map(one).collect();
    Ok(found?.iter().fold(Recovery::default(), Recovery::add))
}

fn one_set(seed: u64, number: u64, options: &FitOptions) -> Result<Recovery, CalibrationError> {
    let mut pipeline = Pipeline::new(seed, number)?;
    let (problem, truth) = data_set(&mut pipeline)?;
    let fit = fit(&problem, options, &|_| ())?;
    let mut found =
        Recovery { sets: 1, effective: vec![fit.posterior.effective()], ..Recovery::default() };
    for (parameter, truth) in parameters(&problem, &fit).iter().zip(truth) {
        let Some(truth) = truth else {
            found.planted += 1;
            found.planted_reported += usize::from(!parameter.identified);
            continue;
        };
        let covered = (parameter.low..=parameter.high).contains(&truth);
        if parameter.identified {
            found.identified += 1;
            found.covered += usize::from(covered);
            found.errors.push((parameter.value / truth - 1.0).abs());
        } else {
            found.unidentified += 1;
            found.unidentified_covered += usize::from(covered);
        }
    }
    Ok(found)
}

/// Five random runs of a pipeline, as measured; and the truth of each knob, but for those planted.
fn data_set(pipeline: &mut Pipeline) -> Result<(Problem, Vec<Option<f64>>), CalibrationError> {
    let mut cases: Vec<Case> = Vec::new();
    let mut observations = Vec::new();
    while cases.len() < RUNS {
        let pick = pipeline.random.below(pipeline.candidates.len());
        let case = pipeline.candidates[pick].case.clone();
        if cases.contains(&case) {
            continue;
        }
        for (quantity, value) in pipeline.true_figures(&case.sets)? {
            if quantity == Quantity::Verify {
                continue;
            }
            let sd = quantity.relative_sd().unwrap_or(NOISE);
            let value = value * libm::exp(sd * pipeline.random.normal());
            let rounding = if quantity.is_duration() { CLOCK } else { 0.0 };
            let relative_sd = quantity.relative_sd();
            let case = cases.len();
            observations.push(Observation { case, quantity, value, rounding, relative_sd });
        }
        cases.push(case);
    }
    let written = serde_json::to_value(&pipeline.base.scenario).unwrap_or_default();
    let planted = |path: &str| path == PLANTED;
    let mut free = pipeline.free.clone();
    let mut truth: Vec<Option<f64>> = free
        .iter()
        .zip(&pipeline.truth)
        .map(|(free, truth)| (!planted(free.name())).then_some(*truth))
        .collect();
    if !free.iter().any(|free| planted(free.name())) {
        free.extend(free_knob(vec![PLANTED.to_string()], &written));
        truth.push(None);
    }
    let problem = Problem {
        document: pipeline.document.clone(),
        cases,
        observations,
        free,
        still: still(&pipeline.base),
        error: NOISE,
        options: PredictOptions { replications: 4, ..PredictOptions::DEFAULT },
    };
    Ok((problem, truth))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The full experiment is in `docs/decisions`; here a few sets, searched less thoroughly.
    #[test]
    fn what_no_run_can_see_is_reported_and_most_truths_lie_in_their_interval() {
        let options =
            FitOptions { population: 8, generations: 3, draws: 64, ..FitOptions::DEFAULT };
        let found = recovery(4, 1, &options, &|_| ()).expect("a recovery");
        assert_eq!((found.sets, found.planted), (4, 4));
        assert_eq!(found.planted_reported, 4);
        assert!(found.identified >= 6, "{found:?}");
        let (covered, all) =
            (found.covered + found.unidentified_covered, found.identified + found.unidentified);
        assert!(covered * 10 >= all * 7, "{found:?}");
    }
}
