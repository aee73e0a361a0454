//! RESTORE: of a database, of a log, and what only looks at a backup.

use super::batch::Reader;
use super::draft::Draft;
use super::model::{StatementForm, StatementKind};
use super::option::{self, Verb};

/// What looks at a backup without reading all of it.
const LOOKS: [&str; 4] = ["HEADERONLY", "FILELISTONLY", "LABELONLY", "REWINDONLY"];
/// What else can be restored: no data.
const KEYS: [&str; 3] = ["MASTER", "SERVICE", "SYMMETRIC"];

impl Reader<'_> {
    /// RESTORE ...
    pub(super) fn restore(&mut self) {
        let begin = self.at;
        self.at += 1;
        let kind = match self.word().as_deref() {
            Some("DATABASE") => StatementKind::RestoreDatabase,
            Some("LOG" | "TRAN" | "TRANSACTION") => StatementKind::RestoreLog,
            Some("VERIFYONLY") => StatementKind::VerifyOnly,
            Some(word) if LOOKS.contains(&word) => {
                self.skip_to_end();
                return self.push_named(begin, StatementKind::Information);
            }
            Some(word) if KEYS.contains(&word) => {
                self.skip_to_end();
                return self.push_other(begin);
            }
            _ => return self.recover(&["DATABASE", "LOG", "VERIFYONLY", "HEADERONLY"]),
        };
        self.at += 1;
        let mut draft = Draft::new(StatementForm::Sql, kind, self.span_from(begin));
        draft.statement.words = self.words_from(begin);
        if self.restore_body(&mut draft).is_some() {
            self.close(draft, begin);
        }
    }

    fn restore_body(&mut self, draft: &mut Draft) -> Option<()> {
        let is_verification = draft.statement.kind == StatementKind::VerifyOnly;
        if !is_verification {
            self.database(draft)?;
            self.parts(draft)?;
        }
        if self.take_word("FROM") {
            if self.take_word("DATABASE_SNAPSHOT") {
                let span = self.here();
                draft.statement.snapshot = true;
                draft.note(&span, "a database snapshot is reverted to; no backup is read");
                self.at += 1;
                self.value();
                return Some(());
            }
            draft.statement.targets = self.targets(draft)?;
        } else if is_verification {
            self.recover(&["FROM"]);
            return None;
        }
        let verb = Verb::of(draft.statement.kind);
        option::read(self, draft, verb)
    }
}
