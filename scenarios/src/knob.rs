//! The list of knobs, read off the schema: every value a scenario file may hold.

mod markdown;

use std::sync::LazyLock;

use serde_json::Value as Json;

pub use markdown::knobs_markdown;

use crate::schema::{Scenario, json_settings};
use crate::shape::{self, Field, Kind, Number, Quantity, Shape};
use crate::words;

/// Stands in a path for a name the user chooses.
pub const NAME: &str = "<name>";

/// One knob.
#[derive(Debug, Clone, PartialEq)]
pub struct Knob {
    /// Keys from the top, with dots between them; `<name>` stands for a name of the user's.
    pub path: String,
    /// What it is.
    pub comment: String,
    /// What it accepts, in words.
    pub accepted: String,
    /// Its value when it is not written, as TOML; absent where "not written" has its own meaning.
    pub default: Option<String>,
    /// Whether its table is incomplete without it.
    pub required: bool,
    /// A value it accepts, as `--set` takes it.
    pub example: String,
    kind: Option<Kind>,
}

impl Knob {
    /// Whether its value is a number, with or without a unit: what a fit may turn.
    #[must_use]
    pub fn is_number(&self) -> bool {
        self.kind.as_ref().is_some_and(Kind::is_number)
    }

    /// Whether it is a whole number without a unit.
    #[must_use]
    pub fn is_count(&self) -> bool {
        matches!(self.kind, Some(Kind::Count { .. }))
    }

    /// Whether it is a list of names or numbers.
    #[must_use]
    pub fn is_list(&self) -> bool {
        matches!(self.kind, Some(Kind::Names { .. } | Kind::Numbers { .. } | Kind::Paths { .. }))
    }

    /// The units it is written with, the likeliest first; none if it has none.
    #[must_use]
    pub fn units(&self) -> Vec<&'static str> {
        self.kind.as_ref().map(|kind| kind.units().collect()).unwrap_or_default()
    }

    /// The words it accepts, if it accepts nothing else.
    #[must_use]
    pub fn words(&self) -> Option<Vec<&str>> {
        match &self.kind {
            Some(Kind::Choice(words)) => Some(words.iter().map(String::as_str).collect()),
            Some(Kind::Flag) => Some(vec!["true", "false"]),
            _ => None,
        }
    }
}

/// Every knob, table by table.
#[must_use]
pub fn knobs() -> &'static [Knob] {
    static KNOBS: LazyLock<Vec<Knob>> = LazyLock::new(|| {
        let mut list = Vec::new();
        if let Shape::Table(fields) = shape::scenario() {
            collect(fields, "", &mut list);
        }
        list
    });
    &KNOBS
}

/// The knob at a path with names in it, such as `device.d1.spindle.positioning`.
#[must_use]
pub fn find(path: &str) -> Option<&'static Knob> {
    let matches = |knob: &&Knob| {
        let mut keys = path.split('.');
        let fits = |key: &str| {
            keys.next().is_some_and(|given| given == key || (key == NAME && !given.is_empty()))
        };
        knob.path.split('.').all(fits) && keys.next().is_none()
    };
    // No path begins with a name, so that most are told apart by their first letter.
    let begins = |knob: &&Knob| knob.path.as_bytes().first() == path.as_bytes().first();
    knobs().iter().filter(begins).find(matches)
}

/// A knob whose last key is `key` or nearly so: for keys written in the wrong table.
pub(crate) fn elsewhere(key: &str) -> Option<&'static Knob> {
    let last_key = |knob: &'static Knob| knob.path.rsplit('.').next().unwrap_or("");
    // Most knobs of another job are those of the backup that is asked about, which is meant.
    let (other_jobs, own): (Vec<_>, Vec<_>) =
        knobs().iter().partition(|knob| is_of_another(&knob.path));
    let all = || own.iter().chain(&other_jobs).copied();
    let same = all().find(|knob| words::same_name(last_key(knob), key));
    same.or_else(|| {
        let near = words::nearest(key, all().map(last_key))?;
        all().find(|knob| last_key(knob) == near)
    })
}

