//! Other jobs at the same time, in a few lines.

use super::{cut, entry, together};
use crate::document::{BesideResult, PredictResult};
use crate::number::{duration, duration_range};

/// Jobs that have a line of their own.
const LINES: usize = 3;
/// Columns of a name.
const NAME: usize = 20;

/// What is done when the other jobs have ended.
#[derive(Debug, Clone, Copy)]
pub(super) struct Later(Option<(&'static str, &'static str)>);

impl Later {
    pub(super) fn of(result: &PredictResult) -> Self {
        Later(match (&result.verify, &result.restore) {
            (None, None) => None,
            (Some(_), None) => Some(("the verification", "is")),
            (None, Some(_)) => Some(("the restore", "is")),
            (Some(_), Some(_)) => Some(("verification and restore", "are")),
        })
    }
}

/// A line a job; in short, one line for all of them.
pub(super) fn jobs(jobs: &[BesideResult], later: Later, in_short: bool) -> String {
    let mut lines = if in_short { short(jobs, later) } else { each(jobs) };
    if let Later(Some((what, are))) = later
        && !in_short
        && !jobs.is_empty()
    {
        lines.push(format!("{what} {are} predicted without them"));
    }
    let label = |index: usize| if index == 0 { "Beside" } else { "" };
    lines.iter().enumerate().map(|(index, line)| entry(label(index), line)).collect()
}

/// The end of the last of them, in seconds.
fn end(jobs: &[BesideResult]) -> f64 {
    jobs.iter().map(|job| job.end_seconds).fold(0.0, f64::max)
}

fn each(jobs: &[BesideResult]) -> Vec<String> {
    let shown = if jobs.len() <= LINES { jobs.len() } else { LINES - 1 };
    let (own, rest) = jobs.split_at(shown);
    let more = format!("{} more, the last until {}", rest.len(), duration(end(rest)));
    own.iter().map(one).chain((!rest.is_empty()).then_some(more)).collect()
}

fn short(jobs: &[BesideResult], Later(later): Later) -> Vec<String> {
    let who = match jobs {
        [] => return Vec::new(),
        [job] => cut(&job.name, NAME),
        jobs => format!("{} jobs", jobs.len()),
    };
    let later = later.map_or_else(String::new, |(what, _)| format!("; {what} without"));
    vec![format!("{who} until {}{later}", duration(end(jobs)))]
}

/// `Orders: 5 min 3 s (4 min 50 s to 5 min 20 s) from 2 min 0 s on`.
fn one(job: &BesideResult) -> String {
    let begun = match job.starts_seconds {
        seconds if seconds > 0.0 => format!("from {} on", duration(seconds)),
        _ => "from the start".to_string(),
    };
    let range = duration_range(job.low_seconds, job.high_seconds);
    let takes = together(&format!("{} ({range})", duration(job.seconds)));
    format!("{}: {takes} {}", cut(&job.name, NAME), together(&begun))
}
