use super::*;
use crate::time::Span;

fn fixed(seconds: f64) -> Distribution {
    Distribution::deterministic(seconds).unwrap()
}

fn queue(name: &str, seconds: f64) -> NetworkStation {
    NetworkStation::queue(name, 1, fixed(seconds))
}

const SHORT: Horizon = Horizon { warm_up: 0, completions: 10 };

#[test]
fn one_job_takes_the_sum_of_all_services() {
    let stations = vec![
        queue("a", 1.0),
        NetworkStation::delay("b", fixed(2.0)),
        NetworkStation::shared("c", 10.0, 4.0, fixed(12.0)),
    ];
    let network = ClosedNetwork::new(stations, Routing::Cycle).unwrap();
    let result = network.run(1, &Streams::new(1, 0), SHORT).unwrap();
    assert_eq!((result.elapsed, result.events), (Span::from_seconds(60.0), 30));
    let busy: u128 = result.stations.iter().map(|station| station.busy).sum();
    assert_eq!(busy, 60_000_000_000);
    assert_eq!(network.demands(), None, "10 / 4 is not a number of servers");
}

#[test]
fn many_jobs_keep_the_slowest_station_busy() {
    let stations = vec![queue("a", 1.0), queue("b", 3.0), queue("c", 2.0)];
    let network = ClosedNetwork::new(stations, Routing::Cycle).unwrap();
    let horizon = Horizon { warm_up: 5, completions: 100 };
    let result = network.run(4, &Streams::new(1, 0), horizon).unwrap();
    assert_eq!(result.elapsed, Span::from_seconds(300.0));
    assert!((result.stations[1].utilization - 1.0).abs() < 1e-12);
    assert_eq!(result.stations[2].completions, 100);
}

#[test]
fn visits_follow_from_the_routing() {
    // a -> b or c with 1/4 and 3/4; b returns to a; c is left for a half of the times and else
    // repeated.
    let rows = vec![vec![0.0, 0.25, 0.75], vec![1.0, 0.0, 0.0], vec![0.5, 0.0, 0.5]];
    let stations = vec![queue("a", 1.0), queue("b", 1.0), queue("c", 1.0)];
    let network = ClosedNetwork::new(stations, Routing::Probabilities(rows)).unwrap();
    for (visits, expected) in network.visits().iter().zip([2.0 / 3.0, 1.0 / 6.0, 1.0]) {
        assert!((visits - expected).abs() < 1e-12, "{visits} for {expected}");
    }
    let horizon = Horizon { warm_up: 0, completions: 60_000 };
    let result = network.run(3, &Streams::new(1, 0), horizon).unwrap();
    let ratio = result.stations[1].completions as f64 / result.stations[0].completions as f64;
    // The share of a's 40 000 departures that go to b has a standard deviation of 0.0022.
    assert!((ratio - 0.25).abs() < 0.009, "{ratio}");
}

#[test]
fn networks_that_cannot_be_are_refused() {
    let refused = |stations, routing| ClosedNetwork::new(stations, routing).unwrap_err();
    assert_eq!(refused(vec![], Routing::Cycle), NetworkError::NoStations);
    let same = refused(vec![queue("a", 1.0), queue("a", 2.0)], Routing::Cycle);
    assert_eq!(same, NetworkError::SameName("a".to_owned()));
    let none = NetworkStation::queue("a", 0, fixed(1.0));
    assert_eq!(refused(vec![none], Routing::Cycle), NetworkError::NoServers("a".to_owned()));
    let shared = NetworkStation::shared("a", 0.0, 1.0, fixed(1.0));
    let error = refused(vec![shared], Routing::Cycle).to_string();
    assert_eq!(error, "station `a` shares 0 units a second, at most 1 for one job");
    let pair = || vec![queue("a", 1.0), queue("b", 1.0)];
    let rows = |rows: [[f64; 2]; 2]| Routing::Probabilities(rows.map(Vec::from).into());
    let error = refused(pair(), rows([[0.5, 0.5], [0.5, 0.4]]));
    assert_eq!(error, NetworkError::InvalidRow { row: 1, stations: 2 });
    let error = refused(pair(), Routing::Probabilities(vec![vec![0.5, 0.5]]));
    assert_eq!(error, NetworkError::InvalidRow { row: 1, stations: 2 });
    for apart in [[[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [1.0, 0.0]], [[0.0, 1.0], [0.0, 1.0]]] {
        assert_eq!(refused(pair(), rows(apart)), NetworkError::NotConnected);
    }
}

#[test]
fn a_network_without_jobs_stalls() {
    let network = ClosedNetwork::new(vec![queue("a", 1.0)], Routing::Cycle).unwrap();
    let error = network.run(0, &Streams::new(1, 0), SHORT).unwrap_err();
    assert!(matches!(error, RunError::Stalled { events: 0, .. }));
    let limits = Limits { events_max: 5, ..Limits::NONE };
    let error = network.run_within(1, &Streams::new(1, 0), SHORT, limits).unwrap_err();
    assert!(matches!(error, RunError::EventLimit { events: 5, .. }));
}
