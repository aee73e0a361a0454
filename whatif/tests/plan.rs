//! When a window is no longer enough, held against predictions at that size.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use bakcast_scenarios::predict::{Asked, PredictOptions};
use bakcast_scenarios::{Document, Reference, Set};
use bakcast_whatif::{Ahead, Configuration, Growth, Operation, Plan, Subject, plan};

fn go_on(_: u64, _: u64) -> bool {
    true
}

const NAME: &str = "nvme-knob-matrix:1";

fn with<T>(work: impl FnOnce(&Subject<'_>) -> T) -> T {
    let reference = Reference::parse(NAME);
    let document = Document::open(&reference.origin).unwrap();
    let options = PredictOptions { replications: 8, ..PredictOptions::default() };
    let variant = reference.variant.as_deref();
    work(&Subject { document: &document, variant, sets: &[], options })
}

fn ahead(growth: (f64, f64, f64), window_seconds: f64) -> Ahead {
    let (low, per_month, high) = growth;
    Ahead {
        window_seconds,
        operation: Operation::Total,
        growth: Growth { per_month, low, high },
        months: 48,
        probability: 0.95,
        changes: false,
        routine: None,
    }
}

fn found(subject: &Subject<'_>, ahead: &Ahead) -> Plan {
    plan(subject, ahead, &go_on).unwrap()
}

/// The upper end of the range with so many bytes.
fn high(subject: &Subject<'_>, bytes: f64) -> f64 {
    let runner = subject.runner(subject.options, Asked::Durations);
    let sets = vec![Set::new("volume.data.size", format!("{:.0} B", bytes.round()))];
    let all = [Configuration { sets, ..Configuration::default() }];
    let ran = runner.run(&all, &go_on).unwrap()[0].clone().unwrap();
    ran.prediction.total_seconds.high
}

#[test]
fn the_month_that_is_found_is_that_of_predictions_at_its_size() {
    for (window, growth) in [(60.0, 0.03), (40.0, 0.02), (120.0, 0.05)] {
        with(|subject| {
            let plan = found(subject, &ahead((growth, growth, growth), window));
            let month = plan.stop.month.unwrap() as usize;
            assert!(high(subject, plan.months[month].bytes) > window, "{month}");
            assert!(high(subject, plan.months[month - 1].bytes) <= window, "{month}");
            assert_eq!((plan.stop.low, plan.stop.high), (plan.stop.month, plan.stop.month));
            assert!(plan.error.unwrap() < 0.05, "{:?}", plan.error);
        });
    }
}

#[test]
fn with_growth_the_probability_never_rises_and_without_it_never_moves() {
    with(|subject| {
        let growing = found(subject, &ahead((0.01, 0.03, 0.05), 60.0));
        for pair in growing.months.windows(2) {
            assert!(pair[1].fits <= pair[0].fits + 1e-12, "{pair:?}");
        }
        let (low, month) = (growing.stop.low.unwrap(), growing.stop.month.unwrap());
        assert!(low <= month, "{:?}", growing.stop);
        assert!(growing.stop.high.is_none_or(|high| high >= month), "{:?}", growing.stop);
        let still = found(subject, &ahead((0.0, 0.0, 0.0), 60.0));
        assert_eq!(still.stop.month, None);
        let same = |month: &bakcast_whatif::Month| month.seconds == still.months[0].seconds;
        assert!(still.months.iter().all(same));
        let shrinking = found(subject, &ahead((-0.02, -0.02, -0.02), 60.0));
        assert_eq!(shrinking.stop.month, None);
    });
}

#[test]
fn changes_win_the_months_that_a_plan_with_them_shows() {
    with(|subject| {
        let asked = Ahead { changes: true, ..ahead((0.03, 0.03, 0.03), 60.0) };
        let plan = found(subject, &asked);
        assert!(!plan.changes.is_empty());
        let classes: Vec<_> = plan.changes.iter().map(|change| change.class).collect();
        assert!(classes.is_sorted(), "{classes:?}");
        let change = &plan.changes[0];
        let other = Subject { sets: &change.sets, ..*subject };
        let then = found(&other, &Ahead { changes: false, ..asked });
        assert_eq!(then.stop, change.stop);
        let until = change.stop.month.unwrap_or(49);
        assert_eq!(until - plan.stop.month.unwrap(), change.months_won);
    });
}
