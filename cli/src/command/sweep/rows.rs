//! Where rows go as they come, and how a file that was left unfinished is taken up again.
//!
//! A row is one line, written at once when its turn has come, and ends in the fingerprint of its
//! sweep. So a file is whole up to its last line break whatever happened; what stands behind that
//! is cut off. Nothing is kept beside the file, so that the files of shards can be put together as
//! they are.

use std::fs;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use bakcast_report::document::Resumed;
use bakcast_whatif::{Design, Operation};

use crate::exit::{Exit, Failure};

/// No row is longer.
const LONGEST_ROW: u64 = 1 << 20;

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Csv,
    Ndjson,
}

impl Format {
    pub(super) fn of(path: &Path) -> Self {
        match path.extension() {
            Some(extension) if extension.eq_ignore_ascii_case("csv") => Format::Csv,
            _ => Format::Ndjson,
        }
    }

    fn begin_of_row(self, index: u64) -> String {
        match self {
            Format::Csv => format!("{},", index + 1),
            Format::Ndjson => format!("{{\"run\":{},", index + 1),
        }
    }
}

/// Where rows go.
#[derive(Debug)]
pub(super) struct Rows {
    sink: Sink,
    format: Format,
}

#[derive(Debug)]
enum Sink {
    Nowhere,
    Stdout,
    File { file: fs::File, path: PathBuf, is_regular: bool, written: u64 },
}

impl Rows {
    pub(super) fn nowhere() -> Self {
        Rows { sink: Sink::Nowhere, format: Format::Csv }
    }

    pub(super) fn stdout() -> Self {
        Rows { sink: Sink::Stdout, format: Format::Csv }
    }

    pub(super) fn format(&self) -> Format {
        self.format
    }

    pub(super) fn are_on_stdout(&self) -> bool {
        matches!(self.sink, Sink::Stdout)
    }

    /// The file that keeps them.
    pub(super) fn kept(&self) -> Option<String> {
        match &self.sink {
            Sink::File { path, is_regular: true, .. } => Some(path.display().to_string()),
            _ => None,
        }
    }

    pub(super) fn write(&mut self, line: &str) -> io::Result<()> {
        match &mut self.sink {
            Sink::Nowhere => Ok(()),
            Sink::Stdout => {
                let mut stdout = io::stdout().lock();
                stdout.write_all(line.as_bytes()).and_then(|()| stdout.flush())
            }
            Sink::File { file, is_regular, written, .. } => {
                let done = file.write_all(line.as_bytes());
                match &done {
                    Ok(()) => *written += line.len() as u64,
                    // Half a row is no row. If this fails as well, --resume does it.
                    Err(_) if *is_regular => {
                        let _ = file.set_len(*written);
                    }
                    Err(_) => {}
                }
                done
            }
        }
    }

    /// Whether whoever reads has seen enough.
    pub(super) fn is_enough(&self, error: &io::Error) -> bool {
        self.are_on_stdout() && error.kind() == ErrorKind::BrokenPipe
    }

    /// Some disks say that they are full only now.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        match &self.sink {
            Sink::File { file, is_regular: true, .. } => file.sync_all(),
            _ => Ok(()),
        }
    }

    pub(super) fn failure(&self, error: &io::Error, rows: u64) -> Failure {
        let text = match &self.sink {
            Sink::File { path, is_regular, .. } => {
                let kept = if *is_regular {
                    format!("; its {rows} rows are kept, and --resume goes on once there is room")
                } else {
                    String::new()
                };
                format!("cannot write `{}`: {error}{kept}", path.display())
            }
            Sink::Stdout | Sink::Nowhere => format!("cannot write to standard output: {error}"),
        };
        Failure::new(Exit::Internal, text)
    }
}

/// A file that takes rows, or has some already.
#[derive(Debug)]
pub(super) struct File<'a> {
    path: &'a Path,
    format: Format,
    /// What stands before the first row.
    begin: String,
    /// Bytes that are whole.
    whole: u64,
}

impl<'a> File<'a> {
    pub(super) fn new(path: &'a Path, format: Format, begin: String) -> Self {
        File { path, format, begin, whole: 0 }
    }

