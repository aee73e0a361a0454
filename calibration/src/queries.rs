//! Queries that read the times of runs off a server.

pub use bakcast_imports::BACKUP_HISTORY;

/// What the history leaves out, and where it is to be had.
pub const BACKUP_HISTORY_REMARK: &str = "\
The history has whole seconds; the message at the end of a backup, \
`processed N pages in S seconds`, \
has milliseconds: take that one for short runs. A verification leaves no time in the history: take \
it from the log of the job (dbo.CommandLog has both) or from the clock of the client.";
