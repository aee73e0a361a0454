//! Duration against memory: what is worth its buffers.

use serde::Serialize;

use super::axis::{Scale, Unit};
use super::chart::{Cell, Kind, Origin, Table};
use super::frame::{Frame, Swatch, Vertical, labels, vertical_ticks};
use super::look::{Look, Marker};
use super::scene::{Anchor, Scene};
use super::term::{Glyphs, bars};
use super::words::name;
use crate::document::short_path;
use crate::number::{bytes, duration};

/// One configuration.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ParetoPoint {
    /// Values of what is varied, in the order of the paths.
    pub settings: Vec<String>,
    /// Half of all nights are faster.
    pub seconds: f64,
    /// Memory of the buffers of all jobs.
    pub buffer_memory_bytes: u64,
    /// Whether no other is faster with as much memory.
    pub efficient: bool,
}

/// Duration against memory.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ParetoChart {
    /// What is varied.
    pub paths: Vec<String>,
    /// Those that can be run, in the order of the design.
    pub points: Vec<ParetoPoint>,
    /// Configurations that cannot be run.
    pub refused: usize,
    /// The scenario as it is: its duration and its memory.
    #[serde(skip)]
    pub present: Option<(f64, u64)>,
}

/// A gain of less is no step of the front.
const STEP: f64 = 0.002;

impl ParetoChart {
    /// Marks what nothing beats: in ascending order of memory, each that is faster than all before.
    pub fn find_front(&mut self) {
        let mut order: Vec<usize> = (0..self.points.len()).collect();
        order.sort_by(|a, b| {
            let (a, b) = (&self.points[*a], &self.points[*b]);
            let memory = a.buffer_memory_bytes.cmp(&b.buffer_memory_bytes);
            memory.then(a.seconds.total_cmp(&b.seconds))
        });
        let mut best = f64::INFINITY;
        for at in order {
            let point = &mut self.points[at];
            point.efficient = point.seconds < best * (1.0 - STEP);
            best = if point.efficient { point.seconds } else { best };
        }
    }

    /// What nothing beats, in ascending order of memory.
    fn front(&self) -> Vec<&ParetoPoint> {
        let mut front: Vec<&ParetoPoint> = self.points.iter().filter(|p| p.efficient).collect();
        front.sort_by_key(|point| point.buffer_memory_bytes);
        front
    }
}

impl ParetoPoint {
    fn label(&self) -> String {
        name(&self.settings.join(", "))
    }
}

