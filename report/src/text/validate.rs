//! `validate` for a terminal: how far off, then row by row, then the claims.

use super::{Paint, WIDTH, entry, precision, table, together, warnings, wrapped};
use bakcast_calibration::{ArticleValidation, ClaimResult, RowValidation};

use crate::document::{Document, ValidateResult};
use crate::number::{self, duration, percent, signed_percent};

pub(crate) fn validate(document: &Document<ValidateResult>, paint: Paint) -> String {
    let result = &document.result;
    let mut out = answer(result, paint);
    out.push_str(&precision(result.precision));
    out.push_str(&warnings(&document.warnings, usize::MAX, paint));
    for article in &result.articles {
        out.push('\n');
        out.push_str(&one_article(article, result.level, paint));
    }
    out
}

fn answer(result: &ValidateResult, paint: Paint) -> String {
    let mut out = String::new();
    for article in &result.articles {
        out.push_str(&paint.strong(&super::cut(&article.id, WIDTH)));
        out.push('\n');
        out.push_str(&entry("Error", &errors(article)));
    }
    if let Some((article, row)) = result.worst_row() {
        let error = signed_percent(row.relative_error);
        let name = format!("{}:{} {} {error}", article.id, row.row, row.operation.name());
        out.push_str(&entry("Worst row", &together(&name)));
    }
    let (held, all) = result.claims_held();
    if all > 0 {
        out.push_str(&entry("Claims", &format!("{held} of {all} hold")));
    }
    out
}

/// The errors of an article in a sentence.
fn errors(article: &ArticleValidation) -> String {
    let mean = signed_percent(article.mean_absolute_relative_error);
    let max = signed_percent(article.max_absolute_relative_error);
    let left_out =
        article.left_out_mean_absolute_relative_error.map_or_else(String::new, |error| {
            format!(
                " (rows left out of the fit: {})",
                signed_percent(error).trim_start_matches('+')
            )
        });
    format!(
        "{} on average{left_out}, {} at most",
        mean.trim_start_matches('+'),
        max.trim_start_matches('+')
    )
}

fn one_article(article: &ArticleValidation, level: f64, paint: Paint) -> String {
    let mut out = paint.strong(&super::cut(&article.title, WIDTH));
    out.push('\n');
    let with_left_out = article.rows.iter().any(|row| row.left_out_relative_error.is_some());
    let range = format!("{} of runs", number::level(level));
    let mut headings = vec!["row", "", "measured s", "predicted s", &range, "error"];
    if with_left_out {
        headings.push("left out");
    }
    let rows: Vec<_> = article.rows.iter().map(|row| cells(row, with_left_out)).collect();
    out.push_str(&table(&headings, 2, &rows));
    let inside = percent(article.interval_coverage);
    out.push_str(&format!("{inside} of the measured values lie in their range.\n"));
    for row in &article.unfitted_rows {
        let reason = article.unfitted_reasons.get(&row.row).map_or("not fitted", String::as_str);
        let text = format!(
            "row {}: measured {}, predicted {} ({})",
            row.row,
            duration(row.measured_seconds),
            duration(row.predicted_seconds),
            signed_percent(row.relative_error)
        );
        out.push_str(&entry("Not fitted", &format!("{}: {reason}", together(&text))));
    }
    if !article.claims.is_empty() {
        out.push_str("\nClaims\n");
        article.claims.iter().for_each(|claim| out.push_str(&one_claim(claim, paint)));
    }
    out
}

fn cells(row: &RowValidation, with_left_out: bool) -> Vec<String> {
    let mut cells = vec![
        row.row.clone(),
        row.operation.name().to_string(),
        format!("{:.1}", row.measured_seconds),
        format!("{:.1}", row.predicted_seconds),
        format!("{:.1} to {:.1}", row.low_seconds, row.high_seconds),
        signed_percent(row.relative_error),
    ];
    if with_left_out {
        cells.push(row.left_out_relative_error.map_or_else(String::new, signed_percent));
    }
    cells
}

fn one_claim(claim: &ClaimResult, paint: Paint) -> String {
    let verdict = if claim.holds { "holds" } else { "FAILS" };
    let text = format!("{} {verdict}: {} ({})", claim.id, claim.statement, claim.evidence);
    let lines = wrapped(&text, WIDTH - 5);
    let mut out = String::new();
    for (index, line) in lines.iter().enumerate() {
        out.push_str(if index == 0 { "  " } else { "     " });
        out.push_str(line);
        out.push('\n');
    }
    if claim.holds { out } else { out.replacen("FAILS", &paint.alarm("FAILS"), 1) }
}
