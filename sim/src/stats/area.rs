//! The exact area under a level that changes in steps.
//!
//! With level n(t) on [0, now], the area is
//!
//! ```text
//!   n(now) * now - sum of (step * time of the step)
//! ```
//!
//! so a step costs one addition and the time of the last change need not be kept. The running sum
//! is taken modulo 2^128; the area itself is below 2^64 ns times the level and comes out exactly.

use crate::time::SimTime;

/// The part of the area that does not depend on `now`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Area(u128);

impl Area {
    /// The level rises by one at `now`.
    #[inline]
    pub(crate) fn rise(&mut self, now: SimTime) {
        self.0 = self.0.wrapping_sub(u128::from(now.as_nanos()));
    }

    /// The level falls by one at `now`.
    #[inline]
    pub(crate) fn fall(&mut self, now: SimTime) {
        self.0 = self.0.wrapping_add(u128::from(now.as_nanos()));
    }

    /// The level goes from `before` to `after` at `now`.
    #[inline]
    pub(crate) fn step(&mut self, now: SimTime, before: u64, after: u64) {
        let at = u128::from(now.as_nanos());
        self.0 = self.0.wrapping_add(at * u128::from(before));
        self.0 = self.0.wrapping_sub(at * u128::from(after));
    }

    /// The area from the start of the run to `now`, where the level is `level`, in ns.
    #[inline]
    pub(crate) fn until(&self, now: SimTime, level: u64) -> u128 {
        self.0.wrapping_add(u128::from(now.as_nanos()) * u128::from(level))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_is_the_sum_of_level_times_duration(
            steps in prop::collection::vec((0..1u64 << 40, 0..1000u64), 1..100),
        ) {
            let (mut area, mut slow, mut now, mut level) = (Area::default(), 0, 0, 0);
            for (gap, next) in steps {
                slow += u128::from(gap) * u128::from(level);
                now += gap;
                area.step(SimTime::from_nanos(now), level, next);
                level = next;
            }
            prop_assert_eq!(area.until(SimTime::from_nanos(now), level), slow);
        }
    }

    #[test]
    fn single_steps_agree_with_the_general_one() {
        let at = SimTime::from_nanos;
        let mut area = Area::default();
        area.rise(at(3));
        area.rise(at(5));
        area.fall(at(11));
        assert_eq!(area.until(at(20), 1), 2 + 2 * 6 + 9);
    }
}
