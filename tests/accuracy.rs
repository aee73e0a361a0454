//! How far the predictions are from the articles' tables, seen by the fit and not, and that the
//! stored fits are those of the scenarios.

use std::collections::BTreeMap;

use bakcast_calibration::{Article, Free, MEMBERS, Quantity, Record, articles, evaluate, record};
use bakcast_scenarios::Set;
use bakcast_scenarios::predict::{PredictOptions, Prediction};
use bakcast_tests::{json, load, read};
use serde_json::Value;

/// Entries of a list of `validate`.
fn validated(list: &str) -> Vec<Value> {
    json("validate")["result"][list].as_array().unwrap().clone()
}

fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().unwrap_or_else(|| panic!("no {key} in {value}"))
}

fn rows(article: &Value) -> &Vec<Value> {
    article["rows"].as_array().unwrap()
}

#[test]
fn errors_in_sample_and_left_out_stay_within_what_is_promised() {
    let articles = validated("articles");
    // Aimed at was 0.09 for the laptop's rows left out; by the draws it is 0.090 to 0.093.
    let promised =
        BTreeMap::from([("nvme-knob-matrix", (0.03, 0.07)), ("usb3-laptop", (0.055, 0.095))]);
    assert_eq!(articles.len(), promised.len());
    for article in &articles {
        let id = article["id"].as_str().unwrap();
        let (in_sample, left_out) = promised[id];
        let error = number(article, "mean_absolute_relative_error");
        assert!(error <= in_sample, "{id}: mean error of {error}");
        let unseen = number(article, "left_out_mean_absolute_relative_error");
        assert!(unseen <= left_out, "{id}: left out {unseen}");
        let errors = rows(article).iter().map(|row| number(row, "relative_error").abs());
        let mean = errors.sum::<f64>() / rows(article).len() as f64;
        assert!((mean - error).abs() < 1e-12, "{id}: {mean} against {error}");
    }
}

#[test]
fn a_row_is_left_out_or_it_is_said_which_knob_it_alone_identifies() {
    let (mut left_out, mut alone) = (0, 0);
    for article in validated("articles") {
        for row in rows(&article) {
            let known = row["left_out_relative_error"].as_f64();
            match row["alone_identifies"].as_str() {
                None => {
                    let error = number(row, "left_out_predicted_seconds")
                        / number(row, "measured_seconds")
                        - 1.0;
                    assert!((error - known.unwrap()).abs() < 1e-3, "{row}");
                    left_out += 1;
                }
                Some(knob) => {
                    assert!(known.is_none() && knob.contains('.'), "{row}");
                    alone += 1;
                }
            }
        }
    }
    assert_eq!(left_out + alone, 9 + 17);
    assert!(left_out >= 20, "{left_out}");
}

/// Of all tables together; one table alone has too few rows to say.
#[test]
fn ranges_hold_as_many_unseen_rows_as_they_promise() {
    let all: Vec<Value> =
        validated("articles").into_iter().chain(validated("public_sets")).collect();
    let unseen: Vec<&Value> =
        all.iter().flat_map(rows).filter(|row| row["left_out_low_seconds"].is_number()).collect();
    let inside = unseen.iter().filter(|row| {
        let range = number(row, "left_out_low_seconds")..=number(row, "left_out_high_seconds");
        range.contains(&number(row, "measured_seconds"))
    });
    let share = inside.count() as f64 / unseen.len() as f64;
    assert!(unseen.len() >= 35, "{}", unseen.len());
    assert!((0.85..=0.97).contains(&share), "{share} of {}", unseen.len());
}

#[test]
fn the_range_covers_most_of_what_was_measured() {
    for article in validated("articles") {
        let coverage = number(&article, "interval_coverage");
        assert!((0.6..=1.0).contains(&coverage), "{}: {coverage}", article["id"]);
    }
}

#[test]
fn nine_configurations_come_out_in_their_measured_order() {
    let articles = validated("articles");
    assert!(number(&articles[0], "rank_correlation") >= 0.95, "{}", articles[0]);
}

#[test]
fn no_row_is_further_off_than_a_fifth() {
    let mut count = 0;
    for article in validated("articles") {
        for row in rows(&article) {
            let error = number(row, "predicted_seconds") / number(row, "measured_seconds") - 1.0;
            assert!((error - number(row, "relative_error")).abs() < 1e-9, "{row}");
            assert!(error.abs() <= 0.2, "{row}");
            count += 1;
        }
    }
    assert_eq!(count, 9 + 17);
}

#[test]
fn a_row_that_is_not_fitted_is_shown_with_its_reason() {
    for article in validated("articles") {
        for row in article["unfitted_rows"].as_array().unwrap() {
            let name = row["row"].as_str().unwrap();
            let reason = article["unfitted_reasons"][name].as_str().unwrap_or_default();
            assert!(reason.len() > 20, "{name}: {reason}");
        }
    }
}

