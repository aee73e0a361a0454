//! Two configurations beside each other, night by night.
//!
//! Both meet the same luck in the same night, and the same member of the ensemble, so their ratio
//! says more than their two durations. With a night's ratio `r = b / a`:
//!
//! - **ratio** is that of a typical night: the geometric mean of `r`. Swapping `a` and `b` gives
//!   its reciprocal.
//! - **interval**, without an ensemble: where that mean lies, as well as these nights tell:
//!   `ln ratio +- t s / sqrt(n)`, with `s` the standard deviation of `ln r` over n nights and t
//!   Student's with n - 1 degrees of freedom. More nights make it narrower.
//! - **interval**, with an ensemble: where the typical ratio lies for the parameter set that is
//!   true, which is taken for one more of its kind: with `m` the mean of `ln r` over the nights of
//!   one member, `s` the standard deviation of `m` over k members,
//!   `ln ratio +- t s sqrt(1 + 1 / k)`, t with k - 1 degrees of freedom (the prediction interval of
//!   one more observation). What the fit leaves open does not shrink with more nights, so neither
//!   does this. What is luck within a member is left in, so that it is rather too wide.
//!
//! It is no range of single nights: those scatter more. A difference is **real** if the interval
//! does not hold 1, and **worth it** if the ratio is further from 1 than a threshold.

use bakcast_sim::ConfidenceInterval;

/// How one configuration compares with another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Paired {
    /// Typical ratio of a night; below 1: shorter than the other.
    pub ratio: f64,
    /// Interval of the typical ratio; absent where there are too few nights.
    pub ratio_interval: Option<(f64, f64)>,
    /// Mean difference in seconds; negative: shorter than the other.
    pub difference_seconds: f64,
    /// Interval of the mean difference, made as that of the ratio is.
    pub difference_interval: Option<(f64, f64)>,
    /// Nights that are paired.
    pub nights: usize,
    /// Parameter sets among them; 1: no ensemble.
    pub members: usize,
}

/// A difference of less is not worth a change.
pub const THRESHOLD: f64 = 0.02;

impl Paired {
    /// Compares durations `other` with those of `base`, night r with night r. Of both, `members` is
    /// the number of parameter sets that nights take in turn, 1 without an ensemble. What only one
    /// of them has is left out. `None`: there is no night, or a duration is not positive.
    #[must_use]
    pub fn new(base: &[f64], other: &[f64], members: usize, level: f64) -> Option<Self> {
        let nights = base.len().min(other.len());
        let (base, other) = (base.get(..nights)?, other.get(..nights)?);
        let fine = |values: &[f64]| values.iter().all(|value| value.is_finite() && *value > 0.0);
        if nights == 0 || !fine(base) || !fine(other) {
            return None;
        }
        let members = members.clamp(1, nights);
        let log = |(a, b): (&f64, &f64)| libm::log(*b) - libm::log(*a);
        let logs: Vec<f64> = base.iter().zip(other).map(log).collect();
        let differences: Vec<f64> = base.iter().zip(other).map(|(a, b)| b - a).collect();
        let (ratio, interval) = interval(&logs, members, level);
        let (difference_seconds, difference_interval) =
            self::interval(&differences, members, level);
        Some(Paired {
            ratio: libm::exp(ratio),
            ratio_interval: interval.map(|(low, high)| (libm::exp(low), libm::exp(high))),
            difference_seconds,
            difference_interval,
            nights,
            members,
        })
    }

    /// Whether there is a difference at all: the interval does not hold 1. Without an interval
    /// nobody knows.
    #[must_use]
    pub fn is_real(&self) -> Option<bool> {
        self.ratio_interval.map(|(low, high)| low > 1.0 || high < 1.0)
    }

    /// Whether it is more than a threshold, shorter or longer.
    #[must_use]
    pub fn is_worth(&self, threshold: f64) -> bool {
        (self.ratio - 1.0).abs() > threshold
    }

    /// Half the width of the interval, where it reaches further.
    #[must_use]
    pub fn plus_minus(&self) -> Option<f64> {
        self.ratio_interval.map(|(low, high)| (high - self.ratio).max(self.ratio - low))
    }
}

