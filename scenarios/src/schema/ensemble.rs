//! Parameter sets that all agree with what was measured.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::shape::Quantity;

/// Parameter sets that all agree with what was measured. Night r is simulated with member r mod M
/// of them: with the value at that place of every list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ensemble {
    /// What the parameters were fitted on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The parameters, each by a name of its own.
    pub parameter: BTreeMap<String, Parameter>,
}

/// One parameter: the knobs it stands for, and its value in every member.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// Paths of the knobs that all take the value. A knob that a variant or an assignment sets
    /// keeps what it is set to: what is stated is not uncertain.
    #[schemars(length(min = 1, max = 64), extend("items" = knob_path()))]
    pub paths: Vec<String>,
    /// Unit of the values; absent: they are plain numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = units()))]
    pub unit: Option<String>,
    /// The values, one for each member; all parameters have the same number of them. Night r takes
    /// the one at place r mod that number, counted from 0.
    #[schemars(length(min = 1, max = 1024))]
    pub values: Vec<f64>,
}

/// The schema of a path of a knob.
fn knob_path() -> serde_json::Value {
    serde_json::json!({ "type": "string", "format": "knob-path" })
}

/// Every unit there is, and that of a plain number.
fn units() -> Vec<&'static str> {
    let mut units = vec![""];
    for unit in Quantity::ALL.iter().flat_map(|quantity| quantity.units()) {
        if !units.contains(unit) {
            units.push(unit);
        }
    }
    units
}

impl Ensemble {
    /// How many members there are.
    #[must_use]
    pub fn members(&self) -> usize {
        self.parameter.values().map(|parameter| parameter.values.len()).min().unwrap_or(0)
    }

    /// What is left of it where these paths are set otherwise; nothing if that is all of it.
    pub(crate) fn without(mut self, stated: &[Vec<String>]) -> Option<Self> {
        for parameter in self.parameter.values_mut() {
            parameter.paths.retain(|path| !is_stated(&keys_of(path), stated));
        }
        self.parameter.retain(|_, parameter| !parameter.paths.is_empty());
        (!self.parameter.is_empty()).then_some(self)
    }
}

impl Parameter {
    /// The value of a member as an assignment writes it.
    pub(crate) fn text(&self, member: usize) -> Option<String> {
        let value = self.values.get(member)?;
        Some(match self.unit.as_deref() {
            None | Some("") => value.to_string(),
            Some(unit) => format!("{value} {unit}"),
        })
    }
}

/// The keys of a path.
pub(crate) fn keys_of(path: &str) -> Vec<&str> {
    path.split('.').map(str::trim).collect()
}

/// Whether a path is set otherwise: itself, a table it is in, or something in it.
pub(crate) fn is_stated<K: AsRef<str>>(keys: &[K], stated: &[Vec<String>]) -> bool {
    stated.iter().any(|other| other.iter().zip(keys).all(|(one, key)| one == key.as_ref()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_stated_by_itself_by_its_table_and_by_what_is_in_it() {
        let stated = |path: &str| vec![keys_of(path).into_iter().map(str::to_string).collect()];
        let keys = keys_of("device.d1. spindle.read_rate");
        for path in ["device", "device.d1", "device.d1.spindle", "device.d1.spindle.read_rate"] {
            assert!(is_stated(&keys, &stated(path)), "{path}");
        }
        assert!(is_stated(&keys, &stated("device.d1.spindle.read_rate.below")));
        for path in ["device.d2", "device.d1.run_to_run", "device.d1.spindle.read"] {
            assert!(!is_stated(&keys, &stated(path)), "{path}");
        }
    }

    #[test]
    fn a_value_is_written_with_its_unit() {
        let parameter = |unit: Option<&str>| Parameter {
            paths: Vec::new(),
            unit: unit.map(str::to_string),
            values: vec![84.66, 4.0],
        };
        assert_eq!(parameter(Some("MB/s")).text(0).unwrap(), "84.66 MB/s");
        assert_eq!(parameter(Some("")).text(1).unwrap(), "4");
        assert_eq!(parameter(None).text(2), None);
        assert_eq!(units()[0], "");
        assert!(units().contains(&"MB/s") && units().contains(&"%"));
    }
}
