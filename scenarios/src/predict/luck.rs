//! The random numbers of a night, shared by all configurations that are tried on it.
//!
//! Every configuration meets the same luck in the same night (common random numbers), so its
//! variates need to be drawn only once: each thread keeps them on tapes. That changes how long a
//! batch takes, and nothing else.

use bakcast_sim::{Streams, Tapes};

thread_local! {
    static TAPES: Tapes = Tapes::new();
}

/// Calls `run` with the streams of a night.
pub fn with_streams<T>(seed: u64, replication: u64, run: impl FnOnce(&Streams<'_>) -> T) -> T {
    TAPES.with(|tapes| run(&Streams::new(seed, replication).with_tapes(tapes)))
}
