//! What is drawn: shapes in the order in which they lie on each other, in pixels.
//!
//! Texts know their boxes, so that one that would lie on another is left out.

use super::font;
use super::look::{Colour, Look, Marker, Pattern};
use super::words::{drawn, fitted};

/// A place, from the left and from the top.
pub(super) type Point = (f64, f64);

/// One shape.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shape {
    Line { points: Vec<Point>, width: f64, colour: Colour, opacity: f64 },
    Area { points: Vec<Point>, colour: Colour, opacity: f64 },
    Disc { centre: Point, radius: f64, colour: Colour },
    Text { at: Point, size: f64, bold: bool, colour: Colour, anchor: Anchor, text: String },
}

/// Which end of a text is at its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// Left, top, right, bottom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Area {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Area {
    pub(super) fn width(&self) -> f64 {
        self.right - self.left
    }

    pub(super) fn height(&self) -> f64 {
        self.bottom - self.top
    }

    fn touches(&self, other: &Area, gap: f64) -> bool {
        self.left < other.right + gap
            && other.left < self.right + gap
            && self.top < other.bottom
            && other.top < self.bottom
    }

    fn within(&self, other: &Area) -> bool {
        self.left >= other.left
            && self.right <= other.right
            && self.top >= other.top
            && self.bottom <= other.bottom
    }
}

/// How letters look.
#[derive(Debug, Clone, Copy)]
pub(super) struct Letters {
    pub(super) size: f64,
    pub(super) bold: bool,
    pub(super) colour: Colour,
}

/// A picture before it is written in a format.
#[derive(Debug, Clone)]
pub(super) struct Scene {
    pub(super) look: Look,
    pub(super) shapes: Vec<Shape>,
    /// Where texts lie.
    taken: Vec<Area>,
    /// What somebody hears who does not see it.
    pub(super) title: String,
    pub(super) description: String,
}

impl Scene {
    pub(super) fn new(look: &Look) -> Self {
        Scene {
            look: look.clone(),
            shapes: Vec::new(),
            taken: Vec::new(),
            title: String::new(),
            description: String::new(),
        }
    }

    /// The whole picture.
    pub(super) fn all(&self) -> Area {
        let (right, bottom) = (f64::from(self.look.size.width), f64::from(self.look.size.height));
        Area { left: 0.0, top: 0.0, right, bottom }
    }

    pub(super) fn line(&mut self, points: &[Point], width: f64, colour: Colour) {
        if points.len() > 1 {
            let points = points.to_vec();
            self.shapes.push(Shape::Line { points, width, colour, opacity: 1.0 });
        }
    }

    /// A line in pieces of `dash` pixels, with as much between them.
    pub(super) fn dashes(&mut self, points: &[Point], (width, dash): (f64, f64), colour: Colour) {
        for piece in pieces(points, dash.max(1.0)) {
            self.line(&piece, width, colour);
        }
    }

    pub(super) fn area(&mut self, points: Vec<Point>, colour: Colour, opacity: f64) {
        if points.len() > 2 {
            self.shapes.push(Shape::Area { points, colour, opacity });
        }
    }

    pub(super) fn rect(&mut self, area: Area, colour: Colour, opacity: f64) {
        let Area { left, top, right, bottom } = area;
        let corners = vec![(left, top), (right, top), (right, bottom), (left, bottom)];
        self.area(corners, colour, opacity);
    }

