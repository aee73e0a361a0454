//! What all kinds of pictures share: where their data come from, their table, the ways to write
//! them.

use serde::Serialize;

use super::door::{self, PlotError, Png};
use super::frame::Heading;
use super::look::Look;
use super::scene::Scene;
use super::term::Glyphs;
use super::words::name;
use super::{
    DistributionChart, GridChart, GrowthChart, KnobChart, MeasuredChart, ParetoChart, StagesChart,
    TimeChart,
};
use crate::number::{bytes, duration, level, percent, signed_percent};
use crate::text::{WIDTH, entry};
use crate::{Document, Paint, Report, ReportError};

/// Where the data of a picture come from.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Origin {
    /// Name and variant of the scenario, or what was measured.
    pub scenario: String,
    /// What it is, in one line.
    pub title: String,
    /// Values that were replaced on the command line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<String>,
    /// backup, verify, restore or total: what is timed.
    pub operation: &'static str,
    /// Share of nights that ranges cover.
    pub level: f64,
    /// Nights of each configuration.
    #[serde(skip)]
    pub nights: u32,
    /// Seed of all random numbers.
    #[serde(skip)]
    pub seed: u64,
    /// The version of the program.
    #[serde(skip)]
    pub version: &'static str,
}

impl Origin {
    /// The words around a picture of it.
    pub(super) fn heading(&self, title: String, description: String) -> Heading {
        let scenario = name(&self.scenario);
        let (title_of, set) = (name(&self.title), name(&self.set.join(", ")));
        let parts = [scenario, title_of, set].into_iter().filter(|part| !part.is_empty());
        let subtitle = parts.collect::<Vec<_>>().join("  \u{b7}  ");
        let nights = if self.nights == 1 { "night" } else { "nights" };
        let footer =
            format!("{} {nights}, seed {}, bakcast {}", self.nights, self.seed, self.version);
        Heading { title, subtitle, footer, description }
    }

    /// `90 % of runs`.
    pub(super) fn range(&self) -> String {
        format!("{} of runs", level(self.level))
    }
}

/// One cell of a table.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// Not known.
    Empty,
    /// Words.
    Text(String),
    /// A number without a unit.
    Count(f64),
    /// A length of time in seconds.
    Seconds(f64),
    /// An amount of data in bytes.
    Bytes(f64),
    /// A rate in bytes a second.
    Rate(f64),
    /// A share of one.
    Share(f64),
    /// A relative difference.
    Difference(f64),
    /// Yes or no.
    Flag(bool),
}

impl Cell {
    /// What may be unknown.
    pub(super) fn maybe<T>(value: Option<T>, cell: fn(T) -> Cell) -> Cell {
        value.map_or(Cell::Empty, cell)
    }

    /// In full, for programs.
    fn exact(&self) -> String {
        match self {
            Cell::Empty => String::new(),
            Cell::Text(text) => text.clone(),
            Cell::Flag(flag) => flag.to_string(),
            Cell::Count(value)
            | Cell::Seconds(value)
            | Cell::Bytes(value)
            | Cell::Rate(value)
            | Cell::Share(value)
            | Cell::Difference(value) => value.to_string(),
        }
    }

    /// For people.
    fn shown(&self) -> String {
        match self {
            Cell::Seconds(value) => duration(*value),
            Cell::Bytes(value) => bytes(*value),
            Cell::Rate(value) => crate::number::rate_binary(*value),
            Cell::Share(value) => percent(*value),
            Cell::Difference(value) => signed_percent(*value),
            Cell::Flag(flag) => if *flag { "yes" } else { "" }.to_string(),
            other => other.exact(),
        }
    }
}

/// The numbers behind a picture.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    /// Names of the columns, with units.
    pub headings: Vec<String>,
    /// A row for each.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table with these columns.
    pub(super) fn new(headings: &[&str], rows: Vec<Vec<Cell>>) -> Self {
        Table { headings: headings.iter().map(|text| (*text).to_string()).collect(), rows }
    }

    /// As CSV.
    ///
    /// # Errors
    /// [`ReportError`] for what would be a bug of ours.
    pub fn csv(&self) -> Result<String, ReportError> {
        let mut all = vec![self.headings.clone()];
        all.extend(self.rows.iter().map(|row| row.iter().map(Cell::exact).collect()));
        crate::csv::written(&all)
    }

    /// Headings and cells for people: units stand in the cells.
    #[must_use]
    pub fn shown(&self) -> (Vec<String>, Vec<Vec<String>>) {
        const UNITS: [&str; 4] = ["_bytes_per_second", "_seconds", "_bytes", "_share"];
        let heading = |text: &String| {
            let bare = UNITS.iter().find_map(|unit| text.strip_suffix(unit));
            bare.unwrap_or(text).replace('_', " ")
        };
        let row = |row: &Vec<Cell>| row.iter().map(Cell::shown).collect();
        (self.headings.iter().map(heading).collect(), self.rows.iter().map(row).collect())
    }

    /// As Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        let (headings, rows) = self.shown();
        let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
        crate::markdown::table(&headings, 1, &rows)
    }
}

