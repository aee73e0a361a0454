//! Values of options that clap does not know.

/// `90%`, `90 %` or `0.9`: above 0 and below 1.
pub(super) fn level(text: &str) -> Result<f64, String> {
    let (number, scale) = match text.trim().strip_suffix('%') {
        Some(number) => (number.trim(), 0.01),
        None => (text.trim(), 1.0),
    };
    let accepted = "a share such as 90% or 0.9, above 0 and below 1";
    let number: f64 = number.parse().map_err(|_| format!("accepted: {accepted}"))?;
    let level = number * scale;
    if level > 0.0 && level < 1.0 {
        return Ok(level);
    }
    if !text.contains('%') && number > 1.0 && number < 100.0 {
        return Err(format!("did you mean {number}%? accepted: {accepted}"));
    }
    Err(format!("accepted: {accepted}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_a_share_or_a_percentage() {
        assert_eq!(level("90%"), Ok(0.9));
        assert_eq!(level("0.9"), Ok(0.9));
        assert!((level(" 97.5 % ").unwrap() - 0.975).abs() < 1e-12);
        assert!(level("90").unwrap_err().contains("90%"));
        for text in ["", "0", "1", "100%", "-5%", "nan", "inf", "x"] {
            assert!(level(text).is_err(), "{text}");
        }
    }
}
