//! Duration against one knob, with its range, what was measured, and the knee.

use serde::Serialize;

use super::axis::{Scale, Unit};
use super::chart::{Cell, Kind, Origin, Table};
use super::frame::{Frame, Swatch, Vertical, labels, vertical_ticks};
use super::look::{Colour, Look, Marker};
use super::scene::Scene;
use super::term::{Glyphs, bars};
use super::words::name;
use crate::document::short_path;
use crate::number::{bytes, duration, duration_range};

/// One value of the knob.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KnobPoint {
    /// The value as it is written.
    pub setting: String,
    /// The same as a number, where it is one; of sizes in bytes.
    #[serde(skip)]
    pub number: Option<f64>,
    /// Half of all nights are faster; absent where it cannot be run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Lower end of the range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub low_seconds: Option<f64>,
    /// Upper end of the range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high_seconds: Option<f64>,
    /// Memory of the buffers of all jobs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buffer_memory_bytes: Option<u64>,
    /// Why it cannot be run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// What somebody has measured with a value of the knob.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeasuredPoint {
    /// The value as it is written.
    pub setting: String,
    /// The same as a number, where it is one.
    #[serde(skip)]
    pub number: Option<f64>,
    /// What was measured.
    pub measured_seconds: f64,
    /// Row of the table it stands in.
    pub row: String,
}

/// Duration against one knob.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KnobChart {
    /// The knob.
    pub path: String,
    /// Its value in the scenario as it is, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub present: Option<String>,
    /// The first value, in their order, whose duration is near the best; absent for words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub knee: Option<String>,
    /// How near: as a share of the best.
    pub knee_threshold: f64,
    /// Whether numbers are amounts of data.
    #[serde(skip)]
    pub is_size: bool,
    /// In the order in which they were given.
    pub points: Vec<KnobPoint>,
    /// What was measured with settings that are otherwise the same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub measured: Vec<MeasuredPoint>,
}

impl KnobChart {
    /// Finds the knee: the first value in ascending order within `threshold` of the best.
    pub fn find_knee(&mut self) {
        let best = self.points.iter().filter_map(|point| point.seconds);
        let best = best.fold(f64::INFINITY, f64::min);
        let near = |point: &&KnobPoint| {
            point.seconds.is_some_and(|seconds| seconds <= best * (1.0 + self.knee_threshold))
        };
        let numbers = self.points.iter().filter(|point| point.number.is_some()).filter(near);
        let first = numbers.min_by(|a, b| a.number.partial_cmp(&b.number).unwrap_or(EQUAL));
        self.knee = first.map(|point| point.setting.clone());
    }

    fn is_numeric(&self) -> bool {
        self.points.len() > 1
            && self.points.iter().all(|point| point.number.is_some())
            && self.measured.iter().all(|point| point.number.is_some())
    }

    /// Where values lie: on a scale of numbers, or one after the other.
    fn places(&self) -> Places {
        if self.is_numeric() {
            let numbers = self.points.iter().filter_map(|point| point.number);
            let all = numbers.chain(self.measured.iter().filter_map(|point| point.number));
            return Places::Numbers(Scale::between(all.collect::<Vec<_>>().into_iter()));
        }
        let mut settings: Vec<String> =
            self.points.iter().map(|point| point.setting.clone()).collect();
        for point in &self.measured {
            if !settings.contains(&point.setting) {
                settings.push(point.setting.clone());
            }
        }
        Places::Words(settings)
    }

    fn point(&self, setting: &str) -> Option<&KnobPoint> {
        self.points.iter().find(|point| point.setting == setting)
    }
}

const EQUAL: std::cmp::Ordering = std::cmp::Ordering::Equal;

enum Places {
    Numbers(Scale),
    Words(Vec<String>),
}

impl Places {
    fn share(&self, setting: &str, number: Option<f64>) -> f64 {
        match self {
            Places::Numbers(scale) => scale.share(number.unwrap_or(0.0)),
            Places::Words(all) => {
                let at = all.iter().position(|own| own == setting).unwrap_or(0);
                (at as f64 + 0.5) / all.len().max(1) as f64
            }
        }
    }
}

/// As it is written, or as people read an amount of data.
fn shown(setting: &str, number: Option<f64>, is_size: bool) -> String {
    match number {
        Some(number) if is_size => bytes(number),
        _ => name(setting),
    }
}