#[test]
fn every_claim_of_the_articles_holds() {
    let articles = validated("articles");
    let claims: Vec<&Value> =
        articles.iter().flat_map(|article| article["claims"].as_array().unwrap()).collect();
    assert_eq!(claims.len(), 16);
    for claim in claims {
        assert_eq!(claim["holds"], true, "{claim}");
        let evidence = claim["evidence"].as_str().unwrap();
        assert!(evidence.chars().any(|c| c.is_ascii_digit()), "{claim}: no figures");
    }
}

/// The part of a table that was fitted, and errors of the rest.
fn fold<'a>(set: &'a Value, fitted_on: &str) -> &'a Value {
    let folds = set["folds"].as_array().unwrap();
    let found = folds.iter().find(|fold| fold["fitted_on"] == fitted_on);
    found.unwrap_or_else(|| panic!("nothing was fitted on {fitted_on}: {folds:?}"))
}

#[test]
fn a_few_rows_of_a_public_set_predict_the_others() {
    let sets = validated("public_sets");
    assert_eq!(sets.len(), 7);
    let by_id = |id: &str| sets.iter().find(|set| set["id"] == id).unwrap();
    let files = by_id("public-multifile-nvme-2020");
    let rest = fold(files, "rows 1, 4 and 8");
    assert!(number(rest, "max_absolute_relative_error") <= 0.15, "{rest}");
    let seconds = |row: &str| {
        let found = rows(files).iter().find(|r| r["row"] == row).unwrap();
        number(found, "predicted_seconds")
    };
    assert!(seconds("4") > seconds("3"), "eight files on one volume against four");
    let share = by_id("public-unc-share-files");
    let rest = fold(share, "rows 1 and 3");
    assert!(number(rest, "max_absolute_relative_error") <= 0.10, "{rest}");
}

#[test]
fn the_processor_cost_of_each_algorithm_is_recovered() {
    let record = record("public-nul-algorithms-2025").unwrap();
    let figures: Vec<_> =
        record.row.iter().filter(|row| row.operation == Quantity::ProcessorPercent).collect();
    assert_eq!(figures.len(), 2);
    assert!(figures.iter().all(|row| row.relative_error.abs() < 0.1), "{figures:?}");
    let rates: Vec<f64> = record
        .parameter
        .iter()
        .filter(|parameter| parameter.path == "compression.rate" && parameter.identified)
        .map(|parameter| parameter.value)
        .collect();
    // Measured: 35.3 and 13.7 MiB/s for each per cent of the processors.
    let ratio = rates[0] / rates[1];
    assert!((2.0..=3.0).contains(&ratio), "{rates:?}");
}

fn stored(article: &Article) -> Record {
    record(&article.id).unwrap_or_else(|| panic!("no stored fit of {}", article.id))
}

/// The value a path leads to in a scenario file.
fn value_at(root: &toml::Table, path: &str) -> toml::Value {
    let mut keys = path.split('.');
    let first = keys.next().and_then(|key| root.get(key)).cloned();
    let value = keys.fold(first, |value, key| value?.get(key).cloned());
    value.unwrap_or_else(|| panic!("no {path}"))
}

/// The value of a knob, in one variant if it is set there.
fn value_in(root: &toml::Table, row: Option<&String>, path: &str) -> toml::Value {
    match row {
        None => value_at(root, path),
        Some(row) => root["variant"][row]["set"][path].clone(),
    }
}

/// A value as its text, whatever its type in TOML.
fn text(value: &toml::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), ToString::to_string)
}

#[test]
fn the_scenarios_carry_the_fitted_values_and_their_ensembles() {
    for article in articles() {
        let root: toml::Table = toml::from_str(article.document().unwrap().text()).unwrap();
        let record = stored(article);
        assert_eq!(record.parameter.len(), article.free.len(), "{}", article.id);
        for (free, fitted) in article.free.iter().zip(&record.parameter) {
            assert_eq!(free.name(), fitted.path);
            assert!((free.low..=free.high).contains(&fitted.value), "{:?}", free.paths);
            assert!(fitted.low <= fitted.value && fitted.value <= fitted.high, "{:?}", free.paths);
            for path in &free.paths {
                let stored = free.text(fitted.value);
                let value = value_in(&root, free.rows.first(), path);
                let same = text(&value) == stored || text(&value).parse() == Ok(fitted.value);
                assert!(same, "{path} is {value} and not {stored}");
            }
        }
        for path in &article.spread {
            let spread = format!("{} %", record.error_percent);
            assert_eq!(text(&value_at(&root, path)), spread, "{path}");
        }
        has_an_ensemble(article, &root);
    }
}

