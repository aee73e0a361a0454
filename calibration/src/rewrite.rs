//! Putting fitted values into a scenario file, everything else left as it stands.

use std::fmt::Write;

use bakcast_scenarios::Set;
use toml_edit::{DocumentMut, Item, Value};

use crate::ensemble::Ensemble;
use crate::error::CalibrationError;

/// Columns of a line of values.
const WIDTH: usize = 96;

/// The scenario text with the given knobs replaced and with this ensemble; comments and order stay.
///
/// # Errors
/// If the text is not TOML, or a path leads through something that is not a table.
pub fn rewrite_scenario(
    text: &str,
    sets: &[Set],
    ensemble: Option<&Ensemble>,
) -> Result<String, CalibrationError> {
    let mut document: DocumentMut =
        text.parse().map_err(|e: toml_edit::TomlError| CalibrationError::Rewrite(e.to_string()))?;
    for set in sets {
        assign(&mut document, set)?;
    }
    let Some(ensemble) = ensemble else { return Ok(document.to_string()) };
    document.remove("ensemble");
    let kept = document.to_string();
    Ok(format!("{}\n\n{}", kept.trim_end(), ensemble_text(ensemble)))
}

/// The scenario text with knobs replaced in one variant each; a variant sets them already.
///
/// # Errors
/// If the text is not TOML, or there is no such variant with a table of values.
pub fn rewrite_variants(
    text: &str,
    row_sets: &[(String, Set)],
) -> Result<String, CalibrationError> {
    let mut document: DocumentMut =
        text.parse().map_err(|e: toml_edit::TomlError| CalibrationError::Rewrite(e.to_string()))?;
    for (row, set) in row_sets {
        let variants = document.get_mut("variant").and_then(Item::as_table_like_mut);
        let variant = variants.and_then(|variants| variants.get_mut(row));
        let variant = variant.and_then(Item::as_table_like_mut);
        let values = variant.and_then(|variant| variant.get_mut("set"));
        let values = values
            .and_then(Item::as_table_like_mut)
            .ok_or_else(|| CalibrationError::Rewrite(format!("variant `{row}` sets nothing")))?;
        let mut value = Value::from(set.value.as_str());
        if let Some(old) = values.get(&set.path).and_then(Item::as_value) {
            *value.decor_mut() = old.decor().clone();
        }
        values.insert(&set.path, Item::Value(value));
    }
    Ok(document.to_string())
}

fn assign(document: &mut DocumentMut, set: &Set) -> Result<(), CalibrationError> {
    let mut keys: Vec<&str> = set.path.split('.').collect();
    let Some(last) = keys.pop() else { return Ok(()) };
    let mut item: &mut Item = document.as_item_mut();
    for key in keys {
        item = item
            .as_table_like_mut()
            .ok_or_else(|| CalibrationError::Rewrite(format!("{set}: not a table")))?
            .entry(key)
            .or_insert_with(toml_edit::table);
    }
    let table = item
        .as_table_like_mut()
        .ok_or_else(|| CalibrationError::Rewrite(format!("{set}: not a table")))?;
    let mut value = match set.value.parse::<f64>() {
        Ok(number) => Value::from(number),
        Err(_) => Value::from(set.value.as_str()),
    };
    if let Some(old) = table.get(last).and_then(Item::as_value) {
        *value.decor_mut() = old.decor().clone();
    }
    table.insert(last, Item::Value(value));
    Ok(())
}

/// An ensemble as a scenario file has it.
fn ensemble_text(ensemble: &Ensemble) -> String {
    let text = |text: &str| Value::from(text).to_string();
    let mut out = String::new();
    out.push_str(
        "# All parameter sets that are consistent with what was measured, one a column: each \
         night\n# takes one of them. `--set ensemble=default` leaves the best values alone.\n\
         [ensemble]\n",
    );
    let _ = writeln!(out, "source = {}", text(&ensemble.source));
    for parameter in &ensemble.parameters {
        let paths: Vec<String> = parameter.paths.iter().map(|path| text(path)).collect();
        let _ = writeln!(out, "\n[ensemble.parameter.{}]", parameter.name);
        out.push_str(&listed("paths", &paths));
        if !parameter.unit.is_empty() {
            let _ = writeln!(out, "unit = {}", text(&parameter.unit));
        }
        let values: Vec<String> = parameter.values.iter().map(ToString::to_string).collect();
        out.push_str(&listed("values", &values));
    }
    out
}

/// A list, on one line if it fits.
fn listed(key: &str, items: &[String]) -> String {
    let one = format!("{key} = [{}]\n", items.join(", "));
    if one.len() <= WIDTH {
        return one;
    }
    let mut out = format!("{key} = [");
    let mut width = WIDTH;
    for item in items {
        if width + item.len() + 2 > WIDTH {
            out.push_str("\n   ");
            width = 3;
        }
        let _ = write!(out, " {item},");
        width += item.len() + 2;
    }
    out.push_str("\n]\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ensemble::EnsembleParameter;

    #[test]
    fn values_change_and_comments_stay() {
        let text = "# head\n[a.b]\nrate = \"1 MB/s\" # why\nfactor = 2.0\n";
        let sets = [
            Set::new("a.b.rate", "7.5 MB/s"),
            Set::new("a.b.factor", "0.25"),
            Set::new("a.new", "3 %"),
        ];
        let rewritten = rewrite_scenario(text, &sets, None).expect("a rewritten text");
        assert!(rewritten.contains("rate = \"7.5 MB/s\" # why"), "{rewritten}");
        assert!(rewritten.contains("factor = 0.25"), "{rewritten}");
        assert!(rewritten.contains("new = \"3 %\""), "{rewritten}");
    }

    #[test]
    fn a_value_of_one_variant_changes_alone() {
        let text = "rate = 1\n[variant.2]\nset = { \"a.rate\" = \"1 MB/s\" } # why\n";
        let sets = [("2".to_string(), Set::new("a.rate", "7 MB/s"))];
        let rewritten = rewrite_variants(text, &sets).expect("a rewritten text");
        assert_eq!(rewritten, text.replace("\"1 MB/s\"", "\"7 MB/s\""));
        assert!(rewrite_variants(text, &[("3".to_string(), sets[0].1.clone())]).is_err());
    }

    #[test]
    fn an_ensemble_replaces_the_one_before() {
        let parameter = EnsembleParameter {
            name: "rate".to_string(),
            paths: vec!["a.b.rate".to_string()],
            unit: "MB/s".to_string(),
            values: (1..=64).map(|k| 100.0 + f64::from(k) / 8.0).collect(),
        };
        let ensemble = Ensemble { source: "a \"test\"".to_string(), parameters: vec![parameter] };
        let text = "title = \"t\" # why\n[a.b]\nrate = \"1 MB/s\"\n";
        let once = rewrite_scenario(text, &[], Some(&ensemble)).expect("a rewritten text");
        let twice = rewrite_scenario(&once, &[], Some(&ensemble)).expect("a rewritten text");
        assert_eq!(once, twice);
        assert!(once.lines().all(|line| line.len() <= 100), "{once}");
        let read: toml::Table = toml::from_str(&once).expect("TOML");
        let values = &read["ensemble"]["parameter"]["rate"]["values"];
        assert_eq!(values.as_array().map(Vec::len), Some(64));
    }
}
