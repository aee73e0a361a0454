//! Which settings to take, under limits.
//!
//! All settings of a [`Lattice`] are candidates. They are held against the present settings night
//! by night; the **score** of one is the mean of the logarithm of the ratio over all parameter sets
//! of the ensemble (over nights where there is none), so that it is chosen for all that agrees with
//! what was measured, not for the best guess. The **best** has the lowest score among those that
//! keep all limits. The **choice** is the smallest of those within a threshold of the best: the
//! least memory of buffers (up to 64 MiB is little, and all alike), then the fewest files, then the
//! fewest buffers (of the same memory, larger ones: fewer requests for the same), then the fewest
//! options of the statement, then the lowest score. The present settings stay if they are among
//! them.
//!
//! The search runs a few nights of every candidate where there are few of them. Otherwise it tries
//! each way to compress and to place the files with the least, a medium and the most memory that is
//! allowed, and of the most promising all buffer counts and transfer sizes. Where nights take
//! long, their middle is carried forward sooner for that. Finalists are then run over all nights,
//! which few of them need before they drop out of the race.

mod ladder;
mod lattice;
mod limit;
mod race;
mod search;

use std::sync::Arc;

use bakcast_scenarios::predict::{Asked, PredictOptions};
use bakcast_scenarios::{Document, Set};

use crate::compare::CompareError;
use crate::design::Configuration;
use crate::paired::{Paired, THRESHOLD};
use crate::runner::{GoOn, Operation, Ran, Runner};

pub use ladder::{Beyond, Knob, Rung};
pub(crate) use lattice::is_read;
pub use lattice::{Lattice, Settings, usual_devices};
pub use limit::{Limit, Measure, memory_of, processor_share};

use search::{Candidate, Search};

/// A scenario of which something is asked.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// Its file.
    pub document: &'a Document,
    /// Which variant.
    pub variant: Option<&'a str>,
    /// Assignments.
    pub sets: &'a [Set],
    /// How it is run.
    pub options: PredictOptions,
}

impl<'a> Subject<'a> {
    /// A runner of it.
    #[must_use]
    pub fn runner(&self, options: PredictOptions, asked: Asked) -> Runner<'a> {
        Runner::new(self.document, self.variant, self.sets, options, asked)
    }
}

/// What settings are sought.
#[derive(Debug, Clone, PartialEq)]
pub struct Wanted {
    /// What shall be short.
    pub operation: Operation,
    /// What must be kept.
    pub limits: Vec<Limit>,
    /// Devices that files may lie on; absent: [`usual_devices`].
    pub devices: Option<Vec<String>>,
    /// Most files.
    pub most_files: usize,
    /// Most settings that are tried.
    pub budget: usize,
    /// A difference of less is none.
    pub threshold: f64,
}

impl Wanted {
    /// Files that nobody has forbidden.
    pub const MOST_FILES: usize = 8;
    /// Settings that are tried.
    pub const BUDGET: usize = 600;
    /// Memory that is not exceeded unless a limit says otherwise: more is known to be too much.
    pub const MEMORY: u64 = 1 << 30;

    /// The shortest time of an operation, without limits.
    #[must_use]
    pub fn shortest(operation: Operation) -> Self {
        Wanted {
            operation,
            limits: Vec::new(),
            devices: None,
            most_files: Wanted::MOST_FILES,
            budget: Wanted::BUDGET,
            threshold: THRESHOLD,
        }
    }
}

/// Settings with what they come to.
#[derive(Debug, Clone)]
pub struct Evaluated {
    /// The settings.
    pub settings: Settings,
    /// What they come to.
    pub ran: Arc<Ran>,
    /// Against the present settings.
    pub paired: Option<Paired>,
}

/// What came of it.
#[derive(Debug, Clone)]
pub enum Advice {
    /// These settings; the present ones if they are as good.
    Take(Evaluated),
    /// Nothing keeps the limits; this comes nearest to it.
    Nothing(Evaluated),
}

