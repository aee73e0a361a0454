//! Independent repeats of a run, on all processors, with the same results on any number of them.
//!
//! A replication gets its number and nothing else that could differ from run to run; it makes its
//! [`Streams`](crate::Streams) from that. Results come back by number, never in the order in which
//! threads happen to finish, so whatever is computed from them is the same everywhere. How many
//! threads work is the affair of the caller's `rayon` pool.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

/// Replications `0..count` of `f`, in order of their number.
///
/// All results are kept: let `f` return what is wanted from a run, not the run. Where even that is
/// too much, or where there are several things to replicate, use [`batch`](crate::batch).
///
/// ```
/// use bakcast_sim::{Streams, replicate};
///
/// let draws = replicate(3, |replication| Streams::new(1, replication).named("x").uniform());
/// assert_eq!(draws[2], Streams::new(1, 2).named("x").uniform());
/// ```
pub fn replicate<T: Send>(count: u64, f: impl Fn(u64) -> T + Sync) -> Vec<T> {
    (0..count).into_par_iter().map(&f).collect()
}

/// As [`replicate`] for runs that can fail: the results of all, or the error of the failed
/// replication with the lowest number, on any number of threads. Replications above one that has
/// failed are not begun any more.
///
/// # Errors
///
/// The first error by number.
pub fn try_replicate<T: Send, E: Send>(
    count: u64,
    f: impl Fn(u64) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let lowest_failed = AtomicU64::new(u64::MAX);
    let results: Vec<Option<Result<T, E>>> = (0..count)
        .into_par_iter()
        .map(|replication| {
            // A skipped number is above some failed one, so the lowest failure is never skipped.
            if replication > lowest_failed.load(Ordering::Relaxed) {
                return None;
            }
            let result = f(replication);
            if result.is_err() {
                lowest_failed.fetch_min(replication, Ordering::Relaxed);
            }
            Some(result)
        })
        .collect();
    results.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::Streams;

    fn on_threads<T: Send>(threads: usize, f: impl FnOnce() -> T + Send) -> T {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(f)
    }

    fn work(replication: u64) -> f64 {
        let mut stream = Streams::new(11, replication).named("work");
        // Uneven, so that threads finish out of order.
        (0..1 + replication * 37 % 101).map(|_| stream.exponential()).sum()
    }

    #[test]
    fn the_number_of_threads_does_not_matter() {
        let expected: Vec<f64> = (0..200).map(work).collect();
        for threads in [1, 2, 8] {
            assert_eq!(on_threads(threads, || replicate(200, work)), expected);
        }
    }

    #[test]
    fn the_first_error_by_number_is_returned() {
        let fail = |replication: u64| {
            if replication % 50 == 37 { Err(replication) } else { Ok(work(replication)) }
        };
        for threads in [1, 2, 8] {
            assert_eq!(on_threads(threads, || try_replicate(200, fail)), Err(37));
        }
        assert_eq!(try_replicate(30, fail).map(|results| results.len()), Ok(30));
    }

    #[test]
    fn no_replications_are_no_results() {
        assert!(replicate(0, work).is_empty());
    }
}
