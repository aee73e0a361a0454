//! The run loop: take the earliest end, let the model answer it, again.
//!
//! There is one loop for every stop rule: the model says when it is done, the limits guard against
//! models that never are.

use thiserror::Error;

use crate::calendar::{Calendar, Slot};
use crate::time::SimTime;

/// What a simulation is made of, beside its calendar.
pub trait Model {
    /// Answers the end in `slot`, which is due `now`.
    ///
    /// The slot is still armed. The model must schedule it again or cancel it, and may schedule
    /// and cancel others; nothing may be scheduled before `now`.
    fn handle(&mut self, now: SimTime, slot: Slot, calendar: &mut Calendar) -> Flow;
}

/// Whether a run goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// On to the next end.
    Continue,
    /// The model is done.
    Stop,
}

/// How far a run may go before it counts as failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most events that may be handled.
    pub events_max: u64,
    /// The last moment at which an event may happen.
    pub time_max: SimTime,
}

impl Limits {
    /// No limit that a run could reach.
    pub const NONE: Limits = Limits { events_max: u64::MAX, time_max: SimTime::MAX };
}

impl Default for Limits {
    fn default() -> Self {
        Limits::NONE
    }
}

/// What a finished run came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunSummary {
    /// Events handled.
    pub events: u64,
    /// When the last of them happened.
    pub end: SimTime,
}

/// Why a run could not be finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RunError {
    /// The model went on after the most events it was allowed.
    #[error("still running at {at} after {events} events, with {pending} pending")]
    EventLimit {
        /// When the last event happened.
        at: SimTime,
        /// Events handled.
        events: u64,
        /// Ends in the calendar.
        pending: usize,
    },
    /// The next event would come after the last allowed moment.
    #[error(
        "still running after {events} events, the last at {at}: the next of {pending} pending \
         would come at {next}, later than allowed"
    )]
    TimeLimit {
        /// When the last event happened.
        at: SimTime,
        /// Events handled.
        events: u64,
        /// When the next one would be.
        next: SimTime,
        /// Ends in the calendar.
        pending: usize,
    },
    /// Nothing is pending and the model has not said that it is done: all parts wait for each
    /// other.
    #[error("stalled at {at} after {events} events: nothing is pending and the end not reached")]
    Stalled {
        /// When the last event happened.
        at: SimTime,
        /// Events handled.
        events: u64,
    },
}

/// Runs `model` on `calendar`, which holds the first ends, until it says [`Flow::Stop`].
///
/// # Errors
///
/// If a limit is reached or the calendar runs empty first.
///
/// # Panics
///
/// If the model leaves the slot it was called for as it was, or schedules something before now.
///
/// ```
/// use bakcast_sim::{Calendar, Flow, Limits, Model, SimTime, Slot, Span, run};
///
/// /// Ticks once a microsecond, ten times.
/// struct Clock(u32);
///
/// impl Model for Clock {
///     fn handle(&mut self, now: SimTime, slot: Slot, calendar: &mut Calendar) -> Flow {
///         self.0 += 1;
///         calendar.schedule(slot, now + Span::from_nanos(1000));
///         if self.0 == 10 { Flow::Stop } else { Flow::Continue }
///     }
/// }
///
/// # fn main() -> Result<(), bakcast_sim::RunError> {
/// let mut calendar = Calendar::new(1);
/// calendar.schedule(Slot::new(0), SimTime::ZERO);
/// let summary = run(&mut Clock(0), &mut calendar, Limits::NONE)?;
/// assert_eq!(summary.end, SimTime::from_nanos(9000));
/// # Ok(())
/// # }
/// ```
#[inline]
pub fn run<M: Model>(
    model: &mut M,
    calendar: &mut Calendar,
    limits: Limits,
) -> Result<RunSummary, RunError> {
    let mut events = 0;
    let mut at = SimTime::ZERO;
    let mut handled = (Slot::new(0), 0);
    loop {
        let Some((now, slot)) = calendar.next() else {
            return Err(RunError::Stalled { at, events });
        };
        if now <= at {
            assert_handled(calendar, at, handled);
        }
        if now > limits.time_max {
            return Err(RunError::TimeLimit { at, events, next: now, pending: calendar.pending() });
        }
        if events == limits.events_max {
            return Err(RunError::EventLimit { at, events, pending: calendar.pending() });
        }
        events += 1;
        at = now;
        handled = (slot, calendar.scheduled());
        if model.handle(now, slot, calendar) == Flow::Stop {
            return Ok(RunSummary { events, end: now });
        }
    }
}

