//! The words of PowerShell, as far as a command with parameters needs them.

use std::ops::Range;

use winnow::Result;
use winnow::combinator::{alt, opt, preceded, repeat};
use winnow::prelude::*;
use winnow::stream::LocatingSlice;
use winnow::token::{any, take_till, take_until, take_while};

/// A text that knows where in it one is.
type Input<'a> = LocatingSlice<&'a str>;

/// A word, value or sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) kind: PartKind,
    pub(super) span: Range<usize>,
}

/// The sort of a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PartKind {
    /// `-Name`; whether a colon ties the value to it.
    Parameter(String, bool),
    /// A text in quotes; nothing if a variable stands in it.
    Text(Option<String>),
    /// A word without quotes.
    Bare(String),
    /// `$name`.
    Variable(String),
    /// `@name`: parameters that stand elsewhere.
    Splat(String),
    /// `(` or `@(`.
    Begin,
    /// `)`.
    End,
    /// The end of a line, or `;`.
    Line,
    /// Any other character.
    Sign(char),
    /// A backquote with blanks after it, which does not join lines.
    LooseJoin,
    /// What the sign opens is not closed.
    Open(&'static str),
}

/// The parts of a text.
pub(super) fn parts(text: &str) -> Vec<Part> {
    let mut input = LocatingSlice::new(text);
    let mut parts = Vec::new();
    // `piece` takes any character, so that only the end of the text stops this.
    while let Ok((piece, span)) = piece.with_span().parse_next(&mut input) {
        if let Some(kind) = piece {
            parts.push(Part { kind, span });
        }
    }
    parts
}

fn piece(input: &mut Input<'_>) -> Result<Option<PartKind>> {
    alt((between, value.map(Some), any.map(|sign| Some(PartKind::Sign(sign))))).parse_next(input)
}

/// Blanks, comments and ends of lines.
fn between(input: &mut Input<'_>) -> Result<Option<PartKind>> {
    let blank = take_while(1.., |c: char| c != '\n' && (c.is_whitespace() || c == '\u{feff}'));
    alt((
        blank.value(None),
        ("`", opt('\r'), '\n').value(None),
        ('`', take_while(1.., [' ', '\t', '\r']), '\n').value(Some(PartKind::LooseJoin)),
        preceded("<#", block_comment),
        ('#', take_till(0.., '\n')).value(None),
        alt(('\n', ';')).value(Some(PartKind::Line)),
    ))
    .parse_next(input)
}

fn value(input: &mut Input<'_>) -> Result<PartKind> {
    alt((
        preceded('\'', single),
        preceded('"', double),
        alt(("@(", "(")).value(PartKind::Begin),
        ')'.value(PartKind::End),
        parameter,
        named,
        bare,
    ))
    .parse_next(input)
}

fn block_comment(input: &mut Input<'_>) -> Result<Option<PartKind>> {
    let closed: Option<&str> = opt(take_until(0.., "#>")).parse_next(input)?;
    if closed.is_some() {
        return "#>".value(None).parse_next(input);
    }
    take_while(0.., |_| true).value(Some(PartKind::Open("<#"))).parse_next(input)
}

/// What follows `'`; `''` stands for itself.
fn single(input: &mut Input<'_>) -> Result<PartKind> {
    let part = alt((take_till(1.., '\''), "''".value("'")));
    let text = repeat(0.., part).fold(String::new, |mut text, part: &str| {
        text.push_str(part);
        text
    });
    (text, opt('\''))
        .map(|(text, end): (String, Option<char>)| match end {
            Some(_) => PartKind::Text(Some(text)),
            None => PartKind::Open("'"),
        })
        .parse_next(input)
}

/// One piece of a text in double quotes; nothing for a variable or an expression.
fn inner<'a>(input: &mut Input<'a>) -> Result<Option<&'a str>> {
    alt((
        take_till(1.., ['"', '`', '$']).map(Some),
        "\"\"".value(Some("\"")),
        preceded('`', any.take()).map(Some),
        ('$', take_while(1.., |c: char| c.is_alphanumeric() || "_({".contains(c))).value(None),
        '$'.value(Some("$")),
    ))
    .parse_next(input)
}

/// What follows `"`.
fn double(input: &mut Input<'_>) -> Result<PartKind> {
    let text = repeat(0.., inner).fold(
        || Some(String::new()),
        |text: Option<String>, part| {
            let (mut text, part) = (text?, part?);
            text.push_str(part);
            Some(text)
        },
    );
    (text, opt('"'))
        .map(|(text, end): (Option<String>, Option<char>)| match end {
            Some(_) => PartKind::Text(text),
            None => PartKind::Open("\""),
        })
        .parse_next(input)
}

fn parameter(input: &mut Input<'_>) -> Result<PartKind> {
    let begin = take_while(1, |c: char| c.is_ascii_alphabetic());
    let rest = take_while(0.., |c: char| c.is_ascii_alphanumeric() || c == '_');
    preceded('-', ((begin, rest).take(), opt(':')))
        .map(|(name, colon): (&str, Option<char>)| {
            PartKind::Parameter(name.to_string(), colon.is_some())
        })
        .parse_next(input)
}

/// `$name` and `@name`.
fn named(input: &mut Input<'_>) -> Result<PartKind> {
    let name = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '.');
    let variable = preceded('$', take_while(1.., name));
    let splat = preceded('@', take_while(1.., name));
    alt((
        variable.map(|name: &str| PartKind::Variable(name.to_string())),
        splat.map(|name: &str| PartKind::Splat(name.to_string())),
    ))
    .parse_next(input)
}

fn bare(input: &mut Input<'_>) -> Result<PartKind> {
    let ends = |c: char| c.is_whitespace() || "',;|(){}\"`".contains(c);
    let first = take_while(1, move |c: char| !ends(c) && c != '=');
    let rest = take_while(0.., move |c: char| !ends(c));
    (first, rest).take().map(|text: &str| PartKind::Bare(text.to_string())).parse_next(input)
}
