//! The shape of a scenario, read off its JSON schema: which tables there are, and what each leaf
//! accepts.
//!
//! One walk over the schema that `schemars` derives from [`crate::schema`]; the checker, `--set`
//! and the list of knobs all work on the result, so none of them knows a knob by name.

use std::sync::LazyLock;

use bakcast_models::quantity::{ByteRate, Bytes, Factor, Fraction, Period, QuantityError, Ratio};
use serde_json::Value as Json;

use crate::schema::{self, BlockSize, DataSize, Scenario, TransferSize};

/// A table with fixed keys, a table of named entries, or a leaf.
#[derive(Debug)]
pub(crate) enum Shape {
    /// A table whose keys are known.
    Table(Vec<Field>),
    /// A table whose keys are names the user chooses.
    Named(Box<Shape>),
    /// A value.
    Leaf(Kind),
}

/// One key of a table.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) key: String,
    pub(crate) comment: String,
    pub(crate) required: bool,
    /// As JSON; absent where there is none or where it is "nothing".
    pub(crate) default: Option<Json>,
    pub(crate) shape: Shape,
}

/// What a leaf accepts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    /// Any text.
    Text,
    /// True or false.
    Flag,
    /// A whole number.
    Count { min: i64, max: i64 },
    /// One of a few words.
    Choice(Vec<String>),
    /// Text with a unit.
    Quantity(Quantity),
    /// A number without a unit.
    Number(Number),
    /// A list of device names.
    Names { min: usize, max: usize },
    /// A statement, on several lines if it likes.
    Statement,
    /// A list of names of jobs.
    Jobs,
    /// A list of numbers without a unit.
    Numbers { min: usize, max: usize },
    /// A list of paths of knobs.
    Paths { min: usize, max: usize },
    /// The values a variant replaces.
    Assignments,
}

/// The quantities that are written with a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quantity {
    Bytes,
    DataSize,
    TransferSize,
    BlockSize,
    ByteRate,
    Period,
    Fraction,
}

/// The numbers that have no unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Number {
    /// A factor, at most `max`.
    Factor {
        max: u32,
    },
    Ratio,
}

impl Quantity {
    /// All of them.
    pub(crate) const ALL: [Quantity; 7] = [
        Quantity::ByteRate,
        Quantity::Period,
        Quantity::Fraction,
        Quantity::Bytes,
        Quantity::DataSize,
        Quantity::TransferSize,
        Quantity::BlockSize,
    ];

    fn of_format(format: &str) -> Option<Self> {
        Some(match format {
            "bytes" => Quantity::Bytes,
            "data-size" => Quantity::DataSize,
            "transfer-size" => Quantity::TransferSize,
            "block-size" => Quantity::BlockSize,
            "byte-rate" => Quantity::ByteRate,
            "period" => Quantity::Period,
            "fraction" => Quantity::Fraction,
            _ => return None,
        })
    }

    /// Reads `text` as this quantity: its base value (bytes, bytes per second, seconds, share).
    pub(crate) fn read(self, text: &str) -> Result<f64, QuantityError> {
        Ok(match self {
            Quantity::Bytes => text.parse::<Bytes>()?.as_f64(),
            Quantity::DataSize => text.parse::<DataSize>()?.bytes().as_f64(),
            Quantity::TransferSize => text.parse::<TransferSize>()?.bytes().as_f64(),
            Quantity::BlockSize => text.parse::<BlockSize>()?.bytes().as_f64(),
            Quantity::ByteRate => text.parse::<ByteRate>()?.get(),
            Quantity::Period => text.parse::<Period>()?.as_seconds(),
            Quantity::Fraction => text.parse::<Fraction>()?.get(),
        })
    }

