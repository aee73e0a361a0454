//! The text of `--sql`: an argument, a file or standard input.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use bakcast_scenarios::{LARGEST_TEXT, ScenarioError};

/// Its name for messages, and the text.
pub(crate) fn read(argument: &str) -> Result<(String, String), ScenarioError> {
    if argument == "-" {
        let name = "standard input";
        return Ok((name.to_string(), decoded(name, &bytes(Path::new(name), io::stdin())?)?));
    }
    let Some(file) = argument.strip_prefix('@').filter(|_| is_file(argument)) else {
        return Ok(("--sql".to_string(), argument.to_string()));
    };
    let path = PathBuf::from(file);
    if path.is_dir() {
        return Err(ScenarioError::Folder { path });
    }
    let opened = File::open(&path);
    let opened = opened.map_err(|source| ScenarioError::Unreadable { path: path.clone(), source });
    Ok((file.to_string(), decoded(file, &bytes(&path, opened?)?)?))
}

/// Whether `@...` names a file: dbatools' parameters may be splatted, statements never begin so.
fn is_file(argument: &str) -> bool {
    !argument.contains('\n')
}

/// As many bytes as a text may have, and one more.
fn bytes(path: &Path, source: impl Read) -> Result<Vec<u8>, ScenarioError> {
    let mut bytes = Vec::new();
    let limit = LARGEST_TEXT as u64 * 2 + 4;
    source
        .take(limit)
        .read_to_end(&mut bytes)
        .map_err(|source| ScenarioError::Unreadable { path: path.to_path_buf(), source })?;
    Ok(bytes)
}

/// UTF-8, or UTF-16 with its mark, as the tools of SQL Server write it.
fn decoded(name: &str, bytes: &[u8]) -> Result<String, ScenarioError> {
    let not_text =
        |offset, reason| ScenarioError::NotText { name: name.to_string(), offset, reason };
    let (mark, units) = bytes.split_at(bytes.len().min(2));
    let unit: fn([u8; 2]) -> u16 = match mark {
        [0xff, 0xfe] => u16::from_le_bytes,
        [0xfe, 0xff] => u16::from_be_bytes,
        _ => {
            let text = std::str::from_utf8(bytes);
            let text = text.map_err(|error| {
                not_text(error.valid_up_to(), "save it as UTF-8, or as UTF-16 with its mark")
            })?;
            return Ok(text.trim_start_matches('\u{feff}').to_string());
        }
    };
    let (pairs, _) = units.as_chunks::<2>();
    let units: Vec<u16> = pairs.iter().map(|pair| unit(*pair)).collect();
    String::from_utf16(&units).map_err(|_| not_text(2, "its UTF-16 is broken"))
}
