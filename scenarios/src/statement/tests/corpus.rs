//! The corpus: statements as people write them, each with what it says or why it is refused.

use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

use crate::{Problem, Statement, Target, parse_statements};

const CORPUS: &str = include_str!("../../../corpus/statements.toml");

#[derive(Deserialize)]
struct Corpus {
    case: Vec<Case>,
}

/// One text, and what comes of it.
#[derive(Deserialize)]
pub(super) struct Case {
    name: String,
    pub(super) text: String,
    #[serde(default)]
    statement: Vec<Map<String, Json>>,
    error: Option<Vec<String>>,
}

pub(super) fn cases() -> Vec<Case> {
    toml::from_str::<Corpus>(CORPUS).unwrap().case
}

fn shown(target: &Target) -> Json {
    let kind = serde_json::to_value(target.kind).unwrap();
    json!(format!("{} {}", kind.as_str().unwrap(), target.path))
}

/// What the corpus states of a statement; left out is what is not stated.
fn facts(statement: &Statement) -> Map<String, Json> {
    let mut facts = serde_json::to_value(statement).unwrap().as_object().unwrap().clone();
    for key in ["notes", "line", "column"] {
        facts.remove(key);
    }
    let list = |targets: &[Target]| Json::Array(targets.iter().map(shown).collect());
    facts.insert("targets".into(), list(&statement.targets));
    facts.insert("mirrors".into(), statement.mirrors.iter().map(|m| list(m)).collect());
    facts.insert("unresolved".into(), json!(statement.unresolved.len()));
    facts
}

fn expected(stated: &Map<String, Json>, found: &Map<String, Json>) -> Map<String, Json> {
    let mut all = json!({
        "form": "sql", "kind": "backup-database", "targets": [], "mirrors": [], "unresolved": 0,
        "copy_only": false, "differential": false, "snapshot": false,
    });
    let all = all.as_object_mut().unwrap();
    all.extend(stated.clone());
    all.entry("words").or_insert_with(|| found["words"].clone());
    all.clone()
}

fn agrees(expected: &str, problem: &Problem) -> bool {
    let (expected, suggestion) = match expected.split_once(" | ") {
        Some((expected, suggestion)) => (expected, Some(suggestion)),
        None => (expected, None),
    };
    let (place, message) = expected.split_once(' ').unwrap();
    let at = format!("{}:{}", problem.line.unwrap(), problem.column.unwrap());
    at == place
        && problem.message.contains(message)
        && suggestion.is_none_or(|text| problem.suggestion.as_deref() == Some(text))
}

#[test]
fn every_statement_of_the_corpus_says_what_is_expected_of_it() {
    let cases = cases();
    assert!(cases.len() >= 100, "{}", cases.len());
    let mut wrong = Vec::new();
    for case in &cases {
        match (&case.error, parse_statements(&case.text)) {
            (None, Ok(statements)) => {
                let found: Vec<_> = statements.iter().map(facts).collect();
                let wanted: Vec<_> =
                    case.statement.iter().zip(&found).map(|(s, f)| expected(s, f)).collect();
                if wanted != found || case.statement.len() != found.len() {
                    wrong.push(format!("{}:\n  {found:?}\n  instead of\n  {wanted:?}", case.name));
                }
            }
            (Some(errors), Err(problems)) => {
                let found: Vec<&Problem> = problems.iter().collect();
                let fits = errors.len() == found.len()
                    && errors.iter().zip(&found).all(|(error, problem)| agrees(error, problem));
                if !fits {
                    wrong.push(format!("{}:\n{problems}", case.name));
                }
            }
            (None, Err(problems)) => wrong.push(format!("{}:\n{problems}", case.name)),
            (Some(_), Ok(statements)) => wrong.push(format!("{}:\n{statements:?}", case.name)),
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}
