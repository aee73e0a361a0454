//! What every picture has around its data: title, legend, axes, and a line that says what it
//! rests on.

use super::axis::{Scale, Tick, Unit, ticks};
use super::font;
use super::look::{Colour, Look, Marker, Pattern};
use super::scene::{Anchor, Area, Letters, Scene};
use super::words::fitted;

/// The words around a picture.
#[derive(Debug, Clone, Default)]
pub(super) struct Heading {
    /// What it shows.
    pub(super) title: String,
    /// Of what.
    pub(super) subtitle: String,
    /// What it rests on.
    pub(super) footer: String,
    /// What it comes to, for those who do not see it.
    pub(super) description: String,
}

/// How an entry of a legend looks.
#[derive(Debug, Clone, Copy)]
pub(super) enum Swatch {
    Line(Colour, Option<Marker>),
    Dashed(Colour),
    Fill(Colour, Pattern),
    Band(Colour),
    Point(Colour, Marker),
    Frame(Colour),
}

/// A scene with an area for the data.
pub(super) struct Frame {
    pub(super) scene: Scene,
    /// Where the data are.
    pub(super) plot: Area,
    /// Pixels of usual letters.
    pub(super) letters: f64,
    bottom: f64,
    margin: f64,
}

/// An axis from below to above.
pub(super) struct Vertical<'a> {
    /// What it measures.
    pub(super) title: &'a str,
    /// Labels that must have room.
    pub(super) labels: Vec<String>,
}

/// Legends take at most this share of the height.
const LEGEND: f64 = 0.2;

impl Frame {
    /// Draws what is above and below, and leaves room for labels at the left and below.
    pub(super) fn new(
        look: &Look,
        heading: &Heading,
        legend: &[(Swatch, String)],
        vertical: &Vertical<'_>,
        has_horizontal_title: bool,
    ) -> Frame {
        let mut scene = Scene::new(look);
        let letters = look.size.letters();
        let margin = letters * 0.9;
        let all = scene.all();
        let title = look.title.as_deref().map_or_else(|| heading.title.clone(), super::words::name);
        scene.title.clone_from(&title);
        scene.description.clone_from(&heading.description);
        let plot = Area { left: margin, top: margin, ..all };
        let mut frame = Frame { scene, plot, letters, bottom: all.bottom, margin };
        let room = all.width() - 2.0 * margin;
        let theme = look.theme;
        let mut y = margin + letters * 1.05;
        let size = letters * 1.2;
        // A title that is too long is set smaller before it is cut.
        let size = if font::width(&title, size, true) > room { letters * 1.05 } else { size };
        let bold = Letters { size, bold: true, colour: theme.ink() };
        frame.scene.text(&title, (margin, y), (Anchor::Start, room), bold);
        if !heading.subtitle.is_empty() {
            y += letters * 1.45;
            let muted = frame.muted(0.95);
            frame.scene.text(&heading.subtitle, (margin, y), (Anchor::Start, room), muted);
        }
        y = frame.legend(legend, y);
        let small = frame.muted(0.85);
        let bottom = all.bottom - margin * 0.75;
        frame.scene.text(&heading.footer, (margin, bottom), (Anchor::Start, room), small);
        frame.bottom = bottom - small.size * 1.5;
        if !vertical.title.is_empty() {
            y += letters * 1.6;
            let muted = frame.muted(0.9);
            frame.scene.text(vertical.title, (margin, y), (Anchor::Start, room), muted);
        }
        let size = letters * 0.9;
        let widths = vertical.labels.iter().map(|label| font::width(label, size, false));
        let widest = widths.fold(0.0, f64::max).min(all.width() * 0.3);
        let below = if has_horizontal_title { 2.9 } else { 1.4 };
        frame.plot = Area {
            left: margin + widest + letters * 0.6,
            top: y + letters * 0.75,
            right: all.right - margin * 1.3,
            bottom: frame.bottom - letters * below,
        };
        frame
    }

    pub(super) fn ink(&self, size: f64) -> Letters {
        let colour = self.scene.look.theme.ink();
        Letters { size: self.letters * size, bold: false, colour }
    }

    pub(super) fn muted(&self, size: f64) -> Letters {
        let colour = self.scene.look.theme.muted();
        Letters { size: self.letters * size, bold: false, colour }
    }

    /// Thickness of usual lines.
    pub(super) fn stroke(&self) -> f64 {
        self.letters * 0.15
    }

    /// Radius of usual points.
    pub(super) fn dot(&self) -> f64 {
        self.letters * 0.32
    }