/// The answer.
#[derive(Debug, Clone)]
pub struct Recommendation {
    /// What shall be short.
    pub operation: Operation,
    /// The limits that were held, with that on memory if it is ours.
    pub limits: Vec<Limit>,
    /// Whether the limit on memory is ours.
    pub own_memory_limit: bool,
    /// Devices that files may lie on.
    pub devices: Vec<String>,
    /// The settings as they are.
    pub present: Evaluated,
    /// What came of it.
    pub advice: Advice,
    /// The best that was found, whatever its size; absent where nothing keeps the limits.
    pub best: Option<Evaluated>,
    /// From the present settings to the choice, one change at a time; what each gains.
    pub ladder: Vec<Rung>,
    /// The next step beyond the choice.
    pub beyond: Option<Beyond>,
    /// Other settings that keep the limits, the shortest first.
    pub alternatives: Vec<Evaluated>,
    /// Where nothing keeps the limits: the limit that, if it were not there, would let the others
    /// be kept, with the settings that do.
    pub without: Option<(Limit, Evaluated)>,
    /// Settings that were run.
    pub evaluated: usize,
    /// Settings there were to choose among.
    pub candidates: usize,
}

impl Recommendation {
    /// What is advised or comes nearest.
    #[must_use]
    pub fn subject(&self) -> &Evaluated {
        match &self.advice {
            Advice::Take(tried) | Advice::Nothing(tried) => tried,
        }
    }

    /// Whether the settings may stay as they are.
    #[must_use]
    pub fn is_present(&self) -> bool {
        matches!(&self.advice, Advice::Take(tried) if tried.settings == self.present.settings)
    }
}

/// Alternatives that are shown.
const ALTERNATIVES: usize = 5;

/// Seeks settings.
///
/// # Errors
/// [`CompareError`]: the scenario cannot be run, has no such operation, or somebody said so.
pub fn recommend(
    subject: &Subject<'_>,
    wanted: &Wanted,
    go_on: GoOn<'_>,
) -> Result<Recommendation, CompareError> {
    let mut search = Search::begin(subject, wanted, go_on)?;
    search.explore(go_on)?;
    let finalists = search.finalists(go_on)?;
    let fits = |candidate: &&Candidate| search.keeps(&candidate.ran);
    let best = finalists.iter().filter(fits).min_by(|a, b| a.score.total_cmp(&b.score)).cloned();
    let Some(best) = best else { return nothing(&mut search, &finalists, go_on) };
    let within = best.score + libm::log1p(wanted.threshold);
    let near = finalists.iter().filter(fits).filter(|candidate| candidate.score <= within);
    let stays = near.clone().find(|candidate| candidate.settings == search.present.settings);
    let smallest = near.min_by(|a, b| a.size().cmp(&b.size()).then(a.score.total_cmp(&b.score)));
    let choice = stays.or(smallest).unwrap_or(&best).clone();
    let ladder = ladder::climb(&search, &choice, go_on)?;
    let beyond = ladder::beyond(&search, &choice, &best, go_on)?;
    let mut others: Vec<&Candidate> = finalists.iter().filter(fits).collect();
    others.retain(|candidate| candidate.settings != choice.settings);
    others.sort_by(|a, b| a.score.total_cmp(&b.score).then(a.size().cmp(&b.size())));
    let alternatives = others.into_iter().take(ALTERNATIVES).map(|c| search.tried(c)).collect();
    let best = Some(search.tried(&best));
    let choice = search.tried_in_full(&choice, go_on)?;
    Ok(Recommendation { ladder, beyond, alternatives, best, ..search.answer(Advice::Take(choice)) })
}

/// Nothing keeps the limits: what comes nearest, and whether one limit alone is to blame.
fn nothing(
    search: &mut Search<'_>,
    finalists: &[Candidate],
    go_on: GoOn<'_>,
) -> Result<Recommendation, CompareError> {
    let nearest = search.nearest(finalists, go_on)?;
    let without = search.without(go_on)?;
    let advice = Advice::Nothing(search.tried(&nearest));
    Ok(Recommendation { without, ..search.answer(advice) })
}

/// The scenario as it stands.
fn as_it_is() -> Configuration {
    Configuration::default()
}
