//! Open stations: jobs arrive from outside, are served once and leave.

use bakcast_sim::{
    Calendar, Distribution, Flow, Limits, Model, SharedStation, SimTime, Slot, Station,
    StationStatistics, Stream, Streams, replicate, run,
};

use crate::Verdict;

const WARM_UP: u64 = 2_000;
const ARRIVALS: u64 = 30_000;
const REPLICATIONS: u64 = 60;
const ARRIVAL: Slot = Slot::new(0);

/// Poisson arrivals at rate 1 to some station.
struct Open<S> {
    place: S,
    service: Distribution,
    arrivals_stream: Stream,
    service_stream: Stream,
    arrivals: u64,
    warm: Option<StationStatistics>,
}

trait Place {
    fn slots(&self) -> usize;
    fn arrive(&mut self, now: SimTime, work: f64, calendar: &mut Calendar);
    fn depart(&mut self, now: SimTime, slot: Slot, calendar: &mut Calendar);
    fn statistics(&self, now: SimTime) -> StationStatistics;
}

impl<S: Place> Model for Open<S> {
    fn handle(&mut self, now: SimTime, slot: Slot, calendar: &mut Calendar) -> Flow {
        if slot != ARRIVAL {
            self.place.depart(now, slot, calendar);
            return Flow::Continue;
        }
        self.arrivals += 1;
        if self.arrivals == WARM_UP {
            self.warm = Some(self.place.statistics(now));
        }
        let work = self.service.sample(&mut self.service_stream);
        self.place.arrive(now, work, calendar);
        let gap = bakcast_sim::Span::from_seconds(self.arrivals_stream.exponential());
        calendar.schedule(ARRIVAL, now + gap);
        if self.arrivals == WARM_UP + ARRIVALS { Flow::Stop } else { Flow::Continue }
    }
}

/// A queue whose jobs carry their service time.
struct Queue(Station<f64>);

impl Place for Queue {
    fn slots(&self) -> usize {
        1 + self.0.servers()
    }

    fn arrive(&mut self, now: SimTime, work: f64, calendar: &mut Calendar) {
        if let Some(server) = self.0.arrive(now, work) {
            calendar.schedule(Slot::new(1 + server), now + bakcast_sim::Span::from_seconds(work));
        }
    }

    fn depart(&mut self, now: SimTime, slot: Slot, calendar: &mut Calendar) {
        match self.0.depart(now, slot.index() - 1).1 {
            Some(work) => calendar.schedule(slot, now + bakcast_sim::Span::from_seconds(work)),
            None => calendar.cancel(slot),
        }
    }

    fn statistics(&self, now: SimTime) -> StationStatistics {
        self.0.statistics(now)
    }
}

impl Place for SharedStation<()> {
    fn slots(&self) -> usize {
        2
    }

    fn arrive(&mut self, now: SimTime, work: f64, calendar: &mut Calendar) {
        SharedStation::arrive(self, now, (), work);
        calendar.schedule(Slot::new(1), self.next_completion().unwrap());
    }

    fn depart(&mut self, now: SimTime, slot: Slot, calendar: &mut Calendar) {
        self.complete(now);
        match self.next_completion() {
            Some(due) => calendar.schedule(slot, due),
            None => calendar.cancel(slot),
        }
    }

    fn statistics(&self, now: SimTime) -> StationStatistics {
        SharedStation::statistics(self, now)
    }
}

/// Statistics of replications, the warm-up left out.
fn simulate<S: Place>(
    place: impl Fn() -> S + Sync,
    service: &Distribution,
) -> Vec<StationStatistics> {
    replicate(REPLICATIONS, |replication| {
        let streams = Streams::new(77, replication);
        let mut open = Open {
            place: place(),
            service: service.clone(),
            arrivals_stream: streams.named("arrivals"),
            service_stream: streams.named("service"),
            arrivals: 0,
            warm: None,
        };
        let mut calendar = Calendar::new(open.place.slots());
        calendar.schedule(ARRIVAL, SimTime::ZERO);
        let summary = run(&mut open, &mut calendar, Limits::NONE).unwrap();
        open.place.statistics(summary.end).since(&open.warm.unwrap())
    })
}