/// Called where an end is not later than the one before, which was `handled` at `at`, when so many
/// ends had been scheduled: the one moment at which a mistake of the model can show.
#[inline(never)]
fn assert_handled(calendar: &Calendar, at: SimTime, (handled, scheduled): (Slot, u64)) {
    let Some((next, slot)) = calendar.next() else { return };
    let index = slot.index();
    assert!(at <= next, "slot {index} was scheduled for {next} when it was {at} already");
    let untouched = calendar.sequence_of(handled).is_some_and(|sequence| sequence < scheduled);
    assert!(
        slot != handled || !untouched,
        "slot {index} ended at {at} and was neither scheduled again nor cancelled"
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Span;

    /// Counts its ends and then does what the test says.
    struct Script<F>(u64, F);

    impl<F: FnMut(u64, SimTime, Slot, &mut Calendar) -> Flow> Model for Script<F> {
        fn handle(&mut self, now: SimTime, slot: Slot, calendar: &mut Calendar) -> Flow {
            self.0 += 1;
            (self.1)(self.0, now, slot, calendar)
        }
    }

    fn run_script(
        limits: Limits,
        script: impl FnMut(u64, SimTime, Slot, &mut Calendar) -> Flow,
    ) -> Result<RunSummary, RunError> {
        let mut calendar = Calendar::new(2);
        calendar.schedule(Slot::new(0), SimTime::from_nanos(10));
        run(&mut Script(0, script), &mut calendar, limits)
    }

    fn tick(_: u64, now: SimTime, slot: Slot, calendar: &mut Calendar) -> Flow {
        calendar.schedule(slot, now + Span::from_nanos(10));
        Flow::Continue
    }

    #[test]
    fn the_model_stops_the_run() {
        let summary = run_script(Limits::default(), |count, now, slot, calendar| {
            tick(count, now, slot, calendar);
            if count == 3 { Flow::Stop } else { Flow::Continue }
        });
        assert_eq!(summary, Ok(RunSummary { events: 3, end: SimTime::from_nanos(30) }));
    }

    #[test]
    fn too_many_events_are_an_error() {
        let error = run_script(Limits { events_max: 5, ..Limits::NONE }, tick);
        let at = SimTime::from_nanos(50);
        assert_eq!(error, Err(RunError::EventLimit { at, events: 5, pending: 1 }));
    }

    #[test]
    fn running_too_long_is_an_error() {
        let time_max = SimTime::from_nanos(25);
        let error = run_script(Limits { time_max, ..Limits::NONE }, tick);
        let (at, next) = (SimTime::from_nanos(20), SimTime::from_nanos(30));
        assert_eq!(error, Err(RunError::TimeLimit { at, events: 2, next, pending: 1 }));
    }

    #[test]
    fn an_empty_calendar_is_a_stall() {
        let error = run_script(Limits::NONE, |_, _, slot, calendar| {
            calendar.cancel(slot);
            Flow::Continue
        });
        let error = error.unwrap_err();
        assert_eq!(error, RunError::Stalled { at: SimTime::from_nanos(10), events: 1 });
        assert!(error.to_string().starts_with("stalled at 0.000000010 s after 1 events"));
    }

    #[test]
    fn ends_at_the_same_moment_are_fine() {
        let summary = run_script(Limits::NONE, |count, now, slot, calendar| {
            calendar.schedule(slot, now);
            if count == 100 { Flow::Stop } else { Flow::Continue }
        });
        assert_eq!(summary, Ok(RunSummary { events: 100, end: SimTime::from_nanos(10) }));
    }

    #[test]
    #[should_panic(expected = "slot 0 ended at 0.000000010 s and was neither")]
    fn an_end_left_in_place_is_our_bug() {
        let _ = run_script(Limits::NONE, |_, _, _, _| Flow::Continue);
    }

    #[test]
    #[should_panic(expected = "slot 1 was scheduled for 0.000000003 s when")]
    fn scheduling_into_the_past_is_our_bug() {
        let _ = run_script(Limits::NONE, |_, _, slot, calendar| {
            calendar.cancel(slot);
            calendar.schedule(Slot::new(1), SimTime::from_nanos(3));
            Flow::Continue
        });
    }
}
