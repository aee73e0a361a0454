//! `scenarios` and `knobs` as Markdown.

use super::table;
use crate::document::{Document, KnobsResult, ScenarioEntry, ScenariosResult};

pub(crate) fn scenarios(document: &Document<ScenariosResult>) -> String {
    if let [ScenarioEntry { toml: Some(text), .. }] = document.result.scenarios.as_slice() {
        return format!("```toml\n{text}```\n");
    }
    let mut rows = Vec::new();
    for scenario in &document.result.scenarios {
        let source = scenario.source.clone().unwrap_or_default();
        rows.push(vec![format!("`{}`", scenario.name), scenario.title.clone(), source]);
        for variant in &scenario.variants {
            let title = variant.title.clone().unwrap_or_default();
            let source = variant.source.clone().unwrap_or_default();
            rows.push(vec![format!("`{}`", variant.name), title, source]);
        }
    }
    let text = table(&["name", "title", "source"], 3, &rows);
    format!("{text}\n{} scenarios with their variants.\n", document.result.scenarios.len())
}

pub(crate) fn knobs(document: &Document<KnobsResult>) -> String {
    let knobs = &document.result.knobs;
    let rows: Vec<_> = knobs
        .iter()
        .map(|knob| {
            let default = match (&knob.default, knob.required) {
                (Some(default), _) => format!("`{default}`"),
                (None, true) => "required".to_string(),
                (None, false) => String::new(),
            };
            vec![format!("`{}`", knob.path), knob.accepted.clone(), default, knob.comment.clone()]
        })
        .collect();
    let text = table(&["knob", "accepted", "default", "what it is"], 4, &rows);
    format!("{text}\n{} knobs.\n", knobs.len())
}
