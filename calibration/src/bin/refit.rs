//! Fits the shipped articles again and rewrites what the fits found: `calibration/fitted/*.toml`
//! and the fitted values and ensembles in the scenarios.
//!
//! Run it from the root of the repository:
//! `cargo run --release -p bakcast-calibration --bin refit [ARTICLE...]`.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use bakcast_calibration::{
    Article, FitOptions, FittedArticle, Progress, articles, fit_article, rewrite_scenario,
    rewrite_variants,
};

fn main() -> ExitCode {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    for article in articles() {
        if !wanted.is_empty() && !wanted.contains(&article.id) {
            continue;
        }
        let tell = |progress: Progress| {
            eprintln!("{}: {} {} of {}", article.id, progress.phase, progress.done, progress.of);
        };
        let result = fit_article(article, &FitOptions::default(), &tell)
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

fn report(fitted: &FittedArticle) {
    let record = &fitted.record;
    for parameter in &record.parameter {
        eprintln!(
            "{:50} {} {} ({} to {}){} {}",
            parameter.path,
            parameter.value,
            parameter.unit,
            parameter.low,
            parameter.high,
            if parameter.identified { "" } else { "  rests on its prior" },
            parameter.tied_to.join(" ")
        );
    }
    for row in &record.row {
        let left_out = row.left_out.as_ref().map_or_else(
            || format!("  alone identifies {}", row.alone_identifies.as_deref().unwrap_or("?")),
            |left| {
                let covered = (left.low..=left.high).contains(&row.measured);
                format!(
                    "  left out {:+.1} % ({:.2} to {:.2}){}",
                    100.0 * left.relative_error,
                    left.low,
                    left.high,
                    if covered { "" } else { " OUT" }
                )
            },
        );
        eprintln!(
            "{:12} {:9} measured {:8.2} predicted {:8.2} {:+.1} %{left_out}",
            row.row,
            row.operation.name(),
            row.measured,
            row.predicted,
            100.0 * row.relative_error
        );
    }
    for fold in &record.fold {
        eprintln!(
            "fitted on {}: {} measurements, mean error {:.1} %, most {:.1} %, coverage {:.0} %",
            fold.fitted_on,
            fold.relative_errors.len(),
            100.0 * fold.mean_absolute_relative_error,
            100.0 * fold.max_absolute_relative_error,
            100.0 * fold.coverage
        );
    }
    let errors: Vec<f64> = record.row.iter().map(|r| r.relative_error.abs()).collect();
    let left: Vec<f64> = record
        .row
        .iter()
        .filter_map(|r| r.left_out.as_ref())
        .map(|l| l.relative_error.abs())
        .collect();
    let mean = |values: &[f64]| 100.0 * values.iter().sum::<f64>() / values.len().max(1) as f64;
    eprintln!(
        "mean error {:.2} %, left out {:.2} %, scatter {} %, {} evaluations ({}), \
         {} of {} draws count",
        mean(&errors),
        mean(&left),
        record.error_percent,
        record.evaluations,
        record.stopped,
        record.effective_draws,
        record.draws
    );
}

fn store(article: &Article, fitted: &FittedArticle) -> Result<(), String> {
    let record = toml::to_string(&fitted.record).map_err(|error| error.to_string())?;
    let head = "# Written by `refit`; do not edit. Errors are predicted / measured - 1.\n";
    write(&format!("calibration/fitted/{}.toml", article.id), &format!("{head}{record}"))?;
    let path = article.scenario_path();
    let text = fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
    let rewritten = rewrite_scenario(&text, &fitted.sets, Some(&fitted.ensemble))
        .and_then(|text| rewrite_variants(&text, &fitted.row_sets));
    write(&path, &rewritten.map_err(|error| error.to_string())?)
}

/// Writes aside, then renames: a file is whole or as it was.
fn write(path: &str, text: &str) -> Result<(), String> {
    let aside = format!("{path}.new");
    let written = fs::write(&aside, text).and_then(|()| fs::rename(&aside, Path::new(path)));
    written.map_err(|error| format!("{path}: {error}"))
}
