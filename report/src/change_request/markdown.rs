//! A change request as Markdown: a list and blocks of code, for tickets and wikis.

use super::ChangeRequestResult;
use super::text::statement_heading;
use crate::document::Document;
use crate::markdown::{inline, warnings};

pub(crate) fn change_request(document: &Document<ChangeRequestResult>) -> String {
    let result = &document.result;
    let mut out = String::new();
    for item in &result.items {
        out.push_str(&format!("- **{}**: {}\n", item.label, inline(&item.text)));
    }
    out.push_str(&warnings(&document.warnings));
    let calls = [
        (statement_heading(result.verdict), "sql", Some(&result.statement)),
        ("The same with Ola Hallengren's procedure", "sql", result.ola_call.as_ref()),
        ("The same with dbatools", "powershell", result.dbatools_call.as_ref()),
        ("To go back", "sql", result.rollback_statement.as_ref()),
    ];
    for (heading, language, call) in calls {
        if let Some(call) = call {
            out.push_str(&format!("\n{heading}:\n\n{}\n", fenced(language, call)));
        }
    }
    let command = fenced("", &result.command_line);
    out + &format!("\nMade by bakcast {}:\n\n{command}\n", document.tool.version)
}

/// A block of code whose fence is longer than any in it.
fn fenced(language: &str, text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{text}\n{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_code_ends_its_own_block() {
        assert_eq!(fenced("sql", "x"), "```sql\nx\n```");
        assert_eq!(fenced("", "a ```` b"), "`````\na ```` b\n`````");
    }
}
