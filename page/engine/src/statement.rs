//! `statement`: what to run on a server, for the scenario as it stands.

use serde::Serialize;

use crate::choice::Choice;
use crate::envelope::{of_scenario, run_of, written};
use crate::failure::Failure;
use crate::predict::given;
use crate::request::Request;

/// The scenario in the words of others.
#[derive(Debug, Serialize)]
struct StatementResult {
    scenario: String,
    title: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    set: Vec<String>,
    /// T-SQL.
    backup: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    verify: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    restore: Option<String>,
    /// Ola Hallengren's procedure, if it can say the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    ola_call: Option<String>,
    /// dbatools' command, if it can say the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    dbatools_call: Option<String>,
    /// The same question to the program.
    command_line: String,
}

pub(crate) fn run(request: &Request) -> Result<String, Failure> {
    let options = request.options()?;
    let choice = Choice::new(request)?;
    let loaded = choice.load()?;
    let set = given(request)?;
    let result = StatementResult {
        scenario: loaded.name.clone(),
        title: loaded.resolved.title.clone(),
        backup: loaded.statement(),
        verify: loaded.verify_statement(),
        restore: loaded.restore_statement(),
        ola_call: loaded.ola_call(),
        dbatools_call: loaded.dbatools_call(),
        command_line: command_line(&loaded.name, &set, request, &options),
        set,
    };
    let warnings = of_scenario(&loaded).collect();
    written(run_of("statement", &options, &loaded), warnings, result)
}

fn command_line(
    scenario: &str,
    set: &[String],
    request: &Request,
    options: &bakcast_scenarios::predict::PredictOptions,
) -> String {
    let usual = bakcast_scenarios::predict::PredictOptions::default();
    let mut words = vec!["bakcast predict".to_string(), quoted(scenario)];
    if let Some(sql) = &request.sql {
        words.push(format!("--sql {}", quoted(sql)));
    }
    words.extend(set.iter().map(|set| format!("--set {}", quoted(set))));
    if options.seed != usual.seed {
        words.push(format!("--seed {}", options.seed));
    }
    if options.replications != usual.replications {
        words.push(format!("--replications {}", options.replications));
    }
    if options.level.to_bits() != usual.level.to_bits() {
        words.push(format!("--level {}", options.level));
    }
    if options.exact {
        words.push("--exact".to_string());
    }
    words.join(" ")
}

/// In quotes where a shell would read something else.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.,:/=%+".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_string();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}
