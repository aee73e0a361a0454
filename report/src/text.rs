//! Text for a terminal: the answer first, at most [`WIDTH`] columns.

mod ask;
mod beside;
pub(crate) mod calibrate;
mod columns;
mod compare;
mod devices;
mod explain;
mod import;
mod lists;
mod need;
mod night;
mod operation;
mod plan;
mod predict;
mod recommend;
mod sensitivity;
mod sweep;
mod trace;
pub(crate) mod validate;

pub(crate) use ask::{ask, one_change};
pub(crate) use calibrate::calibrate;
pub(crate) use compare::certainty as compare_certainty;
pub(crate) use compare::compare;
pub(crate) use compare::relative;
pub(crate) use devices::devices;
pub(crate) use devices::values as device_values;
pub(crate) use explain::explain;
pub(crate) use import::import;
pub(crate) use lists::*;
pub(crate) use need::need;
pub(crate) use night::night;
pub(crate) use night::schedule;
pub(crate) use operation::{View, other_load_sentence};
pub(crate) use plan::{
    growth as plan_growth, plan, stop_of as plan_stop, won, written as plan_written,
};
pub(crate) use predict::{heading, predict};
pub(crate) use recommend::recommend;
pub(crate) use recommend::{certainty as recommend_certainty, gain};
pub(crate) use sweep::sweep;
pub(crate) use trace::trace;
pub(crate) use trace::{thinned as trace_thinned, written as trace_file};
pub(crate) use validate::validate;

use bakcast_scenarios::WarningCode;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

use crate::document::{PrecisionResult, UncertaintyResult, Warning};

pub use predict::quoted;

/// Columns of a terminal that nobody has made wider.
pub const WIDTH: usize = 80;
/// Lines of the same terminal.
const LINES: usize = 24;
/// Where the text of an entry begins, after its label.
const INDENT: usize = 12;
/// Spaces between the columns of a table.
const GAP: u16 = 2;

/// Whether text is coloured, and whether it has to fit a screen. Colour never says what the words
/// do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Paint {
    /// Whether it is.
    pub colour: bool,
    /// Whether nothing is left out to fit a screen: for files.
    pub whole: bool,
    /// Which signs bars are made of: more than ASCII only at a terminal.
    pub glyphs: crate::plot::Glyphs,
    /// Columns of the terminal; fewer than [`WIDTH`] is as many.
    pub columns: usize,
}

impl Paint {
    fn with(self, code: &str, text: &str) -> String {
        if self.colour { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_string() }
    }

    /// What is to be read first.
    #[must_use]
    pub fn strong(self, text: &str) -> String {
        self.with("1", text)
    }

    /// What is to be looked at twice.
    #[must_use]
    pub fn caution(self, text: &str) -> String {
        self.with("33", text)
    }

    /// What is wrong.
    #[must_use]
    pub fn alarm(self, text: &str) -> String {
        self.with("1;31", text)
    }
}

/// A label and its text, the text broken into lines beside the label.
pub(crate) fn entry(label: &str, text: &str) -> String {
    let lines = wrapped(text, WIDTH - INDENT);
    let mut out = String::new();
    for (index, line) in lines.iter().enumerate() {
        let label = if index == 0 { label } else { "" };
        out.push_str(format!("{label:<INDENT$}{line}").trim_end());
        out.push('\n');
    }
    out
}

/// How well the medians are known, in one line; nothing if that was not asked.
pub(crate) fn precision(precision: Option<PrecisionResult>) -> String {
    precision.map_or_else(String::new, |precision| entry("Precision", &precision.sentence()))
}

/// What the ranges hold beside the variation from night to night, in one line; nothing if that is
/// all.
pub(crate) fn uncertainty(label: &str, uncertainty: Option<&UncertaintyResult>) -> String {
    uncertainty.map_or_else(String::new, |uncertainty| entry(label, &uncertainty.sentence()))
}

/// As [`entry`], with a label in colour.
pub(crate) fn caution(paint: Paint, label: &str, text: &str) -> String {
    entry(label, text).replacen(label, &paint.caution(label), 1)
}

