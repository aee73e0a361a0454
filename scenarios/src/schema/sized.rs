//! Amounts of data with a narrower range than any amount: each type refuses what does not fit.

use std::fmt;
use std::str::FromStr;

use bakcast_models::quantity::{Bytes, QuantityError};
use bakcast_models::sql_server;

const OUT_OF_RANGE: &str = "it is out of range";

macro_rules! sized_bytes {
    ($(#[$doc:meta])* $type:ident, $format:literal, $description:literal, $example:literal,
     $fault:expr, $accepted:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub struct $type(Bytes);

        impl $type {
            /// The amount; `None` unless it fits.
            #[must_use]
            pub fn new(bytes: Bytes) -> Option<Self> {
                $type::fault(bytes).is_none().then_some($type(bytes))
            }

            /// Why it does not fit.
            fn fault(bytes: Bytes) -> Option<&'static str> {
                let fault: fn(Bytes) -> Option<&'static str> = $fault;
                fault(bytes)
            }

            /// The amount as bytes.
            #[must_use]
            pub const fn bytes(self) -> Bytes {
                self.0
            }
        }

        impl FromStr for $type {
            type Err = QuantityError;
            fn from_str(text: &str) -> Result<Self, QuantityError> {
                let bytes = text.parse::<Bytes>().map_err(|error| QuantityError {
                    accepted: $accepted.to_string(),
                    ..error
                })?;
                match $type::fault(bytes) {
                    None => Ok($type(bytes)),
                    Some(fault) => Err(QuantityError {
                        found: text.to_string(),
                        problem: fault.to_string(),
                        accepted: $accepted.to_string(),
                    }),
                }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

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
                stringify!($type).into()
            }
            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({
                    "type": "string",
                    "format": $format,
                    "description": $description,
                    "examples": [$example]
                })
            }
        }
    };
}

sized_bytes!(
    /// An amount of data that is not nothing.
    DataSize,
    "data-size",
    "An amount of data above 0 B, with its unit",
    "6 GiB",
    |bytes| bytes.is_zero().then_some(OUT_OF_RANGE),
    "an amount of data from 1 B to 1024 PiB, e.g. `6 GiB` (2^30) or `6 GB` (10^9)"
);

sized_bytes!(
    /// A transfer size the engine accepts for a disk.
    TransferSize,
    "transfer-size",
    "A multiple of 64 KiB from 64 KiB to 4 MiB, with its unit",
    "4 MiB",
    |bytes| {
        let step = sql_server::TRANSFER_SIZE_STEP.get();
        if !(step..=sql_server::TRANSFER_SIZE_MAX.get()).contains(&bytes.get()) {
            return Some(OUT_OF_RANGE);
        }
        (bytes.get() % step != 0).then_some("it is not a multiple of 64 KiB")
    },
    "a multiple of 64 KiB from `64 KiB` to `4 MiB`"
);

impl Default for TransferSize {
    /// The engine's default for a disk.
    fn default() -> Self {
        TransferSize(sql_server::TRANSFER_SIZE_DEFAULT)
    }
}

sized_bytes!(
    /// A block size the engine accepts.
    BlockSize,
    "block-size",
    "A power of two from 512 B to 64 KiB, with its unit",
    "64 KiB",
    |bytes| (!sql_server::BLOCK_SIZES.contains(&bytes.get())).then_some(OUT_OF_RANGE),
    "one of `512 B`, `1 KiB`, `2 KiB`, `4 KiB`, `8 KiB`, `16 KiB`, `32 KiB`, `64 KiB`"
);

impl Default for BlockSize {
    /// The engine's default for a disk.
    fn default() -> Self {
        BlockSize(Bytes::new(sql_server::BLOCK_SIZES[0]))
    }
}
