//! The door to `plotters`: a scene as SVG or as PNG. Nothing else of the program knows of it.
//!
//! Of `plotters` only the parts that draw are used. Its front, which lays charts out, switches on
//! `num-traits/std`, by which the random numbers of the whole program would depend on the
//! platform; and labels that never overlap and a text that is never cut need a layout of our own.
//!
//! These parts draw at whole numbers, so an SVG is drawn in tenths of a pixel, and a bitmap at
//! twice its size.

use plotters_backend::text_anchor::{HPos, Pos, VPos};
use plotters_backend::{
    BackendColor, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind, FontFamily,
    FontStyle,
};
use plotters_bitmap::BitMapBackend;
use plotters_svg::SVGBackend;

use super::font;
use super::look::{Colour, Size};
use super::scene::{Anchor, Point, Scene, Shape};
use super::words::drawn;

/// Why a picture could not be drawn: a bug of ours, or no memory.
#[derive(Debug, thiserror::Error)]
#[error("the picture cannot be drawn: {0}")]
pub struct PlotError(String);

/// A bitmap, and how much of it is only boxes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Png {
    /// The file.
    pub bytes: Vec<u8>,
    /// Characters that the built-in font does not have; each is drawn as a box.
    pub boxes: usize,
}

/// Tenths of a pixel.
const TENTHS: f64 = 10.0;
/// Pixels drawn for each pixel of a bitmap, in each direction.
const OVER: u32 = 2;
/// `plotters` divides the size of letters by this much.
const SHRINK: f64 = 1.24;
/// `plotters` puts the baseline of a text that hangs from its top so many em below it.
const ASCENT: f64 = 0.76;

struct Pen {
    colour: Colour,
    opacity: f64,
    width: u32,
}

impl BackendStyle for Pen {
    fn color(&self) -> BackendColor {
        of(self.colour, self.opacity)
    }

    fn stroke_width(&self) -> u32 {
        self.width
    }
}

fn of(Colour(r, g, b): Colour, alpha: f64) -> BackendColor {
    BackendColor { alpha, rgb: (r, g, b) }
}

struct Type {
    colour: Colour,
    size: f64,
    bold: bool,
    anchor: Anchor,
}

impl BackendTextStyle for Type {
    type FontError = std::convert::Infallible;

    fn color(&self) -> BackendColor {
        of(self.colour, 1.0)
    }

    fn size(&self) -> f64 {
        self.size * SHRINK
    }

    fn style(&self) -> FontStyle {
        if self.bold { FontStyle::Bold } else { FontStyle::Normal }
    }

    fn anchor(&self) -> Pos {
        let h_pos = match self.anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::End => HPos::Right,
        };
        Pos { h_pos, v_pos: VPos::Top }
    }

    fn family(&self) -> FontFamily<'_> {
        FontFamily::Name(font::FAMILIES)
    }

    fn layout_box(&self, text: &str) -> Result<((i32, i32), (i32, i32)), Self::FontError> {
        let width = font::width(text, self.size, self.bold).round() as i32;
        Ok(((0, 0), (width, self.size.round() as i32)))
    }

    /// Only a bitmap asks for it, and that has its own way.
    fn draw<E, D: FnMut(i32, i32, BackendColor) -> Result<(), E>>(
        &self,
        text: &str,
        (x, y): (i32, i32),
        mut draw: D,
    ) -> Result<Result<(), E>, Self::FontError> {
        let mut result = Ok(());
        let baseline = f64::from(y) + ASCENT * self.size;
        font::draw(text, (f64::from(x), baseline), (self.size, self.bold), |x, y, share| {
            if result.is_ok() {
                result = draw(x, y, of(self.colour, share));
            }
        });
        Ok(result)
    }
}

#[allow(clippy::needless_pass_by_value, reason = "as `map_err` hands it over")]
fn failed<E: std::error::Error + Send + Sync>(error: DrawingErrorKind<E>) -> PlotError {
    PlotError(error.to_string())
}

fn at(scale: f64, (x, y): Point) -> (i32, i32) {
    ((x * scale).round() as i32, (y * scale).round() as i32)
}

/// Draws everything but texts.
fn draw<B: DrawingBackend>(backend: &mut B, shape: &Shape, scale: f64) -> Result<(), PlotError> {
    let pen = |colour: Colour, opacity: f64, width: f64| Pen {
        colour,
        opacity,
        width: (width * scale).round().max(1.0) as u32,
    };
    let place = |point: &Point| at(scale, *point);
    match shape {
        Shape::Line { points, width, colour, opacity } => {
            let mut points: Vec<(i32, i32)> = points.iter().map(place).collect();
            points.dedup();
            if points.len() < 2 {
                return Ok(());
            }
            backend.draw_path(points, &pen(*colour, *opacity, *width)).map_err(failed)
        }
        Shape::Area { points, colour, opacity } => {
            let points: Vec<(i32, i32)> = points.iter().map(place).collect();
            backend.fill_polygon(points, &pen(*colour, *opacity, 1.0)).map_err(failed)
        }
        Shape::Disc { centre, radius, colour } => {
            let radius = (radius * scale).round().max(1.0) as u32;
            backend
                .draw_circle(place(centre), radius, &pen(*colour, 1.0, 1.0), true)
                .map_err(failed)
        }
        Shape::Text { .. } => Ok(()),
    }
}

