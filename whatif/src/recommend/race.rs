//! Which finalists are run over all nights.
//!
//! All of them begin with a few nights; of those that stay in the race the number of nights is
//! doubled, until all nights are run. Nights are paired with those of the leader, so that a few
//! tell much. One drops out once it is neither among the shortest few, nor can be both near
//! the best and smaller than one that surely is: then it will be neither chosen nor shown.
//!
//! Nobody drops out where a limit is held against what varies from night to night: who keeps it is
//! known when all nights are run.

use std::cmp::Ordering;

use bakcast_scenarios::predict::{Asked, PredictOptions};

use super::ALTERNATIVES;
use super::lattice::Settings;
use super::limit::Measure;
use super::search::{Candidate, Search};
use crate::runner::{Cancelled, GoOn};

/// Nights of the first round.
const FIRST: u32 = 4;
/// The shortest that stay: the best, and those that are shown beside it.
const SHORTEST: usize = ALTERNATIVES + 1;

/// Standard errors that make sure of a mean of so many nights: few know their own scatter badly.
fn sure(nights: usize) -> f64 {
    3.0 + 12.0 / nights as f64
}

/// Runs finalists over all nights, but for those that drop out before.
pub(super) fn race(
    search: &Search<'_>,
    mut settings: Vec<Settings>,
    go_on: GoOn<'_>,
) -> Result<Vec<Candidate>, Cancelled> {
    let varies = |measure| matches!(measure, Measure::Seconds(_) | Measure::Processors);
    let all = search.options();
    if !search.wanted.limits.iter().any(|limit| varies(limit.measure)) {
        let mut replications = FIRST;
        while replications < all.replications {
            let options = PredictOptions { replications, precision: None, ..*all };
            let runner = search.all.another(options, Asked::Durations);
            let found = search.run((&runner, &search.present.ran), &settings, go_on)?;
            let left = in_the_race(search, &found);
            settings.retain(|own| *own == search.present.settings || left.contains(own));
            replications *= 2;
        }
    }
    search.in_full(&settings, go_on)
}

/// Those that do not drop out; all of them where none can lead.
fn in_the_race(search: &Search<'_>, found: &[Candidate]) -> Vec<Settings> {
    let mut order: Vec<&Candidate> = found.iter().filter(|c| search.keeps(&c.ran)).collect();
    order.sort_by(|a, b| a.score.total_cmp(&b.score).then(a.size().cmp(&b.size())));
    let Some(leader) = order.first() else {
        return found.iter().map(|candidate| candidate.settings.clone()).collect();
    };
    let near: Vec<(&Candidate, Ordering)> =
        order.iter().map(|c| (*c, nearness(search, c, leader))).collect();
    let surely = near.iter().filter(|(_, nearness)| *nearness == Ordering::Less);
    let smallest = surely.map(|(candidate, _)| candidate.size()).min();
    let stays = |(place, (candidate, nearness)): (usize, &(&Candidate, Ordering))| {
        let may_be_chosen = *nearness != Ordering::Greater
            && smallest.is_none_or(|smallest| candidate.size() <= smallest);
        (place < SHORTEST || may_be_chosen).then(|| candidate.settings.clone())
    };
    near.iter().enumerate().filter_map(stays).collect()
}

/// Whether one is surely within the threshold of the leader, surely beyond it, or may be either.
fn nearness(search: &Search<'_>, candidate: &Candidate, leader: &Candidate) -> Ordering {
    let operation = search.wanted.operation;
    let nights = (candidate.ran.nights(operation), leader.ran.nights(operation));
    let (Some(own), Some(best)) = nights else { return Ordering::Equal };
    let logs: Vec<f64> = own.iter().zip(best).map(|(own, best)| libm::log(own / best)).collect();
    let count = logs.len() as f64;
    let mean = logs.iter().sum::<f64>() / count;
    let squares = logs.iter().map(|log| (log - mean) * (log - mean)).sum::<f64>();
    let error = sure(logs.len()) * (squares / (count - 1.0).max(1.0) / count).sqrt();
    let within = libm::log1p(search.wanted.threshold);
    if mean + error < within {
        Ordering::Less
    } else if mean - error > within {
        Ordering::Greater
    } else {
        Ordering::Equal
    }
}
