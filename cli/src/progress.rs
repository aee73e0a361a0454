//! A bar on standard error, for whoever watches; gone when the work is done.

use bakcast_calibration::Progress;
use indicatif::{ProgressBar, ProgressStyle};

/// A bar, or none.
#[derive(Debug)]
pub(crate) struct Bar {
    bar: Option<ProgressBar>,
}

impl Bar {
    /// A bar if somebody watches.
    pub(crate) fn new(watched: bool) -> Self {
        let bar = watched.then(|| {
            let bar = ProgressBar::new(1);
            let style = ProgressStyle::with_template("{msg} [{bar:30}] {pos}/{len}");
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        Bar { bar }
    }

    /// A bar with the time that is left, for work of which each part takes about as long.
    pub(crate) fn with_time_left(watched: bool) -> Self {
        let bar = Bar::new(watched);
        if let Some(bar) = &bar.bar {
            let style = "{msg} [{bar:30}] {pos}/{len}, {eta} left";
            bar.set_style(
                ProgressStyle::with_template(style)
                    .unwrap_or_else(|_| ProgressStyle::default_bar()),
            );
        }
        bar
    }

    /// Shows that so many parts are done; `before` were done before this run.
    pub(crate) fn done(&self, what: &'static str, (before, done, of): (u64, u64, u64)) {
        let Some(bar) = &self.bar else { return };
        if bar.position() < before {
            bar.set_position(before);
            bar.reset_eta();
        }
        bar.set_message(what);
        bar.set_length(of.max(1));
        bar.set_position(done);
    }

    /// Shows how far the work is.
    pub(crate) fn tell(&self, progress: &Progress) {
        let Some(bar) = &self.bar else { return };
        bar.set_message(progress.phase);
        bar.set_length(progress.of.max(1));
        bar.set_position(progress.done);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