/// Warnings in so many lines: in full, else without their hints, else as many as fit. Those
/// by which the numbers are of another backup come first, and are shown in any case, as is one.
pub(crate) fn warnings(warnings: &[Warning], room: usize, paint: Paint) -> String {
    let mut sorted = warnings.to_vec();
    sorted.sort_by_key(|warning| !is_of_another_backup(warning));
    let warnings = sorted.as_slice();
    let full = |w: &Warning| caution(paint, "Warning", &format!("{}; {}", w.text, w.hint));
    let all: String = warnings.iter().map(full).collect();
    let short = warnings_without_hints(warnings, paint);
    if paint.whole || all.lines().count() <= room {
        return all;
    }
    if short.lines().count() <= room {
        return short;
    }
    let mut shown = String::new();
    let mut count = 0;
    let always = warnings.iter().filter(|warning| is_of_another_backup(warning)).count().max(1);
    for warning in warnings {
        let one = warnings_without_hints(std::slice::from_ref(warning), paint);
        // One line is kept for how many more there are.
        if count >= always && shown.lines().count() + one.lines().count() + 1 > room {
            break;
        }
        shown.push_str(&one);
        count += 1;
    }
    if count < warnings.len() {
        let more = format!("{} more: see --format json", warnings.len() - count);
        shown.push_str(&caution(paint, "Warning", &more));
    }
    shown
}

pub(crate) fn is_of_another_backup(warning: &Warning) -> bool {
    WarningCode::OF_ANOTHER_BACKUP.iter().any(|code| code.as_str() == warning.code)
}

/// Warnings, each in as many lines as its text takes.
pub(crate) fn warnings_without_hints(warnings: &[Warning], paint: Paint) -> String {
    warnings.iter().map(|w| caution(paint, "Warning", &w.text)).collect()
}

/// Breaks a text at spaces; a no-break space (U+00A0) is printed as a space but never broken at.
#[must_use]
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let line = lines.last().map_or(0, |line| line.chars().count());
        if line > 0 && line + 1 + word.chars().count() > width {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines.iter().map(|line| line.replace('\u{a0}', " ")).collect()
}

/// A text that is not broken: its spaces become no-break spaces.
pub(crate) fn together(text: &str) -> String {
    text.replace(' ', "\u{a0}")
}

/// As many parts as fit beside a label on one line, the first in any case.
pub(crate) fn joined_on_one_line(parts: impl Iterator<Item = String>, between: &str) -> String {
    let mut line = String::new();
    for part in parts {
        if line.is_empty() {
            line = part;
        } else if width(&line) + width(between) + width(&part) <= WIDTH - INDENT {
            line.push_str(between);
            line.push_str(&part);
        }
    }
    line
}

/// Columns of a text.
pub(crate) fn width(text: &str) -> usize {
    text.chars().count()
}

/// A text cut to a number of columns, its end marked.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_string();
    }
    let kept: String = text.chars().take(width.saturating_sub(3)).collect();
    format!("{}...", kept.trim_end())
}

/// A table without rules; columns from `right` on are aligned to the right.
pub(crate) fn table(headings: &[&str], right: usize, rows: &[Vec<String>]) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(headings.to_vec());
    for row in rows {
        table.add_row(row.clone());
    }
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, GAP));
        if index >= right {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let mut out = String::new();
    for line in table.lines() {
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_breaks_beside_its_label() {
        let text = entry("Stages", &"word ".repeat(20));
        assert_eq!(text.lines().count(), 2);
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH));
        assert!(text.starts_with("Stages      word"));
        assert!(text.lines().nth(1).unwrap().starts_with("            word"));
    }

    #[test]
    fn warnings_are_wrapped_and_never_cut() {
        let text = "word ".repeat(25);
        let warning = Warning { code: "code", text, hint: "the hint".to_string() };
        let all = [warning.clone(), warning];
        let cramped = warnings(&all, 1, Paint::default());
        assert_eq!(cramped.matches("word").count(), 25, "{cramped}");
        assert!(cramped.contains("1 more") && !cramped.contains("..."), "{cramped}");
        let whole = warnings(&all, 1, Paint { whole: true, ..Paint::default() });
        assert_eq!(whole.matches("hint").count(), 2, "{whole}");
        assert!(whole.lines().all(|line| width(line) <= WIDTH));
    }

    #[test]
    fn warnings_of_another_backup_come_first() {
        let of = |code, text: &str| Warning { code, text: text.into(), hint: "hint".into() };
        let all = [
            of("large-buffer-memory", "large"),
            of("not-a-full-backup", "a part"),
            of("encryption-not-modelled", "encrypted"),
        ];
        let cramped = warnings(&all, 1, Paint::default());
        assert!(cramped.contains("a part") && cramped.contains("encrypted"), "{cramped}");
        assert!(!cramped.contains("large") && cramped.contains("1 more"), "{cramped}");
    }

    #[test]
    fn what_belongs_together_is_not_broken() {
        let lines = wrapped(&format!("aaa {}", together("b c d")), 6);
        assert_eq!(lines, ["aaa", "b c d"]);
    }
}
