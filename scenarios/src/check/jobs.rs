//! The jobs of a scenario as written: the backup that is asked about, and those beside it.

use crate::problem::{Problem, ProblemKind, Problems};
use crate::tree::{self, Entry, Node, Table};

/// Most other jobs. The run is measured anew whenever one begins or ends, so that the time it takes
/// to simulate grows with the square of their number.
const MOST_OTHERS: usize = 63;
/// Most threads that read or write, of all jobs together: as many as a run can number.
const MOST_THREADS: usize = 1 << 15;

/// One backup: the scenario's own, or one beside it.
pub(super) struct Job<'a> {
    /// What holds its `volume`, `backup` and `compression`.
    pub(super) table: &'a Table,
    /// What its paths begin with.
    before: String,
    /// Its heading; the scenario's own has none.
    entry: Option<&'a Entry>,
}

impl<'a> Job<'a> {
    /// The path of one of its knobs.
    pub(super) fn path(&self, knob: &str) -> String {
        format!("{}{knob}", self.before)
    }

    /// Its volumes, in the order in which they were written.
    pub(super) fn volumes(&self) -> impl Iterator<Item = (&'a str, &'a Entry)> + use<'a> {
        tree::entries_in_order(self.table, "volume").into_iter()
    }

    /// The devices of its backup files.
    pub(super) fn stripes(&self) -> impl Iterator<Item = &'a Node> + use<'a> {
        tree::find(self.table, &["backup", "stripes"]).map_or(&[][..], Node::items).iter()
    }

    fn threads(&self) -> usize {
        self.volumes().count() + self.stripes().count()
    }
}

/// The scenario's own backup, then those beside it, in the order in which they were written.
pub(super) fn of(root: &Table) -> Vec<Job<'_>> {
    let others = tree::entries_in_order(root, "beside").into_iter().filter_map(|(name, entry)| {
        let before = format!("beside.{name}.");
        Some(Job { table: entry.node.table()?, before, entry: Some(entry) })
    });
    [Job { table: root, before: String::new(), entry: None }].into_iter().chain(others).collect()
}

/// Reports the job from which on there are too many of them, or of their threads.
pub(super) fn refuse_too_many(jobs: &[Job<'_>], problems: &mut Problems) {
    let mut threads = 0;
    for (index, job) in jobs.iter().enumerate() {
        threads += job.threads();
        let Some(entry) = job.entry else { continue };
        let message = if index > MOST_OTHERS {
            format!("more than {MOST_OTHERS} other backups at the same time")
        } else if threads > MOST_THREADS {
            format!("volumes and backup files of all jobs are more than {MOST_THREADS}")
        } else {
            continue;
        };
        let path = job.before.trim_end_matches('.');
        problems.report(Problem::new(ProblemKind::OutOfRange, entry.key_place, path, message));
        return;
    }
}
