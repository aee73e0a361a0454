//! `validate` for a terminal: how far off, then row by row, then the claims.

use super::{Paint, WIDTH, entry, precision, table, together, warnings, wrapped};
use bakcast_calibration::{ArticleValidation, ClaimResult, FoldRecord, RowValidation};

use crate::document::{Document, ValidateResult};
use crate::number::{self, duration, percent, signed_percent};

pub(crate) fn validate(document: &Document<ValidateResult>, paint: Paint) -> String {
    let result = &document.result;
    let mut out = answer(result, paint);
    out.push_str(&precision(result.precision));
    out.push_str(&warnings(&document.warnings, usize::MAX, paint));
    if !result.articles.is_empty() && !result.public_sets.is_empty() {
        out.push('\n');
        out.push_str(&public_sets(&result.public_sets));
    }
    let in_full: Vec<&ArticleValidation> =
        if paint.whole { result.all().collect() } else { result.in_full().iter().collect() };
    for article in in_full {
        out.push('\n');
        out.push_str(&one_article(article, result.level, paint));
    }
    out
}

fn answer(result: &ValidateResult, paint: Paint) -> String {
    let mut out = String::new();
    for article in result.in_full() {
        out.push_str(&paint.strong(&super::cut(&article.id, WIDTH)));
        out.push('\n');
        out.push_str(&entry("Error", &errors(article)));
        out.push_str(&left_out(article).map_or_else(String::new, |text| entry("Left out", &text)));
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

/// A share of an error without its sign.
pub(crate) fn unsigned(share: f64) -> String {
    signed_percent(share).trim_start_matches('+').to_string()
}

/// The errors of a fit that has seen all rows, in a sentence.
pub(crate) fn errors(article: &ArticleValidation) -> String {
    let order = article
        .rank_correlation
        .map_or_else(String::new, |rank| format!(", rank correlation of backups {rank:.2}"));
    format!(
        "{} on average, {} at most{order}",
        unsigned(article.mean_absolute_relative_error),
        unsigned(article.max_absolute_relative_error)
    )
}

/// The errors of fits that have not seen a row.
pub(crate) fn left_out(article: &ArticleValidation) -> Option<String> {
    let error = unsigned(article.left_out_mean_absolute_relative_error?);
    let (all, inside) = covered(article);
    Some(format!(
        "{error} on average, of rows that the fit has not seen; {inside} of {all} in their range"
    ))
}

/// Rows that were left out, and how many of them lie in the range of the fit without them.
fn covered(article: &ArticleValidation) -> (usize, usize) {
    let covered: Vec<bool> =
        article.rows.iter().filter_map(RowValidation::left_out_covered).collect();
    (covered.len(), covered.iter().filter(|inside| **inside).count())
}

/// What is predicted of a part of the table by a fit to the rest.
pub(crate) fn fold(fold: &FoldRecord) -> String {
    format!(
        "fitted on {}: {} figures predicted, {} off on average, {} in their range",
        fold.fitted_on,
        fold.relative_errors.len(),
        unsigned(fold.mean_absolute_relative_error),
        percent(fold.coverage)
    )
}

/// Headings of a table of sets.
pub(crate) const OF_SETS: [&str; 5] = ["set", "figures", "error", "left out", "in their range"];

/// One line a set.
pub(crate) fn sets(sets: &[ArticleValidation]) -> Vec<Vec<String>> {
    let cells = |set: &ArticleValidation| {
        vec![
            set.id.clone(),
            set.rows.len().to_string(),
            unsigned(set.mean_absolute_relative_error),
            set.left_out_mean_absolute_relative_error.map_or_else(String::new, unsigned),
            set.left_out_interval_coverage.map_or_else(String::new, percent),
        ]
    };
    sets.iter().map(cells).collect()
}

fn public_sets(public: &[ArticleValidation]) -> String {
    let mut out = "Smaller public tables; `bakcast validate SET` has their rows\n".to_string();
    out.push_str(&table(&OF_SETS, 1, &sets(public)));
    out
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
    for line in super::wrapped(&ranges(article), WIDTH) {
        out.push_str(&line);
        out.push('\n');
    }
    for (index, one) in article.folds.iter().enumerate() {
        out.push_str(&entry(if index == 0 { "Parts" } else { "" }, &fold(one)));
    }
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
        cells.push(left_out_error(row));
    }
    cells
}

/// The error of a fit that has not seen the row; `!` if the measurement is not in its range.
pub(crate) fn left_out_error(row: &RowValidation) -> String {
    let mark = if row.left_out_covered() == Some(false) { " !" } else { "" };
    match row.left_out_relative_error {
        Some(error) => format!("{}{mark}", signed_percent(error)),
        None if row.alone_identifies.is_some() => "alone".to_string(),
        None => String::new(),
    }
}

/// How many measured values lie in their ranges, and what the marks mean.
fn ranges(article: &ArticleValidation) -> String {
    let inside = percent(article.interval_coverage);
    let mut text = format!("{inside} of the measured values lie in their range");
    let (all, covered) = covered(article);
    if all > covered {
        text.push_str("; ! not in that of the fit without it");
    }
    if article.rows.iter().any(|row| row.alone_identifies.is_some()) {
        text.push_str("\nalone: no other row tells about one of its parameters");
    }
    text + "."
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
