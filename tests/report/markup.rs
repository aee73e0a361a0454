//! A strict reader of pages: every element is closed where it should be, every attribute is quoted
//! and stands once, every sign that means something to a reader is escaped.

use std::iter::Peekable;
use std::str::Chars;

/// An element with all text in it, that of elements within included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) attributes: Vec<(String, String)>,
    pub(super) text: String,
}

impl Element {
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        self.attributes.iter().find(|(own, _)| own == key).map(|(_, value)| value.as_str())
    }
}

const VOID: [&str; 3] = ["meta", "link", "br"];

/// The elements of a page, in the order in which they begin.
pub(super) fn parse(page: &str) -> Result<Vec<Element>, String> {
    let page = page.strip_prefix("<!DOCTYPE html>\n").unwrap_or(page);
    let mut reader =
        Reader { rest: page.chars().peekable(), elements: Vec::new(), open: Vec::new() };
    while reader.rest.peek().is_some() {
        reader.step()?;
    }
    match reader.open.last() {
        Some(open) => Err(format!("<{}> is not closed", reader.elements[*open].name)),
        None => Ok(reader.elements),
    }
}

struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
    elements: Vec<Element>,
    /// Places of the elements that are open.
    open: Vec<usize>,
}

impl Reader<'_> {
    fn step(&mut self) -> Result<(), String> {
        if self.is_in_style() {
            return self.style();
        }
        match self.rest.next() {
            Some('<') => self.tag(),
            Some('>') => Err("a `>` that is not escaped".to_string()),
            Some('&') => self.entity().map(|c| self.add(c)),
            Some(c) if c.is_control() && c != '\n' && c != '\t' => Err(format!("{c:?}")),
            Some(c) => {
                self.add(c);
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn is_in_style(&self) -> bool {
        self.open.last().is_some_and(|open| self.elements[*open].name == "style")
            && self.elements[self.open[self.open.len() - 1]].text.is_empty()
    }

    /// What is between `<style>` and its end is no markup.
    fn style(&mut self) -> Result<(), String> {
        let mut text = String::new();
        while let Some(c) = self.rest.next_if(|c| *c != '<') {
            text.push(c);
        }
        let open = self.open[self.open.len() - 1];
        self.elements[open].text = text;
        Ok(())
    }

    fn add(&mut self, c: char) {
        for open in &self.open {
            self.elements[*open].text.push(c);
        }
    }

    fn word(&mut self) -> String {
        let is_name = |c: &char| c.is_ascii_alphanumeric() || "-:_".contains(*c);
        std::iter::from_fn(|| self.rest.next_if(is_name)).collect()
    }

    fn tag(&mut self) -> Result<(), String> {
        let closes = self.rest.next_if_eq(&'/').is_some();
        let name = self.word();
        if name.is_empty() {
            return Err("a `<` that is not escaped".to_string());
        }
        if closes {
            self.expect('>')?;
            // Cells are apart where lines are.
            if ["td", "th", "tr", "p", "li", "h2", "h3"].contains(&name.as_str()) {
                self.add(' ');
            }
            let open = self.open.pop().ok_or(format!("</{name}> closes nothing"))?;
            let opened = &self.elements[open].name;
            return match *opened == name {
                true => Ok(()),
                false => Err(format!("</{name}> closes <{opened}>")),
            };
        }
        let attributes = self.attributes(&name)?;
        let is_closed = self.rest.next_if_eq(&'/').is_some();
        self.expect('>')?;
        if !is_closed && !VOID.contains(&name.as_str()) {
            self.open.push(self.elements.len());
        }
        self.elements.push(Element { name, attributes, text: String::new() });
        Ok(())
    }

    fn attributes(&mut self, of: &str) -> Result<Vec<(String, String)>, String> {
        let mut all: Vec<(String, String)> = Vec::new();
        while self.rest.next_if(char::is_ascii_whitespace).is_some() {
            let key = self.word();
            if key.is_empty() {
                continue;
            }
            self.expect('=')?;
            self.expect('"')?;
            let mut value = String::new();
            loop {
                match self.rest.next() {
                    Some('"') => break,
                    Some('&') => value.push(self.entity()?),
                    Some('<' | '>') | None => return Err(format!("{key} of <{of}>")),
                    Some(c) => value.push(c),
                }
            }
            if all.iter().any(|(own, _)| *own == key) {
                return Err(format!("<{of}> has {key} twice"));
            }
            all.push((key, value));
        }
        Ok(all)
    }

    fn entity(&mut self) -> Result<char, String> {
        let is_name = |c: &char| c.is_ascii_alphanumeric() || *c == '#';
        let name: String = std::iter::from_fn(|| self.rest.next_if(is_name)).collect();
        self.expect(';')?;
        match name.as_str() {
            "amp" => Ok('&'),
            "lt" => Ok('<'),
            "gt" => Ok('>'),
            "quot" => Ok('"'),
            "#39" | "apos" => Ok('\''),
            _ => Err(format!("&{name};")),
        }
    }

    fn expect(&mut self, wanted: char) -> Result<(), String> {
        match self.rest.next() {
            Some(c) if c == wanted => Ok(()),
            other => Err(format!("{other:?} where {wanted:?} should be")),
        }
    }
}
