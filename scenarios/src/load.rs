//! From a name or a file to a scenario that is checked and resolved.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;

use crate::base::{Base, BaseEnsemble};
use crate::check;
use crate::ensemble;
use crate::error::ScenarioError;
use crate::jobs::Companions;
use crate::library;
use crate::place::{FILE, Place, Sources};
use crate::problem::{Problem, ProblemKind, Problems};
use crate::reference::{Reference, ScenarioOrigin};
use crate::resolve::{ParameterSets, Resolved};
use crate::schema::Scenario;
use crate::set::{self, Set};
use crate::shipped;
use crate::tree::{self, Entry, Node, SyntaxError, Table};
use crate::warning::Warning;
use crate::words;

/// Most bytes of a scenario file.
pub const LARGEST_FILE: u64 = 1 << 20;

/// The text of a scenario, read once and good for any number of loads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    name: String,
    text: String,
    /// Where the files it names are.
    pub(crate) companions: Companions,
}

/// A scenario that is checked and resolved.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    /// Name and variant, as in `nvme-knob-matrix:6`.
    pub name: String,
    /// The scenario as written, after variant and assignments; it has no variants of its own.
    pub scenario: Scenario,
    /// What the simulation takes.
    pub resolved: Resolved,
    /// The variants of the file.
    pub variants: Vec<VariantSummary>,
    /// What was noted of statements whose settings it has.
    pub notes: Vec<String>,
}

impl Loaded {
    /// Adds warnings about statements: those that make the time another backup's come first.
    pub fn warn_first(&mut self, more: &[Warning]) {
        let warnings = &mut self.resolved.warnings;
        warnings.extend(more.iter().cloned());
        warnings.sort_by_key(|warning| !warning.code.is_of_another_backup());
    }
}

/// A variant, as lists show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariantSummary {
    /// What stands after the colon.
    pub name: String,
    /// What it is, in one line.
    pub title: Option<String>,
    /// Where its figures come from, if not from where the scenario's do.
    pub source: Option<String>,
}

impl Scenario {
    /// Loads the scenario of a name or file, one variant of it, with values replaced.
    ///
    /// # Errors
    ///
    /// [`ScenarioError`]: not found, not readable, or with all its problems.
    pub fn load(
        name_or_path: &str,
        variant: Option<&str>,
        sets: &[Set],
    ) -> Result<Loaded, ScenarioError> {
        Document::open(&ScenarioOrigin::parse(name_or_path))?.load(variant, sets)
    }

    /// Loads what the command line calls SCENARIO: `NAME`, `NAME:VARIANT`, `FILE.toml` or
    /// `FILE.toml:VARIANT`.
    ///
    /// # Errors
    ///
    /// As [`Scenario::load`].
    pub fn load_reference(text: &str, sets: &[Set]) -> Result<Loaded, ScenarioError> {
        let reference = Reference::parse(text);
        Document::open(&reference.origin)?.load(reference.variant.as_deref(), sets)
    }
}

impl Document {
    /// Reads a shipped scenario or a file.
    ///
    /// # Errors
    ///
    /// [`ScenarioError`] if there is none, or it cannot be read as text.
    pub fn open(origin: &ScenarioOrigin) -> Result<Self, ScenarioError> {
        match origin {
            ScenarioOrigin::Shipped(name) => match shipped::find(name) {
                Some(scenario) => Ok(Document {
                    name: scenario.name.to_string(),
                    text: scenario.text.to_string(),
                    companions: Companions::Shipped,
                }),
                None => Err(unknown_scenario(name)),
            },
            ScenarioOrigin::File(path) => {
                let document = Document::from_bytes(&path.display().to_string(), read_file(path)?)?;
                let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
                Ok(Document { companions: Companions::Folder(folder), ..document })
            }
        }
    }

