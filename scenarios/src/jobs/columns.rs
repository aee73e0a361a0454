//! The columns of a table of jobs: what they are called, and which knob of a job each sets.

use super::cells::{Cell, Row};
use crate::check::flag_meant;
use crate::problem::{Problem, ProblemKind, Problems};
use crate::tree::{Node, Value};
use crate::words;

/// A column of a table of jobs, as the documentation lists it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JobColumn {
    /// Its heading; case, blanks, `_` and `-` do not matter.
    pub heading: &'static str,
    /// Other headings that mean the same.
    pub aliases: &'static [&'static str],
    /// The knob it sets, after `job.NAME.`; empty: none.
    pub knob: &'static str,
    /// How a cell is read, where not as the knob is written.
    pub reading: &'static str,
}

/// What kind of value a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    Name,
    Text,
    Statement,
    /// A number that has this unit if none is written.
    In(&'static str),
    Clock,
    List,
    Flag,
    Number,
}

/// A column that is known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    heading: &'static str,
    knob: &'static str,
    sort: Sort,
}

/// Heading, other headings, the knob of a job it sets, and what its cells hold.
type Known = (&'static str, &'static [&'static str], &'static str, Sort);

const KNOWN: [Known; 25] = [
    ("job", &["name"], "", Sort::Name),
    ("server", &["instance", "server_name", "host"], "server", Sort::Text),
    ("database", &["database_name", "db"], "database", Sort::Text),
    ("size", &["database_size"], "size", Sort::Text),
    ("size_mb", &["size_mib"], "size", Sort::In("MiB")),
    ("size_gb", &["size_gib"], "size", Sort::In("GiB")),
    ("size_bytes", &["backup_size"], "size", Sort::In("B")),
    ("device", &["source", "volume"], "device", Sort::Text),
    ("starts", &["start", "start_time", "begins"], "starts", Sort::Clock),
    ("after", &["waits_for", "depends_on"], "after", Sort::List),
    ("fixed", &[], "fixed", Sort::Flag),
    ("sql", &["statement", "command"], "sql", Sort::Statement),
    ("stripes", &["devices", "target", "targets", "files"], "backup.stripes", Sort::List),
    ("compression", &["compressed", "compress"], "backup.compression", Sort::Flag),
    ("ratio", &["compression_ratio"], "compression.ratio", Sort::Number),
    ("rate", &["compression_rate"], "compression.rate", Sort::Text),
    ("decompression_rate", &[], "compression.decompression_rate", Sort::Text),
    ("buffer_count", &["buffers"], "backup.buffer_count", Sort::Number),
    ("transfer_size", &["max_transfer_size"], "backup.transfer_size", Sort::In("B")),
    ("block_size", &[], "backup.block_size", Sort::In("B")),
    ("verify", &["verified"], "verify", Sort::Flag),
    // What a schedule tells its reader beside.
    ("note", &["comment", "notes"], "", Sort::Text),
    ("start_seconds", &[], "", Sort::Text),
    ("finish_seconds", &[], "", Sort::Text),
    ("title", &[], "", Sort::Text),
];

/// Every column of a table of jobs.
#[must_use]
pub fn job_columns() -> Vec<JobColumn> {
    let column = |(heading, aliases, knob, sort): &Known| JobColumn {
        heading,
        aliases,
        knob,
        reading: match sort {
            Sort::Name => "the name of the job; absent: server and database",
            Sort::In("MiB") => "a number of MB (2^20 bytes)",
            Sort::In("GiB") => "a number of GB (2^30 bytes)",
            Sort::In(_) => "a number of bytes, or one with its unit",
            Sort::Clock => "a length of time, or hours and minutes as in `1:30`",
            Sort::List => "names with `;` or blanks between them; `-`: none",
            Sort::Flag => "`yes` or `no`",
            Sort::Statement => "a BACKUP statement, in quotes if it has commas",
            Sort::Text if knob.is_empty() => "anything; it is not read",
            Sort::Text | Sort::Number => "",
        },
    };
    KNOWN.iter().map(column).collect()
}

/// A heading as it is compared.
fn plain(heading: &str) -> String {
    let kept = heading.chars().filter(|c| !matches!(c, '_' | '-' | ' ' | '(' | ')' | '.'));
    kept.flat_map(char::to_lowercase).collect()
}

/// What is accepted as a heading.
pub(super) fn accepted() -> String {
    let is_read = |known: &&Known| known.3 == Sort::Name || !known.2.is_empty();
    let headings = KNOWN.iter().filter(is_read);
    words::listed(headings.map(|(heading, ..)| *heading))
}

/// The columns of a heading; unknown ones are reported.
pub(super) fn of(head: &Row, problems: &mut Problems) -> Vec<Option<Column>> {
    let mut seen = Vec::new();
    let mut column = |cell: &Cell| {
        let name = plain(&cell.text);
        let is = |known: &&Known| {
            plain(known.0) == name || known.1.iter().any(|alias| plain(alias) == name)
        };
        let Some((heading, _, knob, sort)) = KNOWN.iter().find(is) else {
            let near = words::nearest(&cell.text, KNOWN.iter().map(|known| known.0));
            let message = format!("unknown column `{}`", words::shown(&cell.text));
            let problem = Problem::new(ProblemKind::UnknownKey, cell.place, "jobs", message)
                .found(words::shown(&cell.text))
                .accepted(accepted())
                .suggestion(near.map(|near| format!("`{near}`")));
            problems.report(problem);
            return None;
        };
        if seen.contains(knob) && !knob.is_empty() {
            let message = format!("column `{}` stands twice", words::shown(&cell.text));
            let problem = Problem::new(ProblemKind::DuplicateKey, cell.place, "jobs", message);
            problems.report(problem.accepted("each column once"));
        }
        seen.push(*knob);
        Some(Column { heading, knob, sort: *sort })
    };
    head.cells.iter().map(&mut column).collect()
}

/// The name of the job of a row: its own, or server and database.
pub(super) fn name(columns: &[Option<Column>], row: &Row) -> Option<String> {
    let cell = |heading: &str| {
        let at = columns.iter().position(|c| c.is_some_and(|c| c.heading == heading))?;
        Some(row.cells.get(at)?.text.as_str()).filter(|text| !text.is_empty())
    };
    if let Some(name) = cell("job") {
        return Some(name.to_string());
    }
    let database = cell("database")?;
    let both = cell("server").map(|server| format!("{server}-{database}"));
    Some(as_name(&both.unwrap_or_else(|| database.to_string())))
}

/// A text with what names may not have replaced.
fn as_name(text: &str) -> String {
    let fits = |c: char| if c.is_alphanumeric() || matches!(c, '_' | '-') { c } else { '_' };
    text.chars().map(fits).take(64).collect()
}

impl Column {
    /// The keys of the knob it sets; none: it is not read.
    pub(super) fn keys(&self) -> Vec<&'static str> {
        self.knob.split('.').filter(|key| !key.is_empty()).collect()
    }

    /// A cell as its knob takes it; what cannot be read stays text and is reported by its check.
    pub(super) fn value(&self, cell: &Cell) -> Value {
        let text = cell.text.as_str();
        let as_text = || Value::Text(text.to_string());
        match self.sort {
            Sort::Name | Sort::Text | Sort::Statement => as_text(),
            Sort::In(unit) => match text.parse::<f64>() {
                Ok(_) => Value::Text(format!("{text} {unit}")),
                Err(_) => as_text(),
            },
            Sort::Clock => clock(text).map_or_else(as_text, Value::Text),
            Sort::List => {
                let between = |c: char| matches!(c, ';' | '+' | '|' | ',') || c.is_whitespace();
                // A dash is a list of nothing, where an empty cell says nothing.
                let names = text.split(between).filter(|name| !name.is_empty() && *name != "-");
                let node =
                    |name: &str| Node { value: Value::Text(name.to_string()), place: cell.place };
                Value::List(names.map(node).collect())
            }
            Sort::Flag => match text {
                "1" => Value::Flag(true),
                "0" => Value::Flag(false),
                _ => flag_meant(text).map_or_else(as_text, Value::Flag),
            },
            Sort::Number => match (text.parse::<i64>(), text.parse::<f64>()) {
                (Ok(number), _) => Value::Integer(number),
                (_, Ok(number)) => Value::Float(number),
                _ => as_text(),
            },
        }
    }
}

/// `1:30` or `1:30:00` as a length of time, and `0` as none.
fn clock(text: &str) -> Option<String> {
    if text == "0" {
        return Some("0 s".to_string());
    }
    let mut parts = text.split(':');
    let mut part = || parts.next().map(str::parse::<u32>);
    let (hours, minutes) = (part()?.ok()?, part()?.ok()?);
    let seconds = part().unwrap_or(Ok(0)).ok()?;
    let is_clock = minutes < 60 && seconds < 60 && hours < 10_000 && parts.next().is_none();
    is_clock.then(|| format!("{} s", hours * 3600 + minutes * 60 + seconds))
}