/// The mean, and its interval as the head of this file has it.
fn interval(values: &[f64], members: usize, level: f64) -> (f64, Option<(f64, f64)>) {
    if members < 2 {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let interval = ConfidenceInterval::of_mean(values, level).ok();
        return (mean, interval.map(|found| (found.low, found.high)));
    }
    let means: Vec<f64> = (0..members).map(|member| mean_of(values, member, members)).collect();
    let mean = means.iter().sum::<f64>() / members as f64;
    let Ok(found) = ConfidenceInterval::of_mean(&means, level) else { return (mean, None) };
    // The interval of the mean is t s sqrt(1 / k); that of one more is t s sqrt(1 + 1 / k).
    let half = found.half_width() * (members as f64 + 1.0).sqrt();
    (mean, Some((mean - half, mean + half)))
}

/// The mean over the nights of one member.
fn mean_of(values: &[f64], member: usize, members: usize) -> f64 {
    let own = values.iter().skip(member).step_by(members);
    let (sum, count) = own.fold((0.0, 0_u32), |(sum, count), value| (sum + value, count + 1));
    sum / f64::from(count.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9 * expected.abs().max(1.0), "{found} {expected}");
    }

    #[test]
    fn what_is_the_same_has_a_ratio_of_exactly_1() {
        let nights = [3.1, 2.7, 5.9, 1.0 / 3.0];
        for members in [1, 2, 4, 64] {
            let paired = Paired::new(&nights, &nights, members, 0.9).unwrap();
            assert!(paired.ratio.to_bits() == 1.0_f64.to_bits());
            assert_eq!(paired.ratio_interval, Some((1.0, 1.0)));
            assert_eq!(paired.is_real(), Some(false));
            assert!(!paired.is_worth(0.0));
        }
    }

    #[test]
    fn without_an_ensemble_it_is_the_interval_of_the_geometric_mean() {
        let base = [10.0, 12.0, 9.0, 11.0];
        let other = [5.1, 6.0, 4.4, 5.6];
        let paired = Paired::new(&base, &other, 1, 0.95).unwrap();
        let known = ConfidenceInterval::of_paired_ratio(&other, &base, 0.95).unwrap();
        near(paired.ratio, known.mean);
        let (low, high) = paired.ratio_interval.unwrap();
        near(low, known.low);
        near(high, known.high);
        assert_eq!((paired.is_real(), paired.is_worth(0.02)), (Some(true), true));
        let back = Paired::new(&other, &base, 1, 0.95).unwrap();
        near(back.ratio * paired.ratio, 1.0);
        near(back.difference_seconds, -paired.difference_seconds);
    }

    #[test]
    fn with_an_ensemble_it_is_that_of_one_more_member_and_does_not_shrink_with_nights() {
        // Two members with ratios exp(0.1) and exp(0.3): mean 0.2, s = 0.1 sqrt 2, t = 12.7062.
        let ratios = [0.1, 0.3].map(libm::exp);
        let half = 12.706_204_736_174_69 * (0.02_f64).sqrt() * (1.5_f64).sqrt();
        for nights in [2, 20] {
            let base = vec![7.0; nights];
            let other: Vec<f64> = (0..nights).map(|r| 7.0 * ratios[r % 2]).collect();
            let paired = Paired::new(&base, &other, 2, 0.95).unwrap();
            let (low, high) = paired.ratio_interval.unwrap();
            assert!((libm::log(paired.ratio) - 0.2).abs() < 1e-9);
            assert!((libm::log(high) - 0.2 - half).abs() < 1e-6, "{}", libm::log(high));
            assert!((libm::log(low) - 0.2 + half).abs() < 1e-6);
        }
    }

    #[test]
    fn too_little_to_pair_is_said_to_be() {
        assert_eq!(Paired::new(&[], &[], 1, 0.9), None);
        assert_eq!(Paired::new(&[1.0], &[0.0], 1, 0.9), None);
        assert_eq!(Paired::new(&[1.0, f64::NAN], &[1.0, 1.0], 1, 0.9), None);
        let one = Paired::new(&[2.0], &[1.0, 9.0], 8, 0.9).unwrap();
        near(one.ratio, 0.5);
        assert_eq!((one.ratio_interval, one.is_real(), one.nights), (None, None, 1));
    }
}
