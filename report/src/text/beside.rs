//! Other jobs at the same time, in a few lines.

use super::{cut, entry, together};
use crate::document::BesideResult;
use crate::number::{duration, duration_range};

/// Jobs that have a line of their own.
const LINES: usize = 3;
/// Columns of a name.
const NAME: usize = 20;

/// A line a job; in short, one line for all of them.
pub(super) fn jobs(jobs: &[BesideResult], is_verified: bool, in_short: bool) -> String {
    let shown = match (in_short, jobs.len()) {
        (false, count) if count <= LINES => count,
        (false, _) => LINES - 1,
        (true, 1) => 1,
        (true, _) => 0,
    };
    let (own, rest) = jobs.split_at(shown);
    let mut lines: Vec<String> = own.iter().map(one).collect();
    if let Some(last) = rest.iter().max_by(|a, b| a.end_seconds.total_cmp(&b.end_seconds)) {
        let what = if own.is_empty() { "other jobs" } else { "more" };
        let end = duration(last.end_seconds);
        let name = cut(&last.name, NAME);
        lines.push(format!("{} {what}, the last, {name}, until {end}", rest.len()));
    }
    if is_verified && !jobs.is_empty() {
        lines.push("the verification is predicted without them".to_string());
    }
    let label = |index: usize| if index == 0 { "Beside" } else { "" };
    lines.iter().enumerate().map(|(index, line)| entry(label(index), line)).collect()
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
