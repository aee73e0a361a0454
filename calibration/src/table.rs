//! Measured tables: CSV with the unit in each heading.

use thiserror::Error;

use crate::article::Article;
use crate::problem::Quantity;

/// One measured figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurement {
    /// The row of the article, and the variant of its scenario.
    pub row: String,
    /// What was measured.
    pub quantity: Quantity,
    /// What it came to, in the unit of the quantity.
    pub value: f64,
}

/// Why a table cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TableError {
    /// Not CSV, or rows of different lengths.
    #[error("{article}: {problem}")]
    Csv {
        /// Article.
        article: String,
        /// What the reader said, with the line.
        problem: String,
    },
    /// A cell that should be a positive number.
    #[error("{article}, line {line}: `{found}` in column `{column}` is not a positive number")]
    Number {
        /// Article.
        article: String,
        /// Line of the file.
        line: u64,
        /// Heading of the column.
        column: String,
        /// The cell.
        found: String,
    },
    /// A row without any duration.
    #[error("{article}, line {line}: row `{row}` has no duration")]
    NoDuration {
        /// Article.
        article: String,
        /// Line of the file.
        line: u64,
        /// The row.
        row: String,
    },
    /// More or fewer rows than stated.
    #[error("{article}: {found} rows where {stated} are stated")]
    Rows {
        /// Article.
        article: String,
        /// Rows in the file.
        found: usize,
        /// Rows stated.
        stated: usize,
    },
}

/// Reads an article's table. A published throughput is turned into a duration (it has more digits
/// than the published duration); a total counts only where its parts are not published.
///
/// # Errors
/// [`TableError`] with article and line; nothing of a bad table is used.
pub fn read_table(article: &Article, text: &str) -> Result<Vec<Measurement>, TableError> {
    let csv = |problem: csv::Error| TableError::Csv {
        article: article.id.clone(),
        problem: problem.to_string(),
    };
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let headings = reader.headers().map_err(csv)?.clone();
    let mut measurements = Vec::new();
    let mut rows = 0;
    for record in reader.records() {
        let record = record.map_err(csv)?;
        let line = record.position().map_or(0, csv::Position::line);
        let cell = |heading: &str| number(article, &headings, &record, line, heading);
        let row = record.get(0).unwrap_or("").to_string();
        let before = measurements.len();
        let mut add = |quantity, value| {
            measurements.push(Measurement { row: row.clone(), quantity, value });
        };
        let sharper = match (article.size_mb, cell("throughput_mb_per_s")?) {
            (Some(size), Some(rate)) => Some(size / rate),
            _ => None,
        };
        let backup = match sharper {
            Some(seconds) => Some(seconds),
            None => cell("backup_seconds")?.or(cell("duration_seconds")?),
        };
        let (verify, total) = (cell("verify_seconds")?, cell("total_seconds")?);
        let restore = cell("restore_seconds")?;
        if let Some(seconds) = backup {
            add(Quantity::Backup, seconds);
        }
        if let Some(seconds) = verify {
            add(Quantity::Verify, seconds);
        }
        if let Some(seconds) = restore {
            add(Quantity::Restore, seconds);
        }
        if let (None, None, Some(seconds)) = (backup, verify, total) {
            add(Quantity::Total, seconds);
        }
        if let (true, Some(percent)) =
            (article.fit_processor.contains(&row), cell("processor_percent")?)
        {
            add(Quantity::ProcessorPercent, percent);
        }
        if measurements.len() == before {
            return Err(TableError::NoDuration { article: article.id.clone(), line, row });
        }
        rows += 1;
    }
    if rows != article.rows {
        let (found, stated) = (rows, article.rows);
        return Err(TableError::Rows { article: article.id.clone(), found, stated });
    }
    Ok(measurements)
}

/// The number in a column; nothing if the cell is empty or there is no such column.
fn number(
    article: &Article,
    headings: &csv::StringRecord,
    record: &csv::StringRecord,
    line: u64,
    heading: &str,
) -> Result<Option<f64>, TableError> {
    let at = headings.iter().position(|h| h == heading);
    let found = at.and_then(|at| record.get(at)).unwrap_or("");
    if found.is_empty() {
        return Ok(None);
    }
    let number: Option<f64> = found.parse().ok();
    let positive = number.filter(|n| n.is_finite() && *n > 0.0);
    positive.map(Some).ok_or_else(|| TableError::Number {
        article: article.id.clone(),
        line,
        column: heading.to_string(),
        found: found.to_string(),
    })
}