    /// An area with a pattern in a colour that shows on it.
    pub(super) fn filled(&mut self, area: Area, colour: Colour, pattern: Pattern) {
        self.rect(area, colour, 1.0);
        let letters = self.look.size.letters();
        let step = letters * 0.62;
        let ink = colour.ink();
        let mut lines = Vec::new();
        if matches!(pattern, Pattern::Rising | Pattern::Crossed) {
            lines.extend(slanted(&area, step * std::f64::consts::SQRT_2, 1.0));
        }
        if matches!(pattern, Pattern::Falling | Pattern::Crossed) {
            lines.extend(slanted(&area, step * std::f64::consts::SQRT_2, -1.0));
        }
        if pattern == Pattern::Level {
            let mut y = area.top + step / 2.0;
            while y < area.bottom {
                lines.push([(area.left, y), (area.right, y)]);
                y += step;
            }
        }
        if pattern == Pattern::Upright {
            let mut x = area.left + step / 2.0;
            while x < area.right {
                lines.push([(x, area.top), (x, area.bottom)]);
                x += step;
            }
        }
        for line in lines {
            let (points, width) = (line.to_vec(), (letters / 13.0).max(0.8));
            self.shapes.push(Shape::Line { points, width, colour: ink, opacity: 0.4 });
        }
    }

    pub(super) fn frame(&mut self, area: Area, width: f64, colour: Colour) {
        let Area { left, top, right, bottom } = area;
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
        self.line(&corners, width, colour);
    }

    /// A point, with a rim of the ground so that it shows on a line.
    pub(super) fn marker(&mut self, at: Point, radius: f64, marker: Marker, colour: Colour) {
        let ground = self.look.theme.ground();
        self.mark(at, radius * 1.35, marker, ground);
        self.mark(at, radius, marker, colour);
    }

    fn mark(&mut self, (x, y): Point, r: f64, marker: Marker, colour: Colour) {
        match marker {
            Marker::Dot => {
                self.shapes.push(Shape::Disc { centre: (x, y), radius: r, colour });
            }
            Marker::Diamond => {
                let r = r * 1.35;
                let points = vec![(x, y - r), (x + r, y), (x, y + r), (x - r, y)];
                self.area(points, colour, 1.0);
            }
            Marker::Square => {
                let r = r * 0.9;
                self.rect(
                    Area { left: x - r, top: y - r, right: x + r, bottom: y + r },
                    colour,
                    1.0,
                );
            }
            Marker::Triangle => {
                let r = r * 1.3;
                self.area(
                    vec![(x, y - r), (x + r, y + r * 0.8), (x - r, y + r * 0.8)],
                    colour,
                    1.0,
                );
            }
            Marker::Cross => {
                let width = r * 0.8;
                self.line(&[(x - r, y - r), (x + r, y + r)], width, colour);
                self.line(&[(x - r, y + r), (x + r, y - r)], width, colour);
            }
        }
    }

    /// A plain ground for a text in the middle of an area that has a pattern.
    pub(super) fn cleared(
        &mut self,
        text: &str,
        at: Point,
        letters: Letters,
        (colour, pattern): (Colour, Pattern),
    ) {
        if pattern != Pattern::Plain {
            let Area { left, top, right, bottom } = self.box_of(text, at, Anchor::Middle, letters);
            let gap = letters.size * 0.25;
            self.rect(Area { left: left - gap, right: right + gap, top, bottom }, colour, 1.0);
        }
    }

    /// Keeps texts away from a point.
    pub(super) fn reserve(&mut self, (x, y): Point, radius: f64) {
        let (left, right) = (x - radius, x + radius);
        self.taken.push(Area { left, top: y - radius, right, bottom: y + radius });
    }

    /// Where a text would lie.
    pub(super) fn box_of(&self, text: &str, at: Point, anchor: Anchor, letters: Letters) -> Area {
        let width = font::width(text, letters.size, letters.bold);
        let left = match anchor {
            Anchor::Start => at.0,
            Anchor::Middle => at.0 - width / 2.0,
            Anchor::End => at.0 - width,
        };
        let (top, bottom) = (at.1 - letters.size * 0.8, at.1 + letters.size * 0.24);
        Area { left, top, right: left + width, bottom }
    }

    /// Whether a text would lie within the picture and on no other.
    pub(super) fn has_room(&self, area: &Area, size: f64) -> bool {
        area.within(&self.all()) && !self.taken.iter().any(|own| own.touches(area, size * 0.4))
    }

