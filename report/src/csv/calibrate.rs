//! `calibrate` as CSV: one row a measured figure; or, where runs are proposed, the table to fill in
//! and to give back to `--runs`.

use std::collections::BTreeSet;

use super::written;
use crate::ReportError;
use crate::document::{CalibrateResult, DesignResult, Document, FitResult};
use crate::number::duration;

pub(crate) fn calibrate(document: &Document<CalibrateResult>) -> Result<String, ReportError> {
    match (&document.result.design, &document.result.fit) {
        (Some(design), _) => written(&to_fill_in(design)),
        (None, Some(fit)) => written(&figures(fit)),
        (None, None) => Ok(String::new()),
    }
}

/// A column for each setting that any run has, then the results, empty.
fn to_fill_in(design: &DesignResult) -> Vec<Vec<String>> {
    let split = |setting: &String| {
        let (path, value) = setting.split_once('=').unwrap_or((setting, ""));
        (path.to_string(), value.to_string())
    };
    let mut paths: Vec<String> = Vec::new();
    for (path, _) in design.runs.iter().flat_map(|run| run.settings.iter().map(split)) {
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    let mut headings = vec!["run".to_string()];
    headings.extend(paths.iter().cloned());
    headings
        .extend(["backup_seconds", "verify_seconds", "written_bytes", "note"].map(String::from));
    let mut rows = vec![headings];
    for run in &design.runs {
        let settings: Vec<(String, String)> = run.settings.iter().map(split).collect();
        let value = |path: &String| {
            let found = settings.iter().find(|(of, _)| of == path);
            found.map_or_else(String::new, |(_, value)| value.clone())
        };
        let mut row = vec![run.name.clone()];
        row.extend(paths.iter().map(value));
        row.extend([String::new(), String::new(), String::new()]);
        row.push(format!("expected {}", duration(run.expected_seconds)));
        rows.push(row);
    }
    rows
}

/// A column for each value and unit that occurs.
fn figures(fit: &FitResult) -> Vec<Vec<String>> {
    const NAMES: [&str; 5] =
        ["measured", "predicted", "left_out_predicted", "left_out_low", "left_out_high"];
    let units: BTreeSet<&str> = fit.rows.iter().map(crate::document::FigureResult::unit).collect();
    // Seconds first, as most of them are.
    let units: Vec<&str> = units.into_iter().rev().collect();
    let columns = || units.iter().flat_map(|unit| NAMES.map(|name| (name, *unit)));
    let mut headings = vec!["run".to_string(), "operation".to_string()];
    headings.extend(columns().map(|(name, unit)| format!("{name}_{unit}")));
    headings.extend(
        ["relative_error", "left_out_relative_error", "alone_identifies"].map(String::from),
    );
    let mut rows = vec![headings];
    for figure in &fit.rows {
        let values = figure.values();
        let value = |(name, unit): (&str, &str)| {
            let found = values.iter().find(|(of, _)| *of == name && figure.unit() == unit);
            found.map_or_else(String::new, |(_, value)| value.to_string())
        };
        let mut row = vec![figure.row.run.clone(), figure.row.quantity.name().to_string()];
        row.extend(columns().map(value));
        row.push(figure.row.relative_error.to_string());
        row.push(figure.left_out_error().map_or_else(String::new, |error| error.to_string()));
        row.push(figure.row.alone_identifies.clone().unwrap_or_default());
        rows.push(row);
    }
    rows
}
