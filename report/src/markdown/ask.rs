//! `ask` as Markdown.

use super::{escaped, table, uncertainty, warnings};
use crate::document::{AskResult, Document};
use crate::number::{bytes, duration};
use crate::text::one_change;

pub(crate) fn ask(document: &Document<AskResult>) -> String {
    let result = &document.result;
    let answer = result.answer.replace('-', " ");
    let mut out = format!(
        "**{}**: {} **{answer}**: {}.\n",
        escaped(&result.scenario),
        result.question_text,
        escaped(&result.headline)
    );
    if let Some(on) = &result.depends_on {
        out.push_str(&format!("\nIt depends on {}.\n", escaped(on)));
    }
    out.push_str(&format!("\nWhy: {}.\n\n", escaped(&result.why)));
    let rows: Vec<Vec<String>> = result
        .alternatives
        .iter()
        .map(|one| {
            let ratio = one.gain.map_or_else(String::new, |gain| format!("{:.2}", gain.ratio));
            let interval = one.gain.and_then(|gain| Some((gain.ratio_low?, gain.ratio_high?)));
            vec![
                one.label.clone(),
                one.seconds.map_or_else(|| "cannot be run".to_string(), duration),
                ratio,
                interval.map_or_else(String::new, |(low, high)| format!("{low:.2} to {high:.2}")),
                one.buffer_memory_bytes.map_or_else(String::new, |b| bytes(b as f64)),
            ]
        })
        .collect();
    let headings = ["alternative", result.operation, "ratio", "interval", "buffers"];
    out.push_str(&table(&headings, 1, &rows));
    out.push_str(&format!("\nRatios against: {}.\n", escaped(&result.before.label)));
    for flip in &result.would_change_if {
        let change = one_change(flip, result.answer).replace('\u{a0}', " ");
        out.push_str(&format!("- The answer changes: {}.\n", escaped(&change)));
    }
    if let Some(surer) = &result.surer_with {
        let (what, run) = (escaped(&surer.parameter), escaped(&surer.run));
        out.push_str(&format!("\nSurer with: {what}, by {run}.\n"));
    }
    out.push_str(&format!("\n```sql\n{}\n```\n", result.statement));
    out.push_str(&uncertainty(result.uncertainty.as_ref()));
    out.push_str(&warnings(&document.warnings));
    out
}
