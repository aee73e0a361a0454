//! What each option means for the statement.

use std::ops::Range;

use super::{Entry, Stated};
use crate::problem::ProblemKind;
use crate::statement::batch::Reader;
use crate::statement::draft::{Draft, problem, whole};
use crate::statement::model::Encryption;
use crate::words;

/// Compression algorithms of the vendor.
pub(crate) const ALGORITHMS: [&str; 3] = ["MS_XPRESS", "QAT_DEFLATE", "ZSTD"];
/// Levels of compression.
pub(crate) const LEVELS: [&str; 3] = ["LOW", "MEDIUM", "HIGH"];
/// Algorithms of encryption.
pub(crate) const CIPHERS: [&str; 4] = ["AES_128", "AES_192", "AES_256", "TRIPLE_DES_3KEY"];

/// Enters an option.
pub(super) fn apply(
    reader: &mut Reader<'_>,
    draft: &mut Draft,
    name: &str,
    stated: Stated,
    span: &Range<usize>,
) {
    match stated {
        Stated::Nothing => flag(draft, name, span),
        Stated::List(entries) if name == "COMPRESSION" => compression(reader, draft, &entries),
        Stated::List(entries) if name == "ENCRYPTION" => encryption(reader, draft, &entries, span),
        Stated::List(_) => draft.note(span, format!("{name} has no effect on the time")),
        Stated::Value(value) => {
            let Some(text) = value.text else { return };
            if matches!(name, "BUFFERCOUNT" | "MAXTRANSFERSIZE" | "BLOCKSIZE" | "STATS") {
                let number = whole(name, &text, &value.span, reader.problems);
                size(draft, name, number);
            } else if matches!(name, "RETAINDAYS" | "FILE") {
                whole(name, &text, &value.span, reader.problems);
                draft.note(span, format!("{name} has no effect on the time"));
            } else if name == "CREDENTIAL" {
                draft.statement.credential = Some(text);
            } else if name.contains("PASSWORD") {
                draft.note(span, format!("{name} has no effect on the time, and is not shown"));
            } else {
                draft.note(span, format!("{name} has no effect on the time"));
            }
        }
    }
}

/// Enters a number.
pub(in crate::statement) fn size(draft: &mut Draft, name: &str, number: Option<u64>) {
    let statement = &mut draft.statement;
    match name {
        "BUFFERCOUNT" => statement.buffer_count = number,
        "MAXTRANSFERSIZE" => statement.transfer_size = number,
        "BLOCKSIZE" => statement.block_size = number,
        _ => statement.stats = number,
    }
}

/// An option that says all with its name.
fn flag(draft: &mut Draft, name: &str, span: &Range<usize>) {
    let statement = &mut draft.statement;
    match name {
        "COMPRESSION" => statement.compression = Some(true),
        "NO_COMPRESSION" => statement.compression = Some(false),
        "CHECKSUM" => statement.checksum = Some(true),
        "NO_CHECKSUM" => statement.checksum = Some(false),
        "COPY_ONLY" => statement.copy_only = true,
        "DIFFERENTIAL" => statement.differential = true,
        "METADATA_ONLY" | "SNAPSHOT" | "FILE_SNAPSHOT" => {
            statement.snapshot = true;
            draft.note(span, format!("{name}: a snapshot is taken, no data are copied"));
        }
        "STATS" => statement.stats = Some(10),
        "CONTINUE_AFTER_ERROR" => {
            draft.note(span, "CONTINUE_AFTER_ERROR has no effect on the time of a sound backup");
        }
        _ => draft.note(span, format!("{name} has no effect on the time")),
    }
}

/// The value of an entry in capitals, if it is one of those accepted.
fn choice(
    reader: &mut Reader<'_>,
    (key, value, span): &Entry,
    accepted: &[&str],
) -> Option<String> {
    let text = value.as_ref().and_then(|value| value.text.clone()).unwrap_or_default();
    let upper = text.to_uppercase();
    if accepted.contains(&upper.as_str()) {
        return Some(upper);
    }
    let shown = words::shown(&text);
    let near = words::nearest(&text, accepted.iter().copied());
    let message = format!("`{}` cannot be `{shown}`", words::shown(key));
    let wrong = problem(ProblemKind::NotAccepted, span, key, message).found(shown);
    let wrong = wrong.accepted(words::listed(accepted.iter().copied()));
    reader.problems.report(wrong.suggestion(near.map(|near| format!("`{near}`"))));
    None
}

/// Reports a key that a list does not have.
fn unknown_key(reader: &mut Reader<'_>, (key, _, span): &Entry, of: &str, accepted: &[&str]) {
    let message = format!("`{of}` has no `{}`", words::shown(key));
    let near = words::nearest(key, accepted.iter().copied());
    let unknown = problem(ProblemKind::UnknownKey, span, of, message).found(words::shown(key));
    let unknown = unknown.accepted(words::listed(accepted.iter().copied()));
    reader.problems.report(unknown.suggestion(near.map(|near| format!("`{near}`"))));
}

fn compression(reader: &mut Reader<'_>, draft: &mut Draft, entries: &[Entry]) {
    draft.statement.compression = Some(true);
    for entry in entries {
        match entry.0.as_str() {
            "ALGORITHM" => draft.statement.algorithm = choice(reader, entry, &ALGORITHMS),
            "LEVEL" => draft.statement.level = choice(reader, entry, &LEVELS),
            _ => unknown_key(reader, entry, "COMPRESSION", &["ALGORITHM", "LEVEL"]),
        }
    }
}

fn encryption(reader: &mut Reader<'_>, draft: &mut Draft, entries: &[Entry], span: &Range<usize>) {
    let mut encryption = Encryption::default();
    for entry in entries {
        match entry.0.as_str() {
            "ALGORITHM" => encryption.algorithm = choice(reader, entry, &CIPHERS),
            "SERVER CERTIFICATE" | "SERVER ASYMMETRIC KEY" => {
                encryption.encryptor = entry.1.as_ref().and_then(|value| value.text.clone());
            }
            _ => {
                let accepted = ["ALGORITHM", "SERVER CERTIFICATE", "SERVER ASYMMETRIC KEY"];
                unknown_key(reader, entry, "ENCRYPTION", &accepted);
            }
        }
    }
    let keys = || entries.iter().map(|(key, ..)| key.as_str());
    if !keys().any(|key| key == "ALGORITHM") || !keys().any(|key| key.starts_with("SERVER")) {
        let message = "`ENCRYPTION` needs an algorithm and what holds the key".to_string();
        let missing = problem(ProblemKind::MissingKey, span, "ENCRYPTION", message);
        reader.problems.report(missing.accepted("`(ALGORITHM = AES_256, SERVER CERTIFICATE = x)`"));
    }
    draft.statement.encryption = Some(encryption);
}
