//! Two knobs: how long it takes, or what limits it.

use serde::Serialize;

use super::axis::{Unit, label};
use super::chart::{Cell, Kind, Origin, Table};
use super::font;
use super::frame::{Frame, Swatch, Vertical};
use super::look::{Look, Pattern};
use super::scene::{Anchor, Area, Letters, Scene};
use super::term::Glyphs;
use super::words::name;
use crate::document::short_path;
use crate::number::duration;

/// What the colours of a grid show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shows {
    /// How long it takes.
    Duration,
    /// Which station limits it.
    Bottleneck,
}

/// One pair of values.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GridCell {
    /// Place of its value from left to right, from 0.
    #[serde(skip)]
    pub column: usize,
    /// Place of its value from below, from 0.
    #[serde(skip)]
    pub row: usize,
    /// Half of all nights are faster; absent where it cannot be run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// What limits it, if that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bottleneck: Option<String>,
    /// Why it cannot be run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Duration, or what limits it, over two knobs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GridChart {
    /// What it shows.
    #[serde(skip)]
    pub shows: Shows,
    /// The knob from left to right.
    pub x_path: String,
    /// Its values.
    pub x_settings: Vec<String>,
    /// The knob from below.
    pub y_path: String,
    /// Its values.
    pub y_settings: Vec<String>,
    /// The pair of the scenario as it is, if it is one of them.
    #[serde(skip)]
    pub present: Option<(usize, usize)>,
    /// A cell for each pair, the second knob fastest.
    pub cells: Vec<GridCell>,
}

impl GridChart {
    fn best(&self) -> Option<&GridCell> {
        let done = self.cells.iter().filter(|cell| cell.seconds.is_some());
        done.min_by(|a, b| a.seconds.partial_cmp(&b.seconds).unwrap_or(std::cmp::Ordering::Equal))
    }

    fn ends(&self) -> Option<(f64, f64)> {
        let seconds = || self.cells.iter().filter_map(|cell| cell.seconds);
        let (low, high) = (seconds().fold(f64::INFINITY, f64::min), seconds().fold(0.0, f64::max));
        (low <= high).then_some((low, high))
    }

    /// Stations that limit a cell, the most frequent first.
    fn stations(&self) -> Vec<(&str, usize)> {
        let mut all: Vec<(&str, usize)> = Vec::new();
        for name in self.cells.iter().filter_map(|cell| cell.bottleneck.as_deref()) {
            match all.iter_mut().find(|(own, _)| *own == name) {
                Some((_, count)) => *count += 1,
                None => all.push((name, 1)),
            }
        }
        all.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        all
    }

    fn settings(&self, cell: &GridCell) -> String {
        format!(
            "{} {}, {} {}",
            short_path(&self.x_path),
            name(&self.x_settings[cell.column]),
            short_path(&self.y_path),
            name(&self.y_settings[cell.row])
        )
    }

    /// Where between short and long: by ratios.
    fn share(&self, seconds: f64) -> f64 {
        match self.ends() {
            Some((low, high)) if high > low && low > 0.0 => {
                libm::log(seconds / low) / libm::log(high / low)
            }
            _ => 0.0,
        }
    }

    fn legend(&self, look: &Look) -> Vec<(Swatch, String)> {
        let theme = look.theme;
        let mut legend = Vec::new();
        match (self.shows, self.ends()) {
            (Shows::Duration, Some((low, high))) => {
                let steps: &[f64] = if high > low * 1.01 { &[0.0, 0.5, 1.0] } else { &[0.0] };
                for share in steps {
                    let seconds = low * libm::exp(share * libm::log(high / low.max(1e-12)));
                    let swatch = Swatch::Fill(theme.ramp(*share), Pattern::Plain);
                    legend.push((swatch, duration(seconds)));
                }
            }
            (Shows::Bottleneck, _) => {
                for (number, (station, _)) in self.stations().into_iter().enumerate() {
                    let swatch = Swatch::Fill(theme.series(number), Pattern::of(number));
                    legend.push((swatch, name(station)));
                }
            }
            (Shows::Duration, None) => {}
        }
        if self.present.is_some() {
            legend.push((Swatch::Frame(theme.ink()), "as it is".to_string()));
        }
        if self.shows == Shows::Duration && self.best().is_some() {
            legend.push((Swatch::Frame(theme.accent()), "shortest".to_string()));
        }
        if self.cells.iter().any(|cell| cell.seconds.is_none()) {
            legend.push((Swatch::Fill(theme.grid(), Pattern::Crossed), "refused".to_string()));
        }
        legend
    }

