//! Fits the shipped articles again and rewrites what the fits found: `calibration/fitted/*.toml`
//! and the fitted values in `scenarios/shipped/*.toml`.
//!
//! Run it from the root of the repository:
//! `cargo run --release -p bakcast-calibration --bin refit [ARTICLE...]`.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use bakcast_calibration::{Article, FitOptions, Fitted, articles, fit, rewrite_scenario};

fn main() -> ExitCode {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    for article in articles() {
        if !wanted.is_empty() && !wanted.contains(&article.id) {
            continue;
        }
        let tell = |line: &str| eprintln!("{line}");
        let result = fit(article, &FitOptions::default(), &tell)
            .map_err(|error| error.to_string())
            .and_then(|fitted| {
                report(&fitted);
                store(article, &fitted)
            });
        if let Err(problem) = result {
            eprintln!("{}: {problem}", article.id);
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn report(fitted: &Fitted) {
    let record = &fitted.record;
    for parameter in &record.parameter {
        eprintln!(
            "{:50} {} {} ({} to {}){}",
            parameter.paths[0],
            parameter.value,
            parameter.unit,
            parameter.low,
            parameter.high,
            if parameter.identified { "" } else { "  rests on its prior" }
        );
    }
    for row in &record.row {
        let left_out = row
            .left_out_relative_error
            .map_or(String::new(), |error| format!("  left out {:+.1} %", 100.0 * error));
        eprintln!(
            "{:12} {:6} measured {:8.2} predicted {:8.2} {:+.1} %{left_out}",
            row.row,
            row.operation.name(),
            row.measured_seconds,
            row.predicted_seconds,
            100.0 * row.relative_error
        );
    }
    let errors: Vec<f64> = record.row.iter().map(|r| r.relative_error.abs()).collect();
    let left: Vec<f64> =
        record.row.iter().filter_map(|r| r.left_out_relative_error).map(f64::abs).collect();
    let mean = |values: &[f64]| 100.0 * values.iter().sum::<f64>() / values.len().max(1) as f64;
    eprintln!("mean error {:.2} %, left out {:.2} %", mean(&errors), mean(&left));
}

fn store(article: &Article, fitted: &Fitted) -> Result<(), String> {
    let record = toml::to_string(&fitted.record).map_err(|error| error.to_string())?;
    let head = "# Written by `refit`; do not edit. Errors are predicted / measured - 1.\n";
    write(&format!("calibration/fitted/{}.toml", article.id), &format!("{head}{record}"))?;
    let path = article.scenario_path();
    let text = fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
    write(&path, &rewrite_scenario(&text, &fitted.sets).map_err(|error| error.to_string())?)
}

/// Writes aside, then renames: a file is whole or as it was.
fn write(path: &str, text: &str) -> Result<(), String> {
    let aside = format!("{path}.new");
    let written = fs::write(&aside, text).and_then(|()| fs::rename(&aside, Path::new(path)));
    written.map_err(|error| format!("{path}: {error}"))
}
