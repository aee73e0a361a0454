//! Runs of one's own: a table in CSV, a line for each run.
//!
//! Columns are settings or results, in any order. A setting is a knob by its path, or one of the
//! short names of [`short_knob`], or the word of the statement; an empty cell leaves it as the
//! scenario has it. A result is one of [`RESULTS`]; an empty cell means that it was not measured.
//! `run` names a line, `variant` picks a variant of the scenario, `note` is not read.

use std::io::Read;
use std::path::{Path, PathBuf};

use bakcast_scenarios::{Set, nearest_word, short_knob, short_knobs, shown_word};
use thiserror::Error;

use crate::problem::Quantity;

/// Most bytes of a table.
const LARGEST_FILE: u64 = 4 << 20;
/// Most runs of a table.
const MOST_RUNS: usize = 5_000;
/// Problems told at once.
const MOST_PROBLEMS: usize = 20;

/// Unknown columns told one by one.
const MOST_COLUMNS: usize = 5;
/// Durations that can be meant, in seconds: a millisecond to three years.
const DURATIONS: std::ops::RangeInclusive<f64> = 0.001..=1e8;

/// Columns of results.
const RESULTS: [(&str, Figure); 9] = [
    ("backup_seconds", Figure::Is(Quantity::Backup)),
    ("duration_seconds", Figure::Is(Quantity::Backup)),
    ("verify_seconds", Figure::Is(Quantity::Verify)),
    ("restore_seconds", Figure::Is(Quantity::Restore)),
    ("total_seconds", Figure::Is(Quantity::Total)),
    ("written_bytes", Figure::Is(Quantity::WrittenBytes)),
    ("processor_percent", Figure::Is(Quantity::ProcessorPercent)),
    ("throughput_mib_per_s", Figure::Throughput(1 << 20)),
    ("throughput_mb_per_s", Figure::Throughput(1_000_000)),
];

/// Columns of neither.
const OTHERS: [&str; 3] = ["run", "variant", "note"];

/// Why a table of runs cannot be used.
#[derive(Debug, Error)]
pub enum RunsError {
    /// It cannot be read.
    #[error("cannot read `{}`: {source}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// It is larger than a table can be.
    #[error("`{}` is larger than {limit} bytes: is it a table of runs?", .path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Most bytes.
        limit: u64,
    },
    /// All that is wrong with it.
    #[error("{}", .0.join("\n"))]
    Problems(Vec<String>),
}

/// A run as the table has it.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredRun {
    /// What it goes by: its `run`, or the line.
    pub name: String,
    /// Where it stands.
    pub place: String,
    /// The variant of the scenario.
    pub variant: Option<String>,
    /// Settings that differ from the scenario's.
    pub sets: Vec<Set>,
    /// What was measured.
    pub measured: Vec<Measured>,
}

/// One result of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// What was measured.
    pub figure: Figure,
    /// What it came to.
    pub value: f64,
    /// Half of the last digit that is written: how finely it was read.
    pub rounding: f64,
}

/// What a result is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figure {
    /// A quantity in its own unit.
    Is(Quantity),
    /// Bytes of the database a second of the backup, given in so many bytes.
    Throughput(u32),
}

impl MeasuredRun {
    /// Whether a file is a table of runs with any result filled in, whatever else is in it.
    #[must_use]
    pub fn any_in(path: &Path) -> bool {
        let Ok(mut reader) = reader(csv::ReaderBuilder::new().flexible(true)).from_path(path)
        else {
            return false;
        };
        let Ok(headings) = reader.headers().cloned() else { return false };
        let heading = headings.iter().map(|heading| heading.trim_start_matches('\u{feff}'));
        let columns: Vec<Option<Column>> = heading.map(column_of).collect();
        reader.records().filter_map(Result::ok).any(|record| {
            let mut cells = record.iter().zip(&columns);
            cells
                .any(|(cell, column)| !cell.is_empty() && matches!(column, Some(Column::Result(_))))
        })
    }
}

/// How tables are written.
fn reader(builder: &mut csv::ReaderBuilder) -> &mut csv::ReaderBuilder {
    builder.comment(Some(b'#')).trim(csv::Trim::All)
}

/// Reads the table of runs in a file.
///
/// # Errors
/// [`RunsError`], with every problem of the table.
pub fn read_runs(path: &Path) -> Result<Vec<MeasuredRun>, RunsError> {
    let unreadable = |source| RunsError::Unreadable { path: path.to_path_buf(), source };
    let file = std::fs::File::open(path).map_err(unreadable)?;
    let mut bytes = Vec::new();
    file.take(LARGEST_FILE + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(RunsError::TooLarge { path: path.to_path_buf(), limit: LARGEST_FILE });
    }
    let name = path.display().to_string();
    let text = String::from_utf8(bytes).map_err(|_| {
        RunsError::Problems(vec![format!("`{name}` is not text in UTF-8: save it as UTF-8")])
    })?;
    parse_runs(&name, &text)
}