    /// A scenario from its bytes; `name` stands in messages. Files that it names are sought where
    /// the program runs.
    ///
    /// # Errors
    ///
    /// [`ScenarioError::NotText`] and [`ScenarioError::Empty`].
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<Self, ScenarioError> {
        let not_text =
            |offset, reason| ScenarioError::NotText { name: name.to_string(), offset, reason };
        if is_utf16(&bytes) {
            return Err(not_text(0, "it looks like UTF-16; save it as UTF-8"));
        }
        if let Some(offset) = bytes.iter().position(|byte| *byte == 0) {
            return Err(not_text(offset, "it contains a NUL byte"));
        }
        let text = String::from_utf8(bytes)
            .map_err(|error| not_text(error.utf8_error().valid_up_to(), "save it as UTF-8"))?;
        if text.trim_start_matches('\u{feff}').trim().is_empty() {
            return Err(ScenarioError::Empty { name: name.to_string() });
        }
        let companions = Companions::Folder(PathBuf::new());
        Ok(Document { name: name.to_string(), text, companions })
    }

    /// A scenario from its text, where there are no files: those that it names are sought among the
    /// shipped ones. `name` stands in messages.
    ///
    /// # Errors
    ///
    /// As [`Document::from_bytes`], and [`ScenarioError::TooLarge`].
    pub fn from_text(name: &str, text: String) -> Result<Self, ScenarioError> {
        if text.len() as u64 > LARGEST_FILE {
            return Err(ScenarioError::TooLarge { path: name.into(), limit: LARGEST_FILE });
        }
        let document = Document::from_bytes(name, text.into_bytes())?;
        Ok(Document { companions: Companions::Shipped, ..document })
    }

    /// The name it goes by in messages.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text, word for word.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Reads one variant, for loading it with many sets of values.
    ///
    /// # Errors
    ///
    /// [`ScenarioError::UnknownVariant`]; what else is wrong, [`Base::with`] reports.
    pub fn base(&self, variant: Option<&str>) -> Result<Base<'_>, ScenarioError> {
        let mut problems = Problems::default();
        let (mut root, errors) = tree::parse(&self.text, FILE);
        let variants = summaries(&root);
        let stated = ensemble::stated(&root, variant, &[]);
        if let (Some(variant), true) = (variant, errors.is_empty()) {
            self.choose(variant, &variants, &mut root, &mut problems)?;
        }
        // What it is like is filled in anew with every set of values: they may say it otherwise.
        let mut filled = root.clone();
        self.fill_in_jobs(&mut filled, &mut problems);
        library::fill_in(&mut filled, &mut problems);
        check::check(&filled, &mut problems);
        filled.remove("variant");
        fit_ensemble(&filled, &stated, &mut problems);
        root.remove("variant");
        let ensemble = root.remove("ensemble").filter(|_| problems.is_empty());
        let root = (errors.is_empty() && problems.is_empty()).then_some(root);
        let (name, variant) = (self.name_of(variant), variant.map(str::to_string));
        let ensemble = ensemble.and_then(BaseEnsemble::new);
        Ok(Base { document: self, variant, name, variants, root, ensemble, stated })
    }

    fn name_of(&self, variant: Option<&str>) -> String {
        match variant {
            Some(variant) => format!("{}:{variant}", self.name),
            None => self.name.clone(),
        }
    }

    /// Checks and resolves one variant, with values replaced.
    ///
    /// # Errors
    ///
    /// [`ScenarioError::UnknownVariant`], or [`ScenarioError::Problems`] with all of them.
    pub fn load(&self, variant: Option<&str>, sets: &[Set]) -> Result<Loaded, ScenarioError> {
        let mut sources = Sources::default();
        sources.add(&self.name, &self.text);
        for set in sets {
            sources.add("--set", &set.to_string());
        }
        let mut problems = Problems::of(sources);
        let (mut root, errors) = tree::parse(&self.text, FILE);
        let readable = errors.iter().all(SyntaxError::is_duplicate);
        report_syntax(&self.text, errors, &mut problems);
        if !readable {
            return Err(ScenarioError::Problems(Box::new(problems.sorted())));
        }
        let variants = summaries(&root);
        let stated = ensemble::stated(&root, variant, sets);
        if let Some(variant) = variant {
            self.choose(variant, &variants, &mut root, &mut problems)?;
        }
        set::apply(sets, FILE + 1, &mut root, &mut problems);
        self.fill_in_jobs(&mut root, &mut problems);
        library::fill_in(&mut root, &mut problems);
        check::check(&root, &mut problems);
        root.remove("variant");
        fit_ensemble(&root, &stated, &mut problems);
        let name = self.name_of(variant);
        let settle = |scenario: &mut Scenario| {
            leave_out(&stated, scenario);
            None
        };
        match finish(&name, &root, settle, &mut problems) {
            Some((scenario, resolved)) => {
                let notes = Vec::new();
                Ok(Loaded { name, scenario, resolved, variants, notes })
            }
            None => Err(ScenarioError::Problems(Box::new(problems.sorted()))),
        }
    }

    /// Applies a variant: its values, its title and its source.
    fn choose(
        &self,
        variant: &str,
        variants: &[VariantSummary],
        root: &mut Table,
        problems: &mut Problems,
    ) -> Result<(), ScenarioError> {
        let Some(chosen) = variants.iter().find(|known| known.name == variant) else {
            return Err(self.unknown_variant(variant, variants));
        };
        let set = tree::find(root, &["variant", variant, "set"]);
        if let Some(set) = set.and_then(Node::table).cloned() {
            set::apply_variant(&set, root, problems);
        }
        let title = chosen.title.as_deref().unwrap_or(variant);
        let base = tree::find(root, &["title"]).and_then(Node::text).unwrap_or_default();
        replace_text(root, "title", format!("{base}: {title}"));
        if let Some(source) = &chosen.source {
            replace_text(root, "source", source.clone());
        }
        Ok(())
    }

    fn unknown_variant(&self, variant: &str, variants: &[VariantSummary]) -> ScenarioError {
        let known: Vec<_> = variants.iter().map(|known| known.name.clone()).collect();
        let near = words::nearest(variant, known.iter().map(String::as_str)).map(str::to_string);
        ScenarioError::UnknownVariant {
            scenario: self.name.clone(),
            variant: words::shown(variant),
            suggestion: near,
            known,
        }
    }
}

