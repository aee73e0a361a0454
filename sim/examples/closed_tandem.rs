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
//! the same streams, both tell the same end to the nanosecond, which the tests below check.

use std::process::ExitCode;
#[expect(clippy::disallowed_types, reason = "a benchmark measures; its result is independent")]
use std::time::Instant;

use bakcast_sim::{
    Calendar, Flow, Limits, Model, RunError, SimTime, Slot, Span, Station, Stream, Streams, run,
};

const PROCESSORS: usize = 4;

/// Service times drawn at a time: as many as stay close to the processor.
const BLOCK: usize = 128;

/// Slots of the calendar: one for each server.
const READER: usize = 0;
const FIRST_PROCESSOR: usize = 1;
const WRITER: usize = FIRST_PROCESSOR + PROCESSORS;
const SLOTS: usize = WRITER + 1;

/// What a run came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Outcome {
    completions: u64,
    /// Ends that were handled; the recursion has none.
    events: u64,
    end: SimTime,
}

/// Exponential service times.
struct Service {
    stream: Stream,
    mean_s: f64,
    variates: [f64; BLOCK],
}

impl Service {
    fn all(seed: u64) -> [Service; 3] {
        let streams = Streams::new(seed, 0);
        [("R/service", 1.0), ("C/service", 3.0), ("W/service", 0.9)].map(|(name, mean_s)| Service {
            stream: streams.named(name),
            mean_s,
            variates: [0.0; BLOCK],
        })
    }

    #[inline(always)]
    fn next(&mut self) -> Span {
        Span::from_seconds(self.mean_s * self.stream.exponential())
    }

    /// The next ones, at most [`BLOCK`].
    fn fill(&mut self, spans: &mut [Span]) {
        let variates = &mut self.variates[..spans.len()];
        self.stream.fill_exponential(variates);
        Span::fill_from_seconds(spans, variates, self.mean_s);
    }
}

/// A station, its service times and its first slot.
struct Place {
    station: Station<u32>,
    service: Service,
    /// The next service times, drawn ahead so that no event waits for a draw. As each station has a
    /// stream of its own, that changes no result.
    upcoming: [Span; BLOCK],
    used: usize,
    first_slot: usize,
}

impl Place {
    fn new(servers: usize, service: Service, first_slot: usize) -> Self {
        let (station, upcoming) = (Station::new(servers), [Span::ZERO; BLOCK]);
        Place { station, service, upcoming, used: BLOCK, first_slot }
    }

    #[inline(always)]
    fn begin(&mut self, now: SimTime, slot: Slot, calendar: &mut Calendar) {
        let used = if self.used < BLOCK { self.used } else { self.refill() };
        calendar.schedule(slot, now + self.upcoming[used]);
        self.used = used + 1;
    }

    #[cold]
    #[inline(never)]
    fn refill(&mut self) -> usize {
        self.service.fill(&mut self.upcoming);
        0
    }

    #[inline(always)]
    fn arrive(&mut self, now: SimTime, buffer: u32, calendar: &mut Calendar) {
        if let Some(server) = self.station.arrive(now, buffer) {
            self.begin(now, Slot::new(self.first_slot + server), calendar);
        }
    }

    #[inline(always)]
    fn depart(&mut self, now: SimTime, slot: Slot, calendar: &mut Calendar) -> u32 {
        let (buffer, next) = self.station.depart(now, slot.index() - self.first_slot);
        if next.is_some() {
            self.begin(now, slot, calendar);
        } else {
            calendar.cancel(slot);
        }
        buffer
    }
}

/// The event-driven engine.
struct Tandem {
    reader: Place,
    processors: Place,
    writer: Place,
    left: u64,
}

impl Tandem {
    fn new(completions: u64, seed: u64) -> Self {
        let [read, process, write] = Service::all(seed);
        Tandem {
            reader: Place::new(1, read, READER),
            processors: Place::new(PROCESSORS, process, FIRST_PROCESSOR),
            writer: Place::new(1, write, WRITER),
            left: completions,
        }
    }
}

impl Model for Tandem {
    // One arm a station: the processor can then guess ahead what a station's next step will be,
    // which code shared by all stations hides from it.
    #[inline(always)]
    fn handle(&mut self, now: SimTime, slot: Slot, calendar: &mut Calendar) -> Flow {
        match slot.index() {
            READER => {
                let buffer = self.reader.depart(now, slot, calendar);
                self.processors.arrive(now, buffer, calendar);
            }
            WRITER => {
                let buffer = self.writer.depart(now, slot, calendar);
                self.reader.arrive(now, buffer, calendar);
                self.left -= 1;
                if self.left == 0 {
                    return Flow::Stop;
                }
            }
            _ => {
                let buffer = self.processors.depart(now, slot, calendar);
                self.writer.arrive(now, buffer, calendar);
            }
        }
        Flow::Continue
    }
}

