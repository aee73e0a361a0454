//! Numbers and sizes as programs print them, and the errors of documents.

use std::io;

use bakcast_scenarios::shown_word;

use crate::error::ImportError;
use crate::finding::Import;
use crate::source::{LARGEST_DOCUMENT, Source};

/// Bytes of a KiB.
pub(crate) const KIB: f64 = 1024.0;
/// Bytes of a MiB.
pub(crate) const MIB: f64 = 1_048_576.0;
/// Bytes of a GiB.
pub(crate) const GIB: u64 = 1 << 30;

/// A number, with a decimal point or a decimal comma; `None` for `N/A` and for what is no number.
pub(crate) fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    // `inf` and `nan` parse as numbers, but are none that was measured.
    if !text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.,eE".contains(&byte)) {
        return None;
    }
    let parsed: f64 = match (text.rfind(','), text.rfind('.')) {
        (None, _) => text.parse().ok()?,
        (Some(comma), Some(point)) if point > comma => text.replace(',', "").parse().ok()?,
        (Some(_), Some(_)) => text.replace('.', "").replace(',', ".").parse().ok()?,
        (Some(_), None) if text.matches(',').count() == 1 => text.replace(',', ".").parse().ok()?,
        (Some(_), None) => text.replace(',', "").parse().ok()?,
    };
    parsed.is_finite().then_some(parsed)
}

/// A number that is not negative.
pub(crate) fn amount(text: &str) -> Option<f64> {
    number(text).filter(|number| *number >= 0.0)
}

/// A whole number of bytes or of pieces.
pub(crate) fn count(text: &str) -> Option<u64> {
    text.trim().parse().ok()
}

/// The number at the beginning of `text`, and what follows it.
pub(crate) fn leading(text: &str) -> Option<(f64, &str)> {
    let text = text.trim_start();
    let end =
        text.find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',').unwrap_or(text.len());
    Some((amount(text[..end].trim_end_matches([',', '.']))?, &text[end..]))
}

/// Bytes of `64KiB`, `4K`, `1 GiB`, `1000 MB`, `4096`: prefixes count by 1024, as the programs that
/// write them do.
pub(crate) fn size(text: &str) -> Option<u64> {
    let (number, rest) = leading(text)?;
    let factor = match rest.trim_start().bytes().next().map(|byte| byte.to_ascii_lowercase()) {
        None | Some(b'b' | b',' | b';' | b')' | b'(' | b'[') => 1.0,
        Some(b'k') => KIB,
        Some(b'm') => MIB,
        Some(b'g') => MIB * KIB,
        Some(b't') => MIB * MIB,
        Some(_) => return None,
    };
    whole(number * factor)
}

/// A number as a whole one, if it is not out of all proportion.
pub(crate) fn whole(number: f64) -> Option<u64> {
    (0.0..1e18).contains(&number).then_some(number.round() as u64)
}

/// Whether two numbers differ by less than `share` of the larger.
pub(crate) fn alike(one: f64, other: f64, share: f64) -> bool {
    (one - other).abs() <= share * one.abs().max(other.abs())
}

/// A rate in both units.
pub(crate) fn rate_text(rate: f64) -> String {
    format!("{:.1} MB/s ({:.1} MiB/s)", rate / 1e6, rate / MIB)
}

/// A size in the largest unit that suits.
pub(crate) fn size_text(bytes: u64) -> String {
    let units = [("TiB", 1 << 40), ("GiB", GIB), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    match units.iter().find(|(_, unit)| bytes >= *unit) {
        Some((name, unit)) => {
            let text = format!("{:.1}", bytes as f64 / *unit as f64);
            format!("{} {name}", text.trim_end_matches(".0"))
        }
        None => format!("{bytes} bytes"),
    }
}

/// A number with its word: `1 report`, `2 entries`.
pub(crate) fn counted(count: u64, word: &str) -> String {
    match (count, word.strip_suffix('y')) {
        (1, _) => format!("1 {word}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        (_, None) => format!("{count} {word}s"),
    }
}

/// A word from outside, made harmless.
pub(crate) fn shown(text: &str) -> String {
    shown_word(text)
}

/// The error that a file is not what it looks like.
pub(crate) fn malformed(import: &Import, reason: impl Into<String>) -> ImportError {
    let (file, format) = (import.file.clone(), import.format);
    ImportError::Malformed { file, format, reason: reason.into() }
}

/// The error that the system cannot read on.
pub(crate) fn unreadable(import: &Import, source: io::Error) -> ImportError {
    ImportError::Unreadable { file: import.file.clone(), source }
}

/// The whole document.
pub(crate) fn document(source: Source<'_>, import: &Import) -> Result<String, ImportError> {
    let text = source.into_text().map_err(|error| unreadable(import, error))?;
    text.ok_or_else(|| {
        let most = LARGEST_DOCUMENT >> 20;
        malformed(import, format!("it is larger than the {most} MiB that are read as a whole"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_either_notation() {
        let cases = [("1.5", 1.5), ("1,5", 1.5), ("1,234.5", 1234.5), ("1.234,5", 1234.5)];
        for (text, wanted) in cases {
            assert_eq!(number(text), Some(wanted), "{text}");
        }
        for text in ["N/A", "", "inf", "nan", "1e999", "-", "1.2.3", "4k"] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn sizes_count_by_1024() {
        let cases = [("64KiB", 65_536), ("4K", 4096), ("1 GiB", 1 << 30), ("4096", 4096)];
        for (text, wanted) in cases {
            assert_eq!(size(text), Some(wanted), "{text}");
        }
        assert_eq!(size("99999999999T"), None);
        assert_eq!(size("x"), None);
    }
}
