//! Scales and the places on them that are labelled: times in units that people count in, numbers
//! and bytes in round steps.

use crate::number::{bytes, digits};

/// From what is measured to a share of the axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Scale {
    /// Equal distances are equal differences.
    Linear(f64, f64),
    /// Equal distances are equal ratios.
    Log(f64, f64),
}

impl Scale {
    /// From nothing to a little more than the largest.
    pub(super) fn from_zero(values: impl Iterator<Item = f64>) -> Self {
        let most = values.filter(|value| value.is_finite()).fold(0.0, f64::max);
        Scale::Linear(0.0, if most > 0.0 { most * 1.06 } else { 1.0 })
    }

    /// Between the smallest and the largest; by ratios if they are far apart.
    pub(super) fn between(values: impl Iterator<Item = f64> + Clone) -> Self {
        let (low, high) = ends(values);
        if low > 0.0 && high / low >= 6.0 {
            Scale::Log(low / 1.08, high * 1.08)
        } else {
            let reach = if high > low { (high - low) * 0.05 } else { high.abs().max(1.0) * 0.5 };
            Scale::Linear(low - reach, high + reach)
        }
    }

    /// By ratios, in any case.
    pub(super) fn ratios(values: impl Iterator<Item = f64> + Clone, margin: f64) -> Self {
        let (low, high) = ends(values.filter(|value| *value > 0.0));
        let (low, high) = if high > 0.0 { (low, high) } else { (1.0, 10.0) };
        Scale::Log(low / margin, high * margin)
    }

    /// Where a value lies, from 0 to 1; outside it lies on the edge.
    pub(super) fn share(self, value: f64) -> f64 {
        let share = match self {
            Scale::Linear(low, high) => (value - low) / (high - low),
            Scale::Log(low, high) => libm::log(value.max(low * 1e-9) / low) / libm::log(high / low),
        };
        if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
    }

    fn ends(self) -> (f64, f64) {
        match self {
            Scale::Linear(low, high) | Scale::Log(low, high) => (low, high),
        }
    }
}

fn ends(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let finite = values.filter(|value| value.is_finite());
    let low = finite.clone().fold(f64::INFINITY, f64::min);
    let high = finite.fold(f64::NEG_INFINITY, f64::max);
    if low <= high { (low, high) } else { (0.0, 1.0) }
}

/// What an axis shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// Lengths of time.
    Seconds,
    /// Amounts of data.
    Bytes,
    /// Amounts of data in a second.
    BytesPerSecond,
    /// Numbers.
    Count,
    /// Months.
    Months,
}

/// A labelled place on an axis.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tick {
    pub(super) value: f64,
    pub(super) label: String,
}

/// Steps of time that people count in, in seconds.
const STEPS_OF_TIME: [f64; 24] = [
    1.0,
    2.0,
    5.0,
    10.0,
    15.0,
    30.0,
    60.0,
    120.0,
    300.0,
    600.0,
    900.0,
    1800.0,
    3600.0,
    7200.0,
    10_800.0,
    14_400.0,
    21_600.0,
    43_200.0,
    86_400.0,
    172_800.0,
    432_000.0,
    864_000.0,
    1_728_000.0,
    4_320_000.0,
];

/// Labelled places, at most about so many.
pub(super) fn ticks(scale: Scale, unit: Unit, most: usize) -> Vec<Tick> {
    let most = most.max(2);
    let (low, high) = scale.ends();
    let values = match scale {
        Scale::Linear(..) => linear(low, high, step(unit, (high - low) / most as f64)),
        Scale::Log(..) => logarithmic(low, high, unit, most),
    };
    values.into_iter().map(|value| Tick { value, label: label(unit, value, high) }).collect()
}

fn linear(low: f64, high: f64, step: f64) -> Vec<f64> {
    let first = (low / step - 1e-9).ceil();
    let places = (0..100).map(|n| (first + f64::from(n)) * step);
    places.take_while(|value| *value <= high * (1.0 + 1e-12)).collect()
}

/// The smallest round step of at least so much.
fn step(unit: Unit, least: f64) -> f64 {
    let least = least.max(1e-9);
    match unit {
        Unit::Seconds if least > 0.5 => {
            let known = STEPS_OF_TIME.iter().copied().find(|step| *step >= least);
            known.unwrap_or_else(|| round_step(least / 86_400.0) * 86_400.0)
        }
        Unit::Bytes => {
            let unit = unit_of_bytes(least);
            let share = least / unit;
            let steps = [1.0, 2.0, 4.0, 5.0, 8.0, 10.0, 16.0, 20.0, 32.0, 50.0, 64.0, 100.0, 128.0];
            let more = [200.0, 256.0, 500.0, 512.0, 1024.0];
            let known = steps.into_iter().chain(more).find(|step| *step >= share);
            known.unwrap_or(1024.0) * unit
        }
        Unit::BytesPerSecond => {
            let mebi = 1_048_576.0;
            round_step(least / mebi) * mebi
        }
        Unit::Count => round_step(least).max(1.0),
        Unit::Months => {
            let known = [1.0, 2.0, 3.0, 6.0, 12.0, 24.0, 60.0];
            known.into_iter().find(|step| *step >= least).unwrap_or(120.0)
        }
        Unit::Seconds => round_step(least),
    }
}

