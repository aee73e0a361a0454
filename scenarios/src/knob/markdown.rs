//! The reference page of the knobs.

use std::fmt::Write as _;

use super::{Knob, knobs};

/// The text of `docs/knobs.md`: one table of knobs for each table of the file.
#[must_use]
pub fn knobs_markdown() -> String {
    let mut text = String::from(
        "# Knobs\n\n\
         Every value a scenario file may hold. Generated from the scenario schema; do not edit.\n\
         `<name>` stands for a name of your own. Any of them can be set on the command line with\n\
         `--set PATH=VALUE`; `--set PATH=default` takes a value away.\n",
    );
    let mut table = None;
    for knob in knobs() {
        let this = table_of(knob);
        if table != Some(this) {
            text.push_str(&heading(this));
            table = Some(this);
        }
        text.push_str(&row(knob));
    }
    text
}

/// The table a knob stands in.
fn table_of(knob: &Knob) -> &str {
    knob.path.rsplit_once('.').map_or("", |(table, _)| table)
}

fn heading(table: &str) -> String {
    let title =
        if table.is_empty() { "Top of the file".to_string() } else { format!("`[{table}]`") };
    format!("\n## {title}\n\n| knob | meaning | accepted | default |\n|---|---|---|---|\n")
}

fn row(knob: &Knob) -> String {
    let default = match (&knob.default, knob.required) {
        (Some(default), _) => format!("`{default}`"),
        (None, true) => "required".to_string(),
        (None, false) => "absent".to_string(),
    };
    let mut row = String::new();
    let key = knob.path.rsplit('.').next().unwrap_or("");
    // Writing to a string cannot fail.
    let _ = writeln!(
        row,
        "| `{key}` | {} | {} | {} |",
        cell(&knob.comment),
        cell(&knob.accepted),
        cell(&default)
    );
    row
}

/// Text that does not break a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_names_every_knob_under_its_table() {
        let page = knobs_markdown();
        assert!(page.contains("## `[device.<name>.spindle]`"));
        assert!(page.contains("| `positioning` |"));
        assert!(page.contains("## Top of the file"));
        let rows = page.lines().filter(|line| line.starts_with("| `")).count();
        assert_eq!(rows, knobs().len());
        let headings = page.lines().filter(|line| line.starts_with("## "));
        let mut headings: Vec<_> = headings.collect();
        let count = headings.len();
        headings.sort_unstable();
        headings.dedup();
        assert_eq!(headings.len(), count, "a table stands twice");
    }
}
