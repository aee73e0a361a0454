//! Completion times against theory: means and variances within 99 % intervals.

use super::*;

/// Half the width of a 99 % interval, in standard deviations.
const WIDE: f64 = 2.576;

fn load(share: f64, request_us: u64) -> OtherLoad {
    let share = Fraction::new(share).expect("a share");
    OtherLoad { share, request: Period::from_nanos(request_us * 1000) }
}

fn others(load: OtherLoad, positioning_s: f64, replication: u64) -> Interruptions {
    Interruptions::new(load, positioning_s, "d", &Streams::new(1, replication))
}

/// Holds mean and variance of values that are independent of each other to what is expected.
fn holds(values: &[f64], mean: f64, variance: f64, what: &str) {
    let count = values.len() as f64;
    let found = values.iter().sum::<f64>() / count;
    let off = |value: &f64| (value - found) * (value - found);
    let second = values.iter().map(off).sum::<f64>() / count;
    let fourth = values.iter().map(|value| off(value) * off(value)).sum::<f64>() / count;
    let off = (found - mean) / (variance / count).sqrt();
    assert!(off.abs() < WIDE, "{what}: mean {found} instead of {mean}, {off} deviations off");
    let off = (second - variance) / ((fourth - second * second) / count).sqrt();
    assert!(off.abs() < WIDE, "{what}: variance {second} instead of {variance}, {off} off");
}

/// Completions of transfers that follow one another without a gap.
fn completions(others: &mut Interruptions, alone_s: f64, count: usize) -> Vec<f64> {
    let mut now = SimTime::ZERO;
    let one = |_| {
        let met = others.meet(now);
        assert!(met.work_s <= 0.0 && !met.elsewhere, "whoever goes before has gone");
        let span = others.complete(met, now, alone_s);
        now += span;
        span.as_seconds()
    };
    (0..count).map(one).collect()
}

#[test]
fn completion_times_are_those_of_preemptive_resume() {
    for (index, (share, request_us, alone_s)) in
        [(0.3, 1000, 0.01), (0.9, 100, 0.001), (0.005, 500, 0.02), (0.2, 20_000, 0.004)]
            .into_iter()
            .enumerate()
    {
        let m = request_us as f64 * 1e-6;
        let values =
            completions(&mut others(load(share, request_us), 0.0, index as u64), alone_s, 60_000);
        let left = 1.0 - share;
        let variance = alone_s * 2.0 * share * m / (left * left * left);
        holds(&values, alone_s / left, variance, &format!("{share} of {request_us} us"));
    }
}

#[test]
fn a_disk_goes_back_once_for_each_interruption() {
    let (share, m, back, alone_s) = (0.3, 0.008, 0.006, 0.012);
    let values = completions(&mut others(load(share, 8000), back, 0), alone_s, 60_000);
    let (rate, left) = (share / m, 1.0 - share);
    let mean = alone_s * (1.0 + rate * back) / left;
    // A request and a way back that is uniform from nothing to twice its mean.
    let squared = 2.0 * m * m + 2.0 * m * back + 4.0 * back * back / 3.0;
    let busy = squared / (left * left) + rate * 2.0 * m * m * (m + back) / (left * left * left);
    holds(&values, mean, rate * alone_s * busy, "a disk");
    assert!(mean > 1.2 * alone_s / left, "the way back costs more than the share");
}

#[test]
fn hundreds_of_requests_in_a_transfer_are_drawn_at_once_with_the_same_mean_and_variance() {
    for (share, alone_s) in [(0.3, 0.2), (0.3, 2.0), (0.9, 0.02), (0.9, 0.2)] {
        for back in [0.0, 0.002] {
            let load = load(share, 1000);
            let values = completions(&mut others(load, back, 5), alone_s, 20_000);
            let (mean, variance) =
                (alone_s * load.longer(back), alone_s * load.variance_per_second(back));
            holds(&values, mean, variance, &format!("{share}, {alone_s} s, {back} s back"));
        }
    }
}

