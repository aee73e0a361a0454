//! One article: citation, machine, what its units mean, which scenario describes it, which knobs
//! a fit may turn and within which bounds.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::table::{Measurement, read_table};

/// A knob, or several that move as one, that a fit may turn.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Free {
    /// Paths of the knobs; all take the same value.
    pub paths: Vec<String>,
    /// Unit of the value; empty for a plain number.
    pub unit: String,
    /// Least value.
    pub low: f64,
    /// Greatest value.
    pub high: f64,
    /// What we expected before looking at the article.
    pub prior: f64,
    /// One standard deviation of that expectation, as a factor.
    pub prior_factor: f64,
    /// Where the expectation comes from.
    pub reason: String,
}

/// A statement of the article that a prediction can be held to.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Its short name.
    pub id: String,
    /// What it says.
    pub statement: String,
}

/// One article and its table.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Article {
    /// Its short name; also the name of its folder.
    pub id: String,
    /// What it measured.
    pub title: String,
    /// Title of the article.
    pub citation: String,
    /// When it was read.
    pub read: String,
    /// What it was measured on.
    pub machine: String,
    /// What its units mean.
    pub units: String,
    /// The shipped scenario that describes it; its variants are the rows.
    pub scenario: String,
    /// File of its table.
    pub table: String,
    /// Rows of the table: a shorter file is an error, not a smaller table.
    pub rows: usize,
    /// Size of the uncompressed database in MB as published, if throughputs are to be read.
    #[serde(default)]
    pub size_mb: Option<f64>,
    /// Standard deviation of the clock.
    pub clock_seconds: f64,
    /// Standard deviation of what the model leaves out and of repeats, in per cent.
    pub model_error_percent: f64,
    /// Replications of each row while fitting.
    pub replications: u32,
    /// Knobs of run-to-run variation that take the spread the fit leaves.
    pub spread: Vec<String>,
    /// Rows that are predicted but not fitted, with the reason.
    #[serde(default)]
    pub unfitted: BTreeMap<String, String>,
    /// Knobs that a fit may turn.
    pub free: Vec<Free>,
    /// What it claims.
    pub claim: Vec<Claim>,
    /// The table.
    #[serde(skip)]
    pub measurements: Vec<Measurement>,
}

/// Files of an article: its description and its table.
const FILES: [(&str, &str); 2] = [
    (
        include_str!("../data/nvme-knob-matrix/article.toml"),
        include_str!("../data/nvme-knob-matrix/measured.csv"),
    ),
    (
        include_str!("../data/usb3-laptop/article.toml"),
        include_str!("../data/usb3-laptop/measured.csv"),
    ),
];

/// The shipped articles.
///
/// # Panics
/// If an embedded file cannot be read: our bug, and a test reads them all.
#[must_use]
pub fn articles() -> &'static [Article] {
    static ARTICLES: LazyLock<Vec<Article>> = LazyLock::new(|| {
        let read = |(description, table): &(&str, &str)| {
            let mut article: Article = toml::from_str(description).expect("an article file");
            article.measurements = read_table(&article, table).expect("an article's table");
            article
        };
        FILES.iter().map(read).collect()
    });
    &ARTICLES
}

/// The shipped article of this name.
#[must_use]
pub fn find(id: &str) -> Option<&'static Article> {
    articles().iter().find(|article| article.id == id)
}
