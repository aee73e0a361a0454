//! Measured against predicted, with the line on which both are the same.

use serde::Serialize;

use super::axis::{Scale, Unit};
use super::chart::{Cell, Kind, Origin, Table};
use super::frame::{Frame, Swatch, Vertical, labels, vertical_ticks};
use super::look::{Colour, Look, Marker};
use super::scene::{Letters, Scene};
use super::term::{Glyphs, bars};
use super::words::name;
use crate::number::{duration, percent, signed_percent};

/// One measurement.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeasuredRow {
    /// The table it stands in.
    pub set: String,
    /// Its row.
    pub row: String,
    /// What was timed.
    pub operation: String,
    /// As measured.
    pub measured_seconds: f64,
    /// Median of the prediction.
    pub predicted_seconds: f64,
    /// Lower end of its range.
    pub low_seconds: f64,
    /// Upper end of its range.
    pub high_seconds: f64,
}

/// Measured against predicted.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeasuredChart {
    /// In the order of their tables.
    pub rows: Vec<MeasuredRow>,
}

/// How far from the line the grey band reaches.
const NEAR: f64 = 0.1;

impl MeasuredRow {
    fn error(&self) -> f64 {
        self.predicted_seconds / self.measured_seconds - 1.0
    }
}

impl MeasuredChart {
    fn sets(&self) -> Vec<&str> {
        let mut sets: Vec<&str> = Vec::new();
        for row in &self.rows {
            if !sets.contains(&row.set.as_str()) {
                sets.push(&row.set);
            }
        }
        sets
    }

    fn mean_error(&self) -> f64 {
        let sum: f64 = self.rows.iter().map(|row| row.error().abs()).sum();
        sum / self.rows.len().max(1) as f64
    }

    fn worst(&self) -> Option<&MeasuredRow> {
        self.rows.iter().max_by(|a, b| a.error().abs().total_cmp(&b.error().abs()))
    }

    /// The line, and the band around it.
    fn identity(frame: &mut Frame, scale: Scale) {
        let Scale::Log(low, high) = scale else { return };
        let theme = frame.scene.look.theme;
        let steps: Vec<f64> = (0..=20)
            .map(|n| low * libm::exp(f64::from(n) / 20.0 * libm::log(high / low)))
            .collect();
        let place = |frame: &Frame, x: f64, factor: f64| {
            (frame.x(scale.share(x)), frame.y(scale.share(x * factor)))
        };
        let above = steps.iter().map(|x| place(frame, *x, 1.0 + NEAR));
        let below = steps.iter().rev().map(|x| place(frame, *x, 1.0 / (1.0 + NEAR)));
        let outline: Vec<(f64, f64)> = above.chain(below).collect();
        frame.scene.area(outline, theme.muted(), super::frame::BAND);
        let ends = [place(frame, low, 1.0), place(frame, high, 1.0)];
        let stroke = frame.stroke() * 0.7;
        frame.scene.line(&ends, stroke, theme.ink());
    }

    fn point(
        frame: &mut Frame,
        row: &MeasuredRow,
        scale: Scale,
        (colour, marker): (Colour, Marker),
    ) {
        let x = frame.x(scale.share(row.measured_seconds));
        let ends = [row.low_seconds, row.high_seconds].map(|end| (x, frame.y(scale.share(end))));
        let stroke = frame.stroke() * 0.6;
        frame.scene.line(&ends, stroke, colour);
        let y = frame.y(scale.share(row.predicted_seconds));
        let dot = frame.dot() * 0.9;
        frame.scene.marker((x, y), dot, marker, colour);
    }
}

