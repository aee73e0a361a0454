//! One self-contained page: opens offline, prints on A4, works without script.
//!
//! Everything is in the file: no address is fetched, no script is run, and the page says so itself
//! (its Content-Security-Policy lets nothing in but its own style sheet, by its fingerprint). All
//! markup is made by `markup`, which escapes every text. A chart stands beside the table of its
//! numbers.

mod answer;
mod bars;
mod charts;
mod document;
mod figure;
mod fingerprint;
mod growth;
mod help;
mod inputs;
mod markup;
mod night;
mod page;
mod pair;
mod summary;
mod sure;
mod why;

pub use document::{
    ArticleEvidence, EvidenceResult, EvidenceRow, HelpResult, LineResult, NightPageResult,
    NightsResult, PageResult, PairResult, PairSide, ParameterSpread, StatementsResult,
    UnmeasuredEvidence, toml_of,
};

use markup::{Markup, classed, foreign_cut, tag};

use crate::document::{Tool, Warning};
use crate::{Document, Report, ReportError};

/// A result that has a page.
pub trait Page: Report {
    /// The page.
    fn html(document: &Document<Self>) -> String
    where
        Self: Sized;
}

/// Writes a document as a page.
///
/// # Errors
/// [`ReportError::NotFinite`] where a number is none: our bug.
pub fn render<P: Page>(document: &Document<P>) -> Result<String, ReportError> {
    crate::json::render(document)?;
    Ok(P::html(document))
}

/// The whole style of every page.
const STYLE: &str = include_str!("html/style.css");
/// Characters of a name in a heading; in full it stands among the inputs.
const NAME: usize = 80;
/// Characters of a title.
const TITLE: usize = 200;

/// What stands at the head of a page.
struct Head<'a> {
    /// What kind of page it is.
    kind: &'a str,
    name: &'a str,
    title: &'a str,
}

/// What stands at its end: how it was made.
struct Foot<'a> {
    tool: Tool,
    seed: u64,
    replications: u32,
    command_line: &'a str,
}

/// The page around its sections.
fn shell(head: &Head<'_>, sections: Markup, foot: &Foot<'_>) -> String {
    let Head { kind, name, title } = head;
    let policy = format!(
        "default-src 'none'; style-src '{}'; img-src data:; base-uri 'none'; form-action 'none'",
        fingerprint::source(STYLE)
    );
    let in_head = Markup::new()
        .line()
        .void("meta", &[("charset", "utf-8")])
        .line()
        .void("meta", &[("http-equiv", "Content-Security-Policy"), ("content", &policy)])
        .line()
        .void("meta", &[("name", "viewport"), ("content", "width=device-width, initial-scale=1")])
        .line()
        .void("meta", &[("name", "referrer"), ("content", "no-referrer")])
        .line()
        .void("meta", &[("name", "color-scheme"), ("content", "light dark")])
        .line()
        .void("link", &[("rel", "icon"), ("href", "data:,")])
        .line()
        .tag("title", &[], format!("{}: {kind}", crate::text::cut(name, NAME)))
        .line()
        .and(Markup::new().raw("<style>").raw(STYLE).raw("</style>"))
        .line();
    let header = classed("p", "kind", *kind).tag("h1", &[], foreign_cut(name, NAME)).and(classed(
        "p",
        "title",
        foreign_cut(title, TITLE),
    ));
    let body =
        tag("header", &[], header).line().tag("main", &[], sections).line().and(footer(foot));
    let page = tag("head", &[], in_head).line().tag("body", &[], body).line();
    Markup::new().raw("<!DOCTYPE html>\n").tag("html", &[("lang", "en")], page).line().into_string()
}

fn footer(foot: &Foot<'_>) -> Markup {
    let made = format!(
        "Made by {} {}, {} simulated, seed {}. The same command makes the same page, byte for \
         byte:",
        foot.tool.name,
        foot.tool.version,
        nights(foot.replications),
        foot.seed
    );
    let command = tag("pre", &[], tag("code", &[], foot.command_line));
    tag("footer", &[], tag("p", &[], made).and(command)).line()
}

/// `32 nights`.
fn nights(count: u32) -> String {
    if count == 1 { "1 night".to_string() } else { format!("{count} nights") }
}

/// A part of the page under a heading.
fn section(id: &str, heading: &str, inner: Markup) -> Markup {
    let inner = tag("h2", &[], heading).line().and(inner);
    tag("section", &[("id", id)], inner).line()
}

/// What is shown when somebody opens it, and in print.
fn details(summary: &str, inner: Markup) -> Markup {
    tag("details", &[], tag("summary", &[], summary).and(inner)).line()
}

/// A text to be taken as it is: a statement, a file.
fn code(text: &str) -> Markup {
    tag("pre", &[], tag("code", &[], text)).line()
}

/// What to look at twice; those by which the numbers are of another backup come first.
fn warnings(warnings: &[Warning]) -> Markup {
    if warnings.is_empty() {
        return Markup::new();
    }
    let mut sorted: Vec<&Warning> = warnings.iter().collect();
    sorted.sort_by_key(|warning| !crate::text::is_of_another_backup(warning));
    let items = sorted.iter().fold(Markup::new(), |all, warning| {
        let text = tag("strong", &[], foreign_cut(&warning.text, WARNING));
        let hint = classed("span", "hint", foreign_cut(&warning.hint, WARNING));
        all.tag("li", &[], text.text("; ").and(hint)).line()
    });
    let inner = tag("ul", &[], items);
    let heading = tag("h2", &[], "Look at this first").line();
    tag("section", &[("id", "warnings"), ("class", "warnings")], heading.and(inner)).line()
}

/// Characters of a warning.
const WARNING: usize = 600;