    /// Units of this quantity, the likeliest first.
    pub(crate) const fn units(self) -> &'static [&'static str] {
        match self {
            Quantity::Bytes | Quantity::DataSize => {
                &["GiB", "MiB", "KiB", "TiB", "GB", "MB", "kB", "TB", "B"]
            }
            Quantity::TransferSize | Quantity::BlockSize => &["KiB", "MiB", "B"],
            Quantity::ByteRate => {
                &["MB/s", "GB/s", "kB/s", "MiB/s", "GiB/s", "KiB/s", "Gbit/s", "Mbit/s", "B/s"]
            }
            Quantity::Period => &["s", "ms", "us", "min", "h", "d", "ns"],
            Quantity::Fraction => &["%"],
        }
    }

    /// What to append to a knob's name so that its number carries its unit.
    pub(crate) const fn suffix(self) -> &'static str {
        match self {
            Quantity::Bytes | Quantity::DataSize | Quantity::TransferSize | Quantity::BlockSize => {
                "_bytes"
            }
            Quantity::ByteRate => "_bytes_per_second",
            Quantity::Period => "_seconds",
            Quantity::Fraction => "_fraction",
        }
    }

    /// Whether the base value is a whole number.
    pub(crate) const fn is_whole(self) -> bool {
        !matches!(self, Quantity::ByteRate | Quantity::Period | Quantity::Fraction)
    }
}

impl Number {
    /// Whether the number is in range.
    pub(crate) fn read(self, value: f64) -> Result<(), QuantityError> {
        match self {
            Number::Factor { max } => match Factor::try_from(value) {
                Ok(_) if value <= f64::from(max) => Ok(()),
                _ => Err(QuantityError {
                    found: value.to_string(),
                    problem: "it is out of range".to_string(),
                    accepted: format!("a number from 0 to {max}"),
                }),
            },
            Number::Ratio => Ratio::try_from(value).map(|_| ()),
        }
    }
}

impl Kind {
    /// Whether it is a number, with or without a unit.
    pub(crate) const fn is_number(&self) -> bool {
        matches!(self, Kind::Count { .. } | Kind::Number(_) | Kind::Quantity(_))
    }

    /// Whether it is a number with a unit.
    pub(crate) const fn has_unit(&self) -> bool {
        matches!(self, Kind::Quantity(_))
    }

    /// The units it accepts, the likeliest first.
    pub(crate) fn units(&self) -> impl Iterator<Item = &'static str> + use<> {
        let units = match self {
            Kind::Quantity(quantity) => quantity.units(),
            _ => &[],
        };
        units.iter().copied()
    }

    /// What is accepted, in words.
    pub(crate) fn accepted(&self) -> String {
        match self {
            Kind::Text => "text in quotes".to_string(),
            Kind::Statement => "a BACKUP statement in quotes".to_string(),
            Kind::Flag => "`true` or `false`".to_string(),
            Kind::Count { min, max } => format!("a whole number from {min} to {max}"),
            Kind::Choice(words) => {
                let words: Vec<_> = words.iter().map(|word| format!("`\"{word}\"`")).collect();
                format!("one of {}", words.join(", "))
            }
            Kind::Quantity(quantity) => accepted_by(quantity.read("?").map(|_| ())),
            Kind::Number(number) => accepted_by(number.read(f64::NAN)),
            Kind::Names { min: 0, .. } => "a list of device names, e.g. `[\"lan\"]`".to_string(),
            Kind::Names { min, max } => {
                format!("a list of {min} to {max} device names, e.g. `[\"d1\", \"d2\"]`")
            }
            Kind::Jobs => "a list of names of jobs, e.g. `[\"Orders\"]`".to_string(),
            Kind::Numbers { min, max } => {
                format!("a list of {min} to {max} numbers, e.g. `[84.6, 83.1]`")
            }
            Kind::Paths { min, max } => {
                format!("a list of {min} to {max} paths of knobs, e.g. `[\"compression.rate\"]`")
            }
            Kind::Assignments => {
                "a table of values by path, e.g. `{ \"backup.compression\" = true }`".to_string()
            }
        }
    }
}

fn accepted_by(refusal: Result<(), QuantityError>) -> String {
    refusal.err().map(|error| error.accepted).unwrap_or_default()
}

