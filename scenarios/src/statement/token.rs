//! The words of T-SQL: any text has some, what is not closed among them.

use std::ops::Range;

use winnow::Result;
use winnow::ascii::multispace1;
use winnow::combinator::{alt, delimited, opt, preceded, repeat};
use winnow::prelude::*;
use winnow::stream::LocatingSlice;
use winnow::token::{any, take_till, take_while};

/// A text that knows where in it one is.
type Input<'a> = LocatingSlice<&'a str>;

/// Longest name of a variable of `sqlcmd`.
const LONGEST_NAME: usize = 128;

/// A word, name, value or sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Range<usize>,
    /// Whether nothing but blanks stands before it on its line.
    pub(super) begins_line: bool,
}

/// The sort of a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A word without quotes.
    Word(String),
    /// `[name]`.
    Bracketed(String),
    /// `"name"`, or a text where quotes mean that.
    Quoted(String),
    /// `'text'` or `N'text'`.
    Text(String),
    /// Digits, with whatever letters follow them.
    Number(String),
    /// `@name`, `@@name` or `$(name)`.
    Variable(String),
    /// Any other character.
    Sign(char),
    /// What the character opens is not closed.
    Open(&'static str),
}

/// What stands between tokens, or a token.
#[derive(Clone)]
enum Piece {
    Blank,
    Token(TokenKind),
}

/// The tokens of a text.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut input = LocatingSlice::new(text);
    let mut tokens = Vec::new();
    let mut line_end = 0;
    // `piece` takes any character, so that only the end of the text stops this.
    while let Ok((piece, span)) = piece.with_span().parse_next(&mut input) {
        let Piece::Token(kind) = piece else { continue };
        let before: &str = text.get(line_end..span.start).unwrap_or_default();
        let begins_line = tokens.is_empty() || before.contains('\n');
        line_end = span.end;
        tokens.push(Token { kind, span, begins_line });
    }
    tokens
}

fn piece(input: &mut Input<'_>) -> Result<Piece> {
    alt((between, token.map(Piece::Token), any.map(sign))).parse_next(input)
}

/// Blanks and comments.
fn between(input: &mut Input<'_>) -> Result<Piece> {
    alt((
        multispace1.value(Piece::Blank),
        ("--", take_till(0.., ['\r', '\n'])).value(Piece::Blank),
        preceded("/*", block_comment),
    ))
    .parse_next(input)
}

fn token(input: &mut Input<'_>) -> Result<TokenKind> {
    alt((text, bracketed, quoted, variable, number, word)).parse_next(input)
}

fn sign(sign: char) -> Piece {
    let is_blank = sign.is_whitespace() || sign == '\u{feff}';
    if is_blank { Piece::Blank } else { Piece::Token(TokenKind::Sign(sign)) }
}

/// The rest of a block comment; they nest, and are counted instead of followed.
fn block_comment(input: &mut Input<'_>) -> Result<Piece> {
    let mut depth = 1_u32;
    while depth > 0 {
        let _: &str = take_till(0.., ['*', '/']).parse_next(input)?;
        match opt(alt(("/*", "*/"))).parse_next(input)? {
            Some("/*") => depth += 1,
            Some(_) => depth -= 1,
            None if opt(any).parse_next(input)?.is_none() => {
                return Ok(Piece::Token(TokenKind::Open("/*")));
            }
            None => {}
        }
    }
    Ok(Piece::Blank)
}

fn text(input: &mut Input<'_>) -> Result<TokenKind> {
    let inner = closed_by(&['\''], "''", "'");
    preceded((opt(alt(('N', 'n'))), '\''), inner)
        .map(|text: Option<String>| text.map_or(TokenKind::Open("'"), TokenKind::Text))
        .parse_next(input)
}

fn bracketed(input: &mut Input<'_>) -> Result<TokenKind> {
    preceded('[', closed_by(&[']'], "]]", "]"))
        .map(|name: Option<String>| name.map_or(TokenKind::Open("["), TokenKind::Bracketed))
        .parse_next(input)
}

fn quoted(input: &mut Input<'_>) -> Result<TokenKind> {
    preceded('"', closed_by(&['"'], "\"\"", "\""))
        .map(|name: Option<String>| name.map_or(TokenKind::Open("\""), TokenKind::Quoted))
        .parse_next(input)
}

/// The text up to its closing sign, which stands for itself if doubled; nothing if it is not
/// closed.
fn closed_by<'a>(
    stop: &'static [char],
    doubled: &'static str,
    close: &'static str,
) -> impl Parser<Input<'a>, Option<String>, winnow::error::ContextError> {
    let plain = take_till(1.., stop);
    let sign = doubled.value(close);
    let inner = repeat(0.., alt((plain, sign))).fold(String::new, |mut text, part: &str| {
        text.push_str(part);
        text
    });
    (inner, opt(close)).map(|(text, end): (String, Option<&str>)| end.map(|_| text))
}

fn variable(input: &mut Input<'_>) -> Result<TokenKind> {
    let of_server = preceded(take_while(1..=2, '@'), take_while(1.., is_inner));
    // Bounded, so that a line of nothing else is not searched again and again.
    let of_sqlcmd = delimited("$(", take_till(1..=LONGEST_NAME, [')', '\r', '\n']), ')');
    alt((
        of_server.take().map(|name: &str| TokenKind::Variable(name.to_string())),
        of_sqlcmd.take().map(|name: &str| TokenKind::Variable(name.to_string())),
    ))
    .parse_next(input)
}

fn number(input: &mut Input<'_>) -> Result<TokenKind> {
    let digits = take_while(1.., |c: char| c.is_ascii_digit());
    let rest = take_while(0.., |c: char| c == '.' || is_inner(c));
    (digits, rest).take().map(|text: &str| TokenKind::Number(text.to_string())).parse_next(input)
}

fn word(input: &mut Input<'_>) -> Result<TokenKind> {
    let begin = take_while(1, |c: char| c.is_alphabetic() || c == '_' || c == '#');
    let rest = take_while(0.., is_inner);
    (begin, rest).take().map(|text: &str| TokenKind::Word(text.to_string())).parse_next(input)
}

/// Whether a character may stand within a name.
fn is_inner(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '#' | '$' | '@')
}
