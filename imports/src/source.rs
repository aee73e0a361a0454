//! Files as text: what encoding they have, and reading them piece by piece.
//!
//! An encoding is told by the bytes: a byte order mark, then zero bytes at even or odd places
//! (UTF-16 without a mark), then whether a line is valid UTF-8, and Windows-1252 if it is not.
//! The last is decided for each line, since a log may have been written by more than one program.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read};

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE, WINDOWS_1252};
use encoding_rs_io::DecodeReaderBytesBuilder;

/// Bytes from the beginning of a file by which its format is told.
const HEAD: usize = 64 << 10;
/// Most bytes of a line; what is longer is read in pieces.
const LONGEST_LINE: u64 = 1 << 20;
/// Most bytes of a document that must be read whole: JSON and XML.
pub(crate) const LARGEST_DOCUMENT: u64 = 64 << 20;

/// How a file is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextEncoding {
    /// UTF-8, or plain ASCII.
    Utf8,
    /// UTF-8 with a byte order mark.
    Utf8Marked,
    /// UTF-16, low byte first, as Windows `PowerShell` and error logs have it.
    Utf16Le,
    /// UTF-16, high byte first.
    Utf16Be,
    /// Windows-1252, or several encodings in one file.
    Windows1252,
}

impl TextEncoding {
    fn of_utf16(self) -> Option<&'static Encoding> {
        match self {
            Self::Utf16Le => Some(UTF_16LE),
            Self::Utf16Be => Some(UTF_16BE),
            _ => None,
        }
    }
}

impl fmt::Display for TextEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Utf8 => "UTF-8",
            Self::Utf8Marked => "UTF-8 with BOM",
            Self::Utf16Le => "UTF-16LE",
            Self::Utf16Be => "UTF-16BE",
            Self::Windows1252 => "Windows-1252",
        })
    }
}

/// A file as text in UTF-8, to be read once.
pub(crate) struct Source<'a> {
    head: String,
    raw_head: Vec<u8>,
    encoding: TextEncoding,
    reader: BufReader<Box<dyn Read + 'a>>,
}

impl<'a> Source<'a> {
    /// Looks at the beginning of `reader`.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn new(mut reader: impl Read + 'a) -> io::Result<Self> {
        let mut raw_head = Vec::new();
        reader.by_ref().take(HEAD as u64).read_to_end(&mut raw_head)?;
        let encoding = encoding_of(&raw_head);
        let whole = io::Cursor::new(raw_head.clone()).chain(reader);
        let decoded: Box<dyn Read + 'a> = match encoding.of_utf16() {
            // Its own sniffing takes the mark away.
            Some(utf16) => Box::new(
                DecodeReaderBytesBuilder::new()
                    .encoding(Some(utf16))
                    .bom_override(true)
                    .build(whole),
            ),
            None => Box::new(LineDecoder::new(BufReader::with_capacity(HEAD, whole))),
        };
        let mut reader = BufReader::with_capacity(HEAD, decoded);
        let mut head = vec![0; HEAD];
        let length = fill(&mut reader, &mut head)?;
        head.truncate(length);
        // The cut may go through a character.
        let text = match std::str::from_utf8(&head) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default(),
        };
        let text = text.to_string();
        let rest: Box<dyn Read + 'a> = Box::new(io::Cursor::new(head).chain(reader));
        let reader = BufReader::with_capacity(HEAD, rest);
        Ok(Self { head: text, raw_head, encoding, reader })
    }

    /// Its beginning, decoded.
    pub(crate) fn head(&self) -> &str {
        &self.head
    }

    /// Its beginning as it stands in the file.
    pub(crate) fn raw_head(&self) -> &[u8] {
        &self.raw_head
    }

    /// How it is encoded, by its beginning.
    pub(crate) fn encoding(&self) -> TextEncoding {
        self.encoding
    }

    /// All of it as text in UTF-8, to be read piece by piece.
    pub(crate) fn into_reader(self) -> impl BufRead + 'a {
        self.reader
    }

    /// All of it, if that is no more than [`LARGEST_DOCUMENT`]; `None` if it is.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn into_text(self) -> io::Result<Option<String>> {
        let mut bytes = Vec::new();
        self.reader.take(LARGEST_DOCUMENT + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > LARGEST_DOCUMENT {
            return Ok(None);
        }
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    }
}

/// Fills as much of `buffer` as there is.
fn fill(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    while length < buffer.len() {
        match reader.read(&mut buffer[length..])? {
            0 => break,
            read => length += read,
        }
    }
    Ok(length)
}

/// Reads the next line of `reader` into `line`, without its end; a line that is too long comes in
/// pieces. False at the end.
///
/// # Errors
/// What the system says.
pub(crate) fn next_line(reader: &mut impl BufRead, line: &mut String) -> io::Result<bool> {
    let mut bytes = std::mem::take(line).into_bytes();
    bytes.clear();
    let read = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
    while bytes.last().is_some_and(|byte| matches!(byte, b'\n' | b'\r')) {
        bytes.pop();
    }
    *line = String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    Ok(read > 0)
}

