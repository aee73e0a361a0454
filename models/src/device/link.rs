//! A network link, or the share behind it.
//!
//! All transfers under way share the rate equally; one connection (one backup file, one volume)
//! never gets more than its ceiling, which is why striping helps on a network. Every request pays
//! one round trip, during which the link serves others.
//!
//! Hold time = round trip, then bytes at min(ceiling, rate / transfers under way).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::quantity::{ByteRate, Period};

/// Parameters of a link.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// Bytes per second of payload, shared by all transfers under way.
    pub rate: ByteRate,
    /// Most bytes per second of one transfer under way; absent: no ceiling but the rate.
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
