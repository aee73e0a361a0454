//! One night over time: throughput above, buffers below.

use serde::Serialize;

use super::axis::{Scale, Unit, ticks};
use super::chart::{Cell, Kind, Origin, Table};
use super::frame::{Frame, Swatch, Vertical, labels};
use super::look::{Colour, Look, Marker, Pattern};
use super::scene::{Anchor, Area, Scene};
use super::term::Glyphs;
use crate::number::{duration, rate_binary};

/// One interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TimeInterval {
    /// Its beginning.
    pub begin_seconds: f64,
    /// Its end.
    pub end_seconds: f64,
    /// Read in it.
    pub read_bytes_per_second: f64,
    /// Written in it.
    pub written_bytes_per_second: f64,
    /// Buffers that are free, in the mean.
    pub free_buffers: f64,
    /// Buffers that are being filled.
    pub being_filled_buffers: f64,
    /// Buffers that are full and wait.
    pub filled_buffers: f64,
    /// Buffers that are being emptied.
    pub being_emptied_buffers: f64,
}

/// One night over time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TimeChart {
    /// Buffers that circulate.
    pub buffer_count: u32,
    /// Whether only the beginning of a long run is shown.
    pub is_cut: bool,
    /// In their order.
    pub intervals: Vec<TimeInterval>,
}

const PLACES: [&str; 4] = ["being filled", "filled", "being emptied", "free"];

impl TimeInterval {
    /// In the order of [`PLACES`].
    fn buffers(&self) -> [f64; 4] {
        [
            self.being_filled_buffers,
            self.filled_buffers,
            self.being_emptied_buffers,
            self.free_buffers,
        ]
    }

    fn rates(&self) -> [f64; 2] {
        [self.read_bytes_per_second, self.written_bytes_per_second]
    }
}

impl TimeChart {
    fn end(&self) -> f64 {
        self.intervals.last().map_or(1.0, |last| last.end_seconds).max(1e-9)
    }

    fn most_buffers(&self) -> f64 {
        let sums = self.intervals.iter().map(|own| own.buffers().iter().sum::<f64>());
        sums.fold(f64::from(self.buffer_count), f64::max)
    }

    /// A stair through the intervals.
    fn stairs(
        &self,
        frame: &Frame,
        scales: (Scale, Scale),
        value: impl Fn(&TimeInterval) -> f64,
    ) -> Vec<(f64, f64)> {
        let place = |own: &TimeInterval| {
            let y = frame.y(scales.1.share(value(own)));
            [own.begin_seconds, own.end_seconds].map(|x| (frame.x(scales.0.share(x)), y))
        };
        self.intervals.iter().flat_map(place).collect()
    }

    fn throughput(&self, frame: &mut Frame, across: Scale, scale: Scale, colours: [Colour; 2]) {
        let stroke = frame.stroke();
        for (number, colour) in colours.into_iter().enumerate() {
            let line = self.stairs(frame, (across, scale), |own| own.rates()[number]);
            if number == 0 {
                frame.scene.line(&line, stroke, colour);
            } else {
                frame.scene.dashes(&line, (stroke, stroke * 3.0), colour);
            }
        }
    }

    fn buffers(&self, frame: &mut Frame, across: Scale, scale: Scale, looks: &[Colour; 4]) {
        let sum =
            |own: &TimeInterval, count: usize| -> f64 { own.buffers().iter().take(count).sum() };
        for (number, colour) in looks.iter().enumerate() {
            let lower = self.stairs(frame, (across, scale), |own| sum(own, number));
            let upper = self.stairs(frame, (across, scale), |own| sum(own, number + 1));
            let outline = upper.into_iter().chain(lower.into_iter().rev()).collect();
            frame.scene.area(outline, *colour, 1.0);
        }
    }

    fn looks(look: &Look) -> [Colour; 4] {
        let theme = look.theme;
        [theme.series(5), theme.series(0), theme.series(1), theme.grid()]
    }
}

