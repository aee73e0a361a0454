//! Laws of the bucket on transfers whose times are known.

use bakcast_sim::Span;
use proptest::prelude::*;

use super::*;

const MIB: u64 = 1 << 20;

fn rate(bytes_per_second: f64) -> ByteRate {
    ByteRate::new(bytes_per_second).expect("a rate")
}

/// 100 MB/s, bursting to 200 MB/s, with so many bytes of credit.
fn volume(credit: u64) -> Capped {
    Capped {
        rate: rate(100e6),
        operations: None,
        burst: Some(Burst {
            rate: rate(200e6),
            credit: Bytes::new(credit),
            initial: Fraction::percent(100),
        }),
        latency: Period::ZERO,
        variability: Factor::ZERO,
    }
}

fn bucket(volume: &Capped) -> Bucket {
    Bucket::new(&Device::Capped(volume.clone()), 1.0, false)
}

/// Transfers of `bytes` one after the other from `begin` on: seconds of each, and the end.
fn serve(
    bucket: &mut Bucket,
    volume: &Capped,
    begin: SimTime,
    bytes: u64,
    count: usize,
) -> (Vec<f64>, SimTime) {
    let mut at = begin;
    let seconds = (0..count).map(|_| {
        let seconds = bucket.hold_s(volume, bytes, at);
        at += Span::from_seconds(seconds);
        bucket.settle(at);
        seconds
    });
    (seconds.collect(), at)
}

/// Share of the credit that is left.
fn left(bucket: &Bucket) -> f64 {
    bucket.outcome().expect("a burst").left
}

fn close(a: f64, b: f64) {
    approx::assert_relative_eq!(a, b, max_relative = 1e-6, epsilon = 1e-6);
}

#[test]
fn a_full_bucket_carries_its_credit_times_the_burst_rate_over_the_fall() {
    let volume = volume(50_000_000);
    let mut bucket = bucket(&volume);
    // 50 MB at 200 - 100 MB/s last for half a second, in which 100 MB pass.
    let (seconds, _) = serve(&mut bucket, &volume, SimTime::ZERO, 1_000_000, 110);
    seconds[..100].iter().for_each(|s| close(*s, 0.005));
    seconds[100..].iter().for_each(|s| close(*s, 0.010));
    close(volume.burst_bytes().unwrap(), 100e6);
    assert_eq!(bucket.changes(), 1);
    assert_eq!(bucket.outcome().unwrap().dry_after, Some(Bytes::new(101_000_000)));
}

#[test]
fn a_transfer_that_crosses_the_edge_takes_part_of_each() {
    let volume = volume(1_000_000);
    // The credit carries 2 MB in 10 ms, the third goes at the sustained rate.
    close(bucket(&volume).hold_s(&volume, 3_000_000, SimTime::ZERO), 0.010 + 0.010);
    close(bucket(&volume).hold_s(&volume, 2_000_000, SimTime::ZERO), 0.010);
}

#[test]
fn credit_comes_back_while_nothing_is_moved_but_never_beyond_its_size() {
    let volume = volume(10_000_000);
    let mut bucket = bucket(&volume);
    let (_, end) = serve(&mut bucket, &volume, SimTime::ZERO, 1_000_000, 30);
    close(left(&bucket), 0.0);
    let mut after = |seconds: f64| {
        bucket.level = 0.0;
        bucket.settle(end);
        let begin = end + Span::from_seconds(seconds);
        serve(&mut bucket, &volume, begin, 1_000_000, 30).0.iter().sum::<f64>()
    };
    // 5 MB of credit carry 10 of the 30 MB; the full 10 MB carry 20, however long the rest was.
    close(after(0.05), 10.0 * 0.005 + 20.0 * 0.010);
    close(after(0.10), 20.0 * 0.005 + 10.0 * 0.010);
    close(after(1000.0), 20.0 * 0.005 + 10.0 * 0.010);
}

#[test]
fn a_bucket_that_begins_in_part_full_carries_that_part() {
    let mut volume = volume(50_000_000);
    volume.burst.as_mut().unwrap().initial = Fraction::percent(20);
    let mut bucket = bucket(&volume);
    let (seconds, _) = serve(&mut bucket, &volume, SimTime::ZERO, 1_000_000, 30);
    close(seconds.iter().sum(), 20.0 * 0.005 + 10.0 * 0.010);
}

#[test]
fn without_a_burst_the_rate_is_all_there_is() {
    let volume = Capped { burst: None, ..volume(0) };
    let mut bucket = bucket(&volume);
    close(bucket.hold_s(&volume, 1_000_000, SimTime::from_nanos(7)), 0.010);
    assert_eq!((bucket.outcome(), bucket.changes(), volume.burst_bytes()), (None, 0, None));
}

