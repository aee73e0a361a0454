//! Processor sharing the obvious way: every job's remaining work is counted down at every step.
//! Slow, and what the fast one is compared with.

use crate::time::SimTime;

pub(super) struct Reference {
    pub(super) capacity: f64,
    pub(super) per_job: f64,
    /// (job, remaining work), in order of arrival.
    pub(super) jobs: Vec<(usize, f64)>,
    pub(super) now: SimTime,
}

impl Reference {
    fn rate(&self) -> f64 {
        (self.capacity / self.jobs.len() as f64).min(self.per_job)
    }

    fn advance(&mut self, now: SimTime) {
        let each = self.rate() * now.since(self.now).as_seconds();
        for (_, left) in &mut self.jobs {
            *left -= each;
        }
        self.now = now;
    }

    pub(super) fn arrive(&mut self, now: SimTime, job: usize, work: f64) {
        self.advance(now);
        self.jobs.push((job, work));
    }

    /// The first of the jobs with the least left, and the moment at which it is done, in seconds
    /// and not rounded.
    pub(super) fn next(&self) -> Option<(usize, f64)> {
        let first =
            |best: (usize, f64), next: &(usize, f64)| if next.1 < best.1 { *next } else { best };
        let (job, left) = self.jobs.iter().copied().reduce(|best, next| first(best, &next))?;
        Some((job, self.now.as_seconds() + left.max(0.0) / self.rate()))
    }

    pub(super) fn complete(&mut self, now: SimTime, job: usize) {
        self.advance(now);
        self.jobs.retain(|&(other, _)| other != job);
    }
}