fn run_events(buffers: u32, completions: u64, seed: u64) -> Result<(Outcome, Tandem), RunError> {
    let mut tandem = Tandem::new(completions, seed);
    let mut calendar = Calendar::new(SLOTS);
    for buffer in 0..buffers {
        tandem.reader.arrive(SimTime::ZERO, buffer, &mut calendar);
    }
    let summary = run(&mut tandem, &mut calendar, Limits::NONE)?;
    Ok((Outcome { completions, events: summary.events, end: summary.end }, tandem))
}

/// The recursion. R and W are single servers, so buffers leave them in the order of arrival, each
/// when the one before has left and it has arrived, whichever is later, plus its service. Buffers
/// begin at C in the order of arrival, each on the server that is free first, so the earliest of
/// the four ends tells the next arrival at W. Which server that was does not matter: the ends are
/// kept in order, and no look-up waits for what was just stored.
struct Recursion {
    read_end: SimTime,
    process_ends: [SimTime; PROCESSORS],
    write_end: SimTime,
    /// Arrivals at C in a ring whose length is a power of two. Those that no server has taken are
    /// always equally many, `waiting`.
    arrivals: Box<[SimTime]>,
    waiting: usize,
    cycles: usize,
}

impl Recursion {
    fn new(buffers: u32, read: &mut Service, process: &mut Service) -> Self {
        let buffers = buffers as usize;
        let servers = buffers.min(PROCESSORS);
        let waiting = buffers - servers;
        let mut arrivals = vec![SimTime::ZERO; (waiting + 1).next_power_of_two()];
        let mut read_end = SimTime::ZERO;
        let mut process_ends = [SimTime::MAX; PROCESSORS];
        for end in process_ends.iter_mut().take(servers) {
            read_end += read.next();
            *end = read_end + process.next();
        }
        process_ends.sort_unstable();
        for arrival in arrivals.iter_mut().take(waiting) {
            read_end += read.next();
            *arrival = read_end;
        }
        let (write_end, arrivals) = (SimTime::ZERO, arrivals.into_boxed_slice());
        Recursion { read_end, process_ends, write_end, arrivals, waiting, cycles: 0 }
    }

    /// A completion for each of the service times at W. A function of its own, so that all that
    /// changes fits in registers.
    #[inline(never)]
    fn advance(&mut self, writes: &[Span], reads: &[Span], processes: &[Span]) {
        let Recursion { mut read_end, mut process_ends, mut write_end, waiting, .. } = *self;
        let arrivals = &mut self.arrivals[..];
        let mask = arrivals.len() - 1;
        let mut cycle = self.cycles;
        for ((&write, &read), &process) in writes.iter().zip(reads).zip(processes) {
            let processed = process_ends[0];
            write_end = processed.max(write_end) + write;
            read_end = write_end.max(read_end) + read;
            arrivals[cycle.wrapping_add(waiting) & mask] = read_end;
            let begin = processed.max(arrivals[cycle & mask]);
            process_ends = replace_first(process_ends, begin + process);
            cycle = cycle.wrapping_add(1);
        }
        (self.read_end, self.process_ends, self.write_end) = (read_end, process_ends, write_end);
        self.cycles = cycle;
    }
}

fn run_recursion(buffers: u32, completions: u64, seed: u64) -> Outcome {
    let [mut read, mut process, mut write] = Service::all(seed);
    let mut recursion = Recursion::new(buffers, &mut read, &mut process);
    let [mut reads, mut processes, mut writes] = [[Span::ZERO; BLOCK]; 3];
    let mut left = completions;
    while left > 0 {
        let turns = left.min(BLOCK as u64) as usize;
        write.fill(&mut writes[..turns]);
        read.fill(&mut reads[..turns]);
        process.fill(&mut processes[..turns]);
        recursion.advance(&writes[..turns], &reads[..turns], &processes[..turns]);
        left -= turns as u64;
    }
    Outcome { completions, events: 0, end: recursion.write_end }
}

/// Ends in order, the first of them replaced by another; without branches.
#[inline(always)]
fn replace_first([_, b, c, d]: [SimTime; PROCESSORS], end: SimTime) -> [SimTime; PROCESSORS] {
    [b.min(end), c.min(end).max(b), d.min(end).max(c), d.max(end)]
}

struct Arguments {
    buffers: u32,
    completions: u64,
    seed: u64,
    recursion: bool,
}

