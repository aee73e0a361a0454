//! Sample quantiles and what they say about the population's.

use statrs::distribution::{Binomial, DiscreteCDF};

use super::StatisticsError;
use super::interval::{check_level, check_values};

/// The sample quantile for probability `p`, by linear interpolation between order statistics:
/// with h = (n - 1) p it lies the fraction h - floor(h) of the way from the floor(h)-th value to
/// the next, counted from 0. This is type 7 of Hyndman and Fan (Sample quantiles in statistical
/// packages, 1996), the default of R and NumPy. The values may come in any order.
///
/// # Errors
///
/// If there are no values, one is not finite, or `p` is outside 0 to 1.
///
/// ```
/// use bakcast_sim::quantile;
///
/// assert_eq!(quantile(&[4.0, 1.0, 2.0, 3.0], 0.5), Ok(2.5));
/// ```
pub fn quantile(values: &[f64], p: f64) -> Result<f64, StatisticsError> {
    let sorted = sorted(values)?;
    check_probability(p)?;
    Ok(interpolated(&sorted, p))
}

/// The value that one more observation stays below with probability `p`: with h = (n + 1) p it lies
/// the fraction h - floor(h) of the way from the floor(h)-th value to the next, counted from 1. The
/// mean share of a population below its k-th smallest of n observations is k / (n + 1), if its
/// distribution is continuous (David and Nagaraja, Order Statistics, 2003, section 2.3): so ranges
/// that end here hold what they state in the mean. Those of [`quantile`] do not: these hold 84.5 %
/// of what comes where n = 32 and 90 % are stated. Type 6 of Hyndman and Fan. Beyond the
/// observations, where (n + 1) p is below 1 or above n, it is the last of them.
///
/// # Errors
///
/// As [`quantile`].
///
/// ```
/// use bakcast_sim::quantile_to_come;
///
/// let values: Vec<f64> = (1..=19).map(f64::from).collect();
/// assert_eq!(quantile_to_come(&values, 0.95), Ok(19.0));
/// ```
pub fn quantile_to_come(values: &[f64], p: f64) -> Result<f64, StatisticsError> {
    let sorted = sorted(values)?;
    check_probability(p)?;
    let count = sorted.len() as f64;
    let rank = (p * (count + 1.0)).clamp(1.0, count);
    Ok(between(&sorted, rank - 1.0))
}

/// A quantile of a population with an interval for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuantileInterval {
    /// The sample quantile (type 7).
    pub estimate: f64,
    /// Lower end, one of the observations.
    pub low: f64,
    /// Upper end, one of the observations.
    pub high: f64,
    /// The probability of covering the population's quantile that was asked for.
    pub level: f64,
    /// The probability of covering it that these observations have, at least `level`.
    pub coverage: f64,
}

/// The interval between two order statistics that covers the population's quantile for probability
/// `p`, whatever the distribution, if it is continuous: the number of observations below the
/// quantile is binomial (n, p), so the k-th smallest lies below it with probability P(B >= k)
/// (David and Nagaraja, Order Statistics, 2003, section 7.1). Each side misses with at most half of
/// 1 - `level`.
///
/// # Errors
///
/// As [`quantile`], if `level` is not between 0 and 1, and if the sample is too small for such an
/// interval (for the median at 95 %: below 6; for p = 0.95 at 90 %: below 59).
pub fn quantile_interval(
    values: &[f64],
    p: f64,
    level: f64,
) -> Result<QuantileInterval, StatisticsError> {
    let sorted = sorted(values)?;
    check_probability(p)?;
    check_level(level)?;
    let count = sorted.len() as u64;
    let miss = (1.0 - level) / 2.0;
    let Some((low, high)) = ranks(count, p, miss) else {
        return Err(StatisticsError::TooFew { count, needed: needed(count, p, miss) });
    };
    let below = binomial(count, p);
    let coverage = below.cdf(high - 1) - below.cdf(low - 1);
    let value = |rank: u64| sorted[rank as usize - 1];
    let estimate = interpolated(&sorted, p);
    Ok(QuantileInterval { estimate, low: value(low), high: value(high), level, coverage })
}

/// The largest and the smallest rank, counted from 1, that miss on their side with at most `miss`.
fn ranks(count: u64, p: f64, miss: f64) -> Option<(u64, u64)> {
    let below = binomial(count, p);
    // The k-th smallest is above the quantile if fewer than k observations are below it.
    let low = first_rank(count, |k| below.cdf(k - 1) > miss) - 1;
    let high = first_rank(count, |k| 1.0 - below.cdf(k - 1) <= miss);
    (low > 0 && high <= count).then_some((low, high))
}

/// The smallest of the ranks `1..=count` for which `holds`, as it does for all above it; one more
/// than there are if it does for none.
fn first_rank(count: u64, holds: impl Fn(u64) -> bool) -> u64 {
    let (mut below, mut at) = (0, count + 1);
    while at - below > 1 {
        let middle = below + (at - below) / 2;
        if holds(middle) { at = middle } else { below = middle }
    }
    at
}

