//! The scenario that a command line means: a file, a variant, statements, assignments.

use bakcast_report::Warning;
use bakcast_scenarios::{Document, Loaded, Reference, Set};

use super::usage;
use crate::args::ScenarioChoice;
use crate::exit::Failure;
use crate::statement;

/// A scenario, and what is to be replaced in it.
pub(super) struct Opened {
    /// The file.
    pub(super) document: Document,
    /// Which variant of it is meant.
    pub(super) variant: Option<String>,
    /// What the statements say, then the assignments.
    pub(super) sets: Vec<Set>,
    /// What the model does not have of the statements.
    pub(super) warnings: Vec<bakcast_scenarios::Warning>,
    /// What was read of the statements and has no effect.
    pub(super) notes: Vec<String>,
}

impl Opened {
    /// Opens what was chosen, or says how to choose.
    pub(super) fn new(command: &'static str, choice: &ScenarioChoice) -> Result<Self, Failure> {
        let Some(name) = &choice.scenario else { return Err(usage::scenario_missing(command)) };
        let Reference { origin, variant } = Reference::parse(name);
        let document = Document::open(&origin)?;
        let mut opened = Opened {
            document,
            variant,
            sets: choice.set.clone(),
            warnings: Vec::new(),
            notes: Vec::new(),
        };
        if let Some(sql) = &choice.sql {
            let (source, text) = statement::read(sql)?;
            let variant = opened.variant.as_deref();
            let said = opened.document.translate(variant, (&source, &text), &choice.set)?;
            opened.sets = said.sets.into_iter().chain(choice.set.iter().cloned()).collect();
            opened.warnings = said.warnings;
            opened.notes = said.notes;
        }
        Ok(opened)
    }

    /// The scenario, checked and resolved.
    pub(super) fn load(&self) -> Result<Loaded, Failure> {
        let mut loaded = self.document.load(self.variant.as_deref(), &self.sets)?;
        loaded.warn_first(&self.warnings);
        loaded.notes.extend(self.notes.iter().cloned());
        Ok(loaded)
    }

    /// The same as the questions take it.
    pub(super) fn parts(&self) -> (&Document, Option<&str>, &[Set]) {
        (&self.document, self.variant.as_deref(), &self.sets)
    }

    /// Warnings about the statements, for commands that load configurations of their own.
    pub(super) fn said(&self) -> impl Iterator<Item = Warning> + '_ {
        self.warnings.iter().map(Warning::from)
    }

    /// Notes for standard error.
    pub(super) fn messages(&self) -> impl Iterator<Item = String> + '_ {
        self.notes.iter().map(|note| format!("note: {note}"))
    }
}
