//! Simulated time, counted in whole nanoseconds.
//!
//! Points in time ([`SimTime`]) and lengths of time ([`Span`]) are different types, so adding two
//! points is refused by the compiler. Integers make equality exact and every machine agree; a
//! `u64` of nanoseconds reaches 584 years.
//!
//! Overflow and negative differences are mistakes of the program, never of its input, and panic.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Sub};

const NANOS_PER_SECOND: f64 = 1e9;
/// 2^52, the first float without a fraction.
const SHIFT: f64 = 4_503_599_627_370_496.0;

/// A point in simulated time: nanoseconds since the start of the run.
///
/// Two points cannot be added:
///
/// ```compile_fail
/// use bakcast_sim::SimTime;
/// let nonsense = SimTime::ZERO + SimTime::ZERO;
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SimTime(u64);

impl SimTime {
    /// The start of the run.
    pub const ZERO: SimTime = SimTime(0);
    /// The last point that can be told, 584 years after the start.
    pub const MAX: SimTime = SimTime(u64::MAX);

    /// The point `nanos` nanoseconds after the start of the run.
    #[inline]
    pub const fn from_nanos(nanos: u64) -> Self {
        SimTime(nanos)
    }

    /// Nanoseconds since the start of the run.
    #[inline]
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// Seconds since the start of the run; exact up to 2^53 ns (104 days), rounded beyond.
    #[inline]
    pub fn as_seconds(self) -> f64 {
        self.0 as f64 / NANOS_PER_SECOND
    }

    /// The time from `earlier` to this point.
    ///
    /// # Panics
    ///
    /// If `earlier` is later than this point.
    #[inline]
    pub fn since(self, earlier: SimTime) -> Span {
        assert!(earlier.0 <= self.0, "{earlier} is later than {self}");
        Span(self.0 - earlier.0)
    }
}

impl fmt::Display for SimTime {
    /// Seconds with all nine decimals, e.g. `1.500000000 s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_seconds(self.0, f)
    }
}

impl Add<Span> for SimTime {
    type Output = SimTime;

    #[inline]
    fn add(self, span: Span) -> SimTime {
        SimTime(self.0.checked_add(span.0).expect("simulated time ends after 584 years"))
    }
}

impl AddAssign<Span> for SimTime {
    #[inline]
    fn add_assign(&mut self, span: Span) {
        *self = *self + span;
    }
}

/// A length of simulated time in whole nanoseconds, never negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span(u64);

impl Span {
    /// No time at all.
    pub const ZERO: Span = Span(0);
    /// The longest span, 584 years.
    pub const MAX: Span = Span(u64::MAX);

    /// A span of `nanos` nanoseconds.
    #[inline]
    pub const fn from_nanos(nanos: u64) -> Self {
        Span(nanos)
    }

    /// The span in nanoseconds.
    #[inline]
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// `seconds` rounded to the nearest nanosecond, halves to the even one; above 584 years
    /// (infinity included) [`Span::MAX`].
    ///
    /// Truncation would take half a nanosecond off every event, which long runs can see.
    ///
    /// # Panics
    ///
    /// If `seconds` is negative or not a number: whoever computed it is mistaken.
    #[inline]
    pub fn from_seconds(seconds: f64) -> Span {
        // Adding 2^52 to 0 <= x < 2^52 leaves the rounded x in the low bits of the sum: one
        // addition, correctly rounded, and no conversion instruction. As unsigned integers, the
        // bits of negative numbers, NaN and infinity all compare above those of 2^52.
        let nanos = seconds * NANOS_PER_SECOND;
        if nanos.to_bits() < SHIFT.to_bits() {
            Span((nanos + SHIFT).to_bits().wrapping_sub(SHIFT.to_bits()))
        } else {
            Span::from_unusual_nanos(nanos)
        }
    }

    /// [`Span::from_seconds`] of each of `seconds` times `scale`. Without a branch for each value,
    /// several are converted at once.
    ///
    /// # Panics
    ///
    /// If a value is negative or not a number, or the lengths differ.
    pub fn fill_from_seconds(spans: &mut [Span], seconds: &[f64], scale: f64) {
        assert_eq!(spans.len(), seconds.len(), "each span has a value");
        let (mut all_spans, mut all_values) = (0, 0);
        for (span, &seconds) in spans.iter_mut().zip(seconds) {
            let nanos = seconds * scale * NANOS_PER_SECOND;
            *span = Span((nanos + SHIFT).to_bits().wrapping_sub(SHIFT.to_bits()));
            all_spans |= span.0;
            all_values |= nanos.to_bits();
        }
        // Whatever is not 0 <= x < 2^52 shows in the high bits of its span or in the sign.
        if all_spans >> 52 != 0 || all_values >> 63 != 0 {
            Span::fill_from_unusual_seconds(spans, seconds, scale);
        }
    }

    #[cold]
    fn fill_from_unusual_seconds(spans: &mut [Span], seconds: &[f64], scale: f64) {
        for (span, &seconds) in spans.iter_mut().zip(seconds) {
            *span = Span::from_seconds(seconds * scale);
        }
    }

    /// From 2^52 ns on, a float has no fraction and the saturating conversion is exact.
    #[cold]
    fn from_unusual_nanos(nanos: f64) -> Span {
        assert!(nanos >= 0.0, "a span cannot be {nanos} ns");
        Span(nanos as u64)
    }

    /// The span in seconds; exact up to 2^53 ns (104 days), rounded beyond.
    #[inline]
    pub fn as_seconds(self) -> f64 {
        self.0 as f64 / NANOS_PER_SECOND
    }
}

