//! `validate` as Markdown.

use super::{escaped, precision, table, warnings};
use bakcast_calibration::{ArticleValidation, RowValidation};

use crate::document::{Document, ValidateResult};
use crate::number::{self, duration, duration_range, signed_percent};
use crate::text::validate as text;

pub(crate) fn validate(document: &Document<ValidateResult>) -> String {
    let result = &document.result;
    let articles = result.all().map(|article| one_article(article, result.level));
    let mut out = articles.collect::<Vec<_>>().join("\n");
    if !result.articles.is_empty() && !result.public_sets.is_empty() {
        out.push_str(&format!("\n{}", table(&text::OF_SETS, 1, &text::sets(&result.public_sets))));
    }
    out.push_str(&precision(document.result.precision));
    out.push_str(&warnings(&document.warnings));
    out
}

/// What a fit that has not seen the row says of a measurement.
fn left_out_range(row: &RowValidation) -> String {
    match (row.left_out_low_seconds, row.left_out_high_seconds) {
        (Some(low), Some(high)) => duration_range(low, high),
        _ => String::new(),
    }
}

fn one_article(article: &ArticleValidation, level: f64) -> String {
    let cells = |row: &RowValidation| {
        vec![
            row.row.clone(),
            row.operation.name().to_string(),
            duration(row.measured_seconds),
            duration(row.predicted_seconds),
            duration_range(row.low_seconds, row.high_seconds),
            signed_percent(row.relative_error),
            left_out_range(row),
            text::left_out_error(row),
        ]
    };
    let rows: Vec<_> = article.rows.iter().map(cells).collect();
    let range = format!("{} of runs", number::level(level));
    let headings =
        ["row", "operation", "measured", "predicted", &range, "error", "90 % left out", "left out"];
    let held = article.claims.iter().filter(|claim| claim.holds).count();
    let mut out = format!(
        "**{}** ({})\n\n{}\nError {}; {} of {} claims hold.{}\n",
        escaped(&article.id),
        escaped(&article.title),
        table(&headings, 2, &rows),
        text::errors(article),
        held,
        article.claims.len(),
        text::left_out(article).map_or_else(String::new, |left| format!(" Left out {left}."))
    );
    let folds: String = article.folds.iter().map(|f| format!("- {}.\n", text::fold(f))).collect();
    if !folds.is_empty() {
        out.push_str(&format!("\n{folds}"));
    }
    if !article.claims.is_empty() {
        let verdict = |holds: bool| if holds { "holds" } else { "fails" }.to_string();
        let claims: Vec<_> = article
            .claims
            .iter()
            .map(|c| vec![c.id.clone(), verdict(c.holds), c.statement.clone(), c.evidence.clone()])
            .collect();
        out.push('\n');
        out.push_str(&table(&["claim", "verdict", "statement", "evidence"], 4, &claims));
    }
    out
}
