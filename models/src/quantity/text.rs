//! A number and its unit, read from text.

use thiserror::Error;

/// Why a text is not the quantity it should be.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("found `{found}`: {problem}; accepted: {accepted}")]
pub struct QuantityError {
    /// The text as it was found.
    pub found: String,
    /// What is wrong with it, in words.
    pub problem: String,
    /// What is accepted, with an example.
    pub accepted: String,
}

/// One unit: how it is spelled and how many base units it stands for.
pub(super) type Unit = (&'static str, f64);

/// What a quantity accepts: its units, the range of its base value, and how to say so.
pub(super) struct Rules {
    pub(super) units: &'static [Unit],
    pub(super) min: f64,
    pub(super) max: f64,
    /// The range and an example, for messages.
    pub(super) accepted: &'static str,
}

impl Rules {
    /// Reads `text` as a number followed by one of the units; returns base units.
    pub(super) fn read(&self, text: &str) -> Result<f64, QuantityError> {
        let fail = |problem: String| QuantityError {
            found: shorten(text),
            problem,
            accepted: self.accepted.to_string(),
        };
        let trimmed = text.trim();
        let split = number_length(trimmed);
        let (number, unit) = (&trimmed[..split], trimmed[split..].trim());
        if number.is_empty() {
            return Err(fail("it does not begin with a number".to_string()));
        }
        let number: f64 =
            number.parse().map_err(|_| fail(format!("`{number}` is not a number")))?;
        let scale = self.scale_of(unit).map_err(fail)?;
        let value = number * scale;
        if !value.is_finite() || value < self.min || value > self.max {
            return Err(fail("it is out of range".to_string()));
        }
        Ok(value)
    }

    fn scale_of(&self, unit: &str) -> Result<f64, String> {
        if let Some((_, scale)) = self.units.iter().find(|(name, _)| *name == unit) {
            return Ok(*scale);
        }
        let list = self.units.iter().map(|(name, _)| *name).filter(|name| !name.is_empty());
        let list = list.collect::<Vec<_>>().join(", ");
        if unit.is_empty() {
            return Err(format!("the unit is missing (one of {list})"));
        }
        let folded = unit.to_ascii_lowercase();
        // In networks `Mb` is a megabit, and an eighth of what else it may mean.
        if let Some(bits) = self.in_bits(unit) {
            let bytes = unit.replacen('b', "B", 1);
            return Err(format!("`{unit}` may be bits or bytes: say `{bits}` or `{bytes}`"));
        }
        let near = self.units.iter().find(|(name, _)| name.to_ascii_lowercase() == folded);
        Err(match near {
            Some((name, _)) => format!("unknown unit `{}`, did you mean `{name}`?", shorten(unit)),
            None => format!("unknown unit `{}` (one of {list})", shorten(unit)),
        })
    }
}

impl Rules {
    /// The unit in bits that `kb/s`, `Mb/s` or `Gb/s` may mean, if one is accepted.
    fn in_bits(&self, unit: &str) -> Option<&'static str> {
        let letter = unit.strip_suffix("b/s").filter(|letter| letter.len() == 1)?;
        let meant = format!("{letter}bit/s").to_ascii_lowercase();
        let found = self.units.iter().find(|(name, _)| name.to_ascii_lowercase() == meant);
        found.map(|(name, _)| *name)
    }
}

/// Length of the leading number: sign, digits, point, exponent.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let part_of_number = match bytes[at] {
            b'0'..=b'9' | b'.' => true,
            b'+' | b'-' => at == 0 || matches!(bytes[at - 1], b'e' | b'E'),
            // An exponent only if a digit follows: `5 EiB` has none.
            b'e' | b'E' => {
                at > 0
                    && match bytes.get(at + 1) {
                        Some(b'+' | b'-') => bytes.get(at + 2).is_some_and(u8::is_ascii_digit),
                        Some(next) => next.is_ascii_digit(),
                        None => false,
                    }
            }
            _ => false,
        };
        if !part_of_number {
            break;
        }
        at += 1;
    }
    at
}

/// At most 40 characters of a text that came from outside.
pub(super) fn shorten(text: &str) -> String {
    if text.chars().count() <= 40 {
        return text.to_string();
    }
    text.chars().take(39).chain(['…']).collect()
}
