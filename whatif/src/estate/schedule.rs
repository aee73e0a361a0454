//! A better order of the jobs of a night, within limits, and shown to be better.
//!
//! A schedule is a number of lanes: the jobs of a lane follow one another, each beginning when the
//! one before it has ended, so that a slow night delays what comes after and nothing overlaps that
//! was not meant to. A lane belongs to a server, unless fewer jobs may run at once than there are
//! servers. Jobs that are `fixed` keep their start. What the search finds is then run in all
//! nights beside the schedule that is there, pair by pair, and is only recommended if the mean end
//! is sooner; otherwise the given schedule stays.

use bakcast_sim::{ConfidenceInterval, Streams};

use super::run::Order;
use super::search::{Lanes, search};
use super::{Estate, NightPrediction};

/// What a schedule has to keep to.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ScheduleLimits {
    /// The most jobs at once, over all servers; absent: what the servers allow.
    pub at_once: Option<u32>,
    /// The most bytes of buffers on any one server at once.
    pub memory: Option<u64>,
    /// Schedules that are tried; absent: [`ScheduleLimits::USUAL_TRIES`].
    pub tries: Option<u32>,
}

impl ScheduleLimits {
    /// Schedules that are tried unless told otherwise.
    pub const USUAL_TRIES: u32 = 400;
}

/// A schedule that was sought.
#[derive(Debug, Clone, PartialEq)]
pub struct Schedule {
    /// When jobs begin: the given order if none that is better was found.
    pub order: Order,
    /// Whether it is another one than was given.
    pub is_new: bool,
    /// The night as it was given.
    pub before: NightPrediction,
    /// The night in this order.
    pub after: NightPrediction,
    /// Seconds by which the night ends sooner, mean over the same nights, at 95 %; absent if there
    /// is only one night.
    pub sooner: Option<ConfidenceInterval>,
    /// Whether the given order keeps to the limits.
    pub given_fits: bool,
    /// Jobs that follow one another, lane by lane, each by index.
    pub lanes: Vec<Vec<usize>>,
    /// Schedules tried.
    pub tried: u32,
    /// Whether the search ended because there were no tries left.
    pub is_exhausted: bool,
}

/// Why no schedule keeps to the limits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoSchedule {
    /// The job that alone takes more.
    pub job: String,
    /// Bytes of its buffers.
    pub memory_bytes: u64,
}

/// Seeks a better schedule.
///
/// # Errors
/// [`NoSchedule`] if a single job breaks the limits.
pub fn schedule(estate: &Estate, limits: &ScheduleLimits) -> Result<Schedule, NoSchedule> {
    let given = estate.order();
    let before = estate.predict(&given);
    for job in &estate.night.jobs {
        let memory = job.backup.buffers.memory().get();
        if limits.memory.is_some_and(|most| memory > most) {
            return Err(NoSchedule { job: job.name.clone(), memory_bytes: memory });
        }
    }
    let given_fits = limits.at_once.is_none_or(|most| before.at_once <= most as usize)
        && limits.memory.is_none_or(|most| before.largest_memory.1 <= most);
    let mut stream = Streams::new(estate.seed, 0).named("schedule");
    let tries = limits.tries.unwrap_or(ScheduleLimits::USUAL_TRIES).max(1);
    let found = search(estate, limits, tries, &mut stream);
    let order = found.lanes.order(estate);
    let after = estate.predict(&order);
    let mean = |night: &NightPrediction| {
        night.end_seconds.iter().sum::<f64>() / (night.end_seconds.len() as f64).max(1.0)
    };
    // What keeps to the limits goes before what does not; sooner goes before later.
    let is_new = !given_fits || mean(&after) < mean(&before);
    let ends = |night: &NightPrediction| night.end_seconds.clone();
    let sooner = is_new.then(|| {
        ConfidenceInterval::of_paired_difference(&ends(&before), &ends(&after), 0.95).ok()
    });
    let Lanes { lanes, .. } = found.lanes;
    Ok(Schedule {
        order: if is_new { order } else { given },
        is_new,
        after: if is_new { after } else { before.clone() },
        before,
        sooner: sooner.flatten(),
        given_fits,
        lanes: if is_new { lanes } else { Vec::new() },
        tried: found.tried,
        is_exhausted: found.is_exhausted,
    })
}
