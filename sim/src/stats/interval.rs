//! Confidence intervals from independent replications.

use statrs::distribution::{ContinuousCDF, StudentsT};
use thiserror::Error;

use super::Tally;

/// An interval that covers the true mean with a stated probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConfidenceInterval {
    /// The estimate.
    pub mean: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Probability of covering the true value, between 0 and 1.
    pub level: f64,
    /// Observations behind it.
    pub count: u64,
}

/// Why no statement about a population can be made from a sample.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum StatisticsError {
    /// Too few observations.
    #[error("{needed} observations are needed at least, not {count}")]
    TooFew {
        /// How many there are.
        count: u64,
        /// How many are needed.
        needed: u64,
    },
    /// A confidence level is a probability strictly between 0 and 1.
    #[error("a confidence level lies between 0 and 1, not at {0}")]
    Level(f64),
    /// A quantile belongs to a probability from 0 to 1.
    #[error("a quantile belongs to a probability from 0 to 1, not to {0}")]
    Probability(f64),
    /// Pairs need two lists of one length.
    #[error("{first} and {second} observations cannot be paired")]
    Unpaired {
        /// Length of the first list.
        first: usize,
        /// Length of the second list.
        second: usize,
    },
    /// An observation is infinite, not a number, or, where a ratio is asked for, not positive.
    #[error("observation {index} is {value}")]
    Observation {
        /// Its place in the list, counted from 0.
        index: usize,
        /// What stands there.
        value: f64,
    },
}

impl ConfidenceInterval {
    /// For the mean of the population `values` is a sample of: mean ± t s / sqrt(n), with t the
    /// quantile of Student's distribution with n - 1 degrees of freedom and s the standard
    /// deviation. Exact for normal observations, good for means of whole replications.
    ///
    /// # Errors
    ///
    /// If there are fewer than two values, one is not finite, or `level` is not between 0 and 1.
    pub fn of_mean(values: &[f64], level: f64) -> Result<Self, StatisticsError> {
        check_values(values, f64::is_finite)?;
        Self::of_tally(&values.iter().copied().collect(), level)
    }

    /// As [`ConfidenceInterval::of_mean`], from a tally.
    ///
    /// # Errors
    ///
    /// If the tally has fewer than two observations or `level` is not between 0 and 1.
    pub fn of_tally(tally: &Tally, level: f64) -> Result<Self, StatisticsError> {
        check_level(level)?;
        let count = tally.count();
        let (Some(mean), Some(deviation)) = (tally.mean(), tally.standard_deviation()) else {
            return Err(StatisticsError::TooFew { count, needed: 2 });
        };
        let half = student_quantile(count - 1, level) * deviation / (count as f64).sqrt();
        Ok(ConfidenceInterval { mean, low: mean - half, high: mean + half, level, count })
    }

    /// For the mean of `a - b`, both from the same replications in the same order. Common random
    /// numbers make the pairs dependent, and this takes the advantage; two separate intervals would
    /// not.
    ///
    /// # Errors
    ///
    /// As [`ConfidenceInterval::of_mean`], and if the lengths differ.
    pub fn of_paired_difference(a: &[f64], b: &[f64], level: f64) -> Result<Self, StatisticsError> {
        let differences = paired(a, b, |a, b| a - b)?;
        Self::of_mean(&differences, level)
    }

    /// For the typical ratio `a / b` of paired positive observations: exp of the interval of the
    /// mean of ln a - ln b, so `mean` is the geometric mean of the ratios. Swapping `a` and `b`
    /// gives the reciprocal interval, which the ratio of two means does not.
    ///
    /// # Errors
    ///
    /// As [`ConfidenceInterval::of_mean`], and if the lengths differ or a value is not positive.
    pub fn of_paired_ratio(a: &[f64], b: &[f64], level: f64) -> Result<Self, StatisticsError> {
        for values in [a, b] {
            check_values(values, |value| value.is_finite() && value > 0.0)?;
        }
        let logarithms = paired(a, b, |a, b| libm::log(a) - libm::log(b))?;
        let interval = Self::of_mean(&logarithms, level)?;
        let [mean, low, high] = [interval.mean, interval.low, interval.high].map(libm::exp);
        Ok(ConfidenceInterval { mean, low, high, ..interval })
    }

