use bakcast_scenarios::ScenarioOrigin;

use super::*;
use crate::compare::compare;
use crate::design::Design;
use crate::vary::Vary;

const OPTIONS: PredictOptions = PredictOptions { replications: 6, ..PredictOptions::DEFAULT };

fn document() -> Document {
    Document::open(&ScenarioOrigin::parse("nvme-knob-matrix")).unwrap()
}

fn design(specs: &[&str]) -> Design {
    Design::grid(specs.iter().map(|spec| Vary::parse(spec).unwrap()).collect(), 1000).unwrap()
}

fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

#[test]
fn nights_are_the_same_on_any_number_of_threads_and_in_any_company() {
    let document = document();
    let design = design(&["buffer_count=7,16,64", "compression=on,off"]);
    let all: Vec<Configuration> = (0..design.count()).map(|i| design.configuration(i)).collect();
    let nights = |threads, configurations: &[Configuration]| {
        let runner = Runner::new(&document, Some("2"), &[], OPTIONS, Asked::Durations);
        let outcomes = on_threads(threads, || runner.run(configurations, &|_, _| true)).unwrap();
        let total = |outcome: Outcome| outcome.unwrap().nights(Operation::Total).unwrap().to_vec();
        outcomes.into_iter().map(total).collect::<Vec<_>>()
    };
    let one = nights(1, &all);
    assert_eq!(one, nights(2, &all));
    assert_eq!(one, nights(8, &all));
    assert_eq!(one[3], nights(1, &all[3..4])[0]);
}

#[test]
fn what_is_refused_is_an_answer_and_stops_nothing() {
    let document = document();
    let design = design(&["volume.data.size=1GiB,900TiB", "backup.stripes=nvme,nowhere"]);
    let runner = Runner::new(&document, Some("2"), &[], OPTIONS, Asked::Durations);
    let mut refused = Vec::new();
    let make = |index| design.configuration(index);
    runner
        .each((0, 4), make, |index, ended| {
            if let Err(error) = ended {
                refused.push((index, error.to_string()));
            }
            Ok::<(), Cancelled>(())
        })
        .unwrap();
    let indices: Vec<u64> = refused.iter().map(|(index, _)| *index).collect();
    assert!(indices.contains(&1) && indices.contains(&3) && !indices.contains(&0), "{refused:?}");
    assert!(refused[0].1.contains("nowhere"), "{refused:?}");
    let all: Vec<Configuration> = (0..4).map(make).collect();
    let outcomes = runner.run(&all, &|_, _| true).unwrap();
    assert!(outcomes[0].is_ok() && outcomes[1].is_err() && outcomes[3].is_err());
}

#[test]
fn what_is_known_is_not_run_again_and_work_can_be_stopped() {
    let document = document();
    let design = design(&["buffer_count=8..64*2"]);
    let all: Vec<Configuration> = (0..design.count()).map(|i| design.configuration(i)).collect();
    let runner = Runner::new(&document, Some("2"), &[], OPTIONS, Asked::Durations);
    let stopped = on_threads(1, || runner.run(&all, &|done, _| done < 2));
    assert_eq!(stopped.unwrap_err(), Cancelled);
    assert_eq!(runner.evaluated(), 2);
    let asked = Mutex::new(Vec::new());
    let go_on = |done, of| {
        asked.lock().unwrap().push((done, of));
        true
    };
    runner.run(&all, &go_on).unwrap();
    assert_eq!(asked.into_inner().unwrap(), [(0, 2), (1, 2), (2, 2)]);
    assert_eq!(runner.evaluated(), 4);
}

#[test]
fn the_reference_has_a_ratio_of_exactly_1_and_ties_are_ties() {
    let document = document();
    let design = design(&["buffer_count=7,64,65"]);
    let runner = Runner::new(&document, Some("2"), &[], OPTIONS, Asked::Limits);
    let asked = (Operation::Backup, 0.02);
    let found = compare(&runner, &design, &Configuration::default(), asked, &|_, _| true).unwrap();
    let ratios: Vec<f64> = found.done().map(|row| row.paired.unwrap().ratio).collect();
    // Variant 2 has 7 buffers by the engine's rule: stating them changes nothing.
    assert!(ratios[0].to_bits() == 1.0_f64.to_bits() && ratios[1].to_bits() == ratios[0].to_bits());
    assert!(ratios[2] < 0.9 && ratios[3] < 0.9, "{ratios:?}");
    let verdict = found.verdict.unwrap();
    let near: Vec<usize> = verdict.ties.iter().copied().chain([verdict.best]).collect();
    assert!(near.contains(&2) && near.contains(&3) && !near.contains(&0), "{near:?}");
    assert_eq!(verdict.smallest, 2);
}
