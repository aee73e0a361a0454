use super::*;
use crate::stream::Streams;

fn stream() -> Stream {
    Streams::new(9, 0).named("distribution")
}

#[test]
fn parameters_that_make_no_sense_are_refused() {
    use DistributionError as E;
    assert_eq!(Distribution::deterministic(-1.0), Err(E::Mean(-1.0)));
    assert_eq!(Distribution::exponential(f64::INFINITY), Err(E::Mean(f64::INFINITY)));
    assert!(matches!(Distribution::exponential(f64::NAN), Err(E::Mean(_))));
    assert_eq!(Distribution::gamma(1.0, -0.5), Err(E::CoefficientOfVariation(-0.5)));
    assert_eq!(Distribution::gamma(1.0, 1e200), Err(E::TooWide(1e200)));
    assert_eq!(Distribution::log_normal(1.0, 1e200), Err(E::TooWide(1e200)));
    assert_eq!(Distribution::hyperexponential(1.0, 0.9), Err(E::Hyperexponential(0.9)));
    assert_eq!(Distribution::hyperexponential(1.0, 1e9), Err(E::TooWide(1e9)));
    assert_eq!(Distribution::empirical(vec![]), Err(E::Empty));
    let error = Distribution::empirical(vec![1.0, -2.0]).unwrap_err();
    assert_eq!(error, E::Value { index: 1, value: -2.0 });
    assert_eq!(
        error.to_string(),
        "value 1 of an empirical distribution is -2, not finite and >= 0"
    );
}

#[test]
fn special_cases_are_exact() {
    assert_eq!(Distribution::gamma(2.0, 1.0), Distribution::exponential(2.0));
    assert_eq!(Distribution::hyperexponential(2.0, 1.0), Distribution::exponential(2.0));
    for constant in [Distribution::gamma(2.0, 0.0), Distribution::log_normal(2.0, 0.0)] {
        assert_eq!(constant, Distribution::deterministic(2.0));
    }
    let zero = Distribution::gamma(0.0, 2.0).unwrap();
    assert!(zero.sample(&mut stream()) == 0.0);
}

#[test]
fn mean_and_spread_are_those_asked_for() {
    for law in [Distribution::log_normal(3.0, 0.7), Distribution::gamma(3.0, 0.7)] {
        let law = law.unwrap();
        assert_eq!((law.mean(), law.cv()), (3.0, 0.7));
    }
    let law = Distribution::empirical(vec![1.0, 3.0]).unwrap();
    assert_eq!((law.mean(), law.cv()), (2.0, 0.5));
}

#[test]
fn resampling_returns_the_values_given() {
    let law = Distribution::empirical(vec![1.0, 5.0, 7.0]).unwrap();
    let mut stream = stream();
    for _ in 0..100 {
        assert!([1.0, 5.0, 7.0].contains(&law.sample(&mut stream)));
    }
}

#[test]
fn extreme_shapes_stay_finite_and_not_negative() {
    let mut stream = stream();
    for law in [
        Distribution::gamma(1.0, 1e-6),
        Distribution::gamma(1.0, 50.0),
        Distribution::log_normal(1.0, 1e-6),
        Distribution::log_normal(1.0, 1e3),
        Distribution::hyperexponential(1.0, 1e6),
    ] {
        let law = law.unwrap();
        for _ in 0..1000 {
            let value = law.sample(&mut stream);
            assert!(value.is_finite() && value >= 0.0, "{law:?}: {value}");
        }
    }
}

#[test]
fn spans_are_samples_rounded_to_a_nanosecond() {
    let law = Distribution::exponential(0.004).unwrap();
    let (mut one, mut other) = (stream(), stream());
    for _ in 0..100 {
        let expected = Span::from_seconds(law.sample(&mut one));
        assert_eq!(law.sample_span(&mut other), expected);
    }
}
