//! `need` as Markdown.

use super::{escaped, table, uncertainty, warnings};
use crate::document::{Document, NeedResult};
use crate::number::{duration, duration_range};

pub(crate) fn need(document: &Document<NeedResult>) -> String {
    let result = &document.result;
    let fits = if result.fits { "fits" } else { "does not fit" };
    let mut out = format!(
        "**{}**: the {} takes {} ({}) and {fits} a window of {}.\n\nOne at a time:\n\n",
        escaped(&result.scenario),
        result.operation,
        duration(result.now.seconds),
        duration_range(result.now.low_seconds, result.now.high_seconds),
        duration(result.window_seconds)
    );
    let mut rows = Vec::new();
    for part in &result.one_at_a_time {
        if part.rates.is_empty() {
            let best = format!("a slow night takes {} then", duration(part.high_seconds_at_best));
            rows.push(vec![part.part.to_string(), part.change.clone(), String::new(), best]);
        }
        for rate in &part.rates {
            rows.push(vec![
                format!("{}: {}", part.part, rate.parameter),
                part.change.clone(),
                rate.now.clone(),
                rate.value.clone(),
            ]);
        }
    }
    out.push_str(&table(&["part", "change", "now", "needed"], 2, &rows));
    if let Some(balanced) = &result.balanced {
        let rows: Vec<Vec<String>> = balanced
            .rates
            .iter()
            .map(|one| vec![one.parameter.clone(), one.now.clone(), one.value.clone()])
            .collect();
        out.push_str("\nBalanced, all at once:\n\n");
        out.push_str(&table(&["rate", "now", "needed"], 1, &rows));
    }
    out.push_str(&uncertainty(result.uncertainty.as_ref()));
    out.push_str(&warnings(&document.warnings));
    out
}