/// The encoding by the first bytes.
fn encoding_of(head: &[u8]) -> TextEncoding {
    if let Some((encoding, _)) = Encoding::for_bom(head) {
        return if encoding == UTF_16LE {
            TextEncoding::Utf16Le
        } else if encoding == UTF_16BE {
            TextEncoding::Utf16Be
        } else {
            TextEncoding::Utf8Marked
        };
    }
    let pairs = head.len() / 2;
    let zeros = |odd: usize| head.iter().skip(odd).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    // Text in Latin letters: nearly every other byte is zero, and hardly any of the rest.
    if pairs >= 4 && odd * 10 > pairs * 6 && even * 10 < pairs {
        return TextEncoding::Utf16Le;
    }
    if pairs >= 4 && even * 10 > pairs * 6 && odd * 10 < pairs {
        return TextEncoding::Utf16Be;
    }
    match std::str::from_utf8(head) {
        Ok(_) => TextEncoding::Utf8,
        // The cut of the head goes through a character.
        Err(error) if error.error_len().is_none() => TextEncoding::Utf8,
        Err(_) => TextEncoding::Windows1252,
    }
}

/// Turns lines into UTF-8: as they are where they are valid, else from Windows-1252.
struct LineDecoder<R> {
    inner: R,
    line: Vec<u8>,
    at: usize,
    first: bool,
}

impl<R: BufRead> LineDecoder<R> {
    fn new(inner: R) -> Self {
        Self { inner, line: Vec::new(), at: 0, first: true }
    }

    fn next(&mut self) -> io::Result<()> {
        self.line.clear();
        self.at = 0;
        self.inner.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut self.line)?;
        if std::mem::take(&mut self.first) && self.line.starts_with(b"\xEF\xBB\xBF") {
            self.at = 3;
        }
        match std::str::from_utf8(&self.line) {
            Ok(_) => return Ok(()),
            // A very long line was cut within a character: the rest of it follows.
            Err(error) if error.error_len().is_none() => self.complete()?,
            Err(_) => {}
        }
        if std::str::from_utf8(&self.line).is_err() {
            let (text, _, _) = WINDOWS_1252.decode(&self.line[self.at..]);
            self.line = text.into_owned().into_bytes();
            self.at = 0;
        }
        Ok(())
    }

    /// Reads the missing bytes of the last character, at most three.
    fn complete(&mut self) -> io::Result<()> {
        let mut byte = [0];
        for _ in 0..3 {
            if self.inner.read(&mut byte)? == 0 {
                break;
            }
            self.line.push(byte[0]);
            if std::str::from_utf8(&self.line).is_ok() {
                break;
            }
        }
        Ok(())
    }
}

impl<R: BufRead> Read for LineDecoder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        while self.at >= self.line.len() {
            self.next()?;
            if self.line.is_empty() {
                return Ok(0);
            }
        }
        let count = buffer.len().min(self.line.len() - self.at);
        buffer[..count].copy_from_slice(&self.line[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> (TextEncoding, String) {
        let source = Source::new(bytes).expect("a source");
        let encoding = source.encoding();
        (encoding, source.into_text().expect("readable").expect("small"))
    }

    fn utf16(text: &str, bytes_of: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes_of).collect()
    }

    #[test]
    fn every_encoding_gives_the_same_text() {
        let wanted = "Größe;páginas\r\n7;8\r\n";
        let marked = format!("\u{feff}{wanted}");
        let (windows, _, _) = WINDOWS_1252.encode(wanted);
        let files: [(TextEncoding, Vec<u8>); 7] = [
            (TextEncoding::Utf8, wanted.as_bytes().to_vec()),
            (TextEncoding::Utf8Marked, marked.as_bytes().to_vec()),
            (TextEncoding::Windows1252, windows.into_owned()),
            (TextEncoding::Utf16Le, utf16(&marked, u16::to_le_bytes)),
            (TextEncoding::Utf16Be, utf16(&marked, u16::to_be_bytes)),
            (TextEncoding::Utf16Le, utf16(wanted, u16::to_le_bytes)),
            (TextEncoding::Utf16Be, utf16(wanted, u16::to_be_bytes)),
        ];
        for (encoding, bytes) in files {
            assert_eq!(text(&bytes), (encoding, wanted.to_string()), "{encoding}");
        }
        assert_eq!(text(b""), (TextEncoding::Utf8, String::new()));
    }

    #[test]
    fn a_line_in_another_encoding_does_not_spoil_the_others() {
        let mixed = b"p\xc3\xa1ginas\np\xe1ginas\n";
        assert_eq!(text(mixed).1, "páginas\npáginas\n");
    }

    #[test]
    fn characters_at_the_cuts_survive() {
        for shift in 0..4 {
            let long = format!("{}{}", "x".repeat(shift), "é".repeat(HEAD));
            assert_eq!(text(long.as_bytes()), (TextEncoding::Utf8, long.clone()), "{shift}");
            let long = long.repeat(9);
            assert_eq!(text(long.as_bytes()).1, long, "{shift}");
        }
    }

    #[test]
    fn lines_come_without_their_ends() {
        let mut reader = Source::new(&b"a\r\n\r\nb"[..]).expect("a source").into_reader();
        let mut line = String::new();
        let mut lines = Vec::new();
        while next_line(&mut reader, &mut line).expect("readable") {
            lines.push(line.clone());
        }
        assert_eq!(lines, ["a", "", "b"]);
    }
}
