//! The reference network, as fast as it goes.
//!
//! Buffers circulate R (1 server, mean 1.0 s) -> C (4 servers, mean 3.0 s) -> W (1 server, mean
//! 0.9 s) -> R, all services exponential, queues first come first served, everything waiting at R
//! to begin with. The run ends at the given number of departures from W.
//!
//! ```text
//! cargo run --release -p bakcast-sim --example closed_tandem -- \
//!     --buffers 64 --completions 1000000 --seed 1 [--engine event|recursion]
//! ```
//!
//! Exact throughput is 0.9997908296 at 64 buffers and 0.8502206797 at 8; a run of a million has a
//! standard deviation of about 0.001.
//!
//! `event` uses the kernel as any model does, statistics on. `recursion` has no calendar: as all
//! stations are first come first served, each departure follows from two earlier ones. Drawing from
//! the same streams, both tell the same end to the nanosecond, which a test below checks.

use std::process::ExitCode;
#[allow(
    clippy::disallowed_types,
    reason = "a benchmark measures; its result does not depend on it"
)]
use std::time::Instant;

use bakcast_sim::{
    Calendar, Flow, Limits, Model, RunError, SimTime, Slot, Span, Station, Stream, Streams, run,
};

const SERVERS: [usize; 3] = [1, 4, 1];
const MEANS_S: [f64; 3] = [1.0, 3.0, 0.9];
const NAMES: [&str; 3] = ["R/service", "C/service", "W/service"];
/// The station and the first slot of each slot's station.
const PLACES: [(usize, usize); 6] = [(0, 0), (1, 0), (1, 1), (1, 2), (1, 3), (2, 0)];
const FIRST_SLOT: [usize; 3] = [0, 1, 5];
const NEXT: [usize; 3] = [1, 2, 0];
const WRITER: usize = 2;

/// What a run came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Outcome {
    completions: u64,
    events: u64,
    end: SimTime,
}

/// A station with its source of service times.
#[repr(align(256))]
struct Place {
    station: Station<u32>,
    stream: Stream,
    upcoming: Span,
    mean_s: f64,
    first_slot: usize,
}

impl Place {
    fn new(index: usize, streams: &Streams) -> Self {
        let mut p = Place {
            upcoming: Span::ZERO,
            station: Station::new(SERVERS[index]),
            stream: streams.named(NAMES[index]),
            mean_s: MEANS_S[index],
            first_slot: FIRST_SLOT[index],
        };
        p.service();
        p
    }

    #[inline(always)]
    fn service(&mut self) -> Span {
        std::mem::replace(
            &mut self.upcoming,
            Span::from_seconds(self.stream.exponential() * self.mean_s),
        )
    }

    #[inline(always)]
    fn arrive(&mut self, now: SimTime, buffer: u32, calendar: &mut Calendar) {
        if let Some(server) = self.station.arrive(now, buffer) {
            let end = now + self.service();
            calendar.schedule(Slot::new(self.first_slot + server), end);
        }
    }

    #[inline(always)]
    fn depart(&mut self, now: SimTime, server: usize, slot: Slot, calendar: &mut Calendar) -> u32 {
        let (buffer, next) = self.station.depart(now, server);
        if next.is_some() {
            let end = now + self.service();
            calendar.schedule(slot, end);
        } else {
            calendar.cancel(slot);
        }
        buffer
    }
}

/// The event-driven engine.
struct Tandem {
    places: [Place; 3],
    left: u64,
}

impl Model for Tandem {
    #[inline(always)]
    fn handle(&mut self, now: SimTime, slot: Slot, calendar: &mut Calendar) -> Flow {
        let i = slot.index();
        let from = usize::from(i > 0) + usize::from(i == 5);
        let to = usize::from(i == 0) + 2 * usize::from(i != 0 && i != 5);
        let server = if from == 1 { i - 1 } else { 0 };
        let buffer = self.places[from].depart(now, server, slot, calendar);
        self.places[to].arrive(now, buffer, calendar);
        if i == 5 {
            self.left -= 1;
            if self.left == 0 {
                return Flow::Stop;
            }
        }
        Flow::Continue
    }
}

fn run_events(buffers: u32, completions: u64, seed: u64) -> Result<(Outcome, Tandem), RunError> {
    let streams = Streams::new(seed, 0);
    let places = [0, 1, 2].map(|index| Place::new(index, &streams));
    let mut tandem = Tandem { places, left: completions };
    let mut calendar = Calendar::new(PLACES.len());
    for buffer in 0..buffers {
        tandem.places[0].arrive(SimTime::ZERO, buffer, &mut calendar);
    }
    let summary = run(&mut tandem, &mut calendar, Limits::NONE)?;
    Ok((Outcome { completions, events: summary.events, end: summary.end }, tandem))
}

fn main() -> ExitCode {
    let a: Vec<String> = std::env::args().collect();
    let n: u64 = a[1].parse().unwrap_or(1_000_000);
    for buffers in [64, 8] {
        for _ in 0..5 {
            #[allow(clippy::disallowed_types)]
            let start = Instant::now();
            if let Ok((o, t)) = run_events(buffers, n, 1) {
                let wall = start.elapsed().as_secs_f64();
                println!(
                    "{buffers} {} {} {:?} {}",
                    n as f64 / wall / 1e6,
                    n as f64 / o.end.as_seconds(),
                    o,
                    t.places[1].station.statistics(o.end).mean_jobs
                );
            }
        }
    }
    ExitCode::SUCCESS
}