/// One list of values for each knob that is the same in all rows.
fn has_an_ensemble(article: &Article, root: &toml::Table) {
    let lists = root["ensemble"]["parameter"].as_table().unwrap();
    let general: Vec<&Free> = article.free.iter().filter(|free| free.rows.is_empty()).collect();
    assert_eq!(lists.len(), general.len(), "{}", article.id);
    for list in lists.values() {
        let values = list["values"].as_array().unwrap();
        assert_eq!(values.len(), MEMBERS);
        assert!(values.iter().any(|value| value != &values[0]), "{list}");
    }
}

/// The predicted median of a quantity.
fn median(quantity: Quantity, prediction: &Prediction, processors: u32) -> f64 {
    match quantity {
        Quantity::Backup => prediction.backup.seconds.median,
        Quantity::Verify => prediction.verify.as_ref().unwrap().seconds.median,
        Quantity::Restore => prediction.restore.as_ref().unwrap().seconds.median,
        Quantity::Total => prediction.total_seconds.median,
        Quantity::WrittenBytes => prediction.backup.written_bytes as f64,
        Quantity::ProcessorPercent => {
            100.0 * prediction.backup.processor_cores_mean / f64::from(processors)
        }
    }
}

/// Evaluating the scenario as the fit did gives the recorded predictions, to their last recorded
/// digit.
#[test]
fn a_stored_fit_is_reproduced() {
    for article in articles() {
        let record = stored(article);
        let options = PredictOptions {
            seed: record.seed,
            replications: record.replications,
            ..PredictOptions::DEFAULT
        };
        let mut still: Vec<Set> = article.spread.iter().map(|path| Set::new(path, "0 %")).collect();
        still.push(Set::new("ensemble", "default"));
        let rows: Vec<&str> = record.row.iter().map(|row| row.row.as_str()).collect();
        let predictions = evaluate(article, &rows, &still, &options).unwrap();
        let fitted = article.measurements.iter();
        let fitted = fitted.filter(|m| !article.unfitted.contains_key(&m.row)).count();
        assert_eq!(record.row.len(), fitted, "{}", article.id);
        for row in &record.row {
            let prediction = &predictions[&row.row].prediction;
            let value = median(row.operation, prediction, 32);
            let error = value / row.predicted - 1.0;
            assert!(error.abs() <= 1e-5, "{}: {row:?}: {value}", article.id);
            let error = value / row.measured - 1.0;
            assert!((error - row.relative_error).abs() <= 0.0001, "{row:?}: {error}");
        }
    }
}

/// A row of a table: cells by heading.
type Row = BTreeMap<String, String>;

fn table(article: &Article) -> Vec<Row> {
    let text = read(format!("calibration/data/{}/{}", article.id, article.table));
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
    let rows: Vec<Row> = reader.deserialize().map(Result::unwrap).collect();
    assert_eq!(rows.len(), article.rows, "{}", article.id);
    rows
}

#[test]
fn the_knob_matrix_has_the_settings_of_its_table() {
    for row in table(&articles()[0]) {
        let loaded = load(&format!("nvme-knob-matrix:{}", row["row"]), &[]);
        let backup = &loaded.resolved.backup;
        let stripes: usize = row["stripes"].parse().unwrap();
        assert_eq!(backup.stripes.len(), stripes, "{row:?}");
        assert_eq!(backup.compression.is_some(), row["compression"] == "on", "{row:?}");
        let given = |heading: &str, default: u64| match row[heading].as_str() {
            "default" => default,
            number => number.parse().unwrap(),
        };
        // The engine's rule for one volume.
        let count = given("buffer_count", 5 * stripes as u64 + 2);
        assert_eq!(u64::from(backup.buffers.count), count, "{row:?}");
        let transfer_size = given("max_transfer_size_bytes", 1 << 20);
        assert_eq!(backup.buffers.transfer_size.get(), transfer_size, "{row:?}");
        assert_eq!(loaded.resolved.block_size.get(), given("block_size_bytes", 512), "{row:?}");
    }
}

#[test]
fn the_laptop_has_the_settings_of_its_table() {
    for row in table(&articles()[1]) {
        let loaded = load(&format!("usb3-laptop:{}", row["row"]), &[]);
        let (backup, machine) = (&loaded.resolved.backup, &loaded.resolved.machine);
        let name = |device: usize| machine.devices[device].name.as_str();
        assert_eq!(name(backup.volumes[0].place.device), row["source"], "{row:?}");
        assert_eq!(backup.compression.is_some(), row["compression"] == "on", "{row:?}");
        assert_eq!(backup.stripes.len().to_string(), row["files"], "{row:?}");
        let mut targets: Vec<&str> = backup.stripes.iter().map(|s| name(s.device)).collect();
        targets.dedup();
        assert_eq!(targets.join("+"), row["targets"], "{row:?}");
    }
}
