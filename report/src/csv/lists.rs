//! `scenarios` and `knobs` as CSV: one row a variant, one row a knob.

use serde::Serialize;

use super::rows;
use crate::ReportError;
use crate::document::{Document, KnobEntry, KnobsResult, ScenariosResult};

/// One scenario or variant.
#[derive(Debug, Serialize)]
struct Row<'a> {
    name: &'a str,
    title: Option<&'a str>,
    source: Option<&'a str>,
}

pub(crate) fn scenarios(document: &Document<ScenariosResult>) -> Result<String, ReportError> {
    let mut all = Vec::new();
    for scenario in &document.result.scenarios {
        let source = scenario.source.as_deref();
        all.push(Row { name: &scenario.name, title: Some(&scenario.title), source });
        all.extend(scenario.variants.iter().map(|variant| Row {
            name: &variant.name,
            title: variant.title.as_deref(),
            source: variant.source.as_deref().or(source),
        }));
    }
    rows(&all)
}

/// One knob; the entry itself leaves an absent default out, which would make a shorter row.
#[derive(Debug, Serialize)]
struct KnobRow<'a> {
    path: &'a str,
    accepted: &'a str,
    default: Option<&'a str>,
    required: bool,
    example: &'a str,
    comment: &'a str,
}

pub(crate) fn knobs(document: &Document<KnobsResult>) -> Result<String, ReportError> {
    rows(&document.result.knobs.iter().map(KnobRow::from).collect::<Vec<_>>())
}

impl<'a> From<&'a KnobEntry> for KnobRow<'a> {
    fn from(knob: &'a KnobEntry) -> Self {
        KnobRow {
            path: &knob.path,
            accepted: &knob.accepted,
            default: knob.default.as_deref(),
            required: knob.required,
            example: &knob.example,
            comment: &knob.comment,
        }
    }
}
