//! A scenario for documents: TOML with every default written, JSON with units in the keys.

use bakcast_models::plan::Backup;
use bakcast_models::quantity::Bytes;
use serde_json::{Map, Value as Json, json};

use crate::load::Loaded;
use crate::shape::{self, Kind, Quantity, Shape};

impl Loaded {
    /// The scenario as a file: variant and assignments applied, every default written. What is
    /// left to the engine stays left out. Loading it gives the same again.
    #[must_use]
    pub fn to_toml(&self) -> String {
        toml::to_string(&self.scenario).unwrap_or_else(|error| {
            unreachable!("a scenario that was read from TOML is not TOML: {error}")
        })
    }

    /// The scenario with everything resolved, as the `inputs` of a document: a number that has a
    /// unit carries it at the end of its key.
    #[must_use]
    pub fn resolved_inputs(&self) -> Json {
        let written = serde_json::to_value(&self.scenario)
            .unwrap_or_else(|error| unreachable!("a scenario is not JSON: {error}"));
        let mut inputs = with_units(shape::scenario(), &written);
        self.fill_in(&mut inputs);
        inputs
    }

    /// What the scenario leaves open, as it was decided.
    fn fill_in(&self, inputs: &mut Json) {
        let backup = &self.resolved.backup;
        inputs["name"] = json!(self.name);
        fill_in_options(&mut inputs["backup"], backup, self.resolved.block_size);
        for other in &backup.beside {
            let options = &mut inputs["beside"][&other.name]["backup"];
            let written = self.scenario.beside.get(&other.name);
            let block_size = written.and_then(|written| written.backup.block_size);
            fill_in_options(options, &other.backup, block_size.unwrap_or_default().bytes());
        }
        inputs["verify"]["enabled"] = json!(self.resolved.verification.is_some());
        if let Some(verification) = &self.resolved.verification {
            inputs["verify"]["buffer_count"] = json!(verification.buffer_count);
        }
        if let Some(restoration) = &self.resolved.restoration {
            inputs["restore"]["buffer_count"] = json!(restoration.buffer_count);
        }
    }
}

/// The options of a BACKUP statement that may be left out, as they were decided.
fn fill_in_options(options: &mut Json, backup: &Backup, block_size: Bytes) {
    options["buffer_count"] = json!(backup.buffers.count);
    options["transfer_size_bytes"] = json!(backup.buffers.transfer_size.get());
    options["block_size_bytes"] = json!(block_size.get());
}

/// The same values, each quantity as a number with its unit in the key; nothing for `null`.
pub(crate) fn with_units(shape: &Shape, value: &Json) -> Json {
    let Json::Object(entries) = value else { return value.clone() };
    let present = entries.iter().filter(|(_, value)| !value.is_null());
    let entries = present.map(|(key, value)| match inside(shape, key) {
        Some(Shape::Leaf(Kind::Quantity(quantity))) => {
            (format!("{key}{}", quantity.suffix()), number(*quantity, value))
        }
        Some(inner) => (key.clone(), with_units(inner, value)),
        None => (key.clone(), value.clone()),
    });
    Json::Object(entries.collect::<Map<_, _>>())
}

fn inside<'a>(shape: &'a Shape, key: &str) -> Option<&'a Shape> {
    match shape {
        Shape::Named(item) => Some(item),
        table => table.field(key).map(|field| &field.shape),
    }
}

fn number(quantity: Quantity, value: &Json) -> Json {
    let read = value.as_str().and_then(|text| quantity.read(text).ok());
    match read {
        Some(number) if quantity.is_whole() => json!(number as u64),
        // Whole nanoseconds: 0.3 and not 0.30000000000000004.
        Some(number) if quantity == Quantity::Period => json!((number * 1e9).round() / 1e9),
        Some(number) => json!(number),
        None => value.clone(),
    }
}