impl Kind for MeasuredChart {
    fn kind(&self) -> &'static str {
        "measured"
    }

    fn scene(&self, origin: &Origin, look: &Look) -> Scene {
        let title = "Predicted against measured".to_string();
        let heading = origin.heading(title, self.answer(origin));
        let theme = look.theme;
        let all = self.rows.iter().flat_map(|row| {
            [row.measured_seconds, row.predicted_seconds, row.low_seconds, row.high_seconds]
        });
        let scale = Scale::ratios(all.collect::<Vec<_>>().into_iter(), 1.2);
        let ticks = vertical_ticks(look, scale, Unit::Seconds);
        let sets = self.sets();
        let looks: Vec<(Colour, Marker)> =
            (0..sets.len()).map(|n| (theme.series(n), Marker::of(n))).collect();
        let mut legend: Vec<(Swatch, String)> = sets
            .iter()
            .zip(&looks)
            .map(|(set, (colour, marker))| (Swatch::Point(*colour, *marker), name(set)))
            .collect();
        legend.insert(0, (Swatch::Line(theme.ink(), None), "as measured".to_string()));
        legend.insert(1, (Swatch::Band(theme.muted()), format!("within {}", percent(NEAR))));
        let vertical = Vertical { title: "predicted", labels: labels(&ticks) };
        let mut frame = Frame::new(look, &heading, &legend, &vertical, true);
        frame.vertical_axis(scale, &ticks);
        frame.horizontal_scale(scale, Unit::Seconds, "measured");
        Self::identity(&mut frame, scale);
        for row in &self.rows {
            let at = sets.iter().position(|set| *set == row.set).unwrap_or(0);
            Self::point(&mut frame, row, scale, looks[at]);
        }
        if let Some(worst) = self.worst() {
            let x = frame.x(scale.share(worst.measured_seconds));
            let y = frame.y(scale.share(worst.predicted_seconds));
            let words =
                format!("{} {} {}", worst.row, worst.operation, signed_percent(worst.error()));
            let letters = frame.muted(0.85);
            let gap = frame.letters * 0.8;
            // Away from the line.
            let (place, anchor) = if worst.error() > 0.0 {
                ((x - gap, y), super::scene::Anchor::End)
            } else {
                ((x + gap, y + gap * 0.9), super::scene::Anchor::Start)
            };
            let letters = Letters { colour: theme.ink(), ..letters };
            let room = frame.plot.width() * 0.4;
            frame.scene.text(&name(&words), place, (anchor, room), letters);
        }
        if self.rows.is_empty() {
            frame.empty("nothing was measured");
        }
        frame.scene
    }

    fn table(&self, _: &Origin) -> Table {
        let headings = [
            "set",
            "row",
            "operation",
            "measured_seconds",
            "predicted_seconds",
            "low_seconds",
            "high_seconds",
            "relative_error",
        ];
        let row = |row: &MeasuredRow| {
            vec![
                Cell::Text(row.set.clone()),
                Cell::Text(row.row.clone()),
                Cell::Text(row.operation.clone()),
                Cell::Seconds(row.measured_seconds),
                Cell::Seconds(row.predicted_seconds),
                Cell::Seconds(row.low_seconds),
                Cell::Seconds(row.high_seconds),
                Cell::Difference(row.error()),
            ]
        };
        Table::new(&headings, self.rows.iter().map(row).collect())
    }

    fn answer(&self, _: &Origin) -> String {
        let count = self.rows.len();
        let Some(worst) = self.worst() else { return "Nothing was measured.".to_string() };
        format!(
            "{count} measurements, {} off on average, {} at most (row {} of {}).",
            percent(self.mean_error()),
            percent(worst.error().abs()),
            name(&worst.row),
            name(&worst.set)
        )
    }

    fn text(&self, _: &Origin, glyphs: Glyphs, columns: usize) -> String {
        let most = self.rows.iter().map(|row| row.error().abs()).fold(0.0, f64::max);
        let rows: Vec<(String, Option<f64>, String)> = self
            .rows
            .iter()
            .map(|row| {
                let label = format!("{} {} {}", row.row, row.operation, row.set);
                let error = row.error();
                let after = format!(
                    "{:>8}  {:>11}  {:>11}",
                    signed_percent(error),
                    duration(row.measured_seconds),
                    duration(row.predicted_seconds)
                );
                (label, Some(if most > 0.0 { error.abs() / most } else { 0.0 }), after)
            })
            .collect();
        bars(&rows, glyphs, columns)
    }
}
