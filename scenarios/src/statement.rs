//! BACKUP and RESTORE statements, in and out.
//!
//! In: [`parse_statements`] reads T-SQL batches, calls of Ola Hallengren's `DatabaseBackup` (also
//! within a `sqlcmd` job step) and dbatools' `Backup-DbaDatabase`, holds them to the rules of the
//! engine, and reports every problem at once with its place. Out: the same three forms of any
//! scenario. The characters are read by `winnow`; what follows them is decided token by token,
//! since a grammar that stops at the first fault could not report all of them.
//!
//! Bounded: a text of more than [`LARGEST_TEXT`] is refused, nothing calls itself but the text of
//! one `EXEC('...')`, and reading stops after [`MOST_PROBLEMS`] problems.

mod apply;
mod backup;
mod batch;
mod dbatools;
mod draft;
mod expression;
mod locate;
mod model;
mod of_jobs;
mod ola;
mod option;
mod paths;
mod powershell;
mod restore;
mod rule;
mod shell;
mod token;
mod write;

#[cfg(test)]
mod tests;

use std::fmt;

use thiserror::Error;

use crate::place::{FILE, Place, Sources};
use crate::problem::{Problem, ProblemKind, Problems};

pub use apply::Translation;
pub use model::{
    Encryption, Note, Statement, StatementForm, StatementKind, Target, TargetKind, Unresolved,
};
pub(crate) use of_jobs::fill_in as fill_in_statements;
pub use rule::check_blob_size;
pub use write::{backup_statement, dbatools_call, ola_call, restore_statement, verify_statement};

/// Most bytes of a text with statements.
pub const LARGEST_TEXT: usize = 1 << 20;
/// Problems after which reading stops: such a text is not what it is taken for.
pub const MOST_PROBLEMS: usize = 100;

/// What is wrong with a text of statements: every problem with its line.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct StatementProblems(pub(crate) Box<Problems>);

impl StatementProblems {
    /// The problems, in the order of their places.
    pub fn iter(&self) -> impl Iterator<Item = &Problem> {
        self.0.iter()
    }

    /// The problems with the lines they stand in, in colour or plain.
    #[must_use]
    pub fn render(&self, colour: bool) -> String {
        self.0.render(colour)
    }
}

impl fmt::Display for StatementProblems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Reads the statements of a text: T-SQL, Ola Hallengren's call or dbatools' command.
///
/// Statements that move no backup (`SET`, `USE`, ...) are named by [`StatementKind::Other`].
/// Values that only the server knows, such as a variable without a literal, stand in
/// [`Statement::unresolved`]; they are no problem by themselves.
///
/// ```
/// let text = "BACKUP DATABASE Sales TO DISK = N'E:\\Sales.bak' WITH BUFFERCOUNT = 50;";
/// let statements = bakcast_scenarios::parse_statements(text)?;
/// assert_eq!(statements[0].buffer_count, Some(50));
/// # Ok::<(), bakcast_scenarios::StatementProblems>(())
/// ```
///
/// # Errors
///
/// [`StatementProblems`] with everything that was found, each with line, column, what is accepted
/// and what was probably meant.
pub fn parse_statements(text: &str) -> Result<Vec<Statement>, StatementProblems> {
    parse_named("statement", text)
}

/// The same; `name` stands in messages.
///
/// # Errors
///
/// As [`parse_statements`].
pub fn parse_named(name: &str, text: &str) -> Result<Vec<Statement>, StatementProblems> {
    let mut sources = Sources::default();
    if text.len() > LARGEST_TEXT {
        sources.add(name, "");
        let mut problems = Problems::of(sources);
        let message = format!("a text of {} bytes is too large", text.len());
        let place = Place { source: FILE, start: 0, end: 0 };
        let problem = Problem::new(ProblemKind::OutOfRange, place, "", message);
        problems.report(problem.accepted(format!("at most {LARGEST_TEXT} bytes")));
        return Err(StatementProblems(Box::new(problems)));
    }
    sources.add(name, text);
    let mut problems = Problems::of(sources);
    let mut drafts = if shell::is_powershell(text) {
        dbatools::read(text, &mut problems)
    } else {
        batch::read(&shell::without_sqlcmd(text), &mut problems)
    };
    drafts.iter().for_each(|draft| rule::check(draft, &mut problems));
    if !problems.is_empty() {
        return Err(StatementProblems(Box::new(problems.sorted())));
    }
    locate::locate(text, &mut drafts);
    Ok(drafts.into_iter().map(draft::Draft::finished).collect())
}
