//! Values of options that clap does not know.

use bakcast_models::quantity::Bytes;

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

/// `4%`, `4 %` or `0.04`: a scatter of durations.
pub(super) fn scatter(text: &str) -> Result<f64, String> {
    const ACCEPTED: &str = "a share such as 4% or 0.04, from 0.1% to 100%";
    let share: Option<f64> = match text.trim().strip_suffix('%') {
        Some(number) => number.trim().parse().ok().map(|percent: f64| percent / 100.0),
        None => match text.trim().parse() {
            Ok(number) if (1.0..100.0).contains(&number) => {
                return Err(format!("did you mean {number}%? accepted: {ACCEPTED}"));
            }
            other => other.ok(),
        },
    };
    share.filter(|share| (0.001..=1.0).contains(share)).ok_or(format!("accepted: {ACCEPTED}"))
}

/// `0.5%`, `0.5 %` or `0.005`. Without the sign nobody means a tenth or more.
pub(super) fn precision(text: &str) -> Result<f64, String> {
    const ACCEPTED: &str = "a share such as 0.5% or 0.005, above 0 and below 100%";
    let share: Option<f64> = match text.trim().strip_suffix('%') {
        Some(number) => number.trim().parse().ok().map(|percent: f64| percent / 100.0),
        None => match text.trim().parse() {
            Ok(number) if (0.1..100.0).contains(&number) => {
                return Err(format!("did you mean {number}%? accepted: {ACCEPTED}"));
            }
            other => other.ok(),
        },
    };
    let fits = |share: &f64| *share > 0.0 && *share < 1.0;
    share.filter(fits).ok_or_else(|| format!("accepted: {ACCEPTED}"))
}

/// `2%`, `2 %` or `0.02`: a difference that is not worth a change, 0 among them.
pub(super) fn threshold(text: &str) -> Result<f64, String> {
    if text.trim().trim_end_matches('%').trim() == "0" { Ok(0.0) } else { precision(text) }
}

/// `2GiB` or `512 MiB`, as bytes.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let size: Bytes = text.parse().map_err(|error| format!("{error}"))?;
    Ok(size.get())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_precision_is_a_small_share_or_a_percentage() {
        assert_eq!(precision("0.5%"), Ok(0.005));
        assert_eq!(precision(" 20 % "), Ok(0.2));
        assert_eq!(precision("0.005"), Ok(0.005));
        for text in ["0.5", "1", "10"] {
            assert!(precision(text).unwrap_err().contains(&format!("did you mean {text}%?")));
        }
        for text in ["", "0", "0%", "100%", "-1%", "nan", "nan%", "inf", "x"] {
            assert!(precision(text).is_err(), "{text}");
        }
    }

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
