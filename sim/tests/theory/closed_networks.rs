use bakcast_sim::{
    ClosedNetwork, Distribution, Horizon, NetworkResult, NetworkStation, Routing, Streams,
    mean_value_analysis, replicate,
};

use crate::Verdict;

fn exponential(mean: f64) -> Distribution {
    Distribution::exponential(mean).unwrap()
}

/// (servers, mean) of a queue; 0 servers is a delay.
fn cycle(stations: &[(usize, f64)]) -> ClosedNetwork {
    let station = |(index, &(servers, mean)): (usize, &(usize, f64))| match servers {
        0 => NetworkStation::delay(&format!("{index}"), exponential(mean)),
        _ => NetworkStation::queue(&format!("{index}"), servers, exponential(mean)),
    };
    let stations = stations.iter().enumerate().map(station).collect();
    ClosedNetwork::new(stations, Routing::Cycle).unwrap()
}

/// Networks with various servers, populations and delays.
fn networks() -> Vec<(ClosedNetwork, usize)> {
    vec![
        (cycle(&[(1, 1.0), (4, 3.0), (1, 0.9)]), 8),
        (cycle(&[(1, 1.0), (4, 3.0), (1, 0.9)]), 3),
        (cycle(&[(1, 1.0), (1, 1.0)]), 5),
        (cycle(&[(1, 0.6), (1, 1.0), (1, 0.8)]), 1),
        (cycle(&[(1, 0.6), (1, 1.0), (1, 0.8), (1, 0.3)]), 12),
        (cycle(&[(2, 1.0), (3, 2.0)]), 6),
        (cycle(&[(0, 5.0), (1, 1.0)]), 7),
        (cycle(&[(0, 10.0), (2, 1.5), (1, 0.7)]), 10),
        (cycle(&[(8, 4.0), (1, 0.5)]), 16),
        (cycle(&[(1, 0.2), (16, 4.0), (2, 0.5)]), 20),
        (cycle(&[(0, 2.0), (0, 1.0), (4, 3.0)]), 9),
        (cycle(&[(5, 2.0), (5, 2.5)]), 10),
        (branching(), 6),
        (with_sharing(), 6),
        (with_other_distributions(), 5),
    ]
}

/// A central server: after each visit to it a job ends its cycle or goes to one of two others.
fn branching() -> ClosedNetwork {
    let stations = vec![
        NetworkStation::queue("disk", 1, exponential(1.5)),
        NetworkStation::queue("tape", 2, exponential(4.0)),
        NetworkStation::queue("processor", 1, exponential(0.4)),
    ];
    let rows = vec![vec![0.0, 0.0, 1.0], vec![0.0, 0.0, 1.0], vec![0.5, 0.3, 0.2]];
    ClosedNetwork::new(stations, Routing::Probabilities(rows)).unwrap()
}

/// A link shared by all, at most a third of it for one job: like three servers.
fn with_sharing() -> ClosedNetwork {
    let stations = vec![
        NetworkStation::shared("link", 3.0, 1.0, exponential(2.0)),
        NetworkStation::queue("processor", 1, exponential(0.8)),
    ];
    ClosedNetwork::new(stations, Routing::Cycle).unwrap()
}

/// Delays and sharing stations have the same answer whatever the distribution (Baskett et al.).
fn with_other_distributions() -> ClosedNetwork {
    let stations = vec![
        NetworkStation::delay("pause", Distribution::gamma(2.0, 0.3).unwrap()),
        NetworkStation::shared("link", 1.0, 1.0, Distribution::hyperexponential(0.7, 1.8).unwrap()),
        NetworkStation::queue("processor", 2, exponential(1.0)),
    ];
    ClosedNetwork::new(stations, Routing::Cycle).unwrap()
}

const HORIZON: Horizon = Horizon { warm_up: 1_000, completions: 8_000 };
const REPLICATIONS: u64 = 60;

fn simulate(network: &ClosedNetwork, jobs: usize) -> Vec<NetworkResult> {
    replicate(REPLICATIONS, |replication| {
        network.run(jobs, &Streams::new(20_240, replication), HORIZON).unwrap()
    })
}

#[test]
fn exponential_networks_agree_with_mean_value_analysis() {
    let mut verdict = Verdict::default();
    for (number, (network, jobs)) in networks().into_iter().enumerate() {
        let exact = mean_value_analysis(&network.demands().unwrap(), jobs).unwrap().pop().unwrap();
        let runs = simulate(&network, jobs);
        let mut compare = |what: &str, estimate: &dyn Fn(&NetworkResult) -> f64, exact: f64| {
            let estimates = runs.iter().map(estimate).collect();
            verdict.compare(format!("network {number}, {what}"), estimates, exact);
        };
        compare("throughput", &|run| run.throughput, exact.throughput);
        for (index, station) in exact.stations.iter().enumerate() {
            let jobs_here = |run: &NetworkResult| run.stations[index].mean_jobs;
            compare(&format!("jobs at {index}"), &jobs_here, station.mean_jobs);
            let shared = network.stations()[index].name == "link";
            if station.utilization > 0.0 && !shared {
                let utilization = |run: &NetworkResult| run.stations[index].utilization;
                compare(&format!("utilization of {index}"), &utilization, station.utilization);
            }
        }
    }
    assert!(verdict.0.len() >= 70, "{}", verdict.0.len());
    verdict.judge(0.005);
}

/// A judge that lets everything pass would prove nothing.
#[test]
#[should_panic(expected = "is not in")]
fn a_network_that_is_two_percent_slower_is_noticed() {
    let slower = cycle(&[(1, 1.02), (4, 3.06), (1, 0.918)]);
    let exact = mean_value_analysis(&cycle(&[(1, 1.0), (4, 3.0), (1, 0.9)]).demands().unwrap(), 8);
    let runs = simulate(&slower, 8);
    let mut verdict = Verdict::default();
    let estimates = runs.iter().map(|run| run.throughput).collect();
    verdict.compare("throughput".to_owned(), estimates, exact.unwrap().pop().unwrap().throughput);
    verdict.judge(0.005);
}

#[test]
fn the_number_of_threads_does_not_change_a_result() {
    let (network, jobs) = networks().swap_remove(7);
    let on_threads = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| simulate(&network, jobs))
    };
    let expected = on_threads(1);
    for threads in [2, 8] {
        assert!(on_threads(threads) == expected, "{threads} threads");
    }
}
