//! Putting right what was carried forward.
//!
//! Each run measures its rate on a window, so the time it carries forward is off by a sampling
//! error, which makes a set of runs scatter too much; and the carried time itself has none of the
//! variation that so many transfers would have had. Both are known:
//!
//! - Rates of the runs: variance seen = variance between runs + mean sampling variance. Their
//!   deviations from the mean are shrunk by sqrt((seen - sampling) / seen), or to nothing if the
//!   sampling error explains all of it (the variance components of a one-way layout; see any text
//!   on random effects, or James and Stein on shrinking).
//! - The variation within a run is put in as a normal draw: a sum of so many nearly independent
//!   batches is normal.

use bakcast_models::outcome::Carried;

/// Durations of runs with their carried parts put right. Runs without one stay as they are.
pub(super) fn put_right(elapsed: &[f64], carried: &[Option<Carried>]) -> Vec<f64> {
    let parts: Vec<Carried> = carried.iter().flatten().copied().collect();
    if parts.len() < carried.len() || parts.is_empty() {
        return elapsed.to_vec();
    }
    let count = parts.len() as f64;
    let rate = |c: &Carried| c.seconds / (c.bytes as f64).max(1.0);
    // Of all bytes together: then what is taken from one run is given to the others.
    let bytes: f64 = parts.iter().map(|c| c.bytes as f64).sum();
    let mean = parts.iter().map(|c| c.seconds).sum::<f64>() / bytes.max(1.0);
    let mean_square =
        |f: &dyn Fn(&Carried) -> f64| parts.iter().map(|c| f(c) * f(c)).sum::<f64>() / count;
    let seen = mean_square(&|c| rate(c) - mean) * count / (count - 1.0).max(1.0);
    let sampling = mean_square(&|c| c.estimate_seconds / (c.bytes as f64).max(1.0));
    let keep = if parts.len() > 1 && seen > 0.0 {
        libm::sqrt(((seen - sampling) / seen).max(0.0))
    } else {
        1.0
    };
    let natural = libm::sqrt(mean_square(&|c| c.natural_seconds));
    let right = |(elapsed, c): (&f64, &Carried)| {
        let bytes = c.bytes as f64;
        let seconds = bytes * (mean + keep * (rate(c) - mean)) + natural * c.draw;
        (elapsed - c.seconds + seconds).max(0.0)
    };
    elapsed.iter().zip(&parts).map(right).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn carried(seconds: f64, estimate: f64, natural: f64, draw: f64) -> Option<Carried> {
        Some(Carried {
            bytes: 1000,
            seconds,
            estimate_seconds: estimate,
            natural_seconds: natural,
            draw,
        })
    }

    #[test]
    fn scatter_that_is_all_sampling_error_is_taken_away() {
        let parts = [carried(99.0, 5.0, 0.0, 0.3), carried(101.0, 5.0, 0.0, -1.0)];
        let right = put_right(&[109.0, 111.0], &parts);
        assert!(right.iter().all(|t| (t - 110.0).abs() < 1e-9), "{right:?}");
    }

    #[test]
    fn scatter_between_runs_stays_and_natural_variation_is_added() {
        let parts = [carried(90.0, 0.0, 2.0, 1.0), carried(110.0, 0.0, 2.0, -0.5)];
        let right = put_right(&[100.0, 120.0], &parts);
        assert!((right[0] - 102.0).abs() < 1e-9 && (right[1] - 119.0).abs() < 1e-9, "{right:?}");
    }

    #[test]
    fn runs_without_a_carried_part_stay_as_they_are() {
        assert_eq!(put_right(&[3.0, 4.0], &[None, None]), [3.0, 4.0]);
    }
}