fn compare(verdict: &mut Verdict, what: &str, runs: &[StationStatistics], load: f64, queue: f64) {
    let servers = runs[0].servers as f64;
    let mut add = |what: String, estimate: fn(&StationStatistics) -> f64, exact: f64| {
        verdict.compare(what, runs.iter().map(estimate).collect(), exact);
    };
    add(format!("{what}: utilization"), |run| run.utilization, load / servers);
    add(format!("{what}: waiting"), |run| run.mean_queue, queue);
    add(format!("{what}: present"), |run| run.mean_jobs, queue + load);
    // Little's law at arrival rate 1; a biased response would show here.
    add(format!("{what}: response"), |run| run.mean_response.unwrap(), queue + load);
}

/// Mean waiting in M/M/c: Erlang's C formula times load / (c - load).
fn erlang_queue(servers: u32, load: f64) -> f64 {
    let (mut term, mut sum) = (1.0, 1.0);
    for jobs in 1..servers {
        term *= load / f64::from(jobs);
        sum += term;
    }
    let servers = f64::from(servers);
    let waiting = term * load / servers * servers / (servers - load);
    waiting / (sum + waiting) * load / (servers - load)
}

/// Mean waiting in M/G/1: Pollaczek and Khinchine.
fn pollaczek_queue(load: f64, cv: f64) -> f64 {
    load * load * (1.0 + cv * cv) / (2.0 * (1.0 - load))
}

#[test]
fn the_formulas_agree_where_they_meet() {
    for load in [0.3, 0.5, 0.8] {
        assert!((erlang_queue(1, load) - load * load / (1.0 - load)).abs() < 1e-12);
        assert!((pollaczek_queue(load, 1.0) - load * load / (1.0 - load)).abs() < 1e-12);
    }
    // Erlang C for 2 servers and load 1 is 1 / 3.
    assert!((erlang_queue(2, 1.0) - 1.0 / 3.0).abs() < 1e-12);
}

#[test]
fn single_stations_agree_with_their_formulas() {
    let mut verdict = Verdict::default();
    for (servers, load) in [(1, 0.5), (1, 0.7), (2, 1.4), (3, 2.25), (5, 4.0), (16, 13.0)] {
        let service = Distribution::exponential(load).unwrap();
        let runs = simulate(|| Queue(Station::new(servers as usize)), &service);
        compare(&mut verdict, &format!("M/M/{servers}"), &runs, load, erlang_queue(servers, load));
    }
    let single_servers = [
        ("M/D/1", Distribution::deterministic(0.6)),
        ("M/D/1", Distribution::deterministic(0.75)),
        ("M/G/1, gamma", Distribution::gamma(0.6, 0.5)),
        ("M/G/1, wide gamma", Distribution::gamma(0.5, 1.5)),
        ("M/G/1, log-normal", Distribution::log_normal(0.6, 0.8)),
        ("M/G/1, hyperexponential", Distribution::hyperexponential(0.5, 1.6)),
        ("M/G/1, empirical", Distribution::empirical(vec![0.1, 0.2, 0.2, 0.9, 1.1])),
    ];
    for (what, service) in single_servers {
        let service = service.unwrap();
        let queue = pollaczek_queue(service.mean(), service.cv());
        let runs = simulate(|| Queue(Station::new(1)), &service);
        compare(&mut verdict, what, &runs, service.mean(), queue);
    }
    // Sharing does not mind the distribution: mean jobs load / (1 - load).
    for service in [Distribution::deterministic(0.6), Distribution::hyperexponential(0.6, 1.6)] {
        let service = service.unwrap();
        let runs = simulate(|| SharedStation::new(1.0, f64::INFINITY), &service);
        compare(&mut verdict, "M/G/1 sharing", &runs, 0.6, 0.6 * 0.6 / 0.4);
    }
    verdict.judge(0.012);
}
