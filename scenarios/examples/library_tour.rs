//! A tour of the library: load a scenario, change a knob, predict, look at stations and
//! waits; then a simulation of one's own.
//!
//! Made of the cells of `notebooks/07-library-tour.ipynb` by the test that runs it; do
//! not edit.

#![allow(clippy::too_many_lines, reason = "the cells of a notebook, in a row")]

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("[2]");
    use bakcast_scenarios::predict::{PredictOptions, predict};
    use bakcast_scenarios::{Scenario, Set};

    let default = Scenario::load_reference("nvme-knob-matrix:2", &[])?;
    println!("{}", default.resolved.title);
    println!("buffers: {}", default.resolved.backup.buffers.count);
    println!("database: {} bytes", default.resolved.database_bytes().get());

    println!("[3]");
    let options = PredictOptions { seed: 1, replications: 32, ..PredictOptions::DEFAULT };
    let before = predict(&default.resolved, &options)?;
    let range = before.backup.seconds;
    println!("backup {:.2} s", range.median);
    println!("90 % of nights {:.2} to {:.2} s", range.low, range.high);
    println!("nights {}, events {}", before.replications(), before.events);

    println!("[4]");
    for station in &before.backup.stations {
        println!(
            "{:10} x {}  working {:4.1} %  starved {:4.1} %  blocked {:4.1} %",
            station.name,
            station.servers,
            100.0 * station.working,
            100.0 * station.starved,
            100.0 * station.blocked,
        );
    }
    if let Some(bottleneck) = &before.backup.bottleneck {
        println!("bottleneck: {}", bottleneck.name());
    }

    println!("[5]");
    for wait in before.backup.waits.iter().filter(|wait| wait.seconds > 0.5) {
        let shown = wait.wait_type.unwrap_or("-");
        println!("{:12} {:8.2} s  {shown}", format!("{:?}", wait.side), wait.seconds);
    }

    println!("[6]");
    let sets = [Set::parse("backup.buffer_count=64")?];
    let more = Scenario::load_reference("nvme-knob-matrix:2", &sets)?;
    let after = predict(&more.resolved, &options)?;
    let faster = {
        let nights = after.backup.elapsed_seconds.iter().zip(&before.backup.elapsed_seconds);
        nights.filter(|(with, without)| with < without).count()
    };
    println!("64 buffers: {:.2} s, faster on {faster} of 32 nights", after.backup.seconds.median);

    println!("[7]");
    let misspelt = [Set::parse("backup.buffer_cout=64")?];
    if let Err(error) = Scenario::load_reference("nvme-knob-matrix", &misspelt) {
        println!("{}", error.to_string().lines().next().unwrap_or_default());
    }

    println!("[8]");
    use bakcast_sim::{Calendar, Flow, Limits, Model, Slot, Station, run};
    use bakcast_sim::{SimTime, Span, Stream, Streams};

    const READ: Slot = Slot::new(0);
    const WRITE: Slot = Slot::new(1);

    struct Ring {
        reader: Station<()>,
        writer: Station<()>,
        luck: Stream,
        written: u64,
    }

    impl Ring {
        fn hold(&mut self, mean: f64) -> Span {
            Span::from_seconds(mean * self.luck.exponential())
        }

        fn read(&mut self, now: SimTime, calendar: &mut Calendar) {
            calendar.schedule(READ, now + self.hold(1.0));
        }

        fn write(&mut self, now: SimTime, calendar: &mut Calendar) {
            calendar.schedule(WRITE, now + self.hold(0.9));
        }
    }

    impl Model for Ring {
        fn handle(&mut self, now: SimTime, slot: Slot, calendar: &mut Calendar) -> Flow {
            calendar.cancel(slot);
            if slot == READ {
                if self.reader.depart(now, 0).1.is_some() {
                    self.read(now, calendar);
                }
                if self.writer.arrive(now, ()).is_some() {
                    self.write(now, calendar);
                }
            } else {
                self.written += 1;
                if self.writer.depart(now, 0).1.is_some() {
                    self.write(now, calendar);
                }
                if self.reader.arrive(now, ()).is_some() {
                    self.read(now, calendar);
                }
            }
            if self.written < 1_000_000 { Flow::Continue } else { Flow::Stop }
        }
    }

    println!("[9]");
    use bakcast_sim::{Demand, mean_value_analysis};

    let luck = Streams::new(1, 0).named("luck");
    let mut ring = Ring { reader: Station::new(1), writer: Station::new(1), luck, written: 0 };
    let mut calendar = Calendar::new(2);
    for _ in 0..4 {
        if ring.reader.arrive(SimTime::ZERO, ()).is_some() {
            ring.read(SimTime::ZERO, &mut calendar);
        }
    }
    let summary = run(&mut ring, &mut calendar, Limits::NONE)?;
    let rate = ring.written as f64 / summary.end.as_seconds();

    fn queue(demand: f64) -> Demand {
        Demand::Queue { demand, servers: 1 }
    }

    let theory = mean_value_analysis(&[queue(1.0), queue(0.9)], 4)?;
    if let Some(four) = theory.last() {
        println!("simulated {rate:.3} buffers a second, exact {:.3}", four.throughput);
    }
    println!("reader busy {:.1} %", 100.0 * ring.reader.statistics(summary.end).utilization);

    Ok(())
}
