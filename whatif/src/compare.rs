//! `compare`: which of a few configurations is best, by how much, and whether that is so.

use std::sync::Arc;

use bakcast_scenarios::predict::Refused;

use crate::design::{Configuration, Design};
use crate::paired::Paired;
use crate::runner::{Cancelled, GoOn, Operation, Outcome, Ran, Runner};

/// Most configurations that are compared; for more there is a sweep.
pub const MOST_COMPARED: u64 = 200;

/// One configuration beside the reference.
#[derive(Debug, Clone)]
pub struct Compared {
    /// Its values, in the order of the design's paths; empty for the reference.
    pub labels: Vec<String>,
    /// What it came to.
    pub ran: Arc<Ran>,
    /// Against the reference; `None`: one of the two does not have the operation.
    pub paired: Option<Paired>,
}

/// A configuration that was refused.
#[derive(Debug, Clone)]
pub struct Failed {
    /// Its values.
    pub labels: Vec<String>,
    /// Why.
    pub refused: Arc<Refused>,
}

/// Configurations beside a reference, and what they come to.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// What is timed.
    pub operation: Operation,
    /// A ratio no further from 1 is not worth a change.
    pub threshold: f64,
    /// What the others are held against.
    pub reference: Compared,
    /// The others, in the order of the design, with the place of each in it.
    pub rows: Vec<(usize, Result<Compared, Failed>)>,
    /// The answer; `None`: nothing can be compared.
    pub verdict: Option<Verdict>,
}

/// The answer of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// The best of [`Comparison::done`]: shortest in a typical night.
    pub best: usize,
    /// Those that are as good: against the best not really longer, or not by more than the
    /// threshold. The best itself is not among them.
    pub ties: Vec<usize>,
    /// The one of best and ties with the least buffer memory, the best first among equals.
    pub smallest: usize,
}

/// Why nothing was compared.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// Somebody said so.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The reference is refused.
    #[error("the scenario itself cannot be run: {0}")]
    Reference(Arc<Refused>),
    /// The reference does not have the operation.
    #[error("the scenario has no {}; {}", .0.name(), hint(*.0))]
    NoOperation(Operation),
}

fn hint(operation: Operation) -> &'static str {
    match operation {
        Operation::Restore => "simulate one with `--set restore.enabled=true`",
        _ => "compare its backup with `--operation backup`",
    }
}

/// Runs the configurations of a design and holds them against a reference.
///
/// # Errors
/// [`CompareError`]
pub fn compare(
    runner: &Runner<'_>,
    design: &Design,
    reference: &Configuration,
    (operation, threshold): (Operation, f64),
    go_on: GoOn<'_>,
) -> Result<Comparison, CompareError> {
    let mut all = vec![Configuration { labels: Vec::new(), ..reference.clone() }];
    all.extend((0..design.count()).map(|index| design.configuration(index)));
    let mut outcomes = runner.run(&all, go_on)?.into_iter();
    let base = match outcomes.next() {
        Some(Ok(ran)) => ran,
        Some(Err(refused)) => return Err(CompareError::Reference(refused)),
        None => unreachable!("the reference is always run"),
    };
    if base.nights(operation).is_none() {
        return Err(CompareError::NoOperation(operation));
    }
    let level = runner.options().level;
    let one = |labels: Vec<String>, outcome: Outcome| match outcome {
        Ok(ran) => {
            let paired = ran.against(&base, operation, level);
            Ok(Compared { labels, ran, paired })
        }
        Err(refused) => Err(Failed { labels, refused }),
    };
    let labels = all.into_iter().skip(1).map(|configuration| configuration.labels);
    let rows = labels.zip(outcomes).map(|(labels, outcome)| one(labels, outcome)).enumerate();
    let rows = rows.collect();
    let paired = base.against(&base, operation, level);
    let reference = Compared { labels: Vec::new(), ran: Arc::clone(&base), paired };
    let mut comparison = Comparison { operation, threshold, reference, rows, verdict: None };
    comparison.verdict = comparison.judge(level);
    Ok(comparison)
}

impl Comparison {
    /// What could be run: the reference first, then the rows in their order.
    pub fn done(&self) -> impl Iterator<Item = &Compared> {
        let rows = self.rows.iter().filter_map(|(_, row)| row.as_ref().ok());
        std::iter::once(&self.reference).chain(rows)
    }

    /// The answer among those that `fits` accepts; `None`: there is none.
    #[must_use]
    pub fn judge_among(&self, fits: impl Fn(&Compared) -> bool, level: f64) -> Option<Verdict> {
        let all: Vec<&Compared> = self.done().collect();
        let ratio = |row: &Compared| row.paired.map(|paired| paired.ratio);
        let able = |(index, row): (usize, &&Compared)| Some((index, ratio(row)?));
        let able = all.iter().enumerate().filter(|(_, row)| fits(row)).filter_map(able);
        let (best, _) = able.min_by(|a, b| a.1.total_cmp(&b.1))?;
        let is_tie = |row: &Compared| {
            let paired = row.ran.against(&all[best].ran, self.operation, level);
            paired.is_some_and(|paired| {
                paired.is_real() == Some(false) || !paired.is_worth(self.threshold)
            })
        };
        let ties = all.iter().enumerate().filter(|(index, row)| *index != best && fits(row));
        let ties: Vec<usize> =
            ties.filter(|(_, row)| is_tie(row)).map(|(index, _)| index).collect();
        let memory = |index: usize| all[index].ran.loaded.resolved.backup.memory_of_all_jobs();
        let candidates = std::iter::once(best).chain(ties.iter().copied());
        let smallest = candidates.min_by_key(|index| memory(*index)).unwrap_or(best);
        Some(Verdict { best, ties, smallest })
    }

    fn judge(&self, level: f64) -> Option<Verdict> {
        self.judge_among(|_| true, level)
    }
}