/// Reads a table of runs; `name` stands in messages.
///
/// # Errors
/// [`RunsError::Problems`] with every problem of the table.
pub fn parse_runs(name: &str, text: &str) -> Result<Vec<MeasuredRun>, RunsError> {
    let text = text.trim_start_matches('\u{feff}');
    let mut table = Table { name, problems: Vec::new(), columns: Vec::new() };
    let mut reader = reader(&mut csv::ReaderBuilder::new()).from_reader(text.as_bytes());
    match reader.headers() {
        Ok(headings) if headings.len() == 1 && headings[0].contains([';', '\t']) => {
            let by = if headings[0].contains(';') { "semicolons" } else { "tabs" };
            let text = format!("`{name}`: separated by {by}? use commas");
            return Err(RunsError::Problems(vec![text]));
        }
        Ok(headings) => table.read_headings(&headings.clone()),
        Err(error) => table.problems.push(format!("`{name}`: {error}")),
    }
    let mut runs = Vec::new();
    for record in reader.records() {
        match record {
            Ok(record) if runs.len() < MOST_RUNS => {
                let line = record.position().map_or(0, csv::Position::line);
                runs.extend(table.read_run(&record, line));
            }
            Ok(_) => {
                table.problems.push(format!("`{name}` has more than {MOST_RUNS} runs"));
                break;
            }
            Err(error) => table.problems.push(format!("`{name}`: {error}")),
        }
    }
    if table.problems.is_empty() && runs.is_empty() {
        table.problems.push(format!("`{name}` has headings but no run"));
    }
    if table.problems.is_empty() {
        return Ok(runs);
    }
    let more = table.problems.len().saturating_sub(MOST_PROBLEMS);
    table.problems.truncate(MOST_PROBLEMS);
    if more > 0 {
        table.problems.push(format!("and {more} more"));
    }
    Err(RunsError::Problems(table.problems))
}

/// What a column is.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Column {
    Run,
    Variant,
    Setting(String),
    Result(Figure),
    NotRead,
}

struct Table<'a> {
    name: &'a str,
    problems: Vec<String>,
    columns: Vec<(String, Column)>,
}

impl Table<'_> {
    fn read_headings(&mut self, headings: &csv::StringRecord) {
        let mut unknown = 0_usize;
        for heading in headings {
            let column = column_of(heading);
            if column.is_none() {
                unknown += 1;
                if unknown <= MOST_COLUMNS {
                    self.problems.push(self.unknown_column(heading));
                }
            }
            let twice = self
                .columns
                .iter()
                .any(|(_, known)| Some(known) == column.as_ref() && *known != Column::NotRead);
            if twice {
                let name = self.name;
                self.problems
                    .push(format!("`{name}`: column `{heading}` says again what another does"));
            }
            self.columns.push((heading.to_string(), column.unwrap_or(Column::NotRead)));
        }
        if unknown > MOST_COLUMNS {
            let more = unknown - MOST_COLUMNS;
            self.problems.push(format!("`{}`: and {more} more unknown columns", self.name));
        }
        if !self.columns.iter().any(|(_, c)| matches!(c, Column::Result(_))) {
            let accepted = RESULTS.map(|(name, _)| format!("`{name}`")).join(", ");
            self.problems
                .push(format!("`{}` has no column of results; accepted: {accepted}", self.name));
        }
    }

    fn unknown_column(&self, heading: &str) -> String {
        let known = short_knobs();
        let known = known.chain(RESULTS.iter().map(|(name, _)| *name)).chain(OTHERS);
        let meant = nearest_word(&heading.to_lowercase(), known)
            .map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        format!(
            "`{}`: unknown column `{}`{meant} (accepted: a knob by its path, as `bakcast knobs` \
             lists them; short names such as `compression`; results such as `backup_seconds`)",
            self.name,
            shown_word(heading)
        )
    }

    fn read_run(&mut self, record: &csv::StringRecord, line: u64) -> Option<MeasuredRun> {
        let before = self.problems.len();
        let place = format!("`{}`, line {line}", self.name);
        let mut run = MeasuredRun {
            name: format!("line {line}"),
            place: place.clone(),
            variant: None,
            sets: Vec::new(),
            measured: Vec::new(),
        };
        for (cell, (heading, column)) in record.iter().zip(&self.columns) {
            if cell.is_empty() {
                continue;
            }
            match column {
                Column::Run => run.name = shown_word(cell),
                Column::Variant => run.variant = Some(cell.to_string()),
                Column::Setting(path) => {
                    run.sets.push(Set::new(path, setting(path, heading, cell)));
                }
                Column::Result(result) => match measured(*result, cell) {
                    Ok(measured) => run.measured.push(measured),
                    Err(accepted) => self.problems.push(format!(
                        "{place}, column `{heading}`: found `{}`, accepted: {accepted}",
                        shown_word(cell)
                    )),
                },
                Column::NotRead => {}
            }
        }
        if run.measured.is_empty() && self.problems.len() == before {
            self.problems.push(format!("{place}: the run has no result"));
        }
        (self.problems.len() == before).then_some(run)
    }
}

