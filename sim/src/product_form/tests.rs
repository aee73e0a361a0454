use proptest::prelude::*;

use super::*;

fn queue(demand: f64, servers: usize) -> Demand {
    Demand::Queue { demand, servers }
}

fn delay(demand: f64) -> Demand {
    Demand::Delay { demand }
}

fn assert_close(a: f64, b: f64, tolerance: f64, what: &str) {
    assert!((a - b).abs() <= tolerance * b.abs().max(1.0), "{what}: {a} and {b}");
}

#[test]
fn both_methods_give_the_published_values_of_the_reference_network() {
    // Computed independently in plain Python, by convolution and by mean value analysis.
    let stations = [queue(1.0, 1), queue(3.0, 4), queue(0.9, 1)];
    for solutions in [mean_value_analysis(&stations, 64), convolution(&stations, 64)] {
        let solutions = solutions.unwrap();
        assert_close(solutions[7].throughput, 0.850_220_679_7, 5e-11, "8 buffers");
        assert_close(solutions[63].throughput, 0.999_790_829_6, 5e-11, "64 buffers");
        for (station, expected) in [50.59, 4.52, 8.89].into_iter().enumerate() {
            assert_close(solutions[63].stations[station].mean_jobs, expected, 2e-3, "mean jobs");
        }
    }
}

#[test]
fn simple_networks_have_the_answers_of_the_textbook() {
    // Two equal single servers: X = N / (N + 1) / D, because all N + 1 states are equally likely.
    let solutions = mean_value_analysis(&[queue(0.5, 1), queue(0.5, 1)], 10).unwrap();
    for solution in &solutions {
        let jobs = solution.population as f64;
        assert_close(solution.throughput, 2.0 * jobs / (jobs + 1.0), 1e-14, "balanced");
        assert_close(solution.stations[0].mean_jobs, jobs / 2.0, 1e-14, "half each");
    }
    // One station alone: it works all the time, with as many servers as there are jobs.
    let solutions = mean_value_analysis(&[queue(3.0, 4)], 6).unwrap();
    for solution in &solutions {
        assert_close(solution.throughput, solution.population.min(4) as f64 / 3.0, 1e-14, "alone");
    }
    // A delay alone.
    assert_close(convolution(&[delay(2.0)], 5).unwrap()[4].throughput, 2.5, 1e-14, "delay");
}

#[test]
fn stations_without_demand_beside_the_only_one_with_it_change_nothing() {
    let stations = [queue(3.0, 4), queue(0.0, 1), queue(0.0, 2), delay(0.0)];
    let solutions = mean_value_analysis(&stations, 6).unwrap();
    let others = convolution(&stations, 6).unwrap();
    for (solution, other) in solutions.iter().zip(&others) {
        assert_close(solution.throughput, solution.population.min(4) as f64 / 3.0, 1e-14, "alone");
        assert_close(solution.throughput, other.throughput, 1e-14, "both methods");
        assert_close(solution.stations[1].mean_jobs, 0.0, 1e-14, "nobody there");
    }
    assert!(mean_value_analysis(&[queue(0.0, 4)], 6).is_err());
    let too_fast = mean_value_analysis(&[queue(1e-320, 1)], 6);
    assert!(matches!(too_fast, Err(ProductFormError::OutOfRange { .. })), "{too_fast:?}");
}

#[test]
fn machine_repair_agrees_with_the_loss_formula() {
    // N jobs think Z and are served by one server: P(idle) is Erlang's loss formula with offered
    // load Z / D; N = 5, Z = 4, D = 1.
    let solution = mean_value_analysis(&[delay(4.0), queue(1.0, 1)], 5).unwrap().pop().unwrap();
    let (mut term, mut sum) = (1.0, 1.0);
    for jobs in 1..=5 {
        term *= 4.0 / f64::from(jobs);
        sum += term;
    }
    assert_close(solution.stations[1].utilization, 1.0 - term / sum, 1e-14, "utilization");
}

