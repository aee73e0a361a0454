//! Values in T-SQL: literals, variables that have one, and texts put together from them.

use std::ops::Range;

use super::batch::Reader;
use super::token::TokenKind;

/// Longest value a variable keeps: a path has 259 characters, and values that hold themselves
/// twice would grow without end.
const LONGEST_VARIABLE: usize = 2048;

/// A value as it was written, and what it is if that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Value {
    /// Absent: only the server knows.
    pub(super) text: Option<String>,
    /// Whether it is NULL.
    pub(super) is_null: bool,
    /// Whether it stood in quotes, or is a number or a variable: no bare word.
    pub(super) is_literal: bool,
    pub(super) span: Range<usize>,
}

/// What a variable holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Held {
    text: Option<String>,
    is_null: bool,
}

impl Held {
    /// What only the server knows.
    pub(super) const fn unknown() -> Self {
        Held { text: None, is_null: false }
    }

    /// Nothing yet.
    pub(super) const fn null() -> Self {
        Held { text: None, is_null: true }
    }
}

impl Value {
    fn unknown(span: Range<usize>) -> Self {
        Value { text: None, is_null: false, is_literal: true, span }
    }

    /// What a variable keeps of it.
    pub(super) fn held(self) -> Held {
        let text = self.text.filter(|text| text.len() <= LONGEST_VARIABLE);
        Held { text, is_null: self.is_null }
    }
}

impl Reader<'_> {
    /// A value; nothing if there is none.
    pub(super) fn value(&mut self) -> Option<Value> {
        let mut value = self.term()?;
        while self.take_sign('+') {
            let next = self.term()?;
            value.span.end = next.span.end.max(value.span.start);
            value.is_null |= next.is_null;
            value.text = match (value.text, next.text) {
                (Some(mut begin), Some(end)) => {
                    begin.push_str(&end);
                    Some(begin)
                }
                _ => None,
            };
        }
        Some(value)
    }

    fn term(&mut self) -> Option<Value> {
        let token = self.peek()?;
        let span = self.placed(&token.span);
        let known = |text: &str, is_literal| Value {
            text: Some(text.to_string()),
            is_null: false,
            is_literal,
            span: span.clone(),
        };
        let value = match &token.kind {
            TokenKind::Text(text) | TokenKind::Quoted(text) | TokenKind::Number(text) => {
                known(text, true)
            }
            TokenKind::Bracketed(name) => known(name, true),
            TokenKind::Variable(name) => self.held_by(name, span),
            TokenKind::Word(word) if word.eq_ignore_ascii_case("NULL") => {
                Value { text: None, is_null: true, is_literal: true, span }
            }
            TokenKind::Word(word) => known(word, false),
            TokenKind::Sign('-') => {
                // A number only: signs one after the other are not followed.
                let next = self.after()?;
                let TokenKind::Number(number) = &next.kind else { return None };
                let end = self.placed(&next.span).end;
                let number = known(&format!("-{number}"), true);
                self.at += 2;
                return Some(Value { span: span.start..end, ..number });
            }
            TokenKind::Sign('(') => {
                self.skip_parentheses();
                return Some(Value::unknown(span));
            }
            TokenKind::Sign(_) | TokenKind::Open(_) => return None,
        };
        self.at += 1;
        if self.is_sign('(') {
            self.skip_parentheses();
            return Some(Value::unknown(value.span));
        }
        Some(value)
    }

    fn held_by(&self, name: &str, span: Range<usize>) -> Value {
        match self.variables.get(&name.to_lowercase()) {
            Some(Held { text, is_null }) => {
                Value { text: text.clone(), is_null: *is_null, is_literal: true, span }
            }
            None => Value::unknown(span),
        }
    }

    /// Passes over what stands in parentheses.
    pub(super) fn skip_parentheses(&mut self) {
        let mut depth = 0_usize;
        while let Some(token) = self.peek() {
            match token.kind {
                TokenKind::Sign('(') => depth += 1,
                TokenKind::Sign(')') => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }
}
