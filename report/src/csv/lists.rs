//! `scenarios` and `knobs` as CSV: one row a variant, one row a knob.

use serde::Serialize;

use super::rows;
use crate::ReportError;
use crate::document::{Document, KnobsResult, ScenariosResult};

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

pub(crate) fn knobs(document: &Document<KnobsResult>) -> Result<String, ReportError> {
    rows(&document.result.knobs)
}
