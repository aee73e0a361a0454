//! The text of `--sql`: an argument, a file or standard input.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use bakcast_scenarios::{LARGEST_TEXT, ScenarioError, decode_text};

use crate::exit::{Exit, Failure};

/// Its name for messages, and the text.
pub(crate) fn read(argument: &str) -> Result<(String, String), Failure> {
    if argument == "-" {
        let name = "standard input";
        return Ok((name.to_string(), decoded(name, &bytes(Path::new(name), io::stdin())?)?));
    }
    let Some(file) = argument.strip_prefix('@').filter(|_| is_file(argument)) else {
        return Ok(("--sql".to_string(), argument.to_string()));
    };
    if file.is_empty() {
        let text = "`--sql @` names no file: write `--sql @FILE`, or `--sql -` for standard input";
        return Err(Failure::usage(text));
    }
    let path = PathBuf::from(file);
    if path.is_dir() {
        let text = format!("`{file}` is a folder, not a file of statements");
        return Err(Failure::new(Exit::Input, text));
    }
    let opened = File::open(&path);
    let opened = opened.map_err(|source| ScenarioError::Unreadable { path: path.clone(), source });
    Ok((file.to_string(), decoded(file, &bytes(&path, opened?)?)?))
}

/// Whether `@...` names a file: dbatools' parameters may be splatted, statements never begin so.
fn is_file(argument: &str) -> bool {
    !argument.contains('\n')
}

/// No more bytes than a text may have, in UTF-16 twice as many.
fn bytes(path: &Path, source: impl Read) -> Result<Vec<u8>, Failure> {
    const MOST: usize = LARGEST_TEXT * 2 + 4;
    let mut bytes = Vec::new();
    source
        .take(MOST as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|source| ScenarioError::Unreadable { path: path.to_path_buf(), source })?;
    if bytes.len() > MOST {
        let text = format!(
            "`{}` has more than {MOST} bytes; accepted: statements of at most {LARGEST_TEXT} bytes",
            path.display()
        );
        return Err(Failure::new(Exit::Input, text));
    }
    Ok(bytes)
}

/// UTF-8, or UTF-16, as the tools of SQL Server write it.
fn decoded(name: &str, bytes: &[u8]) -> Result<String, ScenarioError> {
    decode_text(bytes).map_err(|error| ScenarioError::NotText {
        name: name.to_string(),
        offset: error.offset,
        reason: error.reason,
    })
}
