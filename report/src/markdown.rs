//! Markdown: tables to paste in a ticket.

mod ask;
mod calibrate;
mod compare;
mod devices;
mod explain;
mod import;
mod lists;
mod need;
mod night;
mod plan;
mod predict;
mod recommend;
mod sweep;
mod trace;
mod validate;

use crate::document::{OtherLoadResult, PrecisionResult, UncertaintyResult, Warning};
use crate::text::other_load_sentence;

pub(crate) use ask::ask;
pub(crate) use calibrate::calibrate;
pub(crate) use compare::compare;
pub(crate) use devices::devices;
pub(crate) use explain::explain;
pub(crate) use import::import;
pub(crate) use lists::*;
pub(crate) use need::need;
pub(crate) use night::night;
pub(crate) use night::schedule;
pub(crate) use plan::plan;
pub(crate) use predict::predict;
pub(crate) use recommend::recommend;
pub(crate) use sweep::sweep;
pub(crate) use trace::trace;
pub(crate) use validate::validate;

/// A table; columns from `right` on are aligned to the right.
pub(crate) fn table(headings: &[&str], right: usize, rows: &[Vec<String>]) -> String {
    let cells = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut text = cells(headings.iter().map(|heading| escaped(heading)).collect());
    let rules = (0..headings.len()).map(|i| if i < right { "---" } else { "---:" }.to_string());
    text.push_str(&cells(rules.collect()));
    for row in rows {
        text.push_str(&cells(row.iter().map(|cell| escaped(cell)).collect()));
    }
    text
}

/// Warnings as a list with a blank line before it; nothing if there are none.
pub(crate) fn warnings(warnings: &[Warning]) -> String {
    let item = |w: &Warning| format!("- Warning: {}; {}.\n", escaped(&w.text), escaped(&w.hint));
    let items: String = warnings.iter().map(item).collect();
    if items.is_empty() { items } else { format!("\n{items}") }
}

/// How well the medians are known; nothing if that was not asked.
pub(crate) fn precision(precision: Option<PrecisionResult>) -> String {
    precision.map_or_else(String::new, |p| format!("\nPrecision: {}.\n", p.sentence()))
}

/// What the ranges hold beside the variation from night to night; nothing if that is all.
pub(crate) fn uncertainty(uncertainty: Option<&UncertaintyResult>) -> String {
    let source = |u: &UncertaintyResult| {
        u.source.as_ref().map_or_else(String::new, |source| format!(" ({})", escaped(source)))
    };
    uncertainty.map_or_else(String::new, |u| format!("\nRanges {}{}.\n", u.sentence(), source(u)))
}

/// Users and other load, if there is any.
pub(crate) fn other_load(all: &[OtherLoadResult]) -> String {
    let said = |text: String| format!("\nOther load: {}.\n", escaped(&text));
    other_load_sentence(all).map_or_else(String::new, said)
}

/// A text that breaks no table.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('|', "\\|").replace(['\n', '\r'], " ")
}

/// A text that is nothing but text: no emphasis, no link, no markup, one line.
pub(crate) fn inline(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if "\\`*_[]<>|~#&".contains(c) {
            out.push('\\');
        }
        out.push(if c.is_control() { ' ' } else { c });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_in_a_cell_breaks_no_table() {
        let text = table(&["a", "b"], 1, &[vec!["x|y".to_string(), "1\n2".to_string()]]);
        assert_eq!(text, "| a | b |\n| --- | ---: |\n| x\\|y | 1 2 |\n");
    }
}
