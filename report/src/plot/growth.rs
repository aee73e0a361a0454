//! Growth against a window.

use serde::Serialize;

use super::axis::{Scale, Unit};
use super::chart::{Cell, Kind, Origin, Table};
use super::frame::{BAND, Frame, Swatch, Vertical, labels, vertical_ticks};
use super::look::Look;
use super::scene::Scene;
use super::term::{Glyphs, bars};
use crate::document::{PlanResult, StopResult};
use crate::number::{duration, percent};

/// One month.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct GrowthPoint {
    /// Months from now.
    pub month: u32,
    /// Bytes of the database, by the growth in the middle.
    pub size_bytes: f64,
    /// Half of all nights are faster; absent where it cannot be run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub median_seconds: Option<f64>,
    /// Lower end of the range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub low_seconds: Option<f64>,
    /// Upper end of the range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high_seconds: Option<f64>,
    /// With which probability it fits.
    pub probability_fits: f64,
}

/// Growth against a window.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GrowthChart {
    /// The window.
    pub window_seconds: f64,
    /// Growth in the middle, a share of a month.
    pub per_month: f64,
    /// When it stops fitting.
    pub stops_fitting: StopResult,
    /// Month by month; 0 is now.
    pub months: Vec<GrowthPoint>,
    /// The answer of `plan`.
    #[serde(skip)]
    pub words: String,
}

impl From<&PlanResult> for GrowthChart {
    fn from(plan: &PlanResult) -> Self {
        let month = |month: &crate::document::MonthResult| GrowthPoint {
            month: month.month,
            size_bytes: month.size_bytes,
            median_seconds: month.median_seconds,
            low_seconds: month.low_seconds,
            high_seconds: month.high_seconds,
            probability_fits: month.probability_fits,
        };
        GrowthChart {
            window_seconds: plan.window_seconds,
            per_month: plan.growth.per_month,
            stops_fitting: plan.stops_fitting,
            months: plan.months.iter().map(month).collect(),
            words: plan.answer.clone(),
        }
    }
}

impl Kind for GrowthChart {
    fn kind(&self) -> &'static str {
        "growth"
    }

    fn scene(&self, origin: &Origin, look: &Look) -> Scene {
        let growth = crate::number::digits(self.per_month * 100.0, 2);
        let title =
            format!("How long the {} takes as data grow by {growth} % a month", origin.operation);
        let heading = origin.heading(title, self.answer(origin));
        let theme = look.theme;
        let highs = self.months.iter().filter_map(|m| m.high_seconds.or(m.median_seconds));
        let scale = Scale::from_zero(highs.chain([self.window_seconds]));
        let ticks = vertical_ticks(look, scale, Unit::Seconds);
        let legend = [
            (Swatch::Line(theme.series(0), None), "median".to_string()),
            (Swatch::Band(theme.series(0)), origin.range()),
            (Swatch::Dashed(theme.accent()), "window".to_string()),
        ];
        let vertical = Vertical { title: origin.operation, labels: labels(&ticks) };
        let mut frame = Frame::new(look, &heading, &legend, &vertical, true);
        frame.vertical_axis(scale, &ticks);
        let last = self.months.iter().map(|month| month.month).max().unwrap_or(1).max(1);
        let across = Scale::Linear(0.0, f64::from(last));
        frame.horizontal_scale(across, Unit::Months, "months from now");
        let of = |frame: &Frame, value: fn(&GrowthPoint) -> Option<f64>| -> Vec<(f64, f64)> {
            let place = |month: &GrowthPoint| {
                let y = frame.y(scale.share(value(month)?));
                Some((frame.x(across.share(f64::from(month.month))), y))
            };
            self.months.iter().filter_map(place).collect()
        };
        let (low, high) = (of(&frame, |m| m.low_seconds), of(&frame, |m| m.high_seconds));
        let outline = high.into_iter().chain(low.into_iter().rev()).collect();
        frame.scene.area(outline, theme.series(0), BAND);
        let middle = of(&frame, |month| month.median_seconds);
        let stroke = frame.stroke();
        frame.scene.line(&middle, stroke, theme.series(0));
        let words = format!("window {}", duration(self.window_seconds));
        frame.level(scale.share(self.window_seconds), &words, theme.accent());
        if let Some(month) = self.stops_fitting.month {
            let words = format!("month {month}: stops fitting");
            frame.upright(across.share(f64::from(month)), &words, theme.ink());
        }
        frame.scene
    }

    fn table(&self, _: &Origin) -> Table {
        let headings = [
            "month",
            "size_bytes",
            "median_seconds",
            "low_seconds",
            "high_seconds",
            "probability_fits_share",
        ];
        let row = |month: &GrowthPoint| {
            vec![
                Cell::Count(f64::from(month.month)),
                Cell::Bytes(month.size_bytes),
                Cell::maybe(month.median_seconds, Cell::Seconds),
                Cell::maybe(month.low_seconds, Cell::Seconds),
                Cell::maybe(month.high_seconds, Cell::Seconds),
                Cell::Share(month.probability_fits),
            ]
        };
        Table::new(&headings, self.months.iter().map(row).collect())
    }

    fn answer(&self, _: &Origin) -> String {
        self.words.clone()
    }

    fn text(&self, _: &Origin, glyphs: Glyphs, columns: usize) -> String {
        let longest = self.months.iter().filter_map(|month| month.median_seconds);
        let longest = longest.fold(self.window_seconds, f64::max);
        let every = self.months.len().div_ceil(16).max(1);
        let mut rows: Vec<(String, Option<f64>, String)> = self
            .months
            .iter()
            .step_by(every)
            .map(|month| {
                let share = month.median_seconds.map(|seconds| seconds / longest);
                let words = month.median_seconds.map_or_else(|| "too large".into(), duration);
                let fits = percent(month.probability_fits);
                (format!("month {}", month.month), share, format!("{words:>11}  fits {fits:>5}"))
            })
            .collect();
        let window = duration(self.window_seconds);
        let share = Some(self.window_seconds / longest);
        rows.push(("window".to_string(), share, format!("{window:>11}")));
        bars(&rows, glyphs, columns)
    }
}