    fn draw_cell(&self, frame: &mut Frame, cell: &GridCell, area: Area) {
        let theme = frame.scene.look.theme;
        let Some(seconds) = cell.seconds else {
            frame.scene.filled(area, theme.grid(), Pattern::Crossed);
            return;
        };
        let (colour, pattern) = match (self.shows, &cell.bottleneck) {
            (Shows::Bottleneck, Some(station)) => {
                let at = self.stations().iter().position(|(own, _)| own == station).unwrap_or(0);
                (theme.series(at), Pattern::of(at))
            }
            _ => (theme.ramp(self.share(seconds)), Pattern::Plain),
        };
        frame.scene.filled(area, colour, pattern);
        let words = duration(seconds);
        let sizes = [0.9, 0.75].map(|size| frame.letters * size);
        let fits = |size: &f64| {
            font::width(&words, *size, false) < area.width() * 0.92 && size * 1.25 < area.height()
        };
        if let Some(size) = sizes.into_iter().find(fits) {
            let letters = Letters { size, bold: false, colour: colour.ink() };
            let middle = ((area.left + area.right) / 2.0, (area.top + area.bottom) / 2.0);
            let place = (middle.0, middle.1 + size * 0.35);
            frame.scene.cleared(&words, place, letters, (colour, pattern));
            frame.scene.text(&words, place, (Anchor::Middle, area.width()), letters);
        }
    }
}