    /// Entries beside each other, in as many lines as they take; where the last one is.
    fn legend(&mut self, entries: &[(Swatch, String)], mut y: f64) -> f64 {
        if entries.is_empty() {
            return y;
        }
        let letters = self.letters;
        let all = self.scene.all();
        let right = all.right - self.margin;
        let most = (right - self.margin) * 0.46;
        let last = y + all.height() * LEGEND;
        let text = self.ink(0.9);
        let swatch = letters * 1.9;
        y += letters * 1.75;
        let mut x = self.margin;
        for (number, (look, label)) in entries.iter().enumerate() {
            let label = fitted(label, most, text.size, false);
            let width = swatch + letters * 0.4 + font::width(&label, text.size, false);
            if x > self.margin && x + width > right {
                if y + letters * 1.5 > last {
                    let more = format!("and {} more", entries.len() - number);
                    let muted = self.muted(0.9);
                    self.scene.text(&more, (x, y), (Anchor::Start, right - x), muted);
                    return y;
                }
                x = self.margin;
                y += letters * 1.5;
            }
            self.swatch(*look, (x, y - letters * 0.32), swatch);
            let place = (x + swatch + letters * 0.4, y);
            self.scene.text(&label, place, (Anchor::Start, most), text);
            x += width + letters * 1.2;
        }
        y
    }

    fn swatch(&mut self, swatch: Swatch, (x, y): (f64, f64), width: f64) {
        let (stroke, dot) = (self.stroke(), self.dot());
        let half = self.letters * 0.42;
        let line = [(x, y), (x + width, y)];
        let block = Area { left: x, top: y - half, right: x + width, bottom: y + half };
        let scene = &mut self.scene;
        match swatch {
            Swatch::Line(colour, marker) => {
                scene.line(&line, stroke, colour);
                if let Some(marker) = marker {
                    scene.marker((x + width / 2.0, y), dot, marker, colour);
                }
            }
            Swatch::Dashed(colour) => scene.dashes(&line, (stroke, stroke * 2.5), colour),
            Swatch::Fill(colour, pattern) => scene.filled(block, colour, pattern),
            Swatch::Band(colour) => scene.rect(block, colour, BAND),
            Swatch::Point(colour, marker) => {
                scene.marker((x + width / 2.0, y), dot, marker, colour);
            }
            Swatch::Frame(colour) => scene.frame(block, stroke * 1.2, colour),
        }
    }

    /// A place in the picture.
    pub(super) fn x(&self, share: f64) -> f64 {
        self.plot.left + share * self.plot.width()
    }

    /// A place in the picture, 0 below and 1 above.
    pub(super) fn y(&self, share: f64) -> f64 {
        self.plot.bottom - share * self.plot.height()
    }

    /// Lines across and labels at the left.
    pub(super) fn vertical_axis(&mut self, scale: Scale, ticks: &[Tick]) {
        let letters = self.muted(0.9);
        let grid = self.scene.look.theme.grid();
        for tick in ticks {
            let y = self.y(scale.share(tick.value));
            self.scene.line(&[(self.plot.left, y), (self.plot.right, y)], 1.0, grid);
            let place = (self.plot.left - self.letters * 0.5, y + letters.size * 0.35);
            let room = self.plot.left - self.letters * 0.5 - self.margin * 0.5;
            self.scene.text(&tick.label, place, (Anchor::End, room), letters);
        }
    }

    /// Labels below at places from 0 to 1, as many as have room, and a title below them.
    pub(super) fn horizontal_axis(&mut self, places: &[(f64, String)], title: &str) {
        let theme = self.scene.look.theme;
        let letters = self.muted(0.9);
        let y = self.plot.bottom + self.letters * 1.4;
        let step = places.windows(2).map(|pair| pair[1].0 - pair[0].0).fold(1.0, f64::min);
        let room =
            (step * self.plot.width() * 0.94).clamp(self.letters * 5.0, self.plot.width() * 0.45);
        let boxes: Vec<(f64, String, Area)> = places
            .iter()
            .map(|(share, label)| {
                let label = fitted(label, room, letters.size, false);
                let half = font::width(&label, letters.size, false) / 2.0;
                let (least, most) = (self.margin * 0.4, self.scene.all().right);
                let x = self.x(*share).clamp(least + half, (most - least - half).max(least + half));
                let area = self.scene.box_of(&label, (x, y), Anchor::Middle, letters);
                (x, label, area)
            })
            .collect();
        let gap = letters.size * 0.5;
        let is_clear = |every: &usize| {
            let kept: Vec<&Area> = boxes.iter().step_by(*every).map(|(.., area)| area).collect();
            kept.windows(2).all(|pair| pair[0].right + gap <= pair[1].left)
        };
        let every = (1..=boxes.len().max(1)).find(is_clear).unwrap_or(1);
        let ink = theme.muted();
        for (number, (x, label, _)) in boxes.iter().enumerate() {
            let place = self.x(places[number].0);
            let is_labelled = number % every == 0
                && self.scene.text(label, (*x, y), (Anchor::Middle, room), letters);
            let length = self.letters * if is_labelled { 0.4 } else { 0.2 };
            let bottom = self.plot.bottom;
            self.scene.line(&[(place, bottom), (place, bottom + length)], 1.0, ink);
        }
        let (left, right) = (self.plot.left, self.plot.right);
        self.scene.line(&[(left, self.plot.bottom), (right, self.plot.bottom)], 1.0, ink);
        if !title.is_empty() {
            let middle = (left + right) / 2.0;
            let place = (middle, self.plot.bottom + self.letters * 2.7);
            let muted = self.muted(0.9);
            self.scene.text(title, place, (Anchor::Middle, right - left), muted);
        }
    }

