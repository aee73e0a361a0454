//! Variates against the distributions they are meant to have, which statrs knows independently.

use bakcast_sim::{Distribution, Stream, Streams, Tally};
use statrs::distribution::{ContinuousCDF, Exp, Gamma, LogNormal, Normal, Uniform};

const DRAWS: usize = 40_000;

fn draws(name: &str, mut draw: impl FnMut(&mut Stream) -> f64) -> Vec<f64> {
    let mut stream = Streams::new(5, 0).named(name);
    (0..DRAWS).map(|_| draw(&mut stream)).collect()
}

/// Kolmogorov and Smirnov's largest distance between sample and distribution, times sqrt(n);
/// above 2.23 once in ten thousand samples.
fn distance(values: &[f64], cdf: impl Fn(f64) -> f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let count = sorted.len() as f64;
    let gap = |(index, &value): (usize, &f64)| {
        let p = cdf(value);
        (p - index as f64 / count).abs().max(((index + 1) as f64 / count - p).abs())
    };
    sorted.iter().enumerate().map(gap).fold(0.0, f64::max) * count.sqrt()
}

fn assert_fits(name: &str, values: &[f64], cdf: impl Fn(f64) -> f64) {
    let distance = distance(values, cdf);
    assert!(distance < 2.23, "{name}: {distance}");
}

#[test]
fn base_variates_have_their_distributions() {
    let uniform = Uniform::new(0.0, 1.0).unwrap();
    assert_fits("uniform", &draws("uniform", Stream::uniform), |x| uniform.cdf(x));
    let exponential = Exp::new(1.0).unwrap();
    assert_fits("exponential", &draws("exponential", Stream::exponential), |x| exponential.cdf(x));
    let normal = Normal::new(0.0, 1.0).unwrap();
    assert_fits("normal", &draws("normal", Stream::normal), |x| normal.cdf(x));
}

#[test]
fn a_wrong_distribution_is_noticed() {
    let wrong = Exp::new(1.05).unwrap();
    assert!(distance(&draws("exponential", Stream::exponential), |x| wrong.cdf(x)) > 2.23);
}

#[test]
fn transformed_variates_have_their_distributions() {
    for (mean, cv) in [(2.0, 0.1), (0.004, 0.5), (3.0, 2.0)] {
        let law = Distribution::log_normal(mean, cv).unwrap();
        let variance = libm::log(1.0 + cv * cv);
        let expected = LogNormal::new(libm::log(mean) - variance / 2.0, variance.sqrt()).unwrap();
        let values = draws("log-normal", |stream| law.sample(stream));
        assert_fits("log-normal", &values, |x| expected.cdf(x));
    }
    for (mean, cv) in [(2.0, 0.2), (0.004, 0.7), (1.0, 1.0), (3.0, 1.5), (1.0, 3.0)] {
        let law = Distribution::gamma(mean, cv).unwrap();
        let expected = Gamma::new(1.0 / (cv * cv), 1.0 / (mean * cv * cv)).unwrap();
        let values = draws("gamma", |stream| law.sample(stream));
        assert_fits("gamma", &values, |x| expected.cdf(x));
    }
    for (mean, cv) in [(1.0, 1.2), (0.5, 3.0)] {
        let law = Distribution::hyperexponential(mean, cv).unwrap();
        let r: f64 = ((cv * cv - 1.0) / (cv * cv + 1.0f64)).sqrt();
        let phase = |p: f64, x: f64| p * (1.0 - libm::exp(-2.0 * p * x / mean));
        let cdf = |x| phase((1.0 + r) / 2.0, x) + phase((1.0 - r) / 2.0, x);
        let values = draws("hyperexponential", |stream| law.sample(stream));
        assert_fits("hyperexponential", &values, cdf);
    }
}

/// z-scores of mean and variance, the latter from the sample's own fourth moment.
#[test]
fn means_and_variances_are_what_was_asked_for() {
    let laws = [
        Distribution::exponential(2.0),
        Distribution::log_normal(2.0, 0.5),
        Distribution::gamma(2.0, 0.3),
        Distribution::gamma(2.0, 1.7),
        Distribution::hyperexponential(2.0, 1.7),
        Distribution::empirical(vec![1.0, 2.0, 2.0, 7.0]),
    ];
    for law in laws.map(Result::unwrap) {
        let values = draws("moments", |stream| law.sample(stream));
        let tally: Tally = values.iter().copied().collect();
        let deviation = law.mean() * law.cv();
        let root = (DRAWS as f64).sqrt();
        let z_mean = (tally.mean().unwrap() - law.mean()) / deviation * root;
        let squares: Tally = values.iter().map(|x| (x - law.mean()) * (x - law.mean())).collect();
        let error = squares.standard_deviation().unwrap() / root;
        let z_variance = (squares.mean().unwrap() - deviation * deviation) / error;
        // Twelve scores beyond 4.5 in one direction or the other: once in ten thousand.
        assert!(z_mean.abs() < 4.5 && z_variance.abs() < 4.5, "{law:?}: {z_mean} {z_variance}");
    }
}

#[test]
fn streams_are_uncorrelated() {
    let mut streams = Vec::new();
    for name in ["a", "b", "disk/0/service", "disk/1/service", "disk/1/routing", ""] {
        streams.push(Streams::new(1, 0).named(name));
    }
    for (seed, replication) in [(0, 0), (1, 1), (1, 2), (2, 0), (2, 1), (u64::MAX, 0)] {
        streams.push(Streams::new(seed, replication).named("a"));
    }
    let values: Vec<Vec<f64>> = streams
        .iter_mut()
        .map(|stream| (0..10_000).map(|_| stream.uniform() - 0.5).collect())
        .collect();
    for (index, first) in values.iter().enumerate() {
        for second in &values[..index] {
            for lag in [0, 1] {
                let products = first.iter().skip(lag).zip(second).map(|(a, b)| a * b);
                // The variance of a uniform is 1 / 12; 132 scores beyond 5 come once in 13 000.
                let score = products.sum::<f64>() * 12.0 / 100.0;
                assert!(score.abs() < 5.0, "streams {index}, lag {lag}: {score}");
            }
        }
    }
}
