//! The list after WITH: every option the vendor documents for these statements.

pub(super) mod effect;

use std::ops::Range;

use super::batch::Reader;
use super::draft::{Draft, is_hopeless, problem};
use super::expression::Value;
use super::model::StatementKind;
use super::token::TokenKind;
use crate::problem::ProblemKind;
use crate::words;

/// Statements as far as their options differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    Backup,
    BackupLog,
    Verify,
    Restore,
}

/// What follows the name of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Takes {
    Nothing,
    /// `= value`.
    Value,
    /// `= number`.
    Number,
    /// Nothing or `= number`.
    MaybeNumber,
    /// Nothing or what stands in parentheses.
    MaybeList,
    /// `(key = value, ...)`, or `= value`.
    List,
    /// `'name' TO 'path'`.
    Move,
    /// `= 'mark' [AFTER 'time']`.
    Mark,
}

/// One option: its name, what it takes, and the statements that have it.
struct Known {
    name: &'static str,
    takes: Takes,
    of: &'static [Verb],
}

const B: &[Verb] = &[Verb::Backup, Verb::BackupLog];
const D: &[Verb] = &[Verb::Backup];
const L: &[Verb] = &[Verb::BackupLog];
const R: &[Verb] = &[Verb::Restore];
const BR: &[Verb] = &[Verb::Backup, Verb::BackupLog, Verb::Restore];
const VR: &[Verb] = &[Verb::Verify, Verb::Restore];
const LR: &[Verb] = &[Verb::BackupLog, Verb::Restore];
const ALL: &[Verb] = &[Verb::Backup, Verb::BackupLog, Verb::Verify, Verb::Restore];

/// An option.
const fn known(name: &'static str, takes: Takes, of: &'static [Verb]) -> Known {
    Known { name, takes, of }
}

/// Every option; those that change the time first.
const OPTIONS: [Known; 63] = [
    known("COMPRESSION", Takes::MaybeList, B),
    known("NO_COMPRESSION", Takes::Nothing, B),
    known("BUFFERCOUNT", Takes::Number, BR),
    known("MAXTRANSFERSIZE", Takes::Number, BR),
    known("BLOCKSIZE", Takes::Number, BR),
    known("CHECKSUM", Takes::Nothing, ALL),
    known("NO_CHECKSUM", Takes::Nothing, ALL),
    known("STATS", Takes::MaybeNumber, ALL),
    known("COPY_ONLY", Takes::Nothing, B),
    known("DIFFERENTIAL", Takes::Nothing, D),
    known("ENCRYPTION", Takes::List, B),
    known("CREDENTIAL", Takes::Value, ALL),
    known("FILE_SNAPSHOT", Takes::Nothing, B),
    known("METADATA_ONLY", Takes::Nothing, BR),
    known("SNAPSHOT", Takes::Nothing, BR),
    known("INIT", Takes::Nothing, B),
    known("NOINIT", Takes::Nothing, B),
    known("FORMAT", Takes::Nothing, B),
    known("NOFORMAT", Takes::Nothing, B),
    known("SKIP", Takes::Nothing, B),
    known("NOSKIP", Takes::Nothing, B),
    known("NAME", Takes::Value, B),
    known("DESCRIPTION", Takes::Value, B),
    known("MEDIANAME", Takes::Value, ALL),
    known("MEDIADESCRIPTION", Takes::Value, B),
    known("MEDIAPASSWORD", Takes::Value, ALL),
    known("PASSWORD", Takes::Value, ALL),
    known("EXPIREDATE", Takes::Value, B),
    known("RETAINDAYS", Takes::Number, B),
    known("STOP_ON_ERROR", Takes::Nothing, ALL),
    known("CONTINUE_AFTER_ERROR", Takes::Nothing, ALL),
    known("RESTART", Takes::Nothing, BR),
    known("REWIND", Takes::Nothing, ALL),
    known("NOREWIND", Takes::Nothing, ALL),
    known("UNLOAD", Takes::Nothing, ALL),
    known("NOUNLOAD", Takes::Nothing, ALL),
    known("NORECOVERY", Takes::Nothing, LR),
    known("STANDBY", Takes::Value, LR),
    known("NO_TRUNCATE", Takes::Nothing, L),
    known("TRUNCATE_ONLY", Takes::Nothing, L),
    known("NO_LOG", Takes::Nothing, L),
    known("RESTORE_OPTIONS", Takes::Value, VR),
    known("BACKUP_OPTIONS", Takes::Value, B),
    known("FILE", Takes::Number, VR),
    known("MOVE", Takes::Move, VR),
    known("LOADHISTORY", Takes::Nothing, VR),
    known("RECOVERY", Takes::Nothing, R),
    known("REPLACE", Takes::Nothing, R),
    known("STOPAT", Takes::Value, R),
    known("STOPATMARK", Takes::Mark, R),
    known("STOPBEFOREMARK", Takes::Mark, R),
    known("KEEP_REPLICATION", Takes::Nothing, R),
    known("KEEP_CDC", Takes::Nothing, R),
    known("KEEP_TEMPORAL_RETENTION", Takes::Nothing, R),
    known("RESTRICTED_USER", Takes::Nothing, R),
    known("DBO_ONLY", Takes::Nothing, R),
    known("PARTIAL", Takes::Nothing, R),
    known("DBNAME", Takes::Value, R),
    known("FILESTREAM", Takes::List, R),
    known("ENABLE_BROKER", Takes::Nothing, R),
    known("ERROR_BROKER_CONVERSATIONS", Takes::Nothing, R),
    known("NEW_BROKER", Takes::Nothing, R),
    known("ALLOW_ENCRYPTED_COLUMNS", Takes::Nothing, R),
];

