//! Ctrl-C, and what a scheduler sends when time is up: one way for all commands.
//!
//! Who asks is obeyed at once, even in the middle of a run. What must not be torn is done within
//! [`whole`], which an interrupt waits for: a row of a sweep, a file that takes its name. Files
//! that are being written aside are taken away.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::exit::Exit;

/// What an interrupt has to know.
#[derive(Debug)]
pub(crate) struct State {
    /// What is said of it.
    last_words: String,
    /// Files that are being written and have no name yet.
    aside: Vec<PathBuf>,
}

impl State {
    /// What is said if the program is interrupted from now on.
    pub(crate) fn say(&mut self, last_words: String) {
        self.last_words = last_words;
    }
}

static STATE: Mutex<State> = Mutex::new(State { last_words: String::new(), aside: Vec::new() });

/// So often it is tried to let what is whole be finished, each time after [`PAUSE`]: whoever writes
/// to a reader that does not read would wait for ever.
const TRIES: u32 = 50;
const PAUSE: Duration = Duration::from_millis(10);

/// Listens from now on; where the system does not let us, the system ends the program, of which
/// files are a match for.
pub(crate) fn listen() {
    let _ = ctrlc::set_handler(|| {
        let state = patiently();
        // Over a bar, if there is one.
        let clear = if std::io::stderr().is_terminal() { "\r\u{1b}[2K" } else { "" };
        let mut words = "interrupted";
        if let Some(state) = &state {
            // Nobody else is interested in them, and a reason is of no use now.
            state.aside.iter().for_each(|file| drop(std::fs::remove_file(file)));
            words = if state.last_words.is_empty() { words } else { &state.last_words };
        }
        crate::output::message(&format!("{clear}{words}"));
        // The state is not given back: nothing whole begins any more.
        std::process::exit(Exit::Interrupted as i32);
    });
}

fn patiently() -> Option<MutexGuard<'static, State>> {
    for _ in 0..TRIES {
        match STATE.try_lock() {
            Ok(state) => return Some(state),
            Err(std::sync::TryLockError::Poisoned(state)) => return Some(state.into_inner()),
            Err(std::sync::TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
        }
    }
    None
}

/// Does what an interrupt must not tear.
pub(crate) fn whole<T>(work: impl FnOnce(&mut State) -> T) -> T {
    work(&mut STATE.lock().unwrap_or_else(PoisonError::into_inner))
}

/// A file that is written aside: an interrupt takes it away.
#[derive(Debug)]
pub(crate) struct Aside<'a>(&'a Path);

impl<'a> Aside<'a> {
    /// From now until it is dropped.
    pub(crate) fn new(file: &'a Path) -> Self {
        whole(|state| state.aside.push(file.to_path_buf()));
        Aside(file)
    }
}

impl Drop for Aside<'_> {
    fn drop(&mut self) {
        whole(|state| state.aside.retain(|file| file != self.0));
    }
}
