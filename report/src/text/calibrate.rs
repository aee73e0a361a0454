//! `calibrate` for a terminal: how far off, what each parameter is, the runs, what to do next.

use bakcast_calibration::{BACKUP_HISTORY_REMARK, Parameter, Quantity};

use super::predict::{command_lines, heading, labelled};
use super::{LINES, Paint, WIDTH, cut, entry, table, together, warnings, width, wrapped};
use crate::document::{
    CalibrateResult, DesignResult, Document, FigureResult, FitResult, ProposedResult,
};
use crate::number::{bytes, digits, duration, percent, signed_percent};

/// Rows of a terminal: all of them if they are few, else the worst.
const ROWS: usize = 8;
/// Columns of a parameter in a table.
const NAME: usize = 30;
/// Most columns of a run in a table; as many as fit are taken.
const RUN: usize = 50;

pub(crate) fn calibrate(document: &Document<CalibrateResult>, paint: Paint) -> String {
    let result = &document.result;
    let mut out = heading(&result.scenario, &result.title, paint);
    if let Some(fit) = &result.fit {
        out.push_str(&answer(fit));
        out.push_str(&warnings(&document.warnings, usize::MAX, paint));
        out.push('\n');
        out.push_str(&parameters(fit, paint));
        out.push('\n');
        out.push_str(&rows(fit, paint));
        if result.design.is_some() {
            out.push('\n');
        }
    }
    if let Some(design) = &result.design {
        out.push_str(&proposed(design));
        if result.fit.is_none() {
            out.push_str(&warnings(&document.warnings, usize::MAX, paint));
        }
    }
    let next: Vec<Vec<String>> = result.next.iter().map(|words| command_lines(words)).collect();
    let next = next.iter().enumerate();
    let next: String =
        next.map(|(i, lines)| labelled(if i == 0 { "Next" } else { "" }, lines)).collect();
    let query = result.query.map_or_else(String::new, query);
    let lines = |texts: &[&str]| texts.iter().map(|text| text.lines().count()).sum::<usize>();
    if paint.whole || lines(&[&out, &query, &next]) <= LINES {
        out.push_str(&query);
    } else if !query.is_empty() {
        out.push_str(&entry("Then", "fill their times in; --format markdown ends with a query"));
    }
    if result.fit.is_some() && !next.is_empty() {
        out.push('\n');
    }
    out + &next
}

/// How far off the fit is.
fn answer(fit: &FitResult) -> String {
    let mut out = entry("Error", &fit.errors());
    out.push_str(&entry("Scatter", &fit.scatter()));
    out + &entry("Fitted to", &fit.fitted_to())
}

impl FitResult {
    /// What it was fitted to.
    pub(crate) fn fitted_to(&self) -> String {
        let count = |count: usize, what: &str| match count {
            1 => format!("1 {what}"),
            _ => format!("{count} {what}s"),
        };
        format!(
            "{} of {}, {}; {}, {:.0} of {} draws count",
            count(self.rows.len(), "figure"),
            count(self.runs, "run"),
            count(self.configurations, "configuration"),
            self.stopped,
            self.effective_draws,
            self.draws
        )
    }

    /// The errors in a sentence, those left out beside.
    pub(crate) fn errors(&self) -> String {
        let share = |share: f64| signed_percent(share).trim_start_matches('+').to_string();
        let (all, inside) = self.left_out();
        let left_out = match self.left_out_mean_absolute_relative_error {
            Some(error) => format!(
                "; runs left out of the fit: {} on average, {inside} of {all} figures in their \
                 90 % range",
                share(error)
            ),
            None => "; no run can be left out".to_string(),
        };
        format!(
            "{} on average, {} at most{left_out}",
            share(self.mean_absolute_relative_error),
            share(self.max_absolute_relative_error)
        )
    }

    /// How far durations scatter, in a sentence.
    pub(crate) fn scatter(&self) -> String {
        format!(
            "durations scatter by {} % (expected {} %)",
            digits(self.error_percent, 2),
            digits(self.expected_error_percent, 2)
        )
    }

    /// What cannot be told apart, each pair once.
    pub(crate) fn ties(&self) -> Vec<String> {
        let mut ties = Vec::new();
        for (index, parameter) in self.parameters.iter().enumerate() {
            let later = &self.parameters[index + 1..];
            let later = later.iter().filter(|other| parameter.tied_to.contains(&other.path));
            let others: Vec<String> = later.map(short_path).collect();
            if !others.is_empty() {
                ties.push(format!(
                    "{} cannot be told apart from {}",
                    short_path(parameter),
                    others.join(", ")
                ));
            }
        }
        ties
    }