impl Arguments {
    fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut arguments =
            Arguments { buffers: 64, completions: 1_000_000, seed: 1, recursion: false };
        while let Some(flag) = words.next() {
            let value = words.next().ok_or_else(|| format!("{flag} needs a value"))?;
            let number = || match value.parse::<u64>() {
                Ok(number) => Ok(number),
                Err(_) => Err(format!("{flag} needs a whole number, not `{value}`")),
            };
            match flag.as_str() {
                "--buffers" => match u32::try_from(number()?) {
                    Ok(buffers) if buffers > 0 => arguments.buffers = buffers,
                    _ => return Err(format!("--buffers needs 1 to {}", u32::MAX)),
                },
                "--completions" => arguments.completions = number()?.max(1),
                "--seed" => arguments.seed = number()?,
                "--engine" => match value.as_str() {
                    "event" => arguments.recursion = false,
                    "recursion" => arguments.recursion = true,
                    _ => return Err(format!("--engine is event or recursion, not `{value}`")),
                },
                _ => return Err(format!("unknown flag `{flag}`")),
            }
        }
        Ok(arguments)
    }
}

fn main() -> ExitCode {
    let Arguments { buffers, completions, seed, recursion } =
        match Arguments::parse(std::env::args().skip(1)) {
            Ok(arguments) => arguments,
            Err(message) => {
                eprintln!("closed_tandem: {message}");
                return ExitCode::from(2);
            }
        };
    #[expect(clippy::disallowed_types, reason = "measures the program, not the simulation")]
    let start = Instant::now();
    let outcome = if recursion {
        Ok(run_recursion(buffers, completions, seed))
    } else {
        run_events(buffers, completions, seed).map(|(outcome, _)| outcome)
    };
    let wall_s = start.elapsed().as_secs_f64();
    match outcome {
        Ok(Outcome { completions, events, end }) => {
            let per_second = completions as f64 / wall_s;
            let throughput = completions as f64 / end.as_seconds();
            println!(
                "{{\"completions\":{completions},\"wall_s\":{wall_s},\
                 \"completions_per_s\":{per_second},\"events\":{events},\
                 \"throughput\":{throughput}}}"
            );
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("closed_tandem: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use bakcast_sim::{ConfidenceInterval, Demand, convolution};

    use super::*;

    #[test]
    fn both_engines_end_at_the_same_nanosecond() {
        for buffers in [1, 2, 3, 4, 5, 8, 64, 300] {
            for seed in 0..3 {
                let (events, _) = run_events(buffers, 5000, seed).unwrap();
                let recursion = run_recursion(buffers, 5000, seed);
                assert_eq!(events.end, recursion.end, "{buffers} buffers, seed {seed}");
            }
        }
    }

    #[test]
    fn every_completion_is_three_events_apart_from_the_ends() {
        let (outcome, tandem) = run_events(8, 10_000, 1).unwrap();
        assert!((30_000..30_016).contains(&outcome.events), "{}", outcome.events);
        let places = [&tandem.reader, &tandem.processors, &tandem.writer];
        let statistics = places.map(|place| place.station.statistics(outcome.end));
        let present: u128 = statistics.iter().map(|station| station.busy + station.waiting).sum();
        assert_eq!(present, 8 * u128::from(outcome.end.as_nanos()));
    }

    /// Completions a second of both engines, the start left out.
    fn throughputs(buffers: u32, seed: u64) -> [f64; 2] {
        let (warm_up, completions) = (5000, 65_000);
        let between = |end: &dyn Fn(u64) -> SimTime| {
            (completions - warm_up) as f64 / end(completions).since(end(warm_up)).as_seconds()
        };
        [
            between(&|count| run_events(buffers, count, seed).unwrap().0.end),
            between(&|count| run_recursion(buffers, count, seed).end),
        ]
    }

    #[test]
    fn both_engines_agree_with_the_exact_throughput_within_their_confidence_intervals() {
        let stations = [(1, 1.0), (4, 3.0), (1, 0.9)]
            .map(|(servers, demand)| Demand::Queue { demand, servers });
        for (buffers, told, width_max) in
            [(8, 0.850_220_679_7, 0.003), (64, 0.999_790_829_6, 0.004)]
        {
            let exact = convolution(&stations, buffers as usize).unwrap().pop().unwrap().throughput;
            assert!((exact - told).abs() < 1e-10, "the head of this file has {told}, not {exact}");
            let runs: Vec<_> = (1..=16).map(|seed| throughputs(buffers, seed)).collect();
            for engine in 0..2 {
                let estimates: Vec<_> = runs.iter().map(|run| run[engine]).collect();
                let interval = ConfidenceInterval::of_mean(&estimates, 0.99).unwrap();
                assert!(interval.contains(exact), "{buffers}: {exact} is not in {interval:?}");
                assert!(interval.half_width() < width_max, "{buffers}: {interval:?}");
            }
        }
    }
}
