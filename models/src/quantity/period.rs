//! Lengths of time as written in a scenario.

use std::fmt;
use std::str::FromStr;

use bakcast_sim::Span;

use super::quantity_text;
use super::text::{QuantityError, Rules};

/// A length of time from 0 to 1000 days, in whole nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Period(u64);

const RULES: Rules = Rules {
    units: &[
        ("ns", 1.0),
        ("us", 1e3),
        ("µs", 1e3),
        ("ms", 1e6),
        ("s", 1e9),
        ("min", 60e9),
        ("h", 3600e9),
        ("d", 86_400e9),
    ],
    min: 0.0,
    max: 86_400e12,
    accepted: "a length of time from 0 ns to 1000 d, e.g. `165 ms` or `2 h`",
};

impl Period {
    /// No time.
    pub const ZERO: Period = Period(0);

    /// So many nanoseconds.
    #[must_use]
    pub const fn from_nanos(nanos: u64) -> Self {
        Period(nanos)
    }

    /// In seconds.
    #[inline]
    #[must_use]
    pub const fn as_seconds(self) -> f64 {
        // Signed, because that converts in one instruction.
        self.0.cast_signed() as f64 * 1e-9
    }

    /// As simulated time.
    #[must_use]
    pub fn span(self) -> Span {
        Span::from_nanos(self.0)
    }
}

impl FromStr for Period {
    type Err = QuantityError;
    fn from_str(text: &str) -> Result<Self, QuantityError> {
        RULES.read(text).map(|nanos| Period(nanos.round() as u64))
    }
}

impl fmt::Display for Period {
    /// In the largest unit of ns, us, ms and s that divides it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut count, mut unit) = (self.0, 0);
        while count > 0 && count % 1000 == 0 && unit < 3 {
            count /= 1000;
            unit += 1;
        }
        write!(f, "{count} {}", ["ns", "us", "ms", "s"][unit])
    }
}

quantity_text!(
    Period,
    "Period",
    "period",
    "A length of time with its unit: ns, us, ms, s, min, h or d",
    ["165 ms", "0.3 s", "2 h"]
);