/// Whether a knob is one of another job than the scenario's own.
fn is_of_another(path: &str) -> bool {
    ["beside.", "job.", "server."].iter().any(|begin| path.starts_with(begin))
}

/// The JSON schema of scenario files, for editors.
#[must_use]
pub fn json_schema() -> Json {
    json_settings().into_generator().into_root_schema_for::<Scenario>().to_value()
}

fn collect(fields: &[Field], before: &str, list: &mut Vec<Knob>) {
    let is_leaf = |field: &&Field| match &field.shape {
        Shape::Leaf(_) => true,
        Shape::Table(inner) => inner.is_empty(),
        Shape::Named(_) => false,
    };
    // Values before tables, as in a file.
    let (leaves, tables): (Vec<_>, Vec<_>) = fields.iter().partition(is_leaf);
    for field in leaves.into_iter().chain(tables) {
        let path =
            if before.is_empty() { field.key.clone() } else { format!("{before}.{}", field.key) };
        match &field.shape {
            Shape::Leaf(kind) => list.push(leaf(field, kind, path)),
            Shape::Table(inner) if inner.is_empty() => list.push(empty_table(field, path)),
            Shape::Table(inner) => collect(inner, &path, list),
            Shape::Named(item) => {
                let path = format!("{path}.{NAME}");
                match item.as_ref() {
                    Shape::Table(inner) => collect(inner, &path, list),
                    Shape::Leaf(kind) => list.push(leaf(field, kind, path)),
                    Shape::Named(_) => {}
                }
            }
        }
    }
}

fn leaf(field: &Field, kind: &Kind, path: String) -> Knob {
    Knob {
        path,
        comment: field.comment.clone(),
        accepted: kind.accepted(),
        default: field.default.as_ref().map(Json::to_string),
        required: field.required,
        example: example(field.default.as_ref(), kind),
        kind: Some(kind.clone()),
    }
}

fn empty_table(field: &Field, path: String) -> Knob {
    Knob {
        path,
        comment: field.comment.clone(),
        accepted: "an empty table `{}`".to_string(),
        default: None,
        required: field.required,
        example: "{}".to_string(),
        kind: None,
    }
}

fn example(default: Option<&Json>, kind: &Kind) -> String {
    if let Some(default) = default {
        return default.as_str().map_or_else(|| default.to_string(), str::to_string);
    }
    match kind {
        Kind::Text => "text".to_string(),
        Kind::Statement => "BACKUP DATABASE Sales TO DISK = 'd1:\\Sales.bak'".to_string(),
        Kind::Flag => "true".to_string(),
        Kind::Count { min, max } => 64.clamp(*min, *max).to_string(),
        Kind::Choice(words) => words.first().cloned().unwrap_or_default(),
        Kind::Number(Number::Factor { .. }) => "0.2".to_string(),
        Kind::Number(Number::Ratio) => "3.5".to_string(),
        Kind::Names { .. } => "d1,d2".to_string(),
        Kind::Jobs => "Orders,Sales".to_string(),
        Kind::Numbers { .. } => "0.2,0.25".to_string(),
        Kind::Paths { .. } => "compression.variability".to_string(),
        Kind::Assignments => "{}".to_string(),
        Kind::Quantity(quantity) => match quantity {
            Quantity::Bytes | Quantity::DataSize => "500 GiB",
            Quantity::TransferSize => "4 MiB",
            Quantity::BlockSize => "64 KiB",
            Quantity::ByteRate => "200 MB/s",
            Quantity::Period => "5 ms",
            Quantity::Fraction => "10 %",
        }
        .to_string(),
    }
}

