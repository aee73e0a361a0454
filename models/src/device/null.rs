//! The NUL device: a target that costs nothing.
//!
//! Backing up to NUL measures the source and the compression alone; users do it to find their
//! ceilings.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The NUL device has no parameters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Null {}
