//! How a picture looks: its size, its theme, its colours and patterns.

use std::str::FromStr;

/// Width and height in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Pixels from left to right.
    pub width: u32,
    /// Pixels from top to bottom.
    pub height: u32,
}

impl Size {
    /// For a corner of a page.
    pub const SMALL: Size = Size { width: 480, height: 320 };
    /// For a page.
    pub const MEDIUM: Size = Size { width: 800, height: 500 };
    /// For a wall.
    pub const LARGE: Size = Size { width: 1600, height: 1000 };
    /// No picture is smaller.
    pub const LEAST: Size = Size { width: 320, height: 240 };
    /// No picture is larger.
    pub const MOST: Size = Size { width: 4096, height: 4096 };
    /// What is accepted, for messages.
    pub const ACCEPTED: &'static str = "small (480x320), medium (800x500), large (1600x1000) or \
         WIDTHxHEIGHT in pixels from 320x240 to 4096x4096";

    /// Pixels of usual letters.
    pub(super) fn letters(self) -> f64 {
        let scale = (f64::from(self.width) / 800.0).min(f64::from(self.height) / 500.0);
        // Not less than can be read, nor so much that nothing else has room.
        (13.0 * scale).clamp(10.5, 40.0)
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let accepted = || format!("accepted: {}", Size::ACCEPTED);
        match text.trim().to_ascii_lowercase().as_str() {
            "small" => return Ok(Size::SMALL),
            "medium" => return Ok(Size::MEDIUM),
            "large" => return Ok(Size::LARGE),
            _ => {}
        }
        let (width, height) = text.trim().split_once(['x', 'X', '\u{d7}']).ok_or_else(accepted)?;
        let read = |text: &str| text.trim().parse::<u32>().map_err(|_| accepted());
        let size = Size { width: read(width)?, height: read(height)? };
        let fits = (Size::LEAST.width..=Size::MOST.width).contains(&size.width)
            && (Size::LEAST.height..=Size::MOST.height).contains(&size.height);
        if fits { Ok(size) } else { Err(accepted()) }
    }
}

/// Dark on light, or light on dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// For paper.
    #[default]
    Light,
    /// For dark screens.
    Dark,
}

/// How a picture looks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    /// Its size.
    pub size: Size,
    /// Its theme.
    pub theme: Theme,
    /// A title in the place of its own.
    pub title: Option<String>,
}

impl Default for Look {
    fn default() -> Self {
        Look { size: Size::MEDIUM, theme: Theme::Light, title: None }
    }
}

/// Red, green, blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Colour(pub(super) u8, pub(super) u8, pub(super) u8);

impl Colour {
    /// How light it looks, from 0 to 1: weights of ITU-R BT.601.
    pub(super) fn lightness(self) -> f64 {
        let Colour(r, g, b) = self;
        (0.299 * f64::from(r) + 0.587 * f64::from(g) + 0.114 * f64::from(b)) / 255.0
    }

    /// What can be read on it.
    pub(super) fn ink(self) -> Colour {
        if self.lightness() > 0.5 { Colour(0x10, 0x14, 0x18) } else { Colour(0xff, 0xff, 0xff) }
    }

    /// The colour so far on the way to another.
    fn towards(self, other: Colour, share: f64) -> Colour {
        let mix = |a: u8, b: u8| {
            (f64::from(a) + (f64::from(b) - f64::from(a)) * share).round().clamp(0.0, 255.0) as u8
        };
        Colour(mix(self.0, other.0), mix(self.1, other.1), mix(self.2, other.2))
    }
}

/// What fills an area beside its colour, so that it can be told apart without any.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pattern {
    Plain,
    Rising,
    Falling,
    Crossed,
    Level,
    Upright,
}

impl Pattern {
    const ALL: [Pattern; 6] = [
        Pattern::Plain,
        Pattern::Rising,
        Pattern::Level,
        Pattern::Crossed,
        Pattern::Falling,
        Pattern::Upright,
    ];

    /// The pattern of the n-th of several.
    pub(super) fn of(number: usize) -> Pattern {
        Pattern::ALL[number % Pattern::ALL.len()]
    }
}

/// Shapes of points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Marker {
    Dot,
    Diamond,
    Square,
    Triangle,
    Cross,
}

impl Marker {
    /// The marker of the n-th of several.
    pub(super) fn of(number: usize) -> Marker {
        const ALL: [Marker; 5] =
            [Marker::Dot, Marker::Diamond, Marker::Square, Marker::Triangle, Marker::Cross];
        ALL[number % ALL.len()]
    }
}