impl Kind for TimeChart {
    fn kind(&self) -> &'static str {
        "time"
    }

    fn scene(&self, origin: &Origin, look: &Look) -> Scene {
        let title = format!("One {} over time", origin.operation);
        let heading = origin.heading(title, self.answer(origin));
        let theme = look.theme;
        let looks = Self::looks(look);
        let mut legend = vec![
            (Swatch::Line(theme.series(2), None::<Marker>), "read".to_string()),
            (Swatch::Dashed(theme.series(4)), "written".to_string()),
        ];
        for (colour, word) in looks.iter().zip(PLACES) {
            legend.push((Swatch::Fill(*colour, Pattern::Plain), format!("buffers {word}")));
        }
        let rates = self.intervals.iter().flat_map(TimeInterval::rates);
        let rate = Scale::from_zero(rates);
        let count = Scale::Linear(0.0, self.most_buffers().max(1.0));
        let room = (f64::from(look.size.height) * 0.25 / (look.size.letters() * 2.6)) as usize;
        let above = ticks(rate, Unit::BytesPerSecond, room.clamp(2, 5));
        let below = ticks(count, Unit::Count, room.clamp(2, 5));
        let mut all = labels(&above);
        all.extend(labels(&below));
        let vertical = Vertical { title: "throughput", labels: all };
        let mut frame = Frame::new(look, &heading, &legend, &vertical, true);
        let whole = frame.plot;
        let across = Scale::Linear(0.0, self.end());
        let gap = frame.letters * 1.9;
        let middle = whole.top + (whole.height() - gap) * 0.5;
        frame.plot = Area { bottom: middle, ..whole };
        frame.grid_across(across, Unit::Seconds);
        frame.vertical_axis(rate, &above);
        self.throughput(&mut frame, across, rate, [theme.series(2), theme.series(4)]);
        frame.plot = Area { top: middle + gap, ..whole };
        let words = format!("buffers, of {}", self.buffer_count);
        let (muted, margin) = (frame.muted(0.9), frame.letters * 0.9);
        let place = (margin, middle + gap - frame.letters * 0.6);
        frame.scene.text(&words, place, (Anchor::Start, whole.width()), muted);
        frame.vertical_axis(count, &below);
        self.buffers(&mut frame, across, count, &looks);
        frame.horizontal_labels(across, Unit::Seconds, "time since it began");
        if self.intervals.is_empty() {
            frame.empty("nothing happens");
        }
        frame.scene
    }

    fn table(&self, _: &Origin) -> Table {
        let headings = [
            "begin_seconds",
            "end_seconds",
            "read_bytes_per_second",
            "written_bytes_per_second",
            "being_filled_buffers",
            "filled_buffers",
            "being_emptied_buffers",
            "free_buffers",
        ];
        let row = |own: &TimeInterval| {
            let mut row = vec![Cell::Seconds(own.begin_seconds), Cell::Seconds(own.end_seconds)];
            row.extend(own.rates().map(Cell::Rate));
            row.extend(own.buffers().map(Cell::Count));
            row
        };
        Table::new(&headings, self.intervals.iter().map(row).collect())
    }

    fn answer(&self, origin: &Origin) -> String {
        let end = self.end();
        let mean = |value: fn(&TimeInterval) -> f64| {
            let sum =
                self.intervals.iter().map(|own| value(own) * (own.end_seconds - own.begin_seconds));
            sum.sum::<f64>() / end
        };
        let read = rate_binary(mean(|own| own.read_bytes_per_second));
        let filled = mean(|own| own.filled_buffers);
        let shown = crate::number::digits(filled, 2);
        let operation = origin.operation;
        let what = if self.is_cut {
            format!("The first {} of one {operation}", duration(end))
        } else {
            format!("One {operation} of {}", duration(end))
        };
        format!(
            "{what}: {read} read, and {shown} of {} buffers full and waiting on average.",
            self.buffer_count
        )
    }

    fn text(&self, _: &Origin, glyphs: Glyphs, columns: usize) -> String {
        let room = columns.saturating_sub(34).clamp(10, 100);
        let sampled = |value: &dyn Fn(&TimeInterval) -> f64| -> Vec<f64> {
            let end = self.end();
            let mut sums = vec![(0.0, 0.0); room];
            for own in &self.intervals {
                let at = (own.begin_seconds / end * room as f64) as usize;
                let span = own.end_seconds - own.begin_seconds;
                if let Some((sum, time)) = sums.get_mut(at) {
                    *sum += value(own) * span;
                    *time += span;
                }
            }
            // A column in which no interval begins is like the one before.
            let mut last = 0.0;
            let mut all = Vec::new();
            for (sum, time) in sums {
                last = if time > 0.0 { sum / time } else { last };
                all.push(last);
            }
            all
        };
        let mut out = String::new();
        let mut line = |label: &str, value: &dyn Fn(&TimeInterval) -> f64, rate: bool| {
            let values = sampled(value);
            let most = values.iter().copied().fold(0.0, f64::max);
            let most = if rate { rate_binary(most) } else { crate::number::digits(most, 3) };
            out.push_str(&format!("{label:<15}{}  {most:>10}\n", glyphs.sparkline(&values)));
        };
        line("read", &|own| own.read_bytes_per_second, true);
        line("written", &|own| own.written_bytes_per_second, true);
        for (number, word) in PLACES.into_iter().enumerate() {
            line(word, &move |own: &TimeInterval| own.buffers()[number], false);
        }
        let pad = " ".repeat(room.saturating_sub(1 + duration(self.end()).len()));
        out.push_str(&format!("{:<15}0{pad}{}  {:>10}\n", "", duration(self.end()), "at most"));
        out
    }
}