    /// Labels at the left of places from 0 below to 1 above, as many as have room.
    pub(super) fn vertical_labels(&mut self, places: &[(f64, String)]) {
        let letters = self.muted(0.9);
        let step = self.plot.height() / places.len().max(1) as f64;
        let every = (letters.size * 1.2 / step.max(0.01)).ceil().max(1.0) as usize;
        let right = self.plot.left - self.letters * 0.5;
        for (share, label) in places.iter().step_by(every) {
            let place = (right, self.y(*share) + letters.size * 0.35);
            let room = right - self.margin * 0.5;
            self.scene.text(label, place, (Anchor::End, room), letters);
        }
    }

    /// The same of a scale.
    pub(super) fn horizontal_scale(&mut self, scale: Scale, unit: Unit, title: &str) {
        self.grid_across(scale, unit);
        self.horizontal_labels(scale, unit, title);
    }

    /// Places of labels below.
    fn across(&self, scale: Scale, unit: Unit) -> Vec<(f64, String)> {
        let most = (self.plot.width() / (self.letters * 7.0)) as usize;
        let all = ticks(scale, unit, most).into_iter();
        all.map(|tick| (scale.share(tick.value), tick.label)).collect()
    }

    /// Upright lines behind the data.
    pub(super) fn grid_across(&mut self, scale: Scale, unit: Unit) {
        let grid = self.scene.look.theme.grid();
        for (share, _) in self.across(scale, unit) {
            let x = self.x(share);
            self.scene.line(&[(x, self.plot.top), (x, self.plot.bottom)], 1.0, grid);
        }
    }

    /// Labels below, without lines.
    pub(super) fn horizontal_labels(&mut self, scale: Scale, unit: Unit, title: &str) {
        let places = self.across(scale, unit);
        self.horizontal_axis(&places, title);
    }

    /// A line across with words on it: a limit, a median.
    pub(super) fn level(&mut self, share: f64, label: &str, colour: Colour) {
        let y = self.y(share);
        let line = [(self.plot.left, y), (self.plot.right, y)];
        let stroke = self.stroke();
        self.scene.dashes(&line, (stroke * 0.8, self.letters * 0.5), colour);
        let letters = Letters { colour, ..self.ink(0.9) };
        let room = self.plot.width() * 0.8;
        let x = self.plot.left + self.letters * 0.4;
        let above = (x, y - self.letters * 0.4);
        let below = (x, y + self.letters * 1.1);
        let anchor = (Anchor::Start, room);
        let has_room = above.1 - letters.size * 0.8 > self.plot.top;
        if !(has_room && self.scene.text(label, above, anchor, letters)) {
            self.scene.text(label, below, anchor, letters);
        }
    }

    /// A line up with words at its head.
    pub(super) fn upright(&mut self, share: f64, label: &str, colour: Colour) {
        let x = self.x(share);
        let line = [(x, self.plot.top), (x, self.plot.bottom)];
        let stroke = self.stroke();
        self.scene.dashes(&line, (stroke * 0.8, self.letters * 0.5), colour);
        let letters = Letters { colour, ..self.ink(0.9) };
        let room = self.plot.width() * 0.45;
        let gap = self.letters * 0.4;
        // On the side that has room, or a line further down.
        let sides = if share < 0.55 {
            [(x + gap, Anchor::Start), (x - gap, Anchor::End)]
        } else {
            [(x - gap, Anchor::End), (x + gap, Anchor::Start)]
        };
        for row in 0..4 {
            let y = self.plot.top + self.letters * (1.0 + 1.3 * f64::from(row));
            for (x, anchor) in sides {
                let area = self.scene.box_of(
                    &fitted(label, room, letters.size, false),
                    (x, y),
                    anchor,
                    letters,
                );
                let inside = area.left >= self.plot.left && area.right <= self.plot.right;
                if inside && self.scene.text(label, (x, y), (anchor, room), letters) {
                    return;
                }
            }
        }
    }

    /// Says that there is nothing, and why.
    pub(super) fn empty(&mut self, why: &str) {
        let (x, y) = (self.x(0.5), self.y(0.5));
        let room = self.plot.width() * 0.95;
        let muted = self.muted(1.0);
        self.scene.text(why, (x, y), (Anchor::Middle, room), muted);
    }
}

/// How much of a band shows.
pub(super) const BAND: f64 = 0.25;

/// Labels of a vertical axis that is about so many letters high.
pub(super) fn vertical_ticks(look: &Look, scale: Scale, unit: Unit) -> Vec<Tick> {
    let height = f64::from(look.size.height) * 0.6;
    let most = (height / (look.size.letters() * 3.2)) as usize;
    ticks(scale, unit, most.clamp(2, 8))
}

/// The same as what a frame leaves room for.
pub(super) fn labels(ticks: &[Tick]) -> Vec<String> {
    ticks.iter().map(|tick| tick.label.clone()).collect()
}
