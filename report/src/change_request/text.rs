//! A change request as text: labels and lines of at most 80 columns, to paste anywhere.

use super::{ChangeRequestResult, Verdict};
use crate::document::Document;
use crate::text::{Paint, entry, warnings};

pub(crate) fn change_request(document: &Document<ChangeRequestResult>, paint: Paint) -> String {
    let result = &document.result;
    let mut out = String::new();
    for item in &result.items {
        let line = entry(item.label, &item.text);
        out.push_str(&line.replacen(item.label, &paint.strong(item.label), 1));
    }
    // A request is read whole: nothing is left out for a screen.
    let whole = Paint { whole: true, ..paint };
    out.push_str(&warnings(&document.warnings, usize::MAX, whole));
    let calls = [
        (statement_heading(result.verdict), Some(&result.statement)),
        ("The same with Ola Hallengren's procedure", result.ola_call.as_ref()),
        ("The same with dbatools", result.dbatools_call.as_ref()),
        ("To go back", result.rollback_statement.as_ref()),
    ];
    for (heading, call) in calls {
        if let Some(call) = call {
            out.push_str(&format!("\n{heading}:\n\n{call}\n"));
        }
    }
    out.push_str(&format!(
        "\nMade by bakcast {}:\n  {}\n",
        document.tool.version, result.command_line
    ));
    out
}

/// What stands above the statement.
pub(super) const fn statement_heading(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Change => "The statement",
        Verdict::Stay => "The statement, as it is",
        Verdict::NothingKeepsTheLimits => "The statement that comes nearest",
    }
}