fn unit_of_bytes(amount: f64) -> f64 {
    let mut unit = 1.0;
    while amount >= unit * 1024.0 && unit < 1e15 {
        unit *= 1024.0;
    }
    unit
}

/// 1, 2 or 5 and zeros.
fn round_step(least: f64) -> f64 {
    let power = libm::exp10(libm::log10(least).floor());
    let known = [1.0, 2.0, 5.0, 10.0].into_iter().find(|step| step * power >= least * 0.999_999);
    known.unwrap_or(10.0) * power
}

fn logarithmic(low: f64, high: f64, unit: Unit, most: usize) -> Vec<f64> {
    let all: Vec<f64> = match unit {
        Unit::Seconds => {
            let below = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5];
            below.into_iter().chain(STEPS_OF_TIME).collect()
        }
        Unit::Bytes => (0..60).map(|power| libm::exp2(f64::from(power))).collect(),
        _ => {
            let first = libm::log10(low.max(1e-12)).floor() as i32;
            let powers = (first..first + 24).map(|power| libm::exp10(f64::from(power)));
            powers.flat_map(|power| [power, 2.0 * power, 5.0 * power]).collect()
        }
    };
    let within: Vec<f64> = all.into_iter().filter(|value| (low..=high).contains(value)).collect();
    if within.len() < 2 {
        return linear(low, high, step(unit, (high - low) / most as f64));
    }
    let every = within.len().div_ceil(most);
    within.into_iter().step_by(every).collect()
}

/// What stands at a place; `largest` is the end of the axis.
pub(super) fn label(unit: Unit, value: f64, largest: f64) -> String {
    match unit {
        Unit::Seconds => time(value),
        Unit::Bytes if value.abs() < 0.5 => "0".to_string(),
        Unit::Bytes => bytes(value),
        Unit::BytesPerSecond => {
            let mebi = 1_048_576.0;
            let label = |unit: f64, name: &str| format!("{} {name}", digits(value / unit, 3));
            match (value.abs() < 0.5, largest >= 10_240.0 * mebi) {
                (true, _) => "0".to_string(),
                (_, true) => label(1024.0 * mebi, "GiB/s"),
                (_, false) => label(mebi, "MiB/s"),
            }
        }
        Unit::Count | Unit::Months => digits(value, 3),
    }
}

/// A round length of time without what is nothing of it: `2 h 30 min`, `90 s` never.
pub(super) fn time(seconds: f64) -> String {
    if seconds.abs() < 1e-9 {
        return "0".to_string();
    }
    if seconds < 0.0995 {
        return format!("{} ms", digits(seconds * 1e3, 2));
    }
    if seconds < 59.95 {
        return format!("{} s", digits(seconds, if seconds < 10.0 { 2 } else { 3 }));
    }
    let mut left = seconds.round() as u64;
    let mut parts = Vec::new();
    for (unit, name) in [(86_400, "d"), (3600, "h"), (60, "min"), (1, "s")] {
        let count = left / unit;
        left %= unit;
        if count > 0 && parts.len() < 2 {
            parts.push(format!("{count} {name}"));
        }
    }
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale, unit: Unit, most: usize) -> Vec<String> {
        ticks(scale, unit, most).into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn times_are_labelled_in_units_that_people_count_in() {
        assert_eq!(labels(Scale::Linear(0.0, 0.5), Unit::Seconds, 5)[1], "0.1 s");
        assert_eq!(
            labels(Scale::Linear(0.0, 95.0), Unit::Seconds, 4)[1..],
            ["30 s", "1 min", "1 min 30 s"]
        );
        assert_eq!(labels(Scale::Linear(0.0, 144_000.0), Unit::Seconds, 4)[1], "12 h");
        assert_eq!(time(144_000.0), "1 d 16 h");
    }

    #[test]
    fn every_scale_has_two_places_at_least_and_not_many_more_than_asked_for() {
        for high in [1e-3, 0.5, 8.3, 61.0, 3599.0, 1e5, 3e7] {
            for unit in [Unit::Seconds, Unit::Bytes, Unit::Count, Unit::BytesPerSecond] {
                let scale = match unit {
                    Unit::Seconds => Scale::Linear(0.0, high),
                    _ => Scale::Linear(0.0, high * 1e6),
                };
                let count = ticks(scale, unit, 6).len();
                assert!((2..=8).contains(&count), "{high} {unit:?}: {count}");
            }
        }
        let log = labels(Scale::Log(3.0, 7000.0), Unit::Seconds, 6);
        assert!((3..=7).contains(&log.len()), "{log:?}");
    }

    #[test]
    fn what_lies_outside_lies_on_the_edge() {
        assert!((Scale::Log(1.0, 100.0).share(10.0) - 0.5).abs() < 1e-12);
        assert!(Scale::Linear(0.0, 1.0).share(f64::NAN).abs() < 1e-12);
        assert!((Scale::Linear(0.0, 1.0).share(7.0) - 1.0).abs() < 1e-12);
    }
}
