//! A history in JSON: an array of objects, one object alone, or a wrapped array.
//!
//! Objects are taken one by one, so that a large array needs little memory. What `PowerShell`
//! makes of sizes, spans and dates is turned back into text; numbers that are larger than 64 bits
//! are read as any other and not used.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// Calls `each` with every object of a document.
///
/// # Errors
/// What is wrong with the document, and where.
pub(crate) fn for_each_object(
    text: &str,
    each: &mut dyn FnMut(&Map<String, Value>),
) -> Result<(), String> {
    let mut reader = serde_json::Deserializer::from_str(text);
    Objects { each }.deserialize(&mut reader).map_err(|error| error.to_string())
}

struct Objects<'a> {
    each: &'a mut dyn FnMut(&Map<String, Value>),
}

impl<'de> DeserializeSeed<'de> for Objects<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Objects<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of objects")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        while let Some(item) = items.next_element::<Value>()? {
            give(&item, self.each);
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let mut object = Map::new();
        while let Some((name, value)) = entries.next_entry::<String, Value>()? {
            object.insert(name, value);
        }
        match object.values().find_map(objects_in) {
            // Windows PowerShell wraps a list as `{"value": [...], "Count": 7}`.
            Some(list) if object.len() <= 3 => {
                for item in list {
                    give(item, self.each);
                }
            }
            _ => (self.each)(&object),
        }
        Ok(())
    }
}

fn objects_in(value: &Value) -> Option<&Vec<Value>> {
    value.as_array().filter(|list| list.first().is_some_and(Value::is_object))
}

fn give(item: &Value, each: &mut dyn FnMut(&Map<String, Value>)) {
    match item {
        Value::Object(object) => each(object),
        Value::Array(items) => items.iter().filter_map(Value::as_object).for_each(each),
        _ => {}
    }
}

/// A value as a table would print it.
pub(crate) fn text_of(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::Array(items) => items.iter().map(text_of).collect::<Vec<_>>().join("\n"),
        Value::Object(object) => {
            let find = |name: &str| {
                object.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, v)| v)
            };
            if let Some(bytes) = find("Byte").or_else(|| find("Bytes")) {
                text_of(bytes)
            } else if let Some(ticks) = find("Ticks").and_then(Value::as_f64) {
                // Steps of 100 ns.
                format!("{} s", ticks / 1e7)
            } else if let Some(value) = find("value").or_else(|| find("DateTime")) {
                if value.is_object() { String::new() } else { text_of(value) }
            } else {
                String::new()
            }
        }
    }
}
