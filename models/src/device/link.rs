//! A network link, or the share behind it.
//!
//! Each backup file and each volume has one connection; the transfers of a connection follow one
//! another. The connections in use share the rate equally, and none gets more than its ceiling,
//! which is why striping helps on a network. Every request pays one round trip, which overlaps with
//! other transfers.
//!
//! Others leave a lower rate: their packets are so many and so short that they do not come and go.
//!
//! Hold time = round trip, then bytes at min(ceiling, rate / connections in use).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::quantity::{ByteRate, Period};

/// Parameters of a link.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// Bytes per second of payload, shared by the connections in use.
    pub rate: ByteRate,
    /// Most bytes per second of one connection, that is of one backup file or volume; absent: no
    /// ceiling but the rate.
    #[serde(default)]
    pub per_connection: Option<ByteRate>,
    /// Time from request to first byte, paid by every request.
    #[serde(default = "default_round_trip")]
    pub round_trip: Period,
}

/// A switched local network; assumption, of no weight at transfers of 1 MiB.
fn default_round_trip() -> Period {
    Period::from_nanos(200_000)
}
