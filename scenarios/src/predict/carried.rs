//! Putting right what was carried forward.
//!
//! Each run measures its rate on a window, so the time it carries forward is off by a sampling
//! error, which makes a set of runs scatter too much; and the carried time itself has none of the
//! variation that so many transfers would have had. All of that is known well enough:
//!
//! - Why rates differ from run to run is known for the most part: the speeds of devices and
//!   processors were drawn. So the deviations of the rates from their mean are regressed on those
//!   of 1 / speed (least squares; control variates), and what the speeds explain is kept as it is.
//! - What they do not explain has variance seen = variance between runs + mean sampling variance.
//!   It is shrunk by sqrt((seen - sampling) / seen), or to nothing if the sampling error explains
//!   all of it (the variance components of a one-way layout; see any text on random effects, or
//!   James and Stein on shrinking).
//! - The variation within a run is put in as a normal draw: a sum of so many nearly independent
//!   batches is normal.

use bakcast_models::outcome::Carried;

/// A carried part of a run, and the speeds at which it ran.
#[derive(Debug, Clone)]
pub(super) struct CarriedPart {
    pub(super) carried: Carried,
    pub(super) speeds: Vec<f64>,
}

/// Runs for each speed that is to explain something.
const RUNS_A_SPEED: usize = 3;

/// Durations of runs with their carried parts put right. Runs without one stay as they are.
pub(super) fn put_right(elapsed: &[f64], carried: &[Option<CarriedPart>]) -> Vec<f64> {
    let parts: Vec<&CarriedPart> = carried.iter().flatten().collect();
    if parts.len() < carried.len() || parts.is_empty() {
        return elapsed.to_vec();
    }
    let count = parts.len() as f64;
    let rate = |c: &Carried| c.seconds / (c.bytes as f64).max(1.0);
    // Of all bytes together: then what is taken from one run is given to the others.
    let bytes: f64 = parts.iter().map(|part| part.carried.bytes as f64).sum();
    let mean = parts.iter().map(|part| part.carried.seconds).sum::<f64>() / bytes.max(1.0);
    let mean_square = |f: &dyn Fn(&Carried) -> f64| {
        parts.iter().map(|part| f(&part.carried) * f(&part.carried)).sum::<f64>() / count
    };
    let mut rest: Vec<f64> = parts.iter().map(|part| rate(&part.carried) - mean).collect();
    let explained = explain(&mut rest, &slownesses(&parts));
    let freedom = count - 1.0 - explained as f64;
    let seen = rest.iter().map(|d| d * d).sum::<f64>() / freedom.max(1.0);
    let sampling = mean_square(&|c| c.estimate_seconds / (c.bytes as f64).max(1.0));
    let keep = if parts.len() > 1 && seen > 0.0 {
        libm::sqrt(((seen - sampling) / seen).max(0.0))
    } else {
        1.0
    };
    let natural = libm::sqrt(mean_square(&|c| c.natural_seconds));
    let right = |((elapsed, part), rest): ((&f64, &&CarriedPart), &f64)| {
        let c = &part.carried;
        let rate = rate(c) - (1.0 - keep) * rest;
        (elapsed - c.seconds + c.bytes as f64 * rate + natural * c.draw).max(0.0)
    };
    elapsed.iter().zip(&parts).zip(&rest).map(right).collect()
}

/// Deviations of 1 / speed from its mean over the runs, for each device and the processors.
fn slownesses(parts: &[&CarriedPart]) -> Vec<Vec<f64>> {
    let speeds = parts.iter().map(|part| part.speeds.len()).min().unwrap_or(0);
    let of_one = |index: usize| {
        let slow: Vec<f64> = parts.iter().map(|part| 1.0 / part.speeds[index]).collect();
        let mean = slow.iter().sum::<f64>() / slow.len() as f64;
        slow.iter().map(|s| s - mean).collect()
    };
    (0..speeds).map(of_one).collect()
}

/// Takes from `rest` what the columns explain of it (least squares by the modified Gram-Schmidt
/// process); returns how many of them had something of their own to say.
fn explain(rest: &mut [f64], columns: &[Vec<f64>]) -> usize {
    if rest.len() <= RUNS_A_SPEED * columns.len() {
        return 0;
    }
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let take = |from: &mut [f64], share: f64, unit: &[f64]| {
        from.iter_mut().zip(unit).for_each(|(from, unit)| *from -= share * unit);
    };
    let mut units: Vec<Vec<f64>> = Vec::new();
    for column in columns {
        let mut column = column.clone();
        let whole = dot(&column, &column);
        for unit in &units {
            let share = dot(&column, unit);
            take(&mut column, share, unit);
        }
        let left = dot(&column, &column);
        // Speeds that do not vary, or do so together.
        if whole < 1e-18 || left < 1e-9 * whole {
            continue;
        }
        let length = libm::sqrt(left);
        column.iter_mut().for_each(|c| *c /= length);
        let share = dot(rest, &column);
        take(rest, share, &column);
        units.push(column);
    }
    units.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn carried(seconds: f64, estimate: f64, natural: f64, draw: f64) -> Option<CarriedPart> {
        let carried = Carried {
            bytes: 1000,
            seconds,
            estimate_seconds: estimate,
            natural_seconds: natural,
            draw,
        };
        Some(CarriedPart { carried, speeds: Vec::new() })
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

    /// Times that are base / speed, each measured with an error: the error goes, and what the
    /// speeds explain stays.
    #[test]
    fn what_speeds_explain_is_kept_and_the_sampling_error_beside_it_goes() {
        let mut random = bakcast_sim::Streams::new(1, 0).named("runs");
        let (mut parts, mut elapsed, mut truth) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..40 {
            // Two devices, of which the first limits, and one that never varies.
            let speeds = vec![1.0 + 0.04 * random.normal(), 1.0 + 0.04 * random.normal(), 1.0];
            let exact = 100.0 / speeds[0];
            let seconds = exact * (1.0 + 0.01 * random.normal());
            let part = carried(seconds, 1.0, 0.0, 0.0);
            parts.push(part.map(|part| CarriedPart { speeds, ..part }));
            elapsed.push(seconds);
            truth.push(exact);
        }
        let off = |values: &[f64]| {
            let squares = values.iter().zip(&truth).map(|(v, t)| (v - t) * (v - t)).sum::<f64>();
            libm::sqrt(squares / truth.len() as f64)
        };
        let right = put_right(&elapsed, &parts);
        assert!(off(&elapsed) > 0.7, "{}", off(&elapsed));
        assert!(off(&right) < 0.45, "{}", off(&right));
        // The sum is that of what was measured.
        let sum = |values: &[f64]| values.iter().sum::<f64>();
        assert!((sum(&right) / sum(&elapsed) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn few_runs_are_not_explained_by_many_speeds() {
        let with = |seconds, speeds: [f64; 2]| {
            let part = carried(seconds, 0.0, 0.0, 0.0);
            part.map(|part| CarriedPart { speeds: speeds.to_vec(), ..part })
        };
        let parts = [with(99.0, [1.0, 1.1]), with(101.0, [0.9, 1.0]), with(103.0, [1.1, 0.9])];
        let elapsed = [109.0, 111.0, 113.0];
        let right = put_right(&elapsed, &parts);
        assert!(right.iter().zip(elapsed).all(|(r, e)| (r - e).abs() < 1e-9), "{right:?}");
    }
}
