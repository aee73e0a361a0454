//! JSON: the document itself, two spaces of indent, floats in their shortest form.

use serde::Serialize;
use serde_json::Value;

use crate::ReportError;

/// Writes any document.
///
/// # Errors
/// [`ReportError::NotFinite`] where a null would stand: absent values are left out, so a null can
/// only be a number that is none.
pub fn render<D: Serialize>(document: &D) -> Result<String, ReportError> {
    let unwritable = |error: serde_json::Error| ReportError::Unwritable(error.to_string());
    let value = serde_json::to_value(document).map_err(unwritable)?;
    if has_null(&value) {
        return Err(ReportError::NotFinite);
    }
    pretty(document)
}

/// As [`render`] for what may hold nulls of its own, such as a schema.
///
/// # Errors
/// [`ReportError::Unwritable`] for what is not JSON.
pub fn pretty<D: Serialize>(value: &D) -> Result<String, ReportError> {
    // Written from the struct, whose fields keep their order.
    let mut text = serde_json::to_string_pretty(value)
        .map_err(|error| ReportError::Unwritable(error.to_string()))?;
    text.push('\n');
    Ok(text)
}

fn has_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.iter().any(has_null),
        Value::Object(entries) => entries.values().any(has_null),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_is_none_is_an_error_and_not_null() {
        assert!(render(&f64::NAN).is_err());
        assert_eq!(render(&[0.1, 1.0]).unwrap(), "[\n  0.1,\n  1.0\n]\n");
    }
}
