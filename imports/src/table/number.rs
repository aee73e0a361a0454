//! Numbers, sizes and durations as tables print them.

use crate::finding::Length;

/// A number and half a step of its last digit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Number {
    /// Its value.
    pub(crate) value: f64,
    /// Half a step of its last digit.
    pub(crate) half_step: f64,
}

/// Reads a number. A comma or a point that stands once is the decimal sign, unless three digits
/// follow it: then a comma is one where the file has decimal commas, and a point where not.
pub(crate) fn read_number(text: &str, decimal_comma: bool) -> Option<Number> {
    let text = text.trim();
    let mut digits = String::with_capacity(text.len());
    let (commas, points) = (text.matches(',').count(), text.matches('.').count());
    let decimal = match (text.rfind(','), text.rfind('.')) {
        (Some(comma), Some(point)) => Some(comma.max(point)),
        (Some(comma), None) if commas == 1 && (decimal_comma || !three_follow(text, comma)) => {
            Some(comma)
        }
        (None, Some(point)) if points == 1 && !(decimal_comma && three_follow(text, point)) => {
            Some(point)
        }
        _ => None,
    };
    let (mut decimals, mut seen) = (0, false);
    for (place, c) in text.char_indices() {
        match c {
            '0'..='9' => {
                decimals += i32::from(seen);
                digits.push(c);
            }
            '.' | ',' if Some(place) == decimal => {
                seen = true;
                digits.push('.');
            }
            '-' | '+' if place == 0 => digits.push(c),
            'e' | 'E' if place > 0 => return exponential(text),
            '.' | ',' | '\'' | ' ' | '\u{a0}' | '\u{202f}' if !seen && place > 0 => {}
            _ => return None,
        }
    }
    let value: f64 = digits.parse().ok().filter(|value: &f64| value.is_finite())?;
    Some(Number { value, half_step: 0.5 * libm::exp10(-f64::from(decimals.min(20))) })
}

fn three_follow(text: &str, place: usize) -> bool {
    let rest = &text[place + 1..];
    rest.len() == 3 && rest.bytes().all(|byte| byte.is_ascii_digit())
}

/// `6.62E+09`: the digits of the mantissa count.
fn exponential(text: &str) -> Option<Number> {
    let text = text.replace(',', ".");
    let value: f64 = text.parse().ok().filter(|value: &f64| value.is_finite())?;
    let (mantissa, exponent) = text.split_once(['e', 'E'])?;
    let decimals = mantissa.split_once('.').map_or(0, |(_, digits)| digits.len().min(20));
    let exponent: f64 = exponent.parse().ok()?;
    Some(Number { value, half_step: 0.5 * libm::exp10(exponent - decimals as f64) })
}

/// Bytes of a unit as servers and `PowerShell` use it: steps of 1024.
pub(crate) fn unit_bytes(unit: &str) -> Option<f64> {
    let steps = match unit.to_ascii_lowercase().as_str() {
        "b" | "byte" | "bytes" => 0,
        "k" | "kb" | "kib" => 1,
        "m" | "mb" | "mib" => 2,
        "g" | "gb" | "gib" => 3,
        "t" | "tb" | "tib" => 4,
        "pb" | "pib" => 5,
        _ => return None,
    };
    Some((0..steps).fold(1.0, |bytes, _| bytes * 1024.0))
}

/// Bytes of a size, and how far off they may be as a share. Without a unit of its own it has
/// `unit`, in bytes.
pub(crate) fn read_size(text: &str, unit: f64, decimal_comma: bool) -> Option<(u64, f64)> {
    let text = text.trim();
    let end = text.find(|c: char| c.is_ascii_alphabetic() && !matches!(c, 'e' | 'E'));
    let (number, unit) = match end {
        Some(end) => (text[..end].trim_end(), unit_bytes(text[end..].trim())?),
        None => (text, unit),
    };
    let number = read_number(number, decimal_comma)?;
    let bytes = number.value * unit;
    if !(0.0..1e18).contains(&bytes) {
        return None;
    }
    // Whole bytes are exact.
    let exact = unit < 2.0 && number.half_step > 0.4;
    let rounding = if exact || bytes < 1.0 { 0.0 } else { number.half_step / number.value };
    Some((bytes as u64, rounding))
}