/// The scene as SVG: one element, which needs nothing but itself.
pub(super) fn svg(scene: &Scene) -> Result<String, PlotError> {
    let Size { width, height } = scene.look.size;
    let mut text = String::new();
    {
        let tenths = (width * TENTHS as u32, height * TENTHS as u32);
        let mut backend = SVGBackend::with_string(&mut text, tenths);
        let ground = Pen { colour: scene.look.theme.ground(), opacity: 1.0, width: 1 };
        let corner = (tenths.0 as i32, tenths.1 as i32);
        backend.draw_rect((0, 0), corner, &ground, true).map_err(failed)?;
        for shape in &scene.shapes {
            if let Shape::Text { at: place, size, bold, colour, anchor, text } = shape {
                let size = (size * TENTHS).round();
                let style = Type { colour: *colour, size, bold: *bold, anchor: *anchor };
                let (x, baseline) = at(TENTHS, *place);
                let top = f64::from(baseline) - ASCENT * size;
                backend.draw_text(text, &style, (x, top.round() as i32)).map_err(failed)?;
            } else {
                draw(&mut backend, shape, TENTHS)?;
            }
        }
        backend.present().map_err(failed)?;
    }
    Ok(with_head(scene, &text))
}

/// The first line with the size in pixels and a name for those who do not see.
fn with_head(scene: &Scene, text: &str) -> String {
    let Size { width, height } = scene.look.size;
    let rest = text.split_once('\n').map_or("", |(_, rest)| rest);
    let (title, description) = (escaped(&drawn(&scene.title)), escaped(&drawn(&scene.description)));
    format!(
        "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width}0 {height}0\" \
         role=\"img\" xmlns=\"http://www.w3.org/2000/svg\">\n\
         <title>{title}</title>\n<desc>{description}</desc>\n{rest}"
    )
}

/// A text that is nothing but text, in XML and in HTML.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}

/// The scene as PNG.
pub(super) fn png(scene: &Scene) -> Result<Png, PlotError> {
    let Size { width, height } = scene.look.size;
    let large = (width * OVER, height * OVER);
    let Colour(r, g, b) = scene.look.theme.ground();
    let mut pixels = [r, g, b].repeat((large.0 * large.1) as usize);
    let mut boxes = 0;
    {
        let scale = f64::from(OVER);
        let mut backend = BitMapBackend::with_buffer(&mut pixels, large);
        for shape in &scene.shapes {
            if let Shape::Text { at: place, size, bold, colour, anchor, text } = shape {
                let width = font::width(text, *size, *bold);
                let left = match anchor {
                    Anchor::Start => place.0,
                    Anchor::Middle => place.0 - width / 2.0,
                    Anchor::End => place.0 - width,
                };
                let start = (left * scale, place.1 * scale);
                boxes += font::draw(text, start, (size * scale, *bold), |x, y, share| {
                    // A bitmap in memory takes every pixel.
                    let _ = backend.draw_pixel((x, y), of(*colour, share));
                });
            } else {
                draw(&mut backend, shape, scale)?;
            }
        }
        backend.present().map_err(failed)?;
    }
    let bytes = encoded(&halved(&pixels, large), (width, height))?;
    Ok(Png { bytes, boxes })
}

/// Each pixel the mean of those it was drawn of.
fn halved(pixels: &[u8], (width, height): (u32, u32)) -> Vec<u8> {
    let (width, height) = (width as usize, height as usize);
    let over = OVER as usize;
    let mut small = Vec::with_capacity(pixels.len() / (over * over));
    for y in (0..height).step_by(over) {
        for x in (0..width).step_by(over) {
            for channel in 0..3 {
                let own = |dx: usize, dy: usize| {
                    u32::from(pixels[((y + dy) * width + x + dx) * 3 + channel])
                };
                let sum = own(0, 0) + own(1, 0) + own(0, 1) + own(1, 1);
                small.push(((sum + 2) / 4) as u8);
            }
        }
    }
    small
}

fn encoded(pixels: &[u8], (width, height): (u32, u32)) -> Result<Vec<u8>, PlotError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let failed = |error: png::EncodingError| PlotError(error.to_string());
    let mut writer = encoder.write_header().map_err(failed)?;
    writer.write_image_data(pixels).map_err(failed)?;
    writer.finish().map_err(failed)?;
    Ok(bytes)
}
