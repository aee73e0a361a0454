//! `teach`: the teaching page, written to a file.

use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use bakcast_report::Format;

use crate::args::Teach;
use crate::exit::{Exit, Failure};
use crate::output::{Outputs, Reply, unwritable, write_file};

/// The page with the engine in it, as `page/build` made it.
static PAGE: &str = include_str!("../../../page/dist/bakcast.html");

/// What it is called where nothing else is said.
const NAME: &str = "bakcast.html";

/// What every page of ours begins with, of whatever version.
const MARK: &str = "<meta name=\"generator\" content=\"bakcast ";

/// How far into a file the mark stands.
const MARK_WITHIN: u64 = 1024;

pub(super) fn run(arguments: &Teach, outputs: &Outputs) -> Result<Reply, Failure> {
    if !outputs.prints(Format::Text) {
        return Err(Failure::usage("this command has one format only: leave --format out"));
    }
    let path = match outputs.files() {
        [] => PathBuf::from(NAME),
        [path] if path.is_dir() => path.join(NAME),
        [path] => path.clone(),
        [_, more, ..] => {
            let text = format!("the page goes to one file: leave `-o {}` out", more.display());
            return Err(Failure::usage(text));
        }
    };
    checked(&path)?;
    write_file(&path, PAGE).map_err(|error| unwritable(&path, &error))?;
    // Where it is in full: whoever looks for it may look from elsewhere.
    let place = fs::canonicalize(&path).unwrap_or(path);
    if arguments.open {
        open(&place)?;
    }
    let open = if arguments.open { "" } else { "; open it in a browser" };
    Ok(Reply {
        stdout: format!("{}{open}\n", place.display()),
        files: outputs.files().iter().map(|_| None).collect(),
        messages: Vec::new(),
        unmet: None,
        exit: Exit::Done,
    })
}

/// Refuses a name that is no page's, and a file that is somebody's.
fn checked(path: &Path) -> Result<(), Failure> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    if !extension.is_some_and(|own| ["html", "htm"].iter().any(|k| k.eq_ignore_ascii_case(own))) {
        let text = format!("`{}` is no name of a page; accepted: .html", path.display());
        return Err(Failure::usage(text));
    }
    match is_ours(path) {
        Ok(true) => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(unwritable(path, &error)),
        Ok(false) => Err(Failure::new(
            Exit::Internal,
            format!(
                "`{}` is there already, and is no page of bakcast; `-o FILE.html` names another",
                path.display()
            ),
        )),
    }
}

/// Whether a file is an earlier page, which a newer one may replace.
fn is_ours(path: &Path) -> std::io::Result<bool> {
    let file = fs::File::open(path)?;
    // A pipe may never end, and is not to be replaced.
    if !file.metadata()?.is_file() {
        return Ok(false);
    }
    let mut begin = Vec::new();
    file.take(MARK_WITHIN).read_to_end(&mut begin)?;
    Ok(begin.windows(MARK.len()).any(|window| window == MARK.as_bytes()))
}

/// Has the system open the page.
fn open(path: &Path) -> Result<(), Failure> {
    let program = if cfg!(target_os = "windows") {
        "explorer"
    } else if cfg!(target_os = "macos") {
        "open"
    } else {
        "xdg-open"
    };
    let mut command = Command::new(program);
    command.arg(path);
    let nothing = || Stdio::null();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_says_within_its_first_lines_whose_it_is() {
        let begin = &PAGE[..PAGE.len().min(MARK_WITHIN as usize)];
        assert!(begin.contains(MARK), "{begin}");
    }
}
