//! How sure that is: what it was calibrated on, and how far off such forecasts were.

use super::markup::{Markup, classed, foreign_cut, table, tag};
use super::{EvidenceResult, EvidenceRow, ParameterSpread, details, section};
use crate::number::{digits, duration, signed_percent};

/// Characters of a source.
const SOURCE: usize = 600;

/// The section; `chart` is that of measured against fitted, `more` what else is to be said.
pub(super) fn sure(evidence: &EvidenceResult, chart: Markup, more: &str) -> Markup {
    section("sure", "How sure that is", inner(evidence, chart, more))
}

/// The same without its heading.
pub(super) fn inner(evidence: &EvidenceResult, chart: Markup, more: &str) -> Markup {
    let mut inner = Markup::new();
    inner = match &evidence.fitted_to {
        Some(fit) => {
            let text = tag("strong", &[], "Calibrated: ").and(foreign_cut(fit, SOURCE)).text(".");
            inner.and(tag("p", &[], text)).line()
        }
        None => {
            let text = tag("strong", &[], "Not calibrated.").text(
                " The rates are those that the scenario states; no run of this machine stands \
                 behind them.",
            );
            inner.and(classed("p", "misses", text)).line()
        }
    };
    if let Some(elsewhere) = &evidence.unmeasured {
        let percent = |share: f64| digits(share * 100.0, 2);
        let text = format!(
            "Forecasts of the shipped measurements from data sheets alone ({} durations) were off \
             by {} to {} % on average. Two or three runs of your own, fitted with bakcast \
             calibrate, make that a fraction of it.",
            elsewhere.figures,
            percent(elsewhere.best_mean_absolute_relative_error),
            percent(elsewhere.worst_mean_absolute_relative_error)
        );
        inner = inner.and(tag("p", &[], text)).line();
    }
    inner = inner.and(article(evidence, chart));
    if !more.is_empty() {
        inner = inner.and(tag("p", &[], more)).line();
    }
    if let Some(source) = &evidence.source {
        let text = Markup::new().text("Source of the figures: ").and(foreign_cut(source, SOURCE));
        inner = inner.and(classed("p", "soft", text)).line();
    }
    inner
}

/// Measured beside fitted.
fn article(evidence: &EvidenceResult, chart: Markup) -> Markup {
    let Some(article) = &evidence.article else { return Markup::new() };
    let percent = |share: f64| digits(share * 100.0, 2);
    let left_out = match (article.left_out_mean_absolute_relative_error, article.left_out_in_range)
    {
        (Some(error), Some((in_range, of))) => format!(
            " What to expect of a configuration that nobody has measured: predicted by a fit that \
             had not seen the row, it was {} % on average, and {in_range} of {of} lay in their \
             range.",
            percent(error)
        ),
        _ => String::new(),
    };
    let text = format!(
        "{}: the fitted scenario is off by {} % on average and {} % at most, which flatters, for \
         it was fitted to these very rows.{left_out}",
        article.title,
        percent(article.mean_absolute_relative_error),
        percent(article.max_absolute_relative_error)
    );
    let rows: Vec<Vec<String>> = article.rows.iter().map(row).collect();
    let headings = ["row", "operation", "measured", "fitted", "error", "unseen", "error unseen"];
    let numbers = table(&headings, 2, &rows);
    let chart = if chart.is_empty() {
        details("Row by row", numbers)
    } else {
        super::figure::figure("Measured against fitted; on the line they agree", chart, numbers)
    };
    tag("p", &[], text).line().and(chart)
}

fn row(row: &EvidenceRow) -> Vec<String> {
    vec![
        row.row.clone(),
        row.operation.to_string(),
        duration(row.measured_seconds),
        duration(row.fitted_seconds),
        signed_percent(row.relative_error),
        row.left_out_seconds.map_or_else(String::new, duration),
        row.left_out_relative_error.map_or_else(String::new, signed_percent),
    ]
}

/// How far every parameter is known.
pub(super) fn parameters(parameters: &[ParameterSpread]) -> Markup {
    let rows: Vec<Vec<String>> = parameters.iter().map(spread).collect();
    if rows.is_empty() {
        return Markup::new();
    }
    let headings = ["parameter", "knobs", "5 %", "median", "95 %", "unit"];
    let table = table(&headings, 2, &rows);
    details("Parameter sets that all agree with the measurements", table)
}

fn spread(parameter: &ParameterSpread) -> Vec<String> {
    let mut sorted = parameter.values.clone();
    sorted.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let place = (share * sorted.len().saturating_sub(1) as f64).round() as usize;
        sorted.get(place).map_or_else(String::new, |value| digits(*value, 4))
    };
    vec![
        parameter.name.clone(),
        parameter.paths.join(", "),
        at(0.05),
        at(0.5),
        at(0.95),
        parameter.unit.clone(),
    ]
}
