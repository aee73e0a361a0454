//! The same results for a terminal, a table and a ticket: the answer in short.

use super::{NightPageResult, PageResult, PairResult};
use crate::document::{NightResult, PredictResult};
use crate::text::{Paint, cut, entry, warnings};
use crate::{Document, Report, ReportError, csv, markdown, text};

/// A document around a part of the result of another.
fn part<R: Clone, S>(document: &Document<S>, result: &R) -> Document<R> {
    Document {
        schema_version: document.schema_version,
        tool: document.tool,
        command: document.command,
        seed: document.seed,
        replications: document.replications,
        inputs: serde_json::Value::Null,
        warnings: document.warnings.clone(),
        result: result.clone(),
    }
}

impl Report for PageResult {
    fn text(document: &Document<Self>, paint: Paint) -> String {
        text::predict(&part(document, &document.result.prediction), paint)
    }

    fn csv(document: &Document<Self>) -> Result<String, ReportError> {
        csv::predict(&part::<PredictResult, _>(document, &document.result.prediction))
    }

    fn markdown(document: &Document<Self>) -> String {
        markdown::predict(&part(document, &document.result.prediction))
    }
}

impl Report for NightPageResult {
    fn text(document: &Document<Self>, paint: Paint) -> String {
        text::night(&part(document, &document.result.prediction), paint)
    }

    fn csv(document: &Document<Self>) -> Result<String, ReportError> {
        csv::night(&part::<NightResult, _>(document, &document.result.prediction))
    }

    fn markdown(document: &Document<Self>) -> String {
        markdown::night(&part(document, &document.result.prediction))
    }
}

impl Report for PairResult {
    fn text(document: &Document<Self>, paint: Paint) -> String {
        let result = &document.result;
        let mut out = String::new();
        for (letter, side) in ["A", "B"].iter().zip(&result.sides) {
            let prediction = &side.prediction;
            let title = cut(&format!("{}  {}", prediction.scenario, prediction.title), WIDTH);
            out.push_str(&entry(letter, &title));
        }
        let answer = entry("Answer", &result.answer);
        out.push_str(&answer.replacen("Answer", &paint.strong("Answer"), 1));
        let differ: Vec<&str> = result
            .lines
            .iter()
            .filter(|line| line.differs())
            .map(|line| line.path.as_str())
            .collect();
        let differ = if differ.is_empty() { "nothing".to_string() } else { differ.join(", ") };
        out.push_str(&entry("Differ in", &cut(&differ, 5 * WIDTH)));
        out + &warnings(&document.warnings, usize::MAX, paint)
    }

    fn csv(document: &Document<Self>) -> Result<String, ReportError> {
        let of = |side: usize| {
            csv::predict(&part::<PredictResult, _>(
                document,
                &document.result.sides[side].prediction,
            ))
        };
        let other = of(1)?;
        let rows = other.split_once('\n').map_or("", |(_, rows)| rows);
        Ok(of(0)? + rows)
    }

    fn markdown(document: &Document<Self>) -> String {
        let result = &document.result;
        let mut out = format!("{}\n", markdown::inline(&result.answer));
        for side in &result.sides {
            out.push('\n');
            let alone = Document { warnings: Vec::new(), ..part(document, &side.prediction) };
            out.push_str(&markdown::predict(&alone));
        }
        out + &markdown::warnings(&document.warnings)
    }
}

/// Columns beside a label.
const WIDTH: usize = 68;