impl Kind for ParetoChart {
    fn kind(&self) -> &'static str {
        "pareto"
    }

    fn scene(&self, origin: &Origin, look: &Look) -> Scene {
        let title = format!("How long the {} takes for its memory", origin.operation);
        let heading = origin.heading(title, self.answer(origin));
        let theme = look.theme;
        let present = self.present.map(|(seconds, _)| seconds);
        let scale = Scale::from_zero(self.points.iter().map(|p| p.seconds).chain(present));
        let ticks = vertical_ticks(look, scale, Unit::Seconds);
        let paths: Vec<String> = self.paths.iter().map(|path| short_path(path)).collect();
        let mut legend = vec![
            (Swatch::Point(theme.muted(), Marker::Dot), format!("by {}", paths.join(", "))),
            (Swatch::Line(theme.series(0), Some(Marker::Diamond)), "nothing is better".to_string()),
        ];
        if self.present.is_some() {
            let swatch = Swatch::Point(theme.series(1), Marker::Square);
            legend.push((swatch, "as it is".to_string()));
        }
        let vertical = Vertical { title: origin.operation, labels: labels(&ticks) };
        let mut frame = Frame::new(look, &heading, &legend, &vertical, true);
        frame.vertical_axis(scale, &ticks);
        let memory = self.points.iter().map(|point| point.buffer_memory_bytes as f64);
        let memory = memory.chain(self.present.map(|(_, bytes)| bytes as f64));
        let across = Scale::ratios(memory.collect::<Vec<_>>().into_iter(), 1.15);
        frame.horizontal_scale(across, Unit::Bytes, "memory of the buffers");
        let place = |frame: &Frame, seconds: f64, bytes: u64| {
            (frame.x(across.share(bytes as f64)), frame.y(scale.share(seconds)))
        };
        let dot = frame.dot();
        for point in self.points.iter().filter(|point| !point.efficient) {
            let at = place(&frame, point.seconds, point.buffer_memory_bytes);
            frame.scene.marker(at, dot * 0.7, Marker::Dot, theme.muted());
        }
        let front = self.front();
        let mut stairs = Vec::new();
        for point in &front {
            let at = place(&frame, point.seconds, point.buffer_memory_bytes);
            if let Some((_, before)) = stairs.last().copied() {
                stairs.push((at.0, before));
            }
            stairs.push(at);
        }
        let stroke = frame.stroke() * 0.8;
        frame.scene.line(&stairs, stroke, theme.series(0));
        for point in &front {
            let at = place(&frame, point.seconds, point.buffer_memory_bytes);
            frame.scene.marker(at, dot, Marker::Diamond, theme.series(0));
            frame.scene.reserve(at, dot);
        }
        if let Some((seconds, bytes)) = self.present {
            let at = place(&frame, seconds, bytes);
            frame.scene.marker(at, dot, Marker::Square, theme.series(1));
            frame.scene.reserve(at, dot);
        }
        // From the fastest on: where there is no room, the slow ones go without.
        let letters = frame.ink(0.82);
        for point in front.iter().rev() {
            let (x, y) = place(&frame, point.seconds, point.buffer_memory_bytes);
            let room = frame.plot.width() * 0.3;
            let gap = frame.letters * 0.6;
            let above = ((x + gap, y - gap), Anchor::Start);
            let left = ((x - gap, y + gap * 2.0), Anchor::End);
            for (place, anchor) in [above, left] {
                if frame.scene.text(&point.label(), place, (anchor, room), letters) {
                    break;
                }
            }
        }
        if self.points.is_empty() {
            frame.empty("none of these can be run");
        }
        frame.scene
    }

    fn table(&self, _: &Origin) -> Table {
        let own = ["seconds", "buffer_memory_bytes", "efficient"].map(str::to_string);
        let headings = self.paths.iter().map(|path| short_path(path)).chain(own).collect();
        let row = |point: &ParetoPoint| {
            let mut row: Vec<Cell> = point.settings.iter().cloned().map(Cell::Text).collect();
            row.push(Cell::Seconds(point.seconds));
            row.push(Cell::Bytes(point.buffer_memory_bytes as f64));
            row.push(Cell::Flag(point.efficient));
            row
        };
        Table { headings, rows: self.points.iter().map(row).collect() }
    }

    fn answer(&self, origin: &Origin) -> String {
        let front = self.front();
        let (Some(least), Some(best)) = (front.first(), front.last()) else {
            return "None of these settings can be run.".to_string();
        };
        let of = |point: &ParetoPoint| {
            let memory = bytes(point.buffer_memory_bytes as f64);
            format!("{} with {memory} ({})", duration(point.seconds), point.label())
        };
        if front.len() == 1 {
            return format!(
                "The {} takes {}; more memory gains nothing.",
                origin.operation,
                of(best)
            );
        }
        let operation = origin.operation;
        format!("The {operation} takes {}, and at its shortest {}.", of(least), of(best))
    }

    fn text(&self, _: &Origin, glyphs: Glyphs, columns: usize) -> String {
        let longest = self.front().iter().map(|point| point.seconds).fold(0.0, f64::max);
        let rows: Vec<(String, Option<f64>, String)> = self
            .front()
            .iter()
            .map(|point| {
                let memory = bytes(point.buffer_memory_bytes as f64);
                let after = format!("{:>11}  {memory:>9}", duration(point.seconds));
                (point.settings.join(", "), Some(point.seconds / longest), after)
            })
            .collect();
        let mut out = bars(&rows, glyphs, columns);
        let others = self.points.len() - rows.len();
        if others > 0 {
            out.push_str(&format!("and {others} that others beat: see --format csv\n"));
        }
        out
    }
}
