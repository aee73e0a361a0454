use proptest::prelude::*;

use super::reference::Reference;
use super::*;

fn at(nanos: u64) -> SimTime {
    SimTime::from_nanos(nanos)
}

#[test]
fn one_job_is_held_to_what_one_job_can_use() {
    let mut station = SharedStation::new(10.0, 4.0);
    assert_eq!(station.next_completion(), None);
    station.arrive(at(0), 'a', 8.0);
    assert_eq!(station.next_completion(), Some(at(2_000_000_000)));
    station.arrive(at(0), 'b', 8.0);
    assert!((station.rate() - 4.0).abs() < 1e-15);
    station.arrive(at(0), 'c', 8.0);
    assert!((station.rate() - 10.0 / 3.0).abs() < 1e-15);
}

#[test]
fn completions_are_rounded_up() {
    let mut station = SharedStation::new(3.0, f64::INFINITY);
    station.arrive(at(0), (), 1.0);
    assert_eq!(station.next_completion(), Some(at(333_333_334)));
}

#[test]
fn equal_jobs_are_done_together_in_order_of_arrival() {
    let mut station = SharedStation::new(2.0, f64::INFINITY);
    for job in 0..4 {
        station.arrive(at(0), job, 1.0);
    }
    for job in 0..4 {
        assert_eq!(station.next_completion(), Some(at(2_000_000_000)));
        assert_eq!(station.complete(at(2_000_000_000)), job);
    }
    let statistics = station.statistics(at(4_000_000_000));
    assert_eq!((statistics.busy, statistics.completions), (2_000_000_000, 4));
    assert_eq!(statistics.busy + statistics.waiting, 8_000_000_000);
    assert!((station.delivered(at(4_000_000_000)) - 4.0).abs() < 1e-12);
}

#[test]
#[should_panic(expected = "no job is done")]
fn nothing_is_complete_before_its_time() {
    let mut station = SharedStation::new(1.0, 1.0);
    station.arrive(at(0), (), 1.0);
    station.complete(at(999_999_999));
}

#[test]
#[should_panic(expected = "work of a job cannot be")]
fn negative_work_is_refused() {
    SharedStation::new(1.0, 1.0).arrive(at(0), (), -1.0);
}

#[test]
fn a_station_that_never_empties_stays_exact() {
    // Job b is always there; a thousand jobs of one unit pass it, each alone with b.
    let mut station = SharedStation::new(2.0, 1.0);
    station.arrive(at(0), 'b', 1e12);
    let mut now = at(1_000_000_000_000_000);
    for _ in 0..1000 {
        station.arrive(now, 'a', 1.0);
        let due = now + Span::from_nanos(1_000_000_000);
        let told = station.next_completion().unwrap();
        assert!(told >= due && told.since(due) <= Span::from_nanos(1), "{told} for {due}");
        assert_eq!(station.complete(told), 'a');
        now = told;
    }
}

proptest! {
    #[test]
    fn the_fast_station_agrees_with_the_slow_one(
        capacity in 0.5..20.0f64,
        per_job in prop_oneof![Just(f64::INFINITY), 0.1..5.0f64],
        arrivals in prop::collection::vec((0..3_000_000_000u64, 0.0..5.0f64), 1..80),
    ) {
        let mut fast = SharedStation::new(capacity, per_job);
        let mut slow = Reference { capacity, per_job, jobs: Vec::new(), now: SimTime::ZERO };
        let mut time = SimTime::ZERO;
        let mut arrivals = arrivals.into_iter().enumerate().peekable();
        loop {
            let arrival = arrivals.peek().map(|&(_, (gap, _))| time + Span::from_nanos(gap));
            match (fast.next_completion(), arrival) {
                (None, None) => break,
                (Some(due), arrival) if arrival.is_none_or(|arrival| due <= arrival) => {
                    let (job, exact) = slow.next().unwrap();
                    // Up to a nanosecond of rounding and the float error of the sum.
                    prop_assert!((due.as_seconds() - exact).abs() < 3e-9, "{due} and {exact}");
                    let done = fast.complete(due);
                    if done != job {
                        // Only jobs that are done together may change places.
                        let left = |wanted| slow.jobs.iter().find(|&&(other, _)| other == wanted);
                        let difference = left(done).unwrap().1 - left(job).unwrap().1;
                        prop_assert!(difference < 1e-7, "{done} before {job}: {difference}");
                    }
                    slow.complete(due, done);
                }
                _ => {
                    let (job, (gap, work)) = arrivals.next().unwrap();
                    time += Span::from_nanos(gap);
                    fast.arrive(time, job, work);
                    slow.arrive(time, job, work);
                }
            }
            prop_assert_eq!(fast.present(), slow.jobs.len());
        }
        let end = fast.changed;
        prop_assert_eq!(fast.statistics(end).completions, fast.arrivals);
    }
}
