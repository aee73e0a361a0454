//! A scenario as a tree of values, each with its place: what the checker walks and `--set` edits.

use std::collections::BTreeMap;

use toml::de::{DeTable, DeValue};

use crate::place::Place;

/// A value and where it was written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub(crate) value: Value,
    pub(crate) place: Place,
}

/// A value as TOML knows it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Text(String),
    Integer(i64),
    /// Digits of an integer beyond 64 bits.
    HugeInteger(String),
    Float(f64),
    Flag(bool),
    DateTime(String),
    List(Vec<Node>),
    Table(Table),
}

/// Entries by key.
pub(crate) type Table = BTreeMap<String, Entry>;

/// A key's value and where the key was written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub(crate) key_place: Place,
    pub(crate) node: Node,
}

/// What TOML itself refuses.
#[derive(Debug)]
pub(crate) struct SyntaxError {
    pub(crate) place: Place,
    pub(crate) message: String,
}

impl SyntaxError {
    /// Whether a key or table stands twice; the rest of the file is then read well.
    pub(crate) fn is_duplicate(&self) -> bool {
        self.message.starts_with("duplicate key")
    }
}

/// Reads a document; what could be read in spite of errors is in the table.
pub(crate) fn parse(text: &str, source: usize) -> (Table, Vec<SyntaxError>) {
    let (document, errors) = DeTable::parse_recoverable(text);
    let errors = errors.iter().map(|error| syntax_error(error, text, source));
    let errors = errors.collect();
    (table(document.get_ref(), Origin { source, offset: 0 }), errors)
}

/// Reads a single value that begins at `offset` of the source; `None` if it is not TOML.
pub(crate) fn parse_value(text: &str, origin: Origin) -> Option<Node> {
    let value = DeValue::parse(text).ok()?;
    let place = origin.place(value.span());
    Some(Node { value: convert(value.get_ref(), origin), place })
}

/// Where a text that is parsed begins.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Origin {
    pub(crate) source: usize,
    pub(crate) offset: usize,
}

impl Origin {
    fn place(self, span: std::ops::Range<usize>) -> Place {
        Place { source: self.source, start: span.start + self.offset, end: span.end + self.offset }
    }
}

fn syntax_error(error: &toml::de::Error, text: &str, source: usize) -> SyntaxError {
    let span = error.span().unwrap_or(text.len()..text.len());
    SyntaxError {
        place: Origin { source, offset: 0 }.place(span),
        message: error.message().to_string(),
    }
}

fn table(entries: &DeTable<'_>, origin: Origin) -> Table {
    let convert_entry = |(key, value): (&toml::Spanned<_>, &toml::Spanned<DeValue<'_>>)| {
        let key_text: &std::borrow::Cow<'_, str> = key.get_ref();
        let node =
            Node { value: convert(value.get_ref(), origin), place: origin.place(value.span()) };
        (key_text.to_string(), Entry { key_place: origin.place(key.span()), node })
    };
    entries.iter().map(convert_entry).collect()
}

fn convert(value: &DeValue<'_>, origin: Origin) -> Value {
    match value {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(digits) => match i64::from_str_radix(digits.as_str(), digits.radix()) {
            Ok(number) => Value::Integer(number),
            Err(_) => Value::HugeInteger(digits.as_str().to_string()),
        },
        DeValue::Float(text) => Value::Float(text.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(flag) => Value::Flag(*flag),
        DeValue::Datetime(time) => Value::DateTime(time.to_string()),
        DeValue::Array(items) => {
            let node = |item: &toml::Spanned<DeValue<'_>>| Node {
                value: convert(item.get_ref(), origin),
                place: origin.place(item.span()),
            };
            Value::List(items.iter().map(node).collect())
        }
        DeValue::Table(entries) => Value::Table(table(entries, origin)),
    }
}

impl Node {
    /// The text, if it is one.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The number, if it is one and finite.
    pub(crate) fn number(&self) -> Option<f64> {
        match &self.value {
            Value::Integer(number) => Some(*number as f64),
            Value::Float(number) => Some(*number).filter(|number| number.is_finite()),
            _ => None,
        }
    }

    /// The table, if it is one.
    pub(crate) fn table(&self) -> Option<&Table> {
        match &self.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    /// The items; none if it is no list.
    pub(crate) fn items(&self) -> &[Node] {
        match &self.value {
            Value::List(items) => items,
            _ => &[],
        }
    }

    /// As if all of it had been written at a place.
    pub(crate) fn move_to(&mut self, place: Place) {
        self.place = place;
        match &mut self.value {
            Value::List(items) => items.iter_mut().for_each(|item| item.move_to(place)),
            Value::Table(table) => table.values_mut().for_each(|entry| {
                entry.key_place = place;
                entry.node.move_to(place);
            }),
            _ => {}
        }
    }

    /// What kind of value it is, in words.
    pub(crate) fn sort(&self) -> &'static str {
        match self.value {
            Value::Text(_) => "text",
            Value::Integer(_) | Value::HugeInteger(_) => "a whole number",
            Value::Float(_) => "a number",
            Value::Flag(_) => "true or false",
            Value::DateTime(_) => "a date or time",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
        }
    }

    /// The value as TOML writes it, shortened.
    pub(crate) fn shown(&self) -> String {
        match &self.value {
            Value::Text(text) => format!("\"{}\"", crate::words::shown(text)),
            Value::Integer(number) => number.to_string(),
            Value::HugeInteger(digits) => crate::words::shown(digits),
            Value::Float(number) => number.to_string(),
            Value::Flag(flag) => flag.to_string(),
            Value::DateTime(time) => time.clone(),
            Value::List(_) | Value::Table(_) => self.sort().to_string(),
        }
    }
}

/// The value at a path of keys, if there is one.
pub(crate) fn find<'a>(root: &'a Table, keys: &[&str]) -> Option<&'a Node> {
    let (first, rest) = keys.split_first()?;
    let node = &root.get(*first)?.node;
    if rest.is_empty() { Some(node) } else { find(node.table()?, rest) }
}

/// The entries of the table at `key`, in the order in which they were written.
pub(crate) fn entries_in_order<'a>(root: &'a Table, key: &str) -> Vec<(&'a str, &'a Entry)> {
    let table = root.get(key).and_then(|entry| entry.node.table());
    let mut entries: Vec<_> =
        table.into_iter().flatten().map(|(name, entry)| (name.as_str(), entry)).collect();
    entries.sort_by_key(|(_, entry)| entry.key_place);
    entries
}

/// The tree without its places.
pub(crate) fn plain(root: &Table) -> toml::Table {
    root.iter().map(|(key, entry)| (key.clone(), plain_value(&entry.node))).collect()
}

fn plain_value(node: &Node) -> toml::Value {
    match &node.value {
        Value::Text(text) | Value::HugeInteger(text) | Value::DateTime(text) => {
            toml::Value::String(text.clone())
        }
        Value::Integer(number) => toml::Value::Integer(*number),
        Value::Float(number) => toml::Value::Float(*number),
        Value::Flag(flag) => toml::Value::Boolean(*flag),
        Value::List(items) => toml::Value::Array(items.iter().map(plain_value).collect()),
        Value::Table(table) => toml::Value::Table(plain(table)),
    }
}
