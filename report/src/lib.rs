//! Results as text, JSON, CSV and Markdown: data in, bytes out.
//!
//! Every command ends in one [`Document`]: a serializable struct with the same envelope around its
//! result. JSON is that struct, word for word; text, CSV and Markdown are read off it, so no format
//! knows anything the others do not. A value that is not known is absent, never 0 or null.

pub mod change_request;
pub mod csv;
pub mod document;
pub mod html;
pub mod json;
pub mod markdown;
pub mod number;
pub mod plot;
pub mod text;
pub mod timeline;

pub use document::{Document, Run, Tool, Warning};
pub use text::Paint;

use std::path::Path;

use serde::Serialize;
use thiserror::Error;

/// How a document is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// For people at a terminal.
    Text,
    /// For programs.
    Json,
    /// For spreadsheets.
    Csv,
    /// For tickets and wikis.
    Markdown,
}

impl Format {
    /// The format a file's extension stands for.
    #[must_use]
    pub fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "txt" => Some(Format::Text),
            "json" => Some(Format::Json),
            "csv" => Some(Format::Csv),
            "md" => Some(Format::Markdown),
            _ => None,
        }
    }

    /// The extensions [`Format::of_path`] knows, for messages.
    pub const EXTENSIONS: &'static str = ".txt, .json, .csv, .md";
}

/// Why a document could not be written.
#[derive(Debug, Error)]
pub enum ReportError {
    /// A result is not a finite number: our bug.
    #[error("a result is not a finite number")]
    NotFinite,
    /// The document does not fit the format: our bug.
    #[error("the document cannot be written: {0}")]
    Unwritable(String),
}

/// A result that can be written in every format.
pub trait Report: Serialize {
    /// For a terminal, at most 80 columns wide.
    fn text(document: &Document<Self>, paint: Paint) -> String
    where
        Self: Sized;

    /// One record a row, units in the headings.
    ///
    /// # Errors
    /// [`ReportError`] if a row does not fit.
    fn csv(document: &Document<Self>) -> Result<String, ReportError>
    where
        Self: Sized;

    /// A table, and what it comes to in a sentence.
    fn markdown(document: &Document<Self>) -> String
    where
        Self: Sized;
}

/// Writes a document in a format.
///
/// # Errors
/// [`ReportError`] for what would be a bug of ours.
pub fn render<R: Report>(
    document: &Document<R>,
    format: Format,
    paint: Paint,
) -> Result<String, ReportError> {
    match format {
        Format::Text => Ok(R::text(document, paint)),
        Format::Json => json::render(document),
        Format::Csv => R::csv(document),
        Format::Markdown => Ok(R::markdown(document)),
    }
}
