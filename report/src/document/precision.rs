//! How well the medians are known.

use bakcast_scenarios::predict::{CONFIDENCE, Precision, PredictOptions, Reached};
use serde::Serialize;

use super::Warning;
use crate::number::{at_most, level};

/// What a run with `--precision` came to.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PrecisionResult {
    /// Largest distance from a median to the ends of its interval, as a share of it, asked for.
    pub asked: f64,
    /// That distance of the duration that is known least; absent: too few runs to tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub achieved: Option<f64>,
    /// Whether it is small enough.
    pub reached: bool,
    /// Confidence of the intervals.
    pub confidence: f64,
    /// Runs after which no more are added.
    pub replications_max: u32,
    /// Runs made.
    #[serde(skip)]
    pub replications: u32,
    /// Runs that would probably be enough.
    #[serde(skip)]
    pub needed: Option<u32>,
}

impl PrecisionResult {
    /// What was asked for beside what was found in so many runs; `None`: nothing was asked for.
    #[must_use]
    pub fn new(
        reached: Option<Reached>,
        options: &PredictOptions,
        replications: u32,
    ) -> Option<Self> {
        let (reached, Precision { replications_max, .. }) = reached.zip(options.precision)?;
        Some(PrecisionResult {
            asked: reached.asked,
            achieved: reached.achieved,
            reached: reached.reached,
            confidence: CONFIDENCE,
            replications_max,
            replications,
            needed: reached.needed(replications),
        })
    }

    /// In one sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let (runs, asked) = (self.replications, level(self.asked));
        match self.achieved {
            Some(achieved) => {
                let (achieved, confidence) = (at_most(achieved), level(self.confidence));
                format!(
                    "medians within {achieved} ({confidence} sure) by {runs} runs; asked {asked}"
                )
            }
            None => format!("{runs} runs are too few to tell; asked {asked}"),
        }
    }
}

impl Warning {
    /// The most runs were made before the precision asked for was reached.
    #[must_use]
    pub fn precision_not_reached(precision: Option<PrecisionResult>) -> Option<Self> {
        let precision = precision.filter(|precision| !precision.reached)?;
        let runs = precision.replications;
        let asked = level(precision.asked);
        let text = match precision.achieved {
            Some(achieved) => {
                format!(
                    "after {runs} runs medians are known within {}, not {asked}",
                    at_most(achieved)
                )
            }
            None => format!("{runs} runs are too few to know a median within {asked}"),
        };
        let hint = match (precision.needed, precision.achieved) {
            (Some(needed), _) => format!("use --replications-max {}", round_up(needed)),
            (None, Some(_)) => "no number of runs allowed is enough: ask for less".to_string(),
            (None, None) => "use --replications-max 32 or more".to_string(),
        };
        Some(Warning { code: "precision-not-reached", text, hint })
    }
}

/// Two digits are all that such an estimate is worth.
fn round_up(runs: u32) -> u32 {
    let step = 10_u32.pow(runs.max(1).ilog10().saturating_sub(1));
    runs.div_ceil(step) * step
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(achieved: Option<f64>, replications: u32) -> Option<PrecisionResult> {
        let precision = Precision { share: 0.005, replications_max: replications };
        let options = PredictOptions { precision: Some(precision), ..PredictOptions::DEFAULT };
        let reached = achieved.is_some_and(|achieved| achieved <= 0.005);
        let reached = Reached { asked: 0.005, achieved, reached };
        PrecisionResult::new(Some(reached), &options, replications)
    }

    #[test]
    fn what_is_not_reached_is_a_warning_that_says_how_many_runs_it_takes() {
        assert_eq!(Warning::precision_not_reached(result(Some(0.0049), 100)), None);
        assert_eq!(Warning::precision_not_reached(None), None);
        let warning = Warning::precision_not_reached(result(Some(0.01), 100)).unwrap();
        assert_eq!(warning.text, "after 100 runs medians are known within 1 %, not 0.5 %");
        assert_eq!(warning.hint, "use --replications-max 480");
        let few = Warning::precision_not_reached(result(None, 4)).unwrap();
        assert!(few.text.contains("too few") && few.hint.contains("--replications-max"));
        let never = Warning::precision_not_reached(result(Some(1.0), 1024)).unwrap();
        assert!(never.hint.contains("ask for less"), "{}", never.hint);
    }

    #[test]
    fn the_sentence_fits_a_line() {
        let sentence = result(Some(0.004_321), 100_000).unwrap().sentence();
        assert_eq!(sentence, "medians within 0.44 % (95 % sure) by 100000 runs; asked 0.5 %");
    }
}
