//! The reference network: buffers circulate R (1 server, mean 1.0 s) -> C (4 servers, mean 3.0 s)
//! -> W (1 server, mean 0.9 s) -> R, all services exponential.
//!
//! Once on the bare kernel, in the form of the example `closed_tandem` of `bakcast-sim`, which is
//! as fast as the kernel gets; once through `ClosedNetwork`, which knows any network. Drawing from
//! the same streams, both end at the same nanosecond.

use anyhow::Result;
use bakcast_sim::{
    Calendar, ClosedNetwork, Distribution, Flow, Horizon, Limits, Model, NetworkStation, Routing,
    SimTime, Slot, Span, Station, Stream, Streams, run,
};

use crate::{Done, Prepared};

const COMPLETIONS: u64 = 100_000;
/// Name, servers and mean service time in seconds.
const STATIONS: [(&str, usize, f64); 3] = [("R", 1, 1.0), ("C", 4, 3.0), ("W", 1, 0.9)];
const SLOTS: usize = 6;
/// Service times drawn at a time.
const BLOCK: usize = 128;

/// Through `ClosedNetwork`.
pub(crate) fn network(buffers: usize) -> Result<Prepared> {
    let mut stations = Vec::new();
    for (name, servers, mean) in STATIONS {
        stations.push(NetworkStation::queue(name, servers, Distribution::exponential(mean)?));
    }
    let network = ClosedNetwork::new(stations, Routing::Cycle)?;
    let horizon = Horizon { warm_up: 0, completions: COMPLETIONS };
    Ok(Box::new(move || {
        let result = network.run(buffers, &Streams::new(1, 0), horizon)?;
        Ok(Done { events: result.events, bytes: 0, nanoseconds: result.end.as_nanos() })
    }))
}

/// On the bare kernel.
pub(crate) fn bare(buffers: u32) -> Result<Prepared> {
    Ok(Box::new(move || {
        let mut first_slot = 0;
        let [reader, processors, writer] = STATIONS.map(|(name, servers, mean_s)| {
            let stream = Streams::new(1, 0).named(&format!("{name}/service"));
            let place = Place::new(servers, stream, mean_s, first_slot);
            first_slot += servers;
            place
        });
        let mut tandem = Tandem { reader, processors, writer, left: COMPLETIONS };
        let mut calendar = Calendar::new(SLOTS);
        for buffer in 0..buffers {
            tandem.reader.arrive(SimTime::ZERO, buffer, &mut calendar);
        }
        let summary = run(&mut tandem, &mut calendar, Limits::NONE)?;
        Ok(Done { events: summary.events, bytes: 0, nanoseconds: summary.end.as_nanos() })
    }))
}

struct Tandem {
    reader: Place,
    processors: Place,
    writer: Place,
    left: u64,
}

impl Model for Tandem {
    // One arm a station, as in the example: the processor guesses the branches of each better.
    #[inline(always)]
    fn handle(&mut self, now: SimTime, slot: Slot, calendar: &mut Calendar) -> Flow {
        match slot.index() {
            0 => {
                let buffer = self.reader.depart(now, slot, calendar);
                self.processors.arrive(now, buffer, calendar);
            }
            5 => {
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

/// A station with its service times, the next of which are drawn ahead.
struct Place {
    station: Station<u32>,
    stream: Stream,
    mean_s: f64,
    upcoming: [Span; BLOCK],
    used: usize,
    first_slot: usize,
}

impl Place {
    fn new(servers: usize, stream: Stream, mean_s: f64, first_slot: usize) -> Self {
        let station = Station::new(servers);
        Place { station, stream, mean_s, upcoming: [Span::ZERO; BLOCK], used: BLOCK, first_slot }
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
        let mut variates = [0.0; BLOCK];
        self.stream.fill_exponential(&mut variates);
        Span::fill_from_seconds(&mut self.upcoming, &variates, self.mean_s);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_of_the_network_end_at_the_same_nanosecond() {
        for buffers in [8_u8, 64] {
            let bare = bare(buffers.into()).unwrap()().unwrap();
            assert_eq!(bare, network(buffers.into()).unwrap()().unwrap(), "{buffers} buffers");
        }
    }
}
