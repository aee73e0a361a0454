//! Where results go: standard output, and files written aside and renamed.

use std::fs::{self, File};
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};

use bakcast_report::number::bytes;
use bakcast_report::{Document, Format, Paint, Report, render};
use bakcast_scenarios::Resolved;
use bakcast_scenarios::predict::PredictOptions;

use crate::args::GlobalOptions;
use crate::exit::{Exit, Failure};

/// What a command has to say, ready to be written.
#[derive(Debug)]
pub(crate) struct Reply {
    /// For standard output.
    pub(crate) stdout: String,
    /// For the files, in the order of [`Outputs`]; nothing for one that is written already.
    pub(crate) files: Vec<Option<Vec<u8>>>,
    /// For standard error, unless it is to be quiet.
    pub(crate) messages: Vec<String>,
    /// For standard error in any case: requirements that are not met.
    pub(crate) unmet: Option<String>,
    /// How the program ends.
    pub(crate) exit: Exit,
    /// A file to open once it is written.
    pub(crate) opens: Option<PathBuf>,
}

/// Transfers that take some seconds to simulate.
const A_WHILE: u64 = 4_000_000;

/// Where results go.
#[derive(Debug)]
pub(crate) struct Outputs {
    format: Format,
    paint: Paint,
    files: Vec<PathBuf>,
    /// Whether somebody sits at a terminal and wants to know what goes on.
    watched: bool,
}

impl Outputs {
    pub(crate) fn new(options: &GlobalOptions) -> Self {
        Outputs {
            format: options.format.into(),
            paint: options.paint(),
            files: options.output.clone(),
            watched: !options.quiet && io::stderr().is_terminal(),
        }
    }

    /// Says what goes on, if somebody watches and it will take a while.
    pub(crate) fn announce(&self, resolved: &Resolved, options: &PredictOptions) {
        let size = resolved.backup.buffers.transfer_size.get().max(1);
        let transfers = resolved.database_bytes().get() / size * u64::from(options.replications);
        if self.watched && transfers > A_WHILE {
            let more = if options.precision.is_some() { " or more" } else { "" };
            message(&format!(
                "simulating {}{more} runs of {} ... (fewer: --replications 8)",
                options.replications,
                bytes(resolved.database_bytes().as_f64())
            ));
        }
    }

    /// The format of each file, or the first extension that stands for none.
    ///
    /// Asked for before a scenario is run: nobody should wait for the answer to a misspelling.
    pub(crate) fn formats(&self) -> Result<Vec<Format>, Failure> {
        self.formats_of(&|_| None, "")
    }

    /// As [`Outputs::formats`], for a command that can write a scenario as well: the first file
    /// that takes it, if there is to be one.
    pub(crate) fn formats_or_scenario(
        &self,
        has_scenario: bool,
    ) -> Result<Option<String>, Failure> {
        let scenarios: Vec<&PathBuf> = self.files.iter().filter(|path| is_toml(path)).collect();
        if let (false, Some(path)) = (has_scenario, scenarios.first()) {
            return Err(Failure::usage(format!(
                "nothing is fitted without --runs, so there is no scenario for `{}`; the table of \
                 proposed runs is a .csv",
                path.display()
            )));
        }
        let fitted = ", .toml for the fitted scenario";
        self.formats_of(&|path| is_toml(path).then_some(Format::Text), fitted)?;
        Ok(scenarios.first().map(|path| path.display().to_string()))
    }

    /// The same for a command that can write tables of a scenario in any case.
    pub(crate) fn formats_or_tables(&self) -> Result<Option<String>, Failure> {
        let more = ", .toml for tables of a scenario";
        self.formats_of(&|path| is_toml(path).then_some(Format::Text), more)?;
        Ok(self.files.iter().find(|path| is_toml(path)).map(|path| path.display().to_string()))
    }

    /// The same for a command that can write a page: whether there is to be one.
    pub(crate) fn formats_or_page(&self) -> Result<bool, Failure> {
        self.formats_of(&|path| is_html(path).then_some(Format::Text), ", .html for a page")?;
        Ok(self.files.iter().any(|path| is_html(path)))
    }

    /// Whether there is no file, and text for a terminal is all that is written.
    pub(crate) fn writes_nothing_but_text(&self) -> bool {
        self.files.is_empty() && self.format == Format::Text
    }

    /// A document in every format asked for, and a page in files of HTML.
    pub(crate) fn reply_with_page<R: Report>(
        &self,
        document: &Document<R>,
        page: Option<&str>,
    ) -> Result<Reply, Failure> {
        let bytes = |page: &str| page.as_bytes().to_vec();
        self.reply_with_pictures(document, |path| Ok(page.filter(|_| is_html(path)).map(bytes)))
    }

    /// The same for a command that can draw as well.
    pub(crate) fn formats_or_pictures(&self) -> Result<(), Failure> {
        let more = ", .svg and .png for pictures";
        self.formats_of(&|path| is_picture(path).then_some(Format::Text), more).map(|_| ())
    }

