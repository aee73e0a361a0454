//! Rates of data.

use std::fmt;
use std::ops::{Div, Mul};
use std::str::FromStr;

use bakcast_sim::Span;

use super::text::{QuantityError, Rules};
use super::{Bytes, Factor, quantity_text};

/// Bytes per second; never zero, so a division by it needs no check.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct ByteRate(f64);

const RULES: Rules = Rules {
    units: &[
        ("B/s", 1.0),
        ("KiB/s", 1024.0),
        ("MiB/s", 1_048_576.0),
        ("GiB/s", 1_073_741_824.0),
        ("kB/s", 1e3),
        ("MB/s", 1e6),
        ("GB/s", 1e9),
        ("Mbit/s", 1e6 / 8.0),
        ("Gbit/s", 1e9 / 8.0),
    ],
    min: 1.0,
    max: 1e15,
    accepted: "a rate from 1 B/s to 1000000 GB/s, e.g. `200 MB/s` (10^6) or `4 MiB/s` (2^20)",
};

impl ByteRate {
    /// A rate in bytes per second; `None` unless it lies between 1 and 10^15.
    #[must_use]
    pub fn new(bytes_per_second: f64) -> Option<Self> {
        (RULES.min..=RULES.max).contains(&bytes_per_second).then_some(ByteRate(bytes_per_second))
    }

    /// Bytes per second.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl Div<ByteRate> for Bytes {
    type Output = Span;
    /// The time the data take at this rate, to the nearest nanosecond.
    fn div(self, rate: ByteRate) -> Span {
        Span::from_seconds(self.as_f64() / rate.0)
    }
}

impl Mul<Factor> for ByteRate {
    type Output = ByteRate;
    /// The rate times a factor, kept within the range of a rate.
    fn mul(self, factor: Factor) -> ByteRate {
        ByteRate((self.0 * factor.get()).clamp(RULES.min, RULES.max))
    }
}

impl FromStr for ByteRate {
    type Err = QuantityError;
    fn from_str(text: &str) -> Result<Self, QuantityError> {
        RULES.read(text).map(ByteRate)
    }
}

impl fmt::Display for ByteRate {
    /// In MB/s (10^6) where reading that back gives the same rate, else in B/s.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mega = self.0 / 1e6;
        if (mega * 1e6).to_bits() == self.0.to_bits() {
            write!(f, "{mega} MB/s")
        } else {
            write!(f, "{} B/s", self.0)
        }
    }
}

quantity_text!(
    ByteRate,
    "ByteRate",
    "byte-rate",
    "A rate of data with its unit: B/s, KiB/s, MiB/s, GiB/s (powers of 1024), kB/s, MB/s, GB/s \
     (powers of 1000), Mbit/s or Gbit/s; at least 1 B/s",
    ["75 MB/s", "4 GiB/s", "10 Gbit/s"]
);
