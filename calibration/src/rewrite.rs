//! Putting fitted values into a scenario file, everything else left as it stands.

use bakcast_scenarios::Set;
use toml_edit::{DocumentMut, Item, Value};

use crate::validate::ValidationError;

/// The scenario text with the given knobs replaced; comments and order stay.
///
/// # Errors
/// If the text is not TOML, or a path leads through something that is not a table.
pub fn rewrite_scenario(text: &str, sets: &[Set]) -> Result<String, ValidationError> {
    let mut document: DocumentMut =
        text.parse().map_err(|e: toml_edit::TomlError| ValidationError::Rewrite(e.to_string()))?;
    for set in sets {
        let mut keys: Vec<&str> = set.path.split('.').collect();
        let Some(last) = keys.pop() else { continue };
        let mut item: &mut Item = document.as_item_mut();
        for key in keys {
            item = item
                .as_table_like_mut()
                .ok_or_else(|| ValidationError::Rewrite(format!("{set}: not a table")))?
                .entry(key)
                .or_insert_with(toml_edit::table);
        }
        let table = item
            .as_table_like_mut()
            .ok_or_else(|| ValidationError::Rewrite(format!("{set}: not a table")))?;
        let mut value = match set.value.parse::<f64>() {
            Ok(number) => Value::from(number),
            Err(_) => Value::from(set.value.as_str()),
        };
        if let Some(old) = table.get(last).and_then(Item::as_value) {
            *value.decor_mut() = old.decor().clone();
        }
        table.insert(last, Item::Value(value));
    }
    Ok(document.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_change_and_comments_stay() {
        let text = "# head\n[a.b]\nrate = \"1 MB/s\" # why\nfactor = 2.0\n";
        let sets = [
            Set::new("a.b.rate", "7.5 MB/s"),
            Set::new("a.b.factor", "0.25"),
            Set::new("a.new", "3 %"),
        ];
        let rewritten = rewrite_scenario(text, &sets).expect("a rewritten text");
        assert!(rewritten.contains("rate = \"7.5 MB/s\" # why"), "{rewritten}");
        assert!(rewritten.contains("factor = 0.25"), "{rewritten}");
        assert!(rewritten.contains("new = \"3 %\""), "{rewritten}");
    }
}
