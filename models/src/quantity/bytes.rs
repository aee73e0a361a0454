//! Amounts of data.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub};
use std::str::FromStr;

use super::quantity_text;
use super::text::{QuantityError, Rules};

/// An amount of data in whole bytes, at most 1 EiB.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Bytes(u64);

const RULES: Rules = Rules {
    units: &[
        ("B", 1.0),
        ("bytes", 1.0),
        ("KiB", 1024.0),
        ("MiB", 1_048_576.0),
        ("GiB", 1_073_741_824.0),
        ("TiB", 1_099_511_627_776.0),
        ("PiB", 1_125_899_906_842_624.0),
        ("kB", 1e3),
        ("MB", 1e6),
        ("GB", 1e9),
        ("TB", 1e12),
        ("PB", 1e15),
    ],
    min: 0.0,
    max: Bytes::MAX.0 as f64,
    accepted: "an amount of data from 0 B to 1024 PiB, e.g. `6 GiB` (2^30) or `6 GB` (10^9)",
};

/// A count of bytes as a float. Counts stay below 2^63, and from a signed integer the conversion is
/// one instruction instead of six: it is needed for every transfer.
#[inline]
pub(crate) const fn real(bytes: u64) -> f64 {
    bytes.cast_signed() as f64
}

impl Bytes {
    /// No data.
    pub const ZERO: Bytes = Bytes(0);
    /// 1 EiB: more than any database; a larger figure is a slip of the pen.
    pub const MAX: Bytes = Bytes(1 << 60);

    /// So many bytes.
    #[must_use]
    pub const fn new(bytes: u64) -> Self {
        Bytes(bytes)
    }

    /// So many KiB (1024 bytes each).
    #[must_use]
    pub const fn kibibytes(count: u64) -> Self {
        Bytes(count << 10)
    }

    /// So many MiB (1024 KiB each).
    #[must_use]
    pub const fn mebibytes(count: u64) -> Self {
        Bytes(count << 20)
    }

    /// As a whole number of bytes.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }

    /// As a floating-point number of bytes, for rates and means.
    #[must_use]
    pub const fn as_f64(self) -> f64 {
        self.0 as f64
    }

    /// Whether there is no data.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }
}

impl Add for Bytes {
    type Output = Bytes;
    fn add(self, other: Bytes) -> Bytes {
        Bytes(self.0 + other.0)
    }
}

impl AddAssign for Bytes {
    fn add_assign(&mut self, other: Bytes) {
        *self = *self + other;
    }
}

impl Sub for Bytes {
    type Output = Bytes;
    fn sub(self, other: Bytes) -> Bytes {
        Bytes(self.0 - other.0)
    }
}

impl Sum for Bytes {
    fn sum<I: Iterator<Item = Bytes>>(iter: I) -> Bytes {
        iter.fold(Bytes::ZERO, Add::add)
    }
}

impl FromStr for Bytes {
    type Err = QuantityError;
    fn from_str(text: &str) -> Result<Self, QuantityError> {
        // Below 2^53 the product is exact for whole numbers; fractions round to a byte.
        RULES.read(text).map(|value| Bytes(value.round() as u64))
    }
}

impl fmt::Display for Bytes {
    /// In the largest unit that divides the amount, so that reading it back gives the same bytes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const BINARY: [&str; 6] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
        const DECIMAL: [&str; 6] = ["B", "kB", "MB", "GB", "TB", "PB"];
        let (mut count, mut unit) = (self.0, 0);
        while count > 0 && count % 1024 == 0 && unit + 1 < BINARY.len() {
            count /= 1024;
            unit += 1;
        }
        let (mut tens, mut decimal) = (self.0, 0);
        while tens > 0 && tens % 1000 == 0 && decimal + 1 < DECIMAL.len() {
            tens /= 1000;
            decimal += 1;
        }
        if unit == 0 && decimal > 0 {
            return write!(f, "{tens} {}", DECIMAL[decimal]);
        }
        write!(f, "{count} {}", BINARY[unit])
    }
}

quantity_text!(
    Bytes,
    "Bytes",
    "bytes",
    "An amount of data with its unit: B, KiB, MiB, GiB, TiB, PiB (powers of 1024) or kB, MB, GB, \
     TB, PB (powers of 1000)",
    ["6 GiB", "1 MiB", "500 GB"]
);