impl Kind for GridChart {
    fn kind(&self) -> &'static str {
        match self.shows {
            Shows::Duration => "heat",
            Shows::Bottleneck => "bottleneck",
        }
    }

    fn scene(&self, origin: &Origin, look: &Look) -> Scene {
        let (x, y) = (short_path(&self.x_path), short_path(&self.y_path));
        let title = match self.shows {
            Shows::Duration => format!("How long the {} takes by {x} and {y}", origin.operation),
            Shows::Bottleneck => format!("What limits the {} by {x} and {y}", origin.operation),
        };
        let heading = origin.heading(title, self.answer(origin));
        let rows: Vec<String> = self.y_settings.iter().map(|setting| name(setting)).collect();
        let vertical = Vertical { title: &y, labels: rows.clone() };
        let mut frame = Frame::new(look, &heading, &self.legend(look), &vertical, true);
        let (columns, lines) = (self.x_settings.len() as f64, self.y_settings.len() as f64);
        let area = |frame: &Frame, column: usize, row: usize| Area {
            left: frame.x(column as f64 / columns),
            right: frame.x((column as f64 + 1.0) / columns),
            top: frame.y((row as f64 + 1.0) / lines),
            bottom: frame.y(row as f64 / lines),
        };
        for cell in &self.cells {
            let place = area(&frame, cell.column, cell.row);
            self.draw_cell(&mut frame, cell, place);
        }
        let theme = look.theme;
        // Thin lines of the ground keep cells apart.
        for column in 1..self.x_settings.len() {
            let x = frame.x(column as f64 / columns);
            let line = [(x, frame.plot.top), (x, frame.plot.bottom)];
            frame.scene.line(&line, 1.0, theme.ground());
        }
        for row in 1..self.y_settings.len() {
            let y = frame.y(row as f64 / lines);
            let line = [(frame.plot.left, y), (frame.plot.right, y)];
            frame.scene.line(&line, 1.0, theme.ground());
        }
        let stroke = frame.stroke() * 1.4;
        let best = self.best().filter(|_| self.shows == Shows::Duration);
        let framed = [
            (best.map(|best| (best.column, best.row)), theme.accent(), 0.0),
            (self.present, theme.ink(), stroke),
        ];
        for (place, colour, inset) in framed {
            let Some((column, row)) = place else { continue };
            let Area { left, top, right, bottom } = area(&frame, column, row);
            let inset = inset + stroke / 2.0;
            let (left, right) = (left + inset, right - inset);
            let inner = Area { left, right, top: top + inset, bottom: bottom - inset };
            frame.scene.frame(inner, stroke, colour);
        }
        let across: Vec<(f64, String)> = self
            .x_settings
            .iter()
            .enumerate()
            .map(|(number, setting)| ((number as f64 + 0.5) / columns, name(setting)))
            .collect();
        frame.horizontal_axis(&across, &x);
        let up = rows.into_iter().enumerate();
        let up: Vec<(f64, String)> = up.map(|(n, s)| ((n as f64 + 0.5) / lines, s)).collect();
        frame.vertical_labels(&up);
        frame.scene
    }

    fn table(&self, _: &Origin) -> Table {
        let (x, y) = (short_path(&self.x_path), short_path(&self.y_path));
        let headings = vec![x, y, "seconds".into(), "bottleneck".into(), "remark".into()];
        let row = |cell: &GridCell| {
            let is_present = self.present == Some((cell.column, cell.row));
            let remark = cell.error.as_deref().or(is_present.then_some("as it is"));
            vec![
                Cell::Text(self.x_settings[cell.column].clone()),
                Cell::Text(self.y_settings[cell.row].clone()),
                Cell::maybe(cell.seconds, Cell::Seconds),
                Cell::maybe(cell.bottleneck.clone(), Cell::Text),
                Cell::maybe(remark.map(str::to_string), Cell::Text),
            ]
        };
        Table { headings, rows: self.cells.iter().map(row).collect() }
    }

    fn answer(&self, origin: &Origin) -> String {
        let Some((best, (_, high))) = self.best().zip(self.ends()) else {
            return "None of these settings can be run.".to_string();
        };
        let operation = origin.operation;
        if self.shows == Shows::Bottleneck {
            let all = self.stations();
            let count: usize = all.iter().map(|(_, count)| count).sum();
            let parts: Vec<String> = all
                .iter()
                .take(4)
                .map(|(station, own)| format!("{} in {own}", name(station)))
                .collect();
            return format!(
                "Of {count} settings the {operation} is limited by {}.",
                parts.join(", ")
            );
        }
        let seconds = best.seconds.unwrap_or_default();
        format!(
            "The {operation} is shortest with {}: {}; the longest takes {}.",
            self.settings(best),
            duration(seconds),
            duration(high)
        )
    }

    fn text(&self, _: &Origin, _: Glyphs, columns: usize) -> String {
        let (x, y) = (short_path(&self.x_path), short_path(&self.y_path));
        let mut headings = vec![format!("{y} \\ {x}")];
        headings.extend(self.x_settings.iter().map(|setting| crate::text::cut(setting, 12)));
        let mut rows = Vec::new();
        for (row, setting) in self.y_settings.iter().enumerate().rev() {
            let mut line = vec![crate::text::cut(setting, 16)];
            for column in 0..self.x_settings.len() {
                let cell = self.cells.iter().find(|cell| (cell.column, cell.row) == (column, row));
                let shown = cell.and_then(|cell| match self.shows {
                    Shows::Bottleneck => cell.bottleneck.clone(),
                    Shows::Duration => cell.seconds.map(|s| label(Unit::Seconds, s, s)),
                });
                let mark = if self.present == Some((column, row)) { "*" } else { "" };
                let shown = crate::text::cut(shown.as_deref().unwrap_or("refused"), 12);
                line.push(format!("{shown}{mark}"));
            }
            rows.push(line);
        }
        // Columns that do not fit are in the table of the other formats.
        let mut kept = headings.len();
        while kept > 2 && table_width(&headings, &rows, kept) > columns {
            kept -= 1;
        }
        let headings: Vec<&str> = headings.iter().take(kept).map(String::as_str).collect();
        let cut: Vec<Vec<String>> =
            rows.iter().map(|row| row.iter().take(kept).cloned().collect()).collect();
        let mut out = crate::text::table(&headings, 1, &cut);
        if kept <= self.x_settings.len() {
            let left_out = self.x_settings.len() + 1 - kept;
            out.push_str(&format!("and {left_out} more columns: see --format csv\n"));
        }
        if self.present.is_some() {
            out.push_str("* as it is\n");
        }
        out
    }
}

fn table_width(headings: &[String], rows: &[Vec<String>], kept: usize) -> usize {
    let width = crate::text::width;
    let column = |at: usize| {
        let cells = rows.iter().map(|row| width(&row[at]));
        cells.chain([width(&headings[at])]).max().unwrap_or(0) + 2
    };
    (0..kept).map(column).sum()
}