fn column_of(heading: &str) -> Option<Column> {
    let lower = heading.to_lowercase();
    match lower.as_str() {
        "run" | "row" => return Some(Column::Run),
        "variant" => return Some(Column::Variant),
        "note" => return Some(Column::NotRead),
        _ => {}
    }
    if let Some(path) = short_knob(heading) {
        return Some(Column::Setting(path.to_string()));
    }
    if let Some((_, result)) = RESULTS.iter().find(|(name, _)| *name == lower) {
        return Some(Column::Result(*result));
    }
    bakcast_scenarios::find_knob(heading).map(|_| Column::Setting(heading.to_string()))
}

/// A setting as `--set` takes it: sizes in bytes get their unit, lists their commas.
fn setting(path: &str, heading: &str, cell: &str) -> String {
    let lower = cell.to_lowercase();
    match path {
        "backup.compression" => match lower.as_str() {
            "on" | "yes" | "1" => "true".to_string(),
            "off" | "no" | "0" => "false".to_string(),
            _ => cell.to_string(),
        },
        "backup.stripes" => cell.replace([';', '+'], ","),
        "backup.transfer_size" | "backup.block_size"
            if cell.chars().all(|c| c.is_ascii_digit()) && !heading.contains('.') =>
        {
            format!("{cell} B")
        }
        _ => cell.to_string(),
    }
}

/// A result, or what would be accepted as one.
fn measured(figure: Figure, cell: &str) -> Result<Measured, &'static str> {
    let value = cell.parse().ok().filter(|v: &f64| v.is_finite() && *v > 0.0);
    let value = value.ok_or("a positive number")?;
    match figure {
        Figure::Is(Quantity::ProcessorPercent) if value > 100.0 => {
            return Err("a share of all processors, above 0 and at most 100");
        }
        Figure::Is(quantity) if quantity.is_duration() && !DURATIONS.contains(&value) => {
            return Err("a number of seconds from 0.001 to 100000000");
        }
        _ => {}
    }
    let decimals = cell.split_once('.').map_or(0, |(_, digits)| digits.len());
    let rounding = 0.5 * libm::exp10(-(decimals.min(12) as f64));
    Ok(Measured { figure, value, rounding })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(text: &str) -> String {
        parse_runs("runs.csv", text).expect_err("a bad table").to_string()
    }

    #[test]
    fn settings_by_path_by_short_name_and_by_the_word_of_the_statement() {
        let text = "\u{feff}# two runs\nrun,Compression,BUFFERCOUNT,MAXTRANSFERSIZE,stripes,\
                    processor.logical_processors,backup_seconds,written_bytes,note\n\
                    first,on,64,4194304,d2;d3,,95,1000000,a quiet night\n\
                    ,off,,,,8,101.25,,\n";
        let runs = parse_runs("runs.csv", text).expect("a table");
        let sets: Vec<String> = runs[0].sets.iter().map(ToString::to_string).collect();
        assert_eq!(
            sets,
            [
                "backup.compression=true",
                "backup.buffer_count=64",
                "backup.transfer_size=4194304 B",
                "backup.stripes=d2,d3"
            ]
        );
        assert_eq!((runs[0].name.as_str(), runs[1].name.as_str()), ("first", "line 4"));
        assert_eq!(runs[1].sets.len(), 2);
        let rounding: Vec<f64> = runs.iter().map(|run| run.measured[0].rounding).collect();
        assert!((rounding[0] - 0.5).abs() < 1e-12 && (rounding[1] - 0.005).abs() < 1e-12);
    }

    #[test]
    fn every_problem_of_a_table_is_told_at_once() {
        let text = "run,bufer_count,backup_seconds,verify_seconds\na,7,fast,-1\nb,7,,\n";
        let all = problems(text);
        for part in ["`bufer_count`", "did you mean `buffer_count`", "`fast`", "`-1`", "line 3"] {
            assert!(all.contains(part), "{part} in {all}");
        }
        assert!(problems("compression\non\n").contains("no column of results"));
        assert!(problems("backup_seconds\n").contains("no run"));
        assert!(problems("backup_seconds,duration_seconds\n1,2\n").contains("another"));
        assert!(problems("compression,backup_seconds\non,1,2\n").contains("runs.csv"));
        let separated = problems("run;backup_seconds\na;1\n");
        assert_eq!(separated, "`runs.csv`: separated by semicolons? use commas");
        assert!(problems("run\tbackup_seconds\na\t1\n").contains("by tabs? use commas"));
        let many = problems("a,b,c,d,e,f,g,backup_seconds\n,,,,,,,1\n");
        assert_eq!(many.matches("unknown column `").count(), MOST_COLUMNS, "{many}");
        assert!(many.contains("2 more unknown columns"), "{many}");
        for (column, value) in [("processor_percent", "101"), ("verify_seconds", "2e8")] {
            let text = problems(&format!("{column}\n{value}\n"));
            assert!(text.contains("accepted: a") && text.contains("00"), "{text}");
        }
        assert!(problems("backup_seconds\n0.0009\n").contains("from 0.001 to"));
        let long = format!("{}\n1\n", "x".repeat(100_000));
        assert!(problems(&long).len() < 2000);
    }
}
