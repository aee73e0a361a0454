//! Five views over a sweep: ranking, best with and without compression, effect of each knob,
//! throughput for the memory, consistency.
//!
//! They are those of the brute-force test that many know, over predictions instead of real backups.
//! Of each configuration a few numbers are kept, and its settings are looked up in the design.

use std::cmp::Ordering;

use crate::design::Design;

/// What of a configuration the views need.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Its index in the design.
    pub index: u64,
    /// Median duration.
    pub seconds: f64,
    /// Lower end of the range.
    pub low_seconds: f64,
    /// Upper end of the range.
    pub high_seconds: f64,
    /// Bytes read a second.
    pub bytes_per_second: f64,
    /// Memory of the buffers of all jobs.
    pub memory_bytes: u64,
    /// Whether it compresses.
    pub compressed: bool,
}

/// The best of those that compress, or of those that do not.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BestOf {
    /// Whether these compress.
    pub compressed: bool,
    /// How many there are.
    pub count: u64,
    /// The best of them.
    pub best: Point,
}

/// What one knob does on average over all others.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    /// The knob.
    pub path: String,
    /// Its values in the order of the design, those that occur.
    pub values: Vec<EffectValue>,
    /// How much larger the largest mean is than the smallest, as a share of the smallest.
    pub spread: f64,
}

/// One value of a knob.
#[derive(Debug, Clone, PartialEq)]
pub struct EffectValue {
    /// As it is shown.
    pub label: String,
    /// Configurations that have it.
    pub count: u64,
    /// Mean over them of the median duration.
    pub mean_seconds: f64,
}

/// The five views.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Views {
    /// The shortest, at most `TOP`.
    pub ranking: Vec<Point>,
    /// The best without compression and with it.
    pub best_per_compression: Vec<BestOf>,
    /// What each knob does, the largest spread first.
    pub effects: Vec<Effect>,
    /// Most throughput for the memory, among those within `NEAR` of the best rate.
    pub efficient: Vec<Point>,
    /// The narrowest range for its median, among the same.
    pub consistent: Vec<Point>,
}

/// Configurations in a ranking.
const TOP: usize = 10;
/// Configurations in the last two views.
const FEW: usize = 5;
/// Share of the best rate that is near it.
const NEAR: f64 = 0.8;

impl Point {
    /// Bytes read a second for each byte of buffers.
    #[must_use]
    pub fn rate_per_memory(&self) -> f64 {
        self.bytes_per_second / (self.memory_bytes as f64).max(1.0)
    }

    /// Width of the range as a share of the median.
    #[must_use]
    pub fn relative_width(&self) -> f64 {
        if self.seconds > 0.0 { (self.high_seconds - self.low_seconds) / self.seconds } else { 0.0 }
    }
}

/// The views over the configurations of a design that could be run.
#[must_use]
pub fn views(design: &Design, points: &[Point]) -> Views {
    let rate = |point: &Point| point.bytes_per_second;
    let best_rate = points.iter().map(rate).fold(0.0, f64::max);
    let near: Vec<Point> =
        points.iter().filter(|point| rate(point) >= NEAR * best_rate).copied().collect();
    let of = |compressed: bool| {
        let own = points.iter().filter(move |point| point.compressed == compressed);
        let best = own.clone().min_by(|a, b| a.seconds.total_cmp(&b.seconds))?;
        Some(BestOf { compressed, count: own.count() as u64, best: *best })
    };
    let by_seconds = |a: &Point, b: &Point| a.seconds.total_cmp(&b.seconds);
    let by_memory = |a: &Point, b: &Point| b.rate_per_memory().total_cmp(&a.rate_per_memory());
    let by_width = |a: &Point, b: &Point| a.relative_width().total_cmp(&b.relative_width());
    Views {
        ranking: first(points.to_vec(), TOP, by_seconds),
        best_per_compression: [false, true].into_iter().filter_map(of).collect(),
        effects: effects(design, points),
        efficient: first(near.clone(), FEW, by_memory),
        consistent: first(near, FEW, by_width),
    }
}

/// The first few; those that are equal in the order of the design.
fn first(
    mut points: Vec<Point>,
    count: usize,
    order: impl Fn(&Point, &Point) -> Ordering,
) -> Vec<Point> {
    points.sort_by(|a, b| order(a, b).then(a.index.cmp(&b.index)));
    points.truncate(count);
    points
}

fn effects(design: &Design, points: &[Point]) -> Vec<Effect> {
    let axes = design.axes();
    let mut sums: Vec<Vec<(u64, f64)>> =
        axes.iter().map(|axis| vec![(0, 0.0); axis.settings.len()]).collect();
    for point in points {
        for (axis, value) in design.values(point.index).into_iter().enumerate() {
            if let Some((count, sum)) = sums[axis].get_mut(value) {
                *count += 1;
                *sum += point.seconds;
            }
        }
    }
    let effect = |(axis, sums): (&crate::Vary, &Vec<(u64, f64)>)| {
        let values = axis.settings.iter().zip(sums).filter(|(_, (count, _))| *count > 0);
        let values: Vec<EffectValue> = values
            .map(|(setting, (count, sum))| EffectValue {
                label: setting.label.clone(),
                count: *count,
                mean_seconds: sum / *count as f64,
            })
            .collect();
        let means = || values.iter().map(|value| value.mean_seconds);
        let least = means().fold(f64::INFINITY, f64::min);
        let most = means().fold(0.0, f64::max);
        let spread = if least > 0.0 && least.is_finite() { most / least - 1.0 } else { 0.0 };
        Effect { path: axis.path.clone(), values, spread }
    };
    let mut effects: Vec<Effect> = axes.iter().zip(&sums).map(effect).collect();
    effects.sort_by(|a, b| b.spread.total_cmp(&a.spread));
    effects
}

#[cfg(test)]
mod tests;