impl fmt::Display for Span {
    /// Seconds with all nine decimals, e.g. `1.500000000 s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_seconds(self.0, f)
    }
}

fn write_seconds(nanos: u64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{}.{:09} s", nanos / 1_000_000_000, nanos % 1_000_000_000)
}

impl Add for Span {
    type Output = Span;

    #[inline]
    fn add(self, other: Span) -> Span {
        Span(self.0.checked_add(other.0).expect("a span ends at 584 years"))
    }
}

impl AddAssign for Span {
    #[inline]
    fn add_assign(&mut self, other: Span) {
        *self = *self + other;
    }
}

impl Sub for Span {
    type Output = Span;

    #[inline]
    fn sub(self, other: Span) -> Span {
        Span(self.0.checked_sub(other.0).expect("a span cannot be negative"))
    }
}

impl Mul<u64> for Span {
    type Output = Span;

    #[inline]
    fn mul(self, times: u64) -> Span {
        Span(self.0.checked_mul(times).expect("a span ends at 584 years"))
    }
}

impl Sum for Span {
    fn sum<I: Iterator<Item = Span>>(spans: I) -> Span {
        spans.fold(Span::ZERO, |total, span| total + span)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_point_moves_by_a_span() {
        let mut at = SimTime::from_nanos(5) + Span::from_nanos(7);
        assert_eq!(at.as_nanos(), 12);
        at += Span::from_nanos(3);
        assert_eq!(at.since(SimTime::from_nanos(10)), Span::from_nanos(5));
        assert_eq!(SimTime::default(), SimTime::ZERO);
    }

    #[test]
    fn both_print_as_seconds() {
        assert_eq!(SimTime::from_nanos(1_500_000_000).to_string(), "1.500000000 s");
        assert_eq!(Span::from_nanos(7).to_string(), "0.000000007 s");
    }

    #[test]
    #[should_panic(expected = "is later than")]
    fn time_does_not_run_backwards() {
        let _ = SimTime::ZERO.since(SimTime::from_nanos(1));
    }

    #[test]
    #[should_panic(expected = "584 years")]
    fn the_end_of_time_is_not_passed_silently() {
        let _ = SimTime::MAX + Span::from_nanos(1);
    }

    #[test]
    #[should_panic(expected = "a span cannot be NaN ns")]
    fn not_a_number_is_refused() {
        let _ = Span::from_seconds(f64::NAN);
    }

    #[test]
    #[should_panic(expected = "a span cannot be -1 ns")]
    fn negative_seconds_are_refused() {
        let _ = Span::from_seconds(-1e-9);
    }

    #[test]
    #[should_panic(expected = "cannot be negative")]
    fn a_difference_of_spans_is_never_negative() {
        let _ = Span::ZERO - Span::from_nanos(1);
    }

    #[test]
    fn seconds_round_to_the_nearest_nanosecond() {
        let nanos = |seconds| Span::from_seconds(seconds).as_nanos();
        assert_eq!(nanos(0.0), 0);
        assert_eq!(nanos(-0.0), 0);
        assert_eq!(nanos(1.4e-9), 1);
        assert_eq!(nanos(1.6e-9), 2);
        assert_eq!(nanos(3.0), 3_000_000_000);
        assert_eq!(nanos(1e7), 10_000_000_000_000_000);
        assert_eq!(nanos(1e300), u64::MAX);
        assert_eq!(nanos(f64::INFINITY), u64::MAX);
    }

    #[test]
    fn many_seconds_round_like_single_ones() {
        for unusual in [0.0, -0.0, 1e-10, 4_503_599.627_370_495, 4_503_599.7, 1e300, f64::INFINITY]
        {
            let seconds = [0.3, unusual, 2.5e-9, 7.0];
            let mut spans = [Span::ZERO; 4];
            Span::fill_from_seconds(&mut spans, &seconds, 0.9);
            assert_eq!(spans, seconds.map(|seconds| Span::from_seconds(seconds * 0.9)));
        }
    }

    #[test]
    #[should_panic(expected = "a span cannot be -1")]
    fn a_negative_one_among_many_is_refused() {
        Span::fill_from_seconds(&mut [Span::ZERO; 2], &[1.0, -1e-9], 1.0);
    }

    #[test]
    fn spans_add_up() {
        let spans = [1, 2, 3].map(Span::from_nanos);
        assert_eq!(spans.into_iter().sum::<Span>(), Span::from_nanos(6));
        assert_eq!(spans[2] * 4 - spans[0], Span::from_nanos(11));
    }

    proptest! {
        #[test]
        fn rounding_agrees_with_the_slow_way(seconds in 0.0..1e8f64) {
            let slow = (seconds * 1e9).round_ties_even() as u64;
            prop_assert_eq!(Span::from_seconds(seconds).as_nanos(), slow);
        }

        #[test]
        fn many_are_rounded_as_one_is(
            usual in prop::array::uniform8(0.0..1e6f64),
            unusual in prop::option::of(0.0..1e10f64),
        ) {
            let mut seconds = usual;
            seconds[3] = unusual.unwrap_or(seconds[3]);
            let mut spans = [Span::ZERO; 8];
            Span::fill_from_seconds(&mut spans, &seconds, 1.0);
            prop_assert_eq!(spans, seconds.map(Span::from_seconds));
        }

        #[test]
        fn whole_nanoseconds_survive_the_way_through_seconds(nanos in 0..1u64 << 50) {
            let span = Span::from_nanos(nanos);
            prop_assert_eq!(Span::from_seconds(span.as_seconds()), span);
        }
    }
}