#[test]
fn a_drive_with_others_is_a_queue_of_two_classes() {
    // Transfers arrive as a Poisson stream with exponential times: the second class of M/M/1.
    let (share, m) = (0.4, 0.002);
    let (rate, service) = (60.0, 0.005);
    let mut means = Vec::new();
    for replication in 0..40 {
        let mut others = others(load(share, 2000), 0.0, replication);
        let mut arrivals = Streams::new(2, replication).named("arrivals");
        let (mut now, mut free_at, mut sum) = (SimTime::ZERO, SimTime::ZERO, 0.0);
        let count = 20_000;
        for _ in 0..count {
            now += Span::from_seconds(arrivals.exponential() / rate);
            let begin = now.max(free_at);
            let met = others.meet(begin);
            free_at = begin + others.complete(met, begin, service * arrivals.exponential());
            sum += free_at.since(now).as_seconds();
        }
        means.push(sum / f64::from(count));
    }
    let count = means.len() as f64;
    let mean = means.iter().sum::<f64>() / count;
    let spread = means.iter().map(|m| (m - mean) * (m - mean)).sum::<f64>() / (count - 1.0);
    let left = 1.0 - share;
    let residual = share * m + rate * service * service;
    let sojourn = service / left + residual / (left * (left - rate * service));
    // 2.71: Student's t with 39 degrees of freedom.
    let off = (mean - sojourn) / (spread / count).sqrt();
    assert!(off.abs() < 2.71, "{mean} s instead of {sojourn} s, {off} deviations off");
}

#[test]
fn who_comes_after_a_long_time_meets_what_is_there_at_any_time() {
    let (share, m) = (0.4, 0.001);
    for gap_s in [0.2, 100.0] {
        let mut others = others(load(share, 1000), 0.0, 3);
        let mut now = SimTime::ZERO;
        let met = (0..20_000).map(|_| {
            now += Span::from_seconds(gap_s);
            let met = others.meet(now);
            now += others.complete(met, now, 0.0);
            met.work_s
        });
        let values: Vec<_> = met.collect();
        // Nothing, or with probability u exponential: mean v = m / (1 - u).
        let v = m / (1.0 - share);
        holds(&values, share * v, (2.0 - share) * share * v * v, &format!("after {gap_s} s"));
    }
}

#[test]
fn more_load_is_the_same_requests_and_more() {
    let shares = [0.001, 0.01, 0.02, 0.1, 0.3, 0.31, 0.7, 0.9];
    let mut all: Vec<_> =
        shares.iter().map(|s| (others(load(*s, 500), 0.0, 0), SimTime::ZERO)).collect();
    let mut work = Streams::new(3, 0).named("work");
    let mut now = SimTime::ZERO;
    for _ in 0..3000 {
        now += Span::from_seconds(0.004 * work.exponential());
        let alone_s = 0.002 * work.exponential();
        let mut before = SimTime::ZERO;
        for (others, free_at) in &mut all {
            let begin = now.max(*free_at);
            let met = others.meet(begin);
            *free_at = begin + others.complete(met, begin, alone_s);
            // Ends are rounded to nanoseconds, each for itself.
            assert!(free_at.as_nanos() + 10 >= before.as_nanos(), "{free_at} before {before}");
            before = *free_at;
        }
    }
}

#[test]
fn workers_complete_as_devices_do_and_more_users_never_make_them_faster() {
    let (share, m, alone) = (0.4, 0.01, Span::from_seconds(0.009));
    let stream = || Streams::new(4, 0).named("users");
    let mut users = Users::new(load(share, 10_000), stream());
    let values: Vec<_> = (0..60_000).map(|_| users.complete(alone).as_seconds()).collect();
    let left: f64 = 1.0 - share;
    let variance = 0.009 * 2.0 * share * m / (left * left * left);
    holds(&values, 0.009 / left, variance, "a worker");
    let taken = users.taken();
    assert!((taken - share).abs() < 0.01, "others take their share of busy processors: {taken}");
    let mut all = [0.1, 0.2, 0.5, 0.9].map(|share| Users::new(load(share, 10_000), stream()));
    for _ in 0..2000 {
        let spans = all.each_mut().map(|users| users.complete(alone));
        assert!(spans.is_sorted() && spans[0] >= alone, "{spans:?}");
    }
}

#[test]
fn a_disk_is_elsewhere_once_others_were_there() {
    let mut others = others(load(0.5, 8000), 0.006, 0);
    let mut now = SimTime::ZERO;
    let mut count = 0;
    for _ in 0..20_000 {
        now += Span::from_seconds(0.01);
        let met = others.meet(now);
        count += u32::from(met.elsewhere);
        now += others.complete(met, now, 0.0);
    }
    // Some request in 10 ms: 1 - exp(-a x 10 ms), a = 0.5 / 8 ms.
    let (share, expected) = (f64::from(count) / 20_000.0, 1.0 - libm::exp(-0.625));
    let off = (share - expected) / (expected * (1.0 - expected) / 20_000.0).sqrt();
    assert!(off.abs() < WIDE, "{share} instead of {expected}, {off} deviations off");
}