/// What a kind of picture can do.
pub(super) trait Kind {
    /// As it is called on the command line.
    fn kind(&self) -> &'static str;
    /// The picture.
    fn scene(&self, origin: &Origin, look: &Look) -> Scene;
    /// The numbers.
    fn table(&self, origin: &Origin) -> Table;
    /// What it comes to, in a sentence or two.
    fn answer(&self, origin: &Origin) -> String;
    /// The picture in letters, so many columns wide.
    fn text(&self, origin: &Origin, glyphs: Glyphs, columns: usize) -> String;
}

macro_rules! charts {
    ($($(#[$doc:meta])* $kind:ident($data:ty)),+ $(,)?) => {
        /// A picture's data.
        #[derive(Debug, Clone, PartialEq, Serialize)]
        #[serde(untagged)]
        pub enum Chart {
            $($(#[$doc])* $kind($data)),+
        }

        impl Chart {
            fn kind(&self) -> &dyn Kind {
                match self {
                    $(Chart::$kind(data) => data),+
                }
            }
        }

        $(impl From<$data> for Chart {
            fn from(data: $data) -> Self {
                Chart::$kind(data)
            }
        })+
    };
}

charts! {
    /// Duration against one knob.
    Knob(KnobChart),
    /// Duration, or what limits it, over two knobs.
    Grid(GridChart),
    /// What stations do with their time.
    Stages(StagesChart),
    /// One night over time.
    Time(TimeChart),
    /// How durations are distributed.
    Distribution(DistributionChart),
    /// Measured against predicted.
    Measured(MeasuredChart),
    /// Duration against memory.
    Pareto(ParetoChart),
    /// Growth against a window.
    Growth(GrowthChart),
}

/// A picture and where it comes from: what `plot` finds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlotResult {
    /// Which picture.
    pub kind: &'static str,
    /// Where it comes from.
    #[serde(flatten)]
    pub origin: Origin,
    /// What it comes to.
    pub answer: String,
    /// Its data.
    #[serde(flatten)]
    pub chart: Chart,
}

impl PlotResult {
    /// A picture of data.
    #[must_use]
    pub fn new(origin: Origin, chart: impl Into<Chart>) -> Self {
        let chart = chart.into();
        let kind = chart.kind().kind();
        let answer = chart.kind().answer(&origin);
        PlotResult { kind, origin, answer, chart }
    }

    /// The numbers behind it.
    #[must_use]
    pub fn table(&self) -> Table {
        self.chart.kind().table(&self.origin)
    }

    fn scene(&self, look: &Look) -> Scene {
        self.chart.kind().scene(&self.origin, look)
    }
}

/// A picture as SVG: one element, inert, that refers to nothing outside of it.
///
/// # Errors
/// [`PlotError`] for what would be a bug of ours.
pub fn svg(result: &PlotResult, look: &Look) -> Result<String, PlotError> {
    door::svg(&result.scene(look))
}

/// A picture as PNG.
///
/// # Errors
/// [`PlotError`] for what would be a bug of ours.
pub fn png(result: &PlotResult, look: &Look) -> Result<Png, PlotError> {
    door::png(&result.scene(look))
}

impl Report for PlotResult {
    fn text(document: &Document<Self>, paint: Paint) -> String {
        let result = &document.result;
        let mut out = crate::text::heading(&result.origin.scenario, &result.origin.title, paint);
        let columns = if paint.columns > WIDTH { paint.columns } else { WIDTH };
        out.push_str(&result.chart.kind().text(&result.origin, paint.glyphs, columns));
        out.push_str(&entry("Answer", &result.answer));
        let nights = document.replications;
        let word = if nights == 1 { "night" } else { "nights" };
        out.push_str(&entry("Certainty", &format!("{nights} {word}, seed {}", document.seed)));
        out.push_str(&crate::text::warnings(&document.warnings, usize::MAX, paint));
        out
    }

    fn csv(document: &Document<Self>) -> Result<String, ReportError> {
        document.result.table().csv()
    }

    fn markdown(document: &Document<Self>) -> String {
        let result = &document.result;
        let escaped = crate::markdown::escaped;
        let origin = &result.origin;
        let mut out = format!("**{}**: {}\n\n", escaped(&origin.scenario), escaped(&origin.title));
        out.push_str(&result.table().markdown());
        out.push_str(&format!("\n{}\n", escaped(&result.answer)));
        let (nights, seed) = (document.replications, document.seed);
        out.push_str(&format!("\nCertainty: {nights} nights, seed {seed}.\n"));
        out.push_str(&crate::markdown::warnings(&document.warnings));
        out
    }
}
