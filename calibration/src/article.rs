//! One article: citation, machine, what its units mean, which scenario describes it, which knobs
//! a fit may turn and within which bounds.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use bakcast_scenarios::{Document, ScenarioError, ScenarioOrigin};

use crate::problem::Free;
use crate::table::{Measurement, read_table};

/// A statement of the article that a prediction can be held to.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Its short name.
    pub id: String,
    /// What it says.
    pub statement: String,
}

/// A part of a table that is predicted from the rest, and the rest from it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fold {
    /// What the part is.
    pub name: String,
    /// Its rows.
    pub rows: Vec<String>,
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
    /// Whether it is one of the smaller public tables, of a machine of which less is known.
    #[serde(default)]
    pub public: bool,
    /// Rows whose processor use is fitted beside their duration.
    #[serde(default)]
    pub fit_processor: Vec<String>,
    /// Parts of the table that are predicted from the rest.
    #[serde(default)]
    pub fold: Vec<Fold>,
    /// Knobs that a fit may turn.
    pub free: Vec<Free>,
    /// What it claims.
    #[serde(default)]
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

impl Article {
    /// Rows in the order of the table, each once.
    #[must_use]
    pub fn row_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for measurement in &self.measurements {
            if names.last() != Some(&measurement.row.as_str()) {
                names.push(&measurement.row);
            }
        }
        names
    }

    /// File of the scenario that describes it, from the root of the repository.
    #[must_use]
    pub fn scenario_file(&self) -> String {
        format!("scenarios/shipped/{}.toml", self.scenario)
    }

    /// The scenario that describes it.
    ///
    /// # Errors
    /// If there is none of this name.
    pub fn document(&self) -> Result<Document, ScenarioError> {
        Document::open(&ScenarioOrigin::parse(&self.scenario))
    }
}

/// The shipped article of this name.
#[must_use]
pub fn find(id: &str) -> Option<&'static Article> {
    articles().iter().find(|article| article.id == id)
}
