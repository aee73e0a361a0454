//! dbatools' `Backup-DbaDatabase`.

mod parameter;

use std::collections::BTreeMap;
use std::ops::Range;

use super::draft::{Draft, is_hopeless, problem};
use super::model::{StatementForm, StatementKind};
use super::powershell::{Part, PartKind, parts};
use crate::problem::{ProblemKind, Problems};
use crate::words;

use parameter::{Call, Parameter, Takes};

/// The command.
const COMMAND: &str = "Backup-DbaDatabase";
/// Most values of one parameter.
const MOST_VALUES: usize = 1000;

/// Most values of one variable, and the longest of them.
const MOST_HELD: usize = 64;
const LONGEST_HELD: usize = 2048;

/// One value as it was written; nothing if only the shell knows it.
#[derive(Debug, Clone)]
struct Value {
    text: Option<String>,
    written: String,
    span: Range<usize>,
}

/// A walk over the parts of a script.
struct Script<'a> {
    text: &'a str,
    parts: Vec<Part>,
    at: usize,
    /// Variables by name in small letters.
    variables: BTreeMap<String, Vec<Option<String>>>,
    problems: &'a mut Problems,
    drafts: Vec<Draft>,
    is_piped: bool,
}

/// The commands of a script.
pub(super) fn read(text: &str, problems: &mut Problems) -> Vec<Draft> {
    let (variables, drafts) = (BTreeMap::new(), Vec::new());
    let parts = parts(text);
    let mut script = Script { text, parts, at: 0, variables, problems, drafts, is_piped: false };
    if !script.refuse_open() {
        while script.kind().is_some() && !is_hopeless(script.problems) {
            let before = script.at;
            script.line();
            script.at = script.at.max(before + 1);
        }
    }
    script.drafts
}