/// Replaces a text where there is one; where there is none, that is a problem or means nothing.
fn replace_text(root: &mut Table, key: &str, text: String) {
    let place = Place { source: FILE, start: 0, end: 0 };
    let place = root.get(key).map_or(place, |entry| entry.key_place);
    // Reported where it was written.
    if text.chars().any(words::is_hidden) {
        return;
    }
    if key == "title" && root.get(key).is_none_or(|entry| entry.node.text().is_none()) {
        return;
    }
    let node = Node { value: tree::Value::Text(text), place };
    root.insert(key.to_string(), Entry { key_place: place, node });
}

fn unknown_scenario(name: &str) -> ScenarioError {
    let known: Vec<_> = shipped::shipped().iter().map(|scenario| scenario.name).collect();
    let begins = known.iter().copied().find(|known| name.len() > 1 && known.starts_with(name));
    ScenarioError::UnknownScenario {
        name: words::shown(name),
        suggestion: begins.or_else(|| words::nearest(name, known.iter().copied())),
        known,
    }
}

/// Whether bytes are text of two bytes a character: by its mark, or by every other byte of the
/// beginning being zero.
fn is_utf16(bytes: &[u8]) -> bool {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return true;
    }
    let (pairs, _) = bytes.as_chunks::<2>();
    let begin = pairs.get(..pairs.len().min(8)).unwrap_or_default();
    let little = begin.iter().all(|[low, high]| *low != 0 && *high == 0);
    let big = begin.iter().all(|[high, low]| *low != 0 && *high == 0);
    begin.len() > 1 && (little || big)
}

/// Reads a file, but no more of it than a scenario may have.
fn read_file(path: &Path) -> Result<Vec<u8>, ScenarioError> {
    let unreadable = |source| ScenarioError::Unreadable { path: path.to_path_buf(), source };
    if path.is_dir() {
        return Err(ScenarioError::Folder { path: path.to_path_buf() });
    }
    let file = File::open(path).map_err(unreadable)?;
    let mut bytes = Vec::new();
    file.take(LARGEST_FILE + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(ScenarioError::TooLarge { path: path.to_path_buf(), limit: LARGEST_FILE });
    }
    Ok(bytes)
}

