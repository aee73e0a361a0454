//! After the longest queue has been seen, a simulation allocates nothing.
//!
//! A file of its own, because it counts the allocations of its whole process.

use std::alloc::System;

use bakcast_sim::{
    Calendar, Delay, Flow, Limits, Model, SharedStation, SimTime, Slot, Span, Station, Stream,
    Streams, TimeAverage, TokenPool, run,
};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const JOBS: u32 = 40;
const SERVERS: usize = 3;
const SHARED: usize = SERVERS;
const FIRST_DELAY: usize = SERVERS + 1;

/// Jobs take a token, pass a queue, a shared station and a delay, and give it back.
struct Everything {
    tokens: TokenPool<u32>,
    queue: Station<u32>,
    shared: SharedStation<u32>,
    delay: Delay,
    level: TimeAverage,
    stream: Stream,
    left: u64,
}

impl Everything {
    fn span(&mut self) -> Span {
        Span::from_seconds(self.stream.exponential())
    }

    fn start(&mut self, now: SimTime, job: u32, calendar: &mut Calendar) {
        if let Some(server) = self.queue.arrive(now, job) {
            let span = self.span();
            calendar.schedule(Slot::new(server), now + span);
        }
        self.level.set(now, self.queue.queue_len() as u64);
    }

    fn reschedule(&mut self, calendar: &mut Calendar) {
        match self.shared.next_completion() {
            Some(due) => calendar.schedule(Slot::new(SHARED), due),
            None => calendar.cancel(Slot::new(SHARED)),
        }
    }
}

impl Model for Everything {
    fn handle(&mut self, now: SimTime, slot: Slot, calendar: &mut Calendar) -> Flow {
        match slot.index() {
            server @ 0..SERVERS => {
                let (job, next) = self.queue.depart(now, server);
                if next.is_some() {
                    let span = self.span();
                    calendar.schedule(slot, now + span);
                } else {
                    calendar.cancel(slot);
                }
                let work = self.stream.exponential();
                self.shared.arrive(now, job, work);
                self.reschedule(calendar);
            }
            SHARED => {
                let job = self.shared.complete(now);
                self.reschedule(calendar);
                self.delay.arrive(now);
                let span = self.span();
                calendar.schedule(Slot::new(FIRST_DELAY + job as usize), now + span);
            }
            pause => {
                calendar.cancel(slot);
                self.delay.depart(now);
                if let Some(job) = self.tokens.give(now) {
                    self.start(now, job, calendar);
                }
                let job = (pause - FIRST_DELAY) as u32;
                if self.tokens.take(now, job) {
                    self.start(now, job, calendar);
                }
            }
        }
        self.left -= 1;
        if self.left == 0 { Flow::Stop } else { Flow::Continue }
    }
}

#[test]
fn a_warm_simulation_allocates_nothing() {
    let mut model = Everything {
        tokens: TokenPool::new(20),
        queue: Station::new(SERVERS),
        shared: SharedStation::new(2.5, 1.0),
        delay: Delay::new(),
        level: TimeAverage::new(0),
        stream: Streams::new(1, 0).named("all"),
        left: 20_000,
    };
    let mut calendar = Calendar::new(FIRST_DELAY + JOBS as usize);
    for job in 0..JOBS {
        if model.tokens.take(SimTime::ZERO, job) {
            model.start(SimTime::ZERO, job, &mut calendar);
        }
    }
    run(&mut model, &mut calendar, Limits::NONE).unwrap();

    model.left = 200_000;
    let region = Region::new(ALLOCATOR);
    let summary = run(&mut model, &mut calendar, Limits::NONE).unwrap();
    let change = region.change();
    assert_eq!(summary.events, 200_000);
    assert_eq!((change.allocations, change.reallocations), (0, 0), "{change:?}");
}
