//! Ctrl-C, and what a scheduler sends when time is up: the work ends in good order.

use std::io::IsTerminal as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::exit::Exit;

/// Whether somebody has asked for an end. Who asks twice does not wait for it.
#[derive(Debug, Clone)]
pub(crate) struct Interrupt {
    asked: Arc<AtomicBool>,
}

impl Interrupt {
    /// Listens from now on; where the system does not let us, nobody is heard and the system ends
    /// the program, of which files are a match for.
    pub(crate) fn listen() -> Self {
        let asked = Arc::new(AtomicBool::new(false));
        let heard = Arc::clone(&asked);
        let _ = ctrlc::set_handler(move || {
            if heard.swap(true, Ordering::Relaxed) {
                std::process::exit(Exit::Interrupted as i32);
            }
        });
        Interrupt { asked }
    }

    /// Listens for a command that keeps nothing on its way to an answer: who asks is obeyed at
    /// once, even in the middle of a run.
    pub(crate) fn at_once() {
        let _ = ctrlc::set_handler(|| {
            // Over a bar, if there is one.
            let clear = if std::io::stderr().is_terminal() { "\r\u{1b}[2K" } else { "" };
            eprintln!("{clear}interrupted");
            std::process::exit(Exit::Interrupted as i32);
        });
    }

    /// Whether it was asked.
    pub(crate) fn is_asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }
}