impl Script<'_> {
    fn refuse_open(&mut self) -> bool {
        let Some(Part { kind: PartKind::Open(sign), span }) = self.parts.last() else {
            return false;
        };
        let span = span.start..(span.start + sign.len()).min(self.text.len());
        let message = "what begins here is not closed".to_string();
        let open = problem(ProblemKind::Syntax, &span, "", message);
        self.problems.report(open.found((*sign).to_string()).accepted("its closing sign"));
        true
    }

    fn kind(&self) -> Option<&PartKind> {
        self.parts.get(self.at).map(|part| &part.kind)
    }

    fn span(&self) -> Range<usize> {
        let end = self.text.len();
        self.parts.get(self.at).map_or(end..end, |part| part.span.clone())
    }

    fn is_end(&self) -> bool {
        matches!(self.kind(), None | Some(PartKind::Line | PartKind::Sign('|' | '}')))
    }

    /// One command, or an assignment.
    fn line(&mut self) {
        match self.kind().cloned() {
            Some(PartKind::Line) => {
                self.at += 1;
                self.is_piped = false;
            }
            Some(PartKind::Sign('|')) => {
                self.at += 1;
                self.is_piped = true;
            }
            Some(PartKind::Variable(name)) => self.assignment(&name),
            Some(PartKind::Bare(word)) if is_command(&word) => self.command(),
            Some(PartKind::Bare(word)) => {
                let mut draft =
                    Draft::new(StatementForm::Dbatools, StatementKind::Other, self.span());
                draft.statement.words = words::shown(&word);
                self.drafts.push(draft);
                self.skip();
            }
            _ => self.at += 1,
        }
    }

    /// Passes over the rest of a command.
    fn skip(&mut self) {
        while !self.is_end() {
            self.at += 1;
        }
    }

    /// `$name = values`.
    fn assignment(&mut self, name: &str) {
        self.at += 1;
        if self.kind() != Some(&PartKind::Sign('=')) {
            return self.skip();
        }
        self.at += 1;
        if matches!(self.kind(), Some(PartKind::Bare(word)) if is_command(word)) {
            return;
        }
        let values = self.values();
        let is_whole = self.is_end() && values.len() <= MOST_HELD;
        let fits = |text: &String| is_whole && text.len() <= LONGEST_HELD;
        let known = values.into_iter().take(MOST_HELD).map(|value| value.text.filter(fits));
        self.variables.insert(name.to_lowercase(), known.collect());
        self.skip();
    }

    /// `Backup-DbaDatabase ...`.
    fn command(&mut self) {
        let begin = self.span().start;
        let kind = StatementKind::BackupDatabase;
        let mut draft = Draft::new(StatementForm::Dbatools, kind, self.span());
        draft.statement.words = COMMAND.to_string();
        let mut call = Call::default();
        self.at += 1;
        if self.is_piped {
            draft.note(&(begin..begin), "the databases come from the command before it");
        }
        while !self.is_end() && !is_hopeless(self.problems) {
            self.argument(&mut draft, &mut call);
        }
        let end = self.parts.get(self.at.saturating_sub(1)).map_or(begin, |part| part.span.end);
        draft.statement.span = begin..end.max(begin);
        call.finish(&mut draft, self.problems);
        self.drafts.push(draft);
    }

    /// One parameter with its values.
    fn argument(&mut self, draft: &mut Draft, call: &mut Call) {
        let span = self.span();
        match self.kind().cloned() {
            Some(PartKind::Parameter(name, is_tied)) => {
                self.at += 1;
                let found = parameter::find(&name);
                match found {
                    Ok(known) => self.known(draft, call, known, is_tied, &span),
                    Err(fault) => {
                        self.problems.report(fault.problem(&name, &span));
                        self.values();
                    }
                }
            }
            Some(PartKind::Splat(name)) => {
                self.at += 1;
                draft.unresolved("parameters", &format!("@{name}"), &span);
            }
            Some(PartKind::LooseJoin) => {
                self.at += 1;
                let message = "blanks after a backquote: the command ends here".to_string();
                let loose = problem(ProblemKind::Syntax, &span, "", message);
                self.problems.report(loose.accepted("the backquote as last character of the line"));
            }
            _ => {
                let written = words::shown(self.text.get(span.clone()).unwrap_or_default());
                let message = format!("expected a parameter, found `{written}`");
                let wrong = problem(ProblemKind::Syntax, &span, "", message).found(written);
                self.problems.report(wrong.accepted("`-Name value`"));
                self.skip();
            }
        }
    }

    fn known(
        &mut self,
        draft: &mut Draft,
        call: &mut Call,
        known: &'static Parameter,
        is_tied: bool,
        span: &Range<usize>,
    ) {
        let values = match known.takes {
            Takes::Switch if !is_tied => Vec::new(),
            _ => self.values(),
        };
        let last = values.last().map_or(span.end, |value| value.span.end);
        let whole = span.start..last.max(span.end);
        draft.enter(known.option(), &whole, self.problems);
        let is_stated = matches!(known.takes, Takes::Switch) || !values.is_empty();
        if !is_stated {
            let message = format!("`-{}` has no value", known.name);
            let missing = problem(ProblemKind::MissingKey, &whole, known.name, message);
            self.problems.report(missing.accepted("a value after it"));
            return;
        }
        call.enter(draft, known, &values, &whole, self.problems);
    }

    /// Values with commas between them, perhaps in parentheses.
    fn values(&mut self) -> Vec<Value> {
        let mut values = Vec::new();
        let (mut depth, mut is_wanted, mut is_expression) = (0_usize, true, false);
        while let Some(kind) = self.kind() {
            let found = match kind {
                PartKind::Text(text) if is_wanted => Some(vec![text.clone()]),
                PartKind::Bare(word) if is_wanted => Some(vec![Some(word.clone())]),
                PartKind::Variable(name) if is_wanted => Some(self.held_by(name)),
                _ => None,
            };
            if let Some(found) = found {
                let span = self.span();
                let written = self.text.get(span.clone()).unwrap_or_default();
                let room = MOST_VALUES.saturating_sub(values.len());
                values.extend(found.into_iter().take(room).map(|text| Value {
                    text,
                    written: words::shown(written),
                    span: span.clone(),
                }));
                is_wanted = false;
                self.at += 1;
                continue;
            }
            match kind {
                PartKind::Begin if is_wanted || depth > 0 => depth += 1,
                PartKind::End if depth > 0 => {
                    depth -= 1;
                    is_wanted = false;
                }
                PartKind::Line if depth > 0 || (is_wanted && !values.is_empty()) => {}
                PartKind::Sign(',') => is_wanted = true,
                // An expression, which only the shell can compute.
                _ if depth > 0 => is_expression = true,
                _ => break,
            }
            self.at += 1;
        }
        if is_expression {
            values.iter_mut().for_each(|value| value.text = None);
        }
        values
    }

    /// What a variable holds.
    fn held_by(&self, name: &str) -> Vec<Option<String>> {
        match self.variables.get(&name.to_lowercase()) {
            Some(known) => known.clone(),
            None => vec![parameter::flag(name).map(|_| name.to_string())],
        }
    }
}

/// Whether a word is the command, perhaps with its module before it.
fn is_command(word: &str) -> bool {
    word.rsplit('\\').next().is_some_and(|name| name.eq_ignore_ascii_case(COMMAND))
}
