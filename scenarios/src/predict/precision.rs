//! As many nights as a stated precision takes.
//!
//! What is reported of a duration is its median, so that is what must be known well: the interval
//! between two order statistics that covers the median of all nights with [`CONFIDENCE`], whatever
//! their distribution ([`bakcast_sim::quantile_interval`]), must end nowhere further from the
//! reported median than the share asked for. That holds for every duration that is reported, the
//! backup, the verification and both together: the median of a sum is not the sum of the medians,
//! and no one of the three says how well another is known.
//!
//! Durations are looked at as they are reported, with carried runs put right over the whole set
//! (`carried`), so each look is at all nights anew. Looks are few: the number of nights grows by
//! half from one to the next, which is all that repeated looking costs in confidence, and makes it
//! a function of the options alone. A look that is not enough may be followed by one of which no
//! more is left than the maximum allows.

use bakcast_sim::quantile_interval;

use super::{PredictOptions, REPLICATIONS_MAX};

/// Confidence of the interval that a precision is about.
pub const CONFIDENCE: f64 = 0.95;

/// Nights below which no interval of that confidence exists.
const NIGHTS_MIN: u32 = 6;

/// How well the medians are to be known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Precision {
    /// Largest distance of the interval's ends from the median, as a share of it.
    pub share: f64,
    /// Most nights to be spent on it.
    pub replications_max: u32,
}

/// How well they are known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reached {
    /// What was asked for.
    pub asked: f64,
    /// Distance of the interval's ends from the median, as a share of it, of the duration that is
    /// known least; `None`: too few nights for an interval.
    pub achieved: Option<f64>,
    /// Whether that is enough.
    pub reached: bool,
}

/// Nights before the first look.
pub(super) fn first_round(options: &PredictOptions) -> u32 {
    match options.precision {
        None => options.replications,
        Some(precision) => {
            options.replications.max(NIGHTS_MIN.min(precision.replications_max)).max(1)
        }
    }
}

impl Precision {
    /// Most nights if nothing else is said.
    pub const REPLICATIONS_MAX: u32 = 1024;

    /// Nights at the next look; as many as there are if there is none.
    pub(super) fn after(&self, nights: u32) -> u32 {
        let more = nights.saturating_add((nights / 2).max(1));
        more.min(self.replications_max).max(nights)
    }

    /// How well the medians of these durations are known.
    #[must_use]
    pub fn judge<'a>(&self, durations: impl Iterator<Item = &'a [f64]>) -> Reached {
        let worst = durations
            .map(relative_half_width)
            .try_fold(0.0, |worst: f64, width| width.map(|width| worst.max(width)));
        let reached = worst.is_some_and(|worst| worst <= self.share);
        Reached { asked: self.share, achieved: worst, reached }
    }
}

impl Reached {
    /// Of two, the one that is known less well.
    #[must_use]
    pub fn worse(self, other: Self) -> Self {
        let width = |reached: &Self| reached.achieved.unwrap_or(f64::INFINITY);
        if width(&other) > width(&self) { other } else { self }
    }

    /// Nights that would probably have been enough, the interval being narrower by the square root
    /// of their number; `None`: more than there may be, or nothing to tell it from.
    #[must_use]
    pub fn needed(&self, nights: u32) -> Option<u32> {
        let ratio = self.achieved? / self.asked;
        let needed = (f64::from(nights) * ratio * ratio * 1.2).ceil();
        (needed <= f64::from(REPLICATIONS_MAX)).then_some(needed as u32)
    }
}

/// How far the interval of the median reaches to its further end, as a share of the median.
fn relative_half_width(values: &[f64]) -> Option<f64> {
    let interval = quantile_interval(values, 0.5, CONFIDENCE).ok()?;
    let reach = (interval.high - interval.estimate).max(interval.estimate - interval.low);
    // Of a duration that is always zero everything is known.
    Some(if reach > 0.0 { reach / interval.estimate } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use bakcast_sim::Streams;

    use super::*;

    fn precision(share: f64) -> Precision {
        Precision { share, replications_max: Precision::REPLICATIONS_MAX }
    }

    /// Nights spent on a population, and what they came to.
    fn spent(precision: Precision, draw: &mut dyn FnMut() -> f64) -> (Vec<f64>, Reached) {
        let options = PredictOptions { precision: Some(precision), ..PredictOptions::DEFAULT };
        let (mut nights, mut wanted) = (Vec::new(), first_round(&options));
        loop {
            nights.extend((nights.len() as u32..wanted).map(|_| draw()));
            let reached = precision.judge([&nights[..]].into_iter());
            let next = precision.after(wanted);
            if reached.reached || next == wanted {
                return (nights, reached);
            }
            wanted = next;
        }
    }

    #[test]
    fn the_interval_of_a_known_median_covers_it_even_though_it_is_looked_at_again_and_again() {
        // Log-normal with median 100: skewed, as durations are.
        let mut covered = 0;
        for sample in 0..500 {
            let mut stream = Streams::new(5, sample).named("precision");
            let mut draw = || 100.0 * libm::exp(0.15 * stream.normal());
            let (nights, reached) = spent(precision(0.03), &mut draw);
            assert!(reached.reached && nights.len() < 1024);
            let interval = quantile_interval(&nights, 0.5, CONFIDENCE).unwrap();
            assert!(reached.achieved.unwrap() <= 0.03);
            covered += usize::from((interval.low..=interval.high).contains(&100.0));
        }
        // Binomial with mean 475 and deviation 4.9 if looks cost nothing; they cost a little.
        assert!(covered >= 455, "{covered} of 500");
    }

    #[test]
    fn more_precision_never_takes_fewer_nights() {
        let nights = |share: f64| {
            let mut stream = Streams::new(6, 0).named("precision");
            spent(precision(share), &mut || 10.0 + stream.normal()).0.len()
        };
        let spent: Vec<usize> = [0.2, 0.05, 0.03, 0.02, 0.01, 0.001].map(nights).to_vec();
        assert!(spent.is_sorted(), "{spent:?}");
        assert_eq!((spent[0], spent[5]), (32, 1024));
    }

    #[test]
    fn what_never_varies_is_known_at_once_and_few_nights_are_no_knowledge() {
        for constant in [7.0, 0.0] {
            assert_eq!(spent(precision(1e-9), &mut || constant).0.len(), 32);
        }
        let few = Precision { replications_max: 3, ..precision(0.5) };
        let reached = few.judge([&[7.0; 3][..]].into_iter());
        assert_eq!((reached.achieved, reached.reached), (None, false));
        assert_eq!(reached.needed(3), None);
        let options = |replications, precision| PredictOptions {
            replications,
            precision: Some(precision),
            ..PredictOptions::DEFAULT
        };
        assert_eq!(first_round(&options(2, few)), 3);
        assert_eq!(first_round(&options(2, precision(0.5))), NIGHTS_MIN);
    }

    #[test]
    fn a_wide_population_uses_up_all_nights_and_says_how_many_it_would_take() {
        let mut stream = Streams::new(7, 0).named("precision");
        let (nights, reached) = spent(precision(0.005), &mut || libm::exp(0.3 * stream.normal()));
        assert_eq!((nights.len(), reached.reached), (1024, false));
        assert!(reached.needed(1024).is_some_and(|needed| needed > 10 * 1024), "{reached:?}");
    }
}
