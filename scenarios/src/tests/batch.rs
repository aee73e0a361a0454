//! Many configurations at once, and as many nights as a precision takes.

use crate::predict::{
    Asked, Precision, PredictOptions, Prediction, durations, predict, predict_each,
};
use crate::{Base, Document, Loaded, ScenarioError, ScenarioOrigin, Set};
use bakcast_models::pipeline::BackupError;

const OPTIONS: PredictOptions = PredictOptions { replications: 5, ..PredictOptions::DEFAULT };

type Anything = Box<dyn std::error::Error + Send + Sync>;

fn document() -> Document {
    Document::open(&ScenarioOrigin::parse("nvme-knob-matrix")).unwrap()
}

fn on_threads<T: Send>(threads: usize, f: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(f)
}

/// Sizes small enough for a test; every third configuration is one that was there before.
fn sets(index: u64) -> Vec<Set> {
    let stripes = ["nvme", "nvme,nvme"][(index % 2) as usize];
    vec![
        Set::new("volume.data.size", "96 MiB"),
        Set::new("backup.buffer_count", (4 + 3 * (index % 3)).to_string()),
        Set::new("backup.stripes", stripes),
    ]
}

/// What is handed on of configurations `0..count`, and how it ended.
fn batch(
    threads: usize,
    count: u64,
    options: &PredictOptions,
    asked: Asked,
    load: impl Fn(u64) -> Result<Loaded, ScenarioError> + Sync,
) -> (Vec<Prediction>, Result<(), String>) {
    let mut predictions = Vec::new();
    let ended = on_threads(threads, || {
        predict_each(count, &load, options, asked, |index, loaded, prediction| {
            assert_eq!(index as usize, predictions.len());
            assert!(loaded.name.ends_with(":2"));
            predictions.push(prediction);
            Ok::<(), Anything>(())
        })
    });
    (predictions, ended.map_err(|error| format!("{error:?}")))
}

#[test]
fn a_batch_is_what_its_configurations_are_alone_on_any_number_of_threads() {
    let document = document();
    let base = document.base(Some("2")).unwrap();
    let precision = Some(Precision { share: 0.01, replications_max: 9 });
    for options in [OPTIONS, PredictOptions { precision, ..OPTIONS }] {
        type Alone = fn(&crate::Resolved, &PredictOptions) -> Result<Prediction, BackupError>;
        let ways: [(Asked, Alone); 2] = [(Asked::Durations, durations), (Asked::Limits, predict)];
        for (asked, alone) in ways {
            let load = |index| document.load(Some("2"), &sets(index));
            let alone: Vec<_> =
                (0..13).map(|i| alone(&load(i).unwrap().resolved, &options).unwrap()).collect();
            for threads in [1, 2, 8] {
                let (found, ended) =
                    batch(threads, 13, &options, asked, |index| base.with(&sets(index)));
                assert_eq!(ended, Ok(()));
                assert!(found == alone, "{asked:?} on {threads} threads");
            }
        }
    }
}

#[test]
fn the_first_configuration_that_is_refused_ends_a_batch_after_all_before_it() {
    let document = document();
    let base = document.base(Some("2")).unwrap();
    let load = |index: u64| match index {
        7 | 9 | 30 => base.with(&[Set::new("backup.buffer_count", format!("{index} x"))]),
        _ => base.with(&sets(index)),
    };
    let (all, _) = batch(1, 7, &OPTIONS, Asked::Durations, load);
    for threads in [1, 2, 8] {
        let (before, ended) = batch(threads, 40, &OPTIONS, Asked::Durations, load);
        assert!(ended.unwrap_err().contains("7 x"));
        assert!(before == all, "{threads} threads");
    }
    // One that cannot be run, before one that cannot be read.
    let load = |index: u64| match index {
        3 => base.with(&[Set::new("volume.data.size", "1000 TiB")]),
        _ => load(index),
    };
    let exact = PredictOptions { exact: true, ..OPTIONS };
    for threads in [1, 8] {
        let (before, ended) = batch(threads, 40, &exact, Asked::Durations, load);
        assert!(ended.unwrap_err().contains("transfers"));
        assert_eq!(before.len(), 3);
    }
}

#[test]
fn a_base_loads_what_a_document_loads() {
    for shipped in crate::shipped() {
        let document = Document::open(&ScenarioOrigin::Shipped(shipped.name.to_string())).unwrap();
        let variants: Vec<_> = document.load(None, &[]).unwrap().variants;
        let names = variants.iter().map(|variant| Some(variant.name.as_str()));
        for variant in names.chain([None]) {
            let base = document.base(variant).unwrap();
            for sets in [
                vec![],
                vec![Set::new("backup.buffer_count", "33")],
                vec![Set::new("backup.buffer_count", "none")],
                vec![Set::new("backup.bufer_count", "33")],
                vec![Set::new("title", "default"), Set::new("verify.enabled", "false")],
            ] {
                same(&base, document.load(variant, &sets), &sets);
            }
        }
    }
}

#[test]
fn a_scenario_that_assignments_mend_has_a_base() {
    let text = document().text().replace("[database]", "[datenbank]");
    let document = Document::from_bytes("mine.toml", text.into_bytes()).unwrap();
    let base = document.base(Some("2")).unwrap();
    same(&base, document.load(Some("2"), &[]), &[]);
    let text = crate::tests::batch::document().text().replace("size = \"", "size = \"x");
    let document = Document::from_bytes("mine.toml", text.into_bytes()).unwrap();
    let mended = [Set::new("volume.data.size", "1 GiB")];
    same(&document.base(Some("2")).unwrap(), document.load(Some("2"), &mended), &mended);
    assert!(document.base(Some("3")).unwrap().with(&mended).is_ok());
    assert!(matches!(document.base(Some("x")), Err(ScenarioError::UnknownVariant { .. })));
    let broken = Document::from_bytes("mine.toml", b"[database".to_vec()).unwrap();
    same(&broken.base(None).unwrap(), broken.load(None, &[]), &[]);
}

fn same(base: &Base<'_>, loaded: Result<Loaded, ScenarioError>, sets: &[Set]) {
    let text = |error: ScenarioError| error.to_string();
    assert_eq!(base.with(sets).map_err(text), loaded.map_err(text), "{sets:?}");
}

#[test]
fn where_nothing_varies_the_first_nights_are_enough_and_where_much_does_all_are_spent() {
    let steady = super::SMALL
        .replace("[device.target.spindle]", "[device.target.fixed_rate]\nrate = \"110 MB/s\"\n")
        .replace("read_rate = \"120 MB/s\"\nwrite_rate = \"110 MB/s\"\n", "")
        .replace("[backup]", "[backup]\ncompression = false")
        .replace("6 GiB", "64 MiB");
    let spent = |run_to_run: &str, share| {
        let paths = ["device.source.run_to_run", "device.target.run_to_run"];
        let sets = paths.map(|path| format!("{path}={run_to_run}"));
        let sets = sets.each_ref().map(String::as_str);
        let precision = Some(Precision { share, replications_max: 40 });
        let options = PredictOptions { precision, ..OPTIONS };
        let resolved = super::load_with(&steady, None, &sets).unwrap().resolved;
        let prediction = durations(&resolved, &options).unwrap();
        (prediction.replications(), prediction.precision.unwrap().reached)
    };
    assert_eq!(spent("0 %", 1e-9), (6, true));
    assert_eq!(spent("30 %", 1e-3), (40, false));
    let nights = [0.5, 0.3, 0.2, 0.1, 0.05].map(|share| spent("30 %", share).0);
    assert!(nights.is_sorted() && nights[0] < nights[4], "{nights:?}");
}