/// Reports what TOML refuses. Of a table that stands twice only the heading is reported, not
/// each of its keys again.
fn report_syntax(text: &str, errors: Vec<SyntaxError>, problems: &mut Problems) {
    let mut end_of_repeated = 0;
    for error in errors {
        let start = error.place.start;
        if !error.is_duplicate() {
            let message = format!("not TOML: {}", error.message);
            let problem = Problem::new(ProblemKind::Syntax, error.place, "", message);
            problems.report(problem.suggestion(in_quotes(text, &error)));
            continue;
        }
        let heading = heading_at(text, start);
        if heading.is_none() && start < end_of_repeated {
            continue;
        }
        let what = match heading {
            Some(heading) => {
                let rest = text.get(start..).unwrap_or_default();
                end_of_repeated = rest.find("\n[").map_or(text.len(), |length| start + length);
                heading
            }
            None => text.get(start..error.place.end).unwrap_or_default(),
        };
        let question = if what.contains("device") { ": two devices of one name?" } else { "" };
        let message = format!("`{}` stands twice{question}", words::shown(what));
        let problem = Problem::new(ProblemKind::DuplicateKey, error.place, "", message);
        problems.report(problem.found(words::shown(what)).accepted("each key and table once"));
    }
}

/// The value with the quotes it lacks, as in `size = 6 GiB`.
fn in_quotes(text: &str, error: &SyntaxError) -> Option<String> {
    if !error.message.starts_with("string values must be quoted") {
        return None;
    }
    let line = text.get(error.place.start..)?.lines().next()?;
    let value = line.split(['#', ',', ']', '}', '"', '\'']).next()?.trim();
    (!value.is_empty()).then(|| format!("`\"{}\"`", words::shown(value)))
}

/// The line that holds the byte at `at`, if it is the heading of a table.
fn heading_at(text: &str, at: usize) -> Option<&str> {
    let start = text.get(..at)?.rfind('\n').map_or(0, |line_break| line_break + 1);
    let line = text.get(start..)?.lines().next()?.trim();
    line.starts_with('[').then_some(line)
}

/// The variants in the order of the file.
fn summaries(root: &Table) -> Vec<VariantSummary> {
    let text = |entry: &Entry, key: &str| {
        let node = &entry.node.table()?.get(key)?.node;
        node.text().map(str::to_string)
    };
    let entries = tree::entries_in_order(root, "variant").into_iter();
    let summary = |(name, entry): (&str, &Entry)| VariantSummary {
        name: name.to_string(),
        title: text(entry, "title"),
        source: text(entry, "source"),
    };
    entries.map(summary).collect()
}

/// Reports what of an ensemble does not fit the rest.
fn fit_ensemble(root: &Table, stated: &[Vec<String>], problems: &mut Problems) {
    let ensemble = root.get("ensemble").and_then(|entry| entry.node.table());
    if let Some(ensemble) = ensemble {
        ensemble::fit(root, ensemble, stated, problems);
    }
}

/// Takes from the ensemble what is set otherwise.
pub(crate) fn leave_out(stated: &[Vec<String>], scenario: &mut Scenario) {
    scenario.ensemble = scenario.ensemble.take().and_then(|ensemble| ensemble.without(stated));
}

/// The scenario as a value, if it has no problem; `settle` puts its ensemble right, and may know
/// its parameter sets.
pub(crate) fn finish(
    name: &str,
    root: &Table,
    settle: impl FnOnce(&mut Scenario) -> Option<Arc<ParameterSets>>,
    problems: &mut Problems,
) -> Option<(Scenario, Resolved)> {
    if !problems.is_empty() {
        return None;
    }
    let read = Scenario::deserialize(tree::plain(root)).map_err(|error| error.to_string());
    let both = read.and_then(|mut scenario| {
        let sets = settle(&mut scenario);
        let resolved = scenario.resolve_loaded(name, sets).map_err(|error| error.to_string())?;
        Ok((scenario, resolved))
    });
    match both {
        Ok(both) => Some(both),
        Err(message) => {
            let place = Place { source: FILE, start: 0, end: 0 };
            problems.report(Problem::new(ProblemKind::Internal, place, "", message));
            None
        }
    }
}
