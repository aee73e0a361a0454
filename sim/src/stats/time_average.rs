//! The average of a level over time.

use super::Area;
use crate::time::SimTime;

/// A whole number that changes in steps, and its average over simulated time.
///
/// The area under the level is kept in integers and is exact.
///
/// ```
/// use bakcast_sim::{SimTime, TimeAverage};
///
/// let mut free = TimeAverage::new(4);
/// free.set(SimTime::from_nanos(10), 1);
/// assert_eq!(free.area(SimTime::from_nanos(20)), 50);
/// assert_eq!(free.average(SimTime::from_nanos(20)), 2.5);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TimeAverage {
    area: Area,
    level: u64,
    min: u64,
    max: u64,
    changed: SimTime,
}

impl TimeAverage {
    /// A level of `level` from the start of the run on.
    pub fn new(level: u64) -> Self {
        TimeAverage { area: Area::default(), level, min: level, max: level, changed: SimTime::ZERO }
    }

    /// The level becomes `level`.
    ///
    /// # Panics
    ///
    /// If `now` is before the last change.
    #[inline]
    pub fn set(&mut self, now: SimTime, level: u64) {
        assert!(self.changed <= now, "{now} is before the last change at {}", self.changed);
        self.area.step(now, self.level, level);
        self.level = level;
        self.min = self.min.min(level);
        self.max = self.max.max(level);
        self.changed = now;
    }

    /// The level now.
    pub fn level(&self) -> u64 {
        self.level
    }

    /// The lowest level so far.
    pub fn min(&self) -> u64 {
        self.min
    }

    /// The highest level so far.
    pub fn max(&self) -> u64 {
        self.max
    }

    /// The area under the level from the start of the run to `now`, level times ns.
    ///
    /// # Panics
    ///
    /// If `now` is before the last change.
    pub fn area(&self, now: SimTime) -> u128 {
        assert!(self.changed <= now, "{now} is before the last change at {}", self.changed);
        self.area.until(now, self.level)
    }

    /// The average level from the start of the run to `now`; the level itself if no time has
    /// passed.
    ///
    /// # Panics
    ///
    /// If `now` is before the last change.
    pub fn average(&self, now: SimTime) -> f64 {
        let area = self.area(now);
        match now.as_nanos() {
            0 => self.level as f64,
            nanos => area as f64 / nanos as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extremes_are_remembered() {
        let mut level = TimeAverage::new(3);
        level.set(SimTime::from_nanos(1), 9);
        level.set(SimTime::from_nanos(2), 5);
        assert_eq!((level.min(), level.max(), level.level()), (3, 9, 5));
    }

    #[test]
    fn before_any_time_has_passed_the_average_is_the_level() {
        assert!((TimeAverage::new(7).average(SimTime::ZERO) - 7.0).abs() < 1e-15);
    }

    #[test]
    #[should_panic(expected = "before the last change")]
    fn levels_do_not_change_in_the_past() {
        let mut level = TimeAverage::new(0);
        level.set(SimTime::from_nanos(5), 1);
        level.set(SimTime::from_nanos(4), 2);
    }
}
