use proptest::prelude::*;

use super::*;

fn at(nanos: u64) -> SimTime {
    SimTime::from_nanos(nanos)
}

#[test]
fn the_lowest_free_server_takes_an_arrival() {
    let mut station = Station::new(3);
    for server in 0..3 {
        assert_eq!(station.arrive(at(0), server), Some(server));
    }
    assert_eq!(station.depart(at(1), 1), (1, None));
    assert_eq!(station.depart(at(1), 0), (0, None));
    assert_eq!(station.arrive(at(2), 9), Some(0));
    assert_eq!((station.job(0), station.job(1)), (Some(9), None));
    assert_eq!((station.busy_servers(), station.servers(), station.queue_len()), (2, 3, 0));
}

#[test]
fn waiting_jobs_are_taken_in_order_by_whoever_finishes() {
    let mut station = Station::new(2);
    for job in 0..5 {
        station.arrive(at(0), job);
    }
    assert_eq!(station.queue_len(), 3);
    assert_eq!(station.depart(at(4), 1), (1, Some(2)));
    assert_eq!(station.depart(at(4), 1), (2, Some(3)));
    assert_eq!(station.depart(at(7), 0), (0, Some(4)));
}

#[test]
fn nothing_has_happened_at_the_start() {
    let statistics = Station::<u8>::new(2).statistics(SimTime::ZERO);
    assert_eq!((statistics.busy, statistics.mean_response), (0, None));
    assert!(statistics.utilization == 0.0 && statistics.throughput() == 0.0);
}

#[test]
fn a_stretch_is_the_difference_of_two_statistics() {
    let mut station = Station::new(1);
    station.arrive(at(0), 'a');
    let warm = station.statistics(at(10));
    station.depart(at(15), 0);
    let stretch = station.statistics(at(20)).since(&warm);
    assert_eq!((stretch.arrivals, stretch.completions, stretch.busy), (0, 1, 5));
    assert!((stretch.utilization - 0.5).abs() < 1e-15);
}

#[test]
#[should_panic(expected = "idle server")]
fn an_idle_server_cannot_finish() {
    Station::<u8>::new(1).depart(at(0), 0);
}

#[test]
#[should_panic(expected = "before the last change")]
fn statistics_are_not_taken_in_the_past() {
    let mut station = Station::new(1);
    station.arrive(at(5), ());
    station.statistics(at(4));
}

proptest! {
    /// Little's law and the utilization law, in integers, against a list of every job's stay.
    #[test]
    fn areas_are_the_sums_of_what_each_job_spent(
        servers in 1..5usize,
        steps in prop::collection::vec((0..50u64, any::<bool>(), 0..5usize), 1..200),
    ) {
        let mut station = Station::new(servers);
        let (mut arrived, mut begun, mut ended) = (Vec::new(), Vec::new(), Vec::new());
        let mut now = 0;
        for (gap, arrival, choice) in steps {
            now += gap;
            if arrival {
                let job = arrived.len();
                arrived.push(now);
                begun.push(None);
                ended.push(None);
                if station.arrive(at(now), job).is_some() {
                    begun[job] = Some(now);
                }
            } else if let Some(server) =
                (0..servers).filter(|&server| station.job(server).is_some()).nth(choice)
            {
                let (done, next) = station.depart(at(now), server);
                ended[done] = Some(now);
                if let Some(job) = next {
                    begun[job] = Some(now);
                }
            }
        }
        let (mut waiting, mut busy) = (0, 0);
        for job in 0..arrived.len() {
            let start = begun[job].unwrap_or(now);
            waiting += u128::from(start - arrived[job]);
            busy += u128::from(ended[job].unwrap_or(now) - start);
        }
        let statistics = station.statistics(at(now));
        prop_assert_eq!(statistics.waiting, waiting);
        prop_assert_eq!(statistics.busy, busy);
        prop_assert_eq!(statistics.arrivals, arrived.len() as u64);
        let left = ended.iter().filter(|end| end.is_some()).count();
        prop_assert_eq!(statistics.completions, left as u64);
        let present = station.queue_len() + station.busy_servers();
        prop_assert_eq!(present, arrived.len() - left);
    }
}
