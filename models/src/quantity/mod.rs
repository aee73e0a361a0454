//! Quantities as types: bytes, byte rates, lengths of time, fractions, factors and ratios.
//!
//! In a scenario file a quantity is text with its unit (`"6 GiB"`, `"75 MB/s"`, `"165 ms"`,
//! `"40 %"`), so that nobody has to guess what a bare number meant. Inside, data are whole bytes
//! and time is whole nanoseconds. `KiB MiB GiB TiB` are powers of 1024, `kB MB GB TB` powers of
//! 1000; the two are never mixed up silently. A value that leaves its range is refused here, so no
//! later division needs a check.

mod bytes;
mod number;
mod period;
mod rate;
mod text;

pub use bytes::Bytes;
pub(crate) use bytes::real;
pub use number::{Factor, Fraction, Ratio};
pub use period::Period;
pub use rate::ByteRate;
pub use text::QuantityError;

/// Text form, serialization and JSON schema of one quantity type.
///
/// The schema carries `format` (which quantity it is) and `examples`; the checker of scenario
/// files recognises the quantity by that format.
macro_rules! quantity_text {
    ($type:ty, $name:literal, $format:literal, $description:literal, [$($example:literal),+]) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
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
                    "type": "string",
                    "format": $format,
                    "description": $description,
                    "examples": [$($example),+]
                })
            }
        }
    };
}
use quantity_text;