/// A duration: a number of `unit` seconds, `mm:ss`, `hh:mm:ss`, `d.hh:mm:ss`, with decimals.
pub(crate) fn read_duration(text: &str, unit: f64, decimal_comma: bool) -> Option<Length> {
    let text = text.trim();
    if !text.contains(':') {
        let end = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
        let unit = match text[end..].trim().to_ascii_lowercase().as_str() {
            "" => unit,
            "ms" => 0.001,
            "s" | "sec" | "secs" | "second" | "seconds" => 1.0,
            "m" | "min" | "minutes" => 60.0,
            "h" | "hours" => 3600.0,
            _ => return None,
        };
        let number = read_number(&text[..end], decimal_comma)?;
        // Whole seconds are differences of stamps that were cut.
        let steps = if number.half_step > 0.4 && unit > 0.5 { 2.0 } else { 1.0 };
        return length(number.value * unit, number.half_step * unit * steps);
    }
    let mut parts = text.rsplit(':');
    let seconds = parts.next()?;
    let last = read_number(&seconds.replace(',', "."), false)?;
    let minutes = whole(parts.next()?)?;
    let (hours, days) = match parts.next() {
        None => (0.0, 0.0),
        Some(hours) => match hours.split_once(['.', ' ']) {
            Some((days, hours)) => (whole(hours)?, whole(days)?),
            None => (whole(hours)?, 0.0),
        },
    };
    if parts.next().is_some()
        || last.value >= 60.0
        || minutes >= 60.0 && text.matches(':').count() > 1
    {
        return None;
    }
    let total = last.value + 60.0 * minutes + 3600.0 * hours + 86_400.0 * days;
    // `00:00:23.0000000` is as cut as `00:00:23`.
    let cut = (last.value - libm::floor(last.value)).abs() < 1e-9;
    length(total, if cut { 1.0 } else { last.half_step })
}

fn whole(text: &str) -> Option<f64> {
    let text = text.trim();
    let digits = !text.is_empty() && text.len() < 8 && text.bytes().all(|b| b.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

fn length(seconds: f64, rounding_seconds: f64) -> Option<Length> {
    (0.0..1e9).contains(&seconds).then_some(Length { seconds, rounding_seconds })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_every_culture() {
        for (text, comma, wanted) in [
            ("6621758464", false, 6_621_758_464.0),
            ("6,621,758,464", false, 6_621_758_464.0),
            ("6.621.758.464", true, 6_621_758_464.0),
            ("6\u{a0}621\u{202f}758 464", true, 6_621_758_464.0),
            ("1,234", false, 1234.0),
            ("1,234", true, 1.234),
            ("1.234", false, 1.234),
            ("1.234", true, 1234.0),
            ("6,17", false, 6.17),
            ("1.234,5", true, 1234.5),
            ("1,234.5", false, 1234.5),
            ("8'192.5", false, 8192.5),
            ("6.62E+09", false, 6.62e9),
            ("-5", false, -5.0),
        ] {
            let number = read_number(text, comma).expect(text);
            assert!((number.value - wanted).abs() < 1e-6 * wanted.abs(), "{text}: {number:?}");
        }
        for text in ["", "NULL", "abc", "1e999", "--1", "é", "1 x", "."] {
            assert_eq!(read_number(text, false), None, "{text}");
        }
    }

    #[test]
    fn sizes_are_binary_and_know_how_they_were_rounded() {
        let (bytes, rounding) = read_size("6,17 GB", 1.0, true).expect("a size");
        assert_eq!(bytes, 6_624_987_054);
        assert!((rounding - 0.005 / 6.17).abs() < 1e-9);
        assert_eq!(read_size("702.00 MB", 1.0, false).expect("a size").0, 736_100_352);
        assert_eq!(read_size("6621758464", 1.0, false), Some((6_621_758_464, 0.0)));
        assert_eq!(read_size("980 KB", 1.0, false).expect("a size").0, 1_003_520);
        assert_eq!(read_size("6315.00", 1_048_576.0, false).expect("a size").0, 6_621_757_440);
        for text in ["NULL", "-5 MB", "9e30", "5 XB", "N/A"] {
            assert_eq!(read_size(text, 1.0, false), None, "{text}");
        }
    }

    #[test]
    fn durations_in_every_form() {
        for (text, unit, seconds, rounding) in [
            ("00:00:23", 1.0, 23.0, 1.0),
            ("1.02:03:04", 1.0, 93_784.0, 1.0),
            ("00:00:23.5000000", 1.0, 23.5, 5e-8),
            ("00:00:01.1", 1.0, 1.1, 0.05),
            ("12:34", 1.0, 754.0, 1.0),
            ("23", 1.0, 23.0, 1.0),
            ("22.90", 1.0, 22.9, 0.005),
            ("22900", 0.001, 22.9, 0.0005),
            ("22,9 s", 1.0, 22.9, 0.05),
        ] {
            let length = read_duration(text, unit, false).expect(text);
            assert!((length.seconds - seconds).abs() < 1e-9, "{text}");
            assert!((length.rounding_seconds - rounding).abs() < 1e-9, "{text}: {length:?}");
        }
        for text in ["", "NULL", "1:2:3:4", "00:61:00", "00:00:99", ":", "x:y", "9:é"] {
            assert_eq!(read_duration(text, 1.0, false), None, "{text}");
        }
    }
}
