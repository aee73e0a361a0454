//! Experiments on the fitting itself, in full; tables in Markdown on standard output.
//!
//! `cargo run --release -p bakcast-calibration --bin evidence -- recovery|few-runs|assumptions`

use std::process::ExitCode;

use bakcast_calibration::experiments::{
    AssumptionResult, assumptions, few_runs, quantile, recovery, try_assumption,
};
use bakcast_calibration::{CalibrationError, FitOptions, articles};

/// Small problems need less of a search.
const SMALL: FitOptions = FitOptions {
    population: 16,
    generations: 10,
    draws: 192,
    left_out_draws: 64,
    ..FitOptions::OWN_RUNS
};
/// Many alternatives of the articles.
const MIDDLE: FitOptions = FitOptions {
    population: 16,
    generations: 10,
    draws: 160,
    left_out_draws: 64,
    ..FitOptions::DEFAULT
};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let count = |default: u64| arguments.get(1).and_then(|n| n.parse().ok()).unwrap_or(default);
    let done = match arguments.first().map(String::as_str) {
        Some("recovery") => show_recovery(count(200)),
        Some("few-runs") => show_few_runs(count(30)),
        Some("assumptions") => show_assumptions(&arguments[1..]),
        _ => {
            eprintln!(
                "usage: evidence recovery [SETS] | few-runs [PIPELINES] | assumptions [ID|NAME...]"
            );
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn share(part: usize, all: usize) -> String {
    format!("{part} of {all} ({:.1} %)", 100.0 * part as f64 / all.max(1) as f64)
}

fn show_recovery(sets: u64) -> Result<(), CalibrationError> {
    let found = recovery(sets, 1, &SMALL, &|number| eprintln!("set {number}"))?;
    let percent = |p| quantile(&found.errors, p).map_or(0.0, |e| 100.0 * e);
    println!("| | |\n| --- | --- |");
    println!("| data sets | {} |", found.sets);
    println!(
        "| identified, truth in the 90 % interval | {} |",
        share(found.covered, found.identified)
    );
    println!(
        "| not identified, truth in the interval | {} |",
        share(found.unidentified_covered, found.unidentified)
    );
    println!(
        "| planted, reported as not identified | {} |",
        share(found.planted_reported, found.planted)
    );
    println!("| error of identified values, median | {:.1} % |", percent(0.5));
    println!("| error of identified values, nine in ten within | {:.1} % |", percent(0.9));
    let draws = |p| quantile(&found.effective, p).unwrap_or(0.0);
    println!("| effective draws, least, median | {:.0}, {:.0} of 192 |", draws(0.0), draws(0.5));
    Ok(())
}

fn show_few_runs(pipelines: u64) -> Result<(), CalibrationError> {
    let found = few_runs(pipelines, 1, &SMALL, &|number| eprintln!("pipeline {number}"))?;
    println!("| after | figures | median | 75 % | 90 % | 95 % | largest |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    let lines = [
        ("nothing (data sheets)", &found.before),
        ("three runs at random", &found.random),
        ("three runs that were proposed", &found.designed),
    ];
    for (name, errors) in lines {
        let cells = [0.5, 0.75, 0.9, 0.95, 1.0]
            .map(|p| format!("{:.1} %", 100.0 * quantile(errors, p).unwrap_or(0.0)));
        println!("| {name} | {} | {} |", errors.len(), cells.join(" | "));
    }
    let inside = found.covered.iter().filter(|c| **c).count();
    println!("\ntruth in the 90 % range: {}", share(inside, found.covered.len()));
    Ok(())
}

fn show_assumptions(only: &[String]) -> Result<(), CalibrationError> {
    println!(
        "| table | assumption | knobs | in sample | left out | rows | covered | scatter | \
         same rows as shipped |"
    );
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |");
    let all = assumptions();
    let is_named = |name: &str| only.iter().any(|only| only == name);
    let any_id = articles().iter().any(|a| is_named(&a.id));
    let any_name = all.iter().any(|a| is_named(a.name));
    for article in articles().iter().filter(|a| !any_id || is_named(&a.id)) {
        let own = all.first().and_then(|assumption| assumption.alternatives.first());
        let Some(shipped) = own.map(|own| try_assumption(article, own, &MIDDLE)).transpose()?
        else {
            continue;
        };
        let shipped = shipped.expect("its own assumptions make no difference");
        show_assumption(&article.id, "as shipped", &shipped, "");
        for assumption in all.iter().filter(|a| !any_name || is_named(a.name)) {
            for alternative in assumption.alternatives.iter().skip(1) {
                if let Some(found) = try_assumption(article, alternative, &MIDDLE)? {
                    let name = format!("{} {}", assumption.name, alternative.name);
                    show_assumption(&article.id, &name, &found, &same_rows(&found, &shipped));
                }
            }
        }
    }
    Ok(())
}

fn show_assumption(table: &str, name: &str, found: &AssumptionResult, same_rows: &str) {
    // Where no row can be left out there is nothing to tell.
    let unseen = match found.left_out_mean() {
        None => " | 0 |".to_string(),
        Some(mean) => {
            let coverage = 100.0 * found.coverage;
            format!("{:.1} % | {} | {coverage:.0} %", 100.0 * mean, found.rows())
        }
    };
    println!(
        "| {table} | {name} | {} | {:.1} % | {unseen} | {:.1} % | {same_rows} |",
        found.knobs,
        100.0 * found.in_sample,
        found.error_percent
    );
}

/// Means over the rows that both left out.
fn same_rows(found: &AssumptionResult, shipped: &AssumptionResult) -> String {
    found.beside(shipped).map_or_else(String::new, |(here, there, rows)| {
        format!("{:.1} % against {:.1} % of {rows}", 100.0 * here, 100.0 * there)
    })
}
