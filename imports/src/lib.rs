//! What users already have: benchmark files, backup histories, logs, counters.
//!
//! [`import`] reads a file of any known [`Format`], which it tells by the content, never by the
//! name, in whatever encoding it was saved. What comes out is an [`Import`]: rates of devices,
//! backups with their durations, buffer settings, loads; with an account of what was used, what
//! was left out and why.
//!
//! A file is read in one pass and in bounded memory, except for JSON and XML documents, which are
//! read whole up to a limit.

mod brute_force;
mod command;
mod command_log;
mod error;
mod finding;
mod format;
mod history;
mod join;
mod judge;
mod messages;
mod recognise;
mod runs;
mod source;
mod table;
mod time_stamp;

pub use error::ImportError;
pub use finding::{
    Backup, BackupKind, BufferTrace, Caution, CautionCode, DeviceKind, Direction, Field, Ignored,
    Import, Length, Load, Pattern, Rate, Verification,
};
pub use format::Format;
pub use join::{History, join};
pub use recognise::{DateOrder, ImportOptions, import, import_from};
pub use runs::{
    DeviceOf, Growth, HistoryFilter, NoGrowth, RunsOptions, RunsTable, growth, runs_table,
};
pub use source::TextEncoding;
