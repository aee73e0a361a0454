//! T-SQL batches: one statement after the other, with the variables they set.

use std::collections::BTreeMap;
use std::ops::Range;

use super::draft::{Draft, is_hopeless, problem};
use super::expression::Held;
use super::model::{StatementForm, StatementKind};
use super::token::{Token, TokenKind, tokens};
use crate::problem::{ProblemKind, Problems};
use crate::words;

/// Words that begin a statement wherever they stand.
const STARTS: [&str; 6] = ["BACKUP", "RESTORE", "EXEC", "EXECUTE", "DECLARE", "SET"];
/// Statements of a text beyond which it is no job step.
const MOST_STATEMENTS: usize = 10_000;
/// Statements that name others as rights.
const RIGHTS: [&str; 3] = ["GRANT", "DENY", "REVOKE"];
/// Words after which it is not known whether a statement runs.
const CONDITIONS: [&str; 3] = ["IF", "ELSE", "WHILE"];

/// A walk over the tokens of a text.
pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    tokens: &'a [Token],
    pub(super) at: usize,
    /// What the variables of the batch hold, by name in small letters.
    pub(super) variables: BTreeMap<String, Held>,
    /// Whether a condition stood before, so that what is set may not be.
    is_conditional: bool,
    /// Where the text stands in another, if it is one of `EXEC('...')`.
    pub(super) within: Option<Range<usize>>,
    pub(super) problems: &'a mut Problems,
    pub(super) drafts: Vec<Draft>,
}

/// The statements of a text.
pub(super) fn read(text: &str, problems: &mut Problems) -> Vec<Draft> {
    read_within(text, None, problems)
}

/// The statements of a text that may stand in another.
pub(super) fn read_within(
    text: &str,
    within: Option<Range<usize>>,
    problems: &mut Problems,
) -> Vec<Draft> {
    let tokens = tokens(text);
    let (variables, drafts) = (BTreeMap::new(), Vec::new());
    let mut reader = Reader {
        text,
        tokens: &tokens,
        at: 0,
        variables,
        is_conditional: false,
        within,
        problems,
        drafts,
    };
    if !reader.refuse_open() {
        reader.statements();
    }
    reader.drafts
}

