//! The views of `sweep` as documents carry them.

use bakcast_whatif::{Design, Point, Views};
use serde::Serialize;

use super::{Settings, SweepRow};

/// A sweep, seen as a whole.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SweepResult {
    /// Name and variant.
    pub scenario: String,
    /// What it is, in one line.
    pub title: String,
    /// Values that were replaced on the command line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<String>,
    /// backup, verify, restore or total: what the views are of.
    pub operation: &'static str,
    /// Share of runs that the ranges cover.
    pub level: f64,
    /// What is varied.
    pub paths: Vec<String>,
    /// Configurations of the whole design.
    pub configurations: u64,
    /// The first of this shard, from 1.
    pub first_run: u64,
    /// The last of this shard.
    pub last_run: u64,
    /// Rows that were there already.
    pub resumed_rows: u64,
    /// Configurations that were refused.
    pub refused: u64,
    /// Why the first of them was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_error: Option<String>,
    /// Configurations that meet the requirements, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meeting_requirements: Option<u64>,
    /// Of scenario, version, seed and what is varied.
    pub fingerprint: String,
    /// The file that holds the rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows_file: Option<String>,
    /// View 1: the shortest.
    pub ranking: Vec<PointResult>,
    /// View 2: the best without compression and with it.
    pub best_per_compression: Vec<BestOfResult>,
    /// View 3: what each knob does, the largest spread first.
    pub effects: Vec<EffectResult>,
    /// View 4: throughput for the memory among those within 80 % of the best rate.
    pub efficient: Vec<PointResult>,
    /// View 5: the narrowest ranges among the same.
    pub consistent: Vec<PointResult>,
    /// Every row, in the document alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<SweepRow>,
}

/// One configuration in a view.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PointResult {
    /// Its number in the design, from 1.
    pub run: u64,
    /// What was varied.
    pub settings: Settings,
    /// Median duration.
    pub seconds: f64,
    /// Lower end of the range.
    pub low_seconds: f64,
    /// Upper end of the range.
    pub high_seconds: f64,
    /// Bytes read a second.
    pub read_bytes_per_second: f64,
    /// Memory of all sets of buffers.
    pub buffer_memory_bytes: u64,
    /// Bytes read a second for each byte of that.
    pub rate_per_memory_per_second: f64,
    /// Width of the range as a share of the median.
    pub relative_width: f64,
}

/// The best of those that compress, or of those that do not.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BestOfResult {
    /// Whether these compress.
    pub compressed: bool,
    /// How many there are.
    pub count: u64,
    /// The best of them.
    pub best: PointResult,
}

/// What one knob does on average over the others.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EffectResult {
    /// The knob.
    pub path: String,
    /// How much larger its largest mean is than its smallest, as a share of the smallest.
    pub spread: f64,
    /// Its values.
    pub values: Vec<EffectValueResult>,
}

/// One value of a knob.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EffectValueResult {
    /// The value.
    pub value: String,
    /// Configurations that have it.
    pub count: u64,
    /// Mean over them of the median duration.
    pub mean_seconds: f64,
}

impl PointResult {
    fn new(design: &Design, point: &Point) -> Self {
        PointResult {
            run: point.index + 1,
            settings: Settings::of(design.paths(), design.labels(point.index)),
            seconds: point.seconds,
            low_seconds: point.low_seconds,
            high_seconds: point.high_seconds,
            read_bytes_per_second: point.bytes_per_second,
            buffer_memory_bytes: point.memory_bytes,
            rate_per_memory_per_second: point.rate_per_memory(),
            relative_width: point.relative_width(),
        }
    }
}

impl SweepResult {
    /// Puts the views in.
    pub fn see(&mut self, design: &Design, views: &Views) {
        let points = |points: &[Point]| -> Vec<PointResult> {
            points.iter().map(|point| PointResult::new(design, point)).collect()
        };
        self.ranking = points(&views.ranking);
        self.efficient = points(&views.efficient);
        self.consistent = points(&views.consistent);
        let best = views.best_per_compression.iter().map(|best| BestOfResult {
            compressed: best.compressed,
            count: best.count,
            best: PointResult::new(design, &best.best),
        });
        self.best_per_compression = best.collect();
        let effect = |effect: &bakcast_whatif::Effect| EffectResult {
            path: effect.path.clone(),
            spread: effect.spread,
            values: effect
                .values
                .iter()
                .map(|value| EffectValueResult {
                    value: value.label.clone(),
                    count: value.count,
                    mean_seconds: value.mean_seconds,
                })
                .collect(),
        };
        self.effects = views.effects.iter().map(effect).collect();
    }
}
