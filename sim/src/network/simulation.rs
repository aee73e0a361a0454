//! The network as a model of the kernel.

use super::{ClosedNetwork, Horizon, NetworkStation, Routing, StationKind};
use crate::calendar::{Calendar, Slot};
use crate::delay::Delay;
use crate::distribution::Distribution;
use crate::run::{Flow, Limits, Model, RunError, run};
use crate::sharing::SharedStation;
use crate::station::{Station, StationStatistics};
use crate::stream::{Stream, Streams};
use crate::time::{SimTime, Span};

/// What a run of a network came to. Everything but `end` and `events` is about the measured
/// cycles, the warm-up left out.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkResult {
    /// Completed cycles a second.
    pub throughput: f64,
    /// The time the measured cycles took.
    pub elapsed: Span,
    /// The stations, in order.
    pub stations: Vec<StationStatistics>,
    /// When the run ended.
    pub end: SimTime,
    /// Events handled.
    pub events: u64,
}

pub(super) fn simulate(
    network: &ClosedNetwork,
    jobs: usize,
    streams: &Streams,
    horizon: Horizon,
    limits: Limits,
) -> Result<NetworkResult, RunError> {
    let mut simulation = Simulation::new(network, jobs, streams, horizon);
    let mut calendar = Calendar::new(simulation.owners.len());
    for job in 0..jobs {
        simulation.places[0].arrive(SimTime::ZERO, job as u32, &mut calendar);
    }
    let summary = run(&mut simulation, &mut calendar, limits)?;
    let (begin, before) = simulation.warm;
    let elapsed = summary.end.since(begin);
    let after = simulation.places.iter().map(|place| place.statistics(summary.end));
    let stretch = |(after, before): (StationStatistics, &StationStatistics)| after.since(before);
    Ok(NetworkResult {
        throughput: horizon.completions as f64 / elapsed.as_seconds(),
        elapsed,
        stations: after.zip(&before).map(stretch).collect(),
        end: summary.end,
        events: summary.events,
    })
}

struct Simulation<'a> {
    places: Vec<Place<'a>>,
    routing: &'a Routing,
    /// The station of each slot.
    owners: Vec<usize>,
    completions: u64,
    horizon: Horizon,
    /// When the warm-up ended, and what the stations had counted by then.
    warm: (SimTime, Vec<StationStatistics>),
}

impl<'a> Simulation<'a> {
    fn new(network: &'a ClosedNetwork, jobs: usize, streams: &Streams, horizon: Horizon) -> Self {
        assert!(horizon.completions > 0, "a run measures one cycle at least");
        let mut owners = Vec::new();
        let mut places = Vec::new();
        for (index, station) in network.stations.iter().enumerate() {
            places.push(Place::new(station, streams, owners.len()));
            let slots = match station.kind {
                StationKind::Queue { servers, .. } => servers,
                StationKind::Delay { .. } => jobs,
                StationKind::Shared { .. } => 1,
            };
            owners.extend(vec![index; slots]);
        }
        let start = places.iter().map(|place| place.statistics(SimTime::ZERO)).collect();
        let warm = (SimTime::ZERO, start);
        Simulation { places, routing: &network.routing, owners, completions: 0, horizon, warm }
    }

    /// A job has left the last station.
    fn complete(&mut self, now: SimTime) -> Flow {
        self.completions += 1;
        if self.completions == self.horizon.warm_up {
            self.warm = (now, self.places.iter().map(|place| place.statistics(now)).collect());
        }
        if self.completions == self.horizon.warm_up + self.horizon.completions {
            Flow::Stop
        } else {
            Flow::Continue
        }
    }
}

impl Model for Simulation<'_> {
    fn handle(&mut self, now: SimTime, slot: Slot, calendar: &mut Calendar) -> Flow {
        let from = self.owners[slot.index()];
        let stations = self.places.len();
        let job = self.places[from].depart(now, slot, calendar);
        let to = self.routing.next(from, stations, &mut self.places[from].routing_stream);
        self.places[to].arrive(now, job, calendar);
        if from == stations - 1 { self.complete(now) } else { Flow::Continue }
    }
}

/// A station with its streams and its part of the calendar.
struct Place<'a> {
    discipline: Discipline,
    service: &'a Distribution,
    service_stream: Stream,
    routing_stream: Stream,
    first_slot: usize,
}

enum Discipline {
    Queue(Station<u32>),
    Delay(Delay),
    Shared(SharedStation<u32>),
}

impl<'a> Place<'a> {
    fn new(station: &'a NetworkStation, streams: &Streams, first_slot: usize) -> Self {
        let (discipline, service) = match &station.kind {
            StationKind::Queue { servers, service } => {
                (Discipline::Queue(Station::new(*servers)), service)
            }
            StationKind::Delay { delay } => (Discipline::Delay(Delay::new()), delay),
            StationKind::Shared { capacity, per_job, work } => {
                (Discipline::Shared(SharedStation::new(*capacity, *per_job)), work)
            }
        };
        Place {
            discipline,
            service,
            service_stream: streams.named(&format!("{}/service", station.name)),
            routing_stream: streams.named(&format!("{}/routing", station.name)),
            first_slot,
        }
    }

    fn arrive(&mut self, now: SimTime, job: u32, calendar: &mut Calendar) {
        match &mut self.discipline {
            Discipline::Queue(station) => {
                if let Some(server) = station.arrive(now, job) {
                    let end = now + self.service.sample_span(&mut self.service_stream);
                    calendar.schedule(Slot::new(self.first_slot + server), end);
                }
            }
            Discipline::Delay(delay) => {
                delay.arrive(now);
                let end = now + self.service.sample_span(&mut self.service_stream);
                calendar.schedule(Slot::new(self.first_slot + job as usize), end);
            }
            Discipline::Shared(station) => {
                station.arrive(now, job, self.service.sample(&mut self.service_stream));
                reschedule(station, Slot::new(self.first_slot), calendar);
            }
        }
    }

    fn depart(&mut self, now: SimTime, slot: Slot, calendar: &mut Calendar) -> u32 {
        let index = slot.index() - self.first_slot;
        match &mut self.discipline {
            Discipline::Queue(station) => {
                let (job, next) = station.depart(now, index);
                if next.is_some() {
                    let end = now + self.service.sample_span(&mut self.service_stream);
                    calendar.schedule(slot, end);
                } else {
                    calendar.cancel(slot);
                }
                job
            }
            Discipline::Delay(delay) => {
                delay.depart(now);
                calendar.cancel(slot);
                index as u32
            }
            Discipline::Shared(station) => {
                let job = station.complete(now);
                reschedule(station, slot, calendar);
                job
            }
        }
    }

    fn statistics(&self, now: SimTime) -> StationStatistics {
        match &self.discipline {
            Discipline::Queue(station) => station.statistics(now),
            Discipline::Delay(delay) => delay.statistics(now),
            Discipline::Shared(station) => station.statistics(now),
        }
    }
}

/// Every change at a shared station moves its next completion.
fn reschedule(station: &SharedStation<u32>, slot: Slot, calendar: &mut Calendar) {
    match station.next_completion() {
        Some(due) => calendar.schedule(slot, due),
        None => calendar.cancel(slot),
    }
}
