//! `recommend` as Markdown.

use super::{escaped, table, warnings};
use crate::document::{Document, RecommendResult, StepResult};
use crate::number::{bytes, duration, percent};
use crate::text::{gain, recommend_certainty};

pub(crate) fn recommend(document: &Document<RecommendResult>) -> String {
    let result = &document.result;
    let mut out = format!("**{}**: {}\n\n", escaped(&result.scenario), escaped(&result.title));
    out.push_str(&format!("{}\n\n", escaped(&result.answer)));
    let headings = ["step", result.operation, "change", "buffers", "processors"];
    let mut rows = vec![cells("as it is", &result.present)];
    rows.extend(result.ladder.iter().map(|step| cells(&step.change, step)));
    rows.extend(result.nearest.iter().map(|s| cells(&format!("nearest: {}", s.change), s)));
    rows.extend(result.beyond.iter().map(|s| cells(&format!("further: {}", s.change), s)));
    out.push_str(&table(&headings, 1, &rows));
    for requirement in &result.requirements {
        let verdict = if requirement.met { "met" } else { "not met" };
        out.push_str(&format!("\nRequired {}: {verdict}.\n", escaped(&requirement.requirement)));
    }
    let calls = [
        ("sql", &result.statement),
        ("sql", &result.ola_call),
        ("powershell", &result.dbatools_call),
    ];
    for (language, call) in calls {
        if let Some(call) = call {
            out.push_str(&format!("\n```{language}\n{call}\n```\n"));
        }
    }
    out.push_str(&format!("\nCertainty: {}.\n", recommend_certainty(document)));
    out.push_str(&warnings(&document.warnings));
    out
}

fn cells(name: &str, step: &StepResult) -> Vec<String> {
    vec![
        name.to_string(),
        duration(step.seconds),
        gain(step),
        bytes(step.buffer_memory_bytes as f64),
        percent(step.processor_share),
    ]
}
