//! What is wrong with a request, as JSON.

use std::fmt::Display;

use bakcast_calibration::CalibrationError;
use bakcast_models::pipeline::BackupError;
use bakcast_report::ReportError;
use bakcast_scenarios::{Problem, ScenarioError};
use bakcast_whatif::{AskError, CompareError, DesignError, VaryError};
use serde::Serialize;

/// Why there is no answer.
#[derive(Debug)]
pub(crate) struct Failure(Box<Told>);

/// As it is told.
#[derive(Debug, Serialize)]
struct Told {
    /// The sort, for programs.
    kind: Kind,
    /// The exit code of the program for the same.
    exit_code: u8,
    /// What is wrong, in words.
    text: String,
    /// Each problem of a scenario or a statement with its place.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<Place>,
}

/// The sort of a failure.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    /// The request cannot be meant.
    Usage,
    /// A scenario, a statement or a value that is not understood.
    Input,
    /// More than a page does at once.
    TooMuch,
    /// Our bug.
    Internal,
}

/// A problem with its place.
#[derive(Debug, Serialize)]
struct Place {
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    #[serde(skip_serializing_if = "String::is_empty")]
    path: String,
    message: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    found: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    accepted: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestion: Option<String>,
}

impl From<&Problem> for Place {
    fn from(problem: &Problem) -> Self {
        Place {
            file: problem.file.clone(),
            line: problem.line,
            column: problem.column,
            path: problem.path.clone(),
            message: problem.message.clone(),
            found: problem.found.clone(),
            accepted: problem.accepted.clone(),
            suggestion: problem.suggestion.clone(),
        }
    }
}

impl Failure {
    fn new(kind: Kind, text: impl Display) -> Self {
        let exit_code = match kind {
            Kind::Usage => 2,
            Kind::Input | Kind::TooMuch => 3,
            Kind::Internal => 1,
        };
        Failure(Box::new(Told { kind, exit_code, text: text.to_string(), problems: Vec::new() }))
    }

    /// A request that cannot be meant.
    pub(crate) fn usage(text: impl Display) -> Self {
        Failure::new(Kind::Usage, text)
    }

    /// Input that is not understood.
    pub(crate) fn input(text: impl Display) -> Self {
        Failure::new(Kind::Input, text)
    }

    /// More than a page does at once.
    pub(crate) fn too_much(text: impl Display) -> Self {
        Failure::new(Kind::TooMuch, text)
    }

    /// The document that says so.
    pub(crate) fn document(&self) -> String {
        #[derive(Serialize)]
        struct Document<'a> {
            error: &'a Told,
        }
        let document = Document { error: &self.0 };
        bakcast_report::json::pretty(&document).unwrap_or_else(|_| {
            "{\"error\":{\"kind\":\"internal\",\"exit_code\":1,\"text\":\"\"}}\n".to_string()
        })
    }
}

impl From<ScenarioError> for Failure {
    fn from(error: ScenarioError) -> Self {
        let kind = match error {
            ScenarioError::NotAnAssignment { .. } => Kind::Usage,
            _ => Kind::Input,
        };
        let Some(problems) = error.problems() else { return Failure::new(kind, error) };
        // As the program prints them, with the lines they stand in.
        let mut failure = Failure::new(kind, problems.render(false));
        failure.0.problems = problems.iter().map(Place::from).collect();
        failure
    }
}

impl From<BackupError> for Failure {
    fn from(error: BackupError) -> Self {
        let kind = match error {
            BackupError::TooManyTransfers { .. }
            | BackupError::TooMuchToZero { .. }
            | BackupError::TooLong { .. } => Kind::Input,
            BackupError::Stalled { .. } | BackupError::Run(_) => Kind::Internal,
        };
        Failure::new(kind, error)
    }
}

impl From<ReportError> for Failure {
    fn from(error: ReportError) -> Self {
        Failure::new(Kind::Internal, error)
    }
}

impl From<VaryError> for Failure {
    fn from(error: VaryError) -> Self {
        Failure::usage(error)
    }
}

impl From<DesignError> for Failure {
    fn from(error: DesignError) -> Self {
        Failure::usage(error)
    }
}

impl From<CompareError> for Failure {
    fn from(error: CompareError) -> Self {
        Failure::input(error)
    }
}

impl From<AskError> for Failure {
    fn from(error: AskError) -> Self {
        Failure::input(error)
    }
}

impl From<CalibrationError> for Failure {
    fn from(error: CalibrationError) -> Self {
        Failure::input(error)
    }
}
