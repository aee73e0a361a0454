//! Experiments on the fitting itself: what it recovers of known truths, what few runs are worth,
//! and which assumptions of the model the evidence prefers.
//!
//! Nothing here is fitted to be shipped. The `evidence` program runs the experiments in full and
//! prints their tables; tests run small ones.

mod assumptions;
mod few_runs;
mod pipelines;
mod recovery;

pub use assumptions::{Alternative, Assumption, AssumptionResult, assumptions, try_assumption};
pub use few_runs::{FewRuns, few_runs};
pub use recovery::{Recovery, recovery};

/// A value below which the share `p` of all lies; nothing of nothing.
#[must_use]
pub fn quantile(values: &[f64], p: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    let at = p.clamp(0.0, 1.0) * last as f64;
    let (below, share) = (at.floor(), at.fract());
    let (low, high) = (sorted[below as usize], sorted[(below as usize + 1).min(last)]);
    Some(low + share * (high - low))
}
