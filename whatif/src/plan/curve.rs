//! Durations over sizes: a few sizes are simulated, the others lie between them.
//!
//! Night r of every size has the same luck and the same parameter set, so each night has a curve of
//! its own. It is a straight line between two sizes that were simulated, and never falls: where
//! luck makes a larger size shorter, the longer duration of the smaller one stands. Beyond the
//! largest size the last line goes on.

use std::sync::Arc;

use bakcast_scenarios::predict::Refused;

use super::PlanError;
use super::look::Sized;
use crate::design::Configuration;
use crate::runner::{GoOn, Operation, Ran};

/// Sizes that are simulated at first.
const SIZES: usize = 6;
/// The largest factor of size that is simulated at first.
const FIRST_LARGEST: f64 = 16.0;
/// How much farther it then goes as long as nights fit, and how often at most.
const FARTHER: f64 = 4.0;
const TIMES: usize = 8;

/// The duration of each night by the factor of size.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// Factors that were simulated, rising.
    factors: Vec<f64>,
    /// The nights of each.
    nights: Vec<Vec<f64>>,
    /// From this factor on a scenario cannot be run.
    refused: Option<f64>,
}

impl Curve {
    /// A curve through these nights of each factor, which rise.
    #[must_use]
    pub fn new(points: Vec<(f64, Vec<f64>)>) -> Self {
        let mut curve = Curve { factors: Vec::new(), nights: Vec::new(), refused: None };
        points.into_iter().for_each(|(factor, nights)| curve.add(factor, nights));
        curve
    }

    fn add(&mut self, factor: f64, nights: Vec<f64>) {
        let place = self.factors.partition_point(|own| *own < factor);
        if self.factors.get(place).is_none_or(|own| *own > factor) {
            self.factors.insert(place, factor);
            self.nights.insert(place, nights);
        }
    }

    /// Sizes that were simulated.
    #[must_use]
    pub fn factors(&self) -> &[f64] {
        &self.factors
    }

    /// The durations of all nights with so much data; none where it cannot be run.
    pub fn at(&self, factor: f64) -> impl Iterator<Item = f64> + '_ {
        let beyond = self.refused.is_some_and(|refused| factor >= refused);
        let count = self.nights.first().map_or(0, Vec::len);
        (0..count).map(move |night| if beyond { f64::INFINITY } else { self.one(night, factor) })
    }

    fn one(&self, night: usize, factor: f64) -> f64 {
        let of = |place: usize| self.nights[place].get(night).copied().unwrap_or(f64::INFINITY);
        let last = self.factors.len() - 1;
        let after = self.factors.partition_point(|own| *own < factor);
        let highest = |place: usize| (0..=place).map(of).fold(0.0, f64::max);
        if after == 0 || last == 0 {
            return of(0) * if last == 0 { factor / self.factors[0] } else { 1.0 };
        }
        if self.factors.get(after).is_some_and(|own| *own <= factor) {
            return highest(after);
        }
        let right = after.min(last);
        let (left, low, high) = (right - 1, highest(right - 1), highest(right));
        let span = self.factors[right] - self.factors[left];
        let share = (factor - self.factors[left]) / span;
        (low + (high - low) * share).max(if after > last { high } else { low })
    }

    /// Simulates sizes from `smallest` to `largest`, and farther while nights keep the window.
    pub(super) fn simulate(
        sized: &Sized<'_, '_>,
        (smallest, largest): (f64, f64),
        window: f64,
        go_on: GoOn<'_>,
    ) -> Result<Self, PlanError> {
        let mut curve = Curve::new(Vec::new());
        let mut to = largest.min(FIRST_LARGEST.max(smallest));
        let ratio = to / smallest;
        let step = |k: usize| smallest * libm::pow(ratio, k as f64 / (SIZES - 1) as f64);
        let mut factors: Vec<f64> = (0..SIZES).map(step).chain([1.0]).collect();
        factors.retain(|factor| ratio > 1.0 || *factor <= smallest);
        factors.sort_by(f64::total_cmp);
        factors.dedup();
        curve.try_factors(sized, &factors, go_on)?;
        for _ in 0..TIMES {
            if to >= largest || curve.at(to).all(|seconds| seconds > window) {
                break;
            }
            to = (to * FARTHER).min(largest);
            curve.try_factors(sized, &[to], go_on)?;
        }
        Ok(curve)
    }

    /// Simulates further sizes.
    pub(super) fn try_factors(
        &mut self,
        sized: &Sized<'_, '_>,
        factors: &[f64],
        go_on: GoOn<'_>,
    ) -> Result<(), PlanError> {
        let new = factors.iter().copied().filter(|factor| !self.factors.contains(factor));
        let new: Vec<f64> = new.collect();
        let configurations: Vec<Configuration> =
            new.iter().map(|factor| sized.configuration(*factor)).collect();
        let outcomes = sized.runner.run(&configurations, go_on)?;
        for (factor, outcome) in new.into_iter().zip(outcomes) {
            match outcome {
                Ok(ran) => {
                    let nights = nights(&ran, sized.operation);
                    self.add(factor, nights.ok_or(PlanError::NoOperation(sized.operation))?);
                }
                Err(refused) => self.refuse(factor, refused)?,
            }
        }
        Ok(())
    }

    fn refuse(&mut self, factor: f64, refused: Arc<Refused>) -> Result<(), PlanError> {
        if factor <= 1.0 {
            return Err(PlanError::Refused(refused));
        }
        self.refused = Some(self.refused.map_or(factor, |known| known.min(factor)));
        Ok(())
    }
}

fn nights(ran: &Ran, operation: Operation) -> Option<Vec<f64>> {
    ran.nights(operation).map(<[f64]>::to_vec)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_is_a_line_between_sizes_goes_on_beyond_and_never_falls() {
        let curve = Curve::new(vec![
            (1.0, vec![10.0, 20.0]),
            (2.0, vec![30.0, 19.0]),
            (4.0, vec![50.0, 60.0]),
        ]);
        let at = |factor: f64| curve.at(factor).collect::<Vec<_>>();
        assert_eq!(at(1.0), [10.0, 20.0]);
        assert_eq!(at(1.5), [20.0, 20.0]);
        assert_eq!(at(2.0), [30.0, 20.0]);
        assert_eq!(at(3.0), [40.0, 40.0]);
        assert_eq!(at(6.0), [70.0, 100.0]);
        assert_eq!(at(0.5), [10.0, 20.0]);
    }
}