#[test]
fn networks_that_cannot_be_are_refused() {
    use ProductFormError::{InvalidDemand, MultiServer, NoDemand, NoServers, NoStations};
    assert_eq!(mean_value_analysis(&[], 1), Err(NoStations));
    let negative = InvalidDemand { station: 1, demand: -1.0 };
    assert_eq!(convolution(&[delay(1.0), delay(-1.0)], 1), Err(negative));
    assert_eq!(convolution(&[queue(1.0, 0)], 1), Err(NoServers { station: 0 }));
    assert_eq!(asymptotic_bounds(&[delay(0.0)], 1), Err(NoDemand));
    let several = MultiServer { station: 0, servers: 2 };
    assert_eq!(balanced_job_bounds(&[queue(1.0, 2)], 1), Err(several));
    let many = [queue(1.0, 2); 13];
    let error = ProductFormError::TooManyMultiServers { count: 13, max: 12 };
    assert_eq!(mean_value_analysis(&many, 1), Err(error));
    let error = convolution(&[delay(1e9), queue(1.0, 1)], 200);
    assert!(matches!(error, Err(ProductFormError::OutOfRange { .. })), "{error:?}");
    assert!(mean_value_analysis(&[delay(1e9), queue(1.0, 1)], 200).is_ok());
}

#[test]
fn no_jobs_are_no_solutions() {
    let stations = [queue(1.0, 1)];
    assert_eq!(mean_value_analysis(&stations, 0), Ok(Vec::new()));
    assert_eq!(convolution(&stations, 0), Ok(Vec::new()));
    assert_eq!(asymptotic_bounds(&stations, 0), Ok(Bounds { lower: 0.0, upper: 0.0 }));
    assert_eq!(balanced_job_bounds(&stations, 0), Ok(Bounds { lower: 0.0, upper: 0.0 }));
}

fn station() -> impl Strategy<Value = Demand> {
    prop_oneof![
        3 => (0.05..5.0f64).prop_map(|demand| queue(demand, 1)),
        2 => (0.05..5.0f64, 2..7usize).prop_map(|(demand, servers)| queue(demand, servers)),
        1 => (0.0..20.0f64).prop_map(delay),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn the_two_methods_agree_to_twelve_digits(
        rest in prop::collection::vec(station(), 0..5),
        demand in 0.05..5.0f64,
        population in 1..65usize,
    ) {
        let mut stations = rest;
        stations.push(queue(demand, 1));
        let first = mean_value_analysis(&stations, population).unwrap();
        let second = convolution(&stations, population).unwrap();
        for (a, b) in first.iter().zip(&second) {
            assert_close(a.throughput, b.throughput, 1e-12, "throughput");
            for (a, b) in a.stations.iter().zip(&b.stations) {
                assert_close(a.utilization, b.utilization, 1e-12, "utilization");
                assert_close(a.mean_jobs, b.mean_jobs, 1e-12, "mean jobs");
                assert_close(a.residence, b.residence, 1e-12, "residence");
            }
            let jobs: f64 = a.stations.iter().map(|station| station.mean_jobs).sum();
            assert_close(jobs, a.population as f64, 1e-12, "all jobs are somewhere");
            let bounds = asymptotic_bounds(&stations, a.population).unwrap();
            prop_assert!(a.throughput <= bounds.upper * (1.0 + 1e-12));
            prop_assert!(a.throughput >= bounds.lower * (1.0 - 1e-12));
        }
    }

    #[test]
    fn balanced_job_bounds_hold_and_are_the_tighter_ones(
        demands in prop::collection::vec(0.05..5.0f64, 1..6),
        think in 0.0..20.0f64,
        population in 1..40usize,
    ) {
        let mut stations: Vec<Demand> = demands.iter().map(|&demand| queue(demand, 1)).collect();
        stations.push(delay(think));
        let solutions = mean_value_analysis(&stations, population).unwrap();
        let throughput = solutions[population - 1].throughput;
        let wide = asymptotic_bounds(&stations, population).unwrap();
        let tight = balanced_job_bounds(&stations, population).unwrap();
        prop_assert!(throughput <= tight.upper * (1.0 + 1e-12), "{throughput} {tight:?}");
        prop_assert!(throughput >= tight.lower * (1.0 - 1e-12), "{throughput} {tight:?}");
        prop_assert!(tight.upper <= wide.upper * (1.0 + 1e-12));
        prop_assert!(tight.lower >= wide.lower * (1.0 - 1e-12));
    }
}
