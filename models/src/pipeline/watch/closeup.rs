//! Pictures of a few events in a row: to be stepped through one by one.

use std::ops::ControlFlow;

use bakcast_sim::SimTime;

use super::frames::picture;
use super::{Cast, Frame, Moment, Watcher};

/// Takes a picture at every event from a time on, and gives the run up once it has enough.
#[derive(Debug, Clone)]
pub struct Closeup {
    from: SimTime,
    count: usize,
    cast: Cast,
    frames: Vec<Frame>,
}

impl Closeup {
    /// `count` pictures, the first of what goes on at `from`.
    #[must_use]
    pub fn new(from: SimTime, count: usize) -> Self {
        let cast = Cast { jobs: Vec::new(), workers: 0, devices: Vec::new() };
        Closeup { from, count, cast, frames: Vec::new() }
    }

    /// Who takes part, and the pictures.
    #[must_use]
    pub fn into_parts(self) -> (Cast, Vec<Frame>) {
        (self.cast, self.frames)
    }
}

impl Watcher for Closeup {
    fn begin(&mut self, cast: &Cast) {
        self.cast = cast.clone();
    }

    fn see(&mut self, moment: &Moment<'_>) -> ControlFlow<()> {
        if self.frames.len() >= self.count {
            return ControlFlow::Break(());
        }
        // From then on moments of no length are shown as well: each is an event.
        if !self.frames.is_empty() || moment.end() > self.from {
            self.frames.push(picture(moment, moment.begin()));
        }
        ControlFlow::Continue(())
    }
}