    /// For each run that would tell, the parameters that it would tell about.
    pub(crate) fn telling(&self) -> Vec<(String, Vec<String>)> {
        let mut telling: Vec<(String, Vec<String>)> = Vec::new();
        for parameter in &self.parameters {
            let Some(run) = &parameter.run_that_would_tell else { continue };
            match telling.iter_mut().find(|(known, _)| known == run) {
                Some((_, about)) => about.push(short_path(parameter)),
                None => telling.push((run.clone(), vec![short_path(parameter)])),
            }
        }
        telling
    }

    /// Parameters that the runs do not tell.
    pub(crate) fn unknown(&self) -> Option<String> {
        let unknown = self.parameters.iter().filter(|parameter| !parameter.identified);
        let names: Vec<String> = unknown.map(short_path).collect();
        let rest = if names.len() == 1 { "rests" } else { "rest" };
        (!names.is_empty()).then(|| {
            format!(
                "{}: {rest} mostly on what was expected; the runs hardly tell",
                names.join(", ")
            )
        })
    }
}

fn parameters(fit: &FitResult, paint: Paint) -> String {
    let cells = |p: &Parameter| {
        vec![
            cut(&short_path(p), NAME),
            known(p).to_string(),
            value_of(p),
            interval_of(p),
            expected_of(p),
        ]
    };
    let cells: Vec<_> = fit.parameters.iter().map(cells).collect();
    let mut out = table(&["parameter", "", "value", "90 % interval", "expected"], 2, &cells);
    for (index, tie) in fit.ties().iter().enumerate() {
        out.push_str(&entry(if index == 0 { "Tied" } else { "" }, tie));
    }
    out.push_str(&fit.unknown().map_or_else(String::new, |unknown| entry("Not known", &unknown)));
    for (index, (run, about)) in fit.telling().iter().enumerate() {
        let text = format!("{}: {run}", about.join(", "));
        out.push_str(&entry(if index == 0 { "Would tell" } else { "" }, &text));
    }
    if paint.whole {
        out.push('\n');
        for parameter in &fit.parameters {
            let paths = paths_of(parameter).join(", ");
            out.push_str(&entry("Expected", &format!("{paths}: {}", parameter.prior_reason)));
        }
    }
    out
}

/// All paths of a parameter.
pub(crate) fn paths_of(parameter: &Parameter) -> Vec<String> {
    let first = std::iter::once(&parameter.path);
    first.chain(&parameter.more_paths).cloned().collect()
}

/// `device.d1.spindle.read_rate` and another as `d1+1.read_rate`; others as they are.
pub(crate) fn short_path(parameter: &Parameter) -> String {
    let more = match parameter.more_paths.len() {
        0 => String::new(),
        count => format!("+{count}"),
    };
    let keys: Vec<&str> = parameter.path.split('.').collect();
    match keys.as_slice() {
        ["device", name, _, rest @ ..] if !rest.is_empty() => {
            format!("{name}{more}.{}", rest.join("."))
        }
        ["compression", "decompression_rate"] => "decompression.rate".to_string(),
        _ => format!("{}{more}", parameter.path),
    }
}

/// Its value with its unit.
pub(crate) fn value_of(parameter: &Parameter) -> String {
    format!("{} {}", digits(parameter.value, 3), parameter.unit).trim_end().to_string()
}

/// Its interval, in the same unit.
pub(crate) fn interval_of(parameter: &Parameter) -> String {
    format!("{} to {}", digits(parameter.low, 3), digits(parameter.high, 3))
}

/// What was expected, as `--free` takes it: a value and a factor.
pub(crate) fn expected_of(parameter: &Parameter) -> String {
    format!("{}*{}", digits(parameter.prior, 3), digits(parameter.prior_factor, 3))
}

/// Whether the runs tell it.
pub(crate) fn known(parameter: &Parameter) -> &'static str {
    if parameter.identified { "known" } else { "not known" }
}

