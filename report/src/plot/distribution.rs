//! How durations are distributed over nights.

use serde::Serialize;

use super::axis::{Scale, Unit};
use super::chart::{Cell, Kind, Origin, Table};
use super::frame::{Frame, Swatch, Vertical, labels, vertical_ticks};
use super::look::{Look, Pattern};
use super::scene::{Area, Scene};
use super::term::{Glyphs, bars};
use crate::number::{duration, duration_range};

/// How durations are distributed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DistributionChart {
    /// The duration of each night, in their order.
    pub nights_seconds: Vec<f64>,
    /// Half of all nights are faster.
    pub seconds: f64,
    /// Lower end of the range.
    pub low_seconds: f64,
    /// Upper end of the range.
    pub high_seconds: f64,
}

/// Durations from the lower end to the upper one.
struct Bin {
    low: f64,
    high: f64,
    count: usize,
}

/// Most bars.
const MOST: f64 = 40.0;

impl DistributionChart {
    /// Equal parts of what there is, as many as the root of the number of nights, a few at least.
    fn bins(&self) -> Vec<Bin> {
        let nights = self.nights_seconds.iter().copied().filter(|s| s.is_finite());
        let low = nights.clone().fold(f64::INFINITY, f64::min);
        let high = nights.clone().fold(0.0, f64::max);
        let total = nights.clone().count();
        if total == 0 {
            return Vec::new();
        }
        if high <= low {
            return vec![Bin { low: low * 0.995, high: high * 1.005, count: total }];
        }
        let count = (total as f64).sqrt().ceil().clamp(5.0, MOST);
        let width = (high - low) / count;
        let mut bins: Vec<Bin> = (0..count as usize)
            .map(|n| {
                let low = low + n as f64 * width;
                Bin { low, high: low + width, count: 0 }
            })
            .collect();
        let last = bins.len() - 1;
        for seconds in nights {
            let at = (((seconds - low) / width) as usize).min(last);
            bins[at].count += 1;
        }
        bins
    }
}

impl Kind for DistributionChart {
    fn kind(&self) -> &'static str {
        "distribution"
    }

    fn scene(&self, origin: &Origin, look: &Look) -> Scene {
        let title = format!("How long the {} takes from night to night", origin.operation);
        let heading = origin.heading(title, self.answer(origin));
        let theme = look.theme;
        let bins = self.bins();
        let scale = Scale::from_zero(bins.iter().map(|bin| bin.count as f64));
        let ticks = vertical_ticks(look, scale, Unit::Count);
        let legend = [
            (Swatch::Fill(theme.series(0), Pattern::Plain), "nights".to_string()),
            (Swatch::Band(theme.series(1)), origin.range()),
            (Swatch::Dashed(theme.accent()), "median".to_string()),
        ];
        let vertical = Vertical { title: "nights", labels: labels(&ticks) };
        let mut frame = Frame::new(look, &heading, &legend, &vertical, true);
        let ends = bins.iter().flat_map(|bin| [bin.low, bin.high]);
        let ends: Vec<f64> = ends.chain([self.low_seconds, self.high_seconds]).collect();
        let low = ends.iter().copied().fold(f64::INFINITY, f64::min);
        let high = ends.iter().copied().fold(0.0, f64::max);
        let reach = (high - low).max(high * 1e-3) * 0.04;
        let across = if low <= high {
            Scale::Linear((low - reach).max(0.0), high + reach)
        } else {
            Scale::Linear(0.0, 1.0)
        };
        let band = Area {
            left: frame.x(across.share(self.low_seconds)),
            right: frame.x(across.share(self.high_seconds)),
            ..frame.plot
        };
        frame.scene.rect(band, theme.series(1), super::frame::BAND);
        frame.grid_across(across, Unit::Seconds);
        frame.vertical_axis(scale, &ticks);
        let gap = frame.stroke() * 0.4;
        for bin in bins.iter().filter(|bin| bin.count > 0) {
            let area = Area {
                left: frame.x(across.share(bin.low)) + gap,
                right: frame.x(across.share(bin.high)) - gap,
                top: frame.y(scale.share(bin.count as f64)),
                bottom: frame.plot.bottom,
            };
            frame.scene.rect(area, theme.series(0), 1.0);
        }
        frame.horizontal_labels(across, Unit::Seconds, origin.operation);
        let words = duration(self.seconds);
        frame.upright(across.share(self.seconds), &words, theme.accent());
        if bins.is_empty() {
            frame.empty("there are no nights");
        }
        frame.scene
    }

    fn table(&self, _: &Origin) -> Table {
        let row = |(number, seconds): (usize, &f64)| {
            vec![Cell::Count((number + 1) as f64), Cell::Seconds(*seconds)]
        };
        let rows = self.nights_seconds.iter().enumerate().map(row).collect();
        Table::new(&["night", "seconds"], rows)
    }

    fn answer(&self, origin: &Origin) -> String {
        format!(
            "Half of all nights the {} takes less than {}, and in {} {}.",
            origin.operation,
            duration(self.seconds),
            origin.range(),
            duration_range(self.low_seconds, self.high_seconds)
        )
    }

    fn text(&self, _: &Origin, glyphs: Glyphs, columns: usize) -> String {
        let bins = self.bins();
        let most = bins.iter().map(|bin| bin.count).max().unwrap_or(1) as f64;
        let rows: Vec<(String, Option<f64>, String)> = bins
            .iter()
            .map(|bin| {
                let label = duration_range(bin.low, bin.high);
                (label, Some(bin.count as f64 / most), format!("{:>4}", bin.count))
            })
            .collect();
        bars(&rows, glyphs, columns)
    }
}