    /// Half of the interval's width.
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// Whether `value` lies in the interval.
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

/// The interval for the long-run mean of a dependent series by batch means: neighbours are averaged
/// in `batches` groups of equal size, which are taken as independent. Left-over values at the end
/// are not used. Ten to thirty batches are usual (Schmeiser, Batch size effects in the analysis of
/// simulation output, 1982).
///
/// # Errors
///
/// If there are fewer than two batches or fewer values than batches, a value is not finite, or
/// `level` is not between 0 and 1.
pub fn batch_means(
    values: &[f64],
    batches: usize,
    level: f64,
) -> Result<ConfidenceInterval, StatisticsError> {
    let size = values.len().checked_div(batches).unwrap_or(0);
    if size == 0 || batches < 2 {
        let needed = batches.max(2) as u64;
        return Err(StatisticsError::TooFew { count: values.len() as u64, needed });
    }
    let mean = |batch: &[f64]| batch.iter().sum::<f64>() / size as f64;
    let means: Vec<f64> = values.chunks_exact(size).take(batches).map(mean).collect();
    ConfidenceInterval::of_mean(&means, level)
}

/// The value that Student's t stays within, up and down, with probability `level`.
fn student_quantile(degrees: u64, level: f64) -> f64 {
    StudentsT::new(0.0, 1.0, degrees as f64)
        .expect("one degree of freedom at least")
        .inverse_cdf(0.5 + level / 2.0)
}

pub(super) fn check_level(level: f64) -> Result<(), StatisticsError> {
    if level > 0.0 && level < 1.0 { Ok(()) } else { Err(StatisticsError::Level(level)) }
}

pub(super) fn check_values(
    values: &[f64],
    is_fine: impl Fn(f64) -> bool,
) -> Result<(), StatisticsError> {
    match values.iter().position(|&value| !is_fine(value)) {
        Some(index) => Err(StatisticsError::Observation { index, value: values[index] }),
        None => Ok(()),
    }
}

fn paired(
    a: &[f64],
    b: &[f64],
    combine: impl Fn(f64, f64) -> f64,
) -> Result<Vec<f64>, StatisticsError> {
    if a.len() != b.len() {
        return Err(StatisticsError::Unpaired { first: a.len(), second: b.len() });
    }
    Ok(a.iter().zip(b).map(|(&a, &b)| combine(a, b)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::Streams;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-6
    }

    #[test]
    fn it_agrees_with_a_table_of_student() {
        // t(0.975; 4) = 2.776445; the sample has mean 3 and variance 2.5.
        let interval = ConfidenceInterval::of_mean(&[1.0, 2.0, 3.0, 4.0, 5.0], 0.95).unwrap();
        assert!(
            close(interval.mean, 3.0) && close(interval.half_width(), 2.776_445 * 0.5f64.sqrt())
        );
        assert!(interval.contains(4.9) && !interval.contains(5.0));
    }

    #[test]
    fn impossible_requests_are_refused() {
        use StatisticsError::{Level, Observation, TooFew, Unpaired};
        let of_mean = ConfidenceInterval::of_mean;
        assert_eq!(of_mean(&[1.0], 0.9), Err(TooFew { count: 1, needed: 2 }));
        assert_eq!(of_mean(&[1.0, 2.0], 1.0), Err(Level(1.0)));
        let infinite = Observation { index: 1, value: f64::INFINITY };
        assert_eq!(of_mean(&[1.0, f64::INFINITY], 0.9), Err(infinite));
        let ratio = ConfidenceInterval::of_paired_ratio;
        assert_eq!(ratio(&[1.0, 2.0], &[1.0], 0.9), Err(Unpaired { first: 2, second: 1 }));
        let zero = Observation { index: 0, value: 0.0 };
        assert_eq!(ratio(&[0.0, 2.0], &[1.0, 1.0], 0.9), Err(zero));
        assert_eq!(batch_means(&[1.0; 5], 1, 0.9), Err(TooFew { count: 5, needed: 2 }));
        assert_eq!(batch_means(&[1.0; 5], 6, 0.9), Err(TooFew { count: 5, needed: 6 }));
    }

    #[test]
    fn pairs_are_compared_pair_by_pair() {
        let (a, b) = ([10.0, 20.0, 30.0], [8.0, 16.0, 24.0]);
        let difference = ConfidenceInterval::of_paired_difference(&a, &b, 0.9).unwrap();
        assert!(close(difference.mean, 4.0));
        let ratio = ConfidenceInterval::of_paired_ratio(&a, &b, 0.9).unwrap();
        assert!(close(ratio.mean, 1.25) && close(ratio.half_width(), 0.0));
    }

    #[test]
    fn ninety_percent_intervals_cover_about_ninety_percent() {
        let mut stream = Streams::new(3, 0).named("coverage");
        let covered = (0..2000)
            .filter(|_| {
                let values: [f64; 5] = std::array::from_fn(|_| stream.normal());
                ConfidenceInterval::of_mean(&values, 0.9).unwrap().contains(0.0)
            })
            .count();
        // Binomial with mean 1800 and deviation 13.4; four deviations either way.
        assert!((1746..=1854).contains(&covered), "{covered} of 2000");
    }

    #[test]
    fn batches_see_the_dependence_that_single_values_hide() {
        // Each value is held for 50 places, so a naive interval is far too narrow.
        let mut stream = Streams::new(4, 0).named("batches");
        let held: Vec<f64> = (0..200).map(|_| stream.normal()).collect();
        let series: Vec<f64> = held.iter().flat_map(|&value| [value; 50]).collect();
        let naive = ConfidenceInterval::of_mean(&series, 0.95).unwrap();
        let batched = batch_means(&series, 20, 0.95).unwrap();
        assert!(close(naive.mean, batched.mean));
        assert!(batched.half_width() > 4.0 * naive.half_width());
    }
}
