//! One variant of a document, read once, with values replaced again and again.

use crate::check;
use crate::error::ScenarioError;
use crate::load::{Document, Loaded, VariantSummary, finish};
use crate::place::FILE;
use crate::problem::Problems;
use crate::set::{self, Set};
use crate::tree::Table;

/// What loads the many configurations of one scenario: as [`Document::load`] with one variant, but
/// the text is read and the variants are checked once.
#[derive(Debug)]
pub struct Base<'a> {
    pub(crate) document: &'a Document,
    pub(crate) variant: Option<String>,
    /// The name with the variant.
    pub(crate) name: String,
    pub(crate) variants: Vec<VariantSummary>,
    /// The scenario without its variants; absent if it has problems, which assignments may mend.
    pub(crate) root: Option<Table>,
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
        set::apply(sets, FILE + 1, &mut root, &mut problems);
        check::check(&root, &mut problems);
        let (scenario, resolved) = finish(&self.name, &root, &mut problems)?;
        let (name, variants) = (self.name.clone(), self.variants.clone());
        Some(Loaded { name, scenario, resolved, variants })
    }
}