impl Kind for KnobChart {
    fn kind(&self) -> &'static str {
        "knob"
    }

    fn scene(&self, origin: &Origin, look: &Look) -> Scene {
        let operation = origin.operation;
        let title = format!("How long the {operation} takes by {}", short_path(&self.path));
        let heading = origin.heading(title, self.answer(origin));
        let highs = self.points.iter().filter_map(|point| point.high_seconds.or(point.seconds));
        let measured = self.measured.iter().map(|point| point.measured_seconds);
        let scale = Scale::from_zero(highs.chain(measured));
        let ticks = vertical_ticks(look, scale, Unit::Seconds);
        let theme = look.theme;
        let (own, other) = (theme.series(0), theme.series(1));
        let mut legend = vec![
            (Swatch::Line(own, Some(Marker::Dot)), "predicted".to_string()),
            (Swatch::Band(own), origin.range()),
        ];
        if !self.measured.is_empty() {
            legend.push((Swatch::Point(other, Marker::Diamond), "measured".to_string()));
        }
        let vertical = Vertical { title: operation, labels: labels(&ticks) };
        let mut frame = Frame::new(look, &heading, &legend, &vertical, true);
        frame.vertical_axis(scale, &ticks);
        let places = self.places();
        let mut labelled: Vec<(f64, String)> = self
            .points
            .iter()
            .map(|point| {
                let share = places.share(&point.setting, point.number);
                (share, shown(&point.setting, point.number, self.is_size))
            })
            .collect();
        labelled.sort_by(|a, b| a.0.total_cmp(&b.0));
        frame.horizontal_axis(&labelled, &short_path(&self.path));
        if self.points.iter().all(|point| point.seconds.is_none()) {
            frame.empty("none of these can be run: see the table");
        }
        let marked =
            [(&self.present, "as it is", theme.muted()), (&self.knee, "knee", theme.accent())];
        for (setting, word, colour) in marked {
            let Some(point) = setting.as_deref().and_then(|own| self.point(own)) else { continue };
            let share = places.share(&point.setting, point.number);
            let value = shown(&point.setting, point.number, self.is_size);
            frame.upright(share, &format!("{word}: {value}"), colour);
        }
        self.curve(&mut frame, scale, &places, own);
        for point in &self.measured {
            let x = frame.x(places.share(&point.setting, point.number));
            let y = frame.y(scale.share(point.measured_seconds));
            let dot = frame.dot();
            frame.scene.marker((x, y), dot, Marker::Diamond, other);
        }
        frame.scene
    }

    fn table(&self, _: &Origin) -> Table {
        let headings = [
            short_path(&self.path),
            "predicted_seconds".into(),
            "low_seconds".into(),
            "high_seconds".into(),
            "buffer_memory_bytes".into(),
            "measured_seconds".into(),
            "remark".into(),
        ];
        let measured = |setting: &str| self.measured.iter().find(|m| m.setting == setting);
        let mut rows: Vec<Vec<Cell>> = self
            .points
            .iter()
            .map(|point| {
                let is = |other: &Option<String>| other.as_deref() == Some(&*point.setting);
                let remarks = [(is(&self.present), "as it is"), (is(&self.knee), "knee")];
                let remarks = remarks.into_iter().filter(|(is, _)| *is).map(|(_, word)| word);
                let remark = remarks.chain(point.error.as_deref()).collect::<Vec<_>>().join(", ");
                vec![
                    Cell::Text(point.setting.clone()),
                    Cell::maybe(point.seconds, Cell::Seconds),
                    Cell::maybe(point.low_seconds, Cell::Seconds),
                    Cell::maybe(point.high_seconds, Cell::Seconds),
                    Cell::maybe(point.buffer_memory_bytes.map(|b| b as f64), Cell::Bytes),
                    Cell::maybe(
                        measured(&point.setting).map(|m| m.measured_seconds),
                        Cell::Seconds,
                    ),
                    Cell::Text(remark),
                ]
            })
            .collect();
        for point in self.measured.iter().filter(|m| self.point(&m.setting).is_none()) {
            let mut row = vec![Cell::Text(point.setting.clone())];
            row.extend([Cell::Empty, Cell::Empty, Cell::Empty, Cell::Empty]);
            row.extend([Cell::Seconds(point.measured_seconds), Cell::Empty]);
            rows.push(row);
        }
        Table { headings: headings.to_vec(), rows }
    }

    fn answer(&self, origin: &Origin) -> String {
        let done = self.points.iter().filter(|point| point.seconds.is_some());
        let best = done.min_by(|a, b| a.seconds.partial_cmp(&b.seconds).unwrap_or(EQUAL));
        let Some((best, seconds)) = best.and_then(|best| Some((best, best.seconds?))) else {
            return "None of these settings can be run.".to_string();
        };
        let path = short_path(&self.path);
        let of = |point: &KnobPoint| shown(&point.setting, point.number, self.is_size);
        let shortest = format!(
            "The {} is shortest with {path} {}: {}",
            origin.operation,
            of(best),
            duration(seconds)
        );
        let knee = self.knee.as_deref().and_then(|knee| self.point(knee));
        match knee.filter(|knee| knee.setting != best.setting) {
            Some(knee) => {
                let share = crate::number::percent(self.knee_threshold);
                format!("{shortest}; {} is enough to be within {share} of that.", of(knee))
            }
            None => format!("{shortest}."),
        }
    }

    fn text(&self, _: &Origin, glyphs: Glyphs, columns: usize) -> String {
        let longest = self.points.iter().filter_map(|point| point.seconds).fold(0.0, f64::max);
        let rows: Vec<(String, Option<f64>, String)> = self
            .points
            .iter()
            .map(|point| {
                let label = shown(&point.setting, point.number, self.is_size);
                let Some(seconds) = point.seconds else {
                    return (label, None, "refused".to_string());
                };
                let range = point.low_seconds.zip(point.high_seconds);
                let range = range.map_or_else(String::new, |(l, h)| duration_range(l, h));
                let measured = self.measured.iter().find(|m| m.setting == point.setting);
                let measured = measured
                    .map(|m| format!("measured {}", duration(m.measured_seconds)))
                    .unwrap_or_default();
                let is = |other: &Option<String>| other.as_deref() == Some(&*point.setting);
                let mark = match (is(&self.present), is(&self.knee)) {
                    (true, true) => "as it is, knee",
                    (true, false) => "as it is",
                    (false, true) => "knee",
                    (false, false) => "",
                };
                let after = format!("{:>11}  {range:>16}  {measured} {mark}", duration(seconds));
                (label, Some(seconds / longest), after.trim_end().to_string())
            })
            .collect();
        bars(&rows, glyphs, columns)
    }
}

