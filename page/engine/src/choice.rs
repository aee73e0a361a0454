//! The scenario that a request means: shipped or given as text, a variant, a statement,
//! assignments.

use bakcast_report::Warning;
use bakcast_scenarios::{Document, Loaded, Reference, ScenarioOrigin, Set};

use crate::failure::Failure;
use crate::request::Request;

/// The name of a scenario that has none.
const UNNAMED: &str = "scenario.toml";

/// A scenario, and what is to be replaced in it.
pub(crate) struct Choice {
    pub(crate) document: Document,
    pub(crate) variant: Option<String>,
    /// What the statement says, then the assignments.
    pub(crate) sets: Vec<Set>,
    warnings: Vec<bakcast_scenarios::Warning>,
    notes: Vec<String>,
}

impl Choice {
    pub(crate) fn new(request: &Request) -> Result<Self, Failure> {
        let Some(text) = &request.scenario else {
            return Err(Failure::usage(
                "the request names no scenario; accepted: a shipped name such as \
                 `nvme-knob-matrix:2`, or a scenario as TOML",
            ));
        };
        let (document, variant) = if is_toml(text) {
            let name = request.name.as_deref().unwrap_or(UNNAMED);
            let document = Document::from_text(name, text.clone())?;
            (document, request.variant.clone())
        } else {
            shipped(text, request.variant.as_deref())?
        };
        let given = request.sets()?;
        let mut choice =
            Choice { document, variant, sets: given, warnings: Vec::new(), notes: Vec::new() };
        if let Some(sql) = &request.sql {
            let variant = choice.variant.as_deref();
            let said = choice.document.translate(variant, ("--sql", sql), &choice.sets)?;
            choice.sets = said.sets.into_iter().chain(choice.sets).collect();
            choice.warnings = said.warnings;
            choice.notes = said.notes;
        }
        Ok(choice)
    }

    /// The scenario, checked and resolved.
    pub(crate) fn load(&self) -> Result<Loaded, Failure> {
        let mut loaded = self.document.load(self.variant.as_deref(), &self.sets)?;
        loaded.warn_first(&self.warnings);
        loaded.notes.clone_from(&self.notes);
        Ok(loaded)
    }

    /// The same as the questions take it.
    pub(crate) fn parts(&self) -> (&Document, Option<&str>, &[Set]) {
        (&self.document, self.variant.as_deref(), &self.sets)
    }

    /// Warnings about the statement, for commands that load configurations of their own.
    pub(crate) fn said(&self) -> impl Iterator<Item = Warning> + '_ {
        self.warnings.iter().map(Warning::from)
    }
}

/// Whether a text is a scenario and no name of one.
fn is_toml(text: &str) -> bool {
    text.contains(['\n', '=', '[']) || text.trim().is_empty()
}

/// A shipped scenario. Of files a page knows nothing.
fn shipped(text: &str, variant: Option<&str>) -> Result<(Document, Option<String>), Failure> {
    let reference = Reference::parse(text);
    if let ScenarioOrigin::File(path) = &reference.origin {
        return Err(Failure::input(format!(
            "`{}` names a file, and a page reads none; accepted: a shipped name, or the text of \
             the file",
            path.display()
        )));
    }
    let variant = reference.variant.or_else(|| variant.map(str::to_string));
    Ok((Document::open(&reference.origin)?, variant))
}
