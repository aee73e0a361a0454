//! The simulator against what is known without it. One binary, one file a subject.
//!
//! # How intervals are judged
//!
//! Many estimates are compared with exact values here, and of many 99 % intervals some miss by
//! chance even if all is right. `Verdict` therefore judges a family of m comparisons jointly: each
//! must lie within its interval at level 1 - 0.01 / m (Bonferroni), which a correct simulator
//! passes as a whole with probability 0.99 at least, and no more than a few may miss their own
//! 99 % interval. All seeds are fixed, so a failure is a change of the program and not of luck;
//! the intervals were not looked at to choose the seeds.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

/// Closed networks against mean value analysis.
mod closed_networks;
/// Operational laws, in integers.
mod laws;
/// Samplers and streams against the distributions they are meant to have.
mod samplers;
/// Single stations against M/M/1, M/M/c, M/G/1 and processor sharing.
mod single_stations;

use bakcast_sim::ConfidenceInterval;

/// One comparison: replications of an estimate, and the exact value.
struct Comparison {
    what: String,
    estimates: Vec<f64>,
    exact: f64,
}

/// A family of comparisons, judged together.
#[derive(Default)]
struct Verdict(Vec<Comparison>);

impl Verdict {
    fn compare(&mut self, what: String, estimates: Vec<f64>, exact: f64) {
        self.0.push(Comparison { what, estimates, exact });
    }

    /// Fails if a comparison misses jointly, if more miss singly than chance allows, or if the
    /// intervals are too wide to tell anything: `width_max` bounds the median of half-width /
    /// exact.
    fn judge(&self, width_max: f64) {
        let joint_level = 1.0 - 0.01 / self.0.len() as f64;
        let mut widths = Vec::new();
        let mut misses = Vec::new();
        for Comparison { what, estimates, exact } in &self.0 {
            let joint = ConfidenceInterval::of_mean(estimates, joint_level).unwrap();
            assert!(joint.contains(*exact), "{what}: {exact} is not in {joint:?}");
            let single = ConfidenceInterval::of_mean(estimates, 0.99).unwrap();
            widths.push(single.half_width() / exact);
            if !single.contains(*exact) {
                misses.push(what);
            }
        }
        // A Poisson number with mean m / 100 exceeds this less than once in four hundred families.
        // Comparisons within one network depend on each other, so misses come in small groups.
        let expected = self.0.len() as f64 / 100.0;
        let misses_max = expected + 3.1 * expected.sqrt() + 1.0;
        assert!((misses.len() as f64) <= misses_max, "too many misses: {misses:?}");
        println!("{} comparisons, single misses: {misses:?}", self.0.len());
        widths.sort_unstable_by(f64::total_cmp);
        let median = widths[widths.len() / 2];
        println!("median half-width: {median:.4} of the exact value");
        assert!(median <= width_max, "the intervals are too wide: {median}");
    }
}
