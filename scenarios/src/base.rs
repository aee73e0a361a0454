//! One variant of a document, read once, with values replaced again and again.

use std::sync::{Arc, Mutex, PoisonError};

use serde::Deserialize;

use crate::check;
use crate::ensemble;
use crate::error::ScenarioError;
use crate::library;
use crate::load::{Document, Loaded, VariantSummary, finish, leave_out};
use crate::place::FILE;
use crate::problem::Problems;
use crate::resolve::ParameterSets;
use crate::schema::{Ensemble, Scenario, is_stated, keys_of};
use crate::set::{self, Set};
use crate::statement::fill_in_statements;
use crate::tree::{self, Entry, Table};

/// What loads the many configurations of one scenario: as [`Document::load`] with one variant, but
/// the text is read and the variants are checked once.
#[derive(Debug)]
pub struct Base<'a> {
    pub(crate) document: &'a Document,
    pub(crate) variant: Option<String>,
    /// The name with the variant.
    pub(crate) name: String,
    pub(crate) variants: Vec<VariantSummary>,
    /// The scenario as written, without its variants and its ensemble; absent if it has problems,
    /// which
    /// assignments may mend.
    pub(crate) root: Option<Table>,
    pub(crate) ensemble: Option<BaseEnsemble>,
    /// The paths that the variant sets.
    pub(crate) stated: Vec<Vec<String>>,
}

/// The ensemble of a scenario, checked once: configurations differ in what is left of it.
#[derive(Debug)]
pub(crate) struct BaseEnsemble {
    written: Entry,
    read: Ensemble,
    /// Every knob it has values for.
    knobs: Vec<Knob>,
    /// What is left of it where these knobs are set otherwise.
    left: Mutex<Vec<Left>>,
}

/// Which knobs are set otherwise, and the parameter sets without them; nothing if that is all.
type Left = (Vec<bool>, Option<Arc<ParameterSets>>);

#[derive(Debug)]
struct Knob {
    keys: Vec<String>,
    /// Whether its values may or may not fit others.
    spans: bool,
}

/// Most sorts of what is left that are kept.
const KEPT: usize = 64;

impl BaseEnsemble {
    /// An ensemble as written; nothing if it cannot be read.
    pub(crate) fn new(written: Entry) -> Option<Self> {
        let table = written.node.table()?;
        let read = Ensemble::deserialize(tree::plain(table)).ok()?;
        let knob = |path: &String| {
            let keys = keys_of(path);
            Knob { spans: ensemble::spans(&keys), keys: keys.into_iter().map(Into::into).collect() }
        };
        let paths = read.parameter.values().flat_map(|parameter| &parameter.paths);
        let knobs = paths.map(knob).collect();
        Some(BaseEnsemble { written, read, knobs, left: Mutex::new(Vec::new()) })
    }

    /// Which of its knobs are set otherwise.
    fn out(&self, stated: &[Vec<String>]) -> Vec<bool> {
        self.knobs.iter().map(|knob| is_stated(&knob.keys, stated)).collect()
    }

    /// Whether values that are left have to be checked again, for others may have changed.
    fn spans(&self, out: &[bool]) -> bool {
        self.knobs.iter().zip(out).any(|(knob, out)| knob.spans && !out)
    }

    /// What is left of it.
    fn left(&self, out: Vec<bool>, stated: &[Vec<String>]) -> Option<Arc<ParameterSets>> {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, sets)) = left.iter().find(|(known, _)| *known == out) {
            return sets.clone();
        }
        let sets = self.read.clone().without(stated).filter(|ensemble| ensemble.members() > 0);
        let sets = sets.map(|ensemble| Arc::new(ParameterSets::new(&ensemble)));
        if left.len() < KEPT {
            left.push((out, sets.clone()));
        }
        sets
    }
}

impl Base<'_> {
    /// Checks and resolves the scenario with values replaced.
    ///
    /// # Errors
    ///
    /// [`ScenarioError::Problems`] with all of them, as [`Document::load`] reports them.
    pub fn with(&self, sets: &[Set]) -> Result<Loaded, ScenarioError> {
        match self.sound(sets) {
            Some(loaded) => Ok(loaded),
            // All problems with their lines, for which the text is needed.
            None => self.document.load(self.variant.as_deref(), sets),
        }
    }

    /// The scenario if nothing is wrong with it.
    fn sound(&self, sets: &[Set]) -> Option<Loaded> {
        let mut root = self.root.clone()?;
        let mut problems = Problems::default();
        // Assignments to the ensemble itself are made and checked as those to any other table.
        let is_set = sets.iter().any(|set| set.path.trim_start().starts_with("ensemble"));
        let kept = self.ensemble.as_ref().filter(|_| !is_set);
        if let (true, Some(ensemble)) = (is_set, &self.ensemble) {
            root.insert("ensemble".to_string(), ensemble.written.clone());
        }
        set::apply(sets, FILE + 1, &mut root, &mut problems);
        self.document.fill_in_jobs(&mut root, &mut problems);
        library::fill_in(&mut root, &mut problems);
        let said = fill_in_statements(&mut root, &mut problems);
        check::check(&root, &mut problems);
        let stated = self.stated(sets, is_set);
        let out = kept.map(|kept| kept.out(&stated)).unwrap_or_default();
        let written = match kept {
            Some(kept) => Some(&kept.written).filter(|_| kept.spans(&out)),
            None => root.get("ensemble"),
        };
        if let Some(table) = written.and_then(|entry| entry.node.table()) {
            ensemble::fit(&root, table, &stated, &mut problems);
        }
        let settle = |scenario: &mut Scenario| {
            let Some(kept) = kept else {
                leave_out(&stated, scenario);
                return None;
            };
            let sets = kept.left(out, &stated);
            scenario.ensemble = sets.as_ref().map(|sets| sets.ensemble().clone());
            sets
        };
        let (scenario, resolved) = finish(&self.name, &root, settle, &mut problems)?;
        let (name, variants) = (self.name.clone(), self.variants.clone());
        let mut loaded = Loaded { name, scenario, resolved, variants, notes: said.notes };
        loaded.warn_first(&said.warnings);
        Some(loaded)
    }

    /// The paths that variant and assignments set, where there is an ensemble they may concern.
    fn stated(&self, sets: &[Set], is_set: bool) -> Vec<Vec<String>> {
        if self.ensemble.is_none() && !is_set {
            return Vec::new();
        }
        self.stated.iter().cloned().chain(sets.iter().flat_map(ensemble::stated_by)).collect()
    }
}
