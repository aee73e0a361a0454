//! Problems as the compiler of this program would print them: the line, and what is underlined.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::{Problem, Problems};
use crate::place::Source;

/// Most problems shown at a time.
pub(super) const MOST_SHOWN: usize = 20;
/// Most bytes of a line shown on each side of the underlined part.
const MARGIN: usize = 100;
/// Most bytes underlined.
const MOST_UNDERLINED: usize = 80;

/// The problems with the lines they stand in.
pub(super) fn render(problems: &Problems, colour: bool) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let shown = problems.list.iter().take(MOST_SHOWN);
    let mut text = String::new();
    for problem in shown {
        text.push_str(&renderer.render(&[group(problem, problems)]));
        text.push_str("\n\n");
    }
    match problems.len() {
        1 => {}
        count @ 2..=MOST_SHOWN => text.push_str(&format!("{count} problems\n")),
        count => text.push_str(&format!("and {} more\n", count - MOST_SHOWN)),
    }
    text
}

fn group<'a>(problem: &'a Problem, problems: &'a Problems) -> Group<'a> {
    let mut group = Group::with_title(Level::ERROR.primary_title(problem.message.as_str()));
    let place = problem.place;
    if let Some((place, source)) =
        place.and_then(|place| problems.sources.of(place).map(|source| (place, source)))
    {
        let (window, line) = window(source, place.start..place.end);
        let marked = clamp(&source.text, place.start..place.end, &window);
        let snippet = Snippet::source(&source.text[window.clone()])
            .line_start(line)
            .path(source.name.as_str())
            .annotation(AnnotationKind::Primary.span(relative(&marked, &window)));
        group = group.element(snippet);
    }
    if !problem.accepted.is_empty() {
        group = group.element(Level::NOTE.message(format!("accepted: {}", problem.accepted)));
    }
    if let Some(suggestion) = &problem.suggestion {
        group = group.element(Level::HELP.message(format!("did you mean {suggestion}?")));
    }
    group
}

/// The part of the line around `span` that is shown, and the number of the line.
fn window(source: &Source, span: Range<usize>) -> (Range<usize>, usize) {
    let text = &source.text;
    let line = source.line_range(span.start.min(text.len()));
    let from = span.start.saturating_sub(MARGIN).max(line.start);
    let to = (span.start + MOST_UNDERLINED + MARGIN).min(line.end).max(from);
    let to = if text[..floor(text, to)].ends_with('\r') { to - 1 } else { to }.max(from);
    let window = floor(text, from)..floor(text, to);
    let (number, _) = source.line_and_column(window.start);
    (window, number)
}

/// The underlined part: `span` kept within the window.
fn clamp(text: &str, span: Range<usize>, window: &Range<usize>) -> Range<usize> {
    let start = floor(text, span.start.clamp(window.start, window.end));
    let most = (start + MOST_UNDERLINED).min(window.end);
    start..floor(text, span.end.clamp(start, most.max(start)))
}

fn relative(span: &Range<usize>, window: &Range<usize>) -> Range<usize> {
    span.start - window.start..span.end - window.start
}

/// The nearest boundary of characters at or before `at`.
fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
