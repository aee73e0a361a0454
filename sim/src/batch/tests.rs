use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::stream::Streams;

/// How many are alive, and how many were at most.
#[derive(Default)]
struct Count {
    now: AtomicUsize,
    most: AtomicUsize,
}

/// Counts itself as long as it lives.
struct Alive<'a>(&'a Count);

impl<'a> Alive<'a> {
    fn new(count: &'a Count) -> Self {
        let now = count.now.fetch_add(1, Ordering::SeqCst) + 1;
        count.most.fetch_max(now, Ordering::SeqCst);
        Alive(count)
    }
}

impl Drop for Alive<'_> {
    fn drop(&mut self) {
        self.0.now.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Sums draws of several rounds, the next as long as the sum says; the odd ones of 100 fail.
struct Draws<'a> {
    alive: Alive<'a>,
    index: u64,
    rounds: u64,
    sum: f64,
    fails_at: Option<u64>,
}

struct Round {
    index: u64,
    ordinal: u64,
    fails_at: Option<u64>,
}

impl<'a> Job for Draws<'a> {
    type Round = Round;
    type Run = f64;
    type Output = (f64, Alive<'a>);
    type Error = (u64, u64);

    fn run(round: &Round, number: u64) -> Result<f64, (u64, u64)> {
        let mut stream = Streams::new(round.index, number).named(&round.ordinal.to_string());
        // Uneven, so that threads finish out of order.
        let steps = 1 + (number * 37 + round.index * 11) % 101;
        let sum = (0..steps).map(|_| stream.exponential()).sum();
        match round.fails_at {
            Some(first) if number >= first => Err((round.index, number)),
            _ => Ok(sum),
        }
    }

    fn add(&mut self, run: f64) {
        self.sum = self.sum * 0.999 + run;
    }

    fn next(&mut self) -> Result<Next<Round, (f64, Alive<'a>)>, (u64, u64)> {
        if self.rounds == 3 {
            return Ok(Next::Done((self.sum, Alive::new(self.alive.0))));
        }
        self.rounds += 1;
        let runs = if self.rounds == 2 { 0 } else { 3 + self.index * 7 % 40 };
        let round = Round { index: self.index, ordinal: self.rounds, fails_at: self.fails_at };
        Ok(Next::Round { round, runs })
    }
}

fn on_threads<T: Send>(threads: usize, f: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(f)
}

type Sums = Vec<(u64, f64)>;

/// The outputs handed on, how it ended, and how many jobs and outputs were alive at most.
fn sums(
    threads: usize,
    count: u64,
    fails_at: impl Fn(u64) -> Option<u64> + Sync,
) -> (Sums, Result<(), (u64, u64)>, usize) {
    let alive = Count::default();
    let mut sums = Vec::new();
    let begin = |index| {
        let (rounds, sum) = (0, 0.0);
        Ok(Draws { alive: Alive::new(&alive), index, rounds, sum, fails_at: fails_at(index) })
    };
    let ended = on_threads(threads, || {
        batch(count, begin, |index, (sum, _alive)| {
            sums.push((index, sum));
            Ok(())
        })
    });
    assert_eq!(alive.now.load(Ordering::SeqCst), 0);
    (sums, ended, alive.most.load(Ordering::SeqCst))
}

#[test]
fn the_number_of_threads_changes_no_output_and_no_order() {
    let (expected, ended, _) = sums(1, 300, |_| None);
    assert_eq!(ended, Ok(()));
    assert!(expected.iter().map(|(index, _)| *index).eq(0..300));
    for threads in [2, 3, 8] {
        assert_eq!(sums(threads, 300, |_| None).0, expected, "{threads} threads");
    }
}

#[test]
fn the_first_error_by_index_and_run_ends_a_batch_after_all_before_it() {
    let fails_at = |index| (index % 50 == 37).then_some(2);
    let (all, _, _) = sums(1, 300, |_| None);
    for threads in [1, 2, 8] {
        for _ in 0..20 {
            let (before, ended, _) = sums(threads, 300, fails_at);
            assert_eq!(ended, Err((37, 2)));
            assert_eq!(before, all[..37]);
        }
    }
}

#[test]
fn an_error_in_beginning_or_handing_on_ends_a_batch_too() {
    let alive = Count::default();
    let job =
        |index| Draws { alive: Alive::new(&alive), index, rounds: 0, sum: 0.0, fails_at: None };
    for threads in [1, 2, 8] {
        let begin = |index| if index % 40 == 9 { Err((index, 99)) } else { Ok(job(index)) };
        let ended = on_threads(threads, || batch(100, begin, |_, _| Ok(())));
        assert_eq!(ended, Err((9, 99)));
        let mut handed_on = 0;
        let consume = |index, _| {
            handed_on += 1;
            if index == 5 { Err((5, 0)) } else { Ok(()) }
        };
        let ended = on_threads(threads, || batch(100, |index| Ok(job(index)), consume));
        assert_eq!((ended, handed_on), (Err((5, 0)), 6));
    }
}

#[test]
fn jobs_alive_are_bounded_by_threads_however_many_there_are() {
    for threads in [1, 2, 8] {
        let (_, _, few) = sums(threads, 100, |_| None);
        let (_, _, many) = sums(threads, 3000, |_| None);
        // A job and its output overlap where one becomes the other.
        let bound = IN_FLIGHT * threads + threads + 1;
        assert!(few <= bound && many <= bound, "{few} and {many} on {threads} threads");
    }
}

#[test]
fn a_panic_is_passed_on_and_leaves_nobody_waiting() {
    for threads in [1, 2, 8] {
        let begin = |index| -> Result<Draws<'_>, (u64, u64)> { panic!("job {index}") };
        let run = || on_threads(threads, || batch(100, begin, |_, _| Ok(())));
        assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
    }
}

#[test]
fn no_jobs_are_no_outputs() {
    let (none, ended, most) = sums(2, 0, |_| None);
    assert_eq!((none, ended, most), (Vec::new(), Ok(()), 0));
}

#[test]
fn a_batch_within_a_batch_comes_to_an_end() {
    let begin = |index: u64| {
        let (inner, ended, _) = sums_here(20 + index);
        assert_eq!(ended, Ok(()));
        Ok(Sum { value: inner })
    };
    let mut total = 0.0;
    let ended: Result<(), ()> = on_threads(2, || {
        batch(30, begin, |_, value: f64| {
            total += value;
            Ok(())
        })
    });
    assert!(ended.is_ok() && total > 0.0);
}

struct Sum {
    value: f64,
}

impl Job for Sum {
    type Round = ();
    type Run = ();
    type Output = f64;
    type Error = ();

    fn run(_: &(), _: u64) -> Result<(), ()> {
        Ok(())
    }

    fn add(&mut self, (): ()) {}

    fn next(&mut self) -> Result<Next<(), f64>, ()> {
        Ok(Next::Done(self.value))
    }
}

fn sums_here(count: u64) -> (f64, Result<(), (u64, u64)>, ()) {
    let alive = Count::default();
    let begin = |index| {
        let alive = Alive::new(&alive);
        Ok(Draws { alive, index, rounds: 0, sum: 0.0, fails_at: None })
    };
    let mut total = 0.0;
    let ended = batch(count, begin, |_, (sum, _alive)| {
        total += sum;
        Ok(())
    });
    (total, ended, ())
}