/// One entry of a list in parentheses.
pub(super) type Entry = (String, Option<Value>, Range<usize>);

/// What an option says.
pub(super) enum Stated {
    Nothing,
    Value(Value),
    List(Vec<Entry>),
}

impl Verb {
    pub(super) const fn of(kind: StatementKind) -> Self {
        match kind {
            StatementKind::BackupLog => Verb::BackupLog,
            StatementKind::VerifyOnly => Verb::Verify,
            StatementKind::RestoreDatabase | StatementKind::RestoreLog => Verb::Restore,
            _ => Verb::Backup,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Verb::Backup => "BACKUP DATABASE",
            Verb::BackupLog => "BACKUP LOG",
            Verb::Verify => "RESTORE VERIFYONLY",
            Verb::Restore => "RESTORE",
        }
    }
}

/// Names of the options of a statement.
fn names(verb: Verb) -> impl Iterator<Item = &'static str> {
    OPTIONS.iter().filter(move |known| known.of.contains(&verb)).map(|known| known.name)
}

/// Whether a word in capitals is an option of a statement, or nearly so.
pub(super) fn is_known(word: &str, verb: Verb) -> bool {
    word.len() > 3 && names(verb).any(|name| name == word)
}

/// The list after WITH, if there is one; nothing if it was not understood.
pub(super) fn read(reader: &mut Reader<'_>, draft: &mut Draft, verb: Verb) -> Option<()> {
    if !reader.take_word("WITH") {
        return Some(());
    }
    loop {
        if is_hopeless(reader.problems) {
            return None;
        }
        one(reader, draft, verb)?;
        if !reader.take_sign(',') {
            return Some(());
        }
    }
}

/// One option.
fn one(reader: &mut Reader<'_>, draft: &mut Draft, verb: Verb) -> Option<()> {
    let span = reader.here();
    let Some(word) = reader.word() else {
        reader.recover(&["an option"]);
        return None;
    };
    let found = OPTIONS.iter().find(|known| known.name == word);
    let Some(known) = found.filter(|known| known.of.contains(&verb)) else {
        refuse(reader, &word, found, verb, &span);
        reader.at += 1;
        skip_option(reader);
        return Some(());
    };
    reader.at += 1;
    let stated = stated(reader, draft, known)?;
    let end = reader.span_from(reader.at.saturating_sub(1)).end;
    let whole = span.start..end.max(span.end);
    // A database of several files has several MOVE.
    if known.takes != Takes::Move {
        draft.enter(known.name, &whole, reader.problems);
    }
    effect::apply(reader, draft, known.name, stated, &whole);
    Some(())
}