/// Short names of knobs, and the words of the statement for them.
const SHORT: [(&str, &str); 15] = [
    ("compression", "backup.compression"),
    ("algorithm", "compression.like"),
    ("buffer_count", "backup.buffer_count"),
    ("buffercount", "backup.buffer_count"),
    ("transfer_size", "backup.transfer_size"),
    ("transfer_size_bytes", "backup.transfer_size"),
    ("max_transfer_size", "backup.transfer_size"),
    ("max_transfer_size_bytes", "backup.transfer_size"),
    ("maxtransfersize", "backup.transfer_size"),
    ("block_size", "backup.block_size"),
    ("block_size_bytes", "backup.block_size"),
    ("blocksize", "backup.block_size"),
    ("stripes", "backup.stripes"),
    ("logical_processors", "processor.logical_processors"),
    ("processors", "processor.logical_processors"),
];

/// The path of a knob by a short name (`buffer_count`, `MAXTRANSFERSIZE`), whatever its case.
#[must_use]
pub fn short_knob(name: &str) -> Option<&'static str> {
    let lower = name.to_lowercase();
    SHORT.iter().find(|(short, _)| *short == lower).map(|(_, path)| *path)
}

/// The short names of knobs.
pub fn short_knobs() -> impl Iterator<Item = &'static str> {
    SHORT.iter().map(|(short, _)| *short)
}

#[cfg(test)]
mod tests {
    use bakcast_models::quantity::{ByteRate, Bytes, Factor, Fraction, Period, Ratio};
    use schemars::{JsonSchema, SchemaGenerator};

    use super::*;
    use crate::schema::{BlockSize, DataSize, TransferSize};

    #[test]
    fn knobs_have_paths_with_names_left_open() {
        let paths: Vec<_> = knobs().iter().map(|knob| knob.path.as_str()).collect();
        for path in [
            "backup.buffer_count",
            "volume.<name>.size",
            "device.<name>.spindle.positioning",
            "device.<name>.solid_state.stall.every",
            "device.<name>.null",
            "variant.<name>.set",
        ] {
            assert!(paths.contains(&path), "{path} is not among {paths:#?}");
        }
    }

    #[test]
    fn a_path_with_names_finds_its_knob() {
        let knob = find("device.d1.spindle.positioning").unwrap();
        assert_eq!(knob.path, "device.<name>.spindle.positioning");
        assert_eq!(knob.default.as_deref(), Some("\"8 ms\""));
        assert_eq!(knob.example, "8 ms");
        assert!(knob.is_number());
        assert!(find("device..spindle.positioning").is_none());
        assert!(find("backup").is_none());
        assert!(find("backup.stripes.0").is_none());
    }

    #[test]
    fn every_knob_has_a_comment_of_its_own() {
        let mut generator = SchemaGenerator::default();
        let mut general = Vec::new();
        let schemas = [
            Bytes::json_schema(&mut generator),
            ByteRate::json_schema(&mut generator),
            Period::json_schema(&mut generator),
            Fraction::json_schema(&mut generator),
            Factor::json_schema(&mut generator),
            Ratio::json_schema(&mut generator),
            DataSize::json_schema(&mut generator),
            TransferSize::json_schema(&mut generator),
            BlockSize::json_schema(&mut generator),
        ];
        for schema in schemas {
            general.push(schema.to_value()["description"].as_str().unwrap().to_string());
        }
        for knob in knobs() {
            assert!(!knob.comment.trim().is_empty(), "{} has no comment", knob.path);
            assert!(!general.contains(&knob.comment), "{} has no comment of its own", knob.path);
            assert!(!knob.accepted.is_empty(), "{} does not say what it accepts", knob.path);
        }
    }

    #[test]
    fn a_key_in_the_wrong_table_is_found_elsewhere() {
        assert_eq!(elsewhere("buffer_count").unwrap().path, "backup.buffer_count");
        assert_eq!(elsewhere("MAXTRANSFERSIZE").unwrap().path, "backup.transfer_size");
        assert_eq!(elsewhere("ratio").unwrap().path, "compression.ratio");
        assert_eq!(elsewhere("starts").unwrap().path, "beside.<name>.starts");
        assert_eq!(elsewhere("bufer_count").unwrap().path, "backup.buffer_count");
        assert!(elsewhere("nonsense").is_none());
    }
}
