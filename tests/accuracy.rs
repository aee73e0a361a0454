//! How far the predictions are from the articles' tables, and that the stored fits are those of
//! the shipped scenarios.

use std::collections::BTreeMap;

use bakcast_calibration::{Article, Free, Record, articles, evaluate, record};
use bakcast_scenarios::predict::PredictOptions;
use bakcast_scenarios::{Set, find_shipped};
use bakcast_tests::{json, load, read};
use serde_json::Value;

fn validated() -> Vec<Value> {
    let document = json("validate");
    document["result"]["articles"].as_array().unwrap().clone()
}

fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().unwrap_or_else(|| panic!("no {key} in {value}"))
}

#[test]
fn the_mean_error_stays_within_what_is_promised() {
    let articles = validated();
    let promised = BTreeMap::from([("nvme-knob-matrix", 0.06), ("usb3-laptop", 0.08)]);
    assert_eq!(articles.len(), promised.len());
    for article in &articles {
        let id = article["id"].as_str().unwrap();
        let error = number(article, "mean_absolute_relative_error");
        assert!(error <= promised[id], "{id}: mean error of {error}");
        let rows = article["rows"].as_array().unwrap();
        let errors = rows.iter().map(|row| number(row, "relative_error").abs());
        let mean = errors.sum::<f64>() / rows.len() as f64;
        assert!((mean - error).abs() < 1e-12, "{id}: {mean} against {error}");
    }
}

#[test]
fn no_row_is_further_off_than_a_fifth() {
    let mut rows = 0;
    for article in validated() {
        for row in article["rows"].as_array().unwrap() {
            let error = number(row, "predicted_seconds") / number(row, "measured_seconds") - 1.0;
            assert!((error - number(row, "relative_error")).abs() < 1e-9, "{row}");
            assert!(error.abs() <= 0.2, "{row}");
            rows += 1;
        }
    }
    assert_eq!(rows, 9 + 17);
}

#[test]
fn a_row_that_is_not_fitted_is_shown_with_its_reason() {
    for article in validated() {
        for row in article["unfitted_rows"].as_array().unwrap() {
            let name = row["row"].as_str().unwrap();
            let reason = article["unfitted_reasons"][name].as_str().unwrap_or_default();
            assert!(reason.len() > 20, "{name}: {reason}");
        }
    }
}

#[test]
fn the_claims_of_the_articles_hold_but_for_a_few_that_say_why() {
    let articles = validated();
    let claims: Vec<&Value> =
        articles.iter().flat_map(|article| article["claims"].as_array().unwrap()).collect();
    assert_eq!(claims.len(), 16);
    let holding = claims.iter().filter(|claim| claim["holds"] == true).count();
    assert!(holding >= 14, "{holding} hold");
    for claim in claims {
        let evidence = claim["evidence"].as_str().unwrap();
        assert!(evidence.chars().any(|c| c.is_ascii_digit()), "{claim}: no figures");
    }
}

#[test]
fn the_range_covers_most_of_what_was_measured() {
    for article in validated() {
        let coverage = number(&article, "interval_coverage");
        assert!((0.6..=1.0).contains(&coverage), "{}: {coverage}", article["id"]);
    }
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

/// A value as its text, whatever its type in TOML.
fn text(value: &toml::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), ToString::to_string)
}

#[test]
fn the_shipped_scenarios_carry_the_fitted_values() {
    for article in articles() {
        let file = find_shipped(&article.scenario).unwrap();
        let root: toml::Table = toml::from_str(file.text).unwrap();
        let record = stored(article);
        let by_path = |free: &Free| {
            let fitted = record.parameter.iter().find(|p| p.paths == free.paths);
            fitted.unwrap_or_else(|| panic!("{:?} was not fitted", free.paths))
        };
        assert_eq!(record.parameter.len(), article.free.len(), "{}", article.id);
        for free in &article.free {
            let fitted = by_path(free);
            assert!((free.low..=free.high).contains(&fitted.value), "{:?}", free.paths);
            assert!(fitted.low <= fitted.value && fitted.value <= fitted.high, "{:?}", free.paths);
            for path in &free.paths {
                let stored = free.text(fitted.value);
                let same = text(&value_at(&root, path)) == stored
                    || text(&value_at(&root, path)).parse() == Ok(fitted.value);
                assert!(same, "{path} is {} and not {stored}", value_at(&root, path));
            }
        }
        for path in &article.spread {
            let spread = format!("{} %", record.residual_spread_percent);
            assert_eq!(text(&value_at(&root, path)), spread, "{path}");
        }
    }
}

/// Evaluating the shipped scenario as the fit did gives the recorded predictions, to their last
/// recorded digit.
#[test]
fn a_stored_fit_is_reproduced() {
    for article in articles() {
        let record = stored(article);
        let options = PredictOptions {
            seed: record.seed,
            replications: record.replications,
            ..PredictOptions::DEFAULT
        };
        let still: Vec<Set> = article.spread.iter().map(|path| Set::new(path, "0 %")).collect();
        let rows: Vec<&str> = record.row.iter().map(|row| row.row.as_str()).collect();
        let predictions = evaluate(article, &rows, &still, &options).unwrap();
        let fitted = article.measurements.iter();
        let fitted = fitted.filter(|m| !article.unfitted.contains_key(&m.row)).count();
        assert_eq!(record.row.len(), fitted, "{}", article.id);
        for row in &record.row {
            let prediction = &predictions[&row.row].prediction;
            let seconds = row.operation.seconds_of(prediction).unwrap().median;
            assert!(
                (seconds - row.predicted_seconds).abs() <= 0.00005 + 1e-9,
                "{row:?}: {seconds}"
            );
            let error = seconds / row.measured_seconds - 1.0;
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