impl Shape {
    /// The field called `key`, if this is a table with fixed keys that has it.
    pub(crate) fn field(&self, key: &str) -> Option<&Field> {
        match self {
            Shape::Table(fields) => fields.iter().find(|field| field.key == key),
            Shape::Named(_) | Shape::Leaf(_) => None,
        }
    }
}

/// The shape of a whole scenario.
pub(crate) fn scenario() -> &'static Shape {
    static SHAPE: LazyLock<Shape> = LazyLock::new(|| shape_of(&inlined_schema()));
    &SHAPE
}

/// The JSON schema of a scenario with every reference written out.
fn inlined_schema() -> Json {
    let settings = schema::json_settings().with(|settings| settings.inline_subschemas = true);
    settings.into_generator().into_root_schema_for::<Scenario>().to_value()
}

fn shape_of(schema: &Json) -> Shape {
    let schema = without_null(schema);
    if let Some(properties) = schema.get("properties").and_then(Json::as_object) {
        let fields = properties.iter().map(|(key, value)| field_of(schema, key, value));
        return Shape::Table(fields.collect());
    }
    if type_of(schema) != "object" {
        return Shape::Leaf(kind_of(schema));
    }
    match schema.get("additionalProperties") {
        Some(Json::Bool(true)) => Shape::Leaf(Kind::Assignments),
        Some(item @ Json::Object(_)) => Shape::Named(Box::new(shape_of(item))),
        _ => Shape::Table(Vec::new()),
    }
}

fn field_of(parent: &Json, key: &str, schema: &Json) -> Field {
    let required = parent.get("required").and_then(Json::as_array);
    Field {
        key: key.to_string(),
        comment: text(schema, "description").replace('\n', " "),
        required: required.is_some_and(|keys| keys.iter().any(|name| name == key)),
        default: schema.get("default").filter(|value| !value.is_null()).cloned(),
        shape: shape_of(schema),
    }
}

/// The schema proper of an optional value, which is wrapped in "this or nothing".
fn without_null(schema: &Json) -> &Json {
    let alternatives = schema.get("anyOf").and_then(Json::as_array);
    alternatives.and_then(|list| list.iter().find(|item| type_of(item) != "null")).unwrap_or(schema)
}

/// The type of a schema, "or nothing" left out.
fn type_of(schema: &Json) -> &str {
    match schema.get("type") {
        Some(Json::String(name)) => name,
        Some(Json::Array(names)) => {
            names.iter().filter_map(Json::as_str).find(|name| *name != "null").unwrap_or("")
        }
        _ => "",
    }
}

fn kind_of(schema: &Json) -> Kind {
    if let Some(words) = words_of(schema) {
        return Kind::Choice(words);
    }
    let format = text(schema, "format");
    match type_of(schema) {
        "boolean" => Kind::Flag,
        "integer" => Kind::Count {
            min: whole(schema, "minimum").unwrap_or(0),
            max: whole(schema, "maximum").unwrap_or(i64::from(u32::MAX)),
        },
        "number" if format == "ratio" => Kind::Number(Number::Ratio),
        "number" => Kind::Number(Number::Factor { max: largest_factor(schema) }),
        "array" => list_of(schema),
        _ if format == "statement" => Kind::Statement,
        _ => Quantity::of_format(format).map_or(Kind::Text, Kind::Quantity),
    }
}

/// A list, by what its items are.
fn list_of(schema: &Json) -> Kind {
    let bound = |key| whole(schema, key).and_then(|value| usize::try_from(value).ok());
    let (min, max) = (bound("minItems").unwrap_or(0), bound("maxItems").unwrap_or(usize::MAX));
    match schema.get("items") {
        Some(items) if type_of(items) == "number" => Kind::Numbers { min, max },
        Some(items) if text(items, "format") == "knob-path" => Kind::Paths { min, max },
        Some(items) if text(items, "format") == "job-name" => Kind::Jobs,
        _ => Kind::Names { min, max },
    }
}

fn largest_factor(schema: &Json) -> u32 {
    let max = schema.get("maximum").and_then(Json::as_f64);
    max.map_or(u32::MAX, |max| max as u32)
}