/// The rows, on a screen only the worst if they are many.
fn rows(fit: &FitResult, paint: Paint) -> String {
    let mut shown: Vec<&FigureResult> = fit.rows.iter().collect();
    let hidden = shown.len().saturating_sub(ROWS);
    if hidden > 0 && !paint.whole {
        let error = |figure: &FigureResult| figure.row.relative_error.abs();
        shown.sort_by(|a, b| error(b).total_cmp(&error(a)));
        shown.truncate(ROWS);
    }
    let cells = |figure: &FigureResult, name: usize| {
        vec![
            cut(&figure.row.run, name),
            figure.row.quantity.name().to_string(),
            value(figure, figure.row.measured),
            value(figure, figure.row.predicted),
            signed_percent(figure.row.relative_error),
            left_out(figure),
        ]
    };
    let headings = ["run", "", "measured", "predicted", "error", "left out"];
    let of_names = |name: usize| {
        let cells: Vec<_> = shown.iter().map(|figure| cells(figure, name)).collect();
        table(&headings, 2, &cells)
    };
    let fits = |text: &String| text.lines().all(|line| width(line) <= WIDTH);
    let mut out = (10..=RUN).rev().map(of_names).find(fits).unwrap_or_else(|| of_names(10));
    if hidden > 0 && !paint.whole {
        out.push_str(&format!("The {ROWS} worst of {}; a file (-o) has all.\n", fit.rows.len()));
    }
    out
}

/// A figure in its unit.
pub(crate) fn value(figure: &FigureResult, value: f64) -> String {
    match figure.row.quantity {
        Quantity::WrittenBytes => bytes(value),
        Quantity::ProcessorPercent => percent(value / 100.0),
        Quantity::Backup | Quantity::Verify | Quantity::Restore | Quantity::Total => {
            duration(value)
        }
    }
}

/// The error of a fit that has not seen the run; `!` if the measurement is out of its range.
pub(crate) fn left_out(figure: &FigureResult) -> String {
    let mark = if figure.covered() == Some(false) { " !" } else { "" };
    match figure.left_out_error() {
        Some(error) => format!("{}{mark}", signed_percent(error)),
        None if figure.row.alone_identifies.is_some() => "alone".to_string(),
        None => String::new(),
    }
}

/// Runs that are proposed, each with its statements.
fn proposed(design: &DesignResult) -> String {
    let count = design.runs.len();
    let runs = format!(
        "{count} that would tell most about {}, of {} considered",
        design.of_what(),
        design.considered
    );
    let mut out = entry("Runs", &runs);
    let after: Vec<String> =
        design.runs.iter().map(|run| together(&percent(run.doubt_after))).collect();
    let doubt = format!(
        "{} now; {} after {}",
        together(&percent(design.doubt_before)),
        after.join(", "),
        if count == 1 { "it" } else { "each" }
    );
    out.push_str(&entry("Doubt", &doubt));
    for (index, run) in design.runs.iter().enumerate() {
        out.push_str(&one_run(index + 1, run));
    }
    out
}

fn one_run(number: usize, run: &ProposedResult) -> String {
    let title = format!("{}, about {}", run.name, together(&duration(run.expected_seconds)));
    let mut out = String::new();
    for (index, line) in wrapped(&title, WIDTH - 3).iter().enumerate() {
        let label = if index == 0 { format!("{number}.") } else { String::new() };
        out.push_str(&format!("{label:<3}{line}\n"));
    }
    for statement in run.statement.split_inclusive(";\n") {
        statement_lines(statement).iter().for_each(|line| out.push_str(&format!("   {line}\n")));
    }
    out
}

/// A statement in as few lines as fit; it is broken where it is anyway, or between options, never
/// in a name.
fn statement_lines(statement: &str) -> Vec<String> {
    const COLUMNS: usize = WIDTH - 3;
    let mut lines: Vec<String> = Vec::new();
    for part in statement.trim_end().lines().map(str::trim) {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + part.chars().count() <= COLUMNS => {
                line.push(' ');
                line.push_str(part);
            }
            _ if part.starts_with("WITH ") => lines.extend(wrapped(part, COLUMNS)),
            _ => lines.push(part.to_string()),
        }
    }
    lines
}

/// The query that reads times off the server, and what it leaves out.
fn query(query: &str) -> String {
    let mut out = "\n".to_string();
    out.push_str(&entry("Then", "read their times off the server:"));
    query.lines().for_each(|line| out.push_str(&format!("   {line}\n")));
    out + &entry("", BACKUP_HISTORY_REMARK)
}
