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