    /// Writes a text on a baseline if there is room for it, shortened to `room`.
    pub(super) fn text(
        &mut self,
        text: &str,
        at: Point,
        (anchor, room): (Anchor, f64),
        letters: Letters,
    ) -> bool {
        let text = fitted(&drawn(text), room, letters.size, letters.bold);
        if text.trim().is_empty() {
            return false;
        }
        let area = self.box_of(&text, at, anchor, letters);
        if !self.has_room(&area, letters.size) {
            return false;
        }
        self.taken.push(area);
        let Letters { size, bold, colour } = letters;
        self.shapes.push(Shape::Text { at, size, bold, colour, anchor, text });
        true
    }
}

/// A line cut into pieces of equal length, every second one left out.
fn pieces(points: &[Point], dash: f64) -> Vec<Vec<Point>> {
    let mut all = Vec::new();
    let mut piece: Vec<Point> = points.first().copied().into_iter().collect();
    let (mut left, mut drawn) = (dash, true);
    for pair in points.windows(2) {
        let ((mut x, mut y), (to_x, to_y)) = (pair[0], pair[1]);
        loop {
            let (dx, dy) = (to_x - x, to_y - y);
            let length = (dx * dx + dy * dy).sqrt();
            if length <= left || length <= 0.0 {
                left -= length;
                piece.push((to_x, to_y));
                break;
            }
            let share = left / length;
            (x, y) = (x + dx * share, y + dy * share);
            piece.push((x, y));
            if drawn {
                all.push(std::mem::take(&mut piece));
            }
            piece = vec![(x, y)];
            (left, drawn) = (dash, !drawn);
        }
    }
    if drawn && piece.len() > 1 {
        all.push(piece);
    }
    all
}

/// Slanted lines across an area, `direction` 1 rising and -1 falling.
fn slanted(area: &Area, step: f64, direction: f64) -> Vec<[Point; 2]> {
    let (width, height) = (area.width(), area.height());
    let mut lines = Vec::new();
    let mut along = step / 2.0;
    while along < width + height {
        // From the left or top edge to the bottom or right one, of a falling line mirrored.
        let from = (0.0_f64.max(along - height), height.min(along));
        let to = (width.min(along), 0.0_f64.max(along - width));
        let place = |(x, y): Point| {
            let x = if direction > 0.0 { x } else { width - x };
            (area.left + x, area.top + y)
        };
        lines.push([place(from), place(to)]);
        along += step;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn length(piece: &[Point]) -> f64 {
        let pairs = piece.windows(2);
        pairs.map(|p| libm::hypot(p[1].0 - p[0].0, p[1].1 - p[0].1)).sum()
    }

    #[test]
    fn dashes_cover_half_of_a_line() {
        let all = pieces(&[(0.0, 0.0), (30.0, 40.0), (30.0, 90.0)], 5.0);
        let drawn: f64 = all.iter().map(|piece| length(piece)).sum();
        assert!((drawn - 50.0).abs() < 1e-6, "{drawn}");
    }

    #[test]
    fn slanted_lines_stay_within_their_area() {
        let area = Area { left: 10.0, top: 20.0, right: 50.0, bottom: 30.0 };
        for direction in [1.0, -1.0] {
            let lines = slanted(&area, 6.0, direction);
            assert!(lines.len() > 4);
            for (x, y) in lines.into_iter().flatten() {
                assert!((10.0..=50.0).contains(&x) && (20.0..=30.0).contains(&y), "{x} {y}");
            }
        }
    }

    #[test]
    fn a_text_on_another_is_left_out() {
        let mut scene = Scene::new(&Look::default());
        let letters = Letters { size: 12.0, bold: false, colour: Colour(0, 0, 0) };
        assert!(scene.text("one", (20.0, 20.0), (Anchor::Start, 100.0), letters));
        assert!(!scene.text("two", (25.0, 22.0), (Anchor::Start, 100.0), letters));
        assert!(!scene.text("out", (790.0, 20.0), (Anchor::Start, 100.0), letters));
    }
}
