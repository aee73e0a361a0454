//! A device that is nothing but its rate.
//!
//! Hold time = bytes / rate x variability. Reads and writes share the one rate; nothing is lost
//! when streams interleave. Fit for a host cap, a provider's limit on a volume, a storage array of
//! which only the rate is known, and for teaching. Positioning, caches and latency are left out.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::quantity::{ByteRate, Factor, real};

/// Parameters of a device with a fixed rate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FixedRate {
    /// Bytes per second, reads and writes together.
    pub rate: ByteRate,
    /// Coefficient of variation of the hold time from transfer to transfer.
    #[serde(default = "default_variability")]
    pub variability: Factor,
}

/// A rate that is a limit is kept to exactly.
fn default_variability() -> Factor {
    Factor::ZERO
}

impl FixedRate {
    /// Seconds the device is held by `bytes`, before variability.
    pub(super) fn hold_s(&self, bytes: u64) -> f64 {
        real(bytes) / self.rate.get()
    }
}
