//! What every rate of a benchmark is judged by, whatever program measured it.

use crate::figure::{GIB, shown, size_text};
use crate::finding::{CautionCode, Import, Pattern, Rate};

/// Below this, caches and the start decide what is measured.
const SHORTEST_S: f64 = 5.0;
/// What is recommended instead.
const WANTED_S: f64 = 30.0;
/// A file below this fits into the cache of many drives and controllers.
const SMALLEST_FILE: u64 = 4 * GIB;

/// Cautions about a rate; `uncached` says how to pass by the caches.
pub(crate) fn judge(import: &mut Import, rate: &Rate, uncached: &str) {
    let label = shown(&rate.label);
    if let Some(seconds) = rate.seconds.filter(|seconds| *seconds < SHORTEST_S) {
        let text = format!("`{label}` ran {seconds:.2} s; use at least {WANTED_S} s");
        import.caution(CautionCode::TooShort, text);
    }
    match rate.direct {
        Some(true) => {}
        Some(false) => import.caution(
            CautionCode::Cached,
            format!("`{label}` went through the cache of the system; use {uncached}"),
        ),
        None => import.caution(
            CautionCode::Cached,
            format!("`{label}` does not say whether caches were passed by; use {uncached}"),
        ),
    }
    small_file(import, rate);
    if rate.pattern == Pattern::Random {
        let text = format!("`{label}` is random I/O: not for a sequential stage");
        import.caution(CautionCode::Random, text);
    }
    if rate.mixed {
        let text = format!(
            "`{label}` read and wrote at the same time: neither rate is what the device does alone"
        );
        import.caution(CautionCode::Mixed, text);
    }
}

/// A caution if the file fits into caches.
pub(crate) fn small_file(import: &mut Import, rate: &Rate) {
    if let Some(bytes) = rate.file_bytes.filter(|bytes| *bytes > 0 && *bytes < SMALLEST_FILE) {
        let text = format!(
            "a test file of {} may fit into a cache: peak, cached; use {} or more",
            size_text(bytes),
            size_text(SMALLEST_FILE),
        );
        import.caution(CautionCode::Cached, text);
    }
}
