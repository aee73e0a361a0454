//! Finding the JSON objects among other text.
//!
//! fio writes its messages to the same stream, several reports one after the other
//! (`--status-interval`), and keys twice. A key that comes twice keeps its last value. Histograms
//! are passed over unread: they may be most of a file, and nothing is made of them.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// Keys whose values are passed over.
const SKIPPED: [&str; 8] = [
    "bins",
    "percentile",
    "disk_util",
    "latency_ns",
    "latency_us",
    "latency_ms",
    "iodepth_submit",
    "iodepth_complete",
];

/// Most values of a report: a job has some hundred.
const MOST_VALUES: usize = 1_000_000;

/// What was found in a text.
#[derive(Debug, Default)]
pub(super) struct Documents {
    /// The last complete report.
    pub(super) last: Option<Value>,
    /// Complete reports before it.
    pub(super) earlier: usize,
    /// Why an object could not be read: the last of these errors.
    pub(super) broken: Option<String>,
    /// Whether the broken object comes after the last complete one.
    pub(super) cut: bool,
}

/// All reports of `text`.
pub(super) fn documents(text: &str) -> Documents {
    let mut found = Documents::default();
    let mut broken = None;
    let mut at = 0;
    while let Some(begin) = next_begin(text, at) {
        let mut values = serde_json::Deserializer::from_str(&text[begin..]).into_iter();
        let passed: Option<Result<IgnoredAny, _>> = values.next();
        let end = (begin + values.byte_offset()).max(begin + 1);
        let read = match passed {
            Some(Ok(_)) => {
                at = end;
                tree(&text[begin..end])
            }
            Some(Err(error)) => {
                // What was read so far holds no other report.
                at = place_of(text, begin, &error).max(begin + 1);
                // Passing over has no limit of depth, reading has.
                if error.is_eof() { tree(&text[begin..]).and(Err(error)) } else { Err(error) }
            }
            None => break,
        };
        match read {
            Ok(value) => {
                for report in reports(value) {
                    found.earlier += usize::from(found.last.replace(report).is_some());
                    found.cut = false;
                }
            }
            Err(error) => {
                broken = Some((begin, error));
                found.cut = true;
            }
        }
    }
    found.broken = broken.map(|(begin, error)| {
        let before = text[..begin].bytes().filter(|byte| *byte == b'\n').count();
        explain(&error, before + error.line())
    });
    found
}

/// The value of a text that is one value.
fn tree(text: &str) -> Result<Value, serde_json::Error> {
    let room = Cell::new(MOST_VALUES);
    Tree(&room).deserialize(&mut serde_json::Deserializer::from_str(text))
}

/// The reports in a value: itself, or those of a list.
fn reports(value: Value) -> Vec<Value> {
    let is_report = |value: &Value| value.get("jobs").or(value.get("client_stats")).is_some();
    match value {
        Value::Array(values) => values.into_iter().filter(is_report).collect(),
        value if is_report(&value) => vec![value],
        _ => Vec::new(),
    }
}

/// Where the next object may begin: a brace at the begin of a line, or before the version.
fn next_begin(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from;
    while let Some(found) = bytes.get(at..)?.iter().position(|byte| matches!(byte, b'{' | b'[')) {
        let place = at + found;
        let first = place == 0 || matches!(bytes[place - 1], b'\n' | b'\r');
        let after_another = from > 0 && text[from..place].trim_matches([',', ' ']).is_empty();
        let rest = text[place + 1..].trim_start();
        let opens = matches!(rest.as_bytes().first(), Some(b'"' | b'{'));
        if rest.starts_with("\"fio version\"") || ((first || after_another) && opens) {
            return Some(place);
        }
        at = place + 1;
    }
    None
}

/// Place of an error in bytes: at least the begin of its line.
fn place_of(text: &str, begin: usize, error: &serde_json::Error) -> usize {
    let lines = error.line().saturating_sub(1);
    let mut place = begin;
    for _ in 0..lines {
        match text.as_bytes()[place..].iter().position(|byte| *byte == b'\n') {
            Some(length) => place += length + 1,
            None => break,
        }
    }
    if lines == 0 {
        place = (begin + error.column().saturating_sub(1)).min(text.len());
    }
    while !text.is_char_boundary(place) {
        place -= 1;
    }
    place
}

fn explain(error: &serde_json::Error, line: usize) -> String {
    let column = error.column();
    let text = error.to_string();
    if text.starts_with("recursion limit") {
        return format!("its JSON is nested too deeply at line {line}, column {column}");
    }
    if error.is_eof() {
        return format!(
            "its JSON ends too early, at line {line}, column {column}: \
             was the run interrupted, or the file cut?"
        );
    }
    let reason = text.split(" at line ").next().unwrap_or_default().to_string();
    format!("its JSON is damaged at line {line}, column {column}: {reason}")
}

/// A value without what is passed over, and how many more values there is room for.
#[derive(Clone, Copy)]
struct Tree<'a>(&'a Cell<usize>);

impl Tree<'_> {
    fn take<E: Error>(self) -> Result<(), E> {
        let left = self.0.get().checked_sub(1);
        self.0.set(left.ok_or_else(|| E::custom("it has more values than are read"))?);
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Tree<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Tree<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = access.next_element_seed(self)? {
            self.take()?;
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = access.next_key::<String>()? {
            if SKIPPED.contains(&key.as_str()) {
                access.next_value::<IgnoredAny>()?;
            } else {
                self.take()?;
                map.insert(key, access.next_value_seed(self)?);
            }
        }
        Ok(Value::Object(map))
    }
}
