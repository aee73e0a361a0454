//! The questions by name, and what they can be answered.

use std::fmt;
use std::str::FromStr;

/// What can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Question {
    /// Do several backup files help?
    Striping,
    /// Does compression help?
    Compression,
    /// Do more buffers help?
    Buffers,
    /// Do larger transfers help?
    TransferSize,
    /// Does it hurt that source and target are one device?
    SameDisk,
    /// Is the verification worth its time?
    Verify,
    /// Does it fit the window?
    Window,
    /// Are the buffers worth their memory?
    Memory,
}

impl Question {
    /// All of them.
    pub const ALL: [Question; 8] = [
        Question::Striping,
        Question::Compression,
        Question::Buffers,
        Question::TransferSize,
        Question::SameDisk,
        Question::Verify,
        Question::Window,
        Question::Memory,
    ];

    /// What it is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Question::Striping => "striping",
            Question::Compression => "compression",
            Question::Buffers => "buffers",
            Question::TransferSize => "transfer-size",
            Question::SameDisk => "same-disk",
            Question::Verify => "verify",
            Question::Window => "window",
            Question::Memory => "memory",
        }
    }

    /// As it would be asked.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Question::Striping => "Do several backup files help?",
            Question::Compression => "Does compression help?",
            Question::Buffers => "Do more buffers help?",
            Question::TransferSize => "Do larger transfers help?",
            Question::SameDisk => "Does it hurt to back up to the device of the database?",
            Question::Verify => "Is the verification worth its time?",
            Question::Window => "Does it fit the window?",
            Question::Memory => "Are the buffers worth their memory?",
        }
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Question {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Question::ALL.into_iter().find(|question| question.name() == text);
        found.ok_or_else(|| format!("`{}` is no question", bakcast_scenarios::shown_word(text)))
    }
}

/// An answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answer {
    /// Yes.
    Yes,
    /// No.
    No,
    /// It depends; on what is said beside it.
    Depends,
}

impl Answer {
    /// As the document says it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Answer::Yes => "yes",
            Answer::No => "no",
            Answer::Depends => "it-depends",
        }
    }
}
