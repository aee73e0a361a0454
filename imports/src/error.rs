//! Why a file cannot be imported.

use crate::format::Format;

/// Why a file cannot be imported. Each is one sentence that names the file.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The system cannot read it.
    #[error("cannot read `{file}`: {source}")]
    Unreadable {
        /// The file.
        file: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// Nothing is in it.
    #[error("`{file}` is an empty file: was the run that should have written it interrupted?")]
    Empty {
        /// The file.
        file: String,
    },
    /// It is packed or a program, an image, a database.
    #[error("`{file}` is {what}, not text: {hint}")]
    NotText {
        /// The file.
        file: String,
        /// What it looks like.
        what: &'static str,
        /// What to do.
        hint: &'static str,
    },
    /// No format matches.
    #[error("`{file}`: not a known format; it begins with `{begin}` (recognised: {})", formats())]
    Unknown {
        /// The file.
        file: String,
        /// Its first words.
        begin: String,
    },
    /// It looks like a format, but cannot be read as that.
    #[error("`{file}`: looks like {format}, but {reason}")]
    Malformed {
        /// The file.
        file: String,
        /// What it looks like.
        format: Format,
        /// What is wrong, where, and what is accepted.
        reason: String,
    },
}

/// Names of all formats.
fn formats() -> String {
    Format::ALL.map(Format::name).join(", ")
}
