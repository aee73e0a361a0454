//! A change request: what is to be changed, what that is expected to bring, what it costs, what
//! that rests on, how to test it and how to go back.

mod document;
mod markdown;
mod say;
mod text;

pub use document::{ChangeRequestResult, ChangeSide, ItemResult, Proposal, Verdict};

pub(crate) use markdown::change_request as markdown;
pub(crate) use text::change_request as text;

use serde::Serialize;

use crate::{Document, Paint, Report, ReportError};

/// One item as a row.
#[derive(Debug, Serialize)]
struct Row<'a> {
    item: &'a str,
    text: &'a str,
}

impl Report for ChangeRequestResult {
    fn text(document: &Document<Self>, paint: Paint) -> String {
        text(document, paint)
    }

    fn csv(document: &Document<Self>) -> Result<String, ReportError> {
        let result = &document.result;
        let items = result.items.iter().map(|item| Row { item: item.label, text: &item.text });
        let calls = [
            ("Statement", Some(&result.statement)),
            ("Ola", result.ola_call.as_ref()),
            ("dbatools", result.dbatools_call.as_ref()),
            ("To go back", result.rollback_statement.as_ref()),
        ];
        let calls =
            calls.into_iter().filter_map(|(item, call)| call.map(|text| Row { item, text }));
        crate::csv::rows(&items.chain(calls).collect::<Vec<_>>())
    }

    fn markdown(document: &Document<Self>) -> String {
        markdown(document)
    }
}
