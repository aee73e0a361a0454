//! Markup that is well formed by the way it is made, with every text in it escaped.
//!
//! Nothing outside of this file writes a `<`, save a drawing that is taken as it is.

use std::fmt::Write;

/// A piece of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Markup(String);

/// An attribute with its value.
pub(crate) type Attribute<'a> = (&'static str, &'a str);

impl Markup {
    /// Nothing.
    pub(crate) fn new() -> Self {
        Markup::default()
    }

    /// Adds a text.
    #[must_use]
    pub(crate) fn text(mut self, text: &str) -> Self {
        escape(text, &mut self.0);
        self
    }

    /// Adds an element with what is in it.
    #[must_use]
    pub(crate) fn tag(
        mut self,
        name: &'static str,
        attributes: &[Attribute<'_>],
        inner: impl Into<Markup>,
    ) -> Self {
        self.open(name, attributes);
        self.0.push('>');
        self.0.push_str(&inner.into().0);
        // A string takes every write.
        let _ = write!(self.0, "</{name}>");
        self
    }

    /// Adds an element that holds nothing and has no end.
    #[must_use]
    pub(crate) fn void(mut self, name: &'static str, attributes: &[Attribute<'_>]) -> Self {
        self.open(name, attributes);
        self.0.push('>');
        self
    }

    /// Adds a shape of a drawing.
    #[must_use]
    pub(crate) fn shape(mut self, name: &'static str, attributes: &[Attribute<'_>]) -> Self {
        self.open(name, attributes);
        self.0.push_str("/>");
        self
    }

    /// Adds a line break in the source, so that the page can be read as text.
    #[must_use]
    pub(crate) fn line(mut self) -> Self {
        self.0.push('\n');
        self
    }

    /// Adds other markup.
    #[must_use]
    pub(crate) fn and(mut self, other: impl Into<Markup>) -> Self {
        self.0.push_str(&other.into().0);
        self
    }

    /// Adds what is markup already: a style sheet or a drawing of this crate.
    #[must_use]
    pub(crate) fn raw(mut self, markup: &str) -> Self {
        self.0.push_str(markup);
        self
    }

    /// Whether there is nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// As it is written.
    pub(crate) fn into_string(self) -> String {
        self.0
    }

    fn open(&mut self, name: &'static str, attributes: &[Attribute<'_>]) {
        self.0.push('<');
        self.0.push_str(name);
        for (key, value) in attributes {
            let _ = write!(self.0, " {key}=\"");
            escape(value, &mut self.0);
            self.0.push('"');
        }
    }
}

impl From<&str> for Markup {
    fn from(text: &str) -> Self {
        Markup::new().text(text)
    }
}

impl From<String> for Markup {
    fn from(text: String) -> Self {
        Markup::new().text(&text)
    }
}

/// An element alone.
pub(crate) fn tag(
    name: &'static str,
    attributes: &[Attribute<'_>],
    inner: impl Into<Markup>,
) -> Markup {
    Markup::new().tag(name, attributes, inner)
}

/// An element with a class.
pub(crate) fn classed(name: &'static str, class: &str, inner: impl Into<Markup>) -> Markup {
    tag(name, &[("class", class)], inner)
}

/// A text that somebody else has chosen: whatever way it is written in, what stands around it keeps
/// its place.
pub(crate) fn foreign(text: &str) -> Markup {
    tag("bdi", &[], text)
}

/// The same cut to a number of characters, its end marked.
pub(crate) fn foreign_cut(text: &str, most: usize) -> Markup {
    foreign(&crate::text::cut(text, most))
}

/// A table of texts; columns from `right` on are aligned to the right.
pub(crate) fn table(headings: &[&str], right: usize, rows: &[Vec<String>]) -> Markup {
    let class = |column: usize| if column >= right { "number" } else { "" };
    let cell = |name: &'static str, column: usize, text: &str| match class(column) {
        "" if column == 0 && name == "td" => tag("th", &[("scope", "row")], foreign(text)),
        "" => tag(name, &[], foreign(text)),
        class => classed(name, class, text),
    };
    let line = |name: &'static str, texts: &[&str]| {
        let cells = texts.iter().enumerate();
        let cells = cells.fold(Markup::new(), |all, (i, text)| all.and(cell(name, i, text)));
        tag("tr", &[], cells).line()
    };
    let body = rows.iter().fold(Markup::new(), |all, row| {
        all.and(line("td", &row.iter().map(String::as_str).collect::<Vec<_>>()))
    });
    let head = tag("thead", &[], line("th", headings));
    let whole = tag("table", &[], head.and(tag("tbody", &[], body))).line();
    classed("div", "wide", whole)
}

/// Writes a text so that no reader of the page takes any of it for markup, and so that every
/// character that steers instead of being seen is seen.
fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            c if is_hidden(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
}

/// Control characters, those that turn the direction of writing, and what is no character.
fn is_hidden(c: char) -> bool {
    let turns =
        matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_none = u32::from(c) & 0xfffe == 0xfffe || matches!(c, '\u{fdd0}'..='\u{fdef}');
    c.is_control() || turns || is_none || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_put_in_is_text() {
        let hostile = "</p><script>\"'&\u{0}\u{202e}\u{ffff}";
        let page = tag("p", &[("title", hostile)], hostile).into_string();
        let escaped = "&lt;/p&gt;&lt;script&gt;&quot;&#39;&amp;\\u{0}\\u{202e}\\u{ffff}";
        assert_eq!(page, format!("<p title=\"{escaped}\">{escaped}</p>"));
    }

    #[test]
    fn a_table_has_its_cells_where_its_headings_are() {
        let text = table(&["a", "b"], 1, &[vec!["<x>".to_string(), "1".to_string()]]);
        let text = text.into_string();
        assert!(text.contains("<th scope=\"row\"><bdi>&lt;x&gt;</bdi></th>"), "{text}");
        assert!(text.contains("<th class=\"number\">b</th>"), "{text}");
        assert!(text.contains("<td class=\"number\">1</td>"), "{text}");
    }
}
