//! Exit codes, and errors that end in one.

use std::fmt::Display;
use std::process::ExitCode;

use bakcast_calibration::CalibrationError;
use bakcast_models::pipeline::BackupError;
use bakcast_report::ReportError;
use bakcast_scenarios::{Problems, ScenarioError};
use bakcast_whatif::{CompareError, DesignError, PlanError, VaryError};

/// How the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done.
    Done = 0,
    /// A bug of ours, or a file that cannot be written.
    Internal = 1,
    /// A command line that cannot be meant.
    Usage = 2,
    /// Input that cannot be read or understood.
    Input = 3,
    /// A stated requirement is not met.
    NotMet = 4,
    /// Somebody pressed Ctrl-C, or asked it to end.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// An error on its way to the user.
#[derive(Debug)]
pub(crate) struct Failure {
    /// How the program ends.
    pub(crate) exit: Exit,
    text: String,
    /// Whether the text says itself that something is wrong.
    plain: bool,
    /// Problems of a scenario, shown with their lines.
    problems: Option<Box<Problems>>,
}

impl Failure {
    pub(crate) fn new(exit: Exit, text: impl Display) -> Self {
        Failure { exit, text: text.to_string(), plain: false, problems: None }
    }

    /// A text that is shown as it is.
    pub(crate) fn plain(exit: Exit, text: String) -> Self {
        Failure { exit, text, plain: true, problems: None }
    }

    pub(crate) fn usage(text: impl Display) -> Self {
        Failure::new(Exit::Usage, text)
    }

    /// The message, problems with their lines.
    pub(crate) fn shown(&self, colour: bool) -> String {
        match &self.problems {
            Some(problems) => problems.render(colour),
            None if self.plain => self.text.clone(),
            None => format!("error: {}", self.text),
        }
    }
}

impl From<ScenarioError> for Failure {
    fn from(error: ScenarioError) -> Self {
        let exit = match error {
            ScenarioError::NotAnAssignment { .. } => Exit::Usage,
            _ => Exit::Input,
        };
        match error {
            ScenarioError::Problems(problems) => {
                Failure { exit, text: String::new(), plain: false, problems: Some(problems) }
            }
            other => Failure::new(exit, other),
        }
    }
}

impl From<BackupError> for Failure {
    fn from(error: BackupError) -> Self {
        let exit = match error {
            BackupError::TooManyTransfers { .. }
            | BackupError::TooMuchToZero { .. }
            | BackupError::TooLong { .. } => Exit::Input,
            BackupError::Stalled { .. } | BackupError::Run(_) => Exit::Internal,
        };
        Failure::new(exit, error)
    }
}

impl From<VaryError> for Failure {
    fn from(error: VaryError) -> Self {
        Failure::usage(error)
    }
}

impl From<DesignError> for Failure {
    fn from(error: DesignError) -> Self {
        match error {
            DesignError::List { .. } => Failure::new(Exit::Input, error),
            other => Failure::usage(other),
        }
    }
}

impl From<CompareError> for Failure {
    fn from(error: CompareError) -> Self {
        match error {
            CompareError::Cancelled(_) => Failure::new(Exit::Interrupted, "interrupted"),
            CompareError::Reference(_) | CompareError::NoOperation(_) => {
                Failure::new(Exit::Input, error)
            }
        }
    }
}

impl From<PlanError> for Failure {
    fn from(error: PlanError) -> Self {
        match error {
            PlanError::Cancelled(_) => Failure::new(Exit::Interrupted, "interrupted"),
            PlanError::Settings(error) => error.into(),
            PlanError::NoDevice { .. } => Failure::usage(error),
            PlanError::Refused(_) | PlanError::NoOperation(_) | PlanError::Night => {
                Failure::new(Exit::Input, error)
            }
        }
    }
}

impl From<ReportError> for Failure {
    fn from(error: ReportError) -> Self {
        Failure::new(Exit::Internal, error)
    }
}

impl From<CalibrationError> for Failure {
    fn from(error: CalibrationError) -> Self {
        match error {
            CalibrationError::UnknownArticle { .. } => Failure::usage(error),
            CalibrationError::Scenario(error) => error.into(),
            CalibrationError::Run(error) => error.into(),
            CalibrationError::Rewrite(_) => Failure::new(Exit::Internal, error),
            other => Failure::new(Exit::Input, other),
        }
    }
}
