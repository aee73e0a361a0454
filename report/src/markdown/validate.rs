//! `validate` as Markdown.

use super::{escaped, precision, table, warnings};
use bakcast_calibration::{ArticleValidation, RowValidation};

use crate::document::{Document, ValidateResult};
use crate::number::{self, duration, duration_range, signed_percent};

pub(crate) fn validate(document: &Document<ValidateResult>) -> String {
    let articles = &document.result.articles;
    let articles = articles.iter().map(|article| one_article(article, document.result.level));
    let mut out = articles.collect::<Vec<_>>().join("\n");
    out.push_str(&precision(document.result.precision));
    out.push_str(&warnings(&document.warnings));
    out
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
            row.left_out_relative_error.map_or_else(String::new, signed_percent),
        ]
    };
    let rows: Vec<_> = article.rows.iter().map(cells).collect();
    let range = format!("{} of runs", number::level(level));
    let headings = ["row", "operation", "measured", "predicted", &range, "error", "left out"];
    let held = article.claims.iter().filter(|claim| claim.holds).count();
    let mut out = format!(
        "**{}** ({})\n\n{}\nMean error {}, largest {}; {} of {} claims hold.\n",
        escaped(&article.id),
        escaped(&article.title),
        table(&headings, 2, &rows),
        signed_percent(article.mean_absolute_relative_error).trim_start_matches('+'),
        signed_percent(article.max_absolute_relative_error).trim_start_matches('+'),
        held,
        article.claims.len()
    );
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
