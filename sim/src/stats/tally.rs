//! Count, mean, spread and extremes of observations, one at a time.

/// A running summary of observations.
///
/// Mean and sum of squared deviations are updated by Welford's method (Note on a method for
/// calculating corrected sums of squares and products, 1962), which does not cancel as the
/// difference of two large sums would.
///
/// ```
/// use bakcast_sim::Tally;
///
/// let tally: Tally = [2.0, 4.0, 6.0].into_iter().collect();
/// assert_eq!((tally.count(), tally.mean(), tally.variance()), (3, Some(4.0), Some(4.0)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    count: u64,
    mean: f64,
    squares: f64,
    extremes: Option<(f64, f64)>,
}

impl Tally {
    /// No observations yet.
    pub fn new() -> Self {
        Tally::default()
    }

    /// Adds one observation.
    #[inline]
    pub fn add(&mut self, value: f64) {
        self.count += 1;
        let deviation = value - self.mean;
        self.mean += deviation / self.count as f64;
        self.squares += deviation * (value - self.mean);
        let (min, max) = self.extremes.unwrap_or((value, value));
        self.extremes = Some((min.min(value), max.max(value)));
    }

    /// Adds the observations of another tally (Chan, Golub and LeVeque, 1979).
    pub fn merge(&mut self, other: &Tally) {
        let Some((low, high)) = other.extremes else { return };
        let (here, there) = (self.count as f64, other.count as f64);
        let all = here + there;
        let difference = other.mean - self.mean;
        self.mean += difference * there / all;
        self.squares += other.squares + difference * difference * here * there / all;
        self.count += other.count;
        let (min, max) = self.extremes.unwrap_or((low, high));
        self.extremes = Some((min.min(low), max.max(high)));
    }

    /// Number of observations.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Arithmetic mean; `None` without observations.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then_some(self.mean)
    }

    /// Sample variance with divisor n - 1; `None` below two observations.
    pub fn variance(&self) -> Option<f64> {
        (self.count > 1).then(|| self.squares / (self.count - 1) as f64)
    }

    /// Square root of the variance; `None` below two observations.
    pub fn standard_deviation(&self) -> Option<f64> {
        self.variance().map(f64::sqrt)
    }

    /// Smallest observation.
    pub fn min(&self) -> Option<f64> {
        self.extremes.map(|(min, _)| min)
    }

    /// Largest observation.
    pub fn max(&self) -> Option<f64> {
        self.extremes.map(|(_, max)| max)
    }
}

impl Extend<f64> for Tally {
    fn extend<I: IntoIterator<Item = f64>>(&mut self, values: I) {
        values.into_iter().for_each(|value| self.add(value));
    }
}

impl FromIterator<f64> for Tally {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        let mut tally = Tally::new();
        tally.extend(values);
        tally
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_unknown_is_absent() {
        let mut tally = Tally::new();
        assert_eq!(
            (tally.mean(), tally.variance(), tally.min(), tally.max()),
            (None, None, None, None)
        );
        tally.add(3.0);
        assert_eq!((tally.mean(), tally.standard_deviation()), (Some(3.0), None));
    }

    #[test]
    fn a_large_offset_does_not_cancel() {
        let tally: Tally = [1e9 + 4.0, 1e9 + 7.0, 1e9 + 13.0, 1e9 + 16.0].into_iter().collect();
        assert_eq!(tally.variance(), Some(30.0));
    }

    proptest! {
        #[test]
        fn merging_is_the_same_as_adding_one_by_one(
            values in prop::collection::vec(-1e3..1e3f64, 2..100),
            cut in 0..100usize,
        ) {
            let cut = cut % values.len();
            let all: Tally = values.iter().copied().collect();
            let mut merged: Tally = values[..cut].iter().copied().collect();
            merged.merge(&values[cut..].iter().copied().collect());
            prop_assert_eq!(merged.count(), all.count());
            prop_assert_eq!((merged.min(), merged.max()), (all.min(), all.max()));
            prop_assert!((merged.mean().unwrap() - all.mean().unwrap()).abs() < 1e-9);
            let (a, b) = (merged.variance().unwrap(), all.variance().unwrap());
            prop_assert!((a - b).abs() <= 1e-9 * b.max(1.0));
        }
    }
}
