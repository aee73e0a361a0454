//! What users already have: benchmark files, backup histories, logs, counters.
//!
//! [`import`] reads a file of any known [`Format`], which it tells by the content, never by the
//! name, in whatever encoding it was saved. What comes out is an [`Import`]: rates of devices,
//! backups with their durations, buffer settings, loads; with an account of what was used, what
//! was left out and why.
//!
//! A file is read in one pass and in bounded memory, except for JSON and XML documents, which are
//! read whole up to a limit.

mod account;
mod brute_force;
mod caveats;
mod command;
mod command_log;
mod crystaldiskmark;
mod diskspd_text;
mod diskspd_xml;
mod error;
mod figure;
mod finding;
mod fio;
mod format;
mod history;
mod iostat_json;
mod iostat_text;
mod join;
mod judge;
mod messages;
mod perfmon;
mod place;
mod profile;
mod queries;
mod recognise;
mod runs;
mod source;
mod starter;
mod table;
mod tally;
mod time_stamp;

pub use account::{Account, options_unknown, rate};
pub use error::ImportError;
pub use finding::{
    Backup, BackupKind, BufferTrace, Caution, CautionCode, DeviceKind, Direction, Field, Ignored,
    Import, Length, Load, Pattern, Rate, Verification,
};
pub use format::Format;
pub use join::{History, join};
pub use place::{Place, place_of};
pub use profile::{DeviceProfile, ProfileError, ProfileValue, device_profile};
pub use queries::{BACKUP_HISTORY, QUERIES, Query};
pub use recognise::{DateOrder, ImportOptions, import, import_from};
pub use runs::{
    DeviceOf, Growth, HistoryFilter, NoGrowth, RunsOptions, RunsTable, growth, runs_table,
};
pub use source::TextEncoding;
pub use starter::{Starter, StarterError, StarterOptions, starter};
