//! Laws that hold for every run exactly, whatever was drawn.

use bakcast_sim::{
    ClosedNetwork, Distribution, Horizon, NetworkStation, Routing, Streams, Tally,
    asymptotic_bounds,
};
use proptest::prelude::*;

const WHOLE_RUN: Horizon = Horizon { warm_up: 0, completions: 300 };

fn distribution(mean: f64, kind: usize) -> Distribution {
    match kind {
        0 => Distribution::deterministic(mean),
        1 => Distribution::exponential(mean),
        2 => Distribution::gamma(mean, 0.4),
        3 => Distribution::log_normal(mean, 1.3),
        _ => Distribution::hyperexponential(mean, 2.0),
    }
    .unwrap()
}

fn station(index: usize, (kind, mean, servers): (usize, f64, usize)) -> NetworkStation {
    let (name, law) = (format!("station {index}"), distribution(mean, kind));
    match servers {
        0 => NetworkStation::delay(&name, law),
        1..=5 => NetworkStation::queue(&name, servers, law),
        _ => NetworkStation::shared(&name, 1.0, 0.5, law),
    }
}

proptest! {
    #[test]
    fn operational_laws_hold_in_integers(
        parts in prop::collection::vec((0..5usize, 0.1..3.0f64, 0..7usize), 1..6),
        jobs in 1..12usize,
        seed in any::<u64>(),
    ) {
        let stations: Vec<_> =
            parts.iter().enumerate().map(|(index, &part)| station(index, part)).collect();
        let network = ClosedNetwork::new(stations, Routing::Cycle).unwrap();
        let result = network.run(jobs, &Streams::new(seed, 0), WHOLE_RUN).unwrap();
        let elapsed = u128::from(result.elapsed.as_nanos());

        // Little's law, summed over the stations: every job is somewhere at every moment.
        let stays = result.stations.iter().map(|station| station.busy + station.waiting);
        prop_assert_eq!(stays.sum::<u128>(), jobs as u128 * elapsed);

        let mut jobs_here = 0;
        for (index, station) in result.stations.iter().enumerate() {
            // Utilization law: servers cannot be busy for longer than there is time.
            if station.servers > 0 {
                prop_assert!(station.busy <= station.servers as u128 * elapsed);
            }
            // Flow balance: what arrived has left or is there.
            let present = station.arrivals - station.completions;
            jobs_here += present;
            prop_assert!(present <= jobs as u64);
            // What leaves a station arrives at the next; all jobs arrive at the first to begin.
            let before = &result.stations[(index + parts.len() - 1) % parts.len()];
            let first = if index == 0 { jobs as u64 } else { 0 };
            prop_assert_eq!(station.arrivals, before.completions + first);
        }
        prop_assert_eq!(jobs_here, jobs as u64);
        prop_assert_eq!(result.stations[parts.len() - 1].completions, WHOLE_RUN.completions);
        let ends: u64 = result.stations.iter().map(|station| station.completions).sum();
        prop_assert_eq!(result.events, ends);
    }

    /// With the service times that occurred as demands, throughput stays below both asymptotes.
    #[test]
    fn throughput_stays_within_its_bounds(
        parts in prop::collection::vec((0..5usize, 0.1..3.0f64, 1..6usize), 1..6),
        jobs in 1..12usize,
        seed in any::<u64>(),
    ) {
        let stations: Vec<_> =
            parts.iter().enumerate().map(|(index, &part)| station(index, part)).collect();
        let network = ClosedNetwork::new(stations, Routing::Cycle).unwrap();
        let result = network.run(jobs, &Streams::new(seed, 0), WHOLE_RUN).unwrap();
        let cycles = WHOLE_RUN.completions as f64;
        let demands: Vec<_> = result
            .stations
            .iter()
            .map(|station| bakcast_sim::Demand::Queue {
                demand: station.busy as f64 / 1e9 / cycles,
                servers: station.servers,
            })
            .collect();
        let bounds = asymptotic_bounds(&demands, jobs).unwrap();
        prop_assert!(result.throughput <= bounds.upper * (1.0 + 1e-12), "{:?}", bounds);
    }
}

/// Constant services leave no doubt: N jobs, D in all, the slowest station B.
#[test]
fn constant_services_reach_the_asymptotes() {
    let stations = [0.5, 2.0, 1.0]
        .iter()
        .enumerate()
        .map(|(index, &mean)| station(index, (0, mean, 1)))
        .collect();
    let network = ClosedNetwork::new(stations, Routing::Cycle).unwrap();
    let horizon = Horizon { warm_up: 10, completions: 100 };
    for (jobs, expected) in [(1, 1.0 / 3.5), (2, 0.5), (6, 0.5)] {
        let result = network.run(jobs, &Streams::new(1, 0), horizon).unwrap();
        assert!((result.throughput - expected).abs() < 1e-12, "{jobs} jobs: {}", result.throughput);
    }
}

/// Under the same streams, the same run: to the bit.
#[test]
fn a_run_is_a_function_of_seed_and_replication() {
    let stations = (0..3).map(|index| station(index, (3, 1.0, 1 + index))).collect();
    let network = ClosedNetwork::new(stations, Routing::Cycle).unwrap();
    let run =
        |seed, replication| network.run(4, &Streams::new(seed, replication), WHOLE_RUN).unwrap();
    assert_eq!(run(1, 2), run(1, 2));
    let ends: Tally = (0..20).map(|replication| run(1, replication).end.as_seconds()).collect();
    assert!(ends.standard_deviation().unwrap() > 0.0);
    assert!(run(1, 2) != run(2, 2));
}