#[test]
fn the_limit_on_operations_binds_for_small_transfers_and_not_for_large_ones() {
    let operations = Operations { per_second: 400, size: Bytes::kibibytes(256) };
    let volume = Capped { operations: Some(operations), burst: None, ..volume(0) };
    let hold = |bytes| bucket(&volume).hold_s(&volume, bytes, SimTime::ZERO);
    // One operation each, however small; a byte more than 256 KiB is two.
    close(hold(4096), 1.0 / 400.0);
    close(hold(64 << 10), 1.0 / 400.0);
    close(hold((256 << 10) + 1), 2.0 / 400.0);
    // Four operations take 10 ms, the bytes of 1 MiB at 100 MB/s a little longer.
    close(hold(MIB), MIB as f64 / 100e6);
}

#[test]
fn operations_that_keep_below_the_rate_use_up_no_credit() {
    let operations = Operations { per_second: 100, size: Bytes::kibibytes(256) };
    let volume = Capped { operations: Some(operations), ..volume(10_000_000) };
    let mut bucket = bucket(&volume);
    bucket.level = 1_000_000.0;
    let (seconds, _) = serve(&mut bucket, &volume, SimTime::ZERO, 64 << 10, 100);
    seconds.iter().for_each(|s| close(*s, 0.010));
    close(left(&bucket), 1.0);
    assert_eq!(bucket.changes(), 0);
}

#[test]
fn a_bucket_counts_as_filled_again_only_with_a_good_part_of_its_credit() {
    let volume = volume(1_000_000_000);
    let mut bucket = bucket(&volume);
    let (_, end) = serve(&mut bucket, &volume, SimTime::ZERO, 1_000_000, 2001);
    assert!(bucket.dry);
    let mut at = end;
    // Pauses of one second, each worth 100 MB of credit.
    for pause in 1..=3 {
        bucket.hold_s(&volume, 1_000, at + Span::from_seconds(1.0));
        at += Span::from_seconds(1.0);
        bucket.settle(at);
        assert_eq!(bucket.dry, pause < 3, "after {pause} s");
    }
    assert_eq!(bucket.changes(), 2);
}

#[test]
fn a_bucket_that_is_hardly_larger_than_its_transfers_runs_dry_once_and_for_all() {
    let volume = volume(20_000_000);
    let mut bucket = bucket(&volume);
    let mut at = SimTime::ZERO;
    for _ in 0..50 {
        at = serve(&mut bucket, &volume, at + Span::from_seconds(1.0), 1_000_000, 60).1;
    }
    assert_eq!(bucket.changes(), 1);
}

#[test]
fn what_is_carried_forward_moves_the_level_as_serving_it_would() {
    let volume = volume(1_000_000_000);
    let (mut skipped, mut served) = (bucket(&volume), bucket(&volume));
    let (seconds, _) = serve(&mut served, &volume, SimTime::ZERO, 1_000_000, 1000);
    let all: f64 = seconds.iter().sum();
    close(skipped.lasts(1_000_000_000, all).unwrap(), 2.0);
    skipped.skip(1_000_000_000, all);
    close(left(&skipped), left(&served));
    skipped.correct(0.1);
    close(left(&skipped), left(&served) + 0.01);
    // Slower than the rate fills it, to the brim and no further.
    assert_eq!(skipped.lasts(1_000_000_000, 11.0), None);
    skipped.skip(1_000_000_000, 1100.0);
    close(left(&skipped), 1.0);
}

#[test]
fn a_dry_bucket_stays_dry_whatever_little_was_measured_off() {
    let volume = volume(1_000_000_000);
    let mut bucket = bucket(&volume);
    serve(&mut bucket, &volume, SimTime::ZERO, 1_000_000, 2001);
    bucket.skip(1_000_000_000_000, 10_050.0);
    close(left(&bucket), 0.0);
    bucket.skip(1_000_000_000, 13.0);
    close(left(&bucket), 0.3);
}

proptest! {
    /// However transfers come, no more passes than credit and rate allow, and the burst rate is
    /// never exceeded; more credit never makes a transfer end later.
    #[test]
    fn what_passes_is_bounded_and_more_credit_never_delays_it(
        transfers in prop::collection::vec((1u64..4_000_000, 0.0..0.05f64), 1..80),
        credit in 1u64..50_000_000,
        more in 0u64..50_000_000,
    ) {
        let ends = |credit: u64| {
            let volume = volume(credit);
            let mut bucket = bucket(&volume);
            let mut free = SimTime::ZERO;
            let mut arrival = SimTime::ZERO;
            let end = |(bytes, gap): &(u64, f64)| {
                arrival += Span::from_seconds(*gap);
                let begin = free.max(arrival);
                free = begin + Span::from_seconds(bucket.hold_s(&volume, *bytes, begin));
                bucket.settle(free);
                free
            };
            transfers.iter().map(end).collect::<Vec<_>>()
        };
        let (less, more) = (ends(credit), ends(credit + more));
        let mut passed = 0.0;
        for ((few, many), (bytes, _)) in less.iter().zip(&more).zip(&transfers) {
            passed += *bytes as f64;
            let seconds = few.as_seconds();
            prop_assert!(passed <= credit as f64 + 100e6 * seconds + 1.0);
            prop_assert!(passed <= 200e6 * seconds + 1.0);
            // Each end is rounded to a nanosecond.
            prop_assert!(many.as_nanos() <= few.as_nanos() + 100);
        }
    }
}
