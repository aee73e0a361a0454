//! `scenarios` and `knobs` for a terminal.

use super::{Paint, WIDTH, cut, together, wrapped};
use crate::document::{Document, KnobEntry, KnobsResult, ScenarioEntry, ScenariosResult};

pub(crate) fn scenarios(document: &Document<ScenariosResult>, paint: Paint) -> String {
    let entries = &document.result.scenarios;
    if let [ScenarioEntry { toml: Some(text), .. }] = entries.as_slice() {
        return text.clone();
    }
    let mut out = String::new();
    for entry in entries {
        out.push_str(&format!("{}\n", paint.strong(&entry.name)));
        out.push_str(&indented(&entry.title, 4));
        for variant in &entry.variants {
            let name = variant.name.strip_prefix(&entry.name).unwrap_or(&variant.name);
            let title = variant.title.as_deref().unwrap_or("");
            // The title of a variant begins with that of the scenario, which has just been said.
            let title = title.strip_prefix(&entry.title).unwrap_or(title).trim_start_matches(": ");
            let line = format!("    {:<11} {title}", name.trim_start_matches(':'));
            out.push_str(&format!("{}\n", cut(line.trim_end(), WIDTH)));
        }
    }
    out.push_str("\nA variant is written NAME:VARIANT. To start a scenario of your own:\n");
    out.push_str("    bakcast scenarios --show nvme-knob-matrix > mine.toml\n");
    out
}

pub(crate) fn knobs(document: &Document<KnobsResult>, paint: Paint) -> String {
    let mut out = String::new();
    for knob in &document.result.knobs {
        out.push_str(&one_knob(knob, paint));
    }
    out
}

fn one_knob(knob: &KnobEntry, paint: Paint) -> String {
    let mut out = format!("{}\n", paint.strong(&cut(&knob.path, WIDTH)));
    out.push_str(&indented(&knob.comment, 4));
    let default = match (&knob.default, knob.required) {
        (Some(default), _) => format!("default {default}"),
        (None, true) => "required".to_string(),
        (None, false) => "may be left out".to_string(),
    };
    out.push_str(&indented(&format!("accepts {}; {default}", knob.accepted), 4));
    out
}

/// Lines of a text; what stands between backticks is not broken.
pub(super) fn indented(text: &str, by: usize) -> String {
    let parts = text.split('`').enumerate();
    let whole = parts.map(|(i, part)| if i % 2 == 1 { together(part) } else { part.to_string() });
    let text = whole.collect::<Vec<_>>().join("`");
    let line = |line: String| format!("{}{line}\n", " ".repeat(by));
    wrapped(&text, WIDTH - by).into_iter().map(line).collect()
}