impl KnobChart {
    fn curve(&self, frame: &mut Frame, scale: Scale, places: &Places, colour: Colour) {
        let mut points: Vec<&KnobPoint> =
            self.points.iter().filter(|point| point.seconds.is_some()).collect();
        let is_line = matches!(places, Places::Numbers(_));
        if is_line {
            points.sort_by(|a, b| a.number.partial_cmp(&b.number).unwrap_or(EQUAL));
        }
        let x =
            |frame: &Frame, point: &KnobPoint| frame.x(places.share(&point.setting, point.number));
        let of = |frame: &Frame, value: fn(&KnobPoint) -> Option<f64>| -> Vec<(f64, f64)> {
            let place = |point: &&KnobPoint| {
                let y = frame.y(scale.share(value(point).or(point.seconds).unwrap_or(0.0)));
                (x(frame, point), y)
            };
            points.iter().map(place).collect()
        };
        let middle = of(frame, |point| point.seconds);
        let (low, high) = (of(frame, |p| p.low_seconds), of(frame, |p| p.high_seconds));
        let stroke = frame.stroke();
        if is_line && middle.len() > 1 {
            let outline = high.iter().chain(low.iter().rev()).copied().collect();
            frame.scene.area(outline, colour, super::frame::BAND);
            frame.scene.line(&middle, stroke, colour);
        } else {
            let half = frame.letters * 0.7;
            for ((x, low), (_, high)) in low.iter().zip(&high) {
                let bar = super::scene::Area {
                    left: x - half,
                    right: x + half,
                    top: *high,
                    bottom: low.max(high + stroke),
                };
                frame.scene.rect(bar, colour, super::frame::BAND);
            }
        }
        let dot = frame.dot();
        for place in middle {
            frame.scene.marker(place, dot, Marker::Dot, colour);
        }
    }
}