    /// The rows that are there; none if there is no file.
    pub(super) fn scan(
        &mut self,
        design: &Design,
        operation: Operation,
        fingerprint: &str,
        (first, end): (u64, u64),
    ) -> Result<Vec<Resumed>, Failure> {
        let is_regular = match fs::metadata(self.path) {
            Ok(metadata) => metadata.is_file(),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(self.unusable(&error)),
        };
        if !is_regular {
            return Err(self.foreign(1, "it is no ordinary file"));
        }
        let file = fs::File::open(self.path).map_err(|error| self.unusable(&error))?;
        let mut lines = Lines { reader: BufReader::new(file), number: 0 };
        if !self.begin.is_empty() {
            match lines.next().map_err(|error| self.unusable(&error))? {
                Line::Whole(line) if line == self.begin => self.whole = line.len() as u64,
                Line::Torn(torn) if self.begin.as_bytes().starts_with(&torn) => {
                    return Ok(Vec::new());
                }
                _ => return Err(self.foreign(1, "its headings are others")),
            }
        }
        let mut rows = Vec::new();
        let read = match self.format {
            Format::Csv => Resumed::from_csv,
            Format::Ndjson => Resumed::from_ndjson,
        };
        loop {
            let index = first + rows.len() as u64;
            let begin = self.format.begin_of_row(index);
            match lines.next().map_err(|error| self.unusable(&error))? {
                Line::Torn(torn) if torn.is_empty() => return Ok(rows),
                Line::Torn(torn) if index < end && is_begun(&torn, begin.as_bytes()) => {
                    return Ok(rows);
                }
                Line::Whole(line) if index < end => {
                    match read(&line, index, design, operation, fingerprint) {
                        Some(row) => rows.push(row),
                        None => {
                            let why = format!("it is not row {} of this sweep", index + 1);
                            return Err(self.foreign(lines.number, &why));
                        }
                    }
                    self.whole += line.len() as u64;
                }
                _ => {
                    return Err(self.foreign(lines.number, "there are more rows than there can be"));
                }
            }
        }
    }

    /// Goes on behind the last whole row.
    pub(super) fn go_on(&self) -> Result<Rows, Failure> {
        self.opened(self.whole)
    }

    /// Begins anew, whatever is there.
    pub(super) fn begin(&self) -> Result<Rows, Failure> {
        self.opened(0)
    }

    fn opened(&self, keep: u64) -> Result<Rows, Failure> {
        let unusable = |error: io::Error| self.unusable(&error);
        let mut options = fs::File::options();
        let mut file =
            options.write(true).create(true).truncate(false).open(self.path).map_err(unusable)?;
        let is_regular = file.metadata().map_err(unusable)?.is_file();
        if is_regular {
            file.set_len(keep).map_err(unusable)?;
            file.seek(SeekFrom::Start(keep)).map_err(unusable)?;
        }
        let path = self.path.to_path_buf();
        let sink = Sink::File { file, path, is_regular, written: keep };
        let mut rows = Rows { sink, format: self.format };
        if keep == 0 {
            rows.write(&self.begin).map_err(|error| rows.failure(&error, 0))?;
        }
        Ok(rows)
    }

    fn unusable(&self, error: &io::Error) -> Failure {
        Failure::new(Exit::Internal, format!("cannot use `{}`: {error}", self.path.display()))
    }

    fn foreign(&self, line: u64, why: &str) -> Failure {
        let text = format!(
            "`{}`, line {line}: {why}. --resume goes on only with the same scenario, version, \
             seed, options and values: take another file, or leave --resume out",
            self.path.display()
        );
        Failure::new(Exit::Input, text)
    }
}

/// Whether what is torn can be what is left of a row that begins so.
fn is_begun(torn: &[u8], begin: &[u8]) -> bool {
    begin.starts_with(torn) || torn.starts_with(begin)
}

/// Lines of a file, each with its end.
struct Lines {
    reader: BufReader<fs::File>,
    number: u64,
}

enum Line {
    Whole(String),
    /// What stands behind the last line break, be it nothing.
    Torn(Vec<u8>),
}

impl Lines {
    fn next(&mut self) -> io::Result<Line> {
        let mut bytes = Vec::new();
        self.reader.by_ref().take(LONGEST_ROW).read_until(b'\n', &mut bytes)?;
        self.number += 1;
        if bytes.last() != Some(&b'\n') {
            return Ok(Line::Torn(bytes));
        }
        Ok(Line::Whole(String::from_utf8_lossy(&bytes).into_owned()))
    }
}
