//! From the bytes of a file to text: UTF-8, or UTF-16 as the tools of SQL Server write it.

/// Pairs of bytes by which UTF-16 without its mark is told.
const PAIRS_LOOKED_AT: usize = 512;

/// Why bytes are no text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextError {
    /// The first byte that is no text, from 0.
    pub offset: usize,
    /// What it looks like, and what to do about it.
    pub reason: &'static str,
}

/// The text of bytes, without its mark: UTF-8, or UTF-16 with its mark or plainly so.
///
/// # Errors
///
/// [`TextError`] with the first byte that fits neither.
pub fn decode_text(bytes: &[u8]) -> Result<String, TextError> {
    let begins = |mark: [u8; 2]| bytes.starts_with(&mark);
    if begins([0xff, 0xfe]) || (!begins([0xfe, 0xff]) && has_zeros(bytes, 1)) {
        return from_utf16(bytes, u16::from_le_bytes);
    }
    if begins([0xfe, 0xff]) || has_zeros(bytes, 0) {
        return from_utf16(bytes, u16::from_be_bytes);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.trim_start_matches('\u{feff}').to_string()),
        Err(error) => {
            let offset = error.valid_up_to();
            let reason = "save it as UTF-8: it looks like a code page such as Windows-1252";
            Err(TextError { offset, reason })
        }
    }
}

/// Whether of the pairs of bytes most have a zero at `index`, and none at the other one.
fn has_zeros(bytes: &[u8], index: usize) -> bool {
    let (pairs, _) = bytes.as_chunks::<2>();
    let begin = pairs.get(..pairs.len().min(PAIRS_LOOKED_AT)).unwrap_or_default();
    let zeros = |index: usize| begin.iter().filter(|pair| pair.get(index) == Some(&0)).count();
    begin.len() > 1 && zeros(1 - index) == 0 && zeros(index) * 2 > begin.len()
}

fn from_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, TextError> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let units: Vec<u16> = pairs.iter().map(|pair| unit(*pair)).collect();
    match String::from_utf16(&units) {
        Ok(text) if rest.is_empty() => Ok(text.trim_start_matches('\u{feff}').to_string()),
        _ => Err(TextError { offset: 2, reason: "its UTF-16 is broken; save it as UTF-8" }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf_16_is_read_with_its_mark_and_without() {
        let text = "BACKUP DATABASE Grüße";
        for unit in [u16::to_le_bytes, u16::to_be_bytes] {
            let plain: Vec<u8> = text.encode_utf16().flat_map(unit).collect();
            let marked = [unit(0xfeff).to_vec(), plain.clone()].concat();
            assert_eq!(decode_text(&plain).as_deref(), Ok(text));
            assert_eq!(decode_text(&marked).as_deref(), Ok(text));
            assert!(decode_text(&marked[..marked.len() - 1]).is_err());
        }
        assert_eq!(decode_text("\u{feff}ü".as_bytes()).as_deref(), Ok("ü"));
    }

    #[test]
    fn a_byte_of_a_code_page_is_named() {
        let error = decode_text(b"Gr\xfc\xdfe").unwrap_err();
        assert_eq!(error.offset, 2);
        assert!(error.reason.contains("Windows-1252"));
        assert_eq!(decode_text(b""), Ok(String::new()));
    }
}