/// Reports an option that does not exist, or not here.
fn refuse(
    reader: &mut Reader<'_>,
    word: &str,
    found: Option<&Known>,
    verb: Verb,
    span: &Range<usize>,
) {
    let shown = words::shown(word);
    let statement = verb.name();
    let near = words::nearest(word, names(verb));
    let message = match found {
        Some(_) => format!("{statement} has no option `{shown}`: {}", why_not(word, verb)),
        None => format!("{statement} has no option `{shown}`"),
    };
    let near = near.filter(|near| *near != word).map(|near| format!("`{near}`"));
    let unknown = problem(ProblemKind::UnknownKey, span, word, message).found(shown);
    reader.problems.report(unknown.accepted(words::listed(names(verb))).suggestion(near));
}

/// Why a statement has not an option that others have.
fn why_not(word: &str, verb: Verb) -> &'static str {
    match (word, verb) {
        ("BUFFERCOUNT" | "MAXTRANSFERSIZE" | "BLOCKSIZE", Verb::Verify) => {
            "the engine chooses how a backup is read for verification"
        }
        ("DIFFERENTIAL", Verb::BackupLog) => "a log backup holds what the last one left",
        ("NORECOVERY" | "STANDBY" | "NO_TRUNCATE", Verb::Backup) => {
            "only the tail of a log is backed up so"
        }
        (_, Verb::Backup | Verb::BackupLog) => "it belongs to RESTORE",
        (_, Verb::Verify | Verb::Restore) => "it belongs to BACKUP",
    }
}

/// Passes over what is left of an option.
fn skip_option(reader: &mut Reader<'_>) {
    while !reader.at_end() && !reader.is_sign(',') && !reader.is_start() {
        if reader.is_sign('(') {
            reader.skip_parentheses();
        } else {
            reader.at += 1;
        }
    }
}

/// What follows the name of an option.
fn stated(reader: &mut Reader<'_>, draft: &mut Draft, known: &Known) -> Option<Stated> {
    let has_value = reader.take_sign('=');
    match known.takes {
        Takes::Nothing if has_value => {
            let span = reader.here();
            let message = format!("`{}` takes no value", known.name);
            let wrong = problem(ProblemKind::WrongType, &span, known.name, message);
            reader.problems.report(wrong.accepted(format!("`{}` alone", known.name)));
            skip_option(reader);
            Some(Stated::Nothing)
        }
        Takes::MaybeList | Takes::List if reader.is_sign('(') => list(reader).map(Stated::List),
        Takes::Nothing | Takes::MaybeNumber | Takes::MaybeList if !has_value => {
            Some(Stated::Nothing)
        }
        Takes::Move => {
            let moved = reader.value().is_some() && reader.take_word("TO");
            if !moved || reader.value().is_none() {
                reader.recover(&["'name' TO 'path'"]);
                return None;
            }
            Some(Stated::Nothing)
        }
        _ if !has_value => {
            reader.recover(&["="]);
            None
        }
        takes => {
            let Some(value) = reader.value() else {
                reader.recover(&["a value"]);
                return None;
            };
            if takes == Takes::Mark && reader.take_word("AFTER") {
                reader.value();
            }
            if value.text.is_none() {
                let written = reader.written(&value.span).to_string();
                draft.unresolved(known.name, &written, &value.span);
            }
            Some(Stated::Value(value))
        }
    }
}

/// `(KEY = value, KEY = value)`.
fn list(reader: &mut Reader<'_>) -> Option<Vec<Entry>> {
    let mut entries = Vec::new();
    reader.at += 1;
    while !reader.take_sign(')') {
        let span = reader.here();
        let mut key = String::new();
        while let Some(word) = reader.word() {
            if !key.is_empty() {
                key.push(' ');
            }
            key.push_str(&word);
            reader.at += 1;
        }
        let value = if reader.take_sign('=') { reader.value() } else { None };
        let is_over =
            matches!(reader.peek().map(|token| &token.kind), Some(TokenKind::Sign(',' | ')')));
        if key.is_empty() || !is_over {
            reader.recover(&["KEY = value", ")"]);
            return None;
        }
        entries.push((key, value, span));
        reader.take_sign(',');
    }
    Some(entries)
}