    /// A document in every format asked for; `draw` makes files that are pictures.
    pub(crate) fn reply_with_pictures<R: Report>(
        &self,
        document: &Document<R>,
        mut draw: impl FnMut(&Path) -> Result<Option<Vec<u8>>, Failure>,
    ) -> Result<Reply, Failure> {
        let pictures = self.files.iter().map(|path| draw(path)).collect::<Result<Vec<_>, _>>()?;
        let mut reply = self.reply_but(document, None, None)?;
        for (file, picture) in reply.files.iter_mut().zip(pictures) {
            if picture.is_some() {
                *file = picture;
            }
        }
        Ok(reply)
    }

    /// As [`Outputs::formats`], for a command that writes rows as they come: the file that takes
    /// them, the first .csv or .ndjson.
    pub(crate) fn formats_or_rows(&self) -> Result<Option<PathBuf>, Failure> {
        let is = |path: &Path, known: &[&str]| {
            let extension = path.extension().and_then(|extension| extension.to_str());
            extension.is_some_and(|own| known.iter().any(|k| k.eq_ignore_ascii_case(own)))
        };
        let lines = ["ndjson", "jsonl"];
        self.formats_of(&|path| is(path, &lines).then_some(Format::Json), ", .ndjson for rows")?;
        let takes_rows = |path: &&PathBuf| is(path, &lines) || is(path, &["csv"]);
        let mut rows = self.files.iter().filter(takes_rows);
        let first = rows.next().cloned();
        match rows.next() {
            Some(other) => Err(Failure::usage(format!(
                "rows go to one file: leave `-o {}` out",
                other.display()
            ))),
            None => Ok(first),
        }
    }

    /// Whether standard output has a format.
    pub(crate) fn prints(&self, format: Format) -> bool {
        self.format == format
    }

    /// Whether standard output or a file has a format.
    pub(crate) fn wants(&self, format: Format) -> bool {
        let of_file = |path: &PathBuf| Format::of_path(path) == Some(format);
        self.prints(format) || self.files.iter().any(of_file)
    }

    /// Formats by the extensions of [`Format`] and by others, of files that can be written.
    fn formats_of(
        &self,
        other: &dyn Fn(&Path) -> Option<Format>,
        more: &str,
    ) -> Result<Vec<Format>, Failure> {
        let format = |path: &PathBuf| {
            Format::of_path(path).or_else(|| other(path)).ok_or_else(|| {
                let known = Format::EXTENSIONS;
                Failure::usage(format!(
                    "the extension of `{}` says no format; known: {known}{more}",
                    path.display()
                ))
            })
        };
        let formats = self.files.iter().map(format).collect::<Result<_, _>>()?;
        // Nobody should wait for a result that cannot be written, either.
        self.files
            .iter()
            .try_for_each(|path| can_be_written(path).map_err(|error| unwritable(path, &error)))?;
        Ok(formats)
    }

    /// Whether some output is for programs, which want all there is.
    pub(crate) fn is_data(&self) -> bool {
        let is_json = |path: &PathBuf| Format::of_path(path) == Some(Format::Json);
        self.format == Format::Json || self.files.iter().any(is_json)
    }

    /// The files that are to be written.
    pub(crate) fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// Whether somebody sits at a terminal and wants to know what goes on.
    pub(crate) fn watched(&self) -> bool {
        self.watched
    }

    /// A document in every format asked for.
    pub(crate) fn reply<R: Report>(&self, document: &Document<R>) -> Result<Reply, Failure> {
        self.formats()?;
        self.reply_with_scenario(document, None)
    }

    /// The same, files in TOML with a scenario.
    pub(crate) fn reply_with_scenario<R: Report>(
        &self,
        document: &Document<R>,
        scenario: Option<&str>,
    ) -> Result<Reply, Failure> {
        self.reply_but(document, scenario, None)
    }

    /// The same beside a file of rows that is written already.
    pub(crate) fn reply_beside_rows<R: Report>(
        &self,
        document: &Document<R>,
        rows: Option<&Path>,
    ) -> Result<Reply, Failure> {
        self.reply_but(document, None, rows)
    }

    /// The same beside files that are written already, by their index.
    pub(crate) fn reply_beside<R: Report>(
        &self,
        document: &Document<R>,
        is_written: &dyn Fn(usize) -> bool,
    ) -> Result<Reply, Failure> {
        let mut reply = self.reply_but(document, None, None)?;
        let files = reply.files.iter_mut().enumerate();
        files.filter(|(index, _)| is_written(*index)).for_each(|(_, text)| *text = None);
        Ok(reply)
    }

    /// The format of standard output.
    pub(crate) fn format(&self) -> Format {
        self.format
    }