impl Reader<'_> {
    /// Reports a quote, bracket or comment that is not closed: all that follows is part of it.
    fn refuse_open(&mut self) -> bool {
        let Some(Token { kind: TokenKind::Open(sign), span, .. }) = self.tokens.last() else {
            return false;
        };
        let span = self.placed(&(span.start..span.start + sign.len()));
        let (what, close) = match *sign {
            "/*" => ("comment", "*/"),
            "[" => ("name", "]"),
            other => ("text", other),
        };
        let message = format!("the {what} that begins here is not closed");
        let open = problem(ProblemKind::Syntax, &span, "", message);
        self.problems.report(open.found(sign.to_string()).accepted(format!("a closing `{close}`")));
        true
    }

    fn statements(&mut self) {
        while self.peek().is_some() && !is_hopeless(self.problems) {
            if self.drafts.len() >= MOST_STATEMENTS {
                let span = self.here();
                let message = format!("more than {MOST_STATEMENTS} statements");
                self.problems.report(problem(ProblemKind::OutOfRange, &span, "", message));
                return;
            }
            let before = self.at;
            self.statement();
            // Whatever a statement made of it, this ends.
            self.at = self.at.max(before + 1);
        }
    }

    fn statement(&mut self) {
        if self.take_sign(';') {
            return;
        }
        if self.is_go() {
            self.variables.clear();
            self.is_conditional = false;
            self.at += 1;
            if matches!(self.peek(), Some(Token { kind: TokenKind::Number(_), .. })) {
                self.at += 1;
            }
            return;
        }
        match self.word().as_deref() {
            Some("BACKUP") => self.backup(),
            Some("RESTORE") => self.restore(),
            Some("EXEC" | "EXECUTE") => {
                self.at += 1;
                self.execute();
            }
            Some("DECLARE") => self.declare(),
            Some("SET") => self.set(),
            _ if self.is_procedure("DatabaseBackup") => self.execute(),
            _ => self.other(),
        }
    }

    /// `DECLARE @x type = value, ...`.
    fn declare(&mut self) {
        let begin = self.at;
        self.at += 1;
        while let Some(name) = self.take_variable() {
            self.take_word("AS");
            // The type: a word, perhaps of several parts, perhaps with a length.
            while !self.at_end() && !self.is_sign(',') && !self.is_sign('=') && !self.is_start() {
                if self.is_sign('(') {
                    self.skip_parentheses();
                } else {
                    self.at += 1;
                }
            }
            let null = Held::null();
            let value = if self.take_sign('=') { self.held_value() } else { null };
            self.variables.insert(name.to_lowercase(), value);
            if !self.take_sign(',') {
                break;
            }
        }
        self.skip_to_end();
        self.push_other(begin);
    }

    /// `SET @x = value`, or an option of the session.
    fn set(&mut self) {
        let begin = self.at;
        self.at += 1;
        if let Some(name) = self.take_variable() {
            let value = if self.take_sign('=') { self.held_value() } else { Held::unknown() };
            let value = if self.is_conditional { Held::unknown() } else { value };
            self.variables.insert(name.to_lowercase(), value);
        }
        self.skip_to_end();
        self.push_other(begin);
    }

    /// A value, if a statement ends after it; a longer expression is not followed.
    fn held_value(&mut self) -> Held {
        let value = self.value().map_or(Held::unknown(), super::expression::Value::held);
        if self.at_end() || self.is_sign(',') || self.is_start() { value } else { Held::unknown() }
    }

    /// A statement that moves no backup.
    fn other(&mut self) {
        let begin = self.at;
        let first = self.word().unwrap_or_default();
        self.at += 1;
        let second = self.word().unwrap_or_default();
        let names_operation = ["DATABASE", "LOG", "VERIFYONLY"].contains(&second.as_str());
        let near = words::nearest(&first, ["BACKUP", "RESTORE"]);
        if let (true, Some(near)) = (names_operation, near) {
            let span = self.tokens.get(begin).map_or(0..0, |token| self.placed(&token.span));
            let message = format!("there is no statement `{} {second}`", words::shown(&first));
            let unknown = problem(ProblemKind::UnknownKey, &span, "", message);
            let unknown = unknown.found(words::shown(&first)).accepted("`BACKUP` or `RESTORE`");
            self.problems.report(unknown.suggestion(Some(format!("`{near} {second}`"))));
        }
        self.is_conditional |= CONDITIONS.contains(&first.as_str());
        if RIGHTS.contains(&first.as_str()) {
            while self.word().is_some() || self.is_sign(',') {
                self.at += 1;
            }
        }
        self.skip_to_end();
        self.push_other(begin);
    }

    /// Passes over the rest of a statement. What is assigned on the way is not known afterwards.
    pub(super) fn skip_to_end(&mut self) {
        while !self.at_end() && !self.is_start() {
            if let Some(Token { kind: TokenKind::Variable(name), .. }) = self.peek() {
                let name = name.to_lowercase();
                self.at += 1;
                if self.is_sign('=') && self.variables.contains_key(&name) {
                    self.variables.insert(name, Held::unknown());
                }
                continue;
            }
            let word = self.word().unwrap_or_default();
            self.is_conditional |= CONDITIONS.contains(&word.as_str());
            self.at += 1;
        }
    }

    /// Enters the statement from `begin` to here as one that moves no backup.
    pub(super) fn push_other(&mut self, begin: usize) {
        self.push_named(begin, StatementKind::Other);
    }

    /// Enters the statement from `begin` to here by its first words.
    pub(super) fn push_named(&mut self, begin: usize, kind: StatementKind) {
        let span = self.span_from(begin);
        let mut draft = Draft::new(StatementForm::Sql, kind, span);
        draft.statement.words = self.words_from(begin);
        self.drafts.push(draft);
    }

    /// Up to three words from a token on, in capitals.
    pub(super) fn words_from(&self, begin: usize) -> String {
        let words = self.tokens.iter().take(self.at).skip(begin).take(3);
        let words = words.map_while(|token| match &token.kind {
            TokenKind::Word(word) => Some(words::shown(word).to_uppercase()),
            TokenKind::Bracketed(name) => Some(words::shown(name)),
            _ => None,
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// The bytes from a token to the one before this.
    pub(super) fn span_from(&self, begin: usize) -> Range<usize> {
        let first = self.tokens.get(begin).map_or(self.text.len(), |token| token.span.start);
        let last = self.tokens.get(..self.at.min(self.tokens.len())).and_then(<[_]>::last);
        let end = last.map_or(first, |token| token.span.end).max(first);
        self.placed(&(first..end))
    }

    /// A span of this text as one of the text that was given.
    pub(super) fn placed(&self, span: &Range<usize>) -> Range<usize> {
        self.within.clone().unwrap_or_else(|| span.clone())
    }

    pub(super) fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    /// The token after the next one.
    pub(super) fn after(&self) -> Option<&Token> {
        self.tokens.get(self.at + 1)
    }

    /// The place of the token that is next, or of the end.
    pub(super) fn here(&self) -> Range<usize> {
        let end = || self.tokens.last().map_or(0..0, |token| token.span.end..token.span.end);
        self.placed(&self.peek().map_or_else(end, |token| token.span.clone()))
    }

    /// The next token in capitals, if it is a word without quotes.
    pub(super) fn word(&self) -> Option<String> {
        match self.peek() {
            Some(Token { kind: TokenKind::Word(word), .. }) => Some(word.to_uppercase()),
            _ => None,
        }
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(Token { kind: TokenKind::Word(found), .. })
            if found.eq_ignore_ascii_case(word))
    }

    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let is_next = self.is_word(word);
        self.at += usize::from(is_next);
        is_next
    }

    pub(super) fn is_sign(&self, sign: char) -> bool {
        self.peek().is_some_and(|token| token.kind == TokenKind::Sign(sign))
    }

    pub(super) fn take_sign(&mut self, sign: char) -> bool {
        let is_next = self.is_sign(sign);
        self.at += usize::from(is_next);
        is_next
    }

    pub(super) fn take_variable(&mut self) -> Option<String> {
        let Some(Token { kind: TokenKind::Variable(name), .. }) = self.peek() else { return None };
        let name = name.clone();
        self.at += 1;
        Some(name)
    }

    /// Whether a statement certainly ends here.
    pub(super) fn at_end(&self) -> bool {
        self.peek().is_none() || self.is_sign(';') || self.is_go()
    }

    /// Whether a statement that is known begins here.
    pub(super) fn is_start(&self) -> bool {
        STARTS.iter().any(|start| self.is_word(start))
    }

    /// Whether the token before this is EXEC or EXECUTE.
    pub(super) fn is_after_exec(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        matches!(before, Some(Token { kind: TokenKind::Word(word), .. })
            if word.eq_ignore_ascii_case("EXEC") || word.eq_ignore_ascii_case("EXECUTE"))
    }

    fn is_go(&self) -> bool {
        self.is_word("GO") && self.peek().is_some_and(|token| token.begins_line)
    }

    /// Whether a name of up to four parts begins here, the last of which is `last`.
    fn is_procedure(&self, last: &str) -> bool {
        let mut at = self.at;
        for _ in 0..4 {
            let Some(name) = self.tokens.get(at).and_then(|token| name_of(&token.kind)) else {
                return false;
            };
            let is_last = self.tokens.get(at + 1).is_none_or(|t| t.kind != TokenKind::Sign('.'));
            if is_last {
                return name.eq_ignore_ascii_case(last);
            }
            at += 2;
        }
        false
    }

    /// The last part of a name.
    pub(super) fn take_name(&mut self) -> Option<String> {
        let mut name = name_of(&self.peek()?.kind)?.to_string();
        self.at += 1;
        while self.take_sign('.') {
            let Some(part) = self.peek().and_then(|token| name_of(&token.kind)) else { continue };
            name = part.to_string();
            self.at += 1;
        }
        Some(name)
    }
}

/// The name that a token is.
pub(super) fn name_of(kind: &TokenKind) -> Option<&str> {
    match kind {
        TokenKind::Word(name) | TokenKind::Bracketed(name) | TokenKind::Quoted(name) => Some(name),
        _ => None,
    }
}
