//! BACKUP: what, where to, and mirrors of it.

use super::batch::{Reader, name_of};
use super::draft::{Draft, problem};
use super::model::{StatementForm, StatementKind, Target, TargetKind};
use super::option::{self, Verb};
use super::token::TokenKind;
use crate::problem::ProblemKind;
use crate::words;

/// What else can be backed up: no data, so nothing to time.
const KEYS: [&str; 6] = ["CERTIFICATE", "MASTER", "SERVICE", "SYMMETRIC", "SERVER", "GROUP"];
/// Words for the sort of a target.
const KINDS: [(&str, TargetKind); 4] = [
    ("DISK", TargetKind::Disk),
    ("URL", TargetKind::Url),
    ("TAPE", TargetKind::Tape),
    ("VIRTUAL_DEVICE", TargetKind::Virtual),
];

impl Reader<'_> {
    /// BACKUP ...
    pub(super) fn backup(&mut self) {
        let begin = self.at;
        self.at += 1;
        let kind = match self.word().as_deref() {
            Some("DATABASE") => StatementKind::BackupDatabase,
            Some("LOG" | "TRAN" | "TRANSACTION") => StatementKind::BackupLog,
            Some(word) if KEYS.contains(&word) => {
                self.skip_to_end();
                return self.push_other(begin);
            }
            _ => return self.recover(&["DATABASE", "LOG"]),
        };
        self.at += 1;
        let mut draft = Draft::new(StatementForm::Sql, kind, self.span_from(begin));
        draft.statement.words = self.words_from(begin);
        if self.body(&mut draft).is_some() {
            self.close(draft, begin);
        }
    }

    /// What follows `BACKUP DATABASE`; nothing if it was not understood.
    fn body(&mut self, draft: &mut Draft) -> Option<()> {
        self.database(draft)?;
        self.parts(draft)?;
        if !self.take_word("TO") {
            self.recover(&["TO"]);
            return None;
        }
        draft.statement.targets = self.targets(draft)?;
        while self.take_word("MIRROR") {
            if !self.take_word("TO") {
                self.recover(&["TO"]);
                return None;
            }
            let mirror = self.targets(draft)?;
            draft.statement.mirrors.push(mirror);
        }
        let verb = Verb::of(draft.statement.kind);
        option::read(self, draft, verb)
    }

    /// Enters a statement that was read, and looks at what follows it.
    pub(super) fn close(&mut self, mut draft: Draft, begin: usize) {
        draft.statement.span = self.span_from(begin);
        let verb = Verb::of(draft.statement.kind);
        self.drafts.push(draft);
        if self.at_end() || self.is_start() {
            return;
        }
        let word = self.word().unwrap_or_default();
        if self.is_sign(',') || self.is_sign('=') || option::is_known(&word, verb) {
            let accepted = if self.is_sign(',') { &["WITH", ";"][..] } else { &["WITH", ",", ";"] };
            self.recover(accepted);
        } else if word.is_empty() {
            self.recover(&[",", "WITH", ";"]);
        }
    }

    /// The name of the database.
    pub(super) fn database(&mut self, draft: &mut Draft) -> Option<()> {
        let span = self.here();
        if matches!(self.peek().map(|token| &token.kind), Some(TokenKind::Variable(_))) {
            let value = self.value()?;
            match value.text {
                Some(name) => draft.statement.database = Some(name),
                None => draft.unresolved("database", self.written(&value.span), &span),
            }
            return Some(());
        }
        let name = self.peek().and_then(|token| match &token.kind {
            TokenKind::Word(word) if is_reserved(word) => None,
            TokenKind::Text(name) => Some(name.clone()),
            kind => name_of(kind).map(str::to_string),
        });
        if name.is_none() {
            self.recover(&["the name of a database"]);
        } else {
            self.at += 1;
        }
        draft.statement.database = Some(name?);
        Some(())
    }

    /// Files and filegroups.
    pub(super) fn parts(&mut self, draft: &mut Draft) -> Option<()> {
        loop {
            let word = self.word().unwrap_or_default();
            match word.as_str() {
                "READ_WRITE_FILEGROUPS" => {
                    self.at += 1;
                    draft.statement.parts.push(word);
                }
                "FILE" | "FILEGROUP" | "PAGE" => {
                    self.at += 1;
                    let is_stated = self.take_sign('=');
                    let value = if is_stated { self.value() } else { None };
                    let Some(value) = value else {
                        self.recover(&[if is_stated { "a name in quotes" } else { "=" }]);
                        return None;
                    };
                    match value.text {
                        Some(name) => draft.statement.parts.push(name),
                        None => {
                            draft.unresolved(&word, self.written(&value.span), &value.span);
                            draft.statement.parts.push(word);
                        }
                    }
                }
                _ => return Some(()),
            }
            if !self.take_sign(',') {
                return Some(());
            }
        }
    }

    /// One or several targets.
    pub(super) fn targets(&mut self, draft: &mut Draft) -> Option<Vec<Target>> {
        let mut targets = Vec::new();
        loop {
            targets.push(self.target(draft)?);
            if !self.take_sign(',') {
                return Some(targets);
            }
        }
    }

    fn target(&mut self, draft: &mut Draft) -> Option<Target> {
        let span = self.here();
        let word = self.word().unwrap_or_default();
        let Some((name, kind)) = KINDS.iter().find(|(name, _)| *name == word) else {
            return self.logical(draft);
        };
        self.at += 1;
        if !self.take_sign('=') {
            self.recover(&["="]);
            return None;
        }
        match self.value() {
            Some(value) if value.is_literal => {
                let path = match value.text {
                    Some(path) if !path.trim().is_empty() => path,
                    None if !value.is_null => {
                        draft.unresolved(name, self.written(&value.span), &value.span);
                        String::new()
                    }
                    _ => {
                        let message = format!("`{name}` has no path");
                        let empty = problem(ProblemKind::OutOfRange, &value.span, name, message);
                        self.problems.report(empty.accepted("a path in quotes"));
                        String::new()
                    }
                };
                let end = value.span.end.max(span.start);
                Some(Target { kind: *kind, path, span: span.start..end })
            }
            bare => {
                self.at -= usize::from(bare.is_some());
                self.recover(&["a path in quotes"]);
                None
            }
        }
    }

    /// A backup device by its name, or by a variable that holds it.
    fn logical(&mut self, draft: &mut Draft) -> Option<Target> {
        let span = self.here();
        let token = self.peek().map(|token| token.kind.clone());
        match token {
            Some(TokenKind::Variable(_)) => {
                let value = self.value()?;
                let path = value.text.unwrap_or_else(|| {
                    draft.unresolved("backup device", self.written(&value.span), &span);
                    String::new()
                });
                Some(Target { kind: TargetKind::Logical, path, span })
            }
            Some(TokenKind::Word(word)) if !is_reserved(&word) => {
                self.at += 1;
                if self.is_sign('=') {
                    self.at -= 1;
                    self.recover(&KINDS.map(|(name, _)| name));
                    return None;
                }
                Some(Target { kind: TargetKind::Logical, path: word, span })
            }
            Some(TokenKind::Bracketed(name) | TokenKind::Quoted(name)) => {
                self.at += 1;
                Some(Target { kind: TargetKind::Logical, path: name, span })
            }
            _ => {
                self.recover(&["DISK", "URL", "TAPE", "VIRTUAL_DEVICE", "a backup device"]);
                None
            }
        }
    }

    /// Reports what stands here instead of what is accepted, and passes over the statement.
    pub(super) fn recover(&mut self, accepted: &[&str]) {
        let span = self.here();
        let written = words::shown(self.written(&span));
        let found =
            if self.peek().is_none() { "the end".to_string() } else { format!("`{written}`") };
        let listed: Vec<String> = accepted.iter().map(|word| in_quotes(word)).collect();
        let listed = listed.join(" or ");
        let near = words::nearest(&written, accepted.iter().copied());
        let message = format!("expected {listed}, found {found}");
        let wrong = problem(ProblemKind::Syntax, &span, "", message).found(written.clone());
        let wrong = wrong.accepted(listed);
        self.problems.report(wrong.suggestion(near.map(|near| format!("`{near}`"))));
        self.skip_to_end();
    }

    /// The text of a span; of a text within another, that of the whole literal.
    pub(super) fn written(&self, span: &std::ops::Range<usize>) -> &str {
        match &self.within {
            Some(_) => "a value within EXEC",
            None => self.text.get(span.clone()).unwrap_or_default(),
        }
    }
}

/// A word of the language in quotes; a description without.
fn in_quotes(word: &str) -> String {
    if word.contains(' ') { word.to_string() } else { format!("`{word}`") }
}

/// Whether a word of a statement cannot be a name.
fn is_reserved(word: &str) -> bool {
    let reserved = ["TO", "FROM", "WITH", "MIRROR", "BACKUP", "RESTORE", "EXEC", "GO"];
    reserved.iter().any(|other| other.eq_ignore_ascii_case(word))
}
