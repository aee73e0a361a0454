//! One article: citation, machine, what its units mean, which scenario describes it, which knobs
//! a fit may turn and within which bounds.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use bakcast_scenarios::{Document, ScenarioError, ScenarioOrigin};
use serde::Deserialize;

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
    /// Its short name; also that of its folder, or of its files in a folder of several.
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
    /// The scenario that describes it, shipped or beside its table; its variants are the rows.
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
    /// Folder of its files within `calibration/data`.
    #[serde(skip)]
    pub folder: &'static str,
    /// Its scenario word for word, if that is not a shipped one.
    #[serde(skip)]
    pub embedded: Option<&'static str>,
}

impl Article {
    /// The scenario that describes it.
    ///
    /// # Errors
    /// If none of that name is shipped, or the embedded one is no text.
    pub fn document(&self) -> Result<Document, ScenarioError> {
        match self.embedded {
            Some(text) => Document::from_bytes(&self.scenario, text.as_bytes().to_vec()),
            None => Document::open(&ScenarioOrigin::parse(&self.scenario)),
        }
    }

    /// File of its scenario, seen from the root of the repository.
    #[must_use]
    pub fn scenario_path(&self) -> String {
        match self.embedded {
            Some(_) => format!("calibration/data/{}/{}.scenario.toml", self.folder, self.scenario),
            None => format!("scenarios/shipped/{}.toml", self.scenario),
        }
    }
}

/// Files of an article: its description, its table, and its scenario if that is not a shipped one.
struct Files {
    folder: &'static str,
    description: &'static str,
    table: &'static str,
    scenario: Option<&'static str>,
}

/// An article with a folder of its own and a shipped scenario.
macro_rules! article {
    ($folder:literal) => {
        Files {
            folder: $folder,
            description: include_str!(concat!("../data/", $folder, "/article.toml")),
            table: include_str!(concat!("../data/", $folder, "/measured.csv")),
            scenario: None,
        }
    };
}

/// A pair of rows that shares a folder with others and whose scenario is not shipped.
macro_rules! pair {
    ($folder:literal, $name:literal) => {
        Files {
            folder: $folder,
            description: include_str!(concat!("../data/", $folder, "/", $name, ".toml")),
            table: include_str!(concat!("../data/", $folder, "/", $name, ".csv")),
            scenario: Some(include_str!(concat!(
                "../data/",
                $folder,
                "/",
                $name,
                ".scenario.toml"
            ))),
        }
    };
}

const FILES: [Files; 9] = [
    article!("nvme-knob-matrix"),
    article!("usb3-laptop"),
    article!("public-multifile-nvme-2020"),
    article!("public-unc-share-files"),
    article!("public-nul-algorithms-2025"),
    pair!("public-compression-pairs", "pair-dotnine-2013"),
    pair!("public-compression-pairs", "pair-randal-2008"),
    pair!("public-compression-pairs", "pair-blobeater-2016"),
    pair!("public-compression-pairs", "pair-unisys-2008"),
];

/// The shipped articles.
///
/// # Panics
/// If an embedded file cannot be read: our bug, and a test reads them all.
#[must_use]
pub fn articles() -> &'static [Article] {
    static ARTICLES: LazyLock<Vec<Article>> = LazyLock::new(|| {
        let read = |files: &Files| {
            let mut article: Article = toml::from_str(files.description).expect("an article file");
            article.measurements = read_table(&article, files.table).expect("an article's table");
            article.folder = files.folder;
            article.embedded = files.scenario;
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
}

/// The shipped article of this name.
#[must_use]
pub fn find(id: &str) -> Option<&'static Article> {
    articles().iter().find(|article| article.id == id)
}