/// The palette of Okabe and Ito, which people who confuse colours can tell apart, in an order in
/// which neighbours differ in lightness as well.
const ON_LIGHT: [Colour; 7] = [
    Colour(0x00, 0x72, 0xb2),
    Colour(0xe6, 0x9f, 0x00),
    Colour(0x00, 0x9e, 0x73),
    Colour(0xcc, 0x79, 0xa7),
    Colour(0xd5, 0x5e, 0x00),
    Colour(0x56, 0xb4, 0xe9),
    Colour(0xf0, 0xe4, 0x42),
];
/// The same for a dark ground: the dark ones lighter.
const ON_DARK: [Colour; 7] = [
    Colour(0x56, 0xb4, 0xe9),
    Colour(0xff, 0xb7, 0x33),
    Colour(0x2c, 0xc3, 0x95),
    Colour(0xe3, 0x9b, 0xc3),
    Colour(0xf0, 0x7f, 0x2e),
    Colour(0x9f, 0xd8, 0xff),
    Colour(0xff, 0xf2, 0x7a),
];
/// From short to long, ever darker: after cividis, which looks alike to all eyes and in grey.
const RAMP: [Colour; 6] = [
    Colour(0xfe, 0xe8, 0x38),
    Colour(0xc8, 0xb8, 0x66),
    Colour(0x94, 0x8e, 0x77),
    Colour(0x66, 0x69, 0x70),
    Colour(0x35, 0x45, 0x6c),
    Colour(0x00, 0x22, 0x4e),
];

impl Theme {
    pub(super) fn ground(self) -> Colour {
        match self {
            Theme::Light => Colour(0xff, 0xff, 0xff),
            Theme::Dark => Colour(0x15, 0x1a, 0x20),
        }
    }

    /// Letters and axes.
    pub(super) fn ink(self) -> Colour {
        match self {
            Theme::Light => Colour(0x1a, 0x1e, 0x24),
            Theme::Dark => Colour(0xec, 0xee, 0xf1),
        }
    }

    /// What is said in a low voice.
    pub(super) fn muted(self) -> Colour {
        match self {
            Theme::Light => Colour(0x56, 0x5d, 0x66),
            Theme::Dark => Colour(0xa9, 0xb1, 0xbb),
        }
    }

    /// Lines behind the data.
    pub(super) fn grid(self) -> Colour {
        match self {
            Theme::Light => Colour(0xdd, 0xe0, 0xe4),
            Theme::Dark => Colour(0x34, 0x3c, 0x46),
        }
    }

    /// The colour of the n-th of several.
    pub(super) fn series(self, number: usize) -> Colour {
        let all = if self == Theme::Light { &ON_LIGHT } else { &ON_DARK };
        all[number % all.len()]
    }

    /// What is to be looked at first.
    pub(super) fn accent(self) -> Colour {
        self.series(4)
    }

    /// A place between short (0) and long (1).
    pub(super) fn ramp(self, share: f64) -> Colour {
        let last = RAMP.len() - 1;
        let place = share.clamp(0.0, 1.0) * last as f64;
        let at = (place.floor() as usize).min(last - 1);
        RAMP[at].towards(RAMP[at + 1], place - at as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_a_word_or_two_numbers_within_bounds() {
        assert_eq!("small".parse(), Ok(Size::SMALL));
        assert_eq!("1024x768".parse(), Ok(Size { width: 1024, height: 768 }));
        for text in ["", "x", "10x10", "5000x500", "800", "800x", "-800x500", "1e3x500"] {
            assert!(text.parse::<Size>().unwrap_err().contains("4096x4096"), "{text}");
        }
    }

    #[test]
    fn a_ramp_gets_darker_all_the_way() {
        let steps: Vec<f64> =
            (0..=20).map(|n| Theme::Light.ramp(f64::from(n) / 20.0).lightness()).collect();
        assert!(steps.windows(2).all(|pair| pair[1] < pair[0]), "{steps:?}");
    }

    #[test]
    fn neighbours_differ_in_grey_and_from_the_ground() {
        for theme in [Theme::Light, Theme::Dark] {
            for number in 0..6 {
                let (one, next) = (theme.series(number), theme.series(number + 1));
                assert!((one.lightness() - next.lightness()).abs() > 0.06, "{number}");
                assert!((one.lightness() - theme.ground().lightness()).abs() > 0.15, "{number}");
            }
        }
    }
}