/// The smallest sample with an interval: p^n and (1 - p)^n must not exceed `miss`.
fn needed(count: u64, p: f64, miss: f64) -> u64 {
    let rare = p.min(1.0 - p);
    if rare <= 0.0 {
        return u64::MAX;
    }
    let needed = libm::ceil(libm::log(miss) / libm::log1p(-rare));
    (needed as u64).max(count + 1)
}

fn binomial(count: u64, p: f64) -> Binomial {
    Binomial::new(p, count).expect("a checked probability")
}

fn check_probability(p: f64) -> Result<(), StatisticsError> {
    if (0.0..=1.0).contains(&p) { Ok(()) } else { Err(StatisticsError::Probability(p)) }
}

fn sorted(values: &[f64]) -> Result<Vec<f64>, StatisticsError> {
    if values.is_empty() {
        return Err(StatisticsError::TooFew { count: 0, needed: 1 });
    }
    check_values(values, f64::is_finite)?;
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    Ok(sorted)
}

fn interpolated(sorted: &[f64], p: f64) -> f64 {
    between(sorted, (sorted.len() - 1) as f64 * p)
}

/// The value at a position, counted from 0, on a straight line between two.
fn between(sorted: &[f64], position: f64) -> f64 {
    let below = position as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (position - below as f64) * (sorted[above] - sorted[below])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::Streams;

    #[test]
    fn quantiles_agree_with_r() {
        // quantile(c(2, 3, 5, 7, 11, 13), c(0, .1, .25, .5, .9, 1)) in R.
        let values = [13.0, 2.0, 11.0, 3.0, 7.0, 5.0];
        for (p, expected) in
            [(0.0, 2.0), (0.1, 2.5), (0.25, 3.5), (0.5, 6.0), (0.9, 12.0), (1.0, 13.0)]
        {
            assert!((quantile(&values, p).unwrap() - expected).abs() < 1e-12, "p = {p}");
        }
    }

    /// 2,000 times so many observations and one more of a lopsided distribution.
    #[test]
    fn a_range_holds_in_the_mean_what_it_states() {
        let mut stream = Streams::new(5, 0).named("range");
        for count in [19, 32, 64] {
            let trials = 2000;
            let inside = (0..trials).filter(|_| {
                let mut next = || libm::exp(stream.normal());
                let values: Vec<f64> = (0..count).map(|_| next()).collect();
                let end = |p| quantile_to_come(&values, p).unwrap();
                (end(0.05)..=end(0.95)).contains(&next())
            });
            let share = inside.count() as f64 / f64::from(trials);
            // Three standard deviations of a share of 0.9.
            assert!((share - 0.9).abs() < 3.0 * libm::sqrt(0.09 / f64::from(trials)), "{share}");
        }
    }

    #[test]
    fn ends_of_a_range_are_never_beyond_what_was_seen() {
        let values = [3.0, 1.0, 2.0];
        let end = |p| quantile_to_come(&values, p).unwrap();
        let ends = [0.0, 0.05, 0.5, 0.95, 1.0].map(end).map(f64::to_bits);
        assert_eq!(ends, [1.0, 1.0, 2.0, 3.0, 3.0_f64].map(f64::to_bits));
        assert!(quantile_to_come(&[], 0.5).is_err() && quantile_to_come(&values, 1.5).is_err());
    }

    #[test]
    fn the_median_of_ten_lies_between_the_second_and_the_ninth() {
        // The textbook case: coverage 1 - 2 (1 + 10) / 1024 = 0.9785.
        let values: Vec<f64> = (1..=10).map(f64::from).collect();
        let interval = quantile_interval(&values, 0.5, 0.95).unwrap();
        assert_eq!((interval.low, interval.high, interval.estimate), (2.0, 9.0, 5.5));
        assert!((interval.coverage - 0.978_515_625).abs() < 1e-12);
    }

    #[test]
    fn small_samples_are_told_how_many_are_needed() {
        let error = quantile_interval(&[1.0; 5], 0.5, 0.95);
        assert_eq!(error, Err(StatisticsError::TooFew { count: 5, needed: 6 }));
        assert!(quantile_interval(&[1.0; 6], 0.5, 0.95).is_ok());
        let error = quantile_interval(&[1.0; 20], 0.95, 0.9);
        assert_eq!(error, Err(StatisticsError::TooFew { count: 20, needed: 59 }));
        assert!(quantile_interval(&[1.0; 59], 0.95, 0.9).is_ok());
        assert_eq!(quantile(&[], 0.5), Err(StatisticsError::TooFew { count: 0, needed: 1 }));
        assert_eq!(quantile(&[1.0], 1.5), Err(StatisticsError::Probability(1.5)));
    }

    #[test]
    fn intervals_cover_at_least_as_often_as_they_say() {
        let mut stream = Streams::new(5, 0).named("quantile");
        let truth = -libm::log(0.25); // upper quartile of the exponential
        let covered = (0..1000)
            .filter(|_| {
                let values: Vec<f64> = (0..40).map(|_| stream.exponential()).collect();
                let interval = quantile_interval(&values, 0.75, 0.9).unwrap();
                (interval.low..=interval.high).contains(&truth)
            })
            .count();
        // At least 900 are expected; four deviations of the binomial are 38.
        assert!(covered >= 862, "{covered} of 1000");
    }
}