/// The words of an enumeration, however the schema spells it.
fn words_of(schema: &Json) -> Option<Vec<String>> {
    let owned = |value: &Json| value.as_str().map(str::to_string);
    if let Some(words) = schema.get("enum").and_then(Json::as_array) {
        return Some(words.iter().filter_map(owned).collect());
    }
    let alternatives = schema.get("oneOf").and_then(Json::as_array)?;
    let words = alternatives.iter().filter_map(|item| item.get("const").and_then(owned));
    Some(words.collect())
}

fn text<'a>(schema: &'a Json, key: &str) -> &'a str {
    schema.get(key).and_then(Json::as_str).unwrap_or("")
}

fn whole(schema: &Json, key: &str) -> Option<i64> {
    schema.get(key).and_then(Json::as_i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf(path: &str) -> &'static Kind {
        let mut shape = scenario();
        for key in path.split('.') {
            shape = match shape {
                Shape::Named(item) => item,
                table => &table.field(key).unwrap_or_else(|| panic!("no {key} in {path}")).shape,
            };
        }
        match shape {
            Shape::Leaf(kind) => kind,
            other => panic!("{path} is not a leaf: {other:?}"),
        }
    }

    #[test]
    fn every_sort_of_leaf_is_recognised() {
        assert_eq!(*leaf("title"), Kind::Text);
        assert_eq!(*leaf("source"), Kind::Text);
        assert_eq!(*leaf("backup.compression"), Kind::Flag);
        assert_eq!(*leaf("verify.enabled"), Kind::Flag);
        assert_eq!(*leaf("backup.buffer_count"), Kind::Count { min: 1, max: 65536 });
        assert_eq!(*leaf("backup.transfer_size"), Kind::Quantity(Quantity::TransferSize));
        assert_eq!(*leaf("backup.block_size"), Kind::Quantity(Quantity::BlockSize));
        assert_eq!(*leaf("volume.x.size"), Kind::Quantity(Quantity::DataSize));
        assert_eq!(*leaf("volume.x.position"), Kind::Quantity(Quantity::Fraction));
        assert_eq!(*leaf("device.x.spindle.capacity"), Kind::Quantity(Quantity::Bytes));
        assert_eq!(*leaf("device.x.link.per_connection"), Kind::Quantity(Quantity::ByteRate));
        assert_eq!(*leaf("device.x.solid_state.stall.mean"), Kind::Quantity(Quantity::Period));
        let factor = |max| Kind::Number(Number::Factor { max });
        assert_eq!(*leaf("device.x.solid_state.variability"), factor(10));
        assert_eq!(*leaf("device.x.solid_state.stream_amplification"), factor(1000));
        assert_eq!(*leaf("compression.ratio"), Kind::Number(Number::Ratio));
        assert_eq!(*leaf("backup.stripes"), Kind::Names { min: 1, max: 64 });
        assert_eq!(*leaf("device.x.via"), Kind::Names { min: 0, max: usize::MAX });
        assert_eq!(*leaf("variant.x.set"), Kind::Assignments);
        assert_eq!(*leaf("ensemble.parameter.x.paths"), Kind::Paths { min: 1, max: 64 });
        assert_eq!(*leaf("ensemble.parameter.x.values"), Kind::Numbers { min: 1, max: 1024 });
        assert!(
            matches!(leaf("ensemble.parameter.x.unit"), Kind::Choice(units) if units[0].is_empty())
        );
        let words = ["since-2008", "2005"].map(str::to_string).to_vec();
        assert_eq!(*leaf("engine.buffer_rule"), Kind::Choice(words));
    }

    #[test]
    fn the_nul_law_is_an_empty_table() {
        let Shape::Table(root) = scenario() else { panic!() };
        let device = root.iter().find(|field| field.key == "device").unwrap();
        let Shape::Named(device) = &device.shape else { panic!() };
        let null = &device.field("null").unwrap().shape;
        assert!(matches!(null, Shape::Table(fields) if fields.is_empty()));
    }
}