    fn reply_but<R: Report>(
        &self,
        document: &Document<R>,
        scenario: Option<&str>,
        written: Option<&Path>,
    ) -> Result<Reply, Failure> {
        let whole = Paint { whole: true, ..Paint::default() };
        let text =
            |path: &PathBuf| match (scenario.filter(|_| is_toml(path)), Format::of_path(path)) {
                (Some(scenario), _) => Ok(scenario.to_string()),
                (None, format) => render(document, format.unwrap_or(Format::Text), whole),
            };
        let files = self.files.iter().map(|path| {
            let is_written = written.is_some_and(|written| written == path);
            if is_written { Ok(None) } else { text(path).map(|text| Some(text.into_bytes())) }
        });
        let files = files.collect::<Result<_, _>>()?;
        // Text and Markdown carry their warnings; beside the others they would go unseen.
        let messages = match self.format {
            Format::Text | Format::Markdown => Vec::new(),
            Format::Json | Format::Csv => {
                let line = |w: &bakcast_report::Warning| format!("warning: {}; {}", w.text, w.hint);
                document.warnings.iter().map(line).collect()
            }
        };
        let stdout = render(document, self.format, self.paint)?;
        Ok(Reply { stdout, files, messages, unmet: None, exit: Exit::Done, opens: None })
    }

    /// A text that has one form only, whatever a file's extension says.
    pub(crate) fn verbatim(&self, text: String, forms: &[Format]) -> Result<Reply, Failure> {
        if !forms.contains(&self.format) {
            return Err(Failure::usage("this command has one format only: leave --format out"));
        }
        let files = self.files.iter().map(|_| Some(text.clone().into_bytes())).collect();
        let messages = Vec::new();
        Ok(Reply { stdout: text, files, messages, unmet: None, exit: Exit::Done, opens: None })
    }

    /// Writes the files first, then standard output.
    pub(crate) fn write(&self, reply: &Reply) -> Result<(), Failure> {
        for (path, bytes) in self.files.iter().zip(&reply.files) {
            let Some(bytes) = bytes else { continue };
            write_file(path, bytes).map_err(|error| unwritable(path, &error))?;
        }
        let mut stdout = io::stdout().lock();
        match stdout.write_all(reply.stdout.as_bytes()).and_then(|()| stdout.flush()) {
            // Whoever reads has seen enough.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            Err(error) => Err(Failure::new(
                Exit::Internal,
                format!("cannot write to standard output: {error}"),
            )),
            Ok(()) => Ok(()),
        }
    }
}

/// Whether a file is to hold a picture.
pub(crate) fn is_picture(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|own| ["svg", "png"].iter().any(|known| known.eq_ignore_ascii_case(own)))
}

/// Has the system open a file.
pub(crate) fn open(path: &Path) -> Result<(), Failure> {
    let program = if cfg!(target_os = "windows") {
        "explorer"
    } else if cfg!(target_os = "macos") {
        "open"
    } else {
        "xdg-open"
    };
    let mut command = std::process::Command::new(program);
    command.arg(path);
    let nothing = || std::process::Stdio::null();
    command.stdin(nothing()).stdout(nothing()).stderr(nothing());
    let failed = |why: String| {
        let place = path.display();
        Failure::new(Exit::Internal, format!("{place} is written, but {why}; open it yourself"))
    };
    let status = command.status();
    match status.map_err(|error| failed(format!("`{program}` cannot be run ({error})")))? {
        // The explorer says 1 whatever it does.
        status if status.success() || cfg!(target_os = "windows") => Ok(()),
        status => Err(failed(format!("`{program}` does not open it ({status})"))),
    }
}

/// Whether a file is to hold a scenario.
fn is_toml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"))
}

/// Whether a file is to hold a page.
fn is_html(path: &Path) -> bool {
    let known = ["html", "htm"];
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|own| known.iter().any(|k| k.eq_ignore_ascii_case(own)))
}

pub(crate) fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::new(Exit::Internal, format!("cannot write `{}`: {error}", path.display()))
}

/// Whether there is a folder for a file, and none in its place.
fn can_be_written(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder.map(fs::metadata).transpose()? {
        Some(folder) if !folder.is_dir() => Err(ErrorKind::NotADirectory.into()),
        _ => Ok(()),
    }
}

/// Writes bytes, as [`write_aside`] does.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_aside(path, |file| file.write_all(bytes))
}

/// Writes beside the file and renames, so that no reader ever sees half of it.
pub(crate) fn write_aside(
    path: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    // A link keeps pointing where it points; a pipe or a device is written to as it is.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let existing = fs::metadata(&target).ok();
    if existing.as_ref().is_some_and(|metadata| !metadata.is_file()) {
        return write(&mut File::options().write(true).open(&target)?);
    }
    let name = target.file_name().ok_or(ErrorKind::InvalidInput)?.to_string_lossy().into_owned();
    let aside = target.with_file_name(format!(".{name}.{}.part", std::process::id()));
    let written = (|| {
        let mut file = File::create(&aside)?;
        write(&mut file)?;
        if let Some(metadata) = &existing {
            file.set_permissions(metadata.permissions())?;
        }
        drop(file);
        fs::rename(&aside, &target)
    })();
    if written.is_err() {
        // The reason is in `written`; what is left of the file is only in the way.
        let _ = fs::remove_file(&aside);
    }
    written
}

/// A line for the user; where nobody listens, nobody is missed.
pub(crate) fn message(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", text.trim_end());
}
