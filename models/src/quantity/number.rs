//! Numbers without a dimension, each with its own range.

use std::fmt;
use std::str::FromStr;

use super::quantity_text;
use super::text::{QuantityError, Rules};

/// A share from 0 to 100 %, written with its sign: `40 %`.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
pub struct Fraction(f64);

const FRACTION: Rules = Rules {
    units: &[("%", 0.01)],
    min: 0.0,
    max: 1.0,
    accepted: "a share from 0 % to 100 %, e.g. `40 %`",
};

impl Fraction {
    /// Nothing.
    pub const ZERO: Fraction = Fraction(0.0);

    /// A share as a number; `None` unless it lies between 0 and 1.
    #[must_use]
    pub fn new(share: f64) -> Option<Self> {
        (FRACTION.min..=FRACTION.max).contains(&share).then_some(Fraction(share))
    }

    /// So many hundredths, from 0 to 100.
    #[must_use]
    pub const fn percent(count: u8) -> Self {
        assert!(count <= 100);
        Fraction(count as f64 / 100.0)
    }

    /// As a number from 0 to 1.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl FromStr for Fraction {
    type Err = QuantityError;
    fn from_str(text: &str) -> Result<Self, QuantityError> {
        FRACTION.read(text).map(Fraction)
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Rounded to 10^-10 %: 0.07 * 100 would print as 7.000000000000001.
        write!(f, "{} %", (self.0 * 1e12).round() / 1e10)
    }
}

quantity_text!(
    Fraction,
    "Fraction",
    "fraction",
    "A share from 0 % to 100 %, written with its sign",
    ["40 %", "2.5 %"]
);

macro_rules! plain_number {
    (
        $(#[$doc:meta])* $type:ident,
        $name:literal, $format:literal, $min:literal, $max:literal, $description:literal
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
        pub struct $type(f64);

        impl $type {
            /// The number; `None` outside the range.
            #[must_use]
            pub fn new(value: f64) -> Option<Self> {
                ($min..=$max).contains(&value).then_some($type(value))
            }

            /// As a plain number.
            #[must_use]
            pub const fn get(self) -> f64 {
                self.0
            }
        }

        impl TryFrom<f64> for $type {
            type Error = QuantityError;
            fn try_from(value: f64) -> Result<Self, QuantityError> {
                $type::new(value).ok_or_else(|| QuantityError {
                    found: value.to_string(),
                    problem: "it is out of range".to_string(),
                    accepted: format!("a number from {} to {}", $min, $max),
                })
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_f64(self.0)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let value = <f64 as serde::Deserialize>::deserialize(deserializer)?;
                $type::try_from(value).map_err(serde::de::Error::custom)
            }
        }

        impl schemars::JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }
            fn schema_name() -> std::borrow::Cow<'static, str> {
                $name.into()
            }
            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({
                    "type": "number",
                    "format": $format,
                    "minimum": $min,
                    "maximum": $max,
                    "description": $description
                })
            }
        }
    };
}

plain_number!(
    /// A factor from 0 to 1000: a coefficient of variation, an amplification.
    Factor, "Factor", "factor", 0.0, 1000.0, "A number without a unit, from 0 to 1000"
);

plain_number!(
    /// Bytes in per byte out of a compressor, from 0.5 (data that grow) to 1000.
    Ratio, "Ratio", "ratio", 0.5, 1000.0,
    "Bytes in per byte out, from 0.5 (data that grow) to 1000"
);

impl Factor {
    /// Nothing.
    pub const ZERO: Factor = Factor(0.0);
    /// No change.
    pub const ONE: Factor = Factor(1.0);

    /// So many tenths.
    #[must_use]
    pub const fn tenths(count: u16) -> Self {
        assert!(count <= 10_000);
        Factor(count as f64 / 10.0)
    }
}
