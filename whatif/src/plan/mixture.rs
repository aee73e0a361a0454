//! Durations that are equally likely.

use super::look::Course;

/// Durations that are equally likely, rising.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Mixture(Vec<f64>);

impl Mixture {
    pub(super) fn new(mut seconds: Vec<f64>) -> Self {
        seconds.sort_by(f64::total_cmp);
        Mixture(seconds)
    }

    /// All nights with all growths in a month.
    pub(super) fn of(course: Course<'_>, rates: &[f64], month: u32) -> Self {
        let factors = rates.iter().map(|rate| super::factor(*rate, month));
        Mixture::new(factors.flat_map(|factor| course.at(factor)).collect())
    }

    /// What one more stays below with probability `p`, as the ends of predicted ranges are read off
    /// ([`bakcast_sim::quantile_to_come`]); the median is the same either way.
    pub(super) fn quantile(&self, p: f64) -> f64 {
        let Some(last) = self.0.len().checked_sub(1) else { return f64::INFINITY };
        let place = (p * (last + 2) as f64 - 1.0).clamp(0.0, last as f64);
        let below = (place.floor() as usize).min(last);
        let above = (below + 1).min(last);
        let share = place - below as f64;
        if share <= 0.0 {
            return self.0[below];
        }
        self.0[below] + share * (self.0[above] - self.0[below])
    }

    /// The share that is no longer than `seconds`: what [`Mixture::quantile`] is the inverse of.
    pub(super) fn share_within(&self, seconds: f64) -> f64 {
        let within = self.0.partition_point(|own| *own <= seconds);
        let count = self.0.len();
        if within == 0 || within == count {
            return if within == 0 { 0.0 } else { 1.0 };
        }
        let (below, above) = (self.0[within - 1], self.0[within]);
        let share = if above.is_finite() { (seconds - below) / (above - below) } else { 0.0 };
        (within as f64 + share) / (count + 1) as f64
    }
}

/// The quantile of the standard normal distribution, by bisection.
#[must_use]
pub fn normal_quantile(p: f64) -> f64 {
    let (mut low, mut high) = (-40.0, 40.0);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        let below = 0.5 * libm::erfc(-middle / std::f64::consts::SQRT_2);
        if below < p { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_the_normal_distribution_are_known() {
        for (p, z) in [(0.5, 0.0), (0.95, 1.644_853_6), (0.975, 1.959_964), (0.05, -1.644_853_6)] {
            assert!((normal_quantile(p) - z).abs() < 1e-6, "{p}: {}", normal_quantile(p));
        }
    }

    #[test]
    fn the_share_within_is_the_inverse_of_the_quantile() {
        let mixture = Mixture::new(vec![5.0, 1.0, 2.0, 9.0]);
        for p in [0.21, 0.33, 0.5, 0.79] {
            let seconds = mixture.quantile(p);
            assert!((mixture.share_within(seconds) - p).abs() < 1e-12, "{p}");
        }
        // Beyond what four nights can tell, it is the last of them.
        let ends = [mixture.quantile(0.1), mixture.quantile(0.95)].map(f64::to_bits);
        assert_eq!(ends, [1.0, 9.0_f64].map(f64::to_bits));
        assert_eq!(mixture.share_within(0.9).to_bits(), 0.0_f64.to_bits());
        assert_eq!(mixture.share_within(9.0).to_bits(), 1.0_f64.to_bits());
    }
}
